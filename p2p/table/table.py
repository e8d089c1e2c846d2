"""One seat at one table, as a player uses it: how to take a seat, what to read, and what to do."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from kimberley.games.table import Game, Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.text import clean
from kimberley.p2p.discovery.endpoint import Endpoint
from kimberley.p2p.discovery.mdns import DiscoveredTable
from kimberley.p2p.storage.identity import Identity, nickname_from
from kimberley.p2p.table.common_options import TOURNAMENT_MARK
from kimberley.p2p.table.invitation import Invitation, check_invited
from kimberley.p2p.table.lifecycle import LEFT, WAITS, Notice, Phase, TableChanged, TableEvent
from kimberley.p2p.table.lobby import GuestLobby, HostLobby, receive_terms, take_seat
from kimberley.p2p.table.refereeing import Refereeing
from kimberley.p2p.table.resume import IN_A_TOURNAMENT, former_bots, restore_seat
from kimberley.p2p.table.seating import RandomSource
from kimberley.p2p.table.spectators import MOST_ONLOOKERS
from kimberley.p2p.table.terms import check_options, make_terms, playable_numbers
from kimberley.p2p.transport.address import parse_address
from kimberley.p2p.transport.channel import Channel, memory_pair
from kimberley.p2p.transport.dial import dial
from kimberley.p2p.transport.mesh import SEAT
from kimberley.protocol.envelope import MOST_TEXT
from kimberley.protocol.play import NotAllowed

LOCAL: Final = "127.0.0.1"


class Table(Refereeing):
    """A seat at a table. Its attributes are for reading; its methods return at once, and events report the rest."""

    # -- taking a seat -------------------------------------------------------------------------------------------------

    @classmethod
    async def open(
        cls,
        game: Game,
        *,
        nickname: str,
        identity: Identity,
        data: Path | None,
        seats: int | None = None,
        options: Mapping[str, Plain] | None = None,
        port: int | None = None,
        bind: str | None = None,
        announce: bool = True,
        listen: bool = True,
        headless: bool = False,
        onlookers: int = MOST_ONLOOKERS,
        draw: RandomSource = secrets.token_bytes,
        invitation: Invitation | None = None,
    ) -> Table:
        """Opens a table and sits down at it.

        Args:
            game: The game to play.
            nickname: The player's name.
            identity: The own identity.
            data: The folder for journal, record and known keys; None to keep nothing.
            seats: The most players; None for as many as the game allows.
            options: The game's options, and "last_look" in seconds; missing ones get the game's defaults.
            port: The port to listen at; 0 for any free one, None for the default one or the next that is free.
            bind: The only address to listen and announce at; None for all.
            announce: Announce the table on the local network.
            listen: Accept players from other machines.
            headless: Nobody is there to compare words: keys are pinned unverified, and the seat is ready once the table
                is full.
            onlookers: The most spectators that this seat admits.
            draw: The source of seeds and nonces.
            invitation: A referee's: its seats and options apply. During the game it looks for lost peers on the
                network, even if
                it does not `announce` itself.

        Raises:
            UserError: The game cannot be played like this, or this machine cannot listen.

        """
        seeks = listen and (announce or invitation is not None)
        table = cls(game, identity, data, host=True, headless=headless, onlookers=onlookers, seeks=seeks)
        if invitation is not None:
            terms = invitation.terms
            check_options(game, terms)
        else:
            terms = make_terms(game, dict(options or {}), max(game.seats) if seats is None else seats)
        numbers = playable_numbers(game, terms)
        lobby = HostLobby(
            identity, nickname_from(nickname), terms, numbers, table._on_roster_signed, table._on_people_changed
        )
        lobby.draw = draw
        table._lobby = lobby
        table._accept(invitation)
        if listen:
            table._bind = bind
            table._endpoint = Endpoint(
                identity, table._on_channel, table._card, table._on_announced, expected=table._expected
            )
            try:
                await table._endpoint.open(port, bind, announce=announce)
            except BaseException:
                await table._endpoint.close()
                raise
            lobby.set_port(table.port)
        return table

    @classmethod
    async def join(
        cls,
        where: str | DiscoveredTable | Channel,
        find: Callable[[str], Game],
        *,
        nickname: str,
        identity: Identity,
        data: Path | None,
        bind: str | None = None,
        listen: bool = True,
        seek: bool = True,
        headless: bool = False,
        onlookers: int = MOST_ONLOOKERS,
        draw: RandomSource = secrets.token_bytes,
        invitation: Invitation | None = None,
    ) -> Table:
        """Takes a seat at a table.

        Args:
            where: An address ("192.168.1.7", "ana.local:7412"), a discovered table, or a channel to the host.
            find: Returns the game of an id, or raises LookupError.
            nickname: The player's name.
            identity: The own identity.
            data: The folder for journal, record and known keys; None to keep nothing.
            bind: The only address to listen at; None for all. A seat listens, at any free port, if more than two may
                play.
            listen: Accept connections from the other seats.
            seek: Look for lost peers on the network during a game.
            headless: Nobody is there to compare words: keys are pinned unverified, and the seat is ready at once.
            onlookers: The most spectators that this seat admits.
            draw: The source of seeds and nonces.
            invitation: A referee's. Tables of a tournament can be joined only with one.

        Raises:
            UserError: The seat cannot be taken; ConnectionRejected if the host refuses.

        """
        host, port = LOCAL, 0
        if isinstance(where, Channel):
            channel = where
        else:
            known = where if isinstance(where, DiscoveredTable) else None
            host, port = (known.host, known.port) if known else parse_address(str(where))
            expected = invitation.people[0] if invitation else known.card.identity if known else None
            channel = await dial(host, port, identity, (SEAT,), expected=expected)
        table = None
        try:
            game, terms = await receive_terms(channel, find)
            check_invited(invitation, terms)
            seeks = bool(port) and seek
            table = cls(game, identity, data, host=False, headless=headless, onlookers=onlookers, seeks=seeks)
            numbers = playable_numbers(game, terms)
            lobby = GuestLobby(
                identity, terms, numbers, (), table._on_roster_signed, table._on_people_changed, table._fail
            )
            lobby.draw = draw
            table._lobby = lobby
            table._accept(invitation)
            table._host, table._host_address = channel.peer, host
            if (terms.seats > 2 or invitation is not None) and listen:
                table._endpoint = Endpoint(
                    identity, table._on_channel, table._card, table._on_announced, expected=table._expected
                )
                await table._endpoint.open(0, bind, announce=False)
            await take_seat(channel, lobby, nickname_from(nickname), table.port)
        except BaseException:
            await channel.close()
            if table is not None and table._endpoint is not None:
                await table._endpoint.close()
            raise
        if port:
            table._mesh.add_addresses({channel.peer: (host, port)})
        redial = table._mesh.dialer(channel.peer) if port else None
        lobby.host = table._new_link(channel.peer, dict(lobby.people).get(channel.peer, "the host"), redial, channel)
        table._links[channel.peer] = lobby.host
        table._on_people_changed()
        return table

    @classmethod
    async def resume(
        cls,
        path: Path,
        find: Callable[[str], Game],
        *,
        identity: Identity,
        data: Path,
        port: int | None = None,
        bind: str | None = None,
        seek: bool = True,
        headless: bool = False,
        onlookers: int = MOST_ONLOOKERS,
        invitation: Invitation | None = None,
    ) -> Table:
        """Takes the seat of a journal again and connects to the others.

        Args:
            path: The journal.
            find: Returns the game of an id, or raises LookupError.
            identity: The own identity, which must be the journal's.
            data: The folder for journal, record and known keys.
            port: The port to listen at; None for the former one, if it is free.
            bind: The only address to listen at; None for all.
            seek: Look for the others on the network, too, not only at their former addresses.
            headless: Nobody is there to compare words.
            onlookers: The most spectators that this seat admits.
            invitation: A referee's. Games of a tournament can be resumed only with one.

        Raises:
            UserError: Another process plays the seat; the journal is damaged or given up; or the identity or the game
                is another one.

        """
        back = await asyncio.to_thread(restore_seat, path, find, identity)
        table = None
        try:
            if invitation is None and back.contents.table.roster.option(TOURNAMENT_MARK) is not None:
                raise UserError(IN_A_TOURNAMENT)
            host = back.places.host == identity.public
            table = cls(back.game, identity, data, host=host, headless=headless, onlookers=onlookers, seeks=seek)
            table._bind = bind
            table._endpoint = Endpoint(
                identity, table._on_channel, table._card, table._on_announced, expected=table._expected
            )
            await table._endpoint.reopen(back.places.port if port is None else port, bind)
            table._resume_seat(back)
            table._accept(invitation)
        except BaseException:
            back.journal.close()
            if table is not None and table._endpoint is not None:
                await table._endpoint.close()
            raise
        return table

    async def seat_bot(self, nickname: str, note: Plain = None) -> Table:
        """Gives a free seat to a bot in this program; others reach it like a person. For the host, before the game.

        Returns the bot's seat, for whoever plays it. Its journal keeps the `note`, which says how it plays. Raises
        UserError.
        """
        identity = Identity.fresh()
        self._trust.bots.add(identity.public)
        at_host, at_bot = memory_pair(self._identity, identity, (SEAT,))
        self._on_channel(at_host)
        bot = await Table.join(
            at_bot,
            lambda _: self.game,
            nickname=nickname,
            identity=identity,
            data=None,
            bind=self._bind,
            listen=self._endpoint is not None,
            headless=True,
            onlookers=0,
        )
        bot._journals, bot._first = self._journals, (("bot", identity.secret, note),)
        # Bots of one program reach each other within it.
        bot._mesh.neighbours = self._mesh.neighbours
        self._mesh.neighbours[identity.public] = identity, bot._on_channel
        return bot

    async def resume_bots(self) -> list[tuple[Table, Plain]]:
        """Restores the seats of this program's bots from their journals, each with its note. Raises UserError."""
        if self._match is None or self._journals is None:
            return []
        found: list[tuple[Table, Plain]] = []
        neighbours = self._mesh.neighbours
        neighbours[self._identity.public] = self._identity, self._on_channel
        try:
            for former in await asyncio.to_thread(former_bots, self._journals, self._match.table.game_id):
                back = await asyncio.to_thread(restore_seat, former.path, lambda _: self.game, former.identity)
                bot = Table(self.game, former.identity, None, host=False, headless=True, onlookers=0)
                bot._mesh.neighbours = neighbours
                bot._resume_seat(back)
                neighbours[former.identity.public] = former.identity, bot._on_channel
                found.append((bot, former.note))
        except BaseException:
            for bot, _ in found:
                await bot.close()
            raise
        for link in self._links.values():
            link.retry_now()
        return found

    def send_away(self, seat: int) -> None:
        """Takes a bot's seat back. For the host, before the game. Raises NotAllowed if no bot sits there."""
        key = self._lobby.people[seat][0] if 0 <= seat < len(self._lobby.people) else b""
        link = self._links.get(key)
        if not isinstance(self._lobby, HostLobby) or self.phase != "open" or link is None or not link.local:
            raise NotAllowed("only the host can send a bot away, and only before the game")
        self._mesh.end_link(link, ("bye", "has given this seat to somebody else"))
        self._lobby.on_link_lost(link)

    # -- what one reads ------------------------------------------------------------------------------------------------

    @property
    def options(self) -> dict[str, Plain]:
        return dict(self._lobby.terms.options)

    @property
    def host_seat(self) -> int:
        """The seat of the host; it changes from game to game."""
        return self._seat_of(self._host)

    @property
    def final_adjustment_until(self) -> float | None:
        """The loop's time when the current final adjustment ends; None if there is none."""
        return self._match.final_adjustment.until if self._match and self._match.final_adjustment else None

    @property
    def away(self) -> dict[int, float]:
        """The seats whose connection is lost, and the loop's time when that happened, without seats that have left."""
        people = dict(self._lobby.people)
        seats = {
            self._seat_of(key): link.away_since
            for key, link in self._links.items()
            if link.away_since is not None and key in people
        }
        return {seat: since for seat, since in seats.items() if seat not in self._gone_seats}

    @property
    def addresses(self) -> tuple[str, ...]:
        """What others can type to join, the likeliest first; empty if this seat is not the host."""
        return self._endpoint.addresses if self._endpoint and self.host else ()

    @property
    def port(self) -> int:
        """The port where this seat listens; 0 if it does not."""
        return self._endpoint.port if self._endpoint else 0

    @property
    def sent_bytes(self) -> int:
        """Bytes that this seat has sent to others, including framing, before TLS."""
        return sum(link.sent_bytes for link in self._links.values())

    # -- what one does -------------------------------------------------------------------------------------------------

    def choose(self, plain: Plain) -> None:
        """Makes the player's choice; during a final adjustment it can be changed. Raises NotAllowed with the rule that
        forbids it.
        """
        if self._match is None or self.phase != "playing":
            raise NotAllowed("nothing is asked of you now")
        self._match.choose(plain)

    def say(self, text: str) -> None:
        """Sends a chat message."""
        said = clean(text, MOST_TEXT)
        if said and self._match is not None and self.phase in ("playing", "closing"):
            self._match.say(said)

    def resign(self) -> None:
        """Resigns; the table goes on to the verdict. If three or more are present, the others play on."""
        if self._match is not None and self.phase == "playing":
            self._match.resign()

    def again(self, yes: bool) -> None:
        """Says whether this player wants another game. It begins when all want it, including the host; "no" is to
        leave.
        """
        if not yes:
            self.leave()
        elif self.phase == "done" and self._invitation is not None:
            self._fail("The referee decides who plays next, and at which table.")
        elif self.phase == "done" and not self.host and self._host not in self._links:
            self._fail("The host has left this table. Open a new one for another game.")
        elif self.phase == "done":
            self._again_from.add(self._identity.public)
            self._mesh.broadcast(("again", True))
            self._publish(TableChanged("again"))
            self._play_again_if_agreed()

    def leave(self) -> None:
        """Leaves the table. An unfinished game keeps an incomplete record. If the others can play on, this seat stays
        connected until it has given them what they need.
        """
        if self._left or self._leaving:
            return
        if self._match is not None and self.phase == "playing" and self._match.leavable:
            self._leaving = True
            self._match.resign()
        else:
            self._fail(LEFT)

    @property
    def leaving(self) -> bool:
        """Whether this seat has left the game, and stays only until the others have what they need."""
        return self._leaving

    async def suspend(self, problem: str = WAITS) -> None:
        """Ends everything as if the program were killed: the others wait, and the journal leads back to the seat."""
        if not self._left:
            self._end(problem, None)
        await self.close()

    async def close(self) -> None:
        """Leaves at once, if the seat has not left yet, and ends everything that still runs."""
        if not self._left:
            self._fail(LEFT)
        await self._spectators.close()
        await self._stop_search()
        if self._endpoint is not None:
            await self._endpoint.close()
        await self._tasks.wait()
        await self._closing.wait()


__all__ = ["Notice", "Phase", "Table", "TableChanged", "TableEvent"]
