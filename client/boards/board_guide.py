"""The guide on a board: its bubble, keys and clicks, and what waits until its first step has been read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from kimberley.client.boards.bubble import NEXT, STOP, Bubble, cells_to_keep, draw_bubble, target_of
from kimberley.client.boards.guide import Guide, GuideStep, open_form
from kimberley.client.boards.playhead import Playhead
from kimberley.client.boards.view import Shown
from kimberley.client.session.participants import can_resign, only_bots
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.keys import MENU_KEY, NEXT_KEY, STOP_KEY
from kimberley.client.ui.screen import Section

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

START: Final = "Guide me"
"""The line of the menu that starts it."""
START_KEY: Final = "g"
"""Its letter there, unless the board uses that one itself."""
HELP: Final = Section(
    "The guide",
    f"Short notes guide you through your first turns. If a note asks for nothing, {NEXT_KEY} moves "
    f"on. {STOP_KEY} stops the notes. To see them again: {MENU_KEY}, then {START}.",
    by_touch=Section(
        "The guide",
        "Short notes guide you through your first turns. If a note asks for nothing, tap it to move "
        "on. To see them again, use the menu.",
    ),
)


class BoardGuide:
    """The guide of the player at a table.

    Args:
        steps: The steps of the game's guide.
        table: The table.
        head: The playhead of the board. It waits before what bots choose first, until the first step has been read.

    """

    def __init__(self, steps: Sequence[GuideStep], table: Table, head: Playhead) -> None:
        self._steps, self._table, self._head = steps, table, head
        self._guide = Guide(())
        self._holds = False
        """Whether what others choose waits until the first step has been read."""
        self._bubble: tuple[GuideStep, int, int, Bubble] | None = None
        """The bubble as it was drawn last: its step, and the size of the canvas."""

    @property
    def possible(self) -> bool:
        """Returns whether the game has a guide, and the player is still playing."""
        return bool(self._steps) and can_resign(self._table)

    @property
    def running(self) -> bool:
        """Returns whether steps are still to come."""
        return self._guide.at < len(self._guide.steps)

    @property
    def at(self) -> int:
        """Returns how many steps are over."""
        return self._guide.at

    @property
    def waits(self) -> bool:
        """Returns whether the playback waits until the first step has been read."""
        return self._head.waits and self._head.playing and self._guide.opening is not None

    def start(self, *, has_keys: bool, at: int = 0) -> None:
        """Leads the player through the next turns, by keys and the mouse or by touch alone, from step `at` on,
        without the steps already read unless all were. Only bots wait for the first step: what people choose is shown
        as it happens.
        """
        read = self._guide.read if len(self._guide.read) < len(self._steps) else ()
        self._guide = Guide(self._steps if has_keys else [step.for_fingers() for step in self._steps], at, read)
        peer, seat = self._table.peer, self._table.occupants.seat
        unchosen = peer is not None and not any(seat in ask.choosers for ask, _ in peer.story)
        self._holds = unchosen and only_bots(self._table)
        self.hold()

    def stop(self) -> None:
        self._guide.stop()

    def hold(self) -> None:
        """Makes what others chose before the player wait. To be called whenever the timeline has grown."""
        peer, steps = self._table.peer, self._head.timeline.steps
        chosen = (at for at, step in enumerate(steps) if peer is not None and peer.story[step][0].choosers)
        self._head.hold_at = next(chosen, None) if self._holds else None

    def release(self) -> None:
        """Lets all that waits be shown."""
        self._holds = False
        self.hold()

    def let_go(self) -> bool:
        """Ends the wait once the first step has been read. Returns whether something was waiting to be shown."""
        head, waited = self._head, self._head.waits
        if not self._holds or self._guide.opening is not None:
            return False
        self.release()
        return waited and head.playing and head.at < head.last

    def advance(self, shown: Shown[Any, Any], *, modal: bool) -> None:
        """Passes over the steps that are over, unless the step is hidden, or the board waits for the first one."""
        if not _is_hidden(shown, modal) and not (self._head.waits and self._head.playing):
            self._guide.advance(shown)

    def step(self, shown: Shown[Any, Any], *, modal: bool) -> GuideStep | None:
        """Returns the step that is shown now."""
        if self._head.waits and self._head.playing and not modal:
            return self._guide.opening
        return None if _is_hidden(shown, modal) else self._guide.step(shown)

    def draw(self, canvas: Canvas, step: GuideStep, shown: Shown[Any, Any]) -> None:
        """Draws the bubble of a step where it was before, if that is still possible."""
        place = (step, canvas.width, canvas.height)
        last = self._bubble[3] if self._bubble is not None and self._bubble[:3] == place else None
        target, clear = target_of(canvas, step, shown), cells_to_keep(canvas, step, shown)
        at, count = self._guide.at + 1, len(self._guide.steps)
        self._bubble = (*place, draw_bubble(canvas, step, target, at, count, clear, last))

    def key(self, name: str, step: GuideStep) -> bool:
        """Handles the keys of the guide, and Enter while the board waits for it. All others are for the board."""
        match name:
            case "enter" if self.waits:
                self._guide.go_on()
            case _ if name == STOP_KEY.lower():
                self._guide.stop()
            case _ if name == NEXT_KEY.lower():
                return self.go_on(step)
            case _:
                return False
        return True

    def go_on(self, step: GuideStep) -> bool:
        """Ends a step, unless it asks for something. Returns whether it has ended."""
        if step.do:
            return False
        self._guide.go_on()
        return True

    def click(self, action: Action) -> None:
        """Handles a click on the bubble."""
        if action == STOP:
            self._guide.stop()
        elif action == NEXT:
            self._guide.go_on()


def _is_hidden(shown: Shown[Any, Any], modal: bool) -> bool:
    """Returns whether the step is hidden by what is open over the board, or by a refusal, until it has been read."""
    return modal or ((form := open_form(shown)) is not None and bool(form.refusal))
