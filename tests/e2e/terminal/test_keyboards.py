"""The real program with keyboards and terminals of all kinds; `tests/client/ui/test_terminal_input.py` has the rest."""

from __future__ import annotations

from pathlib import Path

from kimberley.client.boards.diamond_trust.form import SELECT_OR_DONE
from tests.support.pipe import Pipe
from tests.support.terminal import Terminal

UNKNOWN = (
    "\x1b[1;3A", "\x1b\x1b[D", "\x1bq", "\x1b\r", "\x1b[97;1:3u", "\x1b[113;9u", "\x1b[27;3;113~", "\x1b[57358u",
    "\x1b[2~", "\x1b[24;80R", "\x1b[?64;1;2c", "\x1bP>|XTerm(379)\x1b\\", "\x1b]10;rgb:ffff/ffff/ffff\x07",
    "\x1b_Gi=1;OK\x1b\\", "\x1b[?2026;2$y", "\x1b[<35;9;9M", "\x1b[M#!!", "\x1b[I", "\x1b[99;99z",
)  # fmt: skip
KEYPAD_ENTER, SHIFT_ENTER, KEYPAD_1 = "\x1bOM", "\x1b[13;2u", "\x1b[57400u"


def unmoved(text: str) -> list[str]:
    """Returns the rows of the title screen, without the one that counts the tables of other tests."""
    return [row.rstrip() for row in text.splitlines() if "You are ana" not in row]


def test_sequences_are_the_keys_that_they_mean_or_nothing(tmp_path: Path) -> None:
    with Terminal("--nickname", "ana", "--calm", data=tmp_path) as terminal:
        terminal.wait("Play alone a")
        before = terminal.wait("bring home more diamonds")
        for sequence in UNKNOWN:
            terminal.press(sequence)
        assert unmoved(terminal.text) == unmoved(before)
        terminal.press(KEYPAD_ENTER)
        terminal.wait("Choose how strong")
        terminal.press(SHIFT_ENTER)
        terminal.wait("Select a waving agent")
        for sequence in UNKNOWN:
            terminal.press(sequence)
        assert "Salary" not in terminal.wait("Select a waving agent")
        terminal.press(SHIFT_ENTER)
        terminal.wait(f"{SELECT_OR_DONE}.")
        terminal.press(KEYPAD_1)
        terminal.wait("Salary [1]")


def test_letters_work_with_caps_lock_and_others_are_explained_once(tmp_path: Path) -> None:
    with Terminal("--nickname", "ana", "--calm", data=tmp_path) as terminal:
        terminal.wait("Play alone a")
        terminal.press("к")
        terminal.wait("This keyboard types к: use arrows, Enter and Tab, or switch to Latin.")
        terminal.press("н")
        terminal.wait(lambda text: "This keyboard" not in text)
        terminal.press("ｓ")
        terminal.wait("Settings")
        terminal.press("esc", "Q")
        assert terminal.end() == 0


def test_all_is_in_the_menu_for_who_has_no_letters(tmp_path: Path) -> None:
    with Terminal("--nickname", "ana", "--calm", data=tmp_path) as terminal:
        terminal.wait("Play alone a")
        terminal.press("f10")
        text = terminal.wait("Back")
        for line in ("Play alone", "Host", "Join", "Finished games", "Name"):
            assert line in text
        terminal.press_until("down", "▸   Name")
        terminal.press("enter")
        terminal.wait("Your nickname")


def test_typed_commands_are_what_they_mean(tmp_path: Path) -> None:
    with Pipe("--nickname", "ana", data=tmp_path, environ={"LC_ALL": "ru_RU.UTF-8"}) as ana:
        ana.wait("You are ana. Type help")
        ana.type("GAME DIAMOND")
        ana.wait("^Your game is Diamond.")
        ana.type("\x1b[A\x1b[1;3Dпфьу вшфьщтв")
        ana.wait("^Your game is Diamond.")
        ana.type("ｎｉｃｋｎａｍｅ　Оля")
        ana.wait("^You are Оля.")
        ana.type("παιχνίδι")
        ana.wait("^This keyboard types ί: switch to Latin.")
        ana.wait("^Unknown command.")
        ana.type("seats ²")
        ana.wait("^Type seats and a number from 2 to 6.")
        ana.type("ЙГШЕ")
        assert ana.end() == 0
