"""A form: one pending choice of a player, the same for keys, the mouse and typed lines.

A form knows no table and no terminal. The game screen asks it what to show and passes it keys and clicks; the line mode
passes it typed text. What it decides goes through its `FormContext`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from kimberley.client.ui.buttons import Button
from kimberley.client.ui.canvas import Action
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import MenuItem
from kimberley.games.table import Answer, Ask, Plain, Space

S = TypeVar("S")

ASKED_LAST: Final = "You will not be asked this again in this game."
NOTHING_TO_UNDO: Final = "Nothing to undo."


class Reply(NamedTuple):
    """The response to a typed line: sentences to print, and the completed choice if `done`."""

    lines: tuple[str, ...]
    choice: Plain = None
    done: bool = False


class ConfirmCallback(Protocol):
    """Asks the player before something that cannot be undone."""

    def __call__(
        self, title: str, text: str, yes: str, no: str, then: Callable[[], None], *, danger: bool = False
    ) -> None:
        """Calls `then` if the player answers `yes`. With `danger`, Enter answers `no`, as in `Ui.confirm`."""


class Command(NamedTuple):
    """Keys that do something now, their entry in the key bar and their button on the board, if they have one. `run` is
    given the key.
    """

    keys: Sequence[str]
    run: Callable[[str], object]
    hint: Hint | None = None
    button: Button | None = None


class Clickable(NamedTuple):
    """Something that is drawn and can be clicked or touched. `caption` says on a large button what is done with it."""

    action: Action
    run: Callable[[], object]
    text: str = ""
    fg: Color = "text"
    active: bool = False
    caption: str = ""


@dataclass(frozen=True, slots=True)
class FormContext(Generic[S]):
    """What a form works with.

    Args:
        state: The state in which the choice is made, as this seat knows it.
        ask: The pending ask.
        space: The space to choose from.
        seat: The seat that chooses.
        names: The players' names by seat.
        options: The options of the table.
        send: Hands the completed choice to the table. If the table refuses it, `Form.refusal` says why.
        stand: Tells the table the choice as it stands. It counts if the time to adjust runs out.
        confirm: Asks the player before something that cannot be undone.
        toast: Shows a sentence to the player for a few seconds; `bad` marks bad news.
        has_keys: Whether the player has keys. If not, sentences name the buttons instead.

    """

    state: S
    ask: Ask
    space: Space
    seat: int
    names: Sequence[str]
    options: Mapping[str, Plain]
    send: Callable[[Plain], None]
    stand: Callable[[Plain], None]
    confirm: ConfirmCallback
    toast: Callable[[str, bool], None]
    has_keys: bool = True


class Form(ABC, Generic[S]):
    """One pending choice. It is made for one ask and dropped with it."""

    enter_refused = ""
    """The refusal of Enter when nothing has been begun, so that it has no use; empty if the form has none."""

    def __init__(self, context: FormContext[S]) -> None:
        self.context = context
        self.refusal = ""
        """Why the last key, click or choice was not possible; empty if it was. Any key or click clears it."""
        self.sealed = False
        """Whether the choice has been handed in. A sealed form only shows what was chosen."""

    @property
    def state(self) -> S:
        return self.context.state

    @property
    def seat(self) -> int:
        return self.context.seat

    @property
    def drafted(self) -> S:
        """The state with all that is drafted so far. The line mode describes it; a board may draw it."""
        return self.state

    @property
    def advised(self) -> S:
        """The state that a hint starts from: with the draft in it, if more can be added to that."""
        return self.state

    fills_in: str = ""
    """What the program can do for the player with the choice that a hint names: "make the deals"; empty if nothing."""

    def fill_in(self, choice: Plain) -> None:
        """Drafts the choice that a hint names, as the player could; nothing is handed in. Called only if `fills_in`."""
        raise NotImplementedError

    def spelled(self, choice: Plain) -> str:
        """Returns what to type for the choice that a hint names; empty if the hint itself says it."""
        del choice
        return ""

    def worded(self, by_keys: str, by_touch: str) -> str:
        """Returns the wording for a player who has keys, or the one for a player who does not."""
        return by_keys if self.context.has_keys else by_touch

    # -- on the screen -------------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def phase(self) -> str:
        """The word for the choice on the phase strip: "PLACE"."""

    @abstractmethod
    def sentence(self, room: int) -> str:
        """Says what to do now, in one sentence of at most `room` columns where possible."""

    def commands(self) -> Sequence[Command]:
        """Returns what keys do now, in the order of the key bar. Of two with the same key, the first counts."""
        return ()

    def buttons(self) -> Sequence[Button]:
        """Returns the buttons beside the board, each once, in the order of their commands."""
        return list(dict.fromkeys(command.button for command in self.commands() if command.button is not None))

    def clickables(self) -> Sequence[Clickable]:
        """Returns what can be clicked now on the form's part of the board."""
        return ()

    def hints(self) -> list[Hint]:
        """Returns the keys for the key bar, the most useful first."""
        return [command.hint for command in self.commands() if command.hint is not None]

    def key(self, name: str) -> bool:
        """Handles a key. Returns False if it has no meaning here."""
        command = next((command for command in self.commands() if name in command.keys), None)
        if command is not None:
            command.run(name)
        return command is not None

    def click(self, action: Action) -> bool:
        """Handles a click on an area of the board. Returns False if it has no meaning here."""
        spot = next((spot for spot in self.clickables() if spot.action == action), None)
        if spot is not None:
            spot.run()
        return spot is not None

    def wheel(self, action: Action | None, steps: int) -> bool:
        """Handles the wheel over an area, or outside all areas (None). `steps` is +1 for one notch down."""
        del action, steps
        return False

    def paste(self, text: str) -> bool:
        """Handles pasted text."""
        del text
        return False

    def menu(self) -> list[MenuItem]:
        """Returns the lines that this choice adds to the menu."""
        return []

    def next_frame(self, now: float) -> float | None:
        """Returns when the form changes its look by itself; None if nothing moves."""
        del now
        return None

    def stays(self, state: S) -> bool:
        """Returns whether the form is still shown, sealed, in a later state."""
        del state
        return False

    def time_over(self, stood: Plain) -> str:
        """Says what the player reads when the time of a last look has ended and the choice `stood` counts; empty if
        nothing.

        It is not called for a choice that the player has handed in on the screen.
        """
        del stood
        return ""

    # -- in the line mode ----------------------------------------------------------------------------------------------

    @abstractmethod
    def prompt(self) -> list[str]:
        """Says what to choose now, and how to type it."""

    def so_far(self) -> list[str]:
        """Says what has been chosen so far, or what was handed in, if `drafted` does not show that."""
        return []

    @abstractmethod
    def type(self, text: str) -> Reply:
        """Reads a typed line. Never raises: for text that it cannot read, the reply says what to type.

        A choice may be given piece by piece. The reply that completes it is `done`.
        """


AnyForm = Form[Any]


def time_over(form: AnyForm, step: int, story: Sequence[tuple[Ask, Answer]]) -> str:
    """Says what a player reads after time has ended the form of ask number `step`; empty if it has not."""
    if step >= len(story):
        return ""
    ask, answer = story[step]
    return form.time_over(answer[form.seat]) if ask.last_look else ""
