"""A Swiss of very many players in virtual time, with a real game at every table: how long pairing takes, what a store
and a bundle weigh, how long a check of the bundle takes on one core, on more and on Dask, and what its page takes.

.venv/bin/python -m tests.benchmarks.bench_scale [PLAYERS [ROUNDS]]
"""

from __future__ import annotations

import asyncio
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import chain
from pathlib import Path

from kimberley.client.session.workers import as_done, cores, workers
from kimberley.games import lookup
from kimberley.p2p.tournament.events import PLAYED, SAME, GameSeated, LotsDrawn, PlayerEnrolled, TournamentEnded
from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.tournament.settings import TournamentSettings
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.protocol.crypto import signatures
from kimberley.referee.export import write_bundle
from kimberley.referee.page_process import page_process
from kimberley.referee.store import FILE, Store
from tests.benchmarks.common import KIMBERLEY, report, size, summary
from tests.support.pages import PAGE_GAMES
from tests.support.tournaments import REFEREE, SEED, Evening, seated_at, secret, settings_of, someone

GAME = lookup.find("land")
VIEWERS = size(1000, quick=50)
ADDRESSES = 16
"""From which the viewers come: the page lets in 64 connections from each."""


def main() -> None:
    players, rounds = (int(given) for given in (*sys.argv[1:3], *("1000", "9")[len(sys.argv) - 1 :]))
    quick = {option.name: option.values[0][0] for option in GAME.options} | dict(GAME.quick)
    settings = settings_of(game=GAME.id, rules=GAME.revision, options=quick, rounds=rounds)
    with tempfile.TemporaryDirectory() as data:
        folder, path = Path(data), Path(data) / "scale.cup"
        with Store.create(folder, settings, SEED) as store:
            figures, evening = _played(store, players)
            with _timed(figures, "standings_s"):
                Tournament.fold(settings, evening.events).standings()
            with _timed(figures, "bundle_s"):
                write_bundle(path, REFEREE, settings, evening.events, store.record)
        figures["store_mb"] = _megabytes(folder / FILE)
        figures["bundle_mb"] = _megabytes(path)
        figures["memory_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        figures["verify"] = {count: _verified(path, count) for count in range(1, cores() + 1)} | _on_dask(path)
        figures["page"] = asyncio.run(_looked_at(folder))
    report({"players": players, "rounds": rounds, **figures, "load_average": os.getloadavg()})


def _played(store: Store, players: int) -> tuple[dict[str, object], Evening]:
    """Plays the tournament to its end, into the store."""
    people = [someone(number) for number in range(players)]
    number_of = {identity: number for number, identity in enumerate(people)}
    evening, adding, pairing = Evening(Tournament(store.settings)), list[float](), list[float]()

    def add(event: object, record: bytes | None) -> None:
        began = time.perf_counter()
        store.add(event, record)  # type: ignore[arg-type]
        adding.append(time.perf_counter() - began)

    evening.write = add
    began = time.perf_counter()
    for number, identity in enumerate(people):
        evening.add(PlayerEnrolled(evening.at, identity, f"player{number}"))
    evening.add(LotsDrawn(evening.at, SEED))
    enrolled = time.perf_counter() - began
    with workers(None, None) as executor:
        while True:
            began = time.process_time()
            event = evening.tournament.proceed(evening.at)
            pairing.append(time.process_time() - began)
            assert event is not None
            evening.add(event)
            if isinstance(event, TournamentEnded):
                break
            tables = evening.tournament.rounds[-1].tables
            jobs = (
                (store.settings, TableId(len(evening.tournament.rounds), one.number), [number_of[p] for p in one.seats])
                for one in tables
            )
            for table, game, record, places in as_done(executor, play, jobs, 4 * cores()):
                proofs = tuple(signatures.sign(secret(number_of[one]), SAME, game) for one in tables[table].seats)
                evening.add(GameSeated(evening.at, len(evening.tournament.rounds), table, game, proofs))
                evening.say(tables[table], places, PLAYED, record)
            print(f"round {len(evening.tournament.rounds)} is over", file=sys.stderr)
    return {
        "games": sum(len(one.tables) for one in evening.tournament.rounds),
        "enroll_s": round(enrolled, 1),
        "pair_s": [round(seconds, 2) for seconds in pairing],
        "event_into_store": summary(adding),
    }, evening


def play(
    settings: TournamentSettings, place: TableId, players: Sequence[int]
) -> tuple[int, bytes, bytes, Sequence[int]]:
    """Plays a whole game at a table. Returns the table, the id of the game, its record and the places."""
    terms = place.invitation(settings, [someone(number) for number in players]).terms
    wire = seated_at(GAME, terms, players, f"{place.round} {place.table}")
    wire.run()
    record, result = wire.peers[0].record(), wire.peers[0].result
    assert result is not None
    return place.table, record.table.game_id, record.pack(), result.places


# -- the bundle --------------------------------------------------------------------------------------------------------


def _verified(path: Path, count: int, *more: str) -> dict[str, float]:
    """The seconds that a check of the bundle takes on so many cores, and those of their processors."""
    allowed = sorted(os.sched_getaffinity(0))[:count]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime, time.perf_counter()
    command = [*KIMBERLEY, "verify", str(path), *more]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, allowed))
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return {"s": round(time.perf_counter() - began, 1), "processor_s": round(used, 1)}


def _on_dask(path: Path) -> dict[str, dict[str, float]]:
    """The same on a Dask cluster of this machine; nothing if Dask is not installed."""
    try:
        distributed = import_module("distributed")
    except ImportError:
        return {}
    with distributed.LocalCluster(n_workers=cores(), threads_per_worker=1, dashboard_address=None) as cluster:
        return {"dask": _verified(path, cores(), "--dask", cluster.scheduler_address)}


# -- the page ----------------------------------------------------------------------------------------------------------


async def _looked_at(folder: Path) -> dict[str, object]:
    """What the page of the tournament takes: to be made, and to be sent to many viewers at once."""
    async with page_process(PAGE_GAMES, folder, "127.0.0.1", 0) as page:
        host, port = page.addresses[0].removeprefix("http://").split(":")
        found: dict[str, object] = {}
        began = time.perf_counter()
        first = await _get(host, int(port), "127.0.0.1", "")
        found["made_s"] = round(time.perf_counter() - began, 2)
        head = first.partition(b"\r\n\r\n")[0].decode()
        found["kb"] = round(len(first) / 1024)
        tag = next(line.partition(": ")[2] for line in head.splitlines() if line.lower().startswith("etag"))
        for name, header in (("whole", ""), ("unchanged", f"If-None-Match: {tag}\r\n")):
            gate, waits = asyncio.Semaphore(128), list[float]()

            async def look(
                number: int, header: str = header, gate: asyncio.Semaphore = gate, waits: list[float] = waits
            ) -> None:
                async with gate:
                    asked = time.perf_counter()
                    await _get(host, int(port), f"127.0.0.{2 + number % ADDRESSES}", header)
                    waits.append(time.perf_counter() - asked)

            began = time.perf_counter()
            await asyncio.gather(*(look(number) for number in range(VIEWERS)))
            took = time.perf_counter() - began
            found[name] = {"viewers": VIEWERS, "s": round(took, 1), "median_ms": round(1000 * statistics.median(waits))}
        found["memory_mb"] = max(map(_memory, _children(os.getpid())))
        return found


async def _get(host: str, port: int, source: str, header: str) -> bytes:
    """The response to a request for the first page."""
    reader, writer = await asyncio.open_connection(host, port, local_addr=(source, 0))
    writer.write(f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n{header}\r\n".encode())
    found = await reader.read(-1)
    writer.close()
    return found


def _children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for child in chain.from_iterable(one.read_text().split() for one in tasks)]


def _memory(pid: int) -> int:
    """Returns the most memory that a process has had, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) // 1024


# -- odds and ends -----------------------------------------------------------------------------------------------------


@contextmanager
def _timed(figures: dict[str, object], name: str) -> Iterator[None]:
    began = time.process_time()
    yield
    figures[name] = round(time.process_time() - began, 2)


def _megabytes(path: Path) -> float:
    return round(path.stat().st_size / 1_000_000, 1)


if __name__ == "__main__":
    main()
