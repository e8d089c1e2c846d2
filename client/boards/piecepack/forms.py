"""Which form each kind of choice has."""

from __future__ import annotations

from kimberley.client.boards.form import FormContext
from kimberley.client.boards.piecepack.form import HandDisplay, PiecepackForm
from kimberley.client.boards.piecepack.form_act import ActForm
from kimberley.client.boards.piecepack.form_defend import DefendForm
from kimberley.client.boards.piecepack.form_move import MoveForm
from kimberley.client.boards.piecepack.form_peek import PeekForm
from kimberley.client.boards.piecepack.form_place import PlaceForm
from kimberley.client.boards.piecepack.form_theft import TheftForm
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.spaces import ActionSpace, HeartSpace, LootSpace, PathSpace, PeekSpace, TileSpace


def form_for(context: FormContext[State], display: HandDisplay) -> PiecepackForm:
    """The form of what is asked."""
    match context.space:
        case TileSpace() as space:
            return PlaceForm(context, display, space)
        case ActionSpace() as space:
            return ActForm(context, display, space)
        case PathSpace() as space:
            return MoveForm(context, display, space)
        case HeartSpace() as space:
            return DefendForm(context, display, space)
        case LootSpace() as space:
            return TheftForm(context, display, space)
        case PeekSpace() as space:
            return PeekForm(context, display, space)
    raise AssertionError(context.space)
