"""What the client does first: host a game, play alone, join a table, watch one or resume a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from kimberley.games.table import Plain


@dataclass(frozen=True, slots=True)
class HostGame:
    """Start by hosting a game. `seats`, `options`, `port` and `bind` override the defaults. With `far`, there is a code
    for a friend far away.
    """

    game: str
    seats: int | None = None
    port: int | None = None
    bind: str | None = None
    options: Mapping[str, Plain] = field(default_factory=dict)
    far: bool = False


@dataclass(frozen=True, slots=True)
class PlayAlone:
    """Start by playing against bots. `seats`, `options` and `level` override the defaults."""

    game: str
    seats: int | None = None
    options: Mapping[str, Plain] = field(default_factory=dict)
    level: int | None = None


@dataclass(frozen=True, slots=True)
class JoinTable:
    """Start by joining a table, by its host's name, its address or a code; with None, start with the list of tables."""

    where: str | None = None


@dataclass(frozen=True, slots=True)
class WatchTable:
    """Start by watching a table, by its host's name or address; with None, start with the list of tables."""

    where: str | None = None


@dataclass(frozen=True, slots=True)
class ResumeGame:
    """Start by resuming a game, by its journal's file, its id or a player's name; with None, the latest."""

    which: str | None = None


StartRequest: TypeAlias = HostGame | PlayAlone | JoinTable | WatchTable | ResumeGame
