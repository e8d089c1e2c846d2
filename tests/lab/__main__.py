"""Tools of those who make bots and measure cryptography.

python -m tests.lab arena level:2 level:1 --pairs 100    # plays two bots against each other, many times
python -m tests.lab tune --seed 1 --out tuned.json       # tunes the policy of the bot of Diamond Trust of London
python -m tests.lab train --seed 1 --out first.json      # trains that bot by self-play
python -m tests.lab bench                                # measures the cryptography on this computer
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from kimberley.client.cli.exit_status import INTERRUPTED
from kimberley.p2p.base.errors import UserError
from tests.lab.parser import build_parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command. Returns the exit status."""
    found = build_parser().parse_args(arguments)
    try:
        status: int = found.command(found)
    except UserError as error:
        print(f"lab: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


if __name__ == "__main__":
    sys.exit(main())
