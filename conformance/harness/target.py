"""The target: its processes, the jobs it is given, and the events it reports (SPEC.md, section 29)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shlex
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from kimberley.conformance.errors import Failed, Unimplemented, present
from kimberley.conformance.harness.profile import read_profile
from kimberley.conformance.harness.traffic import RECEIVED, SENT, STANDARD, Traffic
from kimberley.conformance.plain import spelled

START_SECONDS: Final = 40.0
STOP_SECONDS: Final = 3.0
KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)
MAX_LINE: Final = 1 << 22
"""Bytes that a line of the target may have."""
MAX_STDERR: Final = 4000
"""Characters of its standard error that a report shows, the last ones."""

JsonLine = dict[str, Any]


class TargetProcess:
    """One process of the target. It plays several jobs, one after the other, or one job and exits."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.job: Job | None = None
        self.played = False
        """Whether it has played a job to its end."""
        self._silent = False
        self._process = process
        self._stdin = present(process.stdin)
        self.stderr = ""
        self._tasks = [asyncio.create_task(self._read_stdout()), asyncio.create_task(self._read_stderr())]

    @classmethod
    async def start(cls, command: Sequence[str], state: str) -> TargetProcess:
        """Starts a process. What the target keeps outside its data folder goes to the folder `state`. Raises Failed if
        the command cannot be started.
        """
        pipe = asyncio.subprocess.PIPE
        try:
            started = await asyncio.create_subprocess_exec(
                *command,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                limit=MAX_LINE,
                env={**os.environ, "XDG_STATE_HOME": state},
            )
        except OSError as error:
            raise Failed(f"the target cannot be started: {error}") from error
        return cls(started)

    @property
    def alive(self) -> bool:
        """Whether it runs and its standard output is open: a process that has closed it is about to exit."""
        return self._process.returncode is None and not self._silent

    def write(self, line: JsonLine) -> None:
        with contextlib.suppress(OSError):
            self._stdin.write(json.dumps(line).encode() + b"\n")

    async def kill(self) -> None:
        """Kills it."""
        if self._process.returncode is None:
            # Popen.kill may collect the exit status before asyncio does.
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, KILL)
        await self._end()

    async def close(self) -> None:
        """Closes its standard input: there are no more jobs. Kills it if it does not exit within STOP_SECONDS."""
        with contextlib.suppress(OSError):
            self._stdin.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_SECONDS):
                await self._process.wait()
        await self.kill()

    async def _end(self) -> None:
        await self._process.wait()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(OSError):
            self._stdin.close()
            await self._stdin.wait_closed()

    async def _read_stdout(self) -> None:
        stdout = present(self._process.stdout)
        while True:
            try:
                text = await stdout.readline()
            except ValueError:
                text = b'{"event": "nonsense", "line": "longer than a line may be"}'
            if not text:
                break
            if self.job is not None:
                self.job.on_event(_event(text))
        self._silent = True
        if self.job is not None:
            self.job.on_exit()

    async def _read_stderr(self) -> None:
        stream = present(self._process.stderr)
        while text := await stream.read(4096):
            self.stderr = (self.stderr + text.decode(errors="replace"))[-MAX_STDERR:]


def _event(text: bytes) -> JsonLine:
    try:
        event = json.loads(text)
    except ValueError:
        event = None
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        return {"event": "nonsense", "line": text[:200].decode(errors="replace")}
    return event


class Job:
    """One job of the target, and the events it has reported."""

    def __init__(
        self,
        process: TargetProcess,
        message: JsonLine,
        traffic: Traffic,
        notify: Callable[[], None],
        restart: Callable[[Job], None],
    ) -> None:
        self.message = message
        self.events: list[JsonLine] = []
        self.over = False
        self.killed = False
        """Whether the suite killed the process itself."""
        self.may_lack = False
        """Whether the case expects the answer `unimplemented`."""
        self._traffic = traffic
        self._notify = notify
        self._restart = restart
        self.assign(process)

    def assign(self, process: TargetProcess) -> None:
        """Has a process play the job."""
        self.process = process
        process.job = self
        process.stderr = ""
        self._write(self.message)

    def do(self, what: str, **more: Any) -> None:
        """Tells the target's player to do something."""
        self._write({"do": what, **more})

    def _write(self, line: JsonLine) -> None:
        self._traffic.keep(STANDARD, SENT, json.dumps(line))
        self.process.write(line)

    def check(self) -> None:
        """Raises Unimplemented, or Failed if the target breaks the contract for targets."""
        for one in self.events:
            if one["event"] == "unimplemented" and not self.may_lack:
                raise Unimplemented(f"the target says that it lacks {spelled(one.get('what'))}")
            if one["event"] == "nonsense":
                raise Failed(f"the target prints a line that is not an event: {one['line']}")
            if one["event"] == "exited" and not self.killed:
                raise Failed("the target's process ended before its job was over")

    def all(self, event: str) -> list[JsonLine]:
        """Returns the events of a kind so far."""
        return [one for one in self.events if one["event"] == event]

    def last(self, event: str) -> JsonLine | None:
        """Returns the latest event of a kind, if there is one."""
        events = self.all(event)
        return events[-1] if events else None

    def on_event(self, event: JsonLine) -> None:
        self._traffic.keep(STANDARD, RECEIVED, json.dumps(event))
        self.events.append(event)
        self.over |= event["event"] == "over"
        self._notify()

    def on_exit(self) -> None:
        """Notes that the process has exited. If it did so after its previous job, another process plays this one."""
        if not self.events and self.process.played and not self.killed:
            self._restart(self)
            return
        if not self.over:
            self.events.append({"event": "exited"})
        self.over = True
        self._notify()

    @property
    def stderr(self) -> str:
        return self.process.stderr


class TargetPool:
    """The processes of one target: as many as cases run at the same time."""

    def __init__(self, command: str | Sequence[str], patience: float) -> None:
        self.patience = patience
        self._command = split_command(command) if isinstance(command, str) else list(command)
        self._idle: list[TargetProcess] = []
        self._state = tempfile.TemporaryDirectory(prefix="kimberley-state-", ignore_cleanup_errors=True)
        self._tasks: set[asyncio.Task[None]] = set()
        self._profile: asyncio.Task[frozenset[str]] | None = None

    async def profile(self) -> frozenset[str]:
        """Returns what the target says that it has. Asks the target once."""
        if self._profile is None:
            self._profile = asyncio.create_task(self._ask_profile())
        return await asyncio.shield(self._profile)

    async def _ask_profile(self) -> frozenset[str]:
        answered = asyncio.Event()
        try:
            job = await self.start({"role": "profile"}, Traffic(), answered.set)
        except Failed:
            return read_profile(None)
        with contextlib.suppress(TimeoutError, Failed, Unimplemented):
            async with asyncio.timeout(START_SECONDS * self.patience):
                while not job.over:
                    job.check()
                    answered.clear()
                    await answered.wait()
        await self.release(job)
        return read_profile(job.last("profile"))

    def forget_state(self) -> None:
        """Deletes what the target keeps outside its data folders, as if the data were copied to another machine."""
        for path in Path(self._state.name).iterdir():
            shutil.rmtree(path, ignore_errors=True)

    async def start(self, message: JsonLine, traffic: Traffic, notify: Callable[[], None]) -> Job:
        """Gives a job to an idle process. Raises Failed."""
        while self._idle:
            process = self._idle.pop()
            if process.alive:
                return Job(process, message, traffic, notify, self._restart)
            await process.kill()
        return Job(await TargetProcess.start(self._command, self._state.name), message, traffic, notify, self._restart)

    def _restart(self, job: Job) -> None:
        async def restarted() -> None:
            await job.process.kill()
            job.assign(await TargetProcess.start(self._command, self._state.name))

        task = asyncio.create_task(restarted())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def release(self, job: Job) -> None:
        """Frees the process of a job with which a case is done, and keeps it if it ends the job when it is told to."""
        await asyncio.gather(*self._tasks)
        process = job.process
        if not job.over:
            job.do("stop")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STOP_SECONDS * self.patience):
                    while not job.over:  # noqa: ASYNC110 - a stopped process tells nobody when it ends
                        await asyncio.sleep(0.01)
        process.job = None
        process.played = True
        if job.over and process.alive:
            self._idle.append(process)
        else:
            await process.kill()

    async def close(self) -> None:
        if self._profile is not None:
            await self._profile
        await asyncio.gather(*(process.close() for process in self._idle))
        self._idle.clear()
        self._state.cleanup()


def split_command(command: str) -> list[str]:
    """Returns the words of a command line. On Windows a backslash is a part of a path, and quotes nothing."""
    words = shlex.shlex(command, posix=True, punctuation_chars=False)
    words.whitespace_split = True
    words.commenters = ""
    if sys.platform == "win32":
        words.escape = ""
    return list(words)
