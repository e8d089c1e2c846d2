"""Counts of ways to play on, checked in, and checked against rules that share no code with the fast ones."""

from __future__ import annotations

import subprocess
import sys

import pytest

from kimberley.games.diamond.notation import TurnNotationError, read_position
from tests.lab.diamond.perft import START, perft
from tests.support.diamond import Slow
from tests.support.effort import one_is_quick

COUNTS = {
    START: (62, 3844, 230702),
    "7/8/8/3b4/8/8/8/7 w 23s": (62, 3721, 219600),
    "7/8/8/3b4/8/8/8/7 w 23": (61, 3660, 215940),
    "w4bw/2b1b1bw/ww2b3/1b3b2/4b1w1/1wbw4/b5wb/1w2w2 b 2": (40, 1560, 58786),
    "bww3b/w2bw2b/2wbww1b/1b1w2wb/b3w1w1/4b3/1w2b1b1/7 b 0": (28, 949, 26891, 886114),
    "b1www1b/nw4w1/1nwn4/2w3n1/2b1bb2/3b2w1/4wn1b/2w1b1b w 0": (27, 689, 18089, 441875),
    "1w1w2w/bbb1w2b/w3b3/5b1b/1ww3bb/2n1n2n/3w2b1/2nww2 w 0": (25, 721, 17874, 505912),
    "3b3/8/2wn2b1/8/n3bw2/2n4w/8/1n2w2 b 0": (15, 269, 4065, 74221, 1107771),
}
"""By position, the number of sequences of one turn, two turns and so on."""
MANY = 300_000
"""Sequences that take more than a second to count."""
SLOWLY = 5000
"""The most sequences for the slow rules."""


def check_counts(position: str, least: int, most: int) -> None:
    for depth, known in enumerate(COUNTS[position], start=1):
        if least <= known < most:
            assert perft(position, depth) == known


@pytest.mark.parametrize("position", one_is_quick("1w1w2w/bbb1w2b/w3b3/5b1b/1ww3bb/2n1n2n/3w2b1/2nww2 w 0", COUNTS))
def test_counts_are_those_checked_in(position: str) -> None:
    check_counts(position, 0, MANY)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("position", [position for position, counts in COUNTS.items() if counts[-1] >= MANY])
def test_great_counts_are_those_checked_in(position: str) -> None:
    check_counts(position, MANY, 1 << 64)


@pytest.mark.parametrize("position", COUNTS)
def test_slow_rules_count_the_same(position: str) -> None:
    slow = Slow.of(read_position(position))
    for depth, known in enumerate(COUNTS[position], start=1):
        if known <= SLOWLY:
            assert slow.perft(depth) == known


def test_nothing_is_counted_beyond_the_end() -> None:
    won = "7/8/8/2bb4/2bb4/8/6w1/7 w 0"
    assert [perft(won, depth) for depth in (0, 1, 2)] == [1, 0, 0]


@pytest.mark.nightly
@pytest.mark.slow
def test_it_can_be_asked_from_the_shell() -> None:
    asked = [sys.executable, "-m", "tests.lab.diamond.perft"]
    ran = subprocess.run([*asked, "2"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "1 62\n2 3844\n")
    ran = subprocess.run([*asked, "2", "8/8", "b", "0"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", "perft: a position has 8 rows, not 2\n")


def test_what_is_no_position_is_refused() -> None:
    with pytest.raises(TurnNotationError, match="eight rows"):
        perft("nothing", 1)
