"""Finds the games that are installed, by the entry point group `kimberley.games`; an entry point's name is its id."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from kimberley.games.table import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "kimberley.games"


class UnknownGame(LookupError):
    """No game with that id is installed; the message lists those that are."""


def ids() -> tuple[str, ...]:
    """Returns the ids of the installed games, in alphabetical order."""
    return tuple(sorted(_installed()))


def find(id: str) -> Game:
    """Returns the game with that id. Raises UnknownGame."""
    installed = _installed()
    if id not in installed:
        known = ", ".join(sorted(installed)) or "none: install Kimberley again"
        raise UnknownGame(f"there is no game {id!r} here; installed: {known}")
    game: Game = installed[id].load()
    return game


@cache
def _installed() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # takes a while: not before it is needed

    return {point.name: point for point in entry_points(group=GROUP)}
