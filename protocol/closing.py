"""The end of a table: all seats sign the result, then publish seed and choices, then sign the findings of the audit
(SPEC.md, "Closing").

No seed is published before every seat has signed the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kimberley.games.table import Plain, Result
from kimberley.protocol.asks.base import CryptoContext
from kimberley.protocol.crypto import escrow
from kimberley.protocol.crypto.elgamal import BAG, SeatKey
from kimberley.protocol.encoding import Malformed, pack, unpack
from kimberley.protocol.log import Deviation
from kimberley.protocol.play import Departure, ProtocolViolation
from kimberley.protocol.roster import SignedRoster, seed_hash

CLOSE, SHOW, VERDICT = range(3)
NAMES = ("the signature under the result", "the seed and choices", "the signature under the fairness check")


def earliest(findings: Iterable[Deviation]) -> tuple[Deviation, ...]:
    """Returns the deviations of the earliest stage that has any. They decide the verdict, whatever followed."""
    ordered = sorted(findings)
    return tuple(
        deviation for deviation in ordered if (deviation.step, deviation.stage) == (ordered[0].step, ordered[0].stage)
    )


class Closing:
    """The three closing stages of one table.

    Args:
        table: The signed roster.
        step: The step of all three stages.
        result: The result that all seats sign.
        seats: The seats that have not left. They sign.
        resigned: The seats whose resignation ended the game.
        abandoned: The (step, stage) that a resignation cut short; None if the game ended by its rules.

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
        """Seats that left and whose seed cannot be opened, because another seat's key is not what it announced."""
        self.spoiled: tuple[Deviation, ...] = ()
        """Seats that left and whose seed cannot be opened through their own fault."""

    @property
    def slot(self) -> tuple[int, int]:
        """(step, stage)."""
        return self.step, self.stage

    @property
    def owing(self) -> tuple[int, ...]:
        """The seats that owe a body in the current stage."""
        return self.seats if self.stage <= VERDICT else ()

    @property
    def owed(self) -> str:
        """Says what a seat owes in the current stage, in words for a person."""
        return NAMES[self.stage] if self.stage < len(NAMES) else "nothing"

    def close_body(self) -> Plain:
        """Returns the body of the first stage: the result and the seats that resigned."""
        return self.result.places, self.result.scores, self.resigned

    def check(self, seat: int, body: Plain) -> None:
        """Raises ProtocolViolation if public facts forbid the body."""
        if self.stage == CLOSE:
            if pack(body) != pack(self.close_body()):
                raise ProtocolViolation("they signed a result that the game did not have")
        elif self.stage == SHOW:
            match body:
                case (bytes() as seed, tuple()) if len(seed) == 32:
                    if seed_hash(seed) != self.table.roster.seats[seat].seed_hash:
                        raise ProtocolViolation(
                            "the seed they showed is not the one whose hash they signed in the roster"
                        )
                case _:
                    raise ProtocolViolation("they did not show a seed and their choices")
        else:
            match body:
                case ("fair", ()):
                    pass
                case ("unfair", tuple() as slots) if slots and all(map(_is_slot, slots)):
                    pass
                case _:
                    raise ProtocolViolation("it did not sign a verdict")

    def deliver(self, seat: int, body: Plain) -> None:
        """Accepts a checked body. A seat that has shown its seed is judged even if others refuse to show theirs."""
        match body:
            case (bytes() as seed, tuple() as choices) if self.stage == SHOW:
                self.shown[seat] = seed, choices

    def recover(self, crypto: CryptoContext, departed: Sequence[Departure]) -> None:
        """Opens the secrets that departed seats left behind for the audit, now that every bag key is known."""
        keys = {seat: left.bag for seat, left in crypto.departed.items()}
        for seat, (seed, _) in self.shown.items():
            key = SeatKey.derive(crypto.group, seed, crypto.context(0, 0, seat), BAG)
            if crypto.public_keys and key.public == crypto.public_keys[seat].bag:
                keys[seat] = key.secret
        for departure in departed:
            if any(seat not in keys for seat in departure.remaining):
                self.absent = (*self.absent, departure.seat)
                continue
            bags = {seat: keys[seat] for seat in departure.remaining}
            opened = self._opened(
                departure, escrow.open_together(crypto.group, departure.context, bags, departure.secret)
            )
            if opened is None:
                step, stage = departure.context.step, departure.context.stage
                reason = "what they left behind for the audit does not open to their seed and choices"
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
        """Moves to the next stage, once all bodies are there."""
        self.stage += 1


def verdict_body(findings: tuple[Deviation, ...]) -> Plain:
    """Returns the body of a verdict: the earliest deviations that the seat's audit found."""
    if not findings:
        return "fair", ()
    return "unfair", tuple((deviation.step, deviation.stage, deviation.seat) for deviation in findings)


def _is_slot(slot: Plain) -> bool:
    return isinstance(slot, tuple) and len(slot) == 3 and all(type(number) is int for number in slot)
