"""What is on the wire does not depend on what a seat keeps secret; and if it did, that would be found."""

from __future__ import annotations

from random import Random

import pytest

from tests.attacks.on_side_channels import (
    LENGTHS,
    LIMIT,
    PLANTED_SECONDS,
    SECRETS,
    TIMES,
    Moment,
    compared,
    holm,
    play_games,
    summary,
    varying,
    with_planted_bytes,
)

GAMES = 12


@pytest.fixture(scope="module")
def games() -> list[list[Moment]]:
    return play_games(GAMES, 1)


@pytest.mark.nightly
def test_moments_that_are_the_same_to_everybody_have_the_same_lengths(games: list[list[Moment]]) -> None:
    classes, several = varying(games)
    assert classes > 20
    assert several == 0
    assert summary(compared(games, LENGTHS, 1))["leaks"] == 0


@pytest.mark.nightly
def test_a_planted_byte_is_found(games: list[list[Moment]]) -> None:
    assert varying(with_planted_bytes(games))[1] > 0


@pytest.mark.nightly
def test_each_secret_is_kept_and_not_kept_in_these_games(games: list[list[Moment]]) -> None:
    told = {(secret, moment.secrets[secret]) for game in games for moment in game for secret in moment.secrets}
    assert told == {(secret, kept) for secret in SECRETS for kept in (True, False)}


def pretended(delay: float) -> list[list[Moment]]:
    """Returns games of a pretend machine: half of their moments are told of payments, and come that much later."""
    rng = Random(1)

    def moment() -> Moment:
        told = rng.random() < 0.5
        late = rng.expovariate(1 / PLANTED_SECONDS) + delay * told
        return Moment("move", (), (), {SECRETS[0]: told}, dict.fromkeys(TIMES, late))

    return [[moment() for _ in range(10)] for _ in range(100)]


def test_a_planted_millisecond_is_found_where_times_vary_by_one() -> None:
    assert summary(compared(pretended(0.0), TIMES, 1))["leaks"] == 0
    found = summary(compared(pretended(PLANTED_SECONDS), TIMES, 1))
    assert found["leaks"] == found["comparisons"] == 2 * len(TIMES)


def test_holm_corrects_each_value_for_those_that_are_not_smaller() -> None:
    assert holm([0.04, 0.01, 0.03, 0.9]) == pytest.approx([0.09, 0.04, 0.09, 0.9])
    assert holm([0.02, 0.001]) == pytest.approx([0.02, 0.002])
    assert all(corrected >= LIMIT for corrected in holm([LIMIT] * 3))
