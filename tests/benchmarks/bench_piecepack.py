"""What the piecepack game takes: group operations by turn, how levels of the bot do against others, and decisions.

.venv/bin/python -m tests.benchmarks.bench_piecepack [counts | matches]
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from functools import partial
from random import Random
from typing import Final, cast

from kimberley.client.cli.counting_group import CountingGroup
from kimberley.games.arena import Arena, SeatedArena, play_randomly
from kimberley.games.piecepack import GAME
from kimberley.games.piecepack.rules import State
from kimberley.games.table import Ask, Chooser, Decide, Observation, Plain, Shuffle, space_for
from kimberley.protocol.crypto import signatures
from kimberley.protocol.peer import Peer
from tests.benchmarks.common import report, summary
from tests.support.tables import Wire, by_bots, identity, peer_of, seed, signed_roster

GAMES: Final = 100
ANYHOW: Final = 0
"""A level below the first: any legal choice."""
MATCHES: Final = ((3, 1, ANYHOW, 60), (4, 5, 1, 48), (4, 10, 1, 48), (3, 10, 1, 48), (3, 10, 5, 24))
"""Seats, level, its rival, games."""


# -- bots --------------------------------------------------------------------------------------------------------------


def anyhow(observation: Observation) -> Plain:
    space = space_for(observation.state.ask(), observation.seat)
    assert space is not None
    return space.pick(Random(f"{observation.seat} {len(observation.story)}"))


def match(seats: int, level: int, rival: int, games: int) -> dict[str, object]:
    """One level against another, which sit in turn around the table. A shared first place counts in part."""
    won, due = 0.0, 0.0
    points: dict[int, list[int]] = {level: [], rival: []}
    seconds: dict[int, list[float]] = {level: [], rival: []}

    def timed(sits: int, number: int) -> Chooser:
        choose = GAME.bot(sits, number).choose if sits else anyhow

        def chooser(observation: Observation) -> Plain:
            start = time.process_time()
            choice = choose(observation)
            seconds[sits].append(time.process_time() - start)
            return choice

        return chooser

    for game in range(games):
        sitting = [(level, rival)[(seat + game) % 2] for seat in range(seats)]
        table = SeatedArena(GAME, seats, Random(1000 + game))
        result = table.play([timed(sits, 10 * game + seat) for seat, sits in enumerate(sitting)])
        won += sum(sitting[seat] == level for seat in result.winners) / len(result.winners)
        due += sitting.count(level) / seats
        for sits, (score,) in zip(sitting, result.scores, strict=True):
            points[sits].append(score)
    return {
        "games": games,
        "won": round(won, 1),
        "by_lot": due,
        "points": [round(sum(points[sits]) / len(points[sits]), 1) for sits in (level, rival)],
        f"a decision at level {level}": summary(seconds[level]),
        f"a decision at level {rival}": summary(seconds[rival]),
    }


def games_a_second(seats: int) -> int:
    """Whole games by random choices."""
    start = time.process_time()
    for number in range(GAMES):
        play_randomly(Arena(GAME.start(seats, {}), Random(number)))
    return round(GAMES / (time.process_time() - start))


# -- group operations --------------------------------------------------------------------------------------------------


def counted(seats: int, level: int = 1) -> dict[str, object]:
    """One whole game between peers up to its end: what one seat computes, the audit not included."""
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
    if only != "matches":
        figures |= {f"a game of {seats}": counted(seats) for seats in GAME.seats}
    if only != "counts":
        figures |= {f"random_games_of_{seats}_a_second": games_a_second(seats) for seats in GAME.seats}
        figures |= {
            f"{seats} seats, level {level} against {rival or 'any choice'}": match(seats, level, rival, games)
            for seats, level, rival, games in MATCHES
        }
    report(figures)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
