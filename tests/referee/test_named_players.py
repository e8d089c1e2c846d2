"""Whom a typed name means: a key, and never silently one of two with the same name."""

from __future__ import annotations

import pytest

from kimberley.p2p.tournament.naming import display_names
from kimberley.p2p.tournament.players import TournamentPlayer
from kimberley.referee.named_players import UnclearName, find_player
from tests.support.tournaments import PEOPLE, called, with_key


def found(players: list[TournamentPlayer], typed: str, among: list[bytes] | None = None) -> bytes:
    return find_player(players, display_names(players), typed, among)


def test_what_is_invisible_in_a_typed_name_makes_no_difference() -> None:
    players = called("I \u2665 NY", "ana", "ana")
    assert found(players, "I \u2665\ufe0f NY") == PEOPLE[0]
    assert found(players, f"an\u200ba\ufe0f {with_key(1)}") == PEOPLE[1]


def test_a_name_as_lists_show_it_means_its_player() -> None:
    players = called("ana", "ana:", "ben, ana", ",", "a:b")
    for number, name in enumerate(display_names(players).values()):
        assert found(players, name) == PEOPLE[number]


def test_a_name_of_one_player_means_that_player() -> None:
    players = called("ana", "ben", "cleo")
    for typed in ("ana", " ANA ", f"ana {with_key(0)}", with_key(0), with_key(0, 64)):
        assert found(players, typed) == PEOPLE[0]


@pytest.mark.parametrize("typed", ["ben", "BEN", "b\u0435n"])
def test_a_name_of_two_players_is_asked_about(typed: str) -> None:
    players = called("ben", "ana", "Ben")
    with pytest.raises(UnclearName, match=f"in full: ben {with_key(0)}, Ben {with_key(2)}"):
        found(players, typed)
    # Also where only one of them sits.
    with pytest.raises(UnclearName, match="More than one player"):
        found(players, typed, PEOPLE[:2])
    assert found(players, f"ben {with_key(2)}") == PEOPLE[2]


def test_nobody_is_meant_by_another_name_or_at_another_table() -> None:
    players = called("ana", "ben")
    for typed, among in (("dan", None), ("ana", [PEOPLE[1]]), ("", None), ("0", None)):
        with pytest.raises(UnclearName, match="No player"):
            found(players, typed, among)
