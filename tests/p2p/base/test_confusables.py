"""Nicknames that a person could take for each other are judged alike (UTS 39)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kimberley.p2p.base.confusables import confusable, distinct_names, nicknames_of, skeleton
from kimberley.p2p.storage.identity import KnownKeys

ANA, EVE = b"a" * 32, b"e" * 32


@pytest.mark.parametrize(
    "impostor",
    [
        "ana",
        "ANA",
        "\uff41na",
        "\u0430n\u0430",
        "an\u3164a",
        "a\u034fna",
        "ana\ufe0f",
        "\u1160ana",
        "an\u2800a",
        "\u17b4ana",
        "\U000e0100ana",
        "an\u2d7fa",
        "\U00016fe4ana",
        "an\U0001d159a",
    ],
    ids=ascii,
)
def test_a_known_nickname_that_only_looks_the_same_is_told(tmp_path: Path, impostor: str) -> None:
    known = KnownKeys(tmp_path)
    known.remember({ANA: "ana"}, verified=True)
    assert known.status_of(impostor, EVE) == "changed"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ian", "lan"),
        ("root", "r00t"),
        ("mia", "rnia"),
        ("paypal", "\u0440\u0430\u0443\u0440\u0430l"),
        ("bob", "BOB"),
        ("marc", "mar\u03f2"),
        ("MARC", "mar\u03f2"),
        ("fay", "\u017fay"),
        ("o'neil", "o\u00b4neil"),
    ],
)
def test_names_that_look_alike_are_confusable(one: str, other: str) -> None:
    assert confusable(one, other)
    assert confusable(other, one)


@pytest.mark.parametrize(
    ("nicknames", "names"),
    [
        ("ana ben", "ana, ben"),
        ("root root", "root 1, root 2"),
        ("ana root Ana", "ana 1, root, Ana 3"),
        ("root root root_2", "root 1, root 2, root 2 3"),
        ("I l 1", "I 1, l 2, 1 3"),
    ],
)
def test_players_of_similar_names_are_told_apart_by_their_seats(nicknames: str, names: str) -> None:
    found = distinct_names([each.replace("_", " ") for each in nicknames.split()])
    assert ", ".join(found) == names
    assert distinct_names(found) == found
    assert ", ".join(nicknames_of(found)) == nicknames.replace(" ", ", ").replace("_", " ")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ana", "anna"),
        ("ben", "ban"),
        ("ana", "ana 2"),
        ("\u041c\u0430\u0448\u0430", "\u0421\u0430\u0448\u0430"),
        ("\u91d1", "\u9280"),
    ],
)
def test_names_that_look_different_are_not(one: str, other: str) -> None:
    assert not confusable(one, other)


@given(st.text(max_size=24))
def test_a_skeleton_is_its_own_skeleton(text: str) -> None:
    assert skeleton(skeleton(text)) == skeleton(text)
    assert confusable(text, text)
