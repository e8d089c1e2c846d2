"""Output that somebody reads late, not at all, or no longer."""

from __future__ import annotations

import os
import pty
import re
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

import pytest

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.outlet import MOST_WAITING, Outlet, unblocked_output
from tests.support.program import PATIENCE

LINE = "x" * 999
GAP_TOLD = r"\[Lines that this terminal could not show in time are missing here: (\d+)\.]"
WHOLE = MOST_WAITING // 1000
"""How many such lines may wait."""


@contextmanager
def standard_output(handle: int) -> Iterator[None]:
    """Sends what is printed there."""
    former = sys.stdout
    with open(handle, "w", encoding="utf-8") as stream:
        sys.stdout = stream
        try:
            with unblocked_output():
                yield
        finally:
            sys.stdout = former


class Reader:
    """Reads what a program prints, once it is told to."""

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self.read = bytearray()
        self._thread = threading.Thread(target=self._work, daemon=True)

    def begin(self) -> None:
        self._thread.start()

    def rest(self) -> list[str]:
        self._thread.join(PATIENCE)
        os.close(self._handle)
        return self.read.decode().splitlines()

    def _work(self) -> None:
        try:
            while part := os.read(self._handle, 1 << 16):
                self.read += part
        except OSError:
            pass  # The end of a terminal.


Opened: TypeAlias = Callable[[], tuple[Reader, int]]


def pipe() -> tuple[Reader, int]:
    reader, writer = os.pipe()
    return Reader(reader), writer


def terminal() -> tuple[Reader, int]:
    reader, writer = pty.openpty()
    tty.setraw(writer)
    return Reader(reader), writer


@pytest.mark.parametrize("blocking", [True, False])
@pytest.mark.parametrize("kind", [pipe, terminal])
def test_what_is_read_late_arrives_whole_and_in_order(kind: Opened, blocking: bool) -> None:
    reader, writer = kind()
    os.set_blocking(writer, blocking)
    with standard_output(writer):
        for number in range(WHOLE):
            print(f"{number:0999}", flush=True)
        reader.begin()
    assert reader.rest() == [f"{number:0999}" for number in range(WHOLE)]


def test_a_pipe_that_nobody_reads_loses_lines_and_the_end_says_so() -> None:
    reader, writer = pipe()

    def work() -> None:
        with standard_output(writer):
            for _ in range(2 * WHOLE):
                print(LINE, flush=True)
            reader.begin()

    with pytest.raises(UserError, match=r"lines are lost"):
        work()
    lines = reader.rest()
    assert WHOLE <= len(lines) < 2 * WHOLE
    assert {*lines} == {LINE}


def test_a_terminal_is_told_where_lines_are_missing() -> None:
    reader, writer = terminal()
    with standard_output(writer):
        outlet = sys.stdout.buffer
        assert isinstance(outlet, Outlet)
        for _ in range(2 * WHOLE):
            print(LINE, flush=True)
        reader.begin()
        while outlet.busy:
            time.sleep(0.01)
        print("the last", flush=True)
    *lines, last = reader.rest()
    assert last == "the last"
    # The terminal may take a little in between: then there is more than one gap.
    gaps = [line for line in lines if line != LINE]
    lost = [re.fullmatch(GAP_TOLD, gap) for gap in gaps]
    assert lines[-1] in gaps
    assert lines.count(LINE) + sum(int(one[1]) for one in lost if one is not None) == 2 * WHOLE


def test_a_closed_pipe_fails_from_then_on() -> None:
    reader, writer = os.pipe()
    os.close(reader)

    def work() -> None:
        with standard_output(writer):
            while True:
                print(LINE, flush=True)

    with pytest.raises(BrokenPipeError):
        work()


def test_a_terminal_that_is_gone_takes_everything() -> None:
    reader, writer = pty.openpty()
    with standard_output(writer):
        os.close(reader)
        for _ in range(2 * WHOLE):
            print(LINE, flush=True)
