"""A host's statements about its table keep a player's program from asking for the four words (SPEC.md, section 9)."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.identity import Identity, KnownKeys
from kimberley.p2p.table.lobby import HostLobby
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.frames import Frame
from tests.attacks.attack import Attack, Outcome
from tests.support.asyncs import until
from tests.support.cards import CARDS
from tests.support.inside import lobby_of
from tests.support.seated import circle_of_tables

PATIENCE_SECONDS: Final = 3.0
"""How long to wait for a person's program to confirm the words by itself. A vulnerable one takes a tenth of that."""


def call_bot(host: Table, nickname: str) -> None:
    """Makes a host claim that the player with this nickname is a bot."""
    lobby = lobby_of(host)
    assert isinstance(lobby, HostLobby)
    right = lobby.table_frame

    def lying() -> Frame:
        sitting = tuple(
            replace(one, bot=one.bot or name == nickname).plain()
            for (_, name), one in zip(lobby.people, lobby.sitting, strict=True)
        )
        return *right()[:-1], sitting

    lobby.table_frame = lying  # type: ignore[method-assign]


async def _said_same(victim: Table, since: float) -> Outcome:
    """Whether a person's program confirms the words by itself, and what it says about the keys."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_SECONDS):
            while victim.phase == "open" or not victim.words.agreed[victim.occupants.seat]:  # noqa: ASYNC110 - what is attacked is only watched
                await asyncio.sleep(0.01)
            known = ", ".join(victim.words.acquaintance)
            return Outcome(False, f'says "same" by itself after {time.monotonic() - since:.2f} s; keys: {known}')
    return Outcome(True, f"the person is asked to compare; keys: {', '.join(victim.words.acquaintance)}")


async def _host_calls_itself_a_bot(folder: Path) -> Outcome:
    async with circle_of_tables(folder, CARDS) as circle:
        host = await circle.open(2, headless=False)
        KnownKeys(folder / "ben").remember({Identity.fresh().public: "ana"}, verified=True)
        call_bot(host, "ana")
        since = time.monotonic()
        try:
            ben = await circle.join(headless=False)
        except UserError as error:
            return Outcome(True, f"the person does not sit down: {error}")
        for table in (host, ben):
            table.seating.ready(True)
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
            table.seating.ready(True)
        return await _said_same(ben, since)


async def _host_takes_a_name_for_another_game(folder: Path) -> Outcome:
    async with circle_of_tables(folder, CARDS) as circle:
        host = await circle.open(2, headless=False)
        KnownKeys(folder / "ben").remember({Identity.fresh().public: "cleo"}, verified=True)
        ben = await circle.join(headless=False)
        await circle.all("words")
        for table in (host, ben):
            table.words.answer(True)
        await circle.all("playing")
        await circle.play()
        lobby = lobby_of(host)
        lobby.people = tuple((key, "cleo" if name == "ana" else name) for key, name in lobby.people)
        since, last = time.monotonic(), ben.game_id
        for table in (host, ben):
            table.rematch.want()
        await until(lambda: ben.game_id != last and ben.phase not in ("open", "done"))
        return await _said_same(ben, since)


async def _host_shows_a_friend_whose_place_it_signs_itself(folder: Path) -> Outcome:
    async with circle_of_tables(folder, CARDS) as circle:
        host = await circle.open(2, headless=False)
        friend = Identity.fresh().public
        KnownKeys(folder / "ben").remember({friend: "ana"}, verified=True)
        lobby = lobby_of(host)
        assert isinstance(lobby, HostLobby)
        ask_all = lobby.ask_all

        def lying(frame: Frame) -> None:
            if frame[0] == "nonces":
                right = lobby.people
                lobby.people = tuple((friend if name == "ana" else key, name) for key, name in right)
                for link in lobby.links.values():
                    link.send(lobby.table_frame())
                lobby.people = right
            ask_all(frame)

        lobby.ask_all = lying  # type: ignore[method-assign]
        since = time.monotonic()
        ben = await circle.join(headless=False)
        await until(lambda: ben.phase in ("words", "failed"))
        if ben.phase == "failed":
            return Outcome(True, f"the table ends: {ben.problem}")
        for link in lobby.links.values():
            link.send(lobby.table_frame())
        host.words.answer(True)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                await until(lambda: ben.phase == "playing")
                return Outcome(False, f"the game begins after {time.monotonic() - since:.2f} s, and nobody was asked")
        return Outcome(True, f"the person is asked to compare; keys: {', '.join(ben.words.acquaintance)}")


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
    Attack(
        "name-for-another-game",
        "A host whose words a person has compared takes the name of a friend for another game.",
        _run(_host_takes_a_name_for_another_game),
    ),
    Attack(
        "shown-friend",
        "A host signs the roster with its own key, and shows that of a friend when keys are judged.",
        _run(_host_shows_a_friend_whose_place_it_signs_itself),
    ),
)
