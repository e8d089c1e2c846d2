"""A table of the piecepack game without a protocol: the test plays one seat and decides for the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from random import Random
from typing import Any

from kimberley.games.piecepack import GAME
from kimberley.games.piecepack.bots.guess import chance
from kimberley.games.piecepack.coins import as_diamonds
from kimberley.games.piecepack.rules import State
from kimberley.games.table import (
    HIDDEN,
    Answer,
    Ask,
    Decide,
    Item,
    Leave,
    Plain,
    Result,
    Shuffle,
    Space,
    evolve,
    space_for,
)
from kimberley.protocol.events import Answered, SeatDeparted
from tests.support.arena_table import ArenaTable
from tests.support.pretend import PretendPeer
from tests.support.seated_arena import SeatedArena

NAMES = ("ana", "ben", "carla", "dora", "emil", "fay")
Others = Callable[[Ask, Random], Plain]


def veiled(truth: State, seat: int | None) -> State:
    """Returns a position as a seat knows it; None for a spectator."""

    def veil(value: Any) -> Any:
        if isinstance(value, Item):
            known = [(seat is not None and mask >> seat & 1) or mask + 1 == 1 << truth.seats for mask in value.seen]
            parts = tuple(part if open_ else HIDDEN for part, open_ in zip(value.parts, known, strict=True))
            return Item(value.handle, parts, value.seen)
        return tuple(map(veil, value)) if type(value) is tuple else value

    return evolve(truth, **{field.name: veil(getattr(truth, field.name)) for field in fields(truth)})


def quietly(ask: Ask, rng: Random) -> Plain:
    """Chooses by default for other seats: they end their turn if they can, and defend with nothing."""
    assert isinstance(ask, Decide)
    if ask.topic == "defence":
        return ()
    if ask.space.violation(("end",)) is None:
        return ("end",)
    return ask.space.pick(rng)


class PiecepackTable(ArenaTable):
    """The test's seat. Others make the next of `replies`, then choose by `others`; with `slow` only when `go_on` is
    called.

    `truth` is where the game begins: the state before the lots, or any position.
    """

    def __init__(
        self,
        truth: State | None = None,
        seat: int = 0,
        seats: int = 3,
        seed: int = 1,
        replies: tuple[Plain, ...] = (),
        others: Others = quietly,
        slow: bool = False,
    ) -> None:
        start = truth if truth is not None else State.before(seats)
        count = start.seats
        self.truth = evolve(start, pile=as_diamonds(start.pile, count))
        super().__init__(
            game=GAME, seat=seat, phase="playing", agreed=(True,) * count, names=NAMES[:count], seats=count
        )
        self.put(acquaintance=("you", *["bot"] * (count - 1)))
        self.rng, self.replies, self.others = Random(seed), list(replies), others
        self.piecepack = PretendPeer(seat, veiled(self.truth, seat))
        self.put(peer=self.piecepack)
        self.slow = slow
        if not slow:
            self.go_on()

    @property
    def state(self) -> State:
        """What the test's seat knows."""
        return self.piecepack.state

    @property
    def space(self) -> Space:
        """The choices of the test's seat."""
        space = space_for(self.state.ask(), self.occupants.seat)
        assert space is not None
        return space

    def on_choice(self, plain: Plain) -> None:
        self.answer(plain)
        if not self.slow:
            self.go_on()

    def answer(self, answer: Answer) -> None:
        """Answers the pending ask. Each seat sees only its part of the answer."""
        ask, own = self.truth.ask(), self.state.ask()
        assert not isinstance(ask, Result)
        assert not isinstance(own, Result)
        shown = ask.visible_answer(answer, self.occupants.seat)
        self.truth = self.truth.apply(answer)
        self.piecepack.story = (*self.piecepack.story, (own, shown))
        self.piecepack.state = self.piecepack.state.apply(shown)
        self.change(Answered(len(self.piecepack.story) - 1, own, shown, self.state))

    def leaves(self, seat: int) -> None:
        """Lets a seat leave for good."""
        self.truth = self.truth.leave(seat)
        self.piecepack.story = (*self.piecepack.story, (Leave(seat), None))
        self.piecepack.state = self.piecepack.state.leave(seat)
        self.change(SeatDeparted(len(self.piecepack.story) - 1, seat, self.state))

    def go_on(self) -> None:
        """Lets chance and the others answer until the test's seat has to choose, or the game is over."""
        while not isinstance(ask := self.truth.ask(), Result):
            if isinstance(ask, Shuffle) and not all(isinstance(item, int) for item in ask.items):
                self.answer(self._filled(ask))
            elif not isinstance(ask, Decide):
                self.answer(chance(self.truth, ask, self.rng))
            elif ask.seat == self.occupants.seat:
                return
            else:
                self.answer(self.replies.pop(0) if self.replies else self.others(ask, self.rng))

    def _filled(self, ask: Shuffle) -> Answer:
        """Puts new coins into a bag."""
        contents = [item for item in ask.items if isinstance(item, tuple)]
        self.rng.shuffle(contents)
        first = len(self.truth.coins())
        return tuple(Item(first + place, parts, (0,) * len(parts)) for place, parts in enumerate(contents))


def random_story(seats: int, seed: int) -> tuple[tuple[tuple[Ask, Answer], ...], State, Result]:
    """Returns a whole game by random choices, as the truth has it: its story, its last state, and its result."""
    table, rng = SeatedArena(GAME, seats, Random(seed)), Random(seed)
    story: list[tuple[Ask, Answer]] = []
    while not isinstance(ask := table.arena.truth.ask(), Result):
        chosen = {seat: space.pick(rng) for seat in ask.choosers if (space := space_for(ask, seat)) is not None}
        answer = table.arena.answer(ask, chosen)
        story.append((ask, answer))
        table.arena.apply(answer)
    assert isinstance(table.arena.truth, State)
    return tuple(story), table.arena.truth, ask
