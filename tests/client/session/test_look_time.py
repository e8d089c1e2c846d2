"""When a bot answers in a last look tells nothing of what it was told: with a clock, and alone without one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from kimberley.client.session.bots import LOOK_SECONDS, drive
from kimberley.client.session.options import for_table
from kimberley.client.session.settings import Settings
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Observation, Plain, Result
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table import match
from kimberley.p2p.table.common_options import FIXED, NO_LIMIT, UNTIL_DONE, AdjustTimes, adjust_times
from kimberley.p2p.table.table import Table
from tests.support.angola import MALANJE, quiet
from tests.support.effort import first_is_quick
from tests.support.threadless import ThreadlessPlatform, run_virtually, threadless

T = TypeVar("T")

BRIBED_IN, MONTHS = 3, 4
"""The month in which the bot turns an agent of the person, and how many months are played."""
QUICK, SLOW = 0.05, 0.9
"""Virtual seconds that the bot thinks: usually, and if it was told something."""


def choice(state: State, seat: int) -> Plain:
    """Has both sides send their first agents to one region, where the bot, in seat 1, hands over a bribe."""
    match state.step:
        case RoundStep.PLAN:
            return ((MALANJE, 0, 0), *((place, 0, 0) for place in state.places(seat)[1:]))
        case RoundStep.PAY if seat == 1 and state.round() == BRIBED_IN:
            return tuple(int(slot.bribe) for slot in state.slots(seat))
    return quiet(state, seat)


class Briber:
    """Thinks for long in a last look if it was told something."""

    def __init__(self) -> None:
        self.thought = 0.0
        """How long it has thought so far."""
        self.told: list[bool] = []
        """Whether it was told something, by last look."""

    def choose(self, observation: Observation) -> Plain:
        state, seat = observation.state, observation.seat
        assert isinstance(state, State)
        told = state.right[seat] is True
        self.thought += SLOW if told else QUICK
        if not isinstance(ask := state.ask(), Result) and ask.last_look:
            self.told.append(told)
        return choice(state, seat)


class ThinkingPlatform(ThreadlessPlatform):
    """Time passes while the bot thinks, and for no other work."""

    def __init__(self, folder: Path, bot: Briber) -> None:
        super().__init__(5, folder)
        self._bot = bot

    async def in_background(self, work: Callable[[], T]) -> T:
        before = self._bot.thought
        done = await super().in_background(work)
        await asyncio.sleep(self._bot.thought - before)
        return done


async def looks(bot: Briber, data: Path, times: AdjustTimes) -> list[float]:
    """Returns how long the last looks of a game take for a person who answers at once, in seconds."""
    loop, found, step = asyncio.get_running_loop(), list[float](), -1
    began: float | None = None
    own = await Table.open(
        GAME, nickname="ana", identity=Identity.load_or_create(data), data=data, options=times.options,
        listen=False,
    )  # fmt: skip
    side = await own.seat_bot("Sancy")
    stirred = asyncio.Event()
    own.subscribe(lambda _: stirred.set())
    plays = asyncio.create_task(drive(side, bot, beside=own))
    own.seating.ready(True)
    while True:
        stirred.clear()
        if own.phase == "words" and not own.words.agreed[own.occupants.seat]:
            own.words.answer(True)
        peer = own.peer
        if own.phase == "playing" and peer is not None and peer.asked is not None and peer.asked.step != step:
            if began is not None:
                found.append(loop.time() - began)
            step, state = peer.asked.step, peer.state
            assert isinstance(state, State)
            if state.round() > MONTHS:
                break
            began = loop.time() if peer.asked.ask.last_look else None
            own.play.choose(choice(state, own.occupants.seat))
            continue
        await stirred.wait()
    own.departures.leave()
    await own.close()
    await plays
    await side.close()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("times", first_is_quick(FIXED, UNTIL_DONE, NO_LIMIT))
def test_a_bot_takes_the_same_time_whether_or_not_it_was_told_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: AdjustTimes
) -> None:
    bot = Briber()
    monkeypatch.setattr(match, "drawn_wait", lambda _rng, times: times.quiet)
    with threadless(5, tmp_path, monkeypatch, ThinkingPlatform(tmp_path, bot)) as platform:
        found = run_virtually(looks(bot, platform.data_folder(), times))
    looked = [(told, round(seconds, 6)) for told, seconds in zip(bot.told, found, strict=True)]
    taken = {each: {seconds for told, seconds in looked if told is each} for each in (False, True)}
    assert taken[False] == taken[True] == {float(times.quiet or LOOK_SECONDS)}


@pytest.mark.slow
def test_the_program_of_a_player_sometimes_waits_whether_or_not_the_player_was_told_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = Briber()
    monkeypatch.setattr(match, "drawn_wait", lambda _rng, times: times.quiet + 12.5)
    with threadless(5, tmp_path, monkeypatch, ThinkingPlatform(tmp_path, bot)) as platform:
        found = run_virtually(looks(bot, platform.data_folder(), UNTIL_DONE))
    assert {round(seconds, 6) for seconds in found} == {17.5}


def test_alone_a_last_look_has_no_clock_unless_the_player_sets_one() -> None:
    assert for_table(Settings(), GAME, alone=True)[1]["last_look"] == 0
    assert adjust_times(for_table(Settings(), GAME)[1]) == UNTIL_DONE
