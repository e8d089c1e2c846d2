"""The dossier: everything that was done, turn by turn, and what the hands held, now that nothing is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from kimberley.client.boards.piecepack.events import GameEvent, Narrator
from kimberley.client.boards.piecepack.phrases import gone, known, long_coins, short_coin
from kimberley.client.boards.piecepack.suits import SUITS, seat_marks
from kimberley.client.boards.report import NOBODY_PLAYED, Dossier, DossierRow, name_room
from kimberley.client.boards.standings import SEATS, draw_standings, outcomes, resigned
from kimberley.client.boards.view import Shown
from kimberley.client.session.participants import short_name
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.columns import Column, TableColumns
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.palette import Color
from kimberley.client.ui.spans import Span, Spans
from kimberley.games.phrases import count_of
from kimberley.games.piecepack.game import Piecepack
from kimberley.games.piecepack.rules import State
from kimberley.games.table import Result
from kimberley.p2p.sentences.notices import RESIGNED

HELD = 25
"""Cells for what a hand held."""
COLORS: dict[str, Color] = {"sell": "money", "steal": "warning", "lose": "warning", "lay": "soft", "step": "soft",
                              "jump": "soft", "deal": "soft"}  # fmt: skip


def dossier(shown: Shown[State, GameEvent]) -> Dossier:
    """Returns the dossier of a game from its last position, with everything known."""
    return Dossier(Piecepack.title, partial(_draw_head, shown=shown), partial(_rows, shown), tuple(_in_words(shown)))


def _draw_head(canvas: Canvas, shown: Shown[State, GameEvent]) -> None:
    canvas.fill(0, 0, canvas.width, 3, "panel")
    if shown.result is not None:
        out = _out(shown.state, shown.result)
        draw_standings(canvas, shown.names, shown.result, shown.you, seat_marks(shown.state) or SEATS, out, "point")
    else:
        canvas.put(1, 0, "Unfinished.", "text", bold=True)


def _out(state: State, result: Result) -> Sequence[int]:
    """Returns the seats that resigned."""
    return resigned(state, gone(state), result)


def _rows(shown: Shown[State, GameEvent], width: int) -> tuple[TableColumns, tuple[DossierRow, ...]]:
    """Returns a row, or several, for everything that happened, with what the hand held after it, for a width in
    columns.
    """
    who = max(13, name_room(shown.names, width)) + 2
    columns = (
        Column("Turn", 4, right=True), Column("Who", who, gap=2), Column("What happened", fills=True),
        Column("Hand after", HELD),
    )  # fmt: skip
    table = TableColumns(columns, width)
    what = table.places[2].room
    names, seat = shown.names, shown.you
    narrator = Narrator(names, None)
    made: list[DossierRow] = []
    last: tuple[int, int] | None = None
    for event in shown.events:
        turn: tuple[int, int] | None = (event.turn, event.seat)
        fresh, last = turn != last, turn
        color = COLORS.get(event.kind, "text")
        for number, line in enumerate(wrap(narrator.predicate(event), what - 2)):
            first = number == 0
            made.append(
                DossierRow(
                    (
                        (Span(str(event.turn + 1), "soft"),) if first and fresh and event.in_turns else (),
                        _who(event, names, seat, event.seat, who - 2) if first and fresh else (),
                        (Span(line if first else f"  {line}", color, event.kind in ("sell", "steal")),),
                        _held(event, event.seat) if first and _changes(event) else (),
                    ),
                    event.step if first else None,
                )
            )
        if event.kind == "steal" and event.other is not None:
            left = (Span("  is left with", "soft"),)
            other = _who(event, names, seat, event.other, who - 2)
            made.append(DossierRow(((), other, left, _held(event, event.other))))
            last = None
    return table, tuple(made)


def _who(event: GameEvent, names: Sequence[str], you: int | None, seat: int, room: int) -> Spans:
    suit = SUITS[event.after.suits[seat]] if event.after.suits else None
    badge = (Span(suit.sign, suit.light, True), Span(" ")) if suit is not None else ()
    return (*badge, Span(short_name(names, seat, room), "text", seat == you))


def _changes(event: GameEvent) -> bool:
    """Returns whether an event changes what its seat holds."""
    return event.kind not in ("lots", "lay", "last", "step", "jump", "bare", "spare", "peek", "leave", "moon", "trade")


def _held(event: GameEvent, seat: int) -> Spans:
    """Returns a hand in signs, with spaces between them if there is room."""
    coins = sorted((suit, -1 if value is None else value) for suit, value in map(known, event.after.hands[seat]))
    gap = " " if 3 * len(coins) - 1 <= HELD else ""
    if not coins:
        return (Span("nothing", "soft"),)
    return tuple(Span(short_coin(suit, None if value < 0 else value) + gap, SUITS[suit].light) for suit, value in coins)


def _in_words(shown: Shown[State, GameEvent]) -> list[str]:
    """Returns the game in sentences."""
    final, names, result = shown.state, shown.names, shown.result
    lines = [] if result is None else [outcomes(names, result, shown.you)[0]]
    if not final.suits:
        return [*lines, NOBODY_PLAYED]
    if result is not None:
        out = _out(final, result)
        lines += [
            f"{name} {RESIGNED}." if seat in out else f"{name} has {count_of(result.scores[seat][0], 'point')}."
            for seat, name in enumerate(names)
        ]
    narrator = Narrator(names, None, signs=False)
    for event in shown.events:
        turn = f"Turn {event.turn + 1}: " if event.in_turns else ""
        lines.append(f"{turn}{narrator.describe_event(event)}")
    for owner, hand in enumerate(final.hands):
        if hand:
            coins = long_coins(sorted(map(known, hand), key=lambda coin: (coin[0], coin[1] or 0)))
            lines.append(f"At the end, {names[owner]} held {coins}.")
    return lines
