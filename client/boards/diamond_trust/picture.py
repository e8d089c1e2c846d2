"""One picture of the whole game, for the game in play and for the replay of a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kimberley.client.boards.diamond_trust import lower_screen, upper_screen
from kimberley.client.boards.diamond_trust.agent_card import InfoCard, agent_facts
from kimberley.client.boards.diamond_trust.form import Agent, Stepper
from kimberley.client.boards.diamond_trust.form_sale import SaleForm
from kimberley.client.boards.diamond_trust.frames import Display, Frame, scene_of
from kimberley.client.boards.diamond_trust.layout import Layout, layout
from kimberley.client.boards.diamond_trust.scene import LineStyle, Piece, Scene
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.widgets import Hint, key_bar, title_bar
from kimberley.games.diamond_trust.rules import State


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that the two screens show. `done` and `undo` are the labels of the buttons, None where there are none.

    `talk` is None where there is nobody to talk to.
    """

    title: str
    note: str
    header: upper_screen.Header
    card: InfoCard
    strip: upper_screen.StripContent
    scene: Scene
    hints: Sequence[Hint]
    stepper: Stepper | None = None
    sale: SaleForm | None = None
    done: str | None = None
    undo: str | None = None
    legend: Sequence[tuple[LineStyle, str]] = ()
    log: Sequence[tuple[int, str]] = ()
    talk: Sequence[tuple[str, str]] | None = None


def draw_picture(canvas: Canvas, picture: Picture) -> Layout:
    """Draws both screens, and says how they are arranged."""
    at = layout(canvas.width, canvas.height)
    title_bar(canvas, picture.title, picture.note if canvas.width >= 100 else "")
    if at.side:
        canvas.fill(0, at.upper.top, at.upper.width, at.upper.height, "panel")
    upper_screen.draw_balances(canvas, at, picture.header)
    upper_screen.draw_card(canvas, at, picture.card)
    upper_screen.draw_strip(canvas, at, picture.strip)
    board = canvas.region(at.board.left, at.board.top, at.board.width, at.board.height)
    lower_screen.draw_map(board, picture.scene)
    if picture.sale is not None:
        lower_screen.draw_sale(board, picture.sale, picture.header.names)
    else:
        if picture.stepper is not None:
            lower_screen.draw_stepper(board, picture.stepper)
        lower_screen.draw_legend(board, picture.legend)
        lower_screen.draw_buttons(board, picture.done, picture.undo)
    if at.log is not None:
        log = canvas.region(at.log.left, at.log.top, at.log.width, at.log.height)
        lower_screen.draw_log(log, picture.log, picture.talk)
    key_bar(canvas, picture.hints)
    return at


def hearts(state: State, viewer: int | None) -> frozenset[Agent]:
    """The agents that are turned, as far as the viewer knows."""
    return frozenset(
        (seat, agent)
        for seat, agents in enumerate(state.agents)
        for agent in range(len(agents))
        if agent_facts(state, viewer, seat, agent).turned
    )


def populated(
    shown: Display, turned: frozenset[Agent], chosen: Agent | None, waving: frozenset[Agent], frame: int
) -> Scene:
    """A map with all agents where a position has them."""
    pieces = tuple(
        Piece(
            seat,
            agent,
            place,
            waving=(seat, agent) in waving,
            heart=(seat, agent) in turned,
            chosen=(seat, agent) == chosen,
        )
        for seat, places in enumerate(shown.places)
        for agent, place in enumerate(places)
    )
    return replace(scene_of(shown), pieces=pieces, frame=frame)


def playing(frame: Frame, seconds: float, turned: frozenset[Agent]) -> Scene:
    """The map after so many seconds of a frame: its trip is under way, what earlier frames left is still noted."""
    shown = frame.at(seconds)
    scene = populated(shown, turned, None, frozenset(), 0)
    trips = list(frame.lines)
    if frame.trip is not None:
        progress = min(1.0, seconds / frame.seconds) if frame.seconds else 1.0
        trips.append(replace(frame.trip, progress=progress))
        flying = None if frame.trip.inspector else (frame.trip.seat, frame.trip.agent)
        pieces = tuple(
            replace(piece, faded=True, heart=False) if (piece.seat, piece.agent) == flying else piece
            for piece in scene.pieces
        )
        scene = replace(scene, pieces=pieces)
    return replace(scene, trips=tuple(trips), tags=frame.tags)
