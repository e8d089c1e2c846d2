"""The audio process: does what the program says on its standard input, until that ends or the device is gone."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, BinaryIO, Final, Protocol

from kimberley.client.audio.audio_format import RATE, Block
from kimberley.client.audio.commands import (
    CloseLid,
    Command,
    GiveCue,
    PlayPiece,
    PlaySound,
    SetVolumes,
    read_commands,
)
from kimberley.client.audio.mixer import Mixer
from kimberley.client.audio.output import GONE, GONE_SECONDS, Device, OutputError
from kimberley.client.audio.stream import Music, MusicStream
from kimberley.p2p.base.platform import start_thread

SWITCH_SECONDS: Final = 0.0005
"""How long a thread keeps the interpreter when the device is asking for more."""
CHECK_SECONDS: Final = 1.0
END_SECONDS: Final = 0.2
"""How long the last sounds may take to fade."""


class AudioDevice(Protocol):
    """A device that plays the blocks that it asks for (`client.audio.output.Device`)."""

    @property
    def idle(self) -> float: ...
    def close(self) -> None: ...


class AudioLog:
    """Writes a line of JSON for each command that is obeyed, with the second of the output at which that happened."""

    def __init__(self, path: Path | None) -> None:
        self._file = path.open("a", encoding="utf-8", buffering=1) if path is not None else None

    def note(self, frames: int, **fields: Any) -> None:
        if self._file is not None:
            self._file.write(json.dumps({"at": round(frames / RATE, 3), **fields}) + "\n")


def described(command: Command) -> dict[str, Any]:
    """Returns a command as a line of the log."""
    match command:
        case PlaySound(sound):
            return {"sound": sound.value}
        case PlayPiece(suite, cues):
            return {"piece": suite.title, "cues": len(cues)}
        case GiveCue(cue):
            return {"cue": cue.kind}
        case SetVolumes(music, sounds):
            return {"music": music, "sounds": sounds}
        case CloseLid(closed):
            return {"lid": closed}


class Player:
    """Plays on one device. `output` is a device's name as `Device` has it; "null:FILE" also keeps a log in FILE.
    `open_piece` makes what renders a piece, `open_device` the device.
    """

    def __init__(
        self,
        output: str,
        open_piece: Callable[[PlayPiece], Music],
        open_device: Callable[[str, Callable[[int], Block]], AudioDevice] = Device,
    ) -> None:
        name, _, file = output.partition(":")
        self._name, self._open_device = name, open_device
        self._log = AudioLog(Path(file) if file else None)
        self._stream = MusicStream(open_piece)
        self._mixer = Mixer(self._stream)
        self._frames = 0
        """How many frames the device has had."""

    def run(self, source: BinaryIO) -> None:
        """Obeys until the source of commands ends. Raises OutputError if there is no device, or it disappears."""
        commands: SimpleQueue[Command | None] = SimpleQueue()

        def read() -> None:
            for command in read_commands(source):
                commands.put(command)
            commands.put(None)

        sys.setswitchinterval(SWITCH_SECONDS)
        device = self._open_device(self._name, self._fill)
        start_thread(read)
        self._stream.start()
        try:
            while (command := self._next(commands, device)) is not None:
                self._obey(command)
            self._mixer.set_volumes(0.0, 0.0)
            time.sleep(END_SECONDS)
        finally:
            device.close()
            used = round(time.process_time(), 3)
            self._log.note(self._frames, end=True, dropouts=self._stream.dropouts, cpu_seconds=used)

    def _next(self, commands: SimpleQueue[Command | None], device: AudioDevice) -> Command | None:
        """Waits for the next command and returns it. Raises OutputError if the device is gone."""
        idle_checks = 0
        while True:
            try:
                return commands.get(timeout=CHECK_SECONDS)
            except Empty:
                # On some systems, the clock goes on while the machine sleeps. After that, the device asks at once.
                idle_checks = idle_checks + 1 if device.idle > GONE_SECONDS else 0
                if idle_checks == 2:
                    raise OutputError(GONE) from None

    def _fill(self, frames: int) -> Block:
        self._frames += frames
        return self._mixer.block(frames)

    def _obey(self, command: Command) -> None:
        self._log.note(self._frames, **described(command))
        match command:
            case PlaySound(sound):
                self._mixer.play(sound)
            case SetVolumes(music, sounds):
                self._mixer.set_volumes(music, sounds)
            case PlayPiece() | GiveCue() | CloseLid():
                self._stream.obey(command)
