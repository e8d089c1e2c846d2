"""What Diamond Mine takes: whole games, how levels do against others, how games of bots end, decisions, and group
operations by kind of step.

.venv/bin/python -m tests.benchmarks.bench_mine [counts | matches | endings]
"""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from statistics import fmean, median
from typing import ParamSpec, TypeVar, cast

from kimberley.games.arena import Arena, SeatedArena, play_randomly
from kimberley.games.bots.levels import make_bot
from kimberley.games.mine import GAME
from kimberley.games.mine.rules import State
from kimberley.games.table import Ask, Chooser, Observation, Plain, Result, space_for
from kimberley.protocol.crypto import signatures
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.peer import Peer
from tests.benchmarks.common import report, summary
from tests.lab.counting_group import CountingGroup
from tests.support.tables import Wire, by_bots, identity, peer_of, seed, signed_roster

P = ParamSpec("P")
T = TypeVar("T")

GAMES = 100
ANYHOW = 0
"""A level below the first: any legal choice that does not end the game."""
MATCHES = ((2, 1, ANYHOW, 40), (4, 1, ANYHOW, 40), (2, 10, 1, 24), (4, 10, 1, 12), (2, 10, 5, 24))
"""Seats, level, its rival, games."""
ENDINGS = ((2, 1, 100), (4, 1, 100), (4, 5, 24), (4, 10, 8))
"""Seats, level of all of them, games."""


# -- bots --------------------------------------------------------------------------------------------------------------


def anyhow(observation: Observation) -> Plain:
    state, seat = cast(State, observation.state), observation.seat
    space = space_for(state.ask(), seat)
    assert space is not None
    choice = space.pick(Random(f"{seat} {len(observation.story)}"))
    return (cast(tuple[int, bool], choice)[0], False) if state.phase == "cards" else choice


def match(seats: int, level: int, rival: int, games: int) -> dict[str, object]:
    """One level against another, which sit in turn around the table. A shared first place counts in part."""
    won, points, rounds = 0.0, Counter[int](), 0
    seconds: dict[int, list[float]] = {level: [], rival: []}

    def timed(sits: int, number: int) -> Chooser:
        choose = make_bot(GAME, sits, number).choose if sits else anyhow

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
        for sits, (score,) in zip(sitting, result.scores, strict=True):
            points[sits] += score
        rounds += cast(State, table.arena.truth).round
    return {
        "games": games,
        "won": won,
        "points": [round(2 * points[sits] / games / seats, 1) for sits in (level, rival)],
        "rounds": round(rounds / games, 1),
        f"a decision at level {level}": summary(seconds[level]),
        f"a decision at level {rival}": summary(seconds[rival]),
    }


def endings(seats: int, level: int, games: int) -> dict[str, object]:
    """How games among bots of one level end; game n is dealt by the seed 1000 + n."""
    reasons: Counter[str] = Counter()
    rounds: list[int] = []
    last_quiet: list[int] = []
    quiet: list[int] = []
    one_left: list[int] = []
    left: Counter[int] = Counter()
    settled: list[int] = []
    for game in range(games):
        table = SeatedArena(GAME, seats, Random(1000 + game))
        players = [make_bot(GAME, level, 10 * game + seat).choose for seat in range(seats)]
        begun: dict[int, State] = {}
        while not isinstance(ask := table.arena.truth.ask(), Result):
            truth = cast(State, table.arena.truth)
            begun.setdefault(truth.round, truth)
            choices = {seat: players[seat](table.observation(seat)) for seat in ask.choosers}
            table.apply(table.arena.answer(ask, choices))
        end = cast(State, table.arena.truth)
        reasons[ask.reason] += 1
        rounds.append(end.round)
        last_quiet.append(end.quiet)
        quiet.append(sum(state.quiet > 0 for state in begun.values()))
        one_left.append(sum(open_to_end(state) == 1 for state in begun.values()))
        left[open_to_end(end)] += 1
        led = [first for first, state in begun.items() if first and leaders(state) != leaders(end)]
        settled.append(end.round - max(led, default=0))
    return {
        "games": games,
        "ended because": dict(reasons),
        "rounds": spread(rounds),
        "quiet rounds in a row at the end": spread(last_quiet),
        "quiet rounds in all": spread(quiet),
        "rounds with one vein to go": spread(one_left),
        "rounds in which nobody came to or lost the lead": spread(settled),
        "games by veins that were still to be exhausted": {count: left[count] for count in sorted(left)},
    }


def open_to_end(state: State) -> int:
    """The veins still to be exhausted before the game ends."""
    return state.veins_to_end - state.mine.exhausted


def leaders(state: State) -> list[int]:
    """The seats with the most points at home."""
    points = [state.score(seat) for seat in range(state.seats)]
    return [seat for seat, own in enumerate(points) if own == max(points)]


def spread(counts: Sequence[int]) -> str:
    """Mean, median, 90th percentile and most."""
    ranked = sorted(counts)
    tenth = ranked[min(len(ranked) - 1, 9 * len(ranked) // 10)]
    return f"mean {fmean(counts):.1f}, median {median(counts):g}, 90th percentile {tenth}, most {ranked[-1]}"


def games_a_second(seats: int) -> int:
    """Whole games by random choices."""
    start = time.process_time()
    for number in range(GAMES):
        play_randomly(Arena(GAME.start(seats, {}), Random(number)))
    return round(GAMES / (time.process_time() - start))


# -- group operations ------------------------------------------------------------------------------------------------


class CountedByStep(CountingGroup):
    """Counts the operations of one peer by what the step is about."""

    def __init__(self) -> None:
        super().__init__()
        self.peer: Peer | None = None
        self.by_step: dict[str, Counter[str]] = defaultdict(Counter)

    def counted(self, name: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        if self.peer is not None and hasattr(self.peer, "play"):
            topic = self.peer.play.topic if self.peer.closing is None else "the close and the audit"
            self.by_step[topic][name] += 1
        return super().counted(name, work, *args, **kwargs)


def counted(seats: int) -> dict[str, object]:
    """One whole game between peers: what it sends, and what one seat computes, the audit of all seats included."""
    table = signed_roster(GAME, seats, "count")
    group = CountedByStep()
    first = Peer(GAME, table, 0, seed(0, "count"), partial(signatures.sign, identity(0)), group)
    group.peer = first
    wire = Wire([first, *(peer_of(GAME, table, seat, "count") for seat in range(1, seats))], by_bots(GAME, seats, 1, 5))
    wire.start()
    wire.run()
    steps = Counter(named(ask) for ask, _ in first.story)
    size: Counter[str] = Counter()
    names = {step: named(ask) for step, (ask, _) in enumerate(first.story, 1)}
    for _, data in wire.sent:
        size[names.get(Envelope.unpack(data).step, "other")] += len(data)
    return {
        "rounds": cast(State, first.state).round,
        "envelopes": len(wire.sent),
        "bytes": sum(len(data) for _, data in wire.sent),
        "steps": dict(steps),
        "bytes_a_step": {name: round(size[name] / count) for name, count in steps.items()},
        "operations_a_step": {
            topic: {name: round(count / steps.get(topic, 1), 1) for name, count in counts.items()}
            for topic, counts in group.by_step.items()
        },
    }


def named(ask: Ask) -> str:
    return getattr(ask, "topic", type(ask).__name__.lower())


def main(only: str | None) -> None:
    figures: dict[str, object] = {}
    if only in (None, "counts"):
        figures |= {f"a game of {seats}": counted(seats) for seats in GAME.seats}
    if only in (None, "matches"):
        figures |= {f"random_games_of_{seats}_a_second": games_a_second(seats) for seats in GAME.seats}
        figures |= {
            f"{seats} seats, level {level} against {rival or 'any choice'}": match(seats, level, rival, games)
            for seats, level, rival, games in MATCHES
        }
    if only in (None, "endings"):
        figures |= {f"{seats} seats of level {level}": endings(seats, level, games) for seats, level, games in ENDINGS}
    report(figures)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
