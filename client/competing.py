"""A bot in a tournament: it sits down wherever its entrant leads it, until the tournament is over for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from client.seats import TableLike, drive
from games.table import Bot
from p2p.entrant import Entrant

log = logging.getLogger(__name__)

ENDED = ("over", "withdrawn", "failed")
"""The phases in which nothing more is to be played."""


async def compete(entrant: Entrant, bot: Callable[[], Bot]) -> None:
    """Plays every table of an entrant, each with a new `bot`. Returns when its tournament is over."""
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
                playing = asyncio.create_task(_play(played, bot))
            await stirred.wait()
    finally:
        stop()
        await _stop(playing)


async def _play(table: TableLike, bot: Callable[[], Bot]) -> None:
    """One game. What a bot thinks with may take a moment to load."""
    try:
        await drive(table, await asyncio.to_thread(bot))
    except Exception:
        # A bot that fails at one table must not take itself out of the others.
        log.exception("the bot cannot go on")


async def _stop(playing: asyncio.Task[None] | None) -> None:
    if playing is not None:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
