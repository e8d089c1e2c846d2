"""A table of the land game without a protocol: the test plays one seat; bots or a script play the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from kimberley.games.bots.base import Bot
from kimberley.games.bots.levels import make_bot
from kimberley.games.land import GAME
from kimberley.games.land.deals import Deals
from kimberley.games.land.rules import State
from kimberley.games.table import Decide, Observation, Plain, Roll
from tests.support.arena_table import OpenTable

NAMES = ("ana", "ben", "carla", "dmitri", "eva", "finn")
Replies = Callable[[State], Deals]


class LandTable(OpenTable[State]):
    """The test's seat, 0 by default, at a table of that many seats.

    `first` begins. `dice` are the first rolls, pairs of faces from 0; later ones come from a generator seeded by
    `salt`. Others choose by `replies`, else by a bot of that level. With `state`, the game continues from there, and
    its story is empty.
    """

    def __init__(
        self,
        seats: int = 3,
        seat: int = 0,
        first: int = 0,
        *,
        dice: Sequence[tuple[int, int]] = (),
        replies: Replies | None = None,
        state: State | None = None,
        options: Mapping[str, Plain] | None = None,
        level: int = 1,
        salt: int = 1,
        held: bool = False,
    ) -> None:
        chosen = dict(options or {})
        super().__init__(
            game=GAME, seat=seat, seats=seats, names=NAMES[:seats], phase="playing", agreed=(True,) * seats,
            acquaintance=tuple("you" if n == seat else "bot" for n in range(seats)), options=chosen,
        )  # fmt: skip
        self._first, self._dice, self._replies, self._rng = first, list(dice), replies, Random(salt)
        self._bots: list[Bot] = [make_bot(GAME, level, salt + n) for n in range(seats)]
        self.held = held
        self.sit_down(state or GAME.start(seats, chosen))
        self.go_on()

    def go_on(self) -> None:
        """Rolls dice and lets the others choose until this seat is asked. If the others are `held`, it stops at their
        turn.
        """
        while self.own.asked is None and self.own.result is None:
            ask = self.state.ask()
            if isinstance(ask, Roll):
                self.apply(self._roll(ask))
            elif isinstance(ask, Decide) and not self.held:
                self.apply(self._reply(ask))
            else:
                return

    def _roll(self, ask: Roll) -> tuple[int, ...]:
        if len(ask.sides) == 2 and self._dice:
            return self._dice.pop(0)
        faces = tuple(self._rng.randrange(sides) for sides in ask.sides)
        return faces if len(ask.sides) == 2 else (self._first, *faces[1:])

    def _reply(self, ask: Decide) -> Plain:
        if self._replies is not None:
            return self._replies(self.state)
        return self._bots[ask.seat].choose(Observation(ask.seat, self.state, self.own.story))
