"""What the program tells its audio process: a pickle for each command, one after another, on its standard input.

The process is a child of the program and runs the same code, so a whole suite can be sent as the data that it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias

from kimberley.client.audio.sound import Sound

if TYPE_CHECKING:
    from kimberley.client.audio.cue import Cue
    from kimberley.client.audio.score import Suite


class PlaySound(NamedTuple):
    sound: Sound


class PlayPiece(NamedTuple):
    """Plays a suite from where the `cues` so far have led."""

    suite: Suite
    cues: tuple[Cue, ...] = ()


class GiveCue(NamedTuple):
    """Something has happened that the music follows."""

    cue: Cue


class SetVolumes(NamedTuple):
    """Volumes from 0 to 1. The music pauses while its volume is 0."""

    music: float
    sounds: float


class CloseLid(NamedTuple):
    """While the lid is closed, the music goes on by itself."""

    closed: bool


Command: TypeAlias = PlaySound | PlayPiece | GiveCue | SetVolumes | CloseLid


def encode(command: Command) -> bytes:
    # Imported only here, to keep it out of the title's first frame.
    import pickle

    return pickle.dumps(command, pickle.HIGHEST_PROTOCOL)


def read_commands(source: BinaryIO) -> Iterator[Command]:
    """Yields the commands as they arrive, until the input ends, even in the middle of one."""
    import pickle

    while True:
        try:
            yield pickle.load(source)
        except (EOFError, ValueError, pickle.UnpicklingError):
            # A truncated command fails in one of these ways, depending on where it ends, and on what was read ahead.
            return
