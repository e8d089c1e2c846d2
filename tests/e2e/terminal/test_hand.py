"""The keyboard of a test's terminal: each key is pressed after the screen shows the effect of the one before."""

from __future__ import annotations

from pathlib import Path

from tests.support.terminal import Terminal

SLOW = """
import asyncio, os, sys, time, tty
tty.setraw(0)
keys = 0
def draw(moving=""):
    sys.stdout.write(f"\\x1b[?2026h\\x1b[Hpressed {keys}\\x1b[?2026l")
    sys.stdout.flush()
def press():
    global keys
    time.sleep(0.1)
    keys += len(os.read(0, 1))
    time.sleep(0.1)
    asyncio.get_running_loop().call_soon(draw)
async def main():
    asyncio.get_running_loop().add_reader(0, press)
    while True:
        draw()
        await asyncio.sleep(0.05)
asyncio.run(main())
"""
"""Takes a fifth of a second to handle a key. Meanwhile, and at all times, it draws frames that answer nothing."""


def test_a_key_is_answered_before_the_next_one_is_pressed(tmp_path: Path) -> None:
    with Terminal(data=tmp_path, program=("-c", SLOW)) as terminal:
        terminal.wait("pressed 0")
        for number in range(1, 5):
            terminal.press("x")
            assert f"pressed {number}" in terminal.text
