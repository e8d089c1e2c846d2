"""Lines on a terminal: broken between words, by cells."""

from __future__ import annotations

import sys

import pytest
from wcwidth import wcswidth

from kimberley.p2p.base.terminal import fitted, in_columns, padded

WIDE = "金剛石の大会 has joined: 金剛石の大会 plays 金剛石の大会 at table 1."


@pytest.mark.parametrize("columns", [30, 40, 80])
def test_a_wide_character_takes_two_columns(columns: int) -> None:
    rows = in_columns(WIDE, columns, "  ").splitlines()
    assert all(wcswidth(row) < columns for row in rows)
    assert " ".join(row.strip() for row in rows) == WIDE
    assert all(row.startswith("  ") for row in rows[1:])


def test_only_a_terminal_gets_several_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for terminal in (False, True):
        monkeypatch.setattr(sys.stdout, "isatty", lambda at=terminal: at)
        assert ("\n" in fitted(WIDE)) == terminal


def test_lines_and_lists_stay_what_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    text = "No table:\n  - a firewall may block it;\n\n  kimberley join"
    assert fitted(text) == "No table:\n  - a firewall may\n    block it;\n\n  kimberley join"


@pytest.mark.parametrize("name", ["ana", "金剛石"])
def test_names_are_padded_by_columns(name: str) -> None:
    assert wcswidth(padded(name, 24)) == 24
    assert padded(name, 2) == name
