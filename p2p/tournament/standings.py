"""The standings: points, and the usual tie-breaks (docs/formats.md, "Points and tie-breaks").

In this order: points, Buchholz, Sonneborn-Berger, direct encounter, tables won, starting number. In a knockout the
stage reached comes before all of them, and then the points at the last table. In an arena, where some play more games
than others, the sums over opponents decide nothing, and are 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import TypeAlias

from kimberley.p2p.tournament.knockout import knockout_state
from kimberley.p2p.tournament.players import PlayerHistory, TournamentPlayer, TournamentRound, player_histories
from kimberley.p2p.tournament.rating import can_rate, rating_histories
from kimberley.p2p.tournament.settings import ARENA, KNOCKOUT, MOST_PLAYERS, TournamentSettings


@dataclass(frozen=True, slots=True)
class Addend:
    """What an opponent adds to a player's tie-break; `opponent` is None for the player's byes."""

    opponent: bytes | None
    points: Fraction


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One row of the standings. `rank` counts from 1; no two are equal, since starting numbers break the last ties.

    `direct` is None if it decides nothing. `reached` is the stage of a knockout in which the player was eliminated, one
    more than the last stage for its winner; elsewhere 0. `rating` is the latest, None
    if this program cannot compute it. `buchholz_of` and `sonneborn_of` are what the sums are made of.
    """

    rank: int
    player: TournamentPlayer
    points: Fraction
    buchholz: Fraction
    sonneborn: Fraction
    direct: Fraction | None
    wins: int
    byes: int
    reached: int
    rating: int | None
    buchholz_of: tuple[Addend, ...]
    sonneborn_of: tuple[Addend, ...]


_Key: TypeAlias = tuple[int, Fraction, Fraction, Fraction, Fraction, Fraction]


def standings(
    settings: TournamentSettings,
    players: Sequence[TournamentPlayer],
    rounds: Sequence[TournamentRound],
    *,
    first_tie_break: Mapping[bytes, Fraction] | None = None,
) -> tuple[StandingsRow, ...]:
    """Returns all enrolled players, best first, by the decided tables. `first_tie_break` comes before the usual
    ones.
    """
    arena = settings.format == ARENA
    found = player_histories(players, rounds, streaks=arena)
    reached = _reached(settings, players, rounds)
    ratings = rating_histories(players, rounds) if can_rate() else {}
    keys: dict[bytes, _Key] = {}
    sums: dict[bytes, tuple[tuple[Addend, ...], tuple[Addend, ...]]] = {}
    for identity, entry in found.items():
        last = entry.last if settings.format == KNOCKOUT else Fraction(0)
        sums[identity] = ((), ()) if arena else (buchholz(entry, found), sonneborn(entry, found))
        first = Fraction(0) if first_tie_break is None else first_tie_break[identity]
        first_sum, second_sum = (sum((one.points for one in addends), Fraction(0)) for addends in sums[identity])
        keys[identity] = reached[identity], last, entry.points, first, first_sum, second_sum
    ordered: list[tuple[PlayerHistory, Fraction | None]] = []
    ranked = sorted(found.values(), key=lambda entry: keys[entry.identity], reverse=True)
    for _, tied in groupby(ranked, key=lambda entry: keys[entry.identity]):
        group = list(tied)
        direct = encounter(group)
        group.sort(key=lambda entry: (-(direct or {}).get(entry.identity, Fraction(0)), -entry.wins, _lot(entry)))
        ordered += [(entry, None if direct is None else direct[entry.identity]) for entry in group]
    return tuple(
        StandingsRow(
            rank,
            entry.player,
            entry.points,
            *keys[entry.identity][-2:],
            direct,
            entry.wins,
            entry.byes,
            reached[entry.identity],
            ratings[entry.identity][-1] if ratings else None,
            *sums[entry.identity],
        )
        for rank, (entry, direct) in enumerate(ordered, 1)
    )


def buchholz(entry: PlayerHistory, found: dict[bytes, PlayerHistory]) -> tuple[Addend, ...]:
    """Returns the points of all opponents; at a larger table their mean. A bye counts as an opponent with the player's
    own points.
    """
    met = [Addend(one.other, found[one.other].points / one.at_table) for one in entry.meetings]
    return (*met, *_byes(entry))


def sonneborn(entry: PlayerHistory, found: dict[bytes, PlayerHistory]) -> tuple[Addend, ...]:
    """Returns the points of beaten opponents, and half of those tied with. A bye is a win over the opponent of
    `buchholz`.
    """
    had = [Addend(one.other, one.had * found[one.other].points / one.at_table) for one in entry.meetings if one.had]
    return (*had, *_byes(entry))


def _byes(entry: PlayerHistory) -> tuple[Addend, ...]:
    return (Addend(None, entry.byes * entry.points),) if entry.byes else ()


def encounter(group: Sequence[PlayerHistory]) -> dict[bytes, Fraction] | None:
    """Returns the points of each tied player against the others; None unless all of them have met each other."""
    tied = {entry.identity for entry in group}
    met = [{one.other for one in entry.meetings} for entry in group]
    if len(group) < 2 or any(not tied <= others | {entry.identity} for entry, others in zip(group, met, strict=True)):
        return None
    return {
        entry.identity: sum((one.had for one in entry.meetings if one.other in tied), Fraction(0)) for entry in group
    }


def _lot(entry: PlayerHistory) -> int:
    return entry.number or MOST_PLAYERS + 1


def _reached(
    settings: TournamentSettings, players: Sequence[TournamentPlayer], rounds: Sequence[TournamentRound]
) -> dict[bytes, int]:
    """Returns the stage that each player has reached in a knockout, by its finished rounds."""
    if settings.format != KNOCKOUT:
        return {player.identity: 0 for player in players}
    over = [one for one in rounds if not one.open]
    now = knockout_state(players, over, settings.seats)
    return {
        player.identity: now.fell.get(player.identity, now.stage + 1 if player.identity in now.places else 0)
        for player in players
    }
