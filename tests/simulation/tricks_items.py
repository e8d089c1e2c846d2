"""Tricks with shuffles, with shown items, and with what a leaving seat leaves behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kimberley.games.table import Plain
from kimberley.protocol.asks.show import ShowMachine
from kimberley.protocol.asks.shuffle import ShuffleMachine
from kimberley.protocol.crypto import elgamal, escrow, shares, shuffle
from kimberley.protocol.crypto.elgamal import Item, Pair
from kimberley.protocol.crypto.group import POINT_SIZE
from kimberley.protocol.crypto.shuffle import Shuffled
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import LEAVE
from tests.simulation.cheating import AUDITED, REFUSED, Bent, Cheater, Trick
from tests.simulation.tricks_choices import OTHER_SEED, here
from tests.support.cheats import Leaver

BAGS: Final = ("mine", "piecepack")
"""The games in which items are shuffled and shown to all."""
MAIL: Final = ("piecepack",)
"""The games in which items are shown to one seat alone."""
LEAVABLE: Final = ("land", "mine", "piecepack")
"""The games that go on without a seat."""


# -- shuffles ------------------------------------------------------------------------------------------------------


def _shuffles(peer: Cheater) -> ShuffleMachine | None:
    machine = peer.play.machine
    return machine if isinstance(machine, ShuffleMachine) and len(machine.items) > 1 else None


def _shuffled(peer: Cheater, machine: ShuffleMachine, items: tuple[Item, ...], stage: int = 0) -> Plain:
    """A shuffle of these items, with a proof that is valid for them at this stage or another."""
    g, context = peer.group, here(peer, stage=stage)
    made = shuffle.shuffle(g, OTHER_SEED, context, machine.bag, machine.key, items)
    proof = shuffle.prove(g, OTHER_SEED, context, machine.bag, machine.key, items, made)
    return elgamal.encode_items(made.items), proof


def _changed(change: Callable[[Cheater, list[Item]], None]) -> Callable[[Cheater, Any], Bent]:
    """A shuffle with changed items, and the best proof that can be made for it."""

    def bend(peer: Cheater, body: Any) -> Bent:
        machine = _shuffles(peer)
        if machine is None:
            return body
        g, context = peer.group, here(peer)
        made = shuffle.shuffle(g, OTHER_SEED, context, machine.bag, machine.key, machine.items)
        items = list(made.items)
        change(peer, items)
        bent = Shuffled(tuple(items), made.order, made.masks)
        proof = shuffle.prove(g, OTHER_SEED, context, machine.bag, machine.key, machine.items, bent)
        return elgamal.encode_items(items), proof

    return bend


def doubled(peer: Cheater, items: list[Item]) -> None:
    items[0] = items[1]


def exchanged(peer: Cheater, items: list[Item]) -> None:
    items[0], items[1] = items[1], items[0]


def another_value(peer: Cheater, items: list[Item]) -> None:
    *parts, (a, b) = items[0]
    items[0] = *parts, (a, peer.group.add(b, peer.group.base(9)))


def identity_inside(peer: Cheater, items: list[Item]) -> None:
    items[0] = ((peer.group.identity, items[0][0][1]), *items[0][1:])


def another_order(peer: Cheater, body: Any) -> Bent:
    machine = _shuffles(peer)
    return body if machine is None else _shuffled(peer, machine, machine.items)


def one_dropped(peer: Cheater, body: Any) -> Bent:
    machine = _shuffles(peer)
    return body if machine is None else _shuffled(peer, machine, machine.items[1:])


def proven_elsewhere(peer: Cheater, body: Any) -> Bent:
    machine = _shuffles(peer)
    return body if machine is None else _shuffled(peer, machine, machine.items, stage=1)


def shuffle_of_another(peer: Cheater, body: Any) -> Bent:
    """The body of the seat before, word for word."""
    before = peer.transcript[-1] if peer.transcript else None
    shuffles = _shuffles(peer) is not None and peer.play.stage > 0 and before is not None
    return before.body if shuffles and before is not None and before.kind != LEAVE else body


# -- shown items ---------------------------------------------------------------------------------------------------


def _pairs(peer: Cheater, to: int | None) -> list[Pair]:
    machine = peer.play.machine
    return machine.pairs(to) if isinstance(machine, ShowMachine) else []


def _shares(peer: Cheater, body: Any, key: int = 0, step: int = 0, fewer: int = 0) -> Bent:
    pairs = _pairs(peer, None)
    if not pairs or (fewer and len(pairs) <= fewer):
        return body
    secret = peer.play.crypto.bag_key.secret + key
    return shares.share(peer.group, OTHER_SEED, here(peer, step=step), secret, pairs[fewer:]), body[1]


def shares_of_another_key(peer: Cheater, body: Any) -> Bent:
    return _shares(peer, body, key=1)


def shares_proven_elsewhere(peer: Cheater, body: Any) -> Bent:
    return _shares(peer, body, step=1)


def shares_too_few(peer: Cheater, body: Any) -> Bent:
    return _shares(peer, body, fewer=1)


def shares_of_another_nonce(peer: Cheater, body: Any) -> Bent:
    return _shares(peer, body)


def no_shares(peer: Cheater, body: Any) -> Bent:
    return (b"", body[1]) if _pairs(peer, None) else body


def unasked_shares(peer: Cheater, body: Any) -> Bent:
    """Shares for everybody of an item that is for one seat alone."""
    machine = peer.play.machine
    if not isinstance(machine, ShowMachine) or _pairs(peer, None) or not body[1]:
        return body
    pairs = _pairs(peer, body[1][0][0])
    return shares.share(peer.group, OTHER_SEED, here(peer), peer.play.crypto.bag_key.secret, pairs), body[1]


def _mail(peer: Cheater, body: Any, change: Callable[[int, bytes], bytes]) -> Bent:
    if not isinstance(peer.play.machine, ShowMachine) or not body[1]:
        return body
    (to, sent), *others = body[1]
    return body[0], ((to, change(to, sent)), *others)


def another_point_mailed(peer: Cheater, body: Any) -> Bent:
    def change(to: int, sent: bytes) -> bytes:
        point = peer.group.add(sent[POINT_SIZE : 2 * POINT_SIZE], peer.group.base(1))
        return sent[:POINT_SIZE] + point + sent[2 * POINT_SIZE :]

    return _mail(peer, body, change)


def mail_of_another_key(peer: Cheater, body: Any) -> Bent:
    def change(to: int, sent: bytes) -> bytes:
        crypto = peer.play.crypto
        secret, mailbox = crypto.bag_key.secret + 1, crypto.public_keys[to].mailbox
        return shares.mail(peer.group, OTHER_SEED, here(peer), secret, mailbox, _pairs(peer, to))

    return _mail(peer, body, change)


def mail_in_the_clear(peer: Cheater, body: Any) -> Bent:
    def change(to: int, sent: bytes) -> bytes:
        secret = peer.play.crypto.bag_key.secret
        return shares.share(peer.group, OTHER_SEED, here(peer), secret, _pairs(peer, to))

    return _mail(peer, body, change)


def no_mail(peer: Cheater, body: Any) -> Bent:
    return (body[0], ()) if isinstance(peer.play.machine, ShowMachine) and body[1] else body


def mail_for_another(peer: Cheater, body: Any) -> Bent:
    if not isinstance(peer.play.machine, ShowMachine) or not body[1]:
        return body
    (to, sent), *others = body[1]
    return body[0], (((to + 1) % peer.play.crypto.seats, sent), *others)


# -- leaving -------------------------------------------------------------------------------------------------------


class Going(Leaver, Cheater):
    """Leaves at some point, with a leave body altered by its trick."""

    goes = staticmethod(lambda peer: peer.play.step >= 1 and _can_go(peer) and peer.dares())

    def sign_next(self, kind: int, body: Plain) -> None:
        if kind == LEAVE and self.trick.body is not None and not self.done:
            bent = self.trick.body(self, body)
            assert not callable(bent)
            body = bent
            self.did()
        super().sign_next(kind, body)

    def game_body(self) -> Plain:
        return None if self.play.wants is not None else self.play.body()


def _can_go(peer: Any) -> bool:
    return bool(peer.resignations.can_leave(peer.slot))


def _left(peer: Cheater, secret: bytes) -> bytes:
    """A secret, locked as it should be."""
    crypto = peer.play.crypto
    bags = {seat: crypto.public_keys[seat].bag for seat in crypto.present if seat != crypto.seat}
    return escrow.leave_behind(peer.group, crypto.seed, here(peer), bags, secret)


def other_keys(peer: Cheater, body: Any) -> Bent:
    return body[1], body[0], body[2]


def its_seed_in_the_clear(peer: Cheater, body: Any) -> Bent:
    return body[0], body[1], peer.play.crypto.seed


def a_byte_too_few_left(peer: Cheater, body: Any) -> Bent:
    return body[0], body[1], body[2][:-1]


def nothing_left(peer: Cheater, body: Any) -> Bent:
    return ()


def garbage_left(peer: Cheater, body: Any) -> Bent:
    return body[0], body[1], _left(peer, b"garbage")


def other_choices_left(peer: Cheater, body: Any) -> Bent:
    return body[0], body[1], _left(peer, pack((peer.play.crypto.seed, (*peer.play.choices, "more"))))


BAD_SHUFFLE: Final = "does not prove that it changed only the order and the masks"
BAD_SHARES: Final = "their shares are not those"
BAD_MAIL: Final = "are not those that their bag key fixes"
DOES_NOT_OPEN: Final = "does not open to their seed"


def _leaves(name: str, rule: str, outcome: str, reason: str, body: Callable[[Cheater, Any], Bent]) -> Trick:
    return Trick(name, rule, outcome, reason, LEAVABLE, 3, body, kind=Going)


ITEMS: Final = (
    Trick("an item doubled", "M-SHU-1", REFUSED, BAD_SHUFFLE, BAGS, body=_changed(doubled)),
    Trick("items exchanged after the proof", "M-SHU-1", REFUSED, BAD_SHUFFLE, BAGS, body=_changed(exchanged)),
    Trick("another value in an item", "M-SHU-1", REFUSED, BAD_SHUFFLE, BAGS, body=_changed(another_value)),
    Trick("the identity in an item", "M-SHF-1", REFUSED, BAD_SHUFFLE, BAGS, body=_changed(identity_inside)),
    Trick("an item dropped", "M-SHF-2", REFUSED, BAD_SHUFFLE, BAGS, body=one_dropped),
    Trick("a shuffle proven elsewhere", "M-SHU-1", REFUSED, BAD_SHUFFLE, BAGS, body=proven_elsewhere),
    Trick("the shuffle of the seat before", "M-SHU-1", REFUSED, BAD_SHUFFLE, BAGS, body=shuffle_of_another),
    Trick("an order of its own choice", "14.9", AUDITED, "is not the one that their seed", BAGS, body=another_order),
    Trick("shares of another key", "M-SHW-1", REFUSED, BAD_SHARES, BAGS, body=shares_of_another_key),
    Trick("shares proven elsewhere", "M-SHW-1", REFUSED, BAD_SHARES, BAGS, body=shares_proven_elsewhere),
    Trick("shares too few", "M-SHA-1", REFUSED, BAD_SHARES, MAIL, body=shares_too_few),
    Trick(
        "shares with another nonce", "14.10", AUDITED, "not those that their seed", BAGS, body=shares_of_another_nonce
    ),
    Trick("no shares", "M-SHW-1", REFUSED, BAD_SHARES, BAGS, body=no_shares),
    Trick("shares that nobody asked for", "M-SHW-3", REFUSED, BAD_SHARES, MAIL, body=unasked_shares),
    Trick("another point mailed", "M-SHW-2", REFUSED, BAD_MAIL, MAIL, body=another_point_mailed),
    Trick("mail of another key", "M-SHW-2", REFUSED, BAD_MAIL, MAIL, body=mail_of_another_key),
    Trick("mail in the clear", "M-SHA-1", REFUSED, BAD_MAIL, MAIL, body=mail_in_the_clear),
    Trick("no mail", "M-SHW-2", REFUSED, "it does not have separate shares", MAIL, body=no_mail),
    Trick(
        "mail for another seat", "M-SHW-2", REFUSED, "it has no separate shares for seat", MAIL, body=mail_for_another
    ),
    _leaves("leaving with its keys exchanged", "M-LEA-2", REFUSED, "not those they announced", other_keys),
    _leaves("leaving with its seed in the clear", "M-LEA-3", REFUSED, "not well formed", its_seed_in_the_clear),
    _leaves("leaving a byte too few", "M-ESC-1", REFUSED, "not well formed", a_byte_too_few_left),
    _leaves("leaving with nothing", "M-LEA-2", REFUSED, "they left without publishing their keys", nothing_left),
    _leaves("leaving garbage for the audit", "14.11", AUDITED, DOES_NOT_OPEN, garbage_left),
    _leaves("leaving a choice too many", "13.2", AUDITED, "is not what their seed gives", other_choices_left),
)
