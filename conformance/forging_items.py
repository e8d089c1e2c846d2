"""Forges shuffles, shares, mail and what leaving seats leave behind; see `forging`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kimberley.conformance.errors import typed
from kimberley.conformance.forging import Bend, Secret, Where, at, by_bag_key, context_of, here, machine_of, octets, put
from kimberley.games.table import Plain
from kimberley.protocol.asks.show import ShowMachine
from kimberley.protocol.asks.shuffle import ShuffleMachine
from kimberley.protocol.crypto import elgamal, escrow, shares, shuffle
from kimberley.protocol.crypto.elgamal import Item, Pair
from kimberley.protocol.crypto.group import POINT_SIZE, Group
from kimberley.protocol.play import Play

# -- items -------------------------------------------------------------------------------------------------------------

Items = Sequence[Item]
ChangeItems = Callable[[Group, list[Item]], None]


def _unshuffled(machine: ShuffleMachine) -> Items:
    return tuple(elgamal.known_item(machine.crypto.group, machine.key, item) for item in machine.known)


def shuffles(
    where: Where = here,
    *,
    bag: str | None = None,
    take: Callable[[Items], Items] | None = None,
    fresh: bool = False,
    turn: bool = False,
    change: ChangeItems | None = None,
    proven: bool = True,
) -> Bend:
    """Shuffles in another context or for another bag; other items than it got (`take`), or those that nobody has
    shuffled (`fresh`); in the opposite order (`turn`). Then `change` changes what came of it, before the proof is made
    as well as it can be, or after (not `proven`).
    """

    def bend(play: Play, body: Plain) -> Plain:
        crypto, machine = play.crypto, machine_of(play, ShuffleMachine)
        g, key, label, context = crypto.group, machine.key, bag or machine.bag, where(context_of(play)[1])
        items = _unshuffled(machine) if fresh else machine.items
        if take is not None:
            items = take(items)
        due = shuffle.shuffle(g, crypto.seed, context, label, key, items)
        order = due.order[::-1] if turn else due.order
        moved = [
            tuple(elgamal.remask(g, key, pair, mask) for pair, mask in zip(items[place], row, strict=True))
            for place, row in zip(order, due.masks, strict=True)
        ]
        right = tuple(moved)
        if change is not None:
            change(g, moved)
        made = shuffle.Shuffled(tuple(moved) if proven else right, order, due.masks)
        return elgamal.encode_items(moved), shuffle.prove(g, crypto.seed, context, label, key, items, made)

    return bend


def unshuffled(play: Play, body: Plain) -> Plain:
    """Leaves the items as they were before anybody shuffled them."""
    return put(body, elgamal.encode_items(_unshuffled(machine_of(play, ShuffleMachine))), 0)


Pairs = Callable[[Play, "int | None"], list[Pair]]
"""What a seat shares with all (None), or with one seat."""


def _shown(play: Play, to: int | None) -> list[Pair]:
    pairs = machine_of(play, ShowMachine).pairs(to)
    if not pairs:
        raise LookupError("nothing is shown to them")
    return pairs


def _places(play: Play, to: int | None) -> list[tuple[int, int]]:
    _shown(play, to)
    ask = machine_of(play, ShowMachine).ask
    return [(item, part) for item in ask.items for part, receiver in ask.parts if receiver == to]


def of_other_items(play: Play, to: int | None) -> list[Pair]:
    """Returns the same parts of items that are not shown."""
    items, asked = play.crypto.items, machine_of(play, ShowMachine).ask.items
    others = [item for item in range(len(items)) if item not in asked]
    return [items[others[place]][part] for place, (_, part) in enumerate(_places(play, to))]


def of_other_parts(play: Play, to: int | None) -> list[Pair]:
    """Returns other parts of the same items."""
    items = play.crypto.items
    return [items[item][(part + 1) % len(items[item])] for item, part in _places(play, to)]


def of_more(play: Play, to: int | None) -> list[Pair]:
    """Returns more than is asked."""
    return _shown(play, to) + of_other_parts(play, to)


def of_less(play: Play, to: int | None) -> list[Pair]:
    """Returns all but one of the parts that are asked."""
    return _shown(play, to)[1:] or of_other_parts(play, None)[:0]


def shares_with_all(where: Where = here, *, by: Secret = by_bag_key, pairs: Pairs = _shown) -> Bend:
    """Shares with all in another context, with another key, or what is not asked."""

    def bend(play: Play, body: Plain) -> Plain:
        made = shares.share(
            play.crypto.group, play.crypto.seed, where(context_of(play)[1]), by(play.crypto), pairs(play, None)
        )
        return put(body, made, 0)

    return bend


def mails(where: Where = here, *, by: Secret = by_bag_key, pairs: Pairs = _shown, to: int | None = None) -> Bend:
    """Mails to the first receiver in another context, with another key, for the mailbox of the seat `to` places after
    its own, or what is not asked.
    """

    def bend(play: Play, body: Plain) -> Plain:
        crypto, (seat, context), receiver = play.crypto, context_of(play), typed(at(body, 1, 0, 0), int)
        mailbox = crypto.public_keys[receiver if to is None else (seat + to) % crypto.seats].mailbox
        sent = shares.mail(crypto.group, crypto.seed, where(context), by(crypto), mailbox, pairs(play, receiver))
        return put(body, sent, 1, 0, 1)

    return bend


def mails_in_the_clear(play: Play, body: Plain) -> Plain:
    """Mails what everybody can read."""
    crypto, (_, context) = play.crypto, context_of(play)
    pairs = _shown(play, typed(at(body, 1, 0, 0), int))
    return put(body, shares.share(crypto.group, crypto.seed, context, crypto.bag_key.secret, pairs), 1, 0, 1)


def shows_to_all(play: Play, body: Plain) -> Plain:
    """Shares with all what is for one seat alone."""
    crypto, (_, context) = play.crypto, context_of(play)
    pairs = _shown(play, typed(at(body, 1, 0, 0), int))
    return put(body, shares.share(crypto.group, crypto.seed, context, crypto.bag_key.secret, pairs), 0)


def moves_point(place: int, *path: int) -> Bend:
    """Exchanges one of the points in the bytes at a path."""

    def bend(play: Play, body: Plain) -> Plain:
        data, g, start = octets(at(body, *path)), play.crypto.group, place * POINT_SIZE
        point = g.add(data[start : start + POINT_SIZE], g.base(1))
        return put(body, data[:start] + point + data[start + POINT_SIZE :], *path)

    return bend


# -- leaving -----------------------------------------------------------------------------------------------------------


def leaves_behind(secret: Callable[[Play], bytes], seed: bytes | None = None) -> Bend:
    """Leaves another secret behind, locked as it should be; with the nonces of another seed, if one is given."""

    def bend(play: Play, body: Plain) -> Plain:
        crypto, (_, context) = play.crypto, context_of(play)
        bags = {seat: crypto.public_keys[seat].bag for seat in crypto.present if seat != crypto.seat}
        return put(body, escrow.leave_behind(crypto.group, seed or crypto.seed, context, bags, secret(play)), 2)

    return bend
