"""What several pages show of players, seats, tables and the standings, as facts for templates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from kimberley.p2p.sentences.notices import clock_digits
from kimberley.p2p.tournament.clock import LOW_SECONDS
from kimberley.p2p.tournament.page_games import SeatMark


@dataclass(frozen=True, slots=True)
class PlayerView:
    name: str
    number: int


@dataclass(frozen=True, slots=True)
class ClockView:
    """A seat's clock now, with `left` in seconds."""

    left: float
    runs: bool

    @property
    def low(self) -> bool:
        return self.runs and self.left < LOW_SECONDS

    @property
    def words(self) -> str:
        return clock_digits(self.left)


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat of a table. `mark` is how its board marks it, if that is known."""

    person: PlayerView
    mark: SeatMark | None
    points: str | None
    clock: ClockView | None
    away: bool


@dataclass(frozen=True, slots=True)
class TableTile:
    """A table of a round.

    `board`, `tall` (for a phone) and `words` show the position, `sentence` says how the game ended, `record` is the
    address of its record.
    """

    number: int
    where: str
    state: str
    seats: tuple[SeatView, ...]
    sentence: str = ""
    record: str = ""
    board: Markup | None = None
    tall: Markup | None = None
    words: tuple[str, ...] = ()


class TieBreakNumber(NamedTuple):
    """A number that breaks ties, and what it is the sum of ("ana 3 + ben 2½"), or what does not count for it; "" if
    there is nothing to say.
    """

    value: str
    sum: str = ""


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """A line of the standings. `rank` is 0 before the first result."""

    rank: int
    person: PlayerView
    points: str
    tie_breaks: tuple[TieBreakNumber, ...]
    rating: int | None
    note: str
