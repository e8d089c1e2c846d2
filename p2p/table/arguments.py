"""Options of the commands that open tables."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from kimberley.p2p.base.arguments import as_typed, whole

if TYPE_CHECKING:
    from kimberley.p2p.table.common_options import AdjustTimes


def add_seats(parser: argparse.ArgumentParser, seats: str, otherwise: str) -> None:
    parser.add_argument("--seats", type=whole, metavar="N", help=f"number of seats (default: {seats})")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        dest="options",
        metavar="NAME=VALUE",
        help=f"an option of the game; repeat for more (default: {otherwise}). A wrong name lists them all",
    )


def add_table_options(
    parser: argparse.ArgumentParser, seats: str = "last used", otherwise: str = "as last chosen"
) -> None:
    add_seats(parser, seats, otherwise)
    parser.add_argument(
        "--adjust",
        type=adjust,
        metavar="S",
        help=(
            "seconds to adjust plans, in games that have this: 20 is a fixed time; 5-40 ends when both are done, after "
            "5 to 40 s; 0 is no limit (how long a player takes can then give secrets away)"
        ),
    )
    parser.add_argument("--last-look", dest="adjust", type=adjust, help=argparse.SUPPRESS)


def adjust(text: str) -> AdjustTimes:
    from kimberley.p2p.table.common_options import MOST_FINAL_ADJUSTMENT_SECONDS, AdjustTimes

    try:
        return AdjustTimes.read(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{as_typed(text)} is neither 0 to {MOST_FINAL_ADJUSTMENT_SECONDS} seconds nor a range such as 5-40"
        ) from None
