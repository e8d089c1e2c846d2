"""A game at a table, on the screen: the same frame around the board of every game.

What happened is shown event by event (`playback`). Once that has caught up with the timeline, the form of the pending
choice is open. The player may go back through the game at any time; the form waits at the latest position.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from kimberley.client.audio.sound import Sound
from kimberley.client.boards import advice, board_guide, take_back
from kimberley.client.boards.board_guide import BoardGuide
from kimberley.client.boards.bubble import HOLD, NEXT, STOP
from kimberley.client.boards.draft import Draft, Input, to_form, to_view
from kimberley.client.boards.form import AnyForm
from kimberley.client.boards.game_log import GameLog
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.game_ui import AnyGameUI
from kimberley.client.boards.pending_choice import PendingChoice
from kimberley.client.boards.playback import Playback
from kimberley.client.boards.portrait import draw_portrait
from kimberley.client.boards.soundtrack import Soundtrack
from kimberley.client.boards.subject import reason_told, subject
from kimberley.client.boards.view import Countdown, Shown, Strip
from kimberley.client.session.banners import Banner
from kimberley.client.session.bots import is_aided
from kimberley.client.session.chat import speaker_name
from kimberley.client.session.participants import (
    WaitTracker,
    can_resign,
    only_bots,
    opponents,
    spoken_names,
)
from kimberley.client.ui.bars import key_bar, note_room, strip_room, title_bar
from kimberley.client.ui.buttons import button_width, right_button
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width, clean
from kimberley.client.ui.keys import AGAIN_KEY, LOG_KEY, Hint, key_name
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import LANDSCAPE, Help, MenuItem, Screen, ScreenSize, Section, Ui
from kimberley.games.phrases import count_of
from kimberley.games.table import Plain, Result
from kimberley.p2p.base.keyboard import readings
from kimberley.p2p.sentences.notices import NOT_SENT, RESIGNED, as_sentence
from kimberley.p2p.table.common_options import adjust_times
from kimberley.protocol.play import NotAllowed

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

ROOMY: Final = 100
"""From this many columns on, the title bar says who plays."""
ASIDE_ROOM: Final = 28
"""The columns at the right of the phase strip that say whom the table waits for."""
NARROW_ASIDE_ROOM: Final = 24
"""The same on a portrait screen."""
SQUARE_LETTERS: Final = tuple("abcdefgh")
TALK: Final = 40
"""The most chat messages that a board may show beside itself."""
LATEST: Final = Hint("End", "latest")
IN_THE_PAST: Final = "You are looking at the past. {now} returns to your turn."
NOTHING_AGAIN: Final = "Nothing to replay. {log} lists everything that has happened."
TOO_SOON: Final = "The board has just changed. If you meant this choice, press again."
"""Why a key did nothing."""
COUNTDOWN: Final = 0.25
"""Seconds between two frames of a countdown."""
OVER: Final = Section(
    "The end",
    f"The game is over. Enter continues to the result; {LOG_KEY} lists what happened.",
    by_touch=Section("The end", "The game is over. Continue leads to the result."),
)
PAST: Final = Section(
    "Looking back",
    "→ and ← step through the game, PgDn and PgUp jump further, and Space plays on from here. End leads back to the "
    "latest position.",
    by_touch=Section(
        "Looking back",
        "Next and Back step through the game, and Continue plays on from here. Latest leads back to the latest "
        "position.",
    ),
)
WAY_ON: Final = ("Continue", "Enter")
"""The button that leads from the end of the game on the board to what comes after it, and its key."""


class GameScreen(Screen):
    """Plays a game at a table. All it knows comes from the table's story."""

    def __init__(self, game: AnyGameUI, table: Table, ui: Ui) -> None:
        super().__init__(ui)
        peer = table.peer
        assert peer is not None, "a game has begun"
        self._table = table
        self.waits = WaitTracker(table, ui.now)
        """Tracks who the table waits for and since when, for the phase strip."""
        self._stop: Callable[[], None] = lambda: None
        self.game, self.names = game, spoken_names(table)
        self.timeline = GameTimeline(game, peer.first_state, self.names, table.occupants.seat)
        self.view = self.timeline.view
        self.playback = Playback(self.timeline, ui)
        self.head = self.playback.head
        self._draft = Draft(ui, self.view, self._drafted)
        self._choice = PendingChoice(
            table, self.timeline, self._send, self._draft.confirm, ui.toast, ui.window.has_keys
        )
        self.guide = BoardGuide(game.guide, table, self.head)
        self._soundtrack = Soundtrack(self.timeline, ui.audio)
        self._called: int | None = None
        """The step of the choice for which the player was last called."""
        self._knows_first = False
        """Whether it is known who begins, and the player has been told if chance decided it."""
        self._news_at = 0
        """The last position whose news the player has been told."""
        self._refresh(at_once=True)
        self.playback.begin()

    @property
    def table(self) -> Table:
        return self._table

    @property
    def needs(self) -> tuple[ScreenSize, ...]:
        return super().needs if self.view.portrait else (LANDSCAPE,)

    def opened(self) -> None:
        self._stop = self._table.subscribe(self._on_table_event)
        self._refresh(at_once=True)

    def shown(self) -> None:
        self._soundtrack.begin(self.head.at)

    def closed(self) -> None:
        self._stop()

    # -- following the table -------------------------------------------------------------------------------------------

    def _on_table_event(self, event: Any) -> None:
        self.waits.refresh()
        self.on_event(event)
        self.ui.redraw()

    def on_event(self, event: Any) -> None:
        """Handles an event of the table. A frame follows."""
        del event
        self._refresh()

    def _refresh(self, at_once: bool = False) -> None:
        """Reads what is new in the story, and shows it one event after another, or `at_once`."""
        peer, head, now = self._table.peer, self.head, self.ui.now()
        if peer is None:
            return
        latest, ended = head.last, self.timeline.result is not None
        follows = self.playback.caught_up(now)
        self.timeline.refresh(peer.story, peer.result)
        self.guide.hold()
        if at_once:
            self._news_at = head.last
            head.show(head.last)
        elif follows and head.last > latest and not head.waits:
            self.playback.play_on(now)
        if peer.result is not None and not ended:
            self.playback.time_end()
            why = reason_told(peer.result, self.names, self._table.occupants.seat)
            if self.playback.playing(now) and RESIGNED in why:
                # Otherwise the player would learn of it only once the playback has reached the end.
                self._toast(as_sentence(why, self.names))
        self._tell_first()
        self._toast_news()
        self._toast(self._choice.refresh())

    def _tell_first(self) -> None:
        """Tells who begins where chance decided it, unless the player has chosen since."""
        game, seat = self._table.game, self._table.occupants.seat
        story, start = self.timeline.story, self.timeline.start
        first = game.starting_seat(self.timeline.latest)
        if self._knows_first or first is None or start is None:
            return
        self._knows_first = True
        if game.starting_seat(start) is None and not any(seat in ask.choosers for ask, _ in story):
            who = subject(self.names, first, seat)
            self._toast(f"{who} {who.does('begins')}: drawn at random.")

    def _sound(self, now: float) -> None:
        """Plays the sounds of what is shown for the first time, and calls the player whose move it is.

        Nobody is called between choices that follow each other.
        """
        if self.head.playing:
            self._soundtrack.follow(self.head.at)
        if self._choice.step != self._called and self.needs_player(now):
            self._called = self._choice.step
            if not self._soundtrack.is_own(self.playback.chosen_at):
                self.ui.audio.play(Sound.YOUR_MOVE)

    def _toast_news(self) -> None:
        """Tells what the player must not miss of what is shown for the first time."""
        since, at = self._news_at, self.head.at
        if not self.head.playing or at <= since:
            return
        self._news_at = at
        self._toast(*self.view.news(self.timeline.events[since:at]))

    def _toast(self, text: str, bad: bool = False) -> None:
        if text:
            self.ui.toast(text, bad)

    def _send(self, step: int, choice: Plain) -> None:
        """Hands a choice for the ask of a step to the table. If the table refuses it, the player reads why.

        A choice that was confirmed too late, for an ask that is over, counts for no other ask.
        """
        form = self._choice.form
        if form is None or form.sealed or step != self._choice.step or self._draft.pressing_again:
            return
        playback = self.playback
        form.sealed, before, playback.chosen_at = True, playback.chosen_at, self.head.last
        self.guide.release()
        try:
            self._table.play.choose(choice)
        except NotAllowed as error:
            form.sealed, form.refusal, playback.chosen_at = False, str(error), before
        else:
            self._refresh()
        self.ui.redraw()

    # -- what is shown -------------------------------------------------------------------------------------------------

    def form(self, now: float) -> AnyForm | None:
        """Returns the open form, once everything before it has been shown."""
        return self._choice.form if self.playback.caught_up(now) else None

    def needs_player(self, now: float) -> bool:
        """Returns whether a choice waits for the player: its form is open, or the board has stopped before it until a
        key is pressed.
        """
        form = self._choice.form
        pending = form is not None and not form.sealed
        return pending and (self.playback.caught_up(now) or self.head.stopped(now))

    def busy(self, now: float) -> bool:
        """Returns whether the game is still being shown, or its end, which stays until a key is pressed. The
        dossier waits for it.
        """
        return self.playback.busy(now)

    @property
    def reviewing(self) -> bool:
        """Returns whether the player has paused, or gone back to an earlier position."""
        return self.playback.reviewing

    def shown_at(self, now: float) -> Shown[Any, Any]:
        """Returns what the board shows at a time of the window's clock, in seconds."""
        peer, head = self._table.peer, self.head
        newest, playing = head.at == head.last, self.playback.playing(now)
        result = self.timeline.result
        return Shown(
            self.timeline.state(head.at),
            self.timeline.events,
            head.at,
            self.names,
            self._table.occupants.seat,
            head.age(now),
            now,
            live=newest and not playing and not self.reviewing and result is None,
            playing=playing,
            stepping=self.reviewing,
            calm=self.ui.calm,
            waiting=peer.waiting if peer is not None and newest else (),
            result=result if newest and not playing else None,
            form=self.form(now),
            talk=[
                (speaker_name(self._table.occupants.names, line), clean(line.text))
                for line in list(self._table.chat.lines)[-TALK:]
            ],
            options=self._table.occupants.options,
            late=(countdown := self._countdown(now)) is not None and not countdown.in_quiet,
            unobserved=only_bots(self._table),
        )

    def tick(self, now: float) -> None:
        if self.guide.let_go():
            self.playback.play_on(now)
        self._advance(now)
        self._toast_news()
        self._sound(now)
        shown = self.shown_at(now)
        self.view.tick(shown)
        self.guide.advance(shown, modal=self.view.modal)

    def draw(self, canvas: Canvas, now: float) -> None:
        shown = self.shown_at(now)
        if shown.form is not None and self.playback.meant_before("enter", now):
            canvas.rest(["key:enter"])
        if canvas.portrait:
            beside = self._aside(shown, now, NARROW_ASIDE_ROOM)
            draw_portrait(canvas, self.view, shown, lambda room: self._strip(room, beside, shown, now))
        else:
            title_bar(canvas, self.game.title, self._note(canvas.width, shown))
            self.view.draw(canvas, shown)
            aside = self._aside(shown, now, ASIDE_ROOM)
            self.view.draw_strip(canvas, self._strip(strip_room(canvas.width, aside[0]), aside, shown, now))
        if self._offers_way_on(shown) and canvas.strip is not None and not canvas.touch:
            end = canvas.strip.x + canvas.strip.columns
            right_button(canvas, end, canvas.strip.row, *WAY_ON, primary=True, tall=False)
        key_bar(canvas, self._hints(shown))
        if (step := self.guide.step(shown, modal=self.view.modal)) is not None:
            self.guide.draw(canvas, step, shown)

    def _offers_way_on(self, shown: Shown[Any, Any]) -> bool:
        """Returns whether the strip has a button: at the end of the game, and where the playback stops."""
        if shown.playing:
            return self.head.stopped(shown.now) and not self.guide.waits and not self.view.has_way_on(shown)
        return self.playback.offers_way_on(shown.now)

    def requests(self) -> Sequence[Banner]:
        """Returns what the game itself asks of a player now, such as an offered draw: shown above what the table
        asks.
        """
        return self.view.requests(self.shown_at(self.ui.now()))

    def _note(self, width: int, shown: Shown[Any, Any]) -> str:
        """Returns the game's note, and before it, where there is room, who plays."""
        note = self.view.note(shown)
        if width < ROOMY:
            return note
        longer = " · ".join(filter(None, (opponents(self._table, self.names), note)))
        return longer if cell_width(longer) <= note_room(width, self.game.title) else note

    def _strip(self, room: int, aside: tuple[str, Color], shown: Shown[Any, Any], now: float) -> Strip:
        """Returns the phase strip, with `room` columns for the phase and its sentence."""
        play = self._table.play
        if shown.form is None and shown.live and play.unsaved and not play.resigning:
            return Strip("WAIT", NOT_SENT, *aside)
        phase, sentence = self.view.strip(shown, room)
        return Strip(phase, sentence, *aside, self._countdown(now))

    def _countdown(self, now: float) -> Countdown | None:
        """Returns the clock of a time to adjust, if one runs."""
        until, times = self._table.play.final_adjustment_until, adjust_times(self._table.occupants.options)
        return None if until is None else Countdown(min(max(0.0, until - now), times.most), times.most, times.quiet)

    def _aside(self, shown: Shown[Any, Any], now: float, room: int) -> tuple[str, Color]:
        """Returns what stands at the right of the phase strip in about `room` columns: whom the table waits for, or how
        far the playback has got.
        """
        if self.reviewing:
            behind = self.head.last - self.head.at
            return (f"{behind} behind" if behind else "paused"), "money"
        if self._offers_way_on(shown):
            # A button takes its place.
            return " " * (button_width(*WAY_ON) - 1), "soft"
        if shown.playing:
            left = self.head.to_show
            return (count_of(left, "more event") if left else ""), "soft"
        if shown.result is not None or self._table.peer is None:
            return "", "soft"
        form = shown.form
        if (
            form is not None
            and not form.sealed
            and not self._table.reconnection.away
            and self.waits.timed(now, room) is None
        ):
            return self.view.your_turn(shown)
        return self.waits.strip_text(now, room, done=form is not None and form.sealed)

    def _hints(self, shown: Shown[Any, Any]) -> list[Hint]:
        again = [Hint(AGAIN_KEY, "replay")] if self.playback.can_show_again else []
        hint = [Hint(advice.KEY, "hint")] if self._can_advise(shown.now) else []
        common = [*self.view.hints(shown), Hint(LOG_KEY, "log"), *again]
        if self.view.modal:
            # The board takes the other keys.
            return [*([LATEST] if self.reviewing else hint), *common]
        if self.reviewing:
            return [
                Hint("→", "next"), Hint("←", "back"), Hint("Space", "continue"), LATEST,
                *common,
            ]  # fmt: skip
        if self.guide.waits:
            return [Hint("Enter", "continue", primary=True), Hint(LOG_KEY, "log")]
        if shown.playing:
            if self.head.stopped(shown.now):
                return [Hint("Enter", "continue", primary=True), Hint("Space", "pause"), *common]
            skip = Hint("Enter", "skip to the end", primary=True)
            return [skip, Hint("Space", "pause"), Hint(LOG_KEY, "log"), *again]
        form = shown.form
        own = form.hints() if form is not None and not form.sealed else []
        if self.playback.offers_way_on(shown.now):
            own = [Hint("Enter", "continue", primary=True)]
        return [*own, *hint, *common]

    def next_frame(self, now: float) -> float | None:
        due = [*self.playback.frames(now), self.waits.next_frame(now), self.view.next_frame(self.shown_at(now))]
        if (form := self.form(now)) is not None:
            due += [form.next_frame(now), self.playback.meant_before_until("enter")]
        if (until := self._table.play.final_adjustment_until) is not None and now < until:
            due.append((math.floor(now / COUNTDOWN) + 1) * COUNTDOWN)
        return min((when for when in due if when is not None and now < when < math.inf), default=None)

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def _advance(self, now: float) -> None:
        """Shows what is due. If the form opens then, restores what was drafted before a reload."""
        self.head.advance(now)
        if self.playback.playing(now) and self._has_resigned:
            self.playback.catch_up()
        form = self.form(now)
        if form is not None and not form.sealed:
            place = self._table.game.id, self.names, self._table.occupants.seat, self._choice.step
            if not self._draft.open(form, place, self._press):
                self._choice.renew()

    @property
    def _has_resigned(self) -> bool:
        """Whether this player has ended the game by resigning, and wants to see how."""
        peer, result = self._table.peer, self.timeline.result
        if peer is None or result is None or isinstance(peer.state.ask(), Result):
            return False
        return self._table.occupants.seat not in result.winners

    def _drafted(self, form: AnyForm) -> Sequence[str]:
        state = self.game.describe(form.drafted, self.names, self._table.occupants.seat)
        return [*state, *form.so_far(), form.sentence(ROOMY)]

    def _press(self, pressed: Input) -> bool:
        """Offers an input to the form, then to the board; first to the board if something is open over it."""
        shown = self.shown_at(self.ui.now())
        if (form := shown.form) is not None:
            form.refusal = ""
        if self.view.modal and to_view(self.view, shown, self.ui, pressed):
            return True
        if form is not None and to_form(form, pressed):
            return True
        return to_view(self.view, shown, self.ui, pressed)

    def key(self, name: str) -> bool:
        return self._board_key(name) or (self.game.squares_typed and name in SQUARE_LETTERS)

    def _board_key(self, name: str) -> bool:
        """Handles a key of the guide, the form or the board."""
        now = self.ui.now()
        self._advance(now)
        shown, form = self.shown_at(now), self.form(now)
        self.guide.advance(shown, modal=self.view.modal)
        step = self.guide.step(shown, modal=self.view.modal)
        if step is not None and self.guide.key(name, step):
            return True
        if name == advice.KEY and is_aided(self._table):
            self._ask_advice()
            return True
        if self.playback.too_early(now) and (len(name) == 1 or name in ("enter", "esc")):
            return True
        if form is not None:
            form.refusal = ""
        if self.view.modal and self.view.key(name, shown, self.ui):
            return True
        if form is not None:
            if self.playback.meant_before(name, now):
                self.ui.toast(TOO_SOON)
                return True
            if form.key(name):
                if form.refusal and form.refusal == form.enter_refused and step is not None and self.guide.go_on(step):
                    # A player who presses Enter when the form has no use for it means the note.
                    form.refusal = ""
                    return True
                self.playback.note_use()
                self._draft.note(form, ("key", name))
                return True
        match name:
            case _ if name == LOG_KEY:
                self._open_log()
                return True
            case advice.KEY if form is not None:
                rules = advice.RULES_HELP if self.ui.window.has_keys else advice.RULES_HELP_BY_TOUCH
                self.ui.toast(f"{advice.ALONE} {rules}")
                return True
            case _ if name == key_name(AGAIN_KEY):
                if self.playback.can_show_again:
                    self.playback.show_again()
                else:
                    self.ui.toast(NOTHING_AGAIN.format(log=LOG_KEY if self.ui.window.has_keys else "Log"))
                return True
        if self.reviewing:
            return self.view.key(name, shown, self.ui) or self._review_key(name)
        match name:
            case "enter" if shown.playing:
                self._catch_up()
                return True
            case "enter" if self.playback.at_end(now):
                self.playback.go_past_end(now)
                return True
            case " " if shown.playing:
                self.head.playing = False
                return True
        handled = self.view.key(name, shown, self.ui)
        if handled and len(name) > 1:
            # Letters are not noted: one may open a screen.
            self._draft.note(form, ("key", name))
        return handled

    def _catch_up(self) -> None:
        """Shows at once what is still to be shown, or returns to the latest position."""
        self.guide.release()
        self.playback.catch_up()

    def _review_key(self, name: str) -> bool:
        """Handles a key while the player goes through what has happened."""
        match name:
            case "esc" | "end":
                self._catch_up()
            case _ if self.playback.step(name):
                pass
            case _ if self._choice.form is not None and len(name) == 1 and readings(name) == (name,):
                self.ui.toast(IN_THE_PAST.format(now="End" if self.ui.window.has_keys else "Latest"))
            case _:
                return False
        return True

    def _open_log(self) -> None:
        """Opens the log. Choosing an event shows its position."""
        self.ui.push(GameLog(self.ui, self.timeline, self.head.at, self.head.go))

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del button
        if action in (NEXT, STOP, HOLD):
            self.guide.click(action)
            return True
        return self._noted("click", action, x, y)

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        return self._noted("wheel", action, x, y, steps)

    def paste(self, text: str) -> bool:
        return self._noted("paste", text)

    def _noted(self, *pressed: object) -> bool:
        """Handles an input, and keeps it with what is drafted."""
        now = self.ui.now()
        self._advance(now)
        form, handled = self.form(now), self._press(pressed)
        if handled:
            self._draft.note(form, pressed)
        return handled

    # -- help, menu ----------------------------------------------------------------------------------------------------

    def menu(self) -> list[MenuItem]:
        now = self.ui.now()
        form = self.form(now)
        items = [MenuItem("Log", LOG_KEY, self._open_log)]
        if self.playback.can_show_again:
            items.append(MenuItem("Replay", key_name(AGAIN_KEY), self.playback.show_again))
        if self._can_advise(now):
            items.append(MenuItem("Hint", advice.KEY, self._ask_advice))
        items += self.view.menu(self.shown_at(now), self.ui)
        if self.guide.possible:
            running = self.guide.running
            label, run = ("Stop the guide", self.guide.stop) if running else (board_guide.START, self.start_guide)
            items.append(MenuItem(label, board_guide.START_KEY, run, inside=True))
        return [*(form.menu() if form is not None and not form.sealed else ()), *items]

    def help(self) -> Help:
        shown = self.shown_at(self.ui.now())
        board_help = self.view.help(shown)
        if self.reviewing:
            return Help(board_help.title, (PAST,))
        if shown.result is not None:
            return Help(board_help.title, (OVER,))
        plays_alone = is_aided(self._table) and can_resign(self._table)
        more = [advice.HELP, take_back.help_section(self.game)] if plays_alone else []
        more += [board_guide.HELP] if self.guide.possible else []
        return Help(board_help.title, (*board_help.sections, *more))

    # -- hints ---------------------------------------------------------------------------------------------------------

    def _can_advise(self, now: float) -> bool:
        """Returns whether the player, who plays alone, has a choice to make: its form is open."""
        form = self.form(now)
        return is_aided(self._table) and form is not None and not form.sealed

    def _ask_advice(self) -> None:
        """Shows what the strongest computer player would choose."""
        if self._can_advise(now := self.ui.now()):
            adviser = advice.Adviser(self.game, self._table, self.names, self.form(now))
            self.ui.push(advice.AdviceDialog(self.ui, adviser))
        else:
            self.ui.toast(advice.NO_CHOICE)

    def start_guide(self, at: int = 0) -> None:
        """Leads the player through the next turns, from the note `at` on."""
        self.guide.start(has_keys=self.ui.window.has_keys, at=at)
        self.ui.redraw()
