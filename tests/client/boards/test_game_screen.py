"""What the game kit gives every game: playback, going back, the log, the line mode. Played with the sixth game."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from kimberley.client.audio.port import NoAudio
from kimberley.client.audio.sound import Sound
from kimberley.client.boards.game_log import GameLog
from kimberley.client.boards.game_screen import OVER, PAST, TOO_SOON, GameScreen
from kimberley.client.boards.game_ui import Pace
from kimberley.client.boards.line_mode import LineMode
from kimberley.client.boards.playback import LATE, SKIPPING
from kimberley.client.screens.title import TitleScreen
from kimberley.client.ui.canvas import Canvas
from kimberley.p2p.sentences.notices import NOT_SENT
from tests.sixth_game.facets import GAME
from tests.sixth_game.facets.board import FacetsUI, FacetsView, GameEvent, describe_event
from tests.sixth_game.facets.rules import State
from tests.support.arena_table import OpenTable
from tests.support.asyncs import run
from tests.support.player import ScreenPlayer
from tests.support.pretend import press, pretend_app, shown, touch

UI = FacetsUI()


class FacetsTable(OpenTable[State]):
    """The test plays seat 0 of three; the others cut `replies`, one after another."""

    def __init__(self, facets: int = 12, replies: str = "", first: int = 0) -> None:
        super().__init__(
            game=GAME, seat=0, seats=3, names=("ana", "ben", "cy"), phase="playing", agreed=(True,) * 3,
            acquaintance=("you", "new", "new"), options={},
        )  # fmt: skip
        self.replies = [int(reply) for reply in replies]
        self.sit_down(State(facets, (True,) * 3))
        self.own.apply((first,))
        self.go_on()

    def go_on(self) -> None:
        while self.replies and self.own.asked is None and self.own.result is None:
            self.apply(self.replies.pop(0))


class Player(ScreenPlayer[FacetsTable, GameScreen]):
    def __init__(self, table: FacetsTable, *, calm: bool = False) -> None:
        super().__init__(lambda table, ui: GameScreen(UI, table, ui), table, calm=calm)

    @property
    def strip(self) -> str:
        return self.lines()[1]


def test_what_others_do_is_shown_one_after_another_and_then_it_is_your_turn() -> None:
    player = Player(FacetsTable(replies="12"))
    assert "Cut one to three facets." in player.strip
    player.press("3")
    assert "You cut 3 facets." in player.strip
    assert "2 more events" in player.strip
    assert not player.screen.key("2")
    assert player.table.chosen == [3]
    said = []
    while "Cut one" not in player.strip:
        due = player.screen.next_frame(player.ui.time)
        assert due is not None
        assert due > player.ui.time
        player.ui.time = due
        said.append(player.strip)
    assert [line for line in said if "ben" in line]
    assert [line for line in said if "cy" in line]
    player.press("1")
    assert player.table.chosen == [3, 1]


class Brief(FacetsUI):
    """What seat 2 does takes no time."""

    def pace(self, event: GameEvent, you: int | None) -> Pace:
        return Pace(lasting=0.0) if event.seat == 2 else super().pace(event, you)


def test_what_takes_no_time_is_not_promised_to_be_seen() -> None:
    player = ScreenPlayer(lambda table, ui: GameScreen(Brief(), table, ui), FacetsTable(replies="12"), calm=False)
    player.press("3")
    assert "1 more event" in player.lines()[1]
    player.ui.time += 0.81
    assert "ben cuts 1 facet." in player.lines()[1]
    assert "more" not in player.lines()[1]


def test_playback_is_paused_by_space_and_ended_by_enter() -> None:
    player = Player(FacetsTable(replies="12"))
    player.press("3", "space")
    assert "2 behind" in player.strip
    assert player.screen.reviewing
    assert player.screen.help().sections == (PAST,)
    player.ui.time += 60
    assert "2 behind" in player.strip
    player.press("space")
    assert "more" in player.strip
    player.press("enter")
    assert "Cut one to three facets." in player.strip
    assert PAST not in player.screen.help().sections


def taken_keys(player: ScreenPlayer[FacetsTable, GameScreen]) -> list[str]:
    """Returns the keys that reach the open form from now on."""
    taken: list[str] = []

    def take(name: str) -> bool:
        taken.append(name)
        return True

    form = player.screen.form(player.ui.time)
    assert form is not None
    form.key = take  # type: ignore[method-assign]
    return taken


@pytest.mark.parametrize(("pressed", "key"), [("space", " "), ("enter", "enter")])
def test_a_key_right_after_playback_is_still_meant_for_it(pressed: str, key: str) -> None:
    player = Player(FacetsTable(replies="12"))
    player.press("3")
    while "Cut one" not in player.strip:
        player.ui.time = player.screen.next_frame(player.ui.time) or player.ui.time
    taken = taken_keys(player)
    player.press(pressed)
    assert taken == []
    player.ui.time += SKIPPING - 0.1 if pressed == "enter" else LATE - 0.1
    player.press(pressed)
    assert taken == []
    player.ui.time += 0.2
    player.press(pressed)
    assert taken == [key]


def test_a_key_that_may_be_meant_for_playback_says_so_and_its_button_is_faint_until_then() -> None:
    player = Player(FacetsTable(replies="12"))
    player.press("3")
    while "Cut one" not in player.strip:
        player.ui.time = player.screen.next_frame(player.ui.time) or player.ui.time
    canvas = player.canvas()
    assert canvas.resting == {"key:enter"}
    player.press("enter")
    assert player.ui.toasts[-1] == TOO_SOON
    player.ui.time = player.screen.next_frame(player.ui.time) or player.ui.time
    assert not player.canvas().resting
    told, taken = len(player.ui.toasts), taken_keys(player)
    player.press("enter")
    assert len(player.ui.toasts) == told
    assert taken == ["enter"]


def test_enter_after_playback_chooses_nothing_where_its_last_event_takes_no_time() -> None:
    player = ScreenPlayer(lambda table, ui: GameScreen(Brief(), table, ui), FacetsTable(replies="12"), calm=False)
    player.press("3")
    player.ui.time += 0.81
    while "Cut one" not in player.lines()[1]:
        player.ui.time = player.screen.next_frame(player.ui.time) or player.ui.time
    taken = taken_keys(player)
    player.press("enter")
    assert taken == []
    player.ui.time += SKIPPING + 0.1
    player.press("enter")
    assert taken == ["enter"]


def test_enter_right_after_it_has_skipped_what_happened_chooses_nothing() -> None:
    player = Player(FacetsTable(replies="12"))
    player.press("3", "enter")
    taken = taken_keys(player)
    player.press("enter", "enter")
    assert taken == []
    player.ui.time += 0.6
    player.press("enter")
    assert taken == ["enter"]


def test_enter_after_another_key_is_meant_for_the_choice() -> None:
    player = Player(FacetsTable(replies="12"))
    player.press("3", "enter")
    taken = taken_keys(player)
    player.press("2", "enter")
    assert taken == ["2", "enter"]


def test_what_happened_since_the_last_choice_is_shown_again() -> None:
    player = Player(FacetsTable(replies="12"))
    player.press("f5")
    assert player.ui.toasts[1:] == ["Nothing to replay. l lists everything that has happened."]
    player.press("3", "enter")
    assert "Cut one to three facets." in player.strip
    assert "F5 replay" in player.text()
    player.press("f5")
    assert "You cut 3 facets." in player.strip
    player.ui.time += 0.81
    assert "ben cuts 1 facet." in player.strip
    player.press("enter")
    assert "Cut one to three facets." in player.strip


def test_what_happened_since_the_last_choice_is_shown_again_after_a_resume() -> None:
    before = Player(FacetsTable(replies="12"))
    before.press("3", "enter")
    player = ScreenPlayer(lambda table, ui: GameScreen(UI, table, ui), before.table, calm=False)
    assert "F5 replay" in player.text()
    assert "Replay" in [item.label for item in player.screen.menu()]
    player.press("f5")
    assert "You cut 3 facets." in player.lines()[1]


def test_one_goes_back_and_the_form_waits_at_the_present() -> None:
    player = Player(FacetsTable(replies="12"), calm=True)
    player.press("3")
    assert "6 facets left" in player.text()
    screen = player.screen
    screen.head.go(1)
    assert "12 facets left" in player.text()
    assert "3 behind" in player.strip
    player.press("2")
    assert player.table.chosen == [3]
    player.press("right")
    assert "9 facets left" in player.text()
    player.press("esc")
    assert "6 facets left" in player.text()
    player.press("2")
    assert player.table.chosen == [3, 2]


def test_what_happens_meanwhile_does_not_pull_a_player_out_of_the_past() -> None:
    player = Player(FacetsTable(first=1), calm=True)
    player.screen.head.go(0)
    player.table.apply(2)
    player.table.apply(1)
    assert "3 behind" in player.strip
    player.press("end")
    assert "Cut one to three facets." in player.strip


def test_the_log_lists_filters_finds_and_shows_a_position() -> None:
    async def main() -> None:
        app = pretend_app()
        screen = GameScreen(UI, FacetsTable(replies="12"), app)
        app.push(screen)
        press(app, "3", "l")
        assert isinstance(app.stack[-1], GameLog)
        text = shown(app)
        assert [line.split()[0] for line in text.splitlines() if "cuts" in line and "▸" not in line] != []
        assert "4 events" in text
        assert re.search(r"cut +cy cuts 2 facets\. +6 left$", text, re.M)
        press(app, "tab")
        text = shown(app)
        assert "1 event" in text
        assert "You cut 3 facets." in text
        assert "ben" not in text.partition("You cut")[2]
        touch(app, "all")
        press(app, "/", *"cy")
        assert "1 event" in shown(app)
        press(app, "enter", "enter")
        assert app.stack == [screen]
        assert "cy cuts 2 facets." in shown(app)
        press(app, "l", "home", "enter")
        assert "12 facets left" in shown(app)
        press(app, "end")
        assert "Cut one to three facets." in shown(app)

    run(main())


def test_the_log_has_names_on_badges_but_for_the_event_in_focus() -> None:
    async def main() -> None:
        app = pretend_app()
        app.push(GameScreen(UI, FacetsTable(replies="12"), app))
        press(app, "3", "l")
        canvas = app.paint(80, 24, app.now())
        rows = canvas.lines()
        for said, color in (("You cut", "seat1"), ("ben cuts", "seat2"), ("cy cuts", "seat3")):
            y = next(y for y, row in enumerate(rows) if said in row)
            style = canvas.cell(rows[y].index(said), y).style
            assert (style.bg, style.bold) == (("paper", True) if "▸" in rows[y] else (color, True)), said

    run(main())


def test_a_refused_choice_says_why_and_the_form_stays_open() -> None:
    player = Player(FacetsTable(), calm=True)
    form = player.screen.form(player.ui.time)
    assert form is not None
    form.context.send(7)
    assert "one cuts 1 to 3 facets." in player.text()
    player.press("1")
    assert "one cuts" not in player.text()
    assert player.table.chosen == [1]


def test_the_line_mode_tells_the_same_events_and_takes_the_same_choices() -> None:
    table = FacetsTable(replies="12")
    game = LineMode(UI, table)
    assert game.describe() == ["12 facets are left."]
    assert game.prompt() == ["Cut: type 1 or 2 or 3."]
    assert game.submit("4").lines[0] == "Not possible: one cuts 1 to 3 facets."
    assert game.submit("").lines == ("Cut: type 1 or 2 or 3.",)
    reply = game.submit("3")
    assert (reply.choice, reply.done) == (3, True)
    said: list[str] = []
    table.subscribe(lambda event: said.extend(game.on_event(event)))
    table.play.choose(reply.choice)
    assert said == ["You cut 3 facets.", "ben cuts 1 facet.", "cy cuts 2 facets."]
    assert game.submit("log mine").lines == ("You cut 3 facets.",)
    assert game.submit("log 1").lines == ("cy cuts 2 facets.",)
    assert game.submit("log 0").lines == game.submit("log").lines


def test_stepping_on_to_the_present_opens_the_form_again() -> None:
    player = Player(FacetsTable(replies="12"), calm=True)
    player.press("3")
    player.screen.head.go(3)
    player.press("2")
    assert player.table.chosen == [3]
    assert player.ui.toasts[-1] == "You are looking at the past. End returns to your turn."
    player.press("right")
    assert "cy cuts 2 facets." in player.strip
    player.ui.time += 1
    assert "Cut one to three facets." in player.strip
    player.press("2")
    assert player.table.chosen == [3, 2]


def test_the_end_waits_for_a_player_who_is_in_the_past() -> None:
    player = Player(FacetsTable(facets=4, replies="1"))
    player.press("3", "space")
    assert player.table.state.ask() is not None
    assert player.table.own.result is not None
    assert player.screen.busy(player.ui.time + 60)
    player.press("space")
    while (due := player.screen.next_frame(player.ui.time)) is not None:
        player.ui.time = due
        player.canvas()
    assert player.screen.busy(player.ui.time)
    assert "THE END" in player.strip
    assert player.screen.help().sections == (OVER,)
    player.press("enter")
    assert not player.screen.busy(player.ui.time)


@pytest.mark.parametrize("calm", [False, True])
def test_the_end_stays_until_enter_and_no_key_that_was_meant_for_a_move_leaves_it(calm: bool) -> None:
    player = Player(FacetsTable(facets=4, replies="1"), calm=calm)
    player.press("3", "enter")
    assert "THE END" in player.strip
    assert "Enter continue" not in player.text()
    player.press("enter")
    assert player.screen.busy(player.ui.time)
    assert "Continue Enter" not in player.strip
    player.ui.time += LATE
    assert "Enter continue" in player.text()
    assert player.strip.rstrip().endswith("Continue Enter")
    player.ui.time += 3600
    assert player.screen.busy(player.ui.time)
    player.press("enter")
    assert not player.screen.busy(player.ui.time)
    assert "THE END" in player.strip


def test_the_mouse_leads_on_from_the_end_by_a_button() -> None:
    player = Player(FacetsTable(facets=4, replies="1"), calm=True)
    player.press("3", "enter")
    player.ui.time += LATE
    player.touch("Continue Enter")
    assert not player.screen.busy(player.ui.time)


def test_a_choice_that_is_confirmed_too_late_counts_for_no_other_ask() -> None:
    table = FacetsTable(replies="12")
    player = Player(table, calm=True)
    form = player.screen.form(player.ui.time)
    assert form is not None
    player.press("3")
    assert "Cut one to three facets." in player.strip
    form.context.send(1)
    assert table.chosen == [3]


def test_a_choice_that_is_held_back_is_not_said_to_have_been_made() -> None:
    table = FacetsTable(first=1)
    player = Player(table)
    table.put(held_back=True)
    assert NOT_SENT not in player.strip
    table.put(unsaved=True)
    assert NOT_SENT in player.strip
    table.put(resigning=True)
    assert NOT_SENT not in player.strip


def test_the_log_goes_with_the_game_below_it() -> None:
    async def main() -> None:
        app = pretend_app()
        screen, other = GameScreen(UI, FacetsTable(replies="12"), app), GameScreen(UI, FacetsTable(), app)
        title = TitleScreen(app)
        app.push(title)
        app.push(screen)
        press(app, "l")
        app.replace(other)
        assert app.stack == [title, other]

    run(main())


def test_a_filter_stays_on_its_player_and_enter_shows_only_what_is_listed() -> None:
    async def main() -> None:
        app = pretend_app()
        table = FacetsTable(facets=21, first=2)
        screen = GameScreen(UI, table, app)
        app.push(screen)
        table.apply(1)
        press(app, "l", "tab", "tab")
        assert "cy cuts 1 facet." in shown(app)
        table.apply(2)
        table.apply(3)
        assert "1 event" in shown(app)
        assert "cy cuts 1 facet." in shown(app)
        press(app, "/", *"zzz", "enter", "enter")
        assert isinstance(app.stack[-1], GameLog)
        assert "No match." in shown(app)

    run(main())


def test_questions_are_answered_while_others_choose() -> None:
    game = LineMode(UI, FacetsTable(first=1))
    assert game.submit("log 5").lines == ("By lot ben begins.",)
    assert game.submit("log " + "9" * 5000).lines == ("By lot ben begins.",)
    assert game.submit("2").lines == ("Nothing for you to do now.",)


class Ear(NoAudio):
    """Keeps the sounds that are played."""

    def __init__(self) -> None:
        self.sounds: list[Sound] = []

    def play(self, sound: Sound) -> None:
        self.sounds.append(sound)


def test_the_player_is_called_when_the_choice_opens_and_not_between_own_choices() -> None:
    table = FacetsTable(replies="12")
    player = Player(table)
    ear = player.ui.audio = Ear()
    player.screen = GameScreen(UI, table, player.ui)
    player.text()
    assert ear.sounds == [Sound.YOUR_MOVE]
    player.text()
    player.press("3")
    player.text()
    # What the others do is shown first.
    assert ear.sounds == [Sound.YOUR_MOVE]
    player.press("enter")
    player.text()
    assert ear.sounds == [Sound.YOUR_MOVE] * 2


class TellingView(FacetsView):
    """Reports everything in a toast."""

    def news(self, events: Sequence[GameEvent]) -> tuple[str, bool]:
        return " ".join(describe_event(event, self.names, self.you) for event in events), False


class Telling(FacetsUI):
    def view(self, names: Sequence[str], you: int | None) -> FacetsView:
        return TellingView(names, you)


def test_drawing_moves_nothing_on() -> None:
    table = FacetsTable(replies="12")
    player = Player(table)
    ear = player.ui.audio = Ear()
    player.screen = GameScreen(Telling(), table, player.ui)
    player.press("3")
    ear.sounds.clear()
    player.ui.toasts.clear()
    at, later = player.screen.head.at, player.ui.time + 60
    for now in (later, later + 60):
        player.screen.draw(Canvas(*player.size), now)
    assert (player.screen.head.at, ear.sounds, player.ui.toasts) == (at, [], [])
    player.screen.tick(later)
    player.screen.tick(later + 60)
    assert player.screen.head.at == at + 2
    assert ear.sounds == [Sound.YOUR_MOVE]
    assert " ".join(player.ui.toasts) == "ben cuts 1 facet. cy cuts 2 facets."


def test_what_a_key_skips_is_told_by_the_tick_that_follows() -> None:
    table = FacetsTable(replies="12")
    player = Player(table)
    ear = player.ui.audio = Ear()
    player.screen = GameScreen(Telling(), table, player.ui)
    player.press("3", "enter")
    ear.sounds.clear()
    player.ui.toasts.clear()
    player.screen.draw(Canvas(*player.size), player.ui.time)
    assert (ear.sounds, player.ui.toasts) == ([], [])
    player.screen.tick(player.ui.time)
    assert (ear.sounds, player.ui.toasts) == ([Sound.YOUR_MOVE], ["ben cuts 1 facet. cy cuts 2 facets."])


def test_nobody_is_called_between_two_choices_of_their_own() -> None:
    table = FacetsTable(facets=12)
    player = Player(table)
    ear = player.ui.audio = Ear()
    player.screen = GameScreen(UI, table, player.ui)
    player.text()
    table.go_on = lambda: None  # type: ignore[method-assign]
    player.press("1")
    player.text()
    assert ear.sounds == [Sound.YOUR_MOVE]
