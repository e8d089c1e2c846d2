"""`kimberley referee --status DIR`: a tournament as its folder shows it, while a referee writes to it."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

import pytest

from kimberley.client.cli.main import main
from kimberley.client.screens import status as screen
from kimberley.client.screens.status import StatusScreen
from kimberley.p2p.base.arguments import MISUSED
from kimberley.p2p.tournament.events import PlayerWithdrew, RoundPaired, RoundScheduled, TablePaused, TournamentEnded
from kimberley.referee import status
from kimberley.referee.store import Store, StoreReader
from tests.support.asyncs import until
from tests.support.pretend import press, pretend_app, shown
from tests.support.pretend_source import LATER, SEED, PretendSource


def kept(folder: Path) -> tuple[Store, PretendSource]:
    """Returns a cup of four in a folder, whose first round is paired; and its source, which can move it on."""
    source = PretendSource.open(names=("ana", "ben", "carla", "dmitri"))
    store = Store.create(folder, source.settings, SEED)
    source.store = store.add
    for event in source.events:
        store.add(event)
    paired = source.pair()
    store.set_clocks({(1, 0): source.timed[1, 0].paused(source.now()).plain(source.now())})
    assert isinstance(paired, RoundPaired)
    return store, source


def test_it_is_told_in_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, source = kept(tmp_path)
    source.decide(1, 1, (1, 2), sentence="It was a fine game.")
    store.close()
    assert main(["referee", "--plain", "--status", str(tmp_path)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Friday Cup. Diamond Trust of London. Swiss system, 20 minutes each, plus 10 seconds per choice."
    assert "ana has joined." in said
    assert "Round 1: 2 tables." in said
    assert "Table 2 of round 1 is finished. It was a fine game." in said
    assert said[said.index("4 players: ana, ben, carla, dmitri.") + 1] == "Round 1 of 3:"
    assert sum(line.startswith("  Table 1, ") and line.endswith(": playing.") for line in said) == 1
    assert sum(line.startswith("  Table 2, ") and line.endswith(": It was a fine game.") for line in said) == 1
    assert sum("rating" in line for line in said) == 4


def test_lines_are_not_broken_within_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, source = kept(tmp_path)
    source.decide(1, 1, (1, 2), sentence=f"{'It was a fine game, ' * 6}and long.")
    store.close()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["referee", "--plain", "--status", str(tmp_path)]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert max(map(len, rows)) < 80
    assert f"{'It was a fine game, ' * 6}and long." in " ".join(row.strip() for row in rows)


def test_a_paused_table_and_what_the_next_round_waits_for_are_told(tmp_path: Path) -> None:
    store, source = kept(tmp_path)

    def told() -> str:
        with StoreReader(tmp_path) as reader:
            return "\n".join(status.lines(tmp_path, reader))

    source.add(TablePaused(LATER, 1, 0))
    assert "playing. Paused by the organizer." in told()
    source.add(RoundScheduled(LATER, LATER))
    assert told().endswith("The next round begins when all games of this round are over.")
    source.add(RoundScheduled(LATER, None))
    assert told().endswith("The next round begins when the organizer says so.")
    assert told().count("The next round begins") == 1
    source.add(RoundScheduled(LATER, int(time.time()) + 3600))
    assert "or later if games are still going on." in told()
    source.add(RoundScheduled(LATER, int(time.time()) - 60))
    assert told().endswith("The next round begins when all games of this round are over.")
    store.close()


def test_the_screen_shows_a_paused_table_and_what_the_next_round_waits_for(tmp_path: Path) -> None:
    store, source = kept(tmp_path)
    source.add(TablePaused(LATER, 1, 0))
    source.add(PlayerWithdrew(LATER, source.tournament.players[0].identity))
    following = "Everyone has met: the tournament ends at 23:00:00, or later if games are still going on."

    async def main() -> str:
        with StoreReader(tmp_path) as reader:
            app = pretend_app()
            app.push(StatusScreen(app, reader, lambda _: following))
            text = shown(app)
            press(app, "esc")
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
            return text

    text = asyncio.run(main())
    assert "paused 14:48 20:00" in text
    assert following in " ".join(text.replace("│", " ").split())
    assert "3 players" in text
    store.close()


def test_it_is_told_to_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept(tmp_path)[0].close()
    assert main(["referee", "--json", "--status", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out)["cup"]["name"] == "Friday Cup"


def test_a_folder_without_a_cup_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["referee", "--status", str(tmp_path)]) == 1
    assert "is no tournament" in capsys.readouterr().err


def test_the_screen_follows_what_the_referee_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "LOOK_SECONDS", 0.02)

    async def main() -> None:
        store, source = kept(tmp_path)
        reader = StoreReader(tmp_path)
        app = pretend_app()
        app.push(StatusScreen(app, reader, lambda _: None))
        for size in ((80, 24), (120, 40)):
            text = shown(app, *size)
            assert "Friday Cup" in text
            assert "14:48 20:00" in text
            assert "Round 1: 2 tables." in text
        source.decide(1, 0, (2, 1), sentence="ben won by a carat.")
        await until(lambda: "Table 1 of round 1 is finished. ben won by a carat." in shown(app))
        assert "0 – 1" in shown(app)
        source.decide(1, 1, (1, 2), sentence=f"{'carla won by a great many carats, ' * 5}as all could see.")
        await until(lambda: "as all could see." in shown(app))
        status_screen = app.stack[-1]
        assert isinstance(status_screen, StatusScreen)
        assert [section.heading for section in status_screen.help().sections] == ["What this is", "Steering"]
        source.add(TournamentEnded(LATER))
        await until(lambda: "OVER" in shown(app))
        (section,) = status_screen.help().sections
        assert "Clocks" not in section.text, "nobody can steer it, and no clock runs any more"
        press(app, "esc")
        assert app.stack == []
        reader.close()
        store.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(main())


def test_a_referee_needs_a_name_or_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["referee"]) == MISUSED
    assert 'kimberley referee "Friday Cup"' in capsys.readouterr().err
