"""The panel beside the field: who has which card, carries and owns what, what is looked at, and how long it lasts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from kimberley.client.boards.mine.scoring import reckoned
from kimberley.client.boards.mine.stones import PAINT, Stone, colors, player_mark, player_paint, spans, stones
from kimberley.client.boards.report import Span
from kimberley.client.boards.spans import draw_spans
from kimberley.client.session.participants import short_name
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import truncate, wrap
from kimberley.client.ui.palette import Color
from kimberley.games.mine.gems import COLORS, FLAWLESS, LETTERS, OWN
from kimberley.games.mine.rules import QUIET, State

CARD_ROOM: Final = 3
QUIET_FROM: Final = 5
"""From so many rounds in a row without gems on it is said that they end the game."""
PLACES: Final = ("1st", "2nd", "3rd", "4th")
Line = Sequence[Span]


@dataclass(frozen=True, slots=True)
class PanelContent:
    """What the panel says of a state.

    `cards` by seat are what lies on the table: a figure, "?" face down, "" nothing; `open` says whether they are shown.
    `notes` by seat say what a player is doing. `heading` and `about` are on what is looked at; `log` is what happened,
    the last at the end; `talk` are (name, text). `places` by seat are those at the end, () before.
    """

    state: State
    names: Sequence[str]
    you: int | None
    cards: Sequence[str]
    notes: Sequence[str]
    heading: str = ""
    about: Sequence[Line] = ()
    acts: int | None = None
    log: Sequence[str] = ()
    talk: Sequence[tuple[str, str]] = field(default=())
    places: Sequence[int] = ()


def panel_width(columns: int) -> int:
    """How wide the panel is on a terminal of so many columns."""
    return 33 if columns < 100 else 39 if columns < 120 else 43 if columns < 140 else 48


def draw_panel(canvas: Canvas, content: PanelContent) -> None:
    """Draws it over the whole canvas. A click on a player is ("player", seat)."""
    canvas.fill(0, 0, canvas.width, canvas.height, "panel")
    inner = canvas.region(1, 1, canvas.width - 2, canvas.height - 1)
    y = _draw_players(canvas, inner, content)
    bottom = _draw_legend(inner, content.state)
    y += 1
    inner.put(0, y, truncate(content.heading, inner.width), "text", bold=True)
    y += bool(content.heading)
    for line in list(content.about)[: bottom - y]:
        draw_spans(inner, 0, y, line)
        y += 1
    room = bottom - y - 2
    if content.talk and room > 12:
        talk = [f"{name}: {text}" for name, text in content.talk]
        _draw_log(inner, bottom - 7, bottom - 1, "Talk", talk)
        bottom -= 8
    if bottom - y > 4 and content.state.items:
        y = _draw_unseen(inner, y + 1, content.state)
    if bottom - y > 3:
        _draw_log(inner, y + 1, bottom - 1, "So far", content.log)


def _draw_unseen(canvas: Canvas, y: int, state: State) -> int:
    """How many gems of each color nobody has seen yet. Returns the row after them."""
    canvas.put(0, y, "Not seen yet", "text", bold=True)
    for row, (sign, counts) in enumerate(zip("▴▲", state.unknown(), strict=True), start=y + 1):
        x = 0
        for color in colors(state):
            x = canvas.put(x, row, f"{sign}{LETTERS[color]}", PAINT[color], bold=True)
            x = canvas.put(x, row, f" {counts[color]}", "soft") + 2
    return y + 3


def _draw_log(canvas: Canvas, top: int, bottom: int, title: str, lines: Sequence[str]) -> None:
    """The last of some lines, as many as there is room for."""
    kept: list[str] = []
    for text in reversed(lines):
        part = wrap(text, canvas.width)
        if len(kept) + len(part) > bottom - top - 1:
            break
        kept = [*part, *kept]
    if kept:
        canvas.put(0, top, title, "text", bold=True)
        for y, line in enumerate(kept, start=top + 1):
            canvas.put(0, y, line, "soft")


def _draw_players(canvas: Canvas, inner: Canvas, content: PanelContent) -> int:
    """A heading, and two rows for each player. Returns the row after them."""
    state, end = content.state, inner.width
    name_room = 13 if end < 36 else 15
    at_card, at_load = name_room + 1, name_room + CARD_ROOM + 2
    inner.put(0, 0, "seat", "soft")
    inner.put(at_card - 1, 0, "card", "soft")
    inner.put(at_load, 0, "carries", "soft")
    inner.right(end, 0, "home", "soft")
    for seat in range(state.seats):
        y = 1 + 2 * seat
        if seat == content.acts:
            canvas.fill(0, y + 1, canvas.width, 2, "raised")
        here = state.present[seat]
        paint: Color = player_paint(state, seat) if here else "line"
        inner.put(0, y, player_mark(seat), paint, bold=True)
        fg: Color = "text" if here else "soft"
        inner.put(3, y, short_name(content.names, seat, name_room - 3), fg, bold=seat == content.you)
        if content.cards[seat]:
            shown = content.cards[seat].isdigit()
            inner.put(
                at_card, y, f" {content.cards[seat]} ", "ink" if shown else "text", "paper" if shown else "line", True
            )
        draw_spans(inner, at_load, y, _load(stones(state, state.mine.carried[seat]), state, seat))
        inner.right(end, y, str(state.score(seat)), "text", bold=True)
        if content.places:
            inner.put(at_card, y, PLACES[content.places[seat] - 1], "money", bold=True)
            draw_spans(inner, 3, y + 1, reckoned(state, seat))
            continue
        collects = COLORS[state.colors[seat]] if state.colors else ""
        you = "you, " if seat == content.you else ""
        inner.put(3, y + 1, truncate(f"{you}{collects}", at_load - 4), "soft")
        note = content.notes[seat]
        inner.right(end, y + 1, truncate(note, end - at_load), "text" if seat == content.acts else "soft")
        canvas.hit(0, y + 1, canvas.width, 2, ("player", seat))
    return 1 + 2 * state.seats


def _load(carried: Sequence[Stone], state: State, seat: int) -> list[Span]:
    if carried:
        return spans(carried)
    return [Span("nothing" if state.mine.pawns[seat] is not None else "", "soft")]


def _draw_legend(canvas: Canvas, state: State) -> int:
    """What the signs mean, and how much is left of the game, on the last rows. Returns the first of them."""
    y = canvas.height - 4
    at = canvas.put(0, y, "▴", "text") + 1
    at = canvas.put(at, y, "small 1", "soft") + 3
    at = canvas.put(at, y, "▲", "text") + 1
    at = canvas.put(at, y, "medium 2", "soft") + 2
    at = canvas.put(at, y, "own", "soft") + 1
    canvas.put(at, y, f"×{OWN}", "text")
    x = 0
    for color in colors(state):
        x = canvas.put(x, y + 1, f"▴{LETTERS[color]}", PAINT[color], bold=True) + 1
    if state.flawless is not None:
        x = canvas.put(x + 1, y + 1, "flawless", "soft") + 1
        x = canvas.put(x, y + 1, LETTERS[state.flawless], PAINT[state.flawless], bold=True) + 1
        x = canvas.put(x, y + 1, f"×{FLAWLESS}", "text")
    spent = f"the end: {state.mine.exhausted} of {state.veins_to_end} veins exhausted"
    said = spent if state.round else "nests are being placed"
    if state.quiet >= QUIET_FROM:
        canvas.put(0, y + 2, said, "soft")
        canvas.put(0, y + 3, f"or {QUIET} rounds without gems: {state.quiet}", "money")
    else:
        canvas.put(0, y + 3, said, "soft")
    return y - 1
