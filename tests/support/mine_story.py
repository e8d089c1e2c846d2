"""Games of Diamond Mine as a replay, a dossier and their sentences have them."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.mine.board import MineUI
from kimberley.client.boards.mine.events import GameEvent, describe_event
from kimberley.client.boards.report import Dossier
from kimberley.games.arena import Arena
from kimberley.games.mine import GAME
from kimberley.games.mine.rules import State
from kimberley.games.table import Answer, Ask, Leave, Plain, Result, Show, space_for
from tests.support.mine import GREEN, move, position, small
from tests.support.mine_table import NAMES

Story = list[tuple[Ask, Answer]]
UI = MineUI()


class WholeGame(NamedTuple):
    """The first state of a game, its story, and how it ended, if it did."""

    start: State
    story: Story
    result: Result | None

    @property
    def timeline(self) -> GameTimeline:
        """The whole game, as a replay has it."""
        timeline = GameTimeline(UI, self.start, NAMES[: self.start.seats])
        timeline.refresh(self.story, self.result)
        return timeline

    def dossier(self, seat: int | None = None) -> Dossier:
        timeline = GameTimeline(UI, self.start, NAMES[: self.start.seats], seat)
        timeline.refresh(self.story, self.result)
        return UI.report(timeline.shown(len(timeline.events)))


def random_story(
    seed: int, seats: int = 2, *, begins: int | None = None, fifth: bool = False, leaves: bool = False
) -> WholeGame:
    """Returns a whole game at random, with everything known."""
    rng = Random(seed)
    start = GAME.start(seats, {"flawless": fifth}, begins)
    arena, story = Arena(start, rng), Story()
    while not isinstance(ask := arena.truth.ask(), Result):
        state = arena.truth
        assert isinstance(state, State)
        going = rng.randrange(seats)
        if leaves and not isinstance(ask, Show) and state.present[going] and rng.random() < 0.01:
            story.append((Leave(going), None))
            arena.truth = state.leave(going)
            continue
        choices = {seat: space.pick(rng) for seat in ask.choosers if (space := space_for(ask, seat)) is not None}
        story.append((ask, arena.advance(choices)))
    return WholeGame(start, story, ask)


def steps(state: State, *answers: Plain) -> list[GameEvent]:
    """Returns what happens when the asks get these answers; gems are shown as they are."""
    events: list[GameEvent] = []
    left = list(answers)
    while left:
        ask = state.ask()
        assert not isinstance(ask, Result)
        answer = tuple((state.items[gem].parts[0],) for gem in ask.items) if isinstance(ask, Show) else left.pop(0)
        after = state.apply(answer)
        events += UI.read(len(events), state, ask, answer, after)
        state = after
    return events


def said(events: list[GameEvent]) -> list[str]:
    """Returns what is told of these events."""
    return [line for event in events for line in describe_event(event, NAMES)]


def both(a: int, b: int) -> Plain:
    """Returns the answer in which both play these cards, and neither would like to end the game."""
    return (a, False), (b, False)


FOLLOWED: list[Plain] = [
    both(2, 2), move("e7"), move("d6", dropped={"d5": small(GREEN)}), (),
    both(1, 1), move("c6"), move("d6"), (20,),
    both(1, 1), move("d5", "d5"), move("b6"),
]  # fmt: skip
"""What happens to gems that go from one player to another, from `followed` on."""


def followed() -> State:
    """Returns a position in which a small gem is carried beside an open vein."""
    return position(2, veins="d6", pawns="d4 g5", carried={0: (small(GREEN),)}, first=1)
