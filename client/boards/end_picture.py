"""The picture of a finished game, as an SVG file next to its record: the last position, and below it how it went."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kimberley.client.boards.curve_panel import CurvePanel
from kimberley.client.boards.live_context import LiveContext
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.view import STILL
from kimberley.client.ui.bars import title_bar
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.terminal_svg import svg
from kimberley.games.phrases import join_names
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.sentences.notices import as_sentence
from kimberley.p2p.sentences.verdicts import reason_named

if TYPE_CHECKING:
    from kimberley.protocol.audit import AuditedGame

COLUMNS: Final = 100
BOARD_ROWS: Final = 34
CURVE_ROWS: Final = 20


def end_picture(audited: AuditedGame, names: Sequence[str]) -> str:
    """Returns the picture as SVG, in the colors of the dark theme. Raises LookupError if the game has no board."""
    timeline = find_board(audited.record.table.roster.game).timeline(audited.start, names)
    timeline.refresh(audited.story, audited.result)
    curve = timeline.curve()
    canvas = Canvas(COLUMNS, BOARD_ROWS + (CURVE_ROWS if curve is not None else 0))
    # The last row of a board is for keys, which a picture does not have: what follows begins there.
    timeline.draw(canvas.region(0, 0, COLUMNS, BOARD_ROWS), len(timeline.steps), STILL, LiveContext())
    title_bar(canvas, timeline.title, timeline.note(len(timeline.steps)))
    if curve is not None:
        CurvePanel(curve).draw(canvas.region(0, BOARD_ROWS, COLUMNS, CURVE_ROWS - 1))
    reason = f". {as_sentence(reason_named(audited.result, names), names)}" if audited.result is not None else ""
    return svg(canvas, f"{timeline.title}: {join_names(names)}{reason}")


def save_picture(audited: AuditedGame, names: Sequence[str], record: Path) -> Path:
    """Writes the picture next to a record, under the same name. Returns its path. Raises UserError."""
    path = record.with_suffix(".svg")
    try:
        path.write_text(end_picture(audited, names), "utf-8")
    except OSError as error:
        raise UserError(f"The picture could not be saved to {path}: {error.strerror}.") from error
    return path
