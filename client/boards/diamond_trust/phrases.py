"""Pieces of text that the whole board shares: money, diamonds, names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from kimberley.client.boards.diamond_trust.scene import badge, on_side
from kimberley.client.session.participants import short_name
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.palette import Color
from kimberley.client.ui.spans import Span, Spans, spans_width
from kimberley.games.diamond_trust.angola import AGENTS, HOMES, REGIONS, SEATS, Order, place_name
from kimberley.games.diamond_trust.bots.deduction import AtMost, Deduced
from kimberley.games.diamond_trust.knowledge import Exact, Unknown
from kimberley.games.diamond_trust.rules import State
from kimberley.games.phrases import count_of, join_names
from kimberley.games.table import Plain
from kimberley.p2p.table.common_options import AdjustTimes

WAIT_IN_SHORT: Final = "The wait does not show who got a report."
WAIT_HIDES: Final = "Your opponent may be adjusting; the wait does not show who got a report."
"""What is said about a time to adjust that may end early, to a player who is done with it, whether or not anybody
adjusts: the same to both sides.
"""
LINE: Final = 78
"""The columns of a line of the card on a small screen."""
TAUGHT: Final = 2
"""The first months, in which the board explains the game."""

Amount = int | Deduced | None
"""A number, what is known of one, or None where nothing is."""


def look_over(plan: Plain, stood: Plain, entered: Plain) -> str:
    """Says what counts when the time of a last look is over: `stood` does. The `plan` came before it, and
    `entered` is what the player saw last.
    """
    if entered != stood:
        return "Time is up. Your last change was incomplete, so it does not count."
    return "Time is up: your plan stands." if stood == plan else "Time is up: your new plan counts."


def look_ahead(times: AdjustTimes) -> str:
    """Says that a plan can be adjusted later, and for how long."""
    if times.most:
        return f"If an agent reports to you, you have {times.most} s to adjust your plan."
    return "If an agent reports to you, you can adjust your plan."


def told_last_look(right: bool, times: AdjustTimes, *, sale: bool = False) -> str:
    """Says whether a player may change a plan of a move or a `sale`, and how long that takes."""
    limit = count_of(times.most, "second")
    if right:
        early = f" Be done within {count_of(times.quiet, 'second')}, and nobody can tell that an agent reported to you."
        time = f" You have {limit}." if times.most else ""
        return f"Adjust: you can change your plan.{early if times.quiet < times.most else ''}{time}"
    wait = f"Both sides wait {limit}." if times.fixed else WAIT_HIDES
    what = "no sale was reported to you, so your number" if sale else "no agent reported to you, so your plan"
    return f"Adjust: {what} stands.{f' {wait}' if times.most else ''}"


def was(agents: Sequence[int]) -> str:
    """Returns the verb for one agent or several."""
    return "was" if len(agents) == 1 else "were"


def soft(text: str) -> Span:
    """Returns a label."""
    return Span(text, "soft")


def strong(text: str, fg: Color = "text") -> Span:
    """Returns a value."""
    return Span(text, fg, True)


def money(amount: Amount) -> Span:
    """Returns dollars: $3, ≥ $3 for at least that, ≤ $3 for at most that, or ? where nothing is known."""
    match amount:
        case None | Unknown():
            return strong("?")
        case int(number) | Exact(number):
            return strong(f"${number}", "money")
        case AtMost(number):
            return strong(f"≤ ${number}", "money")
        case _:
            return strong(f"≥ ${amount.amount}", "money")


def stones(number: int) -> Spans:
    """Returns diamonds, with their sign."""
    return strong("◆", "ice"), strong(f" {number}", "ice")


def bribe_failed(marks: str, whose: str, bribes: Amount, *, several: bool = False) -> Spans:
    """Says that bribes have not turned an agent, or several agents."""
    if several:
        return (strong(marks), soft(f" reveal nothing: {whose} bribes do not exceed their salaries."))
    return (
        strong(marks),
        soft(f" reveals nothing: {whose} bribes of "),
        money(bribes),
        soft(" do not exceed its salary."),
    )


def agent_mark(seat: int, agent: int) -> Span:
    """Returns an agent's badge in its side's colors."""
    return on_side(seat, badge(seat, agent))


def where(place: int, seat: int) -> str:
    """Says what the place of an agent of `seat` is called."""
    return place_name(place, seat)


def explains(state: State) -> bool:
    """Returns whether the screen explains the game. After TAUGHT months it only says what is asked."""
    return state.round() <= TAUGHT


def joined(groups: Sequence[Spans], gap: str = "   ") -> Spans:
    """Joins groups of spans with a gap between them; empty ones are left out."""
    out: list[Span] = []
    for group in groups:
        if group:
            out += [Span(gap), *group] if out else list(group)
    return tuple(out)


def beside_names(facts: Mapping[int, Spans], names: Sequence[str], before: Spans = (), gap: str = "      ") -> Spans:
    """Returns a line of the card: what there is to say of each side, after its name. If that is too long, the gap
    between both is smaller, then their names are cut.
    """
    seats = sorted(facts, key=lambda seat: cell_width(names[seat]))
    rest = sum(map(spans_width, (before, *facts.values())))
    gap = gap if rest + sum(cell_width(names[seat]) for seat in seats) + len(gap) <= LINE else gap[:3]
    room, short = LINE - rest - len(gap), dict[int, str]()
    for left, seat in zip(range(len(seats), 0, -1), seats, strict=True):
        short[seat] = short_name(names, seat, max(1, room // left))
        room -= cell_width(short[seat])
    return (*before, *joined([(soft(short[seat]), *spans) for seat, spans in facts.items()], gap))


_BADGES: Final = {badge(seat, agent): (seat, agent) for seat in range(SEATS) for agent in range(AGENTS)}
_BADGE: Final = re.compile(r"[\[(][1-3][\])]")
_COUNTED: Final = re.compile(r"◆ (\d+)")
_SIGNS: Final = re.compile(r"([\[(][1-3][\])]|\$\d+|◆ \d+|♥)")


def counted(number: int) -> str:
    """Returns diamonds in words."""
    return f"{number or 'no'} diamond{'' if number == 1 else 's'}"


def the_diamonds(number: int) -> str:
    """Returns how to refer to diamonds that were counted before."""
    return "the diamond" if number == 1 else "the diamonds"


def only_left(number: int) -> str:
    """Returns the beginning of a sentence that says that too much was asked for: how many dollars are left."""
    return f"Only ${number} is left" if number else "No money is left"


def dollars(amount: Amount) -> str:
    """Returns money in a sentence."""
    match amount:
        case None | Unknown():
            return "an unknown amount"
        case int(number) | Exact(number):
            return f"${number}"
        case AtMost(number):
            return f"at most ${number}"
        case _:
            return f"at least ${amount.amount}"


def order_words(order: Order, here: int, side: int) -> str:
    """Returns the orders of an agent of `side` that stands `here` in words without a subject."""
    return join_names(order_parts(order, here, side))


def order_parts(order: Order, here: int, side: int) -> list[str]:
    """Returns the same in parts: where the agent goes or stays, what it offers, and its bribe for the Inspector."""
    to, payment, bribe = order
    parts = [f"{'stays in' if to == here else 'goes to'} {place_name(to, side)}"]
    parts += [f"offers ${payment}"] if payment else []
    return parts + ([f"bribes the Inspector with ${bribe}"] if bribe else [])


def region_named(name: str) -> int | str:
    """Returns the region whose name begins with `name`; or a sentence: there is none, or which ones it could be."""
    matches = [index for index, region in enumerate(REGIONS) if region.lower().startswith(name)] if name else []
    if len(matches) == 1:
        return matches[0]
    if len(matches) > 1:
        return f"{name} could be {join_names([REGIONS[index] for index in matches], 'or')}."
    return f"There is no region {name!r}. The regions are {join_names(REGIONS)}."


def agent_name(seat: int, agent: int, you: int | None) -> str:
    """Says what an agent is called in words. `you` is the seat of the reader, None for a spectator."""
    whose = f"{HOMES[seat]}’s" if you is None else "your" if seat == you else "enemy"
    return f"{whose} agent {agent + 1}"


def short_agent_name(seat: int, agent: int, you: int) -> str:
    """Returns what an agent is called where several may be named: "agent 1" of one's own, "enemy agent 1"."""
    return f"{'' if seat == you else 'enemy '}agent {agent + 1}"


def agents_named(agents: Sequence[int]) -> str:
    """Returns several agents of one side: "agent 1", "agents 1 and 3"."""
    return f"agent{'' if len(agents) == 1 else 's'} {join_names([str(agent + 1) for agent in sorted(agents)])}"


def spoken(text: str, you: int | None = None) -> str:
    """Returns a sentence to read aloud: agents by name instead of by badge, and no signs."""
    text = _BADGE.sub(lambda match: agent_name(*_BADGES[match[0]], you), text)
    text = _COUNTED.sub(lambda match: counted(int(match[1])), text).replace("♥ ", "")
    return f"{text[:1].upper()}{text[1:]}" if text.startswith(("your ", "enemy ")) else text


def colored(text: str) -> Spans:
    """Returns a sentence with its badges, money and diamonds in their colors."""
    return tuple(_sign(part) for part in _SIGNS.split(text) if part)


def _sign(part: str) -> Span:
    if part in _BADGES:
        return agent_mark(*_BADGES[part])
    if not _SIGNS.fullmatch(part):
        return soft(part)
    return strong(part, "heart" if part == "♥" else "ice" if part.startswith("◆") else "money")
