"""A table without a protocol, at which a test plays one seat: the common part of the tables of all five games."""

from __future__ import annotations

from typing import Any, Generic, TypeVar, cast

from kimberley.games.table import Answer, Ask, Plain, Result, State
from kimberley.protocol.events import Answered, Asked
from kimberley.protocol.play import NotAllowed
from tests.support.pretend import PretendPeer, PretendTable
from tests.support.seated_arena import SeatedArena

S = TypeVar("S", bound=State)


class ArenaPeer(Generic[S]):
    """What a seat at the arena knows: as much of `p2p.table.runner.PeerView` as clients read."""

    def __init__(self, arena: SeatedArena, seat: int) -> None:
        self._arena, self._seat = arena, seat
        self.waiting: tuple[int, ...] = ()
        self.result: Result | None = None
        self.asked: Asked | None = None

    @property
    def first_state(self) -> State:
        return self._arena.start

    @property
    def state(self) -> S:
        return cast(S, self._arena.views[self._seat])

    @property
    def story(self) -> tuple[tuple[Ask, Answer], ...]:
        return self._arena.observation(self._seat).story


class ArenaTable(PretendTable):
    """Accepts a choice of the test's seat if the seat was asked and the rules allow it. `on_choice` handles the
    rest.
    """

    @property
    def chosen(self) -> list[Any]:
        """The choices of the test's seat."""
        return [done[1] for done in self.done if done[0] == "choose"]

    def take_choice(self, plain: Plain, *, final: bool = True) -> None:
        asked = None if self.peer is None else self.peer.asked
        if asked is None:
            raise NotAllowed("nothing is asked")
        if (reason := asked.space.violation(plain)) is not None:
            raise NotAllowed(reason)
        super().take_choice(plain, final=final)
        self.on_choice(plain)

    def on_choice(self, plain: Plain) -> None:
        raise NotImplementedError

    def go_on(self) -> None:
        """Lets chance and the other seats answer, until the test's seat has to choose."""
        raise NotImplementedError


class OpenTable(ArenaTable, Generic[S]):
    """A table of a game in which nothing is hidden: all seats see the same."""

    def sit_down(self, state: S) -> None:
        """Begins the game with that state."""
        self.own = PretendPeer(self.occupants.seat, state)
        self.put(peer=self.own)

    @property
    def state(self) -> S:
        return self.own.state

    def on_choice(self, plain: Plain) -> None:
        self.apply(plain)
        self.go_on()

    def apply(self, answer: Answer) -> None:
        """Applies the table's answer and announces it."""
        before = self.state.ask()
        assert not isinstance(before, Result)
        self.own.apply(answer)
        self.change(Answered(len(self.own.story) - 1, before, answer, self.state))
