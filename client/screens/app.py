"""The full-screen client: a stack of screens in one window, with their frames, keys, clicks and clocks."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kimberley.client.session.about import version_line
from kimberley.client.session.audio import OFF, OUTPUT_VARIABLE, Audio
from kimberley.client.session.services import JoinedTournament, Services
from kimberley.client.session.settings import Settings
from kimberley.client.ui.bars import toast
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.keys import CHAT_KEY, CHAT_LETTER, HELP_KEY, LOG_KEY, MENU_KEY, MUTE_KEY, MUTE_LETTER, key_name
from kimberley.client.ui.palette import Depth, Palette, depth_named
from kimberley.client.ui.screen import LANDSCAPE, NARROW, MenuItem, Screen, ScreenSize
from kimberley.client.ui.theme import DARK, THEMES
from kimberley.client.ui.touch import MOST_SIDE_COLUMNS, SIDE_COLUMNS, TOUCH_ROWS
from kimberley.client.ui.window import OpenWindow, WindowKind
from kimberley.games import lookup
from kimberley.games.phrases import join_names
from kimberley.games.table import Game
from kimberley.p2p.base.errors import UserError, sentence_of
from kimberley.p2p.base.keyboard import TYPES_OTHERS, is_foreign, readings
from kimberley.p2p.base.platform import monotonic
from kimberley.p2p.base.tasks import BACKGROUND, BackgroundTasks

if TYPE_CHECKING:
    from kimberley.client.screens.review_making import Reviews
    from kimberley.client.screens.shell import TableFlowLike, TournamentFlowLike
    from kimberley.p2p.table.table import Table

log = logging.getLogger(__name__)

TOAST_SECONDS: Final = 3.0
TOAST_LETTERS: Final = 20
"""How many letters of a toast a player can read in a second."""
FASTEST: Final = 1 / 60
MUTE_KEYS: Final = (key_name(MUTE_KEY), MUTE_LETTER)
CHAT_KEYS: Final = (key_name(CHAT_KEY), CHAT_LETTER)
ALWAYS: Final = frozenset({"c-c", LOG_KEY, *(f"f{number}" for number in range(1, 13))})
"""Keys that also take effect during an animation."""
OPENS_HELP: Final = key_name(HELP_KEY)
OPENS_MENU: Final = key_name(MENU_KEY)
TITLE_KEYS: Final = (f"key:{OPENS_HELP}", f"key:{OPENS_MENU}")
"""What can still be clicked in the title bar of a screen below an overlay that does not dim it."""
FINGER: Final = 1
"""How many rows off its target a finger may be."""
GIVEN: Final = "Saved: the file is among your browser’s downloads."
FINISH_SECONDS: Final = 3.0
"""How long the program waits before it ends, so that the others learn that the player has left."""


class App:
    """Shows screens in a window until the last one is closed. Every screen uses it as its `Ui`.

    `services` opens, joins and lists tables. `open_window` opens the window, such as a `TerminalWindow`. `game` is the
    id of the game that the program shows, if it was started for one, such as a replay. Without `audio` nothing is
    heard. `beside` runs beside the screens of each table that the player takes a seat at.
    """

    def __init__(
        self,
        settings: Settings,
        services: Services,
        open_window: OpenWindow,
        *,
        game: str | None = None,
        audio: Audio | None = None,
        beside: Callable[[TableFlowLike], Coroutine[Any, Any, None]] | None = None,
    ) -> None:
        self.settings = settings
        self.services = services
        self.game = game
        self._beside = beside
        self.audio = audio or Audio(settings, environ={OUTPUT_VARIABLE: OFF})
        self.palette = Palette(Depth.NONE)
        self.ascii_only = False
        self.stack: list[Screen] = []
        self._seen: Screen | None = None
        self._canvas = Canvas(0, 0)
        self._too_small = False
        """Whether the window is too small for what is open: then only Ctrl-C acts, since nobody sees what keys do."""
        self._keyboard_told = False
        """Whether the player has been told what to do with a keyboard that types other letters."""
        self._left_out: Mapping[str, tuple[str, Action]] = {}
        self._toast: tuple[str, bool, float] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tasks = BackgroundTasks(self._on_task_error, reports=False)
        self._finishing = BackgroundTasks(self._on_task_error, reports=False)
        """Tasks that get a while to end when the program does."""
        self._departures: list[asyncio.Task[Any]] = []
        self._left: list[Table] = []
        """The tables that the player has left."""
        self._alerted = False
        self._focused = True
        """Whether the player is looking at the window; assumed if the window does not report it."""
        self.table_flow: TableFlowLike | None = None
        self.tournament_flow: TournamentFlowLike | None = None
        self._failure: BaseException | None = None
        self.left_resumable = False
        """Whether the program ended at a table whose game can be resumed."""
        self._window = open_window(self)
        self.apply_settings()

    # -- what screens ask for (Ui) -------------------------------------------------------------------------------------

    @property
    def window(self) -> WindowKind:
        return self._window.kind

    @property
    def draft(self) -> str:
        return self._window.draft

    @draft.setter
    def draft(self, text: str) -> None:
        self._window.draft = text

    @property
    def calm(self) -> bool:
        return self.settings.calm or self._window.still

    @cached_property
    def reviews(self) -> Reviews:
        """The reviews that are being made."""
        from kimberley.client.screens.review_making import Reviews

        return Reviews(self.start)

    def now(self) -> float:
        return monotonic()

    def redraw(self) -> None:
        self._window.redraw()

    def push(self, screen: Screen) -> None:
        self.stack.append(screen)
        screen.opened()
        self._update_shown()

    def pop(self, screen: Screen | None = None) -> None:
        at = [index for index, opened in enumerate(self.stack) if screen is None or opened is screen]
        if not at:
            return
        index = at[-1]
        self._cut(index)
        if not self.stack:
            self._window.exit()
        self._update_shown()

    def replace(self, screen: Screen) -> None:
        # The first screen stays below: `home` returns to it.
        self._cut(max(1, self._base()))
        self.push(screen)

    def home(self) -> None:
        self.table_flow = None
        self._cut(1)
        self._update_shown()

    def toast(self, text: str, bad: bool = False) -> None:
        until = self.now() + max(TOAST_SECONDS, len(text) / TOAST_LETTERS)
        self._toast = (text, bad, until) if text else None
        self.redraw()

    def confirm(
        self, title: str, text: str, yes: str, no: str, then: Callable[[], None], *, danger: bool = False
    ) -> None:
        from kimberley.client.screens.dialogs import Confirm

        self.push(Confirm(self, title, text, yes, no, then, danger=danger))

    def start(self, work: Coroutine[Any, Any, object], *, finish: bool = False) -> None:
        (self._finishing if finish else self._tasks).start(work)

    def alert(self, on: bool = True) -> None:
        always = self.settings.notices == "always"
        if on and (always or (self.settings.notices == "away" and not self._focused and not self._alerted)):
            game = f" in {self.table_flow.table.game.title}" if self.table_flow is not None else ""
            self._window.alert(f"Your move{game}.")
            self._alerted = True
        elif not on and self._alerted:
            self._window.end_alert()
            self._alerted = False

    def focus(self, on: bool) -> None:
        """Handles the window gaining the focus, or losing it."""
        self._focused = on
        if on:
            self.alert(False)

    def copy(self, text: str) -> None:
        self._window.copy(text)

    def apply_settings(self) -> None:
        """Applies the colors and glyphs of the settings; "auto" means what the window reports."""
        settings, window = self.settings, self._window
        if settings.theme == "auto":
            window.ask_background()
        depth = depth_named(settings.colours) or window.depth
        self.palette = Palette(depth, THEMES.get(settings.theme) or window.background or DARK)
        self.ascii_only = window.ascii_only if settings.glyphs == "auto" else settings.glyphs == "ascii"
        self.audio.apply_settings()
        window.repaint()

    @property
    def gives_files(self) -> bool:
        return self._window.give_file is not None

    def give_file(self, path: Path) -> None:
        give = self._window.give_file
        if give is None:
            self.copy(str(path))
            self.toast(self.window.copied())
            return
        try:
            give(path)
        except OSError as error:
            self.toast(f"{path.name} could not be read: {error.strerror}.", bad=True)
        else:
            self.toast(GIVEN)

    @property
    def left_out(self) -> list[MenuItem]:
        return [MenuItem(label, key, partial(self._act, action)) for key, (label, action) in self._left_out.items()]

    # -- what its own screens ask for (Shell) --------------------------------------------------------------------------

    @property
    def version(self) -> str:
        return version_line()

    def games(self) -> Sequence[Game]:
        return sorted(map(lookup.find, lookup.ids()), key=_rank)

    def sit(
        self,
        title: str,
        doing: str,
        reach: Callable[[], Coroutine[Any, Any, Table | JoinedTournament]],
        *,
        guide_from: int | None = None,
    ) -> None:
        from kimberley.client.screens.connecting import ConnectingScreen

        self.push(ConnectingScreen(self, title, doing, reach, partial(self.take_seat, guide_from=guide_from)))

    def take_away(self, text: str) -> None:
        if self._toast is not None and self._toast[0] == text:
            self.toast("")

    def tell_connecting(self, sentence: str) -> None:
        from kimberley.client.screens.connecting import ConnectingScreen

        for screen in self.stack:
            if isinstance(screen, ConnectingScreen):
                screen.tell(sentence)

    def take_seat(self, joined: Table | JoinedTournament, *, guide_from: int | None = None) -> None:
        from kimberley.client.screens.table_flow import TableFlow
        from kimberley.client.screens.tournament_flow import TournamentFlow

        if isinstance(joined, JoinedTournament):
            self.follow_tournament(TournamentFlow(self, joined.client))
            return
        self.follow_table(TableFlow(self, joined, guide_from=guide_from))

    def follow_table(self, flow: TableFlowLike) -> None:
        self.table_flow = flow
        flow.start()
        if self._beside is not None:
            self.start(self._beside(flow))

    def forget_table(self) -> None:
        self.table_flow = None

    def follow_tournament(self, flow: TournamentFlowLike | None) -> None:
        self.tournament_flow = flow
        if flow is not None:
            flow.start()

    @property
    def still_needed(self) -> str:
        from kimberley.client.session.participants import STILL_NEEDED, left_bots_need_you

        if not all(leaving.done() for leaving in self._departures):
            return f"{STILL_NEEDED} If you quit now, they have to wait for you."
        return left_bots_need_you(self._left)

    def finish_leaving(self, table: Table) -> None:
        from kimberley.client.session.leaving import leave_table, owes_departure

        owes = owes_departure(table)
        leaving = self._finishing.start(leave_table(table))
        self._left.append(table)
        if owes:
            self._departures.append(leaving)

    def quit(self) -> None:
        self._window.exit()

    # -- running -------------------------------------------------------------------------------------------------------

    async def run(self, first: Callable[[], None]) -> None:
        """Runs until the last screen is closed. Raises what a screen raises.

        `first` opens the first screen. It is called on the event loop, before the first frame.
        """
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._crashed)
        first()
        try:
            await self._window.run()
        finally:
            if self._timer:
                self._timer.cancel()
            if self.table_flow is not None:
                await self.table_flow.close(resumable=self._failure is not None)
                self.left_resumable = self.table_flow.table.ending.resumable
            if self.tournament_flow is not None:
                await self.tournament_flow.close()
            self._cut(0)
            self._update_shown()
            self._window.close()
            self.audio.close()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FINISH_SECONDS):
                    await self._finishing.wait()
            await self._finishing.close()
            await self._tasks.close()
            await self.services.close()
        if self._failure is not None:
            raise self._failure

    def _crashed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Handles an unexpected error in a screen, in a table flow, or in the background."""
        error = context.get("exception")
        if error is None:
            loop.default_exception_handler(context)
        elif BACKGROUND in context or (self.table_flow is not None and ("task" in context or "future" in context)):
            loop.default_exception_handler(context)
            self.toast(sentence_of(error), bad=True)
        else:
            self._fault(error)

    def _fault(self, error: BaseException) -> None:
        """Shows the error in place of the screen at a table, where the game goes on. Elsewhere, ends the program."""
        log.error("a screen has failed", exc_info=error)
        if self.table_flow is None or not isinstance(error, Exception):
            self._fail(error)
            return
        try:
            self.table_flow.fault(error)
        except Exception as another:
            log.exception("the fault cannot be told")
            self._fail(another)

    def _fail(self, error: BaseException) -> None:
        self._failure = self._failure or error
        self._window.exit()

    def _on_task_error(self, error: BaseException) -> None:
        if isinstance(error, UserError):
            self.toast(str(error), bad=True)
        else:
            self._fault(error)

    # -- the stack -----------------------------------------------------------------------------------------------------

    def _base(self) -> int:
        """Returns the index of the topmost screen that is not an overlay."""
        return next((i for i in range(len(self.stack) - 1, -1, -1) if not self.stack[i].overlay), 0)

    def _cut(self, index: int) -> None:
        while len(self.stack) > index:
            self.stack.pop().closed()

    def _update_shown(self) -> None:
        """Notifies the screens that a change of the stack has hidden or shown."""
        seen = self.stack[self._base()] if self.stack else None
        if seen is not self._seen:
            before, self._seen = self._seen, seen
            if before is not None:
                before.hidden()
            if seen is not None:
                seen.shown()
        self.redraw()

    # -- frames --------------------------------------------------------------------------------------------------------

    def draw(self, width: int, height: int) -> Canvas:
        """Paints a frame for the window. From now on clicks refer to this frame."""
        now = self.now()
        self._canvas = canvas = self.paint(width, height, now)
        self._schedule(now)
        return canvas

    def frame_shown(self) -> None:
        """Starts the music once the first frame is shown."""
        self.audio.open()

    def paint(self, width: int, height: int, now: float) -> Canvas:
        """Paints everything that is visible."""
        portrait, touch = width < NARROW, not self.window.has_keys
        whole = Canvas(width, height, self.palette, ascii_only=self.ascii_only, portrait=portrait, touch=touch)
        if self.stack:
            below, beside = _room_for_buttons(width, height) if touch and not portrait else (0, 0)
            self._paint_screens(whole.region(0, 0, width - beside, height - below), now)
        self._left_out = whole.left_out
        return whole

    def _paint_screens(self, canvas: Canvas, now: float) -> None:
        screens = self.stack[self._base() :]
        needed = _needed(screens)
        fitting = (form for form in needed if form.fits(canvas.width, canvas.height))
        self._too_small = not any(form.portrait == canvas.portrait for form in fitting)
        if self._too_small:
            self._draw_too_small(canvas, join_names([f"{form.columns} x {form.rows}" for form in needed], "or"))
            return
        toasting = self._toast if self._toast is not None and now < self._toast[2] else None
        for screen in screens:
            screen.tick(now)
        if self.table_flow is not None:
            self.table_flow.sounds.tick(now)
        for number, screen in enumerate(screens):
            if number:
                if screen.dims:
                    canvas.dim()
                canvas.block(() if screen.dims else TITLE_KEYS)
                screen.draw(canvas, now)
            elif self.table_flow is not None:
                self.table_flow.frame.paint(screen, canvas, now, alone=len(screens) == 1)
            else:
                screen.draw(canvas, now)
        if len(screens) > 1 and self.table_flow is not None:
            self.table_flow.frame.paint_message(canvas, now)
        if toasting is not None:
            toast(canvas, *toasting[:2])

    def _draw_too_small(self, canvas: Canvas, needed: str) -> None:
        helps = (
            ("Keys and clicks do nothing here.", "Ctrl-C leaves (twice in a game).")
            if self.window.has_keys
            else ("Touch does nothing here.", "Try turning your phone.")
        )
        lines = (
            (f"The {self.window.called} is too small.", "text"),
            (f"It needs {needed}.", "soft"),
            (f"It is {canvas.width} x {canvas.height}.", "warning"),
            *((line, "soft") for line in helps),
        )
        top = max(0, (canvas.height - len(lines)) // 2)
        for number, (line, fg) in enumerate(lines):
            canvas.center(0, top + number, canvas.width, line, fg, bold=number == 0)

    def _schedule(self, now: float) -> None:
        """Sets the timer for the next frame of an animation or a clock. If nothing moves, no timer runs."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = [when for screen in self.stack[self._base() :] if (when := screen.next_frame(now)) is not None]
        if self._toast is not None and now < self._toast[2]:
            due.append(self._toast[2])
        if self.table_flow is not None and (when := self.table_flow.next_frame(now)) is not None:
            due.append(when)
        if due:
            self._timer = asyncio.get_running_loop().call_at(max(min(due), now + FASTEST), self.redraw)

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def key(self, name: str, latin: str = "") -> None:
        """Handles a key, by its name (see `client.ui.screen`). `latin` is the character at its place on QWERTY, if the
        window knows it.
        """
        meant = readings(name, latin)
        if not self.stack or (self._too_small and "c-c" not in meant):
            return
        self.redraw()
        self._toast = None
        self._note_input()
        top = self.stack[-1]
        # Function keys, the log and Ctrl-C also work during an animation.
        if top.skip(self.now()) and ALWAYS.isdisjoint(meant):
            return
        used = next((meaning for meaning in meant if top.key(meaning) or self._common_key(meaning, top)), None)
        self._tell_keyboard(name, used)

    def _note_input(self) -> None:
        """Notes that the player is at the table, and so sees what was said last."""
        if self.table_flow is not None:
            self.table_flow.chat.on_input()

    def _tell_keyboard(self, name: str, used: str | None) -> None:
        """Says once what to do with a keyboard that types other letters, unless they are typed into a field."""
        if is_foreign(name) and name != used and not self._keyboard_told and self._toast is None:
            self._keyboard_told = True
            self.toast(TYPES_OTHERS.format(letter=name))

    def _common_key(self, name: str, top: Screen) -> bool:
        """Handles a key that means the same on all screens. Returns False if it is not one."""
        from kimberley.client.screens import dialogs
        from kimberley.client.session.bots import is_aided

        if self.table_flow is not None and not top.overlay and self.table_flow.frame.key(name):
            return True
        match name:
            case _ if name in (OPENS_HELP, OPENS_MENU) and top.overlay and not top.dims:
                # These keys belong to the screen below, which shows them.
                self.pop(top)
                return self._common_key(name, self.stack[-1])
            case _ if name == OPENS_HELP:
                # A dialog without help of its own is about the screen below.
                dialogs.show_help(self, top if top.help() is not None else self.stack[self._base()])
            case _ if name == OPENS_MENU and not top.overlay:
                self.push(dialogs.menu(self, top))
            case _ if name in CHAT_KEYS and (table := dialogs.table_of(top)) is not None and not top.overlay:
                dialogs.open_chat(self, table)
            case _ if (
                name == dialogs.TAKE_BACK_KEY and (table := dialogs.table_of(top)) is not None and is_aided(table)
            ):
                dialogs.take_back(self, table)
            case _ if name in MUTE_KEYS:
                self.toast(self.audio.toggle_mute())
            case "c-c":
                dialogs.confirm_quit(self, top)
            case "c-l":
                self._window.repaint()
            case _:
                return False
        return True

    def paste(self, text: str) -> None:
        """Handles pasted text."""
        if self.stack and not self._too_small and self.stack[-1].paste(text):
            self.redraw()

    def touch(self, x: int, y: int, button: str) -> None:
        """Handles a click: the area of a key sends that key, the right button is Esc, the rest goes to the screen."""
        if not self.stack or self._too_small or not self._is_inside(x, y):
            return
        self._note_input()
        action = self._canvas.touched(x, y, 0 if self.window.has_keys else FINGER)
        if button == "right":
            self.key("esc")
        else:
            self._act(action, x, y, button)

    def _is_inside(self, x: int, y: int) -> bool:
        """Returns whether a cell is in the last frame. Some terminals also report what happens outside their window."""
        return 0 <= x < self._canvas.width and 0 <= y < self._canvas.height

    def _act(self, action: Action | None, x: int = 0, y: int = 0, button: str = "left") -> None:
        """Does what a click on an area means."""
        if isinstance(action, str) and action.startswith("key:"):
            self.key(action.removeprefix("key:"))
        else:
            self._click(action, x, y, button)

    def _click(self, action: Action | None, x: int, y: int, button: str) -> None:
        top = self.stack[-1]
        if action is None and self._is_beside(y, top):
            self.key("esc")
        elif top.skip(self.now()) or (action is not None and top.click(action, x, self._row_of(y, top), button)):
            self.redraw()

    def _is_beside(self, y: int, top: Screen) -> bool:
        """Returns whether a click in a row closes the top screen if it hits nothing. In the last row, it has only
        missed a key.
        """
        return top.overlay and top.dims and not top.typed and y < self._canvas.height - 1

    def _row_of(self, y: int, top: Screen) -> int:
        """Returns the row of the top screen that is shown in a row of the window."""
        return y if self.table_flow is None or top.overlay else self.table_flow.frame.row_of(y)

    def wheel(self, x: int, y: int, steps: int) -> None:
        """Handles the mouse wheel; `steps` is +1 for a notch downward."""
        if not self.stack or self._too_small or not self._is_inside(x, y):
            return
        top = self.stack[-1]
        if top.wheel(self._canvas.touched(x, y), x, self._row_of(y, top), steps):
            self.redraw()


_ORDER: Final = ("diamond-trust", "diamond", "land", "mine", "piecepack")


def _rank(game: Game) -> tuple[int, str]:
    """Returns the sort key of a game: first this package's games in their usual order, then others by title."""
    return _ORDER.index(game.id) if game.id in _ORDER else len(_ORDER), game.title


def _room_for_buttons(width: int, height: int) -> tuple[int, int]:
    """Returns the rows below a landscape screen and the columns beside it that are left for buttons large enough for
    fingers: below it, or beside it where the page is too low for that.
    """
    below, beside = min(max(0, height - LANDSCAPE.rows), TOUCH_ROWS), width - LANDSCAPE.columns
    if below == TOUCH_ROWS or beside < SIDE_COLUMNS:
        return below, 0
    return 0, min(beside, MOST_SIDE_COLUMNS)


def _needed(screens: Sequence[Screen]) -> list[ScreenSize]:
    """Returns the smallest sizes at which all these screens can be shown: landscape, portrait, or both."""
    needed = []
    for portrait in (False, True):
        sizes = [size for screen in screens for size in screen.needs if size.portrait == portrait]
        if len(sizes) == len(screens):
            needed.append(ScreenSize(max(size.columns for size in sizes), max(size.rows for size in sizes)))
    return needed
