"""`kimberley review` says in a sentence why there is no review, and destroys nothing."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from kimberley.client.cli import review
from kimberley.client.cli.main import main
from tests.support.full_disk import full_disk
from tests.support.reviewed import finished


def test_what_is_no_record_has_no_review(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.kdt"
    path.write_bytes(b"nothing")
    assert main(["review", str(path)]) == 1
    assert f"{path} cannot be reviewed: " in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [path], "nothing is kept"


@pytest.mark.parametrize("name", ["game.kdt", "game.kdt.review.json"])
def test_a_page_takes_the_place_of_neither_the_record_nor_its_review(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, link = tmp_path / "game.kdt", tmp_path / "page.html"
    record.write_bytes(b"a record")
    link.symlink_to(name)
    for page in (tmp_path / name, link):
        assert main(["review", str(record), "--html", str(page)]) == 1
        assert f"{page} would be overwritten, but is still needed" in capsys.readouterr().err
    assert record.read_bytes() == b"a record"


@pytest.mark.slow
def test_a_page_that_does_not_fit_on_the_disk_is_told_beside_the_review(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = finished("diamond")
    monkeypatch.setattr(review, "game_in", lambda *_: replace(whole, story=whole.story[:8]))
    record, page = tmp_path / "game.kdt", tmp_path / "page.html"
    record.write_bytes(b"a record")
    with full_disk(64):
        assert main(["review", str(record), "--level", "1", "--html", str(page)]) == 1
    said = capsys.readouterr()
    assert "accuracy" in said.out
    assert f"Could not write {page}: File too large." in said.err
    assert list(tmp_path.iterdir()) == [record]
    assert main(["review", str(record), "--level", "1", "--html", str(page)]) == 0
    assert page.read_text().startswith("<!")


@pytest.mark.slow
def test_on_a_terminal_lines_are_broken_between_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = finished("diamond")
    monkeypatch.setattr(review, "game_in", lambda *_: replace(whole, story=whole.story[:8]))
    record = tmp_path / "game.kdt"
    record.write_bytes(b"a record")
    assert main(["review", str(record), "--level", "1"]) == 0
    piped = capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    assert main(["review", str(record), "--level", "1"]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, piped.splitlines())) > 40
    assert max(map(len, shown.splitlines())) < 40
    assert shown.split() == piped.split()
