"""How a table ends, and the sentence that says so: pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from kimberley.games.phrases import join_names
from kimberley.games.table import Result
from kimberley.p2p.base.text import clean
from kimberley.p2p.sentences.verdicts import describe_result
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.points import places_after_ruling
from kimberley.protocol.audit import FAIR, INCOMPLETE, UNFAIR, Verdict, who_cheated


@dataclass(frozen=True, slots=True)
class Ruling:
    """The end of a table, as `events.decide` takes it."""

    places: tuple[int, ...]
    how: str
    sentence: str


def ruling_against(lost: Collection[int], seats: int, how: str, sentence: str, result: Result | None = None) -> Ruling:
    """Returns a ruling against these seats. The others keep their places from the result if there is one; otherwise
    they tie.
    """
    return Ruling(places_after_ruling(seats, lost, result.places if result is not None else None), how, sentence)


def void_ruling(seats: int, sentence: str) -> Ruling:
    """Returns a draw: the referee cannot name anybody at fault."""
    return Ruling((1,) * seats, events.VOID, sentence)


def ruling_from_audit(verdict: Verdict | None, names: Sequence[str]) -> Ruling:
    """Returns what follows from the audit of a record that is complete, or that convicts somebody. `names` by seat."""
    seats = len(names)
    if verdict is not None and verdict.code == UNFAIR and verdict.seats:
        sentence = clean(who_cheated(verdict.deviations, names), 300)
        return ruling_against(verdict.seats, seats, events.CHEATING, f"{sentence[0].upper()}{sentence[1:]}.")
    if verdict is not None and verdict.code == FAIR and verdict.result is not None:
        return Ruling(verdict.result.places, events.PLAYED, describe_result(verdict.result, tuple(names), verdict.gone))
    if verdict is not None and verdict.code == INCOMPLETE and verdict.seats:
        lost = verdict.seats
        sentence = f"The game of {names_at(names, lost)} cannot be checked: {clean(verdict.reason, 300)}."
        return ruling_against(lost, seats, events.REFUSED, sentence, verdict.result)
    reason = clean(verdict.reason, 300) if verdict is not None else "this program failed"
    return void_ruling(seats, f"The record cannot be checked: {reason}. Nobody wins.")


def names_at(names: Sequence[str], seats: Collection[int]) -> str:
    """Returns the names of these seats as a list in a sentence; "nobody" if there are none."""
    return join_names([names[seat] for seat in sorted(seats)]) or "nobody"
