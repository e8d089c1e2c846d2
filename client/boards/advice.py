"""A hint for a player who plays alone: a choice of a bot of the highest level in the player's seat, and why. A bot that
picks at random among choices that are about equally good could choose another one the next time.

The level is the highest, whatever the opponents' level: a weak bot errs on purpose, and wrong advice teaches nothing.
The bot knows what the seat knows, as every bot does, and thinks in the background. Nothing that it thinks reaches the
table: the choice stays with the player.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kimberley.client.session.bots import Deepening, Progressing, Remarking, Stoppable, is_aided
from kimberley.client.ui.bars import key_bar
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, wrap
from kimberley.client.ui.keys import HELP_KEY, Hint
from kimberley.client.ui.panels import dialog, progress
from kimberley.client.ui.screen import Screen, Section, Ui
from kimberley.client.ui.touch import touch_answers
from kimberley.games.bots.base import Bot, Foreseeing
from kimberley.games.bots.levels import find_level, levels_of
from kimberley.games.table import Observation, Plain, Result
from kimberley.p2p.base.platform import in_background

if TYPE_CHECKING:
    from kimberley.client.boards.form import AnyForm
    from kimberley.client.boards.game_ui import AnyGameUI
    from kimberley.p2p.table.table import Table
    from kimberley.protocol.events import Asked

log = logging.getLogger(__name__)

KEY: Final = "?"
TYPED: Final = "hint"
OFFER: Final = "hint: hear what the strongest computer player advises, and why."
ALONE: Final = "Hints are only for games against the computer."
RULES_HELP: Final = f"{HELP_KEY} has the rules."
RULES_HELP_BY_TOUCH: Final = "Help has the rules."
"""Where to find help, for a player who asks for a hint at a table with other people."""
HELP: Final = Section(
    "A hint",
    f"{KEY} says what the strongest computer player advises, and why. It knows only what you know. {ALONE}",
    by_touch=Section(
        "A hint",
        f"Hint says what the strongest computer player advises, and why. It knows only what you know. {ALONE}",
    ),
)
THINKING: Final = "Thinking…"
LOOKING_FURTHER: Final = "This is the best so far. Looking further ahead…"
COMPARING: Final = "Comparing with other choices…"
SPINNER: Final = "|/-\\"
"""The characters of the spinner that turns while the bot thinks."""
LOST_NEXT: Final = "Against best play, every choice loses: your opponent can win next turn."
LOST_WITHIN: Final = "Against best play, every choice loses: your opponent can win within {turns} turns."
NO_CHOICE: Final = "You can ask for a hint whenever it is your turn to choose."
FAULT: Final = "No hint here; the log says why."
LATE: Final = "The game has moved on. Ask again."
CHANGED: Final = "Your turn has changed since you asked for a hint. Ask again."
NO_HINTS: Final = (NO_CHOICE, FAULT, LATE, CHANGED)
"""What an adviser says instead of a hint."""
LINE: Final = 60
"""The most columns of a line of advice."""
SOON: Final = 0.7
"""Seconds after which a player who is still waiting is told the best choice so far."""
FRAME: Final = 0.1
"""Seconds between two checks of how far the bot has thought."""


class Adviser:
    """Advises one seat at one table."""

    def __init__(self, game: AnyGameUI, table: Table, names: Sequence[str], form: AnyForm | None = None) -> None:
        """Takes a `form`, which is the player's choice so far."""
        self._game, self._table, self._names, self._form = game, table, names, form
        self._level = len(levels_of(table.game))
        self._bot: Bot | None = None
        self._asked: Asked | None = None
        self._known: Observation | None = None
        self._choice: Plain = None
        self._best: tuple[Plain, str] = (None, "")
        """The best choice that the bot has found so far, or found in the end, and why, in a sentence."""
        self.doing = THINKING
        """What the bot is doing now."""

    @property
    def title(self) -> str:
        """Says whose advice it is, as a heading."""
        return f"Advice from level {self._level} ({find_level(self._table.game, self._level).name})"

    @property
    def progress(self) -> float:
        """Returns how far the bot has thought, from 0 to 1; 0 for bots that do not report it."""
        return self._bot.progress if isinstance(self._bot, Progressing) else 0.0

    def in_signs(self, advice: str) -> str:
        """Returns the advice as the board writes it."""
        return self._game.in_signs(advice)

    @property
    def fills_in(self) -> str:
        """Says what `fill_in` does with the choice that was named; empty if it can do nothing."""
        form, peer = self._form, self._table.peer
        if form is None or form.sealed or not self._choice or peer is None or peer.asked != self._asked:
            return ""
        return form.fills_in

    def fill_in(self) -> None:
        """Drafts the choice that was named in the player's form. Call it only if `fills_in` is not empty."""
        assert self._form is not None
        self._form.fill_in(self._choice)

    @property
    def spelled(self) -> str:
        """Says what to type for the choice that was named; empty if the advice says that itself."""
        typed = self._form.spelled(self._choice) if self._form is not None and self._choice else ""
        return f"Type: {typed}" if typed else ""

    def so_far(self) -> str:
        """Says what is known so far while `advise` runs: the best choice that the bot has found, and why. Empty if it
        has found none, or the game has moved on. If the bot looks further ahead, `doing` says so.
        """
        known, bot = self._known, self._bot
        if known is None or self._overtaken:
            return ""
        if self._choice is None and isinstance(bot, Deepening) and (choice := bot.so_far) not in (None, self._best[0]):
            self.doing = LOOKING_FURTHER
            self._best = choice, self._reason(known, choice)
        return self._best[1]

    async def advise(self) -> str:
        """Says what the bot would choose now, and why, in a sentence. If it cannot say, the sentence says so.

        If this is canceled, the bot stops thinking.
        """
        # A start of the program does not need it.
        from kimberley.games.bots import hints

        table, peer = self._table, self._table.peer
        if peer is None or peer.asked is None or not is_aided(table):
            return NO_CHOICE
        asked, form = peer.asked, self._form
        self._asked = asked
        state = peer.state if form is None or form.context.ask != asked.ask else form.advised
        self._known = known = Observation(table.occupants.seat, state, peer.story)
        try:
            self._bot = bot = await in_background(hints.make_adviser, table.game)
            choice = await in_background(hints.choose, bot, known)
            lost = bot.loses_within if isinstance(bot, Foreseeing) else None
            advice = self._reason(known, choice)
            self._choice, self._best, self.doing = choice, (choice, advice), COMPARING
            # Where every choice loses, none is better than another.
            other = await in_background(hints.compare, table.game, bot, known, choice) if lost is None else None
            if other is not None and hints.is_idle(bot, choice, other):
                choice, other = other.choice, None
                advice = self._reason(known, choice)
                self._choice, self._best = choice, (choice, advice)
            if other is not None:
                advice = self._reason(known, choice, other.choice)
                second = self._game.advise_next(known.state, known.seat, choice, other.choice, self._names)
                advice = (
                    f"{advice} {second.sentence(equally_good=other.equally_good)}" if second is not None else advice
                )
        except asyncio.CancelledError:
            if isinstance(self._bot, Stoppable):
                self._bot.stop()
            raise
        except Exception:
            log.exception("no advice in step %d", asked.step)
            return FAULT
        if overtaken := self._overtaken:
            return overtaken
        remarks = [bot.remark] if isinstance(bot, Remarking) else []
        if lost is not None:
            remarks.insert(0, LOST_NEXT if lost == 1 else LOST_WITHIN.format(turns=lost))
        return " ".join([advice, *remarks])

    @property
    def _overtaken(self) -> str:
        """Says why the hint is out of date: the choice is over, or the player has changed what it was based on;
        empty if it is not.
        """
        peer, form, known, asked = self._table.peer, self._form, self._known, self._asked
        if peer is None or asked is None or peer.asked != asked:
            return LATE
        if form is None or known is None or form.context.ask != asked.ask:
            return ""
        return CHANGED if form.advised != known.state else ""

    def _reason(self, known: Observation, choice: Plain, other: Plain | None = None) -> str:
        """Says why the bot makes a choice rather than the `other` one."""
        ask = known.state.ask()
        assert not isinstance(ask, Result)
        return self._game.advise(known.state, ask, known.seat, choice, self._names, other)


class AdviceDialog(Screen):
    """Shows the advice over the board: after `SOON` the best choice so far, and all of it as soon as it is ready. It
    can be closed at any time.
    """

    overlay = True

    def __init__(self, ui: Ui, adviser: Adviser) -> None:
        super().__init__(ui)
        self._adviser = adviser
        self._advice = ""
        self._soon = ui.now() + SOON
        self._thinking: asyncio.Task[None] | None = None

    def opened(self) -> None:
        self.ui.start(self._advise())

    def closed(self) -> None:
        if self._thinking is not None:
            self._thinking.cancel()

    async def _advise(self) -> None:
        self._thinking = asyncio.current_task()
        self._advice = self._adviser.in_signs(await self._adviser.advise())
        self.ui.redraw()

    def draw(self, canvas: Canvas, now: float) -> None:
        room = min(LINE, canvas.width - 10)
        so_far = self._adviser.in_signs(self._adviser.so_far()) if now >= self._soon else ""
        advice = wrap(self._advice or so_far, room) if self._advice or so_far else []
        lines = (
            advice if self._advice else [*advice, *([""] if advice else []), *wrap(self._adviser.doing, room - 2), ""]
        )
        inside = dialog(canvas, room + 8, len(lines) + 4, self._adviser.title)
        for number, line in enumerate(lines):
            inside.put(1, 1 + number, line, "text" if number < len(advice) or not advice else "soft")
        if not self._advice:
            row = len(lines) - 1
            if not self.ui.calm:
                inside.put(2 + cell_width(lines[row - 1]), row, SPINNER[int(now / FRAME) % len(SPINNER)], "ice")
            if self._adviser.progress:
                progress(inside, 1, row + 1, room, self._adviser.progress)
        answers = [Hint("Esc", "close" if self._advice or so_far else "cancel", primary=True)]
        if self._fills_in:
            answers.insert(0, Hint("Enter", self._fills_in, primary=True))
        if canvas.portrait:
            touch_answers(canvas, answers)
        else:
            key_bar(canvas, answers)

    @property
    def _fills_in(self) -> str:
        return self._adviser.fills_in if self._advice or self.ui.now() >= self._soon else ""

    def next_frame(self, now: float) -> float | None:
        return None if self._advice else now + FRAME

    def key(self, name: str) -> bool:
        if name in ("esc", "enter", " ", KEY):
            if name == "enter" and self._fills_in:
                self._adviser.fill_in()
            self.ui.pop(self)
            return True
        return False
