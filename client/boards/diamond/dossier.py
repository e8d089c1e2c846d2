"""The dossier: every move of the game, and what it did. Nothing was hidden, so it is the score sheet with remarks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from kimberley.client.boards.diamond.events import GameEvent, remark, won_square
from kimberley.client.boards.diamond.panel import panel_width
from kimberley.client.boards.diamond.scene import Scene, draw_board, mark_of
from kimberley.client.boards.report import NOBODY_PLAYED, Dossier, DossierRow, name_room
from kimberley.client.boards.subject import reason_told
from kimberley.client.boards.view import Shown
from kimberley.client.session.participants import own_name, short_name
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.columns import Column, TableColumns
from kimberley.client.ui.glyphs import truncate, wrap
from kimberley.client.ui.spans import Span
from kimberley.games.diamond.game import Diamond
from kimberley.games.diamond.notation import TurnNotationError
from kimberley.games.diamond.position import BLACK, COLORS, PIECES, WHITE
from kimberley.games.diamond.rules import State
from kimberley.games.diamond.score_sheet import ScoreSheet, resigned_colors, write_sheet
from kimberley.games.phrases import count_of
from kimberley.games.table import ReasonKind, Result

MIDDLE: Final = 40


def dossier(shown: Shown[State, GameEvent]) -> Dossier:
    """Returns the dossier of a game from its last position."""
    return Dossier(
        Diamond.title,
        partial(draw_head, shown=shown),
        partial(_rows, shown),
        tuple(_in_words(shown)),
        board=partial(draw_end, shown=shown) if shown.events else None,
        called="moves",
    )


def _final(shown: Shown[State, GameEvent]) -> State:
    """Returns the state after the last move. Before the first one nobody has a color."""
    return shown.last.after if shown.last is not None else State()


def outcome(result: Result | None, names: Sequence[str], seat: int | None) -> tuple[str, str]:
    """Says who won, and why: ("You win", "Black holds the square …")."""
    if result is None:
        return "Unfinished", ""
    if len(result.winners) != 1:
        return "A draw", "by agreement" if result.kind is ReasonKind.AGREED else result.reason
    winner = result.winners[0]
    return "You win" if winner == seat else f"{names[winner]} wins", reason_told(result, names, seat)


def ending(result: Result | None, names: Sequence[str], seat: int | None) -> str:
    """Says who won, and why, in a sentence."""
    if result is not None and result.kind is ReasonKind.AGREED:
        return f"{'Both sides' if seat is None else 'You'} agreed to a draw."
    who, why = outcome(result, names, seat)
    return f"{who}: {why}." if why else f"{who}."


def draw_head(canvas: Canvas, shown: Shown[State, GameEvent]) -> None:
    """Draws rows 1 to 3: both sides with what they lost, and between them, on paper, who won."""
    final, names, seat = _final(shown), shown.names, shown.you
    who, by = outcome(shown.result, names, seat)
    canvas.fill(0, 0, canvas.width, 3, "panel")
    if canvas.portrait:
        _draw_portrait_head(canvas, final, shown.events, who, by)
        return
    start = (canvas.width - MIDDLE) // 2
    canvas.fill(start, 0, MIDDLE, 3, "paper")
    canvas.center(start, 0, MIDDLE, truncate(who, MIDDLE), "ink", "paper", bold=True)
    for y, line in enumerate([*wrap(by, MIDDLE - 2), count_of(len(shown.events), "move")][:2], start=1):
        canvas.center(start, y, MIDDLE, line, "faded", "paper")
    if final.first is None:
        return
    for color in (BLACK, WHITE):
        sign, fg, bg = mark_of(color)
        owner = final.seat(color)
        pieces = f"{count_of(lost(shown.events, color), 'piece')} lost"
        name = own_name(names[owner], start - 6) if owner == seat else short_name(names, owner, start - 6)
        canvas.beside(color == WHITE, 1, 0, sign, fg, bg, bold=True)
        canvas.beside(color == WHITE, 5, 0, name, "text", bold=True)
        canvas.beside(color == WHITE, 5, 1, pieces, "soft")


def draw_end(canvas: Canvas, shown: Shown[State, GameEvent]) -> None:
    """Draws the last position with the square that won. Beside it, except on a portrait screen, stands who won."""
    final, names, seat = _final(shown), shown.names, shown.you
    last = next((event.ends for event in reversed(shown.events) if event.ends is not None), None)
    room = 0 if canvas.portrait else panel_width(canvas.width)
    draw_board(
        canvas.region(0, 0, canvas.width - room, canvas.height),
        Scene(final.position, last=last, won=won_square(final)),
    )
    if canvas.portrait:
        return
    who, by = outcome(shown.result, names, seat)
    side = canvas.region(canvas.width - room, 0, room, canvas.height)
    side.fill(0, 0, room, side.height, "panel")
    reason = wrap(by, room - 2)
    side.fill(0, 1, room, 1 + len(reason), "paper")
    side.put(1, 1, truncate(who, room - 2), "ink", "paper", bold=True)
    for y, line in enumerate(reason, start=2):
        side.put(1, y, line, "faded", "paper")
    top = 3 + len(reason)
    side.put(1, top, count_of(len(shown.events), "move"), "soft")
    for y, color in zip((top + 2, top + 5), (WHITE, BLACK), strict=True):
        owner = final.seat(color)
        side.put(1, y, *mark_of(color), bold=True)
        name = own_name(names[owner], room - 6) if owner == seat else short_name(names, owner, room - 6)
        side.put(5, y, name, "text", bold=True)
        side.put(5, y + 1, f"{count_of(lost(shown.events, color), 'piece')} lost", "soft")


def _draw_portrait_head(canvas: Canvas, final: State, moves: Sequence[GameEvent], who: str, by: str) -> None:
    """Draws who won and why on paper, and below it, if there is room, what both sides lost."""
    lines = wrap(by, canvas.width - 2)
    canvas.fill(0, 0, canvas.width, 1 + len(lines), "paper")
    canvas.center(0, 0, canvas.width, truncate(who, canvas.width), "ink", "paper", bold=True)
    for y, line in enumerate(lines, start=1):
        canvas.center(0, y, canvas.width, line, "faded", "paper")
    if final.first is None or len(lines) > 1:
        return
    for color in (BLACK, WHITE):
        sign, fg, bg = mark_of(color)
        canvas.beside(color == WHITE, 1, 2, sign, fg, bg, bold=True)
        canvas.beside(color == WHITE, 5, 2, f"{count_of(lost(moves, color), 'piece')} lost", "soft")


def lost(moves: Sequence[GameEvent], color: int) -> int:
    """Returns how many pieces of a color were captured."""
    return sum(1 for move in moves if move.captured and move.before.position.turn != color)


def _rows(shown: Shown[State, GameEvent], width: int) -> tuple[TableColumns, tuple[DossierRow, ...]]:
    """Returns a line for each turn, for a width in columns."""
    room = max(12, name_room(shown.names, width))
    columns = (Column(room=3, right=True), Column("Who", room), Column("Move", 9), Column("Effect", fills=True))
    table = TableColumns(columns, width, margin=1)
    made: list[DossierRow] = []
    for number, event in enumerate(shown.events, 1):
        strong = bool(event.captured or won_square(event.after))
        spans = (
            Span(str(number), "soft"), Span(short_name(shown.names, event.seat, room), "soft"),
            Span(event.turn, "text", strong), Span(remark(event), "text" if strong else "soft"),
        )  # fmt: skip
        made.append(DossierRow(tuple((span,) for span in spans), event.step))
    return table, tuple(made)


def _in_words(shown: Shown[State, GameEvent]) -> list[str]:
    """Returns the game in sentences, and its score sheet."""
    final, moves, names, result = _final(shown), shown.events, shown.names, shown.result
    lines = [ending(result, names, shown.you)]
    if final.first is None:
        return [*lines, NOBODY_PLAYED]
    black, white = (names[final.seat(color)] for color in (BLACK, WHITE))
    if (black, white) != (COLORS[BLACK], COLORS[WHITE]):
        lines.append(f"{COLORS[BLACK]}: {black}. {COLORS[WHITE]}: {white}.")
    for color in (BLACK, WHITE):
        taken = lost(moves, color)
        lines.append(f"{COLORS[color]} lost {taken or 'none'} of its {PIECES} pieces.")
    if moves:
        lines.append(f"In each line, {names[moves[0].seat]}’s move comes first.")
    try:
        lines += write_sheet(ScoreSheet(tuple(move.turn for move in moves), resigned_colors(result))).splitlines()
    except TurnNotationError as error:
        lines.append(f"No score sheet: {error}.")
    return lines
