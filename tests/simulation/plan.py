"""What one integer stands for: the game and its table, the network's weather, crashes, resignations and tricks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from kimberley.games import lookup
from kimberley.games.table import Game, Plain
from kimberley.protocol.crypto.group import Group
from kimberley.protocol.crypto.ristretto import RISTRETTO
from tests.simulation.catalogue import CATALOGUE
from tests.simulation.group import SMALL
from tests.simulation.network import Weather

RISTRETTO_SHARE: Final = 1 / 16
"""The share of tables that use ristretto255. The others use the group of tests.simulation.group."""
GAMES: Final = {"diamond": 5, "diamond-trust": 6, "land": 5, "mine": 2, "piecepack": 1}
"""How often each game is played if the integer decides. Slow games are played less often."""
FEWEST_SHARE: Final = 3 / 4
"""The share of tables with the fewest seats for their game, if the integer decides."""
OLD_SHARE: Final = 1 / 8
"""The share, among honest tables with a crash and without resignations, at which a seat resumes from an old journal."""
TOO_LONG: Final = {("turns", 0), ("turns", 50), ("turns", 100)}
"""Values of options with which random players take too long."""


@dataclass(frozen=True)
class Focus:
    """What a search fixes in advance. None and empty values leave the choice to the integer."""

    game: str | None = None
    seats: int | None = None
    trick: str | None = None
    honest: bool = False
    eager: bool = False
    """Cheats use the first opportunity."""
    goes: bool = False
    """A seat gives up."""
    small: bool = False
    """No table uses ristretto255."""
    old: bool = False
    """A seat resumes from an old copy of its journal."""


@dataclass(frozen=True)
class Plan:
    """One table.

    `tricks` are names in the catalogue by seat. `goes` are the seats that give up, with the number of their own choices
    before that. `crashes` has, by seat, the numbers of inputs after which it crashes. `old` is the number of frames
    with envelopes that are missing from the journal from which a seat first resumes.
    """

    number: int
    game: Game
    seats: int
    options: Mapping[str, Plain]
    begins: int | None
    group: Group
    weather: Weather
    crashes: Mapping[int, tuple[int, ...]]
    goes: Mapping[int, int]
    tricks: Mapping[int, str]
    old: Mapping[int, int]
    eager: bool = False

    @property
    def honest(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.seats) if seat not in self.tricks)

    def __str__(self) -> str:
        who = ", ".join(f"seat {seat + 1} {name!r}" for seat, name in sorted(self.tricks.items())) or "all honest"
        options = "".join(f", {name} {value!r}" for name, value in sorted(self.options.items()))
        return (
            f"{self.number}: {self.game.id}{options}, {self.seats} seats, {self.group.name}; {who}; "
            f"{self.weather.cuts} cuts, {self.weather.partitions} partitions, "
            f"{sum(map(len, self.crashes.values()))} crashes, {len(self.goes)} give up"
            f"{', an old journal' if self.old else ''}"
        )


def plan(number: int, focus: Focus | None = None) -> Plan:
    """Returns the table that an integer stands for. Its parts are drawn independently of each other."""
    wanted = focus or Focus()

    def draw(what: str) -> Random:
        return Random(f"kimberley simulation {number} {what}")

    trick = CATALOGUE[wanted.trick] if wanted.trick else None
    rng = draw("game")
    if wanted.game or wanted.seats or trick:
        games = [name for name in GAMES if trick is None or trick.possible(lookup.find(name))]
        game = lookup.find(wanted.game or rng.choice(games))
        seats = wanted.seats or rng.choice([seats for seats in game.seats if not trick or seats >= trick.least_seats])
    else:
        game = lookup.find(rng.choices(tuple(GAMES), tuple(GAMES.values()))[0])
        seats = min(game.seats) if rng.random() < FEWEST_SHARE else rng.choice(tuple(game.seats))
    group = RISTRETTO if rng.random() < RISTRETTO_SHARE and not wanted.small else SMALL
    crashes = _crashes(seats, draw("crashes"))
    goes, tricks = _goes(seats, draw("goes"), wanted), _tricks(game, seats, draw("tricks"), wanted)
    if wanted.old:
        crashes, goes = crashes or {0: (40,)}, {}
    return Plan(
        number,
        game,
        seats,
        _options(game, seats, draw("options")),
        draw("begins").choice((None, *range(seats))),
        group,
        _weather(draw("weather")),
        crashes,
        goes,
        tricks,
        {} if goes or tricks else _old(crashes, draw("old"), wanted),
        wanted.eager,
    )


def _options(game: Game, seats: int, rng: Random) -> dict[str, Plain]:
    """The options that end soonest, with an occasional random value that the game accepts."""
    options = dict(game.quick)
    for option in game.options:
        values = [value for value, _ in option.values if (option.name, value) not in TOO_LONG]
        if rng.random() < 0.3:
            other = options | {option.name: rng.choice(values)}
            try:
                game.start(seats, other)
            except ValueError:
                continue
            options = other
    return options


def _weather(rng: Random) -> Weather:
    if rng.random() < 0.25:
        return Weather(0.001, 0.002, 0.0, 0, 0)
    longest = rng.choice((0.01, 0.1, 1.0))
    return Weather(0.001, longest, rng.choice((0.0, 0.1)), rng.randrange(6), rng.randrange(3))


def _crashes(seats: int, rng: Random) -> dict[int, tuple[int, ...]]:
    if rng.random() < 0.4:
        return {}
    crashing = rng.sample(range(seats), rng.randint(1, min(seats, 2)))
    return {seat: tuple(sorted(rng.randrange(1, 400) for _ in range(rng.randint(1, 3)))) for seat in crashing}


def _old(crashes: Mapping[int, tuple[int, ...]], rng: Random, wanted: Focus) -> dict[int, int]:
    if not crashes or (not wanted.old and rng.random() >= OLD_SHARE):
        return {}
    return {rng.choice(sorted(crashes)): rng.randint(1, 3)}


def _goes(seats: int, rng: Random, wanted: Focus) -> dict[int, int]:
    if not wanted.goes and (wanted.trick or rng.random() < 0.7):
        return {}
    return {seat: rng.choice((0, 1, 3, 8, 20)) for seat in rng.sample(range(seats), rng.randint(1, seats))}


def _tricks(game: Game, seats: int, rng: Random, wanted: Focus) -> dict[int, str]:
    """No tricks at half of the tables. At most of the others one seat cheats; at the rest, any number but not all."""
    if wanted.trick:
        return {rng.randrange(seats): wanted.trick}
    if wanted.honest or rng.random() < 0.5:
        return {}
    names = [name for name, trick in CATALOGUE.items() if trick.possible(game) and trick.least_seats <= seats]
    count = 1 if rng.random() < 0.8 else rng.randint(1, seats - 1)
    return {seat: rng.choice(names) for seat in sorted(rng.sample(range(seats), count))}
