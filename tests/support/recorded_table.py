"""A table at which the game of a record is played again, as one of its seats saw it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from kimberley.games import lookup
from kimberley.games.table import Answer, Ask, Observation, Plain
from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT
from kimberley.protocol.audit import AuditedGame, audit
from kimberley.protocol.roster import SignedRoster
from tests.support.paths import ROOT
from tests.support.whole_game_table import WholeGameTable

RECORD: Final = ROOT / "tests" / "data" / "diamond-trust.kdt"
"""The game that the README shows, from ana's seat: bots of levels 11 and 4 have played it at a real table."""


class RecordedTable(WholeGameTable):
    """Asks what was asked in the record, ask by ask, and gives the answers that the record has.

    The screen may choose for seat 0, and must choose what the record has: then the game goes on.
    """

    def __init__(self, record: Path, now: Callable[[], float]) -> None:
        self.recorded: AuditedGame = audit(record.read_bytes(), lookup.find)
        roster = self.recorded.record.table.roster
        options = dict(roster.options)
        seconds = options.pop(FINAL_ADJUSTMENT)
        assert isinstance(seconds, int)
        super().__init__(roster.game, len(roster.seats), 0, _recorded, now, options, seconds)
        assert self.occupants.names == tuple(seat.nickname for seat in roster.seats)
        assert self.start == self.recorded.start

    def resolve(self, ask: Ask, chosen: Mapping[int, Plain]) -> Answer:
        answer = self.recorded.story[len(self.story)][1]
        differing = {seat: choice for seat, choice in chosen.items() if choice != answer[seat]}
        assert not differing, f"{ask} was answered {answer}, not {differing}"
        return answer

    def audited_game(self) -> AuditedGame:
        return self.recorded

    def signed(self) -> SignedRoster:
        return self.recorded.record.table


def _recorded(observation: Observation) -> Plain:
    raise AssertionError(f"the record says what seat {observation.seat} chooses")
