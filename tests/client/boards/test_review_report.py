"""The review in words and as data: every choice is named, and JSON has what the manual promises."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import jsonschema
import pytest

from kimberley.client.boards import review_report
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.review_report import (
    ReviewLine,
    ReviewReport,
    TurnLine,
    accuracy_text,
    cost,
    gain,
    in_percents,
    percent,
)
from kimberley.client.screens.review_curve import draw_curve
from kimberley.client.ui.canvas import Canvas
from kimberley.client.web.review_page import render
from kimberley.games import lookup
from kimberley.games.bots.lookup import bots_of
from kimberley.games.bots.review import (
    Assessment,
    Cause,
    CauseKind,
    ChancePoint,
    ReviewedDecision,
    SupportsReview,
    conclude,
    luck_in,
    of_two,
)
from tests.support.effort import one_is_quick
from tests.support.reviewed import OPEN, UNITS, made_up_report

EVERY = pytest.mark.parametrize("name", one_is_quick("diamond", UNITS))

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
def test_what_is_read_without_the_board_has_none_of_its_badges_and_signs(name: str) -> None:
    made_up = made_up_report(name)
    report = ReviewReport(made_up.audited, made_up.review, aloud=True)
    for said in (*report.sentences, *(words for line in report.lines for words in (line.chosen, line.better))):
        assert not re.search(r"[\[(][1-3][\])]|\bUN\b|[◆♥♠♣♦☾☼✶]", said), said


@pytest.mark.parametrize(
    ("name", "skipped"),
    [
        (
            "diamond",
            "turns with only one choice, and choices that cannot be judged (the first placement of each color, and the "
            "swap), ",
        ),
        ("diamond-trust", "turns with only one choice "),
    ],
)
def test_a_review_without_decisions_says_so_in_place_of_an_empty_list(name: str, skipped: str) -> None:
    made_up = made_up_report(name)
    report = ReviewReport(made_up.audited, conclude(UNITS[name], [], 2))
    told = f"No decisions to review: {skipped}are skipped."
    assert report.sentences == [told]
    assert render(report).count(told) == 2
    nobody_chose = ReviewReport(replace(made_up.audited, story=()), conclude(UNITS[name], [], 2))
    assert nobody_chose.sentences == ["No decisions to review."]


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


def test_decisions_by_cost_are_in_the_order_of_the_costs_that_are_printed() -> None:
    """Costs are differences of rounded chances, so what cost more can have the smaller number."""
    made_up = made_up_report("diamond-trust")
    chances = [(0.504, 0.4361), (0.506, 0.4449)]

    def judged(one: ReviewedDecision) -> ReviewedDecision:
        best, chosen = chances.pop() if one.seat == 0 and chances else (0.5, 0.5)
        known = Assessment(
            one.seat,
            replace(one.known.chosen, chances=of_two(one.seat, chosen)),
            replace(one.known.best, chances=of_two(one.seat, best)),
        )
        return replace(one, known=known, true=known)

    decisions = tuple(map(judged, made_up.review.decisions))
    report = ReviewReport(made_up.audited, replace(made_up.review, decisions=decisions))
    assert [line.cost for line in report.lines_of(0)[:2]] == ["7%", "6%"]


@pytest.mark.parametrize(
    ("chances", "percents"),
    [((1 / 3, 1 / 3, 1 / 3), (34, 33, 33)), ((0.255, 0.745), (26, 74)), ((0.124, 0.124, 0.752), (13, 12, 75)),
     ((0.126, 0.126, 0.126, 0.622), (13, 13, 12, 62)), ((0.29, 0.71), (29, 71)), ((0.0, 1.0), (0, 100))],
)  # fmt: skip
def test_percents_add_up_and_none_is_further_than_one_from_its_chance(
    chances: tuple[float, ...], percents: tuple[int, ...]
) -> None:
    assert in_percents(chances) == percents


@EVERY
def test_the_chances_of_all_players_in_sentences_add_up(name: str) -> None:
    report = made_up_report(name)
    told = [
        said.partition("as a percentage: ")[2] for said in report.sentences if "’s chance to win after each" in said
    ]
    lines = [[int(number) for number in said.removesuffix(".").split(", ")] for said in told]
    if len(report.names) > 2:
        assert {sum(each) for each in zip(*lines, strict=True)} == {100}
    assert {sum(one.percents) for one in report.chances} == {100}


@EVERY
def test_hindsight_is_told_only_of_a_game_that_hides_something_also_while_it_is_judged(name: str) -> None:
    bots = bots_of(lookup.find(name))
    assert isinstance(bots, SupportsReview)
    assert find_board(name).game.hides is bots.judge(1).hidden is (name not in OPEN)
    made_up = made_up_report(name)
    report = ReviewReport(made_up.audited, made_up.review, whole=False)
    canvas = Canvas(120, 12)
    draw_curve(canvas, report, 0, 0, None)
    assert ("with hindsight" in canvas.lines()[0]) is (name not in OPEN)
    assert ("with hindsight" in render(made_up)) is (name not in OPEN)


def judged_otherwise(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[ReviewedDecision], ReviewedDecision]
) -> tuple[ReviewReport, TurnLine, ReviewLine]:
    """Returns a report of Diamond Trust with other judgments, its turning point, and the decision there."""
    # The curve of this report rises evenly, for no reason.
    monkeypatch.setattr(review_report, "FOREGONE", 1.0)
    made_up = made_up_report("diamond-trust")
    changed = tuple(map(change, made_up.review.decisions))
    report = ReviewReport(made_up.audited, replace(made_up.review, decisions=changed))
    turn = report.turn
    assert turn is not None
    (line,) = (line for line in report.lines if line.decision == turn.cause.decision)
    return report, turn, line


def test_the_turning_point_has_the_chances_of_the_curve_and_says_what_turned_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(find_board("diamond-trust").game, "hides", False)
    report, turn, line = judged_otherwise(monkeypatch, lambda one: replace(one, true=one.known))
    assert [one.chapter for one in report.chances] == list(range(1, 10))
    at = [one.chapter for one in report.chances].index(turn.chapter)
    assert (turn.before, turn.after) == (report.chances[at - 1].chances, report.chances[at].chances)
    decision = line.decision
    for seat, name in enumerate(report.names):
        before, after = (one.percents[seat] for one in report.chances[at - 1 : at + 1])
        kept = in_percents(decision.true.best.chances)[seat]
        assert report.turning_point(seat) == (
            f"Month {turn.chapter}, {decision.kind}: {before}% to {after}% for {name}. "
            f"{report.names[decision.seat]}: {line.chosen}. That was a mistake: the better choice would have left "
            f"{name} at {kept}%. Better: {line.better}."
        ), "all chances are those of one player, and of the curve"
    assert "accuracy" in report.sentences[0]


@pytest.mark.parametrize("known", [True, False])
def test_where_something_was_hidden_no_loss_with_hindsight_stands_beside_the_change_of_the_curve(
    known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What others chose at the same time makes the loss larger than the change."""

    def judged(one: ReviewedDecision) -> ReviewedDecision:
        better = replace(one.known.best, chances=of_two(one.seat, 0.97))
        if known:
            return replace(one, true=replace(one.known, best=better)) if one.mistake else one
        return replace(one, known=replace(one.known, best=one.known.chosen), true=replace(one.known, best=better))

    report, _, line = judged_otherwise(monkeypatch, judged)
    for seat, name in enumerate(report.names):
        said = report.turning_point(seat)
        assert f"% for {name}, with hindsight. " in said
        if known:
            judged_seat = line.decision.seat
            chooser = report.names[judged_seat]
            had, left = (
                round(100 * one.chances[judged_seat]) for one in (line.decision.known.best, line.decision.known.chosen)
            )
            assert had - left == line.lost
            told = (
                f" That was a mistake: given what {chooser} knew then, it left a {left}% chance to win, not {had}%. "
                f"Better: {line.better}."
            )
            assert said.endswith(told)
        else:
            kept = in_percents(line.decision.true.best.chances)[seat]
            told = f" With everything known, the best choice would have left {name} at {kept}%: {line.in_truth}."
            assert said.endswith(told)


def test_luck_is_told_by_what_was_drawn_and_by_no_choice() -> None:
    report = made_up_report("mine")
    steps, draws = report.timeline.steps, luck_in(report.audited.story)
    drawn = [at for at, step in enumerate(steps, 1) if step in draws and at > 3]
    at = next(at for at in drawn if steps[at - 2] not in draws)
    told = report.because(Cause(CauseKind.LUCK, steps[at - 2] - 1, steps[at - 1] + 1, 0.5), 0)
    assert told == f"Luck: {' '.join(report.timeline.sentences(at))}"


@pytest.mark.parametrize("draws", [(), (0,)], ids=["nothing drawn", "the first player drawn"])
def test_a_change_at_which_nothing_better_was_left_is_said_to_come_from_earlier_moves(
    draws: Sequence[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing is hidden, the judge sees a loss only when it is near."""
    monkeypatch.setattr(review_report, "luck_in", lambda _: frozenset(draws))
    report = made_up_report("diamond")
    assert report.audited.result is not None
    (winner,) = report.audited.result.winners
    found = [replace(one.true, best=one.true.chosen, others=()) for one in report.review.decisions]
    decisions = tuple(
        replace(one, known=best, true=best) for one, best in zip(report.review.decisions, found, strict=True)
    )
    at = next(at for at, one in enumerate(decisions) if at > 3 and one.seat != winner)

    def told(ends: float) -> str:
        curve = [of_two(winner, 0.55 if number < at else ends) for number in range(len(decisions))]
        chances = tuple(ChancePoint(one.step, after) for one, after in zip(decisions, curve, strict=True))
        judged = report.judged(replace(report.review, decisions=decisions, chances=chances), whole=True)
        return judged.turning_point(1 - winner)

    name = report.names[1 - winner]
    assert told(0.99).startswith(f"{name}’s chances changed most in move {at + 1} (45% to 1%), but nobody had a better")
    assert told(0.55) == ""


def test_a_fall_over_several_moves_without_a_mistake_is_named_and_a_small_mistake_after_it_is_no_turning_point() -> (
    None
):
    report = made_up_report("diamond")
    assert report.audited.result is not None
    (winner,) = report.audited.result.winners
    loser = 1 - winner

    def judged(small: float) -> ReviewReport:
        decisions: list[ReviewedDecision] = []
        chances: list[ChancePoint] = []
        fall, slip = 6, 13 if report.review.decisions[13].seat == loser else 14
        for number, one in enumerate(report.review.decisions):
            fell = 0.55 - 0.1 * min(3, max(0, number - fall)) - (small if number >= slip else 0)
            after = of_two(loser, fell)
            made = replace(one.true.chosen, chances=after)
            best = replace(made, chances=of_two(loser, fell + small)) if number == slip else made
            both = Assessment(one.seat, made, best)
            decisions.append(replace(one, known=both, true=both))
            chances.append(ChancePoint(one.step, after))
        review = replace(report.review, decisions=tuple(decisions), chances=tuple(chances))
        return ReviewReport(report.audited, review)

    name = report.names[loser]
    fell = f"{name}’s chances fell from 55% to 25% in moves 8 to 10; nobody had a clearly better choice there."
    assert judged(0.02).turning_point(loser) == fell
    went = "from 45% to 75% in moves 8 to 10"
    rose = f"{report.names[winner]}’s chances rose {went}; nobody had a clearly better choice there."
    assert judged(0.02).turning_point(winner) == rose
    told = judged(0.08).turning_point(loser)
    assert re.match(rf"Move 1[45], \w+: 25% to 17% for {name}\. .+ That was a mistake: ", told)
    assert told.endswith(f" {fell}")


@EVERY
def test_a_mistake_costs_the_difference_between_both_chances_as_they_are_printed(name: str) -> None:
    report = made_up_report(name)
    dear = [line for line in report.lines if line.better]
    assert dear
    for line in dear:
        known, seat = line.decision.known, line.decision.seat
        best, made = (percent(rated.chances[seat]) for rated in (known.best, known.chosen))
        assert line.cost == (f"{best - made}%" if best > made else "<1%")
    assert all(line.decision.accuracy == 100 for line in report.lines if not line.better)


def test_an_accuracy_is_a_hundred_only_without_a_mistake() -> None:
    assert [accuracy_text(accuracy) for accuracy in (None, 0.0, 99.4, 99.8, 100.0)] == ["–", "0%", "99%", "99%", "100%"]
    assert (cost(8), gain(8), cost(0), gain(0)) == ("8%", "+8%", "<1%", "<1%")


def test_the_inspector_has_a_capital_in_a_review_of_diamond_trust_as_everywhere() -> None:
    report = made_up_report("diamond-trust")
    line = next(line for line in report.lines if line.decision.kind == "inspector")
    assert report.sentence(line).startswith(f"Month {line.chapter}, Inspector. ")
    assert report.where(line.chapter, "plan") == f"Month {line.chapter}, plan"


def test_moves_of_diamond_are_counted_as_on_the_board() -> None:
    report = made_up_report("diamond")
    assert [line.chapter for line in report.lines] == list(range(1, len(report.lines) + 1))


def test_moves_that_come_before_the_first_judged_one_are_said_to_be_too_early() -> None:
    report = made_up_report("diamond")
    assert report.unjudged == ""
    for first, said in ((1, "Move 1 is"), (2, "Moves 1 and 2 are"), (3, "Moves 1 to 3 are")):
        later = conclude(report.review.unit, report.review.decisions[first:], 2)
        late = ReviewReport(report.audited, later)
        assert late.unjudged == f"{said} too early to judge."
        assert late.unjudged in late.sentences
        canvas = Canvas(80, 8)
        draw_curve(canvas, late, 0, 0, None)
        assert late.unjudged in canvas.lines()[0]
        assert ReviewReport(report.audited, later, whole=False).unjudged == ""
