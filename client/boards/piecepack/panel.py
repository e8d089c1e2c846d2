"""The panel beside the field: who holds what, what can be done, what was done, and the small map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from kimberley.client.boards.piecepack.suits import SUITS, badge, face
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, truncate, wrap
from kimberley.client.ui.palette import Color
from kimberley.client.ui.panels import paragraph
from kimberley.client.ui.spans import Span, Spans, draw_lines, log_tail
from kimberley.p2p.sentences.notices import RESIGNED

NARROW: Final = 24
WIDE: Final = 34
ROOMY: Final = 44
TALL: Final = 30
"""From this many rows on, the players stay above whatever else is shown."""
BRACKETS: Final = "( ) not possible now"


def panel_width(columns: int) -> int:
    """Returns how wide the panel is on a terminal of that many columns."""
    return NARROW if columns < 100 else WIDE if columns < 140 else ROOMY


class PlayerRow(NamedTuple):
    """A seat as the panel shows it. `coins` are (suit, value), None for a value that is not known."""

    seat: int
    suit: int | None
    name: str
    you: bool
    points: int
    coins: Sequence[tuple[int, int | None]]
    present: bool = True
    turn: bool = False


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that a warlord may do: its key, what it is called, what it does, or the rule that forbids it now."""

    kind: str
    key: str
    label: str
    about: str
    violation: str | None = None


def draw_players(canvas: Canvas, players: Sequence[PlayerRow], rows: int) -> int:
    """Draws each player with badge, name and points, and below these power and coins. Returns the row after them, of at
    most `rows`.
    """
    high = 3 if 3 * len(players) <= rows else 2
    for number, player in enumerate(players):
        _draw_player(canvas, number * high, player)
    return high * len(players)


def _draw_player(canvas: Canvas, y: int, player: PlayerRow) -> None:
    fg: Color = "text" if player.present else "soft"
    if player.turn:
        canvas.fill(0, y, canvas.width, 2, "raised")
    canvas.hit(0, y, canvas.width, 2, ("player", player.seat))
    at = 1
    if player.suit is not None:
        at = badge(canvas, 1, y, player.suit, player.seat) + 1
    points = canvas.right(canvas.width - 1, y, str(player.points), "money", bold=True)
    you = ", you" if player.you else ""
    canvas.put(at, y, truncate(player.name, points - 1 - at - len(you)) + you, fg, bold=True)
    if player.turn and canvas.palette.plain:
        canvas.put(0, y, "▸", bold=True)
    if not player.present:
        canvas.put(1, y + 1, RESIGNED, "soft")
        return
    power = SUITS[player.suit].power if player.suit is not None else ""
    at = canvas.put(1, y + 1, power, "soft")
    draw_backs(canvas, at + 1, canvas.width - 1, y + 1, player.coins)


def draw_backs(canvas: Canvas, left: int, right: int, y: int, coins: Sequence[tuple[int, int | None]]) -> None:
    """Draws coins in one row that ends at `right`: their suits and known values, or if they are many, how many there
    are of each suit.
    """
    ordered = sorted(coins, key=lambda coin: (coin[0], -1 if coin[1] is None else coin[1]))
    texts = [(suit, SUITS[suit].sign + ("" if value is None else face(value))) for suit, value in ordered]
    for gap in (1, 0):
        room = sum(cell_width(text) + gap for _, text in texts) - gap
        if room <= right - left:
            break
    else:
        gap = 0
        counts = {suit: sum(1 for other, _ in texts if other == suit) for suit, _ in texts}
        texts = [(suit, f"{count}{SUITS[suit].sign}") for suit, count in counts.items()]
        room = sum(cell_width(text) for _, text in texts)
    at = max(left, right - room)
    for suit, text in texts:
        at = canvas.put(at, y, text, SUITS[suit].ink, "sand") + gap


def draw_deeds(canvas: Canvas, deeds: Sequence[Deed], focus: int) -> int:
    """Draws the actions, those that are not possible in brackets, and below them what the one in focus does. A click
    is ("deed", n). Returns the row after them.
    """
    for y, deed in enumerate(deeds):
        here = y == focus
        if here:
            canvas.fill(0, y, canvas.width, 1, "paper")
        mark = "▸" if here else " "
        fg: Color = "ink" if here else "text" if deed.violation is None else "soft"
        label = deed.label if deed.violation is None else f"({deed.label})"
        canvas.put(0, y, mark, fg, bold=True)
        shown_key = "" if canvas.touch else deed.key
        key = canvas.right(canvas.width - 1, y, shown_key, "faded" if here else "soft", bold=deed.violation is None)
        canvas.put(1 + (deed.violation is None), y, truncate(label, key - 3), fg, bold=deed.violation is None)
        canvas.hit(0, y, canvas.width, 1, ("deed", y))
    if any(deed.violation is not None for deed in deeds):
        canvas.put(1, len(deeds), truncate(BRACKETS, canvas.width - 2), "soft")
    y = len(deeds) + 1
    about = deeds[focus] if deeds else None
    if about is None:
        return y
    fg = "text" if about.violation is None else "warning"
    text = about.about if about.violation is None else f"Not now: {about.violation}."
    return paragraph(canvas, 1, y, wrap(text, canvas.width - 2, max(0, canvas.height - y)), fg)


def draw_log(canvas: Canvas, sentences: Spans) -> None:
    """Draws the last of what was done, wrapped, as far as there is room; each sentence has a hanging indent."""
    entries = [(Span("", sentence.fg), (sentence,)) for sentence in sentences]
    draw_lines(canvas, 1, 0, log_tail(entries, canvas.width - 1, canvas.height, indent=2))


def draw_track(canvas: Canvas, x: int, y: int, room: int, points: Sequence[tuple[int, int, int]], goal: int) -> None:
    """Draws the score track in one row: `points` are (seat, suit, points). Signs that would meet stand side by side, in
    the order of their points.
    """
    at = canvas.put(x, y, "0 ", "text")
    end = canvas.right(x + room, y, f" {goal} to win", "text")
    inner = end - at
    canvas.put(at, y, "─" * inner, "line")
    column = -1
    for behind, (_, suit, score) in enumerate(sorted(points, key=lambda each: each[2]), start=1):
        # Players with more points need places further on.
        last = inner - 1 - (len(points) - behind)
        column = min(last, max(column + 1, round(score * (inner - 1) / goal)))
        if column >= 0:
            canvas.put(at + column, y, SUITS[suit].sign, SUITS[suit].light, bold=True)
