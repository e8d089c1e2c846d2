"""The panel beside the field: who has which card, carries and owns what, what is looked at, and how much of the game is
left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kimberley.client.boards.mine.scoring import reckoned
from kimberley.client.boards.mine.stones import PAINT, Stone, colors, player_mark, player_paint, spans, stones
from kimberley.client.session.participants import own_name, short_name
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.columns import Column, TableColumns
from kimberley.client.ui.glyphs import cell_width, truncate
from kimberley.client.ui.palette import Color
from kimberley.client.ui.panels import panel
from kimberley.client.ui.spans import Span, Spans, draw_lines, draw_spans, log_tail, spans_width, text_lines
from kimberley.games.mine.gems import COLORS, FLAWLESS, LETTERS, OWN
from kimberley.games.mine.rules import QUIET, State
from kimberley.games.phrases import count_of
from kimberley.p2p.sentences.notices import RESIGNED, place_word

CARD_ROOM: Final = 3
LOAD: Final = 3
"""The index of the column for what a pawn carries, in a table of players."""
ROOMY: Final = 19
"""From this many columns on, there is room for what each of the players beside each other is doing."""
MOST_ROWS: Final = 6
"""The most rows for what happened last."""
QUIET_FROM: Final = 5
"""From this many rounds in a row without gems on, the panel says that such rounds end the game."""
DONE: Final = "done"
"""The note on a player who has moved in this round."""
WISHES: Final = "wants to end"
"""The note on a player who would like to end the game, if there is no room for a sentence."""


@dataclass(frozen=True, slots=True)
class PanelContent:
    """What the panel says of a state.

    `cards` by seat are what lies on the table: a figure, "?" face down, "" nothing; `open` says whether they are shown.
    `notes` by seat say what a player is doing. `heading` and `about` are about what is looked at; `log` is what
    happened, the newest last; `talk` are (name, text). `places` by seat are the final ones, () before the end. `wish`
    says who would like to end the game in the current round, and who would not.
    """

    state: State
    names: Sequence[str]
    you: int | None
    cards: Sequence[str]
    notes: Sequence[str]
    heading: str = ""
    about: Sequence[Spans] = ()
    acts: int | None = None
    log: Sequence[str] = ()
    talk: Sequence[tuple[str, str]] = field(default=())
    places: Sequence[int] = ()
    wish: str = ""


def panel_width(columns: int) -> int:
    """Returns how wide the panel is on a terminal of that many columns."""
    return 33 if columns < 100 else 39 if columns < 120 else 43 if columns < 140 else 48


def draw_panel(canvas: Canvas, content: PanelContent) -> None:
    """Draws the panel over the whole canvas. A click on a player is ("player", seat)."""
    canvas.fill(0, 0, canvas.width, canvas.height, "panel")
    inner = canvas.region(1, 1, canvas.width - 2, canvas.height - 1)
    bottom = _draw_legend(inner, content)
    wish = text_lines(content.wish, inner.width, "text") if content.wish else []
    above = 2 + 2 * content.state.seats + bool(content.heading) + len(content.about)
    if above + len(wish) >= bottom:
        content, wish = _with_wishes_noted(content), []
    y = _draw_players(canvas, inner, content)
    y += 1
    inner.put(0, y, truncate(content.heading, inner.width), "text", bold=True)
    y += bool(content.heading)
    inner.hit(0, y, inner.width, max(0, min(len(content.about), bottom - y)), ("about",))
    y = draw_lines(inner, 0, y, _whole(content.about, bottom - y))
    if wish:
        y = draw_lines(inner, 0, y + 1, wish)
    room = bottom - y - 2
    if content.talk and room > 12:
        _draw_log(inner, bottom - 7, bottom - 1, "Talk", [f"{name}: {text}" for name, text in content.talk])
        bottom -= 8
    if bottom - y > 4 and content.state.items:
        y = _draw_unseen(inner, y + 1, content)
    if bottom - y > 3:
        _draw_log(inner, y + 1, bottom - 1, "Log", content.log)


def _whole(lines: Sequence[Spans], room: int) -> Sequence[Spans]:
    """Returns the first lines for which there is room, without the beginning of a sentence that has none."""
    if len(lines) <= room:
        return lines
    ends = (end for end in range(room, 0, -1) if len(lines[end - 1]) > 1 or lines[end - 1][0].text.endswith("."))
    return lines[: next(ends, room)]


def _with_wishes_noted(content: PanelContent) -> PanelContent:
    """Returns the same content, with a note beside each player who would like to end the game."""
    would = content.state.willing if content.wish else (False,) * content.state.seats
    notes = [
        WISHES if wishes and seat != content.acts else note
        for seat, (wishes, note) in enumerate(zip(would, content.notes, strict=True))
    ]
    return replace(content, notes=notes)


def _draw_unseen(canvas: Canvas, y: int, content: PanelContent) -> int:
    """Draws how many gems of each color nobody has seen yet. Returns the row after them."""
    canvas.put(0, y, "Never seen" if content.places else "Not seen yet", "text", bold=True)
    canvas.mark_list(0, y, canvas.width, 3)
    for row, (sign, counts) in enumerate(zip("▴▲", content.state.unknown(), strict=True), start=y + 1):
        x = 0
        for color in colors(content.state):
            x = canvas.put(x, row, f"{sign}{LETTERS[color]}", PAINT[color], bold=True)
            x = canvas.put(x, row, f" {counts[color]}", "soft") + 2
    return y + 3


def _draw_log(canvas: Canvas, top: int, bottom: int, title: str, sentences: Sequence[str]) -> None:
    """Draws the last of the sentences, as many as there is room for."""
    entries = [(Span(""), (Span(sentence, "soft"),)) for sentence in sentences]
    if lines := log_tail(entries, canvas.width, bottom - top - 1, whole=True):
        canvas.put(0, top, title, "text", bold=True)
        canvas.mark_list(0, top, canvas.width, 1 + len(lines))
        draw_lines(canvas, 0, top + 1, lines)


def _draw_players(canvas: Canvas, inner: Canvas, content: PanelContent) -> int:
    """Draws a heading, and two rows for each player. Returns the row after them."""
    state, name_room = content.state, 10 if inner.width < 36 else 12
    columns = (
        Column("seat", 2), Column(room=name_room),
        Column(room=CARD_ROOM + 1) if content.places else Column("card", CARD_ROOM + 1, gap=0),
        Column("carries", fills=True), Column("home", right=True),
    )  # fmt: skip
    table = TableColumns(columns, inner.width)
    table.headings(inner, 0, 0)
    for seat in range(state.seats):
        y, acts, played = 1 + 2 * seat, seat == content.acts, content.cards[seat].isdigit()
        if acts:
            canvas.fill(0, y + 1, canvas.width, 2, "raised")
        mark = Span(player_mark(seat), player_paint(state, seat) if state.present[seat] else "line", True)
        fg: Color = "text" if state.present[seat] else "soft"
        name = Span(short_name(content.names, seat, name_room), fg, seat == content.you)
        card = Span(f" {content.cards[seat]} ", "ink" if played else "text", True, "paper" if played else "line")
        load, home = (
            _load(stones(state, state.mine.carried[seat]), state, seat),
            Span(str(state.score(seat)), bold=True),
        )
        if content.places:
            place = Span(f"{place_word(content.places, seat):>{CARD_ROOM + 1}}", "money", True)
            table.row(inner, 0, y, (mark, name, place, load, home))
            table.row(inner, 0, y + 1, ((), reckoned(state, seat)))
            continue
        table.row(inner, 0, y, (mark, name, (Span(" "), card) if content.cards[seat] else (), load, home))
        collects = COLORS[state.colors[seat]] if state.colors else ""
        about = Span(f"{'you, ' if seat == content.you else ''}{collects}", "soft")
        note = truncate(content.notes[seat], inner.width - table.places[LOAD].x)
        table.row(inner, 0, y + 1, ((), about, None, (), Span(note, "text" if acts else "soft")))
        canvas.hit(0, y + 1, canvas.width, 2, ("player", seat))
    return 1 + 2 * state.seats


def draw_players_across(canvas: Canvas, content: PanelContent) -> None:
    """Draws the players beside each other, for a portrait screen, in three rows. A click on one is ("player", seat)."""
    canvas.fill(0, 0, canvas.width, canvas.height, "panel")
    room = canvas.width // content.state.seats
    for seat in range(content.state.seats):
        canvas.hit(seat * room, 0, room, canvas.height, ("player", seat))
        block = canvas.region(seat * room, 0, room, canvas.height)
        if seat == content.acts:
            block.fill(0, 0, room, block.height, "raised")
        _draw_player(block.region(0, 0, room - 1, block.height), content, seat)


def _draw_player(canvas: Canvas, content: PanelContent, seat: int) -> None:
    """Draws one of the players beside each other. A narrow canvas has only the letter of the color, and no note."""
    state, end, wide = content.state, canvas.width, canvas.width >= ROOMY
    here, you = state.present[seat], seat == content.you
    color = state.colors[seat] if state.colors else None
    paint: Color = player_paint(state, seat) if here else "line"
    score = str(state.score(seat))
    canvas.put(0, 0, player_mark(seat), paint, bold=True)
    x, y = (3, 0) if wide else (0, 1)
    name = own_name(content.names[seat], end - x) if you else short_name(content.names, seat, end - x)
    canvas.put(x, y, name, "text" if here else "soft", bold=you)
    _draw_hand(canvas.region(0, y + 1, end, 1), content, seat)
    if not wide:
        canvas.put(3, 0, LETTERS[color] if color is not None else "", paint, bold=True)
        canvas.right(end, 0, score, "text", bold=True)
        return
    canvas.right(end, 1, COLORS[color] if color is not None else "", paint)
    if state.round:
        at = canvas.put(0, 2, "home ", "soft")
        canvas.put(at, 2, score, "text", bold=True)
    if not content.places:
        canvas.right(end, 2, content.notes[seat], "text" if seat == content.acts else "soft")


def _draw_hand(canvas: Canvas, content: PanelContent, seat: int) -> None:
    """Draws what lies before a player: the card, or at the end the place, and what the pawn carries."""
    state, card, left = content.state, content.cards[seat], CARD_ROOM + 1
    if content.places:
        left = max(left, canvas.put(0, 0, place_word(content.places, seat), "money", bold=True) + 1)
    elif not state.present[seat]:
        canvas.put(0, 0, RESIGNED, "soft")
    elif card:
        pending = card.isdigit() and content.notes[seat] != DONE
        canvas.put(0, 0, f" {card} ", "ink" if pending else "text", "paper" if pending else "line", bold=True)
    held = stones(state, state.mine.carried[seat])
    room = canvas.width - left
    load = _load(held, state, seat)
    if spans_width(load) > room:
        load = tuple(Span(gem.mark, gem.paint, True) for gem in held)
    draw_spans(canvas, left, 0, load)


def draw_card(canvas: Canvas, content: PanelContent, note: str = "") -> None:
    """Draws the panel without the players, as a card of a portrait screen."""
    inner = panel(canvas, 0, 0, canvas.width, canvas.height, content.heading)
    if 4 + cell_width(content.heading) + 2 + cell_width(note) + 4 <= canvas.width:
        canvas.right(canvas.width - 2, 0, f" {note} " if note else "", "soft")
    y = draw_lines(inner, 0, 0, content.about[: inner.height])
    wish = text_lines(content.wish, inner.width, "text") if content.wish else []
    if wish and y + len(wish) < inner.height:
        y = draw_lines(inner, 0, y + 1, wish)
    if content.places:
        for seat in range(content.state.seats):
            x = inner.put(0, y + 1 + seat, player_mark(seat), player_paint(content.state, seat), bold=True)
            draw_spans(inner, x + 1, y + 1 + seat, reckoned(content.state, seat))
        return
    legend = [*_signs(content.state), *_ends(content, inner.width)]
    if inner.height - y < len(legend) + 1:
        return
    draw_lines(inner, 0, inner.height - len(legend), legend)


def _load(carried: Sequence[Stone], state: State, seat: int) -> Spans:
    if carried:
        return spans(carried)
    return (Span("nothing" if state.mine.pawns[seat] is not None else "", "soft"),)


def _draw_legend(canvas: Canvas, content: PanelContent) -> int:
    """Draws what the signs mean, and how much is left of the game, on the last rows. Returns the first row that is not
    free above it: where the players leave little room, nothing is kept free around it.
    """
    ends = _ends(content, canvas.width)
    tight = 3 + 2 * content.state.seats + MOST_ROWS > canvas.height - 5
    y = canvas.height - (2 + len(ends) if tight else 4)
    for row, line in zip(
        (y, y + 1, *range(canvas.height - len(ends), canvas.height)), (*_signs(content.state), *ends), strict=True
    ):
        draw_spans(canvas, 0, row, line)
    return y if tight else y - 1


def _signs(state: State) -> list[Spans]:
    """Returns what the signs mean, in two lines."""
    sizes = (
        Span("▴ "), Span("small 1", "soft"), Span("   ▲ "), Span("medium 2", "soft"), Span("  "), Span("own", "soft"),
        Span(f" ×{OWN}"),
    )  # fmt: skip
    gems = [span for color in colors(state) for span in (Span(f"▴{LETTERS[color]}", PAINT[color], True), Span(" "))]
    if state.flawless is not None:
        mark = Span(LETTERS[state.flawless], PAINT[state.flawless], True)
        gems += [Span(" "), Span("flawless", "soft"), Span(" "), mark, Span(f" ×{FLAWLESS}")]
    return [sizes, tuple(gems)]


def _ends(content: PanelContent, room: int) -> list[Spans]:
    """Returns how much is left of the game, in one line or two of `room` columns; if the game is over, how many veins
    were exhausted.
    """
    state = content.state
    spent = f"{count_of(state.mine.exhausted, 'vein')} exhausted"
    if content.places:
        return [(Span(spent if state.round else "", "soft"),)]
    full = f"{spent}; {state.veins_to_end} end the game"
    spent = full if len(full) <= room else f"{spent}; ends at {state.veins_to_end}"
    ends: list[Spans] = [(Span(spent if state.round else "placing nests", "soft"),)]
    if state.quiet >= QUIET_FROM:
        ends.append((Span(f"{state.quiet} of {QUIET} rounds without gems", "money"),))
    return ends
