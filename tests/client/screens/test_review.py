"""The review on the screen: what it shows in three sizes, what its keys and clicks do, and that it can be left."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from kimberley.client.boards.stepping import ReplayScreen
from kimberley.client.boards.watching import GameProof
from kimberley.client.screens import review
from kimberley.client.screens.app import App
from kimberley.client.screens.review import ReviewScreen
from kimberley.client.screens.watch import WatchedDossierScreen
from kimberley.client.session.reviewing import finish_review
from kimberley.games.review import NORMAL_LEVEL
from tests.support.asyncs import until
from tests.support.pretend import PretendServices, press, pretend_app, shown
from tests.support.reviewed import finished, made_up_report
from tests.support.touching import faults

SIZES = ((80, 24), (120, 40), (40, 40))


def on_review(
    tmp_path: Path, test: Callable[[App, ReviewScreen], Awaitable[None]], name: str = "diamond-trust", kept: bool = True
) -> None:
    """Runs a test on the event loop, with the review open; `kept` is one that was made up."""

    async def main() -> None:
        record = tmp_path / "game.kdt"
        record.write_bytes(b"a record")
        if kept:
            finish_review(finished(name), record, NORMAL_LEVEL, made_up_report(name).review.decisions)
        app = pretend_app(PretendServices())
        screen = ReviewScreen(app, finished(name), record, 0)
        app.push(screen)
        if kept:
            await until(lambda: screen.report is not None)
        await test(app, screen)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(main())


@pytest.mark.parametrize("name", ["diamond-trust", "diamond"])
def test_it_shows_accuracy_chances_the_turn_and_what_each_choice_cost(
    name: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    async def test(app: App, screen: ReviewScreen) -> None:
        for columns, rows in SIZES:
            assert shown(app, columns, rows) == snapshot(name=f"{columns}x{rows}")
        assert faults(app) == []

    on_review(tmp_path, test, name)


def test_keys_change_side_order_and_month_and_enter_opens_the_board(tmp_path: Path) -> None:
    async def test(app: App, screen: ReviewScreen) -> None:
        report = screen.report
        assert report is not None

        def row() -> str:
            return next(line for line in shown(app).splitlines() if "▸" in line)

        dearest = report.lines_of(0)[0]
        assert f"-{report.cost(dearest.loss)}" in row()
        press(app, "o")
        assert " 1 pay" in row()
        press(app, "right")
        assert " 2 " in row()
        press(app, "left", "tab")
        assert report.lines_of(1, by_cost=False)[0].chosen[:12] in row()
        press(app, "enter")
        await until(lambda: isinstance(app.stack[-1], ReplayScreen))

    on_review(tmp_path, test)


def test_a_game_is_judged_step_by_step_and_leaving_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review, "NORMAL_LEVEL", 1)

    async def test(app: App, screen: ReviewScreen) -> None:
        await until(lambda: " steps" in shown(app))
        assert "Every decision of both sides is being judged." in shown(app)
        press(app, "esc")
        assert screen not in app.stack
        running = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.wait(running)

    on_review(tmp_path, test, "diamond", kept=False)
    assert [path.name for path in tmp_path.iterdir()] == ["game.kdt"]


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
        await until(lambda: "cannot be read" in shown(app))
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(main())
