"""How the settings lead to tables far away."""

from __future__ import annotations

from pathlib import Path

from kimberley.client.session.settings import Settings
from kimberley.p2p.far.codes import FarServers
from kimberley.p2p.far.ways import FarWays, set_ways


def far_servers(settings: Settings) -> FarServers:
    """Returns the user's servers."""
    return FarServers(settings.mailbox, settings.relay)


def lead_far(settings: Settings, data: Path) -> FarWays:
    """Makes codes lead to their tables in this program. The result is to be closed at its end."""
    ways = FarWays(data, lambda: far_servers(settings))
    set_ways(ways)
    return ways
