"""Why a bot chooses what it does, in a sentence: what a card leads to, and what is got there."""

from __future__ import annotations

from typing import Any

from kimberley.client.boards.mine.stones import named, stones
from kimberley.client.boards.mine.words import name_with_use
from kimberley.client.session.notices import count_of, join_names
from kimberley.games.mine.greedy import TURNS
from kimberley.games.mine.moves import reach
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import name


def advise(state: State, seat: int, choice: Any) -> str:
    """A choice as advice, and why."""
    match state.phase:
        case "place":
            return f"Put a nest on {name(choice)}: {_distance(state, seat, choice)}."
        case "cards":
            card, ends = choice
            said = f"Choose card {card}: {_card(state, seat, card)}."
            return f"{said} Agree to end the game: it leads nowhere any more." if ends else said
        case "move":
            return f"Go to {name(choice[0])}: {_move(state, seat, *choice)}."
    return f"Take {named(stones(state, choice))}: {_haul(state, seat, choice)}."


def _distance(state: State, seat: int, square: int) -> str:
    others = min(TURNS[square][state.mine.home(other)] for other in state.order() if other != seat)
    return f"it is {TURNS[square][state.mine.home(seat)]} turns from your home, and {others} from the nearest other"


def _card(state: State, seat: int, card: int) -> str:
    """The most useful squares that a card leads to."""
    squares = reach(state.mine, seat)[card]
    useful = [said for square in squares if (said := name_with_use(state, square, seat)) != name(square)]
    loose = [name(square) for square, _ in state.mine.loose if square in squares]
    if useful or loose:
        return f"it leads to {join_names([*useful, *(f'a loose gem on {square}' for square in loose)])}"
    if not squares:
        return "you would do best to stay where you are"
    return f"it leads to {join_names([name(square) for square in squares])}, on the way to what you want next"


def _move(state: State, seat: int, to: int, picked: tuple[int, ...], dropped: tuple[tuple[int, int], ...]) -> str:
    loose = dict(state.mine.loose)
    parts = [f"pick up {named(stones(state, [loose[square] for square in picked]))}"] if picked else []
    parts += [f"drop {named(stones(state, [gem]))} on {name(square)}" for square, gem in dropped]
    nest = state.mine.vein_at(to)
    if to == state.mine.home(seat):
        gems = (*state.mine.carried[seat], *(loose[square] for square in picked))
        parts.append(f"bring home {named(stones(state, gems))}" if gems else "start anew from your home")
    elif nest is not None and state.mine.inside[nest]:
        inside = named(stones(state, state.mine.inside[nest]))
        parts.append(f"reach a vein with {inside}" if state.mine.opened[nest] else "open a vein")
    elif not parts:
        parts.append(f"come nearer to {_next(state, seat, to)}")
    return f"you {join_names(parts)}"


def _next(state: State, seat: int, at: int) -> str:
    """Where a pawn that stands on a square is likely to go: home if it has no room, else to the nearest gem."""
    mine, home = state.mine, state.mine.home(seat)
    veins = [square for nest, square in enumerate(mine.veins) if mine.inside[nest] and square != at]
    wanted = [*veins, *(square for square, _ in mine.loose)] if mine.room(seat) else []
    nearest = min(wanted, key=lambda square: TURNS[at][square], default=home)
    if mine.carried[seat] and TURNS[at][home] <= TURNS[at][nearest]:
        nearest = home
    turns = TURNS[at][nearest]
    return f"{'your home' if nearest == home else name(nearest)}, {count_of(turns, 'turn')} from there"


def _haul(state: State, seat: int, gems: tuple[int, ...]) -> str:
    if not gems:
        return "what is left there is not worth the room, or would end the game too soon"
    worth = sum(points for gem in gems if isinstance(points := state.worth(gem, seat), int))
    return f"you have room for that, and it is worth {worth} to you"
