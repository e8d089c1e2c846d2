"""How a banner looks on every screen of a table: two rows, or one where there is no room for two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kimberley.client.session.banners import Banner, BannerAction, Tone
from kimberley.client.ui.bars import HELP, MENU, whole_sentences
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, truncate, wrap
from kimberley.client.ui.keys import HELP_KEY, MENU_KEY, key_name
from kimberley.client.ui.palette import Color, Depth
from kimberley.client.ui.panels import paragraph, progress
from kimberley.client.ui.touch import TOUCH_ROWS, touch_button
from kimberley.p2p.sentences.notices import clock_digits

KEYS: Final[Mapping[BannerAction, str]] = {
    BannerAction.PLAY_ON: "f7",
    BannerAction.WAIT_ON: "f7",
    BannerAction.PUT_ASIDE: "f8",
    BannerAction.STOP_HERE: "f8",
    BannerAction.GIVE_UP: "f9",
    BannerAction.JOIN: "f5",
}
"""The keys of the answers. No board uses them while they are offered, and each means the same in every banner."""

ROWS: Final = 2
TINTS: Final[Mapping[Tone, tuple[Color, float]]] = {"bad": ("warning", 0.26), "ask": ("ice", 0.2), "good": ("ok", 0.2)}
SIGNS: Final[Mapping[Tone, str]] = {"bad": "[!]", "ask": "[=]", "good": "[+]"}
ICONS: Final[Mapping[Tone, tuple[str, str]]] = {"bad": ("██", "▄▄"), "ask": ("██ ██", "██ ██"), "good": ("", "")}
TEXT_FROM: Final = 10
BAR: Final = 9
MINUTES: Final = 5
"""The columns of a clock that shows no hours."""


def insertion_row(canvas: Canvas) -> int:
    """Returns the row from which a screen moves down to make room for a banner."""
    strip = canvas.strip
    if strip is None or not strip.full:
        return 1
    return strip.row + 1 if strip.row < ROWS + 1 else strip.row


def covered_row(canvas: Canvas) -> int | None:
    """Returns the first of two rows that a banner may cover on a screen that cannot make room; None if there are none.

    Above a lower phase strip, a card describes what was touched. Nothing is chosen there, unless it has a button.
    """
    strip = canvas.strip
    if strip is None or not strip.full or strip.row <= ROWS or canvas.has_button(strip.row - ROWS, ROWS):
        return None
    return strip.row - ROWS


def answer_to(banner: Banner, key: str) -> BannerAction | None:
    """Returns what a key answers to a banner, or None."""
    return next(
        (answer.action for answer in banner.buttons if answer.action is not None and KEYS[answer.action] == key), None
    )


def _buttons(canvas: Canvas, right: int, y: int, banner: Banner) -> int:
    """Draws the answers in one row, so that they end before a column. Returns the column where they begin."""
    for number, answer in reversed(list(enumerate(banner.buttons))):
        key = answer.key or (KEYS[answer.action].upper() if answer.action is not None else "")
        primary = banner.tone == "ask" and number == 0 and len(banner.buttons) > 1
        text = f" {answer.label} {key} "
        if canvas.palette.depth is Depth.NONE and not primary:
            text = f"[{text[1:-1]}]"
        x = canvas.right(right, y, text, "ink" if primary else "text", "ice" if primary else "line", bold=True)
        canvas.hit(x, y, right - x, 1, f"key:{key_name(key)}", button=True)
        right = x - 1
    return right


def _place(banners: Sequence[Banner]) -> str:
    """Says that more than one banner waits for an answer. One that only reports does not count."""
    waiting = sum(banner.tone != "good" for banner in banners)
    return f"1 of {waiting}" if waiting > 1 else ""


def _ground(canvas: Canvas, y: int, rows: int, tone: Tone) -> None:
    color, share = TINTS[tone]
    canvas.fill(0, y, canvas.width, rows, canvas.palette.mixed("panel", color, share, "raised"))
    for row in range(y, y + rows):
        canvas.hit(0, row, canvas.width, 1, "nothing")


def _light(tone: Tone) -> Color:
    return TINTS[tone][0]


def draw_banner(canvas: Canvas, y: int, banners: Sequence[Banner], now: float) -> None:
    """Draws the first of some banners on two rows, `y` the upper one."""
    banner = banners[0]
    _ground(canvas, y, ROWS, banner.tone)
    if canvas.ascii_only or canvas.palette.depth is Depth.NONE:
        canvas.put(2, y, SIGNS[banner.tone], _light(banner.tone), bold=True)
    else:
        canvas.fill(0, y, TEXT_FROM - 1, ROWS, canvas.palette.mixed("panel", _light(banner.tone), 0.35, "line"))
        for row, part in enumerate(ICONS[banner.tone]):
            canvas.center(0, y + row, TEXT_FROM - 1, part, "bright" if banner.tone == "bad" else "ice")
    right = _countdown(canvas, y, banner, now)
    if place := _place(banners):
        right = canvas.right(right, y, place, "soft") - 2
    at = canvas.put(TEXT_FROM, y, _head(banner, right - TEXT_FROM), "bright", bold=True) + 2
    canvas.put(at, y, truncate(banner.text, right - at) if right - at >= cell_width(banner.text) else "", "text")
    end = _buttons(canvas, canvas.width - 1, y + 1, banner)
    below, room = f"{banner.text} {banner.more}".strip(), end - TEXT_FROM - 1
    # A clock without a word would be a riddle.
    if at + cell_width(banner.text) <= right or (banner.timed and cell_width(below) > room):
        below = banner.more
    canvas.put(TEXT_FROM, y + 1, whole_sentences(below, room), "text")


def _countdown(canvas: Canvas, y: int, banner: Banner, now: float) -> int:
    """Draws the time left until more is possible. Returns the column before which text must end."""
    right = canvas.width - 1
    if banner.until is None or not banner.total:
        return right
    left = max(0.0, banner.until - now)
    canvas.right(right, y, clock_digits(left), "bright", bold=True)
    # The bar does not move while the clock runs.
    x = right - max(MINUTES, cell_width(clock_digits(banner.total))) - 1 - BAR
    progress(canvas, x, y, BAR, left / banner.total)
    return x - 2


def _head(banner: Banner, room: int) -> str:
    """Returns what happened, in at most `room` columns."""
    return banner.head if cell_width(banner.head) <= room else truncate(banner.brief or banner.head, room)


def _timed(banner: Banner, now: float, room: int) -> str:
    """Returns what happened and how long it is until the player can stop waiting, in at most `room` columns."""
    until = f"You can stop waiting in {clock_digits(max(0.0, (banner.until or 0.0) - now))}{banner.provided}."
    happened = (f"{banner.head} {banner.text}".rstrip(), banner.head, banner.brief)
    ways = (*(f"{what} {until}" for what in happened), banner.timed)
    return next((way for way in ways if cell_width(way) <= room), truncate(banner.brief, room))


def draw_short(canvas: Canvas, banners: Sequence[Banner], now: float) -> None:
    """Draws the first of some banners in place of the title bar, which keeps the menu, and help where there is room."""
    banner = banners[0]
    _ground(canvas, 0, 1, banner.tone)
    menu = canvas.width - 1 - len(MENU)
    canvas.put(menu, 0, MENU, "text")
    canvas.hit(menu - 1, 0, len(MENU) + 2, 1, f"key:{key_name(MENU_KEY)}")
    end = _buttons(canvas, menu - 1, 0, banner) if banner.buttons else menu - 2
    sign = SIGNS[banner.tone] if canvas.ascii_only or canvas.palette.depth is Depth.NONE else "!"
    at = 1
    if banner.tone == "bad" or canvas.ascii_only:
        at = canvas.put(at, 0, sign, _light(banner.tone), bold=True) + 1
    if banner.until is not None and banner.total:
        headline = _timed(banner, now, end - at)
    else:
        if place := _place(banners):
            end = canvas.right(end, 0, place, "bright", bold=True) - 1
        full = f"{banner.head} {banner.text}" if banner.text else banner.head
        headline = full if cell_width(full) <= end - at else _head(banner, end - at)
    at = canvas.put(at, 0, headline, "bright", bold=True)
    if at + 2 <= end - len(HELP):
        x = canvas.right(end, 0, HELP, "text")
        canvas.hit(x - 1, 0, len(HELP) + 2, 1, f"key:{key_name(HELP_KEY)}")


def draw_over(canvas: Canvas, banners: Sequence[Banner], now: float) -> None:
    """Draws the first of some banners over a screen that could not make room for it."""
    row = covered_row(canvas)
    if row is None:
        draw_short(canvas, banners, now)
    else:
        draw_banner(canvas, row, banners, now)


def draw_upright(canvas: Canvas, banners: Sequence[Banner], now: float) -> None:
    """Draws the first of some banners over the first rows of a portrait screen: nothing is chosen there. Its answers
    are buttons.
    """
    banner = banners[0]
    room = canvas.width - 2
    counted = banner.until is not None and banner.total
    aside = clock_digits(max(0.0, (banner.until or 0.0) - now)) if counted else _place(banners)
    head = wrap(banner.head, room - cell_width(aside) - 1)
    more = wrap(" ".join(filter(None, (banner.text, banner.more))), room) if banner.text or banner.more else []
    answers = TOUCH_ROWS if banner.buttons else 0
    _ground(canvas, 0, len(head) + len(more) + answers, banner.tone)
    if canvas.ascii_only or canvas.palette.depth is Depth.NONE:
        canvas.put(0, 0, SIGNS[banner.tone][1], _light(banner.tone), bold=True)
    for number, line in enumerate(head):
        canvas.put(1, number, line, "bright", bold=True)
    canvas.right(canvas.width - 1, 0, aside, "bright", bold=True)
    y = paragraph(canvas, 1, len(head), more, "text")
    share = room // max(1, len(banner.buttons))
    for number, answer in enumerate(banner.buttons):
        key = answer.key or (KEYS[answer.action] if answer.action is not None else "")
        primary = banner.tone == "ask" and number == 0
        action = f"key:{key_name(key)}"
        touch_button(
            canvas,
            1 + number * share,
            y,
            share - 1,
            answer.label,
            action,
            primary=primary,
            fill=None if primary else "line",
        )
