"""Section 10.2: spectators that lose their connection and come back."""

from __future__ import annotations

from contextlib import suppress

from kimberley.conformance.case import case
from kimberley.conformance.cases.s10_third import check_shown, show
from kimberley.conformance.cases.scripts import whole
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.harness.harness import Harness, SuiteListener
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.harness.target import Job
from kimberley.conformance.plain import spelled, to_json
from kimberley.conformance.table.offline import ASKS, OfflineGame
from kimberley.conformance.table.table import open_table


@case(
    "10-83",
    "A spectator that comes back",
    covers=("M-ONL-1", "M-STG-6"),
    expect="`watching`, the signed roster, and again everything from the first envelope on",
)
async def comes_back(harness: Harness) -> None:
    async with open_table(harness, whole(3), seats=3) as table:
        identity = harness.identity()
        connection = await harness.connect_spectator(table.port, identity)
        await table.until(3)
        await harness.receive(connection, "envelope")
        connection.abort()
        await table.until(6)
        connection = await harness.connect_spectator(table.port, identity)
        await table.finish()
        await harness.wait_until(
            lambda: connection.count("envelope") >= len(table.transcript), "every envelope for the spectator"
        )
        check_shown(table, connection.frames[1:])


@case(
    "10-70",
    "A spectator that waits for the next game",
    covers=("M-ONL-1", "M-STG-6"),
    expect="another signed roster on the same connection, and that game from its first envelope on",
)
async def waits_for_the_next(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)),), job={"games": 3}) as table:
        connection = await harness.connect_spectator(table.port)
        await table.finish()
        await table.next_game()
        await table.begin_again()
        await table.finish()
        await harness.wait_until(
            lambda: connection.count("game") == 2, "`game`, for the next game, since the spectator has stayed"
        )
        kinds = [frame[0] for frame in connection.frames]
        second = connection.frames[len(kinds) - 1 - kinds[::-1].index("game") :]
        await harness.wait_until(
            lambda: len(connection.frames) - len(kinds) + len(second) > len(table.transcript),
            "every envelope of the next game for the spectator",
        )
        check_shown(table, connection.frames[len(kinds) - len(second) :])


async def watched(harness: Harness, written: OfflineGame, host: SuiteIdentity) -> tuple[Job, SuiteListener]:
    """Lets the target watch at a seat of the suite, see the first roll, and lose its connection."""
    listener = await harness.listen()
    job = await harness.start_job("watch", port=listener.port, options={"asks": to_json(ASKS)})
    connection = await harness.accept(listener, host)
    beginning = [number for number, one in enumerate(written.envelopes) if one.step <= 1]
    await show(harness, connection, written, slice(len(beginning)))
    await harness.await_event(job, "answered")
    connection.abort()
    return job, listener


@case(
    "10-84",
    "A spectator that loses the seat it watches",
    covers=("S-ONL-4",),
    expect="it connects again, says what it has, and reports each answer once",
)
async def watches_again(harness: Harness) -> None:
    written, host = OfflineGame().closed(), harness.identity()
    job, listener = await watched(harness, written, host)
    connection = await harness.accept(listener, host, at=1)
    expect(connection.purpose == ("watch",), f"the target comes back with the purpose {spelled(connection.purpose)}")
    await show(harness, connection, written)
    over = await harness.await_event(job, "over")
    steps = [event["step"] for event in job.all("answered")]
    expect(
        over.get("done") and steps == [1, 2, 3], f"the target reported the answers of the steps {steps}, then {over}"
    )


@case(
    "10-85",
    "A spectator that finds somebody else where the seat was",
    covers=("M-HEL-5",),
    expect="the target ignores what it is shown there",
)
async def somebody_else(harness: Harness) -> None:
    written = OfflineGame().closed()
    job, listener = await watched(harness, written, harness.identity())
    await harness.wait_until(lambda: len(listener.connections) > 1, "another connection of the target", 20.0)
    # The target may stop after m2, which names somebody else, or after the hello; with `refused` or without.
    with suppress(Failed):
        await show(harness, await harness.accept(listener, harness.identity(), at=1), written)
    await harness.expect_closed(listener.connections[1], "to an identity that is not the seat's")
    steps = [event["step"] for event in job.all("answered")]
    expect(steps == [1], f"the target reported the answers of the steps {steps}")
