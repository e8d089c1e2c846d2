"""Sentences about a table that all games, screens and the line mode share."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from typing import Final

from kimberley.games.phrases import join_names
from kimberley.p2p.base.text import ordinal

RESIGNS: Final = "resigns"
RESIGNED: Final = "resigned"
"""What is said about a player who left the game."""
YOU_HAVE_LEFT: Final = "You left the game."
KEPT: Final = "Your game is saved. To resume it: {command}"
"""Said when the program ends during a game."""
DRAW: Final = "draw"
NOBODY_AWAITED: Final = "Not waiting for anyone."
OTHERS_TO_JOIN: Final = "Waiting for others to join."
BEGINS_NEXT: Final = "The game begins next."
NOT_SENT: Final = "Your choice is sent once everyone is here."
"""Said while a resumed game is held back."""
NOTHING_TO_DO: Final = "Nothing for you to do now."
NOTHING_YET: Final = "Nothing has happened yet."
SETTING_UP: Final = "Setting up the table."
RETURNING: Final = "Returning to your seat."
CLOSED: Final = "The table is closed."
GAME_OVER: Final = "The game is over."
GAME_SAVED: Final = "The game is over and the record is saved."
CHECKING: Final = "Checking that the game was fair."
REFEREE_BACK: Final = "The referee is back."


def game_over(why: str) -> str:
    """Says that a game has ended, and why."""
    return f"The game is over: {why}."


def ended_when(why: str, names: Sequence[str] = ()) -> str:
    """Says when a game ended. A reason that names the game is a sentence of its own."""
    return as_sentence(why, names) if "the game" in why else f"The game ended when {why}."


def record_saved(path: object) -> str:
    """Says where a record is, and how to check it."""
    return f"Record: {path}. Anyone can check it: kimberley verify FILE."


def as_sentence(text: str, names: Sequence[str] = ()) -> str:
    """Makes a text a sentence: with a period, and a capital first letter unless a square like "b2" or one of the
    `names` comes first.
    """
    as_is = text[1:2].isdigit() or any(
        name and text.startswith(name) and not text[len(name) : len(name) + 1].isalnum() for name in names
    )
    return f"{text if as_is else text[:1].upper() + text[1:]}{'' if text.endswith('.') else '.'}"


def place_word(places: Sequence[int], seat: int) -> str:
    """Returns the place of a seat as a word: "2nd", "=1st" if others have it, "draw" if all have."""
    return DRAW if set(places) == {1} else f"{shared_mark(places, seat)}{ordinal(places[seat])}"


def place_number(places: Sequence[int], seat: int) -> str:
    """Returns the text before a name in a list ordered by place: "2.", "=1" if others share the place."""
    return f"={places[seat]}" if shared_mark(places, seat) else f"{places[seat]}."


def shared_mark(places: Sequence[int], seat: int) -> str:
    """Returns the sign before a place that several seats share; empty otherwise."""
    return "=" if places.count(places[seat]) > 1 else ""


def clock_digits(seconds: float) -> str:
    """Formats the time on a clock: "14:48", "1:02:03"."""
    whole = max(0, math.ceil(seconds))
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def not_possible(reason: object) -> str:
    """Says why a typed choice was refused. `reason` has no full stop; one that contains a colon becomes a sentence of
    its own.
    """
    text = str(reason)
    return f"Not possible. {as_sentence(text)}" if ": " in text else f"Not possible: {text}."


def left(name: str) -> str:
    """Says that a player has left the game, and the others play on."""
    return f"{name} {RESIGNED}; the game goes on without them."


def resigned(name: str) -> str:
    """Says that a player resigns."""
    return f"{name} {RESIGNS}."


def caught(name: str, reason: str) -> str:
    """Says that a player was caught cheating, which ends the game."""
    return f"{name} was caught cheating: {reason}."


def connection_lost_for(name: str, time: str) -> str:
    """Says how long ago the connection to a player was lost: `time`, such as "7 s"."""
    return f"{name} lost the connection {time} ago."


def not_come(names: Sequence[str]) -> str:
    """Says that these players of a resumed game are not there yet."""
    return f"{join_names(names)} {'is' if len(names) == 1 else 'are'} not here yet."


def here(name: str) -> str:
    """Says that a player of a resumed game has come."""
    return f"{name} is here."


def back(name: str) -> str:
    """Says that a player is connected again."""
    return f"{name} is back."


def waiting_for(names: Sequence[str]) -> str:
    """Names the players the game is waiting for."""
    return f"Waiting for {join_names(names)}." if names else NOBODY_AWAITED


def renamed(typed: str, seen: str, most: int) -> tuple[str, ...]:
    """Returns a sentence about a name that others see differently from how it was typed; none if they do not."""
    if unicodedata.normalize("NFC", " ".join(typed.split())) == seen:
        return ()
    return (f"Everybody sees the name as {seen}. Names have {most} characters at most, and no invisible ones.",)
