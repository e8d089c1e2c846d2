"""The list of tables knows at once whom the player has met at a table since the program started."""

from __future__ import annotations

from pathlib import Path

import pytest

from kimberley.client.session.network import Network
from kimberley.client.session.settings import Settings
from kimberley.games import lookup
from kimberley.p2p.discovery import mdns
from kimberley.p2p.discovery.mdns import DiscoveredTable
from kimberley.p2p.storage.identity import KNOWN_FILE, Identity, KnownKeys
from kimberley.p2p.transport.handshake import PeerVersion
from kimberley.p2p.transport.table_card import TableCard
from tests.support.asyncs import run, until

BEN = Identity.fresh().public
GAME = lookup.find("diamond")
CARD = TableCard(BEN, "Ben", GAME.id, GAME.revision, 1, 2, PeerVersion.own())


class OneTable:
    """A browser of the network that has found Ben's table."""

    silent = ()
    problem = None
    found = (DiscoveredTable("Ben", CARD, "192.168.1.7", 7411, 0.0, 0.002),)

    async def __aenter__(self) -> OneTable:
        return self

    async def __aexit__(self, *error: object) -> None:
        """Nothing is open."""

    def subscribe(self, changed: object) -> None:
        """Does nothing, since nothing changes."""


def test_a_player_met_at_a_table_is_known_to_the_list_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mdns, "Browser", OneTable)

    async def keys(network: Network) -> list[str]:
        """Returns what the list says of the keys, opened anew."""
        stop = network.watch(lambda: None)
        await until(lambda: bool(network.nearby().tables))
        stop()
        return [table.key for table in network.nearby().tables]

    async def main() -> None:
        network = Network(Settings(nickname="ana", path=tmp_path / "settings.json"))
        await network.warm()
        assert await keys(network) == ["new"]
        # As a table of this player does, once both have agreed on the words.
        KnownKeys(tmp_path).remember({BEN: "Ben"}, verified=True)
        assert await keys(network) == ["met"]
        await network.close()

    run(main())


def test_keys_that_cannot_be_read_leave_what_was_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mdns, "Browser", OneTable)

    async def main() -> None:
        network = Network(Settings(nickname="ana", path=tmp_path / "settings.json"))
        await network.warm()
        (tmp_path / KNOWN_FILE).write_text("{")
        stop = network.watch(lambda: None)
        await until(lambda: bool(network.nearby().tables))
        assert [table.key for table in network.nearby().tables] == ["new"]
        stop()
        await network.close()

    run(main())
