"""A table of the land game without a protocol: the test plays one seat, bots or a script play the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from games.land import GAME
from games.land.deals import Deals
from games.land.rules import State
from games.table import Answer, Bot, Decide, Observation, Plain, Result, Roll
from protocol.events import Answered
from protocol.play import Refused
from tests.support.pretend import PretendPeer, PretendTable

NAMES = ("ana", "ben", "carla", "dmitri", "eva", "finn")
Replies = Callable[[State], Deals]


class LandTable(PretendTable):
    """The seat of a test, 0 by default, at a table of so many.

    `first` begins, on `dice`: pairs of faces from 0, then dice by `rng`. Others choose by `replies`, else by a bot of
    that level. With `state` the game goes on from there.
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
        self._bots: list[Bot] = [GAME.bot(level, salt + n) for n in range(seats)]
        self.held = held
        self.land = PretendPeer(seat, state or GAME.start(seats, chosen))
        self.peer = self.land
        self.go_on()

    @property
    def state(self) -> State:
        return self.land.state

    @property
    def turns(self) -> list[Deals]:
        """What the test's seat chose."""
        return [done[1] for done in self.done if done[0] == "choose"]

    def choose(self, plain: object) -> None:
        asked = self.land.asked
        if asked is None:
            raise Refused("nothing is asked")
        reason = asked.space.why_not(plain)  # type: ignore[arg-type]
        if reason is not None:
            raise Refused(reason)
        self.done.append(("choose", plain))
        self.tell(plain)
        self.go_on()

    def tell(self, answer: Answer) -> None:
        """What the table answers arrives."""
        before = self.land.state.ask()
        assert not isinstance(before, Result)
        self.land.tell(answer)
        self.change(Answered(len(self.land.story) - 1, before, answer, self.state))

    def go_on(self) -> None:
        """Dice are rolled and others choose, until this seat is asked, or once where others are `held`."""
        while self.land.asked is None and self.land.result is None:
            ask = self.state.ask()
            if isinstance(ask, Roll):
                self.tell(self._roll(ask))
            elif isinstance(ask, Decide) and not self.held:
                self.tell(self._reply(ask))
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
        return self._bots[ask.seat].choose(Observation(ask.seat, self.state, self.land.story))
