"""The list of tables: how far along a tournament is."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from kimberley.client.cli.list_records import columns
from kimberley.client.cli.list_tables import table_columns
from kimberley.client.ui.glyphs import cell_width
from kimberley.p2p.discovery.mdns import DiscoveredTable
from kimberley.p2p.transport.handshake import PeerVersion
from kimberley.p2p.transport.table_card import TableCard, TournamentCard


@pytest.mark.parametrize(
    ("format", "round", "rounds", "said"),
    [
        ("swiss", 0, 3, "swiss, 5 players, not started"),
        ("swiss", 2, 3, "swiss, 5 players, round 2 of 3"),
        ("arena", 1, 1, "arena, 5 players, in progress"),
    ],
)
def test_an_arena_has_no_rounds(format: str, round: int, rounds: int, said: str) -> None:
    tournament = TournamentCard("Friday Cup", format, 5, round, rounds, False)
    card = TableCard(bytes(32), "Friday Cup", "diamond", 1, 0, 0, PeerVersion(), tournament=tournament)
    assert said in table_columns([DiscoveredTable("friday", card, "192.0.2.7", 7411, 0.0, 0.01)])[1]


@pytest.mark.parametrize(("terminal", "rows"), [(True, 2), (False, 1)])
def test_on_a_narrow_terminal_a_file_has_a_row_of_its_own(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, rows: int
) -> None:
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(isatty=lambda: terminal))
    monkeypatch.setenv("COLUMNS", "80")
    file = "/home/ana/.local/share/kimberley/records/2026-12-01-ana-ben.kdt"
    cells = ("Blood Diamonds: Piecepack", "ben, Sancy, Koh-i-Noor", "Dec 31, 03:47", "4th of 4", "? incomplete")
    lines = columns(*cells, file).split("\n")
    assert len(lines) == rows
    assert lines[-1].endswith(file)
    assert not terminal or cell_width(lines[0]) < 80
    assert all(cell in lines[0] for cell in cells if cell != cells[1])
