"""What the piecepack game takes: group operations by turn, and what leads are worth.

.venv/bin/python -m tests.benchmarks.bench_piecepack [counts | chances]
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import product
from math import log
from random import Random
from statistics import fmean
from typing import Final, cast

from kimberley.games.bots.levels import make_bot
from kimberley.games.bots.review import odds
from kimberley.games.piecepack import GAME
from kimberley.games.piecepack.bots.judge import GROWTH, SCALE, UPSET, standings
from kimberley.games.piecepack.rules import State
from kimberley.games.table import Ask, Decide, Result, Shuffle
from kimberley.protocol.crypto import signatures
from kimberley.protocol.peer import Peer
from tests.benchmarks.common import report
from tests.lab.counting_group import CountingGroup
from tests.support.seated_arena import SeatedArena
from tests.support.tables import Wire, by_bots, identity, peer_of, seed, signed_roster

FITTED: Final = ((3, 5, 80), (4, 5, 24), (5, 5, 24), (6, 5, 24))
"""Seats, level of all of them, games: what the judge's chances are fitted to."""
TRIED: Final = tuple(product((1.0, 2.0, 3.0, 4.0, 6.0, 8.0), (1.0, 1.25, 1.5, 2.0), (0.05, 0.1, 0.15, 0.2, 0.25)))
"""Scales, growths and upsets."""
TENTHS: Final = 10


# -- chances -----------------------------------------------------------------------------------------------------------

Stood = tuple[dict[int, float], int, tuple[int, ...]]
"""How well each seat stood at the end of a turn, the tiles that were face down, and who won the game."""


def stood(seats: int, level: int, game: int) -> list[Stood]:
    """Returns the turns of a game among bots of one level, dealt by the seed `game`."""
    table = SeatedArena(GAME, seats, Random(game))
    players = [make_bot(GAME, level, 10 * game + seat).choose for seat in range(seats)]
    turns: dict[int, State] = {}
    while not isinstance(ask := table.arena.truth.ask(), Result):
        truth = cast(State, table.arena.truth)
        turns.setdefault(truth.turns, truth)
        table.apply(table.arena.answer(ask, {seat: players[seat](table.observation(seat)) for seat in ask.choosers}))
    return [(standings(truth), len(truth.stack), ask.winners) for turn, truth in turns.items() if turn]


Fit = tuple[float, float, float]
"""A scale, a growth and an upset, as the judge has them."""


def foretold(turn: Stood, fit: Fit) -> dict[int, float]:
    """Returns each seat's chance to win after a turn."""
    scale, growth, upset = fit
    return odds(turn[0], scale + growth * turn[1], upset)


def surprise(turns: Sequence[Stood], fit: Fit) -> float:
    """Returns how badly chances predict who wins: the negated mean logarithm of the chances that the winners had."""
    return -fmean(fmean(log(found[seat]) for seat in turn[2]) for turn in turns for found in [foretold(turn, fit)])


def chances() -> dict[str, object]:
    """Returns the scale of chances by the points that seats are ahead, and how often seats with each chance won."""
    turns = [one for seats, level, games in FITTED for game in range(games) for one in stood(seats, level, game)]
    return {"turns": len(turns), **fitted(turns)}


def fitted(turns: Sequence[Stood]) -> dict[str, object]:
    """Returns what fits some turns best."""
    found = min(TRIED, key=lambda fit: surprise(turns, fit))
    tenths: dict[int, list[tuple[float, float]]] = {}
    for turn in turns:
        for seat, chance in foretold(turn, found).items():
            tenth = min(TENTHS - 1, int(TENTHS * chance))
            tenths.setdefault(tenth, []).append((chance, (seat in turn[2]) / len(turn[2])))
    return {
        "scale, growth, upset": found,
        "surprise": round(surprise(turns, found), 4),
        "surprise of even chances": round(fmean(log(len(own)) for own, _, _ in turns), 4),
        "surprise of the judge": round(surprise(turns, (SCALE, GROWTH, UPSET)), 4),
        "chance, won, seats": [
            (*(round(fmean(each), 2) for each in zip(*tenths[tenth], strict=True)), len(tenths[tenth]))
            for tenth in sorted(tenths)
        ],
    }


# -- group operations --------------------------------------------------------------------------------------------------


def counted(seats: int, level: int = 1) -> dict[str, object]:
    """Plays one whole game between peers up to its end. Returns what one seat computes, without the audit."""
    table = signed_roster(GAME, seats, "count")
    group = CountingGroup()
    first = Peer(GAME, table, 0, seed(0, "count"), partial(signatures.sign, identity(0)), group)
    others = [peer_of(GAME, table, seat, "count") for seat in range(1, seats)]
    wire = Wire([first, *others], by_bots(GAME, seats, level, 5))
    wire.start()
    wire.run(lambda: cast(State, first.state).turns > 0 or cast(State, first.state).phase == "explore")
    set_up = Counter(group.counts)
    wire.run(lambda: first.closing is not None)
    turns = max(1, cast(State, first.state).turns)
    steps = Counter(named(ask) for ask, _ in first.story)
    shuffled = [len(ask.items) for ask, _ in first.story if isinstance(ask, Shuffle)][2:]
    return {
        "turns": turns,
        "envelopes": len(wire.sent),
        "bytes": sum(len(data) for _, data in wire.sent),
        "steps": dict(steps),
        "items_a_shuffle": round(sum(shuffled) / max(1, len(shuffled)), 1),
        "operations_to_set_up": dict(set_up),
        "operations_a_turn": {name: round((n - set_up[name]) / turns) for name, n in group.counts.items()},
        "seconds_in_group_a_turn": round(group.seconds / turns, 4),
    }


def named(ask: Ask) -> str:
    return ask.topic if isinstance(ask, Decide) else type(ask).__name__.lower()


def main(only: str | None) -> None:
    figures: dict[str, object] = {}
    if only in (None, "counts"):
        figures |= {f"a game of {seats}": counted(seats) for seats in GAME.seats}
    if only in (None, "chances"):
        figures |= {"chances": chances()}
    report(figures)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
