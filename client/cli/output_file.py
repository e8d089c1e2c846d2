"""Files that a command writes at the end: problems with them are reported before the work."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage import files

READABLE: Final = 0o644


class OutputFileTrouble(UserError):
    """A file cannot be used; the message says why, and what to do."""


def check_is_file(path: Path) -> None:
    """Raises OutputFileTrouble if there is something there that is not a file."""
    if path.exists() and not path.is_file():
        raise OutputFileTrouble(f"{path} is not a file. Name another one.")


def check_place(path: Path) -> None:
    """Raises OutputFileTrouble if no file can be there, because something else is, or the folder does not exist."""
    check_is_file(path)
    if not (folder := Path(os.path.realpath(path)).parent).is_dir():
        raise OutputFileTrouble(f"Cannot write {path}: there is no folder {folder}. Create it, or name another file.")


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A file that is written whole, or not at all."""

    path: Path

    @classmethod
    def at(cls, path: Path, *spared: Path | None) -> OutputFile:
        """Returns the file of that name. Its present contents are lost when it is written.

        Raises OutputFileTrouble if it cannot be written, or is one of those that must be spared.
        """
        try:
            check_place(path)
            for one in spared:
                if one is not None and _is_same(path, one):
                    raise OutputFileTrouble(f"{path} would be overwritten, but is still needed. Name another file.")
            files.check_can_replace(_behind_links(path))
        except (OSError, files.StorageError) as error:
            raise OutputFileTrouble(f"Cannot write {path}: {files.reason(error)}. Name another file.") from error
        return cls(path)

    def write(self, text: str) -> None:
        """Writes the whole file. Raises OutputFileTrouble."""
        try:
            files.replace(_behind_links(self.path), text.encode("utf-8", "replace"), READABLE)
        except files.StorageError as error:
            raise OutputFileTrouble(
                f"Could not write {self.path}: {files.reason(error)}. Free some space, or name another file."
            ) from error


def _behind_links(path: Path) -> Path:
    """Returns where the file really is, so that a link that leads there stays a link."""
    return Path(os.path.realpath(path))


def _is_same(one: Path, other: Path) -> bool:
    return _behind_links(one) == _behind_links(other) or (one.exists() and other.exists() and one.samefile(other))
