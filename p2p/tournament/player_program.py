"""What the player's program lends to a referee, which has no screen and no sounds of its own."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Protocol

from kimberley.p2p.tournament.store import StoreReader
from kimberley.p2p.tournament.tournament import Tournament


class RefereeSounds(Protocol):
    """What an organizer hears. No call waits for anything."""

    def joined(self) -> None:
        """A player has joined."""

    def lost(self) -> None:
        """The connection to a player is lost."""

    def back(self) -> None:
        """A player whose connection was lost is back."""

    def close(self) -> None:
        """Ends what plays."""


class PlayerProgram(Protocol):
    """The program that commands are typed to. It hands itself to the commands of rooms that are installed apart."""

    usual_game: str
    """The id of the game that is meant where none is named."""

    def printed_code(self, text: str) -> list[str]:
        """Returns the lines of a QR code for this terminal; none if it cannot show them, or they do not fit."""

    def sounds(self, *, wanted: bool) -> RefereeSounds:
        """Opens the sounds; unless they are `wanted`, nothing is heard."""

    def show_status(
        self, found: argparse.Namespace, reader: StoreReader, following: Callable[[Tournament], str | None]
    ) -> None:
        """Shows a tournament on a screen until it is left. `following` says when the next round begins, or None."""
