"""Forms that choose coins: what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from kimberley.client.boards.form import Clickable, Command, FormContext
from kimberley.client.boards.piecepack.form import WRAPPED, HandDisplay, PiecepackForm, Request, open_cards
from kimberley.client.boards.piecepack.hand import CoinCard
from kimberley.client.boards.piecepack.parsing import own_coins
from kimberley.client.boards.piecepack.phrases import known, up_to
from kimberley.client.boards.piecepack.suits import SUITS, face
from kimberley.client.ui.buttons import Button
from kimberley.client.ui.geometry import WAYS
from kimberley.client.ui.keys import Hint
from kimberley.games.phrases import count_of
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.spaces import LootSpace, PeekSpace
from kimberley.games.table import Item, Plain


class CoinForm(PiecepackForm):
    """The player lifts coins out of a row of cards. Subclasses say which cards, how many at most, and what for."""

    verb = ""
    """What is done with the coins: "Steal"."""
    most: int

    def __init__(self, context: FormContext[State], display: HandDisplay) -> None:
        super().__init__(context, display)
        self.chosen: set[int] = set()
        self._cursor = 0

    # -- which coins ---------------------------------------------------------------------------------------------------

    def all_cards(self) -> tuple[CoinCard, ...]:
        """Returns the cards to choose from, in the order in which they are shown; some of them may not be free."""
        raise NotImplementedError

    def done(self) -> None:
        """Hands the choice to the table."""
        raise NotImplementedError

    @property
    def handles(self) -> tuple[int, ...]:
        """Returns the chosen handles, as the rules expect them."""
        return tuple(sorted(self.chosen))

    def choose_only(self) -> bool:
        """Chooses the coin that the keys are at if only one can be chosen and none is. Returns whether any is."""
        cards = self.all_cards()
        if not self.chosen and cards and cards[self.at].free and 1 in (self.most, sum(card.free for card in cards)):
            self.chosen = {cards[self.at].handle}
        return bool(self.chosen)

    @property
    def at(self) -> int:
        """The index of the card that the keys are at."""
        cards = self.all_cards()
        free = [number for number, card in enumerate(cards) if card.free]
        return min(free, key=lambda number: abs(number - self._cursor)) if free else 0

    # -- keys and clicks ----------------------------------------------------------------------------------------------

    def commands(self) -> list[Command]:
        return [
            Command(("left", "right"), self._walk, Hint("← →", "coin", "nothing")),
            Command((" ",), lambda _: self._toggle(self.at), Hint("Space", "choose", "key: ")),
            Command(("up", "down"), self._lift),
            Command(("a",), lambda _: self._all(), Hint("a", "all")),
        ]

    def enter_command(self) -> Command:
        """Returns the key that hands in the chosen coins."""
        button = Button(self.verb, "Enter", bool(self.chosen))
        return Command(("enter",), lambda _: self.done(), Hint("Enter", self.verb.lower(), primary=True), button)

    def none_command(self, label: str, run: Callable[[], None]) -> Command:
        """Returns the key that chooses no coin."""
        return Command(("n",), lambda _: run(), Hint("n", label.lower()), Button(label, "n", not self.chosen))

    def clickables(self) -> list[Clickable]:
        return [Clickable(("card", number), partial(self._pick, number)) for number in range(len(self.all_cards()))]

    def _pick(self, number: int) -> None:
        self._cursor = number
        self._toggle(number)

    def _lift(self, key: str) -> None:
        """Lifts the coin that the keys are at, or puts it down."""
        if (self.all_cards()[self.at].handle in self.chosen) == (key == "down"):
            self._toggle(self.at)

    def _walk(self, key: str) -> None:
        free = [number for number, card in enumerate(self.all_cards()) if card.free]
        if free:
            self._cursor = free[(free.index(self.at) + WAYS[key][0]) % len(free)]

    def _toggle(self, number: int) -> None:
        card = self.all_cards()[number]
        if not card.free:
            self.refusal = self.why_fixed(card)
        elif card.handle in self.chosen:
            self.chosen.remove(card.handle)
        elif len(self.chosen) >= self.most:
            self.refusal = f"choose at most {count_of(self.most, 'coin')}"
        else:
            self.chosen.add(card.handle)

    def _all(self) -> None:
        """Lifts as many coins as can be chosen, or puts all down if that many are lifted."""
        free = [card.handle for card in self.all_cards() if card.free][: self.most]
        self.chosen = set() if self.chosen == set(free) else set(free)

    def why_fixed(self, card: CoinCard) -> str:
        """Says why a card cannot be chosen."""
        del card
        return "you cannot use that coin here"

    def parse(self, words: Sequence[str]) -> Plain:
        """Returns the coins that are typed, with or without the verb before them, or "none"."""
        if list(words) == ["none"]:
            return ()
        return self.parse_coins(words[1:] if words[0] == self.verb.lower() else words)

    def parse_coins(self, words: Sequence[str]) -> tuple[int, ...]:
        """Returns the handles of coins that are typed, ascending. Raises ParseError."""
        return own_coins(self.state, self.seat, words)


class OthersForm(CoinForm):
    """Backs in others' hands: `rows` of seats, each with those of its coins that can be chosen."""

    title = ""
    none = ""
    """The question to a player who chooses no coin."""
    seats: tuple[int, ...] = ()
    own_refused = "That coin is your own"
    space: LootSpace | PeekSpace

    def rows(self) -> tuple[tuple[int, tuple[CoinCard, ...]], ...]:
        """Returns the coins by owner."""
        return tuple((seat, self._row(seat)) for seat in self.seats)

    def _row(self, seat: int) -> tuple[CoinCard, ...]:
        return tuple(
            card._replace(free=card.handle in self.space.handles, chosen=card.handle in self.chosen)
            for card in open_cards(self.seen, seat)
        )

    def all_cards(self) -> tuple[CoinCard, ...]:
        return tuple(card for _, cards in self.rows() for card in cards)

    def line(self) -> str:
        """Says how many coins can be chosen, and how many are."""
        return f"{len(self.chosen)} of {self.most} chosen."

    def request(self) -> Request:
        return Request(self.title, (self.sentence(WRAPPED), self.line()), self.rows(), self.at, self.buttons())

    def commands(self) -> list[Command]:
        rows = [Command(("up", "down"), self._to_row)] if len(self.seats) > 1 else []
        none = self.none_command("None", self._confirm_none)
        return [*rows, *super().commands(), self.enter_command(), none]

    def _confirm_none(self) -> None:
        self.confirm(self.none, f"You may choose {up_to(self.most, 'coin')}.", "None", ())

    def _to_row(self, key: str) -> None:
        starts, count = [], 0
        for _, cards in self.rows():
            starts.append((count, len(cards)))
            count += len(cards)
        here = next(row for row, (start, size) in enumerate(starts) if start <= self.at < start + size)
        column = self.at - starts[here][0]
        start, size = starts[(here + WAYS[key][1]) % len(starts)]
        self._cursor = start + min(column, size - 1)

    def done(self) -> None:
        if not self.choose_only():
            self.refusal = self.worded("choose coins with Space; n chooses none", "choose a coin first, or None")
        else:
            self.context.send(self.handles)


def sum_of(coins: Sequence[Item]) -> str:
    """Returns a sum of coins: "♠ 3 + A = 4"."""
    values = sorted((known(coin)[1] or 0 for coin in coins), reverse=True)
    sign = SUITS[known(coins[0])[0]].sign
    if len(values) == 1:
        return f"{sign} {face(values[0])}"
    return f"{sign} {' + '.join(map(face, values))} = {sum(values)}"
