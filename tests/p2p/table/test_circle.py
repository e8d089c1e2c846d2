"""Tables of two to six seats on this machine: how they fill, what is played, and who leaves."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from kimberley.client.session.bots import drive
from kimberley.games.table import Game
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.identity import Identity, KnownKeys
from kimberley.p2p.table.guest_lobby import MOST_BROKEN_OFF
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.dial import CardProbe
from kimberley.p2p.transport.handshake import ConnectionRejected as TurnedAway
from kimberley.protocol.events import SeatDeparted
from kimberley.protocol.play import NotAllowed
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.seated import LOOPBACK, NAMES, circle_of_tables, judged_alike, play
from tests.support.stones import MANY_STONES, STONES

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Errors in background tasks are logged, and must not be."""
    yield
    assert [record.getMessage() for record in caplog.get_records("call") if record.levelname == "ERROR"] == []


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        pytest.param(CARDS, 3, id="cards-3"),
        pytest.param(CARDS, 6, id="cards-6", marks=pytest.mark.slow),
        pytest.param(MANY_STONES, 4, id="stones-4"),
    ],
)
def test_a_whole_game_is_played_and_kept_alike_by_all(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, game: Game, seats: int
) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, game) as circle:
            await circle.seat(seats)
            assert len({table.phrase for table in circle.tables}) == 1
            for table in circle.tables:
                assert table.names == NAMES[:seats]
                assert table.host_seat == 0
                assert table.away == {}
            await circle.play()
            await circle.all("done")
            judged_alike(circle)

    caplog.set_level("INFO")
    run(story(), 120)
    assert "relaying between" not in caplog.text


def test_the_table_shows_its_seats_as_they_fill(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            look = await CardProbe.connect(LOOPBACK, host.port)
            taken = [look.card.taken]
            for _ in range(2):
                await circle.join(headless=False)
                await until_news(look)
                taken.append(look.card.taken)
            assert (taken, look.card.seats) == ([1, 2, 3], 3)
            await circle.tables.pop().close()
            await until_news(look)
            assert look.card.taken == 2
            # The two who are here begin: nobody else can sit down any more, and who comes waits until it is certain.
            for table in circle.tables:
                table.ready(True)
            await circle.all("words")
            while look.card.taken < 3:
                await until_news(look)
            coming = asyncio.create_task(circle.join())
            await until(lambda: circle.tables[0].hosting.queue)
            for table in circle.tables:
                table.same(True)
            with pytest.raises(TurnedAway, match="already begun"):
                await coming
            with pytest.raises(TurnedAway, match="already begun"):
                await circle.join()
            await look.close()

    run(story())


async def until_news(look: CardProbe) -> None:
    before = look.card
    while look.card == before:
        await look.wait_for_change(1)
        await look.ping(1)


def test_a_seat_that_is_no_host_seats_nobody(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.open(4, headless=False)
            ben = await circle.join(headless=False)
            with pytest.raises(TurnedAway, match="not your table"):
                await circle.join(ben.port)
            with pytest.raises(UserError, match=r"cannot be played by 7 players\. Open a table for 2 or 3"):
                await Table.open(CARDS, nickname="ana", identity=Identity.fresh(), data=None, seats=7)

    run(story())


def test_people_compare_one_phrase_and_are_remembered(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            await circle.join(headless=False)
            assert (host.seats, host.asks_ready, host.readiness) == (3, True, (False, False))
            await circle.join(headless=False)
            for table in circle.tables:
                table.ready(True)
            await circle.all("words")
            assert len({table.phrase for table in circle.tables}) == 1
            ana, ben, cleo = circle.tables
            assert cleo.acquaintance == ("new", "new", "you")
            ana.same(True)
            cleo.same(True)
            await until(lambda: ben.agreed == (True, False, True))
            assert {table.phase for table in circle.tables} == {"words"}
            ben.same(True)
            await circle.all("playing")
            for table in circle.tables:
                assert set(table.acquaintance) <= {"you", "new", "met"}
            # From now on they know each other.
            keys = {name: Identity.load_or_create(tmp_path / name).public for name in NAMES[:3]}
            for own in keys:
                known = KnownKeys(tmp_path / own)
                assert {known.status_of(name, key) for name, key in keys.items() if name != own} == {"met"}

    run(story())


def test_the_game_begins_when_all_who_sit_are_ready(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(6, headless=False)
            ben = await circle.join(headless=False)
            cleo = await circle.join(headless=False)
            host.ready(True)
            ben.ready(True)
            await until(lambda: cleo.readiness == (True, True, False))
            ben.ready(False)
            await until(lambda: cleo.readiness == (True, False, False))
            cleo.ready(True)
            await until(lambda: host.readiness == (True, False, True))
            assert {table.phase for table in circle.tables} == {"open"}
            # Who has not made up its mind goes, and its seat is free again.
            await ben.close()
            circle.tables.remove(ben)
            await circle.all("words")
            assert host.names == cleo.names == ("ana", "cleo")

    run(story())


def test_who_leaves_at_the_words_opens_the_table_again_for_all(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(4, headless=False)
            ben, cleo, dan = [await circle.join(headless=False) for _ in range(3)]
            for table in circle.tables:
                table.ready(True)
            await circle.all("words")
            await cleo.close()
            circle.tables.remove(cleo)
            await circle.all("open")
            assert host.names == ben.names == dan.names == ("ana", "ben", "dan")
            assert host.readiness == (False, False, False)
            for table in circle.tables:
                table.ready(True)
            await circle.all("words")
            for table in circle.tables:
                table.same(True)
            await circle.all("playing")
            await circle.play()
            judged_alike(circle)

    run(story())


def test_guests_who_leave_at_the_words_again_and_again_lock_nobody_out(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, STONES) as circle:
            host = await circle.open(2, headless=False)
            for _ in range(2 * MOST_BROKEN_OFF):
                eve = await circle.join(headless=False)
                await circle.all("words")
                await eve.close()
                circle.tables.remove(eve)
                await until(lambda: host.phase == "open" and len(host.names) == 1)
            await circle.join(headless=False)
            await circle.all("words")
            for table in circle.tables:
                table.same(True)
            await circle.all("playing")

    run(story())


def test_a_bot_takes_an_empty_seat_and_can_be_sent_away(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(4, headless=False)
            ben = await circle.join(headless=False)
            first = circle.follow(await host.seat_bot("Nessie"), "nessie")
            await until(lambda: ben.called_bots == (False, False, True))
            assert host.acquaintance == ("you", "new", "bot")
            # What the host calls a bot is judged like anybody: only the host has seated it itself.
            assert ben.acquaintance == ("new", "you", "new")
            await until(lambda: host.readiness == ben.readiness == (False, False, True))
            host.hosting.send_away(2)
            await until(lambda: first.phase == "failed" and ben.names == ("ana", "ben"))
            assert first.problem == "ana gave this seat to someone else."
            circle.tables.remove(first)
            with pytest.raises(NotAllowed, match="remove someone"):
                host.hosting.send_away(2)
            circle.follow(await host.seat_bot("Nessie"), "nessie")
            host.ready(True)
            ben.ready(True)
            await until(lambda: host.phase == ben.phase == "words")
            host.same(True)
            ben.same(True)
            await circle.all("playing")
            bot = circle.tables[2]
            assert all(table.away == {} for table in circle.tables)
            people = [play(table, Random(1)) for table in (host, ben)]
            await asyncio.gather(*people, drive(bot, CARDS.bot(1, 0)))
            assert bot.verdict is not None
            assert bot.verdict.code == "fair"
            assert bot.record is None
            # Its key is a new one each time: nobody is warned of a known nickname.
            assert KnownKeys(tmp_path / "ben").status_of("Nessie", bytes(32)) == "new"

    run(story())


def test_one_plays_with_several_bots_without_a_network(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            data = tmp_path / "ana"
            identity = Identity.load_or_create(data)
            host = await Table.open(CARDS, nickname="ana", identity=identity, data=data, seats=4, listen=False)
            circle.follow(host, "ana")
            for name in ("Nessie", "Bob", "Cy"):
                circle.follow(await host.seat_bot(name), name)
            host.ready(True)
            await circle.all("playing")
            assert host.acquaintance == ("you", "bot", "bot", "bot")
            assert [table.port for table in circle.tables] == [0] * 4
            await circle.play()
            await circle.all("done")
            assert {table.verdict.code for table in circle.tables if table.verdict} == {"fair"}
            assert not (data / "known-keys.json").exists()

    run(story())


def test_for_another_game_everybody_moves_up_a_seat(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            for order in (("ana", "ben", "cleo"), ("ben", "cleo", "ana"), ("cleo", "ana", "ben")):
                host, *others = circle.tables
                assert {table.names for table in circle.tables} == {order}
                assert host.host_seat == others[1].host_seat == order.index("ana")
                before = {table.peer for table in circle.tables}
                await circle.play()
                judged_alike(circle)
                for table in circle.tables:
                    table.again(True)
                await until(lambda before=before: not before & {table.peer for table in circle.tables})  # type: ignore[misc]
                await circle.all("playing")

    run(story(), 120)


# -- leaving -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, pytest.param(6, marks=pytest.mark.slow)])
def test_who_resigns_among_three_lets_the_others_play_on_and_watches(tmp_path: Path, seats: int) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(seats)
            playing = asyncio.create_task(circle.play())
            leaver = circle.tables[1]
            await until(lambda: leaver.peer is not None and len(leaver.peer.story) > 6)
            leaver.resign()
            await playing
            await circle.all("done")
            judged_alike(circle)
            for name in NAMES[:seats]:
                assert [event.seat for event in circle.told[name] if isinstance(event, SeatDeparted)] == [1]
            assert leaver.peer is not None
            assert leaver.peer.left == (1,)

    run(story(), 120)


def test_who_leaves_among_three_goes_with_an_incomplete_record_and_the_others_end_fairly(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(4)
            playing = asyncio.create_task(circle.play())
            leaver = circle.tables[2]
            await until(lambda: leaver.peer is not None and len(leaver.peer.story) > 6)
            leaver.leave()
            await until(lambda: leaver.phase == "failed")
            assert leaver.problem == "You have left the table."
            assert leaver.verdict is not None
            assert leaver.verdict.code == "incomplete"
            await leaver.close()
            circle.tables.remove(leaver)
            await playing
            await circle.all("done")
            judged_alike(circle)
            assert {table.away.get(2) for table in circle.tables} == {None}
            # The three who are left play another game, each a seat further.
            for table in circle.tables:
                table.again(True)
            await circle.all("playing")
            assert circle.tables[0].names == ("ben", "dan", "ana")
            await circle.play()
            await circle.all("done")
            judged_alike(circle)

    run(story(), 120)


def test_the_host_may_leave_like_anybody_and_then_nobody_seats_another_game(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            playing = asyncio.create_task(circle.play())
            host = circle.tables[0]
            await until(lambda: host.peer is not None and len(host.peer.story) > 3)
            host.leave()
            await until(lambda: host.phase == "failed")
            await host.close()
            circle.tables.remove(host)
            await playing
            await circle.all("done")
            judged_alike(circle)
            circle.tables[0].again(True)
            await until(lambda: circle.tables[0].phase == "failed")
            assert circle.tables[0].problem == "The host has left. Open a new table for another game."

    run(story())


def test_where_the_rules_know_no_leaving_who_leaves_ends_the_game(tmp_path: Path) -> None:
    async def story() -> None:
        for resigns in (True, False):
            async with circle_of_tables(tmp_path, MANY_STONES) as circle:
                await circle.seat(3)
                ana, ben, cleo = circle.tables
                await until(lambda: all(table.peer and table.peer.asked for table in circle.tables))
                if resigns:
                    ben.resign()
                    await circle.all("done")
                    judged_alike(circle)
                    assert ana.peer is not None
                    assert ana.peer.result is not None
                    assert ana.peer.result.places == (1, 3, 1)
                else:
                    ben.leave()
                    await circle.all("failed")
                    assert ana.problem == cleo.problem == "ben left the table."

    run(story())


def test_who_closes_without_leaving_is_waited_for_by_name_and_time(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            before = asyncio.get_running_loop().time()
            await circle.seat(3)
            ana, ben, cleo = circle.tables
            await cleo.close()
            circle.tables.remove(cleo)
            playing = asyncio.create_task(circle.play())
            await until(lambda: all(set(table.away) == {2} for table in circle.tables))
            await until(lambda: all(table.peer and table.peer.waiting == (2,) for table in circle.tables))
            assert before <= ben.away[2] <= asyncio.get_running_loop().time()
            assert {table.phase for table in circle.tables} == {"playing"}
            assert ana.peer is not None
            assert before <= ana.peer.waiting_since[2] <= asyncio.get_running_loop().time()
            ben.leave()
            # What it owes is owed: it stays connected until the table ends for it.
            await ben.close()
            assert ben.verdict is not None
            assert ben.verdict.code == "incomplete"
            await ana.close()
            await playing

    run(story())
