"""What comes of an organizer's orders, and what they change at a table: pure (docs/referee.md, "Commands")."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kimberley.p2p.tournament.events import (
    ORGANIZER,
    DecisionUndone,
    TableOrder,
    TablePaused,
    TableReopened,
    TableResumed,
    TimeAdded,
    is_reopened,
)
from kimberley.p2p.tournament.players import TournamentTable
from kimberley.p2p.tournament.settings import MOST_REPLAYS, TournamentSettings


@dataclass(frozen=True)
class OrderReply:
    """Whether a command was done, and a sentence: why not, or what comes of it. Empty: there is no more to say."""

    done: bool
    sentence: str = ""


def apply_order(table: TournamentTable, order: TableOrder, settings: TournamentSettings) -> TournamentTable:
    """Returns the table after an order. Raises ValueError for one that is impossible now."""
    if isinstance(order, TableReopened):
        _require(table.decided is not None, "This table has no result yet.")
        assert table.decided is not None
        undoes = isinstance(order, DecisionUndone)
        _require(not undoes or table.decided.how == ORGANIZER, "The organizer did not decide this result.")
        _require(len(table.former) < MOST_REPLAYS, f"A table can be replayed at most {MOST_REPLAYS} times.")
        _require(is_reopened(settings, table.seats, order), "The referee has not signed this.")
        former, reopened = (*table.former, table.decided), (*table.reopened, order)
        return TournamentTable(table.number, table.seats, former=former, reopened=reopened)
    _require(table.decided is None, "This table already has a result.")
    match order:
        case TimeAdded():
            _require(settings.clock is not None, "There are no clocks in this tournament.")
            _require(order.identity in table.seats, "That player is not at that table.")
            own = table.seats.index(order.identity)
            added = tuple(table.added_to(seat) + order.seconds * (seat == own) for seat, _ in enumerate(table.seats))
            return replace(table, added=added)
        case TablePaused():
            _require(not table.paused, "The table is already paused.")
            return replace(table, paused=True)
        case TableResumed():
            _require(table.paused, "The table is not paused.")
            return replace(table, paused=False)


def _require(holds: bool, reason: str) -> None:
    if not holds:
        raise ValueError(reason)
