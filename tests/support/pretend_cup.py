"""A player's side of a tournament that only pretends: for tests of what screens and lines show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from client.clocks import ClockLike
from client.seats import Stop, TableLike
from p2p.referee.events import Decided
from p2p.referee.tournament import Tournament
from p2p.referee.wire import ShownClock
from tests.support.web_hall import PretendHall


class PretendEntrant:
    """`client.attending.EntrantLike` over a tournament that a test moves on. What is done to it is kept in `done`."""

    def __init__(self, hall: PretendHall, name: str) -> None:
        self.hall = hall
        self.identity = next(one.identity for one in hall.tournament.players if one.nickname == name)
        self.phase = "waiting"
        self.table: TableLike | None = None
        self.ruling: Decided | None = None
        self.clocks: tuple[ClockLike, ...] = ()
        self.away_since: float | None = None
        self.problem: str | None = None
        self.done: list[str] = []
        self.listeners: list[Callable[[Any], None]] = []

    @property
    def cup(self) -> Any:
        return self.hall.cup

    @property
    def tournament(self) -> Tournament:
        return self.hall.tournament

    def change(self, what: str, **values: Any) -> None:
        """Sets attributes and tells who listens."""
        for name, value in values.items():
            setattr(self, name, value)
        for listener in list(self.listeners):
            listener(Changed(what))

    def withdraw(self) -> None:
        self.done.append("withdraw")

    async def close(self) -> None:
        self.done.append("close")

    def subscribe(self, callback: Callable[[Any], None]) -> Stop:
        self.listeners.append(callback)
        return lambda: self.listeners.remove(callback)


class Keeper:
    """`client.clocks.KeeperLike`: clocks that a test sets."""

    def __init__(self, clocks: tuple[ClockLike, ...]) -> None:
        self.clocks = clocks
        self.away_since: float | None = None


class Changed:
    def __init__(self, what: str) -> None:
        self.what = what


def running(left: float, at: float) -> ShownClock:
    return ShownClock(left, True, at)


def standing(left: float) -> ShownClock:
    return ShownClock(left, False, 0.0)
