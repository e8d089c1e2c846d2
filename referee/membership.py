"""Who is in a tournament: players come, withdraw, return and are banned, one after the other, and never while a round
is paired.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from kimberley.games.phrases import count_of
from kimberley.p2p.base.platform import wall_time
from kimberley.p2p.tournament.events import (
    PlayerBanned,
    PlayerEnrolled,
    PlayerReturned,
    PlayerWithdrew,
    TournamentEvent,
)
from kimberley.p2p.tournament.players import IN, OUT_FOR_GOOD, WITHDRAWN
from kimberley.p2p.tournament.tournament import Tournament, is_last_round
from kimberley.referee.named_teams import unclear_members

PAIRING_SECONDS: Final = 5.0  # SPEC: pairing
"""How long somebody who comes while a round is paired waits before being asked to come again."""
RETURN_SECONDS: Final = 60  # SPEC: return
"""Time between two returns of a player, before the first round and in an arena; otherwise, one return a round."""

BEING_PAIRED: Final = "The next round is being paired. Try again in a minute."


class RemovalHandler(Protocol):
    """What the tables of a round are told about the players of the tournament."""

    def on_withdrawal(self, identity: bytes) -> None:
        """Called when a player has withdrawn."""


class MembershipHandler(Protocol):
    """What it knows of the tournament, and adds to it."""

    @property
    def tournament(self) -> Tournament: ...
    @property
    def tables(self) -> RemovalHandler: ...
    async def add(self, event: TournamentEvent) -> str | None:
        """Stores an event, then sends it to all. Returns why the event is impossible, or None."""


class Membership:
    """The players of a tournament as they come and go."""

    def __init__(
        self, server: MembershipHandler, teams: Mapping[str, Sequence[str]], ask: Callable[[str], None]
    ) -> None:
        """Takes `teams`, the nicknames of the members of each team that the organizer has named, and `ask`, which asks
        the organizer something.
        """
        self._server = server
        self._teams = teams
        self._ask = ask
        self.closed = asyncio.Lock()
        """Held while somebody comes or goes, and while a round is paired: so nobody can delay a pairing, and those who
        come or go meanwhile do so right after it.
        """

    @property
    def questions(self) -> list[str]:
        """Questions to the organizer, to be settled before the lots are drawn."""
        now = self._server.tournament
        return unclear_members(self._teams, now) if now.seed is None else []

    async def enroll(self, identity: bytes, nickname: str, *, bot: bool) -> str | None:
        """Enrolls a player, or a bot. Returns why that is impossible, or None."""
        now = self._server.tournament
        player = now.player(identity)
        if player is not None and player.state in OUT_FOR_GOOD:
            return OUT_FOR_GOOD[player.state]
        if player is not None and (player.state == IN or now.ended):
            return None
        try:
            async with asyncio.timeout(PAIRING_SECONDS):
                await self.closed.acquire()
        except TimeoutError:
            return BEING_PAIRED
        try:
            return await self._let_in(identity, nickname, bot=bot)
        finally:
            self.closed.release()

    async def remove(self, event: PlayerWithdrew | PlayerBanned) -> str | None:
        """Lets a player withdraw, or bans it. Returns why that is impossible, or None."""
        async with self.closed:
            reason = await self._server.add(event)
        if reason is None:
            self._server.tables.on_withdrawal(event.identity)
        return reason

    async def readmit(self, identity: bytes) -> str | None:
        """Takes back the withdrawal of a player, whatever its last return was. Returns why that is impossible, or
        None.
        """
        async with self.closed:
            return await self._server.add(PlayerReturned(int(wall_time()), identity))

    async def _let_in(self, identity: bytes, nickname: str, *, bot: bool) -> str | None:
        """Enrolls a newcomer, or a player who has withdrawn, for a caller that has `closed`."""
        tournament, now = self._server.tournament, int(wall_time())
        player = tournament.player(identity)
        if player is None:
            reason = await self._server.add(PlayerEnrolled(now, identity, nickname, bot))
            if reason is None:
                self._ask_about(nickname)
            return reason
        if player.state in OUT_FOR_GOOD:
            return OUT_FOR_GOOD[player.state]
        if player.state != WITHDRAWN:
            return None
        return return_refusal(tournament, identity, now) or await self._server.add(PlayerReturned(now, identity))

    def _ask_about(self, nickname: str) -> None:
        """Asks the organizer about a newcomer whose name is like that of somebody with a place in a team."""
        now = self._server.tournament
        for question in unclear_members(self._teams, now, nickname) if now.seed is None else ():
            self._ask(question)


def return_refusal(now: Tournament, identity: bytes, at: int) -> str | None:
    """Returns why a player who has withdrawn cannot return at this time, in seconds since 1970; None if it can.

    `Tournament.after` does not check it: some stored tournaments break it.
    """
    player = now.player(identity)
    if player is None or player.back is None:
        return None
    if now.rounds and not now.format.rolling:
        if player.back.round != len(now.rounds):
            return None
        again = "" if is_last_round(now) else " You can come back in the next round."
        return f"You have withdrawn and come back once in this round.{again}"
    left = RETURN_SECONDS - (at - player.back.at)
    # A clock that was set back makes nobody wait.
    wait = 0 < left <= RETURN_SECONDS
    seconds = count_of(left, "second")
    return f"You came back a moment ago. You can come back again in {seconds}." if wait else None
