"""The chat of a table before, in and after a game: who hears it, what of it is checked, and what a seat cannot do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import list_journals, read_journal
from kimberley.p2p.table import chat
from kimberley.p2p.table.catch_up import CatchUp
from kimberley.p2p.table.chat import AWAY, HEAR_BURST, LOST, MOST_TEXT, SAY_BURST, TOO_FAST
from kimberley.p2p.table.events import ChatLine, Notice
from kimberley.p2p.table.resume import heard_lines
from kimberley.p2p.table.spectator_client import SpectatorClient, missed
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.channel import ChannelClosed
from kimberley.p2p.transport.dial import dial
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link
from kimberley.p2p.transport.mesh import SEAT
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.comeback import back, die
from tests.support.inside import identity_of, links_of
from tests.support.seated import LOOPBACK, Proxy, circle_of_tables, no_faults, pair_of_tables, play_on


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


def said(table: Table) -> list[tuple[int, str, bool]]:
    return [(line.seat, line.text, line.checked) for line in table.chat.lines]


def link_between(table: Table, other: Table) -> Link:
    return links_of(table)[identity_of(other).public]


# -- who hears it ------------------------------------------------------------------------------------------------------


def test_two_talk_before_in_and_after_a_game_in_one_list_and_none_of_it_is_signed(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            host, guest = await tables.open(), await tables.join()
            await tables.both("words")
            host.chat.say(" before\x1b[2J\nthe game ")
            await until(lambda: guest.chat.lines)
            guest.chat.say("hello")
            await until(lambda: len(host.chat.lines) == 2)
            assert said(host) == [(0, "before[2J the game", True), (1, "hello", False)]
            assert said(guest) == [(0, "before[2J the game", False), (1, "hello", True)]
            host.words.answer(True)
            guest.words.answer(True)
            await tables.both("playing")
            host.chat.say("in it")
            await until(lambda: len(guest.chat.lines) == 3)
            # The words were the same, so nobody sat in between.
            assert all(line.checked for line in (*host.chat.lines, *guest.chat.lines))
            await play_on(tables)
            guest.chat.say("well played")
            await until(lambda: len(host.chat.lines) == 4)
            assert [line.text for line in host.chat.lines] == ["before[2J the game", "hello", "in it", "well played"]
            assert host.chat.lines == guest.chat.lines
            assert ChatLine(1, "well played") in tables.told["ana"]
            assert host.ending.record is not None
            record = host.ending.record.read_bytes()
            assert not any(text in record for text in (b"before", b"hello", b"in it", b"well played"))

    run(story())


@pytest.mark.slow
def test_who_has_met_before_needs_no_words_for_the_chat(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            ben = await circle.join(headless=False)
            await until(lambda: len(host.occupants.names) == len(ben.occupants.names) == 2)
            await circle.agree()
            ben.play.resign()
            await circle.all("done")
            # Another game: nobody sits where they sat before, and what was said stays with its speaker.
            ben.chat.say("a rematch?")
            await until(lambda: host.chat.lines)
            assert said(host) == [(1, "a rematch?", True)]
            for table in circle.tables:
                table.rematch.want()
            await circle.all("playing")
            assert host.occupants.names[0] == "ben"
            assert said(host) == said(ben) == [(0, "a rematch?", True)]

    run(story())


@pytest.mark.slow
def test_at_three_seats_the_host_passes_on_and_after_the_game_nobody_has_to(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            ben = await circle.join(headless=False)
            await until(lambda: len(ben.occupants.names) == 2)
            ben.chat.say("just us")
            await until(lambda: host.chat.lines)
            cleo = await circle.join(headless=False)
            await until(lambda: all(len(table.occupants.names) == 3 for table in circle.tables))
            ben.chat.say("welcome")
            await until(lambda: cleo.chat.lines)
            host.chat.say("hi")
            await until(lambda: len(cleo.chat.lines) == 2)
            assert said(cleo) == [(1, "welcome", False), (0, "hi", False)]
            for table in circle.tables:
                table.seating.ready(True)
            await circle.all("words")
            cleo.chat.say("the words are the same")
            await until(lambda: all((2, "the words are the same") in texts(table) for table in circle.tables))
            for table in circle.tables:
                table.words.answer(True)
            await circle.all("playing")
            # The host could have changed what it passed on, whatever the words were.
            assert said(host) == [
                (1, "just us", True), (1, "welcome", True), (0, "hi", True), (2, "the words are the same", True),
            ]  # fmt: skip
            assert said(ben)[-1] == (2, "the words are the same", False)
            assert (0, "hi", True) in said(ben)
            await circle.play()
            await circle.all("done")
            cleo.chat.say("thanks")
            await until(lambda: all((2, "thanks", True) in said(table) for table in circle.tables))
            assert all(texts(table).count((2, "thanks")) == 1 for table in circle.tables)

    run(story())


def texts(table: Table) -> list[tuple[int, str]]:
    return [(line.seat, line.text) for line in table.chat.lines]


def test_the_lines_of_who_goes_before_the_game_go_too(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            ben, cleo = await circle.join(headless=False), await circle.join(headless=False)
            await until(lambda: all(len(table.occupants.names) == 3 for table in circle.tables))
            ben.chat.say("I have to go")
            cleo.chat.say("I stay")
            await until(lambda: all(len(table.chat.lines) == 2 for table in circle.tables))
            ben.departures.leave()
            await until(lambda: len(host.occupants.names) == len(cleo.occupants.names) == 2)
            assert texts(host) == texts(cleo) == [(1, "I stay")]

    run(story())


def test_nothing_is_said_at_a_table_that_has_ended(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            host, guest = await tables.open(), await tables.join()
            await tables.both("words")
            guest.words.answer(False)
            await tables.both("failed")
            host.chat.say("hello?")
            assert not host.chat.lines
            assert not guest.chat.lines

    run(story())


# -- what a seat cannot do ---------------------------------------------------------------------------------------------


def test_what_is_no_line_or_claims_another_speaker_is_ignored(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            ben, cleo = await circle.join(headless=False), await circle.join(headless=False)
            await until(lambda: all(len(table.occupants.names) == 3 for table in circle.tables))
            own, bens, cleos = (identity_of(table).public for table in (host, ben, cleo))
            malformed: list[Frame] = [
                ("say",), ("say", bens), ("say", "x"), ("say", "x", bens), ("say", bens, b"x"), ("say", bens, "x", "x"),
                ("say", bens, "x" * (MOST_TEXT + 1)), ("say", bens, "\x00\n "),
                ("say", cleos, "x"), ("say", own, "x"), ("say", bytes(32), "x"),
            ]  # fmt: skip
            for frame in malformed:
                link_between(ben, host).send(frame)
            from_host: list[Frame] = [
                ("say", cleos, "x"), ("say", bytes(32), "x"), ("say", "ben", "x"), ("say", bens), ("say", bens, b"x"),
                ("say", bens, "x" * (MOST_TEXT + 1)), ("say", bens, "x", 1),
            ]  # fmt: skip
            for frame in from_host:
                link_between(host, cleo).send(frame)
            ben.chat.say("x" * (3 * MOST_TEXT))
            await until(lambda: all(table.chat.lines for table in circle.tables))
            for table in circle.tables:
                assert texts(table) == [(1, "x" * MOST_TEXT)]
                assert table.phase == "open"

    run(story())


def test_only_who_sits_is_heard(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            ben = await circle.join(headless=False)
            await until(lambda: len(ben.occupants.names) == 2)
            stranger = await dial(LOOPBACK, host.port, Identity.fresh(), (SEAT,))
            assert (await stranger.receive())[0] == "table"
            stranger.send(("say", stranger.peer, "let me in"))
            assert (await stranger.receive())[0] == "refused"
            with pytest.raises(ChannelClosed):
                await stranger.receive()
            await stranger.close()
            ben.chat.say("who was that?")
            await until(lambda: host.chat.lines)
            assert texts(host) == texts(ben) == [(1, "who was that?")]

    run(story())


def test_who_says_too_much_is_muted_and_the_table_goes_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            ben, cleo = await circle.join(headless=False), await circle.join(headless=False)
            await until(lambda: all(len(table.occupants.names) == 3 for table in circle.tables))
            passed = 0
            heard = asyncio.get_running_loop().time()
            for number in range(500):
                link_between(ben, host).send(("say", identity_of(ben).public, f"{number}"))
            # The host answers a frame that comes after them.
            ben.seating.ready(True)
            await until(lambda: host.occupants.readiness[1] and cleo.occupants.readiness[1])
            passed = int(asyncio.get_running_loop().time() - heard) + 1
            assert HEAR_BURST <= len(host.chat.lines) <= HEAR_BURST + passed
            assert texts(cleo) == texts(host)
            # So is a host that says it in the names of others; each seat has a limit of its own.
            before = len(cleo.chat.lines)
            for number in range(500):
                link_between(host, cleo).send(("say", identity_of(ben).public, f"more {number}"))
            host.chat.say("quiet, please")
            await until(lambda: (0, "quiet, please") in texts(cleo))
            passed = int(asyncio.get_running_loop().time() - heard) + 1
            assert len(cleo.chat.lines) - before <= 1 + passed
            assert {table.phase for table in circle.tables} == {"open"}
            for table in circle.tables:
                table.seating.ready(True)
            await circle.all("words")

    run(story())


def test_a_player_who_says_too_much_is_told_and_nothing_is_sent(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            host, guest = await tables.open(), await tables.join()
            await tables.both("words")
            for number in range(3 * SAY_BURST):
                host.chat.say(f"{number}")
            assert Notice(TOO_FAST) in tables.told["ana"]
            assert SAY_BURST <= len(host.chat.lines) < 3 * SAY_BURST
            await until(lambda: len(guest.chat.lines) == len(host.chat.lines))
            assert texts(guest) == texts(host)

    run(story())


def test_only_the_last_lines_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    most = 50
    monkeypatch.setattr(chat, "MOST_LINES", most)
    monkeypatch.setattr(chat, "SAY_BURST", 2 * most)
    monkeypatch.setattr(chat, "HEAR_BURST", 2 * most)

    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            host, guest = tables.host, tables.guest
            for number in range(most + 10):
                host.chat.say(f"{number}")
            await until(lambda: guest.chat.lines and guest.chat.lines[-1].text == f"{most + 9}")
            assert [line.text for line in guest.chat.lines] == [f"{number}" for number in range(10, most + 10)]

    run(story(), 120)


@pytest.mark.slow
def test_the_host_passes_on_what_is_said_before_a_game_has_begun_for_the_speaker_and_nothing_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            host, ben, cleo = circle.tables
            bens = identity_of(ben).public
            link_between(ben, host).send(("say", bens, "begun"))
            await until(lambda: (1, "begun") in texts(host))
            monkeypatch.setattr(CatchUp, "has_begun", lambda self, link: False)
            link_between(ben, host).send(("say", bens, "crossing"))
            await until(lambda: (1, "crossing") in texts(cleo))
            assert said(cleo) == [(1, "crossing", False)]
            await circle.play()
            await circle.all("done")

    run(story())


# -- who does not hear it ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_who_writes_is_told_who_does_not_see_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open(headless=True)
            proxy = Proxy(tables.host.port)
            async with proxy:
                await tables.join(proxy.port, headless=True)
                await tables.both("playing")
                tables.host.chat.say("just in time?")
            await until(lambda: bool(tables.host.reconnection.away and tables.guest.reconnection.away))
            assert Notice(LOST.format(name="ben")) in tables.told["ana"]
            assert not any(event == Notice(AWAY.format(name="ben")) for event in tables.told["ana"])
            tables.host.chat.say("are you there?")
            assert tables.told["ana"].count(Notice(AWAY.format(name="ben"))) == 1
            async with proxy:
                await until(lambda: not tables.host.reconnection.away and not tables.guest.reconnection.away)
                tables.host.chat.say("good")
                await until(lambda: texts(tables.guest)[-1:] == [(0, "good")])
                await play_on(tables)
            assert (0, "are you there?") not in texts(tables.guest)
            assert tables.told["ana"].count(Notice(AWAY.format(name="ben"))) == 1
            assert tables.told["ana"].count(Notice(LOST.format(name="ben"))) == 1

    run(story())


# -- what a journal holds, and who watches -----------------------------------------------------------------------------


@pytest.mark.slow
def test_a_resumed_game_has_what_both_said_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "MOST_NOTED", 3)

    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(2)
            host, ben = circle.tables
            host.chat.say("hello")
            await until(lambda: ben.chat.lines)
            ben.chat.say("hi")
            await until(lambda: len(host.chat.lines) == 2)
            host.chat.say("one")
            host.chat.say("two")
            await until(lambda: len(ben.chat.lines) == 4)
            await until(lambda: noted(tmp_path / "ben") == ["hello", "hi", "one"])
            await die(ben)
            ben = circle.follow(await back(tmp_path / "ben", CARDS), "ben")
            await until(lambda: not host.reconnection.away)
            assert texts(ben) == [(0, "hello"), (1, "hi"), (0, "one")]
            assert all(line.checked for line in ben.chat.lines)
            host.chat.say("welcome back")
            await until(lambda: texts(ben)[-1:] == [(0, "welcome back")])
            circle.tables.remove(circle.tables[1])
            await circle.play()
            await circle.all("done")

    run(story())


def noted(data: Path) -> list[str]:
    (path,) = list_journals(data)
    return [text for _, text in heard_lines(read_journal(path).entries)]


@pytest.mark.slow
def test_spectators_hear_what_the_seats_hear_and_what_was_said_before_they_came(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(2, headless=False, spectators=2)
            early = await watching(host)
            ben = await circle.join(headless=False)
            host.chat.say("before the game")
            await until(lambda: ben.chat.lines)
            await circle.agree()
            ben.chat.say("in it")
            await until(lambda: early == [ChatLine(1, "in it", checked=False)])
            late = await watching(host)
            await until(lambda: late == early)
            host.chat.say("welcome")
            await until(lambda: late[1:] == early[1:] == [ChatLine(0, "welcome")])
            await circle.play()
            await circle.all("done")

    async def watching(host: Table) -> list[ChatLine]:
        heard: list[ChatLine] = []
        watch = await SpectatorClient.open(f"{LOOPBACK}:{host.port}", lambda _: CARDS)
        watch.subscribe(lambda event: heard.append(event) if isinstance(event, ChatLine) else None)
        watches.append(watch)
        return heard

    watches: list[SpectatorClient] = []

    async def main() -> None:
        try:
            await story()
        finally:
            for watch in watches:
                await watch.close()

    run(main())


@pytest.mark.parametrize(
    ("heard", "shown", "new"),
    [("", "", ""), ("", "ab", "ab"), ("ab", "abc", "c"), ("abc", "bcd", "d"), ("abc", "abc", ""), ("ab", "cd", "cd"),
     ("aa", "aaa", "a"), ("ab", "", "")],
)  # fmt: skip
def test_lines_that_are_shown_again_are_new_after_those_that_were_heard(heard: str, shown: str, new: str) -> None:
    def lines(text: str) -> list[tuple[bytes, str]]:
        return [(b"", one) for one in text]

    assert missed(lines(heard), lines(shown)) == lines(new)
