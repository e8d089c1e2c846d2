"""A choice that is not handed in yet, kept so that a reload of the page does not lose it.

What is kept is what the player has pressed since the form was opened. Pressed again in the same position, it leads to
the same draft; if it does not, nothing is kept. Pressing again hands nothing in.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from kimberley.client.boards.form import AnyForm
from kimberley.client.boards.view import BoardView, Shown
from kimberley.client.ui.screen import Ui
from kimberley.games.table import Plain

Input: TypeAlias = Sequence[object]
"""What was pressed: "key", "click", "wheel" or "paste" with what belongs to it, or "yes" to a question of the form."""
MOST_INPUTS: Final = 1000
"""The most inputs of a draft that is kept."""


class Draft:
    """The draft of one seat on a board. `describe` says in sentences what a form has drafted."""

    def __init__(self, ui: Ui, view: BoardView[Any, Any], describe: Callable[[AnyForm], Sequence[str]]) -> None:
        self._ui, self._view, self._describe = ui, view, describe
        self._form: AnyForm | None = None
        self._place: Sequence[object] = ()
        self._looked_at: Plain = None
        """Where the player looked when the form was opened."""
        self._inputs: list[Input] = []
        self._question: Callable[[], None] | None = None
        self.pressing_again = False
        """Whether the inputs that follow are those of a draft that was kept."""

    def note(self, form: AnyForm | None, pressed: Input) -> None:
        """Keeps an input that the form of the pending choice was open for, or forgets the draft if that is sealed."""
        if form is None or form is not self._form or self.pressing_again:
            return
        self._inputs.append(pressed)
        if form.sealed or len(self._inputs) > MOST_INPUTS:
            self._ui.draft = ""
            return
        kept = {
            "place": self._place, "looked_at": self._looked_at, "inputs": self._inputs, "draft": self._mark(form),
        }  # fmt: skip
        try:
            self._ui.draft = json.dumps(kept)
        except TypeError:
            self._ui.draft = ""

    def open(self, form: AnyForm, place: Sequence[object], press: Callable[[Input], object]) -> bool:
        """Begins the draft of a form that was opened at a place: the game, its players, the seat, the step.

        If a draft was kept from there, it is pressed again. Returns False if that led elsewhere, and the form has to be
        made again.
        """
        if form is self._form:
            return True
        self._form, self._place, self._inputs, self._looked_at = form, place, [], self._view.looks_at
        inputs, looked_at, mark = _read(self._ui.draft, place)
        if not inputs:
            return True
        self.pressing_again = True
        self._view.looks_at = self._looked_at = looked_at
        try:
            for pressed in inputs:
                if pressed[0] != "yes":
                    press(pressed)
                elif self._question is not None:
                    self._question()
        finally:
            self.pressing_again, self._question = False, None
        # What a key was refused for was read then.
        form.refusal = ""
        if self._mark(form) == mark:
            self._inputs = inputs
            return True
        self._form, self._ui.draft = None, ""
        return False

    def confirm(
        self, title: str, text: str, yes: str, no: str, then: Callable[[], None], *, danger: bool = False
    ) -> None:
        """Asks a question of the form, as the app does."""
        if self.pressing_again:
            self._question = then
        else:
            self._ui.confirm(title, text, yes, no, partial(self._agree, self._form, then), danger=danger)

    def _agree(self, form: AnyForm | None, then: Callable[[], None]) -> None:
        then()
        self.note(form, ("yes",))

    def _mark(self, form: AnyForm) -> str:
        return hashlib.sha256("\n".join(self._describe(form)).encode()).hexdigest()


def to_form(form: AnyForm, pressed: Input) -> bool:
    """Passes an input to a form. Returns whether it means something there."""
    match pressed:
        case "key", str(name):
            return form.key(name)
        case "click", action, _, _:
            return form.click(action)
        case "wheel", action, _, _, int(steps):
            return form.wheel(action, steps)
        case "paste", str(text):
            return form.paste(text)
    return False


def to_view(view: BoardView[Any, Any], shown: Shown[Any, Any], ui: Ui, pressed: Input) -> bool:
    """Passes an input to a board. Returns whether it means something there."""
    match pressed:
        case "key", str(name):
            return view.key(name, shown, ui)
        case "click", action, int(x), int(y):
            return view.click(action, x, y, shown)
        case "wheel", action, int(), int(), int(steps):
            return view.wheel(action, steps, shown)
    return False


def _read(text: str, place: Sequence[object]) -> tuple[list[Input], Plain, str]:
    """Returns the inputs of a draft that was kept at this place, where the player looked before them, and its mark; no
    inputs if there is no such draft.
    """
    try:
        kept = json.loads(text or "{}")
        if kept.get("place") != json.loads(json.dumps(place)):
            return [], None, ""
        inputs = [_as_action(entry) for entry in kept["inputs"]]
        return (
            [entry for entry in inputs if isinstance(entry, tuple) and entry],
            _as_action(kept["looked_at"]),
            str(kept["draft"]),
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return [], None, ""


def _as_action(value: Any) -> Any:
    """Turns the lists of an action from JSON into tuples."""
    return tuple(map(_as_action, value)) if isinstance(value, list) else value
