"""The doctor, stopped while it waits for a terminal's answer, leaves the terminal as it was."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from kimberley.client.ui.terminal_modes import QUERY
from tests.support.program import PATIENCE


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_stopped_doctor_leaves_the_terminal_as_it_was(tmp_path: Path, number: signal.Signals) -> None:
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    env = os.environ | {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "kimberley.client.cli.main", "doctor"]
    with subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True) as doctor:
        seen = b""
        while QUERY.encode() not in seen:
            seen += os.read(master, 4096)
        assert termios.tcgetattr(slave) != before
        doctor.send_signal(number)
        assert doctor.wait(PATIENCE) == 128 + number
    assert termios.tcgetattr(slave) == before
    os.close(slave)
    os.close(master)
