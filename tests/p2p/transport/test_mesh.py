"""How seats on this machine reach each other: all are linked to all, and the host is a seat like any other."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kimberley.games.table import Plain
from kimberley.p2p.table.sync import have_frame
from kimberley.p2p.table.table import Table, TableChanged
from kimberley.p2p.transport.dial import Unreachable, dial
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.handshake import JoinerHandshake
from kimberley.p2p.transport.link import Link
from kimberley.protocol.crypto import elgamal, shuffle
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import STAGE, START, Envelope
from kimberley.protocol.events import Caught
from kimberley.protocol.peer import Peer
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.comeback import back, die
from tests.support.inside import cut, identity_of, links_of, machine_of, wire_of
from tests.support.seated import Circle, Proxy, circle_of_tables, judged_alike

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Asserts that no error in a background task was logged."""
    yield
    assert [record.getMessage() for record in caplog.get_records("call") if record.levelname == "ERROR"] == []


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
                    cut(table)
            await playing
            await circle.all("done")
            judged_alike(circle)
            assert sum(isinstance(event, TableChanged) and event.what == "away" for event in circle.told["ben"]) > 4
            assert not any(isinstance(event, Caught) for events in circle.told.values() for event in events)

    run(story(), 120)


def test_who_breaks_the_order_of_frames_among_three_loses_only_a_connection(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ben = circle.tables[1]
            for link in links_of(ben).values():
                assert ben.game_id is not None
                link.send(have_frame(ben.game_id, ((99, START),) * 3))
            await circle.play()
            await circle.all("done")
            judged_alike(circle)
            assert any(event == TableChanged("away") for event in circle.told["ana"])

    run(story())


def keep_apart(monkeypatch: pytest.MonkeyPatch, one: Table, other: Table) -> None:
    """Keeps the first from dialing the second from now on."""
    reach = dial

    async def apart(host: str, port: int, *more: object, **named: object) -> object:
        if port == other.port and more[0] is identity_of(one):
            raise Unreachable("kept apart")
        return await reach(host, port, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("kimberley.p2p.transport.mesh.dial", apart)


def test_two_who_cannot_reach_each_other_play_through_a_third(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")

    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.open(3, headless=False)
            ben, cleo = await circle.join(), await circle.join()
            keep_apart(monkeypatch, cleo, ben)
            circle.tables[0].seating.ready(True)
            await until(lambda: circle.tables[0].phase == "words")
            circle.tables[0].words.answer(True)
            await circle.all("playing")
            link = links_of(cleo)[identity_of(ben).public]
            assert link.connected
            assert not link.direct
            await circle.play()
            await circle.all("done")
            judged_alike(circle)
            assert "relaying between cleo and ben" in caplog.text

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
            host.seating.ready(True)
            await until(lambda: host.phase == "words")
            host.words.answer(True)
            await circle.all("playing")
            # The host says bye to cleo in the name of ben; and repeats what ben has said.
            link = links_of(host)[identity_of(cleo).public]
            for forged in (
                ("bye", "left the table"),
                ("signed", 5, pack(("bye", "left the table")), bytes(64)),
                ("signed", 0, b"", bytes(64)),
            ):
                link.send(("passed", identity_of(ben).public, pack(forged)))
            await circle.play()
            await circle.all("done")
            judged_alike(circle)
            assert "a frame is not the one that the other side signed" in caplog.text

    run(story())


@pytest.mark.slow
def test_nobody_else_can_take_a_relayed_connection_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.open(4, headless=False)
            ben, cleo, dan = [await circle.join() for _ in range(3)]
            host = circle.tables[0]
            keep_apart(monkeypatch, cleo, ben)
            await until(lambda: host.occupants.readiness == (False, True, True, True))
            host.seating.ready(True)
            await until(lambda: host.phase == "words")
            host.words.answer(True)
            await circle.all("playing")
            changes = circle.told["cleo"].count(TableChanged("away"))
            joiner = JoinerHandshake(identity_of(dan), ("seat", host.mesh.game_id), bytes(32))
            named_ben = (*joiner.hello()[:3], identity_of(ben).public, *joiner.hello()[4:])
            from_dan = links_of(dan)[identity_of(cleo).public]
            for frame in (joiner.hello(), named_ben, ("bye", "left"), ("signed", 0, b"", b""), ()):
                from_dan.send(("passed", identity_of(ben).public, pack(frame)))
            from_dan.send(("lost", identity_of(ben).public))
            from_dan.send(("pass", bytes(32), b""))
            from_dan.send(("pass", identity_of(dan).public, b""))
            cleo.chat.say("still here")
            await until(lambda: ben.chat.lines and dan.chat.lines)
            assert circle.told["cleo"].count(TableChanged("away")) == changes
            await circle.play()
            await circle.all("done")
            judged_alike(circle)

    run(story())


@pytest.mark.slow
def test_without_the_host_the_others_hear_each_other_and_wait_for_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            proxy = Proxy(host.port)
            async with proxy:
                ben, cleo = await circle.join(proxy.port), await circle.join(proxy.port)
                host.seating.ready(True)
                await until(lambda: host.phase == "words")
                host.words.answer(True)
                await circle.all("playing")
            await until(
                lambda: (
                    set(ben.reconnection.away) == set(cleo.reconnection.away) == {0}
                    and set(host.reconnection.away) == {1, 2}
                )
            )
            cleo.chat.say("where is ana?")
            await until(lambda: [said.text for said in ben.chat.lines] == ["where is ana?"])
            assert not host.chat.lines
            async with proxy:
                await until(lambda: not any(table.reconnection.away for table in circle.tables))
                await circle.play()
                await circle.all("done")
            judged_alike(circle)

    run(story())


@pytest.mark.slow
def test_who_stays_behind_is_given_what_it_lacks_by_the_others(tmp_path: Path) -> None:
    """A seat leaves while another cannot hear it, and is gone for good."""

    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(4)
            deaf, leaver = circle.tables[1], circle.tables[3]
            link = links_of(deaf)[identity_of(leaver).public]
            heard = link.on_frame
            link.on_frame = lambda one, frame: None if frame[0] == "envelope" else heard(one, frame)
            leaver.play.resign()
            playing = asyncio.create_task(circle.play())
            await until(lambda: leaver.peer is not None and leaver.peer.left == (3,))
            await playing
            await circle.all("done")
            judged_alike(circle)

    run(story(), 120)


def second_thing(circle: Circle) -> bytes:
    """Returns another first envelope of ben, in seat 1."""
    ana, ben = circle.tables[:2]
    first = machine_of(ana).transcript[0]
    forged = Envelope(first.game, 1, 0, START, 0, 0, first.head, STAGE, (1,)).signed(identity_of(ben).sign)
    return forged.pack()


def named_ben(table: Table) -> bool:
    """Returns whether this seat has ended the game because ben cheated, with a record that proves it."""
    if table.phase != "failed":
        return False
    assert re.match(r"ben was caught cheating in move \d: they signed two different messages", str(table.problem))
    assert table.ending.verdict is not None
    assert (table.ending.verdict.code, table.ending.verdict.seats) == ("unfair", (1,))
    return True


async def begun(circle: Circle) -> None:
    await until(lambda: all(table.peer and table.peer.slot > (0, 0) for table in circle.tables))


def test_who_signs_two_things_is_shown_to_all(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ana, ben, cleo = circle.tables
            await begun(circle)
            # Only one of them gets the second thing.
            links_of(ben)[identity_of(cleo).public].send(("envelope", second_thing(circle)))
            await until(lambda: named_ben(ana) and named_ben(cleo))

    run(story())


def test_who_was_caught_is_shown_to_a_seat_whose_connection_was_lost_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reach, apart = dial, True

    async def reached(*where: object, **more: object) -> object:
        if apart:
            raise Unreachable("no network")
        return await reach(*where, **more)  # type: ignore[arg-type]

    async def story() -> None:
        nonlocal apart
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ana, ben, cleo = circle.tables
            await begun(circle)
            monkeypatch.setattr("kimberley.p2p.transport.mesh.dial", reached)
            cut(cleo)
            await until(lambda: 2 in ana.reconnection.away and 2 in ben.reconnection.away)
            links_of(ben)[identity_of(ana).public].send(("envelope", second_thing(circle)))
            await until(lambda: named_ben(ana) and ben.phase == "failed")
            assert cleo.phase == "playing"
            apart = False
            await until(lambda: named_ben(cleo))

    run(story())


def test_who_was_caught_is_shown_to_a_seat_that_comes_back_from_its_journal(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ana, ben, cleo = circle.tables
            await begun(circle)
            forged = second_thing(circle)
            await die(cleo)
            links_of(ben)[identity_of(ana).public].send(("envelope", forged))
            await until(lambda: named_ben(ana) and ben.phase == "failed")
            # Ben says nothing of what he has of her: she does not need to hear it any more.
            again = circle.follow(await back(tmp_path / "cleo", CARDS), "cleo")
            await until(lambda: named_ben(again))

    run(story())


def test_who_comes_back_when_all_others_have_given_up_hears_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ana, ben, cleo = circle.tables
            await begun(circle)
            await die(cleo)
            ana.fail("gone")
            await until(lambda: ana.phase == "failed")
            again = circle.follow(await back(tmp_path / "cleo", CARDS), "cleo")
            # One who is gone is waited for, as long as another one is here.
            await until(lambda: set(again.reconnection.away) == set(ben.reconnection.away) == {0})
            assert again.phase == ben.phase == "playing"
            ben.fail("gone as well")
            await until(lambda: again.phase == "failed")
            assert again.problem == "ben left the table."
            assert again.ending.verdict is not None
            assert (again.ending.verdict.code, again.ending.verdict.deviations) == ("incomplete", ())

    run(story())


def other_shuffle(peer: Peer, envelope: Envelope) -> Plain:
    """Returns another body for the second shuffle of the first step, as good as the one that was signed."""
    before = next(each.body for each in peer.transcript if each.slot == (1, 0))
    assert isinstance(before, tuple)
    assert isinstance(before[0], bytes)
    crypto, parts = peer.play.crypto, len(CARDS.start(3, {}).deck[0])
    items = elgamal.decode_items(RISTRETTO, before[0], len(before[0]) // (elgamal.PAIR_SIZE * parts), parts)
    key = elgamal.joint_key(RISTRETTO, (public.bag for public in crypto.public_keys))
    context = crypto.context(*envelope.slot, envelope.seat)
    made = shuffle.shuffle(RISTRETTO, bytes(32), context, "deck", key, items)
    return elgamal.encode_items(made.items), shuffle.prove(RISTRETTO, bytes(32), context, "deck", key, items, made)


@pytest.mark.slow
@pytest.mark.parametrize("lossy", [False, True], ids=["at once", "lost with its connection"])
def test_who_shows_two_pasts_is_found_by_seats_that_have_come_to_different_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lossy: bool
) -> None:
    """Ben shuffles for Cleo in another way. She shuffles after that and plays on; to Ana she is stuck."""
    plain = Link.send
    losses: set[str] = set()

    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:

            def past(link: Link, data: bytes) -> bool:
                """Returns whether Ana or Cleo shows the other one what Ben has signed."""
                return Envelope.unpack(data).seat == 1 and link not in links_of(circle.tables[1]).values()

            def send(link: Link, frame: Frame) -> None:
                match frame:
                    case ("envelope", bytes() as data) if link.nickname == "cleo":
                        envelope, ben = Envelope.unpack(data), circle.tables[1]
                        if link in links_of(ben).values() and envelope.seat == 1 and envelope.slot == (1, 1):
                            other = replace(envelope, body=other_shuffle(machine_of(ben), envelope))
                            frame = "envelope", other.signed(identity_of(ben).sign).pack()
                    case ("envelope", bytes() as data) if lossy and link.nickname not in losses and past(link, data):
                        # The first time that a past is shown, its connection is lost.
                        losses.add(link.nickname)
                        wire_of(link).abort("cut")
                plain(link, frame)

            monkeypatch.setattr(Link, "send", send)
            await circle.seat(3)
            ana, _, cleo = circle.tables
            await until(lambda: named_ben(ana) and named_ben(cleo))
            assert ana.peer is not None
            assert cleo.peer is not None
            assert ana.peer.slot < cleo.peer.slot
            assert bool(losses) == lossy

    run(story())
