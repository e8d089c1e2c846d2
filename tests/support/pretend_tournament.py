"""A player's side of a fake tournament, for tests of what screens and lines show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kimberley.client.session.interfaces import ClockLike, Stop
from kimberley.p2p.table.table import Table
from kimberley.p2p.tournament.events import TableDecided, TournamentEvent
from kimberley.p2p.tournament.messages import ClockReading, WaitReading
from kimberley.p2p.tournament.tournament import Tournament
from tests.support.pretend_source import PretendSource


class PretendClient:
    """`client.session.interfaces.TournamentClientLike` over a tournament that a test moves on. `done` records the
    calls.
    """

    def __init__(self, source: PretendSource, name: str) -> None:
        self.source = source
        self.identity = next(one.identity for one in source.tournament.players if one.nickname == name)
        self.phase = "waiting"
        self.table: Table | None = None
        self.ruling: TableDecided | None = None
        self.clocks: tuple[ClockLike, ...] = ()
        self.wait: WaitReading | None = None
        self.paused = False
        self.away_since: float | None = None
        self.problem: str | None = None
        self.done: list[str] = []
        self.listeners: list[Callable[[Any], None]] = []

    @property
    def settings(self) -> Any:
        return self.source.settings

    @property
    def tournament(self) -> Tournament:
        return self.source.tournament

    def change(self, what: str, happened: TournamentEvent | None = None, **values: Any) -> None:
        """Sets attributes and notifies the listeners."""
        for name, value in values.items():
            setattr(self, name, value)
        for listener in list(self.listeners):
            listener(Changed(what, happened))

    def withdraw(self) -> None:
        self.done.append("withdraw")

    async def close(self) -> None:
        self.done.append("close")

    def subscribe(self, callback: Callable[[Any], None]) -> Stop:
        self.listeners.append(callback)
        return lambda: self.listeners.remove(callback)


class Keeper:
    """`client.session.interfaces.ClockKeeperLike`: clocks that a test sets."""

    def __init__(self, clocks: tuple[ClockLike, ...]) -> None:
        self.clocks = clocks
        self.wait: WaitReading | None = None
        self.paused = False
        self.away_since: float | None = None


class Changed:
    def __init__(self, what: str, event: TournamentEvent | None = None) -> None:
        self.what = what
        self.event = event


def running(left: float, at: float) -> ClockReading:
    return ClockReading(left, True, at)


def standing(left: float, *, away: bool = False) -> ClockReading:
    return ClockReading(left, False, 0.0, away)
