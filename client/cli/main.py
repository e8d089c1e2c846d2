"""The command `kimberley`: it runs the command that was typed (`parser`, `commands`), and says what went wrong."""

from __future__ import annotations

import atexit
import contextlib
import gc
import sys
from collections.abc import Mapping, Sequence
from typing import Final

from kimberley.client.cli.crypto_choice import check_crypto
from kimberley.client.cli.exit_status import CANNOT_PRINT, INTERRUPTED, failure_statuses
from kimberley.client.cli.parser import build_parser
from kimberley.client.cli.streams import OutputLostError, standard_streams
from kimberley.p2p.base.arguments import MISUSED

SOMETIMES_MISSING: Final = frozenset({"cryptography"})
"""Packages that most commands do not need. The conformance suite makes its certificate with it."""

OBJECTS: Final = 60_000
"""How many new objects make Python collect garbage during the start; its own number is 700."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command. Returns the exit status: the command's own, or one of `exit_status`."""
    typed = sys.argv[1:] if arguments is None else arguments
    failure = failure_statuses(typed)
    _look_for_garbage_seldom()
    try:
        with standard_streams():
            return _run(typed)
    except SystemExit as end:
        raise SystemExit(failure.misused if end.code == MISUSED else end.code) from None
    except KeyboardInterrupt:
        return INTERRUPTED
    except OutputLostError as error:
        if message := str(error):
            _complain(message)
        return CANNOT_PRINT
    except Exception as error:
        from kimberley.p2p.base.errors import UserError

        if isinstance(error, UserError):
            _complain(str(error))
            return failure.failed
        if isinstance(error, ImportError) and (advice := _advice_on_missing(error.name or "")) is not None:
            _complain(f"This {advice}")
            return failure.failed
        import traceback

        with contextlib.suppress(OSError):
            traceback.print_exc()
        return failure.crashed


def _look_for_garbage_seldom() -> None:
    """Delays Python's first garbage collection. After that, the start is over: Python collects as often as usual, but
    leaves out the objects that exist by then.

    Most objects of a start are modules, which stay: going through them again and again, and once more at the end, would
    take a third of the time. A first collection in the middle of a game would take 33 ms.
    """
    if _after_the_start in gc.callbacks:
        return
    _usual.append(gc.get_threshold())
    gc.callbacks.append(_after_the_start)
    gc.set_threshold(OBJECTS)
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)


_usual: Final[list[tuple[int, int, int]]] = []
"""Python's own thresholds for collecting garbage."""


def _after_the_start(phase: str, _found: Mapping[str, int]) -> None:
    if phase == "stop":
        gc.callbacks.remove(_after_the_start)
        gc.set_threshold(*_usual.pop())
        gc.freeze()


def _run(typed: Sequence[str]) -> int:
    arguments = build_parser().parse_args(typed)
    check_crypto()
    status: int = arguments.command(arguments)
    return status


def _complain(sentence: str) -> None:
    from kimberley.p2p.base.terminal import fitted

    with contextlib.suppress(OSError):
        print(fitted(f"kimberley: {sentence}", stream=sys.stderr), file=sys.stderr)


def _advice_on_missing(name: str) -> str | None:
    """Returns the rest of a sentence about something that could not be imported; None if it should be there."""
    from kimberley.p2p.base.installation import MORE_THAN_SHARED, shared_file

    package = name.partition(".")[0]
    if package in SOMETIMES_MISSING:
        return f"needs the package {package}. Type: pip install {package}"
    return MORE_THAN_SHARED if package == "kimberley" and shared_file() is not None else None


if __name__ == "__main__":
    sys.exit(main())
