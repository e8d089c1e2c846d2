"""One seat at one table, as those see it who play at it: how to take a seat, what to read, and what to do."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from games.table import Game, Plain
from p2p.address import parse
from p2p.channel import Channel, pair
from p2p.common_options import CUP
from p2p.dial import dial
from p2p.discovery import Found
from p2p.ending import LEFT, WAITS, Changed, Notice, Phase, TableEvent
from p2p.front import Front
from p2p.gallery import MOST_ONLOOKERS
from p2p.identity import Identity, nickname_from
from p2p.invitation import Invitation, check_invited
from p2p.lobby import GuestLobby, HostLobby, arrive, sit_down
from p2p.mesh import SEAT
from p2p.refereed import Refereed
from p2p.resume import IN_A_CUP, bots_of, rebuild
from p2p.seating import Draw
from p2p.terms import check_options, numbers_of, terms_of
from p2p.text import clean
from p2p.trouble import Trouble
from protocol.envelope import MOST_TEXT
from protocol.play import Refused

LOCAL: Final = "127.0.0.1"


class Table(Refereed):
    """A seat at a table. Its attributes are for reading; its methods return at once, and what follows is told."""

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
        draw: Draw = secrets.token_bytes,
        invitation: Invitation | None = None,
    ) -> Table:
        """Opens a table and sits down at it.

        `data` is the folder for journal, record and known keys; None keeps nothing. `seats` are the most that may play;
        None for as many as the game allows. `options` are the game's, and "last_look" in seconds. `bind` is the only
        address to listen and announce at. `headless`: nobody is there to compare words, so keys are pinned unverified,
        and it is ready when every seat is taken. `onlookers` are let in at this seat's door. Seeds and nonces are drawn
        by `draw`. With an `invitation` it is a table of a tournament, with the seats and options that it says; whom it
        loses during the game it seeks on the network, also where it does not `announce` itself. Raises Trouble.
        """
        seeks = listen and (announce or invitation is not None)
        table = cls(game, identity, data, host=True, headless=headless, onlookers=onlookers, seeks=seeks)
        if invitation is not None:
            terms = invitation.terms
            check_options(game, terms)
        else:
            terms = terms_of(game, dict(options or {}), max(game.seats) if seats is None else seats)
        numbers = numbers_of(game, terms)
        lobby = HostLobby(identity, nickname_from(nickname), terms, numbers, table._seated, table._people_changed)
        lobby.draw = draw
        table._lobby = lobby
        table._accept(invitation)
        if listen:
            table._bind = bind
            table._front = Front(identity, table._welcome, table._card, table._announced, expected=table._expected)
            try:
                await table._front.open(port, bind, announce=announce)
            except BaseException:
                await table._front.close()
                raise
            lobby.open_door(table.port)
        return table

    @classmethod
    async def join(
        cls,
        where: str | Found | Channel,
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
        draw: Draw = secrets.token_bytes,
        invitation: Invitation | None = None,
    ) -> Table:
        """Takes a seat at the table at an address ("192.168.1.7", "ana.local:7412"), or that was found, or at the other
        end of a channel. `find` gives the game of an id, or raises LookupError. Where more than two may play, the seat
        has a door of its own, at any free port, at all addresses or only at `bind`. Whom it loses during a game it
        will `seek` on the network. A `headless` seat is ready at once. Seeds and nonces are drawn by `draw`. At a table
        of a tournament nobody sits but with the `invitation` to it. Raises Trouble, Refused among them.
        """
        host, port = LOCAL, 0
        if isinstance(where, Channel):
            channel = where
        else:
            known = where if isinstance(where, Found) else None
            host, port = (known.host, known.port) if known else parse(str(where))
            expected = invitation.people[0] if invitation else known.card.identity if known else None
            channel = await dial(host, port, identity, (SEAT,), expected=expected)
        table = None
        try:
            game, terms = await arrive(channel, find)
            check_invited(invitation, terms)
            seeks = bool(port) and seek
            table = cls(game, identity, data, host=False, headless=headless, onlookers=onlookers, seeks=seeks)
            numbers = numbers_of(game, terms)
            lobby = GuestLobby(identity, terms, numbers, (), table._seated, table._people_changed, table._fail)
            lobby.draw = draw
            table._lobby = lobby
            table._accept(invitation)
            table._host, table._host_address = channel.peer, host
            if (terms.seats > 2 or invitation is not None) and listen:
                table._front = Front(identity, table._welcome, table._card, table._announced, expected=table._expected)
                await table._front.open(0, bind, announce=False)
            await sit_down(channel, lobby, nickname_from(nickname), table.port)
        except BaseException:
            await channel.close()
            if table is not None and table._front is not None:
                await table._front.close()
            raise
        if port:
            table._mesh.know({channel.peer: (host, port)})
        redial = table._mesh.way(channel.peer) if port else None
        lobby.host = table._new_link(channel.peer, dict(lobby.people).get(channel.peer, "the host"), redial, channel)
        table._links[channel.peer] = lobby.host
        table._people_changed()
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
        """Takes the seat of a journal again, and connects to the others: where they were, and with `seek` wherever the
        network says that they are. Its door is at the old port, if that is free, or at `port`.

        A game of a tournament is taken up with the `invitation` to it, and with nothing else.

        Raises Trouble: where another process plays the seat, where the journal is damaged or given up, or of another
        identity or game than those at hand.
        """
        back = await asyncio.to_thread(rebuild, path, find, identity)
        table = None
        try:
            if invitation is None and back.contents.table.roster.option(CUP) is not None:
                raise Trouble(IN_A_CUP)
            host = back.places.host == identity.public
            table = cls(back.game, identity, data, host=host, headless=headless, onlookers=onlookers, seeks=seek)
            table._bind = bind
            table._front = Front(identity, table._welcome, table._card, table._announced, expected=table._expected)
            await table._front.reopen(back.places.port if port is None else port, bind)
            table._take_up(back)
            table._accept(invitation)
        except BaseException:
            back.journal.close()
            if table is not None and table._front is not None:
                await table._front.close()
            raise
        return table

    async def seat_bot(self, nickname: str, note: Plain = None) -> Table:
        """Gives a free seat to a bot in this program, which others reach as they reach a person. What is returned is
        its seat, for whoever plays it; its journal keeps the `note`, which says how. For the host, before the game.
        Raises Trouble.
        """
        identity = Identity.fresh()
        self._company.bots.add(identity.public)
        at_host, at_bot = pair(self._identity, identity, (SEAT,))
        self._welcome(at_host)
        bot = await Table.join(
            at_bot,
            lambda _: self.game,
            nickname=nickname,
            identity=identity,
            data=None,
            bind=self._bind,
            listen=self._front is not None,
            headless=True,
            onlookers=0,
        )
        bot._journals, bot._first = self._journals, (("bot", identity.secret, note),)
        # Bots of one program reach each other within it.
        bot._mesh.neighbours = self._mesh.neighbours
        self._mesh.neighbours[identity.public] = identity, bot._welcome
        return bot

    async def resume_bots(self) -> list[tuple[Table, Plain]]:
        """The seats of the bots that played in this program, back from their journals as this seat is from its own,
        each with its note. Raises Trouble.
        """
        if self._match is None or self._journals is None:
            return []
        found: list[tuple[Table, Plain]] = []
        neighbours = self._mesh.neighbours
        neighbours[self._identity.public] = self._identity, self._welcome
        try:
            for former in await asyncio.to_thread(bots_of, self._journals, self._match.table.game_id):
                back = await asyncio.to_thread(rebuild, former.path, lambda _: self.game, former.identity)
                bot = Table(self.game, former.identity, None, host=False, headless=True, onlookers=0)
                bot._mesh.neighbours = neighbours
                bot._take_up(back)
                neighbours[former.identity.public] = former.identity, bot._welcome
                found.append((bot, former.note))
        except BaseException:
            for bot, _ in found:
                await bot.close()
            raise
        for link in self._links.values():
            link.hurry()
        return found

    def send_away(self, seat: int) -> None:
        """Takes a bot's seat back. For the host, before the game. Raises Refused if nothing can be taken there."""
        key = self._lobby.people[seat][0] if 0 <= seat < len(self._lobby.people) else b""
        link = self._links.get(key)
        if not isinstance(self._lobby, HostLobby) or self.phase != "open" or link is None or not link.local:
            raise Refused("only the host can send a bot away, and only before the game")
        self._mesh.end(link, ("bye", "has given this seat to somebody else"))
        self._lobby.gone(link)

    # -- what one reads ------------------------------------------------------------------------------------------------

    @property
    def options(self) -> dict[str, Plain]:
        return dict(self._lobby.terms.options)

    @property
    def host_seat(self) -> int:
        """The seat of whoever opened the table; it changes from game to game."""
        return self._seat_of(self._host)

    @property
    def look_until(self) -> float | None:
        """The loop's time when the last look ends that runs now; None if none runs."""
        return self._match.look.until if self._match and self._match.look else None

    @property
    def away(self) -> dict[int, float]:
        """The seats whose connection is lost, and the loop's time since when. Seats that have left are not missed."""
        people = dict(self._lobby.people)
        seats = {
            self._seat_of(key): link.away_since
            for key, link in self._links.items()
            if link.away_since is not None and key in people
        }
        return {seat: since for seat, since in seats.items() if seat not in self._gone_seats}

    @property
    def addresses(self) -> tuple[str, ...]:
        """What others may type to join, the likeliest first; empty for who is not the host."""
        return self._front.addresses if self._front and self.host else ()

    @property
    def port(self) -> int:
        """Where this seat's door is; 0 if it has none."""
        return self._front.port if self._front else 0

    @property
    def sent_bytes(self) -> int:
        """Bytes that this seat has sent to others, frames and all, before TLS."""
        return sum(link.sent_bytes for link in self._links.values())

    # -- what one does -------------------------------------------------------------------------------------------------

    def choose(self, plain: Plain) -> None:
        """The player's choice; during a last look it may be made again and again. Raises Refused with the rule."""
        if self._match is None or self.phase != "playing":
            raise Refused("nothing is asked of you now")
        self._match.choose(plain)

    def say(self, text: str) -> None:
        """Table talk."""
        said = clean(text, MOST_TEXT)
        if said and self._match is not None and self.phase in ("playing", "closing"):
            self._match.say(said)

    def resign(self) -> None:
        """Gives the game up; the table goes on to the verdict. Where three or more are present, the others play on."""
        if self._match is not None and self.phase == "playing":
            self._match.resign()

    def again(self, yes: bool) -> None:
        """Whether one wants another game. It begins when all want it, the host among them; "no" is to leave."""
        if not yes:
            self.leave()
        elif self.phase == "done" and self._invitation is not None:
            self._fail("The referee says who plays next, and at which table.")
        elif self.phase == "done" and not self.host and self._host not in self._links:
            self._fail("Who opened this table has left it. Open a new one for another game.")
        elif self.phase == "done":
            self._again_from.add(self._identity.public)
            self._mesh.tell(("again", True))
            self._publish(Changed("again"))
            self._maybe_again()

    def leave(self) -> None:
        """Leaves the table. Of a game that is not finished an incomplete record is kept. Where the others can play on,
        this seat stays connected until it has given them what they need for it.
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
        """Whether this seat has left the game, and stays only until the others have what they need for it."""
        return self._leaving

    async def suspend(self, problem: str = WAITS) -> None:
        """Ends all that runs as if the program were killed: others wait, and the journal leads back to the seat."""
        if not self._left:
            self._end(problem, None)
        await self.close()

    async def close(self) -> None:
        """Leaves at once, if one has not, and ends all that still runs."""
        if not self._left:
            self._fail(LEFT)
        await self._gallery.close()
        await self._seek_no_more()
        if self._front is not None:
            await self._front.close()
        await self._tasks.settle()
        await self._closing.settle()


__all__ = ["Changed", "Notice", "Phase", "Table", "TableEvent"]
