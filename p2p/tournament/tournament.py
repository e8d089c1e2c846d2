"""A tournament as the fold of its events: pure, frozen, and the same for everybody who folds the same list."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from kimberley.p2p.tournament.events import (
    ABSENT,
    CHEATING,
    IN_GAME,
    TIME,
    UNREADY,
    EntryClosed,
    GameSeated,
    LotsDrawn,
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
from kimberley.p2p.tournament.formats import FORMATS, Field, Format
from kimberley.p2p.tournament.naming import display_names
from kimberley.p2p.tournament.orders import apply_order
from kimberley.p2p.tournament.players import (
    BANNED,
    DISQUALIFIED,
    IN,
    WITHDRAWN,
    Return,
    TournamentPlayer,
    TournamentRound,
    TournamentTable,
)
from kimberley.p2p.tournament.settings import (
    MOST_PLAYERS,
    MOST_ROUNDS,
    MOST_TABLES,
    TournamentSettings,
    commit_lots,
    draw_lot,
    table_number,
)
from kimberley.p2p.tournament.standings import StandingsRow, standings
from kimberley.p2p.tournament.teams import Team, TeamRow, boards_of, complete_teams, field_of_teams, team_standings

ENROLLING, PLAYING, BETWEEN, OVER = "enrolling", "playing", "between", "ended"


@dataclass(frozen=True)
class Tournament:
    """Its settings, the players in the order of enrollment, its rounds, the seed of its lots once they are drawn, and
    its teams, if teams play.
    """

    settings: TournamentSettings
    players: tuple[TournamentPlayer, ...] = ()
    rounds: tuple[TournamentRound, ...] = ()
    seed: bytes | None = None
    ended: bool = False
    teams: tuple[Team, ...] = ()
    messages: tuple[MessageSent, ...] = ()
    """What the organizer has said to everybody."""
    entry_closed: bool = False
    scheduled: RoundScheduled | None = None
    """The organizer's word on when the next round begins; None if the pause decides."""

    @classmethod
    def fold(cls, settings: TournamentSettings, events: Iterable[TournamentEvent]) -> Tournament:
        """Returns the tournament after these events. Raises ValueError."""
        now = cls(settings)
        for event in events:
            now = now.after(event)
        return now

    # -- what is to be read --------------------------------------------------------------------------------------------

    @property
    def phase(self) -> str:
        """One of "enrolling" (until lots are drawn), "playing" (while a table is open or may open), "between" (rounds)
        and "ended".
        """
        if self.ended:
            return OVER
        if self.seed is None:
            return ENROLLING
        return PLAYING if self.rounds and (self.rounds[-1].open or self.format.rolling) else BETWEEN

    @property
    def format(self) -> Format:
        """How it is played."""
        return FORMATS[self.settings.format]

    @property
    def round(self) -> TournamentRound | None:
        """The latest round."""
        return self.rounds[-1] if self.rounds else None

    @property
    def planned(self) -> int:
        """The number of rounds, as far as it is known: a replay in a knockout adds one. 0 at first."""
        return self.format.planned_rounds(self._field) if self._field.numbered > 1 else self.settings.rounds

    def player(self, identity: bytes) -> TournamentPlayer | None:
        return self._by_identity.get(identity)

    def name(self, identity: bytes) -> str:
        """Returns what lists call the player: a name that no other one has (`naming.display_names`)."""
        return self.names[identity]

    def label(self, identity: bytes) -> str:
        """Returns the player's name as lists show it: a bot is marked."""
        return f"{self.name(identity)} (bot)" if self._by_identity[identity].bot else self.name(identity)

    def table_of(self, identity: bytes) -> TournamentTable | None:
        """Returns the open table where a player sits; None if there is none."""
        tables = self.rounds[-1].open if self.rounds else ()
        return next((table for table in tables if identity in table.seats), None)

    def standings(self) -> tuple[StandingsRow, ...]:
        """Returns all enrolled players, best first."""
        return self._standings

    def team_standings(self) -> tuple[TeamRow, ...]:
        """Returns all teams, best first; nothing if everybody plays alone."""
        return team_standings(self._field_of_players, self.teams) if self.settings.boards else ()

    @cached_property
    def _field_of_players(self) -> Field:
        return Field(self.settings, self.players, self.rounds)

    @cached_property
    def _field(self) -> Field:
        """What its format pairs: players, or teams."""
        alone = self._field_of_players
        return field_of_teams(alone, self.teams) if self.settings.boards else alone

    @cached_property
    def _standings(self) -> tuple[StandingsRow, ...]:
        return standings(self.settings, self.players, self.rounds)

    @cached_property
    def names(self) -> dict[bytes, str]:
        """What lists call each player, by identity."""
        return display_names(self.players)

    @cached_property
    def _by_identity(self) -> dict[bytes, TournamentPlayer]:
        return {player.identity: player for player in self.players}

    # -- what follows --------------------------------------------------------------------------------------------------

    def proceed(self, at: int) -> RoundPaired | TablesOpened | TournamentEnded | None:
        """Returns what the referee has to do at this time: always the same for the same tournament. None if there is
        nothing.

        Only in a rolling format there may be nothing to do. Pairing 64 players takes seconds: run it on a separate
        thread. Raises ValueError if the tournament cannot proceed now.
        """
        rolls = self.format.rolling and self.phase == PLAYING
        self._require(rolls or self.phase == BETWEEN, f"No round can be paired now: the tournament is {self.phase}.")
        found = self.format.pair(self._field, at) if len(self.rounds) < MOST_ROUNDS else None
        if found is None and rolls and self.rounds[-1].open:
            return None
        if found is None:
            self._require(bool(self.rounds), "There are too few players for a table.")
            return TournamentEnded(at)
        if self.settings.boards:
            found = boards_of(found, self.teams, self._field_of_players.present, self.settings.boards)
        if rolls:
            return TablesOpened(at, len(self.rounds), found.tables) if found.tables else None
        return RoundPaired(at, len(self.rounds) + 1, found.tables, found.byes)

    def after(self, event: TournamentEvent) -> Tournament:
        """Returns the tournament after one more event. Raises ValueError for an event that is impossible now.

        It checks who may play in a round, but not the pairing that `proceed` gives: `tournament.verification` does.
        """
        self._require(not self.ended, "The tournament has ended.")
        match event:
            case PlayerEnrolled():
                return self._enrolled(event)
            case PlayerWithdrew():
                return self._with_state(event.identity, (IN,), WITHDRAWN)
            case PlayerReturned():
                back = Return(event.at, len(self.rounds))
                return self._numbered(self._with_state(event.identity, (WITHDRAWN,), IN, back))
            case PlayerBanned():
                return self._with_state(event.identity, (IN, WITHDRAWN), BANNED)
            case TeamFormed():
                return _with_team(self, event)
            case LotsDrawn():
                return self._drawn(event)
            case RoundPaired():
                return self._paired(event)
            case TablesOpened():
                return self._opened(event)
            case GameSeated():
                return self._seated(event)
            case TableDecided():
                return self._decided(event)
            case TimeAdded() | TablePaused() | TableResumed() | TableReplayed():
                table = self._open(event.round, event.table, decided=True)
                there = all(self._by_identity[one].state == IN for one in table.seats)
                again = isinstance(event, TableReplayed)
                self._require(there or not again, "A player of this table has left the tournament.")
                return self._with(event.round, apply_order(table, event, self.settings))
            case MessageSent():
                return replace(self, messages=(*self.messages, event))
            case EntryClosed():
                self._require(not self.entry_closed, "Entry is already closed.")
                return replace(self, entry_closed=True)
            case RoundScheduled():
                return replace(self, scheduled=event)
            case TournamentEnded():
                still = bool(self.rounds) and bool(self.rounds[-1].open)
                self._require(not still, "The tournament cannot end while a table is open.")
                return replace(self, ended=True)

    # -- each event ----------------------------------------------------------------------------------------------------

    def _enrolled(self, event: PlayerEnrolled) -> Tournament:
        known = self._by_identity.get(event.identity)
        self._require(known is None, "You have already joined.")
        self._require(not self.entry_closed, "The organizer has closed entry.")
        self._require(len(self.players) < MOST_PLAYERS, f"The tournament is full ({MOST_PLAYERS} players).")
        return self._numbered(
            replace(self, players=(*self.players, TournamentPlayer(event.identity, event.nickname, bot=event.bot)))
        )

    def _with_state(
        self, identity: bytes, before: Collection[str], state: str, back: Return | None = None
    ) -> Tournament:
        """Returns the tournament with a player in another state. `back` is the player's return, if this is one."""
        player = self._by_identity.get(identity)
        self._require(player is not None, "A player who has not enrolled can neither withdraw nor return.")
        assert player is not None
        self._require(player.state in before, f"{self.name(identity)} is {player.state}.")
        return self._changed({identity: replace(player, state=state, back=back or player.back)})

    def _drawn(self, event: LotsDrawn) -> Tournament:
        self._require(self.seed is None, "The draw is made once.")
        self._require(
            commit_lots(event.seed) == self.settings.lots, "This is not the draw that the tournament committed to."
        )
        there = [player for player in self.players if player.state == IN]
        there.sort(key=lambda player: draw_lot(event.seed, self.settings.id, player.identity))
        changed = {player.identity: replace(player, number=number) for number, player in enumerate(there, 1)}
        now = replace(self._changed(changed), seed=event.seed)
        boards = self.settings.boards
        return replace(now, teams=complete_teams(now.teams, now.players, boards)) if boards else now

    def _paired(self, event: RoundPaired) -> Tournament:
        self._require(self.phase == BETWEEN, f"No round can begin now: the tournament is {self.phase}.")
        self._require(event.round == len(self.rounds) + 1 <= MOST_ROUNDS, "Rounds follow each other.")
        _check_pairing(self, event.tables, event.byes)
        tables = tuple(TournamentTable(number, seats) for number, seats in enumerate(event.tables))
        paired = TournamentRound(event.round, tables, event.byes, event.at)
        return replace(self, rounds=(*self.rounds, paired), scheduled=None)

    def _opened(self, event: TablesOpened) -> Tournament:
        self._require(self.format.rolling and self.phase == PLAYING, "No table can open in this round.")
        now = self.rounds[-1]
        self._require(event.round == now.number, "Tables open in the current round.")
        self._require(len(now.tables) + len(event.tables) <= MOST_TABLES, "No more tables can open.")
        sitting = {identity for table in now.open for identity in table.seats}
        self._require(sitting.isdisjoint(chain(*event.tables)), "Nobody sits at two tables.")
        _check_pairing(self, event.tables, ())
        tables = tuple(TournamentTable(number, seats) for number, seats in enumerate(event.tables, len(now.tables)))
        return replace(self, rounds=(*self.rounds[:-1], replace(now, tables=now.tables + tables)))

    def _seated(self, event: GameSeated) -> Tournament:
        table = self._open(event.round, event.table)
        self._require(table.game is None, "One game is played at a table.")
        games = {game for one in self.rounds for table in one.tables for game in table.games}
        self._require(event.game not in games, "A game is played at one table.")
        self._require(len(event.ready) == len(table.seats), "A game begins when every seat has said that it is ready.")
        return self._with(event.round, replace(table, game=event.game))

    def _decided(self, event: TableDecided) -> Tournament:
        table = self._open(event.round, event.table)
        self._require(len(event.places) == len(table.seats), "A result has a place for each seat.")
        self._require(event.game == table.game, "A result names the game of its table.")
        begun = table.game is not None
        self._require(begun or event.how not in IN_GAME, f"A table without a game does not end by {event.how!r}.")
        early = event.how in (ABSENT, UNREADY)
        self._require(not begun or not early, "Nobody is absent from a game that has begun.")
        self._require(event.how != TIME or self.settings.clock is not None, "Nobody loses on time without a clock.")
        now = self._with(event.round, replace(table, decided=event))
        lost = [self._by_identity[table.seats[seat]] for seat in event.lost]
        if event.how == CHEATING:
            return now._changed({one.identity: replace(one, state=DISQUALIFIED) for one in lost})
        if event.how == ABSENT and self.format.rolling:
            # Otherwise the next free player would wait for somebody who is not there.
            gone = {one.identity: replace(one, state=WITHDRAWN) for one in lost if one.state == IN}
            return now._changed(gone)
        return now

    # -- small change --------------------------------------------------------------------------------------------------

    def _numbered(self, now: Tournament) -> Tournament:
        """Gives newcomers the next starting numbers, once lots are drawn."""
        if now.seed is None:
            return now
        new = [player for player in now.players if not player.number and player.state == IN]
        if new:
            closed = "The teams are fixed: nobody can join now." if self.settings.boards else None
            closed = closed or self.format.closed(self._field)
            self._require(closed is None, closed or "")
        first = self._field_of_players.numbered + 1
        return now._changed(
            {player.identity: replace(player, number=number) for number, player in enumerate(new, first)}
        )

    def _open(self, round: int, id: int, *, decided: bool = False) -> TournamentTable:
        """Returns a table of the current round without a result; with `decided`, any table. Raises ValueError."""
        self._require(bool(self.rounds) and self.rounds[-1].number == round, f"Round {round} is not the current round.")
        tables, number = self.rounds[-1].tables, table_number(id)
        self._require(number < len(tables), f"Round {round} has no table {number + 1}.")
        self._require(tables[number].id == id, f"Table {number + 1} of round {round} is being replayed.")
        over = tables[number].decided is not None
        self._require(decided or not over, f"Table {number + 1} of round {round} already has a result.")
        return tables[number]

    def _with(self, round: int, table: TournamentTable) -> Tournament:
        """Replaces a table of the current round."""
        assert self.rounds[-1].number == round
        tables = self.rounds[-1].tables
        changed = replace(self.rounds[-1], tables=(*tables[: table.number], table, *tables[table.number + 1 :]))
        return replace(self, rounds=(*self.rounds[:-1], changed))

    def _changed(self, players: dict[bytes, TournamentPlayer]) -> Tournament:
        return replace(self, players=tuple(players.get(player.identity, player) for player in self.players))

    @staticmethod
    def _require(holds: bool, reason: str) -> None:
        if not holds:
            raise ValueError(reason)


def people_at(now: Tournament, seats: Sequence[bytes]) -> tuple[tuple[bytes, str], ...]:
    """Returns the players of these seats with their nicknames as enrolled, as the roster of their table has them."""
    nicknames = {player.identity: player.nickname for player in now.players}
    return tuple((seat, nicknames[seat]) for seat in seats)


def _check_pairing(now: Tournament, tables: tuple[tuple[bytes, ...], ...], byes: tuple[bytes, ...]) -> None:
    """Raises ValueError unless these people may sit at these tables now, and the others have a bye."""
    people = [*chain(*tables), *byes]
    if len(set(people)) < len(people):
        raise ValueError("Nobody sits at two tables.")
    if not {player.identity for player in now.players if player.state == IN and player.number}.issuperset(people):
        raise ValueError("Only players who are present are paired.")
    if not all(len(table) in now.settings.sizes for table in tables):
        raise ValueError(f"A table of this tournament has {' or '.join(map(str, now.settings.sizes))} seats.")


def _with_team(now: Tournament, event: TeamFormed) -> Tournament:
    """Returns the tournament with one more team. Raises ValueError."""
    people = [member for team in now.teams for member in team.members] + list(event.members)
    if not now.settings.boards:
        raise ValueError("In this tournament everyone plays alone.")
    if now.seed is not None:
        raise ValueError("Teams must be formed before the draw.")
    if not event.members or len(set(people)) < len(people):
        raise ValueError("A player can play in only one team.")
    if any(now.player(one) is None for one in event.members):
        raise ValueError("Only players form a team.")
    if any(team.name == event.name for team in now.teams):
        raise ValueError(f"There is already a team {event.name}.")
    return replace(now, teams=(*now.teams, Team(event.name, event.members)))
