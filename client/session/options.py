"""Game options: how they are typed, shown and remembered, and which ones a new table gets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from kimberley.client.session.notices import as_sentence
from kimberley.client.session.settings import Settings
from kimberley.games.bots.levels import find_level, level_label, levels_of, nearest_level
from kimberley.games.bots.lookup import has_bots
from kimberley.games.options import format_value
from kimberley.games.table import Game, Option, Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.table.common_options import (
    FINAL_ADJUSTMENT,
    GRACE,
    GRACE_SECONDS,
    AdjustTimes,
    adjust_times,
    with_adjust_times,
)

if TYPE_CHECKING:
    from kimberley.client.session.ports import TableLike

LOOKS: Final = "Time to adjust"
WAITS: Final = "Wait if absent"
SEATS: Final = "Seats"
NO_BOTS: Final = "{} has no bots yet. You can play it with others at a table."
NONE_GIVEN: Final[Mapping[str, Plain]] = MappingProxyType({})


def values_of(option: Option) -> str:
    """Returns the values a user can type for an option: "small, large or huge"."""
    typed = [format_value(value) for value, _ in option.values]
    return " or ".join([", ".join(typed[:-1]), typed[-1]] if len(typed) > 1 else typed)


def read_option(game: Game, text: str) -> tuple[str, Plain]:
    """Reads a name and value such as "map=small". A label may stand for its value. Raises ValueError, which lists the
    possible options or values.
    """
    name, sign, typed = text.partition("=")
    option = next((option for option in game.options if option.name == name.strip().lower()), None)
    if option is None or not sign:
        there = "; ".join(f"{option.name}={values_of(option)}" for option in game.options)
        raise ValueError(f"{game.title} has no option {name.strip()!r}. Options: {there or 'none'}.")
    meant = typed.strip().lower()
    for value, label in option.values:
        if meant in (format_value(value).lower(), label.lower()):
            return option.name, value
    raise ValueError(f"{option.label} can be {values_of(option)}, not {typed.strip()!r}.")


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


def require_bots(game: Game) -> None:
    """Raise UserError, with a sentence for a person, if a game has no bots."""
    if not has_bots(game):
        raise UserError(NO_BOTS.format(game.title))


def chosen_level(game: Game, given: int | None, otherwise: int) -> int:
    """Returns the number of a level that was given, else of the level nearest to `otherwise`. Raises UserError if the
    game has no such level, or no bots.
    """
    require_bots(game)
    if given is None:
        return nearest_level(game, otherwise)
    try:
        find_level(game, given)
    except ValueError as error:
        raise UserError(as_sentence(str(error))) from None
    return given


def level_lines(game: Game) -> list[str]:
    """Returns the levels of a game, a line each."""
    return [f"{level_label(game, number)}. {level.about}" for number, level in enumerate(levels_of(game), 1)]


def remember(settings: Settings, game: Game, options: Mapping[str, Plain], *, alone: bool = False) -> None:
    """Remembers the options chosen for a game, to offer them next time. The caller saves the settings."""
    names = {option.name for option in game.options}
    kept = {name: format_value(value) for name, value in options.items() if name in names}
    settings.options = {**settings.options, game.id: kept}
    if game.last_looks and FINAL_ADJUSTMENT in options:
        setattr(settings, "adjust_alone" if alone else "adjust", adjust_times(options).text)
    if isinstance(seconds := options.get(GRACE), int):
        settings.grace = seconds


def last_look(settings: Settings, game: Game, *, alone: bool = False) -> dict[str, Plain]:
    """Returns the options with the time to adjust last chosen, against people or `alone` against bots; empty if a game
    has none.
    """
    times = AdjustTimes.read(settings.adjust_alone if alone else settings.adjust)
    return times.options if game.last_looks else {}


def remembered(settings: Settings, game: Game, *, alone: bool = False) -> dict[str, Plain]:
    """Returns the options last chosen for a game; before the first game, those that make it short. An option whose
    value no longer exists has its default.
    """
    kept = settings.options.get(game.id)
    if kept is None:
        kept = {name: format_value(value) for name, value in game.quick}
    found: dict[str, Plain] = {}
    for option in game.options:
        values = [value for value, _ in option.values]
        found[option.name] = next(
            (value for value in values if format_value(value) == kept.get(option.name)), values[0]
        )
    return found | last_look(settings, game, alone=alone)


def for_table(
    settings: Settings,
    game: Game,
    seats: int | None = None,
    given: Mapping[str, Plain] = NONE_GIVEN,
    *,
    alone: bool = False,
) -> tuple[int, dict[str, Plain]]:
    """Returns the seats and options of a new table: the given ones, else the last ones chosen if they fit the number of
    seats.
    """
    wanted = fitting_seats(game, seats or settings.seats)
    chosen = with_adjust_times(remembered(settings, game, alone=alone), given)
    if refusal(game, wanted, chosen) is not None:
        chosen = with_adjust_times(last_look(settings, game, alone=alone), given)
    return wanted, chosen


def for_people(settings: Settings, options: Mapping[str, Plain]) -> dict[str, Plain]:
    """Returns the options of a table that others join, with the last grace chosen if it is not the default."""
    grace: dict[str, Plain] = {GRACE: settings.grace} if settings.grace != GRACE_SECONDS else {}
    return grace | dict(options)


def for_other_game(settings: Settings, game: Game, here: int) -> tuple[int, dict[str, Plain]]:
    """Returns the seats and options of an open table with so many players that goes on with another game: those of the
    last table where it was played. There may be fewer seats than players.
    """
    seats, options = for_table(settings, game, max(settings.seats, here))
    return seats, for_people(settings, options)


def duration(seconds: int) -> str:
    """Returns a chosen time in its largest whole unit: "30 s", "2 min", "1 h"."""
    units = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))
    size, unit = next((size, unit) for size, unit in units if seconds % size == 0)
    return f"{seconds // size} {unit}"


def adjust_label(times: AdjustTimes) -> str:
    """Returns the time to adjust in words."""
    if times.fixed:
        return f"{times.most} s for everyone"
    if times.most:
        return f"until both are done; {times.quiet} to {times.most} s"
    return "no limit; waiting may give you away"


def option_lines(game: Game, options: Mapping[str, Plain]) -> list[tuple[str, str]]:
    """Returns the options of a table in words, (label, value): first the game's own, then the table's."""
    lines = []
    for option in game.options:
        value = format_value(options.get(option.name, option.values[0][0]))
        lines.append((option.label, next((label for each, label in option.values if format_value(each) == value), "?")))
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


class Terms(NamedTuple):
    """What is played at a table, by how many at most."""

    game: Game
    options: Mapping[str, Plain]
    seats: int

    @classmethod
    def of(cls, table: TableLike) -> Terms:
        """Returns those of a table now."""
        return cls(table.game, dict(table.options), table.seats)


def changed_terms(host: str, before: Terms, after: Terms) -> str:
    """Returns a sentence about the game, options and seats that a table's host has changed; empty if nothing has."""
    other = after.game.id != before.game.id
    known = [] if other else option_lines(before.game, before.options)
    lines = [(SEATS, f"up to {after.seats} players")] if after.seats != before.seats else []
    lines += [line for line in option_lines(after.game, after.options) if line not in known]
    if not other and not lines:
        return ""
    did = f"chose {after.game.title}" if other else "changed the options"
    return " ".join([f"{host} {did}.", *(f"{label}: {value}." for label, value in lines)])


def fitting_seats(game: Game, wanted: int) -> int:
    """Returns the wanted number of seats if the game supports it; else the smallest number it supports."""
    return wanted if wanted in game.seats else min(game.seats)
