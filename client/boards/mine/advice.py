"""Why a bot chooses what it does, in a sentence: what a card leads to, and what it gains there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import inf
from typing import Any, Final, NamedTuple

from kimberley.client.boards.mine.stones import named, stones
from kimberley.client.boards.mine.words import leading, together_with_use
from kimberley.client.boards.next_best import FORESEEN, NextBest, next_best
from kimberley.games.mine.bots.bot import WEARY
from kimberley.games.mine.bots.distances import TURNS, turns_to
from kimberley.games.mine.bots.standing import can_rise
from kimberley.games.mine.moves import reach
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import name
from kimberley.games.phrases import count_of, join_names

HOME: Final = "your home"


def advise(state: State, seat: int, choice: Any) -> str:
    """Returns a choice as advice, and why."""
    advice = f"{_told(state, choice)}: {_reason(state, seat, choice)}."
    if state.phase == "cards" and choice[1]:
        return f"{advice} Agree to end the game: {_quiet(state, seat)}."
    return advice


def advise_next(state: State, seat: int, choice: Any, other: Any) -> NextBest:
    """Returns the second-best choice, and what it gains."""
    action = _told(state, other)
    if state.phase == "move" and choice[0] == other[0] and not other[2]:
        action = f"{action} and drop nothing"
    fact = _reason(state, seat, other).removesuffix(f"; {FORESEEN}")
    if state.phase == "move" and other[2] and fact == _reason(state, seat, choice):
        fact = _room_left(_room_after(state, seat, other))
    if state.phase == "place" and fact == _reason(state, seat, choice):
        fact = "the distances are the same"
    if state.phase == "take" and not other:
        fact = _room_left(state.mine.room(seat))
    return next_best(action, fact, _reason(state, seat, choice))


def _told(state: State, choice: Any) -> str:
    match state.phase:
        case "place":
            return f"Place a nest on {name(choice)}"
        case "cards":
            return f"Choose card {choice[0]}"
        case "move":
            dropped = [f"{named(stones(state, [gem]))} on {name(square)}" for square, gem in choice[2]]
            return f"Move to {name(choice[0])}{f' and drop {join_names(dropped)}' if dropped else ''}"
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


def _quiet(state: State, seat: int) -> str:
    if state.quiet < WEARY and not can_rise(state, seat):
        return "the gems left would not improve your rank"
    return f"{count_of(state.quiet, 'round')} without a gem taken or brought home"


def _distance(state: State, seat: int, square: int) -> str:
    others = [TURNS[square][state.mine.home(other)] for other in state.order() if other != seat]
    own = count_of(int(TURNS[square][state.mine.home(seat)]), "turn")
    whose = "your opponent’s home" if len(others) == 1 else "the nearest other home"
    return f"it is {own} from your home and {int(min(others))} from {whose}"


def _card(state: State, seat: int, card: int) -> str:
    """Says which useful squares a card leads to; else what it comes closer to, or what is nearest."""
    squares, home, room = reach(state.mine, seat)[card], state.mine.home(seat), state.mine.room(seat)
    unloads = home if state.mine.carried[seat] else None
    useful = [square for square in squares if square == unloads or _gives(state, square, room)]
    loose = [name(square) for square, gem in state.mine.loose if square in squares and state.size(gem) <= room]
    if useful or loose:
        return f"it can take you to {join_names([*together_with_use(state, useful, seat), *_dropped(loose)], 'or')}"
    if not squares:
        return "it keeps you where you are"
    goals = {square: goal for square in squares if (goal := _goal(state, seat, square)) is not None}
    if not goals:
        return "nothing you could take is within reach"
    ways: dict[str, list[str]] = {}
    for square, goal in sorted(goals.items(), key=lambda way: (way[1].turns, name(way[0]))):
        if goal.nearer:
            ways.setdefault(goal.where, []).append(name(square))
    if ways:
        return f"it brings you closer to {_aims(state, ways)}"
    square, goal = min(goals.items(), key=lambda way: (way[1].turns, name(way[0])))
    return f"from {name(square)}, {goal} is {goal.turns_in_words} away; {FORESEEN}"


def _aims(state: State, ways: dict[str, list[str]]) -> str:
    """Returns the aims that some squares lead to, and by which squares."""
    veins = {name(square) for square in state.mine.veins}
    by = {where: f"{where} (via {join_names(squares, 'or')})" for where, squares in ways.items()}
    at = [by[where] for where in by if where in veins]
    gems = _dropped([by[where] for where in by if where not in veins and where != HOME])
    home = [by[HOME]] if HOME in by else []
    return join_names(
        [*([f"{'the veins' if len(at) > 1 else 'the vein'} on {join_names(at, 'or')}"] if at else []), *gems, *home],
        "or",
    )


def _dropped(places: Sequence[str]) -> list[str]:
    """Returns the dropped gems on some squares as one entry; no entry if there are none."""
    gems = "a dropped gem" if len(places) == 1 else "dropped gems"
    return [f"{gems} on {join_names(places, 'or')}"] if places else []


def _gives(state: State, square: int, room: int) -> bool:
    """Returns whether there is a vein on a square from which a pawn with that much room could take something."""
    nest = state.mine.vein_at(square)
    return nest is not None and any(state.size(gem) <= room for gem in state.mine.inside[nest])


def _move(state: State, seat: int, to: int, picked: tuple[int, ...], dropped: tuple[tuple[int, int], ...]) -> str:
    loose = dict(state.mine.loose)
    parts = [f"pick up {named(stones(state, [loose[square] for square in picked]))}"] if picked else []
    nest, room = state.mine.vein_at(to), _room_after(state, seat, (to, picked, dropped))
    if to == state.mine.home(seat):
        gems = [*state.mine.carried[seat], *(loose[square] for square in picked)]
        for _, gem in dropped:
            gems.remove(gem)
        parts += [f"bring home {named(stones(state, gems))}"] if gems else []
    elif nest is not None and _gives(state, to, room):
        inside = named(stones(state, state.mine.inside[nest]))
        parts.append(f"reach a vein with {inside}" if state.mine.opened[nest] else "open a vein")
    if parts:
        return f"you {join_names(parts)}"
    if dropped:
        return _room_left(room)
    goal = _goal(state, seat, to)
    if goal is None:
        return "nothing you could take is within reach"
    if goal.nearer:
        return f"you get closer to {goal}, {goal.turns_in_words} away"
    return f"{goal} is {goal.turns_in_words} from there; {FORESEEN}"


def _room_after(state: State, seat: int, move: tuple[int, tuple[int, ...], tuple[tuple[int, int], ...]]) -> int:
    """Returns the room of a pawn at the end of a move, before it is unloaded at home."""
    loose = dict(state.mine.loose)
    taken = sum(state.size(loose[square]) for square in move[1])
    return state.mine.room(seat) - taken + sum(state.size(gem) for _, gem in move[2])


def _room_left(room: int) -> str:
    return f"that leaves room for {count_of(room, 'small gem')}" if room else "that leaves no room"


class _Goal(NamedTuple):
    """What a pawn on a square is likely to go for: how many turns away that is, and whether it is `nearer` than now."""

    turns: int
    where: str
    nearer: bool

    def __str__(self) -> str:
        return self.where

    @property
    def turns_in_words(self) -> str:
        return count_of(self.turns, "turn")


def _goal(state: State, seat: int, to: int) -> _Goal | None:
    """Returns where a pawn on a square is likely to go: to its home if it has no room, or if that is as near as any
    gem. Goals that it comes nearer to go first; None if nothing is within reach.
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
        turns = turns_to(square, barred)
        now, then = turns[start], turns[to]
        if then < inf:
            goals.append(_Goal(int(then), HOME if square == home else name(square), then < now))
    return min(goals, key=lambda goal: (not goal.nearer, goal.turns), default=None)


def _haul(state: State, seat: int, gems: tuple[int, ...]) -> str:
    """Returns what gems are worth, and what room they leave; or what follows if they are the last of their vein."""
    inside, room = state.mine.inside[state.nest], _room_left(state.mine.room(seat) - sum(map(state.size, gems)))
    ends = state.ends_with_next_vein
    if not gems:
        last = ends and len(inside) == 1
        return "the last gem of this vein would end the game" if last else f"{_left(state, seat) or room}; {FORESEEN}"
    if ends and len(gems) == len(inside):
        # What a pawn still carries at the end does not score.
        return f"that ends the game{', and you win' if leading(state) == (seat,) else ''}"
    gain = f"{'they are' if len(gems) > 1 else 'it is'} worth {_worth(state, seat, gems)} to you"
    return f"{gain}, and {'the vein is then exhausted' if len(gems) == len(inside) else room}"


def _left(state: State, seat: int) -> str:
    """Says what could be taken, and what that would cost; empty if nothing."""
    inside, room = state.mine.inside[state.nest], state.mine.room(seat)
    sets = [some for count in range(1, len(inside) + 1) for some in combinations(inside, count)]
    fitting = [some for some in sets if sum(map(state.size, some)) <= room]
    if not fitting:
        return ""
    most = max(fitting, key=lambda some: _worth(state, seat, some))
    left = _room_left(room - sum(map(state.size, most))).removeprefix("that leaves ")
    exhausts = " and exhaust the vein" if len(most) == len(inside) else ""
    return f"the most you could take is worth {_worth(state, seat, most)} to you, but would leave {left}{exhausts}"


def _worth(state: State, seat: int, gems: tuple[int, ...]) -> int:
    return sum(points for gem in gems if isinstance(points := state.worth(gem, seat), int))
