"""Seats that come back from their journals, over real sockets: killed, moved, with an old copy, refused."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from kimberley.games.diamond_trust import GAME
from kimberley.games.table import Game
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.files import BusyError
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import MAGIC, DamagedJournal, Journal, list_journals, read_journal, split_frames
from kimberley.p2p.table.adjournment import ASIDE_ALONE
from kimberley.p2p.table.resume import ResumableGame, choose_game, list_resumable_games, restore_seat
from kimberley.p2p.table.table import Table
from kimberley.protocol.audit import verify
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.comeback import as_on_another_machine, back, die, to_answer
from tests.support.effort import OTHER_VALUE, first_is_quick
from tests.support.full_disk import full_disk
from tests.support.inside import links_of
from tests.support.seated import LOOPBACK, QUICK, circle_of_tables, pair_of_tables, play
from tests.support.stones import STONES


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Asserts that no error in a background task was logged."""
    yield
    assert [record.getMessage() for record in caplog.get_records("call") if record.levelname == "ERROR"] == []


def test_who_resigns_alone_at_a_resumed_table_is_asked_nothing_more(tmp_path: Path) -> None:
    """What the player does there is held back until the others come."""

    async def story() -> None:
        async with pair_of_tables(tmp_path, STONES) as tables:
            await tables.seat()
            await until(lambda: any(table.play.asked is not None for table in tables.both_tables))
            who = "ana" if tables.host.play.asked is not None else "ben"
            for table in tables.both_tables:
                await die(table)
            again = tables.follow(await back(tmp_path / who, STONES), who)
            await until(lambda: again.play.asked is not None)
            again.play.resign()
            assert again.play.resigning
            assert again.play.asked is None

    run(story())


@pytest.mark.parametrize("resigns", [False, True])
def test_what_is_chosen_alone_at_a_resumed_table_is_known_to_be_unsaved(tmp_path: Path, *, resigns: bool) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path, STONES) as tables:
            await tables.seat()
            await until(lambda: any(table.play.asked is not None for table in tables.both_tables))
            who = "ana" if tables.host.play.asked is not None else "ben"
            assert not any(table.play.unsaved for table in tables.both_tables)
            for table in tables.both_tables:
                await die(table)
            again = tables.follow(await back(tmp_path / who, STONES), who)
            await until(lambda: again.play.asked is not None)
            assert not again.play.unsaved
            assert again.play.held_back
            if resigns:
                again.play.resign()
            else:
                assert again.play.asked is not None
                again.play.choose(again.play.asked.space.pick(Random(1)))
            assert again.play.unsaved
            assert again.play.asked is None
            await die(again)
            later = tables.follow(await back(tmp_path / who, STONES), who)
            await until(lambda: later.play.asked is not None)
            assert not later.play.unsaved

    run(story())


@pytest.mark.parametrize("who", ["ana", "ben"])
@pytest.mark.parametrize(
    "game",
    [
        pytest.param(STONES, id="stones"),
        pytest.param(GAME, id="diamond-trust", marks=OTHER_VALUE),
    ],
)
def test_a_killed_seat_takes_its_seat_again_and_the_game_ends_fairly(tmp_path: Path, game: Game, who: str) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path, game) as tables:
            await tables.seat()
            playing = [asyncio.create_task(play(table, Random(n))) for n, table in enumerate(tables.both_tables)]
            dead, other = (tables.host, tables.guest) if who == "ana" else (tables.guest, tables.host)
            await to_answer(dead, 4)
            before = dead.peer
            await die(dead)
            await until(lambda: other.reconnection.away)
            assert other.reconnection.not_come == frozenset()
            again = tables.follow(await back(tmp_path / who, game), who)
            assert set(again.reconnection.away) == again.reconnection.not_come
            assert (again.occupants.seat, again.host, again.occupants.names) == (
                dead.occupants.seat,
                dead.host,
                dead.occupants.names,
            )
            assert again.occupants.options == dead.occupants.options
            assert before is not None
            assert again.peer is not None
            assert again.peer.story[: len(before.story)] == before.story
            await play(again, Random(9))
            await until(lambda: other.phase == again.phase == "done")
            assert other.reconnection.away == again.reconnection.away == {}
            for table in (again, other):
                assert table.ending.verdict is not None
                assert table.ending.verdict.code == "fair"
            assert again.ending.record is not None
            assert other.ending.record is not None
            assert again.ending.record.read_bytes() == other.ending.record.read_bytes()
            assert list_journals(tmp_path / who) == []
            await asyncio.gather(*playing)

    run(story())


@pytest.mark.slow
@pytest.mark.parametrize("seats", first_is_quick(3, 4))
def test_among_several_each_is_killed_in_turn_and_the_others_see_who_is_back(tmp_path: Path, seats: int) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(seats)
            playing = [asyncio.create_task(play(table, Random(n))) for n, table in enumerate(circle.tables)]
            for seat in range(seats):
                dead, name = circle.tables[seat], circle.tables[seat].occupants.names[seat]
                await to_answer(dead, 3 * (seat + 1))
                await die(dead)
                others = [table for table in circle.tables if table is not dead]
                await until(lambda seat=seat, others=others: all(seat in table.reconnection.away for table in others))  # type: ignore[misc]
                again = circle.follow(await back(tmp_path / name, CARDS), name)
                circle.tables.remove(again)
                circle.tables[seat] = again
                playing.append(asyncio.create_task(play(again, Random(f"again {seat}"))))
                await until(lambda: not any(table.reconnection.away for table in circle.tables))
            await circle.all("done")
            await asyncio.gather(*playing)
            records = {table.ending.record.read_bytes() for table in circle.tables if table.ending.record is not None}
            assert len(records) == 1
            assert verify(records.pop(), lambda _: CARDS).code == "fair"

    run(story(), 120)


@pytest.mark.slow
def test_all_are_killed_and_meet_again_although_no_door_is_where_it_was(tmp_path: Path) -> None:
    """By the network: identity and game are all that they know of each other."""

    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            playing = [asyncio.create_task(play(table, Random(n))) for n, table in enumerate(circle.tables)]
            await to_answer(circle.tables[0], 5)
            ports = [table.port for table in circle.tables]
            for table in circle.tables:
                await die(table)
            await asyncio.gather(*playing)
            # Something else has taken the doors meanwhile.
            servers = [await asyncio.start_server(lambda _, writer: writer.close(), LOOPBACK, port) for port in ports]
            names = ("ana", "ben", "cleo")
            again = [await back(tmp_path / name, CARDS, seek=True) for name in names]
            assert again[-1].reconnection.not_come <= set(again[-1].reconnection.away)
            circle.tables = [circle.follow(table, name) for table, name in zip(again, names, strict=True)]
            assert not {table.port for table in again} & set(ports)
            await asyncio.gather(*(play(table, Random(n)) for n, table in enumerate(again)))
            assert {table.ending.verdict.code for table in again if table.ending.verdict is not None} == {"fair"}
            for server in servers:
                server.close()

    run(story(), 90)


def journaled(journal: Path) -> int:
    """Returns how many envelopes the seat of a journal has signed: they are there before they are sent."""
    return sum(entry[0] == "sent" for entry in read_journal(journal).entries)


def test_a_seat_with_an_old_copy_of_its_journal_stops_for_good(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat({**QUICK, "rounds": 40})
            playing = [asyncio.create_task(play(table, Random(n))) for n, table in enumerate(tables.both_tables)]
            await to_answer(tables.guest, 4)
            (path,) = list_journals(tables.ben)
            old = path.read_bytes()
            signed = journaled(path)
            await to_answer(tables.guest, 12)
            await die(tables.guest)
            path.write_bytes(old)
            as_on_another_machine()
            again = tables.follow(await back(tables.ben, STONES), "ben")
            await until(lambda: again.phase == "failed")
            assert "is an old copy" in str(again.problem)
            assert journaled(path) <= signed + 1
            # What it has learned is in its journal, too: it does not try again, whatever is lost beside it.
            await again.close()
            as_on_another_machine()
            with pytest.raises(UserError, match="is an old copy"):
                await back(tables.ben, STONES)
            assert tables.host.phase == "playing"
            assert tables.host.peer is not None
            assert tables.host.peer.caught is None
            tables.host.departures.leave()
            await asyncio.gather(*playing)

    run(story())


@pytest.mark.slow
def test_nothing_is_signed_before_all_others_have_said_what_they_know(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ana, ben, cleo = circle.tables
            await until(lambda: all(table.peer is not None and table.peer.asked for table in circle.tables))
            await die(cleo)
            await die(ben)
            again = circle.follow(await back(tmp_path / "ben", CARDS), "ben")
            await until(lambda: again.reconnection.away.keys() == {2} and ana.reconnection.away.keys() == {2})
            (path,) = list_journals(tmp_path / "ben")
            signed = journaled(path)
            assert again.peer is not None
            assert again.peer.asked is not None
            again.play.choose(again.peer.asked.space.pick(Random(1)))
            await asyncio.sleep(0.3)
            assert journaled(path) == signed
            circle.follow(await back(tmp_path / "cleo", CARDS), "cleo")
            await until(lambda: journaled(path) > signed)

    run(story())


def test_a_journal_torn_at_any_byte_leads_to_the_seat_or_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path, identity = whole_journal(tmp_path)
    whole = path.read_bytes()
    as_on_another_machine()
    first = len(MAGIC) + 16 + len(split_frames(whole, path)[0][0])
    rng = Random(7)
    for cut in sorted(rng.sample(range(len(whole)), 40)):
        path.write_bytes(whole[:cut])
        if cut < first:
            with pytest.raises(DamagedJournal, match=r"Move it away\.$"):
                restore_seat(path, lambda _: STONES, identity)
            continue
        found = restore_seat(path, lambda _: STONES, identity)
        assert found.journal is not None
        found.journal.close()
        as_on_another_machine()
        signed = tuple(envelope.pack() for envelope in found.peer.chain(found.contents.seat, 0))
        assert signed == read_journal(path).sent


def test_hostile_journals_are_refused_with_a_sentence_and_nothing_else_happens(tmp_path: Path) -> None:
    path, identity = whole_journal(tmp_path)
    contents = read_journal(path)
    strange: list[tuple[object, ...]] = [
        ("chose", 0, "nonsense"), ("chose", 10**9, (((),),)), ("received", b"\xff" * 100), ("received", None),
        ("sent", b"what was never signed"), ("chose", 1, "\x00" * 900), ("resigned", "and more"), ("concluded",),
        ("started",), ("places", 1, 2, 3, 4, 5, 6), ("places", b"", -1, -1, -1, ((1, 2),), ()), ("what",),
        ("bot", b"short", None),
    ]  # fmt: skip
    for number, entry in enumerate(strange):
        data = tmp_path / str(number)
        journal = Journal.create(data, contents.table, contents.seat, contents.seed)
        entries = list(contents.entries[:9])
        entries.insert(4, entry)  # type: ignore[arg-type]
        journal.write(entries, sync=False)
        journal.close()
        with pytest.raises(DamagedJournal):
            restore_seat(journal.path, lambda _: STONES, identity)
        (one,) = list_resumable_games(data, identity.public)
        assert one.others == ("ana",)


@pytest.mark.slow
def test_what_cannot_be_taken_up_says_what_to_do(tmp_path: Path) -> None:
    path, identity = whole_journal(tmp_path)

    def missing(name: str) -> Game:
        raise LookupError(name)

    with pytest.raises(UserError, match="which you have not installed"):
        restore_seat(path, missing, identity)
    with pytest.raises(UserError, match="belongs to a different identity"):
        restore_seat(path, lambda _: STONES, Identity.fresh())
    with pytest.raises(UserError, match="Use the version it began"):
        restore_seat(path, lambda _: replace(STONES, revision=99), identity)
    with another_process_playing(path):
        (one,) = list_resumable_games(path.parents[1], identity.public)
        assert one.problem == "It is open in another program."
    journal, _ = Journal.resume(path)
    with pytest.raises(BusyError, match="already being played"):
        restore_seat(path, lambda _: STONES, identity)
    journal.write([("closed", "enough")], sync=True)
    journal.close()
    with pytest.raises(UserError, match=r"ended \(enough\)"):
        restore_seat(path, lambda _: STONES, identity)
    assert list_resumable_games(path.parents[1], identity.public) == ()
    with pytest.raises(UserError, match="No game to resume"):
        choose_game((), None)


def unfinished(number: int, other: str, key: bytes, game: str = "stones") -> ResumableGame:
    """Returns a game of ana's against somebody."""
    path = Path(f"{number:08x}-0.journal")
    return ResumableGame(path, game, bytes(32), ("ana", other), written=float(-number), keys=(bytes(32), key))


def test_a_nickname_means_a_game_only_if_one_person_has_it() -> None:
    ben, other = b"b" * 32, b"c" * 32
    games = [unfinished(1, "ben", ben), unfinished(2, "Ben", ben), unfinished(3, "stones", other)]
    assert choose_game(games, "BEN") is games[0]
    # Nobody can take the name of a game, or of a journal, from it.
    assert choose_game([unfinished(3, "stones", other, "land"), *games], "stones") is games[0]
    games.append(unfinished(4, "ben", other))
    with pytest.raises(UserError, match=r"several people called ben\. Type one of these: 00000001 \("):
        choose_game(games, "ben")
    assert choose_game(games, "00000004") is games[3]


@contextmanager
def another_process_playing(path: Path) -> Iterator[None]:
    """Opens a journal in another process."""
    script = (
        "import sys; from pathlib import Path; from kimberley.p2p.storage.journal import Journal\n"
        "Journal.resume(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        yield
        other.communicate()


def test_a_game_that_this_program_is_just_leaving_is_not_listed(tmp_path: Path) -> None:
    path, identity = whole_journal(tmp_path)
    data = path.parents[1]
    journal, _ = Journal.resume(path)
    assert list_resumable_games(data, identity.public) == ()
    journal.close()
    (one,) = list_resumable_games(data, identity.public)
    assert one.problem is None
    journal, _ = Journal.resume(path)
    journal.remove()
    assert list_resumable_games(data, identity.public) == ()


def test_games_are_listed_the_latest_first_and_without_the_one_that_was_left(tmp_path: Path) -> None:
    latest, identity = whole_journal(tmp_path)
    earlier, left = (latest.with_name(f"{name * 16}-1{latest.suffix}") for name in "0f")
    for path in (earlier, left):
        shutil.copy(latest, path)
    journal, _ = Journal.resume(left)
    journal.write([("closed", "You have left the table.")], sync=True)
    journal.close()
    for seconds, path in enumerate((earlier, latest, left), 1_700_000_000):
        os.utime(path, (seconds, seconds))
    listed = list_resumable_games(latest.parents[1], identity.public)
    assert [game.path for game in listed] == [latest, earlier]


def whole_journal(folder: Path) -> tuple[Path, Identity]:
    """Returns the journal of a seat that was killed in the middle of a game, and who it is."""
    path = folder / "kept"

    async def story() -> None:
        async with pair_of_tables(folder / "tables") as tables:
            await tables.seat({**QUICK, "rounds": 40})
            playing = [asyncio.create_task(play(table, Random(n))) for n, table in enumerate(tables.both_tables)]
            await to_answer(tables.guest, 8)
            await die(tables.guest)
            os.replace(tables.ben, path)
            tables.host.departures.leave()
            await asyncio.gather(*playing)

    run(story())
    return list_journals(path)[0], Identity.load_or_create(path)


def test_on_a_full_disk_a_seat_stops_is_waited_for_and_comes_back_with_room(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            await until(lambda: tables.guest.peer is not None and tables.guest.peer.asked)
            (path,) = list_journals(tables.ben)
            with full_disk(path.stat().st_size + 10):
                tables.guest.play.choose(1)
                await until(lambda: tables.guest.phase == "failed")
            assert "Then resume the game." in str(tables.guest.problem)
            assert tables.guest.ending.resumable
            await tables.guest.close()
            await until(lambda: tables.host.reconnection.away)
            assert tables.host.phase == "playing"
            again = tables.follow(await back(tables.ben, STONES), "ben")
            await asyncio.gather(play(tables.host, Random(1)), play(again, Random(2)))
            assert again.ending.verdict is not None
            assert again.ending.verdict.code == "fair"

    run(story())


def test_a_last_look_begins_anew_for_who_is_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat({"last_look": 600})
            loop = asyncio.get_running_loop()
            players = [asyncio.create_task(play(table, Random(n))) for n, table in enumerate(tables.both_tables)]
            await until(lambda: tables.guest.play.final_adjustment_until is not None)
            await die(tables.guest)
            before = loop.time()
            again = tables.follow(await back(tables.ben, STONES), "ben")
            assert again.play.final_adjustment_until is not None
            assert before + 600 <= again.play.final_adjustment_until <= loop.time() + 600
            await until(lambda: not again.reconnection.away)
            assert again.peer is not None
            assert again.peer.asked is not None
            tables.host.departures.leave()
            await asyncio.gather(*players)

    run(story())


@pytest.mark.slow
def test_bots_of_the_program_come_back_with_it(tmp_path: Path) -> None:
    identity = Identity.load_or_create(tmp_path)

    async def resumed(*ended: Table) -> tuple[Table, Table]:
        for table in ended:
            await table.close()
        path = choose_game(list_resumable_games(tmp_path, identity.public), None).path
        own = await Table.resume(path, lambda _: STONES, identity=identity, data=tmp_path, seek=False)
        ((bot, note),) = await own.resume_bots()
        assert note is None
        assert sorted(own.words.acquaintance) == ["bot", "you"]
        return own, bot

    async def saved(own: Table, bot: Table) -> tuple[Table, Table]:
        await until(lambda: own.peer is not None and own.peer.asked)
        own.adjournment.vote(True)
        bot.adjournment.vote(True)
        await until(lambda: own.phase == bot.phase == "failed")
        # Nobody else has to be told to come back.
        assert own.problem == ASIDE_ALONE
        return await resumed(own, bot)

    async def story() -> None:
        own = await Table.open(
            STONES, nickname="ana", identity=identity, data=tmp_path, seats=2, options=QUICK, listen=False
        )  # fmt: skip
        bot = await own.seat_bot("Bot")
        await until(lambda: own.phase == bot.phase == "playing")
        own, bot = await saved(own, bot)
        # What has come back can be saved for later once more.
        own, bot = await saved(own, bot)
        await asyncio.gather(play(own, Random(1)), play(bot, Random(2)))
        assert own.ending.verdict is not None
        assert own.ending.verdict.code == "fair"
        own.rematch.want()
        bot.rematch.want()
        await until(lambda: own.phase == bot.phase == "playing")
        await own.suspend()
        await bot.suspend()
        own, bot = await resumed(own, bot)
        await asyncio.gather(play(own, Random(3)), play(bot, Random(4)))
        await own.close()
        await bot.close()
        assert list_journals(tmp_path) == []

    run(story())


def test_who_leaves_a_bot_of_the_program_leaves_no_journal_to_resume_and_no_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        identity = Identity.load_or_create(tmp_path)
        own = await Table.open(
            STONES, nickname="ana", identity=identity, data=tmp_path, seats=2, options=QUICK, listen=False
        )  # fmt: skip
        bot = await own.seat_bot("Bot")
        await until(lambda: own.phase == bot.phase == "playing")
        own.departures.leave()
        await until(lambda: own.phase == bot.phase == "failed")
        await own.close()
        await bot.close()
        assert not list_resumable_games(tmp_path, identity.public)

    run(story())
    assert [record.getMessage() for record in caplog.records if record.levelname == "WARNING"] == []


@pytest.mark.slow
def test_who_claims_to_be_a_lost_seat_is_found_out_and_the_true_one_is_reached(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            await die(tables.guest)
            eve = await Table.open(
                STONES, nickname="ana", identity=Identity.fresh(), data=None, port=0, bind=LOOPBACK, announce=False
            )
            again = tables.follow(await back(tables.ben, STONES), "ben")
            (ana,) = links_of(again)
            again.mesh.addresses.clear()
            again.mesh.add_candidates(ana, [(LOOPBACK, eve.port), (LOOPBACK, 1), (LOOPBACK, tables.host.port)])
            await asyncio.gather(play(tables.host, Random(1)), play(again, Random(2)))
            assert again.ending.verdict is not None
            assert again.ending.verdict.code == "fair"
            await eve.close()

    run(story())


@pytest.mark.slow
def test_a_seat_that_sits_at_another_table_by_now_is_waited_for(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            port = tables.host.port
            await die(tables.guest)
            await die(tables.host)
            identity = Identity.load_or_create(tables.ana)
            other = await Table.open(
                STONES, nickname="ana", identity=identity, data=tables.ana, port=port, bind=LOOPBACK, announce=False
            )
            ben = tables.follow(await back(tables.ben, STONES), "ben")
            await asyncio.sleep(1.0)
            assert (ben.phase, set(ben.reconnection.away)) == ("playing", {0})
            await other.close()
            ana = tables.follow(await back(tables.ana, STONES), "ana")
            assert ana.port == port
            await asyncio.gather(play(ana, Random(1)), play(ben, Random(2)))
            assert ben.ending.verdict is not None
            assert ben.ending.verdict.code == "fair"

    run(story())


def test_who_comes_back_to_a_game_that_was_given_up_is_told(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            await die(tables.guest)
            tables.host.departures.leave()
            await until(lambda: tables.host.phase == "failed")
            ben = tables.follow(await back(tables.ben, STONES), "ben")
            await until(lambda: ben.phase == "failed")
            assert ben.problem == "ana left the table."

    run(story())
