"""The closed lid: a dark screen over the one that was open, while the music goes on by itself. Any key opens it."""

from __future__ import annotations

from typing import ClassVar

from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.screens.shell import Shell
from kimberley.client.session.participants import choosing_seats
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.screen import Screen
from kimberley.games.phrases import count_of

OPENS = "Press any key to see the game."


class LidScreen(Screen):
    """Nothing but what needs the player. What is below goes on."""

    overlay: ClassVar[bool] = True
    dims: ClassVar[bool] = False

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self._shell = shell

    def opened(self) -> None:
        self._shell.audio.close_lid(True)

    def closed(self) -> None:
        self._shell.audio.close_lid(False)

    def needs_player(self, now: float) -> list[str]:
        """Returns what the player should come back for, a sentence each."""
        flow = self._shell.table_flow
        if flow is None:
            return []
        table = flow.table
        below = [screen for screen in self._shell.stack if isinstance(screen, GameScreen)]
        asked = table.peer is not None and table.occupants.seat in choosing_seats(table, table.peer.waiting)
        heads = [banner.head for screen in below for banner in flow.banners(screen, now)]
        if asked and all(screen.needs_player(now) for screen in below):
            heads.insert(0, f"Your move in {table.game.title}.")
        unread = flow.chat.count
        return [*heads, *([f"{count_of(unread, 'unread message')}."] if unread else [])]

    def draw(self, canvas: Canvas, now: float) -> None:
        canvas.fill(0, 0, canvas.width, canvas.height, "ink")
        canvas.hit(0, 0, canvas.width, canvas.height, "key:enter")
        lines = self.needs_player(now)
        top = (canvas.height - len(lines)) // 2
        for number, line in enumerate(lines):
            canvas.center(0, top + number, canvas.width, line, "money" if number == 0 else "soft", bold=number == 0)
        if lines:
            canvas.center(0, top + len(lines) + 1, canvas.width, OPENS, "soft")

    def key(self, name: str) -> bool:
        if name == "c-c":
            return False
        self.ui.pop(self)
        return True
