"""Agrees to what the others at a table ask of all, at a seat without a player: a bot’s, or that of one who has left."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table


def agree_to_requests(table: Table) -> bool:
    """Agrees to what the others ask of all, at a seat without a player. Returns False if they ask for nothing."""
    seat, adjournment, abandonment = table.occupants.seat, table.adjournment, table.abandonment
    if adjournment.can_adjourn and adjournment.adjourn_from and seat not in adjournment.adjourn_from:
        adjournment.vote(True)
    elif abandonment.absent and abandonment.abandon_from and seat not in abandonment.abandon_from:
        abandonment.declare()
    else:
        return False
    return True
