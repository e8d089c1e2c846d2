"""The person of a sentence: "you" to the reader who did it, a name to everybody else."""

from __future__ import annotations

import pytest

from kimberley.client.boards.subject import Subject, subject, subjects

NAMES = ("ana", "ben", "carla")


@pytest.mark.parametrize(
    ("verb", "yours"),
    [
        ("places", "place"), ("goes", "go"), ("has", "have"), ("is", "are"), ("does", "do"), ("carries", "carry"),
        ("buys", "buy"), ("loses", "lose"), ("passes", "pass"), ("reaches", "reach"), ("takes", "take"),
    ],
)  # fmt: skip
def test_a_verb_agrees_with_its_subject(verb: str, yours: str) -> None:
    assert Subject("ana", True).does(verb) == yours
    assert Subject("ana").does(verb) == verb


def test_only_the_reader_is_addressed() -> None:
    own, other = subject(NAMES, 1, 1), subject(NAMES, 0, 1)
    assert (str(own), own.whom, own.whose) == ("You", "you", "your")
    assert (str(other), other.whom, other.whose) == ("ana", "ana", "ana’s")
    assert [str(subject(NAMES, seat, None)) for seat in range(3)] == list(NAMES)


def test_the_reader_is_named_first_of_several() -> None:
    assert subjects(NAMES, (0, 1), 1) == "You and ana"
    assert subjects(NAMES, (0, 2), 1) == "ana and carla"
    assert subjects(NAMES, (0, 1, 2), None) == "ana, ben and carla"
