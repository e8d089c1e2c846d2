"""Whole games as text: the score sheet that players keep, written and read.

    1  d4        swap
    2  e5        c3 =
    3  b2        =

Turns stand in pairs after their number, in the notation of `games.diamond.notation`, the first of each pair by the side
that began (which plays White after a swap). A resignation stands at the end: `resigns` for the side to move, else
`black resigns`, `white resigns` or `both resign`. Numbers and line breaks may be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.games.diamond.notation import OFFER, TurnNotationError
from kimberley.games.diamond.position import BLACK, COLORS, WHITE
from kimberley.games.diamond.rules import State, TurnSpace
from kimberley.games.table import Decide, Result

ROOM: Final = 10
"""Columns for the first turn of a pair."""
MOST_DIGITS: Final = 9
"""Digits of a move's number, leading zeros included."""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A game: its turns in writing, and the colors that resigned after them."""

    turns: tuple[str, ...] = ()
    resigned: tuple[int, ...] = ()

    def states(self) -> list[State]:
        """Returns the state before each turn and after the last; seat 0 begins. Raises TurnNotationError for an illegal
        turn.
        """
        states = [State(first=0)]
        for number, turn in enumerate(self.turns):
            ask = states[-1].ask()
            if not isinstance(ask, Decide):
                raise TurnNotationError(f"{_at(number)}, {turn!r}: the game is over, {ask_reason(states[-1])}")
            assert isinstance(ask.space, TurnSpace)
            reason = ask.space.violation(turn)
            if reason is not None:
                # What is no turn at all is quoted in the reason.
                which = "" if reason.startswith(repr(turn)) else f", {turn!r}"
                raise TurnNotationError(f"{_at(number)}{which}: {reason}")
            states.append(states[-1].apply(turn))
        return states


def ask_reason(state: State) -> str:
    """Says why a game is over, in the words of its rules."""
    return str(getattr(state.ask(), "reason", ""))


def _at(number: int) -> str:
    return f"move {number // 2 + 1}"


def write_sheet(sheet: ScoreSheet) -> str:
    """Returns a game as text. Raises TurnNotationError where one of its turns is illegal."""
    last = sheet.states()[-1]
    entries = list(sheet.turns)
    if sheet.resigned:
        entries.append(_resignation(sheet.resigned, last.position.turn))
    width = len(str((len(entries) + 1) // 2))
    lines = []
    for number in range(0, len(entries), 2):
        pair = f"{entries[number]:{ROOM}}{''.join(entries[number + 1 : number + 2])}"
        lines.append(f"{number // 2 + 1:{width}}  {pair}".rstrip())
    return "\n".join(lines) + "\n"


def _resignation(resigned: Sequence[int], turn: int) -> str:
    if len(set(resigned)) > 1:
        return "both resign"
    return "resigns" if resigned[0] == turn else f"{COLORS[resigned[0]].lower()} resigns"


def read_sheet(text: str) -> ScoreSheet:
    """Returns the game that a text holds. Raises TurnNotationError, with the move, for what is illegal or cannot be
    read.
    """
    words = text.split()
    words, ending = _ending(words)
    turns: list[str] = []
    for word in words:
        number = word.rstrip(".")
        if number.isdecimal():
            if len(turns) % 2 or len(number) > MOST_DIGITS or int(number) != len(turns) // 2 + 1:
                raise TurnNotationError(f"{word[:20]!r} found where {_at(len(turns))} is due")
        elif word == OFFER and turns and _may_offer(turns[-1]):
            turns[-1] += f" {OFFER}"
        else:
            turns.append(word)
    sheet = ScoreSheet(tuple(turns))
    last = sheet.states()[-1]
    if ending is None:
        return sheet
    if not isinstance(last.ask(), Decide):
        raise TurnNotationError(f"nobody can resign: the game is over, {ask_reason(last)}")
    return ScoreSheet(sheet.turns, ending or (last.position.turn,))


def _may_offer(turn: str) -> bool:
    return OFFER not in turn


def _ending(words: list[str]) -> tuple[list[str], tuple[int, ...] | None]:
    """Returns the words before a resignation, and who resigned: empty for the side to move, None for nobody."""
    named = {"black": (BLACK,), "white": (WHITE,)}
    match words:
        case [*before, ("black" | "white") as color, "resigns"]:
            return before, named[color]
        case [*before, "both", "resign"]:
            return before, (BLACK, WHITE)
        case [*before, "resigns"]:
            return before, ()
        case _:
            return words, None


def resigned_colors(result: Result | None) -> tuple[int, ...]:
    """Returns the colors that resigned, by how the game ended; None if it has not."""
    if result is None or "resigned" not in result.reason:
        return ()
    return tuple(c for c in (BLACK, WHITE) if result.reason.startswith((COLORS[c], "both"))) or (BLACK,)


def turns_of_story(story: Iterable[tuple[object, object]]) -> tuple[str, ...]:
    """Returns the turns in the story of a table."""
    return tuple(answer for ask, answer in story if isinstance(ask, Decide) and isinstance(answer, str))
