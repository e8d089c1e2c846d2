"""A tournament as the fold of its events: pure, frozen, and the same for everybody who folds the same list."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from kimberley.games.phrases import count_of, join_names
from kimberley.p2p.tournament.events import (
    ABSENT,
    CHEATING,
    IN_GAME,
    TIME,
    UNREADY,
    ByeGranted,
    DecisionUndone,
    EndCalled,
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
    TableReopened,
    TableReplayed,
    TableResumed,
    TablesOpened,
    TeamFormed,
    TimeAdded,
    TournamentEnded,
    TournamentEvent,
)
from kimberley.p2p.tournament.formats import FORMATS, Field, Format
from kimberley.p2p.tournament.grouping import table_sizes
from kimberley.p2p.tournament.naming import display_names
from kimberley.p2p.tournament.orders import apply_order
from kimberley.p2p.tournament.players import (
    BANNED,
    DISQUALIFIED,
    ENTRY_CLOSED,
    HAS_ENDED,
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
    granted: frozenset[tuple[bytes, int]] = frozenset()
    """Half-point byes that the organizer has given: the players, each with a round."""

    ending: bool = False
    """Whether the organizer ends it early: nothing else is paired."""

    @classmethod
    def fold(cls, settings: TournamentSettings, events: Iterable[TournamentEvent]) -> Tournament:
        """Returns the tournament after these events. Raises ValueError."""
        now = cls(settings)
        for event in events:
            now = now.after(event)
        return now

    # -- queries -------------------------------------------------------------------------------------------------------

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
        return self.format.planned_rounds(self.field) if self.field.numbered > 1 else self.settings.rounds

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
        return team_standings(self.field_of_players, self.teams) if self.settings.boards else ()

    @cached_property
    def field_of_players(self) -> Field:
        """What a format pairs where everybody plays alone."""
        return Field(self.settings, self.players, self.rounds, resting(self))

    @cached_property
    def field(self) -> Field:
        """What its format pairs: players, or teams."""
        alone = self.field_of_players
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
        more = len(self.rounds) < MOST_ROUNDS and not self.ending
        pairing = self.format.pair(self.field, at) if more else None
        if pairing is None and rolls and self.rounds[-1].open:
            return None
        if pairing is None:
            self._require(bool(self.rounds), "There are too few players for a table.")
            return TournamentEnded(at)
        if self.settings.boards:
            pairing = boards_of(pairing, self.teams, self.field_of_players.present, self.settings.boards)
        if rolls:
            return TablesOpened(at, len(self.rounds), pairing.tables) if pairing.tables else None
        return RoundPaired(at, len(self.rounds) + 1, pairing.tables, pairing.byes)

    def after(self, event: TournamentEvent) -> Tournament:
        """Returns the tournament after one more event. Raises ValueError for an event that is impossible now.

        It checks who may play in a round, but not the pairing that `proceed` gives: `tournament.verification` does.
        """
        self._require(not self.ended, HAS_ENDED)
        match event:
            case PlayerEnrolled():
                return self._enrolled(event)
            case PlayerWithdrew():
                return self._with_state(event.identity, (IN,), WITHDRAWN)
            case PlayerReturned():
                returned = Return(event.at, len(self.rounds))
                return self._numbered(self._with_state(event.identity, (WITHDRAWN,), IN, returned))
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
            case TimeAdded() | TablePaused() | TableResumed():
                table = self.table_at(event.round, event.table)
                return self.with_table(apply_order(table, event, self.settings))
            case TableReplayed() | DecisionUndone():
                return _with_reopened(self, event)
            case MessageSent():
                return replace(self, messages=(*self.messages, event))
            case EntryClosed():
                self._require(not self.entry_closed, "Entry is already closed.")
                return replace(self, entry_closed=True)
            case RoundScheduled():
                return replace(self, scheduled=event)
            case ByeGranted():
                return _with_bye(self, event)
            case EndCalled():
                rolls = self.format.rolling
                self._require(bool(self.rounds), f"The {'arena' if rolls else 'first round'} has not started.")
                self._require(not (self.ending and rolls), "The tournament already ends after the games in progress.")
                self._require(rolls or not is_last_round(self), "This is the last round already.")
                return replace(self, ending=True, scheduled=None)
            case TournamentEnded():
                still = bool(self.rounds) and bool(self.rounds[-1].open)
                self._require(not still, "The tournament cannot end while a table is open.")
                return replace(self, ended=True)

    # -- each event ----------------------------------------------------------------------------------------------------

    def _enrolled(self, event: PlayerEnrolled) -> Tournament:
        known = self._by_identity.get(event.identity)
        self._require(known is None, "You have already joined.")
        self._require(not self.entry_closed, ENTRY_CLOSED)
        self._require(len(self.players) < MOST_PLAYERS, f"The tournament is full ({MOST_PLAYERS} players).")
        return self._numbered(
            replace(self, players=(*self.players, TournamentPlayer(event.identity, event.nickname, bot=event.bot)))
        )

    def _with_state(
        self, identity: bytes, before: Collection[str], state: str, returned: Return | None = None
    ) -> Tournament:
        """Returns the tournament with a player in another state. `returned` is the player's return, if this is one."""
        player = self._by_identity.get(identity)
        self._require(player is not None, "A player who has not joined can neither withdraw nor return.")
        assert player is not None
        was = "has already withdrawn" if player.state == WITHDRAWN else f"is {player.state}"
        self._require(player.state in before, f"{self.name(identity)} {was}.")
        return self._changed({identity: replace(player, state=state, back=returned or player.back)})

    def _drawn(self, event: LotsDrawn) -> Tournament:
        self._require(self.seed is None, "The draw has already been made.")
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
        self._require(event.round == len(self.rounds) + 1 <= MOST_ROUNDS, "This round does not follow the last one.")
        _check_pairing(self, event.tables, event.byes)
        tables = tuple(TournamentTable(number, seats) for number, seats in enumerate(event.tables))
        rest = resting(self) - {*chain(*event.tables), *event.byes}
        half = tuple(player.identity for player in self.players if player.identity in rest)
        paired = TournamentRound(event.round, tables, event.byes, event.at, half)
        return replace(self, rounds=(*self.rounds, paired), scheduled=None)

    def _opened(self, event: TablesOpened) -> Tournament:
        self._require(self.format.rolling and self.phase == PLAYING, "No table can open in this round.")
        now = self.rounds[-1]
        self._require(event.round == now.number, "Tables can open only in the current round.")
        self._require(len(now.tables) + len(event.tables) <= MOST_TABLES, "No more tables can open.")
        sitting = {identity for table in now.open for identity in table.seats}
        self._require(sitting.isdisjoint(chain(*event.tables)), "A player cannot sit at two tables.")
        _check_pairing(self, event.tables, ())
        tables = tuple(TournamentTable(number, seats) for number, seats in enumerate(event.tables, len(now.tables)))
        return replace(self, rounds=(*self.rounds[:-1], replace(now, tables=now.tables + tables)))

    def _seated(self, event: GameSeated) -> Tournament:
        table = self.table_at(event.round, event.table, decided=False)
        self._require(table.game is None, "This table already has a game.")
        games = {game for one in self.rounds for table in one.tables for game in table.games}
        self._require(event.game not in games, "This game is played at another table.")
        self._require(
            len(event.signatures) == len(table.seats),
            "A game can begin only when every player has signed that the words match.",
        )
        return self.with_table(replace(table, game=event.game))

    def _decided(self, event: TableDecided) -> Tournament:
        table = self.table_at(event.round, event.table, decided=False)
        self._require(len(event.places) == len(table.seats), "A result needs a place for each seat.")
        self._require(event.game == table.game, "A result names the game of its table.")
        begun = table.game is not None
        self._require(begun or event.how not in IN_GAME, f"A table without a game does not end by {event.how!r}.")
        early = event.how in (ABSENT, UNREADY)
        self._require(not begun or not early, "A player cannot be absent from a game that has begun.")
        self._require(
            event.how != TIME or self.settings.clock is not None, "A player cannot lose on time without a clock."
        )
        now = self.with_table(replace(table, decided=event))
        lost = [self._by_identity[table.seats[seat]] for seat in event.lost]
        if event.how == CHEATING:
            return now._changed({one.identity: replace(one, state=DISQUALIFIED) for one in lost})
        if event.how == ABSENT and self.format.rolling:
            # Otherwise the next free player would wait for somebody who is not there.
            gone = {one.identity: replace(one, state=WITHDRAWN) for one in lost if one.state == IN}
            return now._changed(gone)
        return now

    # -- helpers -------------------------------------------------------------------------------------------------------

    def _numbered(self, now: Tournament) -> Tournament:
        """Gives newcomers the next starting numbers, once lots are drawn."""
        if now.seed is None:
            return now
        new = [player for player in now.players if not player.number and player.state == IN]
        if new:
            closed = why_closed(self)
            self._require(closed is None, closed or "")
        first = self.field_of_players.numbered + 1
        numbered = now._changed(
            {player.identity: replace(player, number=number) for number, player in enumerate(new, first)}
        )
        missed = tuple(player.identity for player in new)
        rounds = [replace(one, half_byes=one.half_byes + missed) for one in self.rounds[: self.settings.late]]
        return replace(numbered, rounds=(*rounds, *self.rounds[len(rounds) :]))

    def table_at(self, round: int, id: int, *, decided: bool = True) -> TournamentTable:
        """Returns a table of the current round; not `decided`: one without a result. Raises ValueError."""
        self._require(bool(self.rounds) and self.rounds[-1].number == round, f"Round {round} is not the current round.")
        tables, number = self.rounds[-1].tables, table_number(id)
        self._require(number < len(tables), f"Round {round} has no table {number + 1}.")
        where = f"Table {number + 1}" if self.format.rolling else f"Table {number + 1} of round {round}"
        self._require(tables[number].id == id, f"{where} is being replayed.")
        over = tables[number].decided is not None
        self._require(decided or not over, f"{where} already has a result.")
        return tables[number]

    def with_table(self, table: TournamentTable) -> Tournament:
        """Returns the tournament with another state of a table of the current round."""
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
        raise ValueError("A player cannot sit at two tables.")
    if not {player.identity for player in now.players if player.state == IN and player.number}.issuperset(people):
        raise ValueError("Only players who are present can be paired.")
    if not all(len(table) in now.settings.sizes for table in tables):
        raise ValueError(f"A table of this tournament has {join_names([*map(str, now.settings.sizes)], 'or')} seats.")


def resting(now: Tournament) -> frozenset[bytes]:
    """Returns those who have a half-point bye in the next round; nobody if no table can be filled without them."""
    there = {player.identity for player in now.players if player.state == IN}
    asked = {identity for identity, round in now.granted if round == len(now.rounds) + 1}
    return frozenset(there & asked) if table_sizes(len(there - asked), now.settings.sizes) else frozenset()


def is_last_round(now: Tournament) -> bool:
    """Returns whether no round follows the current one."""
    return bool(now.rounds) and (now.ending or 0 < now.planned <= len(now.rounds))


def why_closed(now: Tournament) -> str | None:
    """Returns why nobody new can be paired any more, since the draw; None if newcomers can."""
    if now.seed is None:
        return None
    return "The teams are fixed: nobody can join now." if now.settings.boards else now.format.closed(now.field)


def takes_newcomers(now: Tournament) -> bool:
    """Returns whether somebody who joins now would play."""
    over = now.ended or (is_last_round(now) and not (now.format.rolling and not now.ending))
    return not (over or now.entry_closed or why_closed(now) is not None)


def _with_reopened(now: Tournament, event: TableReopened) -> Tournament:
    """Returns the tournament with a decided table that is played again. Raises ValueError."""
    table = now.table_at(event.round, event.table)
    if any(player.state != IN for player in now.players if player.identity in table.seats):
        raise ValueError("A player of this table has left the tournament.")
    if any(one.number != table.number and not set(one.seats).isdisjoint(table.seats) for one in now.rounds[-1].open):
        raise ValueError("A player of this table is playing at another one.")
    return now.with_table(apply_order(table, event, now.settings))


def _with_bye(now: Tournament, event: ByeGranted) -> Tournament:
    """Returns the tournament with one half-point bye more or less. Raises ValueError."""
    player, place = now.player(event.identity), (event.identity, event.round)
    if not now.settings.has_half_byes:
        raise ValueError("Only a Swiss without teams has half-point byes.")
    if player is None or player.state != IN:
        raise ValueError("Only a player who is in the tournament can have a bye.")
    if event.round <= len(now.rounds):
        raise ValueError(f"Round {event.round} has already begun.")
    if event.round > (now.planned or MOST_ROUNDS):
        raise ValueError(f"There {'is' if now.planned == 1 else 'are'} only {count_of(now.planned, 'round')}.")
    if event.granted and place in now.granted:
        raise ValueError(f"{now.name(event.identity)} already has a bye in round {event.round}.")
    if not event.granted and place not in now.granted:
        raise ValueError(f"{now.name(event.identity)} has no bye in round {event.round}.")
    return replace(now, granted=now.granted ^ {place})


def _with_team(now: Tournament, event: TeamFormed) -> Tournament:
    """Returns the tournament with one more team. Raises ValueError."""
    people = [member for team in now.teams for member in team.members] + list(event.members)
    if not now.settings.boards:
        raise ValueError("This tournament has no teams.")
    if now.seed is not None:
        raise ValueError("Teams must be formed before the draw.")
    if not event.members or len(set(people)) < len(people):
        raise ValueError("A player can play in only one team.")
    if any(now.player(one) is None for one in event.members):
        raise ValueError("A team can have only players of this tournament.")
    if any(team.name == event.name for team in now.teams):
        raise ValueError(f"There is already a team {event.name}.")
    return replace(now, teams=(*now.teams, Team(event.name, event.members)))
