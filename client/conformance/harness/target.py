"""The target: its processes, the jobs it is given, and what it says of them (SPEC.md, "Targets")."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shlex
import shutil
import signal
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from client.conformance.case import Failed, Unimplemented, present
from client.conformance.plain import spelled
from client.conformance.profile import read_profile
from client.conformance.traffic import RECEIVED, SENT, STANDARD, Traffic

START_SECONDS: Final = 40.0
STOP_SECONDS: Final = 3.0
KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)
MOST_LINE: Final = 1 << 22
"""Bytes of a line of the target."""
MOST_COMPLAINT: Final = 4000
"""Characters of its standard error that a report shows."""

Line = dict[str, Any]


class Process:
    """One process of the target. It plays jobs one after the other, or one and ends."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.job: Job | None = None
        self.played = False
        """Whether it has played a job to its end."""
        self._silent = False
        self._process = process
        self._stdin = present(process.stdin)
        self.complaint = ""
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._complain())]

    @classmethod
    async def start(cls, command: Sequence[str], state: str) -> Process:
        """What the target keeps beside its data goes to the folder `state`, as the platform has it. Raises Failed where
        the command cannot be started.
        """
        pipe = asyncio.subprocess.PIPE
        try:
            started = await asyncio.create_subprocess_exec(
                *command,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                limit=MOST_LINE,
                env={**os.environ, "XDG_STATE_HOME": state},
            )
        except OSError as error:
            raise Failed(f"the target cannot be started: {error}") from error
        return cls(started)

    @property
    def alive(self) -> bool:
        """Whether it runs, and still has a standard output: one that has closed it is about to end."""
        return self._process.returncode is None and not self._silent

    def write(self, line: Line) -> None:
        with contextlib.suppress(OSError):
            self._stdin.write(json.dumps(line).encode() + b"\n")

    async def kill(self) -> None:
        """Ends it at once."""
        if self._process.returncode is None:
            # Not by its own method, which may take the exit status before asyncio can.
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, KILL)
        await self._end()

    async def close(self) -> None:
        """Tells it that there are no more jobs, and waits a little."""
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

    async def _listen(self) -> None:
        stdout = present(self._process.stdout)
        while True:
            try:
                text = await stdout.readline()
            except ValueError:
                text = b'{"event": "nonsense", "line": "longer than a line may be"}'
            if not text:
                break
            if self.job is not None:
                self.job.take(_event(text))
        self._silent = True
        if self.job is not None:
            self.job.ended()

    async def _complain(self) -> None:
        stderr = present(self._process.stderr)
        while text := await stderr.read(4096):
            self.complaint = (self.complaint + text.decode(errors="replace"))[-MOST_COMPLAINT:]


def _event(text: bytes) -> Line:
    try:
        event = json.loads(text)
    except ValueError:
        event = None
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        return {"event": "nonsense", "line": text[:200].decode(errors="replace")}
    return event


class Job:
    """One job of a target, and its events."""

    def __init__(
        self,
        process: Process,
        line: Line,
        traffic: Traffic,
        stir: Callable[[], None],
        again: Callable[[Job], None],
    ) -> None:
        self.line = line
        self.events: list[Line] = []
        self.over = False
        self.killed = False
        """Whether the suite itself has ended the process."""
        self.may_lack = False
        """Whether the case expects the target to lack what the job needs."""
        self._traffic = traffic
        self._stir = stir
        self._again = again
        self.give(process)

    def give(self, process: Process) -> None:
        """Has it played by a process."""
        self.process = process
        process.job = self
        process.complaint = ""
        self._write(self.line)

    def do(self, what: str, **more: Any) -> None:
        """Something for its player to do."""
        self._write({"do": what, **more})

    def _write(self, line: Line) -> None:
        self._traffic.keep(STANDARD, SENT, json.dumps(line))
        self.process.write(line)

    def check(self) -> None:
        """Raises Unimplemented, or Failed where the target breaks the contract."""
        for one in self.events:
            if one["event"] == "unimplemented" and not self.may_lack:
                raise Unimplemented(f"the target says that it lacks {spelled(one.get('what'))}")
            if one["event"] == "nonsense":
                raise Failed(f"the target prints what is no event: {one['line']}")
            if one["event"] == "exited" and not self.killed:
                raise Failed("the target's process ended before its job was over")

    def all(self, event: str) -> list[Line]:
        """The events of a kind so far."""
        return [one for one in self.events if one["event"] == event]

    def last(self, event: str) -> Line | None:
        """The latest event of a kind."""
        found = self.all(event)
        return found[-1] if found else None

    def take(self, event: Line) -> None:
        self._traffic.keep(STANDARD, RECEIVED, json.dumps(event))
        self.events.append(event)
        self.over |= event["event"] == "over"
        self._stir()

    def ended(self) -> None:
        """The process has ended. One that ended before, after its last job, is no matter: the job is given anew."""
        if not self.events and self.process.played and not self.killed:
            self._again(self)
            return
        if not self.over:
            self.events.append({"event": "exited"})
        self.over = True
        self._stir()

    @property
    def complaint(self) -> str:
        return self.process.complaint


class Pool:
    """Processes of one target; as many at a time as there are cases at work."""

    def __init__(self, command: str | Sequence[str], patience: float) -> None:
        self.patience = patience
        self._command = shlex.split(command) if isinstance(command, str) else list(command)
        self._idle: list[Process] = []
        self._state = tempfile.TemporaryDirectory(prefix="kimberley-state-", ignore_cleanup_errors=True)
        self._tasks: set[asyncio.Task[None]] = set()
        self._profile: asyncio.Task[frozenset[str]] | None = None

    async def profile(self) -> frozenset[str]:
        """What the target says that it has. It is asked once."""
        if self._profile is None:
            self._profile = asyncio.create_task(self._ask_profile())
        return await asyncio.shield(self._profile)

    async def _ask_profile(self) -> frozenset[str]:
        answered = asyncio.Event()
        try:
            job = await self.start({"role": "profile"}, Traffic(), answered.set)
        except Failed:
            return read_profile(None)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS * self.patience):
                while not job.over:
                    answered.clear()
                    await answered.wait()
        await self.release(job)
        return read_profile(job.last("profile"))

    def forget_state(self) -> None:
        """Takes what the target keeps beside its data from it, as on another machine."""
        for path in Path(self._state.name).iterdir():
            shutil.rmtree(path, ignore_errors=True)

    async def start(self, line: Line, traffic: Traffic, stir: Callable[[], None]) -> Job:
        """Gives a job to a process that has none. Raises Failed."""
        while self._idle:
            process = self._idle.pop()
            if process.alive:
                return Job(process, line, traffic, stir, self._give_anew)
            await process.kill()
        return Job(await Process.start(self._command, self._state.name), line, traffic, stir, self._give_anew)

    def _give_anew(self, job: Job) -> None:
        async def given() -> None:
            await job.process.kill()
            job.give(await Process.start(self._command, self._state.name))

        task = asyncio.create_task(given())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def release(self, job: Job) -> None:
        """A case is done with a job: the process is kept if it ends the job when it is told."""
        await asyncio.gather(*self._tasks)
        process = job.process
        if not job.over:
            job.do("stop")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STOP_SECONDS * self.patience):
                    while not job.over:  # noqa: ASYNC110 - a process that is stopped tells nobody when
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
