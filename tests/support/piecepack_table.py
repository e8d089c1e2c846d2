"""A table of the piecepack game without a protocol: the test plays one seat, and says what the others do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from random import Random
from typing import Any

from games.arena import Seats, choosers
from games.piecepack import GAME
from games.piecepack.coins import as_diamonds
from games.piecepack.guess import chance
from games.piecepack.rules import State
from games.table import HIDDEN, Answer, Ask, Decide, Item, Leave, Plain, Result, Shuffle, Space, asked, changed, seen
from protocol.events import Answered, Gone
from protocol.play import Refused
from tests.support.pretend import PretendPeer, PretendTable

NAMES = ("ana", "ben", "carla", "dora", "emil", "fay")
Others = Callable[[Ask, Random], Plain]


def veiled(truth: State, seat: int | None) -> State:
    """A position as a seat knows it; None for an onlooker."""

    def veil(value: Any) -> Any:
        if isinstance(value, Item):
            known = [(seat is not None and mask >> seat & 1) or mask + 1 == 1 << truth.seats for mask in value.seen]
            parts = tuple(part if open_ else HIDDEN for part, open_ in zip(value.parts, known, strict=True))
            return Item(value.handle, parts, value.seen)
        return tuple(map(veil, value)) if type(value) is tuple else value

    return changed(truth, **{field.name: veil(getattr(truth, field.name)) for field in fields(truth)})


def quietly(ask: Ask, rng: Random) -> Plain:
    """What others do unless a test says so: they end their turn where they can, and defend with nothing."""
    assert isinstance(ask, Decide)
    if ask.topic == "defence":
        return ()
    if ask.space.why_not(("end",)) is None:
        return ("end",)
    return ask.space.pick(rng)


class PiecepackTable(PretendTable):
    """The seat of a test. Others make the next of `replies`, then do what `others` says; with `slow` only when the
    test says `go_on`.

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
        self.truth = changed(start, pile=as_diamonds(start.pile, count))
        super().__init__(
            game=GAME, seat=seat, phase="playing", agreed=(True,) * count, names=NAMES[:count], seats=count
        )
        self.acquaintance = ("you", *["bot"] * (count - 1))
        self.rng, self.replies, self.others = Random(seed), list(replies), others
        self.piecepack = PretendPeer(seat, veiled(self.truth, seat))
        self.peer = self.piecepack
        self.slow = slow
        if not slow:
            self.go_on()

    @property
    def state(self) -> State:
        """What the test's seat knows."""
        return self.piecepack.state

    @property
    def choices(self) -> list[Plain]:
        """What the test's seat chose."""
        return [done[1] for done in self.done if done[0] == "choose"]

    @property
    def space(self) -> Space:
        """What the test's seat chooses from."""
        space = asked(self.state.ask(), self.seat)
        assert space is not None
        return space

    def choose(self, plain: Plain) -> None:
        waiting = self.piecepack.asked
        if waiting is None:
            raise Refused("nothing is asked")
        reason = waiting.space.why_not(plain)
        if reason is not None:
            raise Refused(reason)
        self.done.append(("choose", plain))
        self.answer(plain)
        if not self.slow:
            self.go_on()

    def answer(self, answer: Answer) -> None:
        """The pending ask is answered, the same for all but for what they may see."""
        ask, own = self.truth.ask(), self.state.ask()
        assert not isinstance(ask, Result)
        assert not isinstance(own, Result)
        shown = seen(ask, answer, self.seat)
        self.truth = self.truth.tell(answer)
        self.piecepack.story = (*self.piecepack.story, (own, shown))
        self.piecepack.state = self.piecepack.state.tell(shown)
        self.change(Answered(len(self.piecepack.story) - 1, own, shown, self.state))

    def leaves(self, seat: int) -> None:
        """A seat has left for good."""
        self.truth = self.truth.leave(seat)
        self.piecepack.story = (*self.piecepack.story, (Leave(seat), None))
        self.piecepack.state = self.piecepack.state.leave(seat)
        self.change(Gone(len(self.piecepack.story) - 1, seat, self.state))

    def go_on(self) -> None:
        """Chance and others answer until the test's seat has to choose, or the game is over."""
        while not isinstance(ask := self.truth.ask(), Result):
            if isinstance(ask, Shuffle) and not all(isinstance(item, int) for item in ask.items):
                self.answer(self._filled(ask))
            elif not isinstance(ask, Decide):
                self.answer(chance(self.truth, ask, self.rng))
            elif ask.seat == self.seat:
                return
            else:
                self.answer(self.replies.pop(0) if self.replies else self.others(ask, self.rng))

    def _filled(self, ask: Shuffle) -> Answer:
        """New coins are put into a bag."""
        contents = [item for item in ask.items if isinstance(item, tuple)]
        self.rng.shuffle(contents)
        first = len(self.truth.coins())
        return tuple(Item(first + place, parts, (0,) * len(parts)) for place, parts in enumerate(contents))


def random_story(seats: int, seed: int) -> tuple[tuple[tuple[Ask, Answer], ...], State, Result]:
    """A whole game by random choices, as the truth has it: its story, its last state, and how it ended."""
    table, rng = Seats(GAME, seats, Random(seed)), Random(seed)
    story: list[tuple[Ask, Answer]] = []
    while not isinstance(ask := table.arena.truth.ask(), Result):
        chosen = {seat: space.pick(rng) for seat in choosers(ask) if (space := asked(ask, seat)) is not None}
        answer = table.arena.answer(ask, chosen)
        story.append((ask, answer))
        table.arena.told(answer)
    assert isinstance(table.arena.truth, State)
    return tuple(story), table.arena.truth, ask
