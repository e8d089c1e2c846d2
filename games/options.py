"""Checks and completes what `Game.start` is given, so that every game refuses bad options in the same words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kimberley.games.phrases import join_names
from kimberley.games.table import Game, Plain

WORDS: Final = {"yes": True, "no": False, "none": None}


def resolve_options(
    game: Game, seats: int, options: Mapping[str, Plain], begins: int | None = None
) -> dict[str, Plain]:
    """Returns all options of a game by name: those given, and the defaults of the others. Raises ValueError, with a
    sentence for a person, where the number of seats, an option, a value or the seat that begins does not exist.
    """
    if seats not in game.seats:
        raise ValueError(f"{game.title} is for {format_seat_counts(game.seats)} players, not {seats}")
    if begins not in (None, *range(seats)):
        raise ValueError(f"seat {begins} cannot begin at a table of {seats}")
    chosen: dict[str, Plain] = {option.name: option.values[0][0] for option in game.options}
    if unknown := sorted(set(options) - set(chosen)):
        there = f"no option called {unknown[0]!r}, only {join_names(list(chosen))}"
        raise ValueError(f"{game.title} has {there if chosen else f'no options, so none called {unknown[0]}'}")
    for option in game.options:
        if option.name in options:
            value, known = options[option.name], [choice for choice, _ in option.values]
            if not any(type(value) is type(choice) and value == choice for choice in known):
                raise ValueError(f"{option.name} is one of {', '.join(map(format_value, known))}, not {value!r}")
            chosen[option.name] = value
    return chosen


def format_value(value: Plain) -> str:
    """Returns the value of an option as a person types it: text as it is, numbers in decimal, yes, no and none."""
    return next((word for word, meant in WORDS.items() if value is meant), str(value))


def format_seat_counts(seats: tuple[int, ...]) -> str:
    """Returns the possible numbers of seats in words: "2", "2 or 4", "2 to 6", "2, 3 or 5"."""
    if len(seats) > 2 and seats == tuple(range(seats[0], seats[-1] + 1)):
        return f"{seats[0]} to {seats[-1]}"
    return join_names([*map(str, seats)], "or")
