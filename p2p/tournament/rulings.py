"""How a table ends, and in which words: pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from games.table import Result
from p2p.referee import events
from p2p.referee.points import ruled
from p2p.text import clean
from protocol.audit import FAIR, INCOMPLETE, UNFAIR, Verdict


@dataclass(frozen=True, slots=True)
class Ruling:
    """What `events.decide` is given of a table's end."""

    places: tuple[int, ...]
    how: str
    sentence: str


def against(lost: Collection[int], seats: int, how: str, sentence: str, result: Result | None = None) -> Ruling:
    """A ruling against these seats. The others stand as in the result, if there is one, else all alike."""
    return Ruling(ruled(seats, lost, result.places if result is not None else None), how, sentence)


def void(seats: int, sentence: str) -> Ruling:
    """A draw, since nobody is at fault whom the referee could name."""
    return Ruling((1,) * seats, events.VOID, sentence)


def judged(verdict: Verdict | None, names: Sequence[str]) -> Ruling:
    """What follows from the audit of a record that is whole, or that convicts somebody. `names` by seat."""
    seats = len(names)
    if verdict is not None and verdict.code == UNFAIR and verdict.seats:
        lost = verdict.seats
        return against(lost, seats, events.CHEATING, f"{spoken(names, lost)} cheated: {clean(verdict.reason, 300)}.")
    if verdict is not None and verdict.code == FAIR and verdict.result is not None:
        return Ruling(verdict.result.places, events.PLAYED, outcome(verdict.result, names))
    if verdict is not None and verdict.code == INCOMPLETE and verdict.seats:
        lost = verdict.seats
        said = f"{spoken(names, lost)} cannot be audited: {clean(verdict.reason, 300)}."
        return against(lost, seats, events.REFUSED, said, verdict.result)
    reason = clean(verdict.reason, 300) if verdict is not None else "this program is at fault"
    return void(seats, f"The record cannot be judged: {reason}. Nobody wins.")


def outcome(result: Result, names: Sequence[str]) -> str:
    """Who won, and how, with the scores where they are one number each: others are for comparing, not for reading."""
    scores = ""
    if all(len(score) == 1 for score in result.scores):
        each = zip(names, result.scores, strict=True)
        scores = f" ({', '.join(f'{name} {score}' for name, (score,) in each)})"
    winners = result.winners
    tie = "A draw" if len(winners) == len(names) else f"A tie of {spoken(names, winners)}"
    first = f"{spoken(names, winners)} won" if len(winners) == 1 else tie
    return f"{first}: {result.reason.rstrip('.')}{scores}."


def spoken(names: Sequence[str], seats: Collection[int]) -> str:
    """The names of seats in a row."""
    *first, last = [names[seat] for seat in sorted(seats)] or ["nobody"]
    return f"{', '.join(first)} and {last}" if first else last
