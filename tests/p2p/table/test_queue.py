"""A table that somebody blocks: the queue for a seat, whom it passes over, and whom the host removes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from kimberley.p2p.storage.identity import Identity, KnownKeys
from kimberley.p2p.table import admission, hold_ups, lobby, seat_queue, seats
from kimberley.p2p.table.admission import ADDRESS_REMOVED, REMOVED
from kimberley.p2p.table.guest_lobby import queue_sentence
from kimberley.p2p.table.lobby import LOST_SEAT
from kimberley.p2p.table.seat_queue import MOST_QUEUED, NO_SEAT
from kimberley.p2p.table.seats import BEGUN, SLOW_WORDS
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.dial import dial
from kimberley.p2p.transport.handshake import ConnectionRejected
from kimberley.p2p.transport.mesh import SEAT
from kimberley.protocol.play import NotAllowed
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.origins import from_address, many_origins
from tests.support.seated import LOOPBACK, circle_of_tables, no_faults
from tests.support.stones import STONES

ELSEWHERE, FAR = "127.0.0.2", "127.0.0.3"
"""Two other addresses of this machine."""


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    with many_origins():
        yield from no_faults(caplog)


class Comer:
    """Somebody who comes to a host's table from an address, and waits for a seat."""

    def __init__(
        self,
        host: Table,
        name: str,
        address: str = LOOPBACK,
        identity: Identity | None = None,
        *,
        headless: bool = False,
    ) -> None:
        self.told: list[str] = []
        self.identity = identity or Identity.fresh()
        self._host, self._name, self._headless = host, name, headless
        self.coming: asyncio.Task[Table] = asyncio.create_task(from_address(address, self._join))

    async def _join(self) -> Table:
        return await Table.join(
            f"{LOOPBACK}:{self._host.port}",
            lambda _: self._host.game,
            nickname=self._name,
            identity=self.identity,
            data=None,
            bind=LOOPBACK,
            headless=self._headless,
            queued=self.told.append,
        )

    async def waits_at(self, place: int) -> None:
        await until(lambda: self.told[-1:] == [queue_sentence(place, full=True)])

    async def refusal(self) -> str:
        with pytest.raises(ConnectionRejected) as refused:
            await self.coming
        return str(refused.value)


async def idler(port: int, name: str = "eve", address: str = ELSEWHERE, identity: Identity | None = None) -> Channel:
    """Returns the channel of somebody who sits down and then does nothing."""
    channel: Channel = await from_address(address, lambda: dial(LOOPBACK, port, identity or Identity.fresh(), (SEAT,)))
    channel.send(("sit", name, 0))
    return channel


async def ended(channel: Channel) -> str:
    """Returns why the host ended the connection."""
    while (frame := await channel.receive())[0] != "refused":
        pass
    return str(frame[1])


async def is_seated(host: Table, name: str) -> None:
    await until(lambda: name in host.occupants.names)


@pytest.mark.slow
def test_who_comes_to_a_full_table_waits_and_gets_the_seat_that_becomes_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "ROUND_SECONDS", 1.0)

    async def story() -> None:
        async with circle_of_tables(tmp_path, STONES) as circle:
            host = await circle.open(2, headless=False)
            eve = await idler(host.port)
            await is_seated(host, "eve")
            ben, cleo = Comer(host, "ben"), None
            await ben.waits_at(1)
            cleo = Comer(host, "cleo", FAR)
            await cleo.waits_at(2)
            assert host.hosting.queue == ("ben", "cleo")
            assert await ended(eve) == LOST_SEAT.format("your program did not answer in time")
            table = circle.follow(await ben.coming, "ben")
            await circle.all("words")
            await cleo.waits_at(1)
            for one in circle.tables:
                one.words.answer(True)
            await circle.all("playing")
            assert await cleo.refusal() == BEGUN
            assert not host.hosting.queue
            assert not table.hosting.queue

    run(story())


@pytest.mark.slow
def test_who_holds_a_seat_for_nothing_waits_with_a_new_key_too_and_a_friend_is_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "ROUND_SECONDS", 0.5)
    monkeypatch.setattr(admission, "SHUT_OUT_SECONDS", (2.0,))

    async def story() -> None:
        async with circle_of_tables(tmp_path, STONES) as circle:
            host = await circle.open(2, headless=False)
            await ended(await idler(host.port))
            again = await idler(host.port, "eve again")
            again.send(("queue",))
            while (frame := await again.receive())[0] != "queue":
                pass
            # The seat is free, and not for whoever has just held one.
            assert frame == ("queue", 1)
            assert list(host.occupants.names) == ["ana"]
            ben = Comer(host, "ben", FAR)
            circle.follow(await ben.coming, "ben")
            assert list(host.occupants.names) == ["ana", "ben"]
            await again.close()

    run(story())


@pytest.mark.slow
def test_when_the_time_is_over_who_held_a_seat_gets_one_without_asking_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "ROUND_SECONDS", 0.5)
    # Ben has to come before it is over, on a busy machine, too.
    monkeypatch.setattr(admission, "SHUT_OUT_SECONDS", (4.0,))

    async def story() -> None:
        async with circle_of_tables(tmp_path, STONES) as circle:
            host = await circle.open(2, headless=False)
            await ended(await idler(host.port))
            ben = Comer(host, "ben", ELSEWHERE)
            await until(lambda: ben.told == [queue_sentence(1, full=False)])
            circle.follow(await ben.coming, "ben")
            await circle.all("words")

    run(story())


@pytest.mark.slow
def test_known_people_go_before_strangers_whatever_others_at_their_address_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "ROUND_SECONDS", 1.0)

    async def story() -> None:
        async with circle_of_tables(tmp_path, STONES) as circle:
            friend = Identity.fresh()
            KnownKeys(tmp_path / "ana").remember({friend.public: "ben"}, verified=True)
            host = await circle.open(2, headless=False)
            eve = await idler(host.port)
            await is_seated(host, "eve")
            stranger = Comer(host, "cleo", FAR)
            await stranger.waits_at(1)
            ben = Comer(host, "ben", ELSEWHERE, friend)
            await ben.waits_at(1)
            await stranger.waits_at(2)
            await ended(eve)
            circle.follow(await ben.coming, "ben")
            assert host.occupants.names == ("ana", "ben")
            stranger.coming.cancel()
            await until(lambda: not host.hosting.queue)

    run(story())


@pytest.mark.parametrize("phase", ["open", "words"])
def test_the_host_removes_a_person_for_good(tmp_path: Path, phase: str) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3 if phase == "open" else 2, headless=False)
            eve = Comer(host, "eve", ELSEWHERE)
            seat = await eve.coming
            if phase == "words":
                host.seating.ready(True)
                seat.seating.ready(True)
            await until(lambda: host.phase == seat.phase == phase)
            waits = Comer(host, "ben", FAR) if phase == "words" else None
            if waits is not None:
                await waits.waits_at(1)
            host.hosting.send_away(1)
            await until(lambda: seat.phase == "failed")
            assert seat.problem == REMOVED
            assert seat.barred
            await seat.close()
            again = Comer(host, "eve", FAR, eve.identity)
            assert await again.refusal() == REMOVED
            assert await Comer(host, "not eve", ELSEWHERE).refusal() == ADDRESS_REMOVED
            ben = await (waits or Comer(host, "ben", FAR)).coming
            assert host.occupants.names == ("ana", "ben")
            assert host.phase in ("open", "words")
            await ben.close()
            with pytest.raises(NotAllowed):
                host.hosting.send_away(0)

    run(story())


def test_who_shares_the_address_of_somebody_at_the_table_is_kept_out_alone(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(4, headless=False)
            ben = await Comer(host, "ben", ELSEWHERE).coming
            eve = Comer(host, "eve", ELSEWHERE)
            seat = await eve.coming
            host.hosting.send_away(2)
            await until(lambda: seat.phase == "failed")
            await seat.close()
            assert await Comer(host, "eve", ELSEWHERE, eve.identity).refusal() == REMOVED
            cleo = await Comer(host, "cleo", ELSEWHERE).coming
            assert host.occupants.names == ("ana", "ben", "cleo")
            for table in (ben, cleo):
                await table.close()

    run(story())


def test_a_guest_removes_nobody(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.open(3, headless=False)
            ben = await circle.join(headless=False)
            for seat in (0, 1, 2, -1):
                with pytest.raises(NotAllowed):
                    ben.hosting.send_away(seat)

    run(story())


@pytest.mark.slow
def test_who_never_says_ready_loses_the_seat_once_all_others_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hold_ups, "READY_SECONDS", 0.5)

    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            ben = await circle.join(headless=False)
            eve = await idler(host.port)
            await is_seated(host, "eve")
            ben.seating.ready(True)
            await until(lambda: host.occupants.readiness == (False, True, False))
            host.seating.ready(True)
            assert await ended(eve) == LOST_SEAT.format("you did not say in time that you were ready")
            await until(lambda: host.occupants.names == ("ana", "ben"))
            await circle.all("words")

    run(story())


@pytest.mark.slow
def test_who_never_compares_the_words_loses_the_seat_once_the_host_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "WORDS_SECONDS", 1.0)

    async def story() -> None:
        async with circle_of_tables(tmp_path, STONES) as circle:
            host = await circle.open(2, headless=True)
            eve = await Comer(host, "eve", ELSEWHERE).coming
            ben = Comer(host, "ben", FAR, headless=True)
            await until(lambda: eve.phase == "failed")
            assert SLOW_WORDS in str(eve.problem)
            circle.follow(await ben.coming, "ben")
            await circle.all("playing")
            await eve.close()

    run(story())


@pytest.mark.slow
def test_a_program_that_does_not_know_of_the_queue_is_told_that_no_seat_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_queue, "QUEUE_SECONDS", 0.3)

    async def story() -> None:
        async with circle_of_tables(tmp_path, STONES) as circle:
            host = await circle.open(2, headless=False)
            await circle.join(headless=False)
            await circle.all("words")
            assert await ended(await idler(host.port)) == NO_SEAT
            assert host.hosting.queue == ()

    run(story())


@pytest.mark.slow
def test_the_queue_is_bounded_and_one_address_does_not_fill_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, STONES) as circle:
            host = await circle.open(2, headless=False)
            await circle.join(headless=False)
            await circle.all("words")
            crowd = list[Comer]()
            while len(crowd) < MOST_QUEUED:
                crowd.append(Comer(host, f"many {len(crowd)}", ELSEWHERE))
                await until(lambda: len(host.hosting.queue) == len(crowd))
            ben = Comer(host, "ben", FAR)
            await ben.waits_at(2)
            assert len(host.hosting.queue) == MOST_QUEUED
            await until(lambda: any(one.coming.done() for one in crowd))
            turned_away = [one for one in crowd if one.coming.done()]
            assert [await one.refusal() for one in turned_away] == [
                f"{NO_SEAT} Too many people are already waiting for a seat."
            ]
            for one in (ben, *crowd):
                one.coming.cancel()
            await until(lambda: not host.hosting.queue)

    run(story())


def test_those_who_wait_are_told_when_the_table_is_closed(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, STONES) as circle:
            host = await circle.open(2, headless=False)
            await circle.join(headless=False)
            await circle.all("words")
            ben = Comer(host, "ben", FAR)
            await ben.waits_at(1)
            await host.close()
            assert "closed this table" in await ben.refusal()

    run(story())


def test_an_ordinal_is_spelled_right() -> None:
    assert [queue_sentence(n, full=True).split()[6] for n in (1, 2, 3, 4, 11, 12, 13, 21, 22)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd",
    ]  # fmt: skip
