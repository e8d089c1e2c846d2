"""Who gets a seat at a table, and who is told why not."""

import asyncio
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.guest_lobby import GuestLobby
from kimberley.p2p.table.lobby import HostLobby
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.handshake import ConnectionRejected as TurnedAway
from tests.support.asyncs import run, until
from tests.support.comeback import die
from tests.support.inside import lobby_of
from tests.support.seated import LOOPBACK, no_faults, pair_of_tables
from tests.support.stones import STONES


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


def test_a_third_is_told_that_the_game_has_begun(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            await tables.join()
            await tables.both("words")
            tables.host.words.answer(True)
            tables.guest.words.answer(True)
            await tables.both("playing")
            with pytest.raises(TurnedAway, match="already begun"):
                await Table.join(
                    f"{LOOPBACK}:{tables.host.port}",
                    lambda _: STONES,
                    nickname="eve",
                    identity=Identity.fresh(),
                    data=None,
                )

    run(story())


def test_of_many_who_come_at_once_one_gets_the_seat(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open(headless=True)

            async def come() -> Table | None:
                try:
                    return await Table.join(
                        f"{LOOPBACK}:{tables.host.port}",
                        lambda _: STONES,
                        nickname="many",
                        identity=Identity.fresh(),
                        data=None,
                        headless=True,
                    )
                except TurnedAway:
                    return None

            came = await asyncio.gather(*(come() for _ in range(6)))
            (seated,) = [table for table in came if table is not None]
            await until(lambda: seated.phase == tables.host.phase == "playing")
            await seated.close()

    run(story())


def test_a_seat_is_free_again_when_its_guest_leaves_before_the_game(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            first = await tables.join()
            await tables.both("words")
            await first.close()
            await until(lambda: tables.host.phase == "open")
            assert (tables.host.occupants.names, tables.host.words.phrase, tables.host.peer) == (("ana",), None, None)
            await tables.join()
            await tables.both("words")
            assert tables.guest.words.phrase == tables.host.words.phrase

    run(story())


@pytest.mark.parametrize(
    ("kind", "wrong", "sentence"),
    [
        ("place", bytes(31), "your program gave an answer that no seat gives"),
        ("signature", bytes(64), "ben has not signed the list of players"),
        ("nonce", bytes(32), "your program opened a different nonce from the one it committed to"),
        ("place", None, "your program asked for a seat twice"),
    ],
)
def test_who_loses_its_seat_in_the_round_is_told_why_and_the_table_is_open_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, wrong: bytes | None, sentence: str
) -> None:
    """The third entry of one of its answers is wrong, or it sits down again."""

    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            await tables.join()
            await until(lambda: tables.guest.phase == "failed")
            assert tables.guest.problem == f"ana closed the connection: You lost your seat: {sentence}. Join again."
            await until(lambda: tables.host.occupants.names == ("ana",))
            assert (tables.host.phase, tables.host.problem) == ("open", None)

    right = GuestLobby.reply

    def reply(lobby: GuestLobby, frame: Frame) -> None:
        answer = ("sit", "ben", 0) if wrong is None else (*frame[:2], wrong, *frame[3:])
        right(lobby, answer if frame[0] == kind else frame)

    monkeypatch.setattr(GuestLobby, "reply", reply)
    run(story())


def test_a_player_who_is_away_and_joins_instead_is_told_to_resume(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            away = tables.guest.identity.public
            await die(tables.guest)
            await until(lambda: not tables.host.links[away].connected)
            with pytest.raises(TurnedAway, match="To return to it, resume the game"):
                await tables.join()

    run(story())


def test_a_table_that_closes_tells_those_who_wait(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            await tables.join()
            await tables.both("words")
            await tables.host.close()
            await until(lambda: tables.guest.phase == "failed")
            assert tables.guest.problem == "ana left the table."
            with pytest.raises(UserError, match="Nobody is hosting a table"):
                await tables.join(tables.guest.port or tables.host.port)

    run(story())


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (replace(STONES, revision=2), "The host uses revision 1 of the rules of Stones, you have 2"),
        (replace(STONES, seats=(3,)), "cannot be played by 2 players in your version"),
        (replace(STONES, options=()), 'has no option "rounds" with the value 3 here'),
    ],
)
def test_a_game_that_differs_is_refused_with_what_differs(tmp_path: Path, other: object, sentence: str) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            tables.game = other  # type: ignore[assignment]
            with pytest.raises(UserError, match=sentence):
                await tables.join()
            lobby = lobby_of(tables.host)
            assert isinstance(lobby, HostLobby)
            await until(lambda: not lobby.waiting.links)
            tables.game = STONES
            await tables.join()
            await tables.both("words")

    run(story())


def test_a_game_that_is_not_installed_is_named(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()

            def nothing(id: str) -> object:
                raise LookupError(id)

            with pytest.raises(UserError, match='This table plays "stones", which you have not installed'):
                await Table.join(
                    f"{LOOPBACK}:{tables.host.port}",
                    nothing,  # type: ignore[arg-type]
                    nickname="ben",
                    identity=Identity.fresh(),
                    data=None,
                )

    run(story())


@pytest.mark.parametrize(
    "options", [{"rounds": 7}, {"rounds": True}, {"colour": 1}, {"last_look": -1}, {"last_look": "1"}]
)
def test_options_that_the_game_does_not_have_are_refused(tmp_path: Path, options: dict[str, object]) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            with pytest.raises(UserError):
                await tables.open(options)  # type: ignore[arg-type]

    run(story())


def test_the_same_identity_cannot_sit_twice(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.open()
            shutil.copytree(tables.ana, tables.ben)
            with pytest.raises(TurnedAway, match="same identity"):
                await tables.join()

    run(story())
