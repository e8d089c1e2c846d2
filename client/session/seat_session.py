"""What this program knows of its user's seat at a table, beyond what the seats tell each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from kimberley.client.session.interfaces import ClockKeeperLike
    from kimberley.games.bots.base import Bot
    from kimberley.p2p.table.runner import PeerView
    from kimberley.p2p.table.table import Table


class Solo(NamedTuple):
    """How the user plays alone: the level of all bots, and whether there are hints. `practice` is the game in which a
    choice was taken back.
    """

    level: int
    aided: bool
    practice: PeerView | None = None


class LocalBot(NamedTuple):
    """A bot of this program: its side of the table, its level and its seed."""

    seat: Table
    level: int
    seed: int


@dataclass(slots=True)
class SeatSession:
    """What belongs to one seat for as long as its table exists."""

    clock_keeper: ClockKeeperLike | None = None
    """Knows the clocks of a table of a tournament."""
    solo: Solo | None = None
    """None unless the user plays alone, at a table that nobody else can reach."""
    bots: list[LocalBot] = field(default_factory=list)
    """The bots that sit at the other seats."""
    thinking: list[tuple[Table, Bot]] = field(default_factory=list)
    """Those that are thinking, each with its own side of the table."""


def session_of(table: Table) -> SeatSession:
    """Returns the session of the user's seat at a table."""
    if not isinstance(table.client, SeatSession):
        table.client = SeatSession()
    return table.client
