"""The rules of Diamond as a state machine for two seats. Nothing in it is hidden.

A choice is a turn in writing (`games.diamond.notation`): "b2", "b1-b2*", "(b3)", "swap", "=" to take a draw, and any
other turn followed by " =" to offer one. An offer is part of a turn and holds for the other side's next turn, which
accepts it or declines it by playing on.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final, cast

from kimberley.games.diamond.board import names
from kimberley.games.diamond.notation import ParsedTurn, TurnNotationError, format_turn, read_turn
from kimberley.games.diamond.position import (
    BLACK,
    COLORS,
    EMPTY,
    DrawAgreement,
    Move,
    Movement,
    Placement,
    Position,
    Removal,
    Swap,
)
from kimberley.games.phrases import join_names
from kimberley.games.table import Answer, Ask, Decide, Plain, ReasonKind, Result, Roll, Unreadable, evolve

SEATS: Final = 2
AGREED: Final = "both sides agreed to a draw"
QUIET: Final = 50
"""Turns in a row without a capture or a removal that end the game."""
TIMES: Final = 3
"""The occurrence of a position, with the same side to move, that ends the game."""


@dataclass(frozen=True)
class TurnSpace:
    """The turns open in a position. `offered`: the other side has offered a draw."""

    position: Position
    offered: bool = False

    def read(self, plain: Plain) -> Plain:
        """See `Space.read`."""
        if type(plain) is not str:
            raise Unreadable("a turn is written as text: b2, b1-b2, b1-b2*, (b3), swap or =")
        try:
            read_turn(plain)
        except TurnNotationError as error:
            raise Unreadable(str(error)) from None
        return plain

    def violation(self, choice: Plain) -> str | None:
        """See `Space.violation`."""
        try:
            written = read_turn(cast(str, self.read(choice)))
        except Unreadable as error:
            return str(error)
        return self.broken_rule(written)

    def broken_rule(self, written: ParsedTurn) -> str | None:
        """Returns the rule that forbids a turn, or None."""
        move, captures, offers = written
        if isinstance(move, DrawAgreement):
            return None if self.offered else "no draw was offered; to offer one, add = to your turn"
        if offers and self.offered:
            return "a draw was already offered: accept it with just =, or play on"
        reason = self.position.violation(move)
        if reason is not None or not isinstance(move, Movement):
            return reason
        return self._misspelled(move, captures)

    def _misspelled(self, step: Movement, captures: bool) -> str | None:
        """Returns what is wrong with the mark of a step as a capture, or None."""
        if captures == bool(self.position.captured(step)):
            return None
        right = format_turn(self.position, step)
        cornered = names(self.position.cornered(step))
        if not captures:
            return f"that captures {cornered[0]}: write {right}"
        if cornered:
            return f"that corners {join_names(cornered)}, so it captures none: write {right}"
        return f"that captures nothing: write {right}"

    def cost(self, choice: Plain) -> int:
        """Returns 0: a choice costs nothing."""
        del choice
        return 0

    def pick(self, rng: Random) -> Plain:
        """Returns a random legal turn."""
        if self.offered and rng.random() < 0.2:
            return format_turn(self.position, DrawAgreement())
        offers = not self.offered and rng.random() < 0.01
        return format_turn(self.position, rng.choice(list(self.position.moves())), offers)


@dataclass(frozen=True)
class State:
    """A game so far. `first` is the seat that begins, None before it is rolled.

    `offered`: the side to move has a draw offered to it. `quiet` turns have passed since the movement phase began or
    something was captured or removed, and `earlier` are the positions since then, except the present one. `last` is the
    turn that led here; `agreed` that it took a draw.
    """

    first: int | None = None
    position: Position = EMPTY
    swapped: bool = False
    offered: bool = False
    quiet: int = 0
    earlier: tuple[Position, ...] = ()
    last: str | None = None
    agreed: bool = False

    # -- who is who --------------------------------------------------------------------------------------------------

    def seat(self, color: int) -> int:
        """Returns the seat that plays a color."""
        assert self.first is not None, "who begins has not been drawn yet"
        return self.first ^ self.swapped ^ color

    def color(self, seat: int) -> int:
        """Returns the color that a seat plays."""
        assert self.first is not None, "who begins has not been drawn yet"
        return self.first ^ self.swapped ^ seat

    # -- the table's next ask ----------------------------------------------------------------------------------------

    def ask(self) -> Ask | Result:
        """Returns what the table must do next, or how the game ended."""
        if self.first is None:
            return Roll((SEATS,))
        ended = self._ended()
        if ended is not None:
            return ended
        topic = "placement" if self.position.placing else "move"
        return Decide(self.seat(self.position.turn), TurnSpace(self.position, self.offered), topic)

    def _ended(self) -> Result | None:
        won = self.position.won()
        if won is not None:
            color, square = won
            return self.won_by(color, f"{COLORS[color]} completed the square {' '.join(names(square))}")
        reason = self._drawn()
        return drawn(reason, ReasonKind.AGREED if self.agreed else ReasonKind.DECIDED) if reason else None

    def _drawn(self) -> str | None:
        if self.agreed:
            return AGREED
        if not self.position.can_move():
            return f"{COLORS[self.position.turn]} has no piece that can move"
        if self.earlier.count(self.position) >= TIMES - 1:
            return "the same position occurred three times"
        if self.quiet >= QUIET:
            return f"{QUIET} turns in a row without a capture or a removal"
        return None

    def won_by(self, color: int, reason: str) -> Result:
        """Returns the result where a color wins."""
        winner = self.seat(color)
        places = tuple(1 if seat == winner else 2 for seat in range(SEATS))
        return Result(places, tuple((int(seat == winner),) for seat in range(SEATS)), reason)

    # -- the state after an answer -------------------------------------------------------------------------------------

    def apply(self, answer: Answer) -> State:
        """Returns the state after the pending ask is answered."""
        if self.first is None:
            return evolve(self, first=answer[0])
        move, _, offers = read_turn(answer)
        if isinstance(move, DrawAgreement):
            return evolve(self, last=answer, offered=False, agreed=True)
        position = self.position.after(move)
        quiet, earlier = self._memory(move)
        return evolve(
            self,
            position=position,
            swapped=self.swapped or isinstance(move, Swap),
            offered=offers,
            quiet=quiet,
            earlier=earlier,
            last=answer,
        )

    def _memory(self, move: Move) -> tuple[int, tuple[Position, ...]]:
        """Returns the count of quiet turns and the earlier positions after a turn; a change of pieces resets both."""
        match move:
            case Movement() if not self.position.captured(move):
                return self.quiet + 1, (*self.earlier, self.position)
            case Placement() | Swap() | Movement() | Removal():
                return 0, ()
            case _:
                return self.quiet, self.earlier


def drawn(reason: str, kind: ReasonKind = ReasonKind.DECIDED) -> Result:
    """Returns a draw."""
    return Result((1,) * SEATS, ((0,),) * SEATS, reason, kind=kind)


__all__ = ["BLACK", "QUIET", "SEATS", "TIMES", "State", "TurnSpace", "drawn"]
