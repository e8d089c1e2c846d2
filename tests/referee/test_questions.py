"""What `kimberley referee` asks if it is told nothing."""

from __future__ import annotations

import argparse
import webbrowser
from collections.abc import Sequence

import pytest

from kimberley.client.cli.parser import build_parser
from kimberley.p2p.tournament.settings import ARENA_OF_TWO
from kimberley.p2p.tournament.settings import FORMATS as ALL_FORMATS
from kimberley.referee.command import opened_in_browser
from kimberley.referee.questions import BEGUN, CLOCK, FORMATS, Interview
from tests.support.asyncs import run


def answered(answers: Sequence[str], *typed: str, begun: bool = False) -> tuple[argparse.Namespace, list[str]]:
    """Returns what the command knows after these answers, each of which was asked for, and all that was said."""
    found = build_parser().parse_args(["referee", *typed])
    left, said = list(answers), []

    async def read(question: str) -> str:
        said.append(question)
        if not left:
            raise EOFError
        return left.pop(0)

    told = run(Interview(found, lambda name: begun).ask(read, said.append))
    assert not left
    return told, said


def filled(*typed: str, begun: Sequence[str] = (), **form: str) -> tuple[argparse.Namespace | None, dict[str, str]]:
    """Returns what a form makes of the command, and its faults. What is not in it is as the page shows it."""
    interview = Interview(build_parser().parse_args(["referee", *typed]), lambda name: name in begun)
    usual = {str(key): str(value) for key, _, _, value, *_ in interview.fields}
    return interview.fill(usual | form)


def answers(told: argparse.Namespace | None) -> dict[str, object]:
    """Returns what was asked for."""
    assert told is not None
    return {key: getattr(told, key) for key in ("name", "game", "seats", "format", "rounds", "minutes", "clock")}


def asked(*typed: str) -> dict[str, str]:
    """Returns the fields of the form, each with what must be chosen for it to show."""
    found = build_parser().parse_args(["referee", *typed])
    return {str(key): str(only) for key, _, _, _, only, _ in Interview(found, lambda name: False).fields}


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


def test_an_arena_of_larger_tables_is_refused_at_once() -> None:
    found, said = answered(["Club", "5", "", "4", "1", "", ""])
    assert (found.game, found.format) == ("piecepack", "swiss")
    assert ARENA_OF_TWO in said
    assert filled(game="piecepack", format="arena") == (None, {"format": ARENA_OF_TWO})
    assert filled(game="mine", format="arena")[1] == {}


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


def test_the_form_has_the_same_questions_defaults_and_checks() -> None:
    typed, _ = answered([""] * 5)
    assert answers(filled()[0]) == answers(typed)
    land, _ = answered(["Club", "3", "4", "2", "none"])
    form = {"name": "Club", "game": "land", "seats": "4", "format": "round-robin", "clock": "none", "rounds": "x"}
    assert answers(filled(**form)[0]) == answers(land)
    arena, _ = answered(["", "2", "4", "90", ""])
    assert answers(filled(game=arena.game, format="arena", minutes="90")[0]) == answers(arena)
    told, faults = filled(name="x" * 50, game="mine", seats="3", rounds="0", clock="soon")
    assert told is None
    assert faults["name"] == "A tournament’s name has 1 to 40 visible characters."
    assert faults["seats"] == "Type a number: 2 or 4."
    assert faults["rounds"] == "Type a number: 1 to 64."
    assert "is not a clock" in faults["clock"]
    assert filled(game="chess", format="ladder")[1] == dict.fromkeys(("game", "format"), "Choose one of these.")


def test_the_form_shows_what_only_some_answers_need_with_them() -> None:
    assert asked() == {
        "name": "", "game": "", "seats": "larger", "format": "", "rounds": "swiss", "minutes": "arena", "clock": "",
    }  # fmt: skip
    assert asked("--game", "diamond", "--format", "swiss") == {"name": "", "rounds": "", "clock": ""}
    assert asked("--game", "land", "--clock", "5m") == {
        "name": "", "seats": "", "format": "", "rounds": "swiss", "minutes": "arena",
    }  # fmt: skip


def test_a_form_continues_a_tournament_only_if_it_says_so() -> None:
    told, faults = filled(name="Club", begun=["Club"])
    assert (told, faults) == (None, {"name": BEGUN, "continue": "Continue Club"})
    told, faults = filled(**{"name": "Club", "continue": "1"}, begun=["Club"])
    assert told is not None
    assert (told.name, told.game, faults) == ("Club", None, {})
    told, _ = filled(**{"name": "New", "continue": "1"}, begun=["Club"])
    assert told is not None
    assert (told.name, told.game) == ("New", "diamond-trust")


def test_a_new_tournament_is_not_called_as_the_last_one() -> None:
    told, _ = filled(begun=["Friday Cup", "Friday Cup 2"])
    assert told is not None
    assert told.name == "Friday Cup 3"


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
