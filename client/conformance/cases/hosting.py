"""A target that hosts, for cases about what comes before a table."""

from __future__ import annotations

from typing import Any

from client.conformance.bench import Bench
from client.conformance.case import Failed
from client.conformance.plain import Plain, spelled, to_json
from client.conformance.seating import TableFrame
from client.conformance.wire import Frame, Line


async def hosting(bench: Bench, seats: int = 2, asks: Plain = (), **job: Any) -> int:
    """The port of a table that the target has opened."""
    options = {"asks": to_json(asks), "last_look": 0}
    return await bench.listening(await bench.job("host", seats=seats, options=options, **job))


async def looks(bench: Bench, port: int) -> Frame:
    """The card that the target still shows to who looks. Raises Failed where it is gone."""
    try:
        line = await bench.connect(port, "looker")
    except OSError as error:
        raise Failed(f"the target lets nobody in any more: {error}") from error
    line.send("look")
    card = await bench.receive(line)
    if card[0] != "card":
        raise Failed(f"the target shows {spelled(card)} instead of its card")
    return card


async def ends(bench: Bench, line: Line, why: str) -> None:
    """The target must end a connection, with a refusal at most."""
    await bench.closed(line, why)
    answers = [frame for frame in line.frames if frame[0] != "refused"]
    if answers:
        raise Failed(f"the target answers {spelled(answers)}, and should end the connection {why}")


async def refused(bench: Bench, line: Line) -> None:
    """The target must say that it refuses, and end the connection."""
    frame = await bench.receive(line)
    if frame[0] != "refused" or len(frame) != 2 or not isinstance(frame[1], str):
        raise Failed(f"the target answers {spelled(frame)}, and should refuse")
    await bench.closed(line, "after a refusal")


async def newcomer(bench: Bench, port: int, nickname: str = "ana", door: int = 0) -> tuple[Line, TableFrame]:
    """Somebody who has sat down."""
    line = await bench.seat_line(port, bench.identity(), name=nickname)
    await bench.receive(line, "table")
    line.send("sit", nickname, door)
    return line, TableFrame.read(await bench.receive(line, "table"))
