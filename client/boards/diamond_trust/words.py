"""Positions and agents in sentences: what a screen reader reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.diamond_trust.agent_card import agent_facts
from kimberley.client.boards.diamond_trust.form import TrustForm
from kimberley.client.boards.diamond_trust.form_inspector import InspectorForm
from kimberley.client.boards.diamond_trust.phrases import agent_name, counted, dollars
from kimberley.games.diamond_trust.angola import AGENTS, HOMES, REGIONS, other, place_name
from kimberley.games.diamond_trust.bots.deduction import known_cash
from kimberley.games.diamond_trust.knowledge import Unknown
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.phrases import count_of, join_names
from kimberley.p2p.sentences.notices import as_sentence

LOOKING: Final = "Type look, look 2, look their 1 or look inspector."


def describe(state: State, names: Sequence[str], you: int | None, *, over: bool = False) -> list[str]:
    """Returns the position in sentences. `you` is the seat of the reader, None for a spectator. Of a game that is
    `over`, nothing is said of what could follow.
    """
    left = "" if over else f", {count_of(state.months_left, 'month')} left" if state.months_left else ", the last one"
    sides = [0, 1] if you is None else [you, other(you)]
    if state.step is RoundStep.INSPECTOR:
        return ["The Inspector’s first region is drawn at random. Then diamonds appear."]
    lines = [f"Month {state.round()} of 9{left}."]
    for side in sides:
        cash = known_cash(state, side if you is None else you, side)
        of_what = " of cash" if isinstance(cash, Unknown) else ""
        home = f"{dollars(cash)}{of_what} and {counted(state.vault[side])} at home."
        if side == you:
            lines.append(f"You are {HOMES[side]}. You have {home}")
        else:
            lines.append(f"{names[side]}{f', {HOMES[side]},' if you is None else ''} has {home}")
    for region, name in enumerate(REGIONS):
        here = f"{name}: {counted(state.diamonds[region])}"
        if state.inspector == region:
            here += ", frozen by the Inspector, who is there"
        people = [
            agent_name(side, agent, you)
            for side in sides
            for agent, place in enumerate(state.places(side))
            if place == region
        ]
        lines.append(f"{here}{'; ' + join_names(people) if people else ''}.")
    for side in sides:
        for agent in range(AGENTS):
            lines += _agent_line(state, you, side, agent)
    return lines


def _agent_line(state: State, viewer: int | None, side: int, agent: int) -> list[str]:
    facts = agent_facts(state, viewer, side, agent)
    does = [f"is in {place_name(facts.place, side)}"]
    does += [f"carries {counted(facts.carries)}"] if facts.carries else []
    does += ["is a double agent"] if facts.turned else []
    return [as_sentence(f"{agent_name(side, agent, viewer)} {join_names(does)}")]


def respond(
    words: Sequence[str], state: State, names: Sequence[str], you: int | None, form: TrustForm | None = None
) -> list[str] | None:
    """Returns the answer to "look", "look 2", "look their 1" and "look inspector"; None for other words."""
    match words:
        case ["look" | "show" | "l", number] if you is not None and number in ("1", "2", "3"):
            return agent_lines(state, you, you, int(number) - 1, form)
        case ["look" | "show" | "l", "their" | "theirs", number] if you is not None and number in ("1", "2", "3"):
            return agent_lines(state, you, other(you), int(number) - 1, form)
        case ["look" | "show" | "l", "inspector"] if state.step is not RoundStep.INSPECTOR:
            return [inspector_line(state, you), *(form.so_far() if isinstance(form, InspectorForm) else [])]
        case ["look" | "show" | "l", what, *_] if you is not None and what != "inspector":
            return [LOOKING]
        case ["look" | "show" | "l", *_]:
            return [*(form.so_far() if form is not None else []), *describe(state, names, you)]
    return None


def inspector_line(state: State, you: int | None) -> str:
    """Says where the Inspector stands, and what he does there."""
    preview = state.inspector_preview(state.inspector)
    robbed = [
        f"{counted(number)} from {agent_name(side, agent, you)}"
        for side, agents in enumerate(preview.confiscates)
        for agent, number in enumerate(agents)
        if number
    ]
    where = f"The Inspector is in {REGIONS[state.inspector]}"
    return f"{where}. He freezes {counted(preview.blocks.diamonds)} there and seizes {join_names(robbed) or 'nothing'}."


def agent_lines(state: State, you: int, side: int, agent: int, form: TrustForm | None = None) -> list[str]:
    """Says what a seat knows of an agent, and what it is about to get or to do by the choice in a form."""
    facts = agent_facts(state, you, side, agent)
    lines = _agent_line(state, you, side, agent)
    paid = form.now_paid((side, agent)) if form is not None else 0
    more = f", and {dollars(paid)} more now" if paid else ""
    salary, bribes = (more, "") if side == you else ("", more)
    lines.append(f"Salary: {dollars(facts.salary)}{salary}. Bribes: {dollars(facts.bribes)}{bribes}.")
    lines += [order] if form is not None and side == you and (order := form.order_so_far(agent)) else []
    if facts.bribers is None:
        lines.append("You do not know whether it was bribed.")
    elif facts.bribers:
        # If more was added after it was known who bribed the agent, another one may have bribed it last.
        last = "Last bribed" if isinstance(facts.bribes, int) else "Bribed"
        lines.append(f"{last} by {agent_name(other(side), facts.bribers[0], you)}.")
    for target, total in facts.bribed:
        whom = agent_name(other(side), target, you)
        lines.append(f"It could bribe {whom}." if total is None else f"It bribed {whom} with {dollars(total)}.")
    return lines
