"""Disclose: seats tell each other what only a greater tally can read."""

from __future__ import annotations

from dataclasses import dataclass

from kimberley.games.spaces import Space, Tally
from kimberley.games.values import Hidden, Plain


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
class Disclose:
    """A batch of tells. Answer, one entry for each tell: for the receiver what it was told, or NOTHING; for everybody
    else HIDDEN.
    """

    tells: tuple[Tell, ...]
