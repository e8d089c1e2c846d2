"""The options of a table as people type them, and in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kimberley.games import lookup
from kimberley.games.options import format_seat_counts, format_value
from kimberley.games.phrases import join_names
from kimberley.games.table import Game, Option, Plain
from kimberley.p2p.base.arguments import did_you_mean
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.text import quoted
from kimberley.p2p.sentences.notices import as_sentence
from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT, GRACE, AdjustTimes, adjust_times

LOOKS: Final = "Adjust time"
WAITS: Final = "Time to return"


def known_game(name: str) -> str:
    """Returns the typed id of an installed game. Raises UserError, which lists the installed games."""
    if name not in (games := lookup.ids()):
        near = did_you_mean(name, games)
        raise UserError(f"No game called {quoted(name)}.{near} Games: {', '.join(games)}.")
    return name


def check_seats(game: Game, seats: int) -> None:
    """Raises UserError if the game is not for that many players."""
    if seats not in game.seats:
        raise UserError(f"{game.title} is for {format_seat_counts(game.seats)} players, not {seats}.")


def check_adjusts(game: Game) -> None:
    """Raises UserError if the game has no plans to adjust."""
    if not game.last_looks:
        raise UserError(f"Plans cannot be adjusted in {game.title}: leave out --adjust.")


def values_of(option: Option) -> str:
    """Returns the values a user can type for an option: "small, large or huge"."""
    return join_names([format_value(value) for value, _ in option.values], "or")


def read_option(game: Game, text: str) -> tuple[str, Plain]:
    """Reads a name and value such as "map=small". A label may stand for its value. Raises ValueError, which lists the
    possible options or values.
    """
    name, sign, typed = text.partition("=")
    option = next((option for option in game.options if option.name == name.strip().lower()), None)
    if option is not None and not sign:
        raise ValueError(f"Option {quoted(option.name)} needs a value: {option.name}={values_of(option)}.")
    if option is None:
        there = "; ".join(f"{option.name}={values_of(option)}" for option in game.options)
        known = f" Options: {there}." if there else ""
        raise ValueError(f"{game.title} has no option {quoted(name.strip())}.{known}")
    meant = typed.strip().lower()
    for value, label in option.values:
        if meant in (format_value(value).lower(), label.lower()):
            return option.name, value
    raise ValueError(f"Option {quoted(option.name)} can be {values_of(option)}, not {quoted(typed.strip())}.")


def read_options(game: Game, texts: Sequence[str]) -> dict[str, Plain]:
    """Reads several options. Raises ValueError."""
    return dict(read_option(game, text) for text in texts)


def refusal(game: Game, seats: int, options: Mapping[str, Plain]) -> str | None:
    """Returns why this number of players cannot play with these options, in the words of the rules; None if
    they can.
    """
    names = {option.name for option in game.options}
    try:
        game.start(seats, {name: value for name, value in options.items() if name in names})
    except ValueError as error:
        return as_sentence(str(error))
    return None


def duration(seconds: int) -> str:
    """Returns a chosen time in its largest whole unit: "30 s", "2 min", "1 h"."""
    units = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))
    size, unit = next((size, unit) for size, unit in units if seconds % size == 0)
    return f"{seconds // size} {unit}"


def adjust_time(times: AdjustTimes) -> str:
    """Returns the time to adjust in words: "5 to 40 s"."""
    if not times.most:
        return "no limit"
    return f"{times.most} s" if times.fixed else f"{times.quiet} to {times.most} s"


def adjust_label(times: AdjustTimes) -> str:
    """Returns the time to adjust in words, and when it comes."""
    when = "once plans are made"
    if not times.most:
        return f"{adjust_time(times)}, {when}; a long wait gives you away"
    return f"{adjust_time(times)} for both, {when}"


def option_lines(game: Game, options: Mapping[str, Plain]) -> list[tuple[str, str]]:
    """Returns the options of a table in words, (label, value): first the game's own, then the table's."""
    lines = []
    for option in game.options:
        value = format_value(options.get(option.name, option.values[0][0]))
        lines.append(
            (option.label, next((label for choice, label in option.values if format_value(choice) == value), "?"))
        )
    if game.last_looks and FINAL_ADJUSTMENT in options:
        lines.append((LOOKS, adjust_label(adjust_times(options))))
    if isinstance(seconds := options.get(GRACE), int):
        lines.append((WAITS, duration(seconds)))
    return lines


def unusual_lines(game: Game, options: Mapping[str, Plain], usual: Mapping[str, Plain]) -> list[tuple[str, str]]:
    """Returns those of `option_lines` in which a table differs from the game's defaults and from `usual`."""
    return [line for line in option_lines(game, options) if line not in option_lines(game, usual)]


def in_short(lines: Iterable[tuple[str, str]]) -> str:
    """Returns the output of `option_lines` in one line. Times keep their label; other options are shown by their value
    alone.
    """
    return ", ".join(
        f"{label.lower()} {re.split('[,;]| for ', value)[0]}" if label in (LOOKS, WAITS) else value
        for label, value in lines
    )
