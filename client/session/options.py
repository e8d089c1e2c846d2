"""Game options: how they are remembered, which ones a new table gets, and what its host has changed."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from kimberley.client.session.settings import Settings
from kimberley.games.bots.levels import find_level, level_label, levels_of, nearest_level
from kimberley.games.bots.lookup import has_bots
from kimberley.games.options import format_value
from kimberley.games.table import Game, Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.sentences.notices import as_sentence
from kimberley.p2p.sentences.options import option_lines, refusal
from kimberley.p2p.table.common_options import (
    FINAL_ADJUSTMENT,
    GRACE,
    GRACE_SECONDS,
    AdjustTimes,
    adjust_times,
    with_adjust_times,
)

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

SEATS: Final = "Seats"
NO_BOTS: Final = "{} has no bots yet. You can play it with others at a table."
NONE_GIVEN: Final[Mapping[str, Plain]] = MappingProxyType({})


def require_bots(game: Game) -> None:
    """Raises UserError, with a sentence for a person, if a game has no bots."""
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
    options: dict[str, Plain] = {}
    for option in game.options:
        values = [value for value, _ in option.values]
        options[option.name] = next(
            (value for value in values if format_value(value) == kept.get(option.name)), values[0]
        )
    return options | last_look(settings, game, alone=alone)


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
    return _with_grace(settings.grace, options)


def _with_grace(seconds: int, options: Mapping[str, Plain]) -> dict[str, Plain]:
    grace: dict[str, Plain] = {GRACE: seconds} if seconds != GRACE_SECONDS else {}
    return grace | dict(options)


def for_other_game(settings: Settings, game: Game, here: int, grace: int) -> tuple[int, dict[str, Plain]]:
    """Returns the seats and options of an open table with `here` players that goes on with another game: those of the
    last table where that was played, and the table's own `grace`. There are fewer seats than players only if the game
    is for fewer.
    """
    wanted = max(settings.seats, here)
    if wanted not in game.seats:
        wanted = next((seats for seats in game.seats if seats >= here), wanted)
    seats, options = for_table(settings, game, wanted)
    return seats, _with_grace(grace, options)


class Terms(NamedTuple):
    """What is played at a table, by how many at most."""

    game: Game
    options: Mapping[str, Plain]
    seats: int

    @classmethod
    def of(cls, table: Table) -> Terms:
        """Returns the present ones of a table."""
        return cls(table.game, dict(table.occupants.options), table.occupants.seats)


def changed_terms(host: str, before: Terms, after: Terms) -> str:
    """Returns a sentence about the game, options and seats that a table's host has changed; empty if nothing has."""
    other = after.game.id != before.game.id
    known = [] if other else option_lines(before.game, before.options)
    most = "" if after.seats == min(after.game.seats) else "up to "
    lines = [(SEATS, f"{most}{after.seats} players")] if after.seats != before.seats else []
    lines += [line for line in option_lines(after.game, after.options) if line not in known]
    if not other and not lines:
        return ""
    did = f"chose {after.game.title}" if other else "changed the options"
    return " ".join([f"{host} {did}.", *(f"{label}: {value}." for label, value in lines)])


def fitting_seats(game: Game, wanted: int) -> int:
    """Returns the wanted number of seats if the game supports it; else the smallest number it supports."""
    return wanted if wanted in game.seats else min(game.seats)
