"""What is known about a watched game beyond its story, who chooses in it, and help on stepping through it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from kimberley.client.session.participants import short_name
from kimberley.client.ui.glyphs import cell_width, clean
from kimberley.client.ui.keys import LOG_KEY
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import Help, Section
from kimberley.games.phrases import join_names
from kimberley.games.table import Result, State, space_for

if TYPE_CHECKING:
    from kimberley.protocol.roster import Roster


class LiveContext(NamedTuple):
    """What is known about a game beyond its story, while the user watches it. All defaults for a finished game.

    `live` says that this is the current position of a running game. `waiting` are then the seats whose step is missing.
    `aside` stands at the right of the phase strip, in `aside_fg`.
    """

    live: bool = False
    waiting: tuple[int, ...] = ()
    aside: str = ""
    aside_fg: Color = "soft"


def names_of(roster: Roster) -> tuple[str, ...]:
    """Returns the names of the players at a table by seat, no two alike and none empty."""
    from kimberley.p2p.base.confusables import distinct_names

    return distinct_names([clean(place.nickname) or f"seat {seat + 1}" for seat, place in enumerate(roster.seats)])


def choosing(state: State, seats: Sequence[int]) -> list[int]:
    """Returns those of the given seats whose players must make a choice. Steps that programs do by themselves take no
    time.
    """
    ask = state.ask()
    return [] if isinstance(ask, Result) else [seat for seat in seats if space_for(ask, seat) is not None]


def awaited(state: State, waiting: Sequence[int], names: Sequence[str], room: int = 28) -> str:
    """Says whose choice the game waits for, in at most `room` cells."""
    seats = choosing(state, waiting)
    if not seats:
        return ""
    verb = "is" if len(seats) == 1 else "are"
    rest = f" {verb} choosing…"
    who = join_names([names[seat] for seat in seats])
    if cell_width(who + rest) > room:
        alone = len(seats) == 1
        who = short_name(names, seats[0], room - cell_width(rest)) if alone else how_many(len(seats), len(names))
    return f"{who}{rest}"


def how_many(seats: int, players: int) -> str:
    """Returns how many of the players a sentence is about, without a noun: of two, "both"."""
    return "both" if seats == players == 2 else f"{seats}"


def sealed(state: State, waiting: Sequence[int], seats: int) -> list[int]:
    """Returns the seats that have sealed a choice while other seats are still choosing."""
    asks = choosing(state, range(seats))
    return [seat for seat in asks if seat not in waiting] if any(seat in waiting for seat in asks) else []


def stepping(more: Help) -> Help:
    """Returns the help of a screen that steps through positions."""
    return Help(more.title, (KEYS, *more.sections))


KEYS: Final = Section(
    "Stepping",
    "→ and ← step through the game; so does the wheel. Space plays and pauses. PgDn and PgUp jump further, Home and "
    f"End to the start and end. Type a number and Enter to jump there; {LOG_KEY} lists all events.",
    by_touch=Section(
        "Stepping",
        "Next and Back step through the game. Play runs it until Pause. Log lists everything: touch a line to jump "
        "there.",
    ),
)
