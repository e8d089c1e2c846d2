"""Mutated envelopes at a table that plays, by the million: none may count, and the game goes on to its fair end.

.venv/bin/python -m tests.fuzz.table --envelopes 1000000
.venv/bin/python -m tests.fuzz.table --frames 20000        (over real sockets, from one of three seats)

Before each envelope of a game, others come that nobody signed: changed in their bytes or in their values, cut, of
another table, under another seat's name, signed by somebody else. Now and then the game is one that a seat spoils,
with something that it signs itself: then that seat is named by all, or waited for.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from kimberley.games.table import Plain
from kimberley.protocol.crypto import signatures
from kimberley.protocol.encoding import Malformed, pack
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.events import Dropped
from kimberley.protocol.peer import Peer
from tests.fuzz.target import EDITS, edited, mangled, revalued
from tests.lab.bench import machine
from tests.support.asyncs import run as run_loop
from tests.support.cards import FEW_CARDS
from tests.support.cheats import Cheat
from tests.support.inside import links_of, signed_by
from tests.support.seated import circle_of_tables
from tests.support.tables import identity, seated

SEATS: Final = 3
SPOILER: Final = 1
JUNK_EACH: Final = 60
"""Mutated envelopes before each true one."""
SPOILED: Final = 10
"""One game in so many is spoiled."""
STRANGER: Final = bytes(range(32))


@dataclass
class Tally:
    """What has come of it: envelopes by outcome, games by how they ended, and memory in MiB as it went."""

    outcomes: Counter[str] = field(default_factory=Counter)
    games: Counter[str] = field(default_factory=Counter)
    memory: list[float] = field(default_factory=list)

    @property
    def sent(self) -> int:
        return self.outcomes.total()

    def note_memory(self) -> None:
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        self.memory.append(round(pages * os.sysconf("SC_PAGE_SIZE") / 2**20, 1))


def mutants(rng: Random, true: bytes, others: list[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yields envelopes that must not count, by kind, made of a true one that is still to come and of some of another
    table.
    """
    while True:
        kind = rng.choice(("bytes", "bytes", "values", "values", "cut", "elsewhere", "seat", "stranger", "noise"))
        match kind:
            case "bytes":
                edits = [(rng.choice(EDITS[:-1]), rng.random(), rng.randbytes(rng.randrange(9))) for _ in range(2)]
                made = edited(true, edits)
            case "values":
                made = revalued(true, rng)
            case "cut":
                made = true[: rng.randrange(len(true))]
            case "elsewhere":
                made = rng.choice(others)
            case "noise":
                made = rng.randbytes(rng.randrange(400))
            case _:
                envelope = Envelope.unpack(true)
                seat = (envelope.seat + 1) % SEATS
                other = replace(envelope, seat=seat) if kind == "seat" else envelope
                key = identity(envelope.seat) if kind == "seat" else STRANGER
                made = other.signed(partial(signatures.sign, key)).pack()
        if made != true:
            yield kind, made


def outcome(peer: Peer, data: bytes) -> str:
    """Returns what a seat makes of bytes that must not count. Raises AssertionError where they do."""
    before = peer.head, peer.slot, peer.waiting, peer.caught, len(peer.evidence)
    kept = [event for event in peer.take() if not isinstance(event, Dropped)]
    counts = peer.receive(data)
    dropped = peer.take()
    assert not counts, f"taken: {data.hex()}"
    assert (peer.head, peer.slot, peer.waiting, peer.caught, len(peer.evidence)) == before, data.hex()
    assert all(isinstance(event, Dropped) for event in dropped), data.hex()
    peer.events += kept
    reasons = [event.reason for event in dropped if isinstance(event, Dropped)]
    return re.sub(r"\d+", "N", reasons[0].partition(":")[0]) if reasons else "known already"


def spoiling(rng: Random) -> type[Cheat]:
    """Returns a seat that signs one body with something else in it."""
    moment = rng.randrange(30)

    class Spoiler(Cheat):
        def sign_next(self, kind: int, body: Plain) -> None:
            chosen = self.chains[SPOILER].number == moment
            super().sign_next(kind, mangled(body, rng) if chosen else body)

    return Spoiler


def one_game(rng: Random, tally: Tally, most: int) -> None:
    """Plays a whole game, flooded, until so many envelopes were sent."""
    elsewhere = seated(FEW_CARDS, SEATS, f"elsewhere {rng.random()}")
    elsewhere.run(lambda: len(elsewhere.sent) > 20)
    others = [data for _, data in elsewhere.sent]
    spoiled = rng.randrange(SPOILED) == 0
    wire = seated(FEW_CARDS, SEATS, f"{rng.random()}", cheats={SPOILER: spoiling(rng)} if spoiled else None, order=rng)

    def flooded(sender: int, receiver: int, data: bytes) -> bytes:
        for (kind, junk), _ in zip(mutants(rng, data, others), range(JUNK_EACH), strict=False):
            if tally.sent < most:
                tally.outcomes[f"{kind}: {outcome(wire.peers[receiver], junk)}"] += 1
        return data

    wire.alter = flooded
    wire.run()
    honest = [peer for peer in wire.peers if peer.seat != SPOILER]
    if all(peer.finished for peer in wire.peers):
        assert len({peer.record().pack() for peer in wire.peers}) == 1
        tally.games["played to the end"] += 1
    else:
        assert spoiled
        assert all(peer.caught is None or peer.caught.seat == SPOILER for peer in honest)
        named = any(peer.caught is not None for peer in honest)
        assert named or all(peer.finished or peer.waiting == (SPOILER,) for peer in honest)
        tally.games["spoiled, its seat named" if named else "spoiled, its seat waited for"] += 1


def in_memory(envelopes: int, salt: int = 0) -> Tally:
    """Sends so many mutated envelopes to tables in memory, one after the other."""
    rng, tally = Random(salt), Tally()
    while tally.sent < envelopes:
        one_game(rng, tally, envelopes)
        if tally.sent * 10 // envelopes >= len(tally.memory):
            tally.note_memory()
    return tally


async def over_sockets(frames: int, folder: Path, salt: int = 0) -> Tally:
    """Sends so many mutated envelopes from one of three seats to the others, over TLS, in a game that is played
    meanwhile.
    """
    rng, tally = Random(salt), Tally()
    async with circle_of_tables(folder, FEW_CARDS) as circle:
        await circle.seat(SEATS)
        tally.note_memory()
        spoiler = circle.tables[SPOILER]
        others = [data for _, data in seated(FEW_CARDS, SEATS, "elsewhere").sent]
        playing = asyncio.create_task(circle.play(salt))
        while tally.sent < frames:
            true = rng.choice(signed_by(spoiler) or [pack(("nothing", b""))])
            for link in links_of(spoiler).values():
                for (_, junk), _ in zip(mutants_of(rng, true, others), range(JUNK_EACH), strict=False):
                    link.send(("envelope", junk))
                    tally.outcomes["sent"] += 1
                while link.unsent > 1 << 18:  # noqa: ASYNC110 - a channel tells nobody when it is read
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0)
            if tally.sent * 10 // frames >= len(tally.memory):
                tally.note_memory()
        await playing
        await circle.all("done")
        tally.note_memory()
        codes = {table.ending.verdict.code for table in circle.tables if table.ending.verdict is not None}
        assert codes == {"fair"}
        tally.games["played to the end"] += 1
    return tally


def mutants_of(rng: Random, true: bytes, others: list[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yields what `mutants` does, also where there is no true one yet."""
    try:
        Envelope.unpack(true)
    except Malformed:
        return (("noise", rng.randbytes(200)) for _ in iter(int, 1))
    return mutants(rng, true, others or [true])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.table")
    parser.add_argument("--envelopes", type=int, default=0, help="at tables in memory")
    parser.add_argument("--frames", type=int, default=0, help="over real sockets")
    parser.add_argument("--salt", type=int, default=0)
    given = parser.parse_args()
    start = time.perf_counter()
    if given.frames:
        with tempfile.TemporaryDirectory() as folder:
            tally = run_loop(over_sockets(given.frames, Path(folder) / "tables", given.salt), 3600)
    else:
        tally = in_memory(given.envelopes or 100_000, given.salt)
    seconds = round(time.perf_counter() - start, 1)
    outcomes = dict(sorted(tally.outcomes.items(), key=lambda pair: -pair[1]))
    print(json.dumps({"on": machine(), "sent": tally.sent, "seconds": seconds, "outcomes": outcomes,
                      "games": tally.games, "memory_mib": tally.memory}, indent=1))  # fmt: skip


if __name__ == "__main__":
    main()
