"""Paired players of a tournament who do not do what is due before their game, for tests and for attacks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from kimberley.p2p.table.paired_lobby import AGAIN, PairedLobby
from kimberley.p2p.tournament.client import TournamentClient
from kimberley.p2p.transport.frames import Frame
from tests.support.asyncs import until
from tests.support.inside import lobby_of

Ask: TypeAlias = Callable[[Frame], None]


async def show_game_alone(client: TournamentClient) -> None:
    """Begins the game at this seat alone, without a word that it is ready: its door shows the roster that the others
    signed while they sat down, and its own first envelope.
    """
    await until(lambda: client.table is not None and client.table.phase == "words")
    assert client.table is not None
    setattr(client, "_send_words", lambda: None)  # noqa: B010 - private
    client.table.session.game.begin()


def sit_down_late(client: TournamentClient, seconds: float) -> None:
    """Comes to the table, and gives its last part in the seating only after so many seconds."""
    loop = asyncio.get_running_loop()

    def late(lobby: PairedLobby, ask: Ask, frame: Frame) -> None:
        del lobby
        if frame[0] == "signatures":
            loop.call_later(seconds, ask, frame)
        else:
            ask(frame)

    _intercept(client, late)


def never_sit_down(client: TournamentClient) -> None:
    """Comes to the table, stays connected, and answers nothing."""
    _intercept(client, lambda _lobby, _ask, _frame: None)


def start_over(client: TournamentClient) -> None:
    """Says at the end of each round of seating that it knows nothing of it."""

    def again(lobby: PairedLobby, ask: Ask, frame: Frame) -> None:
        if frame[0] == "nonces":
            lobby.reply((AGAIN, frame[1]))
        else:
            ask(frame)

    _intercept(client, again)


def _intercept(client: TournamentClient, ask: Callable[[PairedLobby, Ask, Frame], None]) -> None:
    """Lets `ask` answer the referee at each table, given what an honest seat does and the frame."""
    taken: list[PairedLobby] = []

    def on_change(_change: object) -> None:
        lobby = lobby_of(client.table) if client.table is not None else None
        if isinstance(lobby, PairedLobby) and lobby not in taken:
            taken.append(lobby)
            honest = lobby.ask
            lobby.ask = lambda frame: ask(lobby, honest, frame)  # type: ignore[method-assign]

    client.subscribe(on_change)
