"""The line mode: prompts and sentences instead of a screen, from the title to the dossier, for screen readers.

Everything is said once, when it happens, in whole sentences, and nothing is ever overwritten. What is typed is a word,
with what belongs to it behind; "help" says which. A board brings the sentences of its game (`client.board.PlainSeat`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from client.lines import Lines
from client.options import (
    NONE_GIVEN,
    duration,
    for_people,
    for_table,
    in_short,
    option_lines,
    read_option,
    remember,
    remembered,
)  # fmt: skip
from client.plain_table import PlainTable
from client.services import Enrolled, Listed, Services, Unfinished
from client.settings import Settings, clean_nickname
from games import lookup
from games.settling import spelled
from games.table import Game, Plain
from protocol.roster import MOST_SEATS

if TYPE_CHECKING:
    from client.app import Start
    from client.attending import EntrantLike
    from client.seats import TableLike

LISTEN_SECONDS: Final = 1.5

MENU: Final = (
    "alone: play against the computer. alone 7: at level 7 of 20.",
    "host: open a table on this network. host GAME: of another game.",
    "list: say which tables are open here.",
    "join NAME, or join ADDRESS: join a table. watch NAME, or watch ADDRESS: watch one.",
    "resume: say which games wait to be taken up again. resume NUMBER: go on with one.",
    "games: say which games are installed. game GAME: choose one, for alone and host.",
    "seats NUMBER: so many seats at your tables. options: hear the options of the game. option NAME=VALUE: choose one.",
    "grace SECONDS: how long who is away is waited for at your tables, at least.",
    "nickname NAME: be called so. quit: leave.",
)
LOOK: Final = "look SECONDS: the last look at your tables."


async def run(settings: Settings, services: Services, start: Start | None, lines: Lines | None = None) -> int:
    """The whole program in lines. Returns the exit status."""
    client = PlainClient(settings, services, lines or Lines())
    try:
        await client.main(start)
    except EOFError as error:
        client.lines.say(str(error) or "The input has ended; the table, if any, is left.")
    finally:
        await services.close()
    return 0


class PlainClient:
    """The title screen as a dialogue, and the way from there to tables."""

    def __init__(self, settings: Settings, services: Services, lines: Lines) -> None:
        self.settings, self.services, self.lines = settings, services, lines

    async def main(self, start: Start | None) -> None:
        """Greets, does what the command line asked for, then what is typed."""
        from client.about import version_line
        from client.app import Alone, Host, Join, Resume, Watch

        self.lines.say(f"{version_line()}. You are {self.settings.name}. Type help to hear what can be typed.")
        await self.services.warm()
        match start:
            case Host(game, seats, port, bind, given):
                await self._host(game, seats, port, bind, given)
            case Alone(game, seats, given):
                await self._alone(game, seats, given)
            case Join(str(where)):
                await self._sit(self.services.join(where))
            case Join(None) | Watch(None):
                await self._list()
            case Watch(str(where)):
                await self._watch(where)
            case Resume(which):
                await self._sit(self.services.resume(which))
            case None:
                await self._tell_unfinished()
        while True:
            word, _, rest = (await self.lines.read()).partition(" ")
            if word in ("quit", "q", "exit"):
                return
            await self._obey(word.lower(), rest.strip())

    async def _obey(self, word: str, rest: str) -> None:
        kept, say = self.settings, self.lines.say
        match word:
            case "":
                pass
            case "help" | "?":
                say(*MENU, *([LOOK] if self._game.last_looks else []))
            case "games":
                say(*(f"{name}: {lookup.find(name).title}." for name in lookup.ids()))
            case "game" if rest in lookup.ids():
                kept.game = rest
                kept.save()
                say(f"You play {self._game.title}.")
            case "options":
                say(*self._options())
            case "option" if rest:
                self._choose(rest)
            case "nickname":
                kept.nickname = clean_nickname(rest)
                kept.save()
                say(f"You are {kept.name}.")
            case "seats" if rest.isdigit() and 2 <= int(rest) <= MOST_SEATS:
                kept.seats = int(rest)
                kept.save()
                say(f"Your tables have {rest} seats, where the game allows it.")
            case "look" if rest.isdigit() and int(rest) <= 120 and self._game.last_looks:
                kept.last_look = int(rest)
                kept.save()
                say(f"Last looks at your tables take {rest} seconds." if int(rest) else "No last looks at your tables.")
            case "grace" if rest.isdigit() and 5 <= int(rest) <= 86400:
                kept.grace = int(rest)
                kept.save()
                say(f"Who is away is waited for at your tables, for {duration(kept.grace)} at least.")
            case "alone" if not rest or (rest.isdigit() and 1 <= int(rest) <= 20):
                kept.level = int(rest or kept.level)
                kept.save()
                await self._alone(self._game.id)
            case "host" if not rest or rest in lookup.ids():
                await self._host(rest or self._game.id)
            case "list":
                await self._list()
            case "resume" if rest:
                await self._sit(self.services.resume(await self._meant(rest)))
            case "resume":
                if not await self._tell_unfinished():
                    say("No game waits to be resumed.")
            case "join" if rest:
                await self._sit(self.services.join(rest))
            case "watch" if rest:
                await self._watch(rest)
            case "join" | "watch":
                await self._list()
            case _:
                say("That is nothing I know, or something is missing behind it.", *MENU)

    @property
    def _game(self) -> Game:
        """The game last chosen, else the first installed."""
        games = lookup.ids()
        return lookup.find(self.settings.game if self.settings.game in games else games[0])

    def _options(self) -> list[str]:
        """The options of the game: what each is now, and what can be typed."""
        game = self._game
        kept = dict(option_lines(game, remembered(self.settings, game)))
        lines = [
            f"{option.label}: {kept[option.label]}. Type option {option.name}= and one of "
            f"{', '.join(f'{spelled(value)} ({label})' for value, label in option.values)}."
            for option in game.options
        ]
        return lines or [f"{game.title} has no options."]

    def _choose(self, typed: str) -> None:
        """One option, as it is to be from now on."""
        game, kept = self._game, self.settings
        try:
            name, value = read_option(game, typed)
        except ValueError as error:
            self.lines.say(str(error))
            return
        remember(kept, game, remembered(kept, game) | {name: value})
        kept.save()
        self.lines.say(*(f"{label}: {said}." for label, said in option_lines(game, remembered(kept, game))))

    async def _host(
        self,
        name: str,
        seats: int | None = None,
        port: int | None = None,
        bind: str | None = None,
        given: Mapping[str, Plain] = NONE_GIVEN,
    ) -> None:
        wanted, options = for_table(self.settings, lookup.find(name), seats, given)
        settled = for_people(self.settings, options)
        await self._sit(self.services.host(name, settled, wanted, port=port, bind=bind))

    async def _alone(self, name: str, seats: int | None = None, given: Mapping[str, Plain] = NONE_GIVEN) -> None:
        wanted, options = for_table(self.settings, lookup.find(name), seats, given)
        await self._sit(self.services.alone(name, options, wanted, self.settings.level))

    async def _list(self) -> None:
        stop = self.services.watch(lambda: None)
        self.lines.say("Listening for tables.")
        await asyncio.sleep(LISTEN_SECONDS)
        nearby = self.services.nearby()
        stop()
        if nearby.problem:
            self.lines.say(nearby.problem)
        for table in nearby.tables:
            self.lines.say(_listed(table))
        if not nearby.tables:
            self.lines.say(
                "No table was found. Both machines must be on the same network, their firewalls must let UDP 5353 and "
                "the table's TCP port in, and some access points keep devices apart.",
                "The host's screen says what to type, like: join 192.168.1.7",
            )

    async def _tell_unfinished(self) -> bool:
        """Says which games wait to be taken up again. False if there is none."""
        from client.resuming import told

        waiting = await self.services.unfinished()
        if waiting:
            self.lines.say(*(f"{n}: {told(game)}" for n, game in enumerate(waiting, 1)))
            self.lines.say("To go on, type resume and the number.")
        return bool(waiting)

    async def _meant(self, typed: str) -> Unfinished | str:
        """The game that a number names, or what was typed."""
        waiting = await self.services.unfinished()
        return waiting[int(typed) - 1] if typed.isdigit() and 0 < int(typed) <= len(waiting) else typed

    async def _watch(self, where: str) -> None:
        from client.plain_watch import PlainWatch

        try:
            watch = await self.services.onlook(where)
        except Exception as error:
            if not self.services.is_trouble(error):
                raise
            self.lines.say(str(error))
            return
        try:
            await PlainWatch(watch, self.services, self.lines).follow()
        finally:
            await watch.close()
        self.lines.say("You are back at the start. Type help to hear what can be typed.")

    async def _sit(self, opening: Any) -> None:
        try:
            found: TableLike | Enrolled = await opening
        except Exception as error:
            if not self.services.is_trouble(error):
                raise
            self.lines.say(str(error))
            return
        if isinstance(found, Enrolled):
            await self._attend(found.entrant)
            return
        table = found
        try:
            await PlainTable(table, self.services, self.lines, self.settings.level).play()
        finally:
            table.leave()
            await table.close()
        self.lines.say("You are back at the start. Type help to hear what can be typed.")

    async def _attend(self, entrant: EntrantLike) -> None:
        from client.plain_cup import PlainCup

        try:
            await PlainCup(entrant, self.services, self.lines, self.settings.level).attend()
        except EOFError as error:
            raise EOFError("Your place in the tournament is kept, and your game. To come back, join again.") from error
        finally:
            await entrant.close()
        self.lines.say("You are back at the start. Type help to hear what can be typed.")


def _listed(table: Listed) -> str:
    keys = {"met": "a key you have met", "new": "a key new to you", "you": "your own table",
            "changed": "warning: a name you know with another key"}  # fmt: skip
    versions = f" {table.versions}" if table.versions else ""
    options = f", {in_short(table.options)}" if table.options else ""
    if table.cup is not None:
        return f"{table.host} at {table.address} is a tournament of {table.title}, {table.cup.players} play.{versions}"
    return (
        f"{table.host} at {table.address} hosts {table.title}{options}, {table.taken} of {table.total} seats taken; "
        f"{keys.get(table.key, '')}.{versions}"
    )
