"""Who meets whom in a knockout, and who is out (docs/referee.md, "Formats").

Tables of two: a bracket, seeded by starting number, whose free places are byes of the first seeds. A drawn table is
played once more, seats swapped, as a round of its own; drawn again, the lower starting number goes on. At larger tables
the best are dealt apart, and the better half goes on, rounded up, ties by starting number; the last has one winner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2p.referee.field import Player, Round, Table


@dataclass(frozen=True, slots=True)
class Ladder:
    """Where a knockout stands after its rounds.

    `places` are those still in it, in the order of the bracket, None for a place that is free; `stage` counts the
    stages that are over; `replays` are the drawn tables, with seats swapped, that are played once more before the next;
    `fell` maps who is out to the stage, from 1, in which it fell.
    """

    places: tuple[bytes | None, ...]
    stage: int
    replays: tuple[tuple[bytes, ...], ...]
    fell: Mapping[bytes, int]

    @property
    def left(self) -> tuple[bytes, ...]:
        return tuple(identity for identity in self.places if identity is not None)


def bracket(numbers: int) -> tuple[int, ...]:
    """Starting numbers in the order of a bracket whose size is the next power of two: the first two can meet last."""
    order = [1]
    while len(order) < numbers:
        order = [number for one in order for number in (one, 2 * len(order) + 1 - one)]
    return tuple(order)


def ladder(players: Sequence[Player], rounds: Sequence[Round], seats: int) -> Ladder:
    """Where it stands after these rounds, of which all tables are decided."""
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
            return Ladder(places, stage - 1, replays, fell)
        at += again is not None
        tables = [table for table in first.tables if table not in drawn]
        tables += again.tables if again is not None else ()
        byes = (*first.byes, *(again.byes if again is not None else ()))
        on = {identity for table in tables for identity in advancing(table, numbers, final(first))} | set(byes)
        fell |= {identity: stage for identity in places if identity is not None and identity not in on}
        places = _halved(places, on) if seats == 2 else tuple(one for one in places if one in on)
    return Ladder(places, stage, (), fell)


def _halved(places: Sequence[bytes | None], on: set[bytes]) -> tuple[bytes | None, ...]:
    """The bracket's next column: of each two places the one who goes on."""
    pairs = (places[at : at + 2] for at in range(0, len(places), 2))
    return tuple(next((one for one in pair if one in on), None) for pair in pairs)


def final(round: Round) -> bool:
    """Whether the winner of this round's one table has won the cup."""
    return len(round.tables) == 1 and not round.byes


def is_drawn(table: Table) -> bool:
    """Whether a table of two is to be played once more."""
    return len(table.seats) == 2 and table.decided is not None and table.decided.places == (1, 1)


def advancing(table: Table, numbers: Mapping[bytes, int], last: bool) -> tuple[bytes, ...]:
    """Who goes on, best first: not who lost by ruling. Of the last table only one does."""
    assert table.decided is not None
    standing = [
        (place, numbers[one], one) for one, place in zip(table.seats, table.decided.places, strict=True) if place
    ]
    many = 1 if last else -(-len(table.seats) // 2)
    return tuple(identity for _, _, identity in sorted(standing)[:many])
