"""What may be dealt in a turn, against a second, slow version of the rules."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from kimberley.games.arena import Arena
from kimberley.games.land import GAME
from kimberley.games.land.deals import Deal, Deals
from kimberley.games.land.rules import State
from kimberley.games.table import Decide, Plain, Result
from tests.support.effort import first_is_quick
from tests.support.land import Slow

GAMES = (1, 2, 3)
"""Seeds of games in which a balance falls below zero."""
FEW = 12
"""Turns that are tried at every moment; below zero five times as many."""


def allows(slow: Slow, sector: tuple[int, int], deals: Deals) -> bool:
    """Returns whether the seat to move may do all of this, one after another."""
    cash, owner, price = slow.cash[slow.seat], dict(slow.owner), dict(slow.price)
    for verb, parcel, *more in deals:
        assert isinstance(parcel, int)
        if not 0 <= parcel < len(slow.kinds) or slow.kinds[parcel] == "R":
            return False
        if (parcel // slow.side // 4, parcel % slow.side // 4) != sector:
            return False
        own = owner.get(parcel) == slow.seat
        if own == (verb == "buy"):
            return False
        if verb == "sell":
            cash += slow.base(parcel) / 2
            del owner[parcel], price[parcel]
            continue
        (cents,) = more
        assert isinstance(cents, int)
        if cash < 0 or not 0 <= Fraction(cents, 100) <= 999:
            return False
        if verb == "buy":
            cash -= price.get(parcel, slow.base(parcel))
            if cash < 0:
                return False
        owner[parcel], price[parcel] = slow.seat, Fraction(cents, 100)
    return True


def some_deals(slow: Slow, sector: tuple[int, int], rng: Random) -> Deals:
    """Returns a turn that may be legal or not: a few deals, mostly in the sector."""
    corner = 4 * sector[0] * slow.side + 4 * sector[1]
    around = [corner + slow.side * row + column for row in range(4) for column in range(4)]
    own = [parcel for parcel in around if slow.owner.get(parcel) == slow.seat]
    deals: list[Deal] = []
    for _ in range(rng.randint(1, 3)):
        parcel = rng.choice(around) if rng.random() < 0.95 else rng.randrange(-2, len(slow.kinds) + 2)
        if own and rng.random() < 0.5:
            parcel = rng.choice(own)
        cents = rng.choice((-1, 0, 1, 500, 500, 2000, 2000, 30000, 99900, 99901))
        verb = rng.choice(("buy", "sell", "price"))
        deals.append(("sell", parcel) if verb == "sell" else (verb, parcel, cents))
    return tuple(deals)


def some_sector(slow: Slow, rng: Random) -> tuple[int, int]:
    """Returns where a turn is played: mostly where its seat has land, so that it has something to sell."""
    own = sorted(parcel for parcel, owner in slow.owner.items() if owner == slow.seat)
    parcel = rng.choice(own) if own and rng.random() < 0.7 else rng.randrange(len(slow.kinds))
    return parcel // slow.side // 4, parcel % slow.side // 4


def judged(seats: int, map: str, seed: int) -> Counter[tuple[bool, bool]]:
    """Plays a game, and counts what was judged: (whether the balance is below zero, whether the turn is legal)."""
    rng = Random(seed)
    options: dict[str, Plain] = {"map": map, "turns": 25}
    arena = Arena(GAME.start(seats, options, seed % seats), rng)
    start = arena.truth
    assert isinstance(start, State)
    assert start.map is not None
    slow = Slow(start.map.kinds, seats, seed % seats)
    faces = 6 // (slow.side // 4)
    count = Counter[tuple[bool, bool]]()
    while not isinstance(ask := arena.truth.ask(), Result):
        if not isinstance(ask, Decide):
            sector = some_sector(slow, rng)
            arena.apply((sector[0] * faces, sector[1] * faces))
            continue
        chosen: Deals = ()
        for _ in range(FEW if slow.cash[slow.seat] >= 0 else 5 * FEW):
            deals = some_deals(slow, sector, rng)
            legal = allows(slow, sector, deals)
            assert (ask.space.violation(deals) is None) == legal, deals
            count[slow.cash[slow.seat] < 0, legal] += 1
            chosen = deals if legal else chosen
        arena.advance({ask.seat: chosen})
        slow.play(chosen)
        state = arena.truth
        assert isinstance(state, State)
        if not slow.over and not state.over:
            slow.next()
        slow.agrees(state)
    return count


@pytest.mark.parametrize("seats", first_is_quick(2, 3, 6))
@pytest.mark.parametrize("map", ["small", pytest.param("kimberley", marks=pytest.mark.slow)])
def test_the_rules_allow_what_the_seed_allows_and_nothing_else(seats: int, map: str) -> None:
    count = sum((judged(seats, map, seed) for seed in GAMES), Counter[tuple[bool, bool]]())
    assert all(count[poor, legal] for poor in (False, True) for legal in (False, True))
