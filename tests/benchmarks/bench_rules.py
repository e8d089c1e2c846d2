"""How fast the rules and the heuristic player of Diamond Trust are; and how often it beats random play.

.venv/bin/python -m tests.benchmarks.bench_rules
"""

from __future__ import annotations

import time
from random import Random

from kimberley.games.arena import Arena, SeatedArena, play_randomly
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.bots.heuristic import FEWEST, MOST, HeuristicBot, Skill
from kimberley.games.table import Chooser, Observation, Plain
from tests.benchmarks.common import report, summary
from tests.support.chance import at_random

GAMES = 400
MATCHES = 100


def timed(chooser: Chooser, times: list[float]) -> Chooser:
    def choose(observation: Observation) -> Plain:
        start = time.perf_counter()
        choice = chooser(observation)
        times.append(time.perf_counter() - start)
        return choice

    return choose


def games_a_second() -> float:
    """Whole games with everything known, by random choices."""
    start = time.perf_counter()
    for seed in range(GAMES):
        play_randomly(Arena(GAME.start(2, {}), Random(seed)))
    return GAMES / (time.perf_counter() - start)


def match(skill: Skill, rival: Chooser | None, times: list[float]) -> dict[str, int]:
    """A bot against another chooser (None: random play), from both seats in turn; its decisions' times are added."""
    won = tied = 0
    for seed in range(MATCHES):
        seat = seed % 2
        players = [timed(HeuristicBot(skill, seed).choose, times), rival or at_random(Random(seed))]
        result = SeatedArena(GAME, 2, Random(seed)).play(players if seat == 0 else players[::-1])
        won += result.winners == (seat,)
        tied += len(result.winners) == 2
    return {"games": MATCHES, "won": won, "tied": tied}


def main() -> None:
    low, high = list[float](), list[float]()
    figures: dict[str, object] = {
        "whole_games_a_second": round(max(games_a_second() for _ in range(3))),
        "fewest_against_random": match(FEWEST, None, low),
        "most_against_fewest": match(MOST, HeuristicBot(FEWEST, 4711).choose, high),
    }
    report(figures | {"fewest_decision": summary(low), "most_decision": summary(high)})


if __name__ == "__main__":
    main()
