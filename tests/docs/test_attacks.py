"""docs/attacks.md: every attack has sections of SPEC.md and tests, and all of them exist."""

from __future__ import annotations

import re

from tests.support.paths import ROOT
from tests.support.spec import whole

ATTACKS = (ROOT / "docs" / "attacks.md").read_text("utf-8")
HELD = (ROOT / "tests" / "attacks" / "README.md").read_text("utf-8")


def rows() -> list[tuple[str, str]]:
    """Returns the number and the sections of every attack that sections and tests are named for."""
    return re.findall(r"^\| (\d+) \| (\d[\d., ]*) \| `test_\w+`(?: `test_\w+`)* \|$", HELD, re.MULTILINE)


def test_attacks_are_numbered() -> None:
    numbers = re.findall(r"^(\d+)\. \*\*", ATTACKS, re.MULTILINE)
    assert len(numbers) > 50
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    assert numbers == [number for number, _ in rows()]


def test_the_tests_that_are_named_exist() -> None:
    there = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        there |= set(re.findall(r"^(?:async )?def (test_\w+)", path.read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"`(test_\w+)`", HELD))
    assert named - there == set()


def test_the_sections_that_are_named_exist() -> None:
    there = set(re.findall(r"^#+ (\d+(?:\.\d+)?) ", whole(), re.MULTILINE))
    named = {section for _, sections in rows() for section in sections.split(", ")}
    named |= set(re.findall(r"section (\d+)", ATTACKS))
    assert named - there == set()
