"""What all interfaces say of a verdict, and of the result of a game."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, Protocol

from kimberley.games.phrases import join_names
from kimberley.games.table import ReasonKind, Result
from kimberley.p2p.base.confusables import distinct_names
from kimberley.p2p.base.text import clean
from kimberley.p2p.sentences.notices import ended_when
from kimberley.protocol.audit import DAMAGED, FAIR, INCOMPLETE, UNFAIR, UNKNOWN, Verdict, who_cheated, witness_name
from kimberley.protocol.log import Deviation
from kimberley.protocol.record import NOT_A_RECORD

EXIT: Final = {FAIR: 0, UNFAIR: 1, DAMAGED: 2, INCOMPLETE: 3, UNKNOWN: 4}

MOST_SHOWN: Final = 2000
"""The longest reason shown, in characters. A reason quotes text from the file."""

VERDICT_WORDS: Final = {
    FAIR: "fair",
    UNFAIR: "unfair",
    DAMAGED: "damaged",
    INCOMPLETE: "incomplete",
    UNKNOWN: "can’t check",
}
"""What each verdict is called, the same on every screen and in every command."""

OTHERS_TELL: Final = "Records that the others kept show who stopped."
"""Said of a record that is incomplete."""
OTHERS_CONTINUED: Final = "If others played on, their records show the rest."
"""The same where a player left."""
CHECKS_OUT: Final = "Everything up to that point checks out."
CHECK_ANOTHER: Final = "Check a copy of it, or another player’s record."
"""Said of a record that is damaged."""
COMPARE_THEM: Final = "If the other player kept a record, compare the two."
"""The same for two players: either can blame the other."""


class VerdictLike(Protocol):
    """The result of auditing a record (`protocol.audit.Verdict`)."""

    @property
    def code(self) -> str: ...
    @property
    def seats(self) -> tuple[int, ...]: ...
    @property
    def reason(self) -> str: ...
    @property
    def deviations(self) -> Sequence[Deviation]: ...
    @property
    def envelopes(self) -> int: ...
    @property
    def names(self) -> Sequence[str]: ...
    @property
    def left(self) -> Sequence[tuple[int, str]]: ...


def heading(code: str) -> str:
    """Returns what a verdict is called, at the beginning of a sentence."""
    return VERDICT_WORDS[code].capitalize()


def verdict_reason(verdict: VerdictLike, names: Sequence[str]) -> str:
    """Returns why a verdict is as it is, in words without a period. `names` are what the players are called here."""
    if verdict.code == FAIR:
        return f"every move was replayed, and all {verdict.envelopes} signed messages match"
    if verdict.code == UNFAIR and verdict.deviations:
        return clean(who_cheated(verdict.deviations, names), MOST_SHOWN)
    reason = verdict.reason
    if verdict.code == INCOMPLETE:
        for seat in (*verdict.seats, *(seat for seat, _ in verdict.left)):
            reason = reason.replace(f"seat {seat + 1} ({verdict.names[seat]})", names[seat])
    return clean(reason, MOST_SHOWN).rstrip(".")


def verdict_sentence(verdict: VerdictLike, names: Sequence[str]) -> str:
    """Returns the verdict and why, in one sentence. `names` are what the players are called here."""
    return f"{heading(verdict.code)}: {verdict_reason(verdict, names)}."


def shown_names(names: Sequence[str]) -> Sequence[str]:
    """Returns the names in a record as they can be shown: no two alike."""
    return distinct_names([clean(name) or f"seat {seat + 1}" for seat, name in enumerate(names)])


def verdict_lines(verdict: Verdict, referee: bytes = b"") -> list[str]:
    """Returns the verdict as lines for a person. `referee` is the key of the referee whose ruling settled the game: a
    record knows it only as a spectator.
    """
    sentence = verdict_sentence(verdict, shown_names(verdict.names))
    lines = [sentence.replace(witness_name(referee), "the referee") if referee else sentence]
    if verdict.result is not None:
        lines.append(describe_result(verdict.result, verdict.names, verdict.gone))
    if verdict.code == DAMAGED and verdict.reason != NOT_A_RECORD:
        lines.append(CHECK_ANOTHER)
    if verdict.code == INCOMPLETE:
        rest = OTHERS_CONTINUED if verdict.left else COMPARE_THEM if len(verdict.names) == 2 else OTHERS_TELL
        lines.append(CHECKS_OUT if referee or is_attested(verdict) else f"{CHECKS_OUT} {rest}")
    return lines


def is_attested(verdict: Verdict) -> bool:
    """Returns whether a record itself shows who stopped: with two players, only a spectator can attest to that."""
    return any(len(verdict.names) > 2 or not {*who} <= {*verdict.names} for _, who in verdict.attested)


def reason_named(result: Result, names: Sequence[str]) -> str:
    """Returns why a game ended, as a part of a sentence: who has resigned is named. `names` as they are shown."""
    if result.kind is ReasonKind.RESIGNED:
        return f"{join_names([name for seat, name in enumerate(names) if seat not in result.winners])} resigned"
    return result.reason_for(names)


def counts_told(result: Result, names: Sequence[str], gone: Collection[int]) -> str:
    """Returns what each player had, if the game counts something that people count, or that they resigned: those who
    are `gone` share no place with the others, whatever they had. `names` as they are shown.
    """
    told = result.kind is ReasonKind.RESIGNED
    return ", ".join(
        f"{name} {'resigned' if seat in gone and not told else had}"
        for seat, (name, had) in enumerate(zip(names, result.counts, strict=False))
    )


def describe_result(result: Result, names: tuple[str, ...], gone: Collection[int] = ()) -> str:
    """Says who won and why, as `result_sentence` does, in whole sentences."""
    sentence = result_sentence(result, names, gone)
    # A name is written as its player writes it.
    return f"{sentence if len(result.winners) == 1 else sentence[0].upper() + sentence[1:]}."


def result_sentence(result: Result, names: tuple[str, ...], gone: Collection[int] = ()) -> str:
    """Says who won and why, and what each player had, if the game counts something that people count, too. Returns one
    or two sentences, without the last full stop. `gone` are the seats that left before the end.
    """
    displayed = shown_names(names)
    counts = counts_told(result, displayed, gone)
    winners = [displayed[seat] for seat in result.winners if seat < len(displayed)]
    tie = "a draw" if len(winners) == len(displayed) else f"a tie between {join_names(winners)}"
    losers = join_names([name for name in displayed if name not in winners])
    reason = reason_named(result, displayed)
    if result.kind is ReasonKind.AGREED:
        return reason
    won = "won" if counts and result.kind is not ReasonKind.RESIGNED else f"won against {losers}"
    outcome = f"{winners[0]} {won}" if len(winners) == 1 else tie
    had = f" ({counts})" if counts else ""
    if result.kind is ReasonKind.OVER:
        return f"{outcome}{had}. {ended_when(reason, displayed)}".removesuffix(".")
    return f"{outcome}: {reason}{had}"
