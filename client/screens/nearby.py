"""A screen that looks for tables on the network while it is visible."""

from __future__ import annotations

from abc import abstractmethod

from kimberley.client.screens.shell import Shell
from kimberley.client.session.services import Stop
from kimberley.client.ui.screen import Screen


class NearbyScreen(Screen):
    """Watches the network while the screen is visible, as soon as the modules for that are loaded."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.shell = shell
        self._seen = self._warmed = False
        self._stop: Stop | None = None

    @abstractmethod
    def on_tables_changed(self) -> None:
        """Called when the result of `Services.nearby` may have changed."""

    async def warm(self) -> None:
        """Loads what watching and later screens need, then starts to watch."""
        await self.shell.services.warm()
        self._warmed = True
        if self._seen:
            self.shown()
        self.refresh()

    def refresh(self) -> None:
        """Draws a frame soon, if the screen is visible."""
        if self._seen:
            self.ui.redraw()

    @property
    def watching(self) -> bool:
        return self._stop is not None

    def shown(self) -> None:
        self._seen = True
        if self._warmed and self._stop is None:
            self._stop = self.shell.services.watch(self.on_tables_changed)
            self.on_tables_changed()

    def hidden(self) -> None:
        self._seen = False
        if self._stop is not None:
            self._stop()
            self._stop = None
