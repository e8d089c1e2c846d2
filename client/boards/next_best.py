"""What every game's advice says in the same way: about a choice compared with others, and about the next best one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

FORESEEN: Final = "looking ahead, nothing else comes out better"
"""About a choice whose advantage does not show at first."""
EQUALLY_GOOD: Final = "Looking ahead, both are about equally good."
"""About two choices that are certain to be about as good as each other."""
ALIKE: Final = "the difference shows only later on"
"""About two choices that do the same at first."""


class NextBest(NamedTuple):
    """The second-best choice of a bot: what to do, and a fact that is true of it alone; empty if none shows."""

    action: str
    fact: str

    def sentence(self, *, equally_good: bool = False) -> str:
        """Returns it as advice, beside a choice that is certain to be about as good or not. Orders for several agents
        follow a colon: "is to ..." does not fit a list.
        """
        action, fact = _begun(self.action, str.lower), self.fact if equally_good else self.fact or ALIKE
        if "; " in action:
            sentence = f"The next best choice: {action}.{f' {_begun(fact, str.upper)}.' if fact else ''}"
        else:
            # "The next best choice is to choose" would say it twice.
            what = action.removeprefix("choose ") if action.startswith("choose ") else f"to {action}"
            sentence = f"The next best choice is {what}{f': {fact}' if fact else ''}."
        return f"{sentence} {EQUALLY_GOOD}" if equally_good else sentence


def _begun(text: str, case: Callable[[str], str]) -> str:
    """Returns a text with its first letter in another case."""
    return f"{case(text[:1])}{text[1:]}"


def next_best(action: str, fact: str, best: str = "") -> NextBest:
    """Returns the second-best choice of a bot: the `action`, and a `fact` about it unless the same is true of the
    `best` one.
    """
    return NextBest(action, "" if fact == best else fact)
