"""What the organizer's page shows: each table and player, with what can be done there now, as facts for its template.

Nothing here does anything: each button sends a command, as it is typed at the referee's machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kimberley.p2p.sentences.tournaments import current_tables, ends_next
from kimberley.p2p.tournament.events import ORGANIZER
from kimberley.p2p.tournament.players import IN, WITHDRAWN, TournamentTable
from kimberley.p2p.tournament.settings import MOST_REPLAYS
from kimberley.p2p.tournament.tournament import ENROLLING, OVER, Tournament, is_last_round, takes_newcomers
from kimberley.referee.pages.tiles import TableTile
from kimberley.referee.sentences import hold_button, next_button


@dataclass(frozen=True, slots=True)
class TableDesk:
    """A current table: its names as commands take them, and what can be done there."""

    tile: TableTile
    key: str
    """Names it on this page, among all tables of the tournament."""
    names: tuple[str, ...]
    open: bool
    paused: bool
    clocks: bool
    replay: bool
    undo: bool
    """Whether the organizer has decided it, and can undo that."""
    begun: bool
    """Whether a game has begun there."""
    final: bool
    """Whether the tournament ends with the result."""


@dataclass(frozen=True, slots=True)
class PlayerDesk:
    """A player: the name in lists, and as commands take it, and the state."""

    label: str
    key: str
    """Names the player on this page."""
    name: str
    state: str
    plays: bool
    left: bool
    byes: tuple[int, ...]
    """The coming rounds in which the player has a half-point bye."""
    free: tuple[int, ...]
    """Those in which the player could have one."""


def organizer_facts(tournament: Tournament, tiles: Sequence[TableTile]) -> dict[str, Any]:
    """Returns the facts. `tiles` are those of `current_tables`, in order."""
    names, ended = tournament.names, tournament.phase == OVER
    held = tournament.scheduled is not None and tournament.scheduled.start is None
    final = is_last_round(tournament) and len(tournament.rounds[-1].open) == 1 and not held
    desks = tuple(
        _desk(tournament, table, tile, final=final)
        for table, tile in zip(current_tables(tournament), tiles, strict=True)
    )
    rounds = range(len(tournament.rounds) + 1, tournament.planned + 1)
    coming = rounds if tournament.settings.has_half_byes and not ended and not tournament.ending else ()
    people = tuple(
        PlayerDesk(
            tournament.label(player.identity),
            player.identity.hex(),
            names[player.identity],
            player.state,
            plays=player.state == IN and not ended,
            left=player.state == WITHDRAWN and not ended,
            byes=tuple(number for number in coming if (player.identity, number) in tournament.granted),
            free=tuple(number for number in coming if (player.identity, number) not in tournament.granted),
        )
        for player in sorted(tournament.players, key=lambda player: names[player.identity].casefold())
    )
    rolling = tournament.format.rolling
    last = tournament.ending or (ends_next(tournament) and not rolling)
    finishable = bool(tournament.rounds) and not ended and not last
    return {
        "desks": desks,
        "people": people,
        "next_button": next_button(tournament),
        "hold_button": hold_button(tournament),
        "enrolling": tournament.phase == ENROLLING,
        "ended": ended,
        "finishable": finishable,
        "rolling": rolling,
        "closable": takes_newcomers(tournament),
        "pausable": any(desk.open and not desk.paused for desk in desks),
        "resumable": any(desk.open and desk.paused for desk in desks),
    }


def _desk(tournament: Tournament, table: TournamentTable, tile: TableTile, *, final: bool) -> TableDesk:
    """Returns what can be done at a table. `final`: the next result ends the tournament."""
    decided = table.decided
    reopens = decided is not None and tournament.phase != OVER and len(table.former) < MOST_REPLAYS
    own = decided is not None and decided.how == ORGANIZER
    return TableDesk(
        tile,
        f"{len(tournament.rounds)}-{table.id}",
        tuple(tournament.name(seat) for seat in table.seats),
        open=decided is None,
        paused=table.paused,
        clocks=tournament.settings.clock is not None,
        replay=reopens and not own,
        undo=reopens and own,
        begun=table.game is not None,
        final=final and decided is None,
    )
