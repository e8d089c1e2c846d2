"""The form of the sale: how many diamonds."""

from __future__ import annotations

from collections.abc import Hashable

from kimberley.client.boards.diamond_trust.form import Number, Stepper, TrustForm
from kimberley.client.ui.widgets import Hint
from kimberley.games.diamond_trust.angola import HOMES
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Plain


class SaleForm(TrustForm):
    """How many diamonds the player sells. At the last look `first` is the plan; a `bound` form cannot be changed."""

    title = "SALE"

    def __init__(
        self, state: State, seat: int, first: int | None = None, bound: bool = False, timed: bool = False
    ) -> None:
        super().__init__(state, seat)
        self.first = first
        self.bound = bound
        self.timed = timed
        self._number = Number(first or 0, state.vault[seat])

    @property
    def last_look(self) -> bool:
        """Whether this is the last look at a planned sale."""
        return self.first is not None

    @property
    def number(self) -> int:
        return self._number.amount

    def choice(self) -> Plain:
        return self._number.amount

    def sentence(self, room: int) -> str:
        if not self.last_look:
            return "How many diamonds do you sell? Then Done."
        pace = "Both sides get the same time." if self.timed else "Then Done."
        text = "Nobody told you anything: your number stands." if self.bound else "Change your number or leave it."
        return f"{text} {pace}" if len(text) + len(pace) < room else text

    def hints(self) -> list[Hint]:
        undo = "back to first number" if self.last_look else "undo"
        return [
            Hint("← →", "how many", ("more",)),
            Hint("0-9", "type it", ("noop",)),
            Hint("d", "done"),
            Hint("u", undo),
        ]

    def stepper(self) -> Stepper | None:
        vault = self.state.vault[self.seat]
        return Stepper(f"Sell diamonds from {HOMES[self.seat]}", self.number, vault, "", ())

    def key(self, name: str) -> bool:
        if self.locked or self.bound:
            return False
        before = self.number
        if not self._number.key(name):
            return False
        if before != self.number and not self.last_look:
            self._remember(before)
        return True

    def click(self, action: Hashable) -> bool:
        match action:
            case ("less",):
                return self.key("left")
            case ("more",):
                return self.key("right")
            case ("sell", int(number)) if not self.locked and not self.bound:
                self._number.step(number - self.number)
                return True
            case _:
                return super().click(action)

    def wheel(self, steps: int) -> bool:
        return self.key("left" if steps > 0 else "right")

    def undo(self) -> bool:
        if self.first is None:
            return super().undo()
        if self.locked or self.bound or self.number == self.first:
            return False
        self._number.step(self.first - self.number)
        return True

    def undoable(self) -> bool:
        if self.first is None:
            return super().undoable()
        return not (self.locked or self.bound) and self.number != self.first

    def _restore(self, snapshot: object) -> None:
        assert isinstance(snapshot, int)
        self._number.step(snapshot - self.number)
