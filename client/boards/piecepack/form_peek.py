"""The form of peeking: which coins of others."""

from __future__ import annotations

from kimberley.client.boards.piecepack.form import PiecepackFormContext
from kimberley.client.boards.piecepack.form_coins import OthersForm
from kimberley.client.boards.piecepack.phrases import many
from kimberley.games.piecepack.spaces import PeekSpace


class PeekForm(OthersForm):
    """Which coins of others a spy looks at."""

    phase = "PEEK"
    verb = "Peek"
    title = "The spy’s lair"

    def __init__(self, context: PiecepackFormContext, space: PeekSpace) -> None:
        super().__init__(context)
        self.space = space
        self.most = space.most
        state = context.state
        self.seats = tuple(seat for seat in state.others(context.seat) if state.hands[seat])

    def sentence(self) -> str:
        return f"Peek at up to {many(self.most, 'coin')}; you alone see the values."
