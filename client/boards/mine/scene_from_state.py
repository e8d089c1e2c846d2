"""The scene of a state."""

from __future__ import annotations

from kimberley.client.boards.mine.form import Lights
from kimberley.client.boards.mine.scene import Home, Pawn, Scene, Vein
from kimberley.client.boards.mine.stones import home_paint, player_mark, player_paint, stone, stones
from kimberley.games.mine.rules import State


def scene_of(
    state: State, lights: Lights | None = None, acts: int | None = None, cursor: int | None = None,
    flash: int | None = None,
) -> Scene:  # fmt: skip
    """What is to be seen of a state. `acts` is the seat that is to act, `flash` where something just happened."""
    mine, lights = state.mine, lights or Lights()
    homes = {
        mine.home(seat): Home(player_mark(seat), player_paint(state, seat), home_paint(state, seat))
        for seat in range(state.seats)
    }
    veins = {
        square: Vein(mine.opened[nest], stones(state, mine.inside[nest]) if mine.opened[nest] else (),
                     not mine.blocks(square))
        for nest, square in enumerate(mine.veins)
    }  # fmt: skip
    if lights.nest is not None:
        veins[lights.nest] = Vein()
    pawns = [
        Pawn(square, player_mark(seat), player_paint(state, seat), stones(state, mine.carried[seat]), seat == acts)
        for seat, square in enumerate(mine.pawns)
        if square is not None
    ]
    return Scene(
        homes,
        veins,
        {square: stone(state, gem) for square, gem in mine.loose},
        pawns,
        lights.open,
        lights.closed,
        lights.notes,
        lights.way,
        lights.focus,
        cursor,
        flash,
    )
