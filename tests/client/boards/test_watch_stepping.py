"""The one screen that steps through replays: keys, wheel, a clock of its own, numbers, and the list of all moments."""

from __future__ import annotations

import pytest

from kimberley.client.boards.game_log import GameLog
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.stepping import ReplayScreen
from kimberley.client.screens.app import App
from kimberley.client.ui.canvas import Canvas
from kimberley.games import lookup
from kimberley.protocol.audit import audit
from tests.support.asyncs import run
from tests.support.effort import first_is_quick
from tests.support.pretend import press, pretend_app, shown, touch
from tests.support.watching import SEATS, bots_at


class Clock:
    """An app that shows a replay, and a clock that a test sets."""

    def __init__(self, app: App, screen: ReplayScreen) -> None:
        self.app, self.screen, self.time = app, screen, 50.0
        app.now = lambda: self.time  # type: ignore[method-assign]
        app.settings.calm = False
        app.push(screen)

    def passes(self, seconds: float) -> int:
        """Returns the moment that is shown so many seconds later."""
        self.time += seconds
        self.app.paint(80, 24, self.time)
        return self.screen.at


def replayed(game: str, length: int) -> Clock:
    """Returns a replay of the first steps of a game, in an app."""
    wire = bots_at(game)
    wire.run(lambda: len(wire.peers[-1].story) >= length)
    spectator = wire.peers[-1]
    board = find_board(game)
    names = [f"player{seat + 1}" for seat in range(SEATS[game])]
    start = lookup.find(game).start(len(names), dict(spectator.table.roster.options))
    app = pretend_app()
    return Clock(app, ReplayScreen(board.timeline(start, names), spectator.story, spectator.result, app))


def test_it_plays_by_itself_pauses_stops_at_the_end_and_begins_anew() -> None:
    async def main() -> None:
        clock = replayed("diamond", 9)
        screen = clock.screen
        count = len(screen.timeline.steps)
        assert count == 8
        press(clock.app, " ")
        assert screen.head.playing
        assert "Space pause" in shown(clock.app)
        assert clock.passes(0.01) == 0
        due = screen.next_frame(clock.time)
        assert due is not None
        assert clock.passes(due - clock.time) == 1
        press(clock.app, " ")
        assert screen.next_frame(clock.time) is None
        assert clock.passes(100) == 1
        press(clock.app, " ")
        for _ in range(count):
            clock.passes(2)
        assert (screen.at, screen.head.playing) == (count, False)
        press(clock.app, " ")
        assert clock.passes(0.01) == 0
        press(clock.app, "right")
        assert (screen.at, screen.head.playing) == (1, False)

    run(main())


@pytest.mark.slow
def test_what_moves_is_skipped_by_a_key_and_only_the_next_moment_moves() -> None:
    async def main() -> None:
        clock = replayed("mine", 60)
        screen = clock.screen
        walks = next(at for at in range(1, len(screen.timeline.steps)) if screen.timeline.moving(at))
        screen.go(walks - 1)
        press(clock.app, "right")
        assert screen.next_frame(clock.time) is not None
        before = shown(clock.app)
        press(clock.app, "right")
        assert screen.at == walks
        assert shown(clock.app) != before
        assert screen.next_frame(clock.time) is None
        press(clock.app, "home")
        screen.go(walks)
        assert screen.next_frame(clock.time) is None
        press(clock.app, "left", "right")
        assert screen.next_frame(clock.time) is not None
        press(clock.app, "l")
        assert "What happened. Enter shows the board." in shown(clock.app)

    run(main())


def test_a_number_goes_there_and_so_does_a_line_of_the_list() -> None:
    async def main() -> None:
        clock = replayed("diamond", 9)
        app, screen = clock.app, clock.screen
        press(app, "7", "backspace", "5")
        assert "go to 5 of 8" in shown(app)
        press(app, "enter")
        assert "move 5 of 8" in shown(app)
        press(app, "9", "9", "left")
        assert screen.at == 4
        press(app, "l")
        assert isinstance(app.stack[-1], GameLog)
        assert "▸" in shown(app)
        press(app, "end", "enter")
        assert screen.at == 8
        press(app, "l")
        line = next(line for line in shown(app).splitlines() if screen.timeline.describe_event(2) in line)
        touch(app, line[10:40].strip())
        touch(app, line[10:40].strip())
        assert screen.at == 2
        press(app, "l", "esc")
        assert isinstance(app.stack[-1], ReplayScreen)
        app.wheel(5, 5, 1)
        assert screen.at == 3
        press(app, "esc")
        assert not app.stack

    run(main())


@pytest.mark.slow
@pytest.mark.parametrize("game", first_is_quick(*SEATS))
def test_a_record_is_replayed_by_every_board_with_everything_open(game: str) -> None:
    wire = bots_at(game)
    wire.run(lambda: len(wire.peers[-1].story) >= 40)
    audited = audit(wire.peers[0].record().pack(), lookup.find)
    names = [place.nickname for place in audited.record.table.roster.seats]

    async def main() -> None:
        app = pretend_app()
        screen = find_board(game).replay(audited, names, app, 12)
        canvas = Canvas(80, 24)
        screen.draw(canvas, 0.0)
        text = "\n".join(canvas.lines())
        assert f"{lookup.find(game).title} · replay" in text
        assert " of " in text
        found = screen.help()
        assert found is not None
        assert found.sections[0].heading == "Stepping"
        assert screen.key("end")
        assert not screen.key("z")

    run(main())
