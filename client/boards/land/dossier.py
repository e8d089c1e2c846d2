"""The dossier: every turn of the game, what its start cost and brought, what was dealt, and what was left."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, cast

from kimberley.client.boards.land.events import GameEvent, SeatLeft
from kimberley.client.boards.land.ledger import cut_cash
from kimberley.client.boards.land.parcel_style import letter, light, mark
from kimberley.client.boards.land.phrases import (
    counted,
    in_short,
    money,
    nameless,
    times,
    why_out,
)
from kimberley.client.boards.report import Dossier, DossierRow, name_room
from kimberley.client.boards.standings import outcomes, places_in_a_row, resigned, winners
from kimberley.client.boards.view import Shown
from kimberley.client.session.participants import short_name
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.columns import Column, TableColumns
from kimberley.client.ui.glyphs import cell_width, truncate
from kimberley.client.ui.spans import Span
from kimberley.games.land.account_sheet import AccountSheetError, sheet_from_story, write_sheet
from kimberley.games.land.accounts import TurnOpening
from kimberley.games.land.game import LandGame
from kimberley.games.land.money import amount
from kimberley.games.land.rules import BANKRUPT, State
from kimberley.games.phrases import count_of
from kimberley.games.table import Answer, Ask, Result, state_after
from kimberley.p2p.sentences.notices import RESIGNED, place_number

DEALS: Final = 3
"""The column for what a turn did."""


def dossier(shown: Shown[State, GameEvent]) -> Dossier:
    """Returns the dossier of a game from its last position."""
    return Dossier(LandGame.title, partial(draw_head, shown=shown), partial(_rows, shown), tuple(_in_words(shown)))


def _outcome(shown: Shown[State, GameEvent]) -> str:
    """Returns who won and why, in a sentence."""
    result, names = shown.result, shown.names
    if result is None:
        return "Unfinished."
    return outcomes(names, result, shown.you)[0]


def _why_out(shown: Shown[State, GameEvent], seat: int) -> str:
    """Says why a seat is out of the game, also if its resignation ended the game in the middle of a turn; empty if it
    is not.
    """
    why, result = why_out(shown.state, seat), shown.result
    if why or result is None or seat not in resigned(shown.state, (), result):
        return why
    return RESIGNED


def _ranking(shown: Shown[State, GameEvent]) -> list[int]:
    """Returns the seats, the first place first."""
    result = shown.result
    return sorted(range(shown.state.seats), key=lambda seat: (result.places[seat] if result is not None else 1, seat))


def draw_head(canvas: Canvas, shown: Shown[State, GameEvent]) -> None:
    """Draws rows 1 to 3: who won and why, and the places with what each had."""
    final, result, names = shown.state, shown.result, shown.names
    canvas.fill(0, 0, canvas.width, 3, "panel")
    if canvas.portrait:
        _draw_portrait_head(canvas, shown)
        return
    canvas.put(1, 0, truncate(_outcome(shown), canvas.width - 2), "text", bold=True)
    in_a_row = places_in_a_row(len(names))
    room = (canvas.width - 2) // in_a_row
    for number, seat in enumerate(_ranking(shown)):
        x, y = 1 + room * (number % in_a_row), 1 + number // in_a_row
        out = _why_out(shown, seat)
        standing = out or f"{amount(final.cash[seat])}K"
        if result is not None:
            x = canvas.put(x, y, place_number(result.places, seat), "soft") + 1
        x = canvas.put(x, y, mark(seat), light(seat), bold=True) + 1
        end = 1 + room * (number % in_a_row + 1) - 1
        name = short_name(names, seat, max(1, end - x - cell_width(standing) - 2))
        x = canvas.put(x, y, name, "text", bold=seat == shown.you)
        canvas.put(x + 1, y, standing, "warning" if out else "money")


def _draw_portrait_head(canvas: Canvas, shown: Shown[State, GameEvent]) -> None:
    """Draws the same on a portrait screen. Where there is no room for the reason or a name, the sentences below have
    it.
    """
    final, result, names = shown.state, shown.result, shown.names
    room = canvas.width - 2
    outcome = _outcome(shown)
    if result is not None and cell_width(outcome) > room:
        outcome = f"{winners(names, result, shown.you)}."
    canvas.put(1, 0, truncate(outcome, room), "text", bold=True)
    in_a_row = (len(names) + 1) // 2
    share = room // in_a_row
    for number, seat in enumerate(_ranking(shown)):
        start, y = 1 + share * (number % in_a_row), 1 + number // in_a_row
        x = canvas.put(start, y, mark(seat), light(seat), bold=True) + 1
        out = _why_out(shown, seat)
        had = out or cut_cash(final.cash[seat])
        if cell_width(names[seat]) < start + share - 1 - x - cell_width(had):
            x = canvas.put(x, y, names[seat], "text", bold=seat == shown.you) + 1
        canvas.put(x, y, had, "warning" if out else "money")


def _rows(shown: Shown[State, GameEvent], width: int) -> tuple[TableColumns, tuple[DossierRow, ...]]:
    """Returns a line for each turn, for a width in columns."""
    names = shown.names
    room = max(8, name_room(names, width))
    columns = (
        Column(room=3, right=True), Column("Who", room + 3), Column("At start", 12, right=True),
        Column("Deals, sector", fills=True), Column("Balance", 12, right=True, gap=0),
    )  # fmt: skip
    table = TableColumns(columns, width, margin=1)
    made: list[DossierRow] = []
    for event in shown.events:
        who = (Span(mark(event.seat), light(event.seat), True), Span(f" {short_name(names, event.seat, room)}"))
        plain, columns_left = isinstance(event, SeatLeft) or event.dealt, table.places[DEALS].room
        told = in_short(event, names, room=columns_left)
        if not isinstance(event, SeatLeft) and cell_width(told) > columns_left:
            told = counted(event, names, columns_left)
        summary = Span(told, "text" if plain else "soft")
        if isinstance(event, SeatLeft):
            made.append(DossierRow(((Span(""),), who, (Span(""),), (summary,), (Span(""),)), event.step))
            continue
        start = _change(event.opening)
        left = Span(f"{amount(event.cash)}K", "warning" if event.cash < 0 else "money")
        number = Span(str(event.number), "soft")
        made.append(DossierRow(((number,), who, (start,), (summary,), (left,)), event.step))
    made += _last(shown, room)
    return table, tuple(made)


def _change(opening: TurnOpening) -> Span:
    """Returns what the start of a turn brought or took in total."""
    change = opening.after - opening.before
    return Span(f"{'+' if change >= 0 else '-'}{amount(abs(change))}", "ok" if change >= 0 else "warning")


def _last(shown: Shown[State, GameEvent], room: int) -> list[DossierRow]:
    """Returns the turn whose start ended the game, so that no deals were made in it."""
    final, opening = shown.state, shown.state.opening
    if final.over is None or opening is None or "start of a turn" not in final.over:
        return []
    seat = opening.seat
    who = (Span(mark(seat), light(seat), True), Span(f" {short_name(shown.names, seat, room)}"))
    summary = Span("starts the turn with a million", "text", True)
    cells = (
        (Span(str(final.turn), "soft"),), who, (_change(opening),),
        (summary,), (Span(f"{amount(opening.after)}K", "ice", True),),
    )  # fmt: skip
    return [DossierRow(cells, shown.last.step if shown.last is not None else None)]


def _in_words(shown: Shown[State, GameEvent]) -> list[str]:
    """Returns the game in sentences."""
    final = shown.state
    lines = [_outcome(shown)]
    for seat in _ranking(shown):
        land = final.land.of(seat)
        known = f"{money(final.cash[seat])} and {times(len(land)) if land else 'no land'}"
        out = _why_out(shown, seat)
        turns = count_of(final.played[seat], "turn")
        if shown.names[seat] == nameless(seat):
            had = {BANKRUPT: f"is {BANKRUPT}"}.get(out, out) or f"has {known}"
            lines.append(f"{nameless(seat)} {had} after {turns}.")
        else:
            lines.append(f"{letter(seat)} is {shown.names[seat]}: {out or known}, after {turns}.")
    return lines


def account_sheet_lines(start: State, story: Sequence[tuple[Ask, Answer]], result: Result | None) -> list[str]:
    """Returns the account sheet of a game."""
    final = start
    for ask, answer in story:
        final = cast(State, state_after(final, ask, answer))
    resigned: tuple[int, ...] = ()
    if result is not None and not isinstance(final.ask(), Result):
        playing = tuple(seat for seat in range(start.seats) if final.alive(seat))
        resigned = tuple(seat for seat in playing if seat not in result.winners) or playing
    try:
        return write_sheet(sheet_from_story(start, story, resigned)).splitlines()
    except AccountSheetError as error:
        return [f"The turns cannot be exported: {error}."]
