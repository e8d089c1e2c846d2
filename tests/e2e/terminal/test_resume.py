"""Games killed on real terminals and resumed: by command, on the title screen, in line mode, alone."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from kimberley.client.session.network import BOT_NAMES
from kimberley.client.session.verdicts import verify_file
from kimberley.client.ui.terminal_window import FRAME_ENDS
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.resume import list_resumable_games
from tests.e2e.terminal.test_tables import host, join, resign, words
from tests.support.effort import spread, tries
from tests.support.terminal import Terminal, address_of

LEAVE_ALTERNATE: Final = b"\x1b[?1049l"
"""What shows again what was on the terminal before the program."""


def journal_of(data: Path) -> Path:
    (path,) = (data / "journals").iterdir()
    return path


def verdict(data: Path) -> str:
    """Returns the verdict on the only record in a data folder."""
    (record,) = (data / "records").iterdir()
    return verify_file(record).code


def begin(ana: Terminal, ben: Terminal) -> None:
    """Plays up to the first ask."""
    assert words(ana) == words(ben)
    ana.press("y")
    ben.press("y")
    ana.wait(" PAY ")
    ben.wait(" PAY ")


@contextmanager
def two_begin(folder: Path) -> Iterator[tuple[Terminal, Terminal]]:
    """Yields two players at the first ask."""
    with host(folder) as ana, join(folder, address_of(ana)) as ben:
        begin(ana, ben)
        yield ana, ben


def pay_nothing(*terminals: Terminal) -> None:
    """Pays nothing, and confirms it."""
    for terminal in terminals:
        terminal.wait("Done d")
        terminal.press("d")
        terminal.touch("Finish y")


@pytest.mark.nightly
def test_killed_and_back_by_command_the_game_is_proven_fair(tmp_path: Path) -> None:
    with host(tmp_path) as ana:
        with join(tmp_path, address_of(ana)) as ben:
            begin(ana, ben)
            pay_nothing(ana, ben)
            ana.wait(" MOVE ")
            ben.wait(" MOVE ")
            ben.process.kill()
            ana.wait("ben away for")
        with Terminal("resume", data=tmp_path / "ben") as ben:
            ben.wait(" MOVE ")
            ana.wait(lambda text: "ben away for" not in text)
            resign(ben)
            assert "You win" in ana.dossier()
            ben.dossier()
        assert verdict(tmp_path / "ana") == verdict(tmp_path / "ben") == "fair"
        assert list((tmp_path / "ben" / "journals").iterdir()) == []


def test_the_host_killed_is_offered_its_game_at_the_title(tmp_path: Path) -> None:
    with two_begin(tmp_path) as (ana, ben):
        ana.process.kill()
        ben.wait("ana away for")
        with Terminal("--calm", "--nickname", "ana", data=tmp_path / "ana") as again:
            again.wait("Resume with ben")
            assert "month 1 of 9" in again.text
            again.press("g")
            again.wait(" PAY ")
            ben.wait(lambda text: "ana away for" not in text)
            resign(ben)
            assert "You win" in again.dossier()
            ben.dossier()
            again.press("esc")
            again.wait("ben is still here.")
            again.press("y")
            assert "Resume" not in again.wait("Play alone a")


def test_a_game_alone_goes_on_with_the_same_bot(tmp_path: Path) -> None:
    with Terminal("alone", "--nickname", "ana", "--calm", data=tmp_path) as terminal:
        terminal.wait(" PAY ")
        pay_nothing(terminal)
        text = terminal.wait(" MOVE ")
        bot = next(word for word in text.splitlines()[1].split() if word in BOT_NAMES)
        terminal.process.kill()
    with Terminal("resume", "--calm", data=tmp_path) as terminal:
        assert bot in terminal.wait(" MOVE ")
        resign(terminal)
        terminal.dossier()
    assert verdict(tmp_path) == "fair"
    assert list((tmp_path / "journals").iterdir()) == []


@pytest.mark.parametrize("how", spread(1, ["Ctrl-C", "SIGTERM", "SIGHUP"]))
def test_however_the_program_ends_the_game_waits(tmp_path: Path, how: str) -> None:
    with two_begin(tmp_path) as (ana, ben):
        if how == "Ctrl-C":
            ben.press("c-c")
            ben.wait("Leave for good x")
            ben.send("\x03")
        else:
            ben.process.send_signal(signal.Signals[how])
        assert ben.end() == (0 if how == "Ctrl-C" else 128 + signal.Signals[how])
        left, told = ben.raw.split(LEAVE_ALTERNATE)
        assert FRAME_ENDS.encode() in left
        assert told.endswith(b"Your game is saved. To resume it: kimberley resume\r\n")
        ana.wait("ben away for")
        with Terminal("--calm", "--nickname", "ben", data=tmp_path / "ben") as again:
            again.wait("Resume with ana")
            again.press("g")
            again.wait(" PAY ")
            ana.wait(lambda text: "ben away for" not in text)


@pytest.mark.nightly
def test_a_game_is_left_for_good_by_an_answer_of_its_own(tmp_path: Path) -> None:
    with two_begin(tmp_path) as (ana, ben):
        ben.press("c-c")
        ben.wait("Leave for good x")
        ben.send("x")
        assert ben.end() == 0
        ana.wait("ben left the table.")
    identity = Identity.load_or_create(tmp_path / "ben").public
    assert list_resumable_games(tmp_path / "ben", identity) == ()


def ask_to_put_aside(terminal: Terminal, *, keyboard: bool) -> None:
    """Asks the others to put the game aside, from the menu."""
    if keyboard:
        terminal.press("f10", "p", "y")
    else:
        terminal.touch("F10 Menu")
        terminal.touch("Save for later")
        terminal.touch("Save y")


@pytest.mark.parametrize("keyboard", tries([True], [True, False]), ids=lambda keyboard: "keys" if keyboard else "mouse")
def test_put_aside_by_both_and_taken_up_from_both_titles(tmp_path: Path, keyboard: bool) -> None:
    with two_begin(tmp_path) as (ana, ben):
        ask_to_put_aside(ana, keyboard=keyboard)
        ana.wait("Waiting for ben.")
        ben.wait("ana wants to save the game for later.")
        ben.press("f7") if keyboard else ben.touch("Keep playing F7")
        ana.wait("ben would rather keep playing.")
        ask_to_put_aside(ben, keyboard=keyboard)
        ana.wait("ben wants to save the game for later.")
        ana.press("f8") if keyboard else ana.touch("Save F8")
        for terminal, other in ((ana, "ben"), (ben, "ana")):
            text = terminal.wait("The table is closed.")
            assert " SAVED " in text
            assert "STOP" not in text
            assert "connection" not in text
            terminal.press("enter")
            terminal.wait(f"Resume with {other}")
        for terminal in (ben, ana):
            terminal.press("g")
        for terminal in (ana, ben):
            terminal.wait(lambda text: " PAY " in text and "away" not in text)
        resign(ana)
        assert "You win" in ben.dossier()
        ana.dossier()
    assert verdict(tmp_path / "ana") == "fair"


@pytest.mark.parametrize(
    "keyboard", tries([False], [True, False]), ids=lambda keyboard: "keys" if keyboard else "mouse"
)
def test_a_lost_player_is_counted_down_and_given_up(tmp_path: Path, keyboard: bool) -> None:
    (tmp_path / "ana").mkdir()
    (tmp_path / "ana" / "settings.json").write_text(json.dumps({"grace": 10}))
    with host(tmp_path) as ana, join(tmp_path, address_of(ana)) as ben:
        begin(ana, ben)
        pay_nothing(ana)
        ben.process.kill()
        ana.wait("ben lost the connection.")
        ana.wait(lambda text: re.search(r" 0:(0[1-9]|10)", text) is not None)
        ana.press("f8") if keyboard else ana.touch("Save for later F8")
        ana.wait("The table closes")
        ana.press("esc") if keyboard else ana.touch("Keep playing Esc")
        ana.wait("Stop waiting F9")
        ana.press("f9") if keyboard else ana.touch("Stop waiting F9")
        ana.wait("ben did not come back.")
        ana.press("x") if keyboard else ana.touch("Stop waiting x")
        text = ana.wait("The table is closed.")
        assert "ben did not come back." in text


@pytest.mark.nightly
def test_in_lines(tmp_path: Path) -> None:
    with two_begin(tmp_path) as (ana, ben):
        ben.process.kill()
        ana.wait("ben away for")
        with Terminal("--plain", data=tmp_path / "ben") as lines:
            lines.wait("Diamond Trust of London against ana. Month 1 of 9.")
            lines.press(*"resume 1", "enter")
            lines.wait("You are back in Diamond Trust of London")
            lines.press(*"resign", "enter")
            lines.wait("You would lose the game")
            lines.press(*"resign", "enter")
            lines.wait("Fair: every move was replayed")
        assert "You win" in ana.dossier()


def unbroken(text: str) -> str:
    """Returns the text of a panel, in one line."""
    return " ".join(text.replace("│", " ").split())


@pytest.mark.nightly
def test_what_cannot_be_resumed_is_told_with_what_to_do(tmp_path: Path) -> None:
    with two_begin(tmp_path) as (_, ben):
        busy = Terminal("resume", data=tmp_path / "ben")
        with busy:
            busy.wait(lambda text: "already being played" in unbroken(text))
        ben.process.kill()
    journal = journal_of(tmp_path / "ben")
    whole = journal.read_bytes()
    journal.write_bytes(whole[:400] + bytes(8) + whole[408:])
    with Terminal("resume", data=tmp_path / "ben") as terminal:
        # Where the sentence wraps depends on the length of the journal's path.
        sentence = terminal.wait(lambda text: "is damaged at" in unbroken(text))
        assert "Put back a copy" in unbroken(sentence)
    with Terminal("resume", "somebody", data=tmp_path / "ana") as terminal:
        terminal.wait('"diamond-trust" against ben.')
