"""A table in the line mode: who comes and goes, what the board says, what the player types, and the verdict."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from kimberley.client.audio.port import NO_AUDIO, AudioLike
from kimberley.client.audio.sound import Sound
from kimberley.client.boards import advice, take_back
from kimberley.client.boards.guide import OFFER
from kimberley.client.boards.line_mode import LineMode
from kimberley.client.boards.opening_picture import table_picture
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.rules_page import rules_lines
from kimberley.client.plain.console import ConsoleLike
from kimberley.client.session import clocks, notices
from kimberley.client.session.banners import STOPPED, WAITS_ON, Banners, is_deserted
from kimberley.client.session.bots import is_aided, is_practice
from kimberley.client.session.chat import can_talk, speaker_name, unchecked_note, why_silent
from kimberley.client.session.next_level import next_level
from kimberley.client.session.notices import join_names, not_possible
from kimberley.client.session.options import option_lines
from kimberley.client.session.participants import (
    GOES_ON,
    NO_RESULT,
    WaitTracker,
    choosing_seats,
    continues_without_you,
    is_ready,
    missing_names,
    waits_for_you,
)
from kimberley.client.session.services import Services
from kimberley.client.session.table_sharing import ENDED, INVITATION, TableSharing, offer_lines
from kimberley.client.session.table_sounds import TableSounds
from kimberley.p2p.base.errors import InternalError, UserError
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.base.tasks import BackgroundTasks, TaskScope, task_scope
from kimberley.p2p.sharing.one_line import CommandShell

if TYPE_CHECKING:
    from kimberley.client.session.ports import TableLike
    from kimberley.p2p.table.events import ChatLine

log = logging.getLogger(__name__)

TABLE: Final = (
    "state: hear the position. repeat: hear the question again. rules: hear the rules of the game. "
    "wait: hear who the table is waiting for.",
    "say TEXT: chat with the others. talk: hear the chat.",
    "aside: ask to put the game aside, or agree to it. play on: refuse it, or take it back.",
    "give up: stop waiting for a player who has been away too long.",
    "resign: give up; with three or more players the others play on. leave: leave the table for good.",
    "quit: end the program during a game; the game is kept, and resume goes on with it. help: hear this.",
)
IN_A_TOURNAMENT: Final = (
    TABLE[0].replace("waiting for.", "waiting for, and the clocks."), TABLE[1],
    "resign: give up; with three or more players the others play on. leave: leave the table, and lose the game.",
    "quit: end the program; to come back to your game, join the tournament again. help: hear this.",
)  # fmt: skip
LOST: Final = (
    "This game counts for the tournament: if you leave, the referee will count it as a loss. Type leave again to leave."
)
LEAVING: Final = "To go on another day, type quit: the game is kept. Type leave again to leave."
RESIGNING: Final = "You would give up the game, and it cannot be taken back. Type resign again to resign."
OPEN: Final = "ready: say that you are ready. not ready: take it back."
SHARE: Final = "share: give a copy of this program to a friend who has none. no share: stop that."
BOTS: Final = "bot: give a free seat to a bot. no bot: take one back."


class PlainTable:
    """A table in sentences, from the open table to the verdict."""

    def __init__(
        self,
        table: TableLike,
        services: Services,
        lines: ConsoleLike,
        level: int,
        *,
        counts: bool = False,
        guided: bool = False,
        audio: AudioLike = NO_AUDIO,
    ) -> None:
        """`level` is the level of new bots at the table; `counts` says whether the game counts for a tournament. With
        `guided`, a guide leads through the first turns.
        """
        self.table, self.services, self.lines, self._level = table, services, lines, level
        self._counts, self._guided = counts, guided
        self._audio, self._sounds = audio, TableSounds(table, audio)
        self.choices_to_keep: int | None = None
        """How many of the player's choices stay when the player takes one back. The game then goes on at a new table.
        """
        self.finished = False
        """Whether a game was played to its end here."""
        self.next_level: int | None = None
        """The level at which the player goes on alone, at a new table."""
        self._warned = ""
        """The command before which the player has just been warned."""
        self._noted = False
        """Whether the player was told what is not checked about the chat."""
        self._waits = WaitTracker(table, asyncio.get_running_loop().time)
        self._tasks = BackgroundTasks()
        self._sharing = TableSharing(table, services, partial(table_picture, table), lambda: None)
        self._seated: tuple[str, ...] = ()
        self._ready: dict[str, bool] = {}
        self._banners = Banners(table, asyncio.get_running_loop().time, counts=counts)
        self._said: set[Hashable] = set()
        self._phase = ""
        self._waited: list[str] = []
        self._peer: object = None
        self._seat: LineMode | None = None
        self._step: int | None = None
        self._look: float | None = None
        self._events: asyncio.Queue[Any] = asyncio.Queue()

    async def play(self) -> None:
        """Runs until the player leaves the table or the table fails."""
        stop = self.table.subscribe(self._events.put_nowait)
        try:
            await self._take("start", None)
            if self.table.page_seats.port:
                self._tasks.start(self._serve_page_again())
            async with task_scope() as tasks:
                async for source, what in both(tasks, self._events.get, self.lines.read):
                    if not await self._take(source, what) or self.table.phase == "failed":
                        return
        finally:
            stop()
            await self._tasks.close()
            await self._sharing.stop()

    async def _take(self, source: str, what: Any) -> bool:
        """Handles the start, an event or a line. Returns False if the player leaves the table. Raises EOFError."""
        try:
            if source == "line" and not self.obey(what):
                return False
            if source == "event":
                self.on_event(what)
            await self._follow()
        except EOFError:
            raise
        except Exception as error:
            log.exception("the line mode has failed")
            self.lines.say(str(InternalError.of(error)), "The game goes on. Type state to hear how it stands.")
        return True

    # -- what happens --------------------------------------------------------------------------------------------------

    def on_event(self, event: Any) -> None:
        """Says an event of the table."""
        from kimberley.p2p.table.events import ChatLine, Notice
        from kimberley.protocol.events import Caught, Resigned, SeatDeparted, Waiting

        self._waits.refresh()
        self._banners.refresh()
        self._sounds.on_event(event)
        match event:
            case SeatDeparted(seat=seat) if seat == self.table.seat:
                self.lines.say(f"{notices.YOU_HAVE_LEFT} You can keep listening. Type leave to leave the table.")
            case SeatDeparted(seat=seat):
                self.lines.say(notices.left(self.table.names[seat]))
            case ChatLine(seat=seat) if seat != self.table.seat:
                self._say_chat(event)
            case Notice(text):
                self.lines.say(text)
            case Caught(seat):
                self.lines.say(notices.caught(self.table.names[seat], event.reason))
            case Resigned(seat):
                self.lines.say(notices.resigned(self.table.names[seat]))
            case Waiting(seats):
                self._say_who_is_awaited(choosing_seats(self.table, seats))
        if self._seat is not None and not isinstance(event, ChatLine | Notice):
            self.lines.say(*self._seat.on_event(event))

    def _say_chat(self, line: ChatLine) -> None:
        name = self.table.names[line.seat]
        if line.checked:
            self.lines.say(f"{name} says: {line.text}")
            return
        self.lines.say(f"{name} says, not checked: {line.text}")
        if not self._noted:
            self._noted = True
            self.lines.say(unchecked_note(self.table))

    async def _follow(self) -> None:
        """Says once what the current phase asks for."""
        table = self.table
        if table.phase != self._phase or table.peer is not self._peer:
            self._phase, self._peer = table.phase, table.peer
            await self._enter()
        elif table.phase == "open" and not self._counts:
            self._say_people()
        self.say_banners()
        peer = table.peer
        if table.phase == "playing" and peer is not None and self._seat is not None:
            step = peer.asked.step if peer.asked is not None else None
            before, self._step = self._step, step
            if step is not None and step != before:
                self._audio.play(Sound.YOUR_MOVE)
                self.lines.say(*self._seat.guidance(), *self._seat.prompt(), *self._time())
        if table.final_adjustment_until is not None and table.final_adjustment_until != self._look:
            seconds = table.final_adjustment_until - asyncio.get_running_loop().time()
            self.lines.say(
                f"Last look: {seconds:.0f} seconds to change your plan. Whatever it is when time runs out counts."
            )
        self._look = table.final_adjustment_until

    def _time(self) -> list[str]:
        """The player's own clock in a sentence, if there is one and its time is known."""
        now, seat = asyncio.get_running_loop().time(), self.table.seat
        found = () if clocks.clocks_unknown(self.table) else clocks.clock_faces(self.table, now)
        return [f"You have {clocks.clock_digits(face.left)} left." for face in found if face.seat == seat]

    def _say_who_is_awaited(self, seats: Sequence[int]) -> None:
        """Says once whose choice the table is waiting for, unless it is the player's own."""
        names = [] if self.table.seat in seats else [self.table.names[seat] for seat in seats]
        if names and names != self._waited:
            self.lines.say(notices.waiting_for(names))
        self._waited = names

    def _say_people(self) -> None:
        """Says who has come, left or become ready since the last call."""
        table, say = self.table, self.lines.say
        seated, self._seated = self._seated, tuple(table.names)
        changes = [f"{name} has left." for name in missing_names(seated, self._seated)]
        changes += [f"{name} has sat down." for name in missing_names(self._seated, seated)]
        if changes:
            say(*changes, f"{len(table.names)} of {table.seats} seats are taken.")
        own = table.names[table.seat]
        before, self._ready = self._ready, {name: is_ready(table, n) for n, name in enumerate(table.names)}
        for name, ready in self._ready.items():
            if ready != before.get(name, False) and name != own:
                say(f"{name} is ready." if ready else f"{name} is not ready any more.")

    def say_banners(self) -> None:
        """Says each lost connection, request and return once."""
        before, shown = self._said, self._banners.current(asyncio.get_running_loop().time())
        self._said = {banner.topic for banner in shown}
        self.lines.say(*(banner.line for banner in shown if banner.topic not in before))

    def _lobby_help(self) -> list[str]:
        """What the player can type while the table is open, if there is anything to do except wait."""
        asks = [OPEN] if self.table.asks_ready else []
        bots = [BOTS] if self.table.host and self.table.seats > 2 else []
        return asks + bots + ([SHARE] if self._can_share else [])

    @property
    def _can_share(self) -> bool:
        """Whether the table is the player's own, and somebody can reach it."""
        return self.table.host and bool(self.table.port) and not self._counts

    async def _enter(self) -> None:
        table, say = self.table, self.lines.say
        if table.phase == "open":
            self._seat = self._step = None
        match table.phase:
            case "open" if self._counts:
                say("The table is being set up.")
            case "open" if table.addresses or not table.host:
                say("Your table is open." if table.host else "You have a seat. Waiting for others to join.")
                for way in table.addresses if table.host else ():
                    say(f"Others can join with: kimberley join {way}")
                self._seated, self._ready = (), {}
                self._say_people()
                say(*(f"{label}: {said}." for label, said in option_lines(table.game, table.options)))
                say(*self._lobby_help())
            case "words" if table.phrase is not None and not table.agreed[table.seat]:
                for seat, name in enumerate(table.names):
                    if table.acquaintance[seat] == "changed":
                        say(f"Warning: you know {name} by a different key. Ask before you play.")
                say(f"The four words of this table are: {', '.join(table.phrase)}.",
                    "Compare them with everyone at the table. Type same if they are the same on every screen, "
                    "different if any differ.")  # fmt: skip
            case "playing":
                self._seat, self._step = find_board(table.game.id).plain(table, self._audio), None
                say(f"The game begins: {table.game.title}, {join_names(table.names)}.", *self._seat.describe())
                if self._guided:
                    self._seat.start_guide()
                self._guided = False
            case "closing":
                result = table.peer.result if table.peer is not None else None
                say(f"The game is over: {result.reason}." if result else "The game is over.", "The audit is running.")
            case "done":
                self._seat, self._step, self.finished = None, None, True
                say(*await in_background(self._dossier))
                following = next_level(table)
                say(
                    "Type leave to go back to the tournament."
                    if self._counts
                    else "Type again to play again, leave to go."
                    if following is None
                    else f"{following.why} Type next to play {following.label}, again to play again, leave to go."
                )
            case "failed":
                say(table.problem or "The table was closed.")
                if table.record is not None:
                    say(f"What was played is kept in {table.record}.")

    def _dossier(self) -> list[str]:
        table = self.table
        found: list[str] = []
        if table.audited is not None:
            found += find_board(table.game.id).dossier(table.audited, table.names, table.seat).lines
        verdict = table.verdict
        if is_practice(table):
            found.append(take_back.VERDICT)
        elif verdict is not None:
            said = {"fair": f"Fair: all {verdict.envelopes} signed messages agree with what the seats published."}
            names = join_names([table.names[seat] for seat in verdict.seats if seat < len(table.names)])
            found.append(said.get(verdict.code, f"The verdict is {verdict.code}. {names} {verdict.reason}"))
        if table.record is not None:
            found.append(f"The record is {table.record}. To check it anywhere: kimberley verify FILE.")
        return found

    # -- what is typed -------------------------------------------------------------------------------------------------

    @property
    def _menu(self) -> tuple[str, ...]:
        return IN_A_TOURNAMENT if self._counts else TABLE

    def obey(self, typed: str) -> bool:
        """Does what the player typed. Returns False if the player leaves the table."""
        table, say = self.table, self.lines.say
        word, _, rest = typed.partition(" ")
        warned, self._warned = self._warned, ""
        match word.lower():
            case "quit" if self._counts or waits_for_you(table):
                raise EOFError
            case "leave" if self._counts and warned != "leave" and table.phase in ("words", "playing", "closing"):
                self._warned = "leave"
                say(LOST)
            case "leave" if warned != "leave" and waits_for_you(table):
                self._warned = "leave"
                say(GOES_ON if continues_without_you(table) else NO_RESULT, LEAVING)
            case "leave" | "quit":
                if table.phase == "done":
                    table.again(False)
                return False
            case "say" if rest.strip() and can_talk(table):
                table.say(rest.strip())
            case "say" if rest.strip():
                say(why_silent(table))
            case "talk":
                said = [f"{speaker_name(table, each)}: {each.text}" for each in table.talk]
                say(*(said or ["Nobody has said anything yet."]))
            case "aside" if table.can_adjourn and is_deserted(table):
                self._tasks.start(table.suspend(STOPPED))
            case "aside" if table.can_adjourn:
                table.adjourn(True)
            case "play" if rest == "on" and table.adjourn_from:
                table.adjourn(False)
            case "give" if rest == "up":
                self._give_up()
            case "wait" if rest == "on":
                say(WAITS_ON)
            case take_back.WORD if rest == take_back.MORE and is_aided(table) and self._seat is not None:
                return self._take_back(self._seat, again=warned == take_back.WORD)
            case "resign" if table.phase == "playing" and warned != "resign":
                self._warned = "resign"
                say(RESIGNING)
            case "resign" if table.phase == "playing":
                table.resign()
            case "wait":
                say(*self._waits.sentences(asyncio.get_running_loop().time()))
            case "ready" if table.phase == "open":
                table.ready(True)
            case "not" if table.phase == "open" and rest == "ready":
                table.ready(False)
            case "bot" if table.phase == "open" and table.host and len(table.names) < table.seats > 2:
                self._tasks.start(self._seat_bot())
            case "no" if table.phase == "open" and rest == "bot" and table.host and table.seats > 2:
                self._send_bot_away()
            case "share" if table.phase == "open" and self._can_share:
                self._tasks.start(self._share())
            case "no" if rest == "share" and self._can_share:
                self._tasks.start(self._end_sharing())
            case "same" if table.phase == "words":
                table.same(True)
            case "different" if table.phase == "words":
                table.same(False)
                return False
            case "again" if table.phase == "done" and self._counts:
                say("The referee says who plays next. Type leave to go back to the tournament.")
            case "again" if table.phase == "done":
                table.again(True)
                say("Said. The host decides." if not table.host else "Said. Waiting for the others.")
            case "next" if (following := next_level(table)) is not None:
                table.again(False)
                self.next_level = following.number
                return False
            case "help" | "?":
                open_help = self._lobby_help() if table.phase == "open" else []
                guide = [OFFER] if self._seat is not None and self._seat.can_guide else []
                hint = [advice.OFFER, take_back.OFFER] if self._seat is not None and is_aided(table) else []
                say(*(self._seat.help() if self._seat is not None else open_help), *self._menu, *guide, *hint)
            case "state" if self._seat is not None:
                say(*self._seat.describe())
            case "rules":
                say(*rules_lines(table.game.id))
            case "guide" if self._seat is not None and self._seat.can_guide:
                self._seat.start_guide()
                say(*self._seat.guidance())
            case "no" if rest == "guide" and self._seat is not None:
                self._seat.stop_guide()
            case advice.TYPED if self._seat is not None and is_aided(table):
                self._tasks.start(self._advise(self._seat))
            case "repeat" if self._seat is not None:
                say(*self._seat.prompt())
            case "":
                pass
            case _:
                self._order(typed)
        return True

    def _take_back(self, seat: LineMode, *, again: bool) -> bool:
        """Takes the last choice back; asks once more while the game is not practice yet. Returns False if it does."""
        choices = seat.choices_to_keep()
        if choices is None:
            self.lines.say(take_back.NOTHING)
        elif not is_practice(self.table) and not again:
            self._warned = take_back.WORD
            self.lines.say(take_back.WARNING, take_back.AGAIN)
        else:
            self.choices_to_keep = choices
            self.lines.say(take_back.DOING)
        return self.choices_to_keep is None

    async def _advise(self, seat: LineMode) -> None:
        """Says what a bot would do now. What is typed meanwhile is obeyed."""
        self.lines.say(await seat.adviser().advise())

    def _give_up(self) -> None:
        from kimberley.protocol.play import NotAllowed

        try:
            self.table.abandon()
        except NotAllowed as error:
            self.lines.say(f"You cannot give up waiting: {error}.")
            return
        if self.table.phase in ("playing", "closing"):
            self.lines.say("Said. The game is over when everyone who remains gives up.")

    async def _seat_bot(self) -> None:
        try:
            await self.services.seat_bot(self.table, self._level)
        except UserError as error:
            self.lines.say(str(error))

    async def _share(self) -> None:
        """Shares this program, unless it is shared already, and says what a friend types."""
        if self._sharing.offer is None:
            self.lines.say("Building a copy. This takes a second or two.")
        try:
            await self._sharing.start()
        except UserError as error:
            self.lines.say(str(error))
        if (offer := self._sharing.offer) is not None:
            self.lines.say(INVITATION)
            self.lines.show(offer.lines[CommandShell.SH])
            self.lines.say(*offer_lines(offer), "To stop, type no share.")

    async def _serve_page_again(self) -> None:
        """Seats in the page that this program served play at this table, which was resumed."""
        try:
            await self._sharing.start()
        except UserError as error:
            self.lines.say(str(error))
        if (offer := self._sharing.offer) is not None:
            self.lines.say(f"The page is served again at {offer.site}")

    async def _end_sharing(self) -> None:
        await self._sharing.stop()
        self.lines.say(ENDED)

    def _send_bot_away(self) -> None:
        bots = [seat for seat, known in enumerate(self.table.acquaintance) if known == "bot"]
        if bots:
            self.table.send_away(bots[-1])
        else:
            self.lines.say("There is no bot at your table.")

    def _order(self, typed: str) -> None:
        from kimberley.protocol.play import NotAllowed

        now = asyncio.get_running_loop().time()
        if self._seat is None or self.table.phase not in ("playing", "closing"):
            self.lines.say("I do not know that command here. Type help to hear what you can type.")
        else:
            reply = self._seat.submit(typed)
            idle = reply.lines == (notices.NOTHING_TO_DO,)
            self.lines.say(
                *([f"{notices.NOTHING_TO_DO} {' '.join(self._waits.sentences(now))}"] if idle else reply.lines)
            )
            if reply.done:
                try:
                    self.table.choose(reply.choice)
                except NotAllowed as error:
                    self.lines.say(not_possible(error))


async def both(
    tasks: TaskScope, event: Callable[[], Awaitable[Any]], line: Callable[[], Awaitable[str]]
) -> AsyncIterator[tuple[str, Any]]:
    """Yields events and typed lines in the order in which they come, until `tasks` end. Raises EOFError when the lines
    end.
    """

    async def next_line() -> str | EOFError:
        try:
            return await line()
        except EOFError as error:
            return error

    sources: dict[str, Callable[[], Awaitable[Any]]] = {"event": event, "line": next_line}
    waiting = {name: tasks.start(_awaited(source)) for name, source in sources.items()}
    while True:
        await asyncio.wait(waiting.values(), return_when=asyncio.FIRST_COMPLETED)
        # Events first: a typed line answers what was said before it.
        for name, source in sources.items():
            if waiting[name].done():
                if isinstance(what := waiting[name].result(), EOFError):
                    raise what
                yield name, what
                waiting[name] = tasks.start(_awaited(source))


async def _awaited(source: Callable[[], Awaitable[Any]]) -> Any:
    return await source()
