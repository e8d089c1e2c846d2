"""Finds the table that the user named after `join`."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Final

from kimberley.p2p.base.backoff import Backoff
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.text import clean
from kimberley.p2p.discovery.mdns import Browser, DiscoveredTable, wait_for_table
from kimberley.p2p.far.codes import read_code
from kimberley.p2p.far.ways import port_of
from kimberley.p2p.transport.address import as_address, parse_address
from kimberley.p2p.transport.dial import CardProbe, Unreachable
from kimberley.p2p.transport.table_card import TableCard

_NUMBERS: Final = re.compile(r"\d+\.[\d.]+(:\w*)?|.*::.*|\[.*")
"""What is meant as a numeric address, valid or not."""

LOOK_AGAIN_SECONDS: Final = 0.5
"""How long to wait before an address is probed once more, in case many join at once."""
NAMESAKE_SECONDS: Final = 0.7
"""How long to look for others with a name that was found: the first to answer need not be the one that is meant."""
SECONDS: Final = 6.0
"""How long to look for a named table. A host's announcement takes up to two seconds."""


async def find_table(
    where: str | None, listening: AbstractAsyncContextManager[Browser], seconds: float = SECONDS
) -> DiscoveredTable | str:
    """Finds the table that `where` names: by its host's nickname, its own name, an address or a code. None means
    any table.

    `listening` is entered only to look for a name. An address is returned as it is, without trying it; a code once
    its table is reached. Raises UserError if no table was found, or more than one.
    """
    if where is not None and (code := read_code(where)) is not None:
        await port_of(code)
        return code
    if where is not None and is_no_name(where):
        parse_address(where)
        return where
    async with listening as browser:
        table = await _named(browser, where, seconds)
        if table is not None:
            return table
        problem = browser.problem
    if where is None:
        raise UserError(problem or "No table with a free seat found. Give an address: kimberley join 192.168.1.7.")
    try:
        parse_address(where)
    except UserError:
        raise UserError(
            f'No table called "{clean(where, 80)}" was found on this network. Check the spelling, or type the address '
            "from the host’s screen, such as 192.168.1.7. If you are in different places, the host types "
            "kimberley host --far."
        ) from None
    return where


def is_no_name(where: str) -> bool:
    """Returns whether this can only be an address: no table is then looked for by name. "Dr. No" and "Cup: Final" are
    names, and "games.example" may be either.
    """
    usual = as_address(where)
    if _NUMBERS.fullmatch(usual):
        return True
    try:
        host, _ = parse_address(usual)
    except UserError:
        return False
    return ":" in usual or host.lower().endswith(".local")


async def is_tournament(table: DiscoveredTable | str) -> bool:
    """Returns whether the table found, or the one at an address, is a tournament. False if nobody answers at the
    address.
    """
    card = await read_card(table)
    return card is not None and card.tournament is not None


async def read_card(table: DiscoveredTable | str) -> TableCard | None:
    """Returns the card of the table found, or of the one at an address. None if nobody answers at the address."""
    if isinstance(table, DiscoveredTable):
        return table.card
    backoff = Backoff((LOOK_AGAIN_SECONDS,))
    while True:
        with contextlib.suppress(Unreachable):
            look = await CardProbe.connect(*parse_address(table))
            await look.close()
            return look.card
        if backoff.failures:
            return None
        await asyncio.sleep(backoff.next())


async def _named(browser: Browser, where: str | None, seconds: float) -> DiscoveredTable | None:
    """Returns the table of that name; None if it does not appear in time. Raises UserError if several have the name."""
    wanted: Callable[[DiscoveredTable], bool] = (
        (lambda table: table.open > 0) if where is None else (lambda t: _is(t, where))
    )
    first = await wait_for_table(browser, wanted, seconds)
    if first is None or where is None:
        return first
    await asyncio.sleep(NAMESAKE_SECONDS)
    fitting = list(filter(wanted, browser.found)) or [first]
    if len({table.card.identity for table in fitting}) > 1:
        addresses = ", ".join(f"{table.address} ({table.card.fingerprint})" for table in fitting)
        raise UserError(f'Several hosts are called "{clean(where, 80)}". Join one by address: {addresses}.')
    return fitting[0]


def _is(table: DiscoveredTable, name: str) -> bool:
    card = table.card
    known = (card.nickname, table.name, card.tournament.name if card.tournament is not None else card.nickname)
    return clean(name).casefold() in map(str.casefold, known)
