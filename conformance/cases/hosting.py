"""A target that hosts, for cases about what comes before a game."""

from __future__ import annotations

from typing import Any

from kimberley.conformance.errors import Failed
from kimberley.conformance.harness.connection import Connection, Frame
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import spelled, to_json
from kimberley.conformance.table.seating_frames import TableDescription
from kimberley.games.table import Plain


async def hosting(harness: Harness, seats: int = 2, asks: Plain = (), **job: Any) -> int:
    """Has the target open a table. Returns its port."""
    options = {"asks": to_json(asks), "last_look": 0}
    return await harness.listening_port(await harness.start_job("host", seats=seats, options=options, **job))


async def expect_card(harness: Harness, port: int) -> Frame:
    """Returns the card of the target's table. Raises Failed if the table is gone."""
    try:
        connection = await harness.connect(port, "looker")
    except OSError as error:
        raise Failed(f"the target does not accept connections any more: {error}") from error
    connection.send("look")
    card = await harness.receive(connection)
    if card[0] != "card":
        raise Failed(f"the target shows {spelled(card)} instead of its card")
    return card


async def expect_end(harness: Harness, connection: Connection, why: str) -> None:
    """Expects the target to end a connection, and to send at most a refusal before."""
    await harness.expect_closed(connection, why)
    answers = [frame for frame in connection.frames if frame[0] != "refused"]
    if answers:
        raise Failed(f"the target answers {spelled(answers)} instead of ending the connection {why}")


async def expect_refusal(harness: Harness, connection: Connection) -> None:
    """Expects the target to send a refusal, and to end the connection."""
    frame = await harness.receive(connection)
    if frame[0] != "refused" or len(frame) != 2 or not isinstance(frame[1], str):
        raise Failed(f"the target answers {spelled(frame)} instead of a refusal")
    await harness.expect_closed(connection, "after a refusal")


async def expect_reason(harness: Harness, connection: Connection, why: str) -> None:
    """Expects the target to end a connection, and to say `refused` before; what came earlier does not matter."""
    await harness.expect_closed(connection, why)
    match [frame for frame in connection.frames if frame[0] in ("refused", "bye")]:
        case [("refused", str())]:
            return
        case frames:
            raise Failed(f"the target ended the connection {why} with {spelled(frames)}, and a refusal is due")


async def newcomer(
    harness: Harness, port: int, nickname: str = "ana", listener: int = 0
) -> tuple[Connection, TableDescription]:
    """Connects a player who sits down. Returns the connection and the table that the target then shows."""
    connection = await harness.connect_seat(port, harness.identity(), name=nickname)
    await harness.receive(connection, "table")
    connection.send("sit", nickname, listener)
    return connection, TableDescription.read(await harness.receive(connection, "table"))
