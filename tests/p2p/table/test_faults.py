"""Errors that nobody foresaw, at one seat of a table: each leads to a sentence, and to a game that can go on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kimberley.games.table import Game
from kimberley.p2p.storage import archive
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import Journal, list_journals
from kimberley.p2p.table import ending
from kimberley.p2p.table.ending import UNJUDGED
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.rematch import Rematch
from kimberley.p2p.table.spectator_client import SpectatorClient
from kimberley.p2p.table.table import Notice, Table
from kimberley.p2p.table.words import WordsVerification
from kimberley.protocol.audit import AuditedGame
from tests.support.asyncs import run, until
from tests.support.comeback import back
from tests.support.inside import links_of, match_of
from tests.support.seated import LOOPBACK, Pair, pair_of_tables, play, play_on
from tests.support.stones import STONES

SENTENCE = "Something went wrong in the program (ZeroDivisionError('boom')); the log has details. Please report it."
KEPT = "Your game is saved: you can resume it."


def boom(*given: Any, **named: Any) -> Any:
    raise ZeroDivisionError("boom")


def traceback(caplog: pytest.LogCaptureFixture) -> bool:
    """Returns whether the log holds the traceback of the error."""
    return any(entry.exc_info is not None and "boom" in str(entry.exc_info[1]) for entry in caplog.records)


async def goes_on(tables: Pair) -> None:
    """Resumes the seat of a host that has failed; the game comes to its fair end there."""
    await tables.host.close()
    again = tables.follow(await back(tables.ana, STONES), "ana")
    await play(again, Random(3))
    assert again.phase == "done"
    assert again.ending.verdict is not None
    assert again.ending.verdict.code == "fair"
    assert not list_journals(tables.ana)


def test_an_error_in_the_closing_leaves_a_table_that_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            at_host, after = match_of(tables.host), ending._turns_after

            def fails(match: Match, game: Game) -> Any:
                return boom() if match is at_host else after(match, game)

            monkeypatch.setattr(ending, "_turns_after", fails)
            await play_on(tables)
            await until(lambda: tables.host.phase == "failed")
            assert tables.host.problem == f"{SENTENCE} {KEPT}"
            assert tables.host.ending.resumable
            assert tables.guest.phase == "done"
            await goes_on(tables)

    run(story())
    assert traceback(caplog)


def test_an_error_while_a_table_is_left_does_not_keep_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            with monkeypatch.context() as patched:
                patched.setattr(archive, "save_record", boom)
                tables.host.departures.leave()
                await until(lambda: tables.host.phase == "failed")
            assert tables.host.problem == f"You have left the table. {SENTENCE}"
            await until(lambda: tables.guest.phase == "failed")
            assert str(tables.guest.problem).startswith("ana left the table.")
            # What could not be kept as a record is kept as a journal, and nobody holds it.
            (path,) = list_journals(tables.ana)
            Journal.resume(path)[0].close()

    run(story())
    assert traceback(caplog)


@pytest.mark.slow
def test_an_error_at_what_another_seat_says_costs_one_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            with monkeypatch.context() as patched:
                patched.setattr(WordsVerification, "set_ready", boom)
                for link in links_of(tables.guest).values():
                    link.send(("vote", "same", (b"", True)))
                await until(lambda: tables.host.reconnection.away)
            await until(lambda: not tables.host.reconnection.away)
            await play_on(tables)
            assert tables.host.ending.verdict is not None
            assert tables.host.ending.verdict.code == "fair"

    run(story())
    assert traceback(caplog)


@pytest.mark.slow
def test_an_error_behind_the_machine_stops_a_seat_that_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            playing = asyncio.create_task(play(tables.guest, Random(1)))
            with monkeypatch.context() as patched:
                patched.setattr(Rematch, "begin_if_agreed", boom)
                for link in links_of(tables.guest).values():
                    link.send(("vote", "again", True))
                await until(lambda: tables.host.phase == "failed")
            assert tables.host.problem == f"{SENTENCE} {KEPT}"
            await goes_on(tables)
            await playing

    run(story())
    assert traceback(caplog)


def test_a_seat_without_a_journal_says_that_it_cannot_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open(headless=True)
            guest = tables.follow(
                await Table.join(
                    f"{LOOPBACK}:{tables.host.port}",
                    lambda _: STONES,
                    nickname="ben",
                    identity=Identity.fresh(),
                    data=None,
                    headless=True,
                ),
                "ben",
            )
            await until(lambda: guest.phase == tables.host.phase == "playing")
            monkeypatch.setattr(Rematch, "begin_if_agreed", boom)
            for link in links_of(tables.host).values():
                link.send(("vote", "again", True))
            await until(lambda: guest.phase == tables.host.phase == "failed")
            assert guest.problem == SENTENCE
            assert not guest.ending.resumable
            assert tables.host.problem == "ben cannot continue: the program failed."

    run(story())


def test_where_the_record_cannot_be_judged_the_person_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            monkeypatch.setattr(AuditedGame, "by", boom)
            await play_on(tables)
            await tables.both("done")
            assert tables.host.ending.verdict is None
            assert tables.host.ending.record is not None
            assert Notice(UNJUDGED) in tables.told["ana"]

    run(story())
    assert traceback(caplog)


def test_a_spectator_whose_program_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            monkeypatch.setattr(SpectatorClient, "begin", boom)
            watch = await SpectatorClient.open(f"{LOOPBACK}:{tables.host.port}", lambda _: STONES)
            await until(lambda: watch.problem is not None)
            assert watch.problem == SENTENCE
            await watch.close()

    run(story())
