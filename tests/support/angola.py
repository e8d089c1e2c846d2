"""A table of Diamond Trust without a protocol: the arena keeps the truth, a script plays the other seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from client.palette import Depth, Palette
from client.screen import Screen
from client.seats import PeerLike
from client.settings import Settings
from games.arena import Seats, choosers
from games.diamond_trust import GAME
from games.diamond_trust.angola import HOME
from games.diamond_trust.position import Step
from games.diamond_trust.rules import State
from games.table import Answer, Ask, Decide, Plain, Result, Seal, Together, asked, standing
from protocol.events import Answered, Asked
from protocol.play import Refused
from protocol.record import Record
from tests.support.pretend import PretendTable

Script = Mapping[tuple[int, Step], Plain]
"""What a seat chooses, by round and step; what is not in it is nothing paid, everyone stays, nothing sold."""


UIGE, LUNDA, MALANJE, MOXICO, HUILA, CUANDO = range(6)
MEETING: Final[Script] = {
    (1, Step.PAY): (4, 2, 0),
    (1, Step.PLAN): ((MALANJE, 3, 0), (HOME, 0, 0), (HUILA, 2, 0)),
    (1, Step.SALE_PLAN): 0,
}
THEIRS: Final[Script] = {
    (1, Step.PAY): (4, 2, 0),
    (1, Step.PLAN): ((MALANJE, 1, 0), (HOME, 0, 0), (LUNDA, 3, 0)),
    (1, Step.MOVE): ((MALANJE, 1, 0), (HOME, 0, 0), (LUNDA, 3, 0)),
}
PLAN = ((MOXICO, 4, 1), (UIGE, 3, 0), (HUILA, 2, 0))
LOOK: Final[Script] = {(2, Step.PAY): (5, 1), (2, Step.PLAN): PLAN}
TOLD: Final[Script] = {(2, Step.PLAN): ((HUILA, 3, 0), (HOME, 0, 0), (LUNDA, 2, 0))}
"""A second round in which ana turns (1) and is told its plan."""


def quiet(state: State, seat: int) -> Plain:
    """The choice that does nothing: what was planned, once there is a plan."""
    match state.step:
        case Step.PAY:
            return (0,) * len(state.slots(seat))
        case Step.PLAN:
            return tuple((place, 0, 0) for place in state.places(seat))
        case Step.MOVE:
            plan = state.plan[seat]
            assert isinstance(plan, tuple)
            return plan
        case Step.INSPECT:
            return state.inspector
        case Step.SALE:
            number = state.sale_plan[seat]
            assert isinstance(number, int)
            return number
        case _:
            return 0


class ArenaPeer:
    """What a seat at the arena knows: `client.seats.PeerLike`."""

    def __init__(self, seats: Seats, seat: int) -> None:
        self._seats = seats
        self._seat = seat
        self.waiting: tuple[int, ...] = ()
        self.result: Result | None = None
        self.asked: Asked | None = None

    @property
    def state(self) -> State:
        state = self._seats.views[self._seat]
        assert isinstance(state, State)
        return state

    def record(self) -> Record:
        raise NotImplementedError("the arena signs nothing")

    @property
    def story(self) -> tuple[tuple[Ask, Answer], ...]:
        return self._seats.observation(self._seat).story


class ArenaTable(PretendTable):
    """The seat of a test, `seat`, against `script`. `mine` plays for the test's own seat as far as it goes.

    The other side's choice is there at once, unless `slow`: then `catch_up` delivers it.
    """

    def __init__(
        self, seat: int = 0, script: Script | None = None, mine: Script | None = None, inspector: int = 3,
        last_look: int = 12, slow: bool = False, now: Callable[[], float] = lambda: 0.0,
    ) -> None:  # fmt: skip
        super().__init__(seat=seat, phase="playing", options={"last_look": last_look})
        self.script = dict(script or {})
        self.mine = dict(mine or {})
        self.slow = slow
        self.all_seats = Seats(GAME, 2, Random(1))
        self.arena_peer = ArenaPeer(self.all_seats, seat)
        self.peer: PeerLike | None = self.arena_peer
        self.now = now
        self._standing: Plain = None
        self._stands = False
        self.all_seats.told((inspector,))
        self._go_on()

    @property
    def state(self) -> State:
        """What the test's seat knows."""
        return self.arena_peer.state

    @property
    def truth(self) -> State:
        truth = self.all_seats.arena.truth
        assert isinstance(truth, State)
        return truth

    def choose(self, plain: Plain) -> None:
        waiting = self.arena_peer.asked
        if waiting is None:
            raise Refused("nothing is asked")
        reason = waiting.space.why_not(plain)
        if reason is not None:
            raise Refused(reason)
        self.done.append(("choose", plain))
        self._standing, self._stands = plain, True
        if self.look_until is None:
            self.arena_peer.asked = None
            self.arena_peer.waiting = tuple(s for s in self.arena_peer.waiting if s != self.seat)
            if not self.slow:
                self._go_on()

    def catch_up(self) -> None:
        """The other side's choice arrives, and the game goes on."""
        self._go_on()

    def end_look(self) -> None:
        """The time of a last look is over: the choice as it stands counts."""
        self.look_until = None
        self.arena_peer.asked = None
        self._go_on()

    def _go_on(self) -> None:
        """Answers asks until the test's seat has to choose."""
        while not isinstance(ask := self.truth.ask(), Result):
            needed = choosers(ask)
            choices = {seat: self._rival(seat, ask) for seat in needed if seat != self.seat}
            if self.seat in needed:
                key = (self.truth.round(), self.truth.step)
                if self._stands:
                    choices[self.seat] = self._standing
                elif key in self.mine:
                    choices[self.seat] = self.mine.pop(key)
                else:
                    self._ask(ask)
                    return
            self._stands = False
            self.all_seats.told(self.all_seats.arena.answer(ask, choices))
            self.change(Answered(len(self.arena_peer.story) - 1, *self.arena_peer.story[-1], self.state))
        self.arena_peer.result = ask
        self.arena_peer.waiting = ()
        self.change(None)

    def _rival(self, seat: int, ask: Ask) -> Plain:
        state = self.all_seats.views[seat]
        assert isinstance(state, State)
        return self.script.get((state.round(), state.step), quiet(state, seat))

    def _ask(self, ask: Ask) -> None:
        own = self.state.ask()
        assert isinstance(own, Decide | Together | Seal)
        space = asked(own, self.seat)
        assert space is not None
        event = Asked(len(self.arena_peer.story), own, space)
        self.arena_peer.asked = event
        self.arena_peer.waiting = choosers(ask) if self.slow else (self.seat,)
        seconds = self.options["last_look"]
        assert isinstance(seconds, int)
        if isinstance(ask, Together) and ask.last_look and seconds:
            self.look_until = self.now() + seconds
            self._standing, self._stands = standing(ask, self.seat), True
        self.change(event)


def table(mine: Script | None = None, theirs: Script | None = None, seat: int = 0) -> ArenaTable:
    """A table in round 2, where [1] and (1) stand in Malanje, [3] in Huila, (3) in Lunda, the Inspector in Moxico."""
    own = {**MEETING, (1, Step.MOVE): MEETING[1, Step.PLAN], (1, Step.SALE): 0, **(mine or {})}
    return ArenaTable(seat, {**THEIRS, **(theirs or {})}, own, inspector=MOXICO)


class PretendUi:
    """A `Ui` whose clock the test turns. What screens ask of it is kept."""

    def __init__(self, depth: Depth = Depth.TRUE, calm: bool = False) -> None:
        self.settings = Settings()
        self.palette = Palette(depth)
        self.calm = calm
        self.time = 100.0
        self.toasts: list[str] = []
        self.questions: list[tuple[str, Callable[[], None]]] = []
        self.popped: list[Screen | None] = []

    def now(self) -> float:
        return self.time

    def redraw(self) -> None:
        return None

    def push(self, screen: Screen) -> None:
        screen.opened()

    def pop(self, screen: Screen | None = None) -> None:
        self.popped.append(screen)

    def replace(self, screen: Screen) -> None:
        screen.opened()

    def home(self) -> None:
        return None

    def toast(self, text: str, bad: bool = False) -> None:
        del bad
        self.toasts.append(text)

    def confirm(self, title: str, text: str, yes: str, no: str, then: Callable[[], None]) -> None:
        del title, yes, no
        self.questions.append((text, then))

    def start(self, work: Any, *, finish: bool = False) -> None:
        work.close()

    def alert(self, on: bool = True) -> None:
        del on

    def copy(self, text: str) -> None:
        del text
