"""What `kimberley referee` asks if it is told nothing."""

from __future__ import annotations

import argparse
import webbrowser
from collections.abc import Sequence

import pytest

from kimberley.client.cli.parser import build_parser
from kimberley.p2p.tournament.settings import FORMATS as ALL_FORMATS
from kimberley.referee.command import opened_in_browser
from kimberley.referee.questions import CLOCK, FORMATS, ask


def answered(answers: Sequence[str], *typed: str, begun: bool = False) -> tuple[argparse.Namespace, list[str]]:
    """What the command knows after these answers, of which each was asked for, and all that was said."""
    found = build_parser().parse_args(["referee", *typed])
    left, said = list(answers), []

    def read(question: str) -> str:
        said.append(question)
        if not left:
            raise EOFError
        return left.pop(0)

    ask(found, read, said.append, lambda name: begun)
    assert not left
    return found, said


def test_enter_answers_every_question() -> None:
    found, _ = answered([""] * 5)
    assert (found.name, found.game, found.format, found.rounds, found.clock) == (
        "Friday Cup", "diamond-trust", "swiss", 5, CLOCK,
    )  # fmt: skip
    assert (found.seats, found.minutes) == (None, None)


def test_only_what_a_game_or_a_format_needs_is_asked() -> None:
    land, said = answered(["Club", "3", "4", "2", "none"])
    assert (land.name, land.game, land.seats, land.format) == ("Club", "land", 4, "round-robin")
    assert (land.rounds, land.clock) == (None, None)
    assert [line for line in said if line.startswith("Players at a table")] == ["Players at a table [2]: "]
    arena, _ = answered(["", "2", "4", "90", ""])
    assert (arena.format, arena.minutes, arena.rounds) == ("arena", 90, None)


def test_a_size_that_no_table_has_is_refused_with_those_that_it_can_have() -> None:
    mine, said = answered(["Club", "4", "3", "4", "2", "none"])
    assert (mine.game, mine.seats) == ("mine", 4)
    assert "Type a number: 2 or 4." in said


def test_a_mistake_is_explained_and_asked_again() -> None:
    found, said = answered(["x" * 50, "Club", "9", "one", "1", "", "0", "7", "soon", "5m"])
    assert (found.name, found.game, found.rounds, found.clock) == ("Club", "diamond-trust", 7, "5m")
    for sentence in (
        "A tournament’s name has 1 to 40 visible characters.",
        "Type a number: 1 to 5.",
        "Type a number: 1 to 64.",
    ):
        assert sentence in said
    assert any("is not a clock" in line for line in said)


def test_what_the_command_says_is_not_asked() -> None:
    found, _ = answered(["", "", ""], "--game", "diamond", "--rounds", "3")
    assert (found.game, found.rounds) == ("diamond", 3)


def test_of_a_tournament_that_continues_only_the_name_is_asked() -> None:
    found, _ = answered(["Club"], begun=True)
    assert (found.name, found.game, found.format, found.clock) == ("Club", None, None, None)


def test_who_stops_answering_starts_nothing() -> None:
    with pytest.raises(EOFError):
        answered(["Club", ""])


def test_each_format_that_is_offered_exists() -> None:
    assert {name for name, _ in FORMATS} < set(ALL_FORMATS)


@pytest.mark.parametrize("desktop", [True, False])
def test_a_browser_opens_only_on_a_desktop(desktop: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere it would be one that takes this terminal."""
    opened: list[str] = []

    def open_(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", open_)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    if desktop:
        monkeypatch.setenv("DISPLAY", ":0")
    else:
        monkeypatch.delenv("DISPLAY", raising=False)
    assert opened_in_browser("http://192.0.2.7:8080/wall") == desktop
    assert opened == ["http://192.0.2.7:8080/wall"] * desktop
