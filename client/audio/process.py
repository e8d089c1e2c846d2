"""Runs the audio process of a client. Whatever becomes of it, the client goes on, and never waits for it."""

from __future__ import annotations

import contextlib
import json
import logging
import subprocess
import sys
from queue import Full, Queue
from typing import Final

from kimberley.client.audio.commands import Command, encode
from kimberley.p2p.base.platform import start_thread

log = logging.getLogger(__name__)

MOST_WAITING: Final = 256
"""The most commands that may wait for the process. If there are more, it is stuck, and is ended."""
END_SECONDS: Final = 5.0
"""How long the process may take to end by itself."""


class AudioProcess:
    """Starts with the first command. If it ends too early, commands do nothing, and the log says why."""

    def __init__(self, output: str) -> None:
        """Takes the `output` on which `client.audio.player` plays."""
        self.ended = False
        """Whether nothing is heard any more."""
        self._output = output
        self._commands: Queue[Command | None] = Queue(MOST_WAITING)
        self._process: subprocess.Popen[bytes] | None = None
        self._started = self._closing = self._told = False

    @property
    def pid(self) -> int | None:
        """The ID of the process; None while there is no process."""
        return self._process.pid if self._process is not None and not self.ended else None

    def send(self, command: Command) -> None:
        """Hands over a command, without waiting for the process."""
        if self.ended or self._closing:
            return
        if not self._started:
            self._started = True
            start_thread(self._run)
        try:
            self._commands.put_nowait(command)
        except Full:
            self._end("The audio process stopped responding.")

    def close(self) -> None:
        """Ends the process, without waiting for it."""
        if not self._started or self.ended:
            return
        self._closing = True
        try:
            self._commands.put_nowait(None)
        except Full:
            self._kill()

    def _run(self) -> None:
        # -P: import nothing from the folder in which the client happens to run. What libraries print about missing
        # devices would garble the screen.
        command = (sys.executable, "-P", "-m", "kimberley.client.audio", self._output)
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        try:
            self._process = process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere)
        except OSError as error:
            self._end(str(error))
            return
        start_thread(self._hear)
        if self.ended:
            self._kill()
        assert process.stdin is not None
        # Anything written to a process that has ended is lost.
        with contextlib.suppress(OSError):
            while (next_command := self._commands.get()) is not None:
                process.stdin.write(encode(next_command))
                process.stdin.flush()
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._kill()

    def _hear(self) -> None:
        """Waits for the end of the process, and reports its cause."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        with process.stdout:
            output = process.stdout.read()
        status = process.wait()
        try:
            trouble = json.loads(output)["trouble"]
        except (ValueError, KeyError, TypeError):
            trouble = f"The audio process quit (status {status})."
        self._end(trouble)

    def _end(self, trouble: str) -> None:
        """Notes that nothing is heard any more, and says why in one line of the log unless it was intended."""
        told, self._told = self._told, True
        if not told and not self._closing:
            log.warning("Sound is off from now on. %s", trouble)
        # Who sees that it has ended finds the line in the log.
        self.ended = True
        self._kill()
        with contextlib.suppress(Full):
            self._commands.put_nowait(None)

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
