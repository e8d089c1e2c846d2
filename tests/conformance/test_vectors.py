"""The vectors that ship in conformance/ are what the code gives, with libsodium and in pure Python alike."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from kimberley.conformance.asks import ASKS
from kimberley.protocol.crypto.pure import PURE
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.roster import SignedRoster
from tests.conformance.vectors.book import expected, read, run, shared_of, write
from tests.conformance.vectors.files import BOOKS, FOLDER, MAKERS, files
from tests.support.effort import OTHER_VALUE
from tests.support.paths import ROOT

SCHEMA: Final[dict[str, Any]] = json.loads((FOLDER / "schema.json").read_text())
VALIDATOR: Final = Draft202012Validator(SCHEMA)
SLOW: Final = ("asks", "audits", "chains", "games", "records")
"""Whole games, or much of them: too slow for the oracle. Pure Python as people play with it is asked for them in
tests/e2e/processes/test_crypto_choices.py.
"""
MARKS: Final[dict[str, tuple[pytest.MarkDecorator, ...]]] = {"games": OTHER_VALUE, "records": (pytest.mark.slow,)}


def nightly_if(condition: bool) -> tuple[pytest.MarkDecorator, ...]:
    return OTHER_VALUE if condition else ()


@pytest.mark.parametrize("name", [pytest.param(name, marks=MARKS.get(name, ())) for name in BOOKS])
def test_every_vector_is_what_the_code_gives(name: str) -> None:
    shared = shared_of(BOOKS[name])
    for test in BOOKS[name]["tests"]:
        assert run(test, RISTRETTO, shared) == expected(test), (test["id"], test["comment"])


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in BOOKS if name not in SLOW])
@pytest.mark.nightly
def test_every_vector_is_what_the_code_gives_in_pure_python(name: str) -> None:
    shared = shared_of(BOOKS[name])
    for test in BOOKS[name]["tests"]:
        assert run(test, PURE, shared) == expected(test), (test["id"], test["comment"])


def test_each_file_is_made_by_the_module_with_its_name() -> None:
    assert {make.__module__.rpartition(".")[2] for make in MAKERS} == set(BOOKS)


@pytest.mark.slow
def test_the_schema_is_a_json_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", [pytest.param(name, marks=nightly_if(name != "group")) for name in BOOKS])
def test_every_file_fits_the_schema(name: str) -> None:
    VALIDATOR.validate(BOOKS[name])


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (("revision",), 2),
        (("tests",), []),
        (("tests", 0, "function"), "unknown"),
        (("tests", 0, "result"), "perhaps"),
        (("tests", 0, "given", "data"), "0"),
        (("tests", 0, "given", "data"), "AB"),
        (("tests", 0, "given", "more"), ""),
        (("tests", 0, "gives", "point"), None),
        (("tests", 0, "gives"), {}),
        (("tests", 0, "id"), True),
        (("flags", "Length"), {"wrong": "no more"}),
    ],
)
def test_the_schema_refuses_a_changed_file(at: tuple[str | int, ...], value: object) -> None:
    book = json.loads((FOLDER / "group.json").read_text())
    place = book
    for key in at[:-1]:
        place = place[key]
    place[at[-1]] = value
    assert not VALIDATOR.is_valid(book)


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (("played", "choices", "stages", 0), [0, 0, []]),
        (("played", "choices", "table"), {"bytes": "0"}),
        (("played", "choices", "more"), []),
        (("tests", 0, "given", "past"), None),
        (("tests", 0, "given", "past", "of"), 1),
        (("tests", 0, "given", "past", "before"), [0]),
        (("tests", 0, "given", "past", "instead"), None),
    ],
)
def test_the_schema_refuses_a_changed_past(at: tuple[str | int, ...], value: object) -> None:
    book = json.loads((FOLDER / "asks.json").read_text())
    place = book
    for key in at[:-1]:
        place = place[key]
    place[at[-1]] = value
    assert not VALIDATOR.is_valid(book)


def test_every_past_is_of_what_its_file_has_played() -> None:
    for name in ("asks", "audits"):
        used = {test["given"]["past"]["of"] for test in BOOKS[name]["tests"]}
        assert used == set(BOOKS[name]["played"])


def test_every_ask_is_among_the_vectors() -> None:
    tables = [SignedRoster.read(read("plain", played["table"])) for played in BOOKS["asks"]["played"].values()]
    scripts: list[Any] = [table.roster.option("asks") for table in tables]
    asked = {ask[0] for script in scripts for ask in script}
    assert asked >= {word for ask in ASKS.values() for word in ask.words} - {"look"}


@pytest.mark.parametrize("name", BOOKS)
def test_wrong_input_says_what_is_wrong_and_all_else_is_right(name: str) -> None:
    book = BOOKS[name]
    assert [test["id"] for test in book["tests"]] == list(range(1, len(book["tests"]) + 1))
    assert {flag for test in book["tests"] for flag in test["flags"]} == set(book["flags"])
    for test in book["tests"]:
        assert (test["result"] == "invalid") == bool(test["flags"]), test["id"]
        if test["function"] == "follow":
            wrong = test["gives"]["guilty"] is not None or "drop" in test["gives"]["reactions"]
        elif test["function"] == "audit":
            wrong = test["gives"]["deviations"] != [] or test["gives"]["absent"] != []
        elif test["function"] in ("judge", "spoil"):
            wrong = test["gives"]["verdict"] != "fair"
        else:
            wrong = test["gives"] is None
        assert wrong == bool(test["flags"]), test["id"]


@pytest.mark.slow
@pytest.mark.nightly
def test_the_script_reproduces_every_file() -> None:
    written = files()
    assert {path.name for path in FOLDER.iterdir()} == set(written)
    for name, text in written.items():
        assert (FOLDER / name).read_text() == text, f"{name}: python -m tests.conformance.vectors --write"


@pytest.mark.parametrize(
    "value", [None, True, 0, -1, 2**53 - 1, 2**53, -(2**53), 2**64 - 1, "text", b"", b"bytes", (), (b"", ("a", (1,)))]
)
def test_plain_values_are_read_as_they_were_written(value: object) -> None:
    written = json.loads(json.dumps(write("plain", value)))
    again = read("plain", written)
    assert (again, type(again)) == (value, type(value))
    VALIDATOR.evolve(schema={"$ref": "#/$defs/plain", "$defs": SCHEMA["$defs"]}).validate(written)


def test_the_vectors_ship_in_the_wheel() -> None:
    root = ROOT
    assert FOLDER.is_relative_to(root / "conformance")
    ignored = (root / ".gitignore").read_text().split()
    assert not {"*.json", "vectors", "vectors/"} & set(ignored)
