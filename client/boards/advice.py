"""A hint for a player who plays alone: what a bot of the highest level would do in the player's seat, and why.

It is the highest, whatever the opponents' level: a weak bot errs on purpose, and advice that errs teaches nothing. The
bot gets what the seat knows, as every bot does, and thinks in the background. Nothing that it thinks reaches the
table: the player chooses as ever.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kimberley.client.session.bots import ADVISER_SEED, Comparing, Progressing, Remarking, is_aided
from kimberley.client.session.ports import TableLike
from kimberley.client.ui.bars import key_bar
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, wrap
from kimberley.client.ui.hints import Hint
from kimberley.client.ui.panels import dialog, progress
from kimberley.client.ui.screen import Screen, Section, Ui
from kimberley.client.ui.touch import touch_answers
from kimberley.games.bots.base import Bot
from kimberley.games.bots.levels import find_level, levels_of, make_bot
from kimberley.games.table import Observation
from kimberley.p2p.base.platform import in_background

if TYPE_CHECKING:
    from kimberley.client.boards.form import AnyForm
    from kimberley.client.boards.game_ui import AnyGameUI

log = logging.getLogger(__name__)

KEY: Final = "?"
TYPED: Final = "hint"
OFFER: Final = "hint: hear what the strongest computer player would do in your place, and why."
ALONE: Final = "Hints are only for games against the computer."
RULES_HELP: Final = "F1 has the rules."
RULES_HELP_BY_TOUCH: Final = "Help has the rules."
"""Where help is, for whoever asks for a hint at a table with people."""
HELP: Final = Section(
    "A hint",
    f"{KEY} says what the strongest computer player would do in your place, and why. It knows only what you know. "
    f"{ALONE}",
    by_touch=Section(
        "A hint",
        "Hint says what the strongest computer player would do in your place, and why. It knows only what you know. "
        f"{ALONE}",
    ),
)
THINKING: Final = "Thinking…"
COMPARING: Final = "Comparing with other choices…"
SPINNER: Final = "|/-\\"
"""What turns while the bot thinks."""
NO_CHOICE: Final = "You can ask for a hint whenever it is your turn to choose."
FAULT: Final = "No hint here; the log says why."
LATE: Final = "The game has moved on. Ask again."
ALIKE: Final = "only looking ahead tells the two apart"
"""About two choices that do the same at first."""
NO_HINTS: Final = (NO_CHOICE, FAULT, LATE)
"""What an adviser says instead of a hint."""
LINE: Final = 60
"""The most columns of what is said."""
FRAME: Final = 0.1
"""Seconds between two looks at how far the bot has thought."""


def next_best(action: str, fact: str, best: str) -> str:
    """Names in a sentence what came next to the choice of a bot: the `action`, and a `fact` about it unless the same is
    true of the `best`.
    """
    apart = fact if fact not in ("", best) else ALIKE
    return f"The next best choice is to {action[0].lower()}{action[1:]}: {apart}."


class Adviser:
    """Advises one seat at one table."""

    def __init__(self, game: AnyGameUI, table: TableLike, names: Sequence[str], form: AnyForm | None = None) -> None:
        """`form` is the player's choice so far."""
        self._game, self._table, self._names, self._form = game, table, names, form
        self._level = len(levels_of(table.game))
        self._bot: Bot | None = None
        self.doing = THINKING

    @property
    def title(self) -> str:
        """Says whose advice it is, as a heading."""
        return f"What {find_level(self._table.game, self._level).name} (level {self._level}) would do"

    @property
    def progress(self) -> float:
        """Returns how much is thought through, from 0 to 1; 0 for bots that do not report it."""
        return self._bot.progress if isinstance(self._bot, Progressing) else 0.0

    async def advise(self) -> str:
        """Says what the bot would choose now, and why, in a sentence. If it cannot say, the sentence says so."""
        table, peer = self._table, self._table.peer
        if peer is None or peer.asked is None or not is_aided(table):
            return NO_CHOICE
        asked, form = peer.asked, self._form
        state = peer.state if form is None or form.context.ask != asked.ask else form.advised
        known = Observation(table.seat, state, peer.story)
        try:
            self._bot = await in_background(make_bot, table.game, self._level, ADVISER_SEED)
            choice = await in_background(self._bot.choose, known)
            self.doing = COMPARING
            other = await in_background(self._bot.runner_up) if isinstance(self._bot, Comparing) else None
            said = self._game.advise(known.state, asked.ask, known.seat, choice, self._names, other)
            if other is not None:
                said = f"{said} {self._game.advise_next(known.state, known.seat, choice, other, self._names)}"
        except Exception:
            log.exception("no advice in step %d", asked.step)
            return FAULT
        if peer.asked != asked:
            return LATE
        return f"{said} {self._bot.remark}" if isinstance(self._bot, Remarking) else said


class AdviceDialog(Screen):
    """Shows the advice over the board as soon as it is there. It can be closed at any time."""

    overlay = True

    def __init__(self, ui: Ui, adviser: Adviser) -> None:
        super().__init__(ui)
        self._adviser = adviser
        self._said = ""

    def opened(self) -> None:
        self.ui.start(self._advise())

    async def _advise(self) -> None:
        self._said = await self._adviser.advise()
        self.ui.redraw()

    def draw(self, canvas: Canvas, now: float) -> None:
        room = min(LINE, canvas.width - 10)
        lines = wrap(self._said, room) if self._said else [self._adviser.doing, ""]
        inside = dialog(canvas, room + 8, len(lines) + 4, self._adviser.title)
        for number, line in enumerate(lines):
            inside.put(1, 1 + number, line)
        if not self._said:
            if not self.ui.calm:
                inside.put(2 + cell_width(lines[0]), 1, SPINNER[int(now / FRAME) % len(SPINNER)], "ice")
            if self._adviser.progress:
                progress(inside, 1, 2, room, self._adviser.progress)
        close = Hint("Esc", "close" if self._said else "cancel", primary=True)
        if canvas.portrait:
            touch_answers(canvas, [close])
        else:
            key_bar(canvas, [close])

    def next_frame(self, now: float) -> float | None:
        return None if self._said else now + FRAME

    def key(self, name: str) -> bool:
        if name in ("esc", "enter", " ", KEY):
            self.ui.pop(self)
            return True
        return False
