"""A game on the map, turn by turn: in a replay, and for onlookers. Nothing in it was ever hidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.land import help_text
from kimberley.client.boards.land.accounts import AccountScreen
from kimberley.client.boards.land.events import GameEvent, TurnPlayed, describe_event, ended, read_events
from kimberley.client.boards.land.layout import MAP_X, MAP_Y, Layout
from kimberley.client.boards.land.ledger import Ledger
from kimberley.client.boards.land.overview import MODES
from kimberley.client.boards.land.picture import Picture, draw_picture, entries, signs
from kimberley.client.boards.land.plain import describe_state
from kimberley.client.boards.land.playback import TUMBLE, seconds, tumbling
from kimberley.client.boards.land.turn_history import TurnHistoryScreen
from kimberley.client.boards.timeline import LiveContext, Timeline
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.screen import Help, Ui
from kimberley.client.ui.widgets import Hint, phase_strip
from kimberley.games.land.accounts import TurnOpening
from kimberley.games.land.rules import State
from kimberley.games.table import Answer, Ask

LOGGED: Final = 24


class LandTimeline(Timeline):
    """`client.boards.timeline.Timeline` of the land game: its turns."""

    title = help_text.TITLE
    unit = "turn"

    def __init__(self, start: State, names: Sequence[str]) -> None:
        super().__init__(names)
        self._final = start
        self._events: list[GameEvent] = []
        self._mode = 0
        self._shown_seat: int | None = None
        self._cursor: int | None = None
        self._where: Layout | None = None

    def extend(self, story: Sequence[tuple[Ask, Answer]], first: int) -> None:
        new, self._final = read_events(story, self._final, first)
        self._events += new

    @property
    def steps(self) -> Sequence[int]:
        return [each.step for each in self._events]

    def _last(self, at: int) -> GameEvent | None:
        """The event that led to a position; None at the start."""
        return self._events[at - 1] if at else None

    def state(self, at: int) -> State:
        """The state at a position."""
        last = self._last(at)
        if last is not None:
            return last.after
        return self._events[0].before if self._events else self._final

    def moving(self, at: int) -> float:
        return TUMBLE if isinstance(self._last(at), TurnPlayed) else 0.0

    def lasting(self, at: int) -> float:
        last = self._last(at)
        return TUMBLE if last is None else seconds(last)

    # -- in words ------------------------------------------------------------------------------------------------------

    def describe_event(self, at: int) -> str:
        each = self._events[at - 1]
        return f"{self.names[each.seat]} {describe_event(each, self.names)}."

    def describe(self) -> list[str]:
        return describe_state(self._final, self.names)

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, at: int, since: float, around: LiveContext) -> None:
        last, state = self._last(at), self._now(at, around)
        if state.map is None:
            said = "The game was over before it began." if self.result else "The dice decide the map and who begins."
            phase_strip(canvas, 1, "START", said, around.aside, around.aside_fg)
            return
        turn = next((each for each in reversed(self._events[:at]) if isinstance(each, TurnPlayed)), None)
        sector, dice = (turn.sector, turn.before.dice) if turn is not None else (None, None)
        if around.live and state.sector is not None:
            sector, dice = state.sector, state.dice
        if turn is last and turn is not None and (faces := tumbling(turn.step, since)) is not None:
            dice, sector = faces, state.map.rolled(*faces)
        cursor = self._cursor
        seat = self._shown_seat if self._shown_seat is not None else self._latest_start(at, around)
        active = self._final.seat if around.live else last.seat if last is not None else None
        frame = Picture(
            title="",
            note="",
            strip=(*self._strip(at, around), around.aside, around.aside_fg),
            map=state.map,
            land=state.land,
            ledger=Ledger(entries(state, state.land, state.cash, state.due), self.names, None, active, seat),
            mode=MODES[self._mode],
            sector=sector,
            shown=sector or (0, 0) if cursor is None else state.map.sector_of(cursor),
            dice=dice,
            cursor=cursor,
            signs=signs(turn.dealt) if turn is not None and turn is last and sector == turn.sector else {},
            openings=self._openings(at, around),
            message=(self.describe_event(at) if at else "", "soft"),
            log=[(each.seat, f"{describe_event(each, self.names)}.") for each in self._events[:at][-LOGGED:]],
        )
        self._where = draw_picture(canvas, frame)

    def _now(self, at: int, around: LiveContext) -> State:
        """The state that is drawn: while the game goes on, the one in which the next turn has begun."""
        return self._final if around.live or at == len(self._events) else self.state(at)

    def note(self, at: int) -> str:
        state = self.state(at)
        return f"turn {state.turn} of {state.limit}" if state.limit else ""

    def _strip(self, at: int, around: LiveContext) -> tuple[str, str]:
        """The phase, and what happened in it."""
        last = self._last(at)
        if at == len(self._events) and self.result is not None:
            return "THE END", f"{ended(self.result.reason, self.names)}."
        if last is None:
            return "START", "All land is the government’s."
        whose = self._final.turn if around.live else last.number if isinstance(last, TurnPlayed) else None
        return f"TURN {whose}" if whose is not None else "LEFT", self.describe_event(at)

    def _latest_start(self, at: int, around: LiveContext) -> int | None:
        """The seat whose turn began last."""
        if around.live or (at == len(self._events) and "start of a turn" in (self._final.over or "")):
            return self._final.seat
        last = self._last(at)
        return last.seat if last is not None else None

    def _openings(self, at: int, around: LiveContext) -> dict[int, TurnOpening]:
        """How the latest turn of every seat began."""
        found: dict[int, TurnOpening] = {}
        for each in self._events[:at]:
            if each.before.opening is not None:
                found[each.before.opening.seat] = each.before.opening
        final = self._final.opening
        if final is not None and (around.live or (at == len(self._events) and self._final.over is not None)):
            found[final.seat] = final
        return found

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def on_position_changed(self) -> None:
        self._shown_seat = self._cursor = None

    def hints(self) -> Sequence[Hint]:
        return [Hint("o", "overview"), Hint("Tab", "whose"), Hint("e", "taxes")]

    def key(self, name: str, at: int, ui: Ui) -> bool:
        state = self.state(at)
        match name:
            case "esc" if self._cursor is not None:
                self._cursor = None
            case "o":
                self._mode = (self._mode + 1) % len(MODES)
            case "tab" | "s-tab":
                here = self._shown_seat if self._shown_seat is not None else -1 if name == "tab" else 0
                self._shown_seat = (here + (1 if name == "tab" else -1)) % len(self.names)
            case "l":
                ui.push(TurnHistoryScreen(ui, self.names, None, self._events))
            case "e" if state.map is not None:
                last = self._last(at)
                seat = self._shown_seat if self._shown_seat is not None else last.seat if last is not None else 0
                ui.push(AccountScreen(ui, state.map, state.land, self.names, seat))
            case _:
                return False
        return True

    def click(self, action: Action, at: int, x: int, y: int) -> bool:
        del at
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

    def help(self) -> Help:
        return help_text.TIMELINE
