"""The card "This month": every trip, payment and diamond of a month in one table, over the map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from kimberley.client.boards.diamond_trust.events import MonthSummed, knows_turned
from kimberley.client.boards.diamond_trust.map_background import REGION_COLORS
from kimberley.client.boards.diamond_trust.phrases import agent_mark, money, soft, stones, strong
from kimberley.client.boards.diamond_trust.scene import badge, on_side
from kimberley.client.ui.buttons import Button, draw_buttons
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, truncate
from kimberley.client.ui.palette import Color
from kimberley.client.ui.spans import Span, Spans, draw_spans
from kimberley.games.diamond_trust.angola import AGENTS, HOME, REGIONS, SEATS, place_name

WIDTH: Final = 76
PLACE_ROOM: Final = 2 + max(map(len, REGIONS))
"""Columns of the name of a place."""
RESULT_ROOM: Final = 14
"""Columns for what becomes of the diamonds of a region."""
Cells: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
COLUMNS: Final[Cells] = ((19, 38), (40, 59))
"""The first column of each side's cell in the card, and the one after it."""
UPRIGHT: Final[Cells] = ((1, 18), (20, 37))
"""The same on a phone held upright, where a place has two rows."""
RESULT: Final = 60
BUTTON_ROWS: Final = 4
"""The rows of the buttons below the card, and one below them."""
GO_ON: Final = Button("Continue", "Enter", primary=True)
TO_MAP, TO_CARD = Button("Map", "a", fill="line"), Button("Card", "a", fill="line")


@dataclass(frozen=True, slots=True)
class MonthRow:
    """A line of the card: a place, what each side's agent did there, and what came of it. Without a place it says more
    of the line above.
    """

    place: str
    ground: Color
    agents: tuple[int | None, int | None]
    result: Spans


def draw_month(canvas: Canvas, event: MonthSummed, names: Sequence[str], *, last: bool = False) -> None:
    """Draws the card, with its buttons below: one leads on, unless the event is the `last` one. Where that is too high,
    lines between its parts give way.
    """
    rows = list(month_rows(event))
    height = min(8 + len(rows), max(5 + len(rows), canvas.height - BUTTON_ROWS))
    rules = height - 5 - len(rows)
    top = max(0, min((canvas.height - height) // 2, canvas.height - height - BUTTON_ROWS))
    canvas.dim()
    left = (canvas.width - WIDTH) // 2
    canvas.box(left, top, WIDTH, height, "This month", bg="raised", line="soft")
    canvas.hit(left, top, WIDTH, height, ("noop",))
    card = canvas.region(left, top + 1, WIDTH, height - 2)
    for seat, (start, end) in enumerate(COLUMNS):
        draw_spans(card, start, 0, (on_side(seat, badge(seat, None)), strong(f" {names[seat]}")), end)
    card.put(RESULT, 0, "diamonds", "soft")
    first = _rule(card, 1, rules > 0)
    for y, row in enumerate(rows, start=first):
        if row.place:
            card.put(2, y, f" {row.place}".ljust(PLACE_ROOM), "bright", row.ground, bold=True)
        for seat, agent in enumerate(row.agents):
            if agent is not None:
                _agent(card, y, event, seat, agent, COLUMNS[seat])
        draw_spans(card, RESULT, y, row.result, WIDTH - 2)
    y = _rule(card, first + len(rows), rules > 1)
    _inspector(card, y, event)
    _sums(card, _rule(card, y + 1, rules > 2), event)
    draw_buttons(canvas, canvas.width - 1, canvas.height - 3, _buttons(TO_MAP, last), right=True)


def _rule(card: Canvas, y: int, room: bool) -> int:
    """Draws a line between two parts of the card if it has room for it. Returns the row of the next part."""
    if room:
        card.rule(2, y, WIDTH - 4)
    return y + room


def draw_month_upright(canvas: Canvas, event: MonthSummed, names: Sequence[str]) -> None:
    """Draws the card on a phone held upright, from its first row on: two rows a place, and no buttons of its own."""
    rows = list(month_rows(event))
    height = 10 + 2 * len(rows)
    canvas.dim()
    canvas.box(0, 0, canvas.width, height, "This month", bg="raised", line="soft")
    canvas.hit(0, 0, canvas.width, height, ("noop",))
    card = canvas.region(1, 1, canvas.width - 2, height - 2)
    for seat, (start, end) in enumerate(UPRIGHT):
        draw_spans(card, start, 0, (on_side(seat, badge(seat, None)), strong(f" {names[seat]}")), end)
    card.rule(1, 1, card.width - 2)
    for number, row in enumerate(rows):
        y = 2 + 2 * number
        if row.place:
            card.put(1, y, f" {row.place}".ljust(PLACE_ROOM), "bright", row.ground, bold=True)
        draw_spans(card, UPRIGHT[1][0], y, row.result, card.width)
        for seat, agent in enumerate(row.agents):
            if agent is not None:
                _agent(card, y + 1, event, seat, agent, UPRIGHT[seat])
    y = 3 + 2 * len(rows)
    card.rule(1, y - 1, card.width - 2)
    card.put(1, y, " Inspector  ", "ink", "paper", bold=True)
    _inspector_trip(card, 15, y, event, card.width)
    _bribes(card, y + 1, event, UPRIGHT)
    card.rule(1, y + 2, card.width - 2)
    card.put(1, y + 3, "total, trips included", "soft")
    _totals(card, y + 4, event, UPRIGHT)


def draw_map_buttons(canvas: Canvas, *, last: bool = False) -> None:
    """Draws the buttons on the map without the card. They stand one above the other, so that they hide no region."""
    draw_buttons(canvas, canvas.width - 1, canvas.height - 3, _buttons(TO_CARD, last), right=True, rows=-3)


def _buttons(other: Button, last: bool) -> tuple[Button, ...]:
    return (other,) if last else (GO_ON, other)


def month_rows(event: MonthSummed) -> Iterator[MonthRow]:
    """Yields the places that saw an agent, one line each: the regions, then the homes that agents flew to."""
    orders = event.moved.orders
    for region, name in enumerate(REGIONS):
        there = tuple(_first(agent for agent in range(AGENTS) if orders[seat][agent][0] == region) for seat in (0, 1))
        if any(agent is not None for agent in there):
            result = _result(event, region, (there[0], there[1]))
            yield MonthRow(name, REGION_COLORS[region], (there[0], there[1]), result)
            frozen = event.collected.regions[region].diamonds
            if region == event.collected.inspector and frozen and _seized(event, (there[0], there[1])):
                yield MonthRow("", "line", (None, None), _inspected("freezes", frozen))
    flown = [
        [agent for agent in range(AGENTS) if orders[seat][agent][0] == HOME != event.moved.origins[seat][agent]]
        for seat in range(SEATS)
    ]
    for number in range(max(map(len, flown))):
        home = tuple(agents[number] if number < len(agents) else None for agents in flown)
        yield MonthRow("home", "line", (home[0], home[1]), _brought(event, (home[0], home[1])))


def _brought(event: MonthSummed, home: tuple[int | None, int | None]) -> Spans:
    """Returns the diamonds that agents brought home."""
    brought = [event.moved.deposits[seat][agent] if agent is not None else 0 for seat, agent in enumerate(home)]
    to = " to vaults" if all(brought) else " to vault"
    return (*stones(sum(brought)), soft(to)) if any(brought) else (soft("nothing"),)


def _seized(event: MonthSummed, there: tuple[int | None, int | None]) -> int:
    """Counts the diamonds that the Inspector took from agents in his region."""
    taken = event.collected.confiscated
    return sum(taken[seat][agent] for seat, agent in enumerate(there) if agent is not None)


def _inspected(verb: str, diamonds: int) -> Spans:
    """Returns what the Inspector did, on paper."""
    text = f"UN {verb} ◆ {diamonds}"
    text = text if len(text) <= RESULT_ROOM else text.replace("◆ ", "◆")
    return (Span(text.center(RESULT_ROOM), "ink", True, "paper"),)


def _first(agents: Iterator[int]) -> int | None:
    return next(agents, None)


def _result(event: MonthSummed, region: int, there: tuple[int | None, int | None]) -> Spans:
    """Returns what became of the diamonds of a region."""
    collected, auction = event.collected, event.collected.regions[region]
    if region == collected.inspector:
        taken = _seized(event, there)
        return _inspected("seizes", taken) if taken else _inspected("freezes", auction.diamonds)
    if not auction.diamonds:
        return (soft("no diamonds"),)
    winner = auction.winner
    if winner is not None:
        agent = there[winner]
        assert agent is not None, "only an agent that is there collects"
        return (on_side(winner, f"{badge(winner, agent)} takes ◆ {auction.diamonds}".ljust(RESULT_ROOM)),)
    stay = f"◆ {auction.diamonds}"
    verb = "stays" if auction.diamonds == 1 else "stay"
    return (soft(f"tie: {stay} {verb}" if any(auction.payments) else f"no offer: {stay}"),)


def _agent(card: Canvas, y: int, event: MonthSummed, seat: int, agent: int, cell: tuple[int, int]) -> None:
    """Draws where an agent came from, and what it paid, or what it brought home."""
    start, end = cell
    moved = event.moved
    origin, (to, payment, _) = moved.origins[seat][agent], moved.orders[seat][agent]
    won = to != HOME and to != event.collected.inspector and event.collected.regions[to].winner == seat
    heart = (Span("♥", "heart", True),) if knows_turned(event.before, seat, agent) else ()
    brought = moved.deposits[seat][agent]
    amount = f"${payment}" if payment else f"◆ {brought}" if brought else ""
    room = end - start - cell_width(f"{badge(seat, agent)}{'♥' if heart else ''}") - (cell_width(amount) + bool(amount))
    trip = " stays"
    if origin != to:
        name = place_name(origin, seat)
        first, _, second = name.partition(" ")
        ways = (f" ← {each}" for each in (name, f"{first} {second[:1]}."))
        trip = next((way for way in ways if cell_width(way) <= room), f" ← {first}")
    draw_spans(card, start, y, (agent_mark(seat, agent), *heart, Span(trip, "bright" if won else "soft", won)), end)
    if payment:
        card.right(end, y, amount, "money" if won else "soft", bold=won)
    else:
        card.right(end, y, amount, "ice", bold=True)


def _inspector(card: Canvas, y: int, event: MonthSummed) -> None:
    card.put(2, y, " Inspector  ", "ink", "paper", bold=True)
    _bribes(card, y, event, COLUMNS)
    _inspector_trip(card, RESULT, y, event, WIDTH - 2)


def _bribes(card: Canvas, y: int, event: MonthSummed, cells: Cells) -> None:
    """Draws what each side paid the Inspector, and who decides where he goes."""
    moved = event.moved
    for seat, (start, end) in enumerate(cells):
        bribe, sends = moved.inspector_bribes[seat], moved.inspector_mover == seat
        if bribe:
            label = "higher bribe" if sends and all(moved.inspector_bribes) else "bribe"
            card.put(start, y, label, "bright" if sends else "soft")
            card.right(end, y, f"${bribe}", "money" if sends else "soft", bold=sends)


def _inspector_trip(card: Canvas, x: int, y: int, event: MonthSummed, end: int) -> None:
    """Draws where the Inspector stands, or goes."""
    moved, now = event.moved, event.collected.inspector
    before, after = REGIONS[moved.inspector], REGIONS[now]
    ways = ["in ", ""] if moved.inspector == now else [f"{before} → ", "→ ", ""]
    way = next(way for way in ways if len(way) + len(after) <= end - x)
    draw_spans(card, x, y, (soft(way), strong(after)), end)


def _sums(card: Canvas, y: int, event: MonthSummed) -> None:
    card.put(2, y, " total", "text", bold=True)
    _totals(card, y, event, COLUMNS)
    card.put(RESULT, y, "trips included", "soft")


def _totals(card: Canvas, y: int, event: MonthSummed, cells: Cells) -> None:
    """Draws the diamonds and the money of each side, over the month."""
    for seat, (start, end) in enumerate(cells):
        taken, lost, spent = event.change(seat)
        diamonds = f"◆ +{taken}{f' −{lost}' if lost else ''}"
        card.put(start, y, truncate(diamonds, end - start - 5), "ice", bold=True)
        total = money(spent)
        card.right(end, y, total.text, total.fg, bold=True)
