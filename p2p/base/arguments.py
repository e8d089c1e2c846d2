"""What people type after a command: numbers and paths, as types for argparse, and what several rooms share."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

MISUSED: Final = 2
"""The exit status with which argparse ends."""


def as_typed(text: str) -> str:
    """Returns typed text in quotation marks, to be shown in a sentence."""
    # A command without mistakes starts without it.
    from kimberley.p2p.base.text import quoted

    return quoted(text)


def path(text: str) -> Path:
    """Returns a path. Raises ArgumentTypeError."""
    return Path(file_name(text))


def file_name(text: str) -> str:
    """Returns the text if it can name a file. Raises ArgumentTypeError."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty; use . for the current folder")
    return text


def whole(text: str) -> int:
    """Returns a number of 0 or more. Raises ArgumentTypeError."""
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{as_typed(text)} is not a whole number (0 or more)")
    return int(text)


def count(text: str) -> int:
    """Returns a number of 1 or more. Raises ArgumentTypeError."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{as_typed(text)} is not a whole number (1 or more)")
    return int(text)


def within(text: str, least: int, most: int, reason: str) -> int:
    """Returns a number from `least` to `most`. Raises ArgumentTypeError, which ends with `reason`."""
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise argparse.ArgumentTypeError(f"{as_typed(text)} does not work: {reason}")
    return int(text)


def port(text: str) -> int:
    """Returns a TCP port. Raises ArgumentTypeError."""
    if not 1 <= (number := whole(text)) <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is not a port: use 1 to 65535")
    return number


def seconds(text: str) -> float:
    """Returns a time of more than 0 s and at most an hour. Raises ArgumentTypeError."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 < number <= 3600:
        raise argparse.ArgumentTypeError(f"{as_typed(text)} is not a positive number of seconds")
    return number


def did_you_mean(typed: str, names: Iterable[str]) -> str:
    """Returns a question to add to a refusal, with the nearest name; empty if none is near."""
    near = difflib.get_close_matches(typed.lower(), list(names), n=1, cutoff=0.65)
    return f" Did you mean {near[0]}?" if near else ""


def add_json(parser: argparse.ArgumentParser) -> None:
    """Adds `--json`."""
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
