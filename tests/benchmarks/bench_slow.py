"""How long the screen takes to answer a key on a slow computer, anywhere in a whole game of each kind.

sudo .venv/bin/python -m tests.benchmarks.bench_slow [GAME ...]

From the first board to the dossier the player's process has a quarter of one core. The other seats are bots, each in a
process of its own. An arrow key comes `KEY_SECONDS` after the last one was answered, which is when a frame that knows
of it has been written. What the event loop did longest meanwhile is named, with its CPU time.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager, nullcontext
from functools import partial
from io import StringIO
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, Final

from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.screens.app import App
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.bots import drive
from kimberley.client.session.settings import Settings
from kimberley.client.ui.terminal_window import TerminalWindow
from kimberley.games import lookup
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.table import Table
from tests.benchmarks.bench_end import bots, until
from tests.benchmarks.common import QUICK, report, summary
from tests.support.chance import RandomBot
from tests.support.end_of_game import loop_slices
from tests.support.pretend import PretendServices
from tests.support.seated import LOOPBACK

SHARE: Final = 0.25
PERIOD_MICROSECONDS: Final = 10_000
GROUPS: Final = Path("/sys/fs/cgroup")
LEFT, RIGHT = "\x1b[D", "\x1b[C"
KEY_SECONDS: Final = 0.1
SALT: Final = 1
"""Whose identity and choices the player has."""


class Player(App):
    """The client, which notes when it has answered a key."""

    answered: asyncio.Event
    """A frame that knows of the last key was written."""
    _heard = False

    def key(self, name: str, latin: str = "") -> None:
        super().key(name, latin)
        self._heard = True

    def frame_shown(self) -> None:
        super().frame_shown()
        if self._heard:
            self._heard = False
            self.answered.set()


def named(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], **how: Any) -> asyncio.Future[Any]:
    """Makes a task in pure Python, whose steps can be named. A task in C hides what it runs."""
    task: asyncio.Future[Any] = asyncio.tasks._PyTask(work, loop=loop, **how)  # type: ignore[attr-defined]
    return task


@contextmanager
def slow_core() -> Iterator[None]:
    """Gives this process a quarter of one core.

    Raises `OSError` where this process lacks the rights, or the system has no control groups.
    """
    old = (GROUPS / "cpu").is_dir()
    group = (GROUPS / "cpu" if old else GROUPS) / f"kimberley-{os.getpid()}"
    quota = round(SHARE * PERIOD_MICROSECONDS)
    limits = (
        {"cpu.cfs_period_us": PERIOD_MICROSECONDS, "cpu.cfs_quota_us": quota}
        if old
        else {"cpu.max": f"{quota} {PERIOD_MICROSECONDS}"}
    )
    cores = os.sched_getaffinity(0)
    group.mkdir()
    try:
        for name, limit in limits.items():
            (group / name).write_text(str(limit))
        (group / "cgroup.procs").write_text(str(os.getpid()))
        os.sched_setaffinity(0, {min(cores)})
        yield
    finally:
        os.sched_setaffinity(0, cores)
        (group.parent / "cgroup.procs").write_text(str(os.getpid()))
        group.rmdir()


async def play(game_id: str, folder: Path) -> dict[str, object]:
    """Plays a whole game at a table of the smallest size, to the dossier, while keys come."""
    game = lookup.find(game_id)
    seats = min(game.seats)
    own = await Table.open(
        game,
        nickname="ana",
        identity=Identity.of(bytes([SALT]) * 32),
        data=folder / "ana",
        seats=seats,
        options={},
        port=0,
        bind=LOOPBACK,
        announce=False,
        headless=True,
        draw=Random(SALT).randbytes,
    )
    answers = []
    output = Vt100_Output(StringIO(), lambda: Size(rows=24, columns=80), term="xterm-256color")
    settings = Settings(nickname="ana", path=folder / "settings.json")
    async with AsyncExitStack() as stack:
        stack.push_async_callback(own.close)
        await stack.enter_async_context(bots(folder, SALT, seats - 1, f"{LOOPBACK}:{own.port}"))
        keys = stack.enter_context(create_pipe_input())
        app = Player(settings, PretendServices(), partial(TerminalWindow, input=keys, output=output))
        app.answered = asyncio.Event()

        def first() -> None:
            app.push(TitleScreen(app))
            app.take_seat(own)

        # As the program does after its start (`client.cli.main`).
        gc.freeze()
        asyncio.get_running_loop().set_task_factory(named)  # type: ignore[arg-type]
        running = asyncio.create_task(app.run(first))
        playing = asyncio.create_task(drive(own, RandomBot(SALT)))
        await until(lambda: app.stack and isinstance(app.stack[-1], GameScreen))
        with nullcontext() if QUICK in os.environ else slow_core(), loop_slices() as slices:
            for key in cycle((RIGHT, LEFT)):
                await asyncio.sleep(KEY_SECONDS)
                app.answered.clear()
                typed = time.perf_counter()
                keys.send_text(key)
                await app.answered.wait()
                answers.append(time.perf_counter() - typed)
                top = app.stack[-1]
                if isinstance(top, DossierScreen):
                    break
                if own.ending.verdict is not None and isinstance(top, GameScreen):
                    top.key("enter")
        playing.cancel()
        app.quit()
        await running
    return summary(answers) | {"callback_ms": round(slices.longest * 1000, 1), "it": slices.what}


def main() -> None:
    match sys.argv[1:]:
        case ["play", game]:
            with tempfile.TemporaryDirectory() as folder:
                print(json.dumps(asyncio.run(play(game, Path(folder)))))
        case games:
            report({"games": {game: played(game) for game in games or lookup.ids()}})


def played(game: str) -> dict[str, object]:
    """Plays in a process of its own."""
    command = (sys.executable, "-m", "tests.benchmarks.bench_slow", "play", game)
    found: dict[str, object] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return found


if __name__ == "__main__":
    main()
