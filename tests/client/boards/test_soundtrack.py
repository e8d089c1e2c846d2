"""What is heard of a game: with what the screen shows, never ahead of it, and nothing that a player must not know."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from functools import cache

import pytest

from kimberley.client.audio.commands import PlayPiece
from kimberley.client.audio.sound import Sound
from kimberley.client.boards.game_screen import WAY_ON, GameScreen
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.playhead import Playhead
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.soundtrack import Soundtrack
from kimberley.client.boards.stepping import SteppingScreen
from kimberley.client.boards.story_music import StoryMusic
from kimberley.client.screens.app import App
from kimberley.games.table import Result
from tests.support.asyncs import run
from tests.support.board_snapshots import Clock, Scenario, finished_game
from tests.support.heard import PretendSender, audible
from tests.support.music import GAMES, played
from tests.support.pretend import pretend_app
from tests.support.whole_game_table import NAMES, WholeGameTable

SEATS = {"diamond-trust": 2, "diamond": 2, "land": 2, "mine": 2, "piecepack": 3}
TRUST = Scenario("diamond-trust", 2, 3, {})


@cache
def heard_by_step(scenario: Scenario) -> Mapping[int | None, Mapping[int, Set[Sound]]]:
    """Returns the sounds of a whole game at each step, as each seat and a spectator (None) hear them."""
    table = scenario.table(Clock())
    while not isinstance(table.ask, Result):
        table.answer()
    game = find_board(scenario.game).game
    found: dict[int | None, Mapping[int, Set[Sound]]] = {}
    for seat in (*range(scenario.seats), None):
        story = table.seen if seat is None else table.all_seats.observation(seat).story
        timeline = GameTimeline(game, table.start, NAMES[: scenario.seats], seat)
        timeline.refresh(story, None)
        sounds = defaultdict[int, set[Sound]](set)
        for event in timeline.events:
            if new := game.sounds(event):
                sounds[event.step].update(new)
        found[seat] = sounds
    return found


def public(sounds: Mapping[int, Set[Sound]]) -> dict[int, Set[Sound]]:
    return {step: told for step, every in sounds.items() if (told := every - {Sound.AGENT_TURNED})}


@pytest.mark.parametrize("game", SEATS)
def test_what_is_public_sounds_the_same_to_everybody(game: str) -> None:
    heard = heard_by_step(TRUST if game == TRUST.game else Scenario(game, SEATS[game], 1, {}))
    everybody = public(heard[None])
    assert everybody
    assert all(public(sounds) == everybody for sounds in heard.values())


def test_only_those_who_may_know_hear_that_an_agent_turned() -> None:
    heard = heard_by_step(TRUST)
    turned = {
        seat: {step for step, every in sounds.items() if Sound.AGENT_TURNED in every} for seat, sounds in heard.items()
    }
    assert turned[None] == set()
    assert turned[0] | turned[1]
    assert turned[0] != turned[1]


def expected(screen: GameScreen | SteppingScreen) -> Sequence[str]:
    """Returns the cues of all that a screen has shown, by the parts of each step, and of all before the next event."""
    timeline, at = screen.timeline, screen.head.at
    music = timeline.game.music()
    assert music is not None
    assert timeline.start is not None
    story = StoryMusic(timeline.game, music, timeline.start)
    story.refresh(timeline.story, timeline.result)
    if at == screen.head.last:
        return [timed.cue.kind for timed in story.cues]
    step = timeline.steps[at]
    shown, whole = timeline.steps[:at].count(step), timeline.steps.count(step)
    return [timed.cue.kind for timed in story.until(step, shown / whole)]


@pytest.mark.parametrize("game", GAMES)
def test_who_sees_nothing_of_a_public_entry_hears_it_when_the_others_do(game: str) -> None:
    """Whether a person paid an agent is a secret, and only who did has an event to look at."""
    found = played(game)
    seen = [(ask, ask.visible_answer(answer, None)) for ask, answer in found.opened]
    heard = []
    for seat, story in ((0, found.stories[0]), (1, found.stories[1]), (None, seen)):
        sender = PretendSender()
        timeline = GameTimeline(find_board(game).game, found.start, NAMES, seat)
        soundtrack = Soundtrack(timeline, audible(sender))
        soundtrack.begin(0)
        given = []
        for length in range(1, len(story) + 1):
            timeline.refresh(story[:length], None)
            soundtrack.follow(len(timeline.events))
            given.append(list(sender.cues))
        heard.append(given)
    assert heard[0] == heard[1] == heard[2]
    assert len(heard[0][-1]) > 4


def at_table(table: WholeGameTable, clock: Clock, sender: PretendSender, *, calm: bool) -> tuple[App, GameScreen]:
    """Returns a player's screen at a table of Diamond Trust, and the program around it."""
    app = pretend_app(calm=calm)
    app.now = clock.now  # type: ignore[method-assign]
    app.audio = audible(sender)
    screen = GameScreen(find_board(TRUST.game).game, table, app)
    app.push(screen)
    return app, screen


@pytest.mark.slow
def test_the_music_of_a_game_never_runs_ahead_of_what_is_shown() -> None:
    clock, sender, late = Clock(), PretendSender(), 0
    table = TRUST.table(clock)

    async def play() -> None:
        nonlocal late
        app, screen = at_table(table, clock, sender, calm=False)
        while not isinstance(table.ask, Result) and len(table.story) < 20:
            table.offer()
            table.answer()
            while not screen.head.caught_up(clock.time):
                app.paint(80, 24, clock.time)
                assert sender.cues == expected(screen)
                late += screen.head.at < screen.head.last
                if screen.head.stopped(clock.time):
                    app.key("enter")
                clock.time += 0.5
            app.paint(80, 24, clock.time)
            assert sender.cues == expected(screen)

    run(play())
    assert late
    assert sender.cues


def test_the_player_is_called_and_finds_a_button_where_the_board_stops_before_a_choice() -> None:
    """A month's card stays until a key, so a player who looks away would never come back."""
    clock, sender, stops = Clock(), PretendSender(), 0
    table = TRUST.table(clock)

    async def play() -> None:
        nonlocal stops
        app, screen = at_table(table, clock, sender, calm=False)
        table.offer()
        while not isinstance(table.ask, Result) and not stops:
            before = len(sender.sounds)
            table.answer()
            table.offer()
            while not screen.head.caught_up(clock.time):
                app.paint(80, 24, clock.time)
                if screen.head.stopped(clock.time):
                    # Nobody who plays by mouse looks for a key.
                    assert sum(" ".join(WAY_ON) in row for row in app.paint(80, 24, clock.time).lines()) == 1
                    if screen.needs_player(clock.time):
                        stops += 1
                        assert Sound.YOUR_MOVE in sender.sounds[before:]
                    app.key("enter")
                clock.time += 0.5

    run(play())
    assert stops


def test_going_back_in_a_game_that_is_played_is_not_heard() -> None:
    clock, sender = Clock(), PretendSender()
    table = TRUST.table(clock)

    async def play() -> None:
        app, screen = at_table(table, clock, sender, calm=True)
        for _ in range(8):
            table.offer()
            table.answer()
            while not screen.head.caught_up(clock.time):
                app.key("enter")
                app.paint(80, 24, clock.time)
                clock.time += 1
        app.paint(80, 24, clock.time)
        before = list(sender.commands)
        for key in ("left", "left", "home", "right", "right", "end"):
            app.key(key)
            app.paint(80, 24, clock.time)
        assert sender.commands == before

    run(play())


@pytest.mark.slow
def test_a_replay_plays_the_music_of_the_game_wherever_it_is_led() -> None:
    audited, sender = finished_game(TRUST), PretendSender()

    async def play() -> None:
        app = pretend_app(calm=True)
        app.audio = audible(sender)
        screen = find_board(TRUST.game).replay(audited, NAMES[:2], app, None)
        assert isinstance(screen, SteppingScreen)
        app.push(screen)
        app.paint(80, 24, 0.0)
        for key in ("end", "home", *("right",) * 60):
            app.key(key)
            app.paint(80, 24, 0.0)
            pieces = [place for place, said in enumerate(sender.commands) if isinstance(said, PlayPiece)]
            piece = sender.commands[pieces[-1]]
            assert isinstance(piece, PlayPiece)
            since = PretendSender()
            since.commands = sender.commands[pieces[-1] :]
            assert [*(cue.kind for cue in piece.cues), *since.cues] == expected(screen)

    run(play())
    assert Sound.DIAMOND in sender.sounds


def test_a_replay_that_plays_by_itself_goes_on_in_one_piece_and_a_rematch_begins_another() -> None:
    audited, sender, clock = finished_game(TRUST), PretendSender(), Clock()

    def pieces() -> int:
        return sum(isinstance(said, PlayPiece) for said in sender.commands)

    async def play() -> None:
        app = pretend_app(calm=False)
        app.now = clock.now  # type: ignore[method-assign]
        app.audio = audible(sender)
        board = find_board(TRUST.game)
        screen = board.replay(audited, NAMES[:2], app, None)
        assert isinstance(screen, SteppingScreen)
        app.push(screen)
        app.key(" ")
        for _ in range(40):
            clock.time += 7
            app.paint(80, 24, clock.time)
        assert screen.at > 40
        assert pieces() == 1
        assert sender.cues == expected(screen)
        timeline = board.timeline(audited.start, NAMES[:2])
        screen.head = Playhead(timeline, app)
        timeline.refresh(audited.story[:9], None)
        app.paint(80, 24, clock.time)
        assert pieces() == 2

    run(play())
