"""A tournament as JSON, as its export and `kimberley verify --json` have it."""

from __future__ import annotations

from typing import Any

from kimberley.p2p.tournament.players import TournamentRound, TournamentTable
from kimberley.p2p.tournament.rating import rating_histories
from kimberley.p2p.tournament.tournament import Tournament


def as_json(tournament: Tournament) -> dict[str, Any]:
    """Returns everything public about a tournament, fit for `json.dumps`. Points are decimals; identities and digests
    are hexadecimal.
    """
    settings = tournament.settings
    ratings = rating_histories(tournament.players, tournament.rounds)
    return {
        "cup": {
            "id": settings.id.hex(),
            "name": settings.name,
            "referee": settings.referee.hex(),
            "game": settings.game,
            "rules": settings.rules,
            "options": {name: _shown(value) for name, value in settings.options},
            "format": settings.format,
            "rounds": tournament.planned,
            "minutes": settings.minutes,
            "boards": settings.boards,
            "seats": settings.seats,
            "clock": None
            if settings.clock is None
            else {"main": settings.clock.main, "increment": settings.clock.increment},
        },
        "phase": tournament.phase,
        "standings": [
            {
                "rank": one.rank,
                "identity": one.player.identity.hex(),
                "name": tournament.name(one.player.identity),
                "number": one.player.number,
                "bot": one.player.bot,
                "state": one.player.state,
                "points": float(one.points),
                "buchholz": float(one.buchholz),
                "sonneborn_berger": float(one.sonneborn),
                "direct_encounter": None if one.direct is None else float(one.direct),
                "wins": one.wins,
                "byes": one.byes,
                "half_byes": one.half_byes,
                "reached": one.reached,
                "ratings": list(ratings[one.player.identity]),
            }
            for one in tournament.standings()
        ],
        "teams": [
            {
                "rank": one.row.rank,
                "name": one.team.name,
                "members": [member.hex() for member in one.team.members],
                "match_points": float(one.match_points),
                "game_points": float(one.game_points),
            }
            for one in tournament.team_standings()
        ],
        "rounds": [_round(one) for one in tournament.rounds],
    }


def _round(one: TournamentRound) -> dict[str, Any]:
    return {
        "round": one.number,
        "tables": [_table(table) for table in one.tables],
        "byes": [identity.hex() for identity in one.byes],
        "half_byes": [identity.hex() for identity in one.half_byes],
    }


def _table(table: TournamentTable) -> dict[str, Any]:
    decided = table.decided
    fields: dict[str, Any] = {
        "table": table.number + 1,
        "seats": [identity.hex() for identity in table.seats],
        "game": None if table.game is None else table.game.hex(),
        "result": None,
    }
    if decided is not None:
        fields["result"] = {
            "at": decided.at,
            "places": list(decided.places),
            "points": [float(one) for one in table.points or ()],
            "how": decided.how,
            "sentence": decided.sentence,
            "record": None if decided.record is None else decided.record.hex(),
            "signature": decided.signature.hex(),
        }
    return fields


def _shown(value: object) -> object:
    """Returns a plain value for JSON."""
    if isinstance(value, bytes):
        return value.hex()
    return [_shown(one) for one in value] if isinstance(value, tuple) else value
