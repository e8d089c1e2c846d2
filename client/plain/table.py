"""A table in the line mode: who comes and goes, what the board says, what is typed, to the verdict."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from client import clocks
from client.board import PlainSeat, find_board
from client.lines import Lines
from client.options import option_lines
from client.people import Waits, asks_aside, choosing, gives_up, in_a_row, is_ready, lasting, left
from client.services import Services

if TYPE_CHECKING:
    from client.seats import TableLike

log = logging.getLogger(__name__)

TABLE: Final = (
    "state: say how things stand. repeat: say what is asked. wait: say who is waited for.",
    "say TEXT: talk to the others. talk: hear what was said.",
    "aside: put the game aside, when all want it. give up: wait no longer for who is away too long.",
    "resign: give up; with three players and more the others play on. leave: leave the table. help: hear this.",
)
CUP: Final = (
    TABLE[0].replace("is waited for.", "is waited for, and the clocks."), TABLE[1],
    "resign: give up; with three players and more the others play on. leave: leave the table, and lose the game.",
    "quit: end the program; to come back to your game, join the tournament again. help: hear this.",
)  # fmt: skip
LOST: Final = "It counts for the tournament: the referee will call it lost for you. Type leave once more to leave it."
OPEN: Final = "ready: say that you are ready. not ready: take it back."
BOTS: Final = "bot: give a free seat to a bot. no bot: take one back."


class PlainTable:
    """A table in sentences, from the open door to the verdict."""

    def __init__(self, table: TableLike, services: Services, lines: Lines, level: int, *, counts: bool = False) -> None:
        """`level` is that of bots that are given a seat; `counts` whether the game counts for a tournament."""
        self.table, self.services, self.lines, self._level = table, services, lines, level
        self._counts = counts
        self._warned = False
        self._waits = Waits(table, asyncio.get_running_loop().time)
        self._seating: asyncio.Task[None] | None = None
        self._people: dict[str, bool] = {}
        self._away: dict[str, float] = {}
        self._absent: tuple[int, ...] = ()
        self._phase = ""
        self._waited: list[str] = []
        self._peer: object = None
        self._seat: PlainSeat | None = None
        self._step: int | None = None
        self._look: float | None = None
        self._events: asyncio.Queue[Any] = asyncio.Queue()

    async def play(self) -> None:
        """Until the table is left or fails."""
        stop = self.table.subscribe(self._events.put_nowait)
        try:
            self._follow()
            async for source, what in both(self._events.get, self.lines.read):
                if not self._take(source, what) or self.table.phase == "failed":
                    return
        finally:
            stop()

    def _take(self, source: str, what: Any) -> bool:
        """An event, or a line that was typed. False if the table is left. Raises EOFError."""
        from p2p.trouble import Fault

        try:
            if source == "line" and not self._obey(what):
                return False
            if source == "event":
                self._heard(what)
            self._follow()
        except EOFError:
            raise
        except Exception as error:
            log.exception("the line mode has failed")
            self.lines.say(str(Fault.of(error)), "The game goes on. Type state to hear how it stands.")
        return True

    # -- what happens --------------------------------------------------------------------------------------------------

    def _heard(self, event: Any) -> None:
        from p2p.table import Changed, Notice
        from protocol.events import Caught, Gone, Resigned, Said, Waiting

        self._waits.note()
        match event:
            case Gone(seat=seat) if seat == self.table.seat:
                self.lines.say("You have left the game. You hear how it goes on. Type leave to go.")
            case Gone(seat=seat):
                self.lines.say(f"{self.table.names[seat]} has left the game; it goes on without them.")
            case Changed("aside") if others := asks_aside(self.table):
                self.lines.say(f"{others} would like to put the game aside. Type aside to agree.")
            case Changed("abandon") if others := gives_up(self.table):
                self.lines.say(f"{others} would like to wait no longer. Type give up to agree.")
            case Said(seat, text) if seat != self.table.seat:
                self.lines.say(f"{self.table.names[seat]} says: {text}")
            case Notice(text):
                self.lines.say(text)
            case Caught(seat):
                self.lines.say(f"{self.table.names[seat]} was caught cheating: {event.reason}")
            case Resigned(seat):
                self.lines.say(f"{self.table.names[seat]} resigns.")
            case Waiting(seats):
                self._tell_waiting(choosing(self.table, seats))
        if self._seat is not None and not isinstance(event, Said | Notice):
            self.lines.say(*self._seat.news(event))

    def _follow(self) -> None:
        """Says what the phase asks for, once."""
        table = self.table
        if table.phase != self._phase or table.peer is not self._peer:
            self._phase, self._peer = table.phase, table.peer
            self._enter()
        elif table.phase == "open" and not self._counts:
            self._tell_people()
        self._tell_away()
        self._tell_absent()
        peer = table.peer
        if table.phase == "playing" and peer is not None and self._seat is not None:
            step = peer.asked.step if peer.asked is not None else None
            before, self._step = self._step, step
            if step is not None and step != before:
                self.lines.say(*self._seat.ask(), *self._time())
        if table.look_until is not None and table.look_until != self._look:
            seconds = table.look_until - asyncio.get_running_loop().time()
            self.lines.say(f"Last look: {seconds:.0f} seconds to change the plan. It counts as it stands at the end.")
        self._look = table.look_until

    def _time(self) -> list[str]:
        """One's own clock, where there is one and it is known."""
        now, seat = asyncio.get_running_loop().time(), self.table.seat
        found = () if clocks.unknown(self.table) else clocks.faces(self.table, now)
        return [f"You have {clocks.digits(face.left)} left." for face in found if face.seat == seat]

    def _tell_waiting(self, seats: Sequence[int]) -> None:
        """Says whose choice is waited for, if it is not one's own, each time once."""
        names = [] if self.table.seat in seats else [self.table.names[seat] for seat in seats]
        if names and names != self._waited:
            self.lines.say(f"Waiting for {in_a_row(names)}.")
        self._waited = names

    def _tell_people(self) -> None:
        """Says who has come, gone, and become ready since."""
        table, say = self.table, self.lines.say
        before, self._people = self._people, {name: is_ready(table, n) for n, name in enumerate(table.names)}
        changes = [f"{name} has left." for name in before if name not in self._people]
        changes += [f"{name} has sat down." for name in self._people if name not in before]
        if changes:
            say(*changes, f"{len(table.names)} of {table.seats} seats are taken.")
        own = table.names[table.seat]
        for name, ready in self._people.items():
            if ready != before.get(name, False) and name != own:
                say(f"{name} is ready." if ready else f"{name} is not ready any more.")

    def _tell_away(self) -> None:
        """Says whose connection was lost, and who is back."""
        table, say = self.table, self.lines.say
        before, self._away = self._away, {table.names[seat]: since for seat, since in table.away.items()}
        if table.phase in ("open", "words"):
            # The seats are still being connected.
            return
        say(*(f"The connection to {name} is lost. Waiting for it." for name in self._away if name not in before))
        back = [seat for seat, name in enumerate(table.names) if name in before and seat not in table.away]
        say(*(f"{table.names[seat]} is back." for seat in back if seat not in left(table)))

    def _tell_absent(self) -> None:
        """Says, once, that one need not wait any longer."""
        before, self._absent = self._absent, tuple(self.table.absent)
        if self._absent and not before:
            names = in_a_row([self.table.names[seat] for seat in self._absent])
            self.lines.say(f"{names}: away for more than {lasting(self.table.grace)}. Type give up to wait no longer.")

    def _lobby_help(self) -> list[str]:
        """What can be typed while the table is open, where more than waiting is to be done."""
        asks = [OPEN] if self.table.asks_ready else []
        return asks + ([BOTS] if self.table.host and self.table.seats > 2 else [])

    def _enter(self) -> None:
        table, say = self.table, self.lines.say
        match table.phase:
            case "open" if self._counts:
                say("The table is being set.")
            case "open" if table.addresses or not table.host:
                say("Your table is open." if table.host else "You have a seat. Others are still to come.")
                for way in table.addresses if table.host else ():
                    say(f"Others join by: kimberley join {way}")
                self._people = {}
                self._tell_people()
                say(*(f"{label}: {said}." for label, said in option_lines(table.game, table.options)))
                say(*self._lobby_help())
            case "words" if table.phrase is not None and not table.agreed[table.seat]:
                for seat, name in enumerate(table.names):
                    if table.acquaintance[seat] == "changed":
                        say(f"Warning: you know {name} with another key. Ask before you play.")
                say(f"The four words of this table are: {', '.join(table.phrase)}.",
                    "Compare them with everyone at the table. Type same if they are the same on every screen, "
                    "different if one is not.")  # fmt: skip
            case "playing":
                self._seat, self._step = find_board(table.game.id).plain(table), None
                say(f"The game begins: {table.game.title}, {in_a_row(table.names)}.", *self._seat.describe())
            case "closing":
                result = table.peer.result if table.peer is not None else None
                say(f"The game is over: {result.reason}." if result else "The game is over.", "The audit runs.")
            case "done":
                self._seat = self._step = None
                say(*self._dossier(), "Type leave to go back to the tournament." if self._counts else
                    "Type again to play again, leave to go.")  # fmt: skip
            case "failed":
                say(table.problem or "The table was closed.")
                if table.record is not None:
                    say(f"What was played is kept in {table.record}.")

    def _dossier(self) -> list[str]:
        table = self.table
        found: list[str] = []
        if table.peer is not None:
            found += find_board(table.game.id).dossier(table.peer.record(), table.names, table.seat).lines
        verdict = table.verdict
        if verdict is not None:
            said = {"fair": f"Fair: all {verdict.envelopes} envelopes agree with what the seats published."}
            names = in_a_row([table.names[seat] for seat in verdict.seats if seat < len(table.names)])
            found.append(said.get(verdict.code, f"The verdict is {verdict.code}. {names} {verdict.reason}"))
        if table.record is not None:
            found.append(f"The record is {table.record}. To check it anywhere: kimberley verify FILE.")
        return found

    # -- what is typed -------------------------------------------------------------------------------------------------

    @property
    def _menu(self) -> tuple[str, ...]:
        return CUP if self._counts else TABLE

    def _obey(self, typed: str) -> bool:
        """Does what was typed. False if the table is left."""
        table, say = self.table, self.lines.say
        word, _, rest = typed.partition(" ")
        warned, self._warned = self._warned, False
        match word.lower():
            case "quit" if self._counts:
                raise EOFError
            case "leave" if self._counts and not warned and table.phase in ("words", "playing", "closing"):
                self._warned = True
                say(LOST)
            case "leave" | "quit":
                if table.phase == "done":
                    table.again(False)
                return False
            case "say" if rest.strip():
                table.say(rest.strip())
            case "talk":
                said = [f"{table.names[each.seat]}: {each.text}" for each in table.talk]
                say(*(said or ["Nobody has said anything yet."]))
            case "aside" if table.can_put_aside:
                table.aside(True)
                say("Said. The game is put aside when all want it; kimberley resume takes it up.")
            case "give" if rest == "up":
                self._give_up()
            case "resign" if table.phase == "playing":
                table.resign()
            case "wait":
                say(*self._waits.sentences(asyncio.get_running_loop().time()))
            case "ready" if table.phase == "open":
                table.ready(True)
            case "not" if table.phase == "open" and rest == "ready":
                table.ready(False)
            case "bot" if table.phase == "open" and table.host and len(table.names) < table.seats > 2:
                self._seating = asyncio.get_running_loop().create_task(self._seat_bot())
            case "no" if table.phase == "open" and rest == "bot" and table.host and table.seats > 2:
                self._send_bot_away()
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
            case "help" | "?":
                open_help = self._lobby_help() if table.phase == "open" else []
                say(*(self._seat.help() if self._seat is not None else open_help), *self._menu)
            case "state" if self._seat is not None:
                say(*self._seat.describe())
            case "repeat" if self._seat is not None:
                say(*self._seat.ask())
            case "":
                pass
            case _:
                self._order(typed)
        return True

    def _give_up(self) -> None:
        from protocol.play import Refused

        try:
            self.table.abandon()
        except Refused as error:
            self.lines.say(f"Nobody can be given up: {error}.")
            return
        if self.table.phase in ("playing", "closing"):
            self.lines.say("Said. The game is over when all who remain say so.")

    async def _seat_bot(self) -> None:
        from p2p.trouble import Fault

        try:
            await self.services.seat_bot(self.table, self._level)
        except Exception as error:
            if self.services.is_trouble(error):
                self.lines.say(str(error))
            else:
                log.exception("no bot could be seated")
                self.lines.say(str(Fault.of(error)))

    def _send_bot_away(self) -> None:
        bots = [seat for seat, known in enumerate(self.table.acquaintance) if known == "bot"]
        if bots:
            self.table.send_away(bots[-1])
        else:
            self.lines.say("No bot sits at your table.")

    def _order(self, typed: str) -> None:
        from protocol.play import Refused

        peer, now = self.table.peer, asyncio.get_running_loop().time()
        if self._seat is None or self.table.phase != "playing":
            self.lines.say("That is nothing I know here.", *self._menu)
        elif peer is None or peer.asked is None:
            self.lines.say(f"Nothing is asked of you now. {' '.join(self._waits.sentences(now))}")
        else:
            reply = self._seat.order(typed)
            self.lines.say(*reply.lines)
            if reply.done:
                try:
                    self.table.choose(reply.choice)
                except Refused as error:
                    self.lines.say(f"That is not possible: {error}")


async def both(event: Callable[[], Any], line: Callable[[], Any]) -> AsyncIterator[tuple[str, Any]]:
    """Events and typed lines, in the order in which they come. Raises EOFError when the lines end."""
    waiting = {"event": asyncio.ensure_future(event()), "line": asyncio.ensure_future(line())}
    try:
        while True:
            await asyncio.wait(waiting.values(), return_when=asyncio.FIRST_COMPLETED)
            # Events first: what is typed answers what was said.
            for name, again in (("event", event), ("line", line)):
                if waiting[name].done():
                    yield name, waiting[name].result()
                    waiting[name] = asyncio.ensure_future(again())
    finally:
        for future in waiting.values():
            future.cancel()
