"""Which keys a player remembers from a table, and which are forgotten after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kimberley.p2p.table.trust_store import TrustStore

OWN, PERSON, BOT = bytes([1]) * 32, bytes([2]) * 32, bytes([3]) * 32
PEOPLE = {OWN: "ana", PERSON: "ben", BOT: "orlov"}


@pytest.mark.parametrize("how", ["a bot of this program", "named by a referee", "called so by the host"])
def test_keys_of_bots_are_forgotten_after_the_table(how: str, tmp_path: Path) -> None:
    here = TrustStore(OWN, tmp_path, headless=False)
    called = {BOT} if how == "called so by the host" else set()
    if how == "a bot of this program":
        here.bots.add(BOT)
    elif how == "named by a referee":
        here.named_bots = frozenset({BOT})
    here.remember_agreed(PEOPLE, called)
    later = TrustStore(OWN, tmp_path, headless=False)
    assert [later.trust_level(key, name) for key, name in PEOPLE.items()] == ["you", "met", "new"]
    assert later.trust_level(bytes([4]) * 32, "orlov") == "new"
    assert later.trust_level(bytes([4]) * 32, "ben") == "changed"
