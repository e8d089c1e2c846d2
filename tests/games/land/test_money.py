"""Money of the land game, and prices, as they are written and read."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kimberley.games.land.money import HIGHEST, K, balance, price, read_price


def test_money_is_exact_in_steps_of_two_hundredths_of_a_hundredth() -> None:
    assert [balance(units) for units in (0, 1, 50, K, 500 * K, 3062209, -1, -K)] == [
        "0.0000",
        "0.0002",
        "0.0100",
        "1.0000",
        "500.0000",
        "612.4418",
        "-0.0002",
        "-1.0000",
    ]
    assert Fraction(2, 100) * Fraction(1, 100) == Fraction(1, K)


def test_prices_are_written_and_read_with_two_decimals() -> None:
    assert [price(cents) for cents in (0, 1, 777, 3000, HIGHEST)] == ["0.00", "0.01", "7.77", "30.00", "999.00"]
    for text, cents in (("30", 3000), ("30.5", 3050), ("0.01", 1), (" 999.00K ", 99900), ("007", 700)):
        assert read_price(text) == cents
    for wrong in ("", "-1", "1.234", "1,5", "K", "1e3", "٣", "1 2"):
        with pytest.raises(ValueError, match="is not a price"):
            read_price(wrong)
    with pytest.raises(ValueError, match=r"at most 999\.00K, not 999\.01K"):
        read_price("999.01")
