"""The chat of a table before, in and after a game: who hears it, what of it is checked, and what a seat cannot do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table import chat
from kimberley.p2p.table.chat import HEAR_BURST, SAY_BURST, TOO_FAST
from kimberley.p2p.table.events import ChatLine, Notice
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.channel import ChannelClosed
from kimberley.p2p.transport.dial import dial
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link
from kimberley.p2p.transport.mesh import SEAT
from kimberley.protocol.envelope import MOST_TEXT
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.inside import identity_of, links_of
from tests.support.seated import LOOPBACK, circle_of_tables, no_faults, pair_of_tables, play_on


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


def said(table: Table) -> list[tuple[int, str, bool]]:
    return [(line.seat, line.text, line.checked) for line in table.talk]


def link_between(table: Table, other: Table) -> Link:
    return links_of(table)[identity_of(other).public]


# -- who hears it ------------------------------------------------------------------------------------------------------


def test_two_talk_before_in_and_after_a_game_in_one_list_and_only_the_game_is_signed(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            host, guest = await tables.open(), await tables.join()
            await tables.both("words")
            host.say(" before\x1b[2J\nthe game ")
            await until(lambda: guest.talk)
            guest.say("hello")
            await until(lambda: len(host.talk) == 2)
            assert said(host) == [(0, "before[2J the game", True), (1, "hello", False)]
            assert said(guest) == [(0, "before[2J the game", False), (1, "hello", True)]
            host.same(True)
            guest.same(True)
            await tables.both("playing")
            host.say("in it")
            await until(lambda: len(guest.talk) == 3)
            # The words were the same, so nobody sat in between.
            assert all(line.checked for line in (*host.talk, *guest.talk))
            await play_on(tables)
            guest.say("well played")
            await until(lambda: len(host.talk) == 4)
            assert [line.text for line in host.talk] == ["before[2J the game", "hello", "in it", "well played"]
            assert host.talk == guest.talk
            assert ChatLine(1, "well played") in tables.told["ana"]
            assert host.record is not None
            record = host.record.read_bytes()
            assert b"in it" in record
            assert not any(text in record for text in (b"before", b"hello", b"well played"))

    run(story())


def test_who_has_met_before_needs_no_words_for_the_chat(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            ben = await circle.join(headless=False)
            await until(lambda: len(host.names) == len(ben.names) == 2)
            for table in circle.tables:
                table.ready(True)
            await circle.all("words")
            for table in circle.tables:
                table.same(True)
            await circle.all("playing")
            ben.resign()
            await circle.all("done")
            # Another game: nobody sits where they sat, and what was said stays with its speaker.
            ben.say("a rematch?")
            await until(lambda: host.talk)
            assert said(host) == [(1, "a rematch?", True)]
            for table in circle.tables:
                table.again(True)
            await circle.all("playing")
            assert host.names[0] == "ben"
            assert said(host) == said(ben) == [(0, "a rematch?", True)]

    run(story())


def test_at_three_seats_the_host_passes_on_and_after_the_game_nobody_has_to(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            ben = await circle.join(headless=False)
            await until(lambda: len(ben.names) == 2)
            ben.say("just us")
            await until(lambda: host.talk)
            cleo = await circle.join(headless=False)
            await until(lambda: all(len(table.names) == 3 for table in circle.tables))
            ben.say("welcome")
            await until(lambda: cleo.talk)
            host.say("hi")
            await until(lambda: len(cleo.talk) == 2)
            assert said(cleo) == [(1, "welcome", False), (0, "hi", False)]
            for table in circle.tables:
                table.ready(True)
            await circle.all("words")
            cleo.say("the words are the same")
            await until(lambda: all((2, "the words are the same") in texts(table) for table in circle.tables))
            for table in circle.tables:
                table.same(True)
            await circle.all("playing")
            # The host could have changed what it passed on, whatever the words were.
            assert said(host) == [
                (1, "just us", True), (1, "welcome", True), (0, "hi", True), (2, "the words are the same", True),
            ]  # fmt: skip
            assert said(ben)[-1] == (2, "the words are the same", False)
            assert (0, "hi", True) in said(ben)
            await circle.play()
            await circle.all("done")
            cleo.say("thanks")
            await until(lambda: all((2, "thanks", True) in said(table) for table in circle.tables))
            assert all(texts(table).count((2, "thanks")) == 1 for table in circle.tables)

    run(story())


def texts(table: Table) -> list[tuple[int, str]]:
    return [(line.seat, line.text) for line in table.talk]


def test_the_lines_of_who_goes_before_the_game_go_too(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            ben, cleo = await circle.join(headless=False), await circle.join(headless=False)
            await until(lambda: all(len(table.names) == 3 for table in circle.tables))
            ben.say("I have to go")
            cleo.say("I stay")
            await until(lambda: all(len(table.talk) == 2 for table in circle.tables))
            ben.leave()
            await until(lambda: len(host.names) == len(cleo.names) == 2)
            assert texts(host) == texts(cleo) == [(1, "I stay")]

    run(story())


def test_nothing_is_said_at_a_table_that_has_ended(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            host, guest = await tables.open(), await tables.join()
            await tables.both("words")
            guest.same(False)
            await tables.both("failed")
            host.say("hello?")
            assert not host.talk
            assert not guest.talk

    run(story())


# -- what a seat cannot do ---------------------------------------------------------------------------------------------


def test_what_is_no_line_or_claims_another_speaker_is_ignored(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            ben, cleo = await circle.join(headless=False), await circle.join(headless=False)
            await until(lambda: all(len(table.names) == 3 for table in circle.tables))
            own, bens, cleos = (identity_of(table).public for table in (host, ben, cleo))
            malformed: list[Frame] = [
                ("say",), ("say", "x"), ("say", "x", 1), ("say", b"x", True), ("say", "x", True, "x"),
                ("say", "x" * (MOST_TEXT + 1), True), ("say", "\x00\n ", True),
                ("said", cleos, "x"), ("said", bens, "x"), ("said", own, "x"),
            ]  # fmt: skip
            for frame in malformed:
                link_between(ben, host).send(frame)
            from_host: list[Frame] = [
                ("said", own, "x"), ("said", cleos, "x"), ("said", bytes(32), "x"), ("said", "ben", "x"),
                ("said", bens), ("said", bens, b"x"), ("said", bens, "x" * (MOST_TEXT + 1)), ("said", bens, "x", 1),
            ]  # fmt: skip
            for frame in from_host:
                link_between(host, cleo).send(frame)
            ben.say("x" * (3 * MOST_TEXT))
            await until(lambda: all(table.talk for table in circle.tables))
            for table in circle.tables:
                assert texts(table) == [(1, "x" * MOST_TEXT)]
                assert table.phase == "open"

    run(story())


def test_only_who_sits_is_heard(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            ben = await circle.join(headless=False)
            await until(lambda: len(ben.names) == 2)
            stranger = await dial(LOOPBACK, host.port, Identity.fresh(), (SEAT,))
            assert (await stranger.receive())[0] == "table"
            stranger.send(("say", "let me in", True))
            assert (await stranger.receive())[0] == "refused"
            with pytest.raises(ChannelClosed):
                await stranger.receive()
            await stranger.close()
            ben.say("who was that?")
            await until(lambda: host.talk)
            assert texts(host) == texts(ben) == [(1, "who was that?")]

    run(story())


def test_who_says_too_much_is_muted_and_the_table_goes_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            ben, cleo = await circle.join(headless=False), await circle.join(headless=False)
            await until(lambda: all(len(table.names) == 3 for table in circle.tables))
            passed = 0
            heard = asyncio.get_running_loop().time()
            for number in range(500):
                link_between(ben, host).send(("say", f"{number}", True))
            # The host answers a frame that comes behind them.
            ben.ready(True)
            await until(lambda: host.readiness[1] and cleo.readiness[1])
            passed = int(asyncio.get_running_loop().time() - heard) + 1
            assert HEAR_BURST <= len(host.talk) <= HEAR_BURST + passed
            assert texts(cleo) == texts(host)
            # So is a host that says it in the names of others; each seat has a measure of its own.
            before = len(cleo.talk)
            for number in range(500):
                link_between(host, cleo).send(("said", identity_of(ben).public, f"more {number}"))
            host.say("quiet, please")
            await until(lambda: (0, "quiet, please") in texts(cleo))
            passed = int(asyncio.get_running_loop().time() - heard) + 1
            assert len(cleo.talk) - before <= 1 + passed
            assert {table.phase for table in circle.tables} == {"open"}
            for table in circle.tables:
                table.ready(True)
            await circle.all("words")

    run(story())


def test_a_player_who_says_too_much_is_told_and_nothing_is_sent(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            host, guest = await tables.open(), await tables.join()
            await tables.both("words")
            for number in range(3 * SAY_BURST):
                host.say(f"{number}")
            assert Notice(TOO_FAST) in tables.told["ana"]
            assert SAY_BURST <= len(host.talk) < 3 * SAY_BURST
            await until(lambda: len(guest.talk) == len(host.talk))
            assert texts(guest) == texts(host)

    run(story())


def test_only_the_last_lines_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    most = 50
    monkeypatch.setattr(chat, "MOST_LINES", most)

    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            host, guest = tables.host, tables.guest
            for number in range(most + 10):
                host.say(f"{number}")
            await until(lambda: guest.talk and guest.talk[-1].text == f"{most + 9}")
            assert [line.text for line in guest.talk] == [f"{number}" for number in range(10, most + 10)]

    run(story(), 120)


def test_what_is_said_outside_the_game_while_it_is_played_is_no_envelope(tmp_path: Path) -> None:
    """A line may cross the last word that begins the game: it is shown, and changes nothing."""

    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            host, guest = tables.host, tables.guest
            link_between(guest, host).send(("say", "late", True))
            await until(lambda: host.talk)
            assert said(host) == [(1, "late", True)]
            await play_on(tables)
            assert host.record is not None
            assert b"late" not in host.record.read_bytes()
            assert host.verdict is not None
            assert host.verdict.code == "fair"

    run(story())
