"""A screen of rows, each with a value that left and right change."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from kimberley.client.screens.shell import Shell
from kimberley.client.ui.canvas import Action
from kimberley.client.ui.screen import Screen


class RowsScreen(Screen):
    """Up and down move from row to row. A click on (name, steps) moves the focus to that row, and changes it by that
    many steps, which can be 0.
    """

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.shell = shell
        self.focus = 0

    @abstractmethod
    def names(self) -> Sequence[str]:
        """Returns the names of the rows, from top to bottom."""

    @abstractmethod
    def change(self, name: str, steps: int) -> None:
        """Changes the value of a row by `steps`."""

    def key(self, name: str) -> bool:
        names = self.names()
        match name:
            case "up" | "s-tab":
                self.focus = (self.focus - 1) % len(names)
            case "down" | "tab":
                self.focus = (self.focus + 1) % len(names)
            case "left" | "-":
                self.change(names[self.focus], -1)
            case "right" | "+" | " ":
                self.change(names[self.focus], 1)
            case "esc":
                self.ui.pop(self)
            case _:
                return False
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        match action:
            case (str(name), int(steps)):
                self.focus = self.names().index(name)
                if steps:
                    self.change(name, steps)
                return True
        return False
