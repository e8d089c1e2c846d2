"""What the page reads from a referee: its tournament, and what spectators know about the running games."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Protocol

from kimberley.p2p.table.spectated_game import SpectatedGame
from kimberley.p2p.tournament.clock import TableClocks
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.referee.table_wait import TableWait


class TournamentSource(Protocol):
    """A tournament while it is played. Everything in it is public. Rounds count from 1, tables from 0."""

    @property
    def tournament(self) -> Tournament: ...

    @property
    def count(self) -> int:
        """Returns how many events the tournament has had. While this is the same, so is everything that follows from
        them.
        """

    @property
    def moment(self) -> Hashable:
        """A value that stays the same while `here`, the views and the clocks look the same."""

    @property
    def here(self) -> frozenset[bytes]:
        """The identities of the players who are connected now."""

    @property
    def join(self) -> str:
        """The address that players type to join; empty if it is not known."""

    @property
    def seats(self) -> tuple[int, str] | None:
        """The port of the page for people who have only a browser, and the digits in its link; None if there is no such
        page.
        """

    @property
    def next_round_at(self) -> float | None:
        """Returns when the next round begins by itself, on the clock of `now`; None if something else must happen
        first.
        """

    @property
    def reviews(self) -> Path:
        """The folder in which the reviews of finished games are kept. It may not be there yet."""

    def bundle(self) -> Path | None:
        """Returns the bundle as the referee last exported it; None if there is none yet."""

    def now(self) -> float:
        """Returns the time in seconds, on the clock that drives the chess clocks."""

    async def catch_up(self, round_: int, table: int) -> None:
        """Brings the view of a game up to date. The event loop goes on meanwhile."""

    def view(self, round_: int, table: int) -> SpectatedGame | None:
        """Returns what a spectator knows about a game; None if the game is not known yet, or no longer."""

    def clocks(self, round_: int, table: int) -> TableClocks | None:
        """Returns how long each seat has thought, and how much time it has left; None before the game begins."""

    def wait(self, round_: int, table: int) -> TableWait | None:
        """Returns whom a table waits for before its game, and until when, by `now`; None if it waits for nobody."""

    def record(self, digest: bytes) -> bytes | None:
        """Returns the record of a finished game, by its SHA-256; None if there is none."""
