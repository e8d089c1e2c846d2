"""The base of all forms: one thing that this seat is asked, until its player has chosen."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from kimberley.client.boards.form import Command, Form, FormContext, Reply
from kimberley.client.boards.piecepack.hand import CoinCard
from kimberley.client.boards.piecepack.panel import Deed
from kimberley.client.boards.piecepack.parsing import ParseError
from kimberley.client.boards.piecepack.phrases import discreet_state, known
from kimberley.client.boards.piecepack.scene import Scene
from kimberley.client.boards.piecepack.window import FieldBox
from kimberley.client.ui.buttons import Button
from kimberley.client.ui.canvas import Action
from kimberley.client.ui.keys import Hint
from kimberley.games.piecepack.rules import State
from kimberley.games.table import Plain

WRAPPED: Final = 200
"""The columns for a sentence that is wrapped, so that all of it is returned."""


@dataclass(slots=True)
class HandDisplay:
    """How coins are shown. While values are `hidden`, only those that everybody has seen are shown."""

    hidden: bool = False

    def seen(self, state: State) -> State:
        """Returns a position as it is shown."""
        return discreet_state(state) if self.hidden else state


class Request(NamedTuple):
    """What is asked in a box over the field: title, lines, coins to choose from by owner, buttons; `alarm` if it is
    dangerous.

    Each row of coins is (seat, cards); the cards are numbered across all rows.
    """

    title: str
    lines: tuple[str, ...]
    rows: tuple[tuple[int, tuple[CoinCard, ...]], ...] = ()
    cursor: int | None = None
    buttons: Sequence[Button] = ()
    alarm: bool = False


class PiecepackForm(Form[State]):
    """One thing that the seat is asked. Subclasses say how it looks, and handle keys, clicks and typed words."""

    def __init__(self, context: FormContext[State], display: HandDisplay) -> None:
        super().__init__(context)
        self.display = display
        self.clicked = False
        """Whether the last input was a click that only chose something: a second one there does it."""

    @property
    def seen(self) -> State:
        """The state as it is shown: values of the player's own coins may be hidden."""
        return self.display.seen(self.state)

    def scene(self, scene: Scene) -> Scene:
        """Returns the field with what this form marks on it."""
        return scene

    def box(self) -> FieldBox | None:
        """Returns the part of the field that must be seen."""
        return None

    def cards(self) -> tuple[tuple[CoinCard, ...], int | None]:
        """Returns the player's own hand, and the card that the keys are at."""
        return open_cards(self.seen, self.seat), None

    @property
    def begun(self) -> bool:
        """Returns whether the player has begun to choose, and so has read what happened before."""
        return False

    def deeds(self) -> tuple[tuple[Deed, ...], int] | None:
        """Returns the menu of what can be done, and the index of the item in focus; None where there is no menu."""
        return None

    def about(self) -> str:
        """Says what the present choice would do, in a sentence or two."""
        return ""

    def picked(self) -> str:
        """Says which of several places or tiles is in focus, else "". A click on ("next", by) moves on to another."""
        return ""

    def request(self) -> Request | None:
        """Returns a box over the field."""
        return None

    def again(self, what: str) -> str:
        """Says how to do what a click has chosen: "go there"."""
        return self.worded(f"Click it again, or press Enter, to {what}.", f"Tap it again to {what}.")

    own_refused = "You choose none of your coins now"
    """Why a click on the player's own hand does nothing, where none of its coins is to be chosen."""

    def key(self, name: str) -> bool:
        self.clicked = False
        return super().key(name)

    def click(self, action: Action) -> bool:
        if super().click(action):
            return True
        match action:
            case ("own", int()):
                self.refusal = self.own_refused
                return True
        return False

    def confirm(self, title: str, text: str, yes: str, choice: Plain, *, danger: bool = False) -> None:
        """Makes a choice once the player has confirmed it; `danger` says that it would lose coins."""
        self.context.confirm(title, text, yes, "Back", lambda: self.context.send(choice), danger=danger)

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def type(self, text: str) -> Reply:
        words = text.lower().split()
        if not words:
            return Reply(tuple(self.prompt()))
        try:
            return Reply((), self.parse(words), True)
        except ParseError as error:
            return Reply((str(error),))

    @abstractmethod
    def parse(self, words: Sequence[str]) -> Plain:
        """Returns the choice that was typed. The table checks whether it is possible. Raises ParseError."""


def back_command(go_back: Callable[[], None]) -> Command:
    """Returns the keys that lead back to the menu of actions."""
    return Command(("esc", "u", "backspace"), lambda _: go_back(), Hint("u", "undo"), Button("Back", "Esc"))


def open_cards(state: State, seat: int) -> tuple[CoinCard, ...]:
    """Returns a hand by suit and value, as far as it is known, with nothing to choose."""
    cards = [CoinCard(coin.handle, *known(coin)) for coin in state.hands[seat]]
    # The order must not give hidden values away.
    return tuple(sorted(cards, key=lambda card: (card.suit, card.handle if card.value is None else card.value)))


def hand_cards(form: PiecepackForm, free: Iterable[int], chosen: Iterable[int]) -> tuple[CoinCard, ...]:
    """Returns the player's own hand. `free` are the handles that can be chosen now, `chosen` those that are."""
    allowed, picked = set(free), set(chosen)
    return tuple(
        card._replace(free=card.handle in allowed, chosen=card.handle in picked)
        for card in open_cards(form.seen, form.seat)
    )
