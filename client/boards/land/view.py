"""The game in play, at one seat of a table."""

from __future__ import annotations

import math
from typing import Any, Final

from kimberley.client.boards.api import BoardScreen
from kimberley.client.boards.land import help_text
from kimberley.client.boards.land.accounts import AccountScreen
from kimberley.client.boards.land.events import (
    GameEvent,
    TurnPlayed,
    describe_event,
    ended,
    money,
    place,
    read_events,
    started,
)
from kimberley.client.boards.land.form_turn import TYPED, TurnForm
from kimberley.client.boards.land.layout import MAP_X, MAP_Y, Layout
from kimberley.client.boards.land.ledger import Ledger
from kimberley.client.boards.land.overview import MODES
from kimberley.client.boards.land.parcel_style import mark
from kimberley.client.boards.land.picture import Picture, Stepper, draw_picture, entries, signs
from kimberley.client.boards.land.playback import FRAME, TUMBLE, PlaybackQueue, tumbling
from kimberley.client.boards.land.turn_history import TurnHistoryScreen
from kimberley.client.session.ports import TableLike
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import clean, truncate
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import Help, MenuItem, Ui
from kimberley.client.ui.widgets import Hint, key_bar, phase_strip, title_bar
from kimberley.games.land.accounts import TurnOpening
from kimberley.games.land.deals import BUY, DealMade
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.money import price
from kimberley.games.land.rules import DealSpace, State
from kimberley.protocol.play import NotAllowed

TITLE: Final = "Blood Diamonds, the land game"
END_SECONDS: Final = 4.0
"""How long the end stays before the dossier opens; a key goes on at once."""
WAYS: Final = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
NOTHING_DONE: Final = "You made no deals. Press d again to end your turn."
GOAL_TEXT: Final = "1000K wins at the start or end of a turn; below 0 at the end loses."


def sentence(rule: str) -> str:
    """A rule as a sentence: with a capital, but for the name of a parcel, and a full stop."""
    first = rule if rule[1:2].isdigit() else rule[:1].upper() + rule[1:]
    return first if first.endswith(".") else f"{first}."


def _opening(event: GameEvent) -> dict[int, TurnOpening]:
    """How the turn of an event began, by its seat."""
    opening = event.before.opening
    return {opening.seat: opening} if opening is not None else {}


class PlayingScreen(BoardScreen):
    """Plays a game at a table. All it knows comes from the table's story."""

    def __init__(self, table: TableLike, ui: Ui) -> None:
        super().__init__(table, ui)
        self._seat = table.seat
        self._names = tuple(clean(name) or f"seat {seat + 1}" for seat, name in enumerate(table.names))
        self._state: State | None = None
        self._seen = 0
        self._events: list[GameEvent] = []
        self._openings: dict[int, TurnOpening] = {}
        self._turn: TurnForm | None = None
        self._sent = False
        self._rolled_at = -math.inf
        self._playback = PlaybackQueue(ui.calm)
        self._cursor = 0
        self._roams = False
        self._mode = 0
        self._shown_seat = table.seat
        self._said: tuple[str, bool] = ("", False)
        self._ended_at = -math.inf
        self._where: Layout | None = None
        self._refresh(showing=False)

    def opened(self) -> None:
        super().opened()
        self._refresh(showing=False)

    def busy(self, now: float) -> bool:
        return self._playback.current(now) is not None or now < self._ended_at + END_SECONDS

    # -- following the table -------------------------------------------------------------------------------------------

    def on_event(self, event: Any) -> None:
        del event
        self._refresh()

    def _refresh(self, showing: bool = True) -> None:
        """Reads what is new in the story; with `showing` it shows the turns of others one by one."""
        peer = self._table.peer
        if peer is None or not isinstance(peer.state, State):
            return
        if self._state is None:
            self._state = started(len(self._names), self._table.options, peer.state, peer.story)
        if len(peer.story) > self._seen:
            found, self._state = read_events(peer.story[self._seen :], self._state, self._seen)
            self._seen = len(peer.story)
            self._events += found
            for each in found:
                if each.before.opening is not None:
                    self._openings[each.before.opening.seat] = each.before.opening
            if showing:
                self._playback.add(each for each in found if each.seat != self._seat)
            self._turn, self._sent = None, False
            if peer.result is not None and not self.ui.calm:
                self._ended_at = self.ui.now() + self._playback.lasts
        if self._state.opening is not None:
            self._openings[self._state.opening.seat] = self._state.opening
        self._begin_turn(showing)

    def _begin_turn(self, showing: bool) -> None:
        """Opens the form if it is this seat's turn."""
        peer = self._table.peer
        asked = peer.asked if peer is not None else None
        if asked is None or self._turn is not None or self._sent or not isinstance(asked.space, DealSpace):
            return
        self._turn = TurnForm(asked.space)
        self._roams, self._said = False, ("", False)
        parcels = asked.space.parcels
        own = self._turn.draft.own()
        self._cursor = (own or parcels)[0]
        if showing and not self.ui.calm:
            self._rolled_at = self.ui.now()

    @property
    def _mine(self) -> bool:
        """Whether this seat is to choose now."""
        return self._turn is not None and not self._sent

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        state = self._state
        if state is None or state.map is None:
            title_bar(canvas, TITLE)
            phase_strip(canvas, 1, "START", "The dice decide the map and who begins.", *self.waits.strip_text(now, 28))
            key_bar(canvas, [Hint("F10", "menu"), Hint("F1", "help")])
            return
        self._where = draw_picture(canvas, self._picture(state, now))

    def _picture(self, state: State, now: float) -> Picture:
        assert state.map is not None
        running = self._playback.current(now)
        event = running[0] if running is not None else None
        base = event.after if event is not None else state
        turn = self._turn if event is None else None
        land = turn.draft.land if turn is not None else base.land
        cash, due = base.cash, base.due
        if turn is not None:
            cash, due = self._drafted(base, turn)
        sector, dice, dealt = self._in_play(event, state)
        since = running[1] if running is not None else now - self._rolled_at
        if (faces := tumbling(self._seen, since)) is not None and dice is not None:
            dice, sector = faces, state.map.rolled(*faces)
        cursor = self._cursor if (turn is not None and event is None) or self._roams else None
        shown = state.map.sector_of(self._cursor) if cursor is not None else sector or (0, 0)
        if since < TUMBLE and not self._roams and sector is not None:
            cursor, shown = None, sector
        account = event.seat if event is not None else self._shown_seat
        active = event.seat if event is not None else state.seat if state.over is None else None
        return Picture(
            title=TITLE,
            note=self._note(state),
            strip=self._strip(state, event, since, now),
            map=state.map,
            land=land,
            ledger=Ledger(entries(base, land, cash, due), self._names, self._seat, active, account),
            mode=MODES[self._mode],
            sector=sector,
            shown=shown,
            dice=dice,
            cursor=cursor,
            marks=turn.marks if turn is not None else frozenset(),
            signs=signs(turn.draft.dealt if turn is not None else dealt),
            drafted=self._draft_line(turn),
            stepper=self._stepper(turn),
            openings=self._openings if event is None else self._openings | _opening(event),
            message=self._message() if event is None else ("Press any key to go on.", "soft"),
            log=self._log(event),
            buttons=self._buttons(turn),
            hints=self._hints(turn),
        )

    def _drafted(self, state: State, turn: TurnForm) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Balances and credits as they would be if the turn ended with its deals so far."""
        cash, due = list(state.cash), list(state.due)
        cash[self._seat] = turn.draft.cash
        for done in turn.draft.dealt:
            if done.deal[0] == BUY and done.seller != GOVERNMENT:
                due[done.seller] += done.paid
        return tuple(cash), tuple(due)

    def _in_play(
        self, event: GameEvent | None, state: State
    ) -> tuple[tuple[int, int] | None, tuple[int, int] | None, tuple[DealMade, ...]]:
        """The sector in play, or the one that was; its dice; and what was dealt in it."""
        if isinstance(event, TurnPlayed):
            return event.sector, event.before.dice, event.dealt
        if state.sector is not None:
            return state.sector, state.dice, ()
        last = next((each for each in reversed(self._events) if isinstance(each, TurnPlayed)), None)
        return (last.sector, last.before.dice, last.dealt) if last is not None else (None, None, ())

    def _note(self, state: State) -> str:
        return f"turn {state.turn} of {state.limit}" if state.limit else f"turn {state.turn}"

    def _strip(self, state: State, event: GameEvent | None, since: float, now: float) -> tuple[str, str, str, Color]:
        """The phase, what to do in it, who is waited for, and the color of that."""
        waiting, fg = self.waits.strip_text(now, 24)
        if event is not None:
            name, told = self._names[event.seat], describe_event(event, self._names, self._seat)
            doing = "rolls the dice" if isinstance(event, TurnPlayed) and since < TUMBLE else told
            return (
                mark(event.seat),
                f"{name} {doing}.",
                f"{self._playback.left} to see" if self._playback.left > 1 else "",
                "soft",
            )
        result = self._table.peer.result if self._table.peer is not None else None
        if result is not None:
            return "THE END", f"{ended(result.reason, self._names)}.", "", "soft"
        if not state.alive(self._seat):
            waiting, fg = (waiting, fg) if waiting else ("", "soft")
            return "OUT", f"{truncate(self._names[state.seat], 14)} has the turn; you are out.", waiting, fg
        if self._turn is None:
            whose = truncate(self._names[state.seat], 14)
            if state.seat == self._seat:
                return "ROLL", "Your turn begins: the dice are rolled.", waiting, fg
            return "WAIT", f"{whose} has the turn{f', in sector {place(state.sector)}' if state.sector else ''}.", (
                waiting
            ), fg  # fmt: skip
        if not self._table.away and self.waits.timed(now, 24) is None:
            waiting, fg = "your turn", "ok"
        if self._turn.draft.cash < 0:
            return "DEBT", "Sell until you are above zero, or you are out.", waiting, fg
        row, column = (number + 1 for number in self._turn.space.sector)
        return "BUY", f"Sector row {row}, column {column} is in play: buy, sell, set prices.", waiting, fg

    def _draft_line(self, turn: TurnForm | None) -> str:
        if turn is None:
            return ""
        count = len(turn.draft.dealt)
        if turn.draft.verdict() == "wins":
            return "A million: Done wins"
        if count:
            return f"{count} {'deal' if count == 1 else 'deals'}: {money(turn.draft.cash)} left"
        return f"{len(turn.marks)} marked" if turn.marks else ""

    def _stepper(self, turn: TurnForm | None) -> Stepper | None:
        if turn is None:
            return None
        cents = turn.pending(self._cursor)
        return Stepper(turn.typed or price(cents), bool(turn.typed), max(1, len(turn.marks)))

    def _message(self) -> tuple[str, Color]:
        text, bad = self._said
        if text:
            return f"! {sentence(text)}" if bad else text, "warning" if bad else "ok"
        last = next((each for each in reversed(self._events) if each.seat != self._seat), None)
        if last is not None:
            return f"{self._names[last.seat]} {describe_event(last, self._names, self._seat)}.", "soft"
        return GOAL_TEXT, "soft"

    def _log(self, event: GameEvent | None) -> list[tuple[int, str]]:
        shown = self._events if event is None else self._events[: self._events.index(event) + 1]
        return [(each.seat, f"{describe_event(each, self._names, self._seat)}.") for each in shown[-24:]]

    def _buttons(self, turn: TurnForm | None) -> list[tuple[str, str, bool]]:
        if turn is None:
            return []
        undo = [("Undo", "u", False)] if turn.begun else []
        return [("Buy", "b", False), ("Sell", "s", False), ("Many", "m", False), *undo, ("Done", "d", True)]

    def _hints(self, turn: TurnForm | None) -> list[Hint]:
        if turn is None:
            return [
                Hint("← → ↑ ↓", "look around", "nothing"), Hint("o", "overview"), Hint("Tab", "whose account"),
                Hint("l", "log"), Hint("F1", "help"), Hint("F10", "menu"),
            ]  # fmt: skip
        return [
            Hint("b", "buy"),
            Hint("s", "sell"),
            Hint("0-9", "price", "nothing"),
            Hint("Space", "mark"),
            Hint("m", "many"),
            *([Hint("u", "undo")] if turn.begun else []),
            Hint("o", "overview"),
            Hint("d", "done"),
            Hint("l", "log"),
            Hint("e", "taxes"),
            Hint("F1", "help"),
        ]

    # -- keys ----------------------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        state = self._state
        if state is None or state.map is None:
            return False
        match name:
            case "up" | "down" | "left" | "right":
                self._walk(*WAYS[name])
            case "o":
                self._mode = (self._mode + 1) % len(MODES)
            case "tab" | "s-tab":
                self._shown_seat = (self._shown_seat + (1 if name == "tab" else -1)) % len(self._names)
            case "l":
                self._show_history()
            case "e":
                self._explain()
            case "home" | "esc" if self._turn is None or not self._turn.forget():
                self._come_back()
            case "home" | "esc":
                pass
            case _:
                return self._turn is not None and self._mine and self._deal(self._turn, name)
        return True

    def _deal(self, turn: TurnForm, name: str) -> bool:
        """A key that belongs to this seat's turn."""
        said: tuple[str, bool] = ("", False)
        match name:
            case "b":
                said = turn.buy(self._cursor)
            case "s":
                said = turn.sell(self._cursor)
            case "enter" if turn.typed:
                said = turn.price(self._cursor)
            case "enter":
                said = "Type a price first: digits, or + and -, or x2 for twice the base price.", True
            case " ":
                refused = turn.mark(self._cursor)
                said = refused, bool(refused)
            case "m":
                said = turn.mark_many(self._cursor), False
            case "u" if turn.undo():
                said = "Taken back.", False
            case "u":
                said = "There is nothing to take back.", True
            case "+" | "=" | "-":
                turn.step(self._cursor, -1 if name == "-" else 1)
            case "d":
                self._done(turn)
                return True
            case "backspace":
                turn.type(name)
            case _ if name in TYPED:
                turn.type(name)
            case _:
                return False
        self._said = said
        return True

    def paste(self, text: str) -> bool:
        turn = self._turn
        if turn is None or not self._mine:
            return False
        for character in text.strip():
            turn.type(character)
        return True

    def _walk(self, down: int, right: int) -> None:
        """Moves the cursor, from the sector in play when it was not to be seen before."""
        state = self._state
        assert state is not None
        assert state.map is not None
        side = state.map.side
        if self._turn is None and not self._roams:
            sector, _, _ = self._in_play(None, state)
            self._roams = True
            self._cursor = state.map.parcels(*(sector or (0, 0)))[0]
            return
        row, column = divmod(self._cursor, side)
        self._cursor = min(max(0, row + down), side - 1) * side + min(max(0, column + right), side - 1)
        self._said = ("", False)

    def _show_history(self) -> None:
        """Opens all that has happened so far."""
        self.ui.push(TurnHistoryScreen(self.ui, self._names, self._seat, self._events))

    def _explain(self) -> None:
        """Opens what the land of the seat that is looked at costs and brings, parcel by parcel."""
        state = self._state
        if state is not None and state.map is not None:
            land = self._turn.draft.land if self._turn is not None else state.land
            self.ui.push(AccountScreen(self.ui, state.map, land, self._names, self._shown_seat))

    def _come_back(self) -> None:
        """Back to the sector in play."""
        self._roams = False
        if self._turn is not None and self._cursor not in self._turn.space.parcels:
            self._cursor = self._turn.space.parcels[0]

    # -- the mouse -----------------------------------------------------------------------------------------------------

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        turn = self._turn if self._mine else None
        match action:
            case ("map",) if self._where is not None:
                self._point(self._where.scale.at(x - MAP_X, y - MAP_Y))
            case ("parcel", int(parcel)) if turn is not None and parcel == self._cursor:
                refused = turn.mark(parcel)
                self._said = refused, bool(refused)
            case ("parcel", int(parcel)):
                self._point(parcel)
            case ("seat", int(seat)):
                self._shown_seat = seat
            case ("mode", str(mode)):
                self._mode = MODES.index(mode)
            case ("step", int(steps)) if turn is not None:
                turn.step(self._cursor, steps)
            case ("digit", int(digit)) if turn is not None:
                turn.turn_digit(self._cursor, digit, -1 if button == "middle" else 1)
            case _:
                return False
        return True

    def _point(self, parcel: int) -> None:
        self._cursor, self._roams, self._said = parcel, self._turn is None, ("", False)

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del x, y
        turn = self._turn if self._mine else None
        match action:
            case ("step", int()) if turn is not None:
                turn.step(self._cursor, -steps)
            case ("digit", int(digit)) if turn is not None:
                turn.turn_digit(self._cursor, digit, -steps)
            case ("map",):
                self._mode = (self._mode + steps) % len(MODES)
            case _:
                return False
        return True

    # -- the end of a turn ---------------------------------------------------------------------------------------------

    def _done(self, turn: TurnForm) -> None:
        """Sends the turn; asks back where that means to be out of the game, or where nothing was done in it."""
        if turn.draft.verdict() == "loses":
            text = (
                f"Your balance is {money(turn.draft.cash)}. If it is below zero at the end of your turn, you are out."
            )
            self.ui.confirm("End the turn?", text, "Be out", "Go on", lambda: self._send(turn))
        elif not turn.begun and self._said[0] != NOTHING_DONE:
            self._said = NOTHING_DONE, False
        else:
            self._send(turn)

    def _send(self, turn: TurnForm) -> None:
        if turn is not self._turn or not self._mine:
            return
        self._sent = True
        try:
            self._table.choose(turn.deals())
        except NotAllowed as error:
            self._sent, self._said = False, (str(error), True)
            return
        self._said = ("", False)
        self._refresh()
        self.ui.redraw()

    # -- time ----------------------------------------------------------------------------------------------------------

    def skip(self, now: float) -> bool:
        if self._playback.skip():
            # The end itself is still to be seen.
            self._ended_at = min(self._ended_at, now)
            return True
        moving = now < self._ended_at + END_SECONDS or now < self._rolled_at + TUMBLE
        self._ended_at = self._rolled_at = -math.inf
        return moving

    def next_frame(self, now: float) -> float | None:
        due = [self._playback.next_frame(now), self.waits.next_frame(now)]
        if now < self._rolled_at + TUMBLE:
            due.append(now + FRAME)
        if now < self._ended_at + END_SECONDS:
            due.append(self._ended_at + END_SECONDS)
        return min((each for each in due if each is not None), default=None)

    # -- help, menu ----------------------------------------------------------------------------------------------------

    def menu(self) -> list[MenuItem]:
        items = [MenuItem("What happened", "l", self._show_history), MenuItem("Tax and revenue", "e", self._explain)]
        if self._turn is not None and self._mine and self._turn.begun:
            items.append(MenuItem("Take all deals back", "u", self._turn.restart))
        return items

    def help(self) -> Help:
        return help_text.for_turn(self._mine)
