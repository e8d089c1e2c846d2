"""Why a bot chooses what it does, in a sentence: what a card leads to, and what is got there."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from kimberley.client.boards.advice import next_best
from kimberley.client.boards.mine.stones import named, stones
from kimberley.client.boards.mine.words import name_with_use
from kimberley.games.mine.bots.distances import TURNS, turns_to
from kimberley.games.mine.moves import reach
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import name
from kimberley.p2p.sentences.notices import count_of, join_names


def advise(state: State, seat: int, choice: Any) -> str:
    """A choice as advice, and why."""
    said = f"{_told(state, choice)}: {_reason(state, seat, choice)}."
    if state.phase == "cards" and choice[1]:
        return f"{said} Agree to end the game: {_quiet(state)}."
    return said


def advise_next(state: State, seat: int, choice: Any, other: Any) -> str:
    """What came next to a choice, and what is got by it."""
    told = _told(state, other)
    if state.phase == "move" and choice[0] == other[0]:
        dropped = [f"{named(stones(state, [gem]))} on {name(square)}" for square, gem in other[2]]
        told = f"{told} and drop {join_names(dropped) or 'nothing'}"
    fact = _reason(state, seat, other)
    if state.phase == "place" and fact == _reason(state, seat, choice):
        fact = "it is as far from your home, and from the nearest other home"
    if state.phase == "take" and not other:
        fact = f"that leaves room for {count_of(state.mine.room(seat), 'small gem')}"
    return next_best(told, fact, _reason(state, seat, choice))


def _told(state: State, choice: Any) -> str:
    match state.phase:
        case "place":
            return f"Place a nest on {name(choice)}"
        case "cards":
            return f"Choose card {choice[0]}"
        case "move":
            return f"Move to {name(choice[0])}"
    return f"Take {named(stones(state, choice))}"


def _reason(state: State, seat: int, choice: Any) -> str:
    match state.phase:
        case "place":
            return _distance(state, seat, choice)
        case "cards":
            return _card(state, seat, choice[0])
        case "move":
            return _move(state, seat, *choice)
    return _haul(state, seat, choice)


def _quiet(state: State) -> str:
    if not state.quiet:
        return "the gems left would not improve your rank"
    return f"{count_of(state.quiet, 'round')} without a gem taken or brought home"


def _distance(state: State, seat: int, square: int) -> str:
    others = min(TURNS[square][state.mine.home(other)] for other in state.order() if other != seat)
    own = count_of(int(TURNS[square][state.mine.home(seat)]), "turn")
    return f"it is {own} from your home, {int(others)} from the nearest other home"


def _card(state: State, seat: int, card: int) -> str:
    """The most useful squares that a card leads to; else one that comes nearer to something, or what they are."""
    squares, home, room = reach(state.mine, seat)[card], state.mine.home(seat), state.mine.room(seat)
    useful = [name_with_use(state, square, seat) for square in squares if square == home or _gives(state, square, room)]
    loose = [name(square) for square, gem in state.mine.loose if square in squares and state.size(gem) <= room]
    if useful or loose:
        return f"it leads to {join_names([*useful, *(f'a dropped gem on {square}' for square in loose)])}"
    if not squares:
        return "it keeps you where you are"
    nearer = [(goal.turns, f"{name(square)}, closer to {goal}") for square in squares
              if (goal := _goal(state, seat, square)) is not None and goal.nearer]  # fmt: skip
    return f"it leads to {min(nearer)[1] if nearer else join_names([name(square) for square in squares])}"


def _gives(state: State, square: int, room: int) -> bool:
    """Whether there is a vein on a square from which a pawn with so much room could take something."""
    nest = state.mine.vein_at(square)
    return nest is not None and any(state.size(gem) <= room for gem in state.mine.inside[nest])


def _move(state: State, seat: int, to: int, picked: tuple[int, ...], dropped: tuple[tuple[int, int], ...]) -> str:
    loose = dict(state.mine.loose)
    parts = [f"pick up {named(stones(state, [loose[square] for square in picked]))}"] if picked else []
    parts += [f"drop {named(stones(state, [gem]))} on {name(square)}" for square, gem in dropped]
    nest = state.mine.vein_at(to)
    room = state.mine.room(seat) - sum(state.size(loose[square]) for square in picked)
    room += sum(state.size(gem) for _, gem in dropped)
    if to == state.mine.home(seat):
        gems = [*state.mine.carried[seat], *(loose[square] for square in picked)]
        for _, gem in dropped:
            gems.remove(gem)
        parts.append(f"bring home {named(stones(state, gems))}" if gems else "start over from home")
    elif nest is not None and _gives(state, to, room):
        inside = named(stones(state, state.mine.inside[nest]))
        parts.append(f"reach a vein with {inside}" if state.mine.opened[nest] else "open a vein")
    if parts:
        return f"you {join_names(parts)}"
    goal = _goal(state, seat, to)
    if goal is None:
        return "nothing you could take is within reach"
    if goal.nearer:
        return f"you get closer to {goal}, {goal.turns_in_words} away"
    return f"{goal} is {goal.turns_in_words} from there"


class _Goal(NamedTuple):
    """What a pawn on a square is likely to go for, so many turns from there; `nearer` than it is now."""

    turns: int
    where: str
    nearer: bool

    def __str__(self) -> str:
        return self.where

    @property
    def turns_in_words(self) -> str:
        return count_of(self.turns, "turn")


def _goal(state: State, seat: int, to: int) -> _Goal | None:
    """Where a pawn on a square is likely to go: to its home if it has no room, or if that is as near as any gem. What
    comes nearer goes before what does not; None if nothing is within reach.
    """
    mine, home = state.mine, state.mine.home(seat)
    start, barred = mine.pawns[seat], mine.barred(seat)
    assert start is not None
    room = mine.room(seat)
    loose = [square for square, gem in mine.loose if state.size(gem) <= room]
    wanted = [
        square for square in (*mine.veins, *loose) if square != to and (square in loose or _gives(state, square, room))
    ]
    if mine.carried[seat] or not wanted:
        wanted.insert(0, home)
    goals = []
    for square in wanted:
        now, then = turns_to(square, barred)[start], turns_to(square, barred)[to]
        if then < inf:
            goals.append(_Goal(int(then), "your home" if square == home else name(square), then < now))
    return min(goals, key=lambda goal: (not goal.nearer, goal.turns), default=None)


def _haul(state: State, seat: int, gems: tuple[int, ...]) -> str:
    if not gems:
        return "what is left is not worth the room, or would end the game too soon"
    worth = sum(points for gem in gems if isinstance(points := state.worth(gem, seat), int))
    return f"you have room, and it is worth {worth} to you"
