"""A guide through the first turns of a first game: about six steps, each in the situation that it is about.

A game brings its steps (`GameUI.guide`). On the screen a step is a speech bubble on the board (`bubble`); in the line
mode its sentences are said. The guide teaches what the rules say, and stops nobody from playing. Nobody else at the
table learns of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from kimberley.client.boards.form import AnyForm
from kimberley.client.boards.view import Shown
from kimberley.client.ui.canvas import Action

AnyShown = Shown[Any, Any]
Condition = Callable[[AnyShown], bool]
Areas = Callable[[Action, AnyShown], bool]
"""Whether an area of the board that can be clicked belongs to what a step points at."""

OFFER: Final = "guide: learn your first turns note by note; Enter reads the next one. no guide: stop the notes."
STOPS: Final = "Short notes guide you through your first turns. To stop them, type no guide."
STOPPED: Final = "OK. No more notes."
STOPPED_BEFORE: Final = "There are no more notes."
MORE: Final = "Press Enter for the next note."
TO_CHOOSE: Final = "Arrows and Enter, or two clicks."
"""How to choose on a board, as a note says it."""
LEVEL: Final = 1
"""The level of the bots in a guided game: the easiest."""


@dataclass(frozen=True, slots=True)
class GuideStep:
    """One thing that the guide teaches.

    Args:
        title: What it is about, in at most 22 columns.
        text: What it says: a sentence or two of the rules.
        unobserved: What it says instead where nobody learns anything from how long the player takes.
        rule: The heading of the section of the game's rules that says the same.
        at: What it points at.
        when: The situation that it is about. Once that has passed, the step is over.
        do: What the player does now on the screen; empty if the step only tells something, and NEXT_KEY goes on.
        by_touch: The same for somebody who has no keys; empty if that is no different.
        stuck: Whether that is not possible now.
        instead: What the player does then, with or without keys.
        done: Whether that is done. By default, when the situation has passed.
        clear: The areas whose text its bubble leaves readable, besides what it points at.
        first: Those of them that matter most, where not all can stay readable.
        free: The areas of which its bubble hides nothing: those to choose from.
        last: Whether no other step follows: then NEXT_KEY closes it.

    """

    title: str
    text: str
    rule: str
    at: Areas
    when: Condition
    do: str = ""
    by_touch: str = ""
    unobserved: str = ""
    stuck: Condition = lambda _: False
    instead: str = ""
    done: Condition = lambda _: False
    clear: Areas = lambda _action, _shown: False
    first: Areas = lambda _action, _shown: False
    free: Areas = lambda _action, _shown: False
    last: bool = False

    def for_fingers(self) -> GuideStep:
        """Returns the same step for somebody who has no keys."""
        return replace(self, do=self.by_touch or self.do)

    def possible(self, shown: AnyShown) -> GuideStep:
        """Returns the same step, with what is true and what the player can do in this situation."""
        text = (self.unobserved if shown.unobserved else "") or self.text
        return replace(self, text=text, do=self.instead if self.stuck(shown) else self.do)


class Guide:
    """The steps that are still to come, for one player at one table: from the step `at` on, without those in `read`."""

    def __init__(self, steps: Sequence[GuideStep], at: int = 0, read: Iterable[int] = ()) -> None:
        self.steps = tuple(steps)
        self.at = at
        """The index of the step that is shown, or comes next."""
        self.read = set(read)
        """The indices of the steps that were shown and are over."""
        self._begun = False

    def advance(self, shown: AnyShown) -> None:
        """Passes over the steps that are over, and those that the game has left behind."""
        while shown.live and self.at < len(self.steps):
            if self.at in self.read:
                self.at += 1
                continue
            step = self.steps[self.at]
            due = step.when(shown)
            if due and not step.done(shown):
                self._begun = True
                return
            if not due and not self._begun and not self._missed(shown):
                return
            self.go_on()

    def step(self, shown: AnyShown) -> GuideStep | None:
        """Returns the step to show now, as far as the guide has advanced."""
        if not (self._begun and shown.live and self.at < len(self.steps)):
            return None
        step = self.steps[self.at]
        return step.possible(shown) if step.when(shown) and not step.done(shown) else None

    @property
    def opening(self) -> GuideStep | None:
        """The first step, until it has been read: it comes before all that is played back."""
        return self.steps[0] if self.steps and self.at == 0 and 0 not in self.read else None

    def _missed(self, shown: AnyShown) -> bool:
        """Returns whether the game is where a later step belongs."""
        later = (step for at, step in enumerate(self.steps) if at > self.at and at not in self.read)
        return any(step.when(shown) for step in later)

    def go_on(self) -> None:
        """Ends a step."""
        if self._begun:
            self.read.add(self.at)
        self.at, self._begun = self.at + 1, False

    @property
    def ended(self) -> bool:
        """Whether no steps are left."""
        return self.at >= len(self.steps)

    def stop(self) -> None:
        """Ends all steps."""
        self.at = len(self.steps)

    def sentences(self, shown: AnyShown) -> list[str]:
        """Returns the step to say now in the line mode, and how to read on if the next is about the same situation."""
        self.advance(shown)
        step = self.step(shown)
        if step is None:
            return []
        self.go_on()
        return [f"{step.title}. {step.text}", *([MORE] if self.follows(shown) else [])]

    def follows(self, shown: AnyShown) -> bool:
        """Returns whether the very next step is about this situation."""
        return self.at < len(self.steps) and self.steps[self.at].when(shown)


def open_form(shown: AnyShown) -> AnyForm | None:
    """Returns the form of the pending choice, until it is handed in."""
    return shown.form if shown.form is not None and not shown.form.sealed else None


def phase(*names: str) -> Condition:
    """Returns the situation in which the player makes a choice of one of these phases."""

    def holds(shown: AnyShown) -> bool:
        form = open_form(shown)
        return form is not None and form.phase in names

    return holds


def areas(*actions: Action) -> Areas:
    """Returns the areas of some actions. A tuple stands for all actions that begin with it."""

    def belong(action: Action, shown: AnyShown) -> bool:
        del shown
        return any(
            action[: len(area)] == area if isinstance(area, tuple) and isinstance(action, tuple) else action == area
            for area in actions
        )

    return belong


def own(*start: object) -> Areas:
    """Returns the areas whose action begins with `start` and the player's seat."""
    return lambda action, shown: isinstance(action, tuple) and action[: len(start) + 1] == (*start, shown.you)


def either(*some: Areas) -> Areas:
    """Returns the areas that belong to any of these."""
    return lambda action, shown: any(belong(action, shown) for belong in some)
