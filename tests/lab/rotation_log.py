"""The rotations of a contest, kept in a file so that it can go on.

Each line is a JSON object: the first describes the contest, and each other one is a rotation. A last line that was cut
off, as on a full disk, is dropped.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import Any, Final

from kimberley.client.cli.output_file import OutputFileTrouble, check_place
from kimberley.p2p.storage import files
from tests.lab.contest import Rotation
from tests.lab.work_files import going_on

SIDES: Final = 2
MOST_BYTES: Final = 64 << 20
DIGESTS: Final = "sha256"
"""In the description of a contest: the digests of the files with players, by their names there."""
UNREADABLE: Final = (ValueError, TypeError, KeyError, ArithmeticError, RecursionError)
"""Raised for a line that is not JSON, or that holds something else."""


class RotationLog:
    """The rotations played so far."""

    def __init__(self, path: Path | None, contest: dict[str, Any], seats: int) -> None:
        """Reads what the file has, and begins it if it is new.

        Raises OutputFileTrouble if it belongs to another contest, or cannot be read or written.
        """
        self.rotations: dict[int, Rotation] = {}
        self._path = path
        if path is None:
            return
        try:
            check_place(path)
            data = files.read_file(path, MOST_BYTES) if path.exists() else b""
            whole, cut = data[: (end := data.rfind(b"\n") + 1)], data[end:]
            lines = BytesIO(whole)
            first = _packed(contest)
            if whole:
                _check_contest(path, next(lines), contest)
            elif not first.startswith(cut):
                raise OutputFileTrouble(f"{path} is not a contest file. Name another one.")
            for number, line in enumerate(lines, 2):
                rotation = _rotation(path, number, line, seats)
                self.rotations[rotation.seed] = rotation
            with path.open("ab") as file:
                file.truncate(len(data) - len(cut))
                if not whole:
                    file.write(first)
        except OSError as error:
            raise OutputFileTrouble(f"{path} cannot be used: {files.reason(error)}. Name another file.") from error

    def add(self, rotation: Rotation) -> None:
        """Raises OutputFileTrouble if it cannot be kept. It counts nevertheless."""
        self.rotations[rotation.seed] = rotation
        if self._path is None:
            return
        try:
            with self._path.open("ab") as file:
                file.write(_packed(asdict(rotation)))
        except OSError as error:
            raise OutputFileTrouble(
                f"{self._path} cannot be written anymore: {files.reason(error)}. Free some space. "
                f"{going_on(self._path)}"
            ) from error

    def ordered(self, first: int, count: int) -> list[Rotation]:
        """Returns the rotations played with `count` seeds from `first` on, in the order of their seeds."""
        return [self.rotations[seed] for seed in sorted(self.rotations) if first <= seed < first + count]


def _packed(plain: dict[str, Any]) -> bytes:
    return (json.dumps(plain) + "\n").encode()


def _check_contest(path: Path, line: bytes, contest: dict[str, Any]) -> None:
    """Raises OutputFileTrouble if the line does not describe this contest."""
    try:
        kept = json.loads(line.decode())
    except UNREADABLE as error:
        raise OutputFileTrouble(f"{path} is not a contest file. Name another one.") from error
    if kept == contest:
        return
    if DIGESTS in contest and isinstance(kept, dict) and {**kept, DIGESTS: contest[DIGESTS]} == contest:
        named = " and ".join(contest[DIGESTS])
        raise OutputFileTrouble(f"{path} was not played by what {named} means now. Name another file.")
    raise OutputFileTrouble(f"{path} holds another contest, {kept}. Name another file for this one.")


def _rotation(path: Path, number: int, line: bytes, seats: int) -> Rotation:
    """Returns the rotation in a line. Raises OutputFileTrouble if it holds none."""
    try:
        kept = json.loads(line.decode())
        rotation = Rotation(
            kept["seed"], *(tuple(kept[name]) for name in ("points", "margins", "decisions", "seconds"))
        )
        if _is_sound(rotation, seats):
            return rotation
    except UNREADABLE:
        pass
    raise OutputFileTrouble(f"Line {number} of {path} has no games for {seats} seats. Delete it or name another file.")


def _is_sound(rotation: Rotation, seats: int) -> bool:
    by_game, by_side = (*rotation.points, *rotation.margins), (*rotation.decisions, *rotation.seconds)
    return (
        len(rotation.points) == len(rotation.margins) == seats
        and len(rotation.decisions) == len(rotation.seconds) == SIDES
        and all(type(one) in (int, float) and isfinite(one) for one in (*by_game, *by_side))
        and all(type(one) is int for one in (rotation.seed, *rotation.decisions))
        and all(0 <= one <= 1 for one in rotation.points)
        and all(one >= 0 for one in (rotation.seed, *by_side))
    )
