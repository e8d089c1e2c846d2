"""Groups players at tables of three to six: table sizes nearly equal, few repeated meetings, seats in turn.

These rules are ours (docs/formats.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

from kimberley.p2p.tournament.pairing import Pairing
from kimberley.p2p.tournament.players import PlayerHistory


def table_sizes(players: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """Returns the number of players at each table, the largest first. Tables may have these `sizes`; the others have a
    bye.

    The plan has the fewest byes; then the fewest tables; then sizes that differ least. At most two sizes occur. Empty
    if there are too few players for a table.
    """
    for seated in range(players, 1, -1):
        for tables in range(-(-seated // max(sizes)), seated // min(sizes) + 1):
            pairs = ((small, large) for small in sizes for large in sizes if small <= large)
            for small, large in sorted(pairs, key=lambda pair: pair[1] - pair[0]):
                extra = seated - tables * small
                step = large - small
                many = extra // step if step else 0
                if 0 <= many <= tables and extra == many * step:
                    return (large,) * many + (small,) * (tables - many)
    return ()


def grouped(ranked: Sequence[PlayerHistory], sizes: Sequence[int], apart: bool = False) -> Pairing:
    """Returns the tables of a round for players in order of standing, the best first.

    A bye goes to the player who had the fewest byes; of several, to the lowest in the standings. Then the tables are
    filled one by one. The highest remaining player takes the first seat. Each further seat goes to the player who has
    met those at the table least often; of several, to the highest. With `apart` the best players are kept apart
    instead: they are dealt to the tables back and forth. Then players of different tables swap, as long as a swap
    leaves fewer repeated meetings; the swap that saves most comes first.
    """
    plan = table_sizes(len(ranked), sizes)
    free = sorted(range(len(ranked)), key=lambda place: (ranked[place].byes, -place))[: len(ranked) - sum(plan)]
    waiting = [entry for place, entry in enumerate(ranked) if place not in free]
    tables: list[list[PlayerHistory]] = [[] for _ in plan]
    if apart:
        _deal(waiting, tables, plan)
    else:
        _fill(waiting, tables, plan)
    while _swap(tables):
        pass
    byes = tuple(entry.identity for entry in sorted((ranked[place] for place in free), key=lambda entry: entry.number))
    return Pairing(tuple(tuple(entry.identity for entry in seated(table)) for table in tables), byes)


def seated(table: Sequence[PlayerHistory]) -> tuple[PlayerHistory, ...]:
    """Returns the players of a table in seat order, each where that player has sat least often before.

    The order minimizes the sum of squares of how often each player will have had that seat. Of several such orders, the
    first by standing is used.
    """
    had = [[entry.seats.count(seat) for seat in range(len(table))] for entry in table]

    def cost(order: tuple[int, ...]) -> int:
        return sum(2 * had[one][seat] + 1 for seat, one in enumerate(order))

    return tuple(table[one] for one in min(permutations(range(len(table))), key=cost))


def repeats(table: Sequence[PlayerHistory]) -> int:
    """Returns the number of repeated meetings at a table. A pair that has met n times counts n times."""
    return sum(one.met[other.identity] for one, other in combinations(table, 2))


def _fill(waiting: list[PlayerHistory], tables: Sequence[list[PlayerHistory]], plan: Sequence[int]) -> None:
    """Fills the tables one after another."""
    for table, size in zip(tables, plan, strict=True):
        while len(table) < size:
            table.append(waiting.pop(_least(waiting, table)))


def _deal(waiting: list[PlayerHistory], tables: Sequence[list[PlayerHistory]], plan: Sequence[int]) -> None:
    """Deals the players to the tables back and forth: one player to each table, then in reverse order."""
    for row in range(max(plan, default=0)):
        way = [table for table, size in zip(tables, plan, strict=True) if size > row]
        for table in way if row % 2 == 0 else reversed(way):
            table.append(waiting.pop(0))


def _least(waiting: Sequence[PlayerHistory], table: Sequence[PlayerHistory]) -> int:
    met = [sum(entry.met[other.identity] for other in table) for entry in waiting]
    return met.index(min(met))


def _swap(tables: list[list[PlayerHistory]]) -> bool:
    """Makes the swap that saves the most repeated meetings; False if no swap saves any."""
    best: tuple[int, list[PlayerHistory], int, list[PlayerHistory], int] | None = None
    for here, there in combinations(tables, 2):
        for i, one in enumerate(here):
            for j, other in enumerate(there):
                rest, those = here[:i] + here[i + 1 :], there[:j] + there[j + 1 :]
                saved = _meets(one, rest) + _meets(other, those) - _meets(one, those) - _meets(other, rest)
                if saved > (0 if best is None else best[0]):
                    best = saved, here, i, there, j
    if best is None:
        return False
    _, here, i, there, j = best
    here[i], there[j] = there[j], here[i]
    return True


def _meets(entry: PlayerHistory, others: Sequence[PlayerHistory]) -> int:
    return sum(entry.met[other.identity] for other in others)
