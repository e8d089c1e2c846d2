"""Unfinished games, as the journals in the data folder tell them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kimberley.client.session.saved_games import was_alone
from kimberley.p2p.storage.journal import Journal
from kimberley.p2p.table.peer_addresses import KIND, PeerAddresses
from tests.support.stones import STONES
from tests.support.tables import seed, signed_roster


@pytest.mark.parametrize(
    ("port", "bots", "alone"), [(0, (1, 2), True), (0, (1,), False), (0, (), False), (7000, (1, 2), False)]
)
def test_a_player_was_alone_where_all_others_are_bots_at_a_table_that_did_not_listen(
    port: int, bots: tuple[int, ...], alone: bool, tmp_path: Path
) -> None:
    table = signed_roster(STONES, 3)
    people = [place.identity for place in table.roster.seats]
    places = PeerAddresses(people[0], 3, 1, port, {}, frozenset(people[seat] for seat in bots))
    journal = Journal.create(tmp_path, table, 0, seed(0))
    journal.write([(KIND, *places.plain())], sync=False)
    journal.close()
    assert was_alone(journal.path) is alone


def test_a_journal_that_cannot_be_read_tells_of_nobody_who_was_alone(tmp_path: Path) -> None:
    path = tmp_path / "damaged.journal"
    path.write_bytes(b"nothing of this kind")
    assert not was_alone(path)
