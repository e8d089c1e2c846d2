"""Two tables over real sockets: seating, words, whole games, and how they end."""

import asyncio
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from games.diamond_trust import GAME
from games.table import Answer, Plain, Together
from p2p import archive
from p2p.channel import pair
from p2p.dial import dial
from p2p.hello import Refused as TurnedAway
from p2p.identity import Identity, KnownKeys
from p2p.journal import journals, read
from p2p.runner import apply
from p2p.table import Changed, Table
from p2p.trouble import Trouble
from protocol.audit import verify
from protocol.envelope import STAGE, START, Envelope
from protocol.events import Answered, Asked, Caught, Said, Send
from protocol.peer import Peer
from protocol.play import Refused
from tests.support.asyncs import run, until
from tests.support.seated import LOOPBACK, QUICK, Pair, Proxy, full_disk, pair_of_tables, play
from tests.support.stones import STONES, Position, StonesGame


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Errors in background tasks are logged, and must not be."""
    yield
    errors = [record.getMessage() for record in caplog.get_records("call") if record.levelname == "ERROR"]
    expected = "somebody who follows the table failed", "the game's machine failed", "the record could not be judged"
    assert [error for error in errors if not error.startswith(expected)] == []


async def play_on(tables: Pair, salt: int = 0) -> None:
    await asyncio.gather(play(tables.host, Random(salt)), play(tables.guest, Random(salt + 1)))


# -- whole games -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [STONES, GAME], ids=["stones", "diamond-trust"])
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
                assert table.verdict is not None
                assert table.verdict.code == "fair"
                assert table.record is not None
                assert [one.path for one in archive.saved(data)] == [table.record]
                assert verify(table.record.read_bytes(), lambda _: tables.game).code == "fair"
                assert journals(data) == []
                assert table.sent_bytes > 1000
            assert host.record is not None
            assert guest.record is not None
            assert host.record.read_bytes() == guest.record.read_bytes()
            assert host.record.name.endswith("-ana-ben.kdt")

    run(story())


def test_the_journal_gives_back_the_very_envelopes(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat({**QUICK, "rounds": 40})
            view = tables.guest.peer
            playing = asyncio.create_task(play_on(tables, 5))
            await until(lambda: view is not None and len(view.story) >= 4)
            (path,) = journals(tables.ben)
            contents = read(path)
            identity = Identity.load_or_create(tables.ben)
            await playing
            peer = Peer(STONES, contents.table, contents.seat, contents.seed, identity.sign)
            for entry in contents.entries:
                apply(peer, entry)
            sent = [entry[1] for entry in contents.entries if entry[0] == "sent"]
            assert [event.envelope for event in peer.take() if isinstance(event, Send)] == sent
            assert len(sent) > 5

    run(story())


def test_another_game_on_the_same_connections_with_seats_swapped(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            for salt, order in enumerate([("ana", "ben"), ("ben", "ana"), ("ana", "ben")]):
                assert tables.host.names == tables.guest.names == order
                assert tables.host.host_seat == tables.guest.host_seat == order.index("ana")
                assert (tables.host.seat, tables.guest.seat) == (order.index("ana"), order.index("ben"))
                view = tables.guest.peer
                await play_on(tables, salt)
                tables.guest.again(True)
                await until(lambda: tables.guest.seat in tables.host.again_from)
                assert tables.host.phase == "done"
                tables.host.again(True)
                await until(lambda view=view: tables.guest.peer not in (None, view))  # type: ignore[misc]
                await tables.both("playing")
                assert tables.host.again_from == tables.guest.again_from == set()
            assert len(archive.saved(tables.ana)) == 3

    run(story())


def test_a_table_within_the_program(tmp_path: Path) -> None:
    async def story() -> None:
        identity = Identity.load_or_create(tmp_path)
        own, bot = await Table.alone(STONES, nickname="ana", identity=identity, data=tmp_path, bot="Bot", options=QUICK)
        await until(lambda: own.phase == bot.phase == "playing")
        assert (own.names, own.acquaintance, own.addresses) == (("ana", "Bot"), ("you", "bot"), ())
        for salt in range(2):
            await asyncio.gather(play(own, Random(salt)), play(bot, Random(salt)))
            assert own.verdict is not None
            assert own.verdict.code == "fair"
            own.again(True)
            bot.again(True)
            await until(lambda: own.phase == bot.phase == "playing")
        assert len(archive.saved(tmp_path)) == 2
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
            tables.guest.resign()
            await tables.both("done")
            assert tables.host.verdict is not None
            assert tables.host.verdict.code == "fair"
            assert tables.host.verdict.result is not None
            assert tables.host.verdict.result.winners == (tables.host.seat,)

    run(story())


def test_talk_reaches_everybody_and_is_made_safe(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            tables.host.say("well\x1b[2J met\n")
            tables.host.say("\x00")
            tables.guest.say("x" * 5000)
            await until(lambda: len(tables.host.talk) == len(tables.guest.talk) == 2)
            assert sorted(tables.guest.talk, key=lambda said: said.seat) == [Said(0, "well[2J met"), Said(1, "x" * 500)]
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
            assert tables.host.phrase == tables.guest.phrase
            assert tables.host.phrase is not None
            assert len(set(tables.host.phrase)) >= 1
            assert tables.host.acquaintance == ("you", "new")
            assert tables.guest.acquaintance == ("new", "you")
            tables.host.same(True)
            await until(lambda: tables.guest.agreed == (True, False))
            assert tables.host.phase == "words"
            tables.guest.same(True)
            await tables.both("playing")
            await tables.close()
            await tables.open()
            await tables.join()
            await tables.both("playing")
            assert tables.host.acquaintance == ("you", "met")
            # One who lost the memory of it has to be asked again; the other need not.
            await tables.close()
            (tables.ben / "known-keys.json").unlink()
            await tables.open()
            await tables.join()
            await until(lambda: tables.guest.agreed == (True, False))
            assert tables.guest.acquaintance == ("new", "you")
            tables.guest.same(True)
            await tables.both("playing")

    run(story())


def test_who_agrees_twice_is_heard_once(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            await tables.join()
            await tables.both("words")
            assert tables.guest._match is not None
            tables.host.same(True)
            for _ in range(5):
                tables.guest.same(True)
                for link in tables.guest._links.values():
                    link.send(("same", tables.guest._match.table.game_id, True))
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
            one.same(False)
            await tables.both("failed")
            assert str(one.problem).startswith("The words differ: somebody may be between you.")
            assert "says that the words differ: somebody may be between you" in str(other.problem)
            assert KnownKeys(tables.ana).aborted == KnownKeys(tables.ben).aborted == 1
            assert KnownKeys(tables.ana).judge("ben", Identity.load_or_create(tables.ben).public) == "new"

    run(story())


def test_tables_given_up_at_their_words_are_warned_of(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            for _ in range(2):
                await tables.join()
                await tables.both("words")
                assert tables.host.warning is None
                tables.guest.leave()
                await until(lambda: tables.host.phase == "open" and len(tables.host.names) == 1)
            await tables.join()
            await tables.both("words")
            assert str(tables.host.warning).startswith("2 tables were given up at their words lately.")

    run(story())


def test_a_known_nickname_with_another_key_is_told(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            KnownKeys(tables.ana).remember({bytes(32): "Ben"}, verified=True)
            await tables.open()
            await tables.join()
            await tables.both("words")
            assert tables.host.acquaintance == ("you", "changed")

    run(story())


def test_a_headless_seat_pins_but_does_not_vouch(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            assert KnownKeys(tables.ana).judge("ben", Identity.load_or_create(tables.ben).public) == "new"
            assert KnownKeys(tables.ana).judge("ben", bytes(32)) == "changed"

    run(story())


def test_two_of_a_name_are_told_apart(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open(nickname="ana")
            await tables.join(nickname="ANA")
            await tables.both("words")
            names = tables.host.names
            assert names == tables.guest.names
            keys = [Identity.load_or_create(folder).fingerprint for folder in (tables.ana, tables.ben)]
            assert names in (("ana", f"ANA {keys[1]}"), (f"ana {keys[0]}", "ANA"))

    run(story())


# -- who gets a seat ---------------------------------------------------------------------------------------------------


def test_a_third_is_told_that_the_table_is_full(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            await tables.join()
            await tables.both("words")
            with pytest.raises(TurnedAway, match=r"begun already|Every seat"):
                await Table.join(
                    f"{LOOPBACK}:{tables.host.port}",
                    lambda _: STONES,
                    nickname="eve",
                    identity=Identity.fresh(),
                    data=None,
                )
            tables.host.same(True)
            tables.guest.same(True)
            await tables.both("playing")

    run(story())


def test_of_many_who_come_at_once_one_gets_the_seat(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open(headless=True)

            async def come() -> Table | None:
                try:
                    return await Table.join(
                        f"{LOOPBACK}:{tables.host.port}",
                        lambda _: STONES,
                        nickname="many",
                        identity=Identity.fresh(),
                        data=None,
                        headless=True,
                    )
                except TurnedAway:
                    return None

            came = await asyncio.gather(*(come() for _ in range(6)))
            (seated,) = [table for table in came if table is not None]
            await until(lambda: seated.phase == tables.host.phase == "playing")
            await seated.close()

    run(story())


def test_a_seat_is_free_again_when_its_guest_leaves_before_the_game(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            first = await tables.join()
            await tables.both("words")
            await first.close()
            await until(lambda: tables.host.phase == "open")
            assert (tables.host.names, tables.host.phrase, tables.host.peer) == (("ana",), None, None)
            await tables.join()
            await tables.both("words")
            assert tables.guest.phrase == tables.host.phrase

    run(story())


def test_a_table_that_closes_tells_those_who_wait(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            await tables.join()
            await tables.both("words")
            await tables.host.close()
            await until(lambda: tables.guest.phase == "failed")
            assert tables.guest.problem == "ana left the table."
            with pytest.raises(Trouble, match="Nobody hosts a table"):
                await tables.join(tables.guest.port or tables.host.port)

    run(story())


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (replace(STONES, revision=2), "The host has revision 1 of the rules of Stones, you have 2"),
        (replace(STONES, seats=(3,)), "is not played by 2 here"),
        (replace(STONES, options=()), "has no option 'rounds' with the value 3 here"),
    ],
)
def test_a_game_that_differs_is_refused_with_what_differs(tmp_path: Path, other: object, sentence: str) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            tables.game = other  # type: ignore[assignment]
            with pytest.raises(Trouble, match=sentence):
                await tables.join()
            tables.game = STONES
            await tables.join()
            await tables.both("words")

    run(story())


def test_a_game_that_is_not_installed_is_named(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()

            def nothing(id: str) -> object:
                raise LookupError(id)

            with pytest.raises(Trouble, match="This table plays 'stones', which is not installed here"):
                await Table.join(
                    f"{LOOPBACK}:{tables.host.port}",
                    nothing,  # type: ignore[arg-type]
                    nickname="ben",
                    identity=Identity.fresh(),
                    data=None,
                )

    run(story())


@pytest.mark.parametrize(
    "options", [{"rounds": 7}, {"rounds": True}, {"colour": 1}, {"last_look": -1}, {"last_look": "1"}]
)
def test_options_that_the_game_does_not_have_are_refused(tmp_path: Path, options: dict[str, object]) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            with pytest.raises(Trouble):
                await tables.open(options)  # type: ignore[arg-type]

    run(story())


def test_the_same_identity_cannot_sit_twice(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            shutil.copytree(tables.ana, tables.ben)
            with pytest.raises(TurnedAway, match="same identity"):
                await tables.join()

    run(story())


# -- how games end before their end ------------------------------------------------------------------------------------


def test_who_leaves_a_game_leaves_incomplete_records(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            await until(lambda: tables.host.peer is not None and tables.host.peer.asked)
            tables.guest.leave()
            await tables.both("failed")
            assert tables.host.problem == "ben left the table."
            for table, data in ((tables.host, tables.ana), (tables.guest, tables.ben)):
                assert table.verdict is not None
                assert table.verdict.code == "incomplete"
                assert table.record is not None
                (journal,) = journals(data)
                assert read(journal).closed
            with pytest.raises(Refused, match="nothing is asked"):
                tables.host.choose(1)

    run(story())


def test_a_game_goes_on_after_its_connection_was_cut(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open({**QUICK, "rounds": 40}, headless=True)
            async with Proxy(tables.host.port) as proxy:
                await tables.join(proxy.port, headless=True)
                await tables.both("playing")
                proxy.cut_after = 12_000
                await play_on(tables)
                assert proxy.cuts >= 3
            assert tables.host.phase == tables.guest.phase == "done"
            assert tables.host.verdict is not None
            assert tables.host.verdict.code == "fair"
            assert not any(isinstance(event, Caught) for events in tables.told.values() for event in events)

    run(story(), 120)


def test_a_lost_connection_is_told_with_its_time_and_waited_for(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open(headless=True)
            proxy = Proxy(tables.host.port)
            async with proxy:
                await tables.join(proxy.port, headless=True)
                await until(lambda: tables.host.peer is not None and tables.host.peer.asked)
                before = asyncio.get_running_loop().time()
            await until(lambda: bool(tables.host.away and tables.guest.away))
            assert set(tables.host.away) == {1}
            assert before <= tables.host.away[1] <= asyncio.get_running_loop().time()
            assert Changed("away") in tables.told["ana"]
            assert tables.host.phase == tables.guest.phase == "playing"
            # What is done meanwhile goes out when the connection is back.
            tables.host.choose(1)
            tables.host.say("are you there?")
            async with proxy:
                await until(lambda: not tables.host.away and not tables.guest.away)
                await until(lambda: tables.guest.talk)
                await play_on(tables)
            await tables.both("done")

    run(story())


def test_who_gives_up_waiting_keeps_an_incomplete_record(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open(headless=True)
            async with Proxy(tables.host.port) as proxy:
                await tables.join(proxy.port, headless=True)
                await tables.both("playing")
                await until(lambda: tables.guest.peer is not None and tables.guest.peer.asked)
            await until(lambda: tables.guest.away)
            tables.guest.leave()
            await until(lambda: tables.guest.phase == "failed")
            assert tables.guest.record is not None
            assert verify(tables.guest.record.read_bytes(), lambda _: STONES).code == "incomplete"
            assert tables.host.phase == "playing"

    run(story())


def test_nobody_else_can_come_back_to_a_seat(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            assert tables.host._match is not None
            game_id = tables.host._match.table.game_id
            for identity, purpose in (
                (Identity.fresh(), ("seat", game_id)),
                (Identity.load_or_create(tables.ben), ("seat", bytes(32))),
                (Identity.load_or_create(tables.ben), ("watch", game_id)),
                (Identity.fresh(), ("seat",)),
            ):
                channel = await dial(LOOPBACK, tables.host.port, identity, purpose)
                assert (await channel.receive())[0] == "refused"
                await channel.close()
            await play_on(tables)
            assert tables.host.phase == "done"

    run(story())


def test_a_double_signature_ends_the_game_with_proof(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            await until(lambda: tables.host.peer is not None and tables.host.peer.asked)
            assert tables.host._match is not None
            ben = Identity.load_or_create(tables.ben)
            game_id = tables.host._match.table.game_id
            head = tables.host._match._peer.transcript[0].head
            other = Envelope(game_id, 1, 0, START, 0, 0, head, STAGE, (1,)).signed(ben.sign)
            for link in tables.guest._links.values():
                link.send(("envelope", other.pack()))
            await tables.both("failed")
            assert "ben was caught cheating: it signed two different envelopes" in str(tables.host.problem)
            assert tables.host.verdict is not None
            assert (tables.host.verdict.code, tables.host.verdict.seats) == ("unfair", (1,))
            assert tables.host.record is not None
            assert verify(tables.host.record.read_bytes(), lambda _: STONES).code == "unfair"

    run(story())


def test_nonsense_from_a_seat_changes_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            (link,) = tables.guest._links.values()
            for frame in (
                ("envelope", b""),
                ("envelope", b"\xc1" * 100),
                ("envelope", 5),
                ("relay", b"nothing"),
                ("have", 3),
                ("have", -1),
                ("sit", "again"),
                ("place", 9, bytes(32), bytes(32)),
                ("nonces", 1, ()),
                ("table",),
                ("same", b"", True),
                ("same", 1, 2),
                ("again", None),
                ("roster", 1, b""),
                ("what is this", ((), 1)),
            ):
                if frame[0] not in ("have", "sit"):
                    link.send(frame)
            await play_on(tables)
            assert tables.host.phase == tables.guest.phase == "done"
            assert tables.host.verdict is not None
            assert tables.host.verdict.code == "fair"

    run(story())


@pytest.mark.parametrize("frame", [("have", 7), ("sit", "again")])
def test_who_breaks_the_order_of_frames_is_dropped(tmp_path: Path, frame: tuple[object, ...]) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            (link,) = tables.guest._links.values()
            link.send(frame)  # type: ignore[arg-type]
            await tables.both("failed")
            assert tables.host.problem == "ben does not follow the protocol; the game has ended."

    run(story())


def test_a_newcomer_who_speaks_before_sitting_is_dropped(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            at_host, at_guest = pair(Identity.load_or_create(tables.ana), Identity.fresh(), ("seat",))
            tables.host._welcome(at_host)
            assert (await at_guest.receive())[0] == "table"
            at_guest.send(("same", bytes(32), True))
            with pytest.raises(Exception, match="closed the connection"):
                await at_guest.receive()
            assert tables.host.names == ("ana",)

    run(story())


def test_seats_with_two_pasts_exchange_what_they_have(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            host, guest = tables.host, tables.guest
            await until(lambda: host.peer and guest.peer and host.peer.asked and guest.peer.asked)
            assert host._match is not None
            (link,) = host._links.values()
            relayed: list[object] = []
            (other,) = guest._links.values()
            heard = other._heard
            other._heard = lambda link, frame: (relayed.append(frame[0]), heard(link, frame))[1]  # type: ignore[func-returns-value]
            beat = host._match._beat()
            host._match._compare(link, beat)
            host._match._compare(link, (*beat[:-1], bytes(32)))
            host._match._compare(link, (*beat[:-1], bytes(32)))
            expected = len(host._match._peer.transcript)
            await until(lambda: relayed.count("relay") == expected)
            await play_on(tables)
            assert host.phase == guest.phase == "done"
            assert relayed.count("relay") == expected

    run(story())


# -- the disk ----------------------------------------------------------------------------------------------------------


def test_on_a_full_disk_nothing_is_sent_that_is_not_on_the_journal(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            await until(lambda: tables.guest.peer is not None and tables.guest.peer.asked)
            assert tables.guest._match is not None
            (path,) = journals(tables.ben)
            with full_disk(path.stat().st_size + 10):
                tables.guest.choose(1)
                await until(lambda: tables.guest.phase == "failed")
            assert str(tables.guest.problem).startswith("The disk is full:")
            sent = [entry[1] for entry in read(path).entries if entry[0] == "sent"]
            assert sent == tables.guest._match._mine
            assert not read(path).closed

    run(story())


def test_a_record_that_cannot_be_kept_is_told_and_the_journal_stays(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            (tables.ben).mkdir()
            (tables.ben / "records").write_text("in the way")
            await tables.seat()
            await play_on(tables)
            assert tables.guest.phase == "done"
            assert tables.guest.record is None
            assert "records" in str(tables.guest.problem)
            assert tables.guest.verdict is not None
            assert tables.guest.verdict.code == "fair"
            assert len(journals(tables.ben)) == 1

    run(story())


# -- the last look -----------------------------------------------------------------------------------------------------


def test_in_a_last_look_the_choice_as_it_stands_at_the_end_counts(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat({"last_look": 1, "rounds": 1})
            host, guest = tables.host, tables.guest
            await until(lambda: host.look_until and guest.look_until)
            assert host._match is not None
            assert guest._match is not None
            ends = host.look_until
            assert ends is not None
            before = len(host._match._mine), len(guest._match._mine)
            for number in (9, 3, 4):
                host.choose(number)
            with pytest.raises(Refused, match="one holds out 0 to 9 stones"):
                host.choose(10)
            guest.choose(6)
            await asyncio.sleep(0.5)
            # Nothing has left, and both may still choose.
            assert (len(host._match._mine), len(guest._match._mine)) == before
            guest.choose(5)
            story = host.peer.story if host.peer else ()
            await until(lambda: any(isinstance(event, Answered) for event in tables.told["ana"]))
            assert asyncio.get_running_loop().time() >= ends
            answer = next(event for event in tables.told["ana"] if isinstance(event, Answered))
            assert (answer.answer, story) == ((4, 5), ())
            assert host.look_until is None

    run(story())


def test_who_chooses_before_hearing_of_the_ask_is_held_all_the_same(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            answered: list[float] = []
            asked: dict[str, int] = {}
            loop = asyncio.get_running_loop()

            def hurry(name: str, table: Table, event: object) -> None:
                """Chooses on the first event at all after which the view shows what is asked."""
                if isinstance(event, Answered) and isinstance(event.ask, Together) and name == "ana":
                    answered.append(loop.time())
                view = table.peer
                if view is not None and view.asked is not None and asked.get(name) != view.asked.step:
                    asked[name] = view.asked.step
                    table.choose(4)

            await tables.open({"last_look": 1}, headless=True)
            tables.host.subscribe(lambda event: hurry("ana", tables.host, event))
            await tables.join(headless=True)
            tables.guest.subscribe(lambda event: hurry("ben", tables.guest, event))
            await tables.both("playing")
            await until(lambda: len(answered) == 2)
            assert answered[1] - answered[0] >= 1

    run(story())


def test_answers_to_what_was_asked_before_do_not_end_a_last_look(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat({"last_look": 1, "rounds": 1})
            host = tables.host
            await until(lambda: host.look_until)
            assert host._match is not None
            assert host.peer is not None
            assert host.peer.asked is not None
            asked = host.peer.asked
            host._match.happened(Answered(asked.step - 1, asked.ask, (0, 0), host.peer.state), 0)
            assert host.look_until is not None
            host._match.happened(Answered(asked.step, asked.ask, (0, 0), host.peer.state), 0)
            assert host.look_until is None

    run(story())


def test_a_last_look_without_a_choice_lasts_another_whole_one(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat({"last_look": 1, "rounds": 1})
            host, guest = tables.host, tables.guest
            await until(lambda: host.look_until and guest.look_until)
            first = host.look_until
            assert first is not None
            guest.choose(5)
            await until(lambda: Changed("look") in tables.told["ana"])
            assert host.look_until == first + 1
            host.choose(4)
            await until(lambda: any(isinstance(event, Answered) for event in tables.told["ana"]))
            assert asyncio.get_running_loop().time() >= first + 1

    run(story())


def test_without_a_last_look_a_choice_goes_at_once_and_only_once(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            host = tables.host
            await until(lambda: host.peer is not None and host.peer.asked)
            assert host.look_until is None
            with pytest.raises(Refused, match="whole number"):
                host.choose("four")
            host.choose(4)
            with pytest.raises(Refused, match="nothing is asked"):
                host.choose(5)
            assert sum(isinstance(event, Asked) for event in tables.told["ana"]) == 1

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
    assert "somebody who follows the table failed" in caplog.text


def test_a_game_with_a_fault_ends_with_a_sentence_on_both_sides(tmp_path: Path) -> None:
    class Faulty(StonesGame):
        def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> Position:
            return FaultyPosition(super().start(seats, options).left)

    class FaultyPosition(Position):
        def tell(self, answer: Answer) -> Position:
            raise ZeroDivisionError

    async def story() -> None:
        async with pair_of_tables(tmp_path, Faulty()) as tables:
            await tables.open(headless=True)
            tables.game = STONES
            await tables.join(headless=True)
            await play_on(tables)
            await tables.both("failed")
            assert "This program is at fault (ZeroDivisionError())" in str(tables.host.problem)
            assert "ana cannot go on" in str(tables.guest.problem)
            assert tables.guest.record is not None

    run(story())


def test_an_announced_table_is_found_and_joined(tmp_path: Path) -> None:
    from p2p.discovery import Browser

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
                    assert isinstance(joining.exception(), Trouble)

    run(story())
