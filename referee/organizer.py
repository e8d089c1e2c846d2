"""What the organizer of a tournament does by hand: each thing is an event, signed where it touches a result.

Every method returns why it is impossible, as a sentence, or None.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from kimberley.p2p.base.platform import wall_time
from kimberley.p2p.base.text import clean, name_form
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.tournament.events import (
    MOST_ADDED,
    MOST_SENTENCE,
    ORGANIZER,
    REPLAYED,
    ByeGranted,
    DecisionUndone,
    EndCalled,
    EntryClosed,
    MessageSent,
    RoundScheduled,
    TableDecided,
    TablePaused,
    TableReopened,
    TableReplayed,
    TableResumed,
    TeamFormed,
    TimeAdded,
    TournamentEvent,
    reopen,
)
from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.tournament.players import IN, TournamentTable
from kimberley.p2p.tournament.settings import MOST_NAME, table_number
from kimberley.p2p.tournament.tournament import PLAYING, Tournament
from kimberley.referee.rulings import Ruling, names_at
from kimberley.referee.server import TournamentServer

NO_NEXT_ROUND: Final = "An arena has no next round: its tables open automatically."
NO_REASON: Final = "Give a reason: it is signed, and everyone can read it."
ELSE_REPLAY: Final = "To have its game played again, use replay."
NO_DECISION: Final = "You have no decision to undo."


class Organizer:
    """The person at the referee's machine. Tables are named by their numbers in the current round, from 0."""

    def __init__(self, server: TournamentServer, identity: Identity) -> None:
        """Takes the referee's `identity`."""
        self._server = server
        self._identity = identity

    @property
    def tournament(self) -> Tournament:
        """The tournament as it is now."""
        return self._server.tournament

    @property
    def event_count(self) -> int:
        """How many events the tournament has."""
        return self._server.event_count

    def events_since(self, start: int) -> list[TournamentEvent]:
        """Returns the events from number `start` on."""
        return self._server.history(start)

    async def add_time(self, number: int, people: Collection[bytes], seconds: int) -> str | None:
        """Gives these players at a table more time."""
        if (round_table := self._table(number)) is None:
            return self._no_table(number)
        if not 0 < seconds <= MOST_ADDED:
            return "You can add from one second to one day."
        round, table = round_table
        for identity in people:
            event = TimeAdded(_now(), round, table.id, identity, seconds)
            if (reason := await self._server.add(event)) is not None:
                return reason
        return None

    async def pause(self, number: int | None) -> str | None:
        """Stops the clocks of a table, or of all tables that play (None)."""
        return await self._stop(number, paused=True)

    async def resume(self, number: int | None) -> str | None:
        """Lets the clocks of a table, or of all that are paused (None), run again."""
        return await self._stop(number, paused=False)

    async def decide(self, number: int, winners: Collection[bytes], reason: str) -> str | None:
        """Ends a table: these players have won or, if they are several, share the first place; all others have lost.
        Without winners, all get place 0.
        """
        sentence = _sentence(reason)
        if (round_table := self._table(number)) is None:
            return self._no_table(number)
        round, table = round_table
        referee = self._server.referees.get(TableId(round, table.id))
        if not sentence:
            return NO_REASON
        if referee is None or table.decided is not None:
            return f"Table {number + 1} already has a result. You can have the game played again."
        if not set(winners) <= set(table.seats):
            return f"Only a player at table {number + 1} can win there."
        if referee.view is not None and referee.view.result is not None:
            return f"The game at table {number + 1} is over: its result counts."
        seats = [table.seats.index(winner) for winner in winners]
        places = _places(len(table.seats), seats)
        referee.end(
            Ruling(places, ORGANIZER, f"{_outcome(referee.names, seats)}, by decision of the organizer: {sentence}")
        )
        return await self._decided(round, table)

    async def replay(self, number: int, reason: str) -> str | None:
        """Has a table of the current round play again. A game still being played there ends as a draw first."""
        sentence = _sentence(reason)
        if (round_table := self._table(number)) is None:
            return self._no_table(number)
        if not sentence:
            return NO_REASON
        round, table = round_table
        with self._no_round_begins():
            if table.decided is None:
                stopped = await self.decide(number, table.seats, f"{REPLAYED}: {sentence}")
                if stopped is not None:
                    return stopped
            return await self._reopen(table.seats, TableReplayed(_now(), round, table.id, sentence, b""))

    async def undo(self, number: int | None, reason: str) -> str | None:
        """Undoes the organizer's decision at a table of the current round; None: the latest one that still counts. The
        players play there from the start.
        """
        sentence, round = _sentence(reason), self._server.tournament.round
        if number is not None and self._table(number) is None:
            return self._no_table(number)
        tables: Sequence[TournamentTable] = () if round is None else round.tables
        own = [one.decided for one in tables if one.decided is not None and one.decided.how == ORGANIZER]
        meant = [one for one in own if number is None or table_number(one.table) == number]
        if not meant:
            return self._nothing_to_undo(number)
        if not sentence:
            return NO_REASON
        latest = next(one for one in reversed(self._server.history(0)) if one in meant)
        assert isinstance(latest, TableDecided)
        seats = tables[table_number(latest.table)].seats
        return await self._reopen(seats, DecisionUndone(_now(), latest.round, latest.table, sentence, b""))

    async def announce(self, text: str) -> str | None:
        """Says something to everybody."""
        sentence = clean(text, MOST_SENTENCE).strip()
        return await self._server.add(MessageSent(_now(), sentence)) if sentence else "Type a message."

    async def close_entry(self) -> str | None:
        """Closes enrollment."""
        return await self._server.add(EntryClosed(_now()))

    async def finish(self) -> str | None:
        """Ends the tournament early: once the games in progress are over."""
        return await self._server.add(EndCalled(_now()))

    async def withdraw(self, identity: bytes) -> str | None:
        """Takes a player out of the tournament."""
        return await self._server.withdraw(identity)

    async def readmit(self, identity: bytes) -> str | None:
        """Lets a player who has withdrawn play again from the next round on."""
        player = self.tournament.player(identity)
        if player is not None and player.state == IN:
            return f"{self.tournament.name(identity)} has not withdrawn."
        return await self._server.membership.readmit(identity)

    async def ban(self, identity: bytes, reason: str) -> str | None:
        """Keeps a player out for good."""
        sentence = _sentence(reason)
        return await self._server.ban(identity, sentence) if sentence else NO_REASON

    async def grant_bye(self, number: int, identity: bytes, *, granted: bool) -> str | None:
        """Gives a player a half-point bye in a coming round, or takes it back."""
        return await self._server.add(ByeGranted(_now(), identity, number, granted))

    async def form_team(self, name: str, members: Sequence[bytes]) -> str | None:
        """Puts these players into a team, in the order of its boards."""
        if not 0 < len(seen := name_form(name, MOST_NAME + 1)) <= MOST_NAME:
            return f"A team’s name has at most {MOST_NAME} visible characters."
        return await self._server.add(TeamFormed(_now(), seen, tuple(members)))

    async def schedule(self, seconds: int | None) -> str | None:
        """Schedules the next round, or the first one, in this many seconds; None: only when the organizer says so
        again.
        """
        now = self._server.tournament
        if now.format.rolling and now.phase == PLAYING:
            return NO_NEXT_ROUND
        start = None if seconds is None else _now() + seconds
        return await self._server.add(RoundScheduled(_now(), start))

    # -- small change --------------------------------------------------------------------------------------------------

    def _nothing_to_undo(self, number: int | None) -> str:
        """Says why there is no decision to undo, at a table or (None) in the whole round."""
        rounds = self._server.tournament.rounds
        here = [one for one in rounds[-1].tables if one.number == number] if rounds else []
        if any(isinstance(event, DecisionUndone) for table in here for event in table.reopened):
            return f"You have already undone your decision at table {here[0].number + 1}."
        for round in reversed(rounds[:-1]):
            tables = round.tables if number is None else round.tables[number : number + 1]
            if any(table.decided is not None and table.decided.how == ORGANIZER for table in tables):
                return f"Round {round.number + 1} has been paired, so rulings of round {round.number} stand."
        if number is None:
            return NO_DECISION
        decided = any(result.how == ORGANIZER for table in here for result in table.former)
        if decided:
            return f"You have no decision to undo at table {number + 1}. {ELSE_REPLAY}"
        return f"You did not decide table {number + 1}. {ELSE_REPLAY}"

    def _table(self, number: int) -> tuple[int, TournamentTable] | None:
        round = self._server.tournament.round
        if round is None or not 0 <= number < len(round.tables):
            return None
        return round.number, round.tables[number]

    def _no_table(self, number: int) -> str:
        now = self._server.tournament
        if not now.rounds or now.format.rolling:
            return f"There is no table {number + 1} yet."
        return f"There is no table {number + 1} in this round."

    async def _reopen(self, seats: Sequence[bytes], event: TableReopened) -> str | None:
        """Signs what opens a decided table again, and adds it."""
        return await self._server.add(reopen(self._identity, self._server.settings, seats, event))

    async def _stop(self, number: int | None, *, paused: bool) -> str | None:
        round = self._server.tournament.round
        if number is not None and self._table(number) is None:
            return self._no_table(number)
        if round is not None and number is not None and round.tables[number].decided is not None:
            return f"Table {number + 1} already has a result."
        tables: Sequence[TournamentTable] = () if round is None else round.open
        meant = [one for one in tables if (number is None and one.paused != paused) or one.number == number]
        if round is None or not meant:
            running = "Every table is already paused." if tables else "No game is running."
            return running if paused else "No table is paused."
        for table in meant:
            place = _now(), round.number, table.id
            reason = await self._server.add(TablePaused(*place) if paused else TableResumed(*place))
            if reason is not None:
                return reason
        return None

    async def _decided(self, round: int, table: TournamentTable) -> str | None:
        """Waits until the result of a table that is being decided is stored. Returns the server's problem, if any."""
        over = asyncio.Event()

        def on_event(event: object) -> None:
            here = isinstance(event, TableDecided) and (event.round, event.table) == (round, table.id)
            if here or self._server.problem is not None:
                over.set()

        stop = self._server.subscribe(on_event)
        try:
            await over.wait()
        finally:
            stop()
        return self._server.problem

    @contextmanager
    def _no_round_begins(self) -> Iterator[None]:
        """Keeps a round from beginning while the last table of a round is decided only to be played again."""
        self._server.holding = True
        try:
            yield
        finally:
            self._server.holding = False


def _places(count: int, first: Collection[int]) -> tuple[int, ...]:
    """Returns, by seat, 1 for those who are first and 0 for all others."""
    return tuple(int(seat in first) for seat in range(count))


def _outcome(names: Sequence[str], winners: Collection[int]) -> str:
    if len(winners) == len(names):
        return "A draw"
    return f"{names_at(names, winners)} won" if winners else "Nobody won"


def _sentence(text: str) -> str:
    """Returns a reason that ends with a period, short enough to be signed with what precedes it."""
    sentence = clean(text, MOST_SENTENCE // 2).strip()
    return sentence if not sentence or sentence[-1] in ".!?" else f"{sentence}."


def _now() -> int:
    return int(wall_time())
