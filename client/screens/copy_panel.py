"""What the host shows to a friend who has no copy: the line to type, its hash in words, and the page with its code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kimberley.client.session.table_sharing import NEARBY, TRUST
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, wrap
from kimberley.client.ui.layout import address_rows, command_rows
from kimberley.client.ui.panels import paragraph
from kimberley.client.ui.qr_code import LITTLE_QUIET, QUIET, can_show_codes, code_lines, draw_code
from kimberley.p2p.sharing.one_line import CommandShell

if TYPE_CHECKING:
    from kimberley.client.session.copy_offer import CopyOffer

LINK_KEY: Final = "l"
"""Copies the link for joining in a browser, or says what that needs."""
READ_ALOUD: Final = "To check the hash, read these words aloud:"
WORDS_IN_A_ROW: Final = 4
WORD_COLUMNS: Final = 11
"""The columns of a word of the list, which has at most 8 letters, with its number."""
SPACIOUS_ROWS: Final = 26
"""From this height on, the line has room around each of its rows."""


def line_rows(line: str, room: int) -> list[str]:
    """Returns the line in rows, with nothing added. No row begins or ends with a space, which nobody would see."""
    rows = []
    while line:
        end = min(room, len(line))
        while " " in line[end - 1 : end + 1] and end < len(line):
            end -= 1
        rows.append(line[:end])
        line = line[end:]
    return rows


def draw_offer(ground: Canvas, offer: CopyOffer, join: str | None, *, far: bool = False) -> Canvas:
    """Draws all that a friend needs. Returns the region that is left for the table, to the right of the code.

    Args:
        ground: Where to draw; at least 80 by 21.
        offer: What is shared.
        join: What a friend who has a copy types; None if nobody knows.
        far: Whether the table can also be joined from other networks, where no copy can be fetched.

    """
    y = _draw_line(ground, offer.lines[CommandShell.SH])
    x = 0
    if code := _code(ground, offer, ground.height - y):
        draw_code(ground, 0, y, code)
        x = len(code[0]) + 1
    right = ground.region(x, y, ground.width - x, ground.height - y)
    y = _draw_words(right, offer.words)
    where = "The line and the words are on this page:" if offer.play is None else "In a browser or on a phone, open"
    right.put(1, y, where, "text", bold=True)
    link = offer.play or ""
    top = y + 1
    y = command_rows(right, 1, top, link if 0 < cell_width(link) < right.width - 4 else offer.site, "panel")
    if offer.page_digits:
        right.put(1, y, f"Digits to compare: {offer.page_digits}", "soft")
    elif offer.without:
        right.put(1, y, "For phones, press l to see what to install", "soft")
    right.hit(1, top, right.width - 2, y + 1 - top, f"key:{LINK_KEY}")
    y += 1
    if join is not None:
        right.put(1, y, "With Kimberley installed:", "soft")
        y += 1
        for row in address_rows(join, right.width - 2):
            right.put(1, y, row, "text", bold=True)
            y += 1
    right.put(1, y, f"Firewall: {offer.firewall}", "soft")
    trust = f"{TRUST} {NEARBY}" if far else TRUST
    y = paragraph(right, 1, y + 2, wrap(trust, right.width - 2))
    return right.region(0, y, right.width, right.height - y)


def _code(ground: Canvas, offer: CopyOffer, rows: int) -> list[str]:
    """Returns the code for which there is room: of the link for joining, if there is one, or else of the page."""
    if not can_show_codes(ground):
        return []
    codes = (code_lines(offer.play or offer.site, quiet) for quiet in (QUIET, LITTLE_QUIET))
    return next((code for code in codes if len(code) <= rows), [])


def draw_preparing(ground: Canvas) -> Canvas:
    """Draws what is shown until there is something to share. Returns the region that is left below."""
    ground.put(1, 1, "For a friend without Kimberley", "text", bold=True)
    paragraph(ground, 1, 3, ["Building one file from this program. This can take a few seconds."], "text")
    y = paragraph(ground, 1, 5, [TRUST])
    return ground.region(0, y, ground.width, ground.height - y)


def _draw_line(ground: Canvas, line: str) -> int:
    """Draws the line as large as there is room for. Returns the row after it."""
    ground.put(1, 0, "Your friend types this in a terminal", "text", bold=True)
    ground.right(ground.width - 1, 0, "On Windows: py, not python3", "soft")
    rows = line_rows(line, ground.width - 2)
    gap = 2 if ground.height >= SPACIOUS_ROWS else 1
    ground.fill(0, 1, ground.width, gap * len(rows) + gap - 1, "panel")
    for number, row in enumerate(rows):
        ground.put(1, gap * (number + 1), row, "ice", bold=True)
    return gap * (len(rows) + 1)


def _draw_words(ground: Canvas, words: tuple[str, ...]) -> int:
    """Draws the hash of the line in words. Returns the row after the empty one below it."""
    ground.put(1, 0, READ_ALOUD, "text", bold=True)
    for number, word in enumerate(words):
        x, y = 1 + WORD_COLUMNS * (number % WORDS_IN_A_ROW), 1 + number // WORDS_IN_A_ROW
        after = ground.put(x, y, f"{number + 1} ", "soft")
        ground.put(after, y, word, "text", bold=True)
    return 2 + len(words) // WORDS_IN_A_ROW
