"""Both screens on a phone held upright: balances above, the map below them, and the card with what can be touched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.diamond_trust.agent_card import CardField, InfoCard
from kimberley.client.boards.diamond_trust.form import LESS, MORE, Stepper, TrustForm
from kimberley.client.boards.diamond_trust.form_move import MoveForm
from kimberley.client.boards.diamond_trust.form_pay import PayForm
from kimberley.client.boards.diamond_trust.form_sale import SaleForm
from kimberley.client.boards.diamond_trust.lower_screen import NARROW, draw_incomes, income_columns, secret
from kimberley.client.boards.diamond_trust.map_background import NAMES
from kimberley.client.boards.diamond_trust.phrases import agent_mark
from kimberley.client.boards.diamond_trust.scene import SIDE_TEXTS, SIDES
from kimberley.client.boards.diamond_trust.upper_screen import (
    HEART_ROOM,
    Header,
    draw_calendar,
    draw_figure,
    draw_treason,
)
from kimberley.client.session.participants import own_name
from kimberley.client.ui.buttons import touch_stepper
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.geometry import Area
from kimberley.client.ui.glyphs import cell_width, truncate
from kimberley.client.ui.palette import Color
from kimberley.client.ui.spans import Span, Spans, draw_lines, draw_spans, spans_width, wrapped
from kimberley.client.ui.touch import TOUCH_ROWS
from kimberley.games.diamond_trust.angola import AGENTS, place_name

GAP: Final = re.compile(" {3,}")
"""What separates the statements of a line: where lines are broken, a gap would not be seen."""
CALENDAR: Final = 16
"""The columns of the calendar."""
CARD_ROWS: Final = 12
"""The rows of the card: an agent in six, the stepper with its note in four, and the chips in two."""
LEAST_MAP_ROWS: Final = 17
CHIP_ROWS: Final = 2
FACTS: Final = ((1, 20), (22, 39))
"""The first column of the facts at the left and at the right of the card, and the one after it."""
SALE_LABELS: Final = 13
"""The columns of the labels in the table of incomes."""
FIGURE: Final = 5
FIGURE_ROWS: Final = 3
"""The columns and rows of an agent's figure."""
_DARK: Final[tuple[Color, Color]] = ("london_dark", "antwerp_dark")


def map_rows(rows: int) -> int:
    """Returns how many of the rows between the phase strip and the keys are the map's."""
    return max(LEAST_MAP_ROWS, rows - CARD_ROWS)


def draw_header(canvas: Canvas, header: Header) -> None:
    """Draws both sides in three rows, London at the left, with the calendar on paper between them."""
    half = (canvas.width - CALENDAR) // 2
    for seat, x in enumerate((0, canvas.width - half)):
        box = canvas.region(x, 0, half, canvas.height)
        box.fill(0, 0, half, canvas.height, _DARK[seat])
        name = header.names[seat]
        label = own_name(name, half - 2) if seat == header.seat else truncate(name, half - 2)
        box.beside(seat == 1, 0, 0, f" {NAMES[seat]} ", SIDE_TEXTS[seat], SIDES[seat], bold=True)
        box.beside(seat == 1, 1, 1, label)
        at = box.beside(seat == 1, 1, 2, header.cash(seat, ""), "money", bold=True)
        box.beside(seat == 1, at + 2, 2, header.diamonds(seat, ""), "ice", bold=True)
        canvas.hit(x, 0, half, canvas.height, ("balance", seat))
    canvas.fill(half, 0, canvas.width - 2 * half, canvas.height, "paper")
    draw_calendar(canvas, half, 0, canvas.width - 2 * half, header)


def draw_card(canvas: Canvas, card: InfoCard, form: TrustForm | None, names: Sequence[str]) -> None:
    """Draws the card, and below it what is set by touch: an amount, the agents to pay, the orders that are given."""
    canvas.fill(0, 0, canvas.width, canvas.height, "panel")
    if isinstance(form, SaleForm):
        _draw_sale(canvas, form, names)
        return
    stepper = form.stepper() if form is not None and not form.sealed else None
    bottom = canvas.height
    if isinstance(form, PayForm):
        bottom -= CHIP_ROWS
        _draw_chips(canvas, bottom, form)
    elif isinstance(form, MoveForm) and not form.aim() and canvas.height >= AGENTS * CHIP_ROWS + 3:
        bottom -= AGENTS * CHIP_ROWS
        _draw_orders(canvas, bottom, form)
    if stepper is not None:
        bottom -= TOUCH_ROWS + 1
        _draw_stepper(canvas, bottom, stepper)
    if card.treason:
        lines = [line for spans in card.narrow for line in wrapped(spans, canvas.width - HEART_ROOM - 2)]
        draw_treason(canvas, Area(0, 0, canvas.width, max(4, len(lines) + 1)), lines)
    else:
        rows = _draw_facts(canvas.region(0, 0, canvas.width, bottom), card)
        if isinstance(form, PayForm):
            # A note about whom to pay has room below this.
            canvas.hit(0, 0, canvas.width, rows, ("card",))


def _draw_facts(canvas: Canvas, card: InfoCard) -> int:
    """Draws what the card says, line by line; what has a label in two columns. Returns the row after it."""
    head, *more = card.wide
    row = 0
    if card.mark is not None:
        draw_figure(canvas, 1, 0, *card.mark)
        row = max(_draw_lines(canvas, FIGURE, 0, head), FIGURE_ROWS)
    else:
        row = _draw_lines(canvas, 1, 0, head)
    facts = [fact for column in more for fact in column]
    labelled = [fact for fact in facts if fact.label]
    for number, fact in enumerate(labelled):
        _draw_fact(canvas, *FACTS[number % 2], row + number // 2, fact)
    return _draw_lines(canvas, 1, row + (len(labelled) + 1) // 2, [fact for fact in facts if not fact.label])


def _draw_lines(canvas: Canvas, x: int, y: int, facts: Sequence[CardField]) -> int:
    """Draws facts without a label one below the other, as many as there is room for. Returns the row after them."""
    for fact in facts:
        parts = [span._replace(text=GAP.sub(" · ", span.text)) for span in fact.value]
        for line in wrapped(parts, canvas.width - x - 1) if parts else ():
            if y < canvas.height:
                draw_spans(canvas, x, y, line)
                y += 1
    return y


def _shorter(label: str) -> tuple[str, ...]:
    return label, label.partition(" ")[2] or label


def _draw_fact(canvas: Canvas, start: int, end: int, row: int, fact: CardField) -> None:
    room = spans_width(fact.value)
    # Beside a long value a label goes without its first word: "your bribes", "bribes".
    label = next((text for text in _shorter(fact.label) if cell_width(text) < end - start - room), fact.label)
    canvas.put(start, row, truncate(label, end - start - room - 1), "soft")
    draw_spans(canvas, end - room, row, fact.value)


def _draw_stepper(canvas: Canvas, y: int, stepper: Stepper) -> None:
    """Draws the amount between two large arrows, and below it what it leads to: of the other notes those that have
    room, the later ones first, since the card above says what the first one is about.
    """
    canvas.hit(0, y, canvas.width, TOUCH_ROWS + 1, ("noop",))
    value = f"{stepper.sign} {stepper.amount}".strip()
    touch_stepper(canvas, 1, y, canvas.width - 2, value, less=LESS, more=MORE)
    leaves, *rest = stepper.notes
    start = canvas.right(canvas.width - 1, y + TOUCH_ROWS, leaves, "text")
    first, tail = rest[0] if rest else "", " ".join(rest[1:])
    both = f"{first} · {tail}" if tail else first
    texts = (stepper.short,) if stepper.short else (both, tail, first)
    note = next((text for text in texts if cell_width(text) < start - 1), "")
    canvas.put(1, y + TOUCH_ROWS, note, "soft")


def _draw_chips(canvas: Canvas, y: int, form: PayForm) -> None:
    """Draws the agents that can be paid, side by side: a touch opens one."""
    chips = form.chips()
    share = (canvas.width - 1) // max(1, len(chips))
    for number, (agent, chip) in enumerate(chips.items()):
        x, room = 1 + number * share, share - 1
        canvas.fill(x, y, room, CHIP_ROWS, "paper" if chip.active else "raised")
        end = draw_spans(canvas, x, y, (agent_mark(*agent),))
        canvas.put(end + 1, y, chip.caption, "ink" if chip.active else "text")
        canvas.right(x + room - 1, y + 1, chip.text, "ink" if chip.active else chip.fg, bold=True)
        canvas.hit(x, y, room, CHIP_ROWS, chip.action)


def _draw_orders(canvas: Canvas, y: int, form: MoveForm) -> None:
    """Draws the player's agents one below the other, each with its orders: a touch changes them."""
    seat = form.seat
    for agent, (here, order) in enumerate(zip(form.state.places(seat), form.orders(), strict=True)):
        to, payment, bribe = order
        row = y + CHIP_ROWS * agent
        chosen = form.selection.agent == (seat, agent)
        ground: Color = "raised" if agent % 2 else "panel"
        canvas.fill(0, row, canvas.width, CHIP_ROWS, ground)
        names = [place_name(place, seat) for place in (here, to)]
        trip = f"{names[0]} → {names[1]}" if here != to else f"stays in {names[1]}"
        if cell_width(trip) > canvas.width - 14:
            trip = f"→ {names[1]}" if here != to else "stays"
        heart = (Span("♥", "heart", True),) if form.state.own_turned(seat, agent) else ()
        parts: Spans = (agent_mark(seat, agent), *heart, Span(f" {trip}", "bright" if chosen else "text", chosen))
        draw_spans(canvas, 1, row, parts)
        if heart:
            end = canvas.put(5, row + 1, "♥ reports to ", "warning")
            canvas.put(end, row + 1, truncate(form.context.names[1 - seat], canvas.width - 11 - end), "warning")
        if payment:
            canvas.right(canvas.width - 4, row, f"${payment}", "money", bold=True)
        if bribe:
            canvas.right(canvas.width - 4, row + 1, f"UN ${bribe}", "money", bold=True)
        canvas.put(canvas.width - 2, row, "▸", "soft")
        canvas.hit(0, row, canvas.width, CHIP_ROWS, ("agent", seat, agent))


def _draw_sale(canvas: Canvas, form: SaleForm, names: Sequence[str]) -> None:
    """Draws how many are sold, and what that brings for every number of the other side."""
    seat = form.seat
    stepper, vault = form.stepper(), form.state.vault[seat]
    assert stepper is not None, "a sale always has its number"
    canvas.hit(0, 0, canvas.width, canvas.height, ("noop",))
    canvas.put(1, 0, stepper.title, "text", bold=True)
    canvas.right(canvas.width - 1, 0, f"{vault - form.number} kept", "soft")
    touch_stepper(canvas, 1, 1, canvas.width - 2, f"◆ {form.number}", less=LESS, more=MORE)
    inner = canvas.region(1, 1 + TOUCH_ROWS, canvas.width - 2, canvas.height - 1 - TOUCH_ROWS)
    numbers, _ = income_columns(form, inner.width - SALE_LABELS)
    draw_incomes(inner, 1, form, names, numbers, NARROW)
    draw_lines(inner, 0, 6, secret(form, names, inner.width))
