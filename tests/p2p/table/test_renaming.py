"""A host that names other players at its table than all sign: that spares nobody the four words."""

from __future__ import annotations

from pathlib import Path

from kimberley.p2p.storage.identity import Identity, KnownKeys
from kimberley.p2p.table.lobby import HostLobby
from kimberley.p2p.table.trust_store import TrustStore
from tests.support.asyncs import run, until
from tests.support.inside import lobby_of
from tests.support.seated import pair_of_tables


def test_names_that_a_host_changes_while_words_are_compared_lead_back_to_the_open_table(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            host = await tables.open()
            await tables.join()
            await tables.both("words")
            lobby = lobby_of(host)
            assert isinstance(lobby, HostLobby)
            lobby.people = tuple((key, "cleo" if name == "ana" else name) for key, name in lobby.people)
            for link in lobby.links.values():
                link.send(lobby.table_frame())
            await until(lambda: tables.guest.phase == "open")
            assert (
                KnownKeys(tmp_path / "ben").status_of("cleo", Identity.load_or_create(tmp_path / "ana").public) == "new"
            )

    run(story())


def test_who_was_agreed_on_is_met_by_every_name_but_that_of_somebody_known(tmp_path: Path) -> None:
    friend, other, bot = (Identity.fresh().public for _ in range(3))
    KnownKeys(tmp_path).remember({friend: "cleo"}, verified=True)
    company = TrustStore(Identity.fresh().public, tmp_path, headless=False)
    company.remember_agreed({other: "ana", bot: "Nessie"}, {bot})
    assert (
        company.trust_level(other, "ana")
        == company.trust_level(other, "anna")
        == company.trust_level(bot, "Nessie")
        == "met"
    )
    assert company.trust_level(other, "cleo") == company.trust_level(bot, "cleo") == "changed"
