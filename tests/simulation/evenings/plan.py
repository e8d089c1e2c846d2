"""What one integer stands for: the tournament of an evening, its players, and what the hostile ones do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Final, TypeVar

from kimberley.p2p.tournament.settings import (
    ACCELERATED_SWISS,
    ARENA,
    DOUBLE_ROUND_ROBIN,
    KNOCKOUT,
    ROUND_ROBIN,
    SWISS,
    TimeControl,
)
from tests.simulation.evenings.tricks import TRICKS

T = TypeVar("T")

FORMATS: Final = {SWISS: 6, ROUND_ROBIN: 2, KNOCKOUT: 3, ARENA: 2, ACCELERATED_SWISS: 1, DOUBLE_ROUND_ROBIN: 1}
"""How often each format is played."""
SIZES: Final = {2: 6, 3: 4, 4: 5, 5: 3, 6: 2, 8: 1, 12: 1}
"""How often each number of players comes, hostile ones included."""
HONEST_SHARE: Final = 1 / 10
"""The share of evenings at which nobody is hostile."""
TEAMS_SHARE: Final = 1 / 6
LARGE_SHARE: Final = 1 / 8
"""The share of the evenings at which more than two sit at a table."""
RESTART_SHARE: Final = 1 / 6
"""The share of the evenings at which the referee's program starts again, and of honest players whose program does."""
QUICK: Final = 0.3
"""How slow those whose program is started again are at most: they do everything twice, in the same time."""
TRICKS_EACH: Final = {1: 4, 2: 2, 3: 1}
"""How often a hostile player has each number of tricks."""


@dataclass(frozen=True)
class Focus:
    """What a search fixes in advance. None leaves the choice to the integer."""

    trick: str | None = None
    honest: bool = False
    teams: bool | None = None


@dataclass(frozen=True)
class Guest:
    """One player: `comes` after that many seconds, and compares words and chooses within the share `slow` of the time
    for it. `person`: words have to be compared. `tricks`: names in the catalog, none for an honest one.
    """

    name: str
    comes: float
    slow: float
    person: bool
    tricks: tuple[str, ...]
    cuts: tuple[float, ...]
    """When the connections of this player are lost for a moment."""
    restarts: tuple[float, ...]
    """When its program is killed; it starts again a few seconds later."""


@dataclass(frozen=True)
class Plan:
    """One evening. Times are in seconds from its beginning."""

    number: int
    format: str
    rounds: int
    minutes: int
    seats: int
    boards: int
    clock: TimeControl
    grace: int
    come: float
    pause: float
    begins: float
    guests: tuple[Guest, ...]
    referee_restarts: tuple[float, ...]
    spectators: int

    @property
    def teams(self) -> dict[str, list[str]]:
        """The names that the organizer has given for each team, in the order of the boards."""
        names = [guest.name for guest in self.guests]
        groups = [names[at : at + self.boards] for at in range(0, len(names), self.boards)] if self.boards else []
        return {f"Team {number + 1}": group for number, group in enumerate(groups)}


def plan(number: int, focus: Focus | None = None) -> Plan:
    """Returns the evening of an integer."""
    focus, rng = focus or Focus(), Random(f"kimberley evening {number}")
    teams = rng.random() < TEAMS_SHARE if focus.teams is None else focus.teams
    format = _weighted(rng, FORMATS)
    if teams and format == ARENA:
        format = ROUND_ROBIN
    large = not teams and format != ARENA and rng.random() < LARGE_SHARE
    size = _weighted(rng, SIZES)
    honest = focus.honest or (focus.trick is None and rng.random() < HONEST_SHARE)
    boards = 2 if teams else 0
    if teams:
        size = 4 if size < 6 else 6
    elif large:
        size = max(size, 3)
    come = float(rng.choice((20, 30, 60)))
    begins = rng.uniform(10, 40)
    long = begins + 100
    hostile = 0 if honest else max(1, min(size - 1, round(rng.triangular(0, size, 1.4))))
    roles = [focus.trick or "" for _ in range(hostile)]
    guests = []
    for seat in range(size):
        bad = seat < hostile
        tricks: tuple[str, ...] = ()
        if bad:
            many = 1 if focus.trick is not None else _weighted(rng, TRICKS_EACH)
            names = sorted(TRICKS)
            tricks = (roles[seat],) if roles[seat] else tuple(sorted(rng.sample(names, many)))
        restarts = (rng.uniform(begins, begins + 40),) if not bad and rng.random() < RESTART_SHARE else ()
        guests.append(
            Guest(
                name=f"p{seat}",
                comes=rng.uniform(0, begins - 8) if rng.random() < 0.9 or teams else begins + rng.uniform(0, 60),
                slow=rng.random() if not restarts else rng.random() * QUICK,
                person=rng.random() < 0.5,
                tricks=tricks,
                cuts=tuple(sorted(rng.uniform(0, long) for _ in range(_weighted(rng, {0: 4, 1: 2, 2: 1})))),
                restarts=restarts,
            )
        )
    rng.shuffle(guests)
    return Plan(
        number=number,
        format=format,
        rounds=0 if format in (KNOCKOUT, ARENA) else rng.choice((1, 1, 2, 2, 3)),
        minutes=rng.choice((1, 2)) if format == ARENA else 0,
        seats=rng.choice((3, 4)) if large else 2,
        boards=boards,
        clock=TimeControl(rng.choice((40, 60, 120)), rng.choice((0, 2))),
        grace=rng.choice((10, 20, 30)),
        come=come,
        pause=rng.choice((0.0, 2.0, 5.0)),
        begins=begins,
        guests=tuple(guests),
        referee_restarts=(rng.uniform(begins, begins + 40),) if rng.random() < RESTART_SHARE else (),
        spectators=_weighted(rng, {0: 2, 1: 1, 2: 1}),
    )


def _weighted(rng: Random, weights: Mapping[T, int]) -> T:
    return rng.choices(list(weights), list(weights.values()))[0]
