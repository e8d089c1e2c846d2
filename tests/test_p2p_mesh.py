"""Tables of two to six seats on this machine: all are linked to all, and the host is a seat like any other."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from client.seats import drive
from games.table import Game, Plain
from p2p.dial import Look, Unreachable, dial
from p2p.frames import Frame
from p2p.gallery import Gallery
from p2p.hello import Joiner
from p2p.hello import Refused as TurnedAway
from p2p.identity import Identity, KnownKeys
from p2p.link import Link
from p2p.table import Changed, Table
from p2p.trouble import Trouble
from p2p.watch import Watch
from protocol.audit import verify
from protocol.crypto import elgamal, shuffle
from protocol.crypto.group import RISTRETTO
from protocol.encoding import pack
from protocol.envelope import STAGE, START, Envelope
from protocol.events import Answered, Caught, Gone
from protocol.peer import Peer
from protocol.play import Refused
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.seated import LOOPBACK, NAMES, Circle, Proxy, circle_of_tables, play
from tests.support.stones import MANY_STONES


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Errors in background tasks are logged, and must not be."""
    yield
    assert [record.getMessage() for record in caplog.get_records("call") if record.levelname == "ERROR"] == []


def judged_alike(circle: Circle) -> None:
    """Every seat found the game fair, and kept the same record of it."""
    kept = set()
    for table in circle.tables:
        assert table.verdict is not None
        assert table.verdict.code == "fair", table.verdict
        assert table.record is not None
        kept.add(table.record.read_bytes())
    (record,) = kept
    assert verify(record, lambda _: circle.game).code == "fair"


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("game", [CARDS, MANY_STONES], ids=["cards", "stones"])
def test_a_whole_game_is_played_and_kept_alike_by_all(tmp_path: Path, game: Game, seats: int) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, game) as circle:
            await circle.seat(seats)
            assert len({table.phrase for table in circle.tables}) == 1
            for table in circle.tables:
                assert table.names == NAMES[:seats]
                assert table.host_seat == 0
                assert len(table._links) == seats - 1
                assert all(link.direct for link in table._links.values())
            await circle.play()
            await circle.all("done")
            judged_alike(circle)

    run(story(), 120)


def test_the_table_shows_its_seats_as_they_fill(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            look = await Look.at(LOOPBACK, host.port)
            taken = [look.card.taken]
            for _ in range(2):
                await circle.join(headless=False)
                await until_news(look)
                taken.append(look.card.taken)
            assert (taken, look.card.seats) == ([1, 2, 3], 3)
            await circle.tables.pop().close()
            await until_news(look)
            assert look.card.taken == 2
            # The two who are here begin: nobody else can sit down any more.
            for table in circle.tables:
                table.ready(True)
            await circle.all("words")
            while look.card.taken < 3:
                await until_news(look)
            with pytest.raises(TurnedAway, match="begun already"):
                await circle.join()
            await look.close()

    run(story())


async def until_news(look: Look) -> None:
    before = look.card
    while look.card == before:
        await look.news(1)
        await look.ping(1)


def test_a_seat_that_is_no_host_seats_nobody(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.open(4, headless=False)
            ben = await circle.join(headless=False)
            with pytest.raises(TurnedAway, match="not what you look for"):
                await circle.join(ben.port)
            with pytest.raises(Trouble, match=r"is not played by 7\. Open a table for as many as play it: 2, 3"):
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
                assert table._standings().count("met") == 2

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
            await until(lambda: all(len(table._links) == 3 for table in circle.tables))
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


def test_a_bot_takes_an_empty_seat_and_can_be_sent_away(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(4, headless=False)
            ben = await circle.join(headless=False)
            first = circle.follow(await host.seat_bot("Nessie"), "nessie")
            await until(lambda: ben.acquaintance == ("new", "you", "bot"))
            assert host.readiness == ben.readiness == (False, False, True)
            host.send_away(2)
            await until(lambda: first.phase == "failed" and ben.names == ("ana", "ben"))
            assert first.problem == "ana has given this seat to somebody else."
            circle.tables.remove(first)
            with pytest.raises(Refused, match="send a bot away"):
                host.send_away(1)
            circle.follow(await host.seat_bot("Nessie"), "nessie")
            host.ready(True)
            ben.ready(True)
            await until(lambda: host.phase == ben.phase == "words")
            host.same(True)
            ben.same(True)
            await circle.all("playing")
            bot = circle.tables[2]
            assert all(link.direct for table in circle.tables for link in table._links.values())
            people = [play(table, Random(1)) for table in (host, ben)]
            await asyncio.gather(*people, drive(bot, CARDS.bot(1, 0)))
            assert bot.verdict is not None
            assert bot.verdict.code == "fair"
            assert bot.record is None
            # Its key is a new one each time: nobody is warned of a known nickname.
            assert KnownKeys(tmp_path / "ben").judge("Nessie", bytes(32)) == "new"

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


# -- onlookers ---------------------------------------------------------------------------------------------------------


async def watched(port: int, circle: Circle) -> Watch:
    watch = await Watch.open(f"{LOOPBACK}:{port}", lambda _: circle.game)
    await until(lambda: watch.peer is not None)
    return watch


def sees_the_same(watch: Watch, circle: Circle) -> None:
    assert watch.peer is not None
    assert watch.problem is None
    for table in circle.tables:
        assert table.peer is not None
        assert watch.peer.head == table.peer.head
        assert watch.peer.result == table.peer.result
        assert watch.peer.public == table.peer.public
    assert watch.peer.record().pack() == circle.tables[0].peer.record().pack()  # type: ignore[union-attr]


def test_an_onlooker_that_comes_late_has_the_transcript_of_the_seats(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            playing = asyncio.create_task(circle.play())
            await until(lambda: all(table.peer and len(table.peer.story) > 6 for table in circle.tables))
            # Any seat shows the game, before its end, at its end and after it.
            watches = [await watched(circle.tables[2].port, circle)]
            told: list[object] = []
            watches[0].subscribe(told.append)
            await playing
            await circle.all("done")
            watches.append(await watched(circle.tables[0].port, circle))
            for watch in watches:
                await until(lambda watch=watch: watch.peer.finished)  # type: ignore[misc]
                sees_the_same(watch, circle)
                assert watch.names == NAMES[:3]
            assert any(isinstance(event, Answered) for event in told)
            for watch in watches:
                await watch.close()

    run(story())


def test_an_onlooker_follows_from_game_to_game_and_over_a_lost_connection(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.open(3, headless=False)
            async with Proxy(circle.tables[0].port) as proxy:
                watch = await Watch.open(f"{LOOPBACK}:{proxy.port}", lambda _: CARDS)
                assert watch.peer is None
                for _ in range(2):
                    await circle.join(headless=True)
                circle.tables[0].ready(True)
                await until(lambda: circle.tables[0].phase == "words")
                circle.tables[0].same(True)
                await circle.all("playing")
                for salt in range(2):
                    playing = asyncio.create_task(circle.play(salt))
                    await until(lambda: watch.peer is not None and len(watch.peer.story) > 4)
                    view = watch.peer
                    proxy.cut()
                    await until(lambda: watch.away_since is not None)
                    await playing
                    await circle.all("done")
                    await until(lambda: watch.away_since is None and watch.peer is not None and watch.peer.finished)
                    sees_the_same(watch, circle)
                    assert watch.peer is view
                    for table in circle.tables:
                        table.again(True)
                    await until(lambda view=view: watch.peer is not view)  # type: ignore[misc]
                    await circle.all("playing")
                await watch.close()

    run(story())


def test_a_table_lets_in_as_many_onlookers_as_it_wants(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            circle.tables[0]._gallery = Gallery(0)
            circle.tables[1]._gallery._most = 1
            with pytest.raises(TurnedAway, match="does not let anybody watch"):
                await watched(circle.tables[0].port, circle)
            first = await watched(circle.tables[1].port, circle)
            with pytest.raises(TurnedAway, match="Enough people watch"):
                await watched(circle.tables[1].port, circle)
            await first.close()
            await until(lambda: not len(circle.tables[1]._gallery))
            await (await watched(circle.tables[1].port, circle)).close()

    run(story())


# -- leaving -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 6])
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
                assert [event.seat for event in circle.told[name] if isinstance(event, Gone)] == [1]
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
            assert circle.tables[0].problem == "Who opened this table has left it. Open a new one for another game."

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


# -- connections -------------------------------------------------------------------------------------------------------


def test_links_that_are_cut_are_dialled_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ben, cleo = circle.tables[1:]
            playing = asyncio.create_task(circle.play())
            for count in (4, 8):
                await until(lambda count=count: cleo.peer is not None and len(cleo.peer.story) > count)  # type: ignore[misc]
                for table in (ben, cleo):
                    for link in table._links.values():
                        if link._channel is not None:
                            link._channel._wire.abort("cut")  # type: ignore[attr-defined]
            await playing
            await circle.all("done")
            judged_alike(circle)
            assert sum(isinstance(event, Changed) and event.what == "away" for event in circle.told["ben"]) > 4
            assert not any(isinstance(event, Caught) for events in circle.told.values() for event in events)

    run(story(), 120)


def test_who_breaks_the_order_of_frames_among_three_loses_only_a_connection(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ben = circle.tables[1]
            for link in ben._links.values():
                link.send(("have", 99))
            await circle.play()
            await circle.all("done")
            judged_alike(circle)
            assert any(event == Changed("away") for event in circle.told["ana"])

    run(story())


def keep_apart(monkeypatch: pytest.MonkeyPatch, one: Table, other: Table) -> None:
    """From now on the first cannot dial the second."""
    reach = dial

    async def apart(host: str, port: int, *more: object, **named: object) -> object:
        if port == other.port and more[0] is one._identity:
            raise Unreachable("kept apart")
        return await reach(host, port, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("p2p.mesh.dial", apart)


def test_two_who_cannot_reach_each_other_play_through_a_third(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")

    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.open(3, headless=False)
            ben, cleo = await circle.join(), await circle.join()
            keep_apart(monkeypatch, cleo, ben)
            circle.tables[0].ready(True)
            await until(lambda: circle.tables[0].phase == "words")
            circle.tables[0].same(True)
            await circle.all("playing")
            link = cleo._links[ben._identity.public]
            assert link.up
            assert not link.direct
            await circle.play()
            await circle.all("done")
            judged_alike(circle)
            assert "passing on between cleo and ben" in caplog.text

    run(story())


def test_what_a_relay_changes_ends_the_relayed_connection_and_blames_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")

    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.open(3, headless=False)
            ben, cleo = await circle.join(), await circle.join()
            host = circle.tables[0]
            keep_apart(monkeypatch, cleo, ben)
            host.ready(True)
            await until(lambda: host.phase == "words")
            host.same(True)
            await circle.all("playing")
            # The host says bye to cleo in the name of ben; and repeats what ben has said.
            link = host._links[cleo._identity.public]
            for forged in (
                ("bye", "left the table"),
                ("signed", 5, pack(("bye", "left the table")), bytes(64)),
                ("signed", 0, b"", bytes(64)),
            ):
                link.send(("passed", ben._identity.public, pack(forged)))
            await circle.play()
            await circle.all("done")
            judged_alike(circle)
            assert "what was passed on is not what the other side sent" in caplog.text

    run(story())


def test_nobody_else_can_take_a_relayed_connection_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.open(4, headless=False)
            ben, cleo, dan = [await circle.join() for _ in range(3)]
            host = circle.tables[0]
            keep_apart(monkeypatch, cleo, ben)
            await until(lambda: host.readiness == (False, True, True, True))
            host.ready(True)
            await until(lambda: host.phase == "words")
            host.same(True)
            await circle.all("playing")
            to_ben = cleo._links[ben._identity.public]
            before = to_ben._channel
            joiner = Joiner(dan._identity, ("seat", host._mesh.game_id), bytes(32))
            named_ben = (*joiner.first()[:3], ben._identity.public, *joiner.first()[4:])
            from_dan = dan._links[cleo._identity.public]
            for frame in (joiner.first(), named_ben, ("bye", "left"), ("signed", 0, b"", b""), ()):
                from_dan.send(("passed", ben._identity.public, pack(frame)))
            from_dan.send(("lost", ben._identity.public))
            from_dan.send(("pass", bytes(32), b""))
            from_dan.send(("pass", dan._identity.public, b""))
            cleo.say("still here")
            await until(lambda: ben.talk and dan.talk)
            assert to_ben._channel is before
            await circle.play()
            await circle.all("done")
            judged_alike(circle)

    run(story())


def test_without_the_host_the_others_hear_each_other_and_wait_for_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            proxy = Proxy(host.port)
            async with proxy:
                ben, cleo = await circle.join(proxy.port), await circle.join(proxy.port)
                host.ready(True)
                await until(lambda: host.phase == "words")
                host.same(True)
                await circle.all("playing")
            await until(lambda: set(ben.away) == set(cleo.away) == {0} and set(host.away) == {1, 2})
            cleo.say("where is ana?")
            await until(lambda: [said.text for said in ben.talk] == ["where is ana?"])
            assert host.talk == []
            async with proxy:
                await until(lambda: not any(table.away for table in circle.tables))
                await circle.play()
                await circle.all("done")
            judged_alike(circle)

    run(story())


def test_who_stays_behind_is_given_what_it_lacks_by_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A seat leaves while another cannot hear it, and is gone for good."""
    caplog.set_level("INFO")

    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(4)
            deaf, leaver = circle.tables[1], circle.tables[3]
            link = deaf._links[leaver._identity.public]
            heard = link._heard
            link._heard = lambda one, frame: None if frame[0] == "envelope" else heard(one, frame)
            leaver.resign()
            playing = asyncio.create_task(circle.play())
            await until(lambda: leaver.peer is not None and leaver.peer.left == (3,))
            await playing
            await circle.all("done")
            judged_alike(circle)
            assert "stays behind, and is given what it may lack" in caplog.text

    run(story(), 120)


def test_who_signs_two_things_is_shown_to_all(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ana, ben, cleo = circle.tables
            await until(lambda: all(table.peer and table.peer.slot > (0, 0) for table in circle.tables))
            assert ana._match is not None
            first = ana._match._peer.transcript[0]
            other = Envelope(first.game, 1, 0, START, 0, 0, first.head, STAGE, (1,)).signed(ben._identity.sign)
            # Only one of them gets the second thing.
            ben._links[cleo._identity.public].send(("envelope", other.pack()))
            await until(lambda: ana.phase == cleo.phase == "failed")
            for table in (ana, cleo):
                assert "ben was caught cheating: it signed two different envelopes" in str(table.problem)
                assert table.verdict is not None
                assert (table.verdict.code, table.verdict.seats) == ("unfair", (1,))

    run(story())


def other_shuffle(peer: Peer, envelope: Envelope) -> Plain:
    """Another body for the second shuffle of the first step, as good as the one that was signed."""
    before = next(each.body for each in peer.transcript if each.slot == (1, 0))
    assert isinstance(before, tuple)
    assert isinstance(before[0], bytes)
    desk, parts = peer.play.desk, len(CARDS.start(3, {}).deck[0])
    items = elgamal.decode_items(RISTRETTO, before[0], len(before[0]) // (elgamal.PAIR_SIZE * parts), parts)
    key = elgamal.joint_key(RISTRETTO, (public.bag for public in desk.publics))
    context = desk.context(*envelope.slot, envelope.seat)
    made = shuffle.shuffle(RISTRETTO, bytes(32), context, "deck", key, items)
    return elgamal.encode_items(made.items), shuffle.prove(RISTRETTO, bytes(32), context, "deck", key, items, made)


def test_who_shows_two_pasts_is_found_by_seats_that_have_come_to_different_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ben shuffles for Cleo in another way. She shuffles after that and plays on; to Ana she is stuck."""
    plain = Link.send

    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:

            def send(link: Link, frame: Frame) -> None:
                match frame:
                    case ("envelope", bytes() as data) if link.nickname == "cleo":
                        envelope, ben = Envelope.unpack(data), circle.tables[1]
                        if envelope.seat == 1 and envelope.slot == (1, 1):
                            assert ben._match is not None
                            other = replace(envelope, body=other_shuffle(ben._match._peer, envelope))
                            frame = "envelope", other.signed(ben._identity.sign).pack()
                plain(link, frame)

            monkeypatch.setattr(Link, "send", send)
            await circle.seat(3)
            ana, _, cleo = circle.tables
            await until(lambda: ana.phase == cleo.phase == "failed")
            for table in (ana, cleo):
                assert "ben was caught cheating: it signed two different envelopes" in str(table.problem)
            assert ana.peer is not None
            assert cleo.peer is not None
            assert ana.peer.slot < cleo.peer.slot

    run(story())
