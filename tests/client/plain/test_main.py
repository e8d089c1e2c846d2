"""The main menu of the text mode."""

from __future__ import annotations

import asyncio

import pytest

from kimberley.client.plain import main
from kimberley.client.plain.main import PlainClient
from kimberley.client.session.settings import Settings
from kimberley.p2p.transport.table_card import TournamentCard
from tests.support.pretend import PretendServices, listed
from tests.support.typed import Typed


def listings(services: PretendServices, times: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is said of the tables on the network, asked so often."""
    monkeypatch.setattr(main, "LISTEN_SECONDS", 0)

    async def story() -> list[str]:
        lines = Typed()
        for line in [*["list"] * times, "quit"]:
            lines.type(line)
        await PlainClient(Settings(nickname="ana"), services, lines).main(None)
        return [line for line in lines.said[1:] if line != "Looking for tables."]

    return asyncio.run(story())


def test_tables_are_listed_first_and_no_tournament_that_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    running, over = (
        listed(name, tournament=TournamentCard(name, "swiss", 6, 5, 5, ended))
        for name, ended in (("Friday Cup", False), ("Monday Cup", True))
    )
    said = listings(PretendServices(tables=(over, running, listed("ben"))), 1, monkeypatch)
    assert [line.split(" at ")[0] for line in said] == ["ben", "Friday Cup"]


@pytest.mark.parametrize(("silent", "times"), [(0, 2), (1, 1)])
def test_the_network_is_spoken_of_only_when_something_has_failed(
    silent: int, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = PretendServices()
    assert listings(services, 1, monkeypatch) == ["No tables found yet. Type list to look again."]
    services.silent = silent
    assert any("firewalls must allow" in line for line in listings(services, times, monkeypatch))
