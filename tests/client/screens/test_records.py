"""The screen of finished games: what it lists, and what its keys and clicks do with a real record."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kimberley.client.screens.app import App
from kimberley.client.screens.records import RecordsScreen
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.services import KeptGame, RecordFinding
from kimberley.games.diamond import GAME
from kimberley.p2p.storage.archive import save_record
from tests.support.asyncs import until
from tests.support.pretend import PretendServices, noted_copies, press, pretend_app, shown, touch
from tests.support.tables import played

FAIR = RecordFinding("fair", "every seat was run again", "ana won against ben: Black holds a square", (1, 2))
GAMES = tuple(
    KeptGame(Path(f"/home/ana/records/{number}.kdt"), 61_400, 1_790_000_000.0, str(number), "diamond", "Diamond",
             ("ana", "ben"), 0, FAIR)
    for number in range(12)
)  # fmt: skip


def on_records(test: Callable[[App, PretendServices], Awaitable[None]], *games: KeptGame) -> None:
    """Runs a test on the event loop, with the screen of finished games open."""

    async def main() -> None:
        services = PretendServices()
        services.kept = games
        app = pretend_app(services)
        app.push(TitleScreen(app))
        press(app, "r")
        await until(lambda: "Reading the list" not in shown(app))
        await test(app, services)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(main())


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_list_says_with_whom_how_it_ended_and_whether_it_was_fair(size: tuple[int, int]) -> None:
    async def test(app: App, services: PretendServices) -> None:
        del services
        text = shown(app, *size)
        assert "12 games" in text
        row = next(line for line in text.splitlines() if "▸" in line)
        assert [word for word in ("Diamond", "ben", "won", "✓ fair") if word not in row] == []
        assert "Diamond, with ben" in text
        assert "ana won against ben: Black holds a square." in text
        assert "/home/ana/records/0.kdt  61 kB" in text
        assert ("more ▾" in text) == (size == (80, 24))
        assert "Esc title" in text.splitlines()[-1], "the way back for the mouse"

    on_records(test, *GAMES)


def test_why_a_record_is_fair_is_not_cut() -> None:
    reason = "every move was replayed, and all 1234 signed messages match"

    async def test(app: App, services: PretendServices) -> None:
        said = " ".join(shown(app).replace("│", " ").split())
        assert "all 1234 signed messages match." in said

    finding = RecordFinding("fair", reason, "ana won against ben: Black holds a square", (1, 2))
    on_records(test, replace(GAMES[0], finding=finding))


def test_a_record_that_no_audit_has_judged_is_judged_one_by_one() -> None:
    pending = [replace(game, finding=None) for game in GAMES[:3]]

    async def main() -> None:
        services = PretendServices()
        services.kept, services.judged = tuple(pending), {game.digest: game for game in GAMES}
        app = pretend_app(services)
        app.push(RecordsScreen(app))
        await until(lambda: shown(app).count("✓ fair") == 4)
        assert sorted(services.asked) == [("verify", f"{number}.kdt") for number in range(3)]
        press(app, "down", "v")
        await until(lambda: "Checked again: fair." in shown(app))
        assert services.asked[3:] == [("verify", "1.kdt")]

    asyncio.run(main())


def test_without_a_record_the_screen_says_what_will_be_there() -> None:
    async def test(app: App, services: PretendServices) -> None:
        del services
        assert "No finished games yet." in shown(app)
        press(app, "enter", "v", "y", "delete")
        assert "No finished games yet." in shown(app)
        press(app, "esc")
        assert "Play alone" in shown(app)

    on_records(test)


@pytest.mark.slow
def test_a_real_record_is_replayed_copied_and_deleted(tmp_path: Path) -> None:
    path = save_record(tmp_path, ["ana", "ben"], played(GAME, salt="records").peers[0].record().pack())
    game = replace(GAMES[0], path=path)

    async def test(app: App, services: PretendServices) -> None:
        copied = noted_copies(app)
        press(app, "y")
        assert copied == [str(path)]
        touch(app, "Diamond  ")
        await until(lambda: "· replay" in shown(app))
        press(app, "esc", "r")
        await until(lambda: "Diamond · review" in shown(app))
        press(app, "esc")
        assert "FINISHED" in shown(app)
        press(app, "delete", "enter")
        assert path.exists()
        press(app, "delete", "x")
        assert not path.exists()
        assert "No finished games yet." in shown(app)

    on_records(test, game)


def test_a_file_that_holds_no_game_is_not_replayed(tmp_path: Path) -> None:
    path = tmp_path / "a.kdt"
    path.write_bytes(b"nothing")

    async def test(app: App, services: PretendServices) -> None:
        del services
        press(app, "enter")
        await until(lambda: "holds no game with a result" in shown(app))
        press(app, "r")
        await until(lambda: "This game cannot be reviewed." in shown(app))

    on_records(test, replace(GAMES[0], path=path, finding=RecordFinding("damaged", "this is not a record")))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_a_game_that_stopped_is_called_so_and_no_replay_of_it_is_offered(size: tuple[int, int]) -> None:
    async def test(app: App, services: PretendServices) -> None:
        del services
        text = shown(app, *size)
        assert "stopped" in next(line for line in text.splitlines() if "▸" in line)
        assert " ".join(text.split()).count("stopped while waiting for ben") == 1
        assert "before its end" not in text, "the reason says so"
        assert "Replay" not in text
        assert "Review" not in text
        press(app, "down")
        assert "Replay" in shown(app, *size)

    finding = RecordFinding("incomplete", "the game stopped while waiting for ben")
    on_records(test, replace(GAMES[0], finding=finding), GAMES[1])


def test_the_reason_for_stopping_is_read_whole() -> None:
    reason = (
        "the fairness check stopped while waiting for leopold; ana says that leopold was silent; neither can prove it"
    )

    async def test(app: App, services: PretendServices) -> None:
        del services
        assert reason[4:] in " ".join(shown(app, 80, 24).replace("│", " ").split())

    on_records(test, replace(GAMES[0], finding=RecordFinding("incomplete", reason)))


def test_a_practice_game_is_named_whole_in_the_list_and_marked_beside() -> None:
    title = "Blood Diamonds: Piecepack"

    async def test(app: App, services: PretendServices) -> None:
        del services
        row = next(line for line in shown(app, 80, 24).splitlines() if "▸" in line)
        assert f"{title} " in row
        assert "practice" in row
        assert "fair" not in row
        assert re.search(rf" {GAMES[0].standing} +practice", row), "who won, as well"
        assert f"{title} (practice), with ben" in shown(app, 80, 24)

    on_records(test, replace(GAMES[0], game="piecepack", title=f"{title} (practice)"))


def test_beside_a_long_result_the_reason_is_read_whole() -> None:
    names = ("ana 4e78", "ben 4e78", "carla 4e78")
    result = (
        "ana 4e78 won (ana 4e78 5 points, ben 4e78 0 points, carla 4e78 0 points). The game ended when the last tile "
        "was drawn"
    )
    reason = "the fairness check stopped while waiting for ben 4e78 and carla 4e78"

    async def test(app: App, services: PretendServices) -> None:
        del services
        text = " ".join(shown(app, 80, 24).replace("│", " ").split())
        assert result in text
        assert f"{reason[4:]}." in text
        assert "/home/ana/records/0.kdt" in text

    on_records(test, replace(GAMES[0], names=names, finding=RecordFinding("incomplete", reason, result, (1, 2, 2))))


@pytest.mark.parametrize(
    ("finding", "offered"),
    [
        (FAIR, {"Replay", "Review"}),
        (replace(FAIR, verdict="incomplete"), {"Replay"}),
        (RecordFinding("damaged", "the record was changed after it was signed"), set()),
    ],
)
def test_only_what_can_be_done_with_a_record_is_offered(finding: RecordFinding, offered: set[str]) -> None:
    async def test(app: App, services: PretendServices) -> None:
        del services
        text = shown(app, 80, 24)
        assert {label for label in ("Replay", "Review") if label in text} == offered
        assert not re.search(r"│ +\. +│|No result", text), "of what has no result nothing is said"
        press(app, "f1")
        page = " ".join(shown(app, 80, 40).replace("│", " ").split())
        assert ("Enter replays the game" in page) == ("Replay" in offered)
        assert ("r reviews it" in page) == ("Review" in offered)
        assert "v checks it again" in page

    on_records(test, replace(GAMES[0], finding=finding))


@pytest.mark.parametrize(
    ("game", "asked"),
    [
        (GAMES[0], "Delete your record of Diamond with ben for good?"),
        (replace(GAMES[0], seat=None), "Delete your record of Diamond for good?"),
        (replace(GAMES[0], title="a file", names=(), seat=None), "Delete your record of a file for good?"),
    ],
)
def test_before_a_record_is_deleted_it_is_named(game: KeptGame, asked: str) -> None:
    async def test(app: App, services: PretendServices) -> None:
        del services
        press(app, "delete")
        assert asked in " ".join(shown(app, 80, 24).replace("│", " ").split())

    on_records(test, game)
