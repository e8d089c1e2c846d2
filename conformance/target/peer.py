"""`kimberley peer`: a peer that another program drives with lines of JSON, and that reports events as lines of JSON.

It keeps the contract for targets (SPEC.md, section 29), for the conformance suite and for other programs that want to
drive a peer. A line of standard input is a job, or something to do in the current job; a line of standard output is an
event. Jobs are played one after the other.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from kimberley.conformance.harness.profile import PARTS, ROLES, WEB
from kimberley.conformance.plain import from_json, to_json
from kimberley.conformance.script import ScriptGame
from kimberley.games import lookup
from kimberley.games.table import HIDDEN, NOTHING, Game, Item
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.extras import is_installed
from kimberley.p2p.base.platform import in_background, random_bytes, run_loop, start_thread
from kimberley.p2p.base.tasks import task_scope
from kimberley.p2p.sharing.server import FileServer
from kimberley.p2p.storage.files import read_file
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table import resume
from kimberley.p2p.table.events import ChatLine, TableChanged, TableEvent
from kimberley.p2p.table.runner import PeerView
from kimberley.p2p.table.spectator_client import SpectatorClient
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.web_channel import SEAT_PATH
from kimberley.p2p.transport.web_listener import WebListener
from kimberley.protocol.audit import Verdict, verify
from kimberley.protocol.events import Answered, Caught, GameEnded, SeatDeparted
from kimberley.protocol.play import NotAllowed
from kimberley.protocol.record import MOST_BYTES

REFEREE: Final = "kimberley.referee.target"
"""What runs a tournament. It belongs to a room that is installed apart."""
LOOPBACK: Final = "127.0.0.1"
DONE: Final = ("done", "failed")
"""The phases in which a table has ended."""

JsonLine = dict[str, Any]
Emit = Callable[[JsonLine], None]


def main() -> int:
    """Plays jobs until there are no more. Returns the exit status."""
    return run_loop(serve())


async def serve() -> int:
    """Reads jobs and plays them, until standard input is closed and the last job has ended."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[JsonLine | None] = asyncio.Queue()

    def read() -> None:
        for text in sys.stdin:
            if text.strip():
                loop.call_soon_threadsafe(lines.put_nowait, _parse(text))
        loop.call_soon_threadsafe(lines.put_nowait, None)

    start_thread(read)
    while (line := await lines.get()) is not None:
        if "role" in line:
            await PeerJob(line, lines, emit).run()
    return 0


def emit(line: JsonLine) -> None:
    """Prints an event."""
    print(json.dumps(line), flush=True)


def _parse(text: str) -> JsonLine:
    try:
        line = json.loads(text)
    except ValueError:
        return {"do": "nothing"}
    return line if isinstance(line, dict) else {"do": "nothing"}


class SeededRandom:
    """Draws secrets from a job's seed: the 32 bytes number k are SHA-256(seed || k), with k in four bytes."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._count = 0

    def __call__(self, size: int) -> bytes:
        drawn = hashlib.sha256(self._seed + self._count.to_bytes(4, "big")).digest()
        self._count += 1
        return drawn[:size]


class PeerJob:
    """One job, from its line to its event `over`."""

    def __init__(self, job: JsonLine, lines: asyncio.Queue[JsonLine | None], emit: Emit) -> None:
        self._job = job
        self._lines = lines
        self._emit = emit
        self._person = job.get("person") is True
        self._choices = list(job.get("choices", ()))
        self._games = int(job.get("games", 1))
        self._changed = asyncio.Event()
        self._asked: tuple[object, int] | None = None
        self._chosen = False
        self._phase = ""
        self._ended = 0
        """The games that came to their end."""
        self._stopped = False

    async def run(self) -> None:
        """Plays the job. Errors are reported as events."""
        roles: dict[str, Callable[[Path], Awaitable[bool]]] = {
            "host": self._host,
            "join": self._join,
            "resume": self._resume,
            "watch": self._watch,
            "verify": self._verify,
            "referee": self._referee,
            "profile": self._profile,
        }
        done = False
        with tempfile.TemporaryDirectory(prefix="kimberley-peer-") as folder:
            data = Path(self._job.get("data") or folder)
            role = self._job["role"]
            if not isinstance(role, str) or role not in roles:
                self._emit({"event": "unimplemented", "what": str(role)})
            else:
                try:
                    done = await roles[role](data)
                except (UserError, LookupError, ValueError, OSError) as error:
                    self._emit({"event": "problem", "reason": str(error)})
            self._emit({"event": "over", "done": done})

    # -- roles ---------------------------------------------------------------------------------------------------------

    async def _host(self, data: Path) -> bool:
        draw, identity = self._secrets(data)
        game = self._find_game(self._job.get("game", ScriptGame.id))
        options = {name: from_json(value) for name, value in self._job.get("options", {}).items()}
        table = await Table.open(
            game,
            nickname=self._nickname,
            identity=identity,
            data=data,
            seats=self._job.get("seats"),
            options=options,
            port=self._job.get("port", 0),
            bind=self._job.get("address", LOOPBACK),
            announce=bool(self._job.get("discovery")),
            headless=not self._person,
            draw=draw,
        )
        async with AsyncExitStack() as stack:
            page = await stack.enter_async_context(self._page(table, identity)) if self._job.get(WEB) else {}
            self._emit({"event": "listening", "port": table.port, **page})
            return await self._play(table)

    @asynccontextmanager
    async def _page(self, table: Table, identity: Identity) -> AsyncIterator[JsonLine]:
        """Takes seats by WebSockets, too. Yields what the event `listening` says of that."""
        page_seats = table.page_seats
        door = WebListener(identity, lambda channel: page_seats.welcome(channel, server.port), page_seats.expected)
        server = FileServer(lambda _: {}, handed_over={SEAT_PATH: door.take_over}, expected=door.expected)
        await server.open(0, self._job.get("address", LOOPBACK))
        try:
            yield {WEB: server.port}
        finally:
            await server.close()
            await door.close()

    async def _join(self, data: Path) -> bool:
        draw, identity = self._secrets(data)
        table = await Table.join(
            self._address,
            self._find_game,
            nickname=self._nickname,
            identity=identity,
            data=data,
            bind=self._job.get("address", LOOPBACK),
            seek=bool(self._job.get("discovery")),
            headless=not self._person,
            draw=draw,
        )
        return await self._play(table)

    async def _resume(self, data: Path) -> bool:
        _, identity = self._secrets(data)
        games = await in_background(resume.list_resumable_games, data, identity.public)
        path = resume.choose_game(games, None).path
        table = await Table.resume(
            path,
            self._find_game,
            identity=identity,
            data=data,
            bind=LOOPBACK,
            seek=bool(self._job.get("discovery")),
            headless=True,
        )
        self._emit({"event": "listening", "port": table.port})
        return await self._play(table)

    async def _watch(self, data: Path) -> bool:
        watch = await SpectatorClient.open(self._address, self._find_game, identity=Identity.fresh())
        over = asyncio.Event()

        def on_event(event: object) -> None:
            if isinstance(event, (Answered, ChatLine, SeatDeparted, GameEnded, Caught)):
                self._report(event)
            if watch.problem is not None or (watch.peer is not None and (watch.peer.finished or watch.peer.caught)):
                over.set()

        def act(line: JsonLine) -> None:
            if line.get("do") == "abandon":
                watch.attest()

        stop = watch.subscribe(on_event)
        await self._act_until(over.wait(), act)
        stop()
        if watch.problem is not None:
            self._emit({"event": "problem", "reason": watch.problem})
        finished = watch.peer is not None and watch.peer.finished
        await watch.close()
        return finished

    async def _verify(self, data: Path) -> bool:
        def judge() -> Verdict:
            return verify(read_file(Path(self._job["file"]), MOST_BYTES), self._find_game)

        self._report_verdict(await in_background(judge), None)
        return True

    async def _referee(self, data: Path) -> bool:
        try:
            run_tournament = import_module(REFEREE).run_tournament
        except ModuleNotFoundError:
            self._emit({"event": "unimplemented", "what": "referee"})
            return False
        over = asyncio.Event()
        _, identity = self._secrets(data)
        options = {name: from_json(value) for name, value in self._job.get("options", {}).items()}
        async with run_tournament(
            self._job, options, data, self._find_game, identity, self._job.get("address", LOOPBACK)
        ) as server:
            stop = server.subscribe(lambda event: over.set() if server.over else None)
            self._emit({"event": "listening", "port": server.port})
            await self._act_until(over.wait(), lambda line: None)
            stop()
            return bool(server.over)

    async def _profile(self, data: Path) -> bool:
        parts = [part for part in PARTS if part != WEB or is_installed("websockets")]
        self._emit({"event": "profile", "has": [*ROLES, *parts, ScriptGame.id, *lookup.ids()]})
        return True

    # -- a seat --------------------------------------------------------------------------------------------------------

    async def _play(self, table: Table) -> bool:
        """Plays the job's games at a table until it is done, has failed, or the job is stopped."""
        stop = table.subscribe(lambda event: self._on_table_event(table, event))
        self._on_table_event(table, TableChanged("phase"))
        await self._act_until(self._drive(table), lambda line: self._act(table, line))
        if not self._stopped and (seconds := self._job.get("linger", 0)):
            await self._act_until(asyncio.sleep(seconds), lambda line: None)
        stop()
        await (table.suspend() if self._stopped else table.close())
        return self._ended == self._games

    async def _drive(self, table: Table) -> None:
        # The others may leave as soon as all games are over: then that is no longer a failure.
        while self._ended < self._games and table.phase != "failed":
            self._changed.clear()
            if table.phase == "done" and table.occupants.seat not in table.rematch.again_from:
                table.rematch.want()
            self._choose(table)
            await self._changed.wait()

    def _choose(self, table: Table) -> None:
        """Makes the job's next choice, if the table asks for one."""
        asked = table.play.asked
        if asked is None:
            return
        if self._asked != (table.peer, asked.step):
            self._asked = table.peer, asked.step
            self._chosen = False
            self._emit({"event": "asked", "step": asked.step})
        while self._choices and not self._chosen:
            try:
                table.play.choose(from_json(self._choices.pop(0)))
                self._chosen = True
            except (NotAllowed, ValueError) as error:
                self._emit({"event": "forbidden", "reason": str(error)})

    async def _act_until(self, work: Coroutine[Any, Any, object], act: Callable[[JsonLine], None]) -> None:
        """Handles lines with `act` until `work` has ended or the job is stopped. Raises what either raises."""
        async with task_scope() as tasks:
            working = tasks.start(work)
            tasks.start(self._obey(working, act))
            await asyncio.wait([working])

    async def _obey(self, working: asyncio.Task[object], act: Callable[[JsonLine], None]) -> None:
        """Handles lines with `act` until there are no more or the job is stopped."""
        while (line := await self._lines.get()) is not None:
            if line.get("do") == "stop":
                self._stopped = True
                working.cancel()
                return
            try:
                act(line)
            except NotAllowed as error:
                self._emit({"event": "forbidden", "reason": str(error)})
        self._lines.put_nowait(None)

    def _act(self, table: Table, line: JsonLine) -> None:
        """Does what a line tells the player to do. Raises NotAllowed."""
        match line:
            case {"do": "choose", "choice": choice}:
                self._choices.append(choice)
                self._changed.set()
            case {"do": "say", "text": str() as text}:
                table.chat.say(text)
            case {"do": "same", "yes": bool() as yes}:
                table.words.answer(yes)
            case {"do": "state"} if (peer := table.peer) is not None:
                table.call_after(lambda: self._report_state(peer))
            case {"do": "resign"}:
                table.play.resign()
            case {"do": "aside", "yes": bool() as yes}:
                table.adjournment.vote(yes)
            case {"do": "abandon"}:
                table.abandonment.declare()
            case {"do": "bye"}:
                table.departures.leave()

    # -- events --------------------------------------------------------------------------------------------------------

    def _on_table_event(self, table: Table, event: TableEvent) -> None:
        self._report(event)
        full = table.phase == "open" and len(table.occupants.names) == table.occupants.seats
        if self._person and full and not table.occupants.readiness[table.occupants.seat]:
            table.seating.ready(True)
        if table.phase != self._phase and self._ended < self._games:
            self._phase = table.phase
            self._ended += table.phase == "done"
            if table.phase == "words" and table.words.phrase is not None:
                line: JsonLine = {"event": "words", "seat": table.occupants.seat, "words": list(table.words.phrase)}
                if self._person:
                    line |= {"known": list(table.words.acquaintance), "warned": table.words.warning is not None}
                self._emit(line)
            elif table.phase == "playing":
                self._emit({"event": "began"})
            elif table.phase in DONE:
                if table.problem is not None:
                    self._emit({"event": "problem", "reason": table.problem})
                if table.ending.verdict is not None:
                    self._report_verdict(table.ending.verdict, table.ending.record)
        self._changed.set()

    def _report(self, event: object) -> None:
        match event:
            case Answered():
                self._emit({"event": "answered", "step": event.step, "answer": _answer_as_json(event.answer)})
            case ChatLine(seat, text):
                self._emit({"event": "said", "seat": seat, "text": text})
            case SeatDeparted(_, seat):
                self._emit({"event": "left", "seat": seat})
            case GameEnded(result):
                self._emit({"event": "result", "places": list(result.places), "scores": to_json(result.scores)})
            case Caught(seat, step, stage):
                self._emit({"event": "guilty", "seat": seat, "step": step, "stage": stage})

    def _report_state(self, peer: PeerView) -> None:
        step, stage = peer.slot
        self._emit({"event": "state", "step": step, "stage": stage, "head": peer.head.hex()})

    def _report_verdict(self, verdict: Verdict, record: Path | None) -> None:
        self._emit(
            {
                "event": "verdict",
                "code": verdict.code,
                "seats": list(verdict.seats),
                "absent": list(verdict.absent),
                "step": verdict.step,
                "stage": verdict.stage,
                "record": None if record is None else str(record),
            }
        )

    # -- what the job says ---------------------------------------------------------------------------------------------

    @property
    def _nickname(self) -> str:
        return str(self._job.get("nickname", "target"))

    @property
    def _address(self) -> str:
        return f"{self._job.get('address', LOOPBACK)}:{self._job['port']}"

    def _find_game(self, game: str) -> Game:
        """Returns a game of this program, or the script with the job's asks. Raises LookupError."""
        if game == ScriptGame.id:
            return ScriptGame(from_json(self._job.get("options", {}).get("asks", [])))
        return lookup.find(game)

    def _secrets(self, data: Path) -> tuple[Callable[[int], bytes], Identity]:
        """Returns the source of secrets, and the identity."""
        if "seed" in self._job:
            drawn = SeededRandom(bytes.fromhex(self._job["seed"]))
            return drawn, Identity.of(drawn(32))
        return random_bytes, Identity.load_or_create(data)


def _answer_as_json(answer: Any) -> Any:
    """Returns an answer as this seat sees it, in JSON."""
    if answer is HIDDEN:
        return {"hidden": True}
    if answer is NOTHING:
        return {"nothing": True}
    if isinstance(answer, Item):
        return answer.handle
    if isinstance(answer, tuple):
        return [_answer_as_json(entry) for entry in answer]
    return to_json(answer)


if __name__ == "__main__":
    sys.exit(main())
