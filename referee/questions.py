"""What `kimberley referee` asks if it is told nothing: a new tournament, question by question, each with a default."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from kimberley.games import lookup
from kimberley.games.options import format_seat_counts
from kimberley.games.table import Game
from kimberley.p2p.base.text import clean, name_form
from kimberley.p2p.tournament.settings import (
    ARENA,
    KNOCKOUT,
    MOST_MINUTES,
    MOST_NAME,
    MOST_ROUNDS,
    ROUND_ROBIN,
    SWISS,
    TimeControl,
    check_name,
)

NAME: Final = "Friday Cup"
ROUNDS, MINUTES, CLOCK = 5, 60, "20m+10s"
NONE: Final = "none"
FORMATS: Final = (
    (SWISS, "Swiss: players with equal points meet; for any number of players"),
    (ROUND_ROBIN, "Round robin: everyone plays everyone, for up to 8 players"),
    (KNOCKOUT, "Knockout: whoever loses is out"),
    (ARENA, "Arena: quick games until time is up; players come and go"),
)
"""The formats that are offered, with their lines. The others need an option of the command."""

T = TypeVar("T")
Read = Callable[[str], str]
"""Prints a question, and returns what was typed. Raises EOFError at the end of the input."""


def ask(found: argparse.Namespace, read: Read, say: Callable[[str], None], begun: Callable[[str], bool]) -> None:
    """Fills in what the command was not told. Raises EOFError if the answers end.

    Args:
        found: The command. What it says is not asked.
        read: Asks.
        say: Prints a line.
        begun: Returns whether there is a tournament of this name, which continues: then its settings are known.

    """
    say("Press Enter to take the answer in brackets.")
    found.name = _answer(read, say, "Name of the tournament", NAME, _name)
    if begun(found.name):
        return
    if found.game is None:
        games = [lookup.find(name) for name in sorted(lookup.ids(), key=lambda name: name != found.usual_game)]
        found.game = _choice(read, say, "Game", [(game.id, _line(game)) for game in games])
    sizes = tuple(lookup.find(found.game).seats)
    if found.seats is None and len(sizes) > 1:
        found.seats = _answer(read, say, "Players at a table", str(min(sizes)), _whole(sizes))
    if found.format is None:
        found.format = _choice(read, say, "Format", FORMATS)
    if found.format == SWISS and found.rounds is None:
        found.rounds = _answer(read, say, "Rounds", str(ROUNDS), _whole(range(1, MOST_ROUNDS + 1)))
    if found.format == ARENA and found.minutes is None:
        found.minutes = _answer(read, say, "Minutes", str(MINUTES), _whole(range(1, MOST_MINUTES + 1)))
    if found.clock is None:
        wanted = f"Each player’s time for a game, plus time per choice, or {NONE}"
        found.clock = _answer(read, say, wanted, CLOCK, _clock)


def _answer(read: Read, say: Callable[[str], None], question: str, usual: str, understand: Callable[[str], T]) -> T:
    """Asks until the answer is understood. `understand` raises ValueError with a sentence."""
    while True:
        typed = clean(read(f"{question} [{usual}]: ")).strip() or usual
        try:
            return understand(typed)
        except ValueError as error:
            say(str(error))


def _choice(read: Read, say: Callable[[str], None], question: str, choices: Sequence[tuple[str, str]]) -> str:
    """Asks for one of several, by its number. The first is the default."""
    for number, (_, line) in enumerate(choices, 1):
        say(f"  {number}  {line}")
    return choices[_answer(read, say, question, "1", _whole(range(1, len(choices) + 1))) - 1][0]


def _whole(allowed: Sequence[int]) -> Callable[[str], int]:
    def understand(typed: str) -> int:
        if not typed.isascii() or not typed.isdigit() or len(typed) > 5 or int(typed) not in allowed:
            raise ValueError(f"Type a number: {format_seat_counts(tuple(allowed))}.")
        return int(typed)

    return understand


def _name(typed: str) -> str:
    check_name(name_form(typed, MOST_NAME + 1))
    return typed


def _clock(typed: str) -> str | None:
    if typed.casefold() == NONE:
        return None
    TimeControl.read(typed)
    return typed


def _line(game: Game) -> str:
    return f"{game.title}, {format_seat_counts(game.seats)} players"
