"""`kimberley verify FILE`: what a record proves. Folders and bundles: `client.verify_all`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

from client.people import in_a_row
from games import lookup
from games.table import Result
from p2p.referee.bundle import MAGIC
from p2p.text import clean
from protocol.audit import DAMAGED, FAIR, INCOMPLETE, UNFAIR, UNKNOWN, Verdict, verify
from protocol.record import MOST_BYTES

EXIT: Final = {FAIR: 0, UNFAIR: 1, DAMAGED: 2, INCOMPLETE: 3, UNKNOWN: 4}

MOST_SHOWN: Final = 2000
"""Characters of a reason: it quotes what came from the file."""

_HEADINGS: Final = {
    FAIR: "Fair",
    UNFAIR: "Unfair, proven",
    DAMAGED: "Damaged, or not a record",
    INCOMPLETE: "Incomplete",
    UNKNOWN: "Cannot be judged",
}


def run(path: Path, *, as_json: bool, dask: str | None = None) -> int:
    """Prints the verdict on a file or a folder; returns the exit status that the help names. Raises NoCluster."""
    if path.is_dir() or is_bundle(path):
        from client import verify_all

        judged = verify_all.run_folder if path.is_dir() else verify_all.run_bundle
        return judged(path, as_json=as_json, dask=dask)
    ask_for_patience(path)
    verdict = judge(path)
    if as_json:
        print(json.dumps(as_plain(verdict), indent=1))
    else:
        print("\n".join(in_words(verdict)))
    return EXIT[verdict.code]


def ask_for_patience(path: Path) -> None:
    """Tells a person at a terminal why nothing is to be seen for a while: a large table takes some seconds."""
    if sys.stderr.isatty():
        print(
            f"Playing every seat of {clean(path.name, MOST_SHOWN)} again from its seed ...", file=sys.stderr, flush=True
        )


def judge(path: Path) -> Verdict:
    """The verdict on a file; one that cannot be read is "damaged", and the reason says why."""
    try:
        data = read(path)
    except OSError as error:
        return Verdict(DAMAGED, f"{path} cannot be read: {error.strerror or error}")
    return verify(data, lookup.find)


def read(path: Path) -> bytes:
    """What is in a file, as far as a record can reach. Raises OSError."""
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def is_bundle(path: Path) -> bool:
    """Whether a file begins like the bundle of a cup."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def in_words(verdict: Verdict) -> list[str]:
    """The verdict in lines for a person."""
    lines = [f"{_HEADINGS[verdict.code]}: {clean(verdict.reason, MOST_SHOWN)}."]
    if verdict.result is not None:
        lines.append(f"Result: {result_in_words(verdict.result, verdict.names)}.")
    if verdict.code == INCOMPLETE:
        lines.append("Whose step is absent is what the others' record says; what is there was found in order.")
    return lines


def result_in_words(result: Result, names: tuple[str, ...]) -> str:
    """Who won, with scores."""
    shown = [clean(name) or f"seat {seat + 1}" for seat, name in enumerate(names)]
    scores = ", ".join(
        f"{shown[seat]} {'/'.join(map(str, score))}" for seat, score in enumerate(result.scores) if seat < len(shown)
    )
    winners = [shown[seat] for seat in result.winners if seat < len(shown)]
    tie = "a draw" if len(winners) == len(shown) else f"a tie of {in_a_row(winners)}"
    outcome = f"{winners[0]} won" if len(winners) == 1 else tie
    return f"{outcome}, {result.reason} ({scores})"


def as_plain(verdict: Verdict) -> dict[str, Any]:
    """The verdict for a program. Seats count from 0, as on the wire."""
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
        "result": None if verdict.result is None else result_as_plain(verdict.result),
        "names": list(verdict.names),
        "envelopes": verdict.envelopes,
    }


def result_as_plain(result: Result) -> dict[str, Any]:
    """How a game ended, for a program."""
    return {
        "winners": list(result.winners),
        "places": list(result.places),
        "scores": [list(score) for score in result.scores],
        "reason": result.reason,
    }
