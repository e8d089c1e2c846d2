"""What is told as a game begins: that a rematch has swapped seats, and that a resumed game has lost a choice."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from kimberley.client.session.game_start import LOST, GameStart
from kimberley.games import lookup
from tests.support.pretend import PretendTable

SWAPPED = "Rematch: you and ben have swapped seats."


def table(seat: int = 0, asked: object = None, chosen: tuple[int, ...] = (), **values: Any) -> PretendTable:
    """Returns a table in whose game these seats have chosen."""
    story = tuple((SimpleNamespace(choosers=(each,)), None) for each in chosen)
    peer = cast(Any, SimpleNamespace(asked=asked, story=story, result=None))
    names = ("ana", "ben") if seat == 0 else ("ben", "ana")
    return PretendTable(**{"game": lookup.find("diamond-trust"), "seat": seat, "names": names, "peer": peer, **values})


def test_a_rematch_says_that_seats_are_swapped() -> None:
    start = GameStart()
    assert start.told(table(0)) == ""
    assert start.told(table(1)) == SWAPPED
    assert start.told(table(0)) == SWAPPED
    assert start.told(table(0)) == ""


def test_with_more_than_two_players_nothing_is_said_of_seats() -> None:
    start = GameStart()
    start.told(table(0, names=("ana", "ben", "carla")))
    assert start.told(table(1, names=("ben", "ana", "carla"))) == ""


def test_another_game_says_who_has_started_it_and_that_the_last_one_is_kept() -> None:
    start = GameStart()
    start.told(table(0))
    other: dict[str, Any] = {"game": lookup.find("land"), "host": False, "host_seat": 1}
    assert start.told(table(0, **other)) == "ben started Blood Diamonds: Land. The last game is saved."
    start = GameStart()
    start.told(table(0))
    assert start.told(table(0, **{**other, "host": True})) == "", "the host knows"


def test_a_resumed_game_says_that_what_was_not_finished_is_lost() -> None:
    assert GameStart().told(table(asked=object(), chosen=(1, 0))) == LOST


def test_where_nothing_can_be_lost_nothing_is_said() -> None:
    assert GameStart().told(table(asked=object(), chosen=(1,))) == ""
    assert GameStart().told(table(chosen=(0,))) == ""
