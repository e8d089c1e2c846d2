"""Open: totals are shown to all."""

from __future__ import annotations

from dataclasses import dataclass

from kimberley.games.spaces import Tally


@dataclass(frozen=True, slots=True)
class Open:
    """Totals are opened to all. Answer: the totals, in order, None for those of a seat that has left."""

    tallies: tuple[Tally, ...]
