"""A table of Diamond without a protocol: the test plays one seat and gives the replies of the other."""

from __future__ import annotations

from kimberley.games.diamond import GAME
from kimberley.games.diamond.rules import State
from tests.support.arena_table import OpenTable


class DiamondTable(OpenTable[State]):
    """The test's seat. After each of its turns, the other seat makes the next of `replies` while there are any.

    `first` is the seat that begins. With `state`, the game continues from there, and its story is empty.
    """

    def __init__(self, seat: int = 0, first: int = 0, state: State | None = None, replies: str = "") -> None:
        super().__init__(game=GAME, seat=seat, phase="playing", agreed=(True, True))
        self.replies = [reply.replace("~", " ") for reply in replies.split()]
        self.sit_down(state or State())
        if state is None:
            self.own.apply((first,))
        self.go_on()

    def go_on(self) -> None:
        """Makes the other side's next turns, while it is to move."""
        while self.replies and self.own.asked is None and self.own.result is None:
            self.apply(self.replies.pop(0))
