"""`kimberley listen`: the music of a record as a file."""

from __future__ import annotations

import os
import wave
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import miniaudio
import numpy as np
import pytest
import soundfile

from kimberley.client.audio import audio_file
from kimberley.client.audio.arranger import BarSource
from kimberley.client.audio.renderer import Renderer
from kimberley.client.audio.synth import Samples
from kimberley.client.cli import listen
from kimberley.client.cli.main import main
from kimberley.client.session import verdicts
from kimberley.client.session.audio import OUTPUT_VARIABLE
from kimberley.p2p.base import extras
from tests.support.full_disk import full_disk
from tests.support.paths import ROOT

RECORD = ROOT / "tests" / "data" / "diamond-trust.kdt"


audited = cache(verdicts.audit_file)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Audits a record once. Only the first moments are written: all bars are made, but not all are rendered."""
    monkeypatch.setattr(verdicts, "audit_file", audited)
    whole = listen.blocks

    def first(source: BarSource) -> Iterator[Samples]:
        for _, block in zip(range(100), whole(source), strict=False):
            yield block
        while source.next_bar() is not None:
            pass

    monkeypatch.setattr(listen, "blocks", first)


@pytest.mark.slow
def test_wav_and_flac_hold_the_same_samples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for suffix in audio_file.SUFFIXES:
        assert main(["listen", str(RECORD), "--out", str(tmp_path / f"game{suffix}")]) == 0
    with wave.open(str(tmp_path / "game.wav")) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (2, 2, 44100)
        written = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2)
    read, rate = soundfile.read(tmp_path / "game.flac", dtype="int16")
    assert rate == 44100
    assert (read == written).all()
    assert np.abs(written).max() > 1000
    told = capsys.readouterr().out
    assert "  0:00  bar   1  hope\n" in told
    assert "confiscated" in told
    assert "endgame" in told
    assert "Nine Months" in told


@pytest.mark.slow
def test_it_plays_on_the_device_of_this_machine_to_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Here it is a device that nobody hears, and that takes its time like any other."""
    monkeypatch.setenv(OUTPUT_VARIABLE, "null")
    monkeypatch.setattr(listen, "AHEAD", 4)

    def first(source: BarSource) -> Iterator[Samples]:
        renderer = Renderer(source)
        return (renderer.block(1024) for _ in range(8))

    monkeypatch.setattr(listen, "blocks", first)
    assert main(["listen", str(RECORD)]) == 0
    assert "bar   1  hope" in capsys.readouterr().out


@pytest.mark.slow
def test_without_a_device_it_says_how_else_to_listen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(OUTPUT_VARIABLE, "no such device")
    assert main(["listen", str(RECORD)]) != 0
    assert "--out FILE.wav" in capsys.readouterr().err


def test_it_says_that_the_output_is_turned_off(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(OUTPUT_VARIABLE, "off")
    assert main(["listen", str(RECORD)]) == 1
    assert "you would hear nothing" in capsys.readouterr().err


@pytest.mark.slow
def test_what_libraries_print_about_missing_devices_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def no_device(**_: object) -> None:
        os.write(2, b"ALSA lib confmisc.c:855:(parse_card) cannot find card '0'\n")
        raise miniaudio.MiniaudioError("failed to init device", -1)

    monkeypatch.setattr(miniaudio, "PlaybackDevice", no_device)
    assert main(["listen", str(RECORD)]) == 1
    said = capfd.readouterr().err
    assert "ALSA" not in said
    assert "No working audio device" in said


@pytest.mark.parametrize("suffix", audio_file.SUFFIXES)
def test_a_full_disk_is_said(suffix: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with full_disk(2000):
        assert main(["listen", str(RECORD), "--out", str(tmp_path / f"game{suffix}")]) == 1
    (said,) = capfd.readouterr().err.splitlines()
    assert "Cannot write" in said
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["listen", str(RECORD), "--out", str(tmp_path / "game.mp3")]) != 0
    assert "must end in .wav or .flac" in capsys.readouterr().err
    assert main(["listen", str(RECORD), "--out", str(tmp_path / "nowhere" / "game.wav")]) != 0
    assert "Cannot write" in capsys.readouterr().err


def test_what_is_no_record_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "text.kdt"
    path.write_text("no record")
    assert main(["listen", str(path), "--out", str(tmp_path / "game.wav")]) != 0
    assert "cannot be heard" in capsys.readouterr().err


def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(extras, "is_installed", lambda *modules: False)
    assert main(["listen", str(RECORD)]) != 0
    assert "[music]" in capsys.readouterr().err
