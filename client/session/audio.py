"""What the player of this program hears: whether anything, how loud, and by which process.

Nothing is heard where it would disturb or could not be: over SSH, in the line mode, from a shared copy, in the stricter
setting of calm. "on" in the settings, or `--audio on`, is heard everywhere, if the packages are there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from kimberley.client.audio.commands import CloseLid, Command, GiveCue, PlayPiece, PlaySound, SetVolumes
from kimberley.client.audio.process import AudioProcess
from kimberley.client.audio.sound import BOARD_SOUNDS, UNDER_LID, Sound
from kimberley.client.session.settings import MOST_VOLUME, Settings
from kimberley.p2p.base.extras import is_installed
from kimberley.p2p.base.installation import shared_file

if TYPE_CHECKING:
    from kimberley.client.audio.cue import Cue
    from kimberley.client.audio.score import Suite

OUTPUT_VARIABLE: Final = "KIMBERLEY_AUDIO"
"""The environment variable that names the output, as `client.audio.player` does, or says "off"."""
ANY_DEVICE: Final = "device"
OFF: Final = "off"
PLAYED_BY: Final = ("miniaudio", "numpy")
"""The packages of the extra that are needed to hear anything."""
NEEDS_PACKAGES: Final = "Music and sounds need more packages: see Settings."
SSH_VARIABLES: Final = ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")
MUTED: Final = "Muted."
HEARD: Final = "Sound is on again."


class AudioSender(Protocol):
    """What plays: `AudioProcess`, or a stand-in in a test."""

    @property
    def ended(self) -> bool: ...
    def send(self, command: Command) -> None: ...
    def close(self) -> None: ...


class Audio:
    """Music and sounds for one player, from `open` on. It starts what plays them where something may be heard."""

    def __init__(
        self,
        settings: Settings,
        *,
        screens: bool = True,
        environ: Mapping[str, str] = os.environ,
        open_sender: Callable[[str], AudioSender] = AudioProcess,
    ) -> None:
        """Takes `open_sender`, which opens what plays on an output. With `screens` the program shows screens."""
        self.muted = False
        self.one_room = False
        """Whether the other players hear what this machine plays."""
        self._settings, self._screens, self._environ = settings, screens, environ
        self._open_sender = open_sender
        self._opened = False
        self._sender: AudioSender | None = None
        self._piece: PlayPiece | None = None
        self._music_elsewhere = False
        self._lid = False

    # -- whether anything is heard -------------------------------------------------------------------------------------

    @property
    def silence(self) -> str:
        """Returns why nothing can be heard, as a sentence; empty if something can."""
        if self._settings.audio == OFF or self._environ.get(OUTPUT_VARIABLE) == OFF:
            return "Turned off."
        if shared_file() is not None:
            return "A shared copy plays no sound."
        if not is_installed(*PLAYED_BY):
            return NEEDS_PACKAGES
        if self._sender is not None and self._sender.ended:
            return "No audio device found. Restart to try again."
        return "" if self._settings.audio == "on" else self._usual_silence()

    def _usual_silence(self) -> str:
        if self._settings.quiet:
            return "Off by the Motion setting."
        if any(self._environ.get(name) for name in SSH_VARIABLES):
            return "Off over SSH."
        return "" if self._screens else "Off in text mode."

    # -- what is heard -------------------------------------------------------------------------------------------------

    def play(self, sound: Sound) -> None:
        unheard = (self.one_room and sound in BOARD_SOUNDS) or (self._lid and sound not in UNDER_LID)
        if not (self.muted or self.silence or unheard):
            self._send(PlaySound(sound))

    def play_piece(self, suite: Suite, cues: Sequence[Cue] = ()) -> None:
        """Plays a suite from where its cues so far have led. If it is playing already, it goes on."""
        piece = PlayPiece(suite, tuple(cues))
        if piece != self._piece:
            self._piece = piece
            self._send(piece)

    def cue(self, cue: Cue) -> None:
        """Takes an event that the music follows."""
        if self._piece is not None:
            self._piece = self._piece._replace(cues=(*self._piece.cues, cue))
            self._send(GiveCue(cue))

    def close_lid(self, closed: bool) -> None:
        """Notes whether the lid is closed: music then goes on by itself, and only the dark screen has sounds."""
        self._lid = closed
        self._send(CloseLid(closed))

    def toggle_mute(self) -> str:
        """Turns everything off, or on again. Returns what to tell the player."""
        if silence := self.silence:
            return f"No sound. {silence}"
        self.muted = not self.muted
        self.apply_settings()
        return MUTED if self.muted else HEARD

    def share_room(self, *, plays: bool) -> None:
        """Notes that the players sit in one room and hear each other's machines: sounds no longer tell how far this
        player's board is, and music is heard only if this machine is the one that `plays`.
        """
        self.one_room, self._music_elsewhere = True, not plays
        self.apply_settings()

    def leave_room(self) -> None:
        """Notes that the players do not sit in one room, or no longer do."""
        self.one_room = self._music_elsewhere = False
        self.apply_settings()

    def toggle_room(self, *, host: bool) -> str:
        """Says that the players sit in one room, or no longer do. There the `host` plays the music. Returns what to
        tell the player.
        """
        if self.one_room:
            self.leave_room()
            return "Music and all sounds play here."
        self.share_room(plays=host)
        elsewhere = "" if host else "The host’s computer plays the music. "
        return f"{elsewhere}Sounds no longer give anything away."

    def open(self) -> None:
        """Opens the output, and begins with the piece that was chosen before."""
        if not self._opened:
            self._opened = True
            self.apply_settings()

    def apply_settings(self) -> None:
        """Applies changed settings. Starts what plays if it was off before."""
        if self._sender is not None:
            self._sender.send(self._volumes)
        elif self._opened and not self.silence:
            self._start()

    def close(self) -> None:
        if self._sender is not None:
            self._sender.close()

    # -- the process ---------------------------------------------------------------------------------------------------

    @property
    def _volumes(self) -> SetVolumes:
        if self.muted or self.silence:
            return SetVolumes(0.0, 0.0)
        music = 0 if self._music_elsewhere else self._settings.music_volume
        return SetVolumes(_gain(music), _gain(self._settings.sound_volume))

    def _send(self, command: Command) -> None:
        if self._sender is not None:
            self._sender.send(command)
        elif self._opened and not self.silence:
            # What starts gets the piece with all its cues.
            sender = self._start()
            if isinstance(command, PlaySound | CloseLid):
                sender.send(command)

    def _start(self) -> AudioSender:
        self._sender = sender = self._open_sender(self._environ.get(OUTPUT_VARIABLE) or ANY_DEVICE)
        sender.send(self._volumes)
        if self._piece is not None:
            sender.send(self._piece)
        return sender


def _gain(volume: int) -> float:
    """Returns a volume of the settings as a factor. All steps sound about equally large."""
    return round((volume / MOST_VOLUME) ** 2, 4)
