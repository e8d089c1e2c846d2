"""The person of a sentence: the player who reads it is "you", and all others are called by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.games.phrases import join_names
from kimberley.games.table import ReasonKind, Result

_IRREGULAR: Final = {"has": "have", "is": "are", "was": "were", "does": "do", "carries": "carry"}
_HISSES: Final = ("ches", "shes", "sses", "xes", "oes")
"""Endings of verbs that add "es" to their stem."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A player as one reader calls them. Written into a text it begins a sentence: "You" or "ana"."""

    name: str
    is_you: bool = False

    def __str__(self) -> str:
        return "You" if self.is_you else self.name

    @property
    def whom(self) -> str:
        """The player within a sentence: "you" or "ana"."""
        return "you" if self.is_you else self.name

    @property
    def whose(self) -> str:
        """The possessive within a sentence: "your" or "ana’s"."""
        return "your" if self.is_you else f"{self.name}’s"

    @property
    def owner(self) -> str:
        """The same at the beginning of a sentence: "Your" or "ana’s"."""
        return "Your" if self.is_you else self.whose

    def does(self, verb: str) -> str:
        """Returns a verb as it agrees with the player. `verb` is that of a name: "places", "has"."""
        if not self.is_you:
            return verb
        return _IRREGULAR.get(verb) or verb.removesuffix("es" if verb.endswith(_HISSES) else "s")


def subject(names: Sequence[str], seat: int, you: int | None) -> Subject:
    """Returns the player of a seat. `you` is the seat of the reader, None for spectators and records."""
    return Subject(names[seat], seat == you)


def subjects(names: Sequence[str], seats: Sequence[int], you: int | None, *, begin: bool = True) -> str:
    """Returns several players, the reader first, at the beginning of a sentence or within it: "You and ana"."""
    ordered = sorted(seats, key=lambda seat: seat != you)
    players = [subject(names, seat, you) for seat in ordered]
    return join_names([str(who) if begin and number == 0 else who.whom for number, who in enumerate(players)])


def reason_told(result: Result, names: Sequence[str], you: int | None) -> str:
    """Says to a player why a game ended, as a part of a sentence: the player is "you", and those who resigned are
    called by name, not by a color or a side.
    """
    if result.kind is ReasonKind.RESIGNED:
        gone = [seat for seat in range(len(names)) if seat not in result.winners]
        return f"{subjects(names, gone, you, begin=False)} resigned"
    called = [subject(names, seat, you) for seat in range(len(names))]
    reason = result.reason_for([who.whom for who in called])
    if you is None or not result.sides:
        return reason
    return re.sub(r"\byou (\w+)", lambda match: f"you {called[you].does(match[1])}", reason)
