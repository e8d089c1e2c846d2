"""Attacks on tables and referees that take seconds: the program holds each time."""

from __future__ import annotations

import pytest

from tests.attacks.__main__ import attacks
from tests.support.effort import first_is_quick


def holds(name: str) -> None:
    outcome = attacks()[name].run()
    assert outcome.held, outcome.figure


@pytest.mark.slow
@pytest.mark.parametrize("name", first_is_quick("share-unread", "share-silent"))
def test_a_friend_gets_the_file_through_a_flood(name: str) -> None:
    holds(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["page-silent", "page-of-a-game"])
def test_a_seat_comes_by_the_page_through_a_flood(name: str) -> None:
    holds(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["silent-newcomers", "silent-entrants"])
def test_who_has_not_sat_down_or_enrolled_keeps_nobody_out(name: str) -> None:
    holds(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bot-host", "bot-seat"])
def test_a_label_of_a_strange_host_or_with_a_known_name_spares_nobody_the_words(name: str) -> None:
    holds(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["name-for-another-game", "shown-friend"])
def test_what_a_host_says_of_its_table_spares_nobody_the_words(name: str) -> None:
    holds(name)
