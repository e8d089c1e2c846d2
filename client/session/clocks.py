"""The chess clocks of a table of a tournament: the referee keeps them, the phase strip of a board shows them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol
from weakref import WeakKeyDictionary

from client.glyphs import width
from client.palette import Colour
from client.seats import TableLike

LOW_SECONDS: Final = 60.0


class ClockLike(Protocol):
    """A seat's clock as the referee told it last (`p2p.referee.wire.ShownClock`)."""

    @property
    def runs(self) -> bool: ...
    def left(self, now: float) -> float:
        """Seconds that are left at the loop's time `now`."""


class Face(NamedTuple):
    """A seat's clock at some time: what is left, in seconds, and whether it runs."""

    seat: int
    left: float
    runs: bool


class KeeperLike(Protocol):
    """Who knows the clocks of a table, by seat (`p2p.entrant.Entrant`)."""

    @property
    def clocks(self) -> Sequence[ClockLike]: ...
    @property
    def away_since(self) -> float | None:
        """The loop's time since when the referee is not reached."""


_keepers: Final[WeakKeyDictionary[TableLike, KeeperLike]] = WeakKeyDictionary()


def keep(table: TableLike, keeper: KeeperLike) -> None:
    """From now on the clocks of a table are those that `keeper` knows."""
    _keepers[table] = keeper


def unknown(table: TableLike) -> bool:
    """Whether a table has clocks, and the referee who keeps them is away."""
    keeper = _keepers.get(table)
    return keeper is not None and keeper.away_since is not None and bool(keeper.clocks)


def faces(table: TableLike, now: float) -> tuple[Face, ...]:
    """The clocks of a table, by seat; nothing where it has none."""
    if (keeper := _keepers.get(table)) is None:
        return ()
    return tuple(Face(seat, clock.left(now), clock.runs) for seat, clock in enumerate(keeper.clocks))


def digits(seconds: float) -> str:
    """A clock's time: "14:48", "1:02:03"."""
    whole = max(0, math.ceil(seconds))
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def in_the_strip(found: Sequence[Face], own: int, names: Sequence[str], room: int) -> tuple[str, Colour]:
    """The clocks that matter most in so many cells, a running one marked: one's own, then who has least left."""
    mine = next((face for face in found if face.seat == own), None)
    others = sorted((face for face in found if face.seat != own), key=lambda face: (not face.runs, face.left))
    chosen = [face for face in (mine, *others[:1]) if face is not None]
    fg: Colour = "soft"
    if mine is not None and mine.runs:
        fg = "warning" if mine.left < LOW_SECONDS else "money"
    full = "  ".join(f"{'you' if face is mine else names[face.seat]} {_time(face)}" for face in chosen)
    short = "  ".join(map(_time, chosen))
    return (full if width(full) <= room else short), fg


def in_words(found: Sequence[Face], own: int, names: Sequence[str]) -> list[str]:
    """The clocks in sentences, for the line mode."""
    return [
        f"{'You have' if face.seat == own else f'{names[face.seat]} has'} {digits(face.left)} left"
        + (", and the clock runs." if face.runs else ".")
        for face in found
    ]


def next_tick(found: Sequence[Face], now: float) -> float | None:
    """When the figures change by themselves."""
    running = [face.left for face in found if face.runs and face.left > 0]
    return min((now + (left % 1.0 or 1.0) for left in running), default=None)


def _time(face: Face) -> str:
    return f"{'▸' if face.runs else ''}{digits(face.left)}"
