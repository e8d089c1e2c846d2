"""The upper screen: balances and calendar, the card, the phase strip. Nothing in it moves between phases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.client.boards.diamond_trust.agent_card import CardField, InfoCard
from kimberley.client.boards.diamond_trust.layout import Layout
from kimberley.client.boards.diamond_trust.map_background import LIGHTS, NAMES
from kimberley.client.boards.diamond_trust.scene import SIDE_TEXTS, SIDES, badge, on_side
from kimberley.client.boards.view import Countdown, Strip
from kimberley.client.session.participants import own_name, short_name
from kimberley.client.ui.bars import phase_strip
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.geometry import Area
from kimberley.client.ui.glyphs import cell_width, truncate, wrap
from kimberley.client.ui.panels import progress
from kimberley.client.ui.spans import Span, Spans, draw_spans
from kimberley.games.diamond_trust.angola import FIRST_MONTHS_LEFT, other
from kimberley.games.diamond_trust.bots.deduction import AtMost, known_cash
from kimberley.games.diamond_trust.knowledge import Unknown
from kimberley.games.diamond_trust.rules import State
from kimberley.games.phrases import count_of

_DARK: Final = ("london_dark", "antwerp_dark")
HEART: Final = ("▄██▄██▄", " ▀███▀ ")
HEART_ROOM: Final = 9
CALENDAR: Final = 20
"""Columns of the calendar."""
NAME_ROOM: Final = 9
"""Columns of the names of both homes."""
CLOCK: Final = " " * 13
"""The space that a clock takes in the phase strip."""
LABELS: Final = 12
"""Columns of the labels in a wide card."""


@dataclass(frozen=True, slots=True)
class Header:
    """What the balances show. `notes` stand beside them; `seat` is the viewer's own, None for a spectator.

    `planned` are dollars that the viewer's choice would cost as it stands. Of a game that is `over`, no month is left.
    """

    state: State
    names: Sequence[str]
    seat: int | None
    notes: tuple[str, str] = ("", "")
    planned: int = 0
    over: bool = False

    def cash(self, seat: int, gap: str = " ") -> str:
        """Returns the dollars of a side, less what is planned: "$ 18", "≤ $ 18" for no more than that, or "$ ?"."""
        cash = known_cash(self.state, other(seat), seat)
        if isinstance(cash, Unknown):
            return f"${gap}?"
        sign = f"≤{gap}" if isinstance(cash, AtMost) else ""
        return f"{sign}${gap}{cash.amount - (self.planned if seat == self.seat else 0)}"

    def diamonds(self, seat: int, gap: str = " ") -> str:
        """Returns the diamonds in a side's vault, and those that its agents still carry: "◆ 6 +18"."""
        vault = self.state.vault[seat]
        carried = self.state.diamonds_of(seat) - vault
        return f"◆{gap}{vault}{f'{gap}+{carried}' if carried else ''}"


def draw_balances(canvas: Canvas, at: Layout, header: Header) -> None:
    """Draws both sides' names, cash and vaults, with the calendar on paper between them."""
    if at.side:
        _balances_aside(canvas, at.balances, header)
        return
    box = at.balances
    half = (box.width - CALENDAR) // 2
    draw_calendar(canvas, half, box.top, CALENDAR, header)
    for seat, left, room in ((0, 0, half), (1, half + CALENDAR, box.width - half - CALENDAR)):
        side = canvas.region(left, box.top, room, 2)
        side.fill(0, 0, room, 2, _DARK[seat])
        side.hit(0, 0, room, 2, ("balance", seat))
        right = seat == 1
        x = side.beside(right, 0, 0, f" {NAMES[seat]} ".ljust(NAME_ROOM), SIDE_TEXTS[seat], SIDES[seat], bold=True)
        x = side.beside(right, x + 1, 0, badge(seat, None), "text") + 1
        side.beside(right, x, 0, _name(header, seat, room - x - 1), "text")
        x = side.beside(right, 1, 1, header.cash(seat), "money", bold=True)
        x = side.beside(right, max(x + 3, 8), 1, header.diamonds(seat), "ice", bold=True)
        if cell_width(note := header.notes[seat]) <= room - x - 4:
            side.beside(right, x + 3, 1, note, "soft")


def _name(header: Header, seat: int, room: int) -> str:
    """Returns the name of a side in at most `room` columns."""
    return own_name(header.names[seat], room) if seat == header.seat else short_name(header.names, seat, room)


def draw_calendar(canvas: Canvas, x: int, y: int, room: int, header: Header) -> None:
    """Draws how many months are left, and which one it is, in two rows."""
    state, months = header.state, header.state.months_left
    left = "last month" if not months else "game over" if header.over else f"{count_of(months, 'month')} left"
    canvas.fill(x, y, room, 2, "paper")
    canvas.center(x, y, room, left, "ink", "paper", bold=True)
    canvas.center(x, y + 1, room, f"month {state.round()} of {FIRST_MONTHS_LEFT + 1}", "faded", "paper")


def _balances_aside(canvas: Canvas, box: Area, header: Header) -> None:
    """Draws the balances one below the other, in the column at the left."""
    for seat, top in ((0, box.top), (1, box.top + 5)):
        canvas.fill(0, top, box.width, 2, _DARK[seat])
        canvas.hit(0, top, box.width, 2, ("balance", seat))
        end = canvas.put(0, top, f" {NAMES[seat]} ".ljust(NAME_ROOM), SIDE_TEXTS[seat], SIDES[seat], bold=True)
        end = canvas.put(end + 1, top, f"{badge(seat, None)} ", "text")
        canvas.put(end, top, _name(header, seat, box.width - end - 1), "text")
        end = canvas.put(1, top + 1, header.cash(seat), "money", bold=True)
        end = canvas.put(max(end + 3, 8), top + 1, header.diamonds(seat), "ice", bold=True)
        if cell_width(note := header.notes[seat]) <= box.width - end - 4:
            canvas.put(end + 3, top + 1, note, "soft")
    canvas.fill(0, box.top + 2, box.width, 3, "panel")
    draw_calendar(canvas, 0, box.top + 2, box.width, header)
    canvas.fill(0, box.top + 4, box.width, 1, "panel")


def draw_strip(canvas: Canvas, at: Layout, strip: Strip) -> None:
    """Draws the phase on paper, one sentence, and whom the table waits for; or the time that is left."""
    box = at.strip
    if not at.side:
        reserved = CLOCK if strip.countdown else strip.aside
        phase_strip(canvas, box.top, strip.phase, strip.sentence, reserved, strip.aside_fg, room=box.width)
        if strip.countdown:
            _countdown(canvas, box.width - 14, box.top, strip.countdown)
        return
    canvas.mark_strip(0, box.top, box.width, box.height)
    canvas.fill(0, box.top, box.width, box.height, "raised")
    end = canvas.put(0, box.top, f" {strip.phase} ", "ink", "paper", bold=True)
    if strip.countdown:
        _countdown(canvas, box.width - 14, box.top, strip.countdown)
    else:
        canvas.right(box.width - 1, box.top, truncate(strip.aside, box.width - end - 2), strip.aside_fg)
    for row, line in enumerate(wrap(strip.sentence, box.width - 2, box.height - 1)):
        canvas.put(1, box.top + 1 + row, line, "text")


def _countdown(canvas: Canvas, x: int, y: int, countdown: Countdown) -> None:
    progress(canvas, x, y, 8, countdown.share, countdown.mark)
    canvas.right(x + 13, y, f"{countdown.shown} s", "text", bold=True)


def sentence_room(at: Layout, name: str, waiting: str) -> int:
    """Returns how many columns the strip's sentence has."""
    if at.side:
        return at.strip.width * 2 - 10
    return at.strip.width - cell_width(name) - 4 - (cell_width(waiting) + 2 if waiting else 1)


def draw_card(canvas: Canvas, at: Layout, card: InfoCard) -> None:
    """Draws the card: in two rows, in columns, or one part below the other at the side. A click on it means nothing."""
    box = at.card
    canvas.fill(*box, "panel")
    canvas.hit(*box, ("card",))
    if card.treason and not at.side:
        draw_treason(canvas, box, card.narrow)
    elif at.side:
        _card_aside(canvas, box, card)
    elif at.columns:
        _card_in_columns(canvas, box, card)
    else:
        for row, spans in enumerate(card.narrow):
            draw_spans(
                canvas, box.left + (0 if card.mark else 1), box.top + row, _indented(spans, card, row), box.right
            )


def draw_treason(canvas: Canvas, box: Area, lines: Sequence[Spans]) -> None:
    """Draws that an agent was turned, or no longer is: lines beside a heart."""
    ground = canvas.palette.mixed("panel", "heart", 0.2, "raised")
    top = box.top + (box.height - len(lines)) // 2
    canvas.fill(*box, ground)
    if canvas.ascii_only or canvas.palette.plain:
        canvas.put(box.left + 2, top, "[v]", "heart", ground, bold=True)
    else:
        canvas.fill(box.left, box.top, HEART_ROOM, box.height, canvas.palette.mixed("panel", "heart", 0.35, "line"))
        for row, pixels in enumerate(HEART):
            canvas.put(box.left + 1, top + row, pixels, "heart")
    for row, spans in enumerate(lines):
        draw_spans(canvas, box.left + HEART_ROOM + 1, top + row, spans, box.right)


def _indented(spans: Spans, card: InfoCard, row: int) -> Spans:
    """Returns the first line of a card with its badge one cell in, as all text is."""
    return (Span(" "), *spans) if card.mark and row == 0 else spans


def _fact(canvas: Canvas, x: int, y: int, fact: CardField, end: int, labels: int) -> None:
    if not fact.label:
        draw_spans(canvas, x, y, fact.value, end)
        return
    canvas.put(x, y, truncate(fact.label, end - x), "soft")
    draw_spans(canvas, x + labels, y, fact.value, end)


def _card_in_columns(canvas: Canvas, box: Area, card: InfoCard) -> None:
    columns = [column for column in card.wide if column]
    starts = [1, *(round(box.width * share) for share in (0.37, 0.6, 0.81))]
    if card.mark is None:
        for row, line in enumerate(column_lines(columns)):
            draw_spans(canvas, 2, box.top + 1 + row, line, box.width - 1)
        return
    ends = [*starts[1 : len(columns)], box.width]
    for index, (column, start, end) in enumerate(zip(columns, starts, ends, strict=False)):
        x = start + 2
        if index:
            for row in range(box.height):
                canvas.put(start, box.top + row, "│", "line")
        else:
            draw_figure(canvas, 2, box.top + 1, *card.mark)
            x = 7
        for row, fact in enumerate(column[: box.height - 1]):
            _fact(canvas, x, box.top + 1 + row, fact, end - 1, LABELS)


def column_lines(columns: Sequence[Sequence[CardField]]) -> list[Spans]:
    """Returns the lines of a card that has no columns."""
    return [fact.value for column in columns for fact in column][:3]


def draw_figure(canvas: Canvas, x: int, y: int, seat: int, agent: int) -> None:
    """Draws an agent with its head and legs, in three rows."""
    canvas.put(x + 1, y, "▄", LIGHTS[seat])
    mark = on_side(seat, badge(seat, agent))
    canvas.put(x, y + 1, mark.text, mark.fg, mark.bg, bold=True)
    canvas.put(x, y + 2, "▀", SIDES[seat])
    canvas.put(x + 2, y + 2, "▀", SIDES[seat])


def _card_aside(canvas: Canvas, box: Area, card: InfoCard) -> None:
    facts = [fact for column in card.wide for fact in column]
    row = box.top
    if card.mark is not None:
        draw_figure(canvas, 1, row, *card.mark)
        for line in (line for fact in facts[:3] for line in _folded(fact.value, box.width - 6)):
            draw_spans(canvas, 5, row, line)
            row += 1
        facts = facts[3:]
    for fact in facts:
        if row >= box.bottom:
            return
        if fact.label:
            _fact(canvas, 1, row, fact, box.width - 1, 18)
            row += 1
            continue
        for line in _folded(fact.value, box.width - 2):
            if row < box.bottom:
                draw_spans(canvas, 1, row, line)
                row += 1


def _folded(spans: Spans, room: int) -> list[Spans]:
    """Returns spans in lines of at most `room` columns, broken between words."""
    lines: list[list[Span]] = [[]]
    used = 0
    for span in spans:
        words = [span.text] if span.bg is not None else span.text.replace(" ", " \0").split("\0")
        for word in words:
            if used and used + cell_width(word.rstrip()) > room:
                lines.append([])
                used = 0
                word = word.lstrip()
            lines[-1].append(span._replace(text=word))
            used += cell_width(word)
    return [tuple(line) for line in lines]
