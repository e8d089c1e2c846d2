"""The form of peeking: which coins of other players."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.boards.form import FormContext
from kimberley.client.boards.piecepack.form import HandDisplay
from kimberley.client.boards.piecepack.form_coins import OthersForm
from kimberley.client.boards.piecepack.hand import CoinCard
from kimberley.client.boards.piecepack.parsing import ParseError, number_coins, numbered_coins, seat_named
from kimberley.client.boards.piecepack.phrases import up_to
from kimberley.client.ui.bars import first_fitting
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.spaces import PeekSpace


class PeekForm(OthersForm):
    """Which coins of other players a spy looks at."""

    space: PeekSpace
    phase = "PEEK"
    verb = "Peek"
    title = "The spy’s lair"
    none = "Peek at nothing?"

    def __init__(self, context: FormContext[State], display: HandDisplay, space: PeekSpace) -> None:
        super().__init__(context, display)
        self.space = space
        self.most = space.most
        state = context.state
        self.seats = tuple(seat for seat in state.others(context.seat) if state.hands[seat])

    def sentence(self, room: int) -> str:
        if len(self.seats) == 1:
            # A single row of coins does not tell whose they are.
            peek = f"Peek at {'1' if self.most == 1 else f'up to {self.most}'} of {self.context.names[self.seats[0]]}’s"
            learn = f"only you learn {'its value' if self.most == 1 else 'their values'}"
            brief = f"Peek at {up_to(self.most, 'coin')}, or none."
            return first_fitting(room, f"{peek} coins, or none; {learn}.", f"{peek} coins, or none.", brief)
        if self.most == 1:
            return first_fitting(room, "Peek at 1 coin or none; only you learn its value.", "Peek at 1 coin or none.")
        peek = f"Peek at {up_to(self.most, 'coin')}"
        return first_fitting(room, f"{peek}; only you learn their values.", f"{peek}.")

    def _row(self, seat: int) -> tuple[CoinCard, ...]:
        """Returns a hand with the coins that the spy has seen last, which cannot be chosen while there are others."""
        known = set(self.space.known)
        fresh = known != set(self.space.handles)
        cards = [card._replace(free=card.free and not (fresh and card.handle in known)) for card in super()._row(seat)]
        return tuple(sorted(cards, key=lambda card: card.handle in known))

    def why_fixed(self, card: CoinCard) -> str:
        return "you know that coin already" if card.handle in self.space.known else super().why_fixed(card)

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        names = self.context.names
        hands = [f"{names[seat]}: {number_coins(self.state, seat)}." for seat in self.seats]
        whose = f"{names[self.seats[0]]}’s" if len(self.seats) == 1 else "the others’"
        most = f"up to {self.most}" if self.most > 1 else "1"
        return [f"You can peek at {most} of {whose} coins. Type, for example, {self._example}, or none.", *hands]

    @property
    def _example(self) -> str:
        return f"peek {self.context.names[self.seats[0]]} 1"

    def parse_coins(self, words: Sequence[str]) -> tuple[int, ...]:
        """Returns the coins of one or more hands, as in "ben 1 2 carla 3"."""
        coins: set[int] = set()
        owner: int | None = None
        for word in (word.strip(",") for word in words if word != "and"):
            if owner is not None and word.isdigit() and word.isascii():
                coins |= set(numbered_coins(self.state, owner, [word]))
            else:
                owner = seat_named(self.context.names, word)
        if not coins:
            raise ParseError(f"Type whose coins and which: {self._example}, or none.")
        return tuple(sorted(coins))
