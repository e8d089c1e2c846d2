"""The form of stealing: which coins of the beaten warlord."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.boards.form import FormContext
from kimberley.client.boards.piecepack.form import HandDisplay
from kimberley.client.boards.piecepack.form_coins import OthersForm
from kimberley.client.boards.piecepack.hand import CoinCard
from kimberley.client.boards.piecepack.parsing import number_coins, numbered_coins
from kimberley.client.boards.piecepack.phrases import up_to
from kimberley.client.ui.bars import first_fitting
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.spaces import LootSpace


class TheftForm(OthersForm):
    """Which coins the player steals from a beaten warlord."""

    phase = "STEAL"
    verb = "Steal"
    none = "Steal nothing?"

    def __init__(self, context: FormContext[State], display: HandDisplay, space: LootSpace) -> None:
        super().__init__(context, display)
        self.space, self._victim = space, space.victim
        self.most = space.most
        self.seats = (space.victim,)
        self.title = f"Beaten: {context.names[space.victim]}"

    @property
    def _name(self) -> str:
        return self.context.names[self._victim]

    def sentence(self, room: int) -> str:
        steal = f"Steal {up_to(self.most, 'coin')}"
        return first_fitting(room, f"{steal} from {self._name}, by suit.", f"{steal}, by suit.")

    def why_fixed(self, card: CoinCard) -> str:
        return "that coin cannot be stolen"

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        coins = number_coins(self.state, self._victim)
        return [
            f"You beat {self._name}: steal {up_to(self.most, 'coin')}.",
            f"Their coins: {coins}. Type, for example, steal 1{' 2' if self.most > 1 else ''}, or none.",
        ]

    def parse_coins(self, words: Sequence[str]) -> tuple[int, ...]:
        return numbered_coins(self.state, self._victim, words)
