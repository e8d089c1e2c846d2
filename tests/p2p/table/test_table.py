"""Two tables over real sockets: whole games, words, and what a table withstands."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import pytest

from kimberley.games.diamond_trust import GAME
from kimberley.games.table import Answer, Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage import archive
from kimberley.p2p.storage.identity import Identity, KnownKeys
from kimberley.p2p.storage.journal import list_journals, read_journal
from kimberley.p2p.table.events import ChatLine
from kimberley.p2p.table.runner import apply
from kimberley.p2p.table.table import Table
from kimberley.p2p.table.words import DIFFER, DIFFER_AGAIN, TRY_AGAIN
from kimberley.protocol.audit import verify
from kimberley.protocol.events import Send
from kimberley.protocol.peer import Peer
from tests.support.asyncs import run, until
from tests.support.comeback import back
from tests.support.inside import links_of
from tests.support.seated import LOOPBACK, QUICK, no_faults, pair_of_tables, play, play_on
from tests.support.stones import STONES, Position, StonesGame


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


# -- whole games -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(STONES, id="stones"),
        pytest.param(GAME, id="diamond-trust", marks=pytest.mark.slow),
    ],
)
def test_a_whole_game_is_played_proven_and_kept(tmp_path: Path, game: object) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path, game) as tables:  # type: ignore[arg-type]
            await tables.seat()
            await play_on(tables)
            host, guest = tables.host, tables.guest
            assert host.phase == guest.phase == "done"
            assert host.peer is not None
            assert guest.peer is not None
            assert host.peer.result == guest.peer.result
            assert host.peer.result is not None
            for table, data in ((host, tables.ana), (guest, tables.ben)):
                assert table.ending.verdict is not None
                assert table.ending.verdict.code == "fair"
                assert table.ending.record is not None
                assert [one.path for one in archive.list_records(data)] == [table.ending.record]
                assert verify(table.ending.record.read_bytes(), lambda _: tables.game).code == "fair"
                assert list_journals(data) == []
                assert table.sent_bytes > 1000
            assert host.ending.record is not None
            assert guest.ending.record is not None
            assert host.ending.record.read_bytes() == guest.ending.record.read_bytes()
            assert host.ending.record.name.endswith("-ana-ben.kdt")

    run(story())


@pytest.mark.slow
def test_the_journal_gives_back_the_very_envelopes(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat({**QUICK, "rounds": 40})
            view = tables.guest.peer
            playing = asyncio.create_task(play_on(tables, 5))
            await until(lambda: view is not None and len(view.story) >= 4)
            (path,) = list_journals(tables.ben)
            contents = read_journal(path)
            identity = Identity.load_or_create(tables.ben)
            await playing
            peer = Peer(STONES, contents.table, contents.seat, contents.seed, identity.sign)
            for entry in contents.entries:
                apply(peer, entry)
            sent = [entry[1] for entry in contents.entries if entry[0] == "sent"]
            assert [event.envelope for event in peer.take() if isinstance(event, Send)] == sent
            assert len(sent) > 5

    run(story())


@pytest.mark.slow
def test_another_game_on_the_same_connections_with_seats_swapped(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            for salt, order in enumerate([("ana", "ben"), ("ben", "ana"), ("ana", "ben")]):
                assert tables.host.occupants.names == tables.guest.occupants.names == order
                assert tables.host.host_seat == tables.guest.host_seat == order.index("ana")
                assert (tables.host.occupants.seat, tables.guest.occupants.seat) == (
                    order.index("ana"),
                    order.index("ben"),
                )
                view = tables.guest.peer
                await play_on(tables, salt)
                tables.guest.rematch.want()
                await until(lambda: tables.guest.occupants.seat in tables.host.rematch.again_from)
                assert tables.host.phase == "done"
                tables.host.rematch.want()
                await until(lambda view=view: tables.guest.peer not in (None, view))  # type: ignore[misc]
                await tables.both("playing")
                assert tables.host.rematch.again_from == tables.guest.rematch.again_from == set()
            assert len(archive.list_records(tables.ana)) == 3

    run(story())


def test_a_table_within_the_program(tmp_path: Path) -> None:
    async def story() -> None:
        identity = Identity.load_or_create(tmp_path)
        own = await Table.open(
            STONES, nickname="ana", identity=identity, data=tmp_path, seats=2, options=QUICK, listen=False
        )  # fmt: skip
        bot = await own.seat_bot("Bot")
        await until(lambda: own.phase == bot.phase == "playing")
        assert (own.occupants.names, own.words.acquaintance, own.addresses) == (("ana", "Bot"), ("you", "bot"), ())
        for salt in range(2):
            await asyncio.gather(play(own, Random(salt)), play(bot, Random(salt)))
            assert own.ending.verdict is not None
            assert own.ending.verdict.code == "fair"
            own.rematch.want()
            bot.rematch.want()
            await until(lambda: own.phase == bot.phase == "playing")
        assert len(archive.list_records(tmp_path)) == 2
        assert not (tmp_path / "known-keys.json").exists()
        await own.close()
        await until(lambda: bot.phase == "failed")
        await bot.close()

    run(story())


def test_resigning_ends_with_a_verdict(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            await until(lambda: tables.guest.peer is not None and tables.guest.peer.asked)
            tables.guest.play.resign()
            await tables.both("done")
            assert tables.host.ending.verdict is not None
            assert tables.host.ending.verdict.code == "fair"
            assert tables.host.ending.verdict.result is not None
            assert tables.host.ending.verdict.result.winners == (tables.host.occupants.seat,)

    run(story())


def test_talk_reaches_everybody_and_is_made_safe(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            tables.host.chat.say("well\x1b[2J met\n")
            tables.host.chat.say("\x00")
            tables.guest.chat.say("x" * 5000)
            await until(lambda: len(tables.host.chat.lines) == len(tables.guest.chat.lines) == 2)
            assert sorted(tables.guest.chat.lines, key=lambda said: said.seat) == [
                ChatLine(0, "well[2J met"),
                ChatLine(1, "x" * 500),
            ]
            await play_on(tables)
            assert tables.host.phase == "done"

    run(story())


# -- words -------------------------------------------------------------------------------------------------------------


def test_people_who_meet_first_compare_words_and_later_need_not(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            await tables.join()
            await tables.both("words")
            assert tables.host.words.phrase == tables.guest.words.phrase
            assert tables.host.words.phrase is not None
            assert len(set(tables.host.words.phrase)) >= 1
            assert tables.host.words.acquaintance == ("you", "new")
            assert tables.guest.words.acquaintance == ("new", "you")
            tables.host.words.answer(True)
            await until(lambda: tables.guest.words.agreed == (True, False))
            assert tables.host.phase == "words"
            tables.guest.words.answer(True)
            await tables.both("playing")
            assert tables.host.words.acquaintance == ("you", "met"), "the words are compared"
            await tables.close()
            await tables.open()
            await tables.join()
            await tables.both("playing")
            assert tables.host.words.acquaintance == ("you", "met")
            # A player who lost the memory of it has to be asked again; the other need not.
            await tables.close()
            (tables.ben / "known-keys.json").unlink()
            await tables.open()
            await tables.join()
            await until(lambda: tables.guest.words.agreed == (True, False))
            assert tables.guest.words.acquaintance == ("new", "you")
            tables.guest.words.answer(True)
            await tables.both("playing")

    run(story())


def test_who_agrees_twice_is_heard_once(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            await tables.join()
            await tables.both("words")
            tables.host.words.answer(True)
            for _ in range(5):
                tables.guest.words.answer(True)
                for link in links_of(tables.guest).values():
                    link.send(("vote", "same", (tables.guest.game_id, True)))
            await tables.both("playing")
            await play_on(tables)
            await tables.both("done")

    run(story())


@pytest.mark.parametrize("denier", ["host", "guest"])
def test_words_that_differ_end_the_table_loudly(tmp_path: Path, denier: str) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            await tables.join()
            await tables.both("words")
            one, other = (tables.host, tables.guest) if denier == "host" else (tables.guest, tables.host)
            one.words.answer(False)
            await tables.both("failed")
            advice = f" {DIFFER} {TRY_AGAIN} {DIFFER_AGAIN}"
            assert one.problem == f"The words differ.{advice}"
            name = one.occupants.names[one.occupants.seat]
            assert other.problem == f"{name} says that the words differ.{advice}", "both read the same advice"
            assert KnownKeys(tables.ana).aborted == KnownKeys(tables.ben).aborted == 1
            assert KnownKeys(tables.ana).status_of("ben", Identity.load_or_create(tables.ben).public) == "new"

    run(story())


def test_tables_given_up_at_their_words_are_warned_of(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            for _ in range(2):
                await tables.join()
                await tables.both("words")
                assert tables.host.words.warning is None
                tables.guest.departures.leave()
                await until(lambda: tables.host.phase == "open" and len(tables.host.occupants.names) == 1)
            await tables.join()
            await tables.both("words")
            assert str(tables.host.words.warning).startswith("The last 2 comparisons of words were broken off.")

    run(story())


def test_a_known_nickname_with_another_key_is_told(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            KnownKeys(tables.ana).remember({bytes(32): "Ben"}, verified=True)
            await tables.open()
            await tables.join()
            await tables.both("words")
            assert tables.host.words.acquaintance == ("you", "changed")

    run(story())


def test_a_headless_seat_pins_but_does_not_vouch(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            assert KnownKeys(tables.ana).status_of("ben", Identity.load_or_create(tables.ben).public) == "new"
            assert KnownKeys(tables.ana).status_of("ben", bytes(32)) == "changed"

    run(story())


def test_two_of_a_name_are_told_apart(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open(nickname="ana")
            await tables.join(nickname="ANA")
            await tables.both("words")
            names = tables.host.occupants.names
            assert names == tables.guest.occupants.names
            assert names in (("ana 1", "ANA 2"), ("ANA 1", "ana 2"))

    run(story())


# -- odds and ends -----------------------------------------------------------------------------------------------------


def test_a_screen_that_fails_does_not_stop_the_game(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()

            def fail(event: object) -> None:
                raise ZeroDivisionError

            stop = tables.host.subscribe(fail)
            await play_on(tables)
            assert tables.host.phase == "done"
            stop()
            stop()

    run(story())
    assert "a subscriber failed" in caplog.text


@pytest.mark.slow
def test_a_game_with_a_fault_stops_with_a_sentence_and_goes_on_once_it_is_mended(tmp_path: Path) -> None:
    class Faulty(StonesGame):
        def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> Position:
            return FaultyPosition(super().start(seats, options).left)

    class FaultyPosition(Position):
        def apply(self, answer: Answer) -> Position:
            raise ZeroDivisionError

    async def story() -> None:
        async with pair_of_tables(tmp_path, Faulty()) as tables:
            await tables.open(headless=True)
            tables.game = STONES
            await tables.join(headless=True)
            playing = asyncio.create_task(play(tables.guest, Random(1)))
            await play(tables.host, Random(0))
            assert tables.host.phase == "failed"
            assert str(tables.host.problem) == (
                "Something went wrong in the program (ZeroDivisionError()); the log has details. Please report it. "
                "Your game is saved: you can resume it."
            )
            assert tables.host.ending.resumable
            await until(lambda: tables.guest.reconnection.away)
            await tables.host.close()
            again = tables.follow(await back(tmp_path / "ana", STONES), "ana")
            await play(again, Random(2))
            await playing
            assert again.phase == tables.guest.phase == "done"
            assert tables.guest.ending.verdict is not None
            assert tables.guest.ending.verdict.code == "fair"

    run(story())


@pytest.mark.slow
def test_an_announced_table_is_found_and_joined(tmp_path: Path) -> None:
    from kimberley.p2p.discovery.mdns import Browser

    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables, Browser([LOOPBACK]) as browser:
            host = await tables.open(headless=True, announce=True, nickname="findable")
            await until(lambda: [one for one in browser.found if one.card.nickname == "findable"])
            (found,) = [one for one in browser.found if one.card.nickname == "findable"]
            assert (found.card.game, found.card.taken, found.card.seats) == ("stones", 1, 2)
            assert host.unannounced is None
            guest = await Table.join(
                found, lambda _: STONES, nickname="ben", identity=Identity.fresh(), data=None, headless=True
            )
            await until(lambda: host.phase == guest.phase == "playing")
            await until(lambda: [one for one in browser.found if one.name == found.name and one.open == 0])
            await host.close()
            await until(lambda: found.name not in [one.name for one in browser.found])
            await guest.close()

    run(story())


@pytest.mark.slow
def test_a_table_may_be_closed_at_any_moment(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open(announce=True)
        for pause in (0, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1):
            async with pair_of_tables(tmp_path) as tables:
                await tables.open(headless=True)
                joining = asyncio.create_task(tables.join(headless=True))
                await asyncio.sleep(pause)
                await tables.host.close()
                await asyncio.wait([joining])
                if joining.exception() is None:
                    await until(lambda: tables.guest.phase == "failed")
                else:
                    assert isinstance(joining.exception(), UserError)

    run(story())
