"""A tournament in the line mode: who plays whom, the standings, and the player's own tables one after another."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from kimberley.client.audio.port import NO_AUDIO, AudioLike
from kimberley.client.boards.rules_page import rules_lines
from kimberley.client.plain.console import Console
from kimberley.client.plain.inputs import merge_inputs
from kimberley.client.plain.table import PlainTable
from kimberley.client.session import clocks
from kimberley.client.session.seat_session import session_of
from kimberley.client.session.services import Services
from kimberley.games.phrases import count_of, join_names
from kimberley.p2p.base.keyboard import as_latin, keyboard_told
from kimberley.p2p.base.tasks import task_scope
from kimberley.p2p.sentences.notices import CLOSED, REFEREE_BACK
from kimberley.p2p.sentences.tournaments import (
    UNTRUSTED,
    WITHDRAWAL_UNHEARD,
    between_games,
    current_tables,
    describe_early_end,
    describe_order_to,
    describe_ruling_to,
    describe_settings,
    final_sentence,
    first_part,
    has_results,
    points_text,
    round_title,
    team_lines,
    title,
    why_out,
    withdrawal_warning,
)
from kimberley.p2p.tournament.events import PLAYED, RoundPaired
from kimberley.p2p.tournament.players import IN
from kimberley.p2p.tournament.points import points_in_words
from kimberley.p2p.tournament.settings import table_name

if TYPE_CHECKING:
    from kimberley.client.session.interfaces import TournamentClientLike
    from kimberley.client.session.settings import Settings
    from kimberley.p2p.table.table import Table

CONFIRM_SECONDS: Final = 2.0
"""After how long the players who must confirm are named: programs whose players have met confirm at once."""

MENU: Final = (
    "tables: hear who plays whom. standings: hear the standings. rules: hear the rules. help: hear this.",
    "withdraw: leave the tournament. quit: end the program; join again to come back.",
)


class PlainTournament:
    """A tournament in sentences, until the player leaves it or it is over."""

    def __init__(
        self,
        client: TournamentClientLike,
        services: Services,
        lines: Console,
        settings: Settings,
        audio: AudioLike = NO_AUDIO,
    ) -> None:
        self.client, self.services, self.lines, self._settings = client, services, lines, settings
        self._audio = audio
        self._events: asyncio.Queue[Any] = asyncio.Queue()
        self._round = 0
        self._begun = 0
        """The last round that began while this player was here."""
        self._played: Table | None = None
        self._heard = False
        """Whether the player has heard at the table how the last game ended."""
        self._ruled: object = None
        self._away = False
        self._warned = False
        """Whether the player has been asked to confirm that they withdraw."""
        self._told: int | None = None
        """The number of the last table that the player was told about."""
        self._awaited: tuple[int, ...] | None = None
        self._alarm: asyncio.TimerHandle | None = None

    async def attend(self) -> None:
        """Runs until the tournament is over or the player leaves it. Raises EOFError when the input ends."""
        settings = self.client.settings
        stop = self.client.subscribe(self._on_event)
        self.lines.say(f"You have joined {settings.name}. The game is {title(settings)}. {describe_settings(settings)}")
        try:
            while self.client.phase not in ("over", "withdrawn", "failed"):
                self._say_news()
                table = self.client.table
                if table is not None and table is not self._played and table.phase != "failed":
                    await self._play(table)
                elif not await self._wait():
                    return
            self._say_news()
            self._say_end()
        finally:
            stop()
            if self._alarm is not None:
                self._alarm.cancel()

    async def _wait(self) -> bool:
        """Waits for an event, and meanwhile obeys what the player types. Returns False if the player has withdrawn."""
        async with task_scope() as tasks:
            async for source, what in merge_inputs(tasks, self._events.get, self.lines.read):
                if source == "event":
                    return True
                typed, confirmed, self._warned = as_latin(what).lower(), self._warned, False
                match typed:
                    case "tables":
                        self.lines.say(*self._tables())
                    case "standings":
                        self.lines.say(*self._standings())
                    case "rules":
                        self.lines.say(*rules_lines(self.client.settings.game))
                    case "withdraw" | "leave":
                        if self._withdraw(typed, confirmed=confirmed):
                            return False
                    case "quit" | "exit" | "q":
                        raise EOFError
                    case "":
                        pass
                    case _:
                        self.lines.say(*keyboard_told(what), *MENU)
        return False

    def _withdraw(self, typed: str, *, confirmed: bool) -> bool:
        """Withdraws, once the player has typed it twice and the referee is there. Returns whether that was so."""
        client = self.client
        if client.away_since is not None:
            self.lines.say(WITHDRAWAL_UNHEARD)
        elif not confirmed:
            self._warned = True
            warning = withdrawal_warning(client.tournament, client.identity, "type quit")
            self.lines.say(warning, f"Type {typed} again to confirm.")
        else:
            client.withdraw()
            self.lines.say("You have withdrawn.")
            return True
        return False

    async def _play(self, table: Table) -> None:
        session_of(table).clock_keeper = self.client
        self._played = table
        await PlainTable(
            table, self.services, self.lines, self._settings, counts=True, to_player=self._to_player, audio=self._audio
        ).play()
        if table.phase not in ("done", "failed"):
            table.departures.leave()
        self._heard = table.phase == "done"
        if self.client.phase not in ("failed", "withdrawn", "over"):
            self.lines.say("You are back in the tournament.")

    def _to_player(self, problem: str) -> str:
        """Returns why the player's table has ended, in the second person if that is a ruling; the ruling then need not
        be said once more. Why the player is out of the tournament is said below.
        """
        ruling = self.client.ruling
        if ruling is None or ruling.sentence != problem:
            return CLOSED if self.client.phase == "withdrawn" else problem
        self._ruled = ruling
        return describe_ruling_to(self.client.tournament, self.client.identity, ruling)

    # -- what is said --------------------------------------------------------------------------------------------------

    def _say_news(self) -> None:
        """Says what has happened since the last call, each thing once."""
        tournament, client = self.client.tournament, self.client
        self._announce_away()
        ruling = client.ruling
        if ruling is not None and ruling is not self._ruled and not (self._heard and ruling.how == PLAYED):
            self.lines.say(describe_ruling_to(tournament, client.identity, ruling))
        self._ruled = ruling
        table = tournament.table_of(client.identity)
        own = None if table is None else table.number
        begun = tournament.round is not None and tournament.round.number > self._round
        if tournament.round is not None and begun:
            self._round = tournament.round.number
            begins = f"{'The arena' if tournament.format.rolling else f'Round {self._round}'} begins."
            # A player who comes back has missed the beginning.
            self.lines.say(begins if self._begun == self._round else f"{round_title(tournament)}.")
        if begun or (tournament.format.rolling and own not in (None, self._told)):
            self._told = own
            self.lines.say(self._own())

    def _announce_wait(self) -> None:
        """Says how long the players still have to confirm, once for each group of players who must."""
        self._alarm = None
        table, wait = self.client.table, self.client.wait
        sentence = None if table is None else clocks.words_countdown(table, asyncio.get_running_loop().time())
        seats = None if sentence is None or wait is None else wait.seats
        if sentence is not None and seats != self._awaited:
            self.lines.say(sentence)
        self._awaited = seats

    def _on_event(self, event: Any) -> None:
        """Queues an event. If the referee goes away or comes back, or the organizer does something, says so at once,
        even during a game.
        """
        if event.what == "away":
            self._announce_away()
        elif event.what == "wait" and self._alarm is None:
            self._alarm = asyncio.get_running_loop().call_later(CONFIRM_SECONDS, self._announce_wait)
        if (sentence := describe_order_to(self.client.tournament, self.client.identity, event.event)) is not None:
            self.lines.say(sentence)
        if isinstance(event.event, RoundPaired):
            self._begun = event.event.round
        self._events.put_nowait(event)

    def _announce_away(self) -> None:
        away = self.client.away_since is not None
        if away != self._away:
            self.lines.say("The referee is offline. Games go on." if away else REFEREE_BACK)
        self._away = away

    def _own(self) -> str:
        """Returns whom the player plays in this round, in a sentence."""
        tournament, own = self.client.tournament, self.client.identity
        table = tournament.table_of(own)
        if table is not None:
            others = [tournament.name(one) for one in table.seats if one != own]
            return f"You play {join_names(others)} at {table_name(table.id)}."
        return between_games(tournament, own)

    def _tables(self) -> list[str]:
        tournament = self.client.tournament
        if tournament.round is None:
            names = [tournament.label(player.identity) for player in tournament.players if player.state == IN]
            who = f"{count_of(len(names), 'player')}: {', '.join(names)}." if names else "No players yet."
            return [f"{first_part(tournament)} has not started. {who}"]
        lines = []
        for table in current_tables(tournament):
            names = [tournament.label(one) for one in table.seats]
            result = "" if table.points is None else f", {' to '.join(map(points_in_words, table.points))}"
            state = result or (" are playing" if table.game is not None else ", waiting to start")
            lines.append(f"{table_name(table.id).capitalize()}: {join_names(names)}{state}.")
        return lines

    def _standings(self) -> list[str]:
        tournament = self.client.tournament
        ranked = has_results(tournament)
        return team_lines(tournament) + [
            f"{f'{row.rank}: ' if ranked else ''}{tournament.label(row.player.identity)}, {points_text(row.points)}"
            f"{'' if row.rating is None else f', rating {row.rating}'}."
            for row in tournament.standings()
        ]

    def _say_end(self) -> None:
        match self.client.phase:
            case "over":
                self.lines.say(
                    final_sentence(self.client.tournament),
                    *describe_early_end(self.client.tournament),
                    *self._standings(),
                )
            case "withdrawn":
                self.lines.say(why_out(self.client.tournament, self.client.identity))
            case "failed":
                self.lines.say(self.client.problem or UNTRUSTED)
