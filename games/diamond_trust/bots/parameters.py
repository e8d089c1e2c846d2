"""The weights of the simulation policy: their names, where tuning begins, and what tuning and training found.

`tuned.json` holds what `python -m tests.lab tune` and `train` found, and how: it is not written by hand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import inf
from random import Random
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt


class NotTrained(ValueError):
    """Data is not what training writes; the message, the rest of a sentence, says why."""


Numbers: TypeAlias = npt.NDArray[np.float32]
"""One number for each of `NAMES`."""
Row: TypeAlias = tuple[float, ...]
"""The same numbers, hashable and comparable."""

FILE: Final = "tuned.json"

START: Final = {
    # Pay: how often a first salary, a further one and a bribe, and about how much.
    "salary_first": 0.6, "salary_more": 0.15, "salary_size": 3.0, "salary_step": 2.0,
    "bribe_often": 0.4, "bribe_late": 0.2, "bribe_size": 3.0,
    # Where to: what makes a region, the Inspector's region and home attractive.
    "diamond": 0.6, "root": 1.0, "root_last": 0.5, "rival": -0.5, "rival_last": 0.0, "rival_diamond": -0.1, "stay": 1.0,
    "inspector": -1.5, "inspector_hunt": 0.4, "inspector_guard": 0.05, "inspector_diamond": -0.2, "inspector_load": 0.0,
    "home": -1.0, "home_month": 0.0, "home_load": 0.3, "home_load_month": 0.0, "home_root": 0.0, "home_stay": -1.0,
    # What to pay there, alone or with an agent of the other side, and to the Inspector.
    "low_alone": 0.5, "low_met": 0.2, "span_alone": 0.8, "span_met": 1.2, "base_alone": 0.1, "base_met": 0.1,
    "bend": 1.5, "spend": 0.0, "bribe_base": 0.3, "bribe_span": 0.6, "bribe_hunt": 0.15, "bribe_guard": 0.05,
    "last_power": 0.7, "last_spread": 1.0, "last_met": 0.2,
    # What to make of a plan that was told.
    "outbid": 1.2, "told_cheap": 1.0, "told_dear": -1.0, "told_margin": 1.0,
    # Where the Inspector is sent, and the sale.
    "block": 0.5,
    "sale_1": -2.0, "sale_1_price": 0.0, "sale_2": -3.0, "sale_2_price": 0.0, "sale_3": -4.0, "sale_3_price": 0.0,
    "sale_worth": 1.0,
}  # fmt: skip
NAMES: Final = tuple(START)


def numbers(values: Mapping[str, float]) -> Numbers:
    """Returns the numbers by name; those not named are as in `START`."""
    return np.array([values.get(name, start) for name, start in START.items()], np.float32)


def read_numbers(plain: Any) -> Numbers:
    """Returns the numbers that were kept, in the order of `NAMES`. Raises TypeError or ValueError for others."""
    try:
        with np.errstate(over="ignore"):
            read = np.array(plain, np.float32)
    except OverflowError:
        read = np.full(len(NAMES), np.inf, np.float32)
    if read.shape != (len(NAMES),):
        raise NotTrained(f"it belongs to another policy, which does not have {len(NAMES)} numbers")
    if not np.isfinite(read).all():
        raise NotTrained("a number in it is not finite")
    return read


def read_whole(plain: Mapping[str, Any], name: str, least: int, most: float = inf) -> int:
    """Returns a whole number by its name. Raises KeyError, TypeError or ValueError for something else."""
    number = plain[name]
    if type(number) is not int or not least <= number <= most:
        raise NotTrained(f"its {name!r} is not a whole number of the right size")
    return number


def read_shares(plain: Any) -> tuple[float, ...]:
    """Returns numbers from 0 to 1. Raises TypeError or ValueError for something else."""
    shares = tuple(plain)
    if not all(0 <= share <= 1 for share in shares):
        raise NotTrained("a share in it is not from 0 to 1")
    return tuple(float(share) for share in shares)


def named(values: Numbers) -> dict[str, float]:
    """Returns the numbers by name, rounded to what matters."""
    return {name: round(float(value), 4) for name, value in zip(NAMES, values, strict=True)}


@dataclass(frozen=True)
class Mix:
    """Players whose numbers a search can follow. It follows one of the first few in a game, each in its share of games.
    The other side may play as any of them.
    """

    players: tuple[Row, ...]
    shares: tuple[float, ...]

    @classmethod
    def of_plain(cls, plain: Mapping[str, Any]) -> Mix:
        """Reads what training wrote, or what `shipped` gives. Raises KeyError, TypeError or ValueError for something
        else.
        """
        players = tuple(cls._row_of_plain(player) for player in plain["players"])
        shares = read_shares(plain["shares"])
        if not 0 < len(shares) <= len(players) or sum(shares) <= 0:
            raise NotTrained("its shares are not those of its players")
        return cls(players, shares)

    @staticmethod
    def _row_of_plain(player: Any) -> Row:
        if not isinstance(player, Mapping):
            raise NotTrained("a player in it is not numbers by name")
        return tuple(read_numbers([player.get(name, start) for name, start in START.items()]).tolist())

    def following(self, number: int) -> Mix:
        """Returns the same players, with the one of that number followed in every game."""
        players = list(self.players)
        return Mix((players.pop(number), *players), (1.0,))

    def models(self, seed: int) -> list[Numbers]:
        """Returns, in the game of a seed, the player that is followed, then all others."""
        followed = Random(f"{seed} mix").choices(range(len(self.shares)), self.shares)[0]
        return [np.array(player, np.float32) for player in self.following(followed).players]


def shipped() -> dict[str, Any]:
    """Returns what was found: `players`, each by name, the `shares` of the first few, what they have `won` of one
    another (by row, the share of the player of the row), and the figures of the runs.
    """
    trained: dict[str, Any] = json.loads(files("kimberley.games.diamond_trust.bots").joinpath(FILE).read_text("utf-8"))
    return trained


@cache
def tuned() -> tuple[Numbers, ...]:
    """Returns the players that tuning found: the best first, then the others that it was measured against."""
    return tuple(numbers(player) for player in shipped()["players"])


@cache
def shipped_mix() -> Mix:
    """Returns the players that the bot follows."""
    return Mix.of_plain(shipped())
