"""The audio process: whatever happens to it, the client goes on, does not wait, and reports it once in the log."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kimberley.client.audio.commands import PlayPiece, PlaySound, SetVolumes
from kimberley.client.audio.process import MOST_WAITING, AudioProcess
from kimberley.client.audio.sound import Sound
from kimberley.client.audio.title import TITLE
from tests.support.heard import heard, wait_to_hear
from tests.support.program import PATIENCE

pytestmark = pytest.mark.e2e

COIN = PlaySound(Sound.COIN)


def wait(holds: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "heard.jsonl"


@pytest.fixture
def playing(log: Path) -> Iterator[AudioProcess]:
    """Yields a process that plays the title on a device that nobody hears."""
    process = AudioProcess(f"null:{log}")
    for command in (SetVolumes(1.0, 1.0), PlayPiece(TITLE), COIN):
        process.send(command)
    wait_to_hear(log, lambda lines: any(line.get("sound") == "coin" for line in lines))
    yield process
    process.close()
    wait(lambda: process.ended)


def once(caplog: pytest.LogCaptureFixture) -> str:
    """Returns the one line of the log."""
    (line,) = caplog.messages
    return line


def test_what_is_sent_is_heard_and_the_end_is_no_trouble(
    playing: AudioProcess, log: Path, caplog: pytest.LogCaptureFixture
) -> None:
    playing.send(PlaySound(Sound.STAMP))
    wait_to_hear(log, lambda lines: any(line.get("sound") == "stamp" for line in lines))
    playing.close()
    wait(lambda: playing.ended)
    assert [line.get("piece") for line in heard(log) if "piece" in line] == [TITLE.title]
    assert heard(log)[-1]["end"] is True
    assert caplog.messages == []


def test_a_process_that_is_killed_is_missed_by_nobody_and_told_once(
    playing: AudioProcess, caplog: pytest.LogCaptureFixture
) -> None:
    assert playing.pid is not None
    with caplog.at_level(logging.WARNING):
        os.kill(playing.pid, signal.SIGKILL)
        wait(lambda: playing.ended)
        for _ in range(3 * MOST_WAITING):
            playing.send(COIN)
    assert "Sound is off from now on" in once(caplog)
    assert playing.pid is None


def test_a_process_that_takes_nothing_more_is_ended_and_never_waited_for(
    playing: AudioProcess, caplog: pytest.LogCaptureFixture
) -> None:
    assert playing.pid is not None
    os.kill(playing.pid, signal.SIGSTOP)
    longest, most = 0.0, 100_000
    with caplog.at_level(logging.WARNING):
        while not playing.ended and most:
            most -= 1
            began = time.thread_time()
            playing.send(COIN)
            longest = max(longest, time.thread_time() - began)
    assert playing.ended
    assert longest < 0.1
    assert "stopped responding" in once(caplog)


@pytest.mark.parametrize(("output", "why"), [("winmm", "No working audio device"), ("drum", "Unknown sound system:")])
def test_without_a_device_there_is_one_line_in_the_log(output: str, why: str, caplog: pytest.LogCaptureFixture) -> None:
    if sys.platform == "win32":
        pytest.skip("winmm is there")
    process = AudioProcess(output)
    with caplog.at_level(logging.WARNING):
        process.send(COIN)
        wait(lambda: process.ended)
        process.send(COIN)
    assert why in once(caplog)


def test_a_process_that_cannot_be_started_is_told_like_any_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    process = AudioProcess("null")
    with caplog.at_level(logging.WARNING):
        process.send(COIN)
        wait(lambda: process.ended)
    assert "/nowhere/python" in once(caplog)


def test_the_title_imports_nothing_that_plays() -> None:
    names = ("cli.play", "screens.app", "screens.title", "plain.main", "boards.game_screen")
    code = "".join(f"import kimberley.client.{name}\n" for name in names)
    code += "import sys\nprint([name for name in ('numpy', 'miniaudio', 'pickle') if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_nothing_is_started_before_there_is_something_to_hear() -> None:
    process = AudioProcess("null")
    assert process.pid is None
    process.close()
    assert process.pid is None
