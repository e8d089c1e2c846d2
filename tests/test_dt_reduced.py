"""Last rounds with few dollars, solved exactly: both-pay auctions, and what the bot gives away in them."""

from __future__ import annotations

import numpy as np
import pytest

from games.diamond_trust.angola import HOME
from games.diamond_trust.contest import Contender
from tests.support.reduced import Reduced, exploitability, value
from tests.support.trust import HUILA, MOXICO, UIGE

ONE_EACH = (((HUILA, 0), (HOME, 0), (HOME, 0)),) * 2
ONE_REGION = Reduced(ONE_EACH, (0, 0, 0, 0, 2, 0), UIGE, (1, 1))
TWO_REGIONS = Reduced(ONE_EACH, (0, 0, 0, 1, 2, 0), UIGE, (2, 2))
INSPECTED = Reduced((((HUILA, 1), (MOXICO, 0), (HOME, 0)),) * 2, (0, 0, 0, 1, 2, 0), MOXICO, (2, 2))


def test_the_linear_program_solves_matching_pennies_and_a_saddle() -> None:
    assert value(np.array([[1.0, 0.0], [0.0, 1.0]])) == pytest.approx(0.5)
    assert value(np.array([[3.0, 1.0], [4.0, 2.0]])) == pytest.approx(2.0)


@pytest.mark.parametrize("reduced", [ONE_REGION, TWO_REGIONS, INSPECTED])
def test_equal_sides_are_worth_a_half(reduced: Reduced) -> None:
    rows, columns, matrix = reduced.matrix()
    assert rows == columns
    assert matrix == pytest.approx(1 - matrix.T)
    assert value(matrix) == pytest.approx(0.5)


def test_more_dollars_win_an_auction() -> None:
    assert value(Reduced(ONE_EACH, (0, 0, 0, 0, 2, 0), UIGE, (2, 1)).matrix()[2]) == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["tuned", "level:1", "level:4"])
@pytest.mark.parametrize("reduced", [ONE_REGION, TWO_REGIONS])
def test_it_plays_small_auctions_exactly(name: str, reduced: Reduced) -> None:
    assert exploitability(reduced, Contender.named(name).player, 20) == pytest.approx(0, abs=0.01)
