"""The lower screen: the map with what is docked on it: the stepper, the buttons, the legend, the sale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.diamond_trust.form import LESS, MORE, SET, Stepper
from kimberley.client.boards.diamond_trust.form_sale import SCROLL, SaleForm
from kimberley.client.boards.diamond_trust.map_background import LIGHTS, ground
from kimberley.client.boards.diamond_trust.map_geometry import SMALL, places
from kimberley.client.boards.diamond_trust.phrases import soft, strong
from kimberley.client.boards.diamond_trust.scene import LineStyle, Scene, badge, draw_scene, on_side
from kimberley.client.ui.buttons import Button, draw_buttons, stepper
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.columns import Column, TableColumns
from kimberley.client.ui.geometry import Area
from kimberley.client.ui.glyphs import cell_width, truncate
from kimberley.client.ui.keys import CHAT_KEY
from kimberley.client.ui.palette import Color
from kimberley.client.ui.spans import Span, Spans, draw_lines, draw_spans, log_tail
from kimberley.games.diamond_trust.angola import HOME, HOMES, income, other
from kimberley.games.phrases import join_names

SALE_LABELS: Final = 18
MOST_LABELS: Final = 26
"""The columns of the labels in the table of incomes: for short names, and for the longest that are not cut."""
STEPPER: Final = 13
"""The columns of the stepper of a sale, with the gap after it."""
NARROW: Final = 4
"""The fewest columns of a number in the table of incomes."""
SHIFTS: Final = (0, -4, 4, -8, 8)
"""How far the stepper may be off the middle of its agent, in cells, the best first."""
TAG_ROOM: Final = 15
"""The columns of an agent with its order, on the map."""
AROUND: Final = 66
"""How far the map around the place of a treason is dimmed, in percent."""
_MARKS: Final = {LineStyle.LONDON: "─ ─", LineStyle.ANTWERP: "▀ ▀", LineStyle.TOLD: "• •"}
_ASCII_MARKS: Final = {LineStyle.LONDON: "= =", LineStyle.ANTWERP: ": :", LineStyle.TOLD: "v v"}
SILENT: Final = (f"Press {CHAT_KEY} to chat", "Chat: see the menu")
"""What the chat shows if nobody has said anything: for players with keys, and for those without."""


def draw_map(canvas: Canvas, scene: Scene, lines: Sequence[tuple[LineStyle, str]] = ()) -> None:
    """Draws the map over the whole canvas, and what the `lines` on it mean."""
    spot = places(canvas.width, canvas.height).legend
    marks = _ASCII_MARKS if canvas.ascii_only else _MARKS
    room = max((cell_width(f"{marks[line]}  {text}") for line, text in lines), default=0)
    draw_scene(canvas, scene, Area(spot.column, spot.row, room, len(lines)))
    for row, (line, text) in enumerate(lines):
        color: Color = "heart" if line is LineStyle.TOLD else LIGHTS[line.value]
        end = canvas.put(spot.column, spot.row + row, marks[line], color, "sea", bold=True)
        canvas.put(end, spot.row + row, f"  {text}", "text", "sea")


def draw_map_in_parts(canvas: Canvas, box: Area, scene: Scene) -> None:
    """Draws both homes side by side, and the map below them without the sea at its left: for a page on a phone."""
    whole = Canvas(*SMALL, canvas.palette, ascii_only=canvas.ascii_only, inert=True)
    draw_scene(whole, scene)
    at = places(*SMALL)
    london, antwerp = at.insets
    canvas.fill(box.left, box.top, box.width, london.height, "sea")
    for x, home in ((box.left, london), (box.right - antwerp.width, antwerp)):
        canvas.blit(x, box.top, whole.region(*home))
    whole.fill(*antwerp, "wild")
    land = whole.region(int(at.origin[0]) - 1, 0, box.width, SMALL[1])
    canvas.blit(box.left, box.top + london.height, land)


def light_place(canvas: Canvas, seat: int, place: int) -> None:
    """Dims the map around a place: a region, or the home of a side."""
    at = places(canvas.width, canvas.height)
    ground_of = ground(canvas.width, canvas.height, canvas.palette, canvas.ascii_only, frozenset())
    for row in range(canvas.height):
        for column in range(canvas.width):
            if place == HOME:
                lit = at.insets[seat].holds(column, row)
            else:
                lit = ground_of.flat(column, row) == ground_of.color(place)
            if not lit:
                canvas.dim(column, row, 1, 1, AROUND)


def stepper_box(width: int, height: int, setting: Stepper) -> Area:
    """Returns where the stepper lies on a map of `width` by `height` cells: beside its agent, and clear of it and of
    the buttons, so that it hides as few names of regions as possible; in the sea below London if it has no agent.
    """
    at = places(width, height)
    dock = at.dock._replace(height=max(at.dock.height, len(setting.notes) + 3))
    if setting.beside is None:
        return dock
    spot = at.slot(*setting.beside)
    below = at.insets[setting.beside.seat].bottom if setting.beside.place == HOME else spot.row + 2 + at.legs
    middle, level = spot.column + 1 - dock.width // 2, spot.row - 1
    aside = [max(0, min(middle + shift, width - dock.width)) for shift in SHIFTS]
    along = [max(0, min(level + shift, height - dock.height)) for shift in SHIFTS if abs(shift) <= dock.height // 2]
    ways = [
        *((left, below) for left in aside),
        *((spot.column + TAG_ROOM, top) for top in along),
        *((left, spot.row - 2 - dock.height) for left in aside),
        *((spot.column - 2 - dock.width, top) for top in along),
    ]
    boxes = [dock._replace(left=left, top=top) for left, top in ways]
    whole = [box for box in boxes if box.left >= 0 and box.top >= 0 and box.right <= width and box.bottom <= height]
    clear = [box for box in whole if not any(map(box.meets, at.buttons))]
    return min(clear, key=lambda box: sum(map(box.meets, at.signs)), default=dock)


def draw_stepper(canvas: Canvas, setting: Stepper) -> None:
    """Draws the stepper, beside the agent that it is about."""
    dock = stepper_box(canvas.width, canvas.height, setting)
    if not canvas.palette.plain and canvas.width >= 100:
        _shadow(canvas, dock)
    canvas.box(*dock, setting.title, bg="raised", line="soft")
    canvas.hit(*dock, ("noop",))
    value = f"{setting.sign} {setting.amount}".strip()
    end = stepper(canvas, dock.left + 2, dock.top + 1, value, less=LESS, more=MORE)
    canvas.put(dock.right - 5, dock.top + 1, " ✓ ", "ink", "ok", bold=True)
    canvas.hit(max(end, dock.right - 6), dock.top + 1, 5, 1, SET)
    for row, note in enumerate(setting.notes):
        fg: Color = "text" if row == 0 else "soft" if row == 1 else "money"
        canvas.put(dock.left + 2, dock.top + 2 + row, truncate(note, dock.width - 3), fg)


def _shadow(canvas: Canvas, box: Area) -> None:
    """Draws the shadow of a panel: two columns and one row."""
    canvas.fill(box.left + 2, box.bottom, box.width, 1, "border")
    canvas.fill(box.right, box.top + 1, 2, box.height, "border")


def draw_form_buttons(canvas: Canvas, buttons: Sequence[Button]) -> None:
    """Draws the buttons of a form one above the other, the first one at the lower right."""
    rows = 3 if canvas.height < 23 else 4
    draw_buttons(canvas, canvas.width - 1, canvas.height - 3, buttons, right=True, rows=-rows)


def draw_sale(canvas: Canvas, form: SaleForm, names: Sequence[str]) -> None:
    """Draws the sale: how many are sold, and what that brings for every number of the other side."""
    seat = form.seat
    vault = form.state.vault[seat]
    named = cell_width(f"if {names[other(seat)]} sells") + 1
    labels = named if SALE_LABELS < named <= MOST_LABELS else SALE_LABELS
    numbers, cell = income_columns(form, canvas.width - 8 - labels)
    box = _sale_box(canvas, max(labels + cell * len(numbers), STEPPER + vault + len(_sold(vault, vault)) + 3))
    canvas.dim()
    if not canvas.palette.plain:
        _shadow(canvas, box)
    title = f"Sell diamonds from {HOMES[seat]}"
    canvas.box(*box, title, bg="raised", line="soft")
    canvas.hit(*box, ("noop",))
    inner = canvas.region(box.left + 3, box.top + 1, box.width - 6, box.height - 2)
    top = (inner.height - 11) // 2
    stepper(inner, 0, top + 1, str(form.number), less=LESS, more=MORE, room=5)
    _diamonds(inner, STEPPER, top + 1, form, vault)
    draw_incomes(inner, top + 3, form, names, numbers, cell)
    for row, line in enumerate(secret(form, names, inner.width - 13)):
        draw_spans(inner, 0, top + 8 + row, line, inner.width - 13)
    draw_buttons(inner, inner.width - 1, top + 9, form.buttons()[:1], right=True)


def _diamonds(canvas: Canvas, x: int, y: int, form: SaleForm, vault: int) -> None:
    """Draws the diamonds at home, each a sign to be clicked as far as there is room, and how many of them stay."""
    room = canvas.width - x - len(_sold(vault, vault)) - 3
    step = next((step for step in (2, 1) if step * vault <= room), 0)
    for index, diamond in enumerate(form.diamonds() if step else ()):
        canvas.put(x + 1 + step * index, y, *(("◆", "ice") if diamond.active else ("◇", "soft")))
        canvas.hit(x + 1 + step * index - step // 2, y, step, 1, diamond.action)
    canvas.put(x + 3 + step * vault - step // 2, y, _sold(form.number, vault - form.number), "soft")


def _sold(sold: int, kept: int) -> str:
    return f"{sold} sold, {kept} kept"


def income_columns(form: SaleForm, room: int) -> tuple[range, int]:
    """Returns the numbers of the other side for which the table in `room` columns says what a sale brings, and the
    columns of each.
    """
    numbers = form.shown_numbers(room // NARROW)
    return numbers, max(NARROW, min(6, room // len(numbers)))


def draw_incomes(
    canvas: Canvas, y: int, form: SaleForm, names: Sequence[str], numbers: Sequence[int], cell: int
) -> None:
    """Draws the table of what the sale brings to both sides, in four rows, for `numbers` of the other side."""
    seat, rival, revealed = form.seat, other(form.seat), form.revealed
    start = canvas.width - cell * len(numbers)
    before, after = ("if ", " sells") if revealed is None else ("", " plans")
    named = cell_width(f"{before}{names[rival]}{after}") < start
    who = soft(names[rival]) if named else on_side(rival, badge(rival, None))
    columns = TableColumns((Column(fills=True), *(Column(room=cell, right=True, gap=0) for _ in numbers)), canvas.width)
    heads = [Span(str(number), "heart" if revealed == number else "text", True) for number in numbers]
    columns.row(canvas, 0, y, ((soft(before), who, soft(after)), *heads))
    canvas.rule(0, y + 1, canvas.width)
    if numbers[0] > 0:
        canvas.put(start, y + 1, "◂ fewer ", "text")
        canvas.hit(start, y, cell * len(numbers) // 2, 2, ("scroll", -SCROLL))
    if numbers[-1] < form.state.vault[rival]:
        canvas.right(canvas.width, y + 1, " more ▸", "text")
        canvas.hit(canvas.width - cell * len(numbers) // 2, y, cell * len(numbers) // 2, 2, ("scroll", SCROLL))
    earned = [income(tuple(form.number if side == seat else number for side in (0, 1))) for number in numbers]
    rows = ((seat, "you get", "money"), (rival, f"{names[rival]} gets" if named else "gets", "text"))
    for row, (side, label, fg) in enumerate(rows, start=y + 2):
        dollars = [Span(f"${both[side]}", fg, side == seat) for both in earned]
        columns.row(canvas, 0, row, ((on_side(side, badge(side, None)), Span(f" {label}")), *dollars))


def _sale_box(canvas: Canvas, columns: int) -> Area:
    """Returns where the sale lies, which needs `columns` within it."""
    room, rows = min(max(52, columns + 6), canvas.width - 2), min(13, canvas.height - 3)
    # Below it there are three rows for a note of the guide, where there is room.
    return Area((canvas.width - room) // 2, (canvas.height - rows - (canvas.height < rows + 6)) // 2, room, rows)


def secret(form: SaleForm, names: Sequence[str], room: int) -> list[Spans]:
    """Returns what both sides may know of each other's sale, in one line or two of at most `room` columns."""
    name, revealed = names[other(form.seat)], form.revealed
    tellers, doubted = form.tellers()
    marks = join_names([badge(form.seat, agent) for agent in tellers])
    verb = "revealed" if form.last_look else "reveals" if len(tellers) == 1 else "reveal"
    if revealed is not None:
        who = join_names([badge(other(form.seat), agent) for agent in form.informers()])
        plans, number = f"{name} plans to sell ", str(revealed or "nothing")
        if cell_width(f"{who}♥ {plans}{number}") > room:
            plans, number = "reported: ", str(revealed or "none")
        theirs = (
            Span(who, "text", True),
            Span("♥ ", "heart", True),
            Span(plans, "soft"),
            Span(number, "heart", True),
        )
        return [theirs, *([(Span(f"{marks} {verb} yours.", "warning", True),)] if tellers else [])]
    if tellers:
        return [(Span(f"{marks} {verb}", "warning", True),), (Span(f"your number to {name}.", "warning", True),)]
    if doubted:
        return [(soft("Secret unless an agent at home"),), (soft("is a double agent."),)]
    if form.sealed:
        return [(soft("Locked in. It stays secret"),), (soft("until both are done."),)]
    return [(soft("Secret until both are done."),)]


def draw_log(canvas: Canvas, events: Sequence[tuple[int, str]], talk: Sequence[tuple[str, str]] | None) -> None:
    """Draws the log by months at the top and the chat, if there is one, below it."""
    split = canvas.height if talk is None else max(8, canvas.height * 2 // 3)
    before = [None, *(month for month, _ in events)]
    _entries(canvas, 0, split, "Log", [
        ("  " if month == last else f"{month} ", text) for last, (month, text) in zip(before, events, strict=False)
    ])  # fmt: skip
    if talk is not None:
        lines = [(f"{name} ", text) for name, text in talk] or [("", SILENT[canvas.touch])]
        _entries(canvas, split, canvas.height - split, "Chat", lines)


def _entries(canvas: Canvas, top: int, rows: int, title: str, said: Sequence[tuple[str, str]]) -> None:
    canvas.box(0, top, canvas.width, rows, title, bg="panel")
    entries = [(strong(label), (soft(text),)) for label, text in said]
    draw_lines(canvas, 2, top + 1, log_tail(entries, canvas.width - 4, rows - 2))
