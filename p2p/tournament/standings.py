"""The standings: points, and the tie-breaks that players know (docs/referee.md, "Points and tie-breaks").

In this order: points, Buchholz, Sonneborn-Berger, direct encounter, tables won, starting number. In a knockout the
stage that one reached comes before all of them, and then what one made at the last table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import TypeAlias

from p2p.referee.cup import KNOCKOUT, MOST_PLAYERS, Cup
from p2p.referee.field import Entry, Player, Round, entries
from p2p.referee.knockout import ladder
from p2p.referee.rating import histories


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings. `rank` counts from 1; no two are equal: at last the lot decides.

    `direct` is None where it decides nothing. `reached` is the stage of a knockout in which the player fell, one more
    than the last for its winner; elsewhere 0. `rating` is the latest.
    """

    rank: int
    player: Player
    points: Fraction
    buchholz: Fraction
    sonneborn: Fraction
    direct: Fraction | None
    wins: int
    byes: int
    reached: int
    rating: int


_Key: TypeAlias = tuple[int, Fraction, Fraction, Fraction, Fraction]


def standings(cup: Cup, players: Sequence[Player], rounds: Sequence[Round]) -> tuple[Standing, ...]:
    """All who have enrolled, best first, by the tables that are decided."""
    found = entries(players, rounds)
    reached = _reached(cup, players, rounds)
    ratings = histories(players, rounds)
    keys: dict[bytes, _Key] = {}
    for identity, entry in found.items():
        last = entry.last if cup.format == KNOCKOUT else Fraction(0)
        keys[identity] = reached[identity], last, entry.points, buchholz(entry, found), sonneborn(entry, found)
    ordered: list[tuple[Entry, Fraction | None]] = []
    ranked = sorted(found.values(), key=lambda entry: keys[entry.identity], reverse=True)
    for _, tied in groupby(ranked, key=lambda entry: keys[entry.identity]):
        group = list(tied)
        direct = encounter(group)
        group.sort(key=lambda entry: (-(direct or {}).get(entry.identity, Fraction(0)), -entry.wins, _lot(entry)))
        ordered += [(entry, None if direct is None else direct[entry.identity]) for entry in group]
    return tuple(
        Standing(
            rank,
            entry.player,
            *keys[entry.identity][2:],
            direct,
            entry.wins,
            entry.byes,
            reached[entry.identity],
            ratings[entry.identity][-1],
        )
        for rank, (entry, direct) in enumerate(ordered, 1)
    )


def buchholz(entry: Entry, found: dict[bytes, Entry]) -> Fraction:
    """The points of those one has met; of a larger table their mean. A bye counts as somebody with one's own points."""
    met = sum((found[one.other].points / one.at_table for one in entry.meetings), Fraction(0))
    return met + entry.byes * entry.points


def sonneborn(entry: Entry, found: dict[bytes, Entry]) -> Fraction:
    """The points of those one has beaten, and half of those one has tied with; a bye as in `buchholz`, beaten."""
    had = sum((one.had * found[one.other].points / one.at_table for one in entry.meetings), Fraction(0))
    return had + entry.byes * entry.points


def encounter(group: Sequence[Entry]) -> dict[bytes, Fraction] | None:
    """What each of those who are tied had of the others; None unless each of them has met each other one."""
    tied = {entry.identity for entry in group}
    met = [{one.other for one in entry.meetings} for entry in group]
    if len(group) < 2 or any(not tied <= others | {entry.identity} for entry, others in zip(group, met, strict=True)):
        return None
    return {
        entry.identity: sum((one.had for one in entry.meetings if one.other in tied), Fraction(0)) for entry in group
    }


def _lot(entry: Entry) -> int:
    return entry.number or MOST_PLAYERS + 1


def _reached(cup: Cup, players: Sequence[Player], rounds: Sequence[Round]) -> dict[bytes, int]:
    """The stage that each has reached in a knockout, by its rounds that are over."""
    if cup.format != KNOCKOUT:
        return {player.identity: 0 for player in players}
    over = [one for one in rounds if not one.open]
    now = ladder(players, over, cup.seats)
    return {
        player.identity: now.fell.get(player.identity, now.stage + 1 if player.identity in now.places else 0)
        for player in players
    }
