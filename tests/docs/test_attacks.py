"""docs/attacks.md: every test that it names exists, and so does every section of SPEC.md."""

from __future__ import annotations

import re

from tests.support.paths import ROOT

ATTACKS = (ROOT / "docs" / "attacks.md").read_text()


def rows() -> list[tuple[str, str, str, str]]:
    """Attack, what happens, sections and tests, of every row of the tables."""
    found = []
    for line in re.sub("^## Files$.*?(?=^## )", "", ATTACKS, flags=re.DOTALL | re.MULTILINE).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and cells[0] != "Attack":
            attack, happens, sections, tests = cells
            found.append((attack, happens, sections, tests))
    return found


def test_every_promise_names_a_section_and_a_test() -> None:
    assert len(rows()) > 20
    for attack, _, sections, tests in rows():
        assert re.fullmatch(r"\d+(\.\d+)?(, \d+(\.\d+)?)*", sections), attack
        assert re.fullmatch(r"`test_\w+`(, `test_\w+`)*", tests), attack


def test_the_tests_that_are_named_exist() -> None:
    there = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        there |= set(re.findall(r"^(?:async )?def (test_\w+)", path.read_text(), re.MULTILINE))
    named = set(re.findall(r"`(test_\w+)`", ATTACKS))
    assert named - there == set()


def test_the_sections_that_are_named_exist() -> None:
    spec = (ROOT / "SPEC.md").read_text()
    there = set(re.findall(r"^#+ (\d+(?:\.\d+)?) ", spec, re.MULTILINE))
    named = {section for _, _, sections, _ in rows() for section in sections.split(", ")}
    named |= set(re.findall(r"section (\d+)", ATTACKS))
    assert named - there == set()
