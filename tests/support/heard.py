"""What is heard, for tests: a sender that plays nothing and keeps every command, and the log of a device that nobody
hears.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kimberley.client.audio.commands import Command, GiveCue, PlaySound
from kimberley.client.audio.sound import Sound
from kimberley.client.session.audio import OUTPUT_VARIABLE, Audio
from kimberley.client.session.settings import Settings
from tests.support.program import PATIENCE


class PretendSender:
    """Takes commands until a test sets `ended`."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self.opened: list[str] = []
        self.ended = self.closed = False

    def open(self, output: str) -> PretendSender:
        self.opened.append(output)
        return self

    def send(self, command: Command) -> None:
        self.commands.append(command)

    def close(self) -> None:
        self.closed = True

    @property
    def sounds(self) -> list[Sound]:
        return [command.sound for command in self.commands if isinstance(command, PlaySound)]

    @property
    def cues(self) -> list[str]:
        return [command.cue.kind for command in self.commands if isinstance(command, GiveCue)]


def audible(sender: PretendSender, settings: Settings | None = None, **environ: str) -> Audio:
    """Returns audio that is open, as on a terminal of this machine, and plays on a sender."""
    audio = Audio(settings or Settings(), environ=environ, open_sender=sender.open)
    audio.open()
    return audio


def null_device(log: Path) -> dict[str, str]:
    """Returns the environment of a program that plays on a device that nobody hears, and keeps a log."""
    return {OUTPUT_VARIABLE: f"null:{log}"}


def heard(log: Path) -> list[dict[str, Any]]:
    """Returns the lines of such a log so far."""
    text = log.read_text("utf-8") if log.exists() else ""
    return [json.loads(line) for line in text.splitlines() if line.endswith("}")]


def wait_to_hear(log: Path, holds: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
    """Waits until a condition on the lines of a log holds. Returns the lines."""
    end = time.monotonic() + PATIENCE
    while not holds(lines := heard(log)):
        assert time.monotonic() < end, f"heard so far: {lines}"
        time.sleep(0.02)
    return lines
