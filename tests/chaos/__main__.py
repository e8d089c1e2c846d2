"""Plays games between real programs while everything around them fails, and checks that nobody was wronged.

    .venv/bin/python -m tests.chaos --hours 1 --seed 1           # games with the seeds 1, 2, ... for an hour
    .venv/bin/python -m tests.chaos --games 1 --seed 17          # the game of seed 17, once more

Each game is drawn from its seed (`tests.chaos.plan`): one of the five games at a table of two to six, most of them with
a phone (Chromium), all with a spectator, on hosts of their own in network namespaces. Programs are killed, stopped and
started again, folders are full, clocks jump, links fail, addresses change, frames are lost, late, and out of order. At
the end every record must be fair, and all must be equal, those of the phone and the spectator, too; no program may have
printed a traceback or named an honest player.

Prints a line for each game, and a summary as JSON at the end. Ends with 1 if there was a finding, and then keeps the
logs of that game. Needs root. Whatever it starts lives in namespaces that end with it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Final

from kimberley.games import lookup
from tests.chaos.apart import run_apart
from tests.chaos.game import ChaosGame, Outcome
from tests.chaos.plan import LONG_STOP, draw
from tests.support.lan import NoNamespaces

NO_ROOT: Final = "The chaos needs root: it makes network namespaces and small file systems. Run it with sudo."


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description="Plays games while everything fails.")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the first game (default: %(default)s)")
    parser.add_argument("--hours", type=float, default=0.0, metavar="H", help="how long to begin new games")
    parser.add_argument("--minutes", type=float, default=0.0, metavar="M", help="the same, in minutes")
    parser.add_argument("--games", type=int, default=0, metavar="N", help="at most this many games")
    parser.add_argument("--game", choices=lookup.ids(), default="", help="only this game (default: drawn)")
    parser.add_argument("--seats", type=int, default=0, metavar="N", help="how many seats (default: drawn)")
    parser.add_argument("--phone", action=argparse.BooleanOptionalAction, help="a phone at every table, or at none")
    parser.add_argument(
        "--most-stop",
        type=float,
        default=LONG_STOP,
        metavar="S",
        help="the longest stop in seconds (default: %(default)s)",
    )
    parser.add_argument("--logs", type=Path, metavar="DIR", help="where findings are kept (default: a new folder)")
    return parser.parse_args()


def main() -> int:
    found = arguments()
    if os.geteuid() != 0:
        print(NO_ROOT, file=sys.stderr)
        return 2
    logs = found.logs or Path(tempfile.mkdtemp(prefix="kimberley-chaos-"))
    logs.mkdir(parents=True, exist_ok=True)
    return run_apart(lambda: play_and_report(found, logs))


def play_and_report(found: argparse.Namespace, logs: Path) -> int:
    """Plays, prints, and returns the exit status."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    outcomes: list[Outcome] = []
    whole = False
    try:
        play_all(found, logs, outcomes)
        whole = True
    except NoNamespaces as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"Interrupted. What was said so far: {logs}", file=sys.stderr)
    print(json.dumps(summary(outcomes, logs), indent=1), flush=True)
    findings = any(outcome.findings for outcome in outcomes)
    if whole and not findings:
        shutil.rmtree(logs, ignore_errors=True)
    return 1 if findings else 0


def play_all(found: argparse.Namespace, logs: Path, outcomes: list[Outcome]) -> None:
    """Plays one game after the other, until the time or the number of games is over."""
    seconds = 3600 * found.hours + 60 * found.minutes
    most = found.games or (1 << 30 if seconds else 1)
    end = time.monotonic() + seconds if seconds else float("inf")
    print(f"netem: {'yes' if has_netem() else 'no'}; weather: by a switch of our own. Findings: {logs}", flush=True)
    for seed in range(found.seed, found.seed + most):
        if time.monotonic() > end:
            return
        plan = draw(seed, most_stop=found.most_stop, game=found.game, seats=found.seats, phone=found.phone)
        own = logs / str(seed)
        data = own / "data"
        data.mkdir(parents=True)
        os.environ["TMPDIR"] = str(data)  # For the browser, too.
        outcome = ChaosGame(plan, data, own).play()
        shutil.rmtree(data, ignore_errors=True)
        outcomes.append(outcome)
        print(line(outcome), flush=True)


def has_netem() -> bool:
    """Returns whether the kernel could lose and delay frames by itself."""
    tried = ["tc", "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms"]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


def line(outcome: Outcome) -> str:
    """Returns a game as a line."""
    plan = outcome.plan
    kinds = Counter(f"{seat.kind}{f' {seat.clock} clock' if seat.clock else ''}" for seat in plan.seats)
    seats = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    faults = ", ".join(map(str, plan.faults[: outcome.faults])) or "none"
    said = "fair" if not outcome.findings else f"FINDING: {'; '.join(outcome.findings)}"
    return (
        f"seed {plan.seed}: {plan.game}, {len(plan.seats)} seats ({seats}), {plan.network}; faults: {faults}; "
        f"{outcome.returns} returns; {outcome.seconds:.0f} s; {said}"
    )


def summary(outcomes: list[Outcome], logs: Path) -> dict[str, object]:
    """Returns all games as figures."""
    faults = Counter(fault.kind for outcome in outcomes for fault in outcome.plan.faults[: outcome.faults])
    return {
        "games": len(outcomes),
        "by_game": Counter(outcome.plan.game for outcome in outcomes),
        "by_seats": Counter(len(outcome.plan.seats) for outcome in outcomes),
        "by_network": Counter(outcome.plan.network for outcome in outcomes),
        "with_a_phone": sum(outcome.plan.phone is not None for outcome in outcomes),
        "clocks": Counter(seat.clock for outcome in outcomes for seat in outcome.plan.seats if seat.clock),
        "faults": faults,
        "returns": sum(outcome.returns for outcome in outcomes),
        "seconds": round(sum(outcome.seconds for outcome in outcomes)),
        "findings": {outcome.plan.seed: outcome.findings for outcome in outcomes if outcome.findings},
        "logs": str(logs) if any(outcome.findings for outcome in outcomes) else None,
    }


if __name__ == "__main__":
    sys.exit(main())
