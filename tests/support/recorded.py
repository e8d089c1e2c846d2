"""Recorded games of the original program, in the files that KIMBERLEY_GAMES names (separated as in PATH).

Each line is a JSON object: `inspector` (his first region), `start` (the first position), `final` (`diamonds` and
`money` by seat), and `steps`. A step has a phase, the position `after` it, and by phase:

- `pay`: `salaries` and `bribes`, by paying seat and agent paid
- `move`: `plans` and `orders`, by seat and agent: `[destination, payment, inspector bribe]`; `inspector_mover`, a seat
  or null
- `inspect`: `mover`, `to`
- `sell`: `planned` and `sold`, by seat

A position has `months_left`, `phase` (one of these, or `over`), `money`, `vault`, `inspector`, `regions`, and `agents`,
each with `at`, `carries`, `salary` and `bribe`. Places are named, such as `Huila` and `home`. Orders that differ from
the plan need the right to adjust, or the replay fails.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from kimberley.games.arena import IllegalChoice
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import AGENTS, HOME, REGIONS, Orders
from kimberley.games.diamond_trust.rules import RoundStep, State
from kimberley.games.table import Disclose, Plain, Result
from tests.support.contained import first_difference
from tests.support.seated_arena import SeatedArena

PLACES = {name: place for place, name in enumerate((*REGIONS, "home"))}
PHASES = {
    RoundStep.PAY: "pay",
    RoundStep.PAY_TOLD: "move",
    RoundStep.PLAN: "move",
    RoundStep.INSPECT: "inspect",
    RoundStep.SALE_PLAN: "sell",
    RoundStep.OPEN: "over",
}


class Mismatch(AssertionError):
    """The rules and a record disagree."""


@dataclass(frozen=True)
class Line:
    """One line of a file of recorded games. `number` counts from 1."""

    file: Path
    number: int
    text: str

    def __str__(self) -> str:
        return f"{self.file.name}:{self.number}"


def lines(file: Path) -> list[Line]:
    """Returns the lines of a .jsonl or .jsonl.gz file that are not blank."""
    text = gzip.decompress(file.read_bytes()).decode() if file.suffix == ".gz" else file.read_text("utf-8")
    return [Line(file, number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]


def described(state: State) -> dict[str, Any]:
    """Returns the true state in the words of a record."""
    agents = [
        [
            {
                "at": [*REGIONS, "home"][agent.at],
                "carries": agent.carries,
                "salary": state.salary[seat][index],
                "bribe": state.bribes[seat][index],
            }
            for index, agent in enumerate(state.agents[seat])
        ]
        for seat in (0, 1)
    ]
    return {
        "months_left": state.months_left,
        "phase": PHASES[state.step],
        "money": [state.cash(0), state.cash(1)],
        "vault": list(state.vault),
        "inspector": REGIONS[state.inspector],
        "regions": dict(zip(REGIONS, state.diamonds, strict=True)),
        "agents": agents,
    }


def difference(ours: Any, theirs: Any, path: str = "") -> str | None:
    """Returns where two descriptions differ: the field, its value by the rules and its value in the record."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if ours.keys() != theirs.keys():
            return f"{path or 'state'}: the fields are {sorted(ours)} by the rules, {sorted(theirs)} in the record"
        pairs = [(f"{path}.{key}".lstrip("."), ours[key], theirs[key]) for key in ours]
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        pairs = [(f"{path}[{index}]", *pair) for index, pair in enumerate(zip(ours, theirs, strict=True))]
    else:
        return None if ours == theirs else f"{path}: {ours!r} by the rules, {theirs!r} in the record"
    return next((inner for name, a, b in pairs if (inner := difference(a, b, name))), None)


@dataclass
class Adjustments:
    """How often a side changed its plan in the move and in the sale.

    `without_move` and `without_sale` count how often a side had no right to a change, although it already knew that one
    of its own agents (in the sale: one at home) is turned.
    """

    moves: int = 0
    sales: int = 0
    without_move: int = 0
    without_sale: int = 0


class Replay:
    """Replays one recorded game on a table at which every seat has its own state."""

    def __init__(self, line: Line) -> None:
        self._where = str(line)
        try:
            self._record: dict[str, Any] = json.loads(line.text)
        except ValueError as error:
            raise Mismatch(f"{self._where}: not JSON: {error}") from None
        self._step = "start"
        self._seats = SeatedArena(GAME, 2, Random(0))
        self.adjusted = Adjustments()

    @property
    def truth(self) -> State:
        state = self._seats.arena.truth
        assert isinstance(state, State)
        return state

    def run(self) -> Result:
        """Replays the game. Raises Mismatch with the file, the line, the step and the field."""
        try:
            return self._run()
        except IllegalChoice as error:
            raise self._mismatch(f"the rules refuse it: {error}") from None
        except (KeyError, TypeError, IndexError) as error:
            raise self._mismatch(f"not as a record should be: {error!r}") from None

    def _run(self) -> Result:
        self._seats.apply((PLACES[self._record["inspector"]],))
        self._compare(described(self.truth), self._record["start"])
        for number, step in enumerate(self._record["steps"], 1):
            self._step = f"step {number} ({step['phase']})"
            {"pay": self._pay, "move": self._move, "inspect": self._inspect, "sell": self._sell}[step["phase"]](step)
            self._compare(described(self.truth), step["after"])
        self._step = "final"
        if self.truth.step is not RoundStep.OPEN:
            raise self._mismatch(f"phase: the rules go on with {self.truth.step.value!r}, the record ends")
        self._choose()
        result = self.truth.ask()
        assert isinstance(result, Result)
        diamonds, money = ([score[index] for score in result.scores] for index in (0, 1))
        self._compare({"diamonds": diamonds, "money": money}, self._record["final"])
        return result

    def _mismatch(self, what: str) -> Mismatch:
        return Mismatch(f"{self._where}, {self._step}: {what}")

    def _compare(self, ours: Any, theirs: Any) -> None:
        mismatch = difference(ours, theirs)
        if mismatch:
            raise self._mismatch(mismatch)

    def _expect(self, *steps: RoundStep) -> None:
        if self.truth.step not in steps:
            raise self._mismatch(f"phase: the rules are at {self.truth.step.value!r}")

    def _choose(self, *choices: Plain) -> None:
        ask = self.truth.ask()
        assert not isinstance(ask, Result)
        self._seats.apply(self._seats.arena.answer(ask, dict(enumerate(choices))))
        for seat, view in enumerate(self._seats.views):
            wrong = first_difference(view, self.truth) or first_difference(self._seats.spectator, view)
            if wrong:
                raise self._mismatch(f"seat {seat} knows what is not so: {wrong}")

    def _tells(self) -> None:
        if isinstance(self.truth.ask(), Disclose):
            self._choose()

    def _knows_only_from_before(self, seat: int, *, anywhere: bool) -> bool:
        view = self._seats.views[seat]
        assert isinstance(view, State)
        own = [agent for agent, place in enumerate(view.places(seat)) if anywhere or place == HOME]
        return view.right[seat] is False and any(view.own_turned(seat, agent) for agent in own)

    def _pay(self, step: dict[str, Any]) -> None:
        self._expect(RoundStep.PAY)
        amounts = []
        for seat in (0, 1):
            left = {(bribe, agent): 0 for bribe in (False, True) for agent in range(AGENTS)}
            left.update({(False, agent): paid for agent, paid in enumerate(step["salaries"][seat])})
            left.update({(True, agent): paid for agent, paid in enumerate(step["bribes"][seat])})
            amounts.append(tuple(left.pop((slot.bribe, slot.agent)) for slot in self.truth.slots(seat)))
            if any(left.values()):
                raise self._mismatch(f"seat {seat} pays an agent that cannot be paid: {step}")
        self._choose(*amounts)

    def _move(self, step: dict[str, Any]) -> None:
        self._tells()
        self._expect(RoundStep.PLAN)
        plans, orders = _orders(step["plans"]), _orders(step["orders"])
        self._choose(*plans)
        self._tells()
        self.adjusted.without_move += sum(self._knows_only_from_before(seat, anywhere=True) for seat in (0, 1))
        self.adjusted.moves += sum(plan != final for plan, final in zip(plans, orders, strict=True))
        self._choose(*orders)
        moved = self.truth.moved
        assert moved is not None
        self._compare({"inspector_mover": moved.inspector_mover}, {"inspector_mover": step["inspector_mover"]})

    def _inspect(self, step: dict[str, Any]) -> None:
        self._expect(RoundStep.INSPECT)
        moved = self.truth.moved
        assert moved is not None
        self._compare({"mover": moved.inspector_mover}, {"mover": step["mover"]})
        region = PLACES[step["to"]]
        self._choose(region, region)

    def _sell(self, step: dict[str, Any]) -> None:
        self._expect(RoundStep.SALE_PLAN)
        self._choose(*step["planned"])
        self._tells()
        self.adjusted.without_sale += sum(self._knows_only_from_before(seat, anywhere=False) for seat in (0, 1))
        self.adjusted.sales += sum(plan != final for plan, final in zip(step["planned"], step["sold"], strict=True))
        self._choose(*step["sold"])


def _orders(recorded: list[list[list[Any]]]) -> list[Orders]:
    return [tuple((PLACES[to] if to != "home" else HOME, paid, bribe) for to, paid, bribe in side) for side in recorded]
