"""A table of Diamond Mine without a protocol: the arena keeps the truth, the test plays one seat, a function the
others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from kimberley.games.mine import GAME
from kimberley.games.mine.rules import COLOR, State
from kimberley.games.table import (
    HIDDEN,
    Ask,
    Item,
    Leave,
    Observation,
    Plain,
    Result,
    evolve,
    space_for,
    state_after,
)
from kimberley.protocol.events import Answered, Asked
from tests.support.arena_table import ArenaPeer, ArenaTable
from tests.support.seated_arena import SeatedArena

NAMES = ("ana", "ben", "carla", "dmitri")
Chooser = Callable[[Observation], Plain]


def first_legal(observation: Observation) -> Plain:
    """Returns a legal choice, always the same one."""
    space = space_for(observation.state.ask(), observation.seat)
    assert space is not None
    return space.pick(Random(len(observation.story)))


def unseen(state: State) -> State:
    """Returns the state as all players know it: without the colors that nobody has seen."""
    items = tuple(item if item.seen[COLOR] else Item(item.handle, (HIDDEN,), item.seen) for item in state.items)
    return evolve(state, items=items)


class MineTable(ArenaTable):
    """The test's seat. The others choose by `others`, at once, or with `slow` only when `go_on` is called.

    `begins` is the seat that begins, None for lots. `seed` decides all chance. With `state`, the truth, the game
    continues from there, and its story is empty.
    """

    def __init__(
        self,
        seat: int = 0,
        seats: int = 2,
        *,
        seed: int = 1,
        begins: int | None = 0,
        fifth: bool = False,
        others: Chooser = first_legal,
        slow: bool = False,
        state: State | None = None,
    ) -> None:
        seats = state.seats if state is not None else seats
        super().__init__(
            game=GAME, seat=seat, phase="playing", names=NAMES[:seats], agreed=(True,) * seats,
            acquaintance=tuple("you" if each == seat else "new" for each in range(seats)),
        )  # fmt: skip
        self.all_seats = SeatedArena(GAME, seats, Random(seed), {"flawless": fifth} if seats == 4 else {}, begins)
        if state is not None:
            self.all_seats.arena.truth = state
            self.all_seats.arena.parts = [item.parts for item in state.items]  # type: ignore[misc]
            self.all_seats.views = [unseen(state)] * state.seats
            self.all_seats.start = self.all_seats.spectator = unseen(state)
        self.mine_peer: ArenaPeer[State] = ArenaPeer(self.all_seats, seat)
        self.put(peer=self.mine_peer)
        self.others, self.slow = others, slow
        self._mine: dict[int, Plain] = {}
        self.go_on()

    @property
    def state(self) -> State:
        return self.mine_peer.state

    @property
    def truth(self) -> State:
        truth = self.all_seats.arena.truth
        assert isinstance(truth, State)
        return truth

    def on_choice(self, plain: Plain) -> None:
        self._mine = {self.occupants.seat: plain}
        self.mine_peer.asked = None
        self.mine_peer.waiting = tuple(each for each in self.mine_peer.waiting if each != self.occupants.seat)
        if not self.slow:
            self.go_on()

    def go_on(self) -> None:
        """Answers asks until the test's seat has to choose."""
        peer = self.mine_peer
        while not isinstance(ask := self.truth.ask(), Result):
            needed = ask.choosers
            if self.occupants.seat in needed and self.occupants.seat not in self._mine:
                own = peer.state.ask()
                assert not isinstance(own, Result)
                space = space_for(own, self.occupants.seat)
                assert space is not None
                peer.asked, peer.waiting = Asked(len(peer.story), own, space), needed
                self.change(peer.asked)
                return
            self._answer(ask, needed)
        peer.result, peer.asked, peer.waiting = ask, None, ()
        self.change(None)

    def _answer(self, ask: Ask, needed: tuple[int, ...]) -> None:
        choices: Mapping[int, Plain] = {
            each: self._mine[each] if each == self.occupants.seat else self.others(self.all_seats.observation(each))
            for each in needed
        }
        if self.occupants.seat in needed:
            self._mine = {}
        self.all_seats.apply(self.all_seats.arena.answer(ask, choices))
        self.change(Answered(len(self.mine_peer.story) - 1, *self.mine_peer.story[-1], self.state))

    def leave_seat(self, seat: int) -> None:
        """Lets another seat leave the game."""
        seats = self.all_seats
        ask = Leave(seat)
        seats.arena.truth = state_after(seats.arena.truth, ask, None)
        seats.views = [state_after(view, ask, None) for view in seats.views]
        for story in seats.stories:
            story.append((ask, None))
        self.mine_peer.asked = None
        self.change(None)
        self.go_on()
