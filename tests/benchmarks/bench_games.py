"""How many whole games of random choices one core plays in a second: ours, and OpenSpiel's of about the same length.

.venv/bin/python -m tests.benchmarks.bench_games

Diamond Trust is played by its simulator, in batches and by the tuned policy. Processor time is measured.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from random import Random
from typing import Final

import numpy as np

from kimberley.games import lookup
from kimberley.games.arena import Arena
from kimberley.games.diamond_trust.bots.parameters import tuned
from kimberley.games.diamond_trust.bots.policy import Noise, Parameters, Policy
from kimberley.games.diamond_trust.bots.rollout import Rollout
from kimberley.games.diamond_trust.bots.simulator import Games
from tests.benchmarks.common import report, size
from tests.benchmarks.ratios import PEERS, Measure, Ratio, compared, missing
from tests.support.seated_arena import play_randomly

BATCH: Final = 256
SECONDS: Final = size(10) / 10
RIVALS: Final = {
    "diamond-trust": "checkers",
    "diamond": "lines_of_action",
    "land": "goofspiel",
    "mine": "nine_mens_morris",
    "piecepack": "backgammon",
}
"""Games of OpenSpiel whose random games are about as long. In steps, ours take 70, 186, 17, 162 and 215 (fewest
seats), theirs 65, 184, 24, 121 and 239.
"""
SPIEL: Final = """
import json, random, sys, time, pyspiel
game, games, start = pyspiel.load_game(sys.argv[1]), 0, time.process_time()
while (spent := time.process_time() - start) < float(sys.argv[2]):
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_simultaneous_node():
            state.apply_actions([random.choice(state.legal_actions(seat)) for seat in range(game.num_players())])
        else:
            state.apply_action(random.choice(state.legal_actions()))
    games += 1
print(json.dumps(games / spent))
"""


def a_second(play: Callable[[], int]) -> float:
    """Returns games per second of processor time; `play` plays some and returns how many."""
    played, start = 0, time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        played += play()
    return played / spent


def simulated() -> Measure:
    rollout = Rollout(Policy(Parameters(tuned()[0], tuned()[0])), Noise(Random(1)))
    inspector = np.arange(BATCH, dtype=np.int16) % 6

    def play() -> int:
        rollout.from_pay(Games.begin(inspector))
        return BATCH

    return lambda: a_second(play)


def at_random(name: str) -> Measure:
    game, chance = lookup.find(name), Random(1)

    def play() -> int:
        play_randomly(Arena(game.start(min(game.seats), {}), chance))
        return 1

    return lambda: a_second(play)


def spiel(name: str) -> float:
    command = (str(PEERS / "python"), "-c", SPIEL, name, str(SECONDS))
    return float(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))


def compare(name: str) -> Ratio:
    ours = simulated() if name == "diamond-trust" else at_random(name)
    if not next(PEERS.parent.glob("lib/*/site-packages/pyspiel*"), None):
        return missing("OpenSpiel") | {"ours": ours()}
    return compared(ours, lambda: spiel(RIVALS[name]), 5, 1)


def main() -> None:
    report({"ratios": {name: compare(name) for name in RIVALS}})


if __name__ == "__main__":
    main()
