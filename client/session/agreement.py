"""Agrees to what the others at a table ask of all, at a seat without a player: a bot’s, or that of one who has left."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table


def agree_to_requests(table: Table) -> bool:
    """Agrees to what the others ask of all, at the seat of a bot. Returns False if they ask for nothing."""
    seat, adjournment = table.occupants.seat, table.adjournment
    if adjournment.can_adjourn and adjournment.adjourn_from and seat not in adjournment.adjourn_from:
        adjournment.vote(True)
        return True
    return agree_to_stop_waiting(table)


def agree_to_stop_waiting(table: Table) -> bool:
    """Agrees to stop waiting for others, at a seat without a player. Returns False if nobody asks for that."""
    abandonment = table.abandonment
    if not abandonment.absent or not abandonment.abandon_from or table.occupants.seat in abandonment.abandon_from:
        return False
    abandonment.declare()
    return True
