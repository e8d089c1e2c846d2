"""A script played without envelopes: what each seat gives to each stage, and how a test can falsify it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kimberley.conformance.forging import Bend
from kimberley.conformance.script import SCRIPT
from kimberley.games.table import Plain
from kimberley.protocol.log import StageLog
from kimberley.protocol.play import Play
from tests.conformance.vectors.functions import Played
from tests.support.tables import seed, signed_roster

SALT: Final = "vectors"

Place = tuple[int, int, int]
"""Step, stage and seat."""


class Rehearsal:
    """Seats that play a script to its end, or to the end of the step `last`.

    `choices` are by seat, in the order in which the seat is asked. `goes` names the seats that leave, by step. `bends`
    falsifies bodies.
    """

    def __init__(
        self,
        seats: int,
        asks: Plain,
        choices: Sequence[Sequence[Plain]] = (),
        goes: Mapping[int, Sequence[int]] | None = None,
        bends: Mapping[Place, Bend] | None = None,
        last: int | None = None,
    ) -> None:
        self.table = signed_roster(SCRIPT, seats, SALT, {"asks": asks})
        self.plays = [Play(SCRIPT, self.table, seat, seed(seat, SALT)) for seat in range(seats)]
        self.log: list[StageLog] = []
        left = [list(own) for own in choices] or [[] for _ in range(seats)]
        while self.plays[0].result is None and (last is None or self.plays[0].step <= last):
            step, stage = self.plays[0].step, self.plays[0].stage
            bodies: dict[int, Plain] = {}
            leaving: dict[int, Plain] = {}
            for seat in self.plays[0].owing:
                play = self.plays[seat]
                bend = (bends or {}).get((step, stage, seat), _kept)
                if seat in (goes or {}).get(step, ()):
                    leaving[seat] = bend(play, play.leave_body())
                    continue
                if play.wants is not None:
                    play.choose(left[seat].pop(0))
                bodies[seat] = bend(play, play.body())
            self.log.append(StageLog(step, stage, bodies, leaving))
            for play in self.plays:
                play.complete(bodies, leaving)

    @property
    def end(self) -> tuple[int, int]:
        """The slot after the last stage."""
        return self.plays[0].step, self.plays[0].stage

    @property
    def played(self) -> Played:
        """The game in the form of a vector file."""
        return Played(self.table.plain(), tuple((e.step, e.stage, e.bodies, e.left) for e in self.log))

    def instead_of(self, honest: Rehearsal) -> tuple[tuple[int, int, int, Plain], ...]:
        """Returns the bodies given here that differ from those of an honest rehearsal of the same script."""
        return tuple(
            (entry.step, entry.stage, seat, body)
            for entry, right in zip(self.log, honest.log, strict=False)
            for seat, body in sorted((*entry.bodies.items(), *entry.left.items()))
            if body != ({**right.bodies, **right.left})[seat]
        )

    def body(self, step: int, stage: int, seat: int) -> Any:
        """Returns a seat's body in a stage, or its leave body if it left there."""
        entry = next(entry for entry in self.log if (entry.step, entry.stage) == (step, stage))
        return entry.bodies.get(seat, entry.left.get(seat))

    def shows(self, *seats: int) -> tuple[tuple[int, bytes, tuple[Plain, ...]], ...]:
        """Returns what these seats, or all that stayed, show for the audit."""
        present = seats or self.plays[0].crypto.present
        return tuple((seat, seed(seat, SALT), tuple(self.plays[seat].choices)) for seat in present)


def _kept(play: Play, body: Plain) -> Plain:
    del play
    return body
