"""The form of the Inspector: where he goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kimberley.client.boards.diamond_trust.form import ARROWS, Agent, Selection, TrustForm, neighbor
from kimberley.client.boards.diamond_trust.phrases import counted, explains, region_named, the_diamonds
from kimberley.client.boards.diamond_trust.scene import LineStyle, Scene, Tag, Trip, Where, badge, on_side
from kimberley.client.boards.form import Clickable, Command, FormContext
from kimberley.client.ui.keys import Hint
from kimberley.games.diamond_trust.angola import HOME, REGIONS
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Plain


class InspectorForm(TrustForm):
    """Where the Inspector goes, or that he stays."""

    phase = "INSPECTOR"
    locked_in = locked_in_short = "Locked in."
    steps = frozenset({RoundStep.INSPECT})

    def __init__(self, context: FormContext[State], selection: Selection) -> None:
        super().__init__(context, selection)
        self.region = self.state.inspector

    def choice(self) -> Plain:
        return self.region

    def oddities(self) -> dict[str, str]:
        takes = self.state.inspector_preview(self.region).confiscates[self.seat]
        # A region has room for one agent of each side.
        robbed = next((agent for agent, number in enumerate(takes) if number), None)
        if robbed is None:
            return {}
        return {"robbed": f"You would lose {the_diamonds(takes[robbed])} that {badge(self.seat, robbed)} carries."}

    def sentence(self, room: int) -> str:
        text = "Move him: select a region, or leave him here. Then Done."
        return text if len(text) <= room and explains(self.state) else "Select his region. Then Done."

    def commands(self) -> Sequence[Command]:
        arrows = Command(ARROWS, self._step, Hint("← ↑ ↓ →", "region", ("noop",)))
        return [
            *([] if self.sealed else [arrows]),
            self.tab_command("agents"),
            *self.undo_commands(),
            *self.done_commands(),
            *super().commands(),
        ]

    def focus(self) -> int | None:
        return self.region

    def clickables(self) -> Sequence[Clickable]:
        return [Clickable(("inspector",), lambda: self._choose(self.state.inspector)), *super().clickables()]

    def on_region(self, region: int) -> bool:
        if self.sealed:
            return False
        if region == self.region and self.selection.agent is None:
            goes = "leave him here" if region == self.state.inspector else f"send him to {REGIONS[region]}"
            self.refuse(f"{self.worded('Press d', 'Tap Done')} to {goes}")
        self._choose(region)
        return True

    def on_agent(self, agent: Agent) -> None:
        if self.sealed or self.place_of(agent) == HOME:
            super().on_agent(agent)
        else:
            self.on_region(self.place_of(agent))

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

    def _step(self, way: str) -> None:
        self._choose(neighbor(self.region, way, range(HOME)))

    def _choose(self, region: int) -> None:
        self.selection.clear()
        if region != self.region and not self.sealed:
            self._remember(self.region)
            self.region = region

    def _restore(self, snapshot: object) -> None:
        assert isinstance(snapshot, int)
        self.region = snapshot
