"""How large a lead wins in the land game: what the chances of its judge are fitted to.

.venv/bin/python -m tests.benchmarks.bench_land
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log
from random import Random
from statistics import fmean
from typing import Final, cast

from kimberley.games.arena import Arena
from kimberley.games.bots.levels import make_bot
from kimberley.games.bots.review import odds
from kimberley.games.land import GAME
from kimberley.games.land.bots.judge import SCALE, SCALE_OF_A_TURN, Playout
from kimberley.games.land.rules import State
from kimberley.games.table import Observation, Plain, Result, Roll
from tests.benchmarks.common import report

TABLES: Final[tuple[dict[str, Plain], ...]] = ({}, {"map": "small", "turns": 25}, {"turns": 50})
SEATS: Final = (2, 3, 4)
LEVELS: Final = ((10, 10, 10, 10), (5, 10, 20, 15))
GAMES: Final = 25
"""Games of each kind."""
EVERY: Final = 5
"""One turn in so many counts."""
SCALES: Final = (5.0, 10.0, 15.0, 20.0, 30.0)
GROWTHS: Final = (4.0, 5.0, 6.0, 7.0, 8.0)
TENTHS: Final = 10

Stood = tuple[list[float], int, list[float]]
"""What each seat that was in the game was likely to have, the turns that were left, and its share of the first place.
"""


def stood(seats: int, options: dict[str, Plain], levels: Sequence[int], game: int) -> Iterator[Stood]:
    """Yields turns of a game among bots, as they began; game n has the dice of seed n."""
    bots = [make_bot(GAME, levels[(game // seats + seat) % len(levels)], 7 * game + seat) for seat in range(seats)]
    arena = Arena(GAME.start(seats, options, game % seats), Random(game))
    turns: list[State] = []
    while not isinstance(ask := arena.truth.ask(), Result):
        if isinstance(ask, Roll):
            turns.append(cast(State, arena.truth))
        arena.advance({seat: bots[seat].choose(Observation(seat, arena.truth, ())) for seat in ask.choosers})
    won = [(seat in ask.winners) / len(ask.winners) for seat in range(seats)]
    for state in turns[::EVERY]:
        playout, living = Playout(state), [seat for seat in range(seats) if state.alive(seat)]
        money = [playout.money(state, seat) for seat in living]
        yield money, playout.left(state, state.seat), [won[seat] for seat in living]


def surprise(turns: Sequence[Stood], scale: float, growth: float) -> float:
    """Returns how badly chances of a scale predict who wins: the negated mean logarithm of the chances that the winners
    had.
    """
    return -fmean(
        sum(
            part * log(max(1e-9, chance))
            for part, chance in zip(won, odds(dict(enumerate(money)), scale + growth * left).values(), strict=True)
        )
        for money, left, won in turns
    )


def chances() -> dict[str, object]:
    """Returns the scale of chances by the money that seats are ahead, and how often seats with each chance won."""
    turns = [
        one
        for game in range(GAMES)
        for seats in SEATS
        for options in TABLES
        for levels in LEVELS
        for one in stood(seats, options, levels, game)
    ]
    found = min((surprise(turns, scale, growth), scale, growth) for scale in SCALES for growth in GROWTHS)
    tenths: dict[int, list[tuple[float, float]]] = {}
    for money, left, won in turns:
        for chance, part in zip(
            odds(dict(enumerate(money)), SCALE + SCALE_OF_A_TURN * left).values(), won, strict=True
        ):
            tenths.setdefault(min(TENTHS - 1, int(TENTHS * chance)), []).append((chance, part))
    return {
        "turns": len(turns),
        "scale, growth": found[1:],
        "surprise": round(found[0], 4),
        "surprise of even chances": round(fmean(log(len(money)) for money, _, _ in turns), 4),
        "surprise of the judge": round(surprise(turns, SCALE, SCALE_OF_A_TURN), 4),
        "chance, won, seats": [
            (*(round(fmean(each), 2) for each in zip(*tenths[tenth], strict=True)), len(tenths[tenth]))
            for tenth in sorted(tenths)
        ],
    }


if __name__ == "__main__":
    report(chances())
