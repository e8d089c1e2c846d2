"""What a player hears: where nothing is heard and why, how loud, muted, and what starts when."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from kimberley.client.audio.commands import CloseLid, GiveCue, PlayPiece, PlaySound, SetVolumes
from kimberley.client.audio.cue import Cue
from kimberley.client.audio.sound import BOARD_SOUNDS, UNDER_LID, Sound
from kimberley.client.audio.title import TITLE
from kimberley.client.session import audio as session_audio
from kimberley.client.session.audio import HEARD, MUTED, OUTPUT_VARIABLE, Audio
from kimberley.client.session.settings import Settings
from tests.support.heard import PretendSender, audible

CUE = Cue("trip", 0.5, 0.1, b"digest")
QUIET: dict[str, Any] = {"calm": True, "quiet": True}


@pytest.mark.parametrize(
    ("settings", "environ", "screens", "why"),
    [
        ({}, {}, True, ""),
        ({"calm": True}, {}, True, ""),
        (QUIET, {}, True, "the Motion setting"),
        ({"audio": "off"}, {}, True, "Turned off"),
        ({}, {OUTPUT_VARIABLE: "off"}, True, "Turned off"),
        ({}, {"SSH_CONNECTION": "10.0.0.2 50000 10.0.0.3 22"}, True, "SSH"),
        ({}, {"SSH_TTY": "/dev/pts/3"}, True, "SSH"),
        ({}, {}, False, "text mode"),
        ({"audio": "on"}, {"SSH_TTY": "/dev/pts/3"}, True, ""),
        ({"audio": "on"}, {}, False, ""),
        ({"audio": "on", **QUIET}, {}, True, ""),
        ({"audio": "on"}, {OUTPUT_VARIABLE: "off"}, True, "Turned off"),
    ],
)
def test_nothing_is_heard_where_it_would_disturb_unless_it_was_asked_for(
    settings: dict[str, Any], environ: dict[str, str], screens: bool, why: str
) -> None:
    sender = PretendSender()
    audio = Audio(Settings(**settings), screens=screens, environ=environ, open_sender=sender.open)
    audio.play_piece(TITLE)
    audio.open()
    audio.play(Sound.COIN)
    if why:
        assert why in audio.silence
        assert (sender.opened, sender.commands) == ([], [])
    else:
        assert audio.silence == ""
        assert PlaySound(Sound.COIN) in sender.commands


def test_a_shared_copy_has_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_audio, "shared_file", lambda: Path("kimberley.pyz"))
    sender = PretendSender()
    assert "shared" in audible(sender, Settings(audio="on")).silence
    assert sender.opened == []


@pytest.mark.parametrize("module", ["miniaudio", "numpy"])
def test_without_the_extra_nothing_is_started(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    sender = PretendSender()
    audio = audible(sender)
    audio.play(Sound.COIN)
    assert audio.silence == session_audio.NEEDS_PACKAGES
    assert audio.toggle_mute() == f"No sound. {audio.silence}"
    assert sender.opened == []


def test_what_was_chosen_before_is_heard_from_the_first_frame_on() -> None:
    sender = PretendSender()
    audio = Audio(Settings(), environ={OUTPUT_VARIABLE: "null"}, open_sender=sender.open)
    audio.play_piece(TITLE)
    audio.cue(CUE)
    audio.play(Sound.COIN)
    assert sender.opened == []
    audio.open()
    assert sender.opened == ["null"]
    assert sender.commands == [SetVolumes(0.25, 0.49), PlayPiece(TITLE, (CUE,))]


def test_a_piece_that_plays_goes_on_and_another_one_begins() -> None:
    sender = PretendSender()
    audio = audible(sender)
    for cues in ((), (), (CUE,), (CUE,)):
        audio.play_piece(TITLE, cues)
    assert [command for command in sender.commands if isinstance(command, PlayPiece)] == [
        PlayPiece(TITLE),
        PlayPiece(TITLE, (CUE,)),
    ]
    audio.cue(CUE)
    audio.play_piece(TITLE, (CUE, CUE))
    assert sender.commands[-1] == GiveCue(CUE)


def test_mute_silences_all_and_gives_the_same_volumes_back() -> None:
    sender = PretendSender()
    audio = audible(sender, Settings(music_volume=10, sound_volume=0))
    assert audio.toggle_mute() == MUTED
    audio.play(Sound.COIN)
    assert sender.commands[-1] == SetVolumes(0.0, 0.0)
    assert sender.sounds == []
    assert audio.toggle_mute() == HEARD
    assert sender.commands[-1] == SetVolumes(1.0, 0.0)


def test_settings_that_change_are_heard_at_once() -> None:
    settings, sender = Settings(), PretendSender()
    audio = audible(sender, settings, SSH_TTY="/dev/pts/3")
    audio.play_piece(TITLE)
    assert sender.opened == []
    settings.audio = "on"
    audio.apply_settings()
    assert sender.commands == [SetVolumes(0.25, 0.49), PlayPiece(TITLE)]
    settings.audio = "off"
    audio.apply_settings()
    audio.play(Sound.COIN)
    assert sender.commands[-1:] == [SetVolumes(0.0, 0.0)]
    # What is chosen while nothing is heard is known when something is heard again.
    audio.play_piece(TITLE, (CUE,))
    settings.audio = "auto"
    settings.music_volume = 10
    assert sender.commands[-1:] == [PlayPiece(TITLE, (CUE,))]


def test_a_device_that_is_gone_is_said_and_nothing_more_is_sent_for_it() -> None:
    sender = PretendSender()
    audio = audible(sender)
    sender.ended = True
    before = list(sender.commands)
    audio.play(Sound.COIN)
    assert "device" in audio.silence
    assert sender.commands == before
    assert len(sender.opened) == 1


def test_in_one_room_no_sound_tells_how_far_a_board_is_and_music_from_one_machine_only() -> None:
    host, guest = PretendSender(), PretendSender()
    at_host, at_guest = audible(host), audible(guest)
    at_host.share_room(plays=True)
    at_guest.share_room(plays=False)
    for audio in (at_host, at_guest):
        for sound in Sound:
            audio.play(sound)
    assert set(host.sounds) == set(guest.sounds) == set(Sound) - BOARD_SOUNDS
    assert host.commands[-len(host.sounds) - 1] == SetVolumes(0.25, 0.49)
    assert SetVolumes(0.0, 0.49) in guest.commands
    at_guest.leave_room()
    at_guest.play(Sound.AGENT_TURNED)
    assert guest.commands[-2:] == [SetVolumes(0.25, 0.49), PlaySound(Sound.AGENT_TURNED)]


def test_under_the_lid_only_what_the_dark_screen_shows_is_heard() -> None:
    sender = PretendSender()
    audio = audible(sender)
    audio.close_lid(True)
    for sound in Sound:
        audio.play(sound)
    assert set(sender.sounds) == UNDER_LID
    audio.close_lid(False)
    audio.play(Sound.COIN)
    assert sender.sounds[-1] is Sound.COIN


def test_the_lid_and_the_end_are_passed_on() -> None:
    sender = PretendSender()
    audio = audible(sender)
    audio.close_lid(True)
    audio.close()
    assert sender.commands[-1] == CloseLid(True)
    assert sender.closed
