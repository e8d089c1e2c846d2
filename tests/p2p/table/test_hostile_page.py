"""A hostile host between a seat in a page and the others: it drops, delays, repeats, reorders and changes messages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.journal import list_journals
from kimberley.p2p.transport.dial import Unreachable
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.handshake import ConnectionRejected
from kimberley.protocol.events import Caught
from tests.support.altered import ALTERED, after, change
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.comeback import to_answer
from tests.support.effort import spread
from tests.support.inside import identity_of, links_of, signed_by
from tests.support.seated import Circle, judged_alike
from tests.support.stones import STONES
from tests.support.web_seat import Between, join_by_page, nothing, pages, served_circle


@pytest.fixture
def between(caplog: pytest.LogCaptureFixture) -> Iterator[Between]:
    """Yields what happens to the messages of pages. Asserts that no error in a background task was logged."""
    with pages() as between:
        yield between
    assert [record.getMessage() for record in caplog.get_records("call") if record.levelname == "ERROR"] == []


def nobody_is_blamed(circle: Circle) -> None:
    assert not any(isinstance(event, Caught) for events in circle.told.values() for event in events)


def hellos_within(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("signed_channel", "web_listener"):
        monkeypatch.setattr(f"kimberley.p2p.transport.{module}.HELLO_SECONDS", seconds)


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["sent", "received"])
def test_a_page_whose_hello_was_lost_tries_again(
    direction: str, tmp_path: Path, between: Between, monkeypatch: pytest.MonkeyPatch
) -> None:
    hellos_within(1.0, monkeypatch)

    async def story() -> None:
        async with served_circle(tmp_path, STONES, 2) as (circle, page):
            setattr(between, direction, after(0, nothing, 1))
            await join_by_page(circle, tmp_path, page)
            await circle.all("playing")
            assert between.opened == 2

    run(story())


@pytest.mark.slow
@pytest.mark.parametrize("how", ["drops", "repeats", "changes"])
@pytest.mark.parametrize("direction", ["sent", "received"])
@pytest.mark.parametrize("number", [0, 1])
def test_a_changed_hello_seats_nobody_and_says_what_to_do(
    how: str, direction: str, number: int, tmp_path: Path, between: Between, monkeypatch: pytest.MonkeyPatch
) -> None:
    hellos_within(0.3, monkeypatch)

    async def story() -> None:
        async with served_circle(tmp_path, STONES, 2) as (circle, page):
            # What is dropped once is sent again.
            setattr(between, direction, after(number, ALTERED[how](), 100 if how == "drops" else 1))
            if how == "repeats" and number == 1:
                # What comes after the hello is not signed, so the first frame ends the channel.
                with pytest.raises(UserError, match=r"(connection to .* ended|did not offer you a seat).*Try again"):
                    await join_by_page(circle, tmp_path, page)
            else:
                with pytest.raises((Unreachable, ConnectionRejected)) as refused:
                    await join_by_page(circle, tmp_path, page)
                assert str(refused.value).endswith((".", "?"))
            assert len(circle.tables[0].occupants.names) == 1

    run(story())


@pytest.mark.parametrize("how", ALTERED)
@pytest.mark.parametrize("direction", ["sent", "received"])
def test_a_seating_that_is_tampered_with_ends_with_a_sentence_and_signs_no_game(
    how: str, direction: str, tmp_path: Path, between: Between
) -> None:
    async def story() -> None:
        async with served_circle(tmp_path, STONES, 2, headless=False) as (circle, page):
            host = circle.tables[0]
            ben = await join_by_page(circle, tmp_path, page)
            setattr(between, direction, after(0, ALTERED[how](), 2 if how == "reorders" else 1))
            host.seating.ready(True)
            host.chat.say("hello")
            ben.chat.say("hello")
            await until(lambda: ben.phase == "failed")
            assert ben.problem == "ana lost the connection before the game began. Join again."
            assert list_journals(tmp_path / "ben") == []
            nobody_is_blamed(circle)

    run(story())


@pytest.mark.slow
@pytest.mark.parametrize("how", ALTERED)
@pytest.mark.parametrize("direction", ["sent", "received"])
def test_a_game_that_is_tampered_with_waits_and_then_ends_fair(
    how: str, direction: str, tmp_path: Path, between: Between
) -> None:
    async def story() -> None:
        async with served_circle(tmp_path, STONES, 2) as (circle, page):
            ben = await join_by_page(circle, tmp_path, page)
            await circle.all("playing")
            playing = asyncio.create_task(circle.play())
            await to_answer(ben, 2)
            setattr(between, direction, after(3, ALTERED[how](), 4))
            await playing
            await circle.all("done")
            assert len(page.channels) > 1
            judged_alike(circle)
            nobody_is_blamed(circle)

    run(story(), 120)


@pytest.mark.slow
def test_a_seat_that_hears_only_changed_frames_signs_no_more_and_waits(tmp_path: Path, between: Between) -> None:
    async def story() -> None:
        async with served_circle(tmp_path, STONES, 2) as (circle, page):
            ben = await join_by_page(circle, tmp_path, page)
            await circle.all("playing")
            playing = asyncio.create_task(circle.play())
            await to_answer(ben, 2)
            between.received = change
            await until(lambda: 0 in ben.reconnection.away)
            signed = signed_by(ben)
            tried = between.opened
            await until(lambda: between.opened >= tried + 3)
            assert signed_by(ben) == signed
            assert ben.phase == "playing"
            between.received = after(0, change, 0)
            await playing
            await circle.all("done")
            judged_alike(circle)
            nobody_is_blamed(circle)

    run(story(), 120)


@pytest.mark.slow
def test_delays_change_nothing(tmp_path: Path, between: Between) -> None:
    async def story() -> None:
        between.seconds = 0.02
        async with served_circle(tmp_path, STONES, 2) as (circle, page):
            await join_by_page(circle, tmp_path, page)
            await circle.all("playing")
            await circle.play()
            await circle.all("done")
            assert len(page.channels) == 1
            judged_alike(circle)

    run(story(), 120)


@pytest.mark.slow
@pytest.mark.parametrize("how", spread(2, ALTERED))
def test_a_host_that_tampers_with_what_it_passes_on_between_two_pages_harms_nobody(
    how: str, tmp_path: Path, between: Between
) -> None:
    async def story() -> None:
        async with served_circle(tmp_path, CARDS, 3) as (circle, page):
            host = circle.tables[0]
            ben, cleo = [await join_by_page(circle, tmp_path, page) for _ in range(2)]
            await circle.all("playing")
            playing = asyncio.create_task(circle.play())
            await to_answer(ben, 2)
            link = links_of(host)[identity_of(cleo).public]
            honest, alter = link.send, after(2, ALTERED[how](), 4)

            def send(frame: Frame) -> None:
                match frame:
                    case ("passed", bytes() as peer, bytes() as packed):
                        for one in alter(packed):
                            honest(("passed", peer, one))
                    case _:
                        honest(frame)

            link.send = send  # type: ignore[method-assign]
            await playing
            await circle.all("done")
            judged_alike(circle)
            nobody_is_blamed(circle)

    run(story(), 120)
