"""Bots that run in this process: they play seats at tables and report how far they are with a choice."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from kimberley.client.session.agreement import agree_to_requests
from kimberley.client.session.seat_session import Solo, session_of
from kimberley.games.bots.base import Bot
from kimberley.games.bots.lookup import has_bots
from kimberley.games.table import Observation, Plain
from kimberley.p2p.base.platform import in_background

if TYPE_CHECKING:
    from kimberley.p2p.table.runner import PeerView
    from kimberley.p2p.table.table import Table
    from kimberley.protocol.events import Asked

log = logging.getLogger(__name__)


LOOK_SECONDS: Final = 1.0
"""How long a bot takes to answer in a last look without a clock, if a person plays in this process. It thinks for less
(at the highest level for at most 0.2 s on a small machine), depending on what it was told, and waits for the rest.
"""
AT_RANDOM: Final = (
    "The bot {} failed to make a legal choice, so the program made one for it at random. The game goes on. The log has "
    "the details."
)
FAULTS: Final = "KIMBERLEY_BOT_FAULTS"
"""If this variable is `raise`, as in tests, a bot's fault ends its game: nobody has to look for it in the log."""


class BotFault(Exception):
    """A bot failed to choose, or chose what the rules forbid. The message names the game, the bot and the choice."""

    def __init__(self, table: Table, bot: Bot, asked: Asked, did: str) -> None:
        where = f"{table.game.title}, step {asked.step}, {type(asked.ask).__name__}"
        super().__init__(f"{where}: {table.occupants.names[table.occupants.seat]} ({type(bot).__qualname__}) {did}")


@runtime_checkable
class Progressing(Protocol):
    """A bot that reports its progress."""

    @property
    def progress(self) -> float:
        """Returns how much of the current choice is thought through, from 0 to 1. Safe to read from any thread."""


@runtime_checkable
class Deepening(Protocol):
    """A bot that knows at any time what it would choose if it had to choose now."""

    @property
    def so_far(self) -> Plain | None:
        """Returns the best choice that it has found yet; None before it has found any. Safe to read from any thread."""


@runtime_checkable
class Remarking(Protocol):
    """A bot that has something to say about itself: why it does not play as well as it could."""

    remark: str


@runtime_checkable
class Stoppable(Protocol):
    """A bot whose thinking about a long choice can be ended."""

    def stop(self) -> None:
        """Ends the current choice soon, whatever its result: nobody waits for it. Safe to call from any thread."""


def play_alone(table: Table, level: int, *, aided: bool = True, practice: bool = False) -> None:
    """Notes that a person plays alone at a table that nobody else can reach, against bots of that level. In `practice`
    a choice was taken back in the game that is played there now.
    """
    session_of(table).solo = Solo(level, aided, table.peer if practice else None)


def is_practice(table: Table) -> bool:
    """Returns whether a choice was taken back in this game."""
    solo = session_of(table).solo
    return solo is not None and solo.practice is not None and solo.practice is table.peer


def is_aided(table: Table) -> bool:
    """Returns whether there are hints at a table: only where a person plays alone."""
    solo = session_of(table).solo
    return solo is not None and solo.aided


def can_seat_bots(table: Table) -> bool:
    """Returns whether the person at a table can give a free seat to a bot."""
    return table.host and table.occupants.seats > 2 and has_bots(table.game)


def progress(table: Table, seat: int) -> float | None:
    """Returns how much of its current choice a bot of this process has thought through, from 0 to 1. None for seats
    without such a bot, for bots that do not report progress, and during a last look.
    """
    bots = (bot for side, bot in session_of(table).thinking if side.occupants.seat == seat)
    return next((bot.progress for bot in bots if isinstance(bot, Progressing)), None)


@contextmanager
def _shown(side: Table, bot: Bot, asked: Asked, beside: Table | None) -> Iterator[None]:
    """Shows the bot's progress to the player at the table `beside` it, except in a last look: how fast a bot thinks
    there may depend on what it was told, and that is secret.
    """
    if beside is None or asked.ask.last_look:
        yield
        return
    thinking, thinks = session_of(beside).thinking, (side, bot)
    thinking.append(thinks)
    try:
        yield
    finally:
        thinking.remove(thinks)


async def drive(table: Table, bot: Bot, *, again: bool = False, beside: Table | None = None) -> None:
    """Plays one game, or with `again` all that follow, with `bot` at this seat of `table`.

    The bot thinks on another thread. The player at the table `beside` it, in this process, sees its `progress`. If the
    bot fails or makes an illegal choice, that is logged as a `BotFault`, a random choice is made for it and the player
    is notified; with `FAULTS` the fault is raised instead. After a last look the notice waits until the game is over,
    because what a bot chooses there may depend on what it was told. For the same reason that player gets the answer of
    a last look without a clock after `LOOK_SECONDS`, however long the bot thinks. The bot answers "the same" to the
    four words, because nobody is there to compare them. It agrees to save the game and, once its own seat finds the
    same players absent, to stop waiting for them. Returns when the game is done, or with `again` when the table fails
    or is closed, or the one `beside` it has ended so that it can be resumed.
    """
    failed = False
    stirred = asyncio.Event()
    stops = [one.subscribe(lambda _event: stirred.set()) for one in (table, beside) if one is not None]
    answered: tuple[int, PeerView] | None = None
    try:
        while table.phase != "failed" and not (beside is not None and beside.ending.resumable):
            stirred.clear()
            peer = table.peer
            if table.phase == "words" and not table.words.agreed[table.occupants.seat]:
                table.words.answer(True)
            elif table.phase == "done":
                if failed:
                    failed = False
                    (beside or table).notify(AT_RANDOM.format(table.occupants.names[table.occupants.seat]))
                if not again:
                    return
                if table.occupants.seat not in table.rematch.again_from:
                    table.rematch.want()
            elif not agree_to_requests(table) and peer is not None and (asked := table.play.asked) is not None:
                if answered is None and isinstance(bot, Remarking):
                    (beside or table).notify(bot.remark)
                if answered is None or answered[0] != asked.step or answered[1] is not peer:
                    answered = (asked.step, peer)
                    hidden = asked.ask.last_look and beside is not None and table.play.final_adjustment_until is None
                    due = asyncio.get_running_loop().time() + (LOOK_SECONDS if hidden else 0.0)
                    known = Observation(table.occupants.seat, peer.state, peer.story)
                    with _shown(table, bot, asked, beside):
                        choice, fault = await in_background(_think, table, bot, known, asked)
                    await asyncio.sleep(due - asyncio.get_running_loop().time())
                    # Otherwise the time of a last look is over, and the choice that stood before is about to be sent.
                    if table.peer is peer and table.play.asked == asked:
                        table.play.choose(choice)
                    if fault is not None:
                        if os.environ.get(FAULTS) == "raise":
                            raise fault
                        log.error("%s; a random choice was made", fault, exc_info=fault)
                        if asked.ask.last_look:
                            failed = True
                        else:
                            (beside or table).notify(AT_RANDOM.format(table.occupants.names[table.occupants.seat]))
                    continue
            await stirred.wait()
    finally:
        for stop in stops:
            stop()


def _think(table: Table, bot: Bot, observation: Observation, asked: Asked) -> tuple[Plain, BotFault | None]:
    """Returns the bot's choice. If the bot fails, or its choice is not allowed: a random choice, and the fault."""
    try:
        choice = bot.choose(observation)
    except Exception as error:
        fault = BotFault(table, bot, asked, f"failed to choose: {error!r}")
        fault.__cause__ = error
    else:
        if (reason := asked.space.violation(choice)) is None:
            return choice, None
        fault = BotFault(table, bot, asked, f"chose {choice!r}, which is refused: {reason}")
    return asked.space.pick(Random(asked.step)), fault
