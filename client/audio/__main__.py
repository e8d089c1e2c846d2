"""Plays music and sounds in a process of its own: `python -m kimberley.client.audio OUTPUT`.

Only the client starts it. It reads commands on its standard input (`client.audio.commands`), and ends when that input
ends. If it cannot play, or can no longer play, it prints a line of JSON: {"trouble": "..."}.
"""

from __future__ import annotations

import json
import signal
import sys

from kimberley.client.audio.output import OutputError
from kimberley.client.audio.player import Player
from kimberley.client.audio.suite_piece import SuitePiece


def main() -> int:
    # Ctrl-C reaches all processes of a terminal, but the client decides when its music ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        Player(sys.argv[1], SuitePiece).run(sys.stdin.buffer)
    except OutputError as error:
        print(json.dumps({"trouble": str(error)}), flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
