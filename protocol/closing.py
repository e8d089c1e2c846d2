"""The end of a table: all sign the result, then all publish seed and choices, then all sign what the audit found
(SPEC.md, "Closing").

No seed is published before every seat has signed the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.table import Plain, Result
from protocol.asks.base import Desk
from protocol.crypto import escrow
from protocol.crypto.elgamal import BAG, SeatKey
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
        """Seats that left, and whose seed cannot be opened since another seat's key is not what it announced."""
        self.spoiled: tuple[Deviation, ...] = ()
        """Seats that left, and whose seed cannot be opened by their own doing."""

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

    def recover(self, desk: Desk, departed: Sequence[Departure]) -> None:
        """Opens what the seats that left have left behind for the audit, now that every bag key is known."""
        keys = {seat: left.bag for seat, left in desk.left.items()}
        for seat, (seed, _) in self.shown.items():
            key = SeatKey.derive(desk.group, seed, desk.context(0, 0, seat), BAG)
            if desk.publics and key.public == desk.publics[seat].bag:
                keys[seat] = key.secret
        for departure in departed:
            if any(seat not in keys for seat in departure.remaining):
                self.absent = (*self.absent, departure.seat)
                continue
            bags = {seat: keys[seat] for seat in departure.remaining}
            opened = self._opened(
                departure, escrow.open_together(desk.group, departure.context, bags, departure.secret)
            )
            if opened is None:
                step, stage = departure.context.step, departure.context.stage
                reason = "what it left behind for the audit does not open to its seed and its choices"
                self.spoiled = (*self.spoiled, Deviation(step, stage, departure.seat, reason))
            else:
                self.shown[departure.seat] = opened

    def _opened(self, departure: Departure, secret: bytes | None) -> tuple[bytes, tuple[Plain, ...]] | None:
        try:
            match unpack(secret or b""):
                case (bytes() as seed, tuple() as choices) if len(seed) == 32:
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
