"""The options of an open table in the line mode: what they are, and what the host types to change them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from kimberley.client.session.options import Terms, changed_terms, for_other_game
from kimberley.games import lookup
from kimberley.games.options import format_seat_counts, format_value
from kimberley.games.table import Game, Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.sentences.notices import as_sentence
from kimberley.p2p.sentences.options import adjust_label, duration, option_lines, read_option
from kimberley.p2p.table.common_options import (
    GRACE,
    GRACE_RANGE,
    GRACE_SECONDS,
    MOST_FINAL_ADJUSTMENT_SECONDS,
    AdjustTimes,
    adjust_times,
    with_adjust_times,
)
from kimberley.protocol.play import NotAllowed

if TYPE_CHECKING:
    from kimberley.client.session.settings import Settings
    from kimberley.p2p.table.table import Table

ADJUSTING: Final = (
    f"Type adjust and a number of seconds up to {MOST_FINAL_ADJUSTMENT_SECONDS}, such as 20, or a range, such as 5-40; "
    "0 is no limit."
)
CHOOSING: Final = "Type option and NAME=VALUE. To hear what there is to choose, type options."
WAITING: Final = f"Type waiting and a number of seconds, {GRACE_RANGE[0]} to {GRACE_RANGE[-1]}."


def option_help(game: Game, options: Mapping[str, Plain]) -> list[str]:
    """Returns the options of a game: the current value of each, and what can be typed."""
    now = dict(option_lines(game, options))
    return [
        f"{option.label}: {now[option.label]}. Type option {option.name}= and one of "
        f"{', '.join(f'{format_value(value)} ({label})' for value, label in option.values)}."
        for option in game.options
    ]


def adjust_help(game: Game, options: Mapping[str, Plain]) -> list[str]:
    """Returns how long plans can be adjusted, and what can be typed; an empty list for a game without this step."""
    return [f"Adjust time: {adjust_label(adjust_times(options))}. {ADJUSTING}"] if game.last_looks else []


def describe_options(table: Table) -> list[str]:
    """Returns what is played at a table; for its host, with what to type to change it."""
    game, grace = table.game, table.abandonment.grace
    if not table.host:
        return [
            f"Game: {game.title}.",
            *(f"{label}: {text}." for label, text in option_lines(game, table.occupants.options)),
        ]
    lines = [f"Game: {game.title}. Type game and one of {', '.join(lookup.ids())}."]
    if len(game.seats) > 1:
        lines.append(f"Seats: {table.occupants.seats}. Type seats and one of {', '.join(map(str, game.seats))}.")
    lines += option_help(game, table.occupants.options) + adjust_help(game, table.occupants.options)
    return [*lines, f"Time to return: {duration(grace)}. {WAITING}"]


def change_by(table: Table, settings: Settings, word: str, typed: str) -> Sequence[str] | None:
    """Changes a table as its host typed. Returns what to say; None if the word changes no option."""
    try:
        wanted = _wanted(table, settings, word, typed)
    except ValueError as error:
        return [str(error)]
    if wanted is None:
        return None
    before = Terms.of(table)
    try:
        table.hosting.change_options(wanted.options, wanted.seats, wanted.game)
    except UserError as error:
        return [str(error)]
    except NotAllowed as error:
        return [as_sentence(str(error))]
    return [changed_terms("You", before, Terms.of(table)) or "Nothing has changed."]


def _wanted(table: Table, settings: Settings, word: str, typed: str) -> Terms | None:
    """Returns the terms that the host wants; None if the word changes no option. Raises ValueError with a sentence."""
    now = Terms.of(table)
    match word:
        case "option" if not typed:
            raise ValueError(CHOOSING)
        case "option":
            name, value = read_option(now.game, typed)
            return now._replace(options={**now.options, name: value})
        case "game":
            if typed not in lookup.ids():
                raise ValueError(f"Type game and one of {', '.join(lookup.ids())}.")
            return _other_game(settings, lookup.find(typed), table)
        case "seats" if len(now.game.seats) == 1:
            raise ValueError(f"{now.game.title} is for {now.game.seats[0]} players.")
        case "seats":
            if not typed.isdecimal() or int(typed) not in now.game.seats:
                raise ValueError(f"Type seats and one of {', '.join(map(str, now.game.seats))}.")
            if int(typed) < len(table.occupants.names):
                raise ValueError(f"{len(table.occupants.names)} players are seated. {_make_room(table)}")
            return now._replace(seats=int(typed))
        case "adjust" if now.game.last_looks:
            try:
                times = AdjustTimes.read(typed)
            except ValueError:
                raise ValueError(ADJUSTING) from None
            return now._replace(options=with_adjust_times(now.options, times.options))
        case "waiting":
            if not typed.isdecimal() or int(typed) not in GRACE_RANGE:
                raise ValueError(WAITING)
            kept = {name: value for name, value in now.options.items() if name != GRACE}
            grace = {} if int(typed) == GRACE_SECONDS else {GRACE: int(typed)}
            return now._replace(options={**kept, **grace})
    return None


def _make_room(table: Table) -> str:
    """Says how a host frees a seat: bots go first."""
    return "Type no bot first." if "bot" in table.words.acquaintance else "Type remove and a name first."


def _other_game(settings: Settings, game: Game, table: Table) -> Terms:
    """Returns the terms of another game as it was last played. Raises ValueError if it has too few seats."""
    here = len(table.occupants.names)
    seats, options = for_other_game(settings, game, here, table.abandonment.grace)
    if seats < here:
        fitting = format_seat_counts(game.seats)
        raise ValueError(f"{here} players are seated, and {game.title} is for {fitting}. {_make_room(table)}")
    return Terms(game, options, seats)
