"""What the program prints, on streams that cannot take every character."""

from __future__ import annotations

import codecs
import io
import sys
from typing import Final

SPELLED: Final = "kimberley.spelled"


def spell_what_streams_lack() -> None:
    """From now on, standard output and standard error spell in ASCII what their encoding lacks, instead of failing:
    pipes on Windows take the 256 characters of cp1252, and the locale C takes ASCII.
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
