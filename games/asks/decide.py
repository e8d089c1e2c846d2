"""Decide: one seat chooses in the open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kimberley.games.asks.base import Ask, Dealer
from kimberley.games.spaces import Space
from kimberley.games.values import Answer, Plain


@dataclass(frozen=True, slots=True)
class Decide(Ask):
    """One seat chooses, and all learn what. Answer: the choice."""

    seat: int
    space: Space
    topic: str

    @property
    def choosers(self) -> tuple[int, ...]:
        return (self.seat,)

    def space_for(self, seat: int) -> Space | None:
        return self.space if seat == self.seat else None

    def choice_in(self, answer: Answer, seat: int) -> Plain:
        choice: Plain = answer
        return choice

    def resolve(self, dealer: Dealer, choices: Mapping[int, Plain]) -> Answer:
        return dealer.choice(self.seat, self.space, None, self.topic, choices)

    @property
    def details(self) -> str:
        return self.topic

    @property
    def subject(self) -> str:
        return self.topic

    def describe(self, answer: Answer, names: Sequence[str], in_text: Callable[[Answer], str]) -> str:
        return f"{names[self.seat]}: {self.topic} {in_text(answer)}."
