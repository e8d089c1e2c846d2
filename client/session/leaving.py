"""Leaves a table on which the others may play on: what they need for that is sent before the table is closed."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Final

from kimberley.client.session.agreement import agree_to_stop_waiting
from kimberley.client.session.participants import continues_without_you, only_bots

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

LEAVE_SECONDS: Final = 2.0
"""How long the program waits before it ends, so that the others get what they need to play on."""


def owes_departure(table: Table) -> bool:
    """Returns whether others than this program's bots can play on only after this seat has told them that it leaves."""
    return table.phase == "playing" and continues_without_you(table) and not only_bots(table)


def leave_table(table: Table) -> Coroutine[Any, Any, None]:
    """Leaves a table. Await the result: it ends when the table is closed.

    If the others can play on, the table is not closed before they have what they need for that. Until then they can
    stop waiting for another seat: this one agrees. They save the game once it can be resumed without this seat.
    """
    owes = owes_departure(table)
    table.departures.leave()
    return _parted(table, owes)


async def _parted(table: Table, owes: bool) -> None:
    stirred = asyncio.Event()
    stop = table.subscribe(lambda _event: stirred.set())
    try:
        while owes and table.phase not in ("failed", "done"):
            stirred.clear()
            agree_to_stop_waiting(table)
            await stirred.wait()
    finally:
        stop()
        await table.close()
