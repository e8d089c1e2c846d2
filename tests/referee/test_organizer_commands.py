"""What an organizer can type: one list for the terminal, the page and the docs; and whom a command means."""

from __future__ import annotations

import asyncio
import re
from typing import cast

import pytest

from kimberley.p2p.tournament.events import LotsDrawn, PlayerEnrolled, RoundPaired
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.referee.console import OWN_COMMANDS
from kimberley.referee.organizer import Organizer
from kimberley.referee.organizer_commands import COMMANDS, obey_organizer
from tests.support.paths import ROOT
from tests.support.tournaments import PEOPLE, SEED, settings_of

ANA, BEN, OTHER = PEOPLE[:3]


def test_the_docs_list_the_commands_of_the_page_and_then_those_of_the_terminal() -> None:
    text = (ROOT / "docs" / "referee.md").read_text("utf-8")
    table = text.split("| Command | What it does |")[1].split("\n\n")[0]
    typed = [word for row in table.splitlines()[2:] for word in re.findall(r"`([a-z]+)[^`]*`", row)]
    words = list(dict.fromkeys(word for word in typed if word in {*COMMANDS, *OWN_COMMANDS}))
    assert words == [*COMMANDS, *OWN_COMMANDS]


class Recorder:
    """An organizer whose commands are only noted: at table 1 sit ana, ben and somebody with the nickname `other`."""

    def __init__(self, other: str) -> None:
        now = Tournament(settings_of(seats=3, allowed=(3,)))
        for at, (identity, name) in enumerate(((ANA, "ana"), (BEN, "ben"), (OTHER, other))):
            now = now.after(PlayerEnrolled(at, identity, name))
        now = now.after(LotsDrawn(3, SEED))
        self.tournament = now.after(RoundPaired(4, 1, ((ANA, BEN, OTHER),), ()))
        self.noted: list[object] = []

    async def ban(self, identity: bytes, reason: str) -> None:
        self.noted.append((identity, reason))

    async def decide(self, number: int, winners: list[bytes], reason: str) -> None:
        self.noted.append((number, tuple(winners), reason))

    def type(self, line: str) -> list[object]:
        """Returns what the line does; its name in lists stands for {other}."""
        name = self.tournament.name(OTHER)
        asyncio.run(obey_organizer(cast("Organizer", self), line.format(other=name)))
        return self.noted


@pytest.mark.parametrize("other", ["ana:", "ana: x", "ana,ben", "ana, ben", "ben:x, ana"])
def test_a_name_with_signs_of_the_commands_in_it_means_nobody_else(other: str) -> None:
    assert Recorder(other).type("ban {other}: He talks.") == [(OTHER, "He talks.")]
    assert Recorder(other).type("decide 1 {other}: He won.") == [(0, (OTHER,), "He won.")]
    assert Recorder(other).type("decide 1 ana, ben: They won.") == [(0, (ANA, BEN), "They won.")]
