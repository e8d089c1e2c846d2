"""The desks of the Inspector and of the sale."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from client.boards.diamond_trust.atlas import Line, Scene, Tag, Trip, Where, on_side
from client.boards.diamond_trust.desk import Desk, Number, Stepper, all_agents, neighbour
from client.widgets import Hint
from games.diamond_trust.angola import HOME, HOMES
from games.diamond_trust.rules import State
from games.table import Plain


class InspectorDesk(Desk):
    """Where the Inspector goes, or that he stays."""

    title = "INSPECTOR"

    def __init__(self, state: State, seat: int) -> None:
        super().__init__(state, seat)
        self.region = state.inspector

    def choice(self) -> Plain:
        return self.region

    def sentence(self, room: int) -> str:
        text = "He is yours: touch the region he goes to, or leave him. Then Done."
        return text if len(text) <= room else "Touch where he goes. Then Done."

    def hints(self) -> list[Hint]:
        return [
            Hint("← ↑ ↓ →", "region", ("noop",)),
            Hint("Tab", "look at agents"),
            Hint("u", "undo"),
            Hint("d", "done"),
        ]

    def focus(self) -> int | None:
        return self.region

    def key(self, name: str) -> bool:
        if name in ("tab", "s-tab"):
            agent = self.cycle(all_agents(self.seat), 1 if name == "tab" else -1)
            return agent is not None and super().touch(("agent", *agent))
        if name in ("left", "right", "up", "down") and not self.locked:
            self._choose(neighbour(self.region, name, range(HOME)))
        elif name == "esc" and self.looked_at is not None:
            self.looked_at = None
        elif name != "enter":
            return False
        return True

    def touch(self, action: Hashable) -> bool:
        match action:
            case ("region", int(region)) if not self.locked:
                self._choose(region)
            case ("agent", int(seat), int(agent)) if not self.locked and self.state.agents[seat][agent].at != HOME:
                self._choose(self.state.agents[seat][agent].at)
            case ("inspector",):
                self._choose(self.state.inspector)
            case _:
                return super().touch(action)
        return True

    def decorate(self, scene: Scene) -> Scene:
        if self.region == self.state.inspector:
            return replace(scene, inspector_chosen=not self.locked)
        trip = Trip(Line(self.seat), self.seat, 0, self.state.inspector, self.region, inspector=True, planned=True)
        tag = Tag(self.seat, 0, self.region, (on_side(self.seat, "→UN"),), Where.INSPECTOR)
        return replace(scene, trips=(*scene.trips, trip), tags=(*scene.tags, tag))

    def _choose(self, region: int) -> None:
        self.looked_at, self.looking_at_inspector = None, False
        if region != self.region and not self.locked:
            self._remember(self.region)
            self.region = region

    def _restore(self, snapshot: object) -> None:
        assert isinstance(snapshot, int)
        self.region = snapshot


class SaleDesk(Desk):
    """How many diamonds of the vault are sold. `first` is the plan at the last look; `bound` may only look."""

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
        pace = "Equal time for both." if self.timed else "Then Done."
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

    def touch(self, action: Hashable) -> bool:
        match action:
            case ("less",):
                return self.key("left")
            case ("more",):
                return self.key("right")
            case ("sell", int(number)) if not self.locked and not self.bound:
                self._number.step(number - self.number)
                return True
            case _:
                return super().touch(action)

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
