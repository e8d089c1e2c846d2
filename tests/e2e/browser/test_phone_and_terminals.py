"""Phones in Chromium and seats in terminals: whole games by touch alone, to records that verify."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.support.at_the_lan import records, verified
from tests.support.chromium import LOOPBACK, Chromium
from tests.support.effort import tries
from tests.support.phone_tables import ON_TERMINALS, at_one_table

pytestmark = pytest.mark.e2e

ROUNDS: Final = 2


@pytest.mark.parametrize(
    ("game", "terminals", "phones"),
    [
        ("land", 1, 1),
        # Two phones reach each other, and the guest's terminal, through the host.
        pytest.param("mine", 2, 2, marks=pytest.mark.nightly),
        *tries([], [("land", 3, 1), ("land", 4, 2), ("mine", 1, 1), ("piecepack", 2, 1), ("piecepack", 4, 2)]),
    ],
)
def test_phones_and_terminals(chromium: Chromium, tmp_path: Path, game: str, terminals: int, phones: int) -> None:
    # Where only two play, the host has no IPv4 address.
    bind = "::1" if terminals == phones == 1 else LOOPBACK
    with at_one_table(chromium, tmp_path, game, terminals=terminals, phones=phones, bind=bind) as table:
        table.finish(ROUNDS)
        saved = {phone.download("Export record") for phone in table.phones}
        assert table.problems == []
    (kept,) = records(tmp_path, *ON_TERMINALS[:terminals])
    assert verified(kept) == "fair"
    assert saved == {kept.read_bytes()}
