"""A suite while it plays: its bars follow the cues, and become samples block by block."""

from __future__ import annotations

from kimberley.client.audio.arranger import Arranger
from kimberley.client.audio.audio_format import Block
from kimberley.client.audio.commands import PlayPiece
from kimberley.client.audio.cue import Cue
from kimberley.client.audio.renderer import Renderer


class SuitePiece:
    """The piece that a stream plays for a command."""

    def __init__(self, command: PlayPiece) -> None:
        self._arranger = Arranger(command.suite, command.cues)
        self._renderer = Renderer(self._arranger)

    def cue(self, cue: Cue) -> None:
        self._arranger.cue(cue)

    def go_on_alone(self, alone: bool) -> None:
        self._arranger.auto = alone

    def block(self, frames: int) -> Block:
        return self._renderer.block(frames)
