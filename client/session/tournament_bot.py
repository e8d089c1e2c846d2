"""A bot in a tournament: it sits down wherever its entrant leads it, until the tournament is over for it.

`kimberley bot join NAME`, where that is the name of a tournament.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import random
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from client.seats import TableLike, drive
from games import lookup
from games.table import Bot
from p2p.dial import Unreachable
from p2p.discovery import Found
from p2p.entrant import Changed, Entrant
from p2p.identity import Identity
from p2p.referee.points import points_in_words
from p2p.table import Notice
from p2p.trouble import Fault

log = logging.getLogger(__name__)

AGAIN_SECONDS: Final = (0.5, 1.0, 2.0, 4.0)
"""Between attempts to enrol."""
ENDED: Final = ("over", "withdrawn", "failed")
"""The phases in which nothing more is to be played."""


async def enter(where: Found | str, found: argparse.Namespace, nickname: str, identity: Identity, data: Path) -> int:
    """Enrols a bot in the tournament there, and plays it to its end. Returns 0 if it is over, 1 if it went on without
    the bot. Raises Trouble.
    """
    entrant = await _entered(where, nickname, identity, data)
    game = lookup.find(entrant.cup.game)
    seed = secrets.randbits(32) if found.seed is None else found.seed
    report = Report(entrant, found.json)
    try:
        await compete(entrant, lambda: game.bot(found.level, seed + len(entrant.tournament.rounds)), report.notice)
    finally:
        report.close()
        await entrant.close()
    return 0 if entrant.phase == "over" else 1


async def _entered(where: Found | str, nickname: str, identity: Identity, data: Path) -> Entrant:
    """Enrols, and tries again where a crowd is at the door. Raises Trouble."""
    for pause in AGAIN_SECONDS:
        try:
            return await Entrant.enter(
                where, lookup.find, nickname=nickname, identity=identity, data=data, headless=True
            )
        except Unreachable as error:
            log.info("not in yet: %s", error)
        await asyncio.sleep(pause * random.uniform(0.75, 1.25))
    return await Entrant.enter(where, lookup.find, nickname=nickname, identity=identity, data=data, headless=True)


class Report:
    """Says what happens to a player in a tournament: lines for a person, or one JSON object a line."""

    def __init__(self, entrant: Entrant, as_json: bool) -> None:
        self._entrant = entrant
        self._as_json = as_json
        self._said: set[tuple[str, int]] = set()
        self._stop = entrant.subscribe(self._heard)
        self._say("joined", f"In the tournament {entrant.cup.name}.", cup=entrant.cup.name, game=entrant.cup.game)

    def close(self) -> None:
        """Says how it ended, and no more."""
        self._stop()
        entrant = self._entrant
        if entrant.phase != "over":
            self._say(entrant.phase, entrant.problem or "It goes on without this player.", problem=entrant.problem)
            return
        standings = entrant.tournament.standings()
        own = next(one for one in standings if one.player.identity == entrant.identity)
        said = f"Over: place {own.rank} of {len(standings)}, with {points_in_words(own.points)}."
        self._say("over", said, place=own.rank, players=len(standings), points=float(own.points))

    def notice(self, text: str) -> None:
        """Something went wrong that does not end the tournament."""
        self._say("notice", text, text=text)

    def _heard(self, change: Changed) -> None:
        entrant = self._entrant
        if change.what != "event" or entrant.place is None:
            return
        round, names = entrant.place.round, [entrant.tournament.name(one) for one in entrant.people]
        table = entrant.place.table + 1
        self._once("round", round, f"Round {round}, table {table}: {' – '.join(names)}.", table=table, names=names)
        if (result := entrant.ruling) is not None:
            own = result.places[entrant.people.index(entrant.identity)]
            self._once("result", round, f"Round {round}: {result.sentence}", how=result.how, place=own)

    def _once(self, event: str, round: int, said: str, **more: Any) -> None:
        if (event, round) not in self._said:
            self._said.add((event, round))
            self._say(event, said, round=round, **more)

    def _say(self, event: str, said: str, **more: Any) -> None:
        line = json.dumps({"event": event, "clock": time.monotonic(), **more}) if self._as_json else said
        with contextlib.suppress(BrokenPipeError):
            print(line, flush=True)


async def compete(entrant: Entrant, bot: Callable[[], Bot], told: Callable[[str], None] = lambda text: None) -> None:
    """Plays every table of an entrant, each with a new `bot`; `told` is told what goes wrong at them. Returns when its
    tournament is over.
    """
    stirred = asyncio.Event()
    stop = entrant.subscribe(lambda _change: stirred.set())
    played: TableLike | None = None
    playing: asyncio.Task[None] | None = None
    try:
        while entrant.phase not in ENDED:
            stirred.clear()
            if entrant.table is not None and entrant.table is not played:
                played = entrant.table
                await _stop(playing)
                playing = asyncio.create_task(_play(played, bot, told))
            await stirred.wait()
    finally:
        stop()
        await _stop(playing)


async def _play(table: TableLike, bot: Callable[[], Bot], told: Callable[[str], None]) -> None:
    """One game. What a bot thinks with may take a moment to load."""
    stop = table.subscribe(lambda event: told(event.text) if isinstance(event, Notice) else None)
    try:
        await drive(table, await asyncio.to_thread(bot))
    except Exception as error:
        # A bot that fails at one table must not take itself out of the others.
        log.exception("the bot cannot go on")
        told(str(Fault.of(error)))
    finally:
        stop()


async def _stop(playing: asyncio.Task[None] | None) -> None:
    if playing is not None:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
