"""The commands of `python -m tests.lab` and their options."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from kimberley.client.cli.arguments import add_game
from kimberley.client.cli.given import given_game, given_options, given_seats
from kimberley.p2p.base.arguments import add_json, count, path, whole
from kimberley.p2p.table.arguments import add_seats
from tests.lab import arena, bench, manual, train, tune

Command = Callable[[argparse.Namespace], int]


def build_parser() -> argparse.ArgumentParser:
    """Returns all commands and options, with their help."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.lab", description="Measure the cryptography, compare bots, and make them stronger."
    )
    top = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_arena(_added(top, "arena", run_arena, "play two bots against each other, many times", manual.ARENA))
    _add_tune(_added(top, "tune", tune.run, "tune the policy of the bot of Diamond Trust of London", manual.TUNE))
    _add_train(_added(top, "train", train.run, "train the bot of Diamond Trust of London by self-play", manual.TRAIN))
    measure = _added(top, "bench", run_bench, "measure the cryptography on this computer", manual.BENCH)
    measure.add_argument("--full", action="store_true", help="also run bags of all sizes with the pure-Python group")
    add_json(measure)
    return parser


def run_arena(found: argparse.Namespace) -> int:
    given_game(found)
    given_seats(found)
    return arena.run(found, given_options(found))


def run_bench(found: argparse.Namespace) -> int:
    return bench.run(as_json=found.json, full=found.full)


def _added(top: Any, name: str, run: Command, summary: str, text: str) -> argparse.ArgumentParser:
    """Adds a command to those of `top`, and returns it."""
    made: argparse.ArgumentParser = top.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=text,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.set_defaults(command=run)
    return made


def _add_arena(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("a", metavar="A", help="a player")
    parser.add_argument("b", metavar="B", help="the player to compare it with")
    add_seats(parser, "the fewest", "the game’s own")
    parser.add_argument(
        "--pairs", type=count, default=100, metavar="N", help="how many times A plays each seat (default: 100)"
    )
    _add_work_options(parser)
    parser.add_argument("--plot", type=path, metavar="FILE", help="draw the win rate over time in this file, as SVG")
    add_json(parser)


def _add_tune(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--generations", type=count, metavar="N", help="how many generations (default: 1000)")
    _add_work_options(parser)
    _add_out(parser)


def _add_train(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--generations", type=count, metavar="N", help="how many generations for a response (default: 40)"
    )
    parser.add_argument(
        "--pairs", type=count, metavar="N", help="pairs of games against each player, at the end (default: 50)"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--against", metavar="B", help="only train against this player, to see how it can be exploited")
    what.add_argument(
        "--begin", type=path, metavar="FILE", help="begin with this population (default: the one that ships)"
    )
    parser.add_argument("--add", type=path, metavar="FILE", help="add this response, which was trained before")
    _add_work_options(parser)
    _add_out(parser)


def _add_work_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seed", type=whole, default=0, metavar="S", help="the seed of the first games (default: %(default)s)"
    )
    parser.add_argument("--workers", type=count, metavar="N", help="how many processes (default: one per core)")
    parser.add_argument("--dask", metavar="ADDRESS", help="work on the Dask cluster with this scheduler")
    parser.add_argument("--state", type=path, metavar="FILE", help="save progress in this file, and continue from it")


def _add_out(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out", type=path, metavar="FILE", help="write the result to this file, as JSON (default: print it)"
    )
