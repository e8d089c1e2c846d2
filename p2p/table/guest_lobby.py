"""Before a game, the joiner's side: what the host says about its table, a seat there, and each round."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from kimberley.games.table import Game, Plain
from kimberley.p2p.base.errors import NotRetryable, UserError
from kimberley.p2p.base.text import ordinal, quoted
from kimberley.p2p.storage.identity import Identity, nickname_from
from kimberley.p2p.table.lobby import Lobby, SeatStatus
from kimberley.p2p.table.refusals import rejection
from kimberley.p2p.table.seat_queue import SIT_SECONDS
from kimberley.p2p.table.seating import ASKING, Person
from kimberley.p2p.table.terms import TableTerms, check_options
from kimberley.p2p.transport.address import is_ip
from kimberley.p2p.transport.channel import Channel, ChannelClosed
from kimberley.p2p.transport.frames import Frame, are_integers
from kimberley.p2p.transport.handshake import VersionMismatch, refusal_reason
from kimberley.p2p.transport.link import Link
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.roster import MOST_OPTIONS, MOST_SEATS, BadRoster, SignedRoster

MOST_BROKEN_OFF: Final = 2  # SPEC: rounds broken off at the words
"""Rounds that may be broken off after a seat has opened its nonce in them. Then the seat leaves."""
CHANGED: Final = "The host has changed the game. Join again."
HOST_A_BOT: Final = (
    "The host of this table calls its own seat a bot that it has added. No honest program does that, not even a bot "
    "that hosts: it may be a trick to make you skip comparing the four words. Do not play there."
)


class GuestLobby(Lobby):
    """A joiner's side. `failed` is called when the host asks for something that must not be signed."""

    def __init__(
        self,
        identity: Identity,
        terms: TableTerms,
        numbers: Callable[[TableTerms], Sequence[int]],
        people: Sequence[Person],
        signed: Callable[[SignedRoster, bytes], None],
        changed: Callable[[], None],
        failed: Callable[[str], None],
    ) -> None:
        """Takes `numbers`, which returns how many may play under given terms, or raises UserError."""
        super().__init__(identity, terms, numbers(terms), people, signed, changed)
        self._numbers_with = numbers
        self.host: Link | None = None
        self._failed = failed
        self._broken_off = 0
        """Rounds that ended after this seat had opened its nonce: each is a guess at the words."""

    def on_reopened(self) -> None:
        super().on_reopened()
        self._broken_off += 1

    @property
    def sits(self) -> bool:
        """Whether the host has given this seat a place."""
        return self._identity.public in dict(self.people)

    def on_frame(self, link: Link, frame: Frame) -> bool:
        if link is not self.host or not (frame[0] == "table" or frame[0] in ASKING):
            return False
        try:
            if frame[0] == "table":
                terms, people, sitting = read_table(frame, link.identity)
                if self._seating is not None and self._seating.people != people:
                    self._round_runs = False
                if self.follow(terms):
                    link.send(("vote", "ready", False))
                self.people, self.sitting = people, sitting
                self._changed()
            else:
                self.answer(frame)
        except (BadRoster, Malformed) as error:
            self._failed(f"The table cannot be trusted: {error}. Do not play there.")
        except UserError as error:
            self._failed(str(error))
        return True

    def follow(self, terms: TableTerms) -> bool:
        """Takes over the terms that the host announces. Returns whether they have changed.

        Raises:
            BadRoster: What has been settled has changed.
            UserError: This player's version does not know such options.

        """
        if terms.same(self.terms):
            return False
        if self._round_runs:
            raise BadRoster("the host has changed the game or its options")
        self.numbers, self.terms = tuple(self._numbers_with(terms)), terms
        return True

    def _begin(self, number: int) -> None:
        super()._begin(number)
        if self._seating is not None and self._seating.opened and self._seating.signed is None:
            self._broken_off += 1
        if self._broken_off > MOST_BROKEN_OFF:
            raise BadRoster("the host keeps starting over, as if trying to make the words match")

    def reply(self, frame: Frame) -> None:
        assert self.host is not None
        self.host.send(frame)


def read_table(frame: Frame, host: bytes) -> tuple[TableTerms, tuple[Person, ...], tuple[SeatStatus, ...]]:
    """Returns what the `host`, known by its proven identity, says about its table. Raises UserError."""
    match frame:
        case (
            "table",
            str() as game,
            int() as rules,
            tuple() as options,
            int() as seats,
            tuple() as people,
            tuple() as sitting,
        ) if (
            are_integers(rules, seats)
            and 2 <= seats <= MOST_SEATS
            and len(options) <= MOST_OPTIONS
            and 0 < len(people) <= seats
        ):
            named = [(option[0], option[1]) for option in options if isinstance(option, tuple) and len(option) == 2]
            known = [person for person in people if isinstance(person, tuple) and len(person) == 2]
            settled = tuple((name, value) for name, value in named if isinstance(name, str))
            there = tuple((key, name) for key, name in known if isinstance(key, bytes) and isinstance(name, str))
            if any(name != nickname_from(name) for _, name in there):
                raise UserError(
                    "A nickname at this table is too long or has invisible characters. That player must change it."
                )
            seen = tuple(one for one in map(_sitting, sitting) if one is not None)
            if len(settled) == len(options) and len(there) == len(people) == len(dict(there)) == len(seen):
                if any(one.bot for (key, _), one in zip(there, seen, strict=True) if key == host):
                    raise UserError(HOST_A_BOT)
                return TableTerms(game, rules, settled, seats), there, seen
    reason = refusal_reason(frame)
    if reason is not None:
        raise rejection(reason)
    raise UserError("That is not a table of this game.")


def _sitting(plain: Plain) -> SeatStatus | None:
    match plain:
        case (bool() as ready, bool() as bot, str() as address, int() as port) if (
            type(port) is int and 0 <= port < 1 << 16 and (not address or is_ip(address))
        ):
            return SeatStatus(ready, bot, address, port)
    return None


async def receive_terms(channel: Channel, find: Callable[[str], Game]) -> tuple[Game, TableTerms]:
    """Returns the game and terms of the table behind a channel.

    Raises:
        UserError: The player cannot play there; ConnectionRejected if the host refuses.

    """
    terms, _, _ = read_table(await _next(channel), channel.peer)
    return known_game(find, terms), terms


async def take_seat(
    channel: Channel, lobby: GuestLobby, nickname: str, port: int, queued: Callable[[str], None]
) -> None:
    """Takes a seat at that table. If none is free, waits in the queue for one, for as long as the host is there.

    Args:
        channel: The channel to the host.
        lobby: This seat's side of the table.
        nickname: The player's name.
        port: Where this seat listens, or 0.
        queued: Called with a sentence about this player's place in the queue whenever that changes.

    Raises:
        UserError: This player gets no seat.

    """
    channel.send(("sit", nickname, port))
    seats = lobby.terms.seats if lobby.terms.seats == 2 else MOST_SEATS
    asked = waits = False
    while not lobby.sits:
        match await _next(channel, None if waits else SIT_SECONDS):
            case ("queue", int() as place) if asked and are_integers(place) and place > 0:
                waits = True
                queued(queue_sentence(place, full=len(lobby.people) == lobby.terms.seats))
            case frame:
                terms, lobby.people, lobby.sitting = read_table(frame, channel.peer)
                try:
                    # A player who came to a table for two does not listen for other seats, and one who asked for a seat
                    # at one game has not asked for one at another.
                    asked_for = lobby.terms.game
                    if lobby.follow(terms) and (terms.seats > seats or terms.game != asked_for):
                        raise UserError(CHANGED)
                except BadRoster as error:
                    raise UserError(CHANGED) from error
                if not lobby.sits and not asked:
                    channel.send(("queue",))
                    asked = True


def queue_sentence(place: int, *, full: bool) -> str:
    """Returns the sentence for a player who waits for a seat."""
    why = "The table is full." if full else "You have to wait for a seat."
    return f"{why} You are {ordinal(place)} in the queue and join when it is your turn."


async def _next(channel: Channel, seconds: float | None = SIT_SECONDS) -> Frame:
    try:
        async with asyncio.timeout(seconds):
            return await channel.receive()
    except TimeoutError:
        raise UserError(f"{channel.address} did not offer you a seat. Try again.") from None
    except ChannelClosed as error:
        raise UserError(f"The connection to {channel.address} ended: {error}. Try again.") from error


def known_game(find: Callable[[str], Game], terms: TableTerms) -> Game:
    """Returns the installed game of a table. Raises UserError."""
    try:
        game = find(terms.game)
    except LookupError:
        raise NotRetryable(
            f"This table plays {quoted(terms.game)}, which you have not installed. Install it and join again."
        ) from None
    if game.revision != terms.rules:
        raise VersionMismatch(
            f"The host uses revision {terms.rules} of the rules of {game.title}, you have {game.revision}: update the "
            "older one."
        )
    if terms.seats not in game.seats:
        raise NotRetryable(
            f"{game.title} cannot be played by {terms.seats} players in your version. Use the host’s version."
        )
    check_options(game, terms)
    return game
