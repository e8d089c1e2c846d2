"""Tables of two to six seats on this machine: all are linked to all, and the host is a seat like any other."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p.identity import KnownKeys
from protocol.audit import verify
from protocol.play import Refused
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.seated import NAMES, Circle, circle_of_tables


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
def test_a_whole_game_is_played_and_kept_alike_by_all(tmp_path: Path, seats: int) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
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
            await circle.play()
            assert bot.verdict is not None
            assert bot.verdict.code == "fair"
            assert bot.record is None
            # Its key is a new one each time: nobody is warned of a known nickname.
            assert KnownKeys(tmp_path / "ben").judge("Nessie", bytes(32)) == "new"

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
