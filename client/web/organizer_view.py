"""What the organizer's page shows: each table and player, with what can be done there now, as facts for its template.

Nothing here does anything: each button sends a command, as it is typed at the referee's machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kimberley.client.web.tiles import TableTile
from kimberley.p2p.sentences.tournaments import current_tables
from kimberley.p2p.tournament.players import IN, WITHDRAWN
from kimberley.p2p.tournament.settings import MOST_REPLAYS
from kimberley.p2p.tournament.tournament import ENROLLING, OVER, Tournament


@dataclass(frozen=True, slots=True)
class TableDesk:
    """A table of now: its names as commands take them, and what can be done there."""

    tile: TableTile
    names: tuple[str, ...]
    open: bool
    paused: bool
    clocks: bool
    replay: bool


@dataclass(frozen=True, slots=True)
class PlayerDesk:
    """A player: the name in lists, and as commands take it, and the state."""

    label: str
    name: str
    state: str
    plays: bool
    left: bool


def organizer_facts(tournament: Tournament, tiles: Sequence[TableTile]) -> dict[str, Any]:
    """Returns the facts. `tiles` are those of `current_tables`, in order."""
    names, ended = tournament.names, tournament.phase == OVER
    desks = tuple(
        TableDesk(
            tile,
            tuple(names[seat] for seat in table.seats),
            open=table.decided is None,
            paused=table.paused,
            clocks=tournament.settings.clock is not None,
            replay=not ended and table.decided is not None and len(table.former) < MOST_REPLAYS,
        )
        for table, tile in zip(current_tables(tournament), tiles, strict=True)
    )
    people = tuple(
        PlayerDesk(
            tournament.label(player.identity),
            names[player.identity],
            player.state,
            plays=player.state == IN and not ended,
            left=player.state == WITHDRAWN and not ended,
        )
        for player in sorted(tournament.players, key=lambda player: names[player.identity].casefold())
    )
    return {
        "desks": desks,
        "people": people,
        "enrolling": tournament.phase == ENROLLING,
        "ended": ended,
        "rolling": tournament.format.rolling,
        "entry_closed": tournament.entry_closed,
        "pausable": any(desk.open and not desk.paused for desk in desks),
        "resumable": any(desk.open and desk.paused for desk in desks),
    }
