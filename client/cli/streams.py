"""The standard streams: some cannot take every character, or nothing at all, or are closed."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

SPELLED: Final = "kimberley.spelled"


class OutputLostError(Exception):
    """What was printed did not arrive. The message is a sentence for a person; empty if nobody is reading any more."""


@contextmanager
def standard_streams() -> Iterator[None]:
    """Lets a command read and print within it. At its end, everything that was printed has arrived. Raises
    OutputLostError.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 (It stays open.)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        raise OutputLostError("Standard output is closed. Send it to a terminal, pipe or file.")
    spell_what_streams_lack()
    try:
        yield
    except OSError:
        _write("\n")  # This fails, too, if standard output was what failed.
        raise
    finally:
        _write("")


def _write(text: str) -> None:
    """Prints the text, after everything that is still buffered, or drops it, so that the interpreter's last flush
    works. Raises OutputLostError.
    """
    try:
        print(text, end="", flush=True)
    except OSError as error:
        from kimberley.p2p.base.platform import is_closed_pipe

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        reason = error.strerror or type(error).__name__
        problem = f"Standard output failed ({reason}): what was printed is lost. Send it somewhere else."
        raise OutputLostError("" if is_closed_pipe(error) else problem) from error


def spell_what_streams_lack() -> None:
    """Makes standard output and standard error spell in ASCII, from now on, what their encoding lacks, instead of
    failing: pipes on Windows take the 256 characters of cp1252, and the locale C takes ASCII.
    """
    codecs.register_error(SPELLED, _spelled)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=SPELLED)


def _spelled(error: UnicodeError) -> tuple[str, int]:
    from kimberley.client.ui.glyphs import to_ascii

    if not isinstance(error, UnicodeEncodeError):
        raise error
    return to_ascii(error.object[error.start : error.end]), error.end
