"""Pairs the players of a knockout and decides who is out (docs/formats.md).

Tables of two form a bracket, seeded by starting number. The first seeds have byes against its free places. A drawn
table is played once more, with seats swapped, as a separate round; after another draw the lower starting number
advances. At larger tables the best players are dealt apart, and the better half of each table advances, rounded up;
ties are broken by starting number. The last table has one winner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kimberley.p2p.tournament.players import TournamentPlayer, TournamentRound, TournamentTable


@dataclass(frozen=True, slots=True)
class KnockoutState:
    """Where a knockout stands after its rounds.

    `places` holds the remaining players in the order of the bracket, with None for a free place. `stage` counts the
    stages that are over. `replays` are the drawn tables, with seats swapped, that are played once more before the next
    stage. `fell` maps each eliminated player to the stage, from 1, of the elimination.
    """

    places: tuple[bytes | None, ...]
    stage: int
    replays: tuple[tuple[bytes, ...], ...]
    fell: Mapping[bytes, int]

    @property
    def left(self) -> tuple[bytes, ...]:
        return tuple(identity for identity in self.places if identity is not None)


def bracket(numbers: int) -> tuple[int, ...]:
    """Returns starting numbers in the order of a bracket of the next power of two. The first two seeds can meet only in
    the final.
    """
    order = [1]
    while len(order) < numbers:
        order = [number for one in order for number in (one, 2 * len(order) + 1 - one)]
    return tuple(order)


def knockout_state(players: Sequence[TournamentPlayer], rounds: Sequence[TournamentRound], seats: int) -> KnockoutState:
    """Returns the state of the knockout after these rounds, whose tables are all decided."""
    by_number = {player.number: player.identity for player in players if player.number}
    numbers = {identity: number for number, identity in by_number.items()}
    places: tuple[bytes | None, ...]
    places = tuple(by_number.get(number) for number in (bracket(len(by_number)) if seats == 2 else sorted(by_number)))
    fell: dict[bytes, int] = {}
    stage, at = 0, 0
    while at < len(rounds):
        stage += 1
        first = rounds[at]
        at += 1
        drawn = tuple(table for table in first.tables if is_drawn(table))
        again = rounds[at] if drawn and at < len(rounds) else None
        if drawn and again is None:
            replays = tuple(table.seats[::-1] for table in drawn)
            return KnockoutState(places, stage - 1, replays, fell)
        at += again is not None
        tables = [table for table in first.tables if table not in drawn]
        tables += again.tables if again is not None else ()
        byes = (*first.byes, *(again.byes if again is not None else ()))
        on = {identity for table in tables for identity in advancing(table, numbers, final(first))} | set(byes)
        fell |= {identity: stage for identity in places if identity is not None and identity not in on}
        places = _halved(places, on) if seats == 2 else tuple(one for one in places if one in on)
    return KnockoutState(places, stage, (), fell)


def is_eliminated(
    players: Sequence[TournamentPlayer], rounds: Sequence[TournamentRound], seats: int, identity: bytes
) -> bool:
    """Returns whether a player is out after the tables of the current stage that are decided so far."""
    *before, now = rounds
    replayed = bool(knockout_state(players, before, seats).replays)
    first = before[-1] if replayed else now
    for round in (now, first):
        if identity in round.byes:
            return False
        table = next((table for table in round.tables if identity in table.seats), None)
        if table is None:
            continue
        if table.decided is None:
            return False
        if round is first and is_drawn(table):
            return replayed
        numbers = {player.identity: player.number for player in players}
        return identity not in advancing(table, numbers, final(first))
    return True


def _halved(places: Sequence[bytes | None], on: set[bytes]) -> tuple[bytes | None, ...]:
    """Returns the next column of the bracket: from each pair of places, the player who advances."""
    pairs = (places[at : at + 2] for at in range(0, len(places), 2))
    return tuple(next((one for one in pair if one in on), None) for pair in pairs)


def final(round: TournamentRound) -> bool:
    """Returns whether the winner of this round's only table has won the tournament."""
    return len(round.tables) == 1 and not round.byes


def is_drawn(table: TournamentTable) -> bool:
    """Returns whether a table of two is drawn, so that it may have to be played once more."""
    return len(table.seats) == 2 and table.decided is not None and table.decided.places == (1, 1)


def advancing(table: TournamentTable, numbers: Mapping[bytes, int], last: bool) -> tuple[bytes, ...]:
    """Returns the players who advance, best first; not those who lost by ruling. From the last table only one
    advances.
    """
    assert table.decided is not None
    standing = [
        (place, numbers[one], one) for one, place in zip(table.seats, table.decided.places, strict=True) if place
    ]
    many = 1 if last else -(-len(table.seats) // 2)
    return tuple(identity for _, _, identity in sorted(standing)[:many])
