"""What runs in a page instead of the app (`client.browser.start`): a bot plays the seat, and the page hears of it.

This file is put into the program that a test's page gets.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from kimberley.client.browser.javascript import JavaScriptPage
from kimberley.client.browser.seat import open_seat
from kimberley.client.session.bots import drive
from kimberley.client.session.ports import TableLike
from kimberley.client.session.services import JoinedTournament
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.tasks import tell_errors
from kimberley.p2p.transport.room_door import NO_HOST
from tests.support.page_crypto import faults


async def start(page: Any) -> None:
    """Joins, or resumes, and plays one game. Each phase is posted, and at last the record. Who comes first into a room
    opens a table there.
    """
    port = JavaScriptPage(page)
    services, message = await open_seat(port, Path("/seat"))
    tell_errors(lambda text: port.post({"kind": "error", "text": text}))
    unfinished = await services.unfinished()
    try:
        table = await (services.resume(None) if unfinished else services.join(services.where))
    except UserError:
        assert port.host_key == NO_HOST
        table = await services.host("diamond", {}, 2)
    assert not isinstance(table, JoinedTournament)
    port.post({"kind": "seated", "resumed": bool(unfinished)})
    tell_phases(table, port)
    if seconds := message.get("compares"):
        port.post({"kind": "compared", "faults": faults(Path(__file__).parent, 7, seconds)})
    began = time.perf_counter()
    await drive(table, table.game.bot(int(message.get("level", 1)), 7))
    record = table.record.read_bytes() if table.record is not None else b""
    port.post(
        {"kind": "over", "record": record, "seconds": time.perf_counter() - began, "problem": table.problem or ""}
    )
    await asyncio.Event().wait()


def tell_phases(table: TableLike, port: JavaScriptPage) -> None:
    told: list[str] = []

    def tell(_event: object) -> None:
        steps = table.peer.asked.step if table.peer is not None and table.peer.asked is not None else 0
        now = f"{table.phase} {steps}"
        if told[-1:] != [now]:
            told.append(now)
            port.post({"kind": "phase", "phase": table.phase, "step": steps})

    table.subscribe(tell)
    tell(None)
