"""A game as it went: from a table's story to its moves, and what each of them did in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.diamond.board import NAMES, Bits, names, points
from games.diamond.notation import OFFER, NotationError, Written, read_turn, spell, spelled
from games.diamond.position import COLOURS, Agree, Move, Place, Position, Remove, Step, Swap
from games.diamond.rules import State
from games.table import Decide, Result


@dataclass(frozen=True, slots=True)
class Played:
    """One turn: its number in the table's story, the state before it, the turn in writing, the state after it."""

    step: int
    before: State
    turn: str
    after: State

    @property
    def written(self) -> Written:
        return read_turn(self.turn)

    @property
    def captured(self) -> Bits:
        """The piece it captured, as a set."""
        move = self.written.move
        return self.before.position.captured(move) if isinstance(move, Step) else 0

    @property
    def ends(self) -> tuple[int, int] | None:
        """Where it led from and to; equal where nothing went along a line."""
        match self.written.move:
            case Place(to):
                return to, to
            case Step(start, to):
                return start, to
            case Remove(at):
                return at, at
            case _:
                return None


def opening(story: Sequence[tuple[Any, Any]]) -> State:
    """The first state of a game: who begins is rolled in its story, or was settled by an earlier game."""
    match story:
        case [(Decide(seat=seat), _), *_]:
            return State(first=seat)
    return State()


def played(story: Sequence[tuple[Any, Any]], state: State | None = None, first: int = 0) -> list[Played]:
    """The turns of a story, folded from the first state; or of the rest of one, from `state` before ask `first`."""
    found: list[Played] = []
    state = state or opening(story)
    for step, (ask, answer) in enumerate(story, start=first):
        if isinstance(state.ask(), Result):
            break
        after = state.tell(answer)
        if isinstance(ask, Decide):
            found.append(Played(step, state, answer, after))
        state = after
    return found


def won_square(state: State) -> Bits:
    """The square that was completed, as a set; empty where none was."""
    won = state.position.won()
    return won[1] if won else 0


# -- in words ----------------------------------------------------------------------------------------------------------


def corners(position: Position, step: Step) -> list[str]:
    """The mover's pieces that corner together with a step."""
    from games.diamond.board import PAIRS

    own, enemy = position.pieces[position.turn] & ~(1 << step.start), position.pieces[1 - position.turn]
    found = 0
    for a, b in PAIRS[step.to]:
        if (own & a and enemy & b) or (own & b and enemy & a):
            found |= own & (a | b)
    return names(found)


def listed(words: Sequence[str]) -> str:
    """Words in a sentence: "a1", "a1 and b2", "a1, b2 and c3"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else list(words))


def effect(position: Position, move: Move) -> str:
    """What a turn does besides the moving, in a few words; nothing where it does nothing."""
    if isinstance(move, Step):
        taken, cornered = names(position.captured(move)), names(position.cornered(move))
        if taken:
            return f"takes {taken[0]}"
        if cornered:
            return f"corners {listed(cornered)}: takes none"
    return ""


def why(position: Position, step: Step) -> str:
    """Why a step captures, or does not although it corners: "a5 and b6 corner a6"."""
    taken, cornered = names(position.captured(step)), names(position.cornered(step))
    if taken:
        return f"{listed(sorted([*corners(position, step), NAMES[step.to]]))} corner {taken[0]}"
    if cornered:
        return f"two cornered at once are safe: {listed(cornered)}"
    return ""


def story_of(each: Played) -> str:
    """A turn in a sentence without its subject: "moves b1-b2* and takes a2"."""
    move, _, offers = each.written
    position = each.before.position
    match move:
        case Place(to):
            said = f"places on {NAMES[to]}"
        case Step(start, to):
            did = effect(position, move)
            said = f"moves {NAMES[start]} to {NAMES[to]}{f' and {did}' if did else ''}"
        case Remove(at):
            said = f"removes the neutral piece on {NAMES[at]}"
        case Swap():
            said = "swaps: the players change sides"
        case _:
            said = "takes the draw"
    square = won_square(each.after)
    if square:
        said += f", which completes {' '.join(names(square))}"
    return f"{said}, and offers a draw" if offers and not square else said


def side(colour: int) -> str:
    """Black or white."""
    return COLOURS[colour].lower()


# -- what is typed -----------------------------------------------------------------------------------------------------

_LOOSE: Final = re.compile(r"([a-h][1-8])[-–x: ]?([a-h][1-8])\*?")


def understood(state: State, text: str, offers: bool = False) -> str:
    """The turn that a person means, in its one spelling: capitals, spaces and the star do not matter.

    Raises NotationError for what is no turn, and with the rule for one that is forbidden.
    """
    typed = " ".join(text.lower().split())
    if typed != OFFER and typed.endswith(OFFER):
        typed, offers = typed.removesuffix(OFFER).strip(), True
    step = _LOOSE.fullmatch(typed)
    written = read_turn(f"{step[1]}-{step[2]}" if step else typed)
    move, position = written.move, state.position
    turn = OFFER if isinstance(move, Agree) else spell(move, offers=offers)
    if isinstance(move, Step) and position.why_not(move) is None:
        turn = spelled(position, move, offers)
    ask = state.ask()
    reason = ask.space.why_not(turn) if isinstance(ask, Decide) else "the game is over"
    if reason is not None:
        raise NotationError(reason)
    return turn


def captures_from(position: Position, start: int) -> Bits:
    """The open points on which a piece would capture."""
    return sum(1 << to for to in points(position.targets(start)) if position.captured(Step(start, to)))
