"""The list of tables: how far along a tournament is."""

from __future__ import annotations

import pytest

from kimberley.client.cli.list_tables import table_columns
from kimberley.p2p.discovery.mdns import DiscoveredTable
from kimberley.p2p.transport.handshake import PeerVersion
from kimberley.p2p.transport.table_card import TableCard, TournamentCard


@pytest.mark.parametrize(
    ("format", "round", "rounds", "said"),
    [
        ("swiss", 0, 3, "swiss, 5 players, not started"),
        ("swiss", 2, 3, "swiss, 5 players, round 2/3"),
        ("arena", 1, 1, "arena, 5 players, in progress"),
    ],
)
def test_an_arena_has_no_rounds(format: str, round: int, rounds: int, said: str) -> None:
    tournament = TournamentCard("Friday Cup", format, 5, round, rounds, False)
    card = TableCard(bytes(32), "Friday Cup", "diamond", 1, 0, 0, PeerVersion(), tournament=tournament)
    assert said in table_columns([DiscoveredTable("friday", card, "192.0.2.7", 7411, 0.0, 0.01)])[1]
