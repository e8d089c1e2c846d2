"""Section 6: what a target announces on the network, and whom it looks for there. Targets that claim `discovery`."""

from __future__ import annotations

import re

from client.conformance.bench import Bench
from client.conformance.case import Failed, case, expect
from client.conformance.cases.hosting import hosting, looks, newcomer
from client.conformance.cases.s10_links import GAME, lose
from client.conformance.multicast import SEATS, TABLES, Announced, Multicast, seat_name, table_name
from client.conformance.plain import spelled

FRESH = re.compile(r"[0-9a-f]{8}")


async def announced(bench: Bench, network: Multicast, beginning: str, what: str) -> Announced:
    """The only announcement whose name begins so, when it is there. Raises Failed for one of another form."""
    await bench.wait(lambda: network.named(beginning), f"{what}: a name that begins with {beginning}")
    (one, *more) = network.named(beginning)
    expect(not more, f"{what} comes under {len(more) + 1} names")
    expect(FRESH.fullmatch(one.name.removeprefix(beginning)), f"{what} has the name {one.name}")
    return one


async def host_identity(bench: Bench, port: int) -> bytes:
    """The identity on the target's card. Raises Failed."""
    card = await looks(bench, port)
    if not isinstance(card[3], bytes):
        raise Failed(f"the card is {spelled(card)}")
    return card[3]


@case(
    "06-01",
    "The announcement of a table",
    covers=("M-DSC-6",),
    expect="instance, port and TXT as in section 6, and the free seats as they become fewer",
)
async def announcement(bench: Bench) -> None:
    async with Multicast(TABLES, bench.stir) as network:
        port = await hosting(bench, seats=3, nickname="Zoë", discovery=True)
        identity = await host_identity(bench, port)
        beginning = table_name(identity)
        one = await announced(bench, network, beginning, "the announcement of the table")
        due = {
            "txtvers": "1",
            "revisions": "2",
            "game": "script",
            "rules": "1",
            "open": "2",
            "nickname": "Zoë",
            "fingerprint": identity.hex()[:4],
        }
        shown = {key: value for key, value in one.txt.items() if key in due}
        expect(shown == due, f"the TXT record holds {spelled(one.txt)}, and {spelled(due)} is due")
        expect(one.port == port, f"the SRV record names port {one.port}, and the target listens at {port}")
        await newcomer(bench, port)
        await bench.wait(
            lambda: [found.txt.get("open") for found in network.named(beginning)] == ["1"],
            "an announcement with `open=1`, since two sit at a table of three",
        )


@case(
    "06-02",
    "The names of two runs",
    covers=("M-DSC-6",),
    expect="another name in each run, though the identity is the same",
)
async def fresh_names(bench: Bench) -> None:
    names: list[str] = []
    async with Multicast(TABLES, bench.stir) as network:
        for _ in range(2):
            port = await hosting(bench, data=str(bench.folder / "one"), discovery=True)
            beginning = table_name(await host_identity(bench, port))
            await bench.wait(
                lambda seen=(*names,), begins=beginning: {one.name for one in network.named(begins)} - {*seen},  # type: ignore[misc]
                "an announcement of this run, under a name of its own",
            )
            names += [one.name for one in network.named(beginning) if one.name not in names]
            bench.jobs[-1].do("stop")
            await bench.event(bench.jobs[-1], "over")


@case(
    "06-03",
    "A seat that is lost, and found at another address",
    covers=("S-DSC-5",),
    expect="the target announces its seat, connects to where the other one is announced, and then announces no more",
    seconds=120,
)
async def found_again(bench: Bench) -> None:
    async with (
        Multicast(SEATS, bench.stir) as network,
        bench.table(GAME, job={"discovery": True}) as table,
    ):
        await table.until(3)
        await lose(bench, table, 1)
        beginning = seat_name(table.signed.game_id, table.target_identity)
        one = await announced(bench, network, beginning, "the announcement of the target's seat")
        expect(one.port == table.port, f"the SRV record names port {one.port}, and the target listens at {table.port}")
        expect(one.txt.get("txtvers") == "1", f"the TXT record holds {spelled(one.txt)}")
        chair = table.chairs[1]
        chair.door = await bench.door()
        await network.announce(seat_name(table.signed.game_id, chair.identity.public), chair.door.port)
        await table.redialled(1, 0)
        await bench.wait(lambda: not network.named(beginning), "the end of its announcement, since nobody is missed")
        await table.finish()
