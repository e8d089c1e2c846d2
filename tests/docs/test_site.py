"""The site: its contents list every page once, and the workflow builds it as CONTRIBUTING.md and .ci/run do."""

from __future__ import annotations

import re
from typing import Final

from tests.support.paths import ROOT

CONTENTS: Final = ROOT / "docs" / "index.md"
PAGES: Final = {*ROOT.glob("*.md"), *CONTENTS.parent.glob("*.md"), ROOT / "tests/attacks/README.md"}
PARTS: Final = [
    "Play",
    "Play together",
    "The games",
    "After the game",
    "Computer opponents",
    "Club nights",
    "Is it fair?",
    "Build your own",
    "Inside Kimberley",
]


def test_the_contents_list_every_page_once() -> None:
    text = CONTENTS.read_text("utf-8")
    listed = [(CONTENTS.parent / link).resolve() for link in re.findall(r"^- \[[^]]+\]\(([^)#]+\.md)\)", text, re.M)]
    assert sorted(listed) == sorted(PAGES - {CONTENTS})
    assert re.findall(r"^## (.+)$", text, re.M) == PARTS


def test_a_page_links_to_pages_of_the_site_only() -> None:
    for page in PAGES:
        links = re.findall(r"\]\((?!\w+:)([^)#\s]+\.md)(?:#[^)]*)?\)", page.read_text("utf-8"))
        assert {(page.parent / link).resolve() for link in links} - PAGES == set(), page


def test_it_is_built_by_one_line() -> None:
    pattern = re.search(r"grep -oE '(.*sphinx-build.*)' CONTRIBUTING\.md", _text(".ci/run"))
    assert pattern is not None
    lines = re.findall(pattern[1], _text("CONTRIBUTING.md"), re.M)
    assert len(lines) == 1
    assert f"run: {lines[0]}\n" in _text(".github/workflows/tests.yml")
    assert " -W " in lines[0]


def _text(path: str) -> str:
    return (ROOT / path).read_text("utf-8")
