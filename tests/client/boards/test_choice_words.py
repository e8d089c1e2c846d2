"""A choice beside another one in words, in the games of more than two seats: what differs is told, and nothing else."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from kimberley.client.boards.land.phrases import money
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.review_report import ReviewReport
from kimberley.games.bots.review import DecisionPoint
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.table import Plain, space_for
from tests.support.effort import first_is_quick
from tests.support.reviewed import made_up_report


@cache
def report(name: str) -> ReviewReport:
    return made_up_report(name)


def points(name: str, phase: str = "") -> list[DecisionPoint]:
    """Returns the decisions of a game that was played, those of a phase if one is named."""
    found = [report(name).point(line) for line in report(name).lines]
    return [point for point in found if not phase or getattr(point.observation.state, "phase", "") == phase]


def words(name: str, point: DecisionPoint, choice: Plain, beside: Plain) -> str:
    return find_board(name).game.choice_words(point.observation.state, point.seat, choice, beside)


@pytest.mark.parametrize("name", first_is_quick("land", "mine", "piecepack"))
def test_every_choice_is_said_in_words_of_the_game(name: str) -> None:
    for line in report(name).lines:
        for said in (line.chosen, line.better):
            assert not re.search(r"[()\[\]'\"_]|\bTrue\b|\bFalse\b|  |[.,;]$", said), said


def test_deals_in_land_are_told_as_far_as_they_differ() -> None:
    point = next(point for point in points("land") if point.chosen)
    space: Any = space_for(point.observation.state.ask(), point.seat)
    one, two = space.draft().buyable()[:2]
    low, high, other = ("buy", one, space.draft().default(one)), ("buy", one, 123456), ("buy", two, 100)
    first, second = (space.map.name(parcel) for parcel in (one, two))
    assert words("land", point, (), (low,)) == "makes no deals"
    assert words("land", point, (low,), ()).startswith(f"buys {first} for ")
    assert "to sell" not in words("land", point, (low,), (high,))
    assert words("land", point, (high,), (low,)).endswith(", to sell at 1234.56K")
    assert words("land", point, (low,), (low, other)) == f"leaves {second} alone"
    assert first not in words("land", point, (low, other), (low,))
    many = tuple(("buy", parcel, 100) for parcel in space.draft().buyable()[:5])
    assert words("land", point, many, ()).startswith("buys 5 parcels for ")


def test_land_that_is_bought_of_a_rival_and_sold_on_is_told() -> None:
    """It may cut off other land of the rival, which a sale alone would not."""
    for point in points("land"):
        space: Any = space_for(point.observation.state.ask(), point.seat)
        draft = space.draft()
        if rivals := [parcel for parcel in draft.buyable() if draft.land.owner(parcel) != GOVERNMENT]:
            name, cost, gain = space.map.name(rivals[0]), draft.cost(rivals[0]), draft.gain(rivals[0])
            made = (("buy", rivals[0], 100), ("sell", rivals[0]))
            assert words("land", point, made, ()) == f"buys {name} for {money(cost)} and resells it for {money(gain)}"
            return
    raise AssertionError("nobody could buy land of a rival")


def test_land_that_is_sold_or_priced_is_told() -> None:
    for point in points("land"):
        space: Any = space_for(point.observation.state.ask(), point.seat)
        if own := space.draft().own():
            name = space.map.name(own[0])
            assert words("land", point, (("sell", own[0]),), ()).startswith(f"sells {name} for ")
            assert words("land", point, (("price", own[0], 6500),), ()) == f"prices {name} at 65.00K"
            return
    raise AssertionError("nobody owned land in the sector in play")


def test_a_card_is_told_with_the_wish_to_end_the_game_where_it_matters() -> None:
    point = points("mine", "cards")[0]
    assert words("mine", point, (2, False), (1, False)) == "card 2"
    assert words("mine", point, (2, False), (1, True)) == "card 2, keeps playing"
    assert words("mine", point, (2, True), (2, False)) == "card 2, agrees to end"


def test_a_move_is_told_by_where_it_leads_and_else_by_what_is_picked_up_and_dropped() -> None:
    said = {line.chosen for line in report("mine").lines if line.decision.kind == "move"}
    assert any(each.startswith("opens the vein on ") for each in said)
    assert any(each.startswith("goes home") for each in said)
    for point in points("mine", "move"):
        state: Any = point.observation.state
        carried = state.mine.carried[point.seat]
        if carried:
            to = point.chosen[0]  # type: ignore[index]
            kept, dropped = (to, (), ()), (to, (), ((to, carried[0]),))
            assert words("mine", point, kept, dropped) == "drops nothing"
            assert words("mine", point, dropped, kept).startswith("drops a ")
            return
    raise AssertionError("nobody carried a gem")


def test_coins_at_which_a_spy_peeks_are_told_with_their_owners() -> None:
    point = points("piecepack", "peek")[0]
    state: Any = point.observation.state
    owner = next(seat for seat in state.others(point.seat) if state.hands[seat])
    coin = state.hands[owner][0].handle
    assert words("piecepack", point, (), (coin,)) == "peeks at nothing"
    assert words("piecepack", point, (coin,), ()).endswith(f" of {report('piecepack').marks[owner][0]}")


def test_a_review_writes_coins_and_tiles_as_the_board_does() -> None:
    said = " ".join(report("piecepack").sentences) + " ".join(line.chosen for line in report("piecepack").lines)
    assert not re.search(r"(club|sun|moon|heart|spade|diamond) (0|ace|[2-5])", said)
    assert re.search(r"goes to [♣☼☾♥♠♦][0A2-5]", said)


def test_what_precedes_the_first_round_is_part_of_it() -> None:
    placed = [line.chapter for line in report("mine").lines if line.decision.kind == "placing"]
    assert set(placed) == {1}
    assert [one.chapter for one in report("mine").chances] == sorted({line.chapter for line in report("mine").lines})


def test_the_end_of_a_turn_is_part_of_it() -> None:
    by_seat: dict[int, int] = {}
    ends = 0
    for line in report("piecepack").lines:
        if line.chosen == "ends the turn":
            ends += 1
            assert line.chapter == by_seat[line.decision.seat], "the turn of the action before"
        by_seat[line.decision.seat] = line.chapter
    assert ends


def test_the_chances_of_all_players_are_told() -> None:
    said = "\n".join(report("mine").sentences)
    for name in report("mine").names:
        assert f"{name}’s chance to win after each round, as a percentage: " in said
