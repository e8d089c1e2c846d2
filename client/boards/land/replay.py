"""A finished game, turn by turn on the board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from client.boards.land import helps
from client.boards.land.accounts import AccountScreen
from client.boards.land.chronicle import ChronicleScreen
from client.boards.land.course import Left, Played, ended, played, story_of
from client.boards.land.frame import Frame, draw_frame, entries, signs
from client.boards.land.layout import MAP_X, MAP_Y, Layout
from client.boards.land.ledger import Ledger
from client.boards.land.overview import MODES
from client.canvas import Action, Canvas
from client.palette import Colour
from client.screen import Help, Screen, Ui
from client.widgets import Hint, key_bar, phase_strip, title_bar
from games.land.accounts import Opening
from games.land.rules import State
from games.table import Result

LEAP: Final = 10


class ReplayScreen(Screen):
    """Steps through the turns of a story. `step` is the number of the ask to begin with."""

    def __init__(
        self,
        start: State,
        story: Iterable[tuple[Any, Any]],
        result: Result | None,
        names: Sequence[str],
        ui: Ui,
        step: int | None = None,
    ) -> None:
        super().__init__(ui)
        self._names, self._result = names, result
        self._events, self._final = played(story, start)
        self._at = 0
        if step is not None:
            self._at = sum(1 for each in self._events if each.step <= step)
        self._mode = 0
        self._shown_seat: int | None = None
        self._cursor: int | None = None
        self._where: Layout | None = None

    @property
    def last(self) -> Played | Left | None:
        """What led to the position shown; None at the start."""
        return self._events[self._at - 1] if self._at else None

    @property
    def state(self) -> State:
        """The state that is shown."""
        if self.last is not None:
            return self.last.after
        return self._events[0].before if self._events else self._final

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        del now
        state, last = self.state, self.last
        if state.map is None:
            title_bar(canvas, f"{helps.TITLE} · replay")
            phase_strip(canvas, 1, "START", "The game was over before it began.")
            key_bar(canvas, [Hint("Esc", "close")])
            return
        turn = next((each for each in reversed(self._events[: self._at]) if isinstance(each, Played)), None)
        sector = turn.sector if turn is not None else None
        cursor = self._cursor
        shown = sector or (0, 0)
        seat = self._shown_seat if self._shown_seat is not None else self._latest_start()
        phase, sentence = self._told()
        frame = Frame(
            title=f"{helps.TITLE} · replay",
            note="",
            strip=(phase, sentence, f"turn {self._at} of {len(self._events)}", "soft"),
            map=state.map,
            land=state.land,
            ledger=Ledger(
                entries(state, state.land, state.cash, state.due), self._names, None,
                last.seat if last is not None else None, seat,
            ),
            mode=MODES[self._mode],
            sector=sector,
            shown=shown if cursor is None else state.map.sector_of(cursor),
            dice=turn.before.dice if turn is not None else None,
            cursor=cursor,
            signs=signs(turn.dealt) if turn is not None and turn is last else {},
            openings=self._openings(),
            message=self._message(),
            log=[(each.seat, f"{story_of(each, self._names)}.") for each in self._events[: self._at][-24:]],
            hints=[
                Hint("→", "next"), Hint("←", "back"), Hint("PgDn", "ten on"), Hint("PgUp", "ten back"),
                Hint("o", "overview"), Hint("Esc", "close"), Hint("e", "taxes"), Hint("l", "all turns"),
                Hint("Tab", "whose"),
            ],
        )  # fmt: skip
        self._where = draw_frame(canvas, frame)

    def _told(self) -> tuple[str, str]:
        """The phase, and what happened in it."""
        last = self.last
        if self._at == len(self._events) and self._result is not None:
            return "THE END", f"{ended(self._result.reason, self._names)}."
        if last is None:
            return "START", "All land is the government’s."
        return f"TURN {last.number}" if isinstance(last, Played) else "LEFT", (
            f"{self._names[last.seat]} {story_of(last, self._names)}."
        )

    def _message(self) -> tuple[str, Colour]:
        last = self.last
        return f"{self._names[last.seat]} {story_of(last, self._names)}." if last is not None else "", "soft"

    def _latest_start(self) -> int | None:
        """The seat whose turn began last."""
        if self._at == len(self._events) and "start of a turn" in (self._final.over or ""):
            return self._final.seat
        return self.last.seat if self.last is not None else None

    def _openings(self) -> dict[int, Opening]:
        """How the latest turn of every seat began."""
        found: dict[int, Opening] = {}
        for each in self._events[: self._at]:
            if each.before.opening is not None:
                found[each.before.opening.seat] = each.before.opening
        if self._at == len(self._events) and self._final.over is not None and self._final.opening is not None:
            found[self._final.opening.seat] = self._final.opening
        return found

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        steps = {"right": 1, "down": 1, " ": 1, "enter": 1, "n": 1, "left": -1, "up": -1, "backspace": -1,
                 "pagedown": LEAP, "pageup": -LEAP, "home": -len(self._events), "end": len(self._events)}  # fmt: skip
        match name:
            case "esc" | "q" if self._cursor is not None and name == "esc":
                self._cursor = None
            case "esc" | "q":
                self.ui.pop(self)
            case "o":
                self._mode = (self._mode + 1) % len(MODES)
            case "tab" | "s-tab":
                seats = len(self._names)
                here = self._shown_seat if self._shown_seat is not None else -1 if name == "tab" else 0
                self._shown_seat = (here + (1 if name == "tab" else -1)) % seats
            case "l":
                self.ui.push(ChronicleScreen(self.ui, self._names, None, self._events))
            case "e" if self.state.map is not None:
                seat = self._shown_seat if self._shown_seat is not None else self._latest_start() or 0
                self.ui.push(AccountScreen(self.ui, self.state.map, self.state.land, self._names, seat))
            case _ if name in steps:
                self._go(self._at + steps[name])
            case _:
                return False
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del button
        match action:
            case ("map",) if self._where is not None:
                self._cursor = self._where.scale.at(x - MAP_X, y - MAP_Y)
            case ("parcel", int(parcel)):
                self._cursor = parcel
            case ("mode", str(mode)):
                self._mode = MODES.index(mode)
            case ("seat", int(seat)):
                self._shown_seat = seat
            case _:
                return False
        return True

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        self._go(self._at + steps)
        return True

    def help(self) -> Help:
        return helps.REPLAY

    def _go(self, at: int) -> None:
        self._at = max(0, min(len(self._events), at))
        self._shown_seat = self._cursor = None
