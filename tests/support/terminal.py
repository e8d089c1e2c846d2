"""The real program in a terminal for tests: a pty on one side, pyte as the screen on the other."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import pyte

from kimberley.client.ui.terminal_window import FRAME_BEGINS, FRAME_ENDS
from kimberley.games import lookup
from kimberley.p2p.transport.address import parse_address
from tests.support.imported import ImportedProgram, can_fork, on_terminals
from tests.support.program import PATIENCE, Program
from tests.support.seeded import seed_environment

SEEDED: Final = "tests.support.seeded"
QUIET: Final = 0.03
LOOK: Final = 0.003
"""Seconds between checks of whether a program has answered a key. Each check takes time from the program."""
SILENCE: Final = 1.0
"""Seconds of silence after which a program counts as idle, if the kernel does not say what it waits for."""
KEYS: Final = {
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "enter": "\r", "esc": "\x1b", "tab": "\t",
    "s-tab": "\x1b[Z", "backspace": "\x7f", "f1": "\x1bOP", "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS",
    "f6": "\x1b[17~", "f7": "\x1b[18~", "f8": "\x1b[19~", "f9": "\x1b[20~", "f10": "\x1b[21~", "c-c": "\x03",
    "space": " ",
}  # fmt: skip


def _of_process(pid: int, what: str) -> bytes:
    """Returns what the kernel tells of a process."""
    file = os.open(f"/proc/{pid}/{what}", os.O_RDONLY)
    try:
        return os.read(file, 4096)
    finally:
        os.close(file)


class TimedOut(AssertionError):
    """The screen never showed what the test waited for. The message has the screen's text."""


def address_of(host: Terminal) -> str:
    """Returns the address on this machine at which others can join, by the port that an open table shows."""
    match = re.search(r"kimberley join (\S+)", host.wait("kimberley join "))
    assert match is not None
    return f"127.0.0.1:{parse_address(match[1])[1]}"


def own_turn(text: str) -> bool:
    """Returns whether a row ends by saying that it is the player’s turn; sentences speak of other turns of theirs."""
    return any(row.rstrip().endswith("your turn") for row in text.splitlines())


def at_the_end(text: str) -> bool:
    """Returns whether a board shows how its game ended, and waits for Enter."""
    return "THE END" in text and "Enter continue" in text


def _decline_guides(data: Path) -> None:
    """Notes in a data folder that the guides of all games were offered."""
    file = data / "settings.json"
    kept = json.loads(file.read_text("utf-8")) if file.exists() else {}
    data.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"guided": list(lookup.ids()), **kept}), "utf-8")


def place_in(screen: str, text: str) -> tuple[int, int]:
    """Returns the column and row where a text on a screen begins."""
    return next((row.index(text), y) for y, row in enumerate(screen.split("\n")) if text in row)


class Terminal(Program[subprocess.Popen[bytes] | ImportedProgram]):
    """Runs `kimberley` with `arguments` on a terminal of `columns` by `rows`. Ends it when the block is left.

    `inside` is a command that runs it elsewhere: on another host of a test network; `network`, if there is one, is the
    file of that host's network namespace. Unless it `offers` guides, they count as offered before. A program that runs
    as most do is a fork of a process that has imported it, unless it is to start `afresh`.
    """

    def __init__(
        self,
        *arguments: str,
        data: Path,
        columns: int = 80,
        rows: int = 24,
        environ: Mapping[str, str] | None = None,
        program: Sequence[str] = ("-m", SEEDED),
        inside: Sequence[str] = (),
        network: Path | None = None,
        offers: bool = False,
        afresh: bool = False,
    ) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = bytearray()
        self._rows: str | None = None
        """The text of all rows, if nothing has come since it was put together."""
        self._heard = time.monotonic()
        master, slave = pty.openpty()
        self._master = master
        self._keyboard = os.ttyname(slave)
        self._set_size(columns, rows)
        env = {"PATH": os.environ["PATH"], "HOME": str(data), "LANG": "C.UTF-8", "TERM": "xterm-256color",
               "LOGNAME": "ana", "COLORTERM": "truecolor",
               "KIMBERLEY_AUDIO": "off", **seed_environment(), **(environ or {})}  # fmt: skip
        if not offers:
            _decline_guides(data)
        typed = [*arguments, "--data", str(data)]
        afresh = afresh or bool(environ) or program != ("-m", SEEDED) or (bool(inside) and network is None)
        if afresh or not can_fork():
            command = [*inside, sys.executable, *program, *typed]
            self.process = subprocess.Popen(
                command, stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True, close_fds=True
            )
        else:
            before = tuple((name, env[name]) for name in ("PATH", "LANG"))
            self.process = on_terminals(SEEDED, before).start(typed, env, (slave, slave, slave), network=network)
        os.close(slave)
        # A terminal reads output at any time. A program whose terminal does not read would block.
        self._lock = threading.Lock()
        self._listen()

    def _close(self) -> None:
        os.close(self._master)

    # -- what it shows -------------------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """All rows as they are now."""
        with self._lock:
            return self._all_rows()

    def _all_rows(self) -> str:
        """Returns all rows, for a caller that holds the lock. Unlike `pyte.Screen.display` it measures no character:
        the second half of a wide one is empty.
        """
        if self._rows is None:
            rows, columns = range(self.screen.lines), range(self.screen.columns)
            self._rows = "\n".join("".join([self.screen.buffer[y][x].data for x in columns]) for y in rows)
        return self._rows

    def wait(self, shown: str | Callable[[str], bool], patience: float = PATIENCE) -> str:
        """Waits until the screen shows a text, or a condition on its text holds. Returns the screen's text."""
        holds = (lambda text: shown in text) if isinstance(shown, str) else shown
        end = time.monotonic() + patience
        while True:
            gone = not self._reader.is_alive()
            self.news.clear()
            # A frame arrives in pieces, and one change may take several frames, so this waits until the program is
            # quiet for a moment.
            if self._whole_and(holds) and not self.news.wait(QUIET) and (text := self._whole_and(holds)):
                return text
            if gone or time.monotonic() > end:
                raise TimedOut(f"waited for {shown!r}; the screen shows\n{self.text}")
            self.news.wait(0.1)

    def find(self, text: str) -> tuple[int, int]:
        """Waits for a text. Returns the column and row where it begins."""
        return place_in(self.wait(text), text)

    def _whole_and(self, holds: Callable[[str], bool]) -> str | None:
        """Returns the screen's text, if no frame is incomplete and the condition holds."""
        with self._lock:
            if self.raw.rfind(FRAME_ENDS.encode()) < self.raw.rfind(FRAME_BEGINS.encode()):
                return None
            text = self._all_rows()
        return text if holds(text) else None

    def colours(self, x: int, y: int) -> tuple[str, str]:
        """Returns the foreground and background of a cell, as pyte names them."""
        cell = self.screen.buffer[y][x]
        return cell.fg, cell.bg

    def _read(self) -> None:
        """Reads all output, until the program has ended."""
        while True:
            select.select([self._master], [], [])
            with self._lock:
                try:
                    data = os.read(self._master, 1 << 16)
                except OSError:
                    return
                if not data:
                    return
                self._take(data)
                self._heard = time.monotonic()
            self.news.set()

    def _take(self, data: bytes) -> None:
        """Handles a piece of the program's output."""
        self.raw += data
        self._stream.feed(data)
        self._rows = None

    # -- what is done to it --------------------------------------------------------------------------------------------

    def dossier(self, patience: float = PATIENCE) -> str:
        """Goes on from the end of a game, unless that was done, to the dossier. Returns the screen's text."""
        while "FAIR ✓" not in (text := self.wait(lambda text: at_the_end(text) or "FAIR ✓" in text, patience)):
            self.press("enter")
            self.wait(lambda now, before=text: now != before, patience)  # type: ignore[misc]
        return text

    def press(self, *keys: str) -> None:
        """Presses keys, by name or as characters. Each is pressed after the screen shows the effect of the one
        before.
        """
        for key in keys:
            self.send(KEYS.get(key, key))
            self._answered()
            # Only time separates Escape from a sequence that begins with it, as at any terminal.
            if key == "esc":
                time.sleep(0.12)
                self._answered()

    def press_until(self, key: str, shown: str, most: int = 60) -> None:
        """Presses a key repeatedly, until the screen shows a text. Each time the screen has to change."""
        for _ in range(most):
            if shown in (before := self.text):
                return
            self.press(key)
            self.wait(lambda text, before=before: text != before)  # type: ignore[misc]
        raise TimedOut(f"{key!r} pressed {most} times never showed {shown!r}; the screen shows\n{self.text}")

    def click(self, x: int, y: int, button: int = 0) -> None:
        """Clicks by the SGR protocol: button 0 left, 1 middle, 2 right, 64 and 65 the wheel up and down."""
        self.send(f"\x1b[<{button};{x + 1};{y + 1}M")
        if button < 64:
            self.send(f"\x1b[<{button};{x + 1};{y + 1}m")
        self._answered()

    def send(self, typed: str) -> None:
        """Sends bytes of the keyboard or the mouse, without waiting for their effect."""
        os.write(self._master, typed.encode())

    def _answered(self) -> None:
        """Waits until the program has read its input, and the screen shows the immediate effect."""
        end = time.monotonic() + PATIENCE
        while self._reader.is_alive() and not self._at_rest():
            if time.monotonic() > end:
                raise TimedOut(f"the program does not answer its keys; the screen shows\n{self.text}")
            time.sleep(LOOK)

    def _at_rest(self) -> bool:
        """Returns whether the program has read all input and waits for more, and all its output is shown."""
        try:
            keyboard = os.open(self._keyboard, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            return False
        try:
            if select.select([keyboard], [], [], 0)[0]:
                return False
        finally:
            os.close(keyboard)
        asleep, polls = self._sleeps()
        with self._lock:
            silent = time.monotonic() - self._heard > SILENCE
            return asleep and (polls or silent) and not select.select([self._master], [], [], 0)[0]

    def _sleeps(self) -> tuple[bool, bool]:
        """Returns whether the program sleeps, and whether it does so in its event loop, as far as the kernel tells.

        A program that is ready but gets no CPU time does not sleep, however long it is silent.
        """
        try:
            state = _of_process(self.process.pid, "stat").rpartition(b")")[2].split()[0]
            return state == b"S", b"poll" in _of_process(self.process.pid, "wchan")
        except OSError:
            return True, False

    def touch(self, text: str, button: int = 0) -> None:
        """Clicks on a text."""
        x, y = self.find(text)
        self.click(x, y, button)

    def resize(self, columns: int, rows: int) -> None:
        """Changes the size of the terminal."""
        self._set_size(columns, rows)
        with self._lock:
            self.screen.resize(rows, columns)
            self._rows = None
        self.process.send_signal(signal.SIGWINCH)
        self._answered()

    def stop(self) -> None:
        """Reads nothing more, as after Ctrl-S: the program can write nothing."""
        self._flow(termios.TCOOFF)

    def go_on(self) -> None:
        """Reads again."""
        self._flow(termios.TCOON)

    def _flow(self, what: int) -> None:
        keyboard = os.open(self._keyboard, os.O_RDWR | os.O_NOCTTY)
        termios.tcflow(keyboard, what)
        os.close(keyboard)

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
