"""Teams: a tournament of teams is paired and ranked like one of players, whose tables are the matches.

A match is played at several boards at once. On the first board the team named first has seat 0, on the next one the
other team, and so on. If a member is missing, those below move up one board (docs/formats.md, "Teams").
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count, zip_longest
from typing import Final

from kimberley.p2p.tournament.events import PLAYED, TableDecided
from kimberley.p2p.tournament.formats import Field
from kimberley.p2p.tournament.pairing import Pairing
from kimberley.p2p.tournament.players import IN, WITHDRAWN, TournamentPlayer, TournamentRound, TournamentTable
from kimberley.p2p.tournament.standings import StandingsRow, standings
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.encoding import pack

MATCH_POINTS: Final = 2
"""Points for a match won; half of them for a draw."""


@dataclass(frozen=True, slots=True)
class Team:
    """A team: its name, and the identities of its members in the order of the boards, the reserves last."""

    name: str
    members: tuple[bytes, ...]

    @property
    def identity(self) -> bytes:
        """32 bytes that stand for the team where a tournament has players."""
        return digest("team of a cup", pack((self.name, self.members)))

    def lineup(self, present: Collection[bytes], boards: int) -> tuple[bytes, ...]:
        """Returns those who play in a round, by board."""
        return tuple(member for member in self.members if member in present)[:boards]


@dataclass(frozen=True, slots=True)
class TeamMatch:
    """A match: its two teams, the tables, and the points of each team in games so far."""

    teams: tuple[Team, Team]
    tables: tuple[TournamentTable, ...]
    points: tuple[Fraction, Fraction]

    @property
    def places(self) -> tuple[int, int] | None:
        """1 and 2, or 1 and 1 for a draw; None while a table is open."""
        if any(table.decided is None for table in self.tables):
            return None
        first, second = self.points
        return (1, 1) if first == second else (1, 2) if first > second else (2, 1)


@dataclass(frozen=True, slots=True)
class TeamRow:
    """A row of the standings of teams. `row` has what a player's row has, of matches in place of tables."""

    team: Team
    match_points: Fraction
    game_points: Fraction
    row: StandingsRow


def complete_teams(teams: Sequence[Team], players: Iterable[TournamentPlayer], boards: int) -> tuple[Team, ...]:
    """Returns these teams, and further ones of the players without a team, by lot. The last one may have free
    boards.
    """
    taken = {member for team in teams for member in team.members}
    free = [player for player in players if player.number and player.identity not in taken]
    free.sort(key=lambda player: player.number)
    groups = [free[at : at + boards] for at in range(0, len(free), boards)]
    names = {team.name for team in teams}
    unused = (name for name in map("Team {}".format, count(1)) if name not in names)
    return (*teams, *(Team(next(unused), tuple(one.identity for one in group)) for group in groups))


def matches(round: TournamentRound, teams: Iterable[Team]) -> tuple[TeamMatch, ...]:
    """Returns the matches of a round, in the order of their first tables."""
    team_of = {member: team for team in teams for member in team.members}
    tables: dict[frozenset[bytes], list[TournamentTable]] = {}
    for table in round.tables:
        tables.setdefault(frozenset(team_of[seat].identity for seat in table.seats), []).append(table)
    walkovers = [team_of[identity] for identity in round.byes]
    team_matches = []
    for played in tables.values():
        first, second = (team_of[seat] for seat in played[0].seats)
        points = {team: Fraction(walkovers.count(team)) for team in (first, second)}
        for table in played:
            for seat, won in zip(table.seats, table.points or (), strict=False):
                points[team_of[seat]] += won
        team_matches.append(TeamMatch((first, second), tuple(played), (points[first], points[second])))
    return tuple(team_matches)


def field_of_teams(field: Field, teams: Sequence[Team]) -> Field:
    """Returns the tournament with its teams in place of players, and its matches in place of tables."""
    numbers = {player.identity: player.number for player in field.players if player.number}
    first = {team: min((numbers[one] for one in team.members if one in numbers), default=0) for team in teams}
    ordered = sorted((team for team in teams if first[team]), key=lambda team: first[team])
    playing = {player.identity for player in field.players if player.state == IN}
    players = tuple(
        TournamentPlayer(team.identity, team.name, number, IN if playing & {*team.members} else WITHDRAWN)
        for number, team in enumerate(ordered, 1)
    )
    return replace(field, players=players, rounds=tuple(_round_of_teams(one, teams) for one in field.rounds))


def boards_of(pairing: Pairing, teams: Iterable[Team], present: Collection[bytes], boards: int) -> Pairing:
    """Returns the tables of the players for a pairing of teams. A player without an opponent has a bye."""
    by_identity = {team.identity: team for team in teams}
    tables: list[tuple[bytes, ...]] = []
    byes = [one for team in pairing.byes for one in by_identity[team].lineup(present, boards)]
    for pair in pairing.tables:
        lineups = (by_identity[team].lineup(present, boards) for team in pair)
        for board, people in enumerate(zip_longest(*lineups)):
            there = tuple(one for one in people if one is not None)
            if len(there) < 2:
                byes += there
            else:
                tables.append(there if board % 2 == 0 else there[::-1])
    return Pairing(tuple(tables), tuple(byes))


def team_standings(field: Field, teams: Sequence[Team]) -> tuple[TeamRow, ...]:
    """Returns the teams, best first: by match points, then by points in games, then as players are ranked."""
    as_teams = field_of_teams(field, teams)
    games = _game_points(field.rounds, teams)
    by_identity = {team.identity: team for team in teams}
    rows = standings(field.settings, as_teams.players, as_teams.rounds, first_tie_break=games)
    return tuple(
        TeamRow(by_identity[row.player.identity], MATCH_POINTS * row.points, games[row.player.identity], row)
        for row in rows
    )


def _round_of_teams(round: TournamentRound, teams: Sequence[Team]) -> TournamentRound:
    played = matches(round, teams)
    tables = tuple(_table_of_teams(round.number, number, match) for number, match in enumerate(played))
    busy = {team.identity for match in played for team in match.teams}
    resting = (team.identity for team in teams if {*team.members} & {*round.byes} and team.identity not in busy)
    return replace(round, tables=tables, byes=tuple(resting))


def _table_of_teams(round: int, number: int, match: TeamMatch) -> TournamentTable:
    """Returns a match as a table. Nobody signs its result: it follows from those of the boards."""
    first, second = match.teams
    game = digest("match of a cup", pack((round, number)))
    decided = None
    if match.places is not None:
        at = max(table.decided.at for table in match.tables if table.decided is not None)
        decided = TableDecided(at, round, number, match.places, PLAYED, "", game, None, b"")
    return TournamentTable(number, (first.identity, second.identity), game, decided)


def _game_points(rounds: Iterable[TournamentRound], teams: Sequence[Team]) -> Mapping[bytes, Fraction]:
    """Returns each team's points in games, by its identity."""
    team_of = {member: team.identity for team in teams for member in team.members}
    points = {team.identity: Fraction(0) for team in teams}
    for round in rounds:
        for identity in round.byes:
            points[team_of[identity]] += 1
        for table in round.tables:
            for seat, won in zip(table.seats, table.points or (), strict=False):
                points[team_of[seat]] += won
    return points
