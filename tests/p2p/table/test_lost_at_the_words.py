"""Connections that are lost while the words are compared: a game begins for everybody, or can be begun again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kimberley.p2p.storage.identity import KnownKeys
from kimberley.p2p.table.table import Table
from tests.support.asyncs import run, until
from tests.support.inside import links_of, wire_of
from tests.support.seated import Pair, no_faults, pair_of_tables, play_on

LOST = "ana lost the connection before the game began. Join again."


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


async def at_the_words(tables: Pair) -> None:
    await tables.open()
    await tables.join()
    await tables.both("words")


def lose_what_it_sends(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loses what a seat sends from now on over its connection."""
    (link,) = links_of(table).values()
    monkeypatch.setattr(link.channel, "send", lambda _: 0)


def lose_connection(table: Table) -> None:
    (link,) = links_of(table).values()
    wire_of(link).abort("lost")


@pytest.mark.parametrize("first", ["host", "guest"])
def test_a_game_that_has_begun_for_one_seat_begins_for_the_other_once_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await at_the_words(tables)
            begins, waits = tables.both_tables if first == "host" else reversed(tables.both_tables)
            lose_what_it_sends(begins, monkeypatch)
            begins.words.answer(True)
            waits.words.answer(True)
            await until(lambda: begins.phase == "playing")
            assert waits.phase == "words"
            lose_connection(begins)
            await tables.both("playing")
            await play_on(tables)
            assert {table.ending.verdict.code for table in tables.both_tables if table.ending.verdict} == {"fair"}

    run(story())


@pytest.mark.slow
def test_a_guest_who_has_agreed_learns_that_the_host_has_not_begun(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await at_the_words(tables)
            tables.guest.words.answer(True)
            await until(lambda: tables.host.words.agreed == (False, True))
            lose_connection(tables.host)
            await until(lambda: tables.host.phase == "open" and tables.guest.phase == "failed")
            assert tables.guest.problem == LOST
            await tables.join()
            await tables.both("words")

    run(story())


def test_a_guest_who_has_not_agreed_can_join_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await at_the_words(tables)
            former = tables.host.words.phrase
            tables.host.words.answer(True)
            await until(lambda: tables.guest.words.agreed == (True, False))
            lose_connection(tables.guest)
            await until(lambda: tables.guest.phase == "failed" and 1 in tables.host.reconnection.away)
            assert tables.guest.problem == LOST
            assert tables.host.phase == "words"
            await tables.join()
            await until(lambda: tables.guest.phase == "words")
            assert tables.host.words.phrase == tables.guest.words.phrase != former
            for table in tables.both_tables:
                table.words.answer(True)
            await tables.both("playing")

    run(story())


@pytest.mark.parametrize("denied", ["host", "guest"])
def test_a_table_that_ends_at_the_words_is_counted_once_if_the_connection_is_lost_at_that_moment(
    tmp_path: Path, denied: str
) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await at_the_words(tables)
            table, data = (tables.host, tables.ana) if denied == "host" else (tables.guest, tables.ben)
            (link,) = links_of(table).values()
            # The frame is the last one that arrives: it is handled before the loss is.
            lose_connection(table)
            link.on_frame(link, ("vote", "same", (table.game_id, False)))
            await until(lambda: table.phase == "failed")
            assert str(table.problem).startswith(f"{link.nickname} says that the words differ.")
            assert KnownKeys(data).aborted == 1

    run(story())
