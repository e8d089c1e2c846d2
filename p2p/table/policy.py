"""What the players of a table decide, and what a referee decides for them (SPEC.md, "Referees").

At an ordinary table a seat that leaves, or is away for too long, can end the game for all. In a tournament that would
let a seat end the game on an opponent's turn. So the others wait for that seat until the referee rules. For the same
reason a game of a tournament begins for all at once, when the referee has heard from every seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class TablePolicy:
    """What the players of a table may decide.

    `players_end_game`: whether what a seat does can end the game for the others: it leaves, stays away, starts over,
    breaks the protocol, or agrees to adjourn the game. `players_play_again`: whether another game begins when all
    want one.
    """

    players_end_game: bool
    players_play_again: bool
    players_begin: bool
    """Whether the game begins for a seat when the others have told it that the words are the same."""


ORDINARY: Final = TablePolicy(players_end_game=True, players_play_again=True, players_begin=True)
REFEREED: Final = TablePolicy(players_end_game=False, players_play_again=False, players_begin=False)
