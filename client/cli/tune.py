"""`kimberley tune`: tunes the policy of the bot's simulations.

With --against, it trains a response to one player. With --adopt, it makes a response the first of the shipped players.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import Executor
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, TypeVar

from kimberley.client.cli.arena import ContestStanding, contender
from kimberley.client.session.workers import as_done, workers
from kimberley.games.contest import ContestTable, NamedContender, NoContender, play_rotation
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.opponents import SEARCH, SearchContender
from kimberley.games.diamond_trust.parameters import shipped
from kimberley.games.diamond_trust.response import Response, play_bout
from kimberley.games.diamond_trust.tuning import Tuning, adopt, fitness
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import monotonic

T = TypeVar("T", Tuning, Response)

GENERATIONS: Final = 1000
RESPONSES: Final = 20
SCORED: Final = 50
"""Pairs of games that a response plays for its score."""
KEPT: Final = 50
"""Generations between two writes of the state."""


class TuneTrouble(UserError):
    """The tuning cannot begin; the message says why, and what to do."""


def run(found: argparse.Namespace) -> int:
    """Tunes, trains a response, or adopts one. Raises UserError."""
    if found.adopt is not None:
        result = _adopted(found.adopt)
    else:
        with workers(found.workers, found.dask) as executor:
            result = _tuned(found, executor) if found.against is None else _response(found, executor)
    text = json.dumps(result, indent=1) + "\n"
    if found.out is None:
        print(text, end="")
    else:
        found.out.write_text(text, "utf-8")
    return 0


def _tuned(found: argparse.Namespace, executor: Executor) -> dict[str, Any]:
    tuning = _begun(found, Tuning, Tuning.begin(found.generations or GENERATIONS, found.seed))
    start = monotonic()
    try:
        while not tuning.done:
            tuning.learn(list(executor.map(fitness, tuning.jobs())))
            if tuning.generation % KEPT == 0 or tuning.done:
                _keep(found.state, tuning)
                _say(f"generation {tuning.generation} of {tuning.generations}")
    except KeyboardInterrupt:
        _keep(found.state, tuning)
        _say(f"stopped after {tuning.generation} of {tuning.generations} generations", end="\n")
    _say("", end="")
    return {"seconds": round(monotonic() - start), **tuning.found()}


def _begun(found: argparse.Namespace, kind: type[T], new: T) -> T:
    """The saved tuning or response, or `new` if there is none."""
    path: Path | None = found.state
    if path is None or not path.exists():
        return new
    try:
        return kind.of_plain(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TuneTrouble(f"{path} holds no tuning that can go on: {error}. Name another file.") from error


def _keep(path: Path | None, tuning: Tuning | Response) -> None:
    """Saves the state. The file is complete even if the program is stopped meanwhile."""
    if path is not None:
        part = path.with_name(f"{path.name}.part")
        part.write_text(json.dumps(tuning.as_plain()), "utf-8")
        part.replace(path)


def _response(found: argparse.Namespace, executor: Executor) -> dict[str, Any]:
    try:
        named = NamedContender.of(GAME, found.against)
    except NoContender as error:
        raise TuneTrouble(f"{error}.") from error
    if named.kind != SEARCH:
        raise TuneTrouble("A response is trained against search:N.")
    target = SearchContender(named.level)
    response = _begun(found, Response, Response(target, found.generations or RESPONSES, found.seed))
    if response.target != target:
        raise TuneTrouble(f"{found.state} is of a training against search:{response.target.size}. Name another file.")
    start = monotonic()
    try:
        while not response.done:
            response.learn(list(executor.map(play_bout, response.bouts())))
            _keep(found.state, response)
            _say(f"generation {response.generation} of {response.generations}")
    except KeyboardInterrupt:
        kept = f" The same command goes on from {found.state}." if found.state and response.generation else ""
        stopped = f"kimberley: stopped after {response.generation} of {response.generations} generations.{kept}"
        print(f"\n{stopped}", file=sys.stderr)
        raise
    trained = monotonic() - start
    table = ContestTable(GAME, min(GAME.seats))
    jobs = [(table, response.trained(), target, seed) for seed in range(SCORED)]
    pairs = []
    for pair in as_done(executor, play_rotation, jobs, SCORED):
        pairs.append(pair)
        _say(f"scored {len(pairs)} of {SCORED} pairs")
    _say("", end="")
    return {
        "against": found.against,
        "generations": response.generations,
        "seed": response.seed,
        "seconds": round(trained),
        **asdict(ContestStanding.of(pairs)),
        "numbers": response.trained().numbers,
    }


def _adopted(path: Path) -> dict[str, Any]:
    contender(GAME, str(path))
    return adopt(shipped(), json.loads(path.read_text("utf-8")))


def _say(text: str, end: str = "") -> None:
    """Shows a text in one changing line, on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end=end, file=sys.stderr, flush=True)
