"""What a player finds after a return: a game that goes on, or was ruled meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.archive import list_records
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import is_open_here, read_journal
from kimberley.p2p.table import table
from kimberley.p2p.table.resume import IN_A_TOURNAMENT, RestoredSeat, list_resumable_games, restore_seat
from kimberley.p2p.table.table import Table
from kimberley.p2p.tournament import events
from kimberley.protocol import audit
from kimberley.protocol.audit import verify
from kimberley.referee.organizer import Organizer
from kimberley.referee.server import RoundTiming
from tests.support.asyncs import run, until
from tests.support.evenings import evening, grace
from tests.support.seated import no_faults
from tests.support.stones import STONES

pytestmark = pytest.mark.slow

ONE = RoundTiming(players=2, pause=0.0)
LONG = {"rounds": 40}


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


def test_who_lost_while_away_has_a_record_and_nothing_to_resume(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=2, **grace(5)) as held:
            await held.enter("ana")
            ben = await held.enter("ben", plays=False)
            await until(lambda: ben.table is not None and ben.table.phase == "playing")
            await held.leave("ben")
            await until(lambda: held.results)
            (game,) = list_resumable_games(tmp_path / "ben", ben.identity)
            await held.enter("ben")
            await until(lambda: read_journal(game.path).closed is not None)
            assert read_journal(game.path).closed == held.results[0].sentence
            (kept,) = list_records(tmp_path / "ben")
            assert verify(kept.path.read_bytes(), held.find).code == audit.INCOMPLETE

    run(story())


def test_who_lost_a_replay_while_away_has_nothing_to_resume(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=2, **grace(5)) as held:
            organizer = Organizer(held.server, held.identity)
            await held.enter("ana", plays=False)
            ben = await held.enter("ben", plays=False)
            await until(lambda: ben.table is not None and ben.table.phase == "playing")
            first = ben.table
            await organizer.schedule(None)
            assert await organizer.replay(0, "the lights went out") is None
            await until(lambda: ben.table not in (None, first) and ben.table.phase == "playing")
            held.play("ana")
            await held.leave("ben")
            await until(lambda: len(held.results) == 2)
            (game,) = list_resumable_games(tmp_path / "ben", ben.identity)
            await held.enter("ben")
            await until(lambda: read_journal(game.path).closed is not None)
            assert read_journal(game.path).closed == held.results[1].sentence

    run(story())


def test_who_lost_while_the_program_restored_the_seat_has_nothing_to_resume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ruled = threading.Event(), threading.Event()

    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=2, **grace(30)) as held:
            ana = await held.enter("ana")
            ben = await held.enter("ben", plays=False)
            await until(lambda: ben.table is not None and ben.table.phase == "playing")
            await held.leave("ben")
            (game,) = list_resumable_games(tmp_path / "ben", ben.identity)

            def restore(*what: Any) -> RestoredSeat:
                begun.set()
                assert ruled.wait(30)
                return restore_seat(*what)

            monkeypatch.setattr(table, "restore_seat", restore)
            ben = await held.enter("ben", plays=False)
            await until(begun.is_set)
            assert await Organizer(held.server, held.identity).decide(0, [ana.identity], "enough") is None
            await until(lambda: ben.tournament.rounds[0].tables[0].decided is not None)
            ruled.set()
            await until(lambda: read_journal(game.path).closed is not None)
            await until(lambda: not is_open_here(game.path))

    run(story())


def test_who_leaves_and_returns_plays_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=1, options=LONG) as held:
            await held.enter("ana")
            ben = await held.enter("ben")
            await until(lambda: ben.table is not None and ben.table.peer and len(ben.table.peer.story) > 6)
            await held.leave("ben")
            assert not held.results
            data = tmp_path / "ben"
            (game,) = list_resumable_games(data, ben.identity)
            assert game.problem == IN_A_TOURNAMENT
            with pytest.raises(UserError, match="Join it again"):
                await Table.resume(game.path, held.find, identity=Identity.load_or_create(data), data=data)
            await held.enter("ben")
            (result,) = await held.end()
            assert result.how == events.PLAYED, result.sentence

    run(story())
