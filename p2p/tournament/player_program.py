"""What the player's program lends to a referee, which has no screen and no sounds of its own."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Protocol, TypeAlias

from kimberley.games.table import Plain
from kimberley.p2p.tournament.events import TournamentEvent
from kimberley.p2p.tournament.tournament import Tournament

RefereeSound: TypeAlias = Literal["joined", "lost", "back"]


class RefereeSounds(Protocol):
    """What an organizer hears. No method waits for anything."""

    def play(self, sound: RefereeSound) -> None:
        """Plays the sound for a player who joined, lost the connection, or is back."""

    def close(self) -> None:
        """Stops every sound."""


class TournamentReader(Protocol):
    """A tournament that is being written (`referee.store.StoreReader`). Each method raises StorageError."""

    def changed(self) -> bool:
        """Returns whether anything was written since the last call."""

    def tournament(self) -> Tournament:
        """Returns the tournament as far as it has been written."""

    def events(self) -> Sequence[TournamentEvent]:
        """Returns all events."""

    def clocks(self) -> Mapping[tuple[int, int], Plain]:
        """Returns the clocks of each table in their stored form, by round and the id of the table."""


class PlayerProgram(Protocol):
    """The program that commands are typed to. It hands itself to the commands of rooms that are installed apart."""

    usual_game: str
    """The id of the game that is meant where none is named."""
    page_games: str
    """Where a process finds the `p2p.tournament.page_games.PageGames`, as `pkgutil.resolve_name` takes it."""

    def printed_code(self, text: str) -> list[str]:
        """Returns the lines of a QR code for this terminal; none if it cannot show them, or they do not fit."""

    def sounds(self, *, wanted: bool) -> RefereeSounds:
        """Opens the sounds; unless they are `wanted`, nothing is heard."""

    def show_status(
        self, arguments: argparse.Namespace, reader: TournamentReader, following: Callable[[Tournament], str | None]
    ) -> None:
        """Shows a tournament on a screen until it is left. `following` says when the next round begins, or None."""
