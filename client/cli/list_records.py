"""`kimberley list --finished`: the records in the user's folder, as the screen of finished games lists them."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any, Final

from kimberley.client.session.game_lists import written_when
from kimberley.client.session.kept_games import list_kept, verify_kept
from kimberley.client.session.services import KeptGame
from kimberley.client.session.verdicts import left_as_plain
from kimberley.client.ui.glyphs import truncate
from kimberley.p2p.base.terminal import fitted, padded
from kimberley.p2p.storage.identity import Identity

UNREADABLE: Final = "{path} in the list is damaged: {reason}. Move it away."
NOTHING_KEPT: Final = "No finished games in {}. Use --data for another folder."
_WIDTHS: Final = (36, 20, 13, 8, 13)
_NARROW: Final = (25, 13, 13, 8, 12)
"""The same on a terminal where a file has a row of its own."""
_WIDE: Final = 160
"""From this many columns on it has none."""


def run(data: Path, *, as_json: bool) -> int:
    """Prints the records, the latest first. Those that no audit has judged yet are judged now, which takes a while."""
    # Listing creates no identity: a folder without one has no seat of its own.
    own = Identity.load(data)
    identity = own.public if own is not None else b""
    records = []
    games = list_kept(data, identity)
    if games and not as_json:
        print(columns("GAME", "WITH", "WHEN", "RESULT", "VERDICT", "FILE"))
    for game in games:
        judged = game if game.finding is not None else verify_kept(data, game)
        records.append(judged)
        if not as_json:
            label = judged.finding.label if judged.finding is not None else ""
            when = written_when(judged.written)
            print(
                columns(judged.title, ", ".join(judged.others), when, judged.standing, label, str(judged.path)),
                flush=True,
            )
    if as_json:
        print(json.dumps([record_as_plain(game) for game in records], indent=1, ensure_ascii=False))
    elif not records:
        print(fitted(NOTHING_KEPT.format(data), stream=sys.stderr), file=sys.stderr)
    for game in records:
        if not game.digest and game.finding is not None:
            unreadable = UNREADABLE.format(path=game.path, reason=game.finding.reason)
            print(fitted(unreadable, stream=sys.stderr), file=sys.stderr)
    return 0


def columns(*cells: str) -> str:
    """Returns a row of the list, whose last cell is a file; on a narrow terminal, the file stands below the rest."""
    *first, last = cells
    if sys.stdout.isatty() and shutil.get_terminal_size().columns < _WIDE:
        row = "  ".join(padded(truncate(cell, width), width) for cell, width in zip(first, _NARROW, strict=True))
        return f"{row.rstrip()}\n  {last}"
    return "  ".join((*map(padded, first, _WIDTHS), last))


def record_as_plain(game: KeptGame) -> dict[str, Any]:
    """Returns a record as plain data, for a program. Seats count from 0, as on the wire."""
    finding = game.finding
    return {
        "file": str(game.path),
        "bytes": game.size,
        "written": game.written,
        "game": game.game,
        "names": list(game.names),
        "seat": game.seat,
        "verdict": finding.verdict if finding is not None else None,
        "reason": finding.reason if finding is not None else None,
        "result": finding.result if finding is not None else None,
        "places": list(finding.places) if finding is not None else None,
        "left": left_as_plain(finding.left) if finding is not None else None,
    }
