"""Strangers hold seats at an open table without doing what is due (SPEC.md, section 9.1). All times are a twentieth of
those in the program.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table import lobby
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.channel import ChannelClosed
from kimberley.p2p.transport.dial import dial
from kimberley.p2p.transport.mesh import SEAT
from tests.attacks.attack import Attack, Outcome
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.origins import coming_from, from_address, many_origins
from tests.support.seated import LOOPBACK, circle_of_tables
from tests.support.stones import STONES

FASTER: Final = 20
TRIES: Final = 33
TRY_SECONDS: Final = 120.0 / FASTER
"""The patience of a friend."""
PAUSE_SECONDS: Final = 10.0 / FASTER
"""Between two tries of a friend."""
AGAIN_SECONDS: Final = 0.06
"""Between two connections of a stranger: a listener accepts 20 of them in a second."""


@contextlib.contextmanager
def fast() -> Any:
    """Shortens the times of seats within it, those that this version of the program has."""
    with ExitStack() as stack, many_origins():
        stack.enter_context(patch.object(lobby, "ROUND_SECONDS", lobby.ROUND_SECONDS / FASTER))
        with contextlib.suppress(ImportError, AttributeError):
            from kimberley.p2p.table import admission, hold_ups

            shorter = tuple(seconds / FASTER for seconds in admission.SHUT_OUT_SECONDS)
            stack.enter_context(patch.object(admission, "SHUT_OUT_SECONDS", shorter))
            stack.enter_context(patch.object(hold_ups, "READY_SECONDS", hold_ups.READY_SECONDS / FASTER))
        yield


async def hold(port: int, address: str) -> None:
    """Sits down and does nothing, with a new key each time, and comes back when the seat is lost."""
    while True:
        with contextlib.suppress(UserError, ChannelClosed, OSError):
            channel = await from_address(address, lambda: dial(LOOPBACK, port, Identity.fresh(), (SEAT,)))
            channel.send(("sit", "friend", 0))
            channel.send(("queue",))
            while (await channel.receive())[0] != "refused":
                pass
            await channel.close()
        await asyncio.sleep(AGAIN_SECONDS)


async def _held(folder: Path, addresses: Sequence[str]) -> Outcome:
    async with circle_of_tables(folder, STONES) as circle:
        host = await circle.open(2, headless=False)
        strangers = [asyncio.create_task(hold(host.port, address)) for address in addresses]
        await until(lambda: len(host.occupants.names) == 2)
        came = 0
        for _ in range(TRIES):
            with contextlib.suppress(UserError, TimeoutError), coming_from(LOOPBACK):
                async with asyncio.timeout(TRY_SECONDS):
                    friend = await Table.join(
                        f"{LOOPBACK}:{host.port}",
                        lambda _: STONES,
                        nickname="ben",
                        identity=Identity.fresh(),
                        data=None,
                    )
                    try:
                        await until(lambda friend=friend: friend.phase in ("words", "failed"))  # type: ignore[misc]
                        came += friend.phase == "words"
                    finally:
                        await friend.close()
            await asyncio.sleep(PAUSE_SECONDS)
        for stranger in strangers:
            stranger.cancel()
        await asyncio.gather(*strangers, return_exceptions=True)
        return Outcome(came == TRIES, f"a friend gets in {came} of {TRIES} times")


async def _never_ready(folder: Path) -> Outcome:
    async with circle_of_tables(folder, CARDS) as circle:
        host = await circle.open(3, headless=False)
        ben = await circle.join(headless=False)
        stranger = asyncio.create_task(hold(host.port, "127.0.0.2"))
        await until(lambda: len(host.occupants.names) == 3)
        loop = asyncio.get_running_loop()
        since = loop.time()
        for table in (ben, host):
            table.seating.ready(True)
        with contextlib.suppress(TimeoutError):
            await until(lambda: host.phase == ben.phase == "words", 2 * 120.0 / FASTER)
        took = f"{(loop.time() - since) * FASTER:.0f} s"
        stranger.cancel()
        held = host.phase == "words"
        return Outcome(held, f"the game begins after {took}" if held else f"nothing has begun after {took}")


def _run(attack: Callable[[Path], Coroutine[Any, Any, Outcome]]) -> Callable[[], Outcome]:
    def story() -> Outcome:
        with tempfile.TemporaryDirectory() as folder, fast():
            return run(attack(Path(folder) / "tables"), 900)

    return story


ATTACKS: Final = (
    Attack(
        "idle-seat",
        "A stranger sits at a table of two, answers nothing, and sits down again when the seat is lost.",
        _run(lambda folder: _held(folder, ("127.0.0.2",))),
    ),
    Attack(
        "idle-seats",
        "8 strangers from 4 addresses do that.",
        _run(lambda folder: _held(folder, [f"127.0.0.{2 + number % 4}" for number in range(8)])),
    ),
    Attack("never-ready", "A stranger at a table of three never says that it is ready.", _run(_never_ready)),
)
