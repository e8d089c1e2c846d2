"""Paired players of a tournament who do not do what is due, for tests and for attacks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from kimberley.p2p.table.paired_lobby import AGAIN, PairedLobby
from kimberley.p2p.table.table import Table
from kimberley.p2p.tournament.client import TournamentClient
from kimberley.p2p.transport.frames import Frame
from kimberley.protocol.chain import Chain
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.peer import Peer
from tests.support.asyncs import until
from tests.support.inside import links_of, lobby_of, match_of

Ask: TypeAlias = Callable[[Frame], None]


async def show_game_alone(client: TournamentClient) -> None:
    """Begins the game at this seat alone, without saying that the words match: its door shows the roster that the
    others signed while they sat down, and its own first envelope.
    """
    await until(lambda: client.table is not None and client.table.phase == "words")
    assert client.table is not None
    setattr(client._reports, "send_words", lambda: None)  # noqa: B010 - private
    client.table.play.begin(match_of(client.table))


def sit_down_late(client: TournamentClient, seconds: float) -> None:
    """Comes to the table, and gives its last part in the seating only after that many seconds."""
    loop = asyncio.get_running_loop()

    def late(lobby: PairedLobby, ask: Ask, frame: Frame) -> None:
        del lobby
        if frame[0] == "signatures":
            loop.call_later(seconds, ask, frame)
        else:
            ask(frame)

    _intercept(client, late)


class LateSeat:
    """A player who comes to the table, and gives its last part in each round of the seating only when told to."""

    def __init__(self, client: TournamentClient) -> None:
        self._give: Callable[[], None] | None = None
        _intercept(client, self._on_ask)

    @property
    def is_asked(self) -> bool:
        """Whether the table waits for its last part."""
        return self._give is not None

    def sit_down(self) -> None:
        assert self._give is not None
        give, self._give = self._give, None
        give()

    def _on_ask(self, lobby: PairedLobby, ask: Ask, frame: Frame) -> None:
        del lobby
        if frame[0] == "signatures":
            self._give = partial(ask, frame)
        else:
            ask(frame)


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


def hide_what_it_has(client: TournamentClient) -> None:
    """Keeps a client from ever saying again what it has of the game."""
    assert client.table is not None
    for link in links_of(client.table).values():
        link.send = partial(_send_but_have, link.send)  # type: ignore[method-assign]


def _send_but_have(send: Ask, frame: Frame) -> None:
    if frame[0] != "have":
        send(frame)


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


def cannot_be_reached(client: TournamentClient) -> None:
    """Puts a client's door out of the referee's reach, as behind a firewall."""

    def send() -> None:
        channel = getattr(client, "_channel")  # noqa: B009 - private
        if channel is not None and client.place is not None and client.table is not None:
            channel.send(("arrive", client.place.round, client.place.table, 0))

    client._reports.send_arrival = send  # type: ignore[method-assign]


def hide_opponent(client: TournamentClient) -> None:
    """Shows the referee nothing that its opponent has signed."""
    taken: list[object] = []

    def on_change(_change: object) -> None:
        spectators = client.table.spectators if client.table is not None else None
        if client.table is not None and spectators is not None and spectators not in taken:
            taken.append(spectators)
            begin, own = spectators.begin_game, client.table
            spectators.begin_game = lambda peer, after: begin(_OnlyOwn(peer, own), after)  # type: ignore[arg-type, method-assign]

    client.subscribe(on_change)


class _OnlyOwn:
    """A Peer as the seat at this table shows it: with its own envelopes alone, or others instead of them."""

    def __init__(self, peer: Peer, table: Table) -> None:
        self._peer, self._table = peer, table
        self.evidence: list[Envelope] = []

    @property
    def chains(self) -> list[Chain]:
        return [
            chain if seat == self._table.occupants.seat else Chain() for seat, chain in enumerate(self._peer.chains)
        ]

    def chain(self, seat: int, start: int) -> list[Envelope]:
        own = self._peer.chain(seat, start) if seat == self._table.occupants.seat else []
        instead = getattr(self._peer, "instead", {})
        return [instead.get(envelope.number, envelope) for envelope in own]

    def __getattr__(self, name: str) -> object:
        return getattr(self._peer, name)
