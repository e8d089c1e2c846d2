"""Tables of two to six seats on this machine: how they fill, what is played, and who leaves."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from kimberley.games.table import Decide, Game
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.identity import Identity, KnownKeys
from kimberley.p2p.table import departures
from kimberley.p2p.table.events import TableChanged
from kimberley.p2p.table.guest_lobby import MOST_BROKEN_OFF
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.dial import CardProbe
from kimberley.p2p.transport.handshake import ConnectionRejected as TurnedAway
from kimberley.protocol.events import SeatDeparted
from kimberley.protocol.play import NotAllowed
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.comeback import back, die
from tests.support.effort import OTHER_VALUE, first_is_quick
from tests.support.inside import cut, identity_of, links_of, match_of
from tests.support.seated import LOOPBACK, NAMES, Circle, circle_of_tables, judged_alike
from tests.support.stones import MANY_STONES, STONES

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Asserts that no error in a background task was logged."""
    yield
    assert [record.getMessage() for record in caplog.get_records("call") if record.levelname == "ERROR"] == []


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        pytest.param(CARDS, 3, id="cards-3"),
        pytest.param(CARDS, 6, id="cards-6", marks=OTHER_VALUE),
        pytest.param(MANY_STONES, 4, id="stones-4"),
    ],
)
def test_a_whole_game_is_played_and_kept_alike_by_all(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, game: Game, seats: int
) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, game) as circle:
            await circle.seat(seats)
            assert len({table.words.phrase for table in circle.tables}) == 1
            for table in circle.tables:
                assert table.occupants.names == NAMES[:seats]
                assert table.host_seat == 0
                assert table.reconnection.away == {}
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
            # The two who are here begin: nobody else can sit down any more, and whoever comes waits until that is
            # certain.
            for table in circle.tables:
                table.seating.ready(True)
            await circle.all("words")
            while look.card.taken < 3:
                await until_news(look)
            coming = asyncio.create_task(circle.join())
            await until(lambda: circle.tables[0].hosting.queue)
            for table in circle.tables:
                table.words.answer(True)
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
            with pytest.raises(UserError, match=r"cannot be played by 7 players\. Open a table for 2 to 6 players"):
                await Table.open(CARDS, nickname="ana", identity=Identity.fresh(), data=None, seats=7)

    run(story())


def test_people_compare_one_phrase_and_are_remembered(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            await circle.join(headless=False)
            assert (host.occupants.seats, host.occupants.asks_ready, host.occupants.readiness) == (
                3,
                True,
                (False, False),
            )
            await circle.join(headless=False)
            for table in circle.tables:
                table.seating.ready(True)
            await circle.all("words")
            assert len({table.words.phrase for table in circle.tables}) == 1
            ana, ben, cleo = circle.tables
            assert cleo.words.acquaintance == ("new", "new", "you")
            ana.words.answer(True)
            cleo.words.answer(True)
            await until(lambda: ben.words.agreed == (True, False, True))
            assert {table.phase for table in circle.tables} == {"words"}
            ben.words.answer(True)
            await circle.all("playing")
            for table in circle.tables:
                assert set(table.words.acquaintance) <= {"you", "new", "met"}
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
            host.seating.ready(True)
            ben.seating.ready(True)
            await until(lambda: cleo.occupants.readiness == (True, True, False))
            ben.seating.ready(False)
            await until(lambda: cleo.occupants.readiness == (True, False, False))
            cleo.seating.ready(True)
            await until(lambda: host.occupants.readiness == (True, False, True))
            assert {table.phase for table in circle.tables} == {"open"}
            # A player who has not decided goes, and the seat is free again.
            await ben.close()
            circle.tables.remove(ben)
            await circle.all("words")
            assert host.occupants.names == cleo.occupants.names == ("ana", "cleo")

    run(story())


def test_a_table_that_its_host_has_closed_cannot_be_joined_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            ben, cleo = [await circle.join(headless=False) for _ in range(2)]
            host.departures.leave()
            await until(lambda: ben.phase == cleo.phase == "failed")
            assert ben.barred
            assert cleo.barred
            assert ben.problem == "ana left the table."

    run(story())


def test_who_leaves_at_the_words_opens_the_table_again_for_all(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(4, headless=False)
            ben, cleo, dan = [await circle.join(headless=False) for _ in range(3)]
            for table in circle.tables:
                table.seating.ready(True)
            await circle.all("words")
            await cleo.close()
            circle.tables.remove(cleo)
            await circle.all("open")
            assert host.occupants.names == ben.occupants.names == dan.occupants.names == ("ana", "ben", "dan")
            assert host.occupants.readiness == (False, False, False)
            await circle.agree()
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
                await until(lambda: host.phase == "open" and len(host.occupants.names) == 1)
            await circle.join(headless=False)
            await circle.all("words")
            for table in circle.tables:
                table.words.answer(True)
            await circle.all("playing")

    run(story())


def test_a_bot_takes_an_empty_seat_and_can_be_sent_away(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(4, headless=False)
            ben = await circle.join(headless=False)
            first = circle.follow(await host.seat_bot("Nessie"), "nessie")
            await until(lambda: ben.occupants.called_bots == (False, False, True))
            assert host.words.acquaintance == ("you", "new", "bot")
            # What the host calls a bot is judged like anybody: only the host has seated it itself.
            assert ben.words.acquaintance == ("new", "you", "new")
            await until(lambda: host.occupants.readiness == ben.occupants.readiness == (False, False, True))
            host.hosting.send_away(2)
            await until(lambda: first.phase == "failed" and ben.occupants.names == ("ana", "ben"))
            assert first.problem == "ana gave this seat to someone else."
            circle.tables.remove(first)
            with pytest.raises(NotAllowed, match="remove someone"):
                host.hosting.send_away(2)
            circle.follow(await host.seat_bot("Nessie"), "nessie")
            host.seating.ready(True)
            ben.seating.ready(True)
            await until(lambda: host.phase == ben.phase == "words")
            host.words.answer(True)
            ben.words.answer(True)
            await circle.all("playing")
            bot = circle.tables[2]
            assert all(table.reconnection.away == {} for table in circle.tables)
            await circle.play()
            assert bot.ending.verdict is not None
            assert bot.ending.verdict.code == "fair"
            assert bot.ending.record is None
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
            host.seating.ready(True)
            await circle.all("playing")
            assert host.words.acquaintance == ("you", "bot", "bot", "bot")
            assert [table.port for table in circle.tables] == [0] * 4
            await circle.play()
            await circle.all("done")
            assert {table.ending.verdict.code for table in circle.tables if table.ending.verdict} == {"fair"}
            assert not (data / "known-keys.json").exists()

    run(story())


def test_for_another_game_everybody_moves_up_a_seat(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            for order in (("ana", "ben", "cleo"), ("ben", "cleo", "ana"), ("cleo", "ana", "ben")):
                host, *others = circle.tables
                assert {table.occupants.names for table in circle.tables} == {order}
                assert host.host_seat == others[1].host_seat == order.index("ana")
                before = {table.peer for table in circle.tables}
                await circle.play()
                judged_alike(circle)
                for table in circle.tables:
                    table.rematch.want()
                await until(lambda before=before: not before & {table.peer for table in circle.tables})  # type: ignore[misc]
                await circle.all("playing")

    run(story(), 120)


def test_another_game_waits_for_nobody_who_left_the_game_and_is_gone(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            playing = asyncio.create_task(circle.play())
            ana, ben, cleo = circle.tables
            cleo.play.resign()
            await playing
            await circle.all("done")
            for table in (ana, ben):
                table.rematch.want()
            await until(lambda: ana.rematch.again_from == {0, 1})
            assert ana.rematch.partners == {1, 2}
            assert ana.phase == "done", "cleo is still there, and has not answered"
            await die(cleo)
            circle.tables.remove(cleo)
            await circle.all("playing")
            assert ana.occupants.names == ("ben", "ana")

    run(story())


def test_another_game_waits_for_a_player_who_wants_it_and_has_lost_the_connection(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(2)
            await circle.play()
            await circle.all("done")
            ana, ben = circle.tables
            ben.rematch.want()
            await until(lambda: 1 in ana.rematch.again_from)
            cut(ben)
            await until(lambda: 1 in ana.reconnection.away)
            ana.rematch.want()
            assert ana.phase == "done"
            await circle.all("playing")

    run(story())


# -- leaving -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", first_is_quick(3, 6))
def test_who_resigns_among_three_lets_the_others_play_on_and_watches(tmp_path: Path, seats: int) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(seats)
            playing = asyncio.create_task(circle.play())
            leaver = circle.tables[1]
            await until(lambda: leaver.peer is not None and len(leaver.peer.story) > 6)
            leaver.play.resign()
            await playing
            await circle.all("done")
            judged_alike(circle)
            for name in NAMES[:seats]:
                assert [event.seat for event in circle.told[name] if isinstance(event, SeatDeparted)] == [1]
            assert leaver.peer is not None
            assert leaver.peer.left == (1,)

    run(story(), 120)


async def until_another_decides(circle: Circle, seat: int) -> None:
    """Lets all play at random until a seat other than this one decides alone."""
    rng = Random(1)
    while True:
        for table in circle.tables:
            if (asked := table.play.asked) is not None:
                if isinstance(asked.ask, Decide) and asked.ask.seat != seat:
                    return
                table.play.choose(asked.space.pick(rng))
        await asyncio.sleep(0.01)


def test_who_resigns_while_another_decides_has_resigned_and_still_sits_there(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            await until_another_decides(circle, 1)
            leaver, heard = circle.tables[1], list[object]()
            leaver.subscribe(heard.append)
            assert not leaver.play.resigning
            leaver.play.resign()
            assert heard == [TableChanged("resigning")]
            assert leaver.play.resigning
            await leaver.suspend()
            await leaver.close()
            circle.tables.remove(leaver)
            leaver = circle.follow(await back(tmp_path / NAMES[1], CARDS), NAMES[1])
            assert leaver.play.resigning
            await circle.play()
            assert leaver.peer is not None
            assert leaver.peer.left == (1,)
            assert not leaver.play.resigning

    run(story(), 120)


def test_who_leaves_among_three_goes_with_an_incomplete_record_and_the_others_end_fairly(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(4)
            playing = asyncio.create_task(circle.play())
            leaver = circle.tables[2]
            await until(lambda: leaver.peer is not None and len(leaver.peer.story) > 6)
            leaver.departures.leave()
            await until(lambda: leaver.phase == "failed")
            assert leaver.problem == "You have left the table."
            assert leaver.ending.verdict is not None
            assert leaver.ending.verdict.code == "incomplete"
            assert leaver.ending.verdict.left == ((2, ""),)
            assert "stopped" not in leaver.ending.verdict.reason
            await leaver.close()
            circle.tables.remove(leaver)
            await playing
            await circle.all("done")
            judged_alike(circle)
            assert {table.reconnection.away.get(2) for table in circle.tables} == {None}
            # The three who are left play another game, each a seat further.
            for table in circle.tables:
                table.rematch.want()
            await circle.all("playing")
            assert circle.tables[0].occupants.names == ("ben", "dan", "ana")
            await circle.play()
            await circle.all("done")
            judged_alike(circle)

    run(story(), 120)


def test_the_host_may_leave_like_anybody_and_then_nobody_seats_another_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    withdrawn: list[bool] = []

    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            playing = asyncio.create_task(circle.play())
            host = circle.tables[0]
            await until(lambda: host.peer is not None and len(host.peer.story) > 3)
            assert host.endpoint is not None
            monkeypatch.setattr(host.endpoint, "withdraw", lambda: withdrawn.append(host.left))
            host.departures.leave()
            assert withdrawn == [False], "It says goodbye to the network before the others have what they need."
            await until(lambda: host.phase == "failed")
            await host.close()
            circle.tables.remove(host)
            await playing
            await circle.all("done")
            judged_alike(circle)
            circle.tables[0].rematch.want()
            await until(lambda: circle.tables[0].phase == "failed")
            assert circle.tables[0].problem == "The host has left. Open a new table for another game."

    run(story())


def test_a_host_that_says_goodbye_before_a_seat_knows_that_it_has_left_the_game_is_gone_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the host sends is lost on the way to ben, but for its goodbye; cleo passes the rest on."""
    monkeypatch.setattr(departures, "LEAVE_SECONDS", 0.0)

    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            playing = asyncio.create_task(circle.play())
            host, ben, _ = circle.tables
            await until(lambda: host.peer is not None and len(host.peer.story) > 3)
            channel = links_of(host)[identity_of(ben).public].channel
            assert channel is not None
            send = channel.send
            monkeypatch.setattr(channel, "send", lambda frame: send(frame) if frame[0] == "bye" else 0)
            host.departures.leave()
            await until(lambda: host.phase == "failed")
            await host.close()
            circle.tables.remove(host)
            await playing
            await circle.all("done")
            ben.rematch.want()
            await until(lambda: ben.phase == "failed")
            assert ben.problem == "The host has left. Open a new table for another game."

    run(story())


def test_who_has_said_goodbye_is_not_missed_before_what_came_with_it_is_handled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ana, _, cleo = circle.tables
            await until(lambda: all(table.peer and table.peer.asked for table in circle.tables))
            missed, held = list[bool](), list[Callable[[], None]]()
            ana.subscribe(lambda _event: missed.append(2 in ana.reconnection.away))
            with monkeypatch.context() as slow:
                slow.setattr(match_of(ana), "call_after", held.append)
                link = links_of(ana)[identity_of(cleo).public]
                await cleo.close()
                await until(lambda: not link.connected)
            assert not any(missed), "It may have left the game."
            for callback in held:
                callback()
            assert 2 in ana.reconnection.away, "It has closed the table without leaving the game."

    run(story())


def test_where_the_rules_know_no_leaving_who_leaves_ends_the_game(tmp_path: Path) -> None:
    async def story() -> None:
        for resigns in (True, False):
            async with circle_of_tables(tmp_path, MANY_STONES) as circle:
                await circle.seat(3)
                ana, ben, cleo = circle.tables
                await until(lambda: all(table.peer and table.peer.asked for table in circle.tables))
                if resigns:
                    ben.play.resign()
                    await circle.all("done")
                    judged_alike(circle)
                    assert ana.peer is not None
                    assert ana.peer.result is not None
                    assert ana.peer.result.places == (1, 3, 1)
                else:
                    ben.departures.leave()
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
            await until(lambda: all(set(table.reconnection.away) == {2} for table in circle.tables))
            await until(lambda: all(table.peer and table.peer.waiting == (2,) for table in circle.tables))
            assert before <= ben.reconnection.away[2] <= asyncio.get_running_loop().time()
            assert {table.phase for table in circle.tables} == {"playing"}
            assert ana.peer is not None
            assert before <= ana.peer.waiting_since[2] <= asyncio.get_running_loop().time()
            ben.departures.leave()
            # What it owes is owed: it stays connected until the table ends for it.
            await ben.close()
            assert ben.ending.verdict is not None
            assert ben.ending.verdict.code == "incomplete"
            await ana.close()
            await playing

    run(story())
