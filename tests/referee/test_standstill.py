"""A referee whose own program stands still (Ctrl+Z, a machine that sleeps, a slow disk): that counts against nobody."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kimberley.p2p.storage.journal import Entry
from kimberley.p2p.table.runner import Runner
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.clock import TableClocks
from kimberley.p2p.tournament.events import GameSeated, TournamentEvent
from kimberley.p2p.tournament.settings import TimeControl
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.protocol.events import Event
from kimberley.referee import table_observer
from kimberley.referee.async_store import AsyncStore
from kimberley.referee.readiness import SITTING_DOWN
from kimberley.referee.server import RoundTiming
from tests.support.asyncs import run, until
from tests.support.evenings import Evening, clock, evening, grace
from tests.support.hostile_player import sit_down_late
from tests.support.seated import no_faults
from tests.support.stones import STONES

COME, GRACE = 3.0, 5
ONE = RoundTiming(players=2, pause=0.0, come=COME)


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


def stand_still(seconds: float) -> None:
    """Lets everything in this process stand still."""
    time.sleep(seconds)


async def played(held: Evening) -> None:
    (result,) = await held.end()
    assert result.how == events.PLAYED, result.sentence


@pytest.mark.slow
def test_nobody_is_late_while_the_referee_stands_still(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=1) as held:
            await held.enter("ana")
            sit_down_late(await held.enter("ben"), 1.0)
            await until(lambda: [one.wait.doing for one in held.server.referees.values() if one.wait] == [SITTING_DOWN])
            stand_still(COME)
            await played(held)

    run(story())


@pytest.mark.slow
def test_nobody_is_silent_while_the_referee_stands_still(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=1, **grace(GRACE)) as held:
            held.server.subscribe(lambda event: stand_still(GRACE + 1) if isinstance(event, GameSeated) else None)
            await held.all(("ana", "ben"))
            await played(held)

    run(story())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "awaits_choice"), [(grace(GRACE), False), (clock(GRACE), True)], ids=("grace", "clock")
)
def test_what_came_before_a_standstill_and_is_read_after_it_counts_from_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any], awaits_choice: bool
) -> None:
    loop: asyncio.AbstractEventLoop
    stalls = iter((GRACE + 1,))

    class SlowRunner(Runner):
        def _apply(self, entry: Entry) -> list[Event]:
            events, play = super()._apply(entry), self._peer.play
            if play.ask is not None and play.ask.awaits_choice(self._peer.slot[1]) is awaits_choice:
                for seconds in stalls:
                    loop.call_soon_threadsafe(stand_still, seconds)
                    time.sleep(seconds + 1)
            return events

    monkeypatch.setattr(table_observer, "Runner", SlowRunner)

    async def story() -> None:
        nonlocal loop
        loop = asyncio.get_running_loop()
        async with evening(tmp_path, STONES, replace(ONE, come=60.0), rounds=1, **settings) as held:
            await held.all(("ana", "ben"))
            await played(held)
        assert not [*stalls]

    run(story())


@pytest.mark.slow
def test_no_clock_runs_while_the_referee_stands_still(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, replace(ONE, come=60.0), rounds=1, **clock(3)) as held:
            await held.enter("ana")
            ben = await held.enter("ben", plays=False)
            await until(lambda: any(reading.runs for reading in ben.clocks))
            stand_still(4)
            held.play("ben")
            await played(held)

    run(story())


@pytest.mark.slow
def test_a_game_that_nobody_was_told_of_yet_has_no_silent_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk takes longer than the grace to take in that the game begins."""
    add = AsyncStore.add

    async def slowly(store: AsyncStore, event: TournamentEvent, record: bytes | None) -> Tournament:
        if isinstance(event, GameSeated):
            await asyncio.sleep(GRACE + 1)
        return await add(store, event, record)

    monkeypatch.setattr(AsyncStore, "add", slowly)

    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=1, **grace(GRACE)) as held:
            await held.all(("ana", "ben"))
            await played(held)

    run(story())


def test_delayed_clocks_have_the_time_of_before() -> None:
    clocks = TableClocks.of(2, TimeControl(10, 0)).turn(100.0, {1})
    assert clocks.delayed(6.0).left(1, 108.0) == clocks.left(1, 102.0) == 8.0
    assert clocks.delayed(6.0).left(0, 108.0) == 10.0
