"""One file of vectors: how values are written, the tests that it holds, and the schema of all files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kimberley.games.table import Plain
from kimberley.protocol.crypto.group import Group
from kimberley.protocol.crypto.hashing import Context
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.envelope import REVISION
from tests.conformance.vectors.functions import Given, Past, Played
from tests.conformance.vectors.table_functions import FUNCTIONS

SAFE: Final = 2**53
"""Integers below it, and above its negative, are JSON numbers that every reader takes exactly."""
JUDGES: Final = ("follow", "judge", "audit", "spoil")
"""Functions that give something about wrong input, too."""


def write(kind: str, value: Any) -> Any:
    """Returns a value of a kind as a file holds it."""
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
        case "past":
            return {"of": value.of, "before": _write_plain(value.before), "instead": _write_plain(value.instead)}
        case "played":
            stages = [[*at, _write_bodies(bodies), _write_bodies(left)] for *at, bodies, left in value.stages]
            return {"table": _write_plain(value.table), "stages": stages}
    return value


def read(kind: str, value: Any) -> Any:
    """Returns the value that a file holds: the other way round."""
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
        case "past":
            return Past(value["of"], _pair(value["before"]), _others(value["instead"]))
        case "played":
            stages = [
                (step, at, _read_bodies(bodies), _read_bodies(left)) for step, at, bodies, left in value["stages"]
            ]
            return Played(_read_plain(value["table"]), tuple(stages))
    return value


def _pair(slot: Any) -> tuple[int, int] | None:
    return None if slot is None else (slot[0], slot[1])


def _others(instead: Any) -> tuple[tuple[int, int, int, Plain], ...]:
    return tuple((step, stage, seat, _read_plain(body)) for step, stage, seat, body in instead)


def _write_bodies(bodies: Mapping[int, Plain]) -> Any:
    return [[seat, _write_plain(body)] for seat, body in sorted(bodies.items())]


def _read_bodies(bodies: Any) -> dict[int, Plain]:
    return {seat: _read_plain(body) for seat, body in bodies}


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
    """One file: its name without the ending, the sections of SPEC.md that it covers, and what it says of them.

    `flags` say of each kind of wrong input what is wrong, and what is to be done about it. `shared` is what many tests
    refer to.
    """

    name: str
    sections: str
    about: str
    flags: dict[str, tuple[str, str]] = field(default_factory=dict)
    tests: list[dict[str, Any]] = field(default_factory=list)
    shared: dict[str, Played] = field(default_factory=dict)

    def add(self, name: str, comment: str, given: Mapping[str, Any], *flags: str) -> Any:
        """Adds a test of a function, with wrong input if it has flags. Returns what the function gives."""
        function = FUNCTIONS[name]
        assert all(flag in self.flags for flag in flags), flags
        given = {key: given[key] for key in function.takes}
        gives = function.run(RISTRETTO, _resolved(given, self.shared))
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
        played = {name: write("played", played) for name, played in self.shared.items()}
        return _rendered(
            {
                "revision": REVISION,
                "sections": self.sections,
                "about": self.about,
                "flags": {name: {"wrong": wrong, "then": then} for name, (wrong, then) in self.flags.items()},
                **({"played": played} if played else {}),
                "tests": self.tests,
            }
        )


def _resolved(given: Mapping[str, Any], shared: Mapping[str, Played]) -> dict[str, Any]:
    return {key: value.within(shared) if isinstance(value, Past) else value for key, value in given.items()}


def shared_of(book: Mapping[str, Any]) -> dict[str, Played]:
    """Returns what the tests of a file refer to."""
    return {name: read("played", played) for name, played in book.get("played", {}).items()}


def run(test: Mapping[str, Any], g: Group, shared: Mapping[str, Played]) -> Given:
    """Returns what the code gives for a test of a file."""
    function = FUNCTIONS[test["function"]]
    given = {key: read(kind, test["given"][key]) for key, kind in function.takes.items()}
    return function.run(g, _resolved(given, shared))


def expected(test: Mapping[str, Any]) -> Given:
    """Returns what the file says that it gives."""
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
    "past": {
        "description": "Stages of what is `played` under a name: those `before` a slot, or all, with bodies `instead`.",
        "type": "object",
        "properties": {
            "of": {"type": "string"},
            "before": {"anyOf": [{"type": "null"}, {"type": "array", "items": {"type": "integer"}, "minItems": 2}]},
            "instead": {"type": "array", "items": {"$ref": "#/$defs/plain"}},
        },
        "required": ["of", "before", "instead"],
        "additionalProperties": False,
    },
    "played": {
        "description": "A table as in a record, and its stages: step, stage, bodies and leaves with their seats.",
        "type": "object",
        "properties": {
            "table": {"$ref": "#/$defs/plain"},
            "stages": {
                "type": "array",
                "items": {
                    "type": "array",
                    "prefixItems": [
                        {"type": "integer"},
                        {"type": "integer"},
                        {"$ref": "#/$defs/bodies"},
                        {"$ref": "#/$defs/bodies"},
                    ],
                    "minItems": 4,
                },
            },
        },
        "required": ["table", "stages"],
        "additionalProperties": False,
    },
    "bodies": {
        "type": "array",
        "items": {"type": "array", "prefixItems": [{"type": "integer"}, {"$ref": "#/$defs/plain"}], "minItems": 2},
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
    """Returns the JSON Schema of every file."""
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
        "played": {"type": "object", "additionalProperties": {"$ref": "#/$defs/played"}},
        "tests": {"type": "array", "minItems": 1, "items": {"anyOf": tests}},
    }
    return _rendered(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Vectors of the Kimberley wire protocol",
            "type": "object",
            "properties": properties,
            "required": [name for name in properties if name != "played"],
            "additionalProperties": False,
            "$defs": KINDS,
        }
    )


def _rendered(value: Any) -> str:
    return json.dumps(value, indent=1) + "\n"
