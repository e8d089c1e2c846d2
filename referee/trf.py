"""A tournament as a FIDE Tournament Report File (TRF16), which chess managers and pairing checkers read.

https://handbook.fide.com/chapter/C0403, annex 2: lines of fixed columns, each ended by CR LF. Nobody has a FIDE number
or a rating here, so those columns are empty.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

from kimberley.p2p.storage.identity import fingerprint
from kimberley.p2p.tournament.players import TournamentPlayer, TournamentRound
from kimberley.p2p.tournament.settings import (
    ACCELERATED_SWISS,
    DOUBLE_ROUND_ROBIN,
    KNOCKOUT,
    ROUND_ROBIN,
    SWISS,
    SWISS_FORMATS,
    TournamentSettings,
)
from kimberley.p2p.tournament.standings import StandingsRow
from kimberley.p2p.tournament.tournament import Tournament

TYPES: Final = {
    SWISS: "Swiss-System (Dutch)",
    ACCELERATED_SWISS: "Swiss-System (Dutch), Baku acceleration",
    ROUND_ROBIN: "Round-Robin",
    DOUBLE_ROUND_ROBIN: "Double Round-Robin",
    KNOCKOUT: "Knockout",
}
MOST_NAME: Final = 33
MOST_TEAM_NAME: Final = 32
MISSED: Final = "0000 - Z"
BYE: Final = "0000 - U"
HALF_BYE: Final = "0000 - H"
DRAWN_BY_RULING: Final = HALF_BYE
"""A draw without a game: D and = would claim one, which counts when others pair the next round. No code of the report
names the opponent."""

INITIAL_COLOR: Final = "XXC white1"
"""The seat of the first player in a Swiss, who may have no game from which others could tell it."""


def has_report(settings: TournamentSettings) -> bool:
    """Returns whether a report can say what happened: there are two at each table, and they play rounds."""
    return settings.sizes == (2,) and settings.format in TYPES


def report(tournament: Tournament) -> str:
    """Returns the report of a tournament for which `has_report` holds, up to its last round that is over: the programs
    that read it refuse a game without a result.
    """
    planned = tournament.planned
    tournament = replace(tournament, rounds=tuple(one for one in tournament.rounds if not one.open))
    rows = sorted((row for row in tournament.standings() if row.player.number), key=lambda row: row.player.number)
    lines = [*_head(tournament, planned), *(_player(tournament, row) for row in rows), *_teams(tournament)]
    return "".join(f"{line.rstrip()}\r\n" for line in lines)


def _head(tournament: Tournament, planned: int) -> list[str]:
    settings, rounds = tournament.settings, tournament.rounds
    what = "Team" if settings.boards else "Individual"
    days = [time.strftime("%Y/%m/%d", time.localtime(one.begun)) for one in rounds]
    dates = [f"042 {days[0]}", f"052 {days[-1]}"] if days else []
    return [
        f"012 {settings.name}",
        *dates,
        f"062 {sum(1 for player in tournament.players if player.number)}",
        "072 0",
        *([f"082 {len(tournament.teams)}"] if settings.boards else []),
        f"092 {what}: {TYPES[settings.format]}",
        f"102 Referee {fingerprint(settings.referee)}",
        *([f"122 {settings.clock}"] if settings.clock is not None else []),
        "132".ljust(91) + "  ".join(day[2:] for day in days),
        f"XXR {planned}",
        *([INITIAL_COLOR] if settings.format in SWISS_FORMATS else []),
    ]


def _player(tournament: Tournament, row: StandingsRow) -> str:
    """Returns the line of a player: number, name, points and rank, and ten columns for each round."""
    player = row.player
    name = tournament.name(player.identity)[:MOST_NAME]
    rounds = "".join(f"{_result(tournament, one, player):10}" for one in tournament.rounds)
    return f"001 {player.number:4}      {name:{MOST_NAME}}{'':33}{float(row.points):4.1f} {row.rank:4}  {rounds}"


def _result(tournament: Tournament, round: TournamentRound, player: TournamentPlayer) -> str:
    """Returns the opponent, the seat (White is seat 0) and the result of a player in a round that is over."""
    table = next((one for one in round.tables if player.identity in one.seats), None)
    if table is None:
        half = player.identity in round.half_byes
        return BYE if player.identity in round.byes else HALF_BYE if half else MISSED
    seat = table.seats.index(player.identity)
    opponent = tournament.player(table.seats[1 - seat])
    assert opponent is not None
    assert table.points is not None
    won, played = table.points[seat], table.game is not None
    if not played and 0 < won < 1:
        return DRAWN_BY_RULING
    code = ("1" if played else "+") if won == 1 else ("0" if played else "-") if won == 0 else "="
    return f"{opponent.number:4} {'wb'[seat]} {code}"


def _teams(tournament: Tournament) -> list[str]:
    """Returns a line for each team: its name, and the numbers of its players by board."""
    numbers = {player.identity: player.number for player in tournament.players}
    return [
        f"013 {team.name[:MOST_TEAM_NAME]:{MOST_TEAM_NAME}}"
        + " ".join(f"{numbers[member]:4}" for member in team.members if numbers[member])
        for team in tournament.teams
    ]
