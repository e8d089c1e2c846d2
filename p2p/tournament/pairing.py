"""Pairs players for tables of two: Swiss by the Dutch system, and round-robin by the Berger tables.

Both come from caissify-pairings, which follows the FIDE Handbook, C.04.3 and C.05. If the Dutch rules allow no complete
pairing, as happens when few players play many rounds, `matched` replaces them. For many players they would take too
long, and `pair_down` does.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, NamedTuple

from kimberley.p2p.tournament.players import PlayerHistory
from kimberley.p2p.tournament.settings import ALL_GAMES, BY_RANK, CURRENT_PAIRING

MOST_DUTCH: Final = 128
"""The most players whom the Dutch rules pair: they take 40 seconds for as many, and eight times that for twice as
many.
"""
ACCELERATED_ROUNDS: Final = 2
MOST_LEAN: Final = 2
"""The largest allowed difference between how often a player has had seat 0 and seat 1."""

logging.getLogger("caissify_pairings").addHandler(logging.NullHandler())


@dataclass(frozen=True, slots=True)
class Pairing:
    """The identities at each table, in seat order, and those with a bye."""

    tables: tuple[tuple[bytes, ...], ...]
    byes: tuple[bytes, ...] = ()


Pairs = list[tuple[PlayerHistory, PlayerHistory]]


def swiss(
    entries: Sequence[PlayerHistory],
    number: int,
    rounds: int,
    *,
    accelerated: bool = False,
    revision: int = CURRENT_PAIRING,
) -> Pairing:
    """Pairs a round in the Dutch system: no two players meet twice. Tables are sorted by points. There are no tables if
    all players have met each other.

    Args:
        entries: Those who may play, by number.
        number: The number of the round.
        rounds: The number of rounds.
        accelerated: For the pairing alone, the upper half by number has an extra point in the first two rounds (Baku
            acceleration, Handbook C.04.5).
        revision: One of the revisions of the Swiss pairing (`settings.CURRENT_PAIRING`).

    """
    if len(entries) > MOST_DUTCH:
        pairs = _pair_many(entries)
    else:
        known = revision >= ALL_GAMES
        dutch_pairs = (
            dutch(entries, number, rounds, accelerated=accelerated, absent=known) if dutch_can(entries) else None
        )
        pairs = dutch_pairs if dutch_pairs is not None and sound(dutch_pairs, entries) else matched(entries)
        if revision >= BY_RANK:
            lead = upper_half(entries) if accelerated and number <= ACCELERATED_ROUNDS else ()
            pairs = [seated_by_rank(*pair, lead) for pair in pairs]
    sitting = {entry.identity for pair in pairs for entry in pair}
    pairs.sort(key=lambda pair: (-sum(entry.points for entry in pair), min(entry.number for entry in pair)))
    byes = sorted((entry for entry in entries if entry.identity not in sitting), key=lambda entry: entry.number)
    return Pairing(
        tuple((first.identity, second.identity) for first, second in pairs), tuple(entry.identity for entry in byes)
    )


def berger(numbers: int, number: int) -> list[tuple[int, int | None]]:
    """Returns round `number`, from 1, of a round-robin of `numbers` players: pairs of starting numbers, None for a bye.

    The first of a pair sits at seat 0. Once all players have met, the rounds repeat with seats swapped.
    """
    from caissify_pairings import generate_pairings

    cycle = numbers + numbers % 2 - 1
    players = [{"id": one, "starting_number": one} for one in range(1, numbers + 1)]
    cycles = -(-number // cycle)
    pairings = generate_pairings("round_robin", players, set(), number, cycles * cycle, cycles=cycles)
    return [(pair["white_id"], pair["black_id"]) for pair in pairings]


def dutch(
    entries: Sequence[PlayerHistory], number: int, rounds: int, *, accelerated: bool = False, absent: bool = True
) -> Pairs:
    """Returns the pairs of the Dutch system. A player in no pair has a bye.

    With `absent`, games against players who have left count among the games that decide who has the bye (Handbook
    C.04.3, C9).
    """
    from caissify_pairings import generate_pairings

    by_number = {entry.number: entry for entry in entries}
    numbers = {entry.identity: entry.number for entry in entries}
    gone = sorted({other for entry in entries for other in entry.met} - numbers.keys()) if absent else []
    # The library only compares these numbers. No player has a negative one.
    numbers |= {identity: -at for at, identity in enumerate(gone, 1)}
    met = {(entry.number, numbers[other]) for entry in entries for other in entry.met if other in numbers}
    players: list[dict[str, Any]] = [
        {
            "id": entry.number,
            "name": "",
            "score": float(entry.points),
            "rating": 0,
            "starting_number": entry.number,
            "pairing_number": entry.number,
            "color_hist": ["black" if seat else "white" for seat in entry.seats],
            "float_history": entry.floats,
            "bye_count": entry.byes,
            "forfeit_win_count": entry.walkovers,
        }
        for entry in entries
    ]
    pairings = generate_pairings("dutch", players, met, number, rounds, accelerated=accelerated)
    return [
        (by_number[pair["white_id"]], by_number[pair["black_id"]]) for pair in pairings if pair["black_id"] is not None
    ]


def upper_half(entries: Sequence[PlayerHistory]) -> frozenset[int]:
    """Returns the starting numbers of those who have an extra point in accelerated rounds."""
    return frozenset(sorted(entry.number for entry in entries)[: (len(entries) + 1) // 2])


def seated_by_rank(
    one: PlayerHistory, other: PlayerHistory, lead: Collection[int]
) -> tuple[PlayerHistory, PlayerHistory]:
    """Returns a pair in seat order. If both want the same seat equally, and had the same seats, the one with more
    points gets it; `lead` are the numbers of those who count as having an extra point (Handbook C.04.3, 5.2.4).
    """
    differ = any(mine != theirs for mine, theirs in zip(reversed(one.seats), reversed(other.seats), strict=False))
    claim = _claim(one)
    if claim is None or differ or claim != _claim(other):
        return one, other
    first, second = sorted((one, other), key=lambda entry: (-entry.points - (entry.number in lead), entry.number))
    return (second, first) if claim.seat else (first, second)


class _Claim(NamedTuple):
    """The seat that a player wants, and how much: `absolute` if it may not have the other one."""

    seat: int
    lean: int
    absolute: bool


def _claim(entry: PlayerHistory) -> _Claim | None:
    """Returns the player's claim to a seat; None if the player has not had a seat (Handbook C.04.3, 1.7)."""
    if not entry.seats:
        return None
    twice = entry.seats[-2:] in ([0, 0], [1, 1])
    alternate = 1 - entry.seats[-1]
    seat = alternate if twice or not entry.lean else int(entry.lean > 0)
    return _Claim(seat, abs(entry.lean), twice or abs(entry.lean) > 1)


def dutch_can(entries: Sequence[PlayerHistory]) -> bool:
    """Returns whether the absolute Dutch rules allow a complete pairing. If they do not, the search could run
    forever.
    """
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(entry.number for entry in entries)
    graph.add_edges_from(
        (one.number, other.number)
        for one, other in combinations(entries, 2)
        if not one.met[other.identity] and _may_meet(one, other)
    )
    if len(entries) % 2:
        graph.add_edges_from((0, entry.number) for entry in entries if not entry.byes and not entry.walkovers)
    return len(networkx.max_weight_matching(graph, maxcardinality=True)) * 2 >= len(entries)


def pair_down(
    ranked: Iterable[PlayerHistory], may_meet: Callable[[PlayerHistory, PlayerHistory], bool]
) -> tuple[Pairs, list[PlayerHistory]]:
    """Pairs the first player with the next one that it may meet, and so on; and the players without an opponent.

    Those who are left over change places with the last pair that lets them.
    """
    waiting = list(ranked)
    pairs: Pairs = []
    left: list[PlayerHistory] = []
    while waiting:
        one = waiting.pop(0)
        if (other := next((entry for entry in waiting if may_meet(one, entry)), None)) is None:
            left.append(one)
        else:
            waiting.remove(other)
            pairs.append((one, other))
    alone: list[PlayerHistory] = []
    for one, other in zip(left[::2], left[1::2], strict=False):
        if not _exchange(one, other, pairs, may_meet):
            alone += one, other
    return pairs, alone + left[len(left) // 2 * 2 :]


def _exchange(
    one: PlayerHistory,
    other: PlayerHistory,
    pairs: Pairs,
    may_meet: Callable[[PlayerHistory, PlayerHistory], bool],
) -> bool:
    """Seats two players who may not meet with the players of another pair, the last one that can be split."""
    for at in reversed(range(len(pairs))):
        for first, second in (pairs[at], pairs[at][::-1]):
            if may_meet(one, first) and may_meet(other, second):
                pairs[at : at + 1] = [(one, first), (other, second)]
                return True
    return False


def _pair_many(entries: Sequence[PlayerHistory]) -> Pairs:
    """Pairs many players from the top down by points. With an odd number, the lowest of those who had the fewest byes
    has the bye.

    Nobody meets anybody twice, and seats stay as balanced as under the Dutch rules.
    """
    ranked = sorted(entries, key=lambda entry: (-entry.points, entry.number))
    if len(ranked) % 2:
        ranked.remove(min(reversed(ranked), key=lambda entry: entry.byes + entry.walkovers))
    pairs, _ = pair_down(ranked, lambda one, other: not one.met[other.identity] and _may_meet(one, other))
    return [in_seat_order(*pair) for pair in pairs]


def _may_meet(one: PlayerHistory, other: PlayerHistory) -> bool:
    return (_may(one, 0) and _may(other, 1)) or (_may(one, 1) and _may(other, 0))


def _may(entry: PlayerHistory, seat: int) -> bool:
    """Returns whether the player may have this seat: not three times in a row, and not much more often than the other
    seat.
    """
    return entry.seats[-2:] != [seat, seat] and abs(entry.lean + (-1 if seat else 1)) <= MOST_LEAN


def sound(pairs: Pairs, entries: Sequence[PlayerHistory]) -> bool:
    """Returns whether a pairing keeps our promises: no rematch, as few byes as possible, no second bye, balanced
    seats.
    """
    sitting = {entry.identity for pair in pairs for entry in pair}
    out = [entry for entry in entries if entry.identity not in sitting]
    return (
        len(out) == len(entries) % 2
        and not any(entry.byes for entry in out)
        and not any(first.met[second.identity] for first, second in pairs)
        and all(abs(first.lean + 1) <= MOST_LEAN and abs(second.lean - 1) <= MOST_LEAN for first, second in pairs)
    )


def matched(entries: Sequence[PlayerHistory]) -> Pairs:
    """Returns the largest possible set of pairs of players who have not met.

    Of several such pairings: players who had byes come before others for a table, and among them those with more
    points; then seats stay balanced; then points differ least, by their squares (maximum weight matching, Edmonds
    1965).
    """
    import networkx

    halves = {entry.number: int(2 * entry.points) for entry in entries}
    by_number = {entry.number: entry for entry in entries}
    widest = (max(halves.values(), default=0) + 1) ** 2 * len(entries)
    seat_weight, point_weight, bye_weight = widest, widest * (len(entries) + 1), widest * (len(entries) + 1) ** 3
    graph = networkx.Graph()
    graph.add_nodes_from(halves)
    for one, other in combinations(entries, 2):
        if one.met[other.identity]:
            continue
        first, second = in_seat_order(one, other)
        tilted = abs(first.lean + 1) > MOST_LEAN or abs(second.lean - 1) > MOST_LEAN
        weight = (
            bye_weight * (one.byes + other.byes)
            + point_weight * (halves[one.number] + halves[other.number])
            - seat_weight * tilted
            - (halves[one.number] - halves[other.number]) ** 2
        )
        graph.add_edge(one.number, other.number, weight=weight)
    pairs = networkx.max_weight_matching(graph, maxcardinality=True)
    return [in_seat_order(*sorted((by_number[a], by_number[b]), key=lambda entry: entry.number)) for a, b in pairs]


def in_seat_order(one: PlayerHistory, other: PlayerHistory) -> tuple[PlayerHistory, PlayerHistory]:
    """Returns the two in seat order. Seat 0 goes to the player who had it less; then to the player who last had seat 1;
    then by number.
    """

    def claim(entry: PlayerHistory) -> tuple[int, int]:
        return entry.lean, 0 if not entry.seats else 1 if entry.seats[-1] == 0 else -1

    return (other, one) if claim(other) < claim(one) else (one, other)
