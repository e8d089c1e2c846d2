"""Section 6: what a target announces on the network, and how it looks for seats. For targets that claim `discovery`."""

from __future__ import annotations

import re

from kimberley.conformance.case import case
from kimberley.conformance.cases.hosting import expect_card, hosting, newcomer
from kimberley.conformance.cases.s10_links import GAME, lose
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.harness.announcements import (
    SEATS,
    TABLES,
    Announcement,
    ServiceBrowser,
    seat_name,
    table_name,
)
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.table import open_table

FRESH = re.compile(r"[0-9a-f]{8}")


async def announced(harness: Harness, network: ServiceBrowser, beginning: str, what: str) -> Announcement:
    """Waits for the only announcement whose name has this beginning. Raises Failed if its name has another form."""
    await harness.wait_until(lambda: network.named(beginning), f"{what}: a name that begins with {beginning}")
    (one, *more) = network.named(beginning)
    expect(not more, f"{what} has {len(more) + 1} names at the same time")
    expect(FRESH.fullmatch(one.name.removeprefix(beginning)), f"{what} has the name {one.name}")
    return one


async def host_identity(harness: Harness, port: int) -> bytes:
    """Returns the identity on the target's card. Raises Failed."""
    card = await expect_card(harness, port)
    if not isinstance(card[3], bytes):
        raise Failed(f"the card is {spelled(card)}")
    return card[3]


@case(
    "06-01",
    "The announcement of a table",
    covers=("M-DSC-6",),
    expect="instance, port and TXT record as in section 6; the number of free seats falls as seats are taken",
)
async def announcement(harness: Harness) -> None:
    async with ServiceBrowser(TABLES, harness.notify, harness.traffic) as network:
        port = await hosting(harness, seats=3, nickname="Zoë", discovery=True)
        identity = await host_identity(harness, port)
        beginning = table_name(identity)
        one = await announced(harness, network, beginning, "the announcement of the table")
        due = {
            "txtvers": "1",
            "revisions": "3",
            "game": "script",
            "rules": "1",
            "open": "2",
            "nickname": "Zoë",
            "fingerprint": identity.hex()[:4],
        }
        texts = {key: value for key, value in one.txt.items() if key in due}
        expect(texts == due, f"the TXT record is {spelled(one.txt)}, and {spelled(due)} is due")
        expect(one.port == port, f"the SRV record has port {one.port}, but the target listens at {port}")
        await newcomer(harness, port)
        await harness.wait_until(
            lambda: [entry.txt.get("open") for entry in network.named(beginning)] == ["1"],
            "an announcement with `open=1`, since two sit at a table of three",
        )


@case(
    "06-02",
    "The names of two runs",
    covers=("M-DSC-6",),
    expect="a new name in each run, although the identity is the same",
)
async def fresh_names(harness: Harness) -> None:
    names: list[str] = []
    async with ServiceBrowser(TABLES, harness.notify, harness.traffic) as network:
        for _ in range(2):
            port = await hosting(harness, data=str(harness.folder / "one"), discovery=True)
            beginning = table_name(await host_identity(harness, port))
            await harness.wait_until(
                lambda seen=(*names,), begins=beginning: {one.name for one in network.named(begins)} - {*seen},  # type: ignore[misc]
                "an announcement of this run with a new name",
            )
            names += [one.name for one in network.named(beginning) if one.name not in names]
            harness.jobs[-1].do("stop")
            await harness.await_event(harness.jobs[-1], "over")


@case(
    "06-03",
    "A seat that is lost, and found at another address",
    covers=("S-DSC-5",),
    expect="the target announces its seat, connects to the announced address of the other one, and stops announcing",
    seconds=120,
)
async def found_again(harness: Harness) -> None:
    async with (
        ServiceBrowser(SEATS, harness.notify, harness.traffic) as network,
        open_table(harness, GAME, job={"discovery": True}) as table,
    ):
        await table.until(3)
        await lose(harness, table, 1)
        beginning = seat_name(table.signed.game_id, table.target_identity)
        one = await announced(harness, network, beginning, "the announcement of the target's seat")
        expect(one.port == table.port, f"the SRV record has port {one.port}, but the target listens at {table.port}")
        expect(one.txt.get("txtvers") == "1", f"the TXT record is {spelled(one.txt)}")
        suite_seat = table.suite_seats[1]
        suite_seat.listener = await harness.listen()
        await network.announce(seat_name(table.signed.game_id, suite_seat.identity.public), suite_seat.listener.port)
        await table.await_reconnect(1, 0)
        await harness.wait_until(
            lambda: not network.named(beginning), "the end of its announcement, since no seat is missing any more"
        )
        await table.finish()
