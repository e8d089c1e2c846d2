"""`train`: trains what the search of the bot follows, towards an equilibrium, one epoch at a time.

With --against, it only trains a response to one player, to see how it can be exploited.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import asdict
from functools import partial
from typing import Any, Final, TypeVar

from kimberley.client.cli.output_file import OutputFile
from kimberley.client.session.workers import as_done, cores, workers
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.bots.parameters import NotTrained, shipped
from kimberley.p2p.base.platform import monotonic
from tests.lab.arena import ContestStanding
from tests.lab.contest import ContestTable, NamedContender, NoContender, play_rotation
from tests.lab.diamond_trust.opponents import POPULATION_SIZE, SEARCH, SearchContender
from tests.lab.diamond_trust.response import Response, play_bout
from tests.lab.diamond_trust.training import Population, Training, play_response_pair
from tests.lab.learning import Learning, LearningState, LearningTrouble, in_all, in_order, read, say, write
from tests.lab.work_files import after_loss, going_on

Played = TypeVar("Played")

GENERATIONS: Final = 40
PAIRS: Final = 50
"""Pairs of games against each player that a response is scored against."""


def run(found: argparse.Namespace) -> int:
    """Trains, and writes what it found. Raises UserError."""
    out = None if found.out is None else OutputFile.at(found.out, found.state)
    with workers(found.workers, found.dask, after_loss(found.state)) as executor:
        result = _epoch(found, executor) if found.against is None else _response(found, executor)
    write(out, result)
    return 0


def _epoch(found: argparse.Namespace, executor: Executor) -> dict[str, Any]:
    """Returns what may ship next: a population with one more member, and the figures of all epochs."""
    before = shipped() if found.begin is None else read(found.begin, _epoch_of_plain)[0]
    population = Population.of_plain(before)
    response, state = _response_to(SearchContender(POPULATION_SIZE, population.mix), found)
    training = state.begun(Training.of_plain) or Training(population, PAIRS, response)
    if training.population != population:
        raise LearningTrouble(f"{found.state} belongs to another population. Name another file.")
    training.pairs = found.pairs or training.pairs
    if found.add is None:
        training.train_on(in_all(found.generations, training.response))
    _train(training.response, training, state, executor)
    matches = [(match,) for match in training.matches()]
    for played in _played(executor, play_response_pair, matches, 2 * (found.workers or cores())):
        training.played(played)
        state.keep(training)
    after, figures = training.learned()
    return {
        **{name: value for name, value in before.items() if name not in ("responses", *after.as_plain())},
        "responses": [figures, *before.get("responses", [])],
        **after.as_plain(),
    }


def _epoch_of_plain(plain: Any) -> dict[str, Any]:
    """Returns what an epoch begins with. Raises KeyError, TypeError or ValueError for something else."""
    Population.of_plain(plain)
    if not isinstance(plain.get("responses", []), list):
        raise NotTrained("its 'responses' are not a list")
    return dict(plain)


def _response_to(target: SearchContender, found: argparse.Namespace) -> tuple[Response, LearningState]:
    """Returns a response at its beginning, or one that was trained before, and the file in which it is kept."""
    if found.add is None:
        response = Response.begin(target, found.generations or GENERATIONS, found.seed)
        return response, LearningState.at(found.state, f"--seed {found.seed}", found.begin)
    response, digest = read(found.add, partial(Response.trained_before, target))
    added = f"--add of the file with the SHA-256 {digest}"
    return response, LearningState.at(found.state, added, found.begin, found.add)


def _train(response: Response, kept: Learning, state: LearningState, executor: Executor) -> None:
    """Trains a response to the end. `kept`, which contains it, is what the state saves."""
    state.keep(kept)
    try:
        while not response.done:
            response.learn(in_order(executor, play_bout, [(bout,) for bout in response.bouts()]))
            state.keep(kept)
            say(f"generation {response.generation} of {response.generations}")
    except KeyboardInterrupt:
        stopped = f"lab: stopped after {response.generation} of {response.generations} generations."
        print(f"\n{stopped} {going_on(state.path)}", file=sys.stderr)
        raise


def _response(found: argparse.Namespace, executor: Executor) -> dict[str, Any]:
    """Returns a response to a search of what ships, and its score."""
    try:
        named = NamedContender.of(GAME, found.against)
    except NoContender as error:
        raise LearningTrouble(f"{error}.") from error
    if named.kind != SEARCH:
        raise LearningTrouble("A response can only be trained against search:N.")
    target = SearchContender(named.level)
    response, state = _response_to(target, found)
    response = state.begun(partial(Response.of_plain, target=target)) or response
    if found.add is None:
        response.generations = in_all(found.generations, response)
    start = monotonic()
    _train(response, response, state, executor)
    trained = monotonic() - start
    table, count = ContestTable(GAME, min(GAME.seats)), found.pairs or PAIRS
    jobs = [(table, response.trained(), target, seed) for seed in range(count)]
    pairs = list(_played(executor, play_rotation, jobs, count))
    return {
        "against": found.against,
        "generations": response.generations,
        "seed": response.seed,
        "seconds": round(trained),
        **asdict(ContestStanding.of(pairs)),
        "numbers": response.now.tolist(),
    }


def _played(
    executor: Executor, play: Callable[..., Played], jobs: Sequence[tuple[Any, ...]], ahead: int
) -> Iterator[Played]:
    """Yields the result of each pair of games that the jobs stand for, as it is done."""
    for number, played in enumerate(as_done(executor, play, jobs, ahead), 1):
        yield played
        say(f"played {number} of {len(jobs)} pairs")
    say("")
