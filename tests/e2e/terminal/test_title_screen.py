"""The title screen of the real program, on many kinds of terminal."""

from __future__ import annotations

import re
import socket
import time
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.support.terminal import Terminal


def title(data: Path, *arguments: str, **more: object) -> Terminal:
    return Terminal(*arguments, data=data, afresh=True, **more)  # type: ignore[arg-type]


def test_shows_the_games_and_the_ways_to_a_table(tmp_path: Path) -> None:
    with title(tmp_path, "--nickname", "ana") as terminal:
        text, about = terminal.wait("quit"), f"kimberley {version('kimberley')}"
        for shown in ("Diamond Trust of London", "Play alone a", "Host h", "Join j", "You are ana", about):
            assert shown in text
        terminal.press("q")
        assert terminal.end() == 0


def test_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    with title(tmp_path) as terminal:
        terminal.wait("quit")
        terminal.press("c-c")
        assert terminal.end() == 0
        for ended in (b"\x1b[?1049l", b"\x1b[?1000l", b"\x1b[?25h"):
            assert ended in terminal.raw


def test_escape_answers_at_once_and_asks_back(tmp_path: Path) -> None:
    with title(tmp_path) as terminal:
        terminal.wait("quit")
        terminal.press("esc")
        terminal.wait("Quit Kimberley?")
        terminal.press("esc")
        terminal.wait(lambda text: "Quit Kimberley?" not in text)
        terminal.press("esc")
        terminal.wait("Quit Kimberley?")
        terminal.press("y")
        assert terminal.end() == 0


def test_everything_answers_a_click(tmp_path: Path) -> None:
    with title(tmp_path) as terminal:
        terminal.touch("Join j")
        terminal.wait("Tables on this network")
        terminal.touch("Back")
        terminal.touch("Play alone a")
        terminal.wait("Choose how strong")
        terminal.click(30, 12, button=2)
        terminal.wait("quit")
        terminal.touch("F1")
        terminal.wait("One of you hosts")
        terminal.click(0, 0, button=2)
        terminal.wait(lambda text: "One of you hosts" not in text)
        terminal.touch("quit")
        assert terminal.end() == 0


def test_the_nickname_is_kept(tmp_path: Path) -> None:
    with title(tmp_path) as terminal:
        terminal.wait("quit")
        terminal.press("n")
        terminal.wait("Your nickname")
        terminal.press("\x15", *"eve 日本", "enter")
        terminal.wait("You are eve 日")
        terminal.press("q")
        terminal.end()
    with title(tmp_path) as terminal:
        terminal.wait("You are eve 日")


def test_a_small_terminal_is_told_so(tmp_path: Path) -> None:
    with title(tmp_path) as terminal:
        terminal.wait("quit")
        terminal.resize(70, 20)
        text = terminal.wait("too small")
        assert "It needs 80 x 24" in text
        assert "It is 70 x 20." in text
        terminal.resize(120, 40)
        terminal.wait("Play alone a")


@pytest.mark.parametrize(
    ("environ", "ground"),
    [
        ({"COLORTERM": "truecolor"}, "f3efe4"),
        ({"COLORTERM": ""}, "eeeeee"),
        ({"COLORTERM": "", "TERM": "xterm"}, "white"),
    ],
)
def test_the_colours_are_those_of_the_terminal(tmp_path: Path, environ: dict[str, str], ground: str) -> None:
    with title(tmp_path, environ=environ) as terminal:
        x, y = terminal.find("Diamond Trust")
        assert terminal.colours(x, y)[1] == ground


def test_no_colour_means_none_and_reverse_video_marks_the_focus(tmp_path: Path) -> None:
    with title(tmp_path, environ={"NO_COLOR": "1"}) as terminal:
        x, y = terminal.find("Diamond Trust")
        assert terminal.screen.buffer[y][x].reverse
        for row in terminal.screen.buffer.values():
            for cell in row.values():
                assert (cell.fg, cell.bg) == ("default", "default")


def test_ascii_means_ascii(tmp_path: Path) -> None:
    with title(tmp_path, environ={"LANG": "C"}) as terminal:
        assert terminal.wait("quit").isascii()
    with title(tmp_path, "--ascii") as terminal:
        assert terminal.wait("> Diamond Trust").isascii()


def test_what_is_logged_goes_to_a_file_and_not_on_the_screen(tmp_path: Path) -> None:
    with Terminal("host", "--nickname", "ana", "--calm", data=tmp_path) as terminal:
        port = re.search(r"TCP (\d+)", terminal.wait("TCP"))
        assert port
        with socket.create_connection(("127.0.0.1", int(port[1]))) as stranger:
            stranger.sendall(b"GET / HTTP/1.1\r\n\r\n")
            stranger.recv(100)
        end = time.monotonic() + 10
        log = tmp_path / "log.txt"
        # Others on the network may have looked at the table before.
        while not log.exists() or "127.0.0.1" not in log.read_text():
            assert time.monotonic() < end
            time.sleep(0.05)
        text = terminal.wait("Your table is open")
        assert "WARNING" not in text
        assert "INFO" not in text


def test_a_garbled_report_of_the_mouse_does_nothing(tmp_path: Path) -> None:
    with title(tmp_path) as terminal:
        terminal.wait("quit")
        for garbled in ("\x1b[<;;M", "\x1b[<0;;5m", "\x1b[5;M", "\x1b[M\x7f!!", "\x1b[<9;9;9;9M"):
            terminal.press(garbled)
        terminal.touch("settings")
        terminal.wait("On your move")


def test_nothing_is_written_while_nothing_moves(tmp_path: Path) -> None:
    with title(tmp_path, "--calm") as terminal:
        terminal.wait("· protocol")
        # The title screen also changes with the network. The settings do not.
        terminal.press("s")
        terminal.wait("On your move")
        before = len(terminal.raw)
        # Only time shows that nothing comes: a clock, a heartbeat, a frame of something that moves.
        time.sleep(1.0)
        assert len(terminal.raw) == before


def test_frames_are_marked_for_terminals_that_show_them_whole(tmp_path: Path) -> None:
    with title(tmp_path) as terminal:
        terminal.wait("quit")
        terminal.press("s")
        terminal.wait("On your move")
        marks = re.findall(rb"\x1b\[\?2026([hl])", bytes(terminal.raw))
        assert len(marks) >= 4
        assert marks == [b"h", b"l"] * (len(marks) // 2)
        # Between frames, only the codes that open and close the terminal are written.
        between = re.sub(rb"\x1b\[\?2026h.*?\x1b\[\?2026l", b"", bytes(terminal.raw), flags=re.DOTALL)
        assert b"On your move" not in between
