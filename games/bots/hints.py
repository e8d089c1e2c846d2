"""What a hint names: the choice of a bot of the highest level, the second best, and whether the two are equally good.

The same observation always gets the same answer. A review asks about small losses, so that it never calls a choice a
mistake that a hint has named.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple, Protocol, runtime_checkable

from kimberley.games.bots.base import Bot, Comparing
from kimberley.games.bots.judge_levels import NORMAL_LEVEL
from kimberley.games.bots.levels import levels_of, make_bot
from kimberley.games.bots.lookup import bots_of
from kimberley.games.bots.review import CannotReview, SupportsReview, equally_good
from kimberley.games.table import Game, Observation, Plain

SEED: Final = 0
"""The seed of the bot that advises a player: no opponent has it, and the same question always has the same answer."""


@runtime_checkable
class Naming(Protocol):
    """A bot whose choices hold more than a hint says, or have parts in an order that does not matter."""

    def named(self, observation: Observation, choice: Plain) -> Plain:
        """Returns a choice as a hint names it."""

    def alike(self, choice: Plain, other: Plain) -> bool:
        """Returns whether a hint that names one of two choices names the other."""


@runtime_checkable
class Mixing(Protocol):
    """A bot that draws among choices, so that no opponent foresees what it does."""

    def choose_likeliest(self, observation: Observation) -> Plain:
        """Returns the choice that it makes most often."""


@runtime_checkable
class Resting(Protocol):
    """A bot with choices that are not worthwhile where doing nothing is as good."""

    def is_idle(self, choice: Plain, other: Plain) -> bool:
        """Returns whether, of two choices about equally good, the other does nothing and this one hardly more."""


class Compared(NamedTuple):
    """The second best after the choice that a hint names, and whether a judge is certain that it is about as good."""

    choice: Plain
    equally_good: bool


def make_adviser(game: Game) -> Bot:
    """Returns the bot that advises a player. It is of the highest level, whatever the opponents' level."""
    return make_bot(game, len(levels_of(game)), SEED)


def choose(bot: Bot, observation: Observation) -> Plain:
    """Returns the choice that a hint names."""
    # A draw can fall on the worse of two choices, which a hint would then call the better one.
    likeliest = bot.choose_likeliest if isinstance(bot, Mixing) else bot.choose
    return _named(bot, observation, likeliest(observation))


def compare(game: Game, bot: Bot, observation: Observation, choice: Plain) -> Compared | None:
    """Returns what the bot compared its last choice with; None if with nothing."""
    other = bot.runner_up() if isinstance(bot, Comparing) else None
    if other is None:
        return None
    other = _named(bot, observation, other)
    bots = bots_of(game)
    try:
        judge = bots.judge(NORMAL_LEVEL) if isinstance(bots, SupportsReview) else None
    except CannotReview:
        judge = None
    return Compared(other, judge is not None and equally_good(judge, observation, choice, other, Random(SEED)))


def is_idle(bot: Bot, choice: Plain, compared: Compared) -> bool:
    """Returns whether a hint names the second best in place of a choice: it does nothing, and is as good."""
    return compared.equally_good and isinstance(bot, Resting) and bot.is_idle(choice, compared.choice)


def names(game: Game, observation: Observation, choice: Plain) -> bool:
    """Returns whether a hint names a choice, as the best or as one that is about as good."""
    bot = make_adviser(game)
    best = choose(bot, observation)
    if _alike(bot, best, choice):
        return True
    compared = compare(game, bot, observation, best)
    return compared is not None and compared.equally_good and _alike(bot, compared.choice, choice)


def _named(bot: Bot, observation: Observation, choice: Plain) -> Plain:
    return bot.named(observation, choice) if isinstance(bot, Naming) else choice


def _alike(bot: Bot, choice: Plain, other: Plain) -> bool:
    return bot.alike(choice, other) if isinstance(bot, Naming) else choice == other
