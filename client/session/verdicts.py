"""Judges records in files; verdicts and results as data for a program."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from kimberley.games import lookup
from kimberley.games.table import Result
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.text import clean
from kimberley.p2p.sentences.verdicts import MOST_SHOWN, shown_names, verdict_reason
from kimberley.p2p.storage.files import UnfitFileError, check_file, open_to_read, read_file
from kimberley.protocol.audit import (
    DAMAGED,
    AuditedGame,
    CannotBeAudited,
    Verdict,
    audit,
    verify,
)
from kimberley.protocol.record import MOST_BYTES


def ask_for_patience(path: Path) -> None:
    """Explains the wait to a person at a terminal: a large table takes some seconds to audit."""
    if sys.stderr.isatty() and path.is_file():
        print(f"Checking {clean(path.name, MOST_SHOWN)}: replaying every move…", file=sys.stderr, flush=True)


def require_readable(path: Path) -> None:
    """Raises UserError for a file that cannot be opened, such as one that is not there."""
    try:
        check_file(path, MOST_BYTES)
    except UnfitFileError:
        pass  # It is not a record, which is a verdict.
    except OSError as error:
        raise UserError(f"{clean(str(path), MOST_SHOWN)} cannot be read: {_why(error)}.") from None


def _why(error: OSError) -> str:
    """Returns why a file cannot be opened."""
    return "there is no such file" if isinstance(error, FileNotFoundError) else error.strerror or str(error)


def verify_file(path: Path) -> Verdict:
    """Returns the verdict on a file. A file that cannot be read is "damaged", and the reason says why."""
    try:
        return verify(_contents(path), lookup.find)
    except CannotBeAudited as error:
        return error.verdict


def audit_file(path: Path) -> AuditedGame:
    """Returns the audited game in a file. It takes as long as the verdict. Raises CannotBeAudited."""
    return audit(_contents(path), lookup.find)


def is_bundle(path: Path) -> bool:
    """Returns whether a file begins like the bundle of a tournament."""
    from kimberley.p2p.tournament.bundle import MAGIC, MOST_FILE

    try:
        with open_to_read(path, MOST_FILE) as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def game_in(path: Path, done: str, fits: Callable[[AuditedGame], bool] = lambda _: True) -> AuditedGame:
    """Returns the audited game in a file from which something is made.

    Args:
        path: Where the record is.
        done: What is done with the game: "replayed".
        fits: Whether that can be done with this game.

    Raises:
        UserError: The file cannot be judged here, or its game does not fit. The message says why.
    """
    try:
        audited = audit_file(path)
    except CannotBeAudited as error:
        verdict = error.verdict
    else:
        if fits(audited):
            return audited
        verdict = audited.verdict
    if is_bundle(path):
        raise UserError(f"{path} holds a whole tournament, not one game. To check it: kimberley verify {path}")
    reason = verdict_reason(verdict, shown_names(verdict.names))
    raise UserError(f"{reason}." if reason.startswith(str(path)) else f"{path} cannot be {done}: {reason}.")


def _contents(path: Path) -> bytes:
    try:
        return read_record(path)
    except OSError as error:
        raise CannotBeAudited(Verdict(DAMAGED, f"{path} cannot be read: {_why(error)}")) from None


def read_record(path: Path) -> bytes:
    """Returns the content of a file that is no larger than a record can be. Raises OSError."""
    return read_file(path, MOST_BYTES)


def verdict_as_plain(verdict: Verdict) -> dict[str, Any]:
    """Returns the verdict as data for a program. Seats count from 0, as on the wire."""
    return {
        "verdict": verdict.code,
        "reason": verdict.reason,
        "seats": list(verdict.seats),
        "step": verdict.step if verdict.seats else None,
        "stage": verdict.stage if verdict.seats else None,
        "deviations": [
            {"seat": one.seat, "step": one.step, "stage": one.stage, "reason": one.reason} for one in verdict.deviations
        ],
        "attested": [{"seat": seat, "by": [clean(name) for name in who]} for seat, who in verdict.attested],
        "left": left_as_plain(verdict.left),
        "result": None if verdict.result is None else result_as_plain(verdict.result),
        "names": list(verdict.names),
        "envelopes": verdict.envelopes,
    }


def left_as_plain(left: Sequence[tuple[int, str]]) -> list[dict[str, Any]]:
    """Returns who left while others could play on, and when, as data for a program."""
    return [{"seat": seat, "when": when} for seat, when in left]


def result_as_plain(result: Result) -> dict[str, Any]:
    """Returns the result of a game as data for a program."""
    return {
        "winners": list(result.winners),
        "places": list(result.places),
        "scores": [list(score) for score in result.scores],
        "reason": result.reason,
    }
