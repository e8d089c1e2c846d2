"""Tournaments in words: what is unusual at their tables, and what follows a round."""

from __future__ import annotations

import time

import pytest

from kimberley.client.session.tournaments import (
    after_game,
    describe_next_round,
    describe_settings,
    options_in_short,
    without_table,
)
from kimberley.games.table import Plain
from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT, GRACE
from kimberley.p2p.tournament.events import PlayerEnrolled, RoundScheduled
from tests.support.pretend_source import LATER, PretendSource


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("land", {"map": "kimberley", GRACE: 60}, ""),
        ("land", {"map": "small", GRACE: 60}, "Horseshoe, 12 by 12"),
        ("land", {"map": "small", GRACE: 120}, "Horseshoe, 12 by 12, absent player 2 min"),
        ("diamond-trust", {FINAL_ADJUSTMENT: 20}, ""),
        ("diamond-trust", {FINAL_ADJUSTMENT: 60}, "time to adjust 60 s"),
        ("no-such-game", {"map": "small"}, ""),
    ],
)
def test_only_what_is_unusual_at_the_tables_is_said(game: str, options: dict[str, Plain], said: str) -> None:
    assert options_in_short(game, options) == said


def test_the_settings_name_the_unusual_options() -> None:
    source = PretendSource.open("land", options={"turns": 25}, clock=None)
    assert describe_settings(source.settings) == "Swiss system, no clocks. Options: 25 turns each."


def test_a_player_hears_what_follows_as_it_is_now() -> None:
    source = PretendSource.open(names=("ana", "ben", "carla", "dan"), rounds=2)
    source.add(RoundScheduled(LATER, None))
    assert describe_next_round(source.tournament) == "The first round begins when the organizer says so."
    assert describe_next_round(source.tournament, to_organizer=True) == "The first round begins when you type next."
    source.pair()
    assert after_game(source.tournament) == "Your game is over. The next round follows."
    source.decide(1, 0, (1, 2))
    assert after_game(source.tournament) == "Your game is over. The next round follows."
    source.decide(1, 1, (1, 2))
    assert after_game(source.tournament) == "The next round follows."
    source.add(RoundScheduled(LATER, None))
    assert after_game(source.tournament) == "The next round begins when the organizer says so."
    source.pair()
    assert after_game(source.tournament) == "Your game is over. This is the last round."
    late = bytes([9]) * 32
    source.add(PlayerEnrolled(LATER, late, "eva"))
    assert without_table(source.tournament, late) == "This is the last round, and you have no table in it."
    source.add(RoundScheduled(LATER, int(time.time()) - 60))
    assert describe_next_round(source.tournament) == "The tournament ends when all games of this round are over."
    source.add(RoundScheduled(LATER, None))
    source.decide(2, 0, (1, 2))
    source.decide(2, 1, (1, 2))
    assert describe_next_round(source.tournament, to_organizer=True) == "The tournament ends when you type next."
