"""What happens at a referee's desk, told in lines that a person reads."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from pathlib import Path
from typing import Final

from client.cups import counted
from games.settling import numbers
from p2p.identity import Identity
from p2p.referee import events, export
from p2p.referee.desk import Desk, Moved, News, Plan, Said
from p2p.referee.events import Decided, Ended, Enrolled, Paired, Returned, Seated, Withdrew
from p2p.referee.field import IN, Table
from p2p.referee.points import points_in_words
from p2p.tasks import Tasks
from p2p.trouble import Trouble

LISTED: Final = 5
"""Lines of the standings after a round; at the end there are all."""
COMMANDS: Final = "start, next, status, withdraw NAME, stop"


class Teller:
    """Tells what happens at a desk, on the standard output; what others may have of the cup goes into `folder`."""

    def __init__(self, desk: Desk, folder: Path, identity: Identity) -> None:
        self._desk = desk
        self._folder = folder
        self._identity = identity
        self._away: set[bytes] = set()
        self._tasks = Tasks()
        self._exporting = asyncio.Lock()
        desk.subscribe(self._heard)

    def say(self, sentence: str) -> None:
        """One line, safe to show, with the time."""
        with contextlib.suppress(BrokenPipeError):
            print(f"{time.strftime('%H:%M:%S')}  {sentence}", flush=True)

    async def close(self) -> None:
        """Waits until what others may have is written. To be called when nothing happens any more."""
        await self._tasks.settle()

    def open(self, plan: Plan) -> None:
        """What there is to be said at first."""
        desk, cup = self._desk, self._desk.cup
        kind = cup.format.capitalize()
        rounds = f", {counted(cup.rounds, 'round')}" if cup.rounds else ""
        clock = f", {cup.clock} each" if cup.clock is not None else ", without clocks"
        self.say(f"{cup.name}: {desk.game.title} by {numbers(cup.sizes)}. {kind}{rounds}{clock}.")
        there = [f'kimberley join "{cup.name}"', *(f"kimberley join {address}" for address in desk.addresses[:1])]
        self.say(f"Players type: {' or '.join(there)}")
        self.say(f'Bots enter by: kimberley bot join "{cup.name}" --level 3')
        if desk.tournament.players:
            self.status()
        elif plan.players is not None:
            self.say(f"The first round begins with {plan.players} players.")
        elif plan.start is not None:
            self.say(f"The first round begins at {time.strftime('%H:%M', time.localtime(plan.start))}.")
        if sys.stdin.isatty():
            self.say(f"You may type: {COMMANDS}.")

    def status(self) -> None:
        """How it stands."""
        now, desk = self._desk.tournament, self._desk
        names = [now.name(player.identity) for player in now.players if player.state == IN]
        away = [now.name(one.identity) for one in now.players if one.state == IN and one.identity not in desk.present]
        self.say(f"{counted(len(names), 'player')}: {', '.join(names) or 'nobody yet'}.")
        if away:
            self.say(f"Not connected: {', '.join(away)}.")
            self._away |= {one.identity for one in now.players if one.state == IN} - desk.present
        if now.round is not None:
            self.say(f"Round {now.round.number} of {now.planned}:")
            for table in now.round.tables:
                said = table.decided.sentence if table.decided is not None else self._waiting(table)
                self.say(f"  Table {table.number + 1}, {self._versus(table.seats)}: {said}")
            self._standings(None if now.ended else LISTED)

    def _waiting(self, table: Table) -> str:
        """What an open table waits for."""
        arbiter = next((one for place, one in self._desk.arbiters.items() if place.table == table.number), None)
        view = arbiter.view if arbiter is not None else None
        if arbiter is None or view is None:
            return "not begun." if table.game is None else "not seen yet since the referee is back."
        names = " and ".join(arbiter.names[seat] for seat in view.waiting) or "nobody"
        return f"step {view.slot[0]}, waits for {names} ({view.owed})."

    def _heard(self, news: News) -> None:
        now = self._desk.tournament
        match news:
            case Said(sentence):
                self.say(sentence)
            case Enrolled(_, identity, _):
                self.say(f"{now.name(identity)} has enrolled: {counted(self._in(), 'player')}.")
            case Returned(_, identity):
                self.say(f"{now.name(identity)} plays again, from the next round on.")
            case Withdrew(_, identity):
                self.say(f"{now.name(identity)} has withdrawn: {counted(self._in(), 'player')}.")
            case Moved(identity, here) if not now.ended:
                self._moved(now.name(identity), identity, here)
            case Paired():
                self._paired(news)
            case Seated(_, _, table):
                self.say(f"Table {table + 1}: {self._versus(now.rounds[-1].tables[table].seats)}, they play.")
            case Decided():
                self._decided(news)
            case Ended():
                self._ended()

    def _moved(self, name: str, identity: bytes, here: bool) -> None:
        if not here:
            self._away.add(identity)
            self.say(f"{name} is not connected any more.")
        elif identity in self._away:
            self._away.discard(identity)
            self.say(f"{name} is back.")

    def _paired(self, event: Paired) -> None:
        now = self._desk.tournament
        self.say(f"Round {event.round} of {max(now.planned, event.round)}:")
        for number, seats in enumerate(event.tables, 1):
            self.say(f"  Table {number}: {self._versus(seats)}")
        for identity in event.byes:
            self.say(f"  {now.name(identity)} has a bye.")

    def _decided(self, event: Decided) -> None:
        fair = " The audit finds it fair." if event.how == events.PLAYED else ""
        self.say(f"Table {event.table + 1}: {event.sentence}{fair}")
        round = self._desk.tournament.round
        if round is not None and not round.open:
            self.say(f"Round {round.number} is over.")
            self._standings(LISTED)
            self._tasks.start(self._export())

    def _ended(self) -> None:
        desk = self._desk
        best = desk.tournament.standings()
        self.say(f"{desk.cup.name} is over. {desk.tournament.name(best[0].player.identity)} wins it.")
        self._standings(None)
        self._tasks.start(self._export(tell=True))

    async def _export(self, *, tell: bool = False) -> None:
        """Writes the cup as it stands for others, off the loop; tells where it is, if asked to."""
        try:
            async with self._exporting:
                path, *_ = await asyncio.to_thread(export.write, self._folder, self._identity)
        except Trouble as error:
            self.say(str(error))
            return
        if tell:
            self.say(f"All of it, signed, with every game: {path}")
            self.say(f"Anybody checks it with: kimberley verify {path}")

    def _standings(self, most: int | None) -> None:
        now = self._desk.tournament
        lines = now.standings()
        for one in lines[:most]:
            tied = f"  (Buchholz {points_in_words(one.buchholz)})" if one.buchholz else ""
            self.say(f"  {one.rank:>2}  {now.name(one.player.identity):<24} {points_in_words(one.points)}{tied}")
        if most is not None and len(lines) > most:
            self.say(f"  and {len(lines) - most} more")

    def _versus(self, seats: tuple[bytes, ...]) -> str:
        return " – ".join(map(self._desk.name, seats))

    def _in(self) -> int:
        return sum(player.state == IN for player in self._desk.tournament.players)
