"""One file of vectors: how values are written, the tests that it holds, and the schema of all files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from games.table import Plain
from protocol.crypto.group import RISTRETTO, Group
from protocol.crypto.hashing import Context
from protocol.envelope import REVISION
from tests.support.vector_functions import FUNCTIONS, Given

SAFE: Final = 2**53
"""Integers below it, and above its negative, are JSON numbers that every reader takes exactly."""
JUDGES: Final = ("follow", "judge")
"""Functions that give something about wrong input, too."""


def write(kind: str, value: Any) -> Any:
    """A value of a kind as it stands in a file."""
    match kind:
        case "bytes":
            return value.hex()
        case "scalar":
            return RISTRETTO.encode_scalar(value).hex()
        case "list" | "scalars":
            return [write(kind.removesuffix("s") if kind == "scalars" else "bytes", one) for one in value]
        case "seats" | "keys":
            return [[seat, write("bytes" if kind == "seats" else "scalar", one)] for seat, one in value]
        case "context":
            return {"game": value.game.hex(), "step": value.step, "stage": value.stage, "seat": value.seat}
        case "plain":
            return _write_plain(value)
    return value


def read(kind: str, value: Any) -> Any:
    """The other way round."""
    match kind:
        case "bytes":
            return bytes.fromhex(value)
        case "scalar":
            return int.from_bytes(bytes.fromhex(value), "little")
        case "list" | "scalars":
            return [read("scalar" if kind == "scalars" else "bytes", one) for one in value]
        case "seats" | "keys":
            return [(seat, read("bytes" if kind == "seats" else "scalar", one)) for seat, one in value]
        case "context":
            return Context(bytes.fromhex(value["game"]), value["step"], value["stage"], value["seat"])
        case "plain":
            return _read_plain(value)
    return value


def _write_plain(value: Plain) -> Any:
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, tuple | list):
        return [_write_plain(entry) for entry in value]
    if type(value) is int and not -SAFE < value < SAFE:
        return {"integer": str(value)}
    return value


def _read_plain(value: Any) -> Plain:
    match value:
        case {"bytes": str() as data}:
            return bytes.fromhex(data)
        case {"integer": str() as digits}:
            return int(digits)
        case list():
            return tuple(map(_read_plain, value))
    plain: Plain = value
    return plain


@dataclass
class Book:
    """One file: its name without the ending, the sections of SPEC.md that it is of, and what it says of them.

    `flags` say of each kind of wrong input what is wrong, and what is to be done about it.
    """

    name: str
    sections: str
    about: str
    flags: dict[str, tuple[str, str]] = field(default_factory=dict)
    tests: list[dict[str, Any]] = field(default_factory=list)

    def add(self, name: str, comment: str, given: Mapping[str, Any], *flags: str) -> Any:
        """A test of a function; wrong input if it has flags. Returns what the function gives."""
        function = FUNCTIONS[name]
        assert all(flag in self.flags for flag in flags), flags
        given = {key: given[key] for key in function.takes}
        gives = function.run(RISTRETTO, given)
        assert (gives is None) == (bool(flags) and name not in JUDGES), (self.name, name, comment)
        self.tests.append(
            {
                "id": len(self.tests) + 1,
                "function": name,
                "comment": comment,
                "flags": list(flags),
                "result": "invalid" if flags else "valid",
                "given": {key: write(kind, given[key]) for key, kind in function.takes.items()},
                "gives": gives if gives is None else {k: write(kind, gives[k]) for k, kind in function.gives.items()},
            }
        )
        return gives

    def render(self) -> str:
        used = {flag for test in self.tests for flag in test["flags"]}
        assert used == set(self.flags), used ^ set(self.flags)
        return _rendered(
            {
                "revision": REVISION,
                "sections": self.sections,
                "about": self.about,
                "flags": {name: {"wrong": wrong, "then": then} for name, (wrong, then) in self.flags.items()},
                "tests": self.tests,
            }
        )


def run(test: Mapping[str, Any], g: Group) -> Given:
    """What the code gives for a test of a file."""
    function = FUNCTIONS[test["function"]]
    return function.run(g, {key: read(kind, test["given"][key]) for key, kind in function.takes.items()})


def expected(test: Mapping[str, Any]) -> Given:
    """What the file says that it gives."""
    kinds = FUNCTIONS[test["function"]].gives
    return None if test["gives"] is None else {key: read(kind, test["gives"][key]) for key, kind in kinds.items()}


KINDS: Final[dict[str, dict[str, Any]]] = {
    "bytes": {"type": "string", "pattern": "^([0-9a-f]{2})*$"},
    "scalar": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "integer": {"type": "integer"},
    "text": {"type": "string"},
    "list": {"type": "array", "items": {"$ref": "#/$defs/bytes"}},
    "scalars": {"type": "array", "items": {"$ref": "#/$defs/scalar"}},
    "seats": {
        "description": "Pairs of a seat and bytes.",
        "type": "array",
        "items": {"type": "array", "prefixItems": [{"type": "integer"}, {"$ref": "#/$defs/bytes"}], "minItems": 2},
    },
    "keys": {
        "description": "Pairs of a seat and a scalar.",
        "type": "array",
        "items": {"type": "array", "prefixItems": [{"type": "integer"}, {"$ref": "#/$defs/scalar"}], "minItems": 2},
    },
    "context": {
        "type": "object",
        "properties": {
            "game": {"$ref": "#/$defs/bytes"},
            "step": {"type": "integer"},
            "stage": {"type": "integer"},
            "seat": {"type": "integer"},
        },
        "required": ["game", "step", "stage", "seat"],
        "additionalProperties": False,
    },
    "plain": {
        "description": "A plain value: bytes and integers beyond 2^53 as objects, everything else as JSON has it.",
        "anyOf": [
            {"type": ["null", "boolean", "integer", "string"]},
            {"type": "array", "items": {"$ref": "#/$defs/plain"}},
            {
                "type": "object",
                "properties": {"bytes": {"$ref": "#/$defs/bytes"}},
                "required": ["bytes"],
                "additionalProperties": False,
            },
            {
                "type": "object",
                "properties": {"integer": {"type": "string", "pattern": "^-?[0-9]+$"}},
                "required": ["integer"],
                "additionalProperties": False,
            },
        ],
    },
}


def _fields(kinds: Mapping[str, str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"$ref": f"#/$defs/{kind}"} for name, kind in kinds.items()},
        "required": list(kinds),
        "additionalProperties": False,
    }


def schema() -> str:
    """The JSON Schema of every file."""
    text, tests = {"type": "string"}, []
    for name, function in FUNCTIONS.items():
        properties = {
            "id": {"type": "integer"},
            "function": {"const": name},
            "comment": text,
            "flags": {"type": "array", "items": text},
            "result": {"enum": ["valid", "invalid"]},
            "given": _fields(function.takes),
            "gives": {"anyOf": [{"type": "null"}, _fields(function.gives)]},
        }
        required = list(properties)
        tests.append({"type": "object", "properties": properties, "required": required, "additionalProperties": False})
    flag = {"type": "object", "properties": {"wrong": text, "then": text}, "required": ["wrong", "then"]}
    properties = {
        "revision": {"const": REVISION},
        "sections": text,
        "about": text,
        "flags": {"type": "object", "additionalProperties": {**flag, "additionalProperties": False}},
        "tests": {"type": "array", "minItems": 1, "items": {"anyOf": tests}},
    }
    return _rendered(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Vectors of the Kimberley wire protocol",
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
            "$defs": KINDS,
        }
    )


def _rendered(value: Any) -> str:
    return json.dumps(value, indent=1) + "\n"
