"""What is printed on streams that cannot take every character."""

from __future__ import annotations

import io
import sys

import pytest

from kimberley.client.cli.streams import spell_what_streams_lack
from kimberley.client.ui.glyphs import needs_ascii


@pytest.mark.parametrize(
    ("encoding", "printed"),
    [("cp1252", b"caf\xe9 > * \x85"), ("ascii", b"cafe > * ."), ("utf-8", "café → ◆ …".encode())],
)
def test_what_a_stream_lacks_is_spelled(encoding: str, printed: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding))
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    spell_what_streams_lack()
    print("café → ◆ …", end="", flush=True)
    assert written.getvalue() == printed


def test_a_console_that_takes_every_character_shows_the_full_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows no variable names the locale, which is cp1252, and Python writes UTF-8 to its console."""
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    assert not needs_ascii({})
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="cp1252"))
    assert needs_ascii({})
