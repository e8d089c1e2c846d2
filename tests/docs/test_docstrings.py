"""A function's docstring begins with a verb, as CONTRIBUTING.md says: "Returns whether ...", not "Whether ..."."""

from __future__ import annotations

import ast
import re
from typing import Final

import pytest

from tests.support.effort import one_is_quick
from tests.support.paths import ROOT
from tests.tools import house

FEWEST: Final = 100
"""Docstrings of functions in the smallest room."""
VERB: Final = re.compile(r"([A-Z][a-z-]*s|Called|See)\b")
"""The third person; "Called when ..." of a handler, and where else to read. Nouns of several things slip through."""


def is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in function.decorator_list)


@pytest.mark.parametrize("folder", one_is_quick("protocol", house.LAYERS))
def test_a_docstring_begins_with_a_verb(folder: str) -> None:
    documented = [
        (str(path.relative_to(ROOT)), node.name, docstring)
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in house.statements(house.parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not is_property(node)
        if (docstring := ast.get_docstring(node))
    ]
    assert len(documented) >= FEWEST
    assert [one for one in documented if not VERB.match(one[2])] == []


@pytest.mark.parametrize(
    "docstring", ["Whether it is open.", "What is left.", "The gems.", "`name` is new.", "Return it."]
)
def test_other_beginnings_are_found(docstring: str) -> None:
    assert VERB.match(docstring) is None
