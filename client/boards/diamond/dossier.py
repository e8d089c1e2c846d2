"""The dossier: every move of the game, and what it did. Nothing was hidden, so it is the score sheet with remarks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.diamond.events import GameEvent, effect, won_square
from kimberley.client.boards.diamond.scene import mark_of
from kimberley.client.boards.report import Dossier, DossierRow, Span
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import truncate
from kimberley.client.ui.widgets import Column
from kimberley.games.diamond.board import names as point_names
from kimberley.games.diamond.notation import TurnNotationError
from kimberley.games.diamond.position import BLACK, COLORS, PIECES, WHITE, DrawAgreement, Swap
from kimberley.games.diamond.rules import State
from kimberley.games.diamond.score_sheet import ScoreSheet, write_sheet
from kimberley.games.table import Result

TITLE: Final = "Diamond"
MIDDLE: Final = 34


def dossier(moves: Sequence[GameEvent], names: Sequence[str], seat: int | None, result: Result | None) -> Dossier:
    """The dossier of a game from its moves. `seat` is "you", None for a spectator."""
    final = moves[-1].after if moves else State()

    def head(canvas: Canvas) -> None:
        draw_head(canvas, final, moves, names, seat, result)

    def build(width: int) -> tuple[tuple[Column, ...], tuple[DossierRow, ...]]:
        return rows(moves, names, width)

    return Dossier(TITLE, head, build, tuple(in_words(moves, final, names, seat, result)))


def outcome(result: Result | None, names: Sequence[str], seat: int | None) -> tuple[str, str]:
    """Who won, and why: ("You win", "Black holds the square …")."""
    if result is None:
        return "Not finished", ""
    if len(result.winners) != 1:
        return "A draw", result.reason
    winner = result.winners[0]
    return "You win" if winner == seat else f"{names[winner]} wins", result.reason


def draw_head(
    canvas: Canvas,
    final: State,
    moves: Sequence[GameEvent],
    names: Sequence[str],
    seat: int | None,
    result: Result | None,
) -> None:
    """Rows 1 to 3: both sides with what is left to them, and between them, on paper, who won."""
    canvas.fill(0, 0, canvas.width, 3, "panel")
    start = (canvas.width - MIDDLE) // 2
    canvas.fill(start, 0, MIDDLE, 3, "paper")
    who, by = outcome(result, names, seat)
    canvas.center(start, 0, MIDDLE, truncate(who, MIDDLE), "ink", "paper", bold=True)
    canvas.center(start, 1, MIDDLE, truncate(by, MIDDLE - 2), "faded", "paper")
    canvas.center(start, 2, MIDDLE, f"{len(moves)} moves", "faded", "paper")
    if final.first is None:
        return
    for color in (BLACK, WHITE):
        sign, fg, bg = mark_of(color)
        owner = final.seat(color)
        name = f"{names[owner]}, you" if owner == seat else names[owner]
        kept = PIECES - lost(moves, color)
        pieces = f"{kept} piece{'' if kept == 1 else 's'} left"
        room = start - 6
        if color == BLACK:
            canvas.put(1, 0, sign, fg, bg, bold=True)
            canvas.put(5, 0, truncate(name, room), "text", bold=True)
            canvas.put(5, 1, pieces, "soft")
        else:
            canvas.right(canvas.width - 1, 0, sign, fg, bg, bold=True)
            canvas.right(canvas.width - 5, 0, truncate(name, room), "text", bold=True)
            canvas.right(canvas.width - 5, 1, pieces, "soft")


def lost(moves: Sequence[GameEvent], color: int) -> int:
    """How many pieces of a color were captured."""
    return sum(1 for each in moves if each.captured and each.before.position.turn != color)


def remark(each: GameEvent) -> str:
    """What a move did besides being made, in a few words."""
    move, _, offers = each.written
    said = effect(each.before.position, move)
    if isinstance(move, Swap):
        said = "the players change colors"
    if isinstance(move, DrawAgreement):
        said = "takes the draw"
    if square := won_square(each.after):
        said = f"{said}, completes {' '.join(point_names(square))}".removeprefix(", ")
    return f"{said}, offers a draw".removeprefix(", ") if offers else said


def rows(
    moves: Sequence[GameEvent], names: Sequence[str], width: int
) -> tuple[tuple[Column, ...], tuple[DossierRow, ...]]:
    """Two moves a line, with remarks, for a width in columns."""
    first = moves[0].before.seat(BLACK) if moves else 0
    columns = (
        Column("", 0, 4, right=True),
        Column(truncate(names[first], 14), 6, 14),
        Column(truncate(names[1 - first], 14), 21, 14),
        Column("What they did", 36, width - 37),
    )
    made: list[DossierRow] = []
    for number in range(0, len(moves), 2):
        pair = moves[number : number + 2]
        cells = [(Span(str(number // 2 + 1), "soft"),)]
        for each in (*pair, *[None] * (2 - len(pair))):
            bold = each is not None and bool(each.captured or won_square(each.after))
            cells.append((Span(each.turn if each is not None else "", "text", bold),))
        said = [f"{each.turn} {remark(each)}" for each in pair if remark(each)]
        cells.append((Span("; ".join(said), "text" if any(each.captured for each in pair) else "soft"),))
        made.append(DossierRow(tuple(cells), pair[-1].step))
    return columns, tuple(made)


def in_words(
    moves: Sequence[GameEvent], final: State, names: Sequence[str], seat: int | None, result: Result | None
) -> list[str]:
    """The game in sentences, and its score sheet."""
    if final.first is None:
        return ["The game was given up before it began."]
    who, by = outcome(result, names, seat)
    black, white = (names[final.seat(color)] for color in (BLACK, WHITE))
    lines = [f"{who}: {by}." if by else f"{who}.", f"{COLORS[BLACK]} is {black}, {COLORS[WHITE]} {white}."]
    for color in (BLACK, WHITE):
        taken = lost(moves, color)
        lines.append(f"{COLORS[color]} lost {taken} of its {PIECES} pieces.")
    try:
        lines += write_sheet(ScoreSheet(tuple(each.turn for each in moves), _resigned(final, result))).splitlines()
    except TurnNotationError as error:
        lines.append(f"The moves cannot be written down: {error}.")
    return lines


def _resigned(final: State, result: Result | None) -> tuple[int, ...]:
    """The colors that resigned."""
    if result is None or "resigned" not in result.reason:
        return ()
    return tuple(c for c in (BLACK, WHITE) if result.reason.startswith((COLORS[c], "both"))) or (BLACK,)
