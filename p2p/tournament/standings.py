"""The standings: points, and the usual tie-breaks (docs/formats.md, "Points and tie-breaks").

Points decide first, then `TIE_BREAKS`, one after another, then the starting number. In a knockout the stage reached
comes before all of them, and then the points at the last table. In an arena, where some play more games than others,
the sums over opponents decide nothing, and are 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias

from kimberley.p2p.tournament.knockout import knockout_state
from kimberley.p2p.tournament.players import (
    HALF_BYE,
    PlayerHistory,
    TournamentPlayer,
    TournamentRound,
    player_histories,
)
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

    `direct` is None if it decides nothing. `walkovers` are tables won without play, which are no `wins`. `reached` is
    the stage of a knockout in which the player was eliminated, one more than the last stage for its winner; elsewhere
    0. `rating` is the latest, None if this program cannot compute it. `buchholz_of` and `sonneborn_of` are what the
    sums are made of.
    """

    rank: int
    player: TournamentPlayer
    points: Fraction
    buchholz: Fraction
    sonneborn: Fraction
    direct: Fraction | None
    wins: int
    walkovers: int
    byes: int
    half_byes: int
    reached: int
    rating: int | None
    buchholz_of: tuple[Addend, ...]
    sonneborn_of: tuple[Addend, ...]


Sums: TypeAlias = Mapping[bytes, tuple[tuple[Addend, ...], tuple[Addend, ...]]]
"""What a player's Buchholz and Sonneborn-Berger are made of."""
Numbers: TypeAlias = Mapping[bytes, Fraction]


class TieBreak(NamedTuple):
    """A way to break a tie: its name in a sentence and over a column, the field of StandingsRow that has its numbers,
    and the function that gives these numbers to players who are tied so far: none if it decides nothing among them.
    """

    name: str
    heading: str
    field: str
    numbers: Callable[[Sequence[PlayerHistory], Sums], Numbers]


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
    histories = player_histories(players, rounds, streaks=arena)
    reached = _reached(settings, players, rounds)
    ratings = rating_histories(players, rounds) if can_rate() else {}
    sums = {
        identity: ((), ()) if arena else (buchholz(entry, histories), sonneborn(entry, histories))
        for identity, entry in histories.items()
    }

    def rank(entry: PlayerHistory) -> tuple[int, Fraction, Fraction, Fraction]:
        last = entry.last if settings.format == KNOCKOUT else Fraction(0)
        first = Fraction(0) if first_tie_break is None else first_tie_break[entry.identity]
        return reached[entry.identity], last, entry.points, first

    numbers: dict[str, dict[bytes, Fraction]] = {one.field: {} for one in TIE_BREAKS}
    ranked = sorted(histories.values(), key=rank, reverse=True)
    ordered = [entry for _, tied in groupby(ranked, key=rank) for entry in _broken([*tied], TIE_BREAKS, sums, numbers)]
    return tuple(
        StandingsRow(
            place,
            entry.player,
            entry.points,
            numbers["buchholz"][entry.identity],
            numbers["sonneborn"][entry.identity],
            numbers["direct"].get(entry.identity),
            entry.wins,
            entry.walkovers,
            entry.byes,
            entry.half_byes,
            reached[entry.identity],
            ratings[entry.identity][-1] if ratings else None,
            *sums[entry.identity],
        )
        for place, entry in enumerate(ordered, 1)
    )


def _broken(
    group: Sequence[PlayerHistory], ways: Sequence[TieBreak], sums: Sums, numbers: Mapping[str, dict[bytes, Fraction]]
) -> list[PlayerHistory]:
    """Returns tied players in order, and notes the numbers that decided it."""
    if not ways:
        return sorted(group, key=_lot)
    counted = ways[0].numbers(group, sums)
    numbers[ways[0].field].update(counted)

    def number(entry: PlayerHistory) -> Fraction:
        return counted.get(entry.identity, Fraction(0))

    ranked = sorted(group, key=number, reverse=True)
    return [entry for _, tied in groupby(ranked, key=number) for entry in _broken([*tied], ways[1:], sums, numbers)]


def buchholz(entry: PlayerHistory, histories: dict[bytes, PlayerHistory]) -> tuple[Addend, ...]:
    """Returns the points of all opponents; at a larger table their mean. A bye, also one of half a point, counts as an
    opponent with the player's own points.
    """
    met = [Addend(one.other, histories[one.other].points / one.at_table) for one in entry.meetings]
    return (*met, *_byes(entry, entry.byes + entry.half_byes))


def sonneborn(entry: PlayerHistory, histories: dict[bytes, PlayerHistory]) -> tuple[Addend, ...]:
    """Returns the points of beaten opponents, and half of those tied with. A bye is a win over the opponent of
    `buchholz`, and one of half a point a draw.
    """
    had = [Addend(one.other, one.had * histories[one.other].points / one.at_table) for one in entry.meetings if one.had]
    return (*had, *_byes(entry, entry.byes + HALF_BYE * entry.half_byes))


def _byes(entry: PlayerHistory, share: Fraction | int) -> tuple[Addend, ...]:
    return (Addend(None, share * entry.points),) if share else ()


def encounter(group: Sequence[PlayerHistory]) -> dict[bytes, Fraction] | None:
    """Returns the points of each tied player against the others; None unless all of them have met each other."""
    tied = {entry.identity for entry in group}
    met = [{one.other for one in entry.meetings} for entry in group]
    if len(group) < 2 or any(not tied <= others | {entry.identity} for entry, others in zip(group, met, strict=True)):
        return None
    return {
        entry.identity: sum((one.had for one in entry.meetings if one.other in tied), Fraction(0)) for entry in group
    }


def _by_buchholz(group: Sequence[PlayerHistory], sums: Sums) -> Numbers:
    return {entry.identity: _total(sums[entry.identity][0]) for entry in group}


def _by_sonneborn(group: Sequence[PlayerHistory], sums: Sums) -> Numbers:
    return {entry.identity: _total(sums[entry.identity][1]) for entry in group}


def _by_encounter(group: Sequence[PlayerHistory], sums: Sums) -> Numbers:
    return encounter(group) or {}


def _by_wins(group: Sequence[PlayerHistory], sums: Sums) -> Numbers:
    return {entry.identity: Fraction(entry.wins) for entry in group}


def _total(addends: Sequence[Addend]) -> Fraction:
    return sum((one.points for one in addends), Fraction(0))


TIE_BREAKS: Final = (
    TieBreak("Buchholz", "Buchholz", "buchholz", _by_buchholz),
    TieBreak("Sonneborn-Berger", "Sonneborn-Berger", "sonneborn", _by_sonneborn),
    TieBreak("direct encounter", "Direct", "direct", _by_encounter),
    TieBreak("wins", "Wins", "wins", _by_wins),
)
"""The tie-breaks in the order in which they decide, and in which all pages show them."""
_SUMS: Final = ("buchholz", "sonneborn")
"""Those that add up what opponents have."""


def tie_breaks(settings: TournamentSettings) -> tuple[TieBreak, ...]:
    """Returns those of `TIE_BREAKS` that can decide something in a tournament."""
    return tuple(one for one in TIE_BREAKS if settings.format != ARENA or one.field not in _SUMS)


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
