"""The real program on a terminal, on a device that nobody hears: what it plays, and that it plays on without one."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kimberley.client.session.audio import NEEDS_PACKAGES
from tests.support.heard import null_device, wait_to_hear
from tests.support.paths import ROOT
from tests.support.program import PATIENCE
from tests.support.terminal import Terminal

NO_MUSIC = "Sound is off from now on."


def sounds(lines: list[dict[str, Any]]) -> list[str]:
    return [line["sound"] for line in lines if "sound" in line]


def has(**told: Any) -> Callable[[list[dict[str, Any]]], bool]:
    """Returns a check whether a line of the log says all of that."""
    return lambda lines: any(told.items() <= line.items() for line in lines)


def audio_process(terminal: Terminal) -> int | None:
    """Returns the ID of the audio process of a program, if it has one."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = re.search(r"PPid:\s+(\d+)", (folder / "status").read_text())
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if parent and int(parent[1]) == terminal.process.pid and b"kimberley.client.audio" in command:
            return int(folder.name)
    return None


def placed(text: str) -> list[str]:
    """Returns the moves in the list: points, and perhaps a swap of sides."""
    return re.findall(r"\b(?:[a-h][1-8]|swap)\b", text.partition("Moves")[2].partition("Move ")[0])


def play_on(terminal: Terminal) -> None:
    """Makes a move against the bot, which answers."""
    before = placed(terminal.text)
    terminal.press(*next(point for point in ("d4", "d5", "c4", "e4") if point not in before), "enter")
    terminal.wait(lambda text: len(placed(text)) == len(before) + 2 and "your move" in text)


def told(data: Path) -> str:
    """Returns the one line on audio in the log of the program, once it is there."""
    log, end = data / "log.txt", time.monotonic() + PATIENCE
    while not log.exists() or NO_MUSIC not in log.read_text("utf-8"):
        assert time.monotonic() < end
        time.sleep(0.02)
    (line,) = [line for line in log.read_text("utf-8").splitlines() if NO_MUSIC in line]
    return line


def test_a_game_is_heard_muted_and_goes_on_under_a_closed_lid(tmp_path: Path) -> None:
    log = tmp_path / "heard.jsonl"
    with Terminal("--calm", data=tmp_path, environ=null_device(log)) as terminal:
        terminal.wait("quit")
        wait_to_hear(log, has(piece="Stones"))
        terminal.press("a")
        terminal.wait("Level")
        terminal.press("left", "left", "enter")
        terminal.wait("months left")
        lines = wait_to_hear(log, has(sound="your move"))
        assert sounds(lines) == ["your move"]
        assert [line["piece"] for line in lines if "piece" in line][1:], "the game has a piece of its own"
        terminal.press("f6")
        terminal.wait("Muted")
        wait_to_hear(log, has(music=0.0, sounds=0.0))
        terminal.press("f6")
        terminal.wait("on again")
        terminal.press("f10")
        terminal.touch("Dark screen")
        terminal.wait("Your move in Diamond Trust of London.")
        assert "months left" not in terminal.text
        wait_to_hear(log, has(lid=True))
        terminal.press("x")
        terminal.wait("months left")
        wait_to_hear(log, has(lid=False))
        terminal.press("c-c", "c-c")
        assert terminal.end() == 0
    (end,) = [line for line in wait_to_hear(log, has(end=True)) if "end" in line]
    assert end["cpu_seconds"] > 0


def test_a_killed_audio_process_is_one_line_in_the_log_and_the_game_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "heard.jsonl"
    with Terminal("alone", "diamond", "--level", "1", "--calm", data=tmp_path, environ=null_device(log)) as terminal:
        terminal.wait("Enter")
        wait_to_hear(log, has(sound="your move"))
        process = audio_process(terminal)
        assert process is not None
        os.kill(process, signal.SIGKILL)
        assert "status -9" in told(tmp_path)
        play_on(terminal)
        terminal.press("m")
        terminal.wait("No audio device found.")
        play_on(terminal)
        terminal.press("c-c", "c-c")
        assert terminal.end() == 0
    assert told(tmp_path)


@pytest.mark.parametrize("output", ["winmm", "device"])
def test_a_game_plays_on_where_no_device_plays(output: str, tmp_path: Path) -> None:
    if output == "device" and Path("/proc/asound/cards").exists():
        pytest.skip("this machine may have an audio device")
    environ = {"KIMBERLEY_AUDIO": output}
    with Terminal("alone", "diamond", "--level", "1", "--calm", data=tmp_path, environ=environ) as terminal:
        terminal.wait("Enter")
        assert "No working audio device" in told(tmp_path)
        play_on(terminal)
        terminal.press("f6")
        terminal.wait("No audio device found.")
        terminal.press("c-c", "c-c")
        assert terminal.end() == 0
        assert b"ALSA" not in terminal.raw
    assert told(tmp_path)


@pytest.mark.nightly
def test_a_game_plays_on_without_the_extra(tmp_path: Path) -> None:
    environ = {"PYTHONPATH": str(ROOT / "tests/support/light"), "WITHOUT": "miniaudio", "KIMBERLEY_AUDIO": "device"}
    with Terminal("alone", "diamond", "--level", "1", "--calm", data=tmp_path, environ=environ) as terminal:
        terminal.wait("Enter")
        play_on(terminal)
        terminal.press("m")
        terminal.wait(f"No sound. {NEEDS_PACKAGES}")
        assert audio_process(terminal) is None
        terminal.press("c-c", "c-c")
        assert terminal.end() == 0


def test_nothing_is_started_over_ssh_or_in_quiet_unless_it_was_asked_for(tmp_path: Path) -> None:
    log = tmp_path / "heard.jsonl"
    environ = {"SSH_CONNECTION": "10.0.0.2 50000 10.0.0.3 22", **null_device(log)}
    with Terminal("alone", "diamond", "--level", "1", data=tmp_path, environ=environ) as terminal:
        terminal.wait("Enter")
        terminal.press("f6")
        terminal.wait("Off over SSH.")
        assert audio_process(terminal) is None
    with Terminal("alone", "diamond", "--quiet", data=tmp_path / "quiet", environ=null_device(log)) as terminal:
        terminal.wait("Enter")
        terminal.press("f6")
        terminal.wait("the Motion setting")
    typed = ("alone", "diamond", "--level", "1", "--audio", "on")
    with Terminal(*typed, data=tmp_path / "asked", environ=environ) as terminal:
        terminal.wait("Enter")
        wait_to_hear(log, has(sound="your move"))


def test_the_line_mode_is_heard_only_if_it_was_asked_for(tmp_path: Path) -> None:
    log = tmp_path / "heard.jsonl"
    typed = ("alone", "diamond", "--level", "1", "--plain")
    with Terminal(*typed, data=tmp_path / "silent", environ=null_device(log)) as terminal:
        terminal.wait("Diamond, with ana and")
        assert audio_process(terminal) is None
    with Terminal(*typed, "--audio", "on", data=tmp_path / "asked", environ=null_device(log)) as terminal:
        terminal.wait("Diamond, with ana and")
        wait_to_hear(log, has(sound="your move"))
