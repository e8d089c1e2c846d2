"""What runs in a page instead of the app (`client.browser.start`): a bot plays the seat, and the page hears of it.

This file is put into the program that a test's page gets.
"""

from __future__ import annotations

import asyncio
import time
import traceback
from pathlib import Path
from typing import Any

from kimberley.client.browser.javascript import JavaScriptPage
from kimberley.client.browser.page_services import PageServices
from kimberley.client.browser.seat import open_seat
from kimberley.client.session.bots import drive
from kimberley.client.session.services import JoinedTournament
from kimberley.games.bots.levels import make_bot
from kimberley.games.table import Observation
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.tasks import tell_errors
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.room_door import NO_HOST
from tests.support.page_crypto import faults


async def start(page: Any) -> None:
    """Joins, or resumes, and plays one game. Each phase is posted, and finally the record. The first to come into a
    room opens a table there. If `told` is set, the page says what to do, until it says that the bot plays on.
    """
    port = JavaScriptPage(page)
    services, message = await open_seat(port, Path("/seat"))
    tell_errors(lambda text: port.post({"kind": "error", "text": text}))
    orders = Orders(port) if message.get("told") else None
    while (table := await sit_down(services, port)) is None:
        assert orders is not None
        await orders.next("sit")
    tell_phases(table, port)
    if orders is not None:
        await orders.obey(table)
    if seconds := message.get("compares"):
        port.post({"kind": "compared", "faults": faults(Path(__file__).parent, 7, seconds)})
    began = time.perf_counter()
    try:
        await drive(table, make_bot(table.game, int(message.get("level", 1)), 7))
    except Exception:
        # The page itself says only how it ended.
        port.post({"kind": "error", "text": traceback.format_exc()})
        raise
    record = table.ending.record.read_bytes() if table.ending.record is not None else b""
    port.post(
        {"kind": "over", "record": record, "seconds": time.perf_counter() - began, "problem": table.problem or ""}
    )
    await asyncio.Event().wait()


async def sit_down(services: PageServices, port: JavaScriptPage) -> Table | None:
    """Takes a seat. Returns None if there is none, and the page hears why."""
    unfinished = await services.unfinished()
    try:
        table = await (services.resume(None) if unfinished else services.join(services.where))
    except UserError as refused:
        if port.host_key != NO_HOST:
            port.post({"kind": "no seat", "text": str(refused), "records": len(await services.records())})
            return None
        table = await services.host("diamond", {}, 2)
    assert not isinstance(table, JoinedTournament)
    port.post({"kind": "seated", "resumed": bool(unfinished and table.phase not in ("open", "words"))})
    return table


class Orders:
    """What the page says to do."""

    def __init__(self, port: JavaScriptPage) -> None:
        self._port = port
        self._heard: asyncio.Queue[str] = asyncio.Queue()
        port.on_message = lambda message: self._heard.put_nowait(str(message["what"]))

    async def next(self, *wanted: str) -> str:
        """Returns the next of these orders."""
        while (heard := await self._heard.get()) not in wanted:
            pass
        return heard

    async def obey(self, table: Table) -> None:
        """Does what the page says, until it says that the bot plays on. Posts each choice."""
        bot = make_bot(table.game, 1, 7)
        while (what := await self.next("same", "choose", "play")) != "play":
            if what == "same":
                table.words.answer(True)
                continue
            assert table.peer is not None
            assert table.peer.asked is not None
            step = table.peer.asked.step
            table.play.choose(bot.choose(Observation(table.occupants.seat, table.peer.state, table.peer.story)))
            self._port.post({"kind": "chose", "step": step})


def tell_phases(table: Table, port: JavaScriptPage) -> None:
    told: list[str] = []

    def tell(_event: object) -> None:
        steps = table.peer.asked.step if table.peer is not None and table.peer.asked is not None else 0
        now = f"{table.phase} {steps}"
        if told[-1:] != [now]:
            told.append(now)
            port.post({"kind": "phase", "phase": table.phase, "step": steps, "problem": table.problem or ""})

    table.subscribe(tell)
    tell(None)
