"""The form of the Inspector: where he goes."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from kimberley.client.boards.diamond_trust.form import TrustForm, all_agents, neighbor
from kimberley.client.boards.diamond_trust.scene import LineStyle, Scene, Tag, Trip, Where, on_side
from kimberley.client.ui.widgets import Hint
from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Plain


class InspectorForm(TrustForm):
    """Where the Inspector goes, or that he stays."""

    title = "INSPECTOR"

    def __init__(self, state: State, seat: int) -> None:
        super().__init__(state, seat)
        self.region = state.inspector

    def choice(self) -> Plain:
        return self.region

    def sentence(self, room: int) -> str:
        text = "He is yours: select his next region, or leave him. Then Done."
        return text if len(text) <= room else "Select his region. Then Done."

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
            return agent is not None and super().click(("agent", *agent))
        if name in ("left", "right", "up", "down") and not self.locked:
            self._choose(neighbor(self.region, name, range(HOME)))
        elif name == "esc" and self.looked_at is not None:
            self.looked_at = None
        elif name != "enter":
            return False
        return True

    def click(self, action: Hashable) -> bool:
        match action:
            case ("region", int(region)) if not self.locked:
                self._choose(region)
            case ("agent", int(seat), int(agent)) if not self.locked and self.state.agents[seat][agent].at != HOME:
                self._choose(self.state.agents[seat][agent].at)
            case ("inspector",):
                self._choose(self.state.inspector)
            case _:
                return super().click(action)
        return True

    def decorate(self, scene: Scene) -> Scene:
        if self.region == self.state.inspector:
            return replace(scene, inspector_chosen=not self.locked)
        trip = Trip(LineStyle(self.seat), self.seat, 0, self.state.inspector, self.region, inspector=True, planned=True)
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
