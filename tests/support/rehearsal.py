"""A script played without envelopes: what each seat gives to each stage, and what of it may be given wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.table import Plain
from protocol.asks.disclose import DiscloseMachine
from protocol.log import StageLog
from protocol.play import Play
from tests.support.script import SCRIPT
from tests.support.tables import seed, signed_roster
from tests.support.vector_functions import Played

SALT: Final = "vectors"
OTHER: Final = bytes([9]) * 32
"""A seed of nobody at the table."""

Place = tuple[int, int, int]
"""Step, stage and seat."""
Bend = Callable[[Play, Any], Plain]
"""Makes of the body that is due another one."""


class Rehearsal:
    """Seats that play a script to its end, or to the end of the step `last`.

    `choices` by seat, in the order in which it is asked; by step in `goes`, the seats that leave then. `bends` are the
    bodies that are not what they should be.
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
        """The slot behind the last stage."""
        return self.plays[0].step, self.plays[0].stage

    @property
    def played(self) -> Played:
        """As a file has it."""
        return Played(self.table.plain(), tuple((e.step, e.stage, e.bodies, e.left) for e in self.log))

    def instead_of(self, honest: Rehearsal) -> tuple[tuple[int, int, int, Plain], ...]:
        """What was given here and not there, of the same script."""
        return tuple(
            (entry.step, entry.stage, seat, body)
            for entry, right in zip(self.log, honest.log, strict=False)
            for seat, body in sorted((*entry.bodies.items(), *entry.left.items()))
            if body != ({**right.bodies, **right.left})[seat]
        )

    def body(self, step: int, stage: int, seat: int) -> Any:
        """What a seat gave to a stage; what it left with, where it left."""
        entry = next(entry for entry in self.log if (entry.step, entry.stage) == (step, stage))
        return entry.bodies.get(seat, entry.left.get(seat))

    def shows(self, *seats: int) -> tuple[tuple[int, bytes, tuple[Plain, ...]], ...]:
        """What these seats, or all that stayed, show for the audit."""
        present = seats or self.plays[0].desk.present
        return tuple((seat, seed(seat, SALT), tuple(self.plays[seat].choices)) for seat in present)


def gives(body: Plain) -> Bend:
    """Another body, whatever is due."""
    return lambda play, due: body


def commits_to(choice: Plain) -> Bend:
    """The body of a seat that chose this."""

    def bend(play: Play, body: Plain) -> Plain:
        del body
        kept, play.choices[-1] = play.choices[-1], choice
        try:
            return play.body()
        finally:
            play.choices[-1] = kept

    return bend


def says(words: Plain) -> Bend:
    """The body of a seat that tells this, whatever it has to tell."""

    def bend(play: Play, body: Plain) -> Plain:
        del body
        machine = play._machine
        assert isinstance(machine, DiscloseMachine)
        kept, machine.says = machine.says, (words,) * len(machine.tells)
        try:
            return play.body()
        finally:
            machine.says = kept

    return bend


def _kept(play: Play, body: Plain) -> Plain:
    del play
    return body


def reseeded(play: Play, body: Plain) -> Plain:
    """The body with the nonces, blindings and masks of another seed; the keys stay."""
    del body
    kept, play.desk.seed = play.desk.seed, OTHER
    try:
        return play.body()
    finally:
        play.desk.seed = kept
