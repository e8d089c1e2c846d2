"""Plays any game with nothing hidden, for the bots' simulations, for benchmarks and for tests.

The arena stands in for the whole table. It rolls the dice, keeps the total of every tally, delivers a tell where one
tally exceeds another, and refuses what a real table would refuse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from kimberley.games.table import Answer, Ask, BySeat, Plain, Result, Space, State, Tally, Within


class IllegalChoice(ValueError):
    """A seat chose what the rules forbid."""

    def __init__(self, seat: int, topic: str, choice: Plain, reason: str) -> None:
        super().__init__(f"seat {seat}, {topic}: {reason} (it chose {choice!r})")
        self.seat = seat
        self.reason = reason


class Arena:
    """One table at which everything is known.

    `truth` is the state with nothing hidden. `tallies` are the totals sealed so far. To continue from the middle of a
    game, pass those that belong to `truth`.
    """

    def __init__(self, truth: State, rng: Random, tallies: Mapping[Tally, int] | None = None) -> None:
        self.truth = truth
        self.rng = rng
        self.tallies = dict(tallies or {})
        self.parts: list[tuple[Plain, ...]] = []
        """The parts of every item, by its handle."""

    def advance(self, choices: Mapping[int, Plain]) -> Answer:
        """Answers the pending ask with the `choices` of the seats asked, and returns the answer.

        Raises IllegalChoice for a choice that the rules forbid, and ValueError when the game is over.
        """
        ask = self.truth.ask()
        if isinstance(ask, Result):
            raise ValueError(f"the game is over: {ask.reason}")
        answer = self.answer(ask, choices)
        self.apply(answer)
        return answer

    def apply(self, answer: Answer) -> None:
        """Applies an answer that `answer` or a test has made."""
        self.truth = self.truth.apply(answer)

    def answer(self, ask: Ask, choices: Mapping[int, Plain]) -> Answer:
        """Returns the true answer to the ask; what is sealed is added to its tallies."""
        return ask.resolve(self, choices)

    def total(self, tally: Tally) -> int:
        """Returns what is sealed into a tally so far."""
        return self.tallies.get(tally, 0)

    def choice(self, seat: int, space: Space, within: Within | None, topic: str, choices: Mapping[int, Plain]) -> Plain:
        """Returns a seat's choice. Raises IllegalChoice if the rules or the limit forbid it."""
        choice = choices[seat]
        reason = space.violation(choice)
        if reason is None and within is not None and self.total(within.tally) + space.cost(choice) > within.limit:
            reason = f"more than the limit of {within.limit} on what is {within.tally.name}"
        if reason is not None:
            raise IllegalChoice(seat, topic, choice, reason)
        return choice

    def choice_of_each(
        self, spaces: BySeat, within: Sequence[Within | None], topic: str, choices: Mapping[int, Plain]
    ) -> tuple[Plain, ...]:
        """Returns the choice of each seat, None where it is not asked. Raises IllegalChoice."""
        return tuple(
            None if space is None else self.choice(seat, space, bound, topic, choices)
            for seat, (space, bound) in enumerate(zip(spaces, within, strict=True))
        )
