"""The pictures in docs/pictures: they show the screens as they are, pages refer to all of them, and none is missing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest

from kimberley.client.screens.app import App
from kimberley.games import lookup
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.table import Hidden, Result
from kimberley.protocol.audit import audit
from tests.support import picture_scenes
from tests.support.effort import spread, tries
from tests.support.paths import ROOT
from tests.support.picture_scenes import MOVING, SCENES, SMALL
from tests.support.pretend import PretendTable
from tests.support.recorded_table import RECORD, RecordedTable
from tests.tools import pictures

PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
MOST_BYTES = 2_000_000
"""Of all pictures together: everybody who clones the repository gets them."""


def referred() -> set[Path]:
    """Returns the pictures that pages refer to."""
    links = (
        (page, link) for page in PAGES for link in re.findall(r"\]\(([^)\s]*pictures/[^)\s]+)\)", page.read_text())
    )
    return {(page.parent / link).resolve() for page, link in links}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", spread(12, tries([name for name in pictures.ALL if name not in pictures.DRAWN], pictures.ALL))
)
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
    assert RECORD.relative_to(ROOT).as_posix() in text


WITNESSED: Final = {
    "recorded_bribe": ("Bribe (1)", "$ 9"),
    "recorded_heart": ("(1) now reports to you: bribes of $9 exceed its salary of $6.", "(1)♥"),
    "recorded_plan": ("ADJUST", "(1)♥ reports: stays in Huila, offers $7, Inspector $3", "stays $7"),
    "recorded_change": ("ADJUST", "stays $9"),
    "recorded_month": ("This month", "[1] takes ◆ 8"),
    "recorded_end": ("You win", "18 to 6"),
    "recorded_dossier": ("the dossier", "[1] → (1)♥ double agent"),
}
"""What can be read on each frame of the README's picture."""


@pytest.mark.slow
def test_all_frames_of_the_picture_that_moves_come_from_one_record_and_choose_what_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = audit(RECORD.read_bytes(), lookup.find)
    assert game.verdict.code == "fair"
    seated: list[RecordedTable] = []

    def at_recorded_table(table: PretendTable, *keys: str, **more: Any) -> App:
        assert isinstance(table, RecordedTable)
        assert table.recorded.record == game.record
        seated.append(table)
        return at_table(table, *keys, **more)

    at_table = picture_scenes.at_table
    monkeypatch.setattr(picture_scenes, "at_table", at_recorded_table)
    for frame in MOVING["game"]:
        text = "\n".join(pictures.canvas_of(frame.play, SMALL).lines())
        assert [said for said in WITNESSED[frame.play.__name__] if said not in text] == [], text
    assert len(seated) == len(MOVING["game"])
    for table in seated:
        if not isinstance(table.ask, Result):
            # Fails if the screen has chosen anything else than the record has.
            table.answer()
    changed = seated[list(WITNESSED).index("recorded_change")]
    assert changed.chosen[-1] == changed.story[-1][1][0]
    assert changed.chosen[-1] != picture_scenes.Recorded(4, RoundStep.MOVE).state.plan[0]


@pytest.mark.slow
def test_a_recorded_game_takes_no_other_choice_than_the_record_has() -> None:
    game = picture_scenes.Recorded(4, RoundStep.MOVE)
    plan = game.state.plan[0]
    assert not isinstance(plan, Hidden)
    game.table.play.choose(plan)
    with pytest.raises(AssertionError, match="was answered"):
        game.table.answer()


def test_the_pictures_are_small() -> None:
    assert sum(path.stat().st_size for path in pictures.PICTURES.iterdir()) < MOST_BYTES


@pytest.mark.slow
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
