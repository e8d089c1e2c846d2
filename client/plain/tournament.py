"""A tournament in the line mode: who plays whom, how it stands, and one's own tables one after the other."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from client import clocks
from client.cups import how, over, points, title, without_table
from client.lines import Lines
from client.people import in_a_row
from client.plain_table import PlainTable, both
from client.services import Services
from p2p.referee.field import IN
from p2p.referee.points import points_in_words

if TYPE_CHECKING:
    from client.attending import EntrantLike
    from client.seats import TableLike

MENU: Final = (
    "tables: say who plays whom. standings: say how it stands. help: hear this.",
    "withdraw: leave the tournament. quit: end the program; to come back, join again.",
)


class PlainCup:
    """A tournament in sentences, until one leaves it or it is over."""

    def __init__(self, entrant: EntrantLike, services: Services, lines: Lines, level: int) -> None:
        self.entrant, self.services, self.lines, self._level = entrant, services, lines, level
        self._events: asyncio.Queue[Any] = asyncio.Queue()
        self._round = 0
        self._played: TableLike | None = None
        self._ruled: object = None
        self._away = False

    async def attend(self) -> None:
        """Until the tournament is over or left. Raises EOFError where the input ends."""
        cup = self.entrant.cup
        stop = self.entrant.subscribe(self._heard)
        self.lines.say(f"You are in {cup.name}: {title(cup)}. {how(cup)} Type help to hear what can be typed.")
        try:
            while self.entrant.phase not in ("over", "withdrawn", "failed"):
                self._tell()
                table = self.entrant.table
                if table is not None and table is not self._played and table.phase != "failed":
                    await self._play(table)
                elif not await self._wait():
                    return
            self._tell()
            self._tell_end()
        finally:
            stop()

    async def _wait(self) -> bool:
        """Until something happens; obeys what is typed meanwhile. False when one has gone."""
        async for source, what in both(self._events.get, self.lines.read):
            if source == "event":
                return True
            match what.strip().lower():
                case "tables":
                    self.lines.say(*self._tables())
                case "standings":
                    self.lines.say(*self._standings())
                case "withdraw" | "leave":
                    self.entrant.withdraw()
                    self.lines.say("You have withdrawn.")
                    return False
                case "quit" | "exit" | "q":
                    raise EOFError
                case "":
                    pass
                case _:
                    self.lines.say(*MENU)
        return False

    async def _play(self, table: TableLike) -> None:
        clocks.keep(table, self.entrant)
        self._played = table
        await PlainTable(table, self.services, self.lines, self._level, counts=True).play()
        if table.phase not in ("done", "failed"):
            table.leave()
        self.lines.say("You are back in the tournament.")

    # -- what is said --------------------------------------------------------------------------------------------------

    def _tell(self) -> None:
        """What has happened since the last time, each thing once."""
        cup, entrant = self.entrant.tournament, self.entrant
        self._tell_away()
        ruling = entrant.ruling
        told = self._played is not None and ruling is not None and self._played.problem == ruling.sentence
        if ruling is not None and ruling is not self._ruled and not told:
            self.lines.say(f"Your table: {ruling.sentence}")
        self._ruled = ruling
        if cup.round is not None and cup.round.number > self._round:
            self._round = cup.round.number
            self.lines.say(f"Round {self._round} begins.", self._own())

    def _heard(self, event: Any) -> None:
        """At a table, too, one hears at once that the referee is away."""
        if event.what == "away":
            self._tell_away()
        self._events.put_nowait(event)

    def _tell_away(self) -> None:
        away = self.entrant.away_since is not None
        if away != self._away:
            self.lines.say("The referee is away. The games go on." if away else "The referee is back.")
        self._away = away

    def _own(self) -> str:
        """Whom one plays in this round."""
        cup, own = self.entrant.tournament, self.entrant.identity
        table = cup.table_of(own)
        if table is not None:
            others = [cup.name(one) for one in table.seats if one != own]
            return f"You play {in_a_row(others)} at table {table.number + 1}."
        return without_table(cup, own)

    def _tables(self) -> list[str]:
        cup = self.entrant.tournament
        if cup.round is None:
            names = [cup.name(player.identity) for player in cup.players if player.state == IN]
            return [f"The first round has not begun. {len(names)} are in: {', '.join(names)}."]
        lines = []
        for table in cup.round.tables:
            names = [cup.name(one) for one in table.seats]
            result = "" if table.points is None else f": {' to '.join(map(points_in_words, table.points))}"
            lines.append(f"Table {table.number + 1}: {in_a_row(names)}{result or ' play'}.")
        return lines

    def _standings(self) -> list[str]:
        cup = self.entrant.tournament
        return [
            f"{row.rank}: {cup.name(row.player.identity)}, {points(row.points)}, rating {row.rating}."
            for row in cup.standings()
        ]

    def _tell_end(self) -> None:
        match self.entrant.phase:
            case "over":
                self.lines.say(over(self.entrant.tournament), *self._standings())
            case "failed":
                self.lines.say(self.entrant.problem or "The referee is not to be trusted.")
