"""What a target is given and says has the shape that ships beside the vectors, and the transcript there is true."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from tests.conformance.target_transcript import FOLDER, transcript
from tests.support.spec import section

SCHEMA: Final[dict[str, Any]] = json.loads((FOLDER / "schema.json").read_text())
VALIDATOR: Final = Draft202012Validator(SCHEMA)
TRANSCRIPT: Final = (FOLDER / "transcript.jsonl").read_text()
KINDS: Final = {"job": "role", "do": "do", "event": "event"}


def of(kind: str) -> set[str]:
    """Returns the names of the lines of a kind that the schema knows."""
    return {one["properties"][KINDS[kind]]["const"] for one in SCHEMA["$defs"][kind]["anyOf"]}


def test_the_transcript_is_what_two_targets_say(tmp_path: Path) -> None:
    assert transcript(lambda name: tmp_path / name) == TRANSCRIPT, (
        "python -m tests.conformance.target_transcript --write"
    )


def test_the_schema_is_a_json_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_every_line_of_the_transcript_fits_the_schema() -> None:
    for text in TRANSCRIPT.splitlines():
        _, way, line = json.loads(text)
        kind = "event" if way == "says" else "job" if "role" in line else "do"
        VALIDATOR.evolve(schema={"$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]}).validate(line)
        VALIDATOR.validate(line)


def test_the_schema_has_the_lines_and_entries_of_section_29() -> None:
    text = section(29)
    tables = [dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", part, re.M)) for part in text.split("\n\n")]
    roles, entries, does, events = (table for table in tables if table)
    assert (set(roles), set(does) - {"do"}, set(events)) == (of("job"), of("do"), of("event"))
    jobs = {name for one in SCHEMA["$defs"]["job"]["anyOf"] for name in one["properties"]} - {"role"}
    written = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| (?:host|others|join|all|verify|referee)", text, re.M)
    assert jobs == {name for names in written for name in re.findall(r"`(\w+)`", names)}
    assert entries
    for one in SCHEMA["$defs"]["event"]["anyOf"]:
        row = events[one["properties"]["event"]["const"]].split("|")[0]
        assert set(re.findall(r"`(\w+)`", row)) == set(one["required"]) - {"event"}, one


@pytest.mark.parametrize(
    "line",
    [
        {"event": "verdict", "code": "fair", "seats": [0], "absent": [], "step": 0, "stage": 0},
        {"event": "words", "seat": 0, "words": "season package trombone sunlight"},
        {"event": "words", "seat": 0, "words": ["season", "package", "trombone", "sunlight", "zoo"]},
        {"event": "answered", "step": "1", "answer": 4},
        {"event": "guilty", "seat": 6, "step": 1, "stage": 0},
        {"role": "join"},
        {"do": "say"},
    ],
)
def test_a_line_of_another_shape_is_found(line: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid(line)
