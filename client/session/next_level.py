"""Which level a person who has played alone should play next."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kimberley.client.session.bots import is_practice
from kimberley.client.session.seat_session import session_of
from kimberley.games.bots.levels import level_label, levels_of

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table


class NextLevel(NamedTuple):
    """A level to play next: its number, how it is shown, and a sentence that says why."""

    number: int
    label: str
    why: str


def next_level(table: Table) -> NextLevel | None:
    """Returns the level above after a win, and the one below after a last place.

    Returns None where there is no such level, after anything else, after practice, and where the person did not play
    alone.
    """
    solo, result = session_of(table).solo, table.peer.result if table.peer is not None else None
    if solo is None or result is None or table.phase != "done" or is_practice(table):
        return None
    place = result.places[table.occupants.seat]
    won = result.winners == (table.occupants.seat,)
    number = solo.level + 1 if won else solo.level - 1 if place == max(result.places) > 1 else solo.level
    if number == solo.level or not 1 <= number <= len(levels_of(table.game)):
        return None
    did, than = ("beat", "stronger") if won else ("lost to", "weaker")
    why = f"You {did} level {solo.level}. Try level {number}: it is {than}."
    return NextLevel(number, level_label(table.game, number), why)
