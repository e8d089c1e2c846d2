"""The files of long work: what training writes, and what to do when the work has ended early."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from kimberley.games.diamond_trust.bots.parameters import NotTrained
from kimberley.p2p.storage import files

T = TypeVar("T")

MOST_LEARNED: Final = 16 << 20
"""Bytes of what training writes."""


class Unusable(Exception):
    """A file does not hold what it should; the message, the rest of a sentence, says why."""


def load(path: Path, of_plain: Callable[[Any], T]) -> tuple[T, str]:
    """Returns what training wrote into a file, and the SHA-256 of that file.

    `of_plain` reads it from plain data, and may raise ValueError (a NotTrained says why), TypeError or KeyError. Raises
    Unusable.
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


def going_on(state: Path | None) -> str:
    """Returns what to do when work has ended early, in a sentence."""
    if state is None:
        return "Nothing is saved; with --state FILE it could continue."
    return f"The same command continues from {state}."


def after_loss(state: Path | None) -> str:
    """Returns what to do when a worker was killed."""
    return f"{going_on(state)} Fewer workers need less memory: --workers N."
