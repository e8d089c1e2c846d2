"""The files of long work: those that it goes on from, and those that it writes in the end.

What is wrong with one of them is said before the work.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage import files
from tests.lab.contest import NotTrained

T = TypeVar("T")

READABLE: Final = 0o644
MOST_LEARNED: Final = 16 << 20
"""Bytes of what training writes."""


class WorkFileTrouble(UserError):
    """A file cannot be used; the message says why, and what to do."""


class Unusable(Exception):
    """A file does not hold what it should; the message, the rest of a sentence, says why."""


def load(path: Path, of_plain: Callable[[Any], T]) -> tuple[T, str]:
    """Returns what training wrote into a file, and the SHA-256 of that file.

    `of_plain` reads it from plain data, and may raise ValueError, of which a NotTrained says why, TypeError, KeyError.
    Raises Unusable.
    """
    try:
        data = files.read_file(path, MOST_LEARNED)
    except OSError as error:
        raise Unusable(files.reason(error)) from error
    try:
        plain = json.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise Unusable("it is not JSON") from error
    try:
        return of_plain(plain), hashlib.sha256(data).hexdigest()
    except NotTrained as error:
        raise Unusable(str(error)) from error
    except KeyError as error:
        raise Unusable(f"{error} is missing") from error
    except (ValueError, TypeError) as error:
        raise Unusable("a value has the wrong type") from error


def check_is_file(path: Path) -> None:
    """Raises WorkFileTrouble if something else than a file is there."""
    if path.exists() and not path.is_file():
        raise WorkFileTrouble(f"{path} is not a file. Name another one.")


def check_place(path: Path) -> None:
    """Raises WorkFileTrouble if no file can be there: something else is, or there is no such folder."""
    check_is_file(path)
    if not (folder := Path(os.path.realpath(path)).parent).is_dir():
        raise WorkFileTrouble(f"Cannot write {path}: there is no folder {folder}. Create it, or name another file.")


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A file that is written whole, or not at all."""

    path: Path

    @classmethod
    def at(cls, path: Path, *spared: Path | None) -> OutputFile:
        """Returns the file of that name. What is in it now is lost in the end.

        Raises WorkFileTrouble if it cannot be written, or is one of those that must be spared.
        """
        try:
            check_place(path)
            for one in spared:
                if one is not None and _is_same(path, one):
                    raise WorkFileTrouble(f"{path} would be overwritten, but is still needed. Name another file.")
            files.check_can_replace(_behind_links(path))
        except (OSError, files.StorageError) as error:
            raise WorkFileTrouble(f"Cannot write {path}: {files.reason(error)}. Name another file.") from error
        return cls(path)

    def write(self, text: str) -> None:
        """Writes the whole file. Raises WorkFileTrouble."""
        try:
            files.replace(_behind_links(self.path), text.encode("utf-8", "replace"), READABLE)
        except files.StorageError as error:
            raise WorkFileTrouble(
                f"Could not write {self.path}: {files.reason(error)}. Free some space, or name another file."
            ) from error


def _behind_links(path: Path) -> Path:
    """Where the file really is: a link that leads there is to stay one."""
    return Path(os.path.realpath(path))


def _is_same(one: Path, other: Path) -> bool:
    return _behind_links(one) == _behind_links(other) or (one.exists() and other.exists() and one.samefile(other))


def going_on(state: Path | None) -> str:
    """Returns what to do when work has ended early, in a sentence."""
    if state is None:
        return "Nothing is saved; with --state FILE it could continue."
    return f"The same command continues from {state}."


def after_loss(state: Path | None) -> str:
    """Returns what to do when a worker was killed."""
    return f"{going_on(state)} Fewer workers need less memory: --workers N."
