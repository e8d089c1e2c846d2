"""What a user has chosen: kept, read with tolerance, and saved whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from kimberley.client.cli import bot, share
from kimberley.client.cli.given import given_settings
from kimberley.client.cli.main import main
from kimberley.client.cli.parser import build_parser
from kimberley.client.session.settings import FILE, Settings, data_folder, load, login_name, nickname_form
from kimberley.p2p.storage.identity import nickname_from
from kimberley.protocol.roster import MOST_NICKNAME


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
            "nickname": " a\x1bna ", "path": "/", "adjust": "9-3", "more": {},
            "audio": "loud", "music_volume": 11, "sound_volume": -1, "quiet": 1}  # fmt: skip
    (tmp_path / FILE).write_text(json.dumps(kept))
    assert load(tmp_path) == Settings(nickname="ana", game="land")


def test_what_a_later_version_has_set_stays_in_the_file(tmp_path: Path) -> None:
    later = {"nickname": "ana", "perspective": "isometric", "palette": {"gems": ["red"]}}
    (tmp_path / FILE).write_text(json.dumps(later))
    settings = load(tmp_path)
    settings.level = 9
    settings.save()
    kept = json.loads((tmp_path / FILE).read_text("utf-8"))
    assert (kept["level"], {name: kept[name] for name in later}) == (9, later)


def test_a_folder_that_cannot_be_written_to_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    settings = load(tmp_path / "file" / "below")
    settings.save()
    assert load(tmp_path / "file" / "below") == Settings()


@pytest.mark.parametrize(
    "content", [b"[" * 100_000, b'{"options": ' * 20_000, b'{"nickname": "\\ud800\\u202e", "level": 1e999}']
)
def test_settings_that_make_no_sense_are_the_defaults(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert load(tmp_path) == Settings()


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
    assert nickname_form("  ana \x1b[31m\u202e b  ") == "ana [31m b"
    assert nickname_form("I \u2665\ufe0f NY") == nickname_from("I \u2665\ufe0f NY") == "I \u2665 NY"
    assert len(nickname_form("x" * 99)) == MOST_NICKNAME


HEARTS = "I \u2665\ufe0f NY"
SEEN = "Everybody sees the name as I \u2665 NY. Names have 24 characters at most, and no invisible ones."


@pytest.mark.parametrize(
    ("typed", "told"),
    [(HEARTS, (SEEN,)), ("I \u2665 NY", ()), ("  ana   b ", ()), ("jose\u0301", ()), ("\U0001fae9 ana", None)],
)
def test_a_nickname_that_others_see_otherwise_is_told(typed: str, told: tuple[str, ...] | None, tmp_path: Path) -> None:
    found = given_settings(build_parser().parse_args(["--nickname", typed, "--data", str(tmp_path)]))
    assert found.nickname == nickname_from(typed)
    if told is None:  # A character that some Pythons do not know yet.
        assert "sees the name as ana." in found.renamed[0]
    else:
        assert found.renamed == told


def test_a_bot_and_a_shared_copy_say_so_on_standard_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(bot, "run", lambda found, settings: 0)
    monkeypatch.setattr(share, "run", lambda *_, **__: 0)
    for command in (["bot", "join"], ["share"]):
        main([*command, "--nickname", HEARTS, "--data", str(tmp_path)])
        assert capsys.readouterr() == ("", f"kimberley: {SEEN}\n")


def test_the_data_folder_is_the_one_given(tmp_path: Path) -> None:
    assert data_folder(tmp_path) == tmp_path
    assert data_folder().name == "kimberley"


@pytest.mark.parametrize(("login", "tells"), [("root", False), ("Pi", False), ("u0_a231", False), ("emeka", True)])
def test_a_login_name_that_many_have_tells_nobody_apart(
    login: str, tells: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", login)
    assert Settings().has_name == tells
    assert Settings(nickname="root").has_name, "it was chosen"
