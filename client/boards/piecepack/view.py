"""The game in play, at one seat of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from client.board import BoardScreen
from client.boards.piecepack import helps
from client.boards.piecepack.boxes import told_tile, told_warlord
from client.boards.piecepack.course import Happening, Teller
from client.boards.piecepack.desk import Desk, Request, Sitting, open_cards
from client.boards.piecepack.desk_act import ActDesk
from client.boards.piecepack.desk_coins import DefendDesk, PeekDesk, TheftDesk
from client.boards.piecepack.desk_field import MoveDesk, PlaceDesk, towards
from client.boards.piecepack.frame import draw_hand, laid_out, note, pawns_of, players_of
from client.boards.piecepack.panel import panel_width
from client.boards.piecepack.payoffs import draw_payoffs
from client.boards.piecepack.picture import Scene, draw_field
from client.boards.piecepack.reel import Reel
from client.boards.piecepack.request import draw_request
from client.boards.piecepack.sides import DO, LOG, TABLE, Side, draw_side
from client.boards.piecepack.sight import WAYS, Sight, field_box, standing
from client.boards.piecepack.suits import spelled
from client.boards.piecepack.window import Box, box_of, place_of
from client.canvas import Action, Canvas
from client.glyphs import clean, fitted
from client.palette import Colour
from client.screen import Help, MenuItem, Ui
from client.seats import TableLike
from client.widgets import Hint, key_bar, phase_strip, title_bar
from games.piecepack.rules import State
from games.piecepack.spaces import Actions, Hearts, Loot, Paths, Peeks, Places
from games.table import Decide, Plain
from protocol.play import Refused

TITLE: Final = helps.TITLE
START: Final = "Lots decide on suits and on who begins."
TELLING: Final = frozenset({"sell", "lose", "give", "draw", "heart", "mine", "steal", "peek", "deal"})
"""What one is told of by a toast, where it is one's own."""
DIGITS: Final = "123456"


class GameScreen(BoardScreen):
    """Plays a game at a table. All it knows comes from the table's story."""

    def __init__(self, table: TableLike, ui: Ui) -> None:
        super().__init__(table, ui)
        self._seat = table.seat
        self._names = tuple(clean(name) or f"seat {seat + 1}" for seat, name in enumerate(table.names))
        self._reel = Reel(table.seat, lambda: ui.calm, ui.now)
        self._sight = Sight()
        self._hide = self._ascii = self._payoffs = False
        self._tab = self._idle_tab = TABLE
        self._desk: Desk | None = None
        self._step: int | None = None
        self._looked: int | None = None
        self._who: int | None = None
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
        self._tell(self._reel.take(peer.story, peer.state))
        self._settle(self.ui.now())

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
            bad = any(each.kind == "lose" or each.other == self._seat for each in told)
            self.ui.toast(self._plain(" ".join(self._teller.sentence(each) for each in told)), bad)

    @property
    def _teller(self) -> Teller:
        return Teller(self._names, self._seat, self._hide)

    def _plain(self, text: str) -> str:
        """A text for what is drawn by others, who do not know the signs of suits in ASCII."""
        return text.replace("♥", "H") if self._ascii else text

    def _settle(self, now: float) -> None:
        """Sits down at the desk of what is asked, once everything before it has been shown."""
        peer = self._table.peer
        asked = peer.asked if peer is not None and peer.result is None else None
        if asked is None or not self._reel.caught_up(now):
            if self._desk is not None:
                self._desk, self._tab = None, self._idle_tab
            if asked is None:
                self._step = None
            return
        state = self._reel.latest
        if asked.step == self._step or state is None:
            return
        self._step = asked.step
        self._desk = self._desk_for(state)
        boxed = self._desk is not None and self._desk.request() is not None
        self._tab = TABLE if boxed else DO
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
        self._since = len(self._reel.log)
        try:
            self._table.choose(choice)
        except Refused as error:
            self._desk = desk
            self._refuse(str(error))
            return
        self._follow()
        if self._desk is None:
            self._tab = self._idle_tab
        self.ui.redraw()

    def _confirm(self, title: str, text: str, yes: str, then: Callable[[], None]) -> None:
        self.ui.confirm(title, self._plain(text), yes, "Back", then)

    def _refuse(self, text: str) -> None:
        self.ui.toast(f"{text[0].upper()}{self._plain(text[1:])}.", bad=True)

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        self._reel.advance(now)
        self._settle(now)
        self._ascii = canvas.ascii_only
        state = self._reel.state
        title_bar(canvas, TITLE, note(state) if state is not None and state.field else "")
        phase, sentence = self._sentence(now)
        waiting, waiting_fg = self._waiting(now)
        phase_strip(canvas, 1, phase, spelled(canvas, sentence), waiting, waiting_fg)
        key_bar(canvas, self._hints())
        if state is None or not state.field:
            canvas.centre(0, canvas.height // 2, canvas.width, START, "soft")
            return
        frame = laid_out(canvas, panel_width(canvas.width))
        scene = self._scene(state)
        self._draw_field(frame.field, state, scene)
        draw_side(frame.panel, self._side(state, scene), self._tab)
        cards, cursor = self._desk.cards() if self._desk else (open_cards(state, self._seat, self._hide), None)
        draw_hand(frame.hand, state, self._seat, cards, cursor, hide=self._hide)

    def _scene(self, state: State) -> Scene:
        laid = len(state.field) - 1 if len(state.field) > len(state.present) else None
        scene = Scene(state.field, pawns_of(state), fresh=laid, trail=state.path, looked=self._looked)
        return self._desk.scene(scene) if self._desk is not None and self._looked is None else scene

    def _draw_field(self, canvas: Canvas, state: State, scene: Scene) -> None:
        every = field_box(state, tuple(scene.ghosts))
        window = self._sight.seen(canvas.width, canvas.height, every, self._focus(state))
        draw_field(canvas, window, scene)
        index = state.pawns[self._seat] if self._looked is None else self._looked
        middle = window.centre(place_of(state.field[index]))[1] if index is not None else 0
        below = middle < canvas.height // 2
        if self._payoffs:
            draw_payoffs(canvas, state, self._seat, hide=self._hide, below=below)
        elif (request := self._request(state)) is not None:
            draw_request(canvas, request, self._names, state.suits, below=below)

    def _focus(self, state: State) -> Box | None:
        """Where something happens."""
        if self._looked is not None:
            return box_of([place_of(state.field[self._looked])])
        if self._desk is not None:
            return self._desk.box() or standing(state, self._seat)
        return standing(state, self._reel.current.seat if self._reel.current else self._seat)

    def _request(self, state: State) -> Request | None:
        """The box over the field, if there is one."""
        if self._looked is not None:
            return told_tile(state, self._looked, self._names, self._seat, self._hide)
        if self._who is not None:
            return told_warlord(state, self._who, self._names, self._hide)
        return self._desk.request() if self._desk else None

    def _side(self, state: State, scene: Scene) -> Side:
        teller = self._teller
        log: list[tuple[str, Colour]] = []
        shown = self._reel.shown
        for number, each in list(enumerate(shown))[-60:]:
            fg: Colour = "text" if number >= self._since else "soft"
            if each.kind == "sell":
                fg = "money"
            elif each.other == self._seat or (each.kind == "lose" and each.seat == self._seat):
                fg = "warning"
            if each.kind != "end":
                log.append((teller.sentence(each), fg))
        players = players_of(state, self._names, self._seat, self._hide)
        return Side(state, players, self._sight.window, tuple(scene.ghosts), tuple(log), self._desk)

    # -- words ---------------------------------------------------------------------------------------------------------

    def _sentence(self, now: float) -> tuple[str, str]:
        """The phase, and what to do in it."""
        state, peer, each = self._reel.state, self._table.peer, self._reel.current
        result = peer.result if peer is not None else None
        if self._looked is not None:
            return "LOOK", "Arrows go from tile to tile."
        if self._desk is not None:
            return self._desk.phase, self._desk.sentence()
        if result is not None and self._reel.caught_up(now):
            return "THE END", f"{result.reason[0].upper()}{result.reason[1:]}."
        if state is None or not state.suits:
            return "START", START
        if each is None:
            return fitted(self._names[state.turn], 14), "begins."
        return fitted(self._names[each.seat], 14), f"{self._teller.deed(each)}."

    def _waiting(self, now: float) -> tuple[str, Colour]:
        peer, state = self._table.peer, self._reel.state
        if peer is None or peer.result is not None:
            return "", "soft"
        if not self._reel.caught_up(now):
            return "any key goes on", "soft"
        if self._desk is None or self._table.away or self.waits.timed(now, 24) is not None:
            return self.waits.said(now, 24)
        return "your turn" if state is not None and state.turn == self._seat else "you are asked", "ok"

    def _hints(self) -> list[Hint]:
        if self._looked is not None:
            return [Hint("← → ↑ ↓", "tile", "nothing"), Hint("Esc", "back")]
        common = [Hint("Tab", "panel"), Hint("v", "near" if self._sight.whole else "whole field"),
                  Hint("h", "show" if self._hide else "hide"), Hint("l", "look"), Hint("F1", "help")]  # fmt: skip
        if self._desk is None:
            return [Hint("← → ↑ ↓", "view", "nothing"), *common, Hint("F10", "menu")]
        return [*self._desk.hints(), *common]

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    @property
    def _boxed(self) -> bool:
        """Whether a box is open that only tells."""
        return self._who is not None or self._payoffs

    def key(self, name: str) -> bool:
        if self._looked is not None and self._look_key(name):
            return True
        if self._boxed and name in ("esc", "enter", " "):
            self._who, self._payoffs = None, False
            return True
        if self._desk is not None and not self._boxed and self._desk.key(name):
            return True
        return self._view_key(name)

    def _view_key(self, name: str) -> bool:
        state = self._reel.state
        match name:
            case "tab" | "s-tab":
                self._turn(1 if name == "tab" else -1)
            case "v":
                self._sight.turn()
            case "h":
                self._hide = not self._hide
                if self._desk is not None:
                    self._desk.sitting.hide = self._hide
            case "left" | "right" | "up" | "down":
                return self._sight.pan(*WAYS[name])
            case _ if state is not None and state.field:
                return self._ask_key(name, state)
            case _:
                return False
        return True

    def _ask_key(self, name: str, state: State) -> bool:
        """Keys that open a box: of the payoffs, of tiles, of warlords."""
        match name:
            case "p":
                self._payoffs, self._who, self._looked = not self._payoffs, None, None
            case "l":
                self._looked, self._who, self._payoffs = state.pawns[self._seat] or 0, None, False
            case _ if name in DIGITS and int(name) <= len(self._names):
                seat = int(name) - 1
                self._who, self._payoffs, self._looked = None if self._who == seat else seat, False, None
            case _:
                return False
        return True

    def _look_key(self, name: str) -> bool:
        state = self._reel.state
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
        state = self._reel.state
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
            case ("player", int(seat)):
                self._who, self._looked = seat, None
            case _ if state is not None and state.field and self._sight.click(action, state):
                return True
            case _:
                self._looked = None
                return False
        return True

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        return self._sight.pan(0, steps)

    def skip(self, now: float) -> bool:
        return self._reel.skip(now)

    def busy(self, now: float) -> bool:
        return self._reel.busy(now)

    def next_frame(self, now: float) -> float | None:
        due = [frame for frame in (self._reel.next_frame(now), self.waits.next_frame(now)) if frame is not None]
        return min(due, default=None)

    # -- help, menu ----------------------------------------------------------------------------------------------------

    def menu(self) -> list[MenuItem]:
        def hide() -> None:
            self._view_key("h")

        return [
            MenuItem("Show own values" if self._hide else "Hide own values", "h", hide),
            MenuItem("Near view" if self._sight.whole else "The whole field", "v", self._sight.turn),
        ]

    def help(self) -> Help:
        return helps.for_phase(self._desk.phase if self._desk else "")
