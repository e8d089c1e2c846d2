"""What `tune` and `train` share: a state in a file, progress in one line, and the result."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from kimberley.client.cli.output_file import OutputFile, OutputFileTrouble
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.terminal import ChangingLine
from tests.lab.work_files import Unusable, load

T = TypeVar("T")


class LearningTrouble(UserError):
    """Nothing can be learned; the message says why, and what to do."""


class Learning(Protocol):
    """Long work that can go on from its state."""

    def as_plain(self) -> dict[str, Any]: ...


def read(path: Path, of_plain: Callable[[Any], T]) -> tuple[T, str]:
    """Returns what is in a file, and the SHA-256 of that. Raises UserError if it holds something else."""
    try:
        return load(path, of_plain)
    except Unusable as error:
        raise LearningTrouble(f"Nothing usable in {path}: {error}. Name another file.") from error


class Generations(Protocol):
    """What is trained for a number of generations, of which some are done."""

    generations: int
    generation: int


def in_all(asked: int | None, trained: Generations) -> int:
    """Returns the total of generations, which is what was asked for, if anything. Raises LearningTrouble."""
    if asked is not None and asked < trained.generation:
        done = trained.generation
        raise LearningTrouble(f"{done} generations are already done: use --generations {done} or more.")
    return asked or trained.generations


@dataclass(frozen=True, slots=True)
class LearningState:
    """The file in which what is learned is kept, to go on from there; without one, nothing is kept.

    It belongs to one `run`: the part of what was typed that changes what is learned, and that the state does not tell
    otherwise.
    """

    file: OutputFile | None
    run: str

    @classmethod
    def at(cls, path: Path | None, run: str, *spared: Path | None) -> LearningState:
        """Raises OutputFileTrouble if nothing can be kept there."""
        return cls(None if path is None else OutputFile.at(path, *spared), run)

    @property
    def path(self) -> Path | None:
        """Returns where it is, if anything is kept."""
        return None if self.file is None else self.file.path

    def begun(self, of_plain: Callable[[Any], T]) -> T | None:
        """Returns what goes on from its state, if there is one. Raises LearningTrouble if it is the state of something
        else.
        """
        if self.path is None or not self.path.exists():
            return None
        kept, _ = read(self.path, lambda plain: (plain, of_plain(plain)))
        plain, learning = kept
        if (before := plain.get("run", self.run)) != self.run:
            raise LearningTrouble(f"{self.path} belongs to another run: {before}, not {self.run}. Name another file.")
        return learning

    def keep(self, learning: Learning) -> None:
        """Saves the state. Raises OutputFileTrouble: what was kept before is still there."""
        if self.file is not None:
            self.file.write(json.dumps({"run": self.run, **learning.as_plain()}))


def write(out: OutputFile | None, result: dict[str, Any]) -> None:
    """Writes a result into a file, or prints it. If it cannot be written, prints it and raises OutputFileTrouble."""
    text = json.dumps(result, indent=1) + "\n"
    if out is None:
        print(text, end="")
        return
    try:
        out.write(text)
    except OutputFileTrouble:
        print(text, end="")
        raise


def in_order(executor: Executor, work: Callable[..., T], jobs: Iterable[tuple[Any, ...]]) -> list[T]:
    """Returns what comes of `work(*job)` for each job.

    If it is interrupted, it cancels no job, as `Executor.map` would: Ctrl-C ends the workers, too, and the pool's own
    thread then fails at a job that another thread has canceled.
    """
    return [future.result() for future in [executor.submit(work, *job) for job in jobs]]


def say(text: str) -> None:
    """Shows a text in one changing line, on a terminal."""
    ChangingLine(sys.stderr).show(text)
