"""Whether a seat can still improve its place with what is in play."""

from __future__ import annotations

from kimberley.games.mine.gems import times
from kimberley.games.mine.rules import COLOR, State


def can_rise(state: State, seat: int) -> bool:
    """Returns whether a seat could improve its place if all gems in play went to its home, except those that the
    others' pawns carry, and the last one of each vein that is not exhausted before the game ends. What nobody has seen
    counts as the best that it may be.
    """
    now = state.score(seat)
    return _stands(state, seat, now + _most(state, seat)) < _stands(state, seat, now)


def _stands(state: State, seat: int, points: int) -> tuple[int, int]:
    """Returns how many of the others at the table have more than `points` points, and how many have exactly that."""
    others = [state.score(other) for other in state.order() if other != seat]
    return sum(other > points for other in others), others.count(points)


def _most(state: State, seat: int) -> int:
    """Returns an upper bound on the points that a seat can still bring home."""
    mine = state.mine
    veins = [[_worth(state, gem, seat) for gem in gems] for gems in mine.inside if gems]
    stay = 1 + len(veins) - (state.veins_to_end - mine.exhausted)
    left = sorted(min(worths) for worths in veins)[:stay]
    free = (*mine.carried[seat], *(gem for _, gem in mine.loose))
    return sum(map(sum, veins)) - sum(left) + sum(_worth(state, gem, seat) for gem in free)


def _worth(state: State, gem: int, seat: int) -> int:
    """Returns the points of a gem in a seat's home; the most that it may be worth where nobody has seen the gem."""
    item, own, flawless = state.items[gem], state.colors[seat], state.flawless
    color = item.parts[COLOR]
    if item.seen[COLOR] and isinstance(color, int):
        return state.size(gem) * times(color, own, flawless)
    unseen = state.unknown()[gem >= state.mine.each]
    return state.size(gem) * max(times(color, own, flawless) for color, count in enumerate(unseen) if count)
