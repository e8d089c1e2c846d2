"""`kimberley share`: gives this program to friends who have only Python, until Ctrl-C."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Final

from kimberley.client.cli.output_file import OutputFile
from kimberley.client.session.copy_offer import CopyOffer
from kimberley.client.session.sharing import Sharing
from kimberley.client.ui.qr_code import printed_code
from kimberley.p2p.base.extras import BROWSER, require
from kimberley.p2p.base.platform import run_loop
from kimberley.p2p.base.tasks import tell_errors
from kimberley.p2p.base.terminal import fitted
from kimberley.p2p.sharing.archive import build_archive
from kimberley.p2p.sharing.one_line import CommandShell
from kimberley.p2p.sharing.room import Room
from kimberley.p2p.storage.files import replace

READABLE: Final = 0o644
NO_BREAK: Final = "\u00a0"
PHONES: Final = "For friends with a phone: host a game and press f, or type kimberley share --room."


def write(path: Path) -> int:
    """Writes the file, and nothing else. Returns 0. Raises UserError."""
    OutputFile.at(path)
    file = build_archive()
    replace(path, file.data, READABLE)
    print(fitted(f"{path}, {len(file.data)} bytes, SHA-256 {file.digits}...: {' '.join(file.words)}"))
    print(f"To run it with Python 3.11 or newer: python3 {path.name}")
    return 0


def run(nickname: str, port: int | None, bind: str | None, *, room: bool, as_json: bool) -> int:
    """Shares until it is interrupted, with a room where friends play, if `room`. Returns 0. Raises UserError."""
    if room:
        require(BROWSER, "A room")
    try:
        run_loop(_share(Sharing(nickname, door=Room() if room else None), port, bind, as_json=as_json))
    except KeyboardInterrupt:
        if not as_json:
            print("\nSharing has stopped. Anyone who has a copy keeps it.")
    return 0


async def _share(sharing: Sharing, port: int | None, bind: str | None, *, as_json: bool) -> None:
    tell_errors(lambda text: print(text, file=sys.stderr, flush=True))
    try:
        await sharing.open(port, bind)
        offer = sharing.offer()
        print(json.dumps(_as_plain(offer)) if as_json else "\n".join(lines_of(offer)), flush=True)
        await asyncio.Event().wait()
    finally:
        await sharing.close()


def lines_of(offer: CopyOffer) -> list[str]:
    """Returns what is printed: the lines to type, the words and whom the friend trusts; then the address with its code,
    which comes last to stay in sight.
    """
    if offer.play is not None:
        code = printed_code(offer.play)
        here = "Scan this, or open it in a browser." if code else "Open this in a browser."
        return [
            f"A friend with Python can get the program at {offer.site}",
            "",
            fitted(
                "Your friends’ browsers run the program from your computer, so they must trust you. Games end when you "
                "press Ctrl-C."
            ),
            "",
            f"The page shows digits: they must be {offer.page_digits}.",
            "",
            fitted(f"{here} One friend opens a table; the others join."),
            *code,
            offer.play,
        ]
    # A number stays with its word.
    words = "  ".join(f"{number}{NO_BREAK}{word}" for number, word in enumerate(offer.words, 1))
    numbered = fitted(f"  {words}").replace(NO_BREAK, " ")
    kept = [
        "",
        fitted("To install it for good (pip checks the hash and downloads the rest):"),
        "",
        f"  {offer.pip}",
    ]
    return [
        fitted("On Linux or macOS, a friend who has Python 3.11 or newer types this line in a terminal:"),
        "",
        f"  {offer.lines[CommandShell.SH]}",
        "",
        "On Windows, in PowerShell or cmd:",
        "",
        f"  {offer.lines[CommandShell.CMD]}",
        "",
        fitted(
            f"The line runs nothing unless the file’s SHA-256 begins with {offer.digits}. To check that, read these "
            "words to your friend:"
        ),
        "",
        numbered,
        *(kept if offer.pip is not None else []),
        "",
        fitted("Your friends run this program with full access to their computers, so they must trust you."),
        "",
        fitted(offer.without or PHONES),
        "",
        fitted("Press Ctrl-C to stop. A friend finds these lines on this page:"),
        *printed_code(offer.site),
        offer.site,
    ]


def _as_plain(offer: CopyOffer) -> dict[str, object]:
    return asdict(offer) | {"lines": {shell.value: line for shell, line in offer.lines.items()}}
