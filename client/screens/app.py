"""The full-screen client: a stack of screens on one terminal, with their frames, keys, clicks and clocks."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from prompt_toolkit.application import Application
from prompt_toolkit.input import Input
from prompt_toolkit.layout import Layout
from prompt_toolkit.output import Output
from prompt_toolkit.output.vt100 import Vt100_Output

from kimberley.client.session.about import version_line
from kimberley.client.session.audio import OFF, OUTPUT_VARIABLE, Audio
from kimberley.client.session.ports import TableLike
from kimberley.client.session.services import JoinedTournament, Services
from kimberley.client.session.settings import Settings
from kimberley.client.ui import keys
from kimberley.client.ui.attention import FORGET_FOCUS, REPORT_FOCUS, copied, desktop_notice
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import needs_ascii
from kimberley.client.ui.palette import Depth, Palette, depth_named, detect_depth
from kimberley.client.ui.screen import Screen
from kimberley.client.ui.theme import (
    DARK,
    QUERY,
    THEMES,
    BackgroundReply,
    Rgb,
    Theme,
    asks,
    theme_for,
    told_by,
)
from kimberley.client.ui.widgets import toast
from kimberley.client.ui.window import COLOR_DEPTHS, CanvasWindow, PaletteStyle
from kimberley.games import lookup
from kimberley.games.table import Game
from kimberley.p2p.base.errors import UserError, sentence_of
from kimberley.p2p.base.platform import monotonic
from kimberley.p2p.base.tasks import BACKGROUND, BackgroundTasks

if TYPE_CHECKING:
    from kimberley.client.screens.shell import TableFlowLike, TournamentFlowLike

log = logging.getLogger(__name__)

TOAST_SECONDS: Final = 3.0
FASTEST: Final = 1 / 60
MUTE_KEYS: Final = ("f6", "m")
"""Both mute music and sounds, `m` only where no text is typed."""
ESC_SECONDS: Final = 0.05
RESIZE_SECONDS: Final = 0.5
ALWAYS: Final = ("c-c", *(f"f{number}" for number in range(1, 13)))
"""Keys that do what they say even while something moves."""
FRAME_BEGINS: Final = "\x1b[?2026h"
FRAME_ENDS: Final = "\x1b[?2026l"
"""Synchronized output (DEC private mode 2026): a terminal that supports it shows each frame whole. Others ignore it."""
FINISH_SECONDS: Final = 3.0
"""How long the program waits before it ends, so that the others learn that the player has left."""


class App:
    """Shows screens on a terminal until the last one is closed. Every screen uses it as its `Ui`.

    `services` opens, joins and lists tables. `game` is the id of the game that the program shows, if it was started for
    one, such as a replay. Without `audio` nothing is heard. `input` and `output` default to the terminal.
    """

    def __init__(
        self,
        settings: Settings,
        services: Services,
        *,
        game: str | None = None,
        audio: Audio | None = None,
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.settings = settings
        self.services = services
        self.game = game
        self.audio = audio or Audio(settings, environ={OUTPUT_VARIABLE: OFF})
        self.palette = Palette(Depth.NONE)
        self.ascii_only = False
        self.stack: list[Screen] = []
        self._seen: Screen | None = None
        self._canvas = Canvas(0, 0)
        self._too_small = False
        """Whether the terminal is too small for what is open: then only Ctrl-C acts, since nobody sees what keys do."""
        self._toast: tuple[str, bool, float] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tasks = BackgroundTasks(self._on_task_error, reports=False)
        self._finishing = BackgroundTasks(self._on_task_error, reports=False)
        """Tasks that get a while to end when the program does."""
        self._background: Theme | None = told_by(os.environ)
        """The theme for the terminal's background; None as long as the terminal has not told it."""
        self._asked = False
        self._titled = self._alerted = False
        self._focused = True
        """Whether the player looks at this terminal. One that does not report it counts as looked at."""
        self.table_flow: TableFlowLike | None = None
        self.tournament_flow: TournamentFlowLike | None = None
        self._failure: BaseException | None = None
        self.left_resumable = False
        """Whether the program ended at a table whose game can be resumed."""
        self._window = CanvasWindow(self.draw, self.touch, self.wheel)
        self._app: Application[None] = Application(
            layout=Layout(self._window),
            style=PaletteStyle(),
            include_default_pygments_style=False,
            key_bindings=keys.bindings(self.key, self.paste, self.focus),
            color_depth=lambda: COLOR_DEPTHS[self.palette.depth],
            full_screen=True,
            mouse_support=True,
            max_render_postpone_time=0,
            # Windows sends no signal when the size of the terminal changes.
            terminal_size_polling_interval=None if hasattr(signal, "SIGWINCH") else RESIZE_SECONDS,
            input=input,
            output=output,
        )
        self._app.ttimeoutlen = ESC_SECONDS
        self._take_background()
        if isinstance(self._app.output, Vt100_Output):
            self._app.before_render += self._begin_frame
            self._app.after_render += self._end_frame
        self._app.after_render += self._open_audio
        self.apply_settings()

    # -- what screens ask for (Ui) -------------------------------------------------------------------------------------

    @property
    def calm(self) -> bool:
        return self.settings.calm or os.environ.get("TERM") in ("", "dumb")

    def _open_audio(self, app: Application[None]) -> None:
        """Starts the music, not before the first frame is shown."""
        del app
        self.audio.open()

    def now(self) -> float:
        return monotonic()

    def redraw(self) -> None:
        self._app.invalidate()

    def push(self, screen: Screen) -> None:
        self.stack.append(screen)
        screen.opened()
        self._update_shown()

    def pop(self, screen: Screen | None = None) -> None:
        at = [index for index, each in enumerate(self.stack) if screen is None or each is screen]
        if not at:
            return
        index = at[-1]
        self._cut(index)
        if not self.stack and self._app.is_running:
            self._app.exit()
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
        self._toast = (text, bad, self.now() + TOAST_SECONDS) if text else None
        self.redraw()

    def confirm(
        self, title: str, text: str, yes: str, no: str, then: Callable[[], None], *, danger: bool = False
    ) -> None:
        from kimberley.client.screens.dialogs import Confirm

        self.push(Confirm(self, title, text, yes, no, then, danger=danger))

    def start(self, work: Coroutine[Any, Any, object], *, finish: bool = False) -> None:
        (self._finishing if finish else self._tasks).start(work)

    def alert(self, on: bool = True) -> None:
        output, always = self._app.output, self.settings.notices == "always"
        if on and (always or (self.settings.notices == "away" and not self._focused and not self._alerted)):
            game = f" in {self.table_flow.table.game.title}" if self.table_flow is not None else ""
            output.bell()
            output.write_raw(desktop_notice("Kimberley", f"Your move{game}."))
            output.set_title("◆ your move · Kimberley")
            self._alerted = self._titled = True
        elif not on and self._alerted:
            output.set_title("Kimberley")
            self._alerted = False
        output.flush()

    def focus(self, on: bool) -> None:
        """Handles the terminal's report that it has gained or lost the focus."""
        self._focused = on
        if on:
            self.alert(False)

    def copy(self, text: str) -> None:
        self._app.output.write_raw(copied(text))
        self._app.output.flush()

    def apply_settings(self) -> None:
        """Applies the colors and glyphs of the settings; "auto" means what the terminal says it supports."""
        depth = depth_named(self.settings.colours) or self._detect_depth()
        self.palette = Palette(depth, THEMES.get(self.settings.theme) or self._background or DARK)
        self.ascii_only = needs_ascii() if self.settings.glyphs == "auto" else self.settings.glyphs == "ascii"
        self._window.forget()
        self.audio.apply_settings()
        if self._app.is_running:
            self._app.renderer.clear()
            self.redraw()

    def _detect_depth(self) -> Depth:
        """How many colors the terminal shows. Windows sets no TERM, and prompt_toolkit knows its console."""
        if sys.platform == "win32" and not os.environ.get("TERM") and not os.environ.get("NO_COLOR"):
            known = self._app.output.get_default_color_depth()
            return next(depth for depth, color_depth in COLOR_DEPTHS.items() if color_depth is known)
        return detect_depth()

    def _take_background(self) -> None:
        """Takes the terminal's answer on its background out of its input, before it could be read as keys."""
        parser: Any = getattr(self._app.input, "vt100_parser", None)
        if parser is not None:
            feed, reply = parser.feed, BackgroundReply(self._on_background)
            parser.feed = lambda data: feed(reply.passed(data) if self._asked else data)

    def _on_background(self, ground: Rgb) -> None:
        self._background = theme_for(ground)
        self.apply_settings()

    # -- what its own screens ask for (Shell) --------------------------------------------------------------------------

    @property
    def version(self) -> str:
        return version_line()

    def games(self) -> Sequence[Game]:
        return sorted(map(lookup.find, lookup.ids()), key=_rank)

    def sit(
        self, title: str, doing: str, table: Coroutine[Any, Any, TableLike | JoinedTournament], *, guided: bool = False
    ) -> None:
        from kimberley.client.screens.connecting import ConnectingScreen

        self.push(ConnectingScreen(self, title, doing, table, partial(self.take_seat, guided=guided)))

    def take_seat(self, found: TableLike | JoinedTournament, *, guided: bool = False) -> None:
        from kimberley.client.screens.table_flow import TableFlow
        from kimberley.client.screens.tournament_flow import TournamentFlow

        if isinstance(found, JoinedTournament):
            self.follow_tournament(TournamentFlow(self, found.client))
            return
        self.follow_table(TableFlow(self, found, guided=guided))

    def follow_table(self, flow: TableFlowLike) -> None:
        self.table_flow = flow
        flow.start()

    def forget_table(self) -> None:
        self.table_flow = None

    def follow_tournament(self, flow: TournamentFlowLike | None) -> None:
        self.tournament_flow = flow
        if flow is not None:
            flow.start()

    def quit(self) -> None:
        if self._app.is_running and not self._app.is_done:
            self._app.exit()

    # -- running -------------------------------------------------------------------------------------------------------

    async def run(self, first: Callable[[], None]) -> None:
        """Runs until the last screen is closed. Raises what a screen raises.

        `first` opens the first screen. It is called on the event loop, before the first frame.
        """
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._crashed)
        first()
        reports = isinstance(self._app.output, Vt100_Output)
        if reports:
            self._app.output.write_raw(REPORT_FOCUS)
            self._app.output.flush()
        try:
            await self._app.run_async(set_exception_handler=False)
        finally:
            if self._timer:
                self._timer.cancel()
            if self.table_flow is not None:
                await self.table_flow.close(resumable=self._failure is not None)
                self.left_resumable = self.table_flow.table.resumable
            if self.tournament_flow is not None:
                await self.tournament_flow.close()
            self._cut(0)
            self._update_shown()
            if reports:
                self._app.output.write_raw(FORGET_FOCUS)
                self._app.output.flush()
            self.audio.close()
            if self._titled:
                self._app.output.clear_title()
                self._app.output.flush()
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
        """At a table, shows the error in place of the screen, and the game goes on. Elsewhere, ends the program."""
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
        if self._app.is_running and not self._app.is_done:
            self._app.exit()

    def _on_task_error(self, error: BaseException) -> None:
        if isinstance(error, UserError):
            self.toast(str(error), bad=True)
        else:
            self._fault(error)

    # -- the stack -----------------------------------------------------------------------------------------------------

    def _base(self) -> int:
        """The index of the topmost screen that is not an overlay."""
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

    def _begin_frame(self, app: Application[None]) -> None:
        if not self._asked and self.settings.theme == "auto" and asks(os.environ):
            # Not before the first frame: only now does the terminal show nothing of what it answers.
            self._asked = True
            app.output.write_raw(QUERY)
        app.output.write_raw(FRAME_BEGINS)

    def _end_frame(self, app: Application[None]) -> None:
        app.output.write_raw(FRAME_ENDS)
        app.output.flush()

    def draw(self, width: int, height: int) -> Canvas:
        """Paints a frame for the terminal. From now on clicks refer to this frame."""
        now = self.now()
        self._canvas = canvas = self.paint(width, height, now)
        self._schedule(now)
        return canvas

    def paint(self, width: int, height: int, now: float) -> Canvas:
        """Paints everything that is visible."""
        canvas = Canvas(width, height, self.palette, ascii_only=self.ascii_only)
        if not self.stack:
            return canvas
        shown = self.stack[self._base() :]
        columns = max(screen.needs[0] for screen in shown)
        rows = max(screen.needs[1] for screen in shown)
        self._too_small = width < columns or height < rows
        if self._too_small:
            self._draw_too_small(canvas, columns, rows)
            return canvas
        toasting = self._toast if self._toast is not None and now < self._toast[2] else None
        for number, screen in enumerate(shown):
            if number:
                if screen.dims:
                    canvas.dim()
                canvas.block()
                screen.draw(canvas, now)
            elif self.table_flow is not None:
                self.table_flow.frame.paint(screen, canvas, now, alone=len(shown) == 1)
            else:
                screen.draw(canvas, now)
        if toasting is not None:
            toast(canvas, *toasting[:2])
        return canvas

    def _draw_too_small(self, canvas: Canvas, columns: int, rows: int) -> None:
        lines = (
            ("The terminal is too small.", "text"),
            (f"needed {columns} x {rows}", "soft"),
            (f"it is {canvas.width} x {canvas.height}", "warning"),
            ("Keys and clicks do nothing now.", "soft"),
            ("Ctrl-C leaves; in a game, twice.", "soft"),
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

    def key(self, name: str) -> None:
        """Handles a key, by its name (see `client.ui.screen`)."""
        if not self.stack or (self._too_small and name != "c-c"):
            return
        self.redraw()
        now = self.now()
        self._toast = None
        top = self.stack[-1]
        # Function keys and Ctrl-C also work during an animation.
        if top.skip(now) and name not in ALWAYS:
            return
        if top.key(name):
            return
        self._common_key(name, top)

    def _common_key(self, name: str, top: Screen) -> None:
        from kimberley.client.screens import dialogs
        from kimberley.client.screens.chat import CHAT_KEYS

        if self.table_flow is not None and not top.overlay and self.table_flow.frame.key(name):
            return
        match name:
            case "f1" if not top.overlay:
                dialogs.show_help(self, top)
            case "f10" if not top.overlay:
                self.push(dialogs.menu(self, top))
            case _ if name in CHAT_KEYS and (table := dialogs.table_of(top)) is not None and not top.overlay:
                dialogs.open_chat(self, table)
            case _ if name in MUTE_KEYS:
                self.toast(self.audio.toggle_mute())
            case "c-c":
                dialogs.confirm_quit(self, top)
            case "c-l":
                self._app.renderer.clear()

    def paste(self, text: str) -> None:
        """Handles pasted text."""
        if self.stack and not self._too_small and self.stack[-1].paste(text):
            self.redraw()

    def touch(self, x: int, y: int, button: str) -> None:
        """Handles a click: the area of a key sends that key, the right button is Esc, the rest goes to the screen."""
        if not self.stack or self._too_small:
            return
        action = self._canvas.touched(x, y)
        if button == "right":
            self.key("esc")
        elif isinstance(action, str) and action.startswith("key:"):
            self.key(action.removeprefix("key:"))
        else:
            self._click(action, x, y, button)

    def _click(self, action: Action | None, x: int, y: int, button: str) -> None:
        top = self.stack[-1]
        if top.skip(self.now()) or (action is not None and top.click(action, x, self._row_of(y, top), button)):
            self.redraw()

    def _row_of(self, y: int, top: Screen) -> int:
        """The row of the top screen that is shown in a row of the terminal."""
        return y if self.table_flow is None or top.overlay else self.table_flow.frame.row_of(y)

    def wheel(self, x: int, y: int, steps: int) -> None:
        """Handles the mouse wheel; `steps` is +1 for a notch downward."""
        if not self.stack or self._too_small:
            return
        top = self.stack[-1]
        if top.wheel(self._canvas.touched(x, y), x, self._row_of(y, top), steps):
            self.redraw()


_ORDER: Final = ("diamond-trust", "diamond", "land", "mine", "piecepack")


def _rank(game: Game) -> tuple[int, str]:
    """The sort key of a game: first this package's games in their usual order, then others by title."""
    return _ORDER.index(game.id) if game.id in _ORDER else len(_ORDER), game.title
