"""Nothing that is hidden is shown to a spectator, neither on any canvas of any moment nor in what is said."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.live_context import LiveContext
from kimberley.client.boards.registry import timeline_of
from kimberley.client.boards.view import STILL
from kimberley.client.screens.app import App
from kimberley.client.ui.canvas import Canvas
from kimberley.games import lookup
from kimberley.games.diamond_trust.rules import State as TrustState
from kimberley.games.table import Amounts, Answer, Ask, Decide, Game, Plain
from kimberley.protocol.events import Asked
from kimberley.protocol.peer import Peer
from tests.support.asyncs import run
from tests.support.effort import one_is_quick
from tests.support.laws import TwoTruths
from tests.support.pretend import pretend_app
from tests.support.tables import signed_roster
from tests.support.watching import SEATS, bots_at

MOST_COMPARED = 80
"""Steps of two games whose screens are compared."""


class TwoStories(TwoTruths):
    """Two games that differ only in what a spectator may not know, and what a spectator is told of each."""

    def __init__(self, game: Game, seats: int, rng: Random) -> None:
        super().__init__(game, seats, None, rng)
        self.stories: tuple[list[tuple[Ask, Answer]], list[tuple[Ask, Answer]]] = ([], [])
        for table, story in zip(self.tables, self.stories, strict=True):
            before = table.apply

            def told(answer: Answer, table=table, story=story, before=before) -> None:  # type: ignore[no-untyped-def]
                ask = table.spectator.ask()
                story.append((ask, ask.visible_answer(answer, None)))
                before(answer)

            table.apply = told  # type: ignore[method-assign]


def frames(timeline: GameTimeline, waiting: tuple[int, ...]) -> list[list[tuple[str, object]]]:
    """Returns every cell of every moment, live at the last one, and all that is said."""
    found: list[list[tuple[str, object]]] = [[(line, None) for line in timeline.describe()]]
    last = len(timeline.steps)
    for at in range(last + 1):
        canvas = Canvas(80, 24)
        timeline.draw(canvas, at, STILL, LiveContext(at == last, waiting, "now"))
        found.append([tuple(canvas.cell(x, y)) for y in range(24) for x in range(80)])  # type: ignore[misc]
        found.append([(timeline.describe_event(at), None)] if at else [])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("game", one_is_quick("diamond-trust", SEATS))
def test_two_games_that_differ_only_in_what_is_hidden_look_the_same(game: str) -> None:
    rules, seats = lookup.find(game), SEATS[game]
    pair = TwoStories(rules, seats, Random(1))
    pair.run()
    hides = game in ("diamond-trust", "mine", "piecepack")
    assert pair.differed == hides
    both = []
    for story in pair.stories:
        timeline = timeline_of(game, signed_roster(rules, seats).roster)
        timeline.refresh(story[:MOST_COMPARED], None)
        both.append(frames(timeline, (0,)))
    assert both[0] == both[1]


@pytest.mark.slow
def test_an_agent_that_may_be_turned_has_papers_that_do_not_tell() -> None:
    """Two tables: at one an agent is bought, at the other nobody is paid. The screens of spectators are the same."""

    def chooser(pay: int) -> list[Callable[[Peer, Asked], Plain]]:
        def choose(peer: Peer, asked: Asked) -> Plain:
            state = peer.state
            assert isinstance(state, TrustState)
            if isinstance(asked.space, Amounts):
                bribes = [slot.bribe for slot in state.slots(peer.seat or 0)]
                return tuple(pay if bribe else 0 for bribe in bribes)
            if isinstance(asked.ask, Decide):
                return state.inspector
            trips = ((0, 0, 0), (1, 0, 0), (6, 0, 0)), ((0, 0, 0), (2, 0, 0), (6, 0, 0))
            return 0 if "sale" in str(getattr(asked.ask, "topic", "")) else trips[peer.seat or 0]

        return [choose, choose]

    screens = []
    for pay in (0, 3):
        wire = bots_at("diamond-trust", "papers", chooser(pay))
        wire.run(lambda wire=wire: len(wire.peers[-1].story) >= 24)  # type: ignore[misc]
        spectator = wire.peers[-1]
        told = [seat.state.known[seat.seat or 0].turned for seat in wire.peers[:2]]  # type: ignore[attr-defined]
        assert any(turned[0] for turned in told) == bool(pay)
        timeline = timeline_of("diamond-trust", spectator.table.roster)
        timeline.refresh(spectator.story, None)
        found = frames(timeline, spectator.waiting)
        for _ in range(6):
            canvas = Canvas(100, 34)
            timeline.key("tab", len(timeline.steps), pretend_ui())
            timeline.draw(canvas, len(timeline.steps), STILL, LiveContext())
            found.append([(line, None) for line in canvas.lines()])
        screens.append(found)
        assert "loyal?" in "".join(line for line, _ in found[-6])
    assert screens[0] == screens[1]


def pretend_ui() -> App:
    async def made() -> App:
        return pretend_app()

    return run(made())
