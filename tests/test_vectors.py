"""The vectors that ship in client/conformance/ are what the code gives, by libsodium and in pure Python alike."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from protocol.crypto.group import RISTRETTO
from protocol.crypto.pure import PURE
from tests.support import vectors
from tests.support.vector_book import expected, read, run, shared_of, write
from tests.support.vectors import FOLDER

BOOKS: Final[dict[str, dict[str, Any]]] = {
    path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json")) if path.stem != "schema"
}
SCHEMA: Final[dict[str, Any]] = json.loads((FOLDER / "schema.json").read_text())
SLOW: Final = ("records", "audits", "games")
"""Whole games: too slow in pure Python."""
TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    "null": type(None),
    "boolean": bool,
    "integer": int,
    "string": str,
    "array": list,
    "object": dict,
}


def has_type(value: object, name: str) -> bool:
    return isinstance(value, TYPES[name]) and (name != "integer" or not isinstance(value, bool))


def fault(schema: Mapping[str, Any], value: Any, path: str = "$") -> str | None:
    """Where a value breaks a schema, or None: JSON Schema 2020-12, as far as ours goes."""
    unknown = set(schema) - KEYWORDS
    assert not unknown, unknown
    if "$ref" in schema:
        return fault(SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")], value, path)
    if "anyOf" in schema:
        faults = [fault(one, value, path) for one in schema["anyOf"]]
        return None if None in faults else f"{path}: {faults}"
    names = schema.get("type", [])
    if names and not any(has_type(value, name) for name in ([names] if isinstance(names, str) else names)):
        return f"{path} is no {names}"
    if "const" in schema and (value != schema["const"] or type(value) is not type(schema["const"])):
        return f"{path} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{path} is none of {schema['enum']}"
    if isinstance(value, str):
        return None if re.search(schema.get("pattern", ""), value) else f"{path} is no {schema['pattern']}"
    if isinstance(value, list):
        first = schema.get("prefixItems", [])
        if len(value) < schema.get("minItems", 0):
            return f"{path} is too short"
        pairs = [*zip(first, value, strict=False), *((schema.get("items", {}), entry) for entry in value[len(first) :])]
        return next((f for at, (one, entry) in enumerate(pairs) if (f := fault(one, entry, f"{path}[{at}]"))), None)
    if isinstance(value, dict):
        if missing := set(schema.get("required", [])) - set(value):
            return f"{path} lacks {missing}"
        others = schema.get("additionalProperties", True)
        for key, entry in value.items():
            one = schema.get("properties", {}).get(key, others)
            if one is False:
                return f"{path} must not have {key}"
            if one is not True and (found := fault(one, entry, f"{path}.{key}")):
                return found
    return None


KEYWORDS: Final = {
    *("$ref", "anyOf", "type", "const", "enum", "pattern", "items", "prefixItems", "minItems"),
    *("properties", "required", "additionalProperties", "description", "$defs", "$schema", "title"),
}


@pytest.mark.parametrize("name", BOOKS)
def test_every_vector_is_what_the_code_gives(name: str) -> None:
    shared = shared_of(BOOKS[name])
    for test in BOOKS[name]["tests"]:
        assert run(test, RISTRETTO, shared) == expected(test), (test["id"], test["comment"])


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in BOOKS if name not in SLOW])
def test_every_vector_is_what_the_code_gives_in_pure_python(name: str) -> None:
    shared = shared_of(BOOKS[name])
    for test in BOOKS[name]["tests"]:
        assert run(test, PURE, shared) == expected(test), (test["id"], test["comment"])


@pytest.mark.parametrize("name", BOOKS)
def test_every_file_fits_the_schema(name: str) -> None:
    assert fault(SCHEMA, BOOKS[name]) is None


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (("revision",), 3),
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
    assert fault(SCHEMA, book) is not None


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
    assert fault(SCHEMA, book) is not None


def test_every_past_is_of_what_its_file_has_played() -> None:
    for name in ("asks", "audits"):
        used = {test["given"]["past"]["of"] for test in BOOKS[name]["tests"]}
        assert used == set(BOOKS[name]["played"])


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
def test_the_script_reproduces_every_file() -> None:
    files = vectors.files()
    assert {path.name for path in FOLDER.iterdir()} == set(files)
    for name, text in files.items():
        assert (FOLDER / name).read_text() == text, f"{name}: python -m tests.support.vectors --write"


@pytest.mark.parametrize(
    "value", [None, True, 0, -1, 2**53 - 1, 2**53, -(2**53), 2**64 - 1, "text", b"", b"bytes", (), (b"", ("a", (1,)))]
)
def test_plain_values_are_read_as_they_were_written(value: object) -> None:
    written = json.loads(json.dumps(write("plain", value)))
    again = read("plain", written)
    assert (again, type(again)) == (value, type(value))
    assert fault(SCHEMA["$defs"]["plain"], written) is None


def test_the_vectors_ship_in_the_wheel() -> None:
    root = Path(__file__).parents[1]
    assert FOLDER.is_relative_to(root / "client")
    assert 'packages = ["client", "p2p", "protocol", "games"]' in (root / "pyproject.toml").read_text()
    ignored = (root / ".gitignore").read_text().split()
    assert not {"*.json", "vectors", "vectors/"} & set(ignored)
