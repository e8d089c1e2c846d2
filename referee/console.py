"""What happens in a referee's tournament, as lines for a person."""

from __future__ import annotations

import asyncio
import shlex
import sys
import time
from pathlib import Path
from typing import Final

from kimberley.games.options import format_seat_counts
from kimberley.games.phrases import count_of, join_names
from kimberley.games.table import Game, SupportsPeriod
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import in_background, unread_output_dropped, wall_time
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.base.terminal import copied, fitted, padded, takes_escapes
from kimberley.p2p.base.token_bucket import TokenBuckets
from kimberley.p2p.sentences.tournaments import (
    at_time,
    current_tables,
    describe_early_end,
    describe_format,
    describe_next_round,
    describe_order,
    first_part,
    has_results,
    once_enough,
    options_in_short,
    outcome_sentence,
    round_title,
    team_lines,
)
from kimberley.p2p.sentences.ways_to_join import addresses_for_others
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.runner import PeerView
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.events import (
    ByeGranted,
    DecisionUndone,
    EndCalled,
    EntryClosed,
    GameSeated,
    MessageSent,
    PlayerBanned,
    PlayerEnrolled,
    PlayerReturned,
    PlayerWithdrew,
    RoundPaired,
    RoundScheduled,
    TableDecided,
    TablePaused,
    TableReplayed,
    TableResumed,
    TablesOpened,
    TeamFormed,
    TimeAdded,
    TournamentEnded,
    TournamentEvent,
)
from kimberley.p2p.tournament.player_program import PlayerProgram, RefereeSounds
from kimberley.p2p.tournament.players import IN, TournamentTable
from kimberley.p2p.tournament.points import points_in_words
from kimberley.p2p.tournament.settings import KNOCKOUT, table_name, table_number
from kimberley.p2p.tournament.tournament import ENROLLING, takes_newcomers
from kimberley.referee import export
from kimberley.referee.clock_keeper import awaits_choice
from kimberley.referee.organizer_commands import COMMANDS as ORDERS
from kimberley.referee.sentences import describe_pause, describe_table, describe_wait, table_line
from kimberley.referee.server import (
    PresenceChanged,
    RoundTiming,
    ServerEvent,
    ServerNotice,
    TableWaits,
    TournamentServer,
    next_round_at,
)
from kimberley.referee.table_referee import TableReferee
from kimberley.referee.table_wait import TableWait

OWN_COMMANDS: Final = {
    "status": "show the players, tables and standings",
    "y": "copy the join command to the clipboard",
    "stop": "stop the referee for now",
}
"""What can be typed only at the referee's machine, and what it does."""
COMMANDS: Final = (*ORDERS, *OWN_COMMANDS)
"""All words that can be typed there."""
COMMANDS_AFTER: Final = ("status", "stop")
"""Those that still do something once the tournament is over."""
LOST_BURST: Final = 4
"""How many times in a row it prints that one player has lost the connection."""
LOST_SECONDS: Final = 120.0
"""Time until it prints that once more."""


NAME: Final = 24
"""The columns of a name in the standings."""
HOUR: Final = "%H:%M"
"""A time of day, as it is typed after --start."""
TIME: Final = len("00:00:00  ")
"""The columns of the time, before each line."""


class RefereeConsole:
    """Prints what happens on a tournament server to standard output, and exports the public data to `folder`."""

    def __init__(
        self,
        server: TournamentServer,
        folder: Path,
        identity: Identity,
        program: PlayerProgram,
        sounds: RefereeSounds,
        site: str = "",
    ) -> None:
        """Lets the organizer hear who enrolls, disconnects and comes back. `program` prints codes. `site` is where
        phones on this network find the tournament's page; empty if they cannot.
        """
        self._server, self._program, self._sounds = server, program, sounds
        self._folder, self._site = folder, site
        self._identity = identity
        self._away: set[bytes] = set()
        """The players who are not connected, according to the last line about them."""
        self._lost = TokenBuckets(LOST_BURST, 1 / LOST_SECONDS)
        self._restless: set[bytes] = set()
        """The players reported to come and go."""
        self._tasks = BackgroundTasks()
        self._exporting = asyncio.Lock()
        server.subscribe(self._on_event)

    def say(self, sentence: str) -> None:
        """Prints one line with the time; on a terminal, broken between words. The sentence must be safe to show."""
        with unread_output_dropped():
            print(fitted(f"{time.strftime('%H:%M:%S')}  {sentence}", " " * TIME), flush=True)

    async def close(self) -> None:
        """Waits until the exports are written. Call it when nothing happens any more."""
        await self._tasks.wait()

    def open(self, plan: RoundTiming) -> None:
        """Says what is played, and how players join."""
        server, settings = self._server, self._server.settings
        kind = describe_format(settings)
        rounds = f", {count_of(settings.rounds, 'round')}" if settings.rounds else ""
        clock = f", {settings.clock} each" if settings.clock is not None else ", without clocks"
        chosen = options_in_short(settings.game, dict(settings.options))
        options = f" Options: {chosen}." if chosen else ""
        self.say(
            f"{settings.name}. {server.game.title}, {format_seat_counts(settings.sizes)} players at a table. "
            f"{kind[0].upper()}{kind[1:]}{rounds}{clock}.{options}"
        )
        if server.over:
            self._ended()
            self._standings()
            if sys.stdin.isatty():
                self.say(f"Commands: {', '.join(COMMANDS_AFTER)}.")
            return
        there = [
            f'kimberley join "{settings.name}"',
            *(f"kimberley join {address}" for address in addresses_for_others(server.addresses)[:1]),
        ]
        use = "watch or play" if server.seats is not None else "watch"
        if sys.stdin.isatty() and self._code():
            self.say(f"To {use} on a phone, scan the code.")
        elif self._site:
            self.say(f"To {use} on a phone, open {self._site}")
        self.say(f"{'To play on a computer,' if self._site else 'Players'} type {join_names(there, 'or')}")
        if takes_newcomers(server.tournament):
            self.say(f'Bots join with: kimberley bot join "{settings.name}" --level 3')
        if server.tournament.players:
            self.status()
        elif server.tournament.scheduled is not None:
            self._say_what_follows()
        # A status has said when it begins, if that is a time.
        told = bool(server.tournament.players) and plan.start is not None
        if server.tournament.phase == ENROLLING and server.tournament.scheduled is None and not told:
            self._say_when_it_begins(plan)
        if sys.stdin.isatty():
            begins = server.tournament.phase == ENROLLING
            self.say(
                "Type start to begin, or help to see all commands." if begins else "Type help to see all commands."
            )

    def _say_when_it_begins(self, plan: RoundTiming) -> None:
        """Says what the first round waits for, as far as the plan says."""
        first = first_part(self._server.tournament)
        if plan.players is not None:
            at = f", or {at_time(plan.start, HOUR)}" if plan.start is not None and plan.start > wall_time() else ""
            self.say(f"{first} begins once {plan.players} players have joined{at}.")
        elif plan.start is not None:
            if plan.start > wall_time():
                self.say(f"{first} begins {at_time(plan.start, HOUR)}.")
            else:
                self.say(f"{first} begins {once_enough(self._server.settings)}.")

    @property
    def _command(self) -> str:
        """What a player types: the address, which works on every network, or else the name."""
        address = next(iter(addresses_for_others(self._server.addresses)), None)
        return f"kimberley join {address or shlex.quote(self._server.settings.name)}"

    def share(self) -> None:
        """Copies what players type, if the terminal allows it; otherwise, prints it."""
        if not takes_escapes(sys.stdout):
            self.say(f"Players type {self._command}")
            return
        with unread_output_dropped():
            print(copied(self._command), end="", flush=True)
        self.say(f"Copied, if your terminal allows it: {self._command}")

    def _code(self) -> bool:
        """Prints a code of the page, if there is one, and it fits. Returns whether it did."""
        lines = self._program.printed_code(self._site) if self._site else []
        with unread_output_dropped():
            for line in lines:
                print(line, flush=True)
        return bool(lines)

    def status(self) -> None:
        """Prints the players, the tables of the round and the standings."""
        now, server = self._server.tournament, self._server
        names = [now.label(player.identity) for player in now.players if player.state == IN]
        players = () if now.ended else now.players
        away = [now.name(one.identity) for one in players if one.state == IN and one.identity not in server.present]
        self.say(f"{count_of(len(names), 'player')}: {', '.join(names)}." if names else "No players yet.")
        if away:
            self.say(f"Not connected: {', '.join(away)}.")
            self._away |= {one.identity for one in now.players if one.state == IN} - server.present
        for question in server.membership.questions:
            self.say(question)
        if now.round is not None:
            self.say(f"{round_title(now)}:")
            for table in current_tables(now):
                described = describe_table(table) if table.decided else self._waiting(table) + describe_pause(table)
                self.say(f"  {table_line(now, table, described)}")
            self._standings()
        self._say_what_follows()

    def _say_what_follows(self) -> None:
        """Says when the next round begins, or that it waits for the organizer, as far as that is known."""
        ends = next_round_at(self._server)
        left = -1.0 if ends is None else ends - asyncio.get_running_loop().time()
        moment = wall_time() + left if left >= 0 else None
        now = self._server.tournament
        waits_until = f"you type {'next' if now.rounds else 'start'}"
        if (following := describe_next_round(now, moment, waits_until=waits_until)) is not None:
            self.say(following)

    def _waiting(self, table: TournamentTable) -> str:
        """Returns what an open table is waiting for."""
        referee = next((one for place, one in self._server.referees.items() if place.table == table.id), None)
        view = referee.view if referee is not None else None
        if referee is not None and table.game is None and (wait := referee.wait) is not None:
            return f"waiting for {self._awaited(referee, wait)}."
        if referee is None or view is None:
            return "not started." if table.game is None else "not seen since the referee came back."
        names, move = join_names([referee.names[seat] for seat in view.waiting]) or "nobody", _how_far(view)
        if awaits_choice(view):
            return f"{move}, waiting for {names} to choose."
        if len(view.waiting) == 1:
            return f"{move}, waiting for {names}’s program."
        return f"{move}, waiting for the programs of {names}."

    def _awaited(self, referee: TableReferee, wait: TableWait) -> str:
        left = max(0.0, wait.until - asyncio.get_running_loop().time())
        return describe_wait([referee.names[seat] for seat in wait.seats], wait.doing, left)

    def _on_event(self, news: ServerEvent) -> None:
        now = self._server.tournament
        match news:
            case ServerNotice(sentence):
                self.say(sentence)
            case TableWaits(place, wait) if place in self._server.referees:
                awaited = self._awaited(self._server.referees[place], wait)
                self.say(f"{table_name(place.table).capitalize()} is waiting for {awaited}.")
            case PlayerEnrolled(_, identity):
                self._sounds.play("joined")
                self.say(f"{now.label(identity)} has joined: {count_of(self._in(), 'player')} now.")
            case PlayerReturned(_, identity):
                self.say(f"{now.name(identity)} is in the tournament again: {count_of(self._in(), 'player')} now.")
            case PlayerWithdrew(_, identity):
                self.say(f"{now.name(identity)} withdrew: {count_of(self._in(), 'player')} now.")
            case PresenceChanged(identity, here) if not now.ended:
                self._moved(now.name(identity), identity, here)
            case TeamFormed(_, name, members):
                self.say(f"Team {name}: {', '.join(map(now.name, members))}.")
            case RoundPaired():
                self._paired(news)
            case TablesOpened(_, _, tables):
                for number, people in enumerate(tables, len(now.rounds[-1].tables) - len(tables) + 1):
                    self.say(f"Table {number}: {self._versus(people)}")
            case GameSeated(_, _, table):
                number = table_number(table)
                versus = self._versus(now.rounds[-1].tables[number].seats)
                self.say(f"{table_name(table).capitalize()} has started: {versus}.")
            case TableDecided():
                self._decided(news)
            case TournamentEnded():
                self._ended()
                if now.format.rolling:
                    self._standings()  # Elsewhere they have been printed after the last round.
            case TimeAdded() | TablePaused() | TableResumed() | TableReplayed() | DecisionUndone():
                self._order(news)
            case RoundScheduled():
                self._say_what_follows()
            case MessageSent() | EntryClosed() | PlayerBanned() | ByeGranted() | EndCalled():
                self._order(news)

    def _order(self, event: TournamentEvent) -> None:
        if (sentence := describe_order(self._server.tournament, event)) is not None:
            self.say(sentence)

    def _moved(self, name: str, identity: bytes, here: bool) -> None:
        if not here and not self._lost.try_acquire(identity.hex(), asyncio.get_running_loop().time()):
            if identity not in self._restless:
                self._restless.add(identity)
                self.say(
                    f"{name} keeps losing the connection. You will be told less often from now on. To remove a player "
                    "for good, type: ban NAME: REASON"
                )
        elif not here:
            if (player := self._server.tournament.player(identity)) is not None and player.state != IN:
                return  # Nobody misses a player who has withdrawn.
            self._away.add(identity)
            self._sounds.play("lost")
            self.say(f"{name} is offline.")
        elif identity in self._away:
            self._away.discard(identity)
            self._sounds.play("back")
            self.say(f"{name} is back.")

    def _paired(self, event: RoundPaired) -> None:
        now = self._server.tournament
        self.say(f"{round_title(now)}:")
        for number, seats in enumerate(event.tables, 1):
            self.say(f"  Table {number}: {self._versus(seats)}")
        for identity in event.byes:
            self.say(f"  {now.label(identity)} has a bye.")
        for identity in now.rounds[-1].half_byes:
            self.say(f"  {now.label(identity)} has a half-point bye.")

    def _decided(self, event: TableDecided) -> None:
        fair = " The game was fair." if event.how == events.PLAYED else ""
        self.say(f"{table_name(event.table).capitalize()} is finished. {event.sentence}{fair}")
        round = self._server.tournament.round
        if self._server.holding:
            return  # The game is about to be played again.
        if round is not None and not round.open and not self._server.tournament.format.rolling:
            self.say(f"Round {round.number} is over.")
            self._standings()
            if self._server.tournament.scheduled is not None:
                self._say_what_follows()
            self._tasks.start(self._export())

    def _ended(self) -> None:
        server = self._server
        self.say(f"{server.settings.name} is over. {outcome_sentence(server.tournament)}")
        for reason in describe_early_end(server.tournament):
            self.say(reason)
        self._tasks.start(self._export(tell=True))

    async def _export(self, *, tell: bool = False) -> None:
        """Exports the tournament so far, on a thread. With `tell`, says where the export is."""
        try:
            async with self._exporting:
                path, *_ = await in_background(export.export_tournament, self._folder, self._identity, self._find)
        except UserError as error:
            self.say(str(error))
            return
        if tell:
            self.say(f"The whole tournament in one signed file: {path}")
            self.say(f"Anyone can check it: kimberley verify {shlex.quote(str(path))}")

    def _find(self, game: str) -> Game:
        """Returns the game of the tournament, whichever id is asked for."""
        return self._server.game

    def _standings(self) -> None:
        now = self._server.tournament
        for line in team_lines(now):
            self.say(f"  {line}")
        rows = now.standings() if has_results(now) else ()
        counts = now.settings.format != KNOCKOUT and any(one.buchholz for one in rows)
        for one in rows:
            tied = f"  (Buchholz {points_in_words(one.buchholz)})" if counts else ""
            name = padded(now.label(one.player.identity), NAME)
            self.say(f"  {one.rank:>2}  {name} {points_in_words(one.points)}{tied}")

    def _versus(self, seats: tuple[bytes, ...]) -> str:
        return " – ".join(map(self._server.tournament.label, seats))

    def _in(self) -> int:
        return sum(player.state == IN for player in self._server.tournament.players)


def _how_far(view: PeerView) -> str:
    """Returns how far a game is, as its players count; while it counts nothing, the number of the next move."""
    if isinstance(view.public, SupportsPeriod) and (period := view.public.period()):
        return period
    return f"move {1 + sum(bool(ask.choosers) for ask, _ in view.story)}"
