"""What the program imports before the title screen appears: only what that screen needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

PROGRAM: Final = """
import asyncio, io, sys
from functools import partial
from pathlib import Path
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output
from kimberley.client.cli import play
from kimberley.client.screens.app import App
from kimberley.client.session.network import Network
from kimberley.client.session.settings import Settings
from kimberley.client.ui.terminal_window import TerminalWindow

async def main():
    with create_pipe_input() as keyboard:
        screen = io.StringIO()
        output = Vt100_Output(screen, lambda: Size(24, 80), term="xterm-256color")
        settings = Settings(nickname="ana", path=Path(sys.argv[1]) / "settings.json")
        app = App(settings, Network(settings), partial(TerminalWindow, input=keyboard, output=output))
        runs = asyncio.ensure_future(app.run(lambda: play._open(app, None)))
        while "every game proven fair" not in screen.getvalue():
            await asyncio.sleep(0)
        print(*sys.modules)
        app.quit()
        await runs

asyncio.run(main())
"""
LATER: Final = (
    *("cryptography", "numpy", "statistics", "unittest", "zeroconf"),
    *("kimberley.client.boards", "kimberley.p2p.tournament", "kimberley.p2p.transport", "kimberley.protocol.audit"),
    "kimberley.protocol.crypto.libsodium",
)


@pytest.mark.slow
def test_the_title_stands_there_before_anything_that_it_does_not_show_is_imported(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM, tmp_path], capture_output=True, text=True, check=True)
    imported = ran.stdout.split()
    assert "kimberley.client.screens.title" in imported
    assert [name for name in LATER if name in imported] == []
