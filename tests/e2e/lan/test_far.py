"""Two homes behind routers, with the real mailbox server and transit relay of magic-wormhole between them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from kimberley.p2p.sentences.ways_to_join import BY_PHONE
from tests.support.asyncs import run
from tests.support.effort import tries
from tests.support.far_lan import HOMES, MAILBOX, RELAY, FarLan
from tests.support.lan import Program

pytestmark = [pytest.mark.slow, pytest.mark.e2e]

HERE, THERE = HOMES
PATIENCE = 300.0
TRUST = ("diamond-trust", "--adjust", "0")
LAND = ("land", "--option", "map=small", "--option", "turns=25")
FAR = ("--far", "--mailbox", MAILBOX, "--relay", RELAY)
AWAY_SECONDS = 20.0
"""Longer than it takes until both sides notice."""


@pytest.fixture(scope="module")
def lan() -> Iterator[FarLan]:
    with FarLan() as made:
        yield made


@pytest.fixture
def servers(lan: FarLan, tmp_path: Path) -> Servers:
    return Servers(lan, tmp_path)


class Servers(NamedTuple):
    """The servers of a test, in a folder of its own."""

    lan: FarLan
    folder: Path

    def host(self, *game: str) -> AbstractAsyncContextManager[Program]:
        return self.lan.bot(HERE, self.folder / "ana", "host", *(game or TRUST), *FAR, "--nickname", "ana")

    def join(self, code: str, name: str = "ben") -> AbstractAsyncContextManager[Program]:
        """Joins from the other home. Whoever types the code there must use the host's mailbox server."""
        return self.lan.bot(THERE, self.folder / name, "join", code, "--mailbox", MAILBOX, "--nickname", name)

    @asynccontextmanager
    async def pair(self, *game: str) -> AsyncIterator[tuple[Program, Program]]:
        """Yields host and guest, with both servers."""
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self.lan.mailbox(self.folder))
            await stack.enter_async_context(self.lan.relay())
            ana = await stack.enter_async_context(self.host(*game))
            yield ana, await stack.enter_async_context(self.join(await code_of(ana)))

    async def refused(self, code: str, mailbox: str = MAILBOX) -> str:
        return await self.lan.refused(THERE, self.folder / "eve", "join", code, "--mailbox", mailbox)


async def code_of(host: Program, former: str = "") -> str:
    """Returns the code that a host shows after a former one."""
    while (code := str((await host.says(event="code"))["code"])) == former:
        host.said = [line for line in host.said if line.get("code") != former]
    return code


async def end_fairly(*players: Program) -> None:
    for one in players:
        assert (await one.says(event="done", seconds=PATIENCE))["verdict"] == "fair"


def test_two_who_are_far_away_play_to_a_fair_end_by_a_code(servers: Servers) -> None:
    async def main() -> None:
        async with servers.pair() as (ana, ben):
            here, there = await ana.says(event="words"), await ben.says(event="words")
            assert here["words"] == there["words"]
            await end_fairly(ana, ben)

    run(main(), PATIENCE)


@pytest.mark.nightly
def test_two_people_play_by_a_code_that_one_of_them_types(servers: Servers) -> None:
    """The four words are compared over the phone; the game begins; and what was typed once is kept in the settings."""

    async def main() -> None:
        lan, folder = servers.lan, servers.folder
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(lan.mailbox(folder))
            await stack.enter_async_context(lan.relay())
            ana = await stack.enter_async_context(lan.person(HERE, folder / "ana", "host", "diamond", *FAR))
            code = await ana.reads("Tell one friend far away: kimberley join ")
            ben = await stack.enter_async_context(
                lan.person(THERE, folder / "ben", "join", code, "--mailbox", MAILBOX, "--nickname", "ben")
            )
            words = await ana.reads("The four words:")
            assert await ben.reads("The four words:") == words
            for one in (ana, ben):
                await one.reads(BY_PHONE)
                one.type("same")
            for one in (ana, ben):
                await one.reads("The game begins")
        assert RELAY in (folder / "ana" / "settings.json").read_text()
        assert MAILBOX in (folder / "ben" / "settings.json").read_text()

    run(main(), PATIENCE)


@pytest.mark.nightly
def test_the_game_goes_on_when_the_relay_is_back(servers: Servers) -> None:
    async def main() -> None:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(servers.lan.mailbox(servers.folder))
            async with servers.lan.relay():
                ana = await stack.enter_async_context(servers.host())
                ben = await stack.enter_async_context(servers.join(await code_of(ana)))
                await ben.says(event="playing")
            await stack.enter_async_context(servers.lan.relay())
            await end_fairly(ana, ben)

    run(main(), PATIENCE)


@pytest.mark.parametrize("gone", [*tries([], [("ben",), ("ana",)]), ("ana", "ben")], ids="-".join)
@pytest.mark.nightly
def test_whoever_is_killed_comes_back_by_the_same_way(servers: Servers, gone: tuple[str, ...]) -> None:
    """No mailbox server is needed for that."""

    async def main() -> None:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(servers.lan.relay())
            async with servers.lan.mailbox(servers.folder):
                ana = await stack.enter_async_context(servers.host())
                ben = await stack.enter_async_context(servers.join(await code_of(ana)))
                await ben.says(event="playing")
                await ana.says(event="playing")
            players = {"ana": ana, "ben": ben}
            for name in gone:
                players[name].kill()
                await players[name].gone()
            for name in gone:
                home = HERE if name == "ana" else THERE
                resumed = servers.lan.bot(home, servers.folder / name, "resume")
                players[name] = await stack.enter_async_context(resumed)
            await end_fairly(*players.values())

    run(main(), PATIENCE)


@pytest.mark.parametrize("name", ["ana", "ben"])
@pytest.mark.nightly
def test_when_the_process_that_leads_far_is_killed_the_game_goes_on(servers: Servers, name: str) -> None:
    async def main() -> None:
        async with servers.pair() as players:
            for one in players:
                await one.says(event="playing")
            players[name == "ben"].kill_helper("kimberley.p2p.far")
            await end_fairly(*players)

    run(main(), PATIENCE)


@pytest.mark.nightly
def test_a_home_that_loses_its_network_for_a_while_plays_on(servers: Servers) -> None:
    async def main() -> None:
        async with servers.pair() as (ana, ben):
            await ben.says(event="playing")
            servers.lan.unplug(THERE)
            await asyncio.sleep(AWAY_SECONDS)
            servers.lan.plug(THERE)
            await end_fairly(ana, ben)

    run(main(), PATIENCE)


@pytest.mark.parametrize("game", [("diamond",), *tries([], [("mine",)])], ids=lambda game: game[0])
@pytest.mark.nightly
def test_every_game_for_two_is_played_far_away(servers: Servers, game: tuple[str, ...]) -> None:
    async def main() -> None:
        async with servers.pair(*game) as players:
            await end_fairly(*players)

    run(main(), PATIENCE)


@pytest.mark.parametrize("game", [LAND, *tries([], [("piecepack",)])], ids=lambda game: game[0])
@pytest.mark.nightly
def test_of_three_two_who_are_far_away_reach_each_other_through_the_host(
    servers: Servers, game: tuple[str, ...]
) -> None:
    async def main() -> None:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(servers.lan.mailbox(servers.folder))
            await stack.enter_async_context(servers.lan.relay())
            ana = await stack.enter_async_context(servers.host(*game, "--seats", "3"))
            ben = await stack.enter_async_context(servers.join(first := await code_of(ana)))
            cleo = await stack.enter_async_context(servers.join(await code_of(ana, first), "cleo"))
            await end_fairly(ana, ben, cleo)

    run(main(), PATIENCE)


@pytest.mark.nightly
def test_a_code_is_of_no_use_to_others(servers: Servers) -> None:
    """Neither to whoever guesses it, for whom it is used up, nor to whoever types one that was used."""

    async def main() -> None:
        async with servers.lan.mailbox(servers.folder), servers.lan.relay(), servers.host() as ana:
            code = await code_of(ana)
            async with servers.join(code) as ben:
                await ben.says(event="playing")
                assert "Nobody is waiting at" in await servers.refused(code)
                await end_fairly(ana, ben)
        async with servers.lan.mailbox(servers.folder), servers.lan.relay(), servers.host() as ana:
            code = await code_of(ana)
            number, _, words = code.partition("-")
            assert "has a word that no code uses" in await servers.refused(f"{code}s")
            others = next(two for two in ("tomorrow-woodlark", "reproduce-scorecard") if two != words)
            assert "is not the host’s code" in await servers.refused(f"{number}-{others}")
            assert "Nobody is waiting at" in await servers.refused(code)

    run(main(), PATIENCE)


def test_a_number_that_a_stranger_holds_is_of_no_use_and_says_so(servers: Servers) -> None:
    async def main() -> None:
        async with servers.lan.mailbox(servers.folder), servers.lan.relay(), servers.host() as ana:
            code = await code_of(ana)
            async with servers.lan.squatter(code):
                assert "someone else has used the code" in await servers.refused(code)

    run(main(), PATIENCE)


def test_without_a_server_one_sentence_says_so(servers: Servers) -> None:
    async def main() -> None:
        assert "The mailbox server does not answer." in await servers.refused("7-tomorrow-woodlark")

    run(main(), PATIENCE)
