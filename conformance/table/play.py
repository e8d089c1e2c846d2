"""A game of the suite's tables, as `protocol/` plays it (SPEC.md, sections 12, 13 and 15)."""

from __future__ import annotations

from collections.abc import Mapping

from kimberley.games.table import Game, Plain, Space
from kimberley.protocol.log import StageLog
from kimberley.protocol.play import Entry, Play
from kimberley.protocol.roster import SignedRoster


class TablePlay(Play):
    """A spectator's play of a game, and with it those of all seats whose seeds the suite has."""

    def __init__(self, game: Game, table: SignedRoster, seeds: Mapping[int, bytes]) -> None:
        super().__init__(game, table, None, b"")
        self.seats = {seat: Play(game, table, seat, seed) for seat, seed in seeds.items()}
        self.log: list[StageLog] = []

    @property
    def slot(self) -> tuple[int, int]:
        """(step, stage)."""
        return self.step, self.stage

    def space(self, seat: int) -> Space | None:
        """Returns the space from which a seat chooses in this step: its own if its seed is known, or what all see."""
        ask = self.seats.get(seat, self).ask
        return ask.space_for(seat) if ask is not None else None

    def make_choice(self, seat: int, choice: Plain) -> None:
        """Makes a choice for a seat whose seed is known, whether or not the rules allow it."""
        self.seats[seat].choices.append(choice)
        self.seats[seat].chosen = True

    def complete(self, bodies: Mapping[int, Plain], left: Mapping[int, Plain] | None = None) -> list[Entry]:
        """Completes the stage for all."""
        self.log.append(StageLog(*self.slot, dict(bodies), dict(left or {})))
        for play in self.seats.values():
            play.complete(bodies, left)
        return super().complete(bodies, left)
