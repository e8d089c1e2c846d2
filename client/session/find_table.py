"""From what somebody types after `join` to a table that answers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Final

from p2p.address import parse
from p2p.dial import Look, Unreachable
from p2p.discovery import Browser, Found
from p2p.text import clean
from p2p.trouble import Trouble

LOOK_AGAIN_SECONDS: Final = (0.5, 0.0)
"""Between looks at an address, where many come at once."""
SECONDS: Final = 6.0
"""How long a named table is looked for: a host's announcement takes up to two."""


async def find_table(
    where: str | None, listening: AbstractAsyncContextManager[Browser], seconds: float = SECONDS
) -> Found | str:
    """The table that `where` names: by its host's nickname, by its own name, or by an address; None names any.

    `listening` is entered where there is a name to be heard. An address is handed back as it is: nothing has been tried
    there. Raises Trouble where nothing was found, or more than one.
    """
    if where is not None and any(mark in where for mark in ".:["):
        parse(where)
        return where
    async with listening as browser:
        found = await _named(browser, where, seconds)
        if found is not None:
            return found
        problem = browser.problem
    if where is None:
        raise Trouble(problem or "No table with a free seat was found. Name an address: kimberley join 192.168.1.7.")
    try:
        parse(where)
    except Trouble:
        raise Trouble(
            f'No table of "{clean(where, 80)}" was found on this network. Is it spelled as the host has it? '
            "If so, type the address that the host's screen shows, like 192.168.1.7."
        ) from None
    return where


async def is_cup(table: Found | str) -> bool:
    """Whether it is a tournament that was found, or that is at an address; where nobody answers there it is none."""
    if isinstance(table, Found):
        return table.card.cup is not None
    for pause in LOOK_AGAIN_SECONDS:
        with contextlib.suppress(Unreachable):
            look = await Look.at(*parse(table))
            await look.close()
            return look.card.cup is not None
        await asyncio.sleep(pause)
    return False


async def _named(browser: Browser, where: str | None, seconds: float) -> Found | None:
    """The table of that name, as soon as it is there; None if it does not come."""
    came = asyncio.Event()
    wanted: Callable[[Found], bool] = (lambda table: table.open > 0) if where is None else (lambda t: _is(t, where))
    stop = browser.subscribe(lambda _listing: came.set())
    try:
        async with asyncio.timeout(seconds if browser.problem is None else 0):
            while True:
                came.clear()
                fitting = [table for table in browser.found if wanted(table)]
                if len({table.card.identity for table in fitting}) > 1 and where is not None:
                    addresses = ", ".join(f"{table.address} ({table.card.fingerprint})" for table in fitting)
                    raise Trouble(f'Several hosts are called "{clean(where, 80)}". Join one by address: {addresses}.')
                if fitting:
                    return fitting[0]
                await came.wait()
    except TimeoutError:
        return None
    finally:
        stop()


def _is(table: Found, name: str) -> bool:
    card = table.card
    known = (card.nickname, table.name, card.cup.name if card.cup is not None else card.nickname)
    return name.casefold() in map(str.casefold, known)
