"""What a screen may ask of music and sounds, whether or not anything is heard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Protocol

from kimberley.client.audio.sound import Sound

if TYPE_CHECKING:
    from kimberley.client.audio.cue import Cue
    from kimberley.client.audio.score import Suite


class AudioLike(Protocol):
    """Music and sounds, as a screen sees them. No call waits for anything."""

    @property
    def silence(self) -> str:
        """Returns why nothing can be heard, as a sentence; empty if something can."""

    @property
    def one_room(self) -> bool:
        """Returns whether the other players hear what this machine plays."""

    def play(self, sound: Sound) -> None:
        """Plays a sound, now."""

    def play_piece(self, suite: Suite, cues: Sequence[Cue] = ()) -> None:
        """Plays a suite from where its cues so far have led."""

    def cue(self, cue: Cue) -> None:
        """Takes a cue for something that has happened, which the music follows."""


class NoAudio:
    """Nothing is heard."""

    silence = "No sound here."
    one_room = False

    def play(self, sound: Sound) -> None:
        pass

    def play_piece(self, suite: Suite, cues: Sequence[Cue] = ()) -> None:
        pass

    def cue(self, cue: Cue) -> None:
        pass


NO_AUDIO: Final = NoAudio()
