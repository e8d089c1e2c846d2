"""What a game brings for its music: a suite, and which public event is which cue."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from kimberley.client.audio.score import Suite
from kimberley.games.table import State

S = TypeVar("S", bound=State)
E = TypeVar("E")


class GameMusic(ABC, Generic[S, E]):
    """One game's music. It has no state, and imports no numpy."""

    suite: Suite

    @abstractmethod
    def heard(self, event: E) -> Sequence[tuple[str, float]]:
        """Returns the kinds and the weights of the cues that a public event stands for."""

    @abstractmethod
    def near_end(self, state: S) -> float:
        """Returns how much of the game is over in a public state, from 0 to 1."""


AnyGameMusic = GameMusic[Any, Any]
