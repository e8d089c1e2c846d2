"""How the user's settings lead to tables far away, and friends from there to the user's table."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kimberley.client.session.settings import Settings
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.far.codes import FarServers
from kimberley.p2p.far.ways import FarWays, set_ways

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table


def lead_far(settings: Settings, data: Path) -> FarWays:
    """Makes codes lead to their tables in this program. The result must be closed when the program ends."""
    ways = FarWays(data, lambda: _servers(settings))
    set_ways(ways)
    return ways


def invite_far(table: Table, settings: Settings, *, anew: bool = False) -> None:
    """Asks for a code for a friend who is far away, and for another one whenever somebody has come and seats are still
    free. With `anew`, it replaces a code that nobody has used. Raises UserError.
    """
    first, come = not table.far.used, table.far.keys
    table.far.invite(_servers(settings), anew=anew)

    def invite_next(event: Any) -> None:
        nonlocal come
        if (
            event == TableChanged("people")
            and table.phase == "open"
            and len(table.occupants.names) < table.occupants.seats
            and table.far.keys != come
        ):
            come = table.far.keys
            # The program that asks for codes may have failed meanwhile, which was reported.
            with contextlib.suppress(UserError):
                table.far.invite(_servers(settings))

    if first:
        from kimberley.p2p.table.events import TableChanged

        table.subscribe(invite_next)


def _servers(settings: Settings) -> FarServers:
    return FarServers(settings.mailbox, settings.relay)
