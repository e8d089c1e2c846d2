"""The end of a table: all sign the result, then all publish seed and choices, then all sign what the audit found
(SPEC.md, "Closing").

No seed is published before every seat has signed the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.table import Plain, Result
from protocol.crypto import escrow
from protocol.crypto.elgamal import MAILBOX, SeatKey
from protocol.crypto.group import Group
from protocol.crypto.hashing import Context
from protocol.encoding import Malformed, pack, unpack
from protocol.log import Deviation
from protocol.play import Departure, Foul
from protocol.roster import SignedRoster, seed_hash

CLOSE, SHOW, VERDICT = range(3)
NAMES = ("its signature under the result", "its seed and choices for the audit", "its signature under the audit")


def earliest(findings: Iterable[Deviation]) -> tuple[Deviation, ...]:
    """The deviations of the earliest stage that has any: they decide, whatever followed from them."""
    ordered = sorted(findings)
    return tuple(found for found in ordered if (found.step, found.stage) == (ordered[0].step, ordered[0].stage))


class Closing:
    """The three closing stages of one table. `step` is theirs.

    `seats` are those that have not left: they sign. `resigned` are the seats whose resignation ended the game, and
    `abandoned` the stage that it cut short, if one did.
    """

    def __init__(
        self,
        table: SignedRoster,
        step: int,
        result: Result,
        seats: tuple[int, ...],
        resigned: tuple[int, ...] = (),
        abandoned: tuple[int, int] | None = None,
    ) -> None:
        self.table = table
        self.step = step
        self.stage = CLOSE
        self.result = result
        self.seats = seats
        self.resigned = resigned
        self.abandoned = abandoned
        self.shown: dict[int, tuple[bytes, tuple[Plain, ...]]] = {}
        self.absent: tuple[int, ...] = ()
        """Seats that left, and whose seed cannot be opened."""

    @property
    def slot(self) -> tuple[int, int]:
        return self.step, self.stage

    @property
    def owing(self) -> tuple[int, ...]:
        return self.seats if self.stage <= VERDICT else ()

    @property
    def owed(self) -> str:
        return NAMES[self.stage] if self.stage < len(NAMES) else "nothing"

    def close_body(self) -> Plain:
        return self.result.places, self.result.scores, self.resigned

    def check(self, seat: int, body: Plain) -> None:
        """Raises Foul if public facts forbid the body."""
        if self.stage == CLOSE:
            if pack(body) != pack(self.close_body()):
                raise Foul("it signed a result that the game did not have")
        elif self.stage == SHOW:
            match body:
                case (bytes() as seed, tuple()) if len(seed) == 32:
                    if seed_hash(seed) != self.table.roster.seats[seat].seed_hash:
                        raise Foul("the seed that it showed is not the one whose hash it signed in the roster")
                case _:
                    raise Foul("it did not show a seed and its choices")
        else:
            match body:
                case ("fair", ()):
                    pass
                case ("unfair", tuple() as found) if found and all(map(_is_slot, found)):
                    pass
                case _:
                    raise Foul("it did not sign a verdict")

    def deliver(self, seat: int, body: Plain) -> None:
        """A checked body has come. What was shown is judged, even if others refuse to show."""
        match body:
            case (bytes() as seed, tuple() as choices) if self.stage == SHOW:
                self.shown[seat] = seed, choices

    def recover(self, departed: Sequence[Departure], group: Group) -> None:
        """Opens what the seats that left have left behind for the audit, the last first."""
        for departure in reversed(departed):
            shown = self._opened(departure, group)
            if shown is None:
                self.absent = (*self.absent, departure.seat)
            else:
                self.shown[departure.seat] = shown

    def _opened(self, departure: Departure, group: Group) -> tuple[bytes, tuple[Plain, ...]] | None:
        if any(seat not in self.shown for seat in departure.remaining):
            return None
        mailboxes = {
            seat: SeatKey.derive(group, self.shown[seat][0], Context(self.table.game_id, 0, 0, seat), MAILBOX).secret
            for seat in departure.remaining
        }
        secret = escrow.open_together(group, departure.context, mailboxes, departure.secret)
        try:
            match unpack(secret or b""):
                case (bytes() as seed, tuple() as choices):
                    fits = seed_hash(seed) == self.table.roster.seats[departure.seat].seed_hash
                    return (seed, choices) if fits else None
        except Malformed:
            pass
        return None

    def complete(self) -> None:
        """All bodies of the stage are there."""
        self.stage += 1


def verdict_body(findings: tuple[Deviation, ...]) -> Plain:
    """What a seat signs of the earliest deviations that its audit found."""
    if not findings:
        return "fair", ()
    return "unfair", tuple((found.step, found.stage, found.seat) for found in findings)


def _is_slot(found: Plain) -> bool:
    return isinstance(found, tuple) and len(found) == 3 and all(type(number) is int for number in found)
