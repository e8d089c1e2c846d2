"""The options of games: how they are typed, told and remembered, and with which of them a table is opened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from client.seats import fitting_seats
from client.settings import Settings
from games.settling import spelled
from games.table import Game, Option, Plain
from p2p.common_options import GRACE, GRACE_SECONDS, LAST_LOOK

LOOKS: Final = "Last look"
WAITS: Final = "Waiting"
FOR_WHOM: Final = " for who is away"
NONE_GIVEN: Final[Mapping[str, Plain]] = MappingProxyType({})


def values_of(option: Option) -> str:
    """What can be typed for an option: "small, large or huge"."""
    typed = [spelled(value) for value, _ in option.values]
    return " or ".join([", ".join(typed[:-1]), typed[-1]] if len(typed) > 1 else typed)


def read_option(game: Game, text: str) -> tuple[str, Plain]:
    """The name and value in "map=small"; a label may stand for its value. Raises ValueError with what there is."""
    name, sign, typed = text.partition("=")
    option = next((option for option in game.options if option.name == name.strip().lower()), None)
    if option is None or not sign:
        there = "; ".join(f"{option.name}={values_of(option)}" for option in game.options)
        raise ValueError(f"{game.title} has no option {text!r}. It has {there or 'none'}.")
    meant = typed.strip().lower()
    for value, label in option.values:
        if meant in (spelled(value).lower(), label.lower()):
            return option.name, value
    raise ValueError(f"{option.label} is {values_of(option)}, not {typed.strip()!r}.")


def read_options(game: Game, texts: Sequence[str]) -> dict[str, Plain]:
    """Several of them. Raises ValueError."""
    return dict(read_option(game, text) for text in texts)


def refusal(game: Game, seats: int, options: Mapping[str, Plain]) -> str | None:
    """Why so many cannot play with these options, as the rules say it; None where they can."""
    names = {option.name for option in game.options}
    try:
        game.start(seats, {name: value for name, value in options.items() if name in names})
    except ValueError as error:
        return f"{str(error)[:1].upper()}{str(error)[1:]}."
    return None


def remember(settings: Settings, game: Game, options: Mapping[str, Plain]) -> None:
    """Keeps what was chosen for a game, to be offered the next time; the caller saves."""
    names = {option.name for option in game.options}
    kept = {name: spelled(value) for name, value in options.items() if name in names}
    settings.options = {**settings.options, game.id: kept}
    if game.last_looks and isinstance(seconds := options.get(LAST_LOOK), int):
        settings.last_look = seconds
    if isinstance(seconds := options.get(GRACE), int):
        settings.grace = seconds


def remembered(settings: Settings, game: Game) -> dict[str, Plain]:
    """What was last chosen for a game; options that were not, or are not there any more, have their default."""
    kept = settings.options.get(game.id, {})
    found: dict[str, Plain] = {}
    for option in game.options:
        values = [value for value, _ in option.values]
        found[option.name] = next((value for value in values if spelled(value) == kept.get(option.name)), values[0])
    return found | ({LAST_LOOK: settings.last_look} if game.last_looks else {})


def for_table(
    settings: Settings, game: Game, seats: int | None = None, given: Mapping[str, Plain] = NONE_GIVEN
) -> tuple[int, dict[str, Plain]]:
    """The seats and the options of a new table: those given, else as last chosen, where so many can play so."""
    wanted = fitting_seats(game, seats or settings.seats)
    chosen = {**remembered(settings, game), **given}
    if refusal(game, wanted, chosen) is not None:
        chosen = {**({LAST_LOOK: settings.last_look} if game.last_looks else {}), **given}
    return wanted, chosen


def for_people(settings: Settings, options: Mapping[str, Plain]) -> dict[str, Plain]:
    """The options of a table that others join: with the grace that was last chosen, where it is not the usual one."""
    grace: dict[str, Plain] = {GRACE: settings.grace} if settings.grace != GRACE_SECONDS else {}
    return grace | dict(options)


def duration(seconds: int) -> str:
    """A time that is chosen, in its largest whole unit: "30 s", "2 min", "1 h"."""
    units = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))
    size, unit = next((size, unit) for size, unit in units if seconds % size == 0)
    return f"{seconds // size} {unit}"


def look_label(seconds: Plain) -> str:
    """The last look in words."""
    return f"{seconds!r} s, the same for all seats" if seconds else "until all say Done; the time tells"


def option_lines(game: Game, options: Mapping[str, Plain]) -> list[tuple[str, str]]:
    """What was settled for a table, in words, (label, value): the game's own options and the table's."""
    lines = []
    for option in game.options:
        value = spelled(options.get(option.name, option.values[0][0]))
        lines.append((option.label, next((label for each, label in option.values if spelled(each) == value), "?")))
    if game.last_looks and LAST_LOOK in options:
        lines.append((LOOKS, look_label(options[LAST_LOOK])))
    if isinstance(seconds := options.get(GRACE), int):
        lines.append((WAITS, f"{duration(seconds)}{FOR_WHOM}"))
    return lines


def in_short(lines: Iterable[tuple[str, str]]) -> str:
    """What `option_lines` gives, in one line: of a time, what it is for and how long; of all else what was settled."""
    return ", ".join(
        f"{label.lower()} {re.split('[,;]', value)[0].removesuffix(FOR_WHOM)}" if label in (LOOKS, WAITS) else value
        for label, value in lines
    )
