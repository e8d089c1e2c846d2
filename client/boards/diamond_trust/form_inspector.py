"""The form of the Inspector: where he goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kimberley.client.boards.diamond_trust.form import Selection, TrustForm, all_agents, marks, neighbor
from kimberley.client.boards.diamond_trust.phrases import counted, explains, region_named
from kimberley.client.boards.diamond_trust.scene import LineStyle, Scene, Tag, Trip, Where, on_side
from kimberley.client.boards.form import FormContext
from kimberley.client.ui.canvas import Action
from kimberley.client.ui.keys import Hint
from kimberley.games.diamond_trust.angola import HOME, REGIONS
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Plain


class InspectorForm(TrustForm):
    """Where the Inspector goes, or that he stays."""

    phase = "INSPECTOR"
    steps = frozenset({RoundStep.INSPECT})

    def __init__(self, context: FormContext[State], selection: Selection) -> None:
        super().__init__(context, selection)
        self.region = self.state.inspector

    def choice(self) -> Plain:
        return self.region

    def oddities(self) -> dict[str, str]:
        takes = self.state.inspector_preview(self.region).confiscates[self.seat]
        robbed = [(self.seat, agent) for agent, number in enumerate(takes) if number]
        if not robbed:
            return {}
        return {"robbed": f"He would seize {counted(sum(takes))} from your own {marks(robbed)}."}

    def sentence(self, room: int) -> str:
        text = "Move him: select a region, or leave him here. Then Done."
        return text if len(text) <= room and explains(self.state) else "Select his region. Then Done."

    def hints(self) -> list[Hint]:
        return [
            Hint("← ↑ ↓ →", "region", ("noop",)),
            Hint("Tab", "agents"),
            *self.undo_hint(),
            Hint("d", "done", primary=True),
        ]

    def focus(self) -> int | None:
        return self.region

    def on_key(self, name: str) -> bool:
        if name in ("tab", "s-tab"):
            agent = self.selection.next(all_agents(self.seat), 1 if name == "tab" else -1)
            return agent is not None and super().on_click(("agent", *agent))
        if name in ("left", "right", "up", "down") and not self.sealed:
            self._choose(neighbor(self.region, name, range(HOME)))
        elif name == "esc" and self.selection.agent is not None:
            self.selection.clear()
        else:
            return False
        return True

    def on_click(self, action: Action) -> bool:
        match action:
            case ("region", int(region)) if not self.sealed:
                if region == self.region and self.selection.agent is None:
                    goes = "leave him here" if region == self.state.inspector else f"send him to {REGIONS[region]}"
                    self.refusal = f"{self.worded('Press d', 'Tap Done')} to {goes}"
                self._choose(region)
            case ("agent", int(seat), int(agent)) if not self.sealed and self.state.agents[seat][agent].at != HOME:
                return self.on_click(("region", self.state.agents[seat][agent].at))
            case ("inspector",):
                self._choose(self.state.inspector)
            case _:
                return super().on_click(action)
        return True

    def decorate(self, scene: Scene) -> Scene:
        if self.region == self.state.inspector:
            return replace(scene, inspector_chosen=not self.sealed)
        trip = Trip(LineStyle(self.seat), self.seat, 0, self.state.inspector, self.region, inspector=True, planned=True)
        tag = Tag(self.seat, 0, self.region, (on_side(self.seat, "→UN"),), Where.INSPECTOR)
        return replace(scene, trips=(*scene.trips, trip), tags=(*scene.tags, tag))

    def in_words(self) -> str:
        goes = "stays in" if self.region == self.state.inspector else "goes to"
        return f"the Inspector {goes} {REGIONS[self.region]}"

    def prompt(self) -> list[str]:
        return ["You move the Inspector. Type a region, or type stay; then type done."]

    def type_words(self, words: Sequence[str]) -> str:
        name = " ".join(word for word in words if word not in ("send", "to"))
        region = self.state.inspector if name in ("stay", "leave") else region_named(name)
        if isinstance(region, str):
            return region
        self._choose(region)
        preview = self.state.inspector_preview(region)
        takes = sum(map(sum, preview.confiscates))
        blocked = counted(preview.blocks.diamonds)
        return f"In {REGIONS[region]} he seizes {counted(takes)} and freezes {blocked}. Type done."

    def _choose(self, region: int) -> None:
        self.selection.clear()
        if region != self.region and not self.sealed:
            self._remember(self.region)
            self.region = region

    def _restore(self, snapshot: object) -> None:
        assert isinstance(snapshot, int)
        self.region = snapshot
