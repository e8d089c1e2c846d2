"""What `kimberley referee` asks if it is told nothing: a new tournament, question by question, each with a default.

The terminal asks one after the other; the organizer's page has the same questions as a form.
"""

from __future__ import annotations

import argparse
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from kimberley.games import lookup
from kimberley.games.options import format_seat_counts
from kimberley.games.table import Game, Plain
from kimberley.p2p.base.text import clean, name_form
from kimberley.p2p.tournament.settings import (
    ARENA,
    ARENA_OF_TWO,
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
LARGER: Final = "larger"
"""Marks the games with a choice of how many sit at a table."""
CONTINUE: Final = "continue"
"""What a form says to continue the tournament of that name."""
BEGUN: Final = "A tournament with this name is already on this computer. Continue it, or change the name."
FORMATS: Final = (
    (SWISS, "Swiss: players with equal points meet; for any number of players"),
    (ROUND_ROBIN, "Round-robin: everyone plays everyone; best with up to 8 players"),
    (KNOCKOUT, "Knockout: losers are out"),
    (ARENA, "Arena: quick games until time is up; players come and go"),
)
"""The formats that are offered, with their lines. The others need an option of the command."""

Answers: TypeAlias = argparse.Namespace
Read: TypeAlias = Callable[[str], Awaitable[str]]
"""Prints a question, and returns what was typed. Raises EOFError at the end of the input."""


@dataclass(frozen=True, slots=True)
class SetupChoice:
    """An answer to choose, with its line. In a form, questions that are `only` for its `mark` show while it is
    chosen.
    """

    value: str
    line: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class SetupQuestion:
    """A question, whose answer is `key` of the command.

    Args:
        key: The name in the command.
        label: The question.
        usual: The answer if nothing is typed, given those before it.
        understand: Returns the answer that was typed, given those before it. Raises ValueError with a sentence.
        asked: Returns whether it is asked, given the answers before it.
        choices: If one of several is chosen, all of them; the first is the usual one.
        note: How a form explains it.
        of: The question that decides whether it is asked.
        only: The mark of those choices of that question with which a form shows it.

    """

    key: str
    label: str
    usual: Callable[[Answers], str]
    understand: Callable[[str, Answers], object]
    asked: Callable[[Answers], bool]
    choices: tuple[SetupChoice, ...] = ()
    note: str = ""
    of: str = ""
    only: str = ""


class Interview:
    """The questions that are left open by a command. What it says is not asked."""

    def __init__(self, arguments: Answers, begun: Callable[[str], bool]) -> None:
        """Takes `begun`, which returns whether a tournament of this name has begun: then its settings are known."""
        self._arguments, self._begun = arguments, begun
        self._questions = tuple(one for one in _questions(arguments, begun) if getattr(arguments, one.key) is None)

    async def ask(self, read: Read, say: Callable[[str], None]) -> Answers:
        """Asks one question after the other. Returns the whole command. Raises EOFError if the answers end."""
        answers = argparse.Namespace(**vars(self._arguments))
        say("Press Enter to accept the answer in brackets.")
        for question in self._questions:
            if question.asked(answers):
                setattr(answers, question.key, await _answer(question, answers, read, say))
            if question.key == "name" and self._begun(answers.name):
                break
        return answers

    @property
    def fields(self) -> tuple[tuple[Plain, ...], ...]:
        """The questions for a form: key, label, note, usual answer, mark, and the value, line and mark of each
        choice.
        """
        return tuple(
            (
                question.key,
                question.label,
                question.note,
                question.usual(self._arguments),
                "" if question.asked(self._arguments) else question.only,
                tuple((one.value, one.line, one.mark) for one in question.choices),
            )
            for question in self._questions
            if question.asked(self._arguments) or (question.of and getattr(self._arguments, question.of) is None)
        )

    def fill(self, filled: Mapping[str, str]) -> tuple[Answers | None, dict[str, str]]:
        """Returns the whole command by a form, or None, and what is wrong with it: a sentence by key."""
        answers, faults = argparse.Namespace(**vars(self._arguments)), dict[str, str]()
        for question in self._questions:
            typed = clean(filled.get(question.key, "")).strip()
            if not question.asked(answers):
                continue
            try:
                setattr(answers, question.key, _understood(question, typed or question.usual(answers), answers))
            except ValueError as error:
                faults[question.key] = str(error)
            if question.key == "name" and not faults and self._begun(answers.name):
                if CONTINUE in filled:
                    break
                faults |= {"name": BEGUN, CONTINUE: f"Continue {answers.name}"}
        return (None if faults else answers), faults


async def _answer(question: SetupQuestion, answers: Answers, read: Read, say: Callable[[str], None]) -> object:
    """Asks until the answer is understood. One of several is chosen by its number."""
    usual = "1" if question.choices else question.usual(answers)
    for number, choice in enumerate(question.choices, 1):
        say(f"  {number}  {choice.line}")
    while True:
        typed = clean(await read(f"{question.label} [{usual}]: ")).strip() or usual
        try:
            if not question.choices:
                return question.understand(typed, answers)
            chosen = question.choices[_whole(typed, range(1, len(question.choices) + 1)) - 1].value
            return question.understand(chosen, answers)
        except ValueError as error:
            say(str(error))


def _understood(question: SetupQuestion, typed: str, answers: Answers) -> object:
    """Returns what was filled in. Raises ValueError."""
    if question.choices and typed not in {one.value for one in question.choices}:
        raise ValueError("Choose one of these.")
    return question.understand(typed, answers)


def _questions(arguments: Answers, begun: Callable[[str], bool]) -> tuple[SetupQuestion, ...]:
    games = [lookup.find(name) for name in sorted(lookup.ids(), key=lambda name: name != arguments.usual_game)]
    return (
        SetupQuestion(
            "name",
            "Name of the tournament",
            lambda answers: _new_name(begun),
            lambda typed, answers: _name(typed),
            _always,
        ),
        SetupQuestion(
            "game",
            "Game",
            lambda answers: games[0].id,
            lambda typed, answers: typed,
            _always,
            tuple(SetupChoice(game.id, _line(game), LARGER if len(game.seats) > 1 else "") for game in games),
        ),
        SetupQuestion(
            "seats",
            "Players at a table",
            lambda answers: "" if answers.game is None else str(min(lookup.find(answers.game).seats)),
            lambda typed, answers: _whole(typed, lookup.find(answers.game).seats),
            lambda answers: answers.game is not None and len(lookup.find(answers.game).seats) > 1,
            note="Leave this empty for as few as the game allows.",
            of="game",
            only=LARGER,
        ),
        SetupQuestion(
            "format",
            "Format",
            lambda answers: FORMATS[0][0],
            _format,
            _always,
            tuple(SetupChoice(name, line, name) for name, line in FORMATS),
        ),
        SetupQuestion(
            "rounds",
            "Rounds",
            lambda answers: str(ROUNDS),
            lambda typed, answers: _whole(typed, range(1, MOST_ROUNDS + 1)),
            lambda answers: answers.format == SWISS,
            of="format",
            only=SWISS,
        ),
        SetupQuestion(
            "minutes",
            "Minutes",
            lambda answers: str(MINUTES),
            lambda typed, answers: _whole(typed, range(1, MOST_MINUTES + 1)),
            lambda answers: answers.format == ARENA,
            note="How long the arena lasts.",
            of="format",
            only=ARENA,
        ),
        SetupQuestion(
            "clock",
            f"Each player’s time for a game, plus time per choice, or {NONE}",
            lambda answers: CLOCK,
            lambda typed, answers: _clock(typed),
            _always,
            note="20m+10s means 20 minutes, and 10 seconds more for each choice.",
        ),
    )


def _always(answers: Answers) -> bool:
    del answers
    return True


def _new_name(begun: Callable[[str], bool]) -> str:
    """Returns a name that no tournament of this computer has: last week’s name would continue that tournament."""
    names = (NAME, *(f"{NAME} {number}" for number in range(2, 100)))
    return next((name for name in names if not begun(name)), NAME)


def _whole(typed: str, allowed: Sequence[int]) -> int:
    if not typed.isascii() or not typed.isdigit() or len(typed) > 5 or int(typed) not in allowed:
        raise ValueError(f"Type a number: {format_seat_counts(tuple(allowed))}.")
    return int(typed)


def _name(typed: str) -> str:
    check_name(name_form(typed, MOST_NAME + 1))
    return typed


def _format(typed: str, answers: Answers) -> str:
    if typed == ARENA and answers.game is not None and (answers.seats or min(lookup.find(answers.game).seats)) != 2:
        raise ValueError(ARENA_OF_TWO)
    return typed


def _clock(typed: str) -> str | None:
    if typed.casefold() == NONE:
        return None
    TimeControl.read(typed)
    return typed


def _line(game: Game) -> str:
    return f"{game.title}, {format_seat_counts(game.seats)} players"
