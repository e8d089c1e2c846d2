"""A table of Diamond Trust without a protocol: the arena keeps the truth, and a script plays the other seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from kimberley.client.audio.port import NoAudio
from kimberley.client.session.settings import Settings
from kimberley.client.ui.palette import Depth, Palette
from kimberley.client.ui.screen import Screen
from kimberley.client.ui.terminal_window import TERMINAL
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Ask, Decide, Plain, Result, Seal, Together, space_for
from kimberley.p2p.table.common_options import AdjustTimes, adjust_times
from kimberley.protocol.events import Answered, Asked, Waiting
from tests.support.arena_table import ArenaPeer, ArenaTable
from tests.support.seated_arena import SeatedArena

Script = Mapping[tuple[int, RoundStep], Plain]
"""What a seat chooses, by round and step. For anything else it pays nothing, keeps everyone in place and sells
nothing.
"""


TWELVE: Final = AdjustTimes(12, 12)
"""A fixed time to adjust."""
UIGE, LUNDA, MALANJE, MOXICO, HUILA, CUANDO = range(6)
MEETING: Final[Script] = {
    (1, RoundStep.PAY): (4, 2, 0),
    (1, RoundStep.PLAN): ((MALANJE, 3, 0), (HOME, 0, 0), (HUILA, 2, 0)),
    (1, RoundStep.SALE_PLAN): 0,
}
THEIRS: Final[Script] = {
    (1, RoundStep.PAY): (4, 2, 0),
    (1, RoundStep.PLAN): ((MALANJE, 1, 0), (HOME, 0, 0), (LUNDA, 3, 0)),
    (1, RoundStep.MOVE): ((MALANJE, 1, 0), (HOME, 0, 0), (LUNDA, 3, 0)),
}
PLAN = ((MOXICO, 4, 1), (UIGE, 3, 0), (HUILA, 2, 0))
LOOK: Final[Script] = {(2, RoundStep.PAY): (5, 1), (2, RoundStep.PLAN): PLAN}
TOLD: Final[Script] = {(2, RoundStep.PLAN): ((HUILA, 3, 0), (HOME, 0, 0), (LUNDA, 2, 0))}
"""A second round in which ana turns (1) and learns its plan."""


def quiet(state: State, seat: int) -> Plain:
    """Returns the choice that changes nothing: the plan, once there is one."""
    match state.step:
        case RoundStep.PAY:
            return (0,) * len(state.slots(seat))
        case RoundStep.PLAN:
            return tuple((place, 0, 0) for place in state.places(seat))
        case RoundStep.MOVE:
            plan = state.plan[seat]
            assert isinstance(plan, tuple)
            return plan
        case RoundStep.INSPECT:
            return state.inspector
        case RoundStep.SALE:
            number = state.sale_plan[seat]
            assert isinstance(number, int)
            return number
        case _:
            return 0


class TrustTable(ArenaTable):
    """The test's seat, `seat`, against `script`. `mine` plays for the test's own seat as long as it has choices.

    The other side chooses at once, unless `slow`: then `go_on` delivers its choice.
    """

    def __init__(
        self, seat: int = 0, script: Script | None = None, mine: Script | None = None, inspector: int = 3,
        times: AdjustTimes = TWELVE, slow: bool = False, now: Callable[[], float] = lambda: 0.0,
    ) -> None:  # fmt: skip
        super().__init__(seat=seat, phase="playing", options=times.options)
        self.script = dict(script or {})
        self.mine = dict(mine or {})
        self.slow = slow
        self.all_seats = SeatedArena(GAME, 2, Random(1))
        self.arena_peer: ArenaPeer[State] = ArenaPeer(self.all_seats, seat)
        self.put(peer=self.arena_peer)
        self.now = now
        self._standing: Plain = None
        self._stands = False
        self.all_seats.apply((inspector,))
        self.go_on()

    @property
    def state(self) -> State:
        """What the test's seat knows."""
        return self.arena_peer.state

    @property
    def truth(self) -> State:
        truth = self.all_seats.arena.truth
        assert isinstance(truth, State)
        return truth

    def on_choice(self, plain: Plain) -> None:
        self._standing, self._stands = plain, True
        if self.play.final_adjustment_until is None:
            self.arena_peer.asked = None
            self.arena_peer.waiting = tuple(s for s in self.arena_peer.waiting if s != self.occupants.seat)
            if not self.slow:
                self.go_on()

    def answer_leaves(self) -> None:
        """Lets the current choice leave in a last look, which the other side does not end yet."""
        self.arena_peer.asked = None
        self.change(Waiting((1 - self.occupants.seat,)))

    def end_look(self) -> None:
        """Ends a last look: the current choice counts."""
        self.put(final_adjustment_until=None)
        self.arena_peer.asked = None
        self.go_on()

    def go_on(self) -> None:
        """Answers asks until the test's seat has to choose."""
        while not isinstance(ask := self.truth.ask(), Result):
            needed = ask.choosers
            choices = {seat: self.rival_choice(seat, ask) for seat in needed if seat != self.occupants.seat}
            if self.occupants.seat in needed:
                key = (self.truth.round(), self.truth.step)
                if self._stands:
                    choices[self.occupants.seat] = self._standing
                elif key in self.mine:
                    choices[self.occupants.seat] = self.mine.pop(key)
                else:
                    self._ask(ask)
                    return
            self._stands = False
            self.all_seats.apply(self.all_seats.arena.answer(ask, choices))
            self.change(Answered(len(self.arena_peer.story) - 1, *self.arena_peer.story[-1], self.state))
        self.arena_peer.result = ask
        self.arena_peer.waiting = ()
        self.change(None)

    def rival_choice(self, seat: int, ask: Ask) -> Plain:
        state = self.all_seats.views[seat]
        assert isinstance(state, State)
        return self.script.get((state.round(), state.step), quiet(state, seat))

    def _ask(self, ask: Ask) -> None:
        own = self.state.ask()
        assert isinstance(own, Decide | Together | Seal)
        space = space_for(own, self.occupants.seat)
        assert space is not None
        event = Asked(len(self.arena_peer.story), own, space)
        self.arena_peer.asked = event
        self.arena_peer.waiting = ask.choosers if self.slow else (self.occupants.seat,)
        seconds = adjust_times(self.occupants.options).most
        if isinstance(ask, Together) and ask.last_look and seconds:
            self.put(final_adjustment_until=self.now() + seconds)
            self._standing, self._stands = ask.standing_choice(self.occupants.seat), True
        self.change(event)


def table(
    mine: Script | None = None, theirs: Script | None = None, seat: int = 0, slow: bool = False,
    now: Callable[[], float] = lambda: 0.0, times: AdjustTimes = TWELVE,
) -> TrustTable:  # fmt: skip
    """Returns a table in round 2: [1] and (1) are in Malanje, [3] in Huila, (3) in Lunda, the Inspector in Moxico."""
    own = {**MEETING, (1, RoundStep.MOVE): MEETING[1, RoundStep.PLAN], (1, RoundStep.SALE): 0, **(mine or {})}
    return TrustTable(seat, {**THEIRS, **(theirs or {})}, own, inspector=MOXICO, times=times, slow=slow, now=now)


class PretendUi:
    """A `Ui` whose clock the test sets. It records what screens ask of it."""

    def __init__(self, depth: Depth = Depth.TRUE, calm: bool = False) -> None:
        self.settings = Settings()
        self.palette = Palette(depth)
        self.calm = calm
        self.window = TERMINAL
        self.audio = NoAudio()
        self.draft = ""
        self.time = 100.0
        self.toasts: list[str] = []
        self.questions: list[tuple[str, Callable[[], None]]] = []
        self.dangers: list[bool] = []
        """By question, whether Enter answers no."""
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

    def confirm(
        self, title: str, text: str, yes: str, no: str, then: Callable[[], None], *, danger: bool = False
    ) -> None:
        del title, yes, no
        self.questions.append((text, then))
        self.dangers.append(danger)

    def start(self, work: Any, *, finish: bool = False) -> None:
        work.close()

    def alert(self, on: bool = True) -> None:
        del on

    def copy(self, text: str) -> None:
        del text
