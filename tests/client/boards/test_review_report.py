"""The review in words and as data: every choice is said, and JSON has what the manual promises."""

from __future__ import annotations

import json
import re
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


def test_months_are_counted_and_the_turning_point_is_a_sentence() -> None:
    report = made_up_report("diamond-trust")
    assert [one.chapter for one in report.chances] == list(range(1, 10))
    assert report.turn is not None
    there = [line for line in report.lines if line.decision.step == report.turn.step]
    assert report.turning_point.startswith(f"Month {report.turn.chapter}, {there[0].decision.kind}. ")
    assert report.turning_point.endswith(" percent.")
    assert len(there) == 2
    for line in there:
        price = f", which cost {report.cost(line.loss)}." if line.better else "."
        assert re.search(rf"{report.names[line.decision.seat]}: [^.]+{re.escape(price)}", report.turn.said)
    assert "accuracy" in report.sentences[0]


def test_moves_of_diamond_are_counted_as_on_the_board() -> None:
    report = made_up_report("diamond")
    assert [line.chapter for line in report.lines] == list(range(1, len(report.lines) + 1))
