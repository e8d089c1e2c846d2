"""Pieces of text that the whole board shares: money, diamonds, names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.api import Span
from kimberley.client.boards.diamond_trust.scene import Spans, badge, on_side
from kimberley.client.ui.palette import Color
from kimberley.games.diamond_trust.angola import AGENTS, HOMES, SEATS, place_name
from kimberley.games.diamond_trust.knowledge import Estimate, Exact, Unknown
from kimberley.games.table import Plain

Amount = int | Estimate | None
"""A number, what is known of one, or None where nothing is."""


def look_over(plan: Plain, stood: Plain, shown: Plain) -> str:
    """What counts when the time of a last look is over: `stood` does, of a `plan`, while `shown` was to be seen."""
    if shown != stood:
        return "Time is up. Your last change was not a legal plan yet, so it does not count."
    return "Time is over: your plan stands." if stood == plan else "Time is over: your changed plan counts."


def soft(text: str) -> Span:
    """A label."""
    return Span(text, "soft")


def strong(text: str, fg: Color = "text") -> Span:
    """A value."""
    return Span(text, fg, True)


def money(amount: Amount) -> Span:
    """Dollars: $3, $>3 as >$3, or ? where nothing is known."""
    match amount:
        case None | Unknown():
            return strong("?")
        case int(number) | Exact(number):
            return strong(f"${number}", "money")
        case _:
            return strong(f">${amount.amount}", "money")


def stones(number: int) -> Spans:
    """Diamonds, with their sign."""
    return strong("◆", "ice"), strong(f" {number}", "ice")


def agent_mark(seat: int, agent: int) -> Span:
    """An agent's badge in its side's colors."""
    return on_side(seat, badge(seat, agent))


def where(place: int, seat: int) -> str:
    """What the place of an agent of `seat` is called."""
    return place_name(place, seat)


def joined(groups: Sequence[Spans], gap: str = "   ") -> Spans:
    """Groups of spans with a gap between them; empty ones are left out."""
    out: list[Span] = []
    for group in groups:
        if group:
            out += [Span(gap), *group] if out else list(group)
    return tuple(out)


_SPOKEN: Final = {
    badge(seat, agent): f"{HOMES[seat]}’s agent {agent + 1}" for seat in range(SEATS) for agent in range(AGENTS)
}


_COUNTED: Final = re.compile(r"◆ (\d+)")


def spoken(text: str) -> str:
    """Text for the ear: agents by name instead of by badge, and no signs."""
    for mark, words in _SPOKEN.items():
        text = text.replace(mark, words)
    return _COUNTED.sub(r"\1 diamonds", text).replace("♥", "").replace("◆ ", "")
