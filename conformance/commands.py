"""The options of `kimberley conform` and `kimberley peer`, and what they run. The program finds both here
(`client.cli.rooms`).
"""

from __future__ import annotations

import argparse
import sys
from typing import Final

from kimberley.p2p.base.arguments import count, file_name, path, seconds

CONFORM: Final = """\
The suite plays every other seat, as host and as joiner, correctly and
incorrectly, and checks every byte of the target against SPEC.md. SPEC.md,
section 29, says what a target is; `kimberley peer` is one. CASE is an id
(15-07), a section (15) or a requirement (M-SHF-1); * stands for anything.

  kimberley conform --target ./my-peer 3 8 11     three sections, to start with
  kimberley conform --target ./my-peer --strict --html report.html
  kimberley conform --target ./my-peer --expect known.txt --junit junit.xml

--json without FILE prints the report, and nothing else, to standard output. If
no case has a name that you give, that is an error, and the other cases run.

exit status: 0 passed, 1 not passed, 2 misused, or passed and a name was
unknown
"""

PEER: Final = """\
Reads jobs from standard input, one JSON object a line, and reports what
happens in lines of JSON (SPEC.md, section 29).

  echo '{"role": "verify", "file": "game.kdt"}' | kimberley peer
"""


def add_conform_options(parser: argparse.ArgumentParser, _program: object) -> None:
    """Adds the options of `kimberley conform`."""
    parser.add_argument(
        "cases", nargs="*", metavar="CASE", help="ids, sections or requirements; * stands for anything (default: all)"
    )
    parser.add_argument("--target", metavar="COMMAND", help="what runs the peer to test (default: kimberley peer)")
    parser.add_argument("--exclude", action="append", default=[], metavar="CASE", help="skip these cases")
    parser.add_argument("--list", action="store_true", help="list the cases without running them")
    parser.add_argument("--strict", action="store_true", help="fail on a missed SHOULD or anything not implemented")
    parser.add_argument("--expect", type=path, metavar="FILE", help="a list of cases that may fail, one id per line")
    parser.add_argument(
        "--json",
        nargs="?",
        const="-",
        type=file_name,
        metavar="FILE",
        help="write a report as JSON (default: print it)",
    )
    parser.add_argument("--junit", type=file_name, metavar="FILE", help="write a report in JUnit format")
    parser.add_argument("--html", type=file_name, metavar="FILE", help="write a report as a web page")
    parser.add_argument("--traffic", action="store_true", help="include the traffic of passed cases")
    parser.add_argument(
        "--patience", type=seconds, default=1.0, metavar="X", help="multiply all time limits by X (default: 1)"
    )
    parser.add_argument("--workers", type=count, metavar="N", help="how many cases to run at a time (default: 6)")


def add_peer_options(parser: argparse.ArgumentParser, _program: object) -> None:
    """Adds nothing: its jobs come from standard input."""


def run_conform(arguments: argparse.Namespace, _program: object) -> int:
    """Runs the chosen cases. Returns the exit status."""
    from kimberley.conformance import command

    try:
        return command.run_command(arguments)
    except (command.UsageError, OSError) as error:
        print(f"kimberley: {error}", file=sys.stderr)
        return command.MISUSED


def run_peer(_found: argparse.Namespace, _program: object) -> int:
    """Plays a target, driven by standard input. Returns the exit status."""
    from kimberley.conformance.target import peer

    return peer.main()


COMMANDS: Final = {
    "conform": (add_conform_options, run_conform, CONFORM),
    "peer": (add_peer_options, run_peer, PEER),
}
"""Each command's options, what it runs, and the text below its options."""
