"""Show: parts of items are shown, to all or to one seat alone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Show:
    """Parts of items are shown: `parts` lists (part, seat), with None for all seats.

    Answer: for each item, one value for each of `parts`, HIDDEN to the seats that were not shown it.
    """

    items: tuple[int, ...]
    parts: tuple[tuple[int, int | None], ...]
