"""What the page reads of a referee: its tournament, and what its onlookers know of the games that are on."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol

from client.moments import Onlooker
from p2p.referee.clock import Clocks
from p2p.referee.tournament import Tournament


class Hall(Protocol):
    """A tournament while it is played. Everything in it is public. Rounds count from 1, tables from 0."""

    @property
    def tournament(self) -> Tournament: ...

    @property
    def count(self) -> int:
        """How many events the tournament came from: while this is the same, so is all that follows from them."""

    @property
    def moment(self) -> Hashable:
        """The same while `here`, the views and the clocks look the same."""

    @property
    def here(self) -> frozenset[bytes]:
        """The identities that are connected now."""

    def now(self) -> float:
        """Seconds, on the clock that drives the chess clocks."""

    def view(self, round_: int, table: int) -> Onlooker | None:
        """What an onlooker knows of a game; None where it is not known any more, or not yet."""

    def clocks(self, round_: int, table: int) -> Clocks | None:
        """How long each seat has thought, and has left; None before a game begins."""

    def record(self, digest: bytes) -> bytes | None:
        """The record of a finished game, by its SHA-256."""
