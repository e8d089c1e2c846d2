"""`kimberley review RECORD`: what every decision of a finished game was worth, and what would have been better."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from kimberley.client.boards.review_report import ReviewReport
from kimberley.client.session.reviewing import check_reviewable, is_whole, kept_review, review_game
from kimberley.client.session.verdicts import ask_for_patience, game_in
from kimberley.client.session.workers import workers
from kimberley.games.review import GameReview
from kimberley.protocol.audit import AuditedGame


def run(path: Path, *, level: int, as_json: bool, html: Path | None) -> int:
    """Prints the review of the game in a record, or writes its page. Raises UserError."""
    ask_for_patience(path)
    audited = game_in(path, "reviewed", is_whole)
    report = ReviewReport(audited, _reviewed(audited, path, level))
    if html is not None:
        from kimberley.client.web.review_page import render

        html.write_text(render(report), "utf-8")
    if as_json:
        print(json.dumps(report.as_plain(), indent=1, ensure_ascii=False))
    elif html is None:
        print("\n".join(report.sentences))
    return 0


def _reviewed(audited: AuditedGame, path: Path, level: int) -> GameReview:
    """The review that is kept, or a new one, made on all cores. If it is interrupted, nothing is kept."""
    check_reviewable(audited, level)
    if (kept := kept_review(audited, path, level)) is not None:
        return kept
    try:
        with workers(None, None) as executor:
            return review_game(audited, path, level, executor, _show)
    finally:
        _say("")


def _show(done: int, steps: int) -> None:
    _say(f"{done} of {steps} steps judged; Ctrl-C stops")


def _say(text: str) -> None:
    """Shows a text in one changing line, on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
