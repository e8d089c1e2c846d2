"""One picture of the whole game: what the game in play and the replay of a record have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from client.boards.diamond_trust import lower, upper
from client.boards.diamond_trust.arrange import Arrangement, arrange
from client.boards.diamond_trust.atlas import Line, Piece, Scene
from client.boards.diamond_trust.beats import Beat, Display, scene_of
from client.boards.diamond_trust.desk import Agent, Stepper
from client.boards.diamond_trust.desk_rest import SaleDesk
from client.boards.diamond_trust.papers import Card, agent_papers
from client.canvas import Canvas
from client.widgets import Hint, key_bar, title_bar
from games.diamond_trust.rules import State


@dataclass(frozen=True, slots=True)
class Frame:
    """Everything that is to be drawn. `done` and `undo` are the labels of the buttons, None where there are none.

    `talk` is None where there is nobody to talk to.
    """

    title: str
    note: str
    header: upper.Header
    card: Card
    strip: upper.Strip
    scene: Scene
    hints: Sequence[Hint]
    stepper: Stepper | None = None
    sale: SaleDesk | None = None
    done: str | None = None
    undo: str | None = None
    legend: Sequence[tuple[Line, str]] = ()
    log: Sequence[tuple[int, str]] = ()
    talk: Sequence[tuple[str, str]] | None = None


def draw_frame(canvas: Canvas, frame: Frame) -> Arrangement:
    """Draws both screens, and says how they are arranged."""
    at = arrange(canvas.width, canvas.height)
    title_bar(canvas, frame.title, frame.note if canvas.width >= 100 else "")
    if at.side:
        canvas.fill(0, at.upper.top, at.upper.width, at.upper.height, "panel")
    upper.draw_balances(canvas, at, frame.header)
    upper.draw_card(canvas, at, frame.card)
    upper.draw_strip(canvas, at, frame.strip)
    board = canvas.region(at.board.left, at.board.top, at.board.width, at.board.height)
    lower.draw_map(board, frame.scene)
    if frame.sale is not None:
        lower.draw_sale(board, frame.sale, frame.header.names)
    else:
        if frame.stepper is not None:
            lower.draw_stepper(board, frame.stepper)
        lower.draw_legend(board, frame.legend)
        lower.draw_buttons(board, frame.done, frame.undo)
    if at.log is not None:
        log = canvas.region(at.log.left, at.log.top, at.log.width, at.log.height)
        lower.draw_log(log, frame.log, frame.talk)
    key_bar(canvas, frame.hints)
    return at


def hearts(state: State, viewer: int | None) -> frozenset[Agent]:
    """The agents that are turned, as far as the viewer knows."""
    return frozenset(
        (seat, agent)
        for seat, agents in enumerate(state.agents)
        for agent in range(len(agents))
        if agent_papers(state, viewer, seat, agent).turned
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


def playing(beat: Beat, seconds: float, turned: frozenset[Agent]) -> Scene:
    """The map while a beat has run for so long: its trip under way, what earlier ones left still noted."""
    shown = beat.at(seconds)
    scene = populated(shown, turned, None, frozenset(), 0)
    trips = list(beat.lines)
    if beat.trip is not None:
        progress = min(1.0, seconds / beat.seconds) if beat.seconds else 1.0
        trips.append(replace(beat.trip, progress=progress))
        flying = None if beat.trip.inspector else (beat.trip.seat, beat.trip.agent)
        pieces = tuple(
            replace(piece, faded=True, heart=False) if (piece.seat, piece.agent) == flying else piece
            for piece in scene.pieces
        )
        scene = replace(scene, pieces=pieces)
    return replace(scene, trips=tuple(trips), tags=beat.tags)
