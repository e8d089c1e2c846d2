"""The form of stealing: which coins of the beaten warlord."""

from __future__ import annotations

from kimberley.client.boards.piecepack.form import PiecepackFormContext
from kimberley.client.boards.piecepack.form_coins import OthersForm
from kimberley.client.boards.piecepack.hand import CoinCard
from kimberley.client.boards.piecepack.phrases import many
from kimberley.games.piecepack.spaces import LootSpace


class TheftForm(OthersForm):
    """Which coins the player steals from the warlord that was beaten."""

    phase = "STEAL"
    verb = "Steal"

    def __init__(self, context: PiecepackFormContext, space: LootSpace) -> None:
        super().__init__(context)
        self.space = space
        self.most = space.most
        self.seats = (space.victim,)
        self.title = f"Beaten: {context.names[space.victim]}"

    def sentence(self) -> str:
        name = self.context.names[self.space.victim] if isinstance(self.space, LootSpace) else ""
        return f"Steal up to {many(self.most, 'coin')} from {name}: you see their backs."

    def why_fixed(self, card: CoinCard) -> str:
        return "that coin cannot be stolen"
