"""What sits at a seat of a table: the part of a table that the client needs, and a bot that plays it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, runtime_checkable
from weakref import WeakKeyDictionary

from games.table import Answer, Ask, Bot, Game, Observation, Plain, Result, State, Together

if TYPE_CHECKING:
    from protocol.events import Asked, Said
    from protocol.record import Record

log = logging.getLogger(__name__)

Stop: TypeAlias = Callable[[], None]

AT_RANDOM: Final = "The program of the bot {} has failed; it chose at random. The game goes on, and the log says more."


class PeerLike(Protocol):
    """What a seat knows of the game that runs (`protocol.peer.Peer`)."""

    @property
    def state(self) -> State: ...
    @property
    def story(self) -> tuple[tuple[Ask, Answer], ...]: ...
    @property
    def asked(self) -> Asked | None: ...
    @property
    def waiting(self) -> tuple[int, ...]: ...
    @property
    def result(self) -> Result | None: ...
    def record(self) -> Record: ...


class VerdictLike(Protocol):
    """What the audit of a record found (`protocol.audit.Verdict`)."""

    @property
    def code(self) -> str: ...
    @property
    def seats(self) -> tuple[int, ...]: ...
    @property
    def reason(self) -> str: ...
    @property
    def envelopes(self) -> int: ...


class TableLike(Protocol):
    """A seat at a table (`p2p.table.Table`), as the screens see it. All of it lives on one event loop."""

    @property
    def game(self) -> Game: ...
    @property
    def options(self) -> Mapping[str, Plain]: ...
    @property
    def names(self) -> Sequence[str]: ...
    @property
    def seats(self) -> int:
        """How many seats there are, taken or not; `names` has only those that are taken."""

    @property
    def seat(self) -> int: ...
    @property
    def host(self) -> bool: ...
    @property
    def host_seat(self) -> int: ...
    @property
    def phase(self) -> str:
        """open, words, playing, closing, done or failed."""

    @property
    def numbers(self) -> Sequence[int]:
        """How many may play here, the fewest first."""

    @property
    def asks_ready(self) -> bool:
        """Whether all who sit say when they are ready: where it is a choice how many play."""

    @property
    def readiness(self) -> Sequence[bool]:
        """By seat that is taken: who is ready."""

    @property
    def problem(self) -> str | None: ...
    @property
    def warning(self) -> str | None: ...
    @property
    def unannounced(self) -> str | None: ...
    @property
    def phrase(self) -> Sequence[str] | None: ...
    @property
    def acquaintance(self) -> Sequence[str]: ...
    @property
    def called_bots(self) -> Sequence[bool]:
        """By seat that is taken: whom the host calls a bot. Nothing may rest on it."""

    @property
    def agreed(self) -> Sequence[bool]: ...
    @property
    def peer(self) -> PeerLike | None: ...
    @property
    def away(self) -> Mapping[int, float]:
        """The seats whose connection is lost, and the loop's time since when."""

    @property
    def look_until(self) -> float | None: ...
    @property
    def talk(self) -> Sequence[Said]: ...
    @property
    def verdict(self) -> VerdictLike | None: ...
    @property
    def record(self) -> Path | None: ...
    @property
    def again_from(self) -> Set[int]: ...
    @property
    def addresses(self) -> Sequence[str]:
        """What others may type to reach this seat: for the host, to join."""

    @property
    def port(self) -> int: ...
    @property
    def resumable(self) -> bool:
        """Whether the table, having failed, can be taken up again from its journal."""

    @property
    def can_put_aside(self) -> bool:
        """Whether the game at hand can be taken up another day."""

    @property
    def aside_from(self) -> Set[int]:
        """The seats that want to put the game aside."""

    @property
    def grace(self) -> int:
        """Seconds after which a seat that is away may be given up."""

    @property
    def absent(self) -> Sequence[int]:
        """The seats that may be given up now: their step is missing, and they have been away for longer than that."""

    @property
    def abandon_from(self) -> Set[int]:
        """The seats that have declared the game abandoned."""

    async def seat_bot(self, nickname: str, note: Plain = None) -> TableLike:
        """Gives a free seat of an open table to a bot of this program. Returns the bot's side. Raises Trouble."""

    def send_away(self, seat: int) -> None:
        """Takes the seat of such a bot back. Raises Refused."""

    def ready(self, yes: bool) -> None: ...
    def same(self, yes: bool) -> None: ...
    def choose(self, plain: Plain) -> None: ...
    def say(self, text: str) -> None: ...
    def resign(self) -> None: ...
    def again(self, yes: bool) -> None: ...
    def aside(self, yes: bool) -> None: ...
    def abandon(self) -> None:
        """Declares that the absent have abandoned the game. Raises Refused while nobody is."""

    def leave(self) -> None: ...
    def subscribe(self, callback: Callable[[Any], None]) -> Stop: ...
    def notify(self, text: str) -> None:
        """Tells whoever follows the table of something that went wrong, and does not end it."""

    async def suspend(self, problem: str = ...) -> None:
        """Ends it as if the program were killed, so that the game can be taken up again; `problem` says why."""

    async def close(self) -> None: ...


def fitting_seats(game: Game, wanted: int) -> int:
    """So many seats as are wanted, if the game is played by as many; else the fewest."""
    return wanted if wanted in game.seats else min(game.seats)


@runtime_checkable
class Progressing(Protocol):
    """A bot that says how far it has come."""

    @property
    def progress(self) -> float:
        """How much of the choice at hand is thought through, from 0 to 1. Any thread may read it."""


_thinking: Final[WeakKeyDictionary[TableLike, list[tuple[TableLike, Bot]]]] = WeakKeyDictionary()
"""By a person's table: the bots of this process that think at it, each with its own side of the table."""


def progress(table: TableLike, seat: int) -> float | None:
    """How much of its choice at hand a bot of this process has thought through, from 0 to 1; None for others, for bots
    that do not say, and for what is thought in a last look.
    """
    bots = (bot for side, bot in _thinking.get(table, ()) if side.seat == seat)
    return next((bot.progress for bot in bots if isinstance(bot, Progressing)), None)


@contextmanager
def _shown(side: TableLike, bot: Bot, asked: Asked, beside: TableLike | None) -> Iterator[None]:
    """Shows whoever sits `beside` a bot how far it has come; but not in a last look: it thinks if it was told."""
    if beside is None or _in_last_look(asked):
        yield
        return
    shown, thinks = _thinking.setdefault(beside, []), (side, bot)
    shown.append(thinks)
    try:
        yield
    finally:
        shown.remove(thinks)


def _in_last_look(asked: Asked) -> bool:
    return isinstance(asked.ask, Together) and asked.ask.last_look


async def drive(table: TableLike, bot: Bot, *, again: bool = False, beside: TableLike | None = None) -> None:
    """Plays one game, or with `again` all that follow, with `bot` at this seat of `table`.

    It thinks on another thread; whoever sits at the table in this process, `beside` it, is shown its `progress`. Where
    it fails, or chooses what the rules forbid, a random choice is made for it, and whoever follows is told: of a last
    look only when the game is over, since a bot thinks there only if it was told something. It says "the same" to the
    four words, since nobody is there to compare them. Returns when the game is done (with `again`: when the table fails
    or is closed).
    """
    failed = False
    stirred = asyncio.Event()
    stop = table.subscribe(lambda _event: stirred.set())
    answered: tuple[int, PeerLike] | None = None
    try:
        while table.phase != "failed":
            stirred.clear()
            peer = table.peer
            if table.phase == "words" and not table.agreed[table.seat]:
                table.same(True)
            elif table.phase == "done":
                if failed:
                    failed = False
                    (beside or table).notify(AT_RANDOM.format(table.names[table.seat]))
                if not again:
                    return
                if table.seat not in table.again_from:
                    table.again(True)
            elif table.aside_from - {table.seat} and table.seat not in table.aside_from:
                table.aside(True)
            elif table.phase == "playing" and peer is not None and peer.asked is not None:
                asked = peer.asked
                if answered is None or answered[0] != asked.step or answered[1] is not peer:
                    answered = (asked.step, peer)
                    known = Observation(table.seat, peer.state, peer.story)
                    with _shown(table, bot, asked, beside):
                        choice, error = await asyncio.to_thread(_think, bot, known, asked)
                    if error is not None:
                        log.error("%s chose at random", table.names[table.seat], exc_info=error)
                        if _in_last_look(asked):
                            failed = True
                        else:
                            (beside or table).notify(AT_RANDOM.format(table.names[table.seat]))
                    if table.phase == "playing" and table.peer is peer and peer.asked == asked:
                        table.choose(choice)
                    continue
            await stirred.wait()
    finally:
        stop()


def _think(bot: Bot, observation: Observation, asked: Asked) -> tuple[Plain, Exception | None]:
    """What the bot chooses; where that is nothing, or nothing legal, a random choice, and the error."""
    try:
        choice = asked.space.read(bot.choose(observation))
        if reason := asked.space.why_not(choice):
            raise ValueError(f"{choice!r} is not legal: {reason}")
    except Exception as error:
        return asked.space.pick(Random(asked.step)), error
    return choice, None
