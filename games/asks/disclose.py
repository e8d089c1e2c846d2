"""Disclose: seats tell each other what only the holder of a greater tally can read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kimberley.games.asks.base import Ask, Dealer
from kimberley.games.spaces import Space, Tally
from kimberley.games.values import HIDDEN, NOTHING, Answer, Hidden, Plain


@dataclass(frozen=True, slots=True)
class Tell:
    """A message from `owner` that `receiver` can read only if its tally `more` is above the owner's tally `than`.

    The owner never learns whether it could. `kind` names the message, `size` is the width of its encoding in bytes, and
    `what` is the space that it lies in. `says` is what an honest owner tells: known in the owner's state, HIDDEN in the
    others'.
    """

    owner: int
    receiver: int
    more: Tally
    than: Tally
    kind: str
    size: int
    what: Space
    says: Plain | Hidden


@dataclass(frozen=True, slots=True)
class Disclose(Ask):
    """A batch of tells. Answer, one entry for each tell: for the receiver what it was told, or NOTHING; for everybody
    else HIDDEN.
    """

    tells: tuple[Tell, ...]

    def visible_answer(self, answer: Answer, seat: int | None) -> Answer:
        return tuple(
            payload if tell.receiver == seat else HIDDEN for tell, payload in zip(self.tells, answer, strict=True)
        )

    def resolve(self, dealer: Dealer, choices: Mapping[int, Plain]) -> Answer:
        del choices
        return tuple(tell.says if dealer.total(tell.more) > dealer.total(tell.than) else NOTHING for tell in self.tells)

    @property
    def subject(self) -> str:
        return f"agents’ reports on the {self.tells[0].kind}" if self.tells else "agents’ reports"

    @property
    def details(self) -> str:
        return ", ".join(dict.fromkeys(tell.kind for tell in self.tells))
