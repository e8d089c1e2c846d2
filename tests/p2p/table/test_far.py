"""Friends far away: a table that is resumed waits for those who came to it, and for nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from kimberley.p2p.far import door
from kimberley.p2p.far.codes import FarKey, FarServers
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import list_journals
from kimberley.p2p.table.table import Table
from tests.support.asyncs import run, until
from tests.support.comeback import back, die
from tests.support.far import PretendFarProcess
from tests.support.seated import LOOPBACK, QUICK, Pair, pair_of_tables
from tests.support.stones import STONES

SERVERS = FarServers("ws://mailbox.example:4000/v1", "tcp:relay.example:4001")


def key(number: int) -> FarKey:
    return FarKey(f"{number}-velvet-harbor", bytes([number]) * 32, SERVERS.relay)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[PretendFarProcess]:
    found: list[PretendFarProcess] = []
    monkeypatch.setattr(PretendFarProcess, "made", found, raising=False)
    monkeypatch.setattr(door, "FarProcess", PretendFarProcess)
    return found


async def open_at(tables: Pair, port: int) -> Table:
    identity = Identity.load_or_create(tables.ana)
    more = {"options": QUICK, "port": port, "bind": LOOPBACK, "announce": False, "headless": True}
    tables.host = await Table.open(STONES, nickname="ana", identity=identity, data=tables.ana, **more)  # type: ignore[arg-type]
    return tables.follow(tables.host, "ana")


def come(table: Table, process: PretendFarProcess, number: int) -> None:
    """Lets somebody join by a new code."""
    table.far.invite(SERVERS)
    process.say(code=key(number).code)
    process.say(key=key(number).plain())


def test_a_resumed_table_waits_for_those_who_came_to_it_not_to_an_earlier_one_at_its_port(
    made: list[PretendFarProcess], tmp_path: Path
) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            earlier = await open_at(tables, 0)
            port = earlier.port
            earlier.far.invite(SERVERS)
            come(earlier, made[0], 1)
            earlier.departures.leave()
            await earlier.close()
            host = await open_at(tables, port)
            host.far.invite(SERVERS)
            assert made[1].orders[0]["keys"] == []
            come(host, made[1], 2)
            await tables.join(headless=True)
            await tables.both("playing")
            # A spectator, after the game has begun.
            come(host, made[1], 3)
            (journal,) = list_journals(tables.ana)
            await until(lambda: key(3).key in journal.read_bytes())
            await die(host)
            again = tables.follow(await back(tables.ana, STONES, port=port), "ana")
            assert again.far.used
            assert made[2].orders[0]["keys"] == [key(2).plain(), key(3).plain()]

    run(story())
