"""A host that calls a seat a bot, so that a person's program does not ask for the four words (SPEC.md, section 9)."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from p2p.frames import Frame
from p2p.identity import Identity, KnownKeys
from p2p.lobby import HostLobby
from p2p.table import Table
from p2p.trouble import Trouble
from tests.attacks.attack import Attack, Outcome
from tests.support.cards import CARDS
from tests.support.seated import circle_of_tables

PATIENCE_SECONDS: Final = 3.0
"""For a person's program to say by itself that the words are the same: where it does, it takes a tenth of that."""


def call_bot(host: Table, nickname: str) -> None:
    """From now on a host says that whoever sits at its table under a nickname is a bot."""
    lobby = host._lobby
    assert isinstance(lobby, HostLobby)
    right = lobby._table

    def lying() -> Frame:
        sitting = tuple(
            replace(one, bot=one.bot or name == nickname).plain()
            for (_, name), one in zip(lobby.people, lobby.sitting, strict=True)
        )
        return *right()[:-1], sitting

    lobby._table = lying  # type: ignore[method-assign]


async def _said_same(victim: Table, since: float) -> Outcome:
    """Whether a person's program agrees to the words by itself, and how it knows the keys."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_SECONDS):
            while victim.phase == "open" or not victim.agreed[victim.seat]:  # noqa: ASYNC110 - what is attacked is only watched
                await asyncio.sleep(0.01)
            known = ", ".join(victim.acquaintance)
            return Outcome(False, f'says "same" by itself after {time.monotonic() - since:.2f} s; keys: {known}')
    return Outcome(True, f"the person is asked to compare; keys: {', '.join(victim.acquaintance)}")


async def _host_calls_itself_a_bot(folder: Path) -> Outcome:
    async with circle_of_tables(folder, CARDS) as circle:
        host = await circle.open(2, headless=False)
        KnownKeys(folder / "ben").remember({Identity.fresh().public: "ana"}, verified=True)
        call_bot(host, "ana")
        since = time.monotonic()
        try:
            ben = await circle.join(headless=False)
        except Trouble as error:
            return Outcome(True, f"the person does not sit down: {error}")
        for table in (host, ben):
            table.ready(True)
        return await _said_same(ben, since)


async def _host_calls_another_seat_a_bot(folder: Path) -> Outcome:
    async with circle_of_tables(folder, CARDS) as circle:
        host = await circle.open(3, headless=False)
        known = KnownKeys(folder / "ben")
        known.remember({Identity.load_or_create(folder / "ana").public: "ana"}, verified=True)
        known.remember({Identity.fresh().public: "cleo"}, verified=True)
        call_bot(host, "cleo")
        since = time.monotonic()
        ben = await circle.join(headless=False)
        cleo = await circle.join(headless=False)
        for table in (host, ben, cleo):
            table.ready(True)
        return await _said_same(ben, since)


def _run(attack: Callable[[Path], Coroutine[Any, Any, Outcome]]) -> Callable[[], Outcome]:
    def run() -> Outcome:
        with tempfile.TemporaryDirectory() as folder:
            return asyncio.run(attack(Path(folder)))

    return run


ATTACKS: Final = (
    Attack(
        "bot-host",
        "A host under the name of a friend calls itself a bot: nobody needs to compare words with bots.",
        _run(_host_calls_itself_a_bot),
    ),
    Attack(
        "bot-seat",
        "A host calls another seat a bot that sits there under the name of a friend.",
        _run(_host_calls_another_seat_a_bot),
    ),
)
