"""The line mode: prompts and sentences instead of screens, from the title to the dossier, for screen readers.

It says everything once, when it happens, in whole sentences, and never overwrites anything. A command is a word,
followed by its arguments; "help" lists the commands. A board provides the sentences of its game
(`client.boards.line_mode.LineMode`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from kimberley.client.boards.guide import LEVEL
from kimberley.client.boards.registry import board_of
from kimberley.client.boards.rules_page import rules_lines
from kimberley.client.plain.console import Console
from kimberley.client.plain.table import PlainTable
from kimberley.client.plain.table_commands import NOT_NOW, OTHER_TIMES, UNKNOWN
from kimberley.client.plain.table_options import ADJUSTING, CHOOSING, WAITING, adjust_help, option_help
from kimberley.client.session.audio import Audio
from kimberley.client.session.leaving import LEAVE_SECONDS, leave_table, owes_departure
from kimberley.client.session.options import (  # fmt: skip
    NO_BOTS,
    NONE_GIVEN,
    chosen_level,
    for_people,
    for_table,
    level_lines,
    remember,
    remembered,
)
from kimberley.client.session.participants import STILL_NEEDED, has_left, left_bots_need_you, waits_for_you
from kimberley.client.session.services import JoinedTournament, ListedTable, Services
from kimberley.client.session.settings import Settings, nickname_form
from kimberley.client.session.table_list import offered
from kimberley.games import lookup
from kimberley.games.bots.levels import find_level, level_label, nearest_level
from kimberley.games.bots.lookup import has_bots
from kimberley.games.phrases import count_of
from kimberley.games.table import Game, Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.keyboard import as_latin, keyboard_told, split_command
from kimberley.p2p.base.tasks import BackgroundTasks, task_scope, tell_errors
from kimberley.p2p.sentences import notices
from kimberley.p2p.sentences.options import adjust_label, duration, in_short, option_lines, read_option
from kimberley.p2p.sentences.tournaments import what_is_kept
from kimberley.p2p.table.common_options import GRACE_RANGE, AdjustTimes
from kimberley.protocol.roster import MOST_NICKNAME, MOST_SEATS

if TYPE_CHECKING:
    from kimberley.client.session.interfaces import TournamentClientLike
    from kimberley.client.session.start_requests import StartRequest
    from kimberley.p2p.table.table import Table

LISTEN_SECONDS: Final = 1.5
PART_SECONDS: Final = 1.0
"""The time after which the player is told that the others at a table still need this program."""
INPUT_ENDED_SECONDS: Final = 120.0
"""How long the program waits for such a table once its input has ended."""

MOST_DIGITS: Final = 3
"""The most digits of a number in a list: more are the beginning of a saved game's name."""

MENU: Final = (
    "alone: play the computer. alone 3: play at level 3. alone GAME: play another game.",
    "levels: hear the levels of your game. guide: learn your first turns, at level 1.",
    "host: open a table on this network. host GAME: open one for another game.",
    "list: list the open tables.",
    "join NAME, or join ADDRESS: join a table. watch NAME, or watch ADDRESS: watch one.",
    "resume: list your saved games. resume NUMBER: resume one.",
    "finished: list your finished games, and whether each was fair.",
    "games: list the games. game GAME: choose the game for alone and host. rules: hear the rules of your game. rules "
    "GAME: hear another game’s rules.",
    "seats NUMBER: set the seats at your tables. options: hear the game’s options. option NAME=VALUE: set one.",
    "waiting SECONDS: set how long your tables wait for a player who is away.",
    "nickname NAME: change your name. quit: end the program.",
)
QUIT: Final = ("quit", "q", "exit")
STOP_WAITING: Final = "Type leave to stop waiting."
BACK: Final = "You are back at the main menu. Type help for a list of commands."
_ENDS: Final = (
    "The program ends as soon as the others can play on without it. To end it now, {}: they would wait for you."
)
ENDS_LATER: Final = _ENDS.format("type quit again")
QUIT_AGAIN: Final = "To end it now, type quit again."
INTERRUPTED: Final = _ENDS.format("press Ctrl-C again")
KEPT: Final = notices.KEPT.format(command="kimberley resume --plain")
LOOK: Final = (
    "adjust SECONDS: set how long plans can be adjusted at your tables. adjust 5-40: until both are done. adjust 0: no "
    "time limit."
)


async def run(settings: Settings, services: Services, start: StartRequest | None, lines: Console | None = None) -> int:
    """Runs the whole program in the line mode. Returns the exit status."""
    client = PlainClient(settings, services, lines or Console(ascii_only=settings.glyphs == "ascii"))
    client.audio.open()
    tell_errors(client.lines.say)
    try:
        await client.main(start)
    except EOFError as error:
        client.lines.say(str(error) or "Input ended.")
        await client.wait_to_leave(INPUT_ENDED_SECONDS)
    except asyncio.CancelledError:
        # A second Ctrl-C ends the loop.
        if client.is_needed:
            client.lines.say(INTERRUPTED)
            await client.wait_to_leave(INPUT_ENDED_SECONDS)
        raise
    finally:
        client.audio.close()
        await client.close()
        await services.close()
    return 0


class PlainClient:
    """The title screen as a conversation, and the way from there to tables."""

    def __init__(self, settings: Settings, services: Services, lines: Console) -> None:
        self.settings, self.services, self.lines = settings, services, lines
        self.audio = Audio(settings, screens=False)
        self._leaving = BackgroundTasks()
        """Tables that the player has left, for as long as the others cannot play on without this program."""
        self._left: list[Table] = []
        """All tables that the player has left."""
        self._missed = False
        """Whether no table was found last time."""

    async def close(self) -> None:
        """Closes everything when the program ends, without waiting for long."""
        await self.wait_to_leave(LEAVE_SECONDS)
        await self._leaving.close()

    async def main(self, start: StartRequest | None) -> None:
        """Greets the user, does what the command line asked for, then obeys what the user types."""
        from kimberley.client.session.about import version_line
        from kimberley.client.session.start_requests import HostGame, JoinTable, PlayAlone, ResumeGame, WatchTable

        self.lines.say(f"{version_line()}. You are {self.settings.name}. Type help for a list of commands.")
        self.lines.say(*self.settings.renamed)
        if not self.settings.has_name:
            self.lines.say("To play with others, type nickname and your name, or start with --nickname.")
        await self.services.warm()
        match start:
            case HostGame(game, seats, port, bind, given, far):
                await self._host(game, seats, port, bind, given, far=far)
            case PlayAlone(game, seats, given, _):
                await self._alone(game, seats, given)
            case JoinTable(str(where)):
                await self._sit(self._join(where), fresh=True)
            case JoinTable(None) | WatchTable(None):
                await self._list()
            case WatchTable(str(where)):
                await self._watch(where)
            case ResumeGame(None) if sum(game.problem is None for game in await self.services.unfinished()) > 1:
                await self._list_unfinished()
            case ResumeGame(which):
                await self._sit(self.services.resume(which))
            case None:
                await self._list_unfinished()
        told = ""
        while True:
            word, typed = split_command(await self.lines.read())
            if word not in QUIT:
                await self._obey(word, typed)
                continue
            await self._finish_leaving()
            needed = left_bots_need_you(self._left)
            if not needed or needed == told:
                return
            self.lines.say(needed, QUIT_AGAIN)
            told = needed

    @property
    def is_needed(self) -> bool:
        """Returns whether the others at a table that the player has left cannot play on yet."""
        return self._leaving.busy

    async def wait_to_leave(self, seconds: float) -> None:
        """Waits until the others can play on at all tables that the player has left, but no longer than `seconds`."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._leaving.wait(), seconds)

    async def _finish_leaving(self) -> None:
        """Waits until the others can play on at all tables that the player has left, or until the player quits again.
        Raises EOFError.
        """
        async with task_scope() as tasks:
            parting = tasks.start(self._leaving.wait())
            while self.is_needed:
                self.lines.say(ENDS_LATER)
                line = tasks.start(self.lines.read())
                await asyncio.wait((parting, line), return_when=asyncio.FIRST_COMPLETED)
                if parting.done() or split_command(line.result())[0] in QUIT:
                    break

    async def _obey(self, word: str, typed: str) -> None:
        """Obeys a command with what was typed after its word. Only names and addresses are taken exactly as typed."""
        kept, say, rest = self.settings, self.lines.say, as_latin(typed).lower()
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
                say(f"Your game is {self._game.title}.")
            case "rules" if not rest or rest in lookup.ids():
                say(*rules_lines(rest or self._game.id))
            case "options" if not rest:
                say(*self._options())
            case "option" if rest:
                self._choose(rest)
            case "nickname" if rest:
                kept.nickname = nickname_form(typed)
                kept.save()
                say(f"You are {kept.name}.", *notices.renamed(typed, kept.name, MOST_NICKNAME))
            case "seats" if rest.isdecimal() and 2 <= int(rest) <= MOST_SEATS:
                kept.seats = int(rest)
                kept.save()
                say(f"Your tables have {rest} seats, if the game allows it.")
            case "adjust" | "look" if self._game.last_looks and (times := _typed_times(rest)) is not None:
                kept.adjust = times.text
                kept.save()
                say(f"Adjust time at your tables: {adjust_label(times)}.")
            case "waiting" | "wait" | "grace" if rest.isdecimal() and int(rest) in GRACE_RANGE:
                kept.grace = int(rest)
                kept.save()
                say(f"Your tables wait {duration(kept.grace)} for a player who is away.")
            case "levels" if not rest or rest in lookup.ids():
                game = lookup.find(rest) if rest else self._game
                say(*(level_lines(game) or [NO_BOTS.format(game.title)]))
            case "alone" if rest in lookup.ids():
                await self._alone(rest)
            case "alone" if not rest or rest.isdecimal():
                await self._alone_at(int(rest) if rest else None)
            case "guide" if not rest:
                await self._alone(self._game.id, guided=True)
            case "host" if not rest or rest in lookup.ids():
                await self._host(rest or self._game.id)
            case "list":
                await self._list()
            case "resume" if rest:
                await self._sit(self._resume(typed))
            case "resume":
                if not await self._list_unfinished():
                    say("No games to resume.")
            case "finished" | "records":
                await self._list_records()
            case "join" if rest:
                await self._sit(self._join(typed), fresh=True)
            case "watch" if rest:
                await self._watch(typed)
            case "join" | "watch":
                await self._list()
            case _:
                say(*keyboard_told(word), _how_to_type(word, self._game) or UNKNOWN)

    @property
    def _game(self) -> Game:
        """The game that the user chose last, or else the first installed one."""
        games = lookup.ids()
        return lookup.find(self.settings.game if self.settings.game in games else games[0])

    def _options(self) -> list[str]:
        """Returns the options of the game: the current value of each, and what the user can type."""
        game = self._game
        now = remembered(self.settings, game)
        return [*option_help(game, now), *adjust_help(game, now)] or [f"{game.title} has no options."]

    def _choose(self, typed: str) -> None:
        """Sets one option from now on."""
        game, kept = self._game, self.settings
        try:
            name, value = read_option(game, typed)
        except ValueError as error:
            self.lines.say(str(error))
            return
        remember(kept, game, remembered(kept, game) | {name: value})
        kept.save()
        self.lines.say(*(f"{label}: {text}." for label, text in option_lines(game, remembered(kept, game))))

    async def _host(
        self,
        name: str,
        seats: int | None = None,
        port: int | None = None,
        bind: str | None = None,
        given: Mapping[str, Plain] = NONE_GIVEN,
        *,
        far: bool = False,
    ) -> None:
        wanted, options = for_table(self.settings, lookup.find(name), seats, given)
        settled = for_people(self.settings, options)
        await self._sit(self.services.host(name, settled, wanted, port=port, bind=bind, far=far), fresh=True)

    async def _alone(
        self, name: str, seats: int | None = None, given: Mapping[str, Plain] = NONE_GIVEN, *, guided: bool = False
    ) -> None:
        game, kept = lookup.find(name), self.settings
        if not has_bots(game):
            self.lines.say(NO_BOTS.format(game.title))
            return
        wanted, options = for_table(kept, game, game.seats[0] if guided else seats, given, alone=True)
        if not guided and name not in kept.guided and (board := board_of(name)) is not None and board.game.guide:
            self.lines.say(
                f"This is your first game of {game.title}. At the table, type guide for help with your first turns."
            )
        kept.skip_guide(name)
        level = LEVEL if guided else nearest_level(game, kept.level)
        self.lines.say(f"Level {level_label(game, level)}. {find_level(game, level).about}")
        await self._sit(self.services.alone(name, options, wanted, level), guided=guided)

    async def _alone_at(self, level: int | None) -> None:
        """Plays alone at a level from now on; None for the last one."""
        game, kept = self._game, self.settings
        try:
            kept.level = chosen_level(game, level, kept.level)
        except UserError as error:
            self.lines.say(str(error), *level_lines(game))
            return
        kept.save()
        await self._alone(game.id)

    async def _list(self) -> None:
        stop = self.services.watch(lambda: None)
        self.lines.say("Looking for tables.")
        await asyncio.sleep(LISTEN_SECONDS)
        nearby = self.services.nearby()
        stop()
        if nearby.problem:
            self.lines.say(nearby.problem)
        tables, missed = offered(nearby.tables), self._missed
        self._missed = not tables
        self.lines.say(*map(_listed, tables))
        if not tables and not (missed or nearby.silent or nearby.problem):
            self.lines.say("No tables found yet. Type list to look again.")
        elif not tables:
            self.lines.say(
                "No tables found. Both computers must be on the same network, firewalls must allow UDP 5353 and the "
                "table’s TCP port, and some Wi-Fi keeps devices apart.",
                "The host’s screen shows what to type, such as: join 192.168.1.7",
                "If your friend is far away, the command far at their table shows a code for you: join 7-velvet-harbor",
                "To find the problem, type in a terminal: kimberley doctor 192.168.1.7",
            )

    async def _list_unfinished(self) -> bool:
        """Lists the unfinished games. Returns False if there is none."""
        from kimberley.client.session.unfinished_games import describe_game

        waiting = await self.services.unfinished()
        if waiting:
            self.lines.say(*(f"{n}: {describe_game(game)}" for n, game in enumerate(waiting, 1)))
            self.lines.say("Type resume and a number.")
        return bool(waiting)

    async def _list_records(self) -> None:
        """Lists the records. Records that no audit has judged yet are judged now."""
        from kimberley.client.session.kept_games import describe_kept

        games = await self.services.records()
        for game in games:
            judged = game if game.finding is not None else await self.services.verify(game)
            self.lines.say(describe_kept(judged))
        self.lines.say("kimberley replay FILE shows a game; kimberley verify FILE checks it again." if games else
                       "No finished games yet.")  # fmt: skip

    async def _resume(self, typed: str) -> Table:
        """Resumes the game that has the typed number in the list, or the one that the typed text names. Raises
        UserError.
        """
        if not (typed.isdecimal() and len(typed) <= MOST_DIGITS):
            return await self.services.resume(typed)
        waiting = await self.services.unfinished()
        if not 0 < int(typed) <= len(waiting):
            raise UserError(f"No saved game has the number {typed}. Type resume to hear the list.")
        return await self.services.resume(waiting[int(typed) - 1])

    async def _watch(self, where: str) -> None:
        from kimberley.client.plain.watch import PlainWatch

        try:
            watch = await self.services.spectate(where)
        except UserError as error:
            self.lines.say(str(error))
            return
        try:
            await PlainWatch(watch, self.services, self.lines).follow()
        finally:
            await watch.close()
        self.lines.say(BACK)

    async def _join(self, where: str) -> Table | JoinedTournament:
        """Joins a table. While this player waits in the queue of a full one, `leave` ends that. Raises UserError."""
        queued = asyncio.Event()

        def tell(sentence: str) -> None:
            self.lines.say(sentence, *([] if queued.is_set() else [STOP_WAITING]))
            queued.set()

        async with task_scope() as tasks:
            joining, waits = tasks.start(self.services.join(where, tell)), tasks.start(_set(queued))
            await asyncio.wait((joining, waits), return_when=asyncio.FIRST_COMPLETED)
            while not joining.done():
                line = tasks.start(self.lines.read())
                await asyncio.wait((joining, line), return_when=asyncio.FIRST_COMPLETED)
                if joining.done():
                    break
                if split_command(line.result())[0] in ("leave", "quit"):
                    raise UserError("You stopped waiting.")
                self.lines.say(STOP_WAITING)
            return joining.result()

    async def _sit(self, opening: Any, *, guided: bool = False, fresh: bool = False) -> None:
        """Plays at a table. A guide leads through the first turns if `guided`, or if this is a `fresh` game between
        people that this player has never played.
        """
        try:
            joined: Table | JoinedTournament = await opening
        except UserError as error:
            self.lines.say(str(error))
            return
        if isinstance(joined, JoinedTournament):
            await self._attend(joined.client)
            return
        table: Table | None = joined
        while table is not None:
            table, fresh = await self._play_at(table, guided=guided, fresh=fresh), False
        needed = STILL_NEEDED if self.is_needed else left_bots_need_you(self._left)
        self.lines.say(BACK, *([needed] if needed else []))

    def _guides_through(self, game: str) -> bool:
        """Returns whether the player has never played this game, which is beginning, and no longer offers its guide."""
        first = game not in self.settings.guided
        self.settings.skip_guide(game)
        return first

    async def _play_at(self, table: Table, *, guided: bool, fresh: bool) -> Table | None:
        """Plays at a table. Returns the one where the player goes on: after a choice was taken back, or at another
        level.
        """
        asked = iter([guided])

        def guides() -> bool:
            # The host can choose another game before it begins, or after one.
            return next(asked, False) or (fresh and self._guides_through(table.game.id))

        seat = PlainTable(table, self.services, self.lines, self.settings, guides=guides, audio=self.audio)
        try:
            await seat.play()
            if seat.news.finished:
                self.settings.skip_guide(table.game.id)
            if (level := seat.commands.next_level) is not None:
                self.settings.level = level
                self.settings.save()
                return await self.services.alone(
                    table.game.id, dict(table.occupants.options), table.occupants.seats, level
                )
            if seat.commands.choices_to_keep is None:
                return None
            return await self.services.take_back(table, seat.commands.choices_to_keep)
        except UserError as error:
            self.lines.say(str(error))
            return None
        except EOFError as error:
            from kimberley.p2p.table.ending import LEFT

            raise EOFError(KEPT if await _keep(table) else LEFT) from error
        except asyncio.CancelledError:
            if await _keep(table):
                self.lines.say(KEPT)
            raise
        finally:
            owes = owes_departure(table)
            leaving = self._leaving.start(leave_table(table))
            self._left.append(table)
            if owes:
                await asyncio.wait((leaving,), timeout=PART_SECONDS)
            else:
                await leaving

    async def _attend(self, client: TournamentClientLike) -> None:
        from kimberley.client.plain.tournament import PlainTournament

        try:
            await PlainTournament(client, self.services, self.lines, self.settings, self.audio).attend()
        except EOFError as error:
            kept = what_is_kept(client.tournament, client.identity, left=has_left(client.table))
            raise EOFError(f"{kept} Join again to come back.") from error
        finally:
            await client.close()
        self.lines.say(BACK)


async def _keep(table: Table) -> bool:
    """Keeps the seat in a running game when the program ends. Returns False if there is none."""
    kept = waits_for_you(table)
    if kept:
        await table.suspend()
    return kept


def _how_to_type(word: str, game: Game) -> str | None:
    """Returns what has to follow a command of the main menu; None if there is no such command."""
    match word:
        case "game" | "rules" | "levels" | "host":
            return f"Type {word} and one of {', '.join(lookup.ids())}."
        case "alone":
            return f"Type alone and a level, or one of {', '.join(lookup.ids())}."
        case "seats":
            return f"Type seats and a number from 2 to {MOST_SEATS}."
        case "adjust" if game.last_looks:
            return ADJUSTING
        case "waiting":
            return WAITING
        case "option":
            return CHOOSING
        case "options" | "guide":
            return f"Type just {word}. To choose another game, type game and its name."
        case "nickname":
            return "Type nickname and your name."
    return NOT_NOW if word in OTHER_TIMES else None


def _typed_times(text: str) -> AdjustTimes | None:
    try:
        return AdjustTimes.read(text)
    except ValueError:
        return None


def _listed(table: ListedTable) -> str:
    keys = {"met": "verified", "new": "not verified", "you": "your own table",
            "changed": "warning: the key for this name has changed"}  # fmt: skip
    versions = f" {table.versions}" if table.versions else ""
    options = f" ({in_short(table.options)})" if table.options else ""
    if table.tournament is not None:
        players = count_of(table.tournament.players, "player")
        return f"{table.host} at {table.address}: a {table.title} tournament, {players}.{versions}"
    seats = f"{table.count} seats taken" if table.count else "no free seat"
    return (
        f"{table.host} at {table.address} hosts {table.title}{options}, {seats}; {keys.get(table.key, '')}.{versions}"
    )


async def _set(event: asyncio.Event) -> None:
    """Returns once the event is set."""
    await event.wait()
