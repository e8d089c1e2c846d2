"""A screen that shows what tables there are on the network, as long as it is to be seen itself."""

from __future__ import annotations

from abc import abstractmethod

from client.screen import Screen
from client.screens.shell import Shell
from client.services import Stop


class WatchingScreen(Screen):
    """Watches the network while it is shown, once what that needs is loaded."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.shell = shell
        self._seen = self._warmed = False
        self._stop: Stop | None = None

    @abstractmethod
    def heard(self) -> None:
        """What `Services.nearby` says may have changed."""

    async def warm(self) -> None:
        """Loads what watching and later screens need, and watches from then on."""
        await self.shell.services.warm()
        self._warmed = True
        if self._seen:
            self.shown()
        self.ui.redraw()

    @property
    def watching(self) -> bool:
        return self._stop is not None

    def shown(self) -> None:
        self._seen = True
        if self._warmed and self._stop is None:
            self._stop = self.shell.services.watch(self.heard)
            self.heard()

    def hidden(self) -> None:
        self._seen = False
        if self._stop is not None:
            self._stop()
            self._stop = None
