"""Pages lead where they say: to files and headings that exist, and to tests and folders that exist."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from tests.support.paths import ROOT

ELSEWHERE: Final = (
    *(ROOT / ".github").glob("*.md"),
    ROOT / "packages" / "README.md",
    ROOT / "tests" / "attacks" / "README.md",
)
PAGES: Final = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ELSEWHERE])
NAMES: Final = [str(page.relative_to(ROOT)) for page in PAGES]
FENCED: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
TARGET: Final = re.compile(r"\]\(([^)\s]+)(?: \"[^\"]*\")?\)|(?:src|href)=\"([^\"]+)\"")
SPECIFIES: Final = re.compile(r"SPEC\.md$|spec-")
"""Pages whose sentences and formulas have the same texts and symbols."""
TESTS: Final = sorted((ROOT / "tests").rglob("test_*.py"))


@cache
def prose(page: Path) -> str:
    """Returns a page without its blocks of code."""
    return FENCED.sub("", page.read_text("utf-8"))


@cache
def anchors(page: Path) -> set[str]:
    """Returns what a link to a heading of a page may be, as GitHub makes it: the second of two equal ones ends in
    "-1".
    """
    found: list[str] = []
    for heading in re.findall(r"^#{1,6} (.+)$", prose(page), re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip().lower())
        slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        alike = sum(re.fullmatch(rf"{re.escape(slug)}(-\d+)?", other) is not None for other in found)
        found.append(f"{slug}-{alike}" if alike else slug)
    return set(found)


def links(page: Path) -> list[str]:
    """Returns the links of a page to other files of this repository, and to its own headings."""
    found = [first or second for first, second in TARGET.findall(prose(page))]
    return [link for link in found if not re.match(r"[a-z]+:", link)]


def test_there_are_links_and_headings_to_look_at() -> None:
    assert len(PAGES) > 20
    assert sum(map(len, map(links, PAGES))) > 100
    assert "a-new-ask" in anchors(ROOT / "docs" / "architecture.md")


def leads(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    return target.exists() and (not anchor or target.suffix != ".md" or anchor in anchors(target))


def test_every_link_leads_to_a_file_and_a_heading() -> None:
    assert [(name, link) for name in NAMES for link in links(ROOT / name) if not leads(ROOT / name, link)] == []


def test_a_page_for_people_quotes_with_curly_quotation_marks() -> None:
    found = {}
    for name in NAMES:
        text = re.sub(r"^ {4}.*$|`[^`]*`|<[^>]*>", "", prose(ROOT / name), flags=re.MULTILINE)
        found[name] = [line for line in text.splitlines() if '"' in line or re.search(r"\w'\w", line)]
    assert {name: lines for name, lines in found.items() if lines and not SPECIFIES.search(name)} == {}


def test_a_specification_quotes_with_straight_quotation_marks_as_its_formulas_do() -> None:
    names = list(filter(SPECIFIES.search, NAMES))
    assert len(names) > 4
    lines = [(name, line) for name in names for line in prose(ROOT / name).splitlines()]
    assert [(name, line) for name, line in lines if not set(line).isdisjoint("“”‘’")] == []


@cache
def functions() -> set[str]:
    """Returns the names of all tests."""
    return {
        name
        for path in TESTS
        for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
    }


def test_every_test_that_a_page_names_exists() -> None:
    files = {f"/{path.relative_to(ROOT)}" for path in TESTS}
    for name in NAMES:
        for named in re.findall(r"`((?:[\w/]+/)?test_\w+(?:\.py)?)`", prose(ROOT / name)):
            if named.endswith(".py"):
                assert any(file.endswith(f"/{named}") for file in files), (name, named)
            else:
                assert named in functions(), (name, named)


def test_every_path_that_a_page_names_exists() -> None:
    named = re.compile(r"`((?:client|docs|games|p2p|protocol|tests)/[\w./-]*)`")
    found = [(name, path) for name in NAMES for path in named.findall(prose(ROOT / name))]
    assert [(name, path) for name, path in found if not (ROOT / path).exists()] == []
