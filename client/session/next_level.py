"""Which level a person who has played alone should play next."""

from __future__ import annotations

from typing import NamedTuple

from kimberley.client.session.bots import is_practice, solo_at
from kimberley.client.session.ports import TableLike
from kimberley.games.bots.levels import level_label, levels_of


class NextLevel(NamedTuple):
    """A level to play next: its number, how it is shown, and a sentence that says why."""

    number: int
    label: str
    why: str


def next_level(table: TableLike) -> NextLevel | None:
    """After a win the level above, after a last place the one below. None where there is no such level, after anything
    else, after practice, and where the person did not play alone.
    """
    solo, result = solo_at(table), table.peer.result if table.peer is not None else None
    if solo is None or result is None or table.phase != "done" or is_practice(table):
        return None
    place = result.places[table.seat]
    won = result.winners == (table.seat,)
    number = solo.level + 1 if won else solo.level - 1 if place == max(result.places) > 1 else solo.level
    if number == solo.level or not 1 <= number <= len(levels_of(table.game)):
        return None
    did, than = ("beat", "stronger") if won else ("lost to", "weaker")
    why = f"You {did} level {solo.level}. Try level {number}: it is {than}."
    return NextLevel(number, level_label(table.game, number), why)
