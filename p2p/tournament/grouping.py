"""Who meets whom at tables of three to six: sizes as equal as can be, few repeated meetings, seats in turn.

These rules are ours (docs/referee.md, "Formats").
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

from p2p.referee.field import Entry
from p2p.referee.pairing import Pairing


def table_sizes(players: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """How many sit at each table, the largest first, where tables may have these `sizes`; the others have a bye.

    Fewest byes first; then fewest tables; then sizes of least difference. At most two sizes occur. Empty where so few
    are no table.
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


def grouped(ranked: Sequence[Entry], sizes: Sequence[int], apart: bool = False) -> Pairing:
    """The tables of a round for players in order of standing, the best first.

    A bye goes to who had the fewest, and of these to the lowest. Then, table by table, the highest who is left sits
    down, and each further seat goes to who has met those at the table least often, the highest of them. With `apart`
    the best are kept apart instead: they are dealt to the tables to and fro. As long as two players of different tables
    can change places so that fewer meetings repeat, the two do for whom it saves most.
    """
    plan = table_sizes(len(ranked), sizes)
    free = sorted(range(len(ranked)), key=lambda place: (ranked[place].byes, -place))[: len(ranked) - sum(plan)]
    waiting = [entry for place, entry in enumerate(ranked) if place not in free]
    tables: list[list[Entry]] = [[] for _ in plan]
    if apart:
        _deal(waiting, tables, plan)
    else:
        _fill(waiting, tables, plan)
    while _swap(tables):
        pass
    byes = tuple(entry.identity for entry in sorted((ranked[place] for place in free), key=lambda entry: entry.number))
    return Pairing(tuple(tuple(entry.identity for entry in seated(table)) for table in tables), byes)


def seated(table: Sequence[Entry]) -> tuple[Entry, ...]:
    """The players of a table in seat order: so that they sit where they sat least often before.

    The sum of the squares of how often each will have sat at its seat is least; of several such orders the first one by
    standing is taken.
    """
    had = [[entry.seats.count(seat) for seat in range(len(table))] for entry in table]

    def cost(order: tuple[int, ...]) -> int:
        return sum(2 * had[one][seat] + 1 for seat, one in enumerate(order))

    return tuple(table[one] for one in min(permutations(range(len(table))), key=cost))


def repeats(table: Sequence[Entry]) -> int:
    """How many meetings at a table repeat earlier ones, each as often as it happened."""
    return sum(one.met[other.identity] for one, other in combinations(table, 2))


def _fill(waiting: list[Entry], tables: Sequence[list[Entry]], plan: Sequence[int]) -> None:
    """Seats everybody, table by table."""
    for table, size in zip(tables, plan, strict=True):
        while len(table) < size:
            table.append(waiting.pop(_least(waiting, table)))


def _deal(waiting: list[Entry], tables: Sequence[list[Entry]], plan: Sequence[int]) -> None:
    """Seats everybody, one at each table, then one at each on the way back."""
    for row in range(max(plan, default=0)):
        way = [table for table, size in zip(tables, plan, strict=True) if size > row]
        for table in way if row % 2 == 0 else reversed(way):
            table.append(waiting.pop(0))


def _least(waiting: Sequence[Entry], table: Sequence[Entry]) -> int:
    met = [sum(entry.met[other.identity] for other in table) for entry in waiting]
    return met.index(min(met))


def _swap(tables: list[list[Entry]]) -> bool:
    """Makes the exchange that saves most repeated meetings; False where none saves any."""
    best: tuple[int, list[Entry], int, list[Entry], int] | None = None
    for here, there in combinations(tables, 2):
        for i, one in enumerate(here):
            for j, other in enumerate(there):
                rest, company = here[:i] + here[i + 1 :], there[:j] + there[j + 1 :]
                saved = _meets(one, rest) + _meets(other, company) - _meets(one, company) - _meets(other, rest)
                if saved > (0 if best is None else best[0]):
                    best = saved, here, i, there, j
    if best is None:
        return False
    _, here, i, there, j = best
    here[i], there[j] = there[j], here[i]
    return True


def _meets(entry: Entry, others: Sequence[Entry]) -> int:
    return sum(entry.met[other.identity] for other in others)
