"""How fast Diamond is: positions a second in its search and in perft, whole games; and how levels do against others.

.venv/bin/python -m tests.benchmarks.bench_diamond
"""

from __future__ import annotations

import time
from random import Random

from kimberley.games.arena import Arena, SeatedArena, play_randomly
from kimberley.games.bots.levels import make_bot
from kimberley.games.diamond import GAME
from kimberley.games.diamond.bots.search import Search
from kimberley.games.diamond.notation import read_position
from kimberley.games.diamond.perft import START, perft
from tests.benchmarks.common import report

POSITIONS = {
    "placing_early": "7/8/8/3b4/8/8/8/7 w 23",
    "placing_late": "w4bw/2b1b1bw/ww2b3/1b3b2/4b1w1/1wbw4/b5wb/1w2w2 b 2",
    "moving_crowded": "bww3b/w2bw2b/2wbww1b/1b1w2wb/b3w1w1/4b3/1w2b1b1/7 b 0",
    "moving_open": "3b3/8/2wn2b1/8/n3bw2/2n4w/8/1n2w2 b 0",
}
NODES = 40_000
GAMES = 200
MATCHES = 12


def searched(text: str) -> dict[str, object]:
    """Nodes a second from a position, and how deep the budget led."""
    position = read_position(text)
    start = time.perf_counter()
    found = Search(NODES).best(position)
    seconds = time.perf_counter() - start
    return {"nodes_a_second": round(found.nodes / seconds), "depth": found.depth, "nodes": found.nodes}


def counted(text: str, depth: int) -> int:
    """Sequences a second by perft."""
    start = time.perf_counter()
    return round(perft(text, depth) / (time.perf_counter() - start))


def games_a_second() -> float:
    """Whole games by random choices."""
    start = time.perf_counter()
    for seed in range(GAMES):
        play_randomly(Arena(GAME.start(2, {}), Random(seed)))
    return GAMES / (time.perf_counter() - start)


def match(level: int, rival: int) -> dict[str, object]:
    """One level against another, from both seats in turn."""
    won = drawn = 0
    start = time.perf_counter()
    for seed in range(MATCHES):
        players = [make_bot(GAME, level, seed).choose, make_bot(GAME, rival, seed + 1000).choose]
        result = SeatedArena(GAME, 2, Random(seed)).play(players[::-1] if seed % 2 else players)
        won += result.winners == (seed % 2,)
        drawn += len(result.winners) == 2
    seconds = (time.perf_counter() - start) / MATCHES
    return {"games": MATCHES, "won": won, "drawn": drawn, "seconds_a_game": round(seconds, 2)}


def main() -> None:
    figures: dict[str, object] = {f"search_{name}": searched(text) for name, text in POSITIONS.items()}
    figures["perft_placing_a_second"] = counted(START, 3)
    figures["perft_moving_a_second"] = counted(POSITIONS["moving_crowded"], 4)
    figures["random_games_a_second"] = round(games_a_second())
    for level, rival in ((5, 1), (10, 5), (14, 10)):
        figures[f"level_{level}_against_level_{rival}"] = match(level, rival)
    report(figures)


if __name__ == "__main__":
    main()
