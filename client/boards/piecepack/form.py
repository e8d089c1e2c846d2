"""The base of all forms: one thing that is asked of this seat, until its player has chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kimberley.client.boards.piecepack.hand import CoinCard
from kimberley.client.boards.piecepack.panel import Deed
from kimberley.client.boards.piecepack.phrases import known
from kimberley.client.boards.piecepack.scene import Scene
from kimberley.client.boards.piecepack.window import FieldBox
from kimberley.client.ui.canvas import Action
from kimberley.client.ui.widgets import Hint
from kimberley.games.piecepack.rules import State
from kimberley.games.table import Item, Plain


@dataclass
class PiecepackFormContext:
    """What every form works with: the state, whose seat it is, all names, and whether own values are hidden.

    `choose` hands a choice to the table; `confirm` asks before what cannot be undone; `refuse` says which rule forbids
    a choice.
    """

    state: State
    seat: int
    names: Sequence[str]
    hide: bool
    choose: Callable[[Plain], None]
    confirm: Callable[[str, str, str, Callable[[], None]], None]
    refuse: Callable[[str], None]


class Button(NamedTuple):
    """A button of a form: label, key, whether it is the primary one."""

    label: str
    key: str
    primary: bool = False


class Request(NamedTuple):
    """What is asked in a box over the field: title, lines, coins to choose from by owner, buttons; `alarm` for danger.

    Each row of coins is (seat, cards); the cards are numbered through.
    """

    title: str
    lines: tuple[str, ...]
    rows: tuple[tuple[int, tuple[CoinCard, ...]], ...] = ()
    cursor: int | None = None
    buttons: tuple[Button, ...] = ()
    alarm: bool = False


class PiecepackForm:
    """One thing that is asked. Subclasses say how it looks, and answer keys and clicks."""

    phase = ""

    def __init__(self, context: PiecepackFormContext) -> None:
        self.context = context

    @property
    def state(self) -> State:
        return self.context.state

    @property
    def seat(self) -> int:
        return self.context.seat

    def sentence(self) -> str:
        """What to do now, for the strip."""
        raise NotImplementedError

    def scene(self, scene: Scene) -> Scene:
        """The field with what this form marks on it."""
        return scene

    def box(self) -> FieldBox | None:
        """What of the field must be seen."""
        return None

    def cards(self) -> tuple[tuple[CoinCard, ...], int | None]:
        """The own hand, and which card keys are at."""
        return open_cards(self.state, self.seat, self.context.hide), None

    def deeds(self) -> tuple[tuple[Deed, ...], int] | None:
        """The menu of what can be done, and which is in focus; None where there is no menu."""
        return None

    def about(self) -> str:
        """What the present choice would do, in a sentence or two."""
        return ""

    def buttons(self) -> tuple[Button, ...]:
        """Beside the hand."""
        return ()

    def request(self) -> Request | None:
        """A box over the field."""
        return None

    def hints(self) -> list[Hint]:
        """For the key bar."""
        raise NotImplementedError

    def key(self, name: str) -> bool:
        """Answers a key; False if it means nothing here."""
        raise NotImplementedError

    def click(self, action: Action) -> bool:
        """Answers a click; False if it means nothing here."""
        del action
        return False


def open_cards(state: State, seat: int, hide: bool = False) -> tuple[CoinCard, ...]:
    """A hand by suit and value, as far as it is known, with nothing to choose."""
    ordered = sorted(state.hands[seat], key=lambda coin: _order(coin, hide))
    return tuple(CoinCard(coin.handle, known(coin)[0], None if hide else known(coin)[1]) for coin in ordered)


def hand_cards(context: PiecepackFormContext, free: Iterable[int], chosen: Iterable[int]) -> tuple[CoinCard, ...]:
    """The own hand. `free` are the handles that may be chosen now, `chosen` those that are."""
    allowed, picked = set(free), set(chosen)
    return tuple(
        card._replace(free=card.handle in allowed, chosen=card.handle in picked)
        for card in open_cards(context.state, context.seat, context.hide)
    )


def _order(coin: Item, hide: bool) -> tuple[int, int]:
    """By suit, then by value; hidden values must not show by their order."""
    suit, value = known(coin)
    return suit, coin.handle if hide or value is None else value
