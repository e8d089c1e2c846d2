"""What a bot's program prints of a tournament."""

from __future__ import annotations

from typing import Any, cast

import pytest

from kimberley.client.session.tournament_bot import TournamentReport
from kimberley.p2p.tournament.messages import TableId
from tests.support.pretend_source import PretendSource
from tests.support.pretend_tournament import PretendClient


class SeatedBot(PretendClient):
    """A player at the first table."""

    place = TableId(1, 0)

    @property
    def people(self) -> tuple[bytes, ...]:
        return self.tournament.rounds[0].tables[0].seats


@pytest.mark.parametrize(("form", "of", "where"), [("swiss", " of round 1", "Round 1, t"), ("arena", "", "T")])
def test_a_bot_names_a_round_where_there_are_rounds(
    form: str, of: str, where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arena: dict[str, Any] = {"rounds": 0, "minutes": 60} if form == "arena" else {}
    source = PretendSource.open(names=("ana", "ben"), format=form, **arena)
    bot = SeatedBot(source, "ana")
    report = TournamentReport(cast("Any", bot), as_json=False)
    bot.change("event", source.pair())
    names = " – ".join(source.names(1, 0))
    ruling = source.decide(1, 0, (1, 2))
    bot.change("event", ruling, ruling=ruling)
    bot.change("phase", phase="over")
    report.close()
    joined, opened, finished, over = capsys.readouterr().out.splitlines()
    assert joined == "Joined the tournament Friday Cup."
    assert opened == f"{where}able 1: {names}."
    assert finished.startswith(f"Table 1{of} is finished. ")
    assert over.startswith("The tournament is over: rank ")
