"""docs/attacks.md: every attack has a section of SPEC.md and tests, and all of them exist."""

from __future__ import annotations

import re

from tests.attacks.__main__ import attacks
from tests.support.paths import ROOT

ATTACKS = (ROOT / "docs" / "attacks.md").read_text("utf-8")
PROMISED, _, REST = ATTACKS.partition("\n## Not promised")
TESTED = REST.partition("\n## Tests")[2]


def rows() -> list[tuple[str, str, str, str]]:
    """Number, attack, what happens, and sections, of every attack."""
    found = []
    for line in PROMISED.splitlines():
        if re.match(r"\| \d", line):
            number, attack, happens, sections = (cell.strip() for cell in line.strip("|").split("|"))
            found.append((number, attack, happens, sections))
    return found


def test_attacks_are_numbered() -> None:
    numbers = [number for number, *_ in rows()]
    assert len(numbers) > 50
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]


def test_every_promise_names_a_section_and_a_test() -> None:
    tested = dict(re.findall(r"^\| (\d+) \| (`test_\w+`(?: `test_\w+`)*) \|$", TESTED, re.MULTILINE))
    assert {*tested} == {number for number, *_ in rows()}
    for _, attack, _, sections in rows():
        assert re.fullmatch(r"\d+(\.\d+)?(, \d+(\.\d+)?)*", sections), attack


def test_the_tests_that_are_named_exist() -> None:
    there = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        there |= set(re.findall(r"^(?:async )?def (test_\w+)", path.read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"`(test_\w+)`", ATTACKS))
    assert named - there == set()


def test_the_sections_that_are_named_exist() -> None:
    spec = (ROOT / "SPEC.md").read_text("utf-8")
    there = set(re.findall(r"^#+ (\d+(?:\.\d+)?) ", spec, re.MULTILINE))
    named = {section for *_, sections in rows() for section in sections.split(", ")}
    named |= set(re.findall(r"section (\d+)", ATTACKS))
    assert named - there == set()


def test_every_attack_that_is_run_again_is_named() -> None:
    hostile = (ROOT / "docs" / "hostile.md").read_text("utf-8")
    assert {*attacks()} - {*re.findall(r"`([\w-]+)`", hostile)} == set()
