"""What a host calls a bot: a label, which spares the four words only those who have compared them with this host."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.identity import Identity, KnownKeys
from kimberley.p2p.table.guest_lobby import HOST_A_BOT
from kimberley.p2p.table.lobby import HostLobby
from tests.attacks.on_words import call_bot
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.inside import lobby_of
from tests.support.seated import circle_of_tables, pair_of_tables, play


@pytest.mark.parametrize("headless", [False, True])
def test_nobody_sits_down_with_a_host_that_calls_itself_a_bot(tmp_path: Path, headless: bool) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            call_bot(await tables.open(), "ana")
            with pytest.raises(UserError, match="The host of this table calls its own seat a bot"):
                await tables.join(headless=headless)
            await until(lambda: tables.host.occupants.names == ("ana",))

    run(story())


def test_a_host_that_calls_itself_a_bot_while_the_words_are_compared_is_left(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            host = await tables.open()
            await tables.join()
            await tables.both("words")
            call_bot(host, "ana")
            lobby = lobby_of(host)
            assert isinstance(lobby, HostLobby)
            lobby.ready(lobby.people[0][0], True)
            await until(lambda: tables.guest.phase == "failed")
            assert tables.guest.problem == HOST_A_BOT

    run(story())


def test_a_known_nickname_with_another_key_is_told_whatever_the_host_calls_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            KnownKeys(tmp_path / "ben").remember({bytes(32): "cleo"}, verified=True)
            call_bot(host, "cleo")
            ben = await circle.join(headless=False)
            await circle.join(headless=False)
            for table in circle.tables:
                table.seating.ready(True)
            await circle.all("words")
            assert ben.words.acquaintance == ("new", "you", "changed")
            assert ben.occupants.called_bots == (False, False, True)
            assert not ben.words.agreed[1]
            for table in circle.tables:
                table.words.answer(True)
            await circle.all("playing")
            # The warning stays: the label is not remembered in place of the friend.
            known = KnownKeys(tmp_path / "ben")
            assert known.status_of("cleo", bytes(32)) == "met"
            assert known.status_of("cleo", Identity.load_or_create(tmp_path / "cleo").public) == "changed"
            assert known.status_of("ana", Identity.load_or_create(tmp_path / "ana").public) == "met"

    run(story())


def test_who_has_compared_words_with_a_host_compares_none_with_its_bots(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host = await circle.open(3, headless=False)
            KnownKeys(tmp_path / "ben").remember(
                {Identity.load_or_create(tmp_path / "ana").public: "ana"}, verified=True
            )
            ben = await circle.join(headless=False)
            circle.follow(await host.seat_bot("Nessie"), "nessie")
            for table in (host, ben):
                table.seating.ready(True)
            await until(lambda: ben.phase == "words" and ben.words.agreed[1])
            assert ben.words.acquaintance == ("met", "you", "host bot")
            assert not host.words.agreed[0], "the host has never met this guest"
            host.words.answer(True)
            await circle.all("playing")
            known = KnownKeys(tmp_path / "ben")
            assert known.status_of("Nessie", bytes(32)) == "new", "the bot is not remembered"

    run(story())


@pytest.mark.slow
def test_words_with_a_bot_of_the_host_are_compared_once_at_a_table(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            host, ben = await circle.open(3, headless=False), await circle.join(headless=False)
            circle.follow(await host.seat_bot("Nessie"), "nessie")
            for table in (host, ben):
                table.seating.ready(True)
            await circle.all("words")
            assert not ben.words.agreed[1]
            for table in (host, ben):
                table.words.answer(True)
            await circle.all("playing")
            await asyncio.gather(*(play(table, Random(n)) for n, table in enumerate(circle.tables)))
            for table in circle.tables:
                table.rematch.want()
            await circle.all("playing")
            assert sorted(ben.words.acquaintance) == ["met", "met", "you"]
            assert sorted(host.words.acquaintance) == ["bot", "met", "you"]

    run(story())
