"""`kimberley review RECORD`: what every decision of a finished game was worth, and what would have been better."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from kimberley.client.boards.review_report import ReviewReport
from kimberley.client.cli.output_file import OutputFile, OutputFileTrouble
from kimberley.client.session.review_file import review_file
from kimberley.client.session.reviewing import ReviewRun, is_whole
from kimberley.client.session.verdicts import ask_for_patience, game_in
from kimberley.client.ui.glyphs import wrap
from kimberley.games.bots.review import GameReview
from kimberley.p2p.base.terminal import ChangingLine
from kimberley.protocol.audit import AuditedGame


def run(path: Path, *, level: int, as_json: bool, html: Path | None) -> int:
    """Prints the review of the game in a record, or writes its page. Raises UserError.

    If the page cannot be written after all, the review is printed.
    """
    page = None if html is None else OutputFile.at(html, path, review_file(path))
    ask_for_patience(path)
    audited = game_in(path, "reviewed", is_whole)
    report = ReviewReport(audited, _reviewed(audited, path, level), aloud=True)
    text = json.dumps(report.as_plain(), indent=1, ensure_ascii=False) if as_json else _text(report)
    if page is None or as_json:
        print(text)
    if page is not None:
        from kimberley.client.web.review_page import render

        try:
            page.write(render(report))
        except OutputFileTrouble:
            if not as_json:
                print(text)
            raise
    return 0


def _text(report: ReviewReport) -> str:
    """Returns the sentences, one a line; on a terminal, wrapped between words."""
    lines = report.sentences
    if sys.stdout.isatty():
        columns = shutil.get_terminal_size().columns
        lines = [row for line in lines for row in wrap(line, columns - 1)]
    return "\n".join(lines)


def _reviewed(audited: AuditedGame, path: Path, level: int) -> GameReview:
    """Returns the saved review, or makes one on all cores. If that is interrupted, nothing is saved."""
    run = ReviewRun(audited, path, level)
    line = ChangingLine(sys.stderr)
    try:
        for done, steps in run:
            line.show(f"{round(100 * done / max(1, steps))}% judged; Ctrl-C stops")
    finally:
        line.end()
    if run.not_kept:
        print(f"kimberley: {run.not_kept}", file=sys.stderr)
    assert run.review is not None
    return run.review
