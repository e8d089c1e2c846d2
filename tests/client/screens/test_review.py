"""The review on the screen: what it shows in three sizes, what its keys and clicks do, and that it can be left."""

from __future__ import annotations

import asyncio
import multiprocessing
import re
from collections.abc import Awaitable, Callable, Iterator
from copy import copy
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from kimberley.client.boards.stepping import ReplayScreen
from kimberley.client.boards.watching import GameProof
from kimberley.client.screens import review_making
from kimberley.client.screens.app import App
from kimberley.client.screens.review import ReviewScreen
from kimberley.client.screens.review_curve import draw_lines
from kimberley.client.screens.review_seats import draw_players, draw_sides
from kimberley.client.screens.watch import WatchedDossierScreen
from kimberley.client.session import reviewing
from kimberley.client.session.reviewing import ReviewRun, StepJudge
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import to_ascii
from kimberley.client.ui.palette import Depth, Palette
from kimberley.games.bots.review import ReviewedDecision
from kimberley.games.diamond.rules import AGREED
from kimberley.games.table import ReasonKind, Result
from tests.support import cut_text
from tests.support.asyncs import settled, until
from tests.support.effort import first_is_quick
from tests.support.pretend import PretendServices, press, pretend_app, shown, touch
from tests.support.reviewed import OPEN, UNITS, finished, made_up_report
from tests.support.touching import faults

SIZES = ((80, 24), (120, 40), (40, 40))


def on_review(
    tmp_path: Path,
    test: Callable[[App, ReviewScreen], Awaitable[None]],
    name: str = "diamond-trust",
    kept: bool = True,
    steps: int | None = None,
) -> None:
    """Runs a test on the event loop, with the review open; `kept` is one that was made up. The game has only its first
    `steps`, if they are given.
    """
    game = finished(name)
    game = replace(game, story=game.story[:steps])

    async def main() -> None:
        record = tmp_path / "game.kdt"
        record.write_bytes(b"a record")
        app = pretend_app(PretendServices())
        screen = ReviewScreen(app, game, record, 0)
        app.push(screen)
        if kept:
            await until(lambda: screen.report is not None)
        await test(app, screen)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    with pytest.MonkeyPatch.context() as patch:
        if kept:
            patch.setattr(reviewing, "kept_review", lambda *_: made_up_report(name).review)
        asyncio.run(main())


@pytest.mark.slow
@pytest.mark.parametrize("name", UNITS)
def test_it_shows_accuracy_chances_the_turn_and_what_each_choice_cost(
    name: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    async def test(app: App, screen: ReviewScreen) -> None:
        for columns, rows in SIZES:
            assert shown(app, columns, rows) == snapshot(name=f"{columns}x{rows}")
        assert faults(app) == []

    on_review(tmp_path, test, name)


@pytest.mark.parametrize(
    ("name", "unjudged"),
    [
        ("diamond", "first placement"),
        *(
            pytest.param(*values, marks=pytest.mark.slow)
            for values in (("diamond-trust", ""), ("land", ""), ("mine", "nests"), ("piecepack", "spy"))
        ),
    ],
)
def test_the_help_says_which_choices_of_this_game_cannot_be_judged(name: str, unjudged: str, tmp_path: Path) -> None:
    async def test(_: App, screen: ReviewScreen) -> None:
        told = screen.help().sections[0].text
        assert unjudged in told
        for other in ("first placement", "nests", "spy"):
            assert (other in told) is (other == unjudged)
        assert ("cannot be judged" in told) is bool(unjudged)
        curve = screen.help().sections[1].text
        assert curve.startswith(f"The chance to win after each {screen.report.chapter_unit if screen.report else ''}")
        for hindsight in ("with hindsight" in curve, "Hindsight knows" in told):
            assert hindsight is (name not in OPEN)

    on_review(tmp_path, test, name)


def test_a_draw_by_agreement_is_called_a_draw_once() -> None:
    report = copy(made_up_report("diamond"))
    agreed = Result((1, 1), ((), ()), AGREED, kind=ReasonKind.AGREED)
    report.audited = replace(report.audited, result=agreed)
    canvas = Canvas(80, 24)
    draw_sides(canvas.region(0, 0, 80, 3), report)
    assert " ".join("".join(canvas.lines()[:3]).split()).count("draw") == 1


@pytest.mark.parametrize("depth", list(Depth))
@pytest.mark.parametrize("ascii_only", [False, True])
def test_each_of_many_players_has_a_place_an_accuracy_and_a_last_chance_at_every_depth(
    depth: Depth, ascii_only: bool
) -> None:
    report = made_up_report("piecepack")
    canvas = Canvas(80, 24, Palette(depth), ascii_only=ascii_only)
    draw_players(canvas.region(0, 0, 80, 3), report, 1)
    draw_lines(canvas.region(0, 4, 80, 9), report, 1, report.chances[3].chapter)
    head, curve = "\n".join(canvas.lines()[:3]), "\n".join(canvas.lines()[4:])
    assert report.audited.result is not None
    for seat, (sign, _) in enumerate(report.marks):
        mark = to_ascii(sign) if ascii_only else sign
        places, found = report.audited.result.places, report.review.accuracy[seat]
        place = f"={places[seat]}" if places.count(places[seat]) > 1 else f"{places[seat]}."
        assert found is not None
        assert re.search(rf"{re.escape(place)} {mark} {report.names[seat]} +{round(found)}%", head)
        assert f"{mark} {report.chances[-1].percents[seat]}%" in curve


@pytest.mark.slow
def test_tab_and_clicks_change_whose_decisions_of_many_players_are_listed(tmp_path: Path) -> None:
    async def test(app: App, screen: ReviewScreen) -> None:
        report = screen.report
        assert report is not None

        def listed() -> str:
            return next(line for line in shown(app).splitlines() if " decisions" in line)

        for name in (*report.names, report.names[0]):
            assert name in listed()
            press(app, "tab")
        press(app, "s-tab", "s-tab")
        assert report.names[-1] in listed()
        touch(app, report.names[1])
        assert report.names[1] in listed()

    on_review(tmp_path, test, "mine")


def test_a_click_on_a_head_or_on_a_tab_changes_the_side(tmp_path: Path) -> None:
    async def test(app: App, screen: ReviewScreen) -> None:
        report = screen.report
        assert report is not None
        mine, other = (f"{name}, {report.mistakes_of(seat)[1]} decisions" for seat, name in enumerate(report.names))
        assert mine in shown(app)
        touch(app, report.names[1])
        assert other in shown(app)
        at = shown(app).splitlines()
        row = next(number for number, line in enumerate(at) if other in line)
        app.touch(at[row].index(report.names[0]), row, "left")
        assert mine in shown(app)

    on_review(tmp_path, test)


def test_below_an_empty_list_stands_no_key_that_goes_through_it(tmp_path: Path) -> None:
    async def test(app: App, screen: ReviewScreen) -> None:
        assert screen.report is not None
        screen.report = copy(screen.report)
        screen.report.lines = tuple(line for line in screen.report.lines if line.decision.seat)
        assert shown(app).splitlines()[-1].split() == ["Tab", "player", "Esc", "back"]
        press(app, "tab")
        assert "Enter show" in shown(app).splitlines()[-1]

    on_review(tmp_path, test)


def test_keys_change_side_order_and_month_and_enter_opens_the_board(tmp_path: Path) -> None:
    async def test(app: App, screen: ReviewScreen) -> None:
        report = screen.report
        assert report is not None

        def row() -> str:
            return next(line for line in shown(app).splitlines() if "▸" in line)

        dearest = report.lines_of(0)[0]
        assert row().rstrip().endswith(f" {dearest.cost}"), "a cost has no sign"
        press(app, "o")
        assert " 1 pay" in row()
        press(app, "right")
        assert " 2 " in row()
        press(app, "left", "tab")
        assert report.lines_of(1, by_cost=False)[0].chosen[:12] in row()
        press(app, "enter")
        await until(lambda: isinstance(app.stack[-1], ReplayScreen))

    on_review(tmp_path, test)


def test_enter_shows_the_board_before_the_decision_and_the_next_position_shows_what_was_chosen(tmp_path: Path) -> None:
    async def test(app: App, screen: ReviewScreen) -> None:
        report = screen.report
        assert report is not None
        line = report.lines_of(0)[0]
        press(app, "enter")
        await until(lambda: isinstance(app.stack[-1], ReplayScreen))
        board = app.stack[-1]
        assert isinstance(board, ReplayScreen)
        assert "Opening the round on the board." not in shown(app)
        assert board.at > 0
        assert board.timeline.steps[board.at - 1] < line.decision.step == board.timeline.steps[board.at]

    on_review(tmp_path, test)


@pytest.mark.slow
def test_a_game_is_judged_step_by_step_also_while_nobody_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_making, "NORMAL_LEVEL", 1)

    async def test(app: App, screen: ReviewScreen) -> None:
        await until(lambda: "% judged. Each decision is listed as soon as it is judged." in shown(app))
        press(app, "esc")
        assert screen not in app.stack
        await asyncio.wait(asyncio.all_tasks() - {asyncio.current_task()})
        assert multiprocessing.active_children() == []

    on_review(tmp_path, test, "diamond", kept=False, steps=10)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.kdt", "game.kdt.review.json"]


@pytest.mark.slow
def test_a_program_that_ends_while_it_judges_ends_its_workers_and_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_making, "NORMAL_LEVEL", 1)

    async def test(app: App, screen: ReviewScreen) -> None:
        await until(lambda: "% judged" in shown(app))
        press(app, "esc")
        running = asyncio.all_tasks() - {asyncio.current_task()}
        for task in running:
            task.cancel()
        await asyncio.wait(running)
        assert screen not in app.stack

    on_review(tmp_path, test, "diamond", kept=False)
    assert multiprocessing.active_children() == []
    assert [path.name for path in tmp_path.iterdir()] == ["game.kdt"]


def test_who_comes_back_to_a_review_finds_what_was_judged_and_nothing_is_judged_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second review pauses the first. Both judge one step at a time here, each when the test says so."""
    due, judged = asyncio.Semaphore(0), list[tuple[str, int]]()
    other = tmp_path / "other.kdt"
    other.write_bytes(b"another record")

    async def one_by_one(work: Callable[..., object], *args: object, **named: object) -> object:
        if work is next:
            await due.acquire()
        return work(*args, **named)

    def judge(self: StepJudge, step: int) -> list[ReviewedDecision]:
        judged.append((self.salt, step))
        return [one for one in made_up_report("diamond").review.decisions if one.step == step]

    monkeypatch.setattr(review_making, "in_background", one_by_one)
    monkeypatch.setattr(ReviewRun, "_judged_by_workers", lambda *_: iter(()))
    monkeypatch.setattr(StepJudge, "judge", judge)

    async def test(app: App, screen: ReviewScreen) -> None:
        async def judge(steps: int) -> None:
            for _ in range(steps):
                due.release()
                await settled()

        await judge(8)
        assert judged
        seen = shown(app)
        press(app, "esc")
        app.push(ReviewScreen(app, finished("diamond"), other, 0))
        await judge(8)
        press(app, "esc")
        before = len(judged)
        again = ReviewScreen(app, finished("diamond"), tmp_path / "game.kdt", 0)
        app.push(again)
        assert shown(app) == seen
        async with asyncio.timeout(30):
            while not (again.report is not None and again.report.whole):
                await judge(1)
        assert len(set(judged)) == len(judged) > before

    on_review(tmp_path, test, "diamond", kept=False)
    assert (tmp_path / "game.kdt.review.json").exists()
    assert not (tmp_path / "other.kdt.review.json").exists()


def said(app: App, text: str, size: tuple[int, int]) -> bool:
    """Returns whether a screen of this size has a text."""
    return text in shown(app, *size)


@pytest.mark.slow
@pytest.mark.parametrize("size", first_is_quick(*SIZES))
def test_what_is_judged_can_be_read_while_the_rest_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """Its decisions come one by one here, each when the test has looked at what came before."""
    review_of_all = made_up_report("diamond-trust").review
    due = asyncio.Semaphore(0)

    async def one_by_one(work: Callable[..., object], *args: object, **named: object) -> object:
        if work is next:
            await due.acquire()
        return work(*args, **named)

    monkeypatch.setattr(review_making, "in_background", one_by_one)
    monkeypatch.setattr(ReviewRun, "__iter__", lambda run: iter(progress(run)))

    def progress(run: ReviewRun) -> Iterator[tuple[int, int]]:
        for done, decision in enumerate(review_of_all.decisions):
            yield done, len(review_of_all.decisions)
            run._found[done] = [decision]
        run.review = review_of_all

    async def test(app: App, screen: ReviewScreen) -> None:
        for done in range(12):
            due.release()
            await until(partial(said, app, f"{round(100 * done / len(review_of_all.decisions))}% judged", size))
            assert "JUDGING" in shown(app, *size) or size == (40, 40)
            assert said(app, "Nothing to list yet" if not done else "Each decision is listed", size)
            assert "0 decisions" not in shown(app, *size)
            assert "skipped" not in shown(app, *size)
            assert faults(app) == []
            assert size not in cut_text.SIZES or cut_text.faults(app, size) == []
        assert screen.report is not None
        press(app, "o", "down", "down")
        in_focus = screen.report.lines_of(0, by_cost=False)[2]
        press(app, "o", "down", "down", "o", "down", "down")
        assert in_focus.chosen[:9] in shown(app, *size)
        for _ in review_of_all.decisions:
            due.release()
        await until(lambda: screen.report is not None and screen.report.whole)
        assert in_focus.chosen[:9] in shown(app, *size)
        assert "goes on" not in shown(app, *size)

    on_review(tmp_path, test, kept=False)


@pytest.mark.slow
@pytest.mark.nightly
def test_a_review_that_cannot_be_kept_is_shown_and_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_making, "NORMAL_LEVEL", 1)
    (tmp_path / "game.kdt.review.json").mkdir()

    async def test(app: App, screen: ReviewScreen) -> None:
        await until(lambda: screen.report is not None and screen.report.whole)
        assert "This review could not be saved next to the record: Is a directory." in shown(app)
        assert "TURNING POINT" in shown(app)

    on_review(tmp_path, test, "diamond", kept=False)


def below(app: App) -> str:
    """Returns what is said below the list of the decision in focus."""
    rows = [row.strip() for row in shown(app).splitlines()[:-1]]
    return " ".join(rows[max(at for at, row in enumerate(rows) if row.startswith("Chosen  ")) :])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["land", "piecepack"])
def test_a_long_choice_is_whole_below_the_list_and_hindsight_is_told_where_it_knows_more(
    name: str, tmp_path: Path
) -> None:
    async def test(app: App, screen: ReviewScreen) -> None:
        report = screen.report
        assert report is not None
        press(app, "tab")
        line = report.lines_of(1)[0]
        assert line.better
        assert line.in_truth
        said = re.sub(" +", " ", below(app))
        cost = line.cost
        then, known = (
            ("", "") if name in OPEN else (" at the time", f" Hindsight +{cost} with everything known: {line.in_truth}")
        )
        better, hindsight = f"+{cost}{then}: {line.better}", known
        assert said == f"Chosen {line.chosen} Better {better}{hindsight}"

    on_review(tmp_path, test, name)


@pytest.mark.parametrize("size", SIZES)
def test_the_player_is_told_why_another_choice_is_better_and_nobody_else(tmp_path: Path, size: tuple[int, int]) -> None:
    async def test(app: App, screen: ReviewScreen) -> None:
        report = screen.report
        assert report is not None
        line = report.lines_of(0)[0]
        assert line.better
        advice = report.advice(line)
        assert advice.startswith("Pay ")
        told = re.sub(r"[\s│▸]+", " ", shown(app, *size))
        assert advice.split(":")[1].split()[-1] in told
        press(app, "tab")
        assert "Pay " not in shown(app, *size)

    on_review(tmp_path, test)


def test_the_end_of_a_watched_game_leads_to_its_review_once_the_record_is_kept() -> None:
    """The record of this test is nowhere, and that is what the review says."""

    async def main() -> None:
        app = pretend_app(PretendServices())
        app.push(WatchedDossierScreen(app, GameProof(finished("diamond"), None)))
        press(app, "r")
        assert not isinstance(app.stack[-1], ReviewScreen)
        press(app, "k")
        await until(lambda: "r review" in shown(app))
        press(app, "r")
        assert isinstance(app.stack[-1], ReviewScreen)
        await until(lambda: "Cannot read" in shown(app))
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(main())
