"""The interface of a game's bots: players of several levels, and the levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from kimberley.games.table import Observation, Plain


class Stopped(Exception):
    """Nobody waits for the choice any more."""


def unreported(progress: object) -> None:
    """Ignores how far the thinking about a choice has come, or the best choice so far."""


class Bot(Protocol):
    """A computer player, which chooses for a seat from its observation alone."""

    def choose(self, observation: Observation) -> Plain:
        """Chooses from the space that the observation's state offers its seat.

        In a last look it should do the same work whether or not the seat was told something: others can see how long it
        takes.
        """


@runtime_checkable
class Comparing(Protocol):
    """A bot that can say what it compared its choice with."""

    def runner_up(self) -> Plain | None:
        """Returns the best alternative to the last choice; None if there was none to compare. It may think first."""


@runtime_checkable
class Foreseeing(Protocol):
    """A bot that can see that it will lose, whatever it chooses."""

    @property
    def loses_within(self) -> int | None:
        """Returns how many turns an opponent that plays its best needs after the last choice, and after any other; None
        if the bot sees no such loss.
        """


@dataclass(frozen=True, slots=True)
class Level:
    """A strength of a game's bots. `about` says how its bots play, without a subject: "Acts on impulse.". `name` has at
    most 20 characters.
    """

    name: str
    about: str


@runtime_checkable
class Bots(Protocol):
    """The bots of a game (`games.bots.lookup`)."""

    @property
    def levels(self) -> Sequence[Level]:
        """The levels, from the weakest. They are numbered from 1; levels that differ little share a name."""

    def bot(self, level: int, seed: int) -> Bot:
        """Returns a bot of a level, by its number in `levels`."""
