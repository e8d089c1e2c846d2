"""The vocabulary itself: unknowns, amounts, what each seat sees of an answer."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kimberley.games.table import (
    HIDDEN,
    NOTHING,
    Amounts,
    Ask,
    Decide,
    Disclose,
    Hidden,
    Open,
    Result,
    Roll,
    Seal,
    Show,
    Space,
    Tally,
    Tell,
    Together,
    Unreadable,
    Within,
    evolve,
    space_for,
)
from tests.support.contained import first_difference
from tests.support.laws import check_space
from tests.support.plain import PLAIN

SLOTS = Tally(0, "salary", 8), Tally(0, "bribe", 8)
WITHIN = Within(Tally(0, "spent", 8), 20)


def amounts(most: int | Hidden = 10) -> Amounts:
    return Amounts(SLOTS, WITHIN, most)


# -- unknowns -------------------------------------------------------------------------------------------------------


UNTYPED: Any = HIDDEN


@pytest.mark.parametrize(
    "use",
    [
        lambda: UNTYPED + 1,
        lambda: 1 - UNTYPED,
        lambda: UNTYPED < 1,
        lambda: max(UNTYPED, UNTYPED),
        lambda: bool(UNTYPED),
        lambda: not UNTYPED,
        lambda: int(UNTYPED),
    ],
)
def test_what_is_hidden_cannot_be_reckoned_with(use: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        use()


@pytest.mark.parametrize("unknown", [HIDDEN, NOTHING])
def test_there_is_one_of_each_unknown(unknown: Any) -> None:
    assert copy.copy(unknown) is unknown
    assert copy.deepcopy([unknown])[0] is unknown
    assert pickle.loads(pickle.dumps(unknown)) is unknown
    assert unknown == unknown
    assert unknown != 0
    assert unknown != None  # noqa: E711
    assert repr(unknown) in ("HIDDEN", "NOTHING")


def test_nothing_is_falsy_and_not_hidden() -> None:
    assert not NOTHING
    assert UNTYPED != NOTHING


# -- amounts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ((3, 7), None),
        ((0, 0), None),
        ((3, 8), "the amounts add up to 11, and there is only 10"),
        ((-1, 3), "an amount cannot be negative"),
        ((1,), "expected one amount for each of 2 slots"),
        ((1, True), "an amount is a whole number"),
        ((1, 1.0), "an amount is a whole number"),
        ([1, 2], "expected one amount for each of 2 slots"),
        (None, "expected one amount for each of 2 slots"),
        ((10**40, 0), f"the amounts add up to {10**40}, and there is only 10"),
    ],
)
def test_amounts_name_the_rule_that_forbids(choice: Any, reason: str | None) -> None:
    assert amounts().violation(choice) == reason


def test_where_the_rest_is_hidden_the_public_limit_bounds_amounts() -> None:
    assert amounts(HIDDEN).violation((20, 0)) is None
    assert amounts(HIDDEN).violation((20, 1)) == "the amounts add up to 21, and there is only 20"
    assert amounts(HIDDEN).violation(amounts(HIDDEN).pick(Random(1))) is None


def test_amounts_cost_their_sum() -> None:
    assert amounts().cost((3, 4)) == 7
    with pytest.raises(Unreadable):
        amounts().read((1, "2"))


@pytest.mark.slow
@given(st.lists(PLAIN, min_size=5, max_size=5), st.integers(0, 20), st.integers(0, 1000))
def test_amounts_judge_any_data(data: list[Any], most: int, seed: int) -> None:
    check_space(amounts(most), data, Random(seed))


# -- who sees what --------------------------------------------------------------------------------------------------


class One:
    """A space of the number 1."""

    def read(self, plain: Any) -> Any:
        return plain

    def violation(self, choice: Any) -> str | None:
        return None if choice == 1 else "only 1"

    def cost(self, choice: Any) -> int:
        return int(choice)

    def pick(self, rng: Random) -> Any:
        return rng.randint(1, 1)


ONE: Space = One()
TELLS = (
    Tell(0, 1, Tally(1, "bribe", 8), SLOTS[0], "pay", 3, ONE, HIDDEN),
    Tell(1, 0, SLOTS[1], Tally(1, "salary", 8), "pay", 3, ONE, 1),
)
ROLL, OPEN = Roll((6, 5)), Open(SLOTS)
DECIDE = Decide(1, ONE, "inspector")
TOGETHER = Together((ONE, None), (None, None), "move")


@pytest.mark.parametrize(
    ("ask", "answer", "views"),
    [
        (Seal((ONE, ONE, None), "plan"), (1, 2, None), [(1, HIDDEN, None), (HIDDEN, 2, None), (HIDDEN, HIDDEN, None)]),
        (Disclose(TELLS), (NOTHING, 1), [(HIDDEN, 1), (NOTHING, HIDDEN), (HIDDEN, HIDDEN)]),
        (TOGETHER, (1, None), [(1, None)] * 3),
        (DECIDE, 1, [1] * 3),
        (ROLL, (2, 4), [(2, 4)] * 3),
        (OPEN, (7, 8), [(7, 8)] * 3),
        (
            Show((5, 6), ((0, None), (1, 1))),
            (("sun", 3), ("moon", 4)),
            [(("sun", HIDDEN), ("moon", HIDDEN)), (("sun", 3), ("moon", 4)), (("sun", HIDDEN), ("moon", HIDDEN))],
        ),
    ],
)
def test_each_sees_its_own_part_of_an_answer(ask: Ask, answer: Any, views: list[Any]) -> None:
    assert [ask.visible_answer(answer, seat) for seat in (0, 1, None)] == views


def test_a_seat_is_asked_where_it_has_a_space() -> None:
    assert [space_for(DECIDE, seat) for seat in (0, 1)] == [None, ONE]
    assert [space_for(TOGETHER, seat) for seat in (0, 1)] == [ONE, None]
    assert [space_for(Seal((None, ONE), "plan"), seat) for seat in (0, 1)] == [None, ONE]
    for ask in (ROLL, OPEN, Disclose(TELLS), Result((1, 2), ((3,), (2,)), "over")):
        assert [space_for(ask, seat) for seat in (0, 1)] == [None, None]


def test_the_winners_share_the_first_place() -> None:
    assert Result((1, 1, 3), ((2,), (2,), (0,)), "over").winners == (0, 1)


# -- states ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Inner:
    held: int | Hidden


@dataclass(frozen=True)
class Outer:
    money: tuple[int | Hidden, ...]
    inner: Inner
    name: str = "a"


def test_changed_copies_and_leaves_the_original_alone() -> None:
    state = Outer((1, 2), Inner(3))
    other = evolve(state, name="b")
    assert (state.name, other.name) == ("a", "b")
    assert other.inner is state.inner
    assert type(other) is Outer


@pytest.mark.parametrize(
    ("less", "where"),
    [
        (Outer((1, 2), Inner(3)), None),
        (Outer((1, HIDDEN), Inner(3)), None),
        (Outer((HIDDEN, HIDDEN), Inner(HIDDEN)), None),
        (Outer((1, 9), Inner(3)), "state.money[1]: 9 is not 2"),
        (Outer((1, 2), Inner(True)), "state.inner.held: True is not 3"),
        (Outer((1,), Inner(3)), "state.money: (1,) is not (1, 2)"),
        (evolve(Outer((1, 2), Inner(3)), inner=HIDDEN), None),
        (Inner(3), "state: Inner(held=3) is not Outer(money=(1, 2), inner=Inner(held=3), name='a')"),
    ],
)
def test_a_state_is_contained_in_one_that_knows_more(less: object, where: str | None) -> None:
    assert first_difference(less, Outer((1, 2), Inner(3))) == where


def test_what_is_hidden_in_the_truth_is_known_to_nobody() -> None:
    assert first_difference(Inner(3), Inner(HIDDEN)) == "state.held: 3 is not HIDDEN"
    assert first_difference(Inner(1), Inner(True)) == "state.held: 1 is not True"
