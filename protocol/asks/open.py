"""Open: totals are shown to all (SPEC.md, "Open"). Body of a seat: for each of its tallies, in order, (total,
blinding), an integer and 32 bytes.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.table import Answer, Open, Plain, Tally
from protocol.asks.base import Desk, Foul, Machine
from protocol.crypto.commitments import pedersen
from protocol.crypto.group import BadScalar


class OpenMachine(Machine):
    """The totals of tallies, opened by the seats that sealed into them."""

    def __init__(self, desk: Desk, step: int, ask: Open) -> None:
        super().__init__(desk, step)
        self.tallies = ask.tallies
        self.totals: dict[Tally, int] = {}

    def owing(self, stage: int) -> tuple[int, ...]:
        return tuple(sorted({tally.seat for tally in self.tallies}))

    def owed(self, stage: int) -> str:
        return "the opening of its total"

    def body(self, stage: int, choice: Plain) -> Plain:
        desk = self.desk
        openings = [desk.opening(tally) for tally in self.tallies if tally.seat == desk.seat]
        return tuple((total, desk.group.encode_scalar(blinding)) for total, blinding in openings)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        desk = self.desk
        tallies = [tally for tally in self.tallies if tally.seat == seat]
        if not isinstance(body, tuple) or len(body) != len(tallies):
            raise Foul(f"it does not open {len(tallies)} totals")
        for tally, opened in zip(tallies, body, strict=True):
            match opened:
                case (int() as total, bytes() as scalar) if type(total) is int and 0 <= total < 1 << tally.bits:
                    pass
                case _:
                    raise Foul(f"its opening of {tally.name} is not a total and a blinding")
            try:
                blinding = desk.group.decode_scalar(scalar)
            except BadScalar as error:
                raise Foul(str(error)) from None
            if pedersen(desk.group, total, blinding) != desk.commitment(tally):
                raise Foul(f"the opening of {tally.name} does not fit what was sealed")

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
