"""The line mode: prompts and sentences instead of a screen, from the title to the dossier, for screen readers.

Everything is said once, when it happens, in whole sentences, and nothing is ever overwritten. What is typed is a word,
with what belongs to it behind; "help" says which. A board brings the sentences of its game (`client.board.PlainSeat`).
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, Final, TextIO

from client.board import PlainSeat, find_board
from client.glyphs import clean
from client.people import Waits, in_a_row, is_ready, left
from client.seats import fitting_seats
from client.services import Listed, Services
from client.settings import Settings, clean_nickname
from games import lookup
from protocol.roster import MOST_SEATS

if TYPE_CHECKING:
    from client.app import Start
    from client.seats import TableLike

LISTEN_SECONDS: Final = 1.5

MENU: Final = (
    "alone: play against the computer. alone 7: at level 7 of 20.",
    "host: open a table on this network. host GAME: of another game.",
    "list: say which tables are open here.",
    "join NAME, or join ADDRESS: join a table.",
    "nickname NAME: be called so. seats NUMBER: so many seats at your tables. look SECONDS: their last look.",
    "games: say which games are installed. quit: leave.",
)
TABLE: Final = (
    "state: say how things stand. repeat: say what is asked. wait: say who is waited for.",
    "say TEXT: talk to the others. talk: hear what was said.",
    "resign: give up; with three players and more the others play on. leave: leave the table. help: hear this.",
)
OPEN: Final = "ready: say that you are ready. not ready: take it back."
BOTS: Final = "bot: give a free seat to a bot. no bot: take one back."


class Lines:
    """Lines read from a stream on a thread of its own, and lines written. `read` raises EOFError at the end."""

    def __init__(self, source: TextIO | None = None, target: TextIO | None = None) -> None:
        self._target = target or sys.stdout
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._over = False
        threading.Thread(target=self._pump, args=(source or sys.stdin,), daemon=True).start()

    def _pump(self, source: TextIO) -> None:
        # The loop may be closed by the time that a last line comes: nobody wants it then.
        with contextlib.suppress(RuntimeError, ValueError):
            for line in source:
                self._loop.call_soon_threadsafe(self._queue.put_nowait, line.strip())
            self._loop.call_soon_threadsafe(self._queue.put_nowait, None)

    async def read(self) -> str:
        """The next line that is typed, without spaces at its ends."""
        line = None if self._over else await self._queue.get()
        if line is None:
            self._over = True
            raise EOFError
        return line

    def say(self, *lines: str) -> None:
        """Writes sentences, a line each."""
        for line in lines:
            print(clean(line), file=self._target, flush=True)


async def run(settings: Settings, services: Services, start: Start | None, lines: Lines | None = None) -> int:
    """The whole program in lines. Returns the exit status."""
    client = PlainClient(settings, services, lines or Lines())
    try:
        await client.main(start)
    except EOFError:
        client.lines.say("The input has ended; the table, if any, is left.")
    finally:
        await services.close()
    return 0


class PlainClient:
    """The title screen as a dialogue, and the way from there to tables."""

    def __init__(self, settings: Settings, services: Services, lines: Lines) -> None:
        self.settings, self.services, self.lines = settings, services, lines

    async def main(self, start: Start | None) -> None:
        """Greets, does what the command line asked for, then what is typed."""
        from client.about import version_line
        from client.app import Host, Join

        self.lines.say(f"{version_line()}. You are {self.settings.name}. Type help to hear what can be typed.")
        await self.services.warm()
        match start:
            case Host(game, seats, port, bind):
                await self._host(game, seats, port, bind)
            case Join(str(where)):
                await self._sit(self.services.join(where))
            case Join(None):
                await self._list()
        while True:
            word, _, rest = (await self.lines.read()).partition(" ")
            if word in ("quit", "q", "exit"):
                return
            await self._obey(word.lower(), rest.strip())

    async def _obey(self, word: str, rest: str) -> None:
        kept, say = self.settings, self.lines.say
        match word:
            case "":
                pass
            case "help" | "?":
                say(*MENU)
            case "games":
                say(*(f"{name}: {lookup.find(name).title}." for name in lookup.ids()))
            case "nickname":
                kept.nickname = clean_nickname(rest)
                kept.save()
                say(f"You are {kept.name}.")
            case "seats" if rest.isdigit() and 2 <= int(rest) <= MOST_SEATS:
                kept.seats = int(rest)
                kept.save()
                say(f"Your tables have {rest} seats, where the game allows it.")
            case "look" if rest.isdigit() and int(rest) <= 120:
                kept.last_look = int(rest)
                kept.save()
                say(f"Last looks at your tables take {rest} seconds." if int(rest) else "No last looks at your tables.")
            case "alone" if not rest or (rest.isdigit() and 1 <= int(rest) <= 20):
                kept.level = int(rest or kept.level)
                kept.save()
                game = lookup.find(self._game(""))
                seats = fitting_seats(game, kept.seats)
                await self._sit(self.services.alone(game.id, {"last_look": kept.last_look}, seats, kept.level))
            case "host" if not rest or rest in lookup.ids():
                await self._host(self._game(rest))
            case "list":
                await self._list()
            case "join" if rest:
                await self._sit(self.services.join(rest))
            case "join":
                await self._list()
            case _:
                say("That is nothing I know, or something is missing behind it.", *MENU)

    def _game(self, named: str) -> str:
        """The game that was named, else the one last played, else the first installed."""
        games = lookup.ids()
        return named or (self.settings.game if self.settings.game in games else games[0])

    async def _host(
        self, name: str, seats: int | None = None, port: int | None = None, bind: str | None = None
    ) -> None:
        game, kept = lookup.find(name), self.settings
        wanted = fitting_seats(game, seats or kept.seats)
        await self._sit(self.services.host(game.id, {"last_look": kept.last_look}, wanted, port=port, bind=bind))

    async def _list(self) -> None:
        stop = self.services.watch(lambda: None)
        self.lines.say("Listening for tables.")
        await asyncio.sleep(LISTEN_SECONDS)
        nearby = self.services.nearby()
        stop()
        if nearby.problem:
            self.lines.say(nearby.problem)
        for table in nearby.tables:
            self.lines.say(_listed(table))
        if not nearby.tables:
            self.lines.say(
                "No table was found. Both machines must be on the same network, their firewalls must let UDP 5353 and "
                "the table's TCP port in, and some access points keep devices apart.",
                "The host's screen says what to type, like: join 192.168.1.7",
            )

    async def _sit(self, opening: Any) -> None:
        try:
            table: TableLike = await opening
        except Exception as error:
            if not self.services.is_trouble(error):
                raise
            self.lines.say(str(error))
            return
        try:
            await PlainTable(table, self.services, self.lines, self.settings.level).play()
        finally:
            table.leave()
            await table.close()
        self.lines.say("You are back at the start. Type help to hear what can be typed.")


def _listed(table: Listed) -> str:
    keys = {"met": "a key you have met", "new": "a key new to you", "you": "your own table",
            "changed": "warning: a name you know with another key"}  # fmt: skip
    versions = f" {table.versions}" if table.versions else ""
    return (
        f"{table.host} at {table.address} hosts {table.title}, {table.taken} of {table.total} seats taken; "
        f"{keys.get(table.key, '')}.{versions}"
    )


class PlainTable:
    """A table in sentences, from the open door to the verdict."""

    def __init__(self, table: TableLike, services: Services, lines: Lines, level: int) -> None:
        """`level` is that of bots that are given a seat."""
        self.table, self.services, self.lines, self._level = table, services, lines, level
        self._waits = Waits(table, asyncio.get_running_loop().time)
        self._seating: asyncio.Task[None] | None = None
        self._people: dict[str, bool] = {}
        self._away: dict[str, float] = {}
        self._phase = ""
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
            async for source, what in _both(self._events.get, self.lines.read):
                if source == "line" and not self._obey(what):
                    return
                if source == "event":
                    self._heard(what)
                self._follow()
                if self.table.phase == "failed":
                    return
        finally:
            stop()

    # -- what happens --------------------------------------------------------------------------------------------------

    def _heard(self, event: Any) -> None:
        from protocol.events import Caught, Gone, Said

        self._waits.note()
        match event:
            case Gone(seat=seat) if seat == self.table.seat:
                self.lines.say("You have left the game. You hear how it goes on. Type leave to go.")
            case Gone(seat=seat):
                self.lines.say(f"{self.table.names[seat]} has left the game; it goes on without them.")
            case Said(seat, text) if seat != self.table.seat:
                self.lines.say(f"{self.table.names[seat]} says: {text}")
            case Caught(seat):
                self.lines.say(f"{self.table.names[seat]} was caught cheating: {event.reason}")
            case _ if self._seat is not None:
                self.lines.say(*self._seat.news(event))

    def _follow(self) -> None:
        """Says what the phase asks for, once."""
        table = self.table
        if table.phase != self._phase or table.peer is not self._peer:
            self._phase, self._peer = table.phase, table.peer
            self._enter()
        elif table.phase == "open":
            self._tell_people()
        self._tell_away()
        peer = table.peer
        if table.phase == "playing" and peer is not None and self._seat is not None:
            step = peer.asked.step if peer.asked is not None else None
            if step is not None and step != self._step:
                self.lines.say(*self._seat.ask())
            self._step = step
        if table.look_until is not None and table.look_until != self._look:
            seconds = table.look_until - asyncio.get_running_loop().time()
            self.lines.say(f"Last look: {seconds:.0f} seconds to change the plan. It counts as it stands at the end.")
        self._look = table.look_until

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

    def _lobby_help(self) -> list[str]:
        """What can be typed while the table is open, where more than waiting is to be done."""
        asks = [OPEN] if self.table.asks_ready else []
        return asks + ([BOTS] if self.table.host and self.table.seats > 2 else [])

    def _enter(self) -> None:
        table, say = self.table, self.lines.say
        match table.phase:
            case "open" if table.addresses or not table.host:
                say("Your table is open." if table.host else "You have a seat. Others are still to come.")
                for way in table.addresses if table.host else ():
                    say(f"Others join by: kimberley join {way}")
                self._people = {}
                self._tell_people()
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
                say(*self._dossier(), "Type again to play again, leave to go.")
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

    def _obey(self, typed: str) -> bool:
        """Does what was typed. False if the table is left."""
        table, say = self.table, self.lines.say
        word, _, rest = typed.partition(" ")
        match word.lower():
            case "leave" | "quit":
                if table.phase == "done":
                    table.again(False)
                return False
            case "say" if rest.strip():
                table.say(rest.strip())
            case "talk":
                said = [f"{table.names[each.seat]}: {each.text}" for each in table.talk]
                say(*(said or ["Nobody has said anything yet."]))
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
            case "again" if table.phase == "done":
                table.again(True)
                say("Said. The host decides." if not table.host else "Said. Waiting for the others.")
            case "help" | "?":
                open_help = self._lobby_help() if table.phase == "open" else []
                say(*(self._seat.help() if self._seat is not None else open_help), *TABLE)
            case "state" if self._seat is not None:
                say(*self._seat.describe())
            case "repeat" if self._seat is not None:
                say(*self._seat.ask())
            case "":
                pass
            case _:
                self._order(typed)
        return True

    async def _seat_bot(self) -> None:
        try:
            await self.services.seat_bot(self.table, self._level)
        except Exception as error:
            if not self.services.is_trouble(error):
                raise
            self.lines.say(str(error))

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
            self.lines.say("That is nothing I know here.", *TABLE)
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


async def _both(event: Callable[[], Any], line: Callable[[], Any]) -> AsyncIterator[tuple[str, Any]]:
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
