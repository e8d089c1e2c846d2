"""The screen after a game at the player's own table: the dossier, the verdict, and whether to play again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kimberley.client.boards.report import Dossier
from kimberley.client.screens.audit_screen import KEY_LINES, AuditScreen, FinishedGame
from kimberley.client.screens.dialogs import leave_table
from kimberley.client.screens.setup import SetupScreen
from kimberley.client.screens.shell import Shell
from kimberley.client.session.banners import game_begun
from kimberley.client.session.bots import is_practice
from kimberley.client.session.next_level import NextLevel, next_level
from kimberley.client.session.participants import departed_seats, only_bots
from kimberley.client.session.rematches import can_rematch, is_asked, rematch_sentence
from kimberley.client.ui.bars import key_bar
from kimberley.client.ui.buttons import button, button_width
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.panels import paragraph
from kimberley.client.ui.screen import Help, MenuItem, Section
from kimberley.client.ui.touch import bar_rows, touch_bar
from kimberley.p2p.sentences.notices import CLOSED, SETTING_UP

if TYPE_CHECKING:
    from kimberley.client.screens.shell import TableFlowLike
    from kimberley.p2p.table.table import Table
    from kimberley.protocol.audit import AuditedGame


BACK: Final = "Back"
TO_TABLE: Final = "To the table"
JOIN: Final = "Join"
OTHER: Final = "Other game"
OTHER_KEY: Final = "o"
AGAIN: Final = Section(
    "Another game",
    "A rematch begins when everyone wants one. If you choose Other game instead, the table opens again, with everyone "
    "who is still here, for any game and options.",
)


class DossierScreen(AuditScreen):
    """The dossier of a finished game at a table."""

    MORE_ROWS = 2

    def __init__(self, shell: Shell, table: Table, flow: TableFlowLike, dossier: Dossier | None) -> None:
        """Takes a `dossier`, the board's account of the game that has just ended at the table."""
        super().__init__(shell, dossier)
        self._finished: FinishedGame | None = None
        self._audited = table.ending.audited
        self.table_flow, self._table = flow, table
        self.focus: int | None = None
        # The table may be open again before this is shown.
        self._finished = self.finished

    @property
    def table(self) -> Table:
        return self._table

    # -- the model -----------------------------------------------------------------------------------------------------

    @property
    def finished(self) -> FinishedGame:
        table = self._table
        if self._finished is None or table.phase == "done":
            # Later the others sit at other seats, or are gone.
            self._finished = FinishedGame(
                table.game,
                table.occupants.names,
                table.occupants.seat,
                table.peer.result if table.peer is not None else None,
                sorted(departed_seats(table)),
                table.ending.verdict,
                table.problem,
                table.ending.record,
                is_practice(table),
            )
        return self._finished

    @property
    def audited(self) -> AuditedGame | None:
        if self._audited is None or self._table.phase == "done":
            # The next game has none yet.
            self._audited = self._table.ending.audited
        return self._audited

    @property
    def _is_last(self) -> bool:
        """Whether there cannot be another game: it counts for a tournament, or the others have left the table."""
        return self.table_flow.counts or self._table.phase == "failed"

    @property
    def _offers(self) -> bool:
        """Whether the button for another game does something now."""
        if self._is_last or self._is_open or self._has_begun:
            return not self._is_last
        return self._table.phase == "done" and can_rematch(self._table) and not is_asked(self._table)

    @property
    def _next(self) -> NextLevel | None:
        """The level to play next, after a solo game."""
        return None if self._is_last or is_asked(self._table) else next_level(self._table)

    @property
    def _is_open(self) -> bool:
        """Whether the host has opened the table again, for this player to sit down there."""
        return self._table.phase == "open" and not self._table.host

    @property
    def _has_begun(self) -> bool:
        """Whether the next game has begun, or the words for it are being compared."""
        return self._table.phase not in ("open", "done", "failed")

    @property
    def _opens(self) -> bool:
        """Whether the player can open the table again."""
        table = self._table
        alone = self._next is not None or only_bots(table)
        return table.host and table.phase == "done" and not self._is_last and not alone

    def _again(self) -> str:
        """Returns who decides about another game, and who has asked for one; after a solo game, the next level."""
        table = self._table
        if (following := self._next) is not None:
            return following.why
        if self.table_flow.counts:
            return self.table_flow.following
        if table.phase == "failed":
            return table.problem or CLOSED
        if self._is_open:
            return f"{table.occupants.names[table.host_seat]} is setting up another game."
        if self._has_begun:
            return game_begun(table).head
        return SETTING_UP if table.phase == "open" else rematch_sentence(table)

    # -- the view ------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        super().draw(canvas, now)
        asked = is_asked(self._table) and not self._offers
        again = [Hint("p", self._first.lower(), primary=True)] if self._offers else []
        again += [Hint(OTHER_KEY, OTHER.lower())] if self._opens and canvas.touch else []
        following = self._next
        home = "tournament" if self.table_flow.counts else "title"
        leave = Hint("Esc", self.pictured if self.over_picture else home)
        if canvas.portrait:
            y = canvas.height - bar_rows(canvas, KEY_LINES) - self.MORE_ROWS
            wish = "✓ You asked for a rematch. " if asked and not self._is_last else ""
            paragraph(canvas, 1, y, wrap(wish + self._again(), canvas.width - 2, self.MORE_ROWS))
            up = [Hint("n", f"play {following.label}")] if following is not None else []
            touch_bar(canvas, self.upright_hints(*again, *up, leave), KEY_LINES)
            return
        self._draw_buttons(canvas, canvas.height - 3)
        # The buttons name their keys. Next to the one for another level, there is none for leaving.
        key_bar(canvas, self.hints(*([leave] if following is not None else [])))

    def _draw_buttons(self, canvas: Canvas, y: int) -> None:
        if self._is_last:
            home = "Tournament" if self.table_flow.counts else "Title screen"
            label = BACK if self.over_picture else home
            room = button_width(label, "Esc")
            paragraph(canvas, 1, y, wrap(self._again(), canvas.width - room - 8, 2))
            button(canvas, canvas.width - room - 4, y, label, "Esc", primary=True, action="key:esc")
            return
        again = button_width(self._first, "p")
        second, key = self._second
        other = button_width(OTHER, OTHER_KEY) + 1 if self._opens else 0
        x = canvas.width - again - button_width(second, key) - other - 9
        x = x if self._next is not None or other else max(40, x)
        paragraph(canvas, 1, y, wrap(self._again(), x - 3, 2))
        if self._offers:
            button(canvas, x, y, self._first, "p", primary=True, focused=self.focus == 0)
        elif is_asked(self._table):
            canvas.put(x, y, "✓ rematch", "ok", bold=True)
        if other:
            button(canvas, x + again + 1, y, OTHER, OTHER_KEY)
        button(canvas, x + again + 1 + other, y, second, key, focused=self.focus == 1, action=f"key:{key.lower()}")

    @property
    def _first(self) -> str:
        """The button for another game."""
        return JOIN if self._has_begun else TO_TABLE if self._is_open else "Rematch"

    @property
    def _second(self) -> tuple[str, str]:
        """The button beside the one for another game, and its key."""
        if self._next is not None:
            return f"Next: {self._next.label}", "n"
        return BACK if self.over_picture else "Leave", "Esc"

    # -- keys and clicks -----------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        match name:
            case "tab" | "s-tab" if not self._is_last:
                self.focus = 1 if self.focus == 0 else 0
            case "left" | "right" if self.focus is not None:
                self.focus = 1 if self.focus == 0 else 0
            case "p" if self._offers:
                self._play_again()
            case _ if name == OTHER_KEY and self._opens:
                self._open_again()
            case "n" if self._next is not None:
                self._play_next()
            case "enter" if self.focus is not None and not self._is_last:
                self._play_again() if self.focus == 0 else self.key(self._second[1].lower())
            case "esc" if not self.over_picture:
                leave_table(self.shell, self._table)
            case _:
                return super().key(name)
        return True

    def _open_again(self) -> None:
        self._table.hosting.open_again()
        self.table_flow.to_table()
        self.ui.push(SetupScreen(self.shell, self._table.game, self._table, other_game=True))

    def _play_again(self) -> None:
        if self._is_open or self._has_begun:
            self.table_flow.to_table()
        elif self._offers:
            self._table.rematch.want()

    def _play_next(self) -> None:
        if (following := self._next) is not None:
            self._table.departures.leave()
            self.table_flow.play_at(following.number)

    def menu(self) -> list[MenuItem]:
        again = [MenuItem(self._first, "p", self._play_again)] if self._offers else []
        again += [MenuItem(OTHER, OTHER_KEY, self._open_again)] if self._opens else []
        following = self._next
        more = [] if following is None else [MenuItem(f"Next: {following.label}", "n", self._play_next)]
        return [*again, *more]

    def help(self) -> Help:
        return Help("After the game", (*self.about, *((AGAIN,) if self._opens else ())))
