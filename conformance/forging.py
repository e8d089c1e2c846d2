"""Forges what cases and vectors need: bodies in place of those that are due, and records with any contents.

A bend is given the seat's own play and the body due. What it does not forge is as an honest seat signs it, with proofs
that are valid wherever there can be any.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Final, TypeVar

from kimberley.conformance.errors import present, typed
from kimberley.games.table import Amounts, Plain, Tell
from kimberley.protocol.asks.base import Machine, prove_within
from kimberley.protocol.asks.disclose import LABEL, DiscloseMachine
from kimberley.protocol.asks.keys import PURPOSES
from kimberley.protocol.asks.seal import SealMachine
from kimberley.protocol.asks.show import ShowMachine
from kimberley.protocol.asks.shuffle import ShuffleMachine
from kimberley.protocol.asks.together import COMMIT, TogetherMachine
from kimberley.protocol.crypto import backend, coin, disclosure, dleq, elgamal, ranges, shares, shuffle
from kimberley.protocol.crypto.commitments import pedersen
from kimberley.protocol.crypto.elgamal import SeatKey
from kimberley.protocol.crypto.hashing import Context, derive_scalar
from kimberley.protocol.encoding import pack
from kimberley.protocol.play import Play
from kimberley.protocol.record import MAGIC

OTHER: Final = bytes([9]) * 32
"""A seed that belongs to nobody at the table."""

Bend = Callable[[Play, Any], Plain]
"""Turns the body that is due into another one."""

M = TypeVar("M", bound=Machine)


def sealed(contents: bytes) -> bytes:
    """Returns the file of a record with these packed contents."""
    data = MAGIC + contents
    return data + hashlib.sha256(data).digest()


def _at(play: Play) -> tuple[int, Context]:
    """Returns the seat, and its context in this stage."""
    seat = present(play.seat)
    return seat, play.context(seat)


def _machine(play: Play, kind: type[M]) -> M:
    return typed(play.machine, kind)


def put(plain: Plain, value: Plain, *path: int) -> Plain:
    """Returns the array, with the entry at a path replaced."""
    if not path:
        return value
    rows = list(typed(plain, tuple))
    rows[path[0]] = put(rows[path[0]], value, *path[1:])
    return tuple(rows)


def reseeded(play: Play, body: Plain) -> Plain:
    """Signs with the nonces, blindings and masks of another seed. The keys stay."""
    del body
    kept, play.crypto.seed = play.crypto.seed, OTHER
    try:
        return play.body()
    finally:
        play.crypto.seed = kept


# -- keys --------------------------------------------------------------------------------------------------------------


def other_proofs(play: Play, body: Plain) -> Plain:
    """Proves the keys with other nonces."""
    crypto, (_, context) = play.crypto, _at(play)
    keys = crypto.coin_key, crypto.bag_key, crypto.mailbox_key
    return tuple(
        (key.public, coin.prove_key(crypto.group, OTHER, context, purpose, key.secret))
        for key, purpose in zip(keys, PURPOSES, strict=True)
    )


def other_key(purpose: str) -> Bend:
    """Announces a key of another seed, and goes on with it."""

    def bend(play: Play, body: Any) -> Plain:
        _, context = _at(play)
        key = SeatKey.derive(play.crypto.group, OTHER, context, purpose)
        vars(play.crypto)[f"{purpose}_key"] = key
        return put(body, (key.public, key.proof), PURPOSES.index(purpose))

    return bend


def proof_of_other_seat(play: Play, body: Plain) -> Plain:
    """Proves the coin key in the name of seat 0."""
    crypto = play.crypto
    context = crypto.context(0, 0, 0)
    return put(body, coin.prove_key(crypto.group, crypto.seed, context, coin.COIN, crypto.coin_key.secret), 0, 1)


def negate_keys(play: Play, other: Play) -> None:
    """Gives a seat the negatives of all keys of another seat, from now on."""
    crypto, (_, context) = play.crypto, _at(play)
    for purpose, kind in zip(PURPOSES, (coin.CoinKey, SeatKey, SeatKey), strict=True):
        secret = crypto.group.order - getattr(other.crypto, f"{purpose}_key").secret
        proof = coin.prove_key(crypto.group, crypto.seed, context, purpose, secret)
        vars(crypto)[f"{purpose}_key"] = kind(secret, crypto.group.base(secret), proof)


# -- rolls and amounts -------------------------------------------------------------------------------------------------


def share_by_bag_key(play: Play, body: Plain) -> Plain:
    """Rolls with another key than the announced one."""
    crypto, (_, context) = play.crypto, _at(play)
    return (coin.share(crypto.group, crypto.seed, context, crypto.bag_key.secret, 0),)


def share_of_other_point(play: Play, body: Plain) -> Plain:
    """Rolls with a share of another point, and a proof that is valid for that point."""
    crypto, (_, context) = play.crypto, _at(play)
    g = crypto.group
    base = g.mul(3, coin.roll_point(g, context, 0))
    (image,), proof = dleq.prove(g, crypto.seed, context, "coin share", 0, crypto.coin_key.secret, (base,))
    return (image + proof,)


def _blinding(play: Play, space: Amounts, index: int, amount: int) -> int:
    _, context = _at(play)
    slot = space.slots[index]
    return derive_scalar(play.crypto.group, play.crypto.seed, "blinding", context, index, slot.name, slot.bits, amount)


def _space(play: Play) -> Amounts:
    return typed(_machine(play, SealMachine).ask.spaces[present(play.seat)], Amounts)


def other_range(play: Play, body: Plain) -> Plain:
    """Proves the first amount with other nonces."""
    (_, context), space = _at(play), _space(play)
    amount, *_ = typed(play.choices[-1], tuple)
    blinding = _blinding(play, space, 0, amount)
    proof = ranges.prove(play.crypto.group, OTHER, context, "amount", space.slots[0].bits, amount, blinding, 0)
    return put(body, proof, 1, 0)


def sealing(*values: int) -> Bend:
    """Seals amounts for which no valid proofs exist, with proofs of what they are modulo the range."""

    def bend(play: Play, body: Plain) -> Plain:
        crypto, (_, context), space = play.crypto, _at(play), _space(play)
        g, spent = crypto.group, crypto.opening(space.within.tally)
        drawn = [_blinding(play, space, index, value) for index, value in enumerate(values)]
        proofs = tuple(
            ranges.prove(g, crypto.seed, context, "amount", slot.bits, value % (1 << slot.bits), blinding, index)
            for index, (slot, value, blinding) in enumerate(zip(space.slots, values, drawn, strict=True))
        )
        bits, left = space.within.tally.bits, space.within.limit - spent[0] - sum(values)
        hiding = -(spent[1] + sum(drawn)) % g.order
        within = ranges.prove(g, crypto.seed, context, "within", bits, left % (1 << bits), hiding, 0)
        return tuple(pedersen(g, value, hiding) for value, hiding in zip(values, drawn, strict=True)), proofs, within

    return bend


def proof_for_commitment(play: Play, body: Any) -> Plain:
    """Opens a choice with a proof of its limit that is made for the stage of the commitment."""
    machine, seat = _machine(play, TogetherMachine), present(play.seat)
    within, space = present(machine.ask.within[seat]), present(machine.ask.spaces[seat])
    context = machine.context(COMMIT, seat)
    return put(body, prove_within(play.crypto, context, within, (0, 0), space.cost(body[1])), 2)


def forget_spending(play: Play) -> None:
    """Makes a seat prove its limits as if it had sealed nothing, from now on."""
    openings = play.crypto.openings
    openings.update({tally: (0, blinding) for tally, (_, blinding) in openings.items()})


# -- tells -------------------------------------------------------------------------------------------------------------


def _first_tell(play: Play) -> tuple[DiscloseMachine, int, Tell, bytes]:
    """Returns the machine, the seat's first tell with its place in the ask, which carries pads, and their key."""
    machine = _machine(play, DiscloseMachine)
    index, tell = machine.tells_of(present(play.seat))[0]
    return machine, index, tell, machine.key(index, tell)


def key_above(total: int) -> Bend:
    """Gives the key above another total."""

    def bend(play: Play, body: Plain) -> Plain:
        crypto, (_, context) = play.crypto, _at(play)
        _, index, tell, key = _first_tell(play)
        more, than = crypto.commitment(tell.more), crypto.commitment(tell.than)
        label, bits = f"{LABEL} {index}", tell.more.bits
        offer = disclosure.offer(crypto.group, crypto.seed, context, label, bits, more, than, total, key)
        return put(body, offer, 0, 0)

    return bend


def payload(plain: bytes, place: int = 0) -> Bend:
    """Tells these bytes, in place of length, value and padding, under the key of the seat's first tell. `place` counts
    the seat's tells.
    """

    def bend(play: Play, body: Plain) -> Plain:
        _, context = _at(play)
        machine, _, tell, key = _first_tell(play)
        index, _ = machine.tells_of(present(play.seat))[place]
        subkey, associated = disclosure.subkey_of(key, tell.kind, context, index, tell.size)
        return put(body, backend.primitives().encrypt(subkey, disclosure.NONCE, plain, associated), place, 1)

    return bend


def says(words: Plain) -> Bend:
    """Tells this instead of the truth."""
    return says_bytes(pack(words))


def says_bytes(packed: bytes) -> Bend:
    """Tells these bytes instead of a packed value."""

    def bend(play: Play, body: Plain) -> Plain:
        _, _, tell, _ = _first_tell(play)
        return payload(len(packed).to_bytes(disclosure.LENGTH_SIZE, "big") + packed.ljust(tell.size, b"\0"))(play, body)

    return bend


# -- items -------------------------------------------------------------------------------------------------------------


def shuffled(
    *, bag: str | None = None, stage: int | None = None, fresh: bool = False, swap: bool = False, turn: bool = False
) -> Bend:
    """Shuffles for another bag, in another stage's context, the items as nobody has shuffled them (`fresh`), with
    parts of its first two items exchanged (`swap`), or in the opposite order (`turn`).
    """

    def bend(play: Play, body: Plain) -> Plain:
        crypto, machine = play.crypto, _machine(play, ShuffleMachine)
        g, key, label = crypto.group, machine.key, bag or machine.bag
        context = machine.context(play.stage if stage is None else stage, present(play.seat))
        items = _unshuffled(machine) if fresh else machine.items
        due = shuffle.shuffle(g, crypto.seed, context, label, key, items)
        order = due.order[::-1] if turn else due.order
        sources = [list(items[place]) for place in order]
        if swap:
            sources[0][-1], sources[1][-1] = sources[1][-1], sources[0][-1]
        moved = tuple(
            tuple(elgamal.remask(g, key, pair, mask) for pair, mask in zip(source, row, strict=True))
            for source, row in zip(sources, due.masks, strict=True)
        )
        made = shuffle.Shuffled(moved, order, due.masks)
        return elgamal.encode_items(moved), shuffle.prove(g, crypto.seed, context, label, key, items, made)

    return bend


def unshuffled(play: Play, body: Plain) -> Plain:
    """Leaves the items as nobody has shuffled them yet."""
    return put(body, elgamal.encode_items(_unshuffled(_machine(play, ShuffleMachine))), 0)


def _unshuffled(machine: ShuffleMachine) -> tuple[elgamal.Item, ...]:
    return tuple(elgamal.known_item(machine.crypto.group, machine.key, item) for item in machine.known)


def shares_by_coin_key(play: Play, body: Plain) -> Plain:
    """Shares with all by another key of the seat."""
    crypto, (_, context) = play.crypto, _at(play)
    pairs = _machine(play, ShowMachine).pairs(None)
    return put(body, shares.share(crypto.group, crypto.seed, context, crypto.coin_key.secret, pairs), 0)


def mail_by_coin_key(play: Play, body: Plain) -> Plain:
    """Mails to seat 0 by another key of the seat."""
    return _mail(play, body, play.crypto.coin_key.secret, 0)


def mail_to_itself(play: Play, body: Plain) -> Plain:
    """Mails to seat 0 what only the sender can read."""
    return _mail(play, body, play.crypto.bag_key.secret, present(play.seat))


def _mail(play: Play, body: Plain, secret: int, mailbox: int) -> Plain:
    crypto, (_, context) = play.crypto, _at(play)
    pairs, key = _machine(play, ShowMachine).pairs(0), crypto.public_keys[mailbox].mailbox
    return put(body, shares.mail(crypto.group, crypto.seed, context, secret, key, pairs), 1, 0, 1)
