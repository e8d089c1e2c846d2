"""Faults for the simulation to find. If it misses one, the simulation is worth little.

Each replaces something in games, protocol or p2p by something that is nearly correct. The simulation must find it
within `tables` tables, on the integers from 0, with the given `game` and `trick`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from kimberley.games.diamond_trust import rules as trust_rules
from kimberley.games.table import HIDDEN, Answer
from kimberley.p2p.table import sync
from kimberley.protocol import closing, peer, play, resignations
from kimberley.protocol.asks import decide, roll, seal, show, together
from kimberley.protocol.crypto import coin, disclosure, escrow, hashing, ranges, shares, shuffle, signatures
from tests.simulation import seat
from tests.simulation.plan import Focus
from tests.support.computed_once import computed_each_time
from tests.support.wrong import (
    always,
    another_blamed,
    any_mail_passes,
    any_shuffle_passes,
    finds_nothing,
    out_of_stage_passes,
    second_passes,
)


@dataclass(frozen=True)
class Fault:
    """One fault: `make` replaces the attribute `name` of `where`, given the original.

    At least one of the `laws` must be found broken. `name` may be private: it is replaced, and nothing is asserted of
    it.
    """

    where: Any
    name: str
    make: Callable[[Any], Any]
    laws: tuple[str, ...]
    tables: int
    game: str | None = None
    trick: str | None = None
    seats: int | None = None
    goes: bool = False
    old: bool = False

    @property
    def focus(self) -> Focus:
        """The tables on which the fault must be found. Nobody cheats if no trick is given."""
        honest = self.trick is None
        return Focus(
            self.game, self.seats, self.trick, honest=honest, eager=True, goes=self.goes, small=True, old=self.old
        )

    @contextmanager
    def put_in(self) -> Iterator[None]:
        """Puts the fault into the code while the block lasts."""
        with computed_each_time():
            right = vars(self.where)[self.name]
            setattr(self.where, self.name, self.make(right))
            try:
                yield
            finally:
                setattr(self.where, self.name, right)


# -- what others sign is not checked -----------------------------------------------------------------------------------


def _shares_pass(right: Any) -> Any:
    return lambda g, ctx, public, index, share: share[:32]


def _openings_pass(right: Any) -> Any:
    def check(self: Any, stage: int, seat: int, body: Any) -> None:
        if stage == together.COMMIT:
            right(self, stage, seat, body)

    return check


def _choices_pass(right: Any) -> Any:
    return lambda space, choice: choice


def _keys_pass(right: Any) -> Any:
    return lambda g, public, data: int.from_bytes(data, "little")


# -- blame and waiting -------------------------------------------------------------------------------------------------


def _any_past(right: Any) -> Any:
    """A chain that differs is taken for the seat's own."""

    def on_have(self: Any, have: Any) -> None:
        known = [self._peer.chain(seat, 0)[:count] for seat, (count, _) in enumerate(have)]
        right(self, tuple((n, own[-1].hash if own else last) for (n, last), own in zip(have, known, strict=True)))

    return on_have


def _gone_still_owe(right: Any) -> Any:
    """Seats that have left are still awaited."""
    return property(lambda self: () if self.machine is None else tuple(self.machine.owing(self.stage)))


def _never_judged(right: Any) -> Any:
    return lambda player, entry: entry == ("concluded",) or right(player, entry)


# -- one transcript, one state -----------------------------------------------------------------------------------------


def _in_another_order(right: Any) -> Any:
    """Sometimes the head takes the envelopes of a stage in another order."""
    calls = 0

    def next_head(head: bytes, step: int, stage: int, hashes: tuple[bytes, ...]) -> bytes:
        nonlocal calls
        calls += 1
        return bytes(right(head, step, stage, hashes[::-1] if calls % 50 == 0 else hashes))

    return next_head


def _own_in_public(right: Any) -> Any:
    """Private knowledge of a seat gets into its public state."""

    def answers(self: Any) -> tuple[Answer, Answer]:
        _, own = right(self)
        return own, own

    return answers


def _of_the_moment(right: Any) -> Any:
    """A nonce depends on a value that changes with each run."""

    def body(self: Any, stage: int, choice: Any) -> Any:
        kept, self.crypto.seed = self.crypto.seed, hashing.digest("moment", id(self))
        try:
            return right(self, stage, choice)
        finally:
            self.crypto.seed = kept

    return body


def _seldom_synced(right: Any) -> Any:
    def write(self: Any, entries: Sequence[Any], *, sync: bool) -> None:
        right(self, entries, sync=sync and len(self.frames) % 8 == 0)

    return write


def _not_needed(right: Any) -> Any:
    """The journal omits some entries that changed nothing at once."""

    def receive(self: Any, data: bytes) -> bool:
        before = len(self.transcript)
        return bool(right(self, data)) and len(self.transcript) > before

    return receive


# -- secrets -----------------------------------------------------------------------------------------------------------


def _one_blinding(right: Any) -> Any:
    def scalar(g: Any, seed: bytes, label: str, ctx: Any, index: int, *statement: Any) -> int:
        return 5 if label == "blinding" else int(right(g, seed, label, ctx, index, *statement))

    return scalar


def _told_at_the_threshold(right: Any) -> Any:
    """The key is disclosed above the threshold, and also at it."""

    def offer(g: Any, seed: bytes, ctx: Any, label: str, bits: int, *sums: Any) -> Any:
        more, than, total, key = sums
        return right(g, seed, ctx, label, bits, more, than, max(total - 1, 0), key)

    return offer


def _seed_among_the_boxes(right: Any) -> Any:
    def leave_body(self: Any) -> Any:
        coin_key, bag_key, left = right(self)
        return coin_key, bag_key, left[:32] + self.crypto.seed + left[64:]

    return leave_body


def _seed_too_early(right: Any) -> Any:
    def body(self: Any, closing_: Any) -> Any:
        due = right(self, closing_)
        return (due, self.seed) if closing_.stage == closing.CLOSE else due

    return body


def _read_by_all(right: Any) -> Any:
    """Other seats read a value for items shown to one seat."""

    def answers(self: Any) -> tuple[Answer, Answer]:
        public, own = right(self)
        return public, tuple(tuple(0 if value is HIDDEN else value for value in values) for values in own)

    return answers


def _hidden_is_nothing(right: Any) -> Any:
    return lambda total, amount: total if amount is HIDDEN else right(total, amount)


TRUST: Final = "diamond-trust"
CHEAT: Final = ("cheat",)
LOST: Final = ("cheat", "failure")
FAULTS: Final[dict[str, Fault]] = {
    "any shuffle passes": Fault(
        shuffle, "verify", any_shuffle_passes, LOST, 4, "mine", "A shuffle with an item doubled"
    ),
    "any share of a roll passes": Fault(coin, "verify_share", _shares_pass, CHEAT, 4, None, "A share by another key"),
    "any range passes": Fault(ranges, "verify", always(True), CHEAT, 4, None, "Amounts beyond the limit"),
    "any share of an item passes": Fault(
        shares, "verify_share", always(True), LOST, 4, "mine", "Shares by another key"
    ),
    "any mail passes": Fault(shares, "verify_mail", any_mail_passes, LOST, 4, None, "Mail with another point"),
    "any signature passes": Fault(signatures, "verify", always(True), CHEAT, 4, "diamond", "A signature of zeros"),
    "any choice passes": Fault(
        decide, "check_choice", _choices_pass, LOST, 4, "diamond", "A choice much like one that is allowed"
    ),
    "any opening passes": Fault(
        together.TogetherMachine, "check", _openings_pass, LOST, 4, TRUST, "An opening of another choice"
    ),
    "any transcript passes": Fault(peer.Peer, "names_head", always(True), CHEAT, 4, "diamond", "Another head"),
    "a second envelope passes": Fault(
        peer.Peer, "receive", second_passes, CHEAT, 4, "diamond", "Two envelopes with one number"
    ),
    "what is out of its stage passes": Fault(
        peer.Peer, "catch", out_of_stage_passes, CHEAT, 4, "diamond", "An envelope for a stage that is over"
    ),
    "any keys pass where one leaves": Fault(
        play, "published_key", _keys_pass, LOST, 4, "land", "A leave with its keys exchanged"
    ),
    "anything may be left behind": Fault(
        escrow, "well_formed", always(True), LOST, 4, "land", "A leave with its seed in the clear"
    ),
    "any seed may be shown": Fault(
        closing.Closing, "check", always(None), LOST, 4, "diamond", "SHOW with another seed"
    ),
    "the audit finds nothing": Fault(
        peer, "reexecute", finds_nothing, CHEAT, 6, "mine", "A shuffle in another order than the seed gives"
    ),
    "the audit names another": Fault(
        peer, "earliest", another_blamed, ("blame",), 6, TRUST, "Another choice sealed than shown"
    ),
    "the audit forgets who left": Fault(
        closing.Closing, "recover", always(None), CHEAT, 6, "land", "A leaver left garbage behind"
    ),
    "the audit is never run": Fault(seat, "apply", _never_judged, ("end",), 4, "diamond"),
    "pasts are not compared": Fault(
        sync.Sync, "on_have", _any_past, ("cheat", "end"), 8, None, "one envelope for some, another for others"
    ),
    "who has left still owes": Fault(
        play.Play, "owing", _gone_still_owe, ("end", "failure", "blame"), 8, "land", seats=3, goes=True
    ),
    "everybody can leave": Fault(
        resignations.Resignations, "can_leave", always(True), ("end", "failure", "blame"), 8, "diamond", goes=True
    ),
    "heads in no fixed order": Fault(peer, "next_head", _in_another_order, ("agreement",), 4, "diamond"),
    "a seal is public to its seat": Fault(seal.SealMachine, "answers", _own_in_public, ("agreement",), 4, TRUST),
    "an item is public to who sees it": Fault(
        show.ShowMachine, "answers", _own_in_public, ("agreement",), 4, "piecepack"
    ),
    "an item is read by all": Fault(show.ShowMachine, "answers", _read_by_all, ("knowledge",), 4, "piecepack"),
    "hidden amounts count nothing": Fault(trust_rules, "_add", _hidden_is_nothing, ("knowledge", "failure"), 4, TRUST),
    "a nonce of the moment": Fault(roll.RollMachine, "body", _of_the_moment, ("blame", "resume"), 4, "diamond"),
    "the journal is seldom synced": Fault(
        seat.MemoryJournal, "write", _seldom_synced, ("resume", "blame", "agreement", "end"), 20, "diamond"
    ),
    "signs before all have said what they have": Fault(
        seat.Seat, "_others_present", always(set()), ("blame", "agreement"), 8, "diamond", old=True
    ),
    "the journal lacks what came": Fault(peer.Peer, "receive", _not_needed, ("resume",), 20, TRUST),
    "one blinding for all amounts": Fault(seal, "derive_scalar", _one_blinding, ("freshness",), 4, TRUST),
    "told at the threshold too": Fault(disclosure, "offer", _told_at_the_threshold, ("knowledge",), 24, TRUST),
    "its seed among what it leaves": Fault(
        play.Play, "leave_body", _seed_among_the_boxes, ("secrets",), 8, "land", seats=3, goes=True
    ),
    "its seed with the result": Fault(peer.Peer, "closing_body", _seed_too_early, ("secrets",), 4, "diamond"),
}
