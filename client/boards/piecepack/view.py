"""The game in play, at one seat of a table."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from client.board import BoardScreen
from client.boards.piecepack import helps
from client.boards.piecepack.course import Happening, Teller, happenings, start_of
from client.boards.piecepack.desk import Desk, Request, Sitting, hand_cards
from client.boards.piecepack.desk_act import ActDesk
from client.boards.piecepack.desk_coins import DefendDesk, PeekDesk, TheftDesk
from client.boards.piecepack.desk_field import MoveDesk, PlaceDesk, towards
from client.boards.piecepack.frame import draw_hand, draw_table, laid_out, note, pawns_of, players_of
from client.boards.piecepack.panel import TALL, draw_deeds, draw_log, draw_players, panel_width
from client.boards.piecepack.payoffs import draw_payoffs
from client.boards.piecepack.picture import Scene, draw_field
from client.boards.piecepack.request import draw_request
from client.boards.piecepack.suits import POWER_WORDS, SUITS, spelled
from client.boards.piecepack.window import FAR, NEAR, Box, Window, box_of, place_of
from client.boards.piecepack.words import many, outcome, short_tile, tile_rule
from client.canvas import Action, Canvas
from client.glyphs import clean, fitted, wrapped
from client.palette import Colour
from client.people import in_a_row
from client.screen import Help, MenuItem, Ui
from client.seats import TableLike
from client.widgets import Hint, button, key_bar, phase_strip, tabs, title_bar
from games.piecepack.rules import State
from games.piecepack.spaces import Actions, Hearts, Loot, Paths, Peeks, Places
from games.table import Decide, Plain, Result
from protocol.play import Refused

TITLE: Final = "Blood Diamonds, piecepack"
END_SECONDS: Final = 4.0
"""How long the last position stays before the dossier opens; a key goes on at once."""
PACE: Final = {"lay": 0.9, "sell": 1.6, "steal": 1.6, "lose": 1.4, "club": 1.4, "peek": 1.2, "lots": 2.0, "leave": 1.6}
"""How long what another did is shown, in seconds, before what came next; 0.8 where nothing is said here."""
ORDINARY: Final = 0.8
TELLING: Final = frozenset({"sell", "lose", "give", "draw", "heart", "mine", "steal", "peek", "deal"})
"""What one is told of by a toast, where it is one's own."""
DO, TABLE, LOG = range(3)
TABS: Final = ("Do", "Table", "Log")
DIGITS: Final = "123456"


class GameScreen(BoardScreen):
    """Plays a game at a table. All it knows comes from the table's story."""

    def __init__(self, table: TableLike, ui: Ui) -> None:
        super().__init__(table, ui)
        self._seat = table.seat
        self._names = tuple(clean(name) or f"seat {seat + 1}" for seat, name in enumerate(table.names))
        self._hide = self._whole = self._ascii = self._payoffs = False
        self._tab = self._idle_tab = TABLE
        self._seen = 0
        self._tail: State | None = None
        self._shown: State | None = None
        self._log: list[Happening] = []
        self._queue: deque[Happening] = deque()
        self._current: Happening | None = None
        self._next_at = self._ended_at = -math.inf
        self._desk: Desk | None = None
        self._step: int | None = None
        self._looked: int | None = None
        self._who: int | None = None
        self._window: Window | None = None
        self._followed: tuple[Box, bool] | None = None
        self._since = 0
        self._follow()

    def opened(self) -> None:
        super().opened()
        self._follow()

    # -- following the table -------------------------------------------------------------------------------------------

    def heard(self, event: Any) -> None:
        del event
        self._follow()

    def _follow(self) -> None:
        """Takes up what the story has got since; what others did is shown piece by piece."""
        peer = self._table.peer
        if peer is None or not isinstance(peer.state, State):
            return
        late = self._tail is None and len(peer.story) > 0
        if self._tail is None:
            self._tail = self._shown = start_of(peer.story, peer.state)
        if len(peer.story) == self._seen:
            return
        new, self._tail = happenings(peer.story[self._seen :], self._tail, self._seen)
        self._seen = len(peer.story)
        self._log += new
        if self.ui.calm or late:
            self._current = next((each for each in reversed(new) if each.kind != "end"), self._current)
        else:
            self._queue += [each for each in new if each.kind != "end"]
        if not late:
            self._tell(new)
        if isinstance(self._tail.ask(), Result) and not self.ui.calm:
            self._ended_at = self.ui.now() + END_SECONDS + sum(map(self._pace, self._queue))
        self._advance(self.ui.now())

    def _tell(self, new: Sequence[Happening]) -> None:
        """A toast of what came to this seat, and of what was taken from it."""
        told = [
            each
            for each in new
            if each.kind == "lots"
            or (each.seat == self._seat and each.kind in TELLING)
            or (each.other == self._seat and each.kind == "steal")
            or (each.kind == "peek" and self._seat in each.owners)
        ]
        if told:
            teller, bad = self._teller, any(each.kind == "lose" or each.other == self._seat for each in told)
            text = " ".join(teller.sentence(each) for each in told)
            self.ui.toast(text.replace("♥", "H") if self._ascii else text, bad)

    @property
    def _teller(self) -> Teller:
        return Teller(self._names, self._seat, self._hide)

    def _pace(self, each: Happening) -> float:
        if each.kind == "deal" or (each.seat == self._seat and each.kind not in ("sell", "lose")):
            return 0.0
        return PACE.get(each.kind, ORDINARY)

    def _advance(self, now: float) -> None:
        """Shows what is due."""
        while self._queue and now >= self._next_at:
            self._current = self._queue.popleft()
            self._shown = self._current.state
            self._next_at = now + self._pace(self._current)
        if self._caught_up(now):
            self._shown = self._tail
        self._settle(now)

    def _caught_up(self, now: float) -> bool:
        return not self._queue and now >= self._next_at

    def _settle(self, now: float) -> None:
        """Sits down at the desk of what is asked, once everything before it has been shown."""
        peer = self._table.peer
        asked = peer.asked if peer is not None and peer.result is None else None
        if asked is None or not self._caught_up(now):
            if self._desk is not None:
                self._desk, self._tab = None, self._idle_tab
            if asked is None:
                self._step = None
            return
        if asked.step == self._step or self._tail is None:
            return
        self._step = asked.step
        if self._desk is None and self._tab != DO:
            self._idle_tab = self._tab
        self._desk = self._desk_for(self._tail)
        boxed = self._desk is not None and self._desk.request() is not None
        self._tab = TABLE if boxed or isinstance(self._desk, PlaceDesk) else DO
        self._looked = self._who = None
        self._payoffs = False

    def _desk_for(self, state: State) -> Desk | None:
        sitting = Sitting(state, self._seat, self._names, self._hide, self._choose, self._confirm, self._refuse)
        ask = state.ask()
        match ask.space if isinstance(ask, Decide) else None:
            case Places() as space:
                return PlaceDesk(sitting, space)
            case Actions() as space:
                return ActDesk(sitting, space)
            case Paths() as space:
                return MoveDesk(sitting, space)
            case Hearts() as space:
                return DefendDesk(sitting, space)
            case Loot() as space:
                return TheftDesk(sitting, space)
            case Peeks() as space:
                return PeekDesk(sitting, space)
        return None

    def _choose(self, choice: Plain) -> None:
        """Hands a choice to the table; what it refuses is said."""
        if self._desk is None:
            return
        desk, self._desk = self._desk, None
        try:
            self._table.choose(choice)
        except Refused as error:
            self._desk = desk
            self._refuse(str(error))
            return
        self._since = len(self._log)
        self._follow()
        self._advance(self.ui.now())
        if self._desk is None:
            self._tab = self._idle_tab
        self.ui.redraw()

    def _confirm(self, title: str, text: str, yes: str, then: Any) -> None:
        self.ui.confirm(title, text.replace("♥", "H") if self._ascii else text, yes, "Back", then)

    def _refuse(self, text: str) -> None:
        self.ui.toast(f"{text[0].upper()}{text[1:]}.", bad=True)

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        self._advance(now)
        self._ascii = canvas.ascii_only
        state = self._shown
        title_bar(canvas, TITLE, note(state) if state is not None and state.field else "")
        phase, sentence = self._sentence()
        waiting, waiting_fg = self._waiting(now)
        phase_strip(canvas, 1, phase, spelled(canvas, sentence), waiting, waiting_fg)
        key_bar(canvas, self._hints())
        if state is None:
            return
        frame = laid_out(canvas, panel_width(canvas.width))
        if not state.field:
            middle = frame.field.height // 2
            frame.field.centre(0, middle, frame.field.width, "Lots decide on suits and on who begins.", "soft")
        else:
            self._draw_field(frame.field, state)
        self._draw_panel(frame.panel, state)
        if not state.suits:
            return
        cards, cursor = self._desk.cards() if self._desk else (self._idle_cards(state), None)
        draw_hand(frame.hand, state, self._seat, cards, cursor, hide=self._hide)

    def _idle_cards(self, state: State) -> Any:
        sitting = Sitting(state, self._seat, self._names, self._hide, self._choose, self._confirm, self._refuse)
        return hand_cards(sitting)

    def _scene(self, state: State) -> Scene:
        laid = len(state.field) - 1 if len(state.field) > len(state.present) else None
        scene = Scene(state.field, pawns_of(state), fresh=laid, trail=state.path, looked=self._looked)
        if self._looked is not None:
            return scene
        return self._desk.scene(scene) if self._desk else scene

    def _draw_field(self, canvas: Canvas, state: State) -> None:
        scene = self._scene(state)
        window = self._window_for(canvas, state, scene)
        draw_field(canvas, window, scene)
        index = state.pawns[self._seat] if self._looked is None else self._looked
        middle = window.centre(place_of(state.field[index]))[1] if index is not None else 0
        below = middle < canvas.height // 2
        if self._payoffs:
            draw_payoffs(canvas, state, self._seat, hide=self._hide, below=below)
        elif (request := self._request(state)) is not None:
            draw_request(canvas, request, self._names, state.suits, below=below)

    def _window_for(self, canvas: Canvas, state: State, scene: Scene) -> Window:
        """What of the field is seen: all of it if there is room, else where something happens; until it is moved."""
        every = box_of([*map(place_of, state.field), *scene.ghosts])
        scale = FAR if self._whole else NEAR
        if self._window is None:
            window = Window(canvas.width, canvas.height, scale).centred(every)
        else:
            window = self._window.sized(canvas.width, canvas.height, scale)
        focus = self._focus(state) or every
        target = every if window.fits(every) else focus
        if (target, self._whole) != self._followed:
            self._followed = target, self._whole
            grown = target.grown(1)
            window = window.following(grown if window.fits(grown) else target)
        self._window = window
        return window

    def _focus(self, state: State) -> Box | None:
        """Where something happens."""
        if self._looked is not None:
            return box_of([place_of(state.field[self._looked])])
        if self._desk is not None:
            return self._desk.box() or self._around(state, self._seat)
        return self._around(state, self._current.seat if self._current else self._seat)

    def _around(self, state: State, seat: int) -> Box | None:
        index = state.pawns[seat]
        return box_of([place_of(state.field[index])]) if index is not None else None

    def _request(self, state: State) -> Request | None:
        if self._looked is not None:
            return self._told_tile(state, self._looked)
        if self._who is None:
            return self._desk.request() if self._desk else None
        seat = self._who
        if not state.suits:
            return None
        sitting = Sitting(state, seat, self._names, self._hide, self._choose, self._confirm, self._refuse)
        cards = hand_cards(sitting)
        suit = state.suits[seat]
        where = state.pawns[seat]
        stands = f"Stands on {short_tile(state.field[where])}." if where is not None else "Has left the game."
        lines = (
            f"The {SUITS[suit].power} {POWER_WORDS[suit]}",
            f"{stands} {many(state.scores[seat], 'point')}. Holds {many(len(cards), 'coin')}.",
        )
        title = f"{self._names[seat]}, the {SUITS[suit].power} {SUITS[suit].sign}"
        return Request(title, lines, ((seat, cards),) if cards else ())

    def _told_tile(self, state: State, index: int) -> Request:
        """What a tile is, who stands there, and what coming there would do to this seat."""
        tile = state.field[index]
        there = [self._names[seat] for seat, at in enumerate(state.pawns) if at == index and seat != self._seat]
        lines = [f"It is {tile_rule(tile)}"]
        if state.pawns[self._seat] == index:
            lines.append("You stand here.")
        elif state.present[self._seat]:
            lines.append(f"For you: {outcome(state, self._seat, index, self._hide).text}")
        if there:
            lines.append(f"{in_a_row(there)} {'stands' if len(there) == 1 else 'stand'} here.")
        return Request(short_tile(tile), tuple(lines))

    # -- the panel -----------------------------------------------------------------------------------------------------

    def _draw_panel(self, canvas: Canvas, state: State) -> None:
        canvas.fill(0, 0, canvas.width, canvas.height, "panel")
        players = players_of(state, self._names, self._seat, self._hide)
        scene = self._scene(state) if state.field else Scene(())
        if canvas.height >= TALL:
            below = 15 if canvas.height < 45 else 20
            top = canvas.region(0, 1, canvas.width, canvas.height - below - 1)
            self._draw_table(top, state, players, scene)
            bottom = canvas.region(0, canvas.height - below, canvas.width, below)
            shown = LOG if self._tab == LOG or self._desk is None else DO
            tabs(bottom, 1, 0, (TABS[DO], TABS[LOG]), 0 if shown == DO else 1, lambda n: ("tab", (DO, LOG)[n]))
            self._draw_tab(bottom.region(0, 2, bottom.width, below - 2), shown)
            return
        tabs(canvas, 1, 0, TABS, self._tab, lambda n: ("tab", n))
        inner = canvas.region(0, 1, canvas.width, canvas.height - 1)
        if self._tab == TABLE:
            self._draw_table(inner, state, players, scene)
        else:
            self._draw_tab(inner.region(0, 1, inner.width, inner.height - 1), self._tab)

    def _draw_table(self, canvas: Canvas, state: State, players: Any, scene: Scene) -> None:
        if self._window is not None and state.field:
            draw_table(canvas, state, players, self._window, scene.ghosts)
        else:
            draw_players(canvas, players, canvas.height)

    def _draw_tab(self, canvas: Canvas, tab: int) -> None:
        if tab == LOG:
            self._draw_log(canvas)
        elif self._desk is None:
            for y, line in enumerate(wrapped("Nothing is asked of you now. Tab shows the table, and what was done.",
                                             canvas.width - 2)):  # fmt: skip
                canvas.put(1, y, line, "soft")
        elif (menu := self._desk.deeds()) is not None:
            deeds = [replace(deed, **{key: spelled(canvas, getattr(deed, key)) for key in ("label", "about")})
                     for deed in menu[0]]  # fmt: skip
            draw_deeds(canvas, deeds, menu[1])
        else:
            self._draw_choice(canvas, self._desk)

    def _draw_choice(self, canvas: Canvas, desk: Desk) -> None:
        """What is chosen now, what it would do, and the buttons for it."""
        y = 0
        for line in wrapped(spelled(canvas, desk.sentence()), canvas.width - 2):
            canvas.put(1, y, line, "soft")
            y += 1
        y += 1
        for line in wrapped(spelled(canvas, desk.about()), canvas.width - 2):
            canvas.put(1, y, line, "text")
            y += 1
        y += 2
        for each in desk.buttons():
            if y + 1 < canvas.height:
                button(canvas, 1, y, each.label, each.key, primary=each.primary)
                y += 3

    def _draw_log(self, canvas: Canvas) -> None:
        teller = self._teller
        entries: list[tuple[str, Colour]] = []
        shown = self._log[: len(self._log) - len(self._queue)] if self._queue else self._log
        for number, each in enumerate(shown[-60:], start=max(0, len(shown) - 60)):
            if each.kind == "end":
                continue
            fg: Colour = "text" if number >= self._since else "soft"
            if each.kind == "sell":
                fg = "money"
            elif each.other == self._seat or (each.kind == "lose" and each.seat == self._seat):
                fg = "warning"
            entries.append((spelled(canvas, teller.sentence(each)), fg))
        draw_log(canvas, entries)
        if not entries:
            canvas.put(1, 0, "Nothing was done yet.", "soft")

    # -- words ---------------------------------------------------------------------------------------------------------

    def _sentence(self) -> tuple[str, str]:
        """The phase, and what to do in it."""
        state, peer = self._shown, self._table.peer
        result = peer.result if peer is not None else None
        if self._looked is not None:
            return "LOOK", "Arrows go from tile to tile."
        if self._desk is not None:
            return self._desk.phase, self._desk.sentence()
        if result is not None and self._caught_up(self.ui.now()):
            return "THE END", f"{result.reason[0].upper()}{result.reason[1:]}."
        if state is None or not state.suits:
            return "START", "Lots decide on suits and on who begins."
        each = self._current
        if each is None:
            return fitted(self._names[state.turn], 14), "begins."
        return fitted(self._names[each.seat], 14), f"{self._teller.deed(each)}."

    def _waiting(self, now: float) -> tuple[str, Colour]:
        peer = self._table.peer
        if peer is None or peer.result is not None:
            return "", "soft"
        if not self._caught_up(now):
            return "any key goes on", "soft"
        if self._desk is None or self._table.away:
            return self.waits.said(now, 24)
        asked = self._shown is not None and self._shown.turn != self._seat
        return "you are asked" if asked else "your turn", "ok"

    def _hints(self) -> list[Hint]:
        if self._looked is not None:
            return [Hint("← → ↑ ↓", "tile", "nothing"), Hint("Esc", "back")]
        common = [Hint("Tab", "panel"), Hint("v", "near" if self._whole else "whole field"),
                  Hint("h", "show" if self._hide else "hide"), Hint("l", "look"), Hint("F1", "help")]  # fmt: skip
        if self._desk is None:
            return [Hint("← → ↑ ↓", "view", "nothing"), *common, Hint("F10", "menu")]
        return [*self._desk.hints(), *common]

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        if self._looked is not None and self._look_key(name):
            return True
        if self._boxed and name in ("esc", "enter", " "):
            self._who, self._payoffs = None, False
            return True
        if self._desk is not None and not self._boxed and self._desk.key(name):
            return True
        return self._view_key(name)

    @property
    def _boxed(self) -> bool:
        """Whether a box is open that only tells."""
        return self._who is not None or self._payoffs

    def _view_key(self, name: str) -> bool:
        state = self._shown
        match name:
            case "tab" | "s-tab":
                self._turn(1 if name == "tab" else -1)
            case "v":
                self._whole = not self._whole
                self._window = None
                self._followed = None
            case "h":
                self._hide = not self._hide
                if self._desk is not None:
                    self._desk.sitting.hide = self._hide
            case "p" if state is not None and state.suits:
                self._payoffs, self._who = not self._payoffs, None
            case "l" if state is not None and state.field:
                own = state.pawns[self._seat]
                self._looked, self._who, self._payoffs = own if own is not None else 0, None, False
            case "left" | "right" | "up" | "down" if self._window is not None:
                dx, dy = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}[name]
                self._window = self._window.panned(dx, dy)
            case _ if name in DIGITS and int(name) <= len(self._names) and state is not None and state.suits:
                seat = int(name) - 1
                self._who, self._payoffs = None if self._who == seat else seat, False
            case _:
                return False
        return True

    def _look_key(self, name: str) -> bool:
        state = self._shown
        assert state is not None
        assert self._looked is not None
        match name:
            case "left" | "right" | "up" | "down":
                self._looked = towards([place_of(tile) for tile in state.field], self._looked, name)
            case " ":
                self._looked = (self._looked + 1) % len(state.field)
            case "esc" | "l" | "enter" | "u":
                self._looked = None
            case _:
                return False
        return True

    def _turn(self, by: int) -> None:
        """The next of the panel's tabs; nothing that is not there."""
        order = [DO, TABLE, LOG] if self._desk is not None else [TABLE, LOG]
        at = order.index(self._tab) if self._tab in order else 0
        self._to_tab(order[(at + by) % len(order)])

    def _to_tab(self, tab: int) -> None:
        self._tab = tab
        if tab != DO:
            self._idle_tab = tab

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del x, y, button
        if self._boxed:
            self._who, self._payoffs = None, False
            return True
        if self._looked is None and self._desk is not None and self._desk.click(action):
            return True
        match action:
            case ("tab", int(tab)):
                self._to_tab(tab)
            case ("tile", int(index)):
                self._looked = None if self._looked == index else index
            case ("player", int(seat)) if self._shown is not None and self._shown.suits:
                self._who, self._payoffs = seat, False
            case ("pan", int(dx), int(dy)) if self._window is not None:
                self._window = self._window.panned(2 * dx, 2 * dy)
            case ("go", int(left), int(top)) if self._window is not None and self._shown is not None:
                self._window = self._window.centred_near((left, top), box_of(map(place_of, self._shown.field)))
            case _:
                self._looked = None
                return False
        return True

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        if self._window is None:
            return False
        self._window = self._window.panned(0, steps)
        return True

    def skip(self, now: float) -> bool:
        if self.busy(now) and self._caught_up(now):
            self._ended_at = -math.inf
            return True
        if self._caught_up(now):
            return False
        while self._queue:
            self._current = self._queue.popleft()
        self._next_at = -math.inf
        self._ended_at = min(self._ended_at, now + END_SECONDS)
        self._advance(now)
        return True

    def busy(self, now: float) -> bool:
        return now < self._ended_at

    def next_frame(self, now: float) -> float | None:
        due = [self._ended_at] if self.busy(now) else []
        if not self._caught_up(now):
            due.append(self._next_at)
        if (frame := self.waits.next_frame(now)) is not None:
            due.append(frame)
        return min(due, default=None)

    # -- help, menu ----------------------------------------------------------------------------------------------------

    def menu(self) -> list[MenuItem]:
        def hide() -> None:
            self._view_key("h")

        def whole() -> None:
            self._view_key("v")

        return [
            MenuItem("Show own values" if self._hide else "Hide own values", "h", hide),
            MenuItem("Near view" if self._whole else "The whole field", "v", whole),
        ]

    def help(self) -> Help:
        return helps.for_phase(self._desk.phase if self._desk else "")
