"""One seat at one table: how to take it, and where the table stands. `table.session` lists its parts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from kimberley.games.table import Game, Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import in_background, random_bytes
from kimberley.p2p.base.tasks import unstoppable
from kimberley.p2p.discovery.mdns import DiscoveredTable
from kimberley.p2p.far.codes import read_code
from kimberley.p2p.storage.identity import Identity, nickname_from
from kimberley.p2p.table.common_options import TOURNAMENT_MARK
from kimberley.p2p.table.ending import LEFT, WAITS
from kimberley.p2p.table.events import Notice, TableChanged, TableEvent
from kimberley.p2p.table.guest_lobby import receive_terms, take_seat
from kimberley.p2p.table.invitation import Invitation, check_unpaired
from kimberley.p2p.table.resume import IN_A_TOURNAMENT, RestoredSeat, former_bots, restore_seat
from kimberley.p2p.table.seating import Person, RandomSource
from kimberley.p2p.table.session import TableSession
from kimberley.p2p.table.spectators import MOST_SPECTATORS
from kimberley.p2p.table.terms import check_options, make_terms
from kimberley.p2p.transport.address import parse_address
from kimberley.p2p.transport.channel import Channel, memory_pair
from kimberley.p2p.transport.dial import dial
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.mesh import SEAT

log = logging.getLogger(__name__)

LOCAL: Final = "127.0.0.1"


class Table(TableSession):
    """A seat at a table. Its parts show what there is and do what the player wants, at once; events report the rest."""

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
        spectators: int = MOST_SPECTATORS,
        draw: RandomSource = random_bytes,
    ) -> Table:
        """Opens a table and sits down at it.

        Args:
            game: The game to play.
            nickname: The player's name.
            identity: The own identity.
            data: The folder for journal, record and known keys; None to keep nothing.
            seats: The most players; None for as many as the game allows.
            options: The game's options, and "last_look" and "quiet_time" in seconds; missing ones get their defaults.
            port: The port to listen at; 0 for any free one, None for the default one or the next that is free.
            bind: The only address to listen and announce at; None for all.
            announce: Announce the table on the local network.
            listen: Accept players from other machines.
            headless: Nobody is there to compare words: keys are pinned unverified, and the seat is ready once the table
                is full.
            spectators: The most spectators that this seat admits.
            draw: The source of seeds and nonces.

        Raises:
            UserError: The game cannot be played like this, or this machine cannot listen.

        """
        terms = make_terms(game, dict(options or {}), max(game.seats) if seats is None else seats)
        table = cls(
            game,
            identity,
            data,
            host=True,
            headless=headless,
            spectators=spectators,
            seeks=listen and announce,
        )
        lobby = table.seating.open(nickname, terms, draw)
        if listen:
            table.bind = bind
            endpoint = table.listen()
            try:
                await endpoint.open(port, bind, announce=announce)
            except BaseException:
                await endpoint.close()
                raise
            lobby.set_port(endpoint.port)
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
        expected: bytes | None = None,
        bind: str | None = None,
        listen: bool = True,
        seek: bool = True,
        headless: bool = False,
        spectators: int = MOST_SPECTATORS,
        draw: RandomSource = random_bytes,
        queued: Callable[[str], None] = log.info,
    ) -> Table:
        """Takes a seat at a table; if that is full, waits for one.

        Args:
            where: An address ("192.168.1.7", "ana.local:7412"), a discovered table, or a channel to the host.
            find: Returns the game of an id, or raises LookupError.
            nickname: The player's name.
            identity: The own identity.
            data: The folder for journal, record and known keys; None to keep nothing.
            expected: The only host to accept at an address; None for any.
            bind: The only address to listen at; None for all. A seat listens, at any free port, if more than two may
                play and the host is not far away.
            listen: Accept connections from the other seats.
            seek: Look for lost peers on the network during a game.
            headless: Nobody is there to compare words: keys are pinned unverified, and the seat is ready at once.
            spectators: The most spectators that this seat admits.
            draw: The source of seeds and nonces.
            queued: Called with a sentence about the place in the queue for a seat, whenever that changes.

        Raises:
            UserError: The seat cannot be taken; ConnectionRejected if the host refuses.

        """
        host, port = LOCAL, 0
        if isinstance(where, Channel):
            channel = where
        else:
            known = where if isinstance(where, DiscoveredTable) else None
            host, port = (known.host, known.port) if known else parse_address(str(where))
            if expected is None:
                expected = known.card.identity if known else None
            channel = await dial(host, port, identity, (SEAT,), expected=expected)
        endpoint = None
        try:
            game, terms = await receive_terms(channel, find)
            check_unpaired(terms)
            table = cls(
                game,
                identity,
                data,
                host=False,
                headless=headless,
                spectators=spectators,
                seeks=bool(port) and seek,
            )
            if not headless:
                table.seating.find = find
            lobby = table.seating.join(terms, draw)
            table.host_key, table.host_address = channel.peer, host
            table.far.used = read_code(host) is not None
            if terms.seats > 2 and listen and read_code(host) is None:
                endpoint = table.listen()
                await endpoint.open(0, bind, announce=False)
            await take_seat(channel, lobby, nickname_from(nickname), table.port, queued)
        except BaseException:
            await channel.close()
            if endpoint is not None:
                await endpoint.close()
            raise
        table.seating.link_host(channel, (host, port) if port else None)
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
        listen: bool = True,
        seek: bool = True,
        headless: bool = False,
        spectators: int = MOST_SPECTATORS,
        invitation: Invitation | None = None,
    ) -> Table:
        """Takes the seat of a journal again and connects to the others.

        Args:
            path: The journal.
            find: Returns the game of an id, or raises LookupError.
            identity: The own identity, which must be the journal's.
            data: The folder for journal, record and known keys.
            port: The port to listen at; None for the previous one, if it is free.
            bind: The only address to listen at; None for all.
            listen: Accept connections from the other seats.
            seek: Look for the others on the network, too, not only at their last addresses.
            headless: Nobody is there to compare words.
            spectators: The most spectators that this seat admits.
            invitation: A referee's. Games of a tournament can be resumed only with one.

        Raises:
            UserError: Another process plays the seat; the journal is damaged or given up; or the identity or the game
                is another one.

        """
        restored = await unstoppable(in_background(restore_seat, path, find, identity), RestoredSeat.release)
        endpoint = None
        try:
            if invitation is None and restored.contents.table.roster.option(TOURNAMENT_MARK) is not None:
                raise UserError(IN_A_TOURNAMENT)
            table = cls(
                restored.game,
                identity,
                data,
                host=invitation is None and restored.places.host == identity.public,
                headless=headless,
                spectators=spectators,
                seeks=seek,
                invitation=invitation,
            )
            table.bind, table.announces = bind, False
            if not headless:
                table.seating.find = find
            if listen:
                endpoint = table.listen()
                await endpoint.reopen(restored.places.port if port is None else port, bind)
            table.restore(restored)
            if table.host and table.port:
                table.far.resume(restored.places.far)
        except BaseException:
            restored.release()
            if endpoint is not None:
                await endpoint.close()
            raise
        return table

    async def seat_bot(self, nickname: str, note: Plain = None) -> Table:
        """Gives a free seat to a bot in this program; others reach it like a person. For the host, before the game.

        Returns the bot's seat, for the bot that plays it. Its journal keeps the `note`, which says how it plays. Raises
        UserError.
        """
        identity = Identity.fresh()
        self.trust.bots.add(identity.public)
        at_host, at_bot = memory_pair(self.identity, identity, (SEAT,))
        self.on_channel(at_host)
        bot = await Table.join(
            at_bot,
            lambda _: self.game,
            nickname=nickname,
            identity=identity,
            data=None,
            bind=self.bind,
            listen=self.endpoint is not None,
            headless=True,
            spectators=0,
        )
        self._keep_bot(bot, identity, note)
        # Bots of one program reach each other within it.
        neighbours = bot.mesh.neighbours = self.mesh.neighbours
        neighbours[identity.public] = identity, bot.on_channel
        return bot

    async def resume_bots(self) -> list[tuple[Table, Plain]]:
        """Restores the seats of this program's bots from their journals, each with its note. Raises UserError."""
        if self.game_id is None or self.journals is None:
            return []
        bots: list[tuple[Table, Plain]] = []
        neighbours = self.mesh.neighbours
        neighbours[self.identity.public] = self.identity, self.on_channel
        try:
            for former in await in_background(former_bots, self.journals, self.game_id):
                restoring = in_background(restore_seat, former.path, lambda _: self.game, former.identity)
                restored = await unstoppable(restoring, RestoredSeat.release)
                there = Table(self.game, former.identity, None, host=False, headless=True, spectators=0)
                there.mesh.neighbours = neighbours
                self._keep_bot(there, former.identity, former.note)
                there.restore(restored)
                neighbours[former.identity.public] = former.identity, there.on_channel
                bots.append((there, former.note))
        except BaseException:
            for bot, _ in bots:
                await bot.close()
            raise
        for link in self.links.values():
            link.retry_now()
        return bots

    def _keep_bot(self, bot: Table, identity: Identity, note: Plain) -> None:
        """Makes a bot write its games to journals next to the player's, from which `resume_bots` restores it."""
        bot.journals, bot.first = self.journals, (("bot", identity.secret, note),)

    # -- the network ---------------------------------------------------------------------------------------------------

    @property
    def sent_bytes(self) -> int:
        """Bytes that this seat has sent to others, including framing, before TLS."""
        return sum(link.sent_bytes for link in self.links.values())

    # -- what the player does ------------------------------------------------------------------------------------------

    async def suspend(self, problem: str = WAITS) -> None:
        """Ends everything as if the program were killed: the others wait, and the journal leads back to the seat."""
        if not self.left:
            self.end(problem, None)
        await self.close()

    async def close(self) -> None:
        """Leaves at once, if the seat has not left yet, and ends everything that still runs."""
        if not self.left:
            self.fail(LEFT)
        await super().close()


async def sit_down(
    game: Game,
    invitation: Invitation,
    people: Sequence[Person],
    say: Callable[[Frame], None],
    *,
    identity: Identity,
    data: Path | None,
    bind: str | None = None,
    listen: bool = True,
    seek: bool = True,
    headless: bool = False,
    spectators: int = MOST_SPECTATORS,
    draw: RandomSource = random_bytes,
) -> Table:
    """Sits down at a table of a tournament. Its referee does what a host does elsewhere (`Refereeing.ask`).

    Args:
        game: The game to play.
        invitation: The referee's: its seats and options apply.
        people: The players as enrolled, in seat order.
        say: Sends the referee this seat's part in the round of seating, if it is connected.
        identity: The own identity.
        data: The folder for journal, record and known keys; None to keep nothing.
        bind: The only address to listen at; None for all.
        listen: Accept connections from the other seats, and the referee's.
        seek: Look for lost peers on the network during the game.
        headless: Nobody is there to compare words.
        spectators: The most spectators that this seat admits, besides the referee.
        draw: The source of seeds and nonces.

    Raises:
        UserError: The game cannot be played like this, or this machine cannot listen.

    """
    check_options(game, invitation.terms)
    table = Table(
        game,
        identity,
        data,
        host=False,
        headless=headless,
        spectators=spectators,
        seeks=seek,
        invitation=invitation,
    )
    table.seating.pair(people, say, draw)
    table.bind = bind
    if listen:
        endpoint = table.listen()
        try:
            await endpoint.open(0, bind, announce=False)
        except BaseException:
            await endpoint.close()
            raise
    return table


__all__ = ["Notice", "Table", "TableChanged", "TableEvent", "sit_down"]
