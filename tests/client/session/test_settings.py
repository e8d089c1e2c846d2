"""What a user has chosen once: kept, tolerant, whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from kimberley.client.session.settings import (
    FILE,
    NICKNAME_LIMIT,
    Settings,
    clean_nickname,
    data_folder,
    load,
    login_name,
)


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    settings = load(folder)
    settings.nickname, settings.level, settings.calm, settings.colours = "ana", 17, True, "8-bit"
    settings.quiet, settings.audio, settings.music_volume, settings.sound_volume = True, "on", 0, 10
    settings.save()
    assert load(folder) == settings
    assert [path.name for path in folder.iterdir()] == [FILE]


@pytest.mark.parametrize("garbage", ["", "nonsense", "[1, 2]", "null", '"text"', "{", "\x00\xff"])
def test_garbage_counts_as_nothing_chosen(tmp_path: Path, garbage: str) -> None:
    (tmp_path / FILE).write_text(garbage, encoding="latin-1")
    assert load(tmp_path) == Settings()


def test_a_choice_that_makes_no_sense_is_its_default(tmp_path: Path) -> None:
    kept = {"level": 99, "colours": "mauve", "glyphs": 7, "calm": 1, "notices": "loud", "game": "land",
            "nickname": " a\x1bna ", "path": "/", "last_look": -3, "more": {},
            "audio": "loud", "music_volume": 11, "sound_volume": -1, "quiet": 1}  # fmt: skip
    (tmp_path / FILE).write_text(json.dumps(kept))
    assert load(tmp_path) == Settings(nickname="ana", game="land")


def test_a_folder_that_cannot_be_written_to_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    settings = load(tmp_path / "file" / "below")
    settings.save()
    assert load(tmp_path / "file" / "below") == Settings()


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load(tmp_path)
    settings.nickname = "before"
    settings.save()

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", full)
    settings.nickname = "after"
    settings.save()
    assert load(tmp_path).nickname == "before"
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_the_nickname_is_the_login_name_until_it_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "emeka")
    settings = Settings()
    assert settings.name == login_name() == "emeka"
    settings.nickname = "ana"
    assert settings.name == "ana"


def test_what_the_command_line_chooses_holds_for_one_run(tmp_path: Path) -> None:
    settings = load(tmp_path)
    settings.nickname = "ana"
    settings.override(nickname="eve", colours="none", calm=True)
    assert (settings.name, settings.calm) == ("eve", True)
    settings.level = 9
    settings.colours = "4-bit"
    settings.save()
    assert load(tmp_path) == Settings(nickname="ana", level=9, colours="4-bit")


def test_nicknames_are_visible_and_not_too_long() -> None:
    assert clean_nickname("  ana \x1b[31m\u202e b  ") == "ana [31m b"
    assert len(clean_nickname("x" * 99)) == NICKNAME_LIMIT


def test_the_data_folder_is_the_one_given(tmp_path: Path) -> None:
    assert data_folder(tmp_path) == tmp_path
    assert data_folder().name == "kimberley"
