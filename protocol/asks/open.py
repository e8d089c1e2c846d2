"""Open: seats show totals to all (SPEC.md, "Open"). Body of a seat: for each of its tallies, in order, (total,
blinding), an integer and 32 bytes.
"""

from __future__ import annotations

from collections.abc import Mapping

from kimberley.games.table import Answer, Open, Plain, Tally
from kimberley.protocol.asks.base import AskMachine, CryptoContext, ProtocolViolation
from kimberley.protocol.crypto.commitments import pedersen
from kimberley.protocol.crypto.group import BadScalar


class OpenMachine(AskMachine[Open]):
    """The totals of tallies, opened by the seats that sealed into them."""

    def __init__(self, crypto: CryptoContext, step: int, ask: Open, own: Open) -> None:
        super().__init__(crypto, step, ask, own)
        self.tallies = ask.tallies
        self.totals: dict[Tally, int] = {}

    def owing(self, stage: int) -> tuple[int, ...]:
        return tuple(sorted({tally.seat for tally in self.tallies}))

    def owed(self, stage: int) -> str:
        return "the opening of the total"

    def body(self, stage: int, choice: Plain) -> Plain:
        crypto = self.crypto
        openings = [crypto.opening(tally) for tally in self.tallies if tally.seat == crypto.seat]
        return tuple((total, crypto.group.encode_scalar(blinding)) for total, blinding in openings)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        crypto = self.crypto
        tallies = [tally for tally in self.tallies if tally.seat == seat]
        if not isinstance(body, tuple) or len(body) != len(tallies):
            raise ProtocolViolation(f"it does not open {len(tallies)} totals")
        for tally, opened in zip(tallies, body, strict=True):
            match opened:
                case (int() as total, bytes() as scalar) if type(total) is int and 0 <= total < 1 << tally.bits:
                    pass
                case _:
                    raise ProtocolViolation(f"their opening of {tally.name} is not a total and a blinding")
            try:
                blinding = crypto.group.decode_scalar(scalar)
            except BadScalar as error:
                raise ProtocolViolation(str(error)) from None
            if pedersen(crypto.group, total, blinding) != crypto.commitment(tally):
                raise ProtocolViolation(f"the opening of {tally.name} does not match what was sealed")

    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        for seat, body in bodies.items():
            tallies = [tally for tally in self.tallies if tally.seat == seat]
            assert isinstance(body, tuple)
            for tally, opened in zip(tallies, body, strict=True):
                match opened:
                    case (int() as total, _):
                        self.totals[tally] = total

    def answers(self) -> tuple[Answer, Answer]:
        answer = tuple(self.totals.get(tally) for tally in self.tallies)
        return answer, answer
