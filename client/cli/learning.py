"""What `kimberley tune` and `kimberley train` share: a state in a file, progress in one line, and the result."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from kimberley.p2p.base.errors import UserError

T = TypeVar("T")


class LearningTrouble(UserError):
    """Nothing can be learned; the message says why, and what to do."""


class Learning(Protocol):
    """What takes long and can go on from its state."""

    def as_plain(self) -> dict[str, Any]: ...


def read(path: Path, of_plain: Callable[[Any], T]) -> T:
    """What is in a file. Raises LearningTrouble if that is something else."""
    try:
        return of_plain(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LearningTrouble(f"{path} holds nothing that can be used here: {error}. Name another file.") from error


def begun(path: Path | None, of_plain: Callable[[Any], T]) -> T | None:
    """What goes on from its state in a file, if there is one. Raises LearningTrouble if it is the state of something
    else.
    """
    return None if path is None or not path.exists() else read(path, of_plain)


def keep(path: Path | None, learning: Learning) -> None:
    """Saves the state. The file is complete even if the program is stopped meanwhile."""
    if path is not None:
        part = path.with_name(f"{path.name}.part")
        part.write_text(json.dumps(learning.as_plain()), "utf-8")
        part.replace(path)


def write(path: Path | None, result: dict[str, Any]) -> None:
    """Writes a result into a file, or prints it."""
    text = json.dumps(result, indent=1) + "\n"
    if path is None:
        print(text, end="")
    else:
        path.write_text(text, "utf-8")


def say(text: str, end: str = "") -> None:
    """Shows a text in one changing line, on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end=end, file=sys.stderr, flush=True)
