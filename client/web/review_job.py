"""Reviews the game in a record for the page: `python -m kimberley.client.web.review_job RECORD LEVEL NICE`.

Only the page's process starts it. It is a single process, so that nothing of it is left when it is killed. Like
`kimberley review`, it saves the review beside the record, and makes it only if it is not there. It prints how many
steps are judged, out of how many ("12 72"), then an empty line, and what the page shows.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from kimberley.client.boards.review_report import ReviewReport
from kimberley.client.session.reviewing import ReviewRun, is_whole
from kimberley.client.session.verdicts import game_in
from kimberley.client.web.review_page import render_main
from kimberley.games.bots.review import GameReview
from kimberley.p2p.base.errors import UserError
from kimberley.protocol.audit import AuditedGame


def main() -> int:
    path, level, nice = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    if hasattr(os, "nice"):
        os.nice(nice)
    try:
        audited = game_in(path, "reviewed", is_whole)
        report = ReviewReport(audited, _reviewed(audited, path, level))
    except UserError as error:
        print(error, file=sys.stderr)
        return 1
    sys.stdout.buffer.write(b"\n" + render_main(report).encode())
    return 0


def _reviewed(audited: AuditedGame, path: Path, level: int) -> GameReview:
    """Returns the saved review, or makes one. If nobody is reading its progress any more, the process ends."""
    run = ReviewRun(audited, path, level, workers=0)
    for done, steps in run:
        print(done, steps, flush=True)
    assert run.review is not None
    return run.review


if __name__ == "__main__":
    sys.exit(main())
