"""What music hears of a game: public facts, and nothing else."""

from __future__ import annotations

from typing import Final, NamedTuple

STAGE: Final = "stage"
"""The kind of a cue for a completed stage of the game, such as a month or a round: the next passage begins."""
END: Final = "end"
"""The kind of the cue for the end of the game: the coda begins."""


class Cue(NamedTuple):
    """One thing that happened in public.

    `kind` says what: "trip", "sale", STAGE, END. `weight` is how much it moves the music, from 0 to 1. `near_end` is
    how much of the game is over, from 0 to 1. `digest` is the hash of the public story so far, so that everybody at the
    table gets the same one.
    """

    kind: str
    weight: float
    near_end: float
    digest: bytes
