"""The card on the upper screen: about an agent, about the Inspector, or about how things stand.

It says what one seat knows. For a spectator (`viewer` None) it says all that the state holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.client.boards.diamond_trust.phrases import (
    LINE,
    Amount,
    agent_mark,
    beside_names,
    joined,
    money,
    soft,
    stones,
    strong,
    where,
)
from kimberley.client.ui.spans import Span, Spans, spans_width
from kimberley.games.diamond_trust.angola import AGENTS, HOME, HOMES, REGIONS, SEATS, Order, other, trip_cost
from kimberley.games.diamond_trust.bots.deduction import (
    AtMost,
    TotalRange,
    bribe_bounds,
    is_turned,
    salary_bounds,
)
from kimberley.games.diamond_trust.knowledge import Knowledge, Unknown
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Hidden

SECOND: Final = LINE - 6
"""The columns of the second line of an agent's card, which is indented."""


@dataclass(frozen=True, slots=True)
class CardField:
    """A label and what there is to say under it. Without a label it is a line of text."""

    label: str
    value: Spans


@dataclass(frozen=True, slots=True)
class InfoCard:
    """A card, given twice: `narrow` in two rows, `wide` in up to four columns of three lines each.

    `mark` is the agent whose figure stands at the left of the first column, as (seat, agent), or None. A `treason` has
    a heart there, and a ground in its color.
    """

    narrow: tuple[Spans, Spans]
    wide: tuple[tuple[CardField, ...], ...]
    mark: tuple[int, int] | None = None
    treason: bool = False


@dataclass(frozen=True, slots=True)
class AgentFacts:
    """What one seat knows of one agent. `bribed` lists the agents it may have bribed, with what it paid them."""

    seat: int
    agent: int
    place: int
    carries: int
    salary: Amount
    bribes: Amount
    bribers: tuple[int, ...] | None
    bribed: tuple[tuple[int, Amount], ...]
    turned: bool | None


def _known(state: State, viewer: int) -> Knowledge:
    known = state.known[viewer]
    assert isinstance(known, Knowledge), "a seat’s own knowledge is never hidden from it"
    return known


def _plain(total: object) -> int | None:
    return total if isinstance(total, int) else None


def _exactly(bounds: TotalRange) -> Amount:
    """Returns what is known of an amount, a number where it is certain."""
    return bounds.least if bounds.least == bounds.most else bounds.estimate()


def _exceeds(bribes: Amount, salary: Amount) -> bool | None:
    """Returns whether bribes are above a salary; None where that is not known."""
    if bribes == 0:
        return False
    return bribes > salary if isinstance(bribes, int) and isinstance(salary, int) else None


def agent_facts(state: State, viewer: int | None, seat: int, agent: int) -> AgentFacts:
    """Returns what `viewer` knows of an agent of `seat`."""
    rival = other(seat)
    place, carries = state.agents[seat][agent]
    salary: Amount = _plain(state.salary[seat][agent])
    bribes: Amount = _plain(state.bribes[seat][agent])
    briber = state.last_briber[seat][agent]
    bribers: tuple[int, ...] | None = (
        (briber,) if isinstance(briber, int) else None if isinstance(briber, Hidden) else ()
    )
    bribed: list[tuple[int, Amount]] = [
        (target, _plain(state.bribes[rival][target]))
        for target in range(AGENTS)
        if state.last_briber[rival][target] == agent
    ]
    turned: bool | None
    if viewer is None:
        turned = _exceeds(bribes, salary)
        if any(isinstance(target, Hidden) for target in state.last_briber[rival]):
            bribed += [(target, None) for target, at in enumerate(state.places(rival)) if at == place != HOME]
    elif viewer == seat:
        turned, bounds = is_turned(state, seat, agent), bribe_bounds(state, seat, agent)
        bribes, source = _exactly(bounds), _known(state, seat).bribers[agent]
        bribers = (source,) if source is not None else None if bounds.most else ()
    else:
        known = _known(state, viewer)
        turned, salary = known.turned[agent], _exactly(salary_bounds(state, viewer, agent))
        bribed = [
            (target, _exactly(bribe_bounds(state, viewer, target)))
            for target in range(AGENTS)
            if known.bribers[target] == agent
        ]
        certain = {target for target, _ in bribed}
        bribed += [
            (target, None)
            for target, place_of_target in enumerate(state.places(viewer))
            if place_of_target == place != HOME and target not in certain
        ]
    return AgentFacts(seat, agent, place, carries, salary, bribes, bribers, tuple(bribed), turned)


def loyalty(facts: AgentFacts, viewer: int | None, names: Sequence[str]) -> Span:
    """Returns whether the agent is turned, as far as the viewer knows."""
    rival = names[other(facts.seat)]
    if facts.turned:
        return strong(
            "♥ double agent for you" if viewer == other(facts.seat) else f"♥ double agent for {rival}", "heart"
        )
    if viewer is None and facts.turned is None:
        return soft("loyal?")
    # An enemy agent that is not loyal reports.
    if viewer != facts.seat or facts.turned is False or facts.bribes == 0:
        return soft("loyal")
    return soft("loyal, as far as you know")


def agent_card(
    state: State,
    viewer: int | None,
    names: Sequence[str],
    seat: int,
    agent: int,
    now: int = 0,
    last: Sequence[tuple[Spans, Spans]] = (),
) -> InfoCard:
    """Returns the card of an agent. `now` is what is about to be paid to it; `last` fills the last wide column."""
    facts = agent_facts(state, viewer, seat, agent)
    rival = other(seat)
    title = "Your agent" if viewer == seat else "Enemy agent" if viewer == rival else f"{HOMES[seat]}’s agent"
    head = strong(f"{title} in {where(facts.place, seat)}")
    salary: Spans = (money(facts.salary),)
    bribes: Spans = (money(facts.bribes),)
    if now:
        grown = strong(f" + {now}", "money")
        if viewer == seat:
            salary = (*salary, grown)
        else:
            bribes = (*bribes, grown)
    if facts.bribers is None:
        by: Spans = (strong("?"),)
    elif now and viewer == rival:
        by = (agent_mark(rival, state.places(rival).index(facts.place)),)
    else:
        by = tuple(agent_mark(rival, briber) for briber in facts.bribers) or (soft("nobody"),)
    pairs = [(agent_mark(rival, target), money(amount)) for target, amount in facts.bribed]
    heart = (Span("♥", "heart", True),) if facts.turned else ()
    label = "your bribes" if viewer == rival else "bribes"
    secret = viewer == rival or (viewer is None and any(isinstance(who, Hidden) for who in state.last_briber[rival]))
    open_to_doubt = viewer == seat and facts.turned is None and isinstance(facts.bribes, Unknown | AtMost)
    several = len(pairs) > 1
    certain = [pair for pair, (_, total) in zip(pairs, facts.bribed, strict=True) if total is not None]
    able = [mark for (mark, _), (_, total) in zip(pairs, facts.bribed, strict=True) if total is None]
    above = several and not open_to_doubt
    earns: Spans = (soft("salary "), *salary)
    first = joined(
        [
            (head,),
            (soft("carries "), *stones(facts.carries)) if facts.carries else (),
            (strong("may be a double agent"),) if open_to_doubt else (),
            earns if above else (),
        ]
    )
    taken: tuple[Spans, ...] = ((soft(f"{label} "), *bribes),)
    if facts.bribers != () or (now and viewer == rival):
        taken = (*taken, (soft("by "), *by))
    if open_to_doubt:
        known = not isinstance(facts.bribes, Unknown)
        taken = ((soft("bribes "), *bribes) if known else (soft("bribes "), strong("unknown")),)
    given: list[Spans] = [(soft("it bribed "), mark, soft(" with "), amount) for mark, amount in certain]
    if len(certain) > 1:
        given = [(soft("it bribed"), *(span for pair in certain for each in pair for span in (soft(" "), each)))]
    could = [(soft("it could bribe "), *joined([(mark,) for mark in able], ", "))] if able else []
    second = joined([() if above else earns, *taken, *given, *could])
    if spans_width(second) > SECOND:
        second = joined([() if above else earns, *taken, *given])
    mark = (agent_mark(seat, agent), *heart)
    pad = Span("  " if not heart else " ")
    wide = (
        (
            CardField("", (head,)),
            CardField("", (loyalty(facts, viewer, names),)),
            *((CardField("", (soft("carries "), *stones(facts.carries))),) if facts.carries else ()),
        ),
        (CardField("salary", salary), CardField(label, bribes), CardField("bribed by", by)),
        (
            *(CardField(f"bribed {mark.text}", (amount,)) for mark, amount in certain[:2]),
            *(CardField("could bribe", (mark,)) for mark in able[: max(0, 2 - len(certain))]),
            *(() if pairs else (CardField("bribed", (strong("?") if secret else soft("nobody"),)),)),
        ),
        tuple(CardField("", (*label, *value)) for label, value in last),
    )
    return InfoCard(((*mark, pad, *first), (Span("      "), *second)), wide, (seat, agent))


_BRIBED: Final = frozenset({RoundStep.INSPECT, RoundStep.OPEN, RoundStep.OVER})
"""The steps in which nobody can bribe the Inspector away before he acts, or ever again."""


def inspector_card(state: State, names: Sequence[str], region: int, standing: bool, choosing: bool = False) -> InfoCard:
    """Returns what the Inspector does or would do in a region: which diamonds he freezes, and what he seizes."""
    preview = state.inspector_preview(region)
    verb = "stands" if standing else "would go"
    head = strong(f"The Inspector {verb} {'in' if standing else 'to'} {REGIONS[region]}")
    sight = preview.blocks
    if choosing and any(sight.payments):
        offers: dict[int, Spans] = {
            seat: (soft(" "), money(payment)) for seat, payment in enumerate(sight.payments) if payment
        }
        before = (Span("     "), soft("freezes "), *stones(sight.diamonds), soft("   offers there: "))
        blocks: Spans = beside_names(offers, names, before, "  ")[1:]
    else:
        them = "it" if sight.diamonds == 1 else "them"
        bribable = not choosing and state.step not in _BRIBED
        until = f": nobody gets {them} unless an agent there bribes him away" if bribable else " there"
        blocks = (soft("freezes "), *stones(sight.diamonds), soft(until))
    taken = [
        (*stones(number), soft(" from "), agent_mark(seat, agent))
        for seat, agents in enumerate(preview.confiscates)
        for agent, number in enumerate(agents)
        if number
    ]
    takes: Spans = (soft("seizes "), *(joined(taken, " and ") if taken else (soft("nothing"),)))
    mark = Span(" UN ", "ink", True, "paper")
    return InfoCard(
        ((mark, Span(" "), *joined([(head,), takes])), (Span("     "), *blocks)),
        ((CardField("", (head,)), CardField("", takes), CardField("", blocks)),),
    )


def region_card(state: State, seat: int, agent: int, place: int) -> InfoCard:
    """Returns what lies at a place that an agent of `seat` may go to, what the trip costs, and who is there now."""
    start, carries = state.agents[seat][agent]
    cost = trip_cost(start, place)
    trip: Spans = (soft("trip "), money(cost)) if cost else (soft("no trip"),)
    load: Spans = (soft("carries "), *stones(carries)) if carries else ()
    head = strong(f"to {where(place, seat)}" if cost else f"stays in {where(place, seat)}")
    there = [
        agent_mark(side, number)
        for side in range(SEATS)
        for number, at in enumerate(state.places(side))
        if at == place and (place != HOME or side == seat)
    ]
    marks = joined([(mark,) for mark in there], " ")
    people: Spans = (soft("now there: "), *marks) if there else (soft("no agent there"),)
    if place == HOME:
        lies: Spans = (soft("its diamonds are safe there"),) if carries else ()
    else:
        lies = (*stones(state.diamonds[place]), soft(" there"))
    frozen: Spans = (soft("frozen by the Inspector"),) if place == state.inspector else ()
    first, second = joined([(head,), trip, load]), joined([lies, people, frozen])
    wide = ((CardField("", first), CardField("", joined([lies, frozen])), CardField("", people)),)
    return InfoCard(((agent_mark(seat, agent), Span("  "), *first), (Span("      "), *second)), wide, (seat, agent))


def order_card(state: State, seat: int, agent: int, order: Order, left: int) -> InfoCard:
    """Returns the order that an agent of `seat` has just been given, what its trip costs, and the dollars left then."""
    to, payment, bribe = order
    start = state.agents[seat][agent].at
    head = strong(f"stays in {where(to, seat)}" if to == start else f"goes to {where(to, seat)}")
    offer: Spans = (soft("offers "), money(payment)) if to != HOME else ()
    inspector: Spans = (soft("bribes the Inspector with "), money(bribe)) if bribe else ()
    cost = trip_cost(start, to)
    trip: Spans = (soft("trip "), money(cost)) if cost else ()
    first, second = joined([(head,), offer, inspector]), joined([trip, (soft("leaves you "), money(left))])
    wide = ((CardField("", first), CardField("", second)),)
    return InfoCard(((agent_mark(seat, agent), Span("  "), *first), (Span("      "), *second)), wide, (seat, agent))


def story_card(first: Spans, second: Spans, *more: Spans) -> InfoCard:
    """Returns a card with two lines of text and, where there is room, `more`."""
    return InfoCard((first, second), (tuple(CardField("", line) for line in (first, second, *more)[:3]),))
