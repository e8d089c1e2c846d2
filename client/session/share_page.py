"""The page at the address where a copy is shared, for phones and computers. It works without JavaScript."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Final

from kimberley.client.session.copy_offer import CopyOffer
from kimberley.client.ui.palette import ROLES
from kimberley.client.ui.wordmark import LETTERS, ROWS, WIDTH, WORD
from kimberley.games.options import format_seat_counts
from kimberley.p2p.sharing.one_line import PATH, CommandShell
from kimberley.p2p.sharing.server import ServedFile

_INLINE: Final = re.compile(r"<(style|script)>(.*?)</\1>", re.DOTALL)
_PLAY: Final = (
    '<section class="card"><a class="play" href="{}">Play in this browser</a>'
    "<p>About 8 MB, nothing to install. The page then shows some digits: compare them with the host’s screen.</p>"
    "</section>"
)
_NO_PLAY: Final = '<section class="card"><p>{}</p></section>'
_NOT_INSTALLED: Final = (
    "You cannot play on a phone or in a browser yet: the packages for that are missing on {}’s computer. The screen "
    "there says how to install them. On a computer with Python 3.11 or newer you can play now: see below."
)
_NOT_NOW: Final = (
    "To play on a phone or in a browser, ask {} to host a game and press f, or to type kimberley share --room. On a "
    "computer with Python 3.11 or newer you can play now: see below."
)
_NOT_HERE: Final = (
    "You cannot play on a phone or in a browser here. On a computer with Python 3.11 or newer you can: see below."
)
MEGABYTE: Final = 1_000_000


def share_page(offer: CopyOffer) -> ServedFile:
    """Returns the page. It may load nothing, and runs no script but its own."""
    if offer.table is None:
        invites, what = "shares Kimberley", "Diamond games, each proven fair, for people on one network."
        picture = ""
    else:
        invites = "invites you"
        picture = f"<figure>{offer.table.picture}</figure>" if offer.table.picture else ""
        what = (
            f"to {escape(offer.table.title)}, for {format_seat_counts(offer.table.numbers)} players. At the table, "
            "compare the four words."
        )
    keep = (
        f'<a href="{PATH}" download="kimberley.pyz">Download the file</a> if you prefer, '
        "and compare its SHA-256 with the digits before you start it."
    )
    if offer.pip is not None:
        keep += (
            " Or install it with pip, which fetches the rest from the internet. Compare the hash in this line with the "
            f"one that kimberley share prints on {escape(offer.host)}’s screen: <code>{escape(offer.pip)}</code>"
        )
    text = _template().substitute(
        wordmark=_wordmark(),
        host=escape(offer.host),
        invites=invites,
        what=what,
        picture=picture,
        play=_play(offer),
        unix=escape(offer.lines[CommandShell.SH]),
        windows=escape(offer.lines[CommandShell.POWERSHELL]),
        digits=offer.digits,
        words="".join(f"<li>{word}</li>" for word in offer.words),
        size=f"{offer.size / MEGABYTE:.1f}",
        keep=keep,
    )
    policy = "; ".join(["default-src 'none'", *_inline_sources(), "base-uri 'none'", "frame-ancestors 'none'"])
    headers = (("Content-Type", "text/html; charset=utf-8"), ("Content-Security-Policy", policy))
    return ServedFile(text.encode(), headers)


def _play(offer: CopyOffer) -> str:
    """Returns the link to play in the browser, or why there is none and what the reader can do."""
    if offer.play is not None:
        return _PLAY.format(escape(offer.play))
    reason = _NOT_INSTALLED if offer.install else _NOT_HERE if offer.without else _NOT_NOW
    return _NO_PLAY.format(reason.format(escape(offer.host)))


@cache
def _template() -> Template:
    return Template((files(__package__) / "share_page.html").read_text("utf-8"))


@cache
def _inline_sources() -> tuple[str, ...]:
    """Returns what the policy says about the page's own style and script: only these bytes."""
    return tuple(
        f"{kind}-src 'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for kind, text in _INLINE.findall(_template().template)
    )


@cache
def _wordmark() -> str:
    """Returns the title's letters as SVG, a square for each pixel."""
    squares = []
    for row in range(2 * ROWS):
        digits = ".".join(LETTERS[letter][row] for letter in WORD)
        for column, digit in enumerate(digits):
            if digit != ".":
                color = "".join(f"{part:02x}" for part in ROLES[f"facet{digit}"].rgb)
                squares.append(f'<path fill="#{color}" d="M{column} {row}h1v1h-1z"/>')
    size = f'viewBox="0 0 {WIDTH} {2 * ROWS}" shape-rendering="crispEdges"'
    return f'<svg class="wordmark" role="img" aria-label="Kimberley" {size}>{"".join(squares)}</svg>'
