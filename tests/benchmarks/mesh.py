"""Tables whose seats are processes: over plain TCP on loopback, all to all, and over everything that p2p puts on it."""

from __future__ import annotations

import asyncio
import contextlib
import selectors
import socket
import struct
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.table import Table, TableEvent
from kimberley.protocol.events import Answered, Send
from kimberley.protocol.peer import Peer
from kimberley.protocol.roster import SignedRoster
from tests.benchmarks.drawing import Drawing, pauses
from tests.support.asyncs import until
from tests.support.seated import LOOPBACK, QUICK
from tests.support.tables import peer_of, signed_roster

LENGTH = struct.Struct(">I")
PAUSE_SECONDS = 0.2
PATIENCE_SECONDS = 60.0
FORK = get_context("fork")


@dataclass(frozen=True, slots=True)
class Work:
    """What a table did between two pauses: seconds until its last seat was done, and seconds of a core by seat."""

    wall: float
    cpu: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """When a seat came to a pause, and what it had used of a core by then."""

    wall: float
    cpu: float

    @classmethod
    def now(cls) -> Mark:
        # The clock is the same in all processes of a Linux machine.
        return cls(time.perf_counter(), time.process_time())


def measure(game: Drawing, seats: int) -> tuple[Work, Work]:
    """Measures a table with a process for each seat, on plain sockets: the bag, then all draws."""
    table = signed_roster(game, seats)
    with contextlib.ExitStack() as stack:
        lines: list[dict[int, socket.socket]] = [{} for _ in range(seats)]
        for one, other in combinations(range(seats), 2):
            lines[one][other], lines[other][one] = map(stack.enter_context, _connected())
        parents, processes = [], []
        for seat in range(seats):
            parent, child = FORK.Pipe()
            processes.append(FORK.Process(target=_sit, args=(game, table, seat, lines[seat], child), daemon=True))
            parents.append(parent)
        for process in processes:
            process.start()
        came: list[Mark] = [_heard(parent) for parent in parents]
        works = []
        for _ in range(2):
            told = time.perf_counter()
            parents[0].send("go on")
            then, came = came, [_heard(parent) for parent in parents]
            cpu = tuple(now.cpu - before.cpu for now, before in zip(came, then, strict=True))
            works.append(Work(max(mark.wall for mark in came) - told, cpu))
        for parent, process in zip(parents, processes, strict=True):
            parent.send("end")
            process.join()
            process.close()
    return works[0], works[1]


def _heard(child: Connection) -> Any:
    """Returns what a process has to say. Raises TimeoutError: a process that fails says why on stderr, and the others
    wait for it.
    """
    if not child.poll(PATIENCE_SECONDS):
        raise TimeoutError(f"a seat's process said nothing for {PATIENCE_SECONDS:.0f} seconds")
    return child.recv()


def _connected() -> tuple[socket.socket, socket.socket]:
    with socket.create_server((LOOPBACK, 0)) as server:
        one = socket.create_connection(server.getsockname())
        other, _ = server.accept()
    for end in (one, other):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return one, other


def _sit(game: Drawing, table: SignedRoster, seat: int, lines: dict[int, socket.socket], parent: Connection) -> None:
    """Plays one seat: tells its parent when it comes to a pause; the first seat goes on when it is told."""
    peer = peer_of(game, table, seat)
    stops = list(pauses(len(table.roster.seats)))
    inboxes = {line: bytearray() for line in lines.values()}
    with selectors.DefaultSelector() as selector:
        for line in inboxes:
            selector.register(line, selectors.EVENT_READ)
        selector.register(parent, selectors.EVENT_READ)
        peer.start()
        while True:
            _tell(peer, inboxes)
            if stops and peer.slot[0] == stops[0]:
                stops.pop(0)
                parent.send(Mark.now())
            for key, _ in selector.select():
                if key.fileobj is parent:
                    if parent.recv() == "end":
                        return
                    peer.choose(0)
                else:
                    assert isinstance(key.fileobj, socket.socket)
                    for envelope in _read(key.fileobj, inboxes[key.fileobj]):
                        peer.receive(envelope)
                        _tell(peer, inboxes)


def _tell(peer: Peer, lines: dict[socket.socket, bytearray]) -> None:
    for event in peer.take():
        if isinstance(event, Send):
            for line in lines:
                line.sendall(LENGTH.pack(len(event.envelope)) + event.envelope)


def _read(line: socket.socket, inbox: bytearray) -> Iterator[bytes]:
    """Returns the envelopes that have arrived completely."""
    inbox += line.recv(1 << 18)
    while len(inbox) >= LENGTH.size:
        end = LENGTH.size + LENGTH.unpack_from(inbox)[0]
        if len(inbox) < end:
            return
        envelope = bytes(inbox[LENGTH.size : end])
        del inbox[:end]
        yield envelope


def measure_over_p2p(game: Drawing, seats: int) -> tuple[Work, Work]:
    """Measures a table with a process for each seat, with all that games get: TLS, and journals synced before anything
    is sent.
    """
    with tempfile.TemporaryDirectory() as folder:
        parents, processes = [], []
        port = None
        for number in range(seats):
            parent, child = FORK.Pipe()
            process = FORK.Process(
                target=_sit_at_table, args=(game, seats, Path(folder) / str(number), port, child), daemon=True
            )
            process.start()
            port = port or _heard(parent)
            parents.append(parent)
            processes.append(process)
        came: list[tuple[bool, list[Mark]]] = [_heard(parent) for parent in parents]
        for parent, process in zip(parents, processes, strict=True):
            parent.send("end")
            process.join()
            process.close()
    works = []
    told = next(marks for chose, marks in came if chose)
    for before, after in ((0, 1), (2, 3)):
        cpu = tuple(marks[after].cpu - marks[before].cpu for _, marks in came)
        works.append(Work(max(marks[after].wall for _, marks in came) - told[before].wall, cpu))
    return works[0], works[1]


def _sit_at_table(game: Drawing, seats: int, data: Path, port: int | None, parent: Connection) -> None:
    asyncio.run(_at_table(game, seats, data, port, parent))


async def _at_table(game: Drawing, seats: int, data: Path, port: int | None, parent: Connection) -> None:
    """Plays a seat, that of the host if there is no port yet. Tells its parent whether it is the first seat, and when
    it came to a pause (the first seat: when it went on), had the bag, came to a pause, had drawn.
    """
    identity = Identity.load_or_create(data)
    if port is None:
        table = await Table.open(
            game,
            nickname="host",
            identity=identity,
            data=data,
            seats=seats,
            options=QUICK,
            port=0,
            bind=LOOPBACK,
            announce=False,
            headless=True,
        )
        parent.send(table.port)
    else:
        table = await Table.join(
            f"{LOOPBACK}:{port}", lambda _: game, nickname=data.name, identity=identity, data=data, headless=True
        )
    answered: dict[int, Mark] = {}
    table.subscribe(lambda event: _note(event, answered))
    await until(lambda: table.phase == "playing")
    view = table.peer
    assert view is not None
    marks = []
    first, second, last = pauses(seats)
    for pause, after in ((first, second), (second, last)):
        await until(lambda pause=pause: view.slot[0] == pause)  # type: ignore[misc]
        if view.seat == 0:
            await asyncio.sleep(PAUSE_SECONDS)
            marks.append(Mark.now())
            table.play.choose(0)
        else:
            marks.append(Mark.now())
        await until(lambda after=after: after - 1 in answered)  # type: ignore[misc]
        marks.append(answered[after - 1])
    parent.send((view.seat == 0, marks))
    await asyncio.get_running_loop().run_in_executor(None, parent.recv)
    await table.close()


def _note(event: TableEvent, answered: dict[int, Mark]) -> None:
    if isinstance(event, Answered):
        answered[event.step] = Mark.now()
