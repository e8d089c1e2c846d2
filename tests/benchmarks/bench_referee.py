"""A referee and sixteen bots, each a process of its own on this machine: how long a tournament takes, and what of it is
the referee's: from pairing to the first choice, from the last envelope to the result, its processor time.

.venv/bin/python -m tests.benchmarks.bench_referee [GAME]
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kimberley.games.lookup import find
from kimberley.games.options import format_value
from kimberley.p2p.tournament.events import GameSeated, RoundPaired, TableDecided
from kimberley.p2p.tournament.store import StoreReader
from tests.benchmarks.common import KIMBERLEY, TICKS, report

BOTS = 16
ROUNDS = 4


def main() -> None:
    game = find(sys.argv[1] if len(sys.argv) > 1 else "diamond")
    quick = {option.name: option.values[0][0] for option in game.options} | dict(game.quick)
    options = [part for name, value in quick.items() for part in ("--option", f"{name}={format_value(value)}")]
    look = ["--last-look", "0"] if game.last_looks else []
    with tempfile.TemporaryDirectory() as data:
        folder = Path(data) / "referee"
        start = time.perf_counter()
        typed = ["--game", game.id, "--rounds", str(ROUNDS), "--players", str(BOTS), "--pause", "0", "--linger", "30"]
        referee = subprocess.Popen(
            [*KIMBERLEY, "referee", "Friday Cup", *typed, *options, *look, "--data", str(folder)],
            stdout=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )
        while not (folder / "door").exists():
            time.sleep(0.05)
        where = f"127.0.0.1:{(folder / 'door').read_text().strip()}"
        bots = [
            subprocess.Popen(
                [
                    *KIMBERLEY, "bot", "join", where, "--level", "1", "--json", "--data", f"{data}/{number}",
                    "--nickname", f"bot {number}",
                ],
                stdout=subprocess.PIPE,
            )
            for number in range(BOTS)
        ]  # fmt: skip
        last = [json.loads(bot.communicate()[0].splitlines()[-1]) for bot in bots]
        whole = time.perf_counter() - start
        used = _processor_seconds(referee.pid)
        assert referee.wait() == 0
        assert sorted(one["place"] for one in last) == list(range(1, BOTS + 1))
        with StoreReader(folder) as reader:
            happened = reader.events()
        rounds = [event.at for event in happened if isinstance(event, RoundPaired)]
        report(
            {
                "game": game.id,
                "bots": BOTS,
                "rounds": ROUNDS,
                "seconds": round(whole, 1),
                "seconds_from_first_pairing": max(event.at for event in happened) - rounds[0],
                "results": sum(isinstance(event, TableDecided) for event in happened),
                "played": sum(isinstance(event, TableDecided) and event.how == "played" for event in happened),
                "games_begun": sum(isinstance(event, GameSeated) for event in happened),
                "referee_processor_seconds": used,
                "bots_processor_seconds": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used, 1),
                "load_average": os.getloadavg(),
            }
        )


def _processor_seconds(pid: int) -> float:
    """What a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return round((int(fields[11]) + int(fields[12])) / TICKS, 1)


if __name__ == "__main__":
    main()
