"""A paired player does not do what is due before its game, so that its opponent loses or the table is a draw."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from kimberley.games.table import Game
from kimberley.p2p.table import match
from kimberley.protocol.peer import Peer
from kimberley.protocol.roster import SignedRoster
from kimberley.referee.server import RoundTiming
from tests.attacks.attack import Attack, Outcome
from tests.support.asyncs import until
from tests.support.cheats import Double
from tests.support.evenings import Evening, evening, grace
from tests.support.hostile_player import (
    cannot_be_reached,
    hide_opponent,
    never_sit_down,
    show_game_alone,
    sit_down_late,
)
from tests.support.stones import STONES

COME_SECONDS: Final = 6.0
"""The time for players to come, instead of three minutes."""
COMPARE_SECONDS: Final = 3.0
"""How long the person at the other seat compares the words."""
TIMING: Final = RoundTiming(players=2, pause=0.0, come=COME_SECONDS)


async def _ruled(held: Evening, since: float) -> Outcome:
    """Returns how the table ended at which ben attacks ana."""
    await until(lambda: held.results, 60)
    (result,), (table,) = held.results, held.server.tournament.rounds[0].tables
    points = {name: table.points[seat] for seat, name in enumerate(held.names(table.seats)) if table.points}
    figure = f"'{result.how}' after {time.monotonic() - since:.0f} s: {result.sentence} ana has {points['ana']} points"
    return Outcome(points["ana"] == 1 or result.how == "played", figure)


async def _wins_without_playing(folder: Path) -> Outcome:
    async with evening(folder, STONES, TIMING, rounds=1, **grace(5)) as held:
        await held.enter("ana")
        since, ben = time.monotonic(), await held.enter("ben", plays=False, headless=False)
        await show_game_alone(ben)
        return await _ruled(held, since)


async def _stalls(folder: Path) -> Outcome:
    async with evening(folder, STONES, TIMING, rounds=1) as held:
        ana = await held.enter("ana", plays=False, headless=False)
        since = time.monotonic()
        sit_down_late(await held.enter("ben"), COME_SECONDS - 1)
        await until(lambda: held.results or (ana.table is not None and ana.table.phase == "words"), 30)
        await asyncio.sleep(COMPARE_SECONDS)
        if not held.results and ana.table is not None:
            ana.table.words.answer(True)
            held.play("ana")
        return await _ruled(held, since)


async def _never_sits(folder: Path) -> Outcome:
    async with evening(folder, STONES, TIMING, rounds=1) as held:
        await held.enter("ana")
        since = time.monotonic()
        never_sit_down(await held.enter("ben"))
        return await _ruled(held, since)


async def _hides(folder: Path) -> Outcome:
    async with evening(folder, STONES, TIMING, rounds=1, **grace(5)) as held:
        cannot_be_reached(await held.enter("ana"))
        since = time.monotonic()
        hide_opponent(await held.enter("ben"))
        return await _ruled(held, since)


async def _signs_two(folder: Path) -> Outcome:
    def peer(game: Game, table: SignedRoster, seat: int, *more: Any) -> Peer:
        return (Double if table.roster.seats[seat].nickname == "ben" else Peer)(game, table, seat, *more)

    with patch.object(match, "Peer", peer):
        async with evening(folder, STONES, TIMING, rounds=1, **grace(5)) as held:
            cannot_be_reached(await held.enter("ana", plays=False))
            since = time.monotonic()
            hide_opponent(await held.enter("ben"))
            return await _ruled(held, since)


def _run(attack: Callable[[Path], Coroutine[Any, Any, Outcome]]) -> Callable[[], Outcome]:
    def run() -> Outcome:
        with tempfile.TemporaryDirectory() as folder:
            return asyncio.run(attack(Path(folder)))

    return run


ATTACKS: Final = (
    Attack(
        "win-unplayed",
        "A paired player shows the referee a game that it alone has begun, and waits for the other's silence.",
        _run(_wins_without_playing),
    ),
    Attack(
        "stall-then-sit",
        "A paired player sits down just before the deadline: the person at the other seat has a second for the words.",
        _run(_stalls),
    ),
    Attack(
        "never-sit",
        "A paired player who would lose stays connected and never sits down.",
        _run(_never_sits),
    ),
    Attack(
        "hide-opponent",
        "A player hides from the referee what its opponent has signed, whose door is behind a firewall.",
        _run(_hides),
    ),
    Attack(
        "sign-two",
        "A player signs two things, and shows the referee one: its opponent's door is behind a firewall.",
        _run(_signs_two),
    ),
)
