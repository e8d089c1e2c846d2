"""The pictures in docs/pictures: they show the screens as they are, pages refer to all of them, and none is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.picture_scenes import MOVING, SCENES
from tests.tools import pictures

PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
MOST_BYTES = 2_000_000
"""Of all pictures together: everybody who clones the repository gets them."""


def referred() -> set[Path]:
    """The pictures that pages refer to."""
    links = (
        (page, link) for page in PAGES for link in re.findall(r"\]\(([^)\s]*pictures/[^)\s]+)\)", page.read_text())
    )
    return {(page.parent / link).resolve() for page, link in links}


@pytest.mark.slow
@pytest.mark.parametrize("name", pictures.ALL)
def test_a_picture_shows_the_screen_as_it_is(name: str) -> None:
    assert pictures.is_current(name), f"draw it anew: python -m tests.tools.pictures {name}"


def test_pages_refer_to_every_picture_and_to_no_other() -> None:
    assert referred() == set(pictures.PICTURES.iterdir())
    assert {pictures.path_of(name) for name in SCENES} <= referred()


def test_the_readme_opens_with_a_picture_that_moves_for_about_20_seconds() -> None:
    first = re.search(r"\]\(([^)\s]*pictures/[^)\s]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert first is not None
    text = (ROOT / first[1]).read_text("utf-8")
    assert {float(seconds) for seconds in re.findall(r"animation:k\d+ ([\d.]+)s", text)} == {20.0}
    assert text.count('<g class="f') == len(MOVING["game"])
    assert "<script" not in text


def test_the_pictures_are_small() -> None:
    assert sum(path.stat().st_size for path in pictures.PICTURES.iterdir()) < MOST_BYTES


def test_check_names_the_pictures_that_are_not_current(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pictures, "PICTURES", tmp_path)
    assert pictures.main(["title", "setup"]) == 0
    assert pictures.main(["title", "setup", "--check"]) == 0
    pictures.path_of("setup").write_text("older")
    assert pictures.main(["title", "setup", "--check"]) == 1
    assert "setup.svg" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        pictures.main(["nothing"])
