"""The review in words and as data: every choice is said, and JSON has what the manual promises."""

from __future__ import annotations

import json
from typing import Any, Final

import jsonschema
import pytest

from tests.support.reviewed import UNITS, made_up_report

EVERY = pytest.mark.parametrize("name", UNITS)

NUMBER: Final = {"type": "number", "minimum": 0}
DECISION: Final = {
    "seat": {"enum": [0, 1, 2, 3, 4, 5]},
    "step": NUMBER,
    "chapter": NUMBER,
    "kind": {"type": "string"},
    "chosen": {},
    "best": {},
    "loss": NUMBER,
    "lost_chance": NUMBER,
    "accuracy": {"type": "number", "minimum": 0, "maximum": 100},
    "best_in_truth": {},
    "loss_in_truth": NUMBER,
    "words": {"required": ["chosen", "best", "best_in_truth"]},
    "options": {"items": {"required": ["choice", "worth", "chance"]}},
}
SCHEMA: Final[dict[str, Any]] = {
    "required": ["game", "names", "unit", "chapter_unit", "decisions", "accuracy", "chances", "turning_point"],
    "properties": {
        "decisions": {"minItems": 10, "items": {"properties": DECISION, "required": list(DECISION)}},
        "accuracy": {"minItems": 2, "maxItems": 6},
        "chances": {"items": {"required": ["step", "chapter", "chances"]}},
        "turning_point": {"required": ["seat", "step", "chapter", "before", "after", "sentence"]},
    },
}


@EVERY
def test_json_has_what_it_promises(name: str) -> None:
    plain = json.loads(json.dumps(made_up_report(name).as_plain()))
    jsonschema.validate(plain, SCHEMA)
    assert plain["unit"] == UNITS[name]
    assert all(sum(one["chances"]) == pytest.approx(1, abs=0.001) for one in plain["chances"])


@EVERY
def test_a_better_choice_is_said_where_there_is_one_and_nowhere_else(name: str) -> None:
    report = made_up_report(name)
    for line in report.lines:
        assert bool(line.better) == (line.loss > 0)
        assert line.chosen
        assert line.better != line.chosen
    costs = [line.loss for line in report.lines_of(0)]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > 0


def test_the_turning_point_has_the_chances_of_the_curve_and_says_what_turned_the_game() -> None:
    report = made_up_report("diamond-trust")
    assert [one.chapter for one in report.chances] == list(range(1, 10))
    turn = report.turn
    assert turn is not None
    at = [one.chapter for one in report.chances].index(turn.chapter)
    assert (turn.before, turn.after) == (report.chances[at - 1].chances, report.chances[at].chances)
    for seat, name in enumerate(report.names):
        before, after = (round(100 * one.chances[seat]) for one in report.chances[at - 1 : at + 1])
        said = report.turning_point(seat)
        assert said.startswith(f"Month {turn.chapter}, {turn.kind}: {before}% to {after}% for {name}. ")
        assert said.endswith(f"{turn.said}")
    there = [line for line in report.lines if line.decision.step == turn.step and line.decision.kind == turn.kind]
    assert any(turn.said.startswith(f"{report.names[line.decision.seat]}: ") for line in there)
    assert "accuracy" in report.sentences[0]


@EVERY
def test_what_is_listed_as_a_mistake_costs_at_least_one_percent(name: str) -> None:
    report = made_up_report(name)
    dear = [line for line in report.lines if line.better]
    assert dear
    assert all(int(report.cost(line.loss).removesuffix("%")) >= 1 for line in dear)
    assert all(line.decision.accuracy == 100 for line in report.lines if not line.better)


def test_moves_of_diamond_are_counted_as_on_the_board() -> None:
    report = made_up_report("diamond")
    assert [line.chapter for line in report.lines] == list(range(1, len(report.lines) + 1))
