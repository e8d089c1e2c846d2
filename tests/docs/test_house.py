"""How the code is laid out: no circles, one meaning for each class name, nothing loose, no long lines of base classes,
and a picture that is true.
"""

from __future__ import annotations

import ast
import re
from typing import Final

import pytest

from kimberley.games import lookup
from tests.support.paths import ROOT
from tests.tools import house

pytestmark = pytest.mark.slow

DEEPEST: Final = 2
"""Base classes above each other, `object` and those of other packages not counted."""
MOST_METHODS: Final = 30
"""Of a class, with its properties, without what it inherits."""


def test_no_file_leads_back_to_itself_by_its_imports() -> None:
    assert house.circles(house.import_graph()) == []


def test_a_class_name_means_one_thing() -> None:
    assert house.shared_names() == {}


def test_no_module_lies_outside_of_a_room() -> None:
    assert house.loose() == []


def test_only_an_ask_itself_its_registries_and_games_name_a_type_of_ask() -> None:
    """An ask's class says what is true of the ask, so nothing else has to change for a new one."""
    assert house.ask_users() == []


@pytest.mark.parametrize("part", ["p2p", "protocol"])
def test_the_network_and_the_protocol_name_no_game(part: str) -> None:
    folders = {path.parent.name for path in (ROOT / "games").glob("*/game.py")}
    names = folders | {*lookup.ids()}
    texts = [
        (str(path.relative_to(ROOT)), node.value)
        for path in sorted((ROOT / part).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert len(folders) == 5
    assert texts
    assert [(path, text) for path, text in texts if names & {*re.split(r"[/. ]", text)} and " " not in text] == []


def test_the_network_is_made_of_parts_and_not_of_base_classes() -> None:
    known = house.classes("p2p")
    lines = [house.lineage(name, known) for name in known]
    assert [line for line in lines if len(line) - 1 > DEEPEST] == []
    assert {name: number for name, node in known.items() if (number := len(house.methods(node))) > MOST_METHODS} == {}


def unused_in_tests(source: str) -> list[str]:
    """Returns the functions within tests that nothing in the test names: what they assert is never tried."""
    tests = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.name[:5] == "test_"]
    return [
        f"{test.name}: {inner.name}"
        for test in tests
        for inner in test.body
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef)
        and not any(isinstance(node, ast.Name) and node.id == inner.name for node in ast.walk(test))
    ]


def test_every_function_within_a_test_is_used() -> None:
    assert unused_in_tests("def test_it():\n    async def look():\n        assert False\n") == ["test_it: look"]
    found = {str(path): unused_in_tests(path.read_text("utf-8")) for path in (ROOT / "tests").rglob("test_*.py")}
    assert len(found) > 100
    assert {name: unused for name, unused in found.items() if unused} == {}


def test_boards_are_given_audited_games_and_audit_nothing() -> None:
    assert house.boards_that_audit() == []


def test_the_picture_of_the_rooms_is_drawn_from_the_code() -> None:
    rooms = house.room_graph(house.import_graph())
    drawn = house.PICTURE.search(house.PAGE.read_text("utf-8"))
    assert drawn is not None
    assert drawn.group() == house.picture(rooms), "python -m tests.tools.house --write draws it anew"
