"""The rules of Diamond as a state machine for two seats. Nothing in it is hidden.

A choice is a turn in writing (`games.diamond.notation`): "b2", "b1-b2*", "(b3)", "swap", "=" to take a draw, and any
but the last with " =" behind it to offer one. An offer rides with a turn and stands for the other side's next turn:
that takes it, or declines it by playing on.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final, cast

from games.diamond.board import names
from games.diamond.notation import NotationError, Written, read_turn, spelled
from games.diamond.position import BLACK, COLOURS, EMPTY, Agree, Move, Place, Position, Remove, Step, Swap
from games.table import Answer, Ask, Decide, Plain, Result, Roll, Unreadable, changed

SEATS: Final = 2
QUIET: Final = 50
"""Turns in a row without a capture or a removal that end the game."""
TIMES: Final = 3
"""How often a position, with the same side to move, may come about before it ends the game."""


@dataclass(frozen=True)
class TurnSpace:
    """The turns open in a position. `offered`: the other side has offered a draw."""

    position: Position
    offered: bool = False

    def read(self, plain: Plain) -> Plain:
        if type(plain) is not str:
            raise Unreadable("a turn is written as text: b2, b1-b2, b1-b2*, (b3), swap or =")
        try:
            read_turn(plain)
        except NotationError as error:
            raise Unreadable(str(error)) from None
        return plain

    def why_not(self, choice: Plain) -> str | None:
        try:
            written = read_turn(cast(str, self.read(choice)))
        except Unreadable as error:
            return str(error)
        return self.forbids(written)

    def forbids(self, written: Written) -> str | None:
        """The rule that forbids a turn, or None."""
        move, captures, offers = written
        if isinstance(move, Agree):
            return None if self.offered else "no draw is offered; to offer one, write = behind a turn: b2 ="
        if offers and self.offered:
            return "a draw is offered already: take it with = alone, or play on"
        reason = self.position.why_not(move)
        if reason is not None or not isinstance(move, Step):
            return reason
        return self._misspelled(move, captures)

    def _misspelled(self, step: Step, captures: bool) -> str | None:
        """Whether a step is marked as the capture that it is, or is not."""
        if captures == bool(self.position.captured(step)):
            return None
        right = spelled(self.position, step)
        cornered = names(self.position.cornered(step))
        if not captures:
            return f"it captures the piece on {cornered[0]}: write {right}"
        if cornered:
            return f"it corners the pieces on {' and '.join(cornered)}, and so captures none: write {right}"
        return f"it captures nothing: write {right}"

    def cost(self, choice: Plain) -> int:
        del choice
        return 0

    def pick(self, rng: Random) -> Plain:
        if self.offered and rng.random() < 0.2:
            return spelled(self.position, Agree())
        offers = not self.offered and rng.random() < 0.01
        return spelled(self.position, rng.choice(list(self.position.moves())), offers)


@dataclass(frozen=True)
class State:
    """A game so far. `first` is the seat that begins, None before it is rolled.

    `offered`: the side to move has a draw offered to it. `quiet` turns have passed since the movement phase began or
    something was captured or removed, and `earlier` are the positions since then, but for the present one. `last` is
    the turn that led here; `agreed` that it took a draw.
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

    def seat(self, colour: int) -> int:
        """The seat that plays a colour."""
        assert self.first is not None, "who begins is not rolled yet"
        return self.first ^ self.swapped ^ colour

    def colour(self, seat: int) -> int:
        """The colour that a seat plays."""
        assert self.first is not None, "who begins is not rolled yet"
        return self.first ^ self.swapped ^ seat

    # -- the table's next ask ----------------------------------------------------------------------------------------

    def ask(self) -> Ask | Result:
        """What the table must do next, or how the game ended."""
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
            colour, square = won
            return self.won_by(colour, f"{COLOURS[colour]} holds the square {' '.join(names(square))}")
        reason = self._drawn()
        return drawn(reason) if reason else None

    def _drawn(self) -> str | None:
        if self.agreed:
            return "both sides agreed to a draw"
        if not self.position.can_move():
            return f"{COLOURS[self.position.turn]} is to move and cannot move a piece"
        if self.earlier.count(self.position) >= TIMES - 1:
            return "the same position came about for the third time"
        if self.quiet >= QUIET:
            return f"{QUIET} moves went by without a capture or a removal"
        return None

    def won_by(self, colour: int, reason: str) -> Result:
        """The result where a colour wins."""
        winner = self.seat(colour)
        places = tuple(1 if seat == winner else 2 for seat in range(SEATS))
        return Result(places, tuple((int(seat == winner),) for seat in range(SEATS)), reason)

    # -- the state after an answer -------------------------------------------------------------------------------------

    def tell(self, answer: Answer) -> State:
        """The state after the pending ask is answered."""
        if self.first is None:
            return changed(self, first=answer[0])
        move, _, offers = read_turn(answer)
        if isinstance(move, Agree):
            return changed(self, last=answer, offered=False, agreed=True)
        position = self.position.after(move)
        quiet, earlier = self._memory(move)
        return changed(
            self,
            position=position,
            swapped=self.swapped or isinstance(move, Swap),
            offered=offers,
            quiet=quiet,
            earlier=earlier,
            last=answer,
        )

    def _memory(self, move: Move) -> tuple[int, tuple[Position, ...]]:
        """The count of quiet turns and the earlier positions after a turn: what changes the pieces starts both anew."""
        match move:
            case Step() if not self.position.captured(move):
                return self.quiet + 1, (*self.earlier, self.position)
            case Place() | Swap() | Step() | Remove():
                return 0, ()
            case _:
                return self.quiet, self.earlier


def drawn(reason: str) -> Result:
    """A draw."""
    return Result((1,) * SEATS, ((0,),) * SEATS, reason)


__all__ = ["BLACK", "QUIET", "SEATS", "TIMES", "State", "TurnSpace", "drawn"]
