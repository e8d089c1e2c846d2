"""The game in play, at one seat of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from kimberley.client.boards.api import BoardScreen
from kimberley.client.boards.piecepack import help_text
from kimberley.client.boards.piecepack.events import GameEvent, Narrator
from kimberley.client.boards.piecepack.form import PiecepackForm, PiecepackFormContext, Request, open_cards
from kimberley.client.boards.piecepack.form_act import ActForm
from kimberley.client.boards.piecepack.form_defend import DefendForm
from kimberley.client.boards.piecepack.form_move import MoveForm
from kimberley.client.boards.piecepack.form_peek import PeekForm
from kimberley.client.boards.piecepack.form_place import PlaceForm
from kimberley.client.boards.piecepack.form_theft import TheftForm
from kimberley.client.boards.piecepack.info_boxes import tile_box, warlord_box
from kimberley.client.boards.piecepack.layout import draw_hand, layout, note, pawns_of, players_of
from kimberley.client.boards.piecepack.panel import panel_width
from kimberley.client.boards.piecepack.payoffs import draw_payoffs
from kimberley.client.boards.piecepack.playback import PlaybackQueue
from kimberley.client.boards.piecepack.request_box import draw_request
from kimberley.client.boards.piecepack.scene import Scene, draw_field
from kimberley.client.boards.piecepack.side_panel import DO, LOG, TABLE, SidePanel, draw_side_panel
from kimberley.client.boards.piecepack.viewport import WAYS, Viewport, field_box, standing, towards
from kimberley.client.boards.piecepack.window import FieldBox, box_of, place_of
from kimberley.client.session.ports import TableLike
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import clean, truncate
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import Help, MenuItem, Ui
from kimberley.client.ui.widgets import Hint, key_bar, phase_strip, title_bar
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.spaces import ActionSpace, HeartSpace, LootSpace, PathSpace, PeekSpace, TileSpace
from kimberley.games.table import Decide, Plain
from kimberley.protocol.play import NotAllowed

TITLE: Final = help_text.TITLE
START: Final = "Lots decide the suits, and who begins."
TELLING: Final = frozenset({"sell", "lose", "give", "draw", "heart", "mine", "steal", "peek", "deal"})
"""The events that a toast tells the player about, if they are the player's own."""
DIGITS: Final = "123456"


class PlayingScreen(BoardScreen):
    """Plays a game at a table. All it knows comes from the table's story."""

    def __init__(self, table: TableLike, ui: Ui) -> None:
        super().__init__(table, ui)
        self._seat = table.seat
        self._names = tuple(clean(name) or f"seat {seat + 1}" for seat, name in enumerate(table.names))
        self._playback = PlaybackQueue(table.seat, lambda: ui.calm, ui.now)
        self._viewport = Viewport()
        self._hide = self._payoffs = False
        self._tab = self._idle_tab = TABLE
        self._form: PiecepackForm | None = None
        self._step: int | None = None
        self._looked: int | None = None
        self._who: int | None = None
        self._since = 0
        self._refresh()

    def opened(self) -> None:
        super().opened()
        self._refresh()

    # -- following the table -------------------------------------------------------------------------------------------

    def on_event(self, event: Any) -> None:
        del event
        self._refresh()

    def _refresh(self) -> None:
        """Reads what is new in the story; what others did is shown piece by piece."""
        peer = self._table.peer
        if peer is None or not isinstance(peer.state, State):
            return
        self._toast_news(self._playback.refresh(peer.story, peer.state))
        self._update_form(self.ui.now())

    def _toast_news(self, new: Sequence[GameEvent]) -> None:
        """Says in a toast what this seat got, and what it lost."""
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
            self.ui.toast(" ".join(self._narrator.describe_event(each) for each in told), bad)

    @property
    def _narrator(self) -> Narrator:
        return Narrator(self._names, self._seat, self._hide)

    def _update_form(self, now: float) -> None:
        """Opens the form for what is asked, once everything before it has been shown."""
        peer = self._table.peer
        asked = peer.asked if peer is not None and peer.result is None else None
        if asked is None or not self._playback.caught_up(now):
            if self._form is not None:
                self._form, self._tab = None, self._idle_tab
            if asked is None:
                self._step = None
            return
        state = self._playback.latest
        if asked.step == self._step or state is None:
            return
        self._step = asked.step
        self._form = self._form_for(state)
        boxed = self._form is not None and self._form.request() is not None
        self._tab = TABLE if boxed else DO
        self._looked = self._who = None
        self._payoffs = False

    def _form_for(self, state: State) -> PiecepackForm | None:
        context = PiecepackFormContext(
            state, self._seat, self._names, self._hide, self._choose, self._confirm, self._refuse
        )
        ask = state.ask()
        match ask.space if isinstance(ask, Decide) else None:
            case TileSpace() as space:
                return PlaceForm(context, space)
            case ActionSpace() as space:
                return ActForm(context, space)
            case PathSpace() as space:
                return MoveForm(context, space)
            case HeartSpace() as space:
                return DefendForm(context, space)
            case LootSpace() as space:
                return TheftForm(context, space)
            case PeekSpace() as space:
                return PeekForm(context, space)
        return None

    def _choose(self, choice: Plain) -> None:
        """Hands a choice to the table. If the table refuses it, the player reads why."""
        if self._form is None:
            return
        form, self._form = self._form, None
        self._since = len(self._playback.log)
        try:
            self._table.choose(choice)
        except NotAllowed as error:
            self._form = form
            self._refuse(str(error))
            return
        self._refresh()
        if self._form is None:
            self._tab = self._idle_tab
        self.ui.redraw()

    def _confirm(self, title: str, text: str, yes: str, then: Callable[[], None]) -> None:
        self.ui.confirm(title, text, yes, "Back", then)

    def _refuse(self, text: str) -> None:
        self.ui.toast(f"{text[0].upper()}{text[1:]}.", bad=True)

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        self._playback.advance(now)
        self._update_form(now)
        state = self._playback.state
        title_bar(canvas, TITLE, note(state) if state is not None and state.field else "")
        phase, sentence = self._sentence(now)
        waiting, waiting_fg = self._waiting(now)
        phase_strip(canvas, 1, phase, sentence, waiting, waiting_fg)
        key_bar(canvas, self._hints())
        if state is None or not state.field:
            canvas.center(0, canvas.height // 2, canvas.width, START, "soft")
            return
        parts = layout(canvas, panel_width(canvas.width))
        scene = self._scene(state)
        self._draw_field(parts.field, state, scene)
        draw_side_panel(parts.panel, self._side(state, scene), self._tab)
        cards, cursor = self._form.cards() if self._form else (open_cards(state, self._seat, self._hide), None)
        draw_hand(parts.hand, state, self._seat, cards, cursor, hide=self._hide)

    def _scene(self, state: State) -> Scene:
        laid = len(state.field) - 1 if len(state.field) > len(state.present) else None
        scene = Scene(state.field, pawns_of(state), fresh=laid, trail=state.path, looked=self._looked)
        return self._form.scene(scene) if self._form is not None and self._looked is None else scene

    def _draw_field(self, canvas: Canvas, state: State, scene: Scene) -> None:
        every = field_box(state, tuple(scene.ghosts))
        window = self._viewport.seen(canvas.width, canvas.height, every, self._focus(state))
        draw_field(canvas, window, scene)
        index = state.pawns[self._seat] if self._looked is None else self._looked
        middle = window.center(place_of(state.field[index]))[1] if index is not None else 0
        below = middle < canvas.height // 2
        if self._payoffs:
            draw_payoffs(canvas, state, self._seat, hide=self._hide, below=below)
        elif (request := self._request(state)) is not None:
            draw_request(canvas, request, self._names, state.suits, below=below)

    def _focus(self, state: State) -> FieldBox | None:
        """Where something happens."""
        if self._looked is not None:
            return box_of([place_of(state.field[self._looked])])
        if self._form is not None:
            return self._form.box() or standing(state, self._seat)
        return standing(state, self._playback.current.seat if self._playback.current else self._seat)

    def _request(self, state: State) -> Request | None:
        """The box over the field, if there is one."""
        if self._looked is not None:
            return tile_box(state, self._looked, self._names, self._seat, self._hide)
        if self._who is not None:
            return warlord_box(state, self._who, self._names, self._hide)
        return self._form.request() if self._form else None

    def _side(self, state: State, scene: Scene) -> SidePanel:
        narrator = self._narrator
        log: list[tuple[str, Color]] = []
        shown = self._playback.shown
        for number, each in list(enumerate(shown))[-60:]:
            fg: Color = "text" if number >= self._since else "soft"
            if each.kind == "sell":
                fg = "money"
            elif each.other == self._seat or (each.kind == "lose" and each.seat == self._seat):
                fg = "warning"
            if each.kind != "end":
                log.append((narrator.describe_event(each), fg))
        players = players_of(state, self._names, self._seat, self._hide)
        return SidePanel(state, players, self._viewport.window, tuple(scene.ghosts), tuple(log), self._form)

    # -- words ---------------------------------------------------------------------------------------------------------

    def _sentence(self, now: float) -> tuple[str, str]:
        """The phase, and what to do in it."""
        state, peer, each = self._playback.state, self._table.peer, self._playback.current
        result = peer.result if peer is not None else None
        if self._looked is not None:
            return "LOOK", "Arrows go from tile to tile."
        if self._form is not None:
            return self._form.phase, self._form.sentence()
        if result is not None and self._playback.caught_up(now):
            return "THE END", f"{result.reason[0].upper()}{result.reason[1:]}."
        if state is None or not state.suits:
            return "START", START
        if each is None:
            return truncate(self._names[state.turn], 14), "begins."
        return truncate(self._names[each.seat], 14), f"{self._narrator.predicate(each)}."

    def _waiting(self, now: float) -> tuple[str, Color]:
        peer, state = self._table.peer, self._playback.state
        if peer is None or peer.result is not None:
            return "", "soft"
        if not self._playback.caught_up(now):
            return "press any key", "soft"
        if self._form is None or self._table.away or self.waits.timed(now, 24) is not None:
            return self.waits.strip_text(now, 24)
        return "your turn" if state is not None and state.turn == self._seat else "your turn to answer", "ok"

    def _hints(self) -> list[Hint]:
        if self._looked is not None:
            return [Hint("← → ↑ ↓", "tile", "nothing"), Hint("Esc", "back")]
        common = [Hint("Tab", "panel"), Hint("v", "near" if self._viewport.whole else "whole field"),
                  Hint("h", "show" if self._hide else "hide"), Hint("l", "look"), Hint("F1", "help")]  # fmt: skip
        if self._form is None:
            return [Hint("← → ↑ ↓", "view", "nothing"), *common, Hint("F10", "menu")]
        return [*self._form.hints(), *common]

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
        if self._form is not None and not self._boxed and self._form.key(name):
            return True
        return self._view_key(name)

    def _view_key(self, name: str) -> bool:
        state = self._playback.state
        match name:
            case "tab" | "s-tab":
                self._turn(1 if name == "tab" else -1)
            case "v":
                self._viewport.turn()
            case "h":
                self._hide = not self._hide
                if self._form is not None:
                    self._form.context.hide = self._hide
            case "left" | "right" | "up" | "down":
                return self._viewport.pan(*WAYS[name])
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
        state = self._playback.state
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
        order = [DO, TABLE, LOG] if self._form is not None else [TABLE, LOG]
        at = order.index(self._tab) if self._tab in order else 0
        self._to_tab(order[(at + by) % len(order)])

    def _to_tab(self, tab: int) -> None:
        self._tab = tab
        if tab != DO:
            self._idle_tab = tab

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del x, y, button
        state = self._playback.state
        if self._boxed:
            self._who, self._payoffs = None, False
            return True
        if self._looked is None and self._form is not None and self._form.click(action):
            return True
        match action:
            case ("tab", int(tab)):
                self._to_tab(tab)
            case ("tile", int(index)):
                self._looked = None if self._looked == index else index
            case ("player", int(seat)):
                self._who, self._looked = seat, None
            case _ if state is not None and state.field and self._viewport.click(action, state):
                return True
            case _:
                self._looked = None
                return False
        return True

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        return self._viewport.pan(0, steps)

    def skip(self, now: float) -> bool:
        return self._playback.skip(now)

    def busy(self, now: float) -> bool:
        return self._playback.busy(now)

    def next_frame(self, now: float) -> float | None:
        due = [parts for parts in (self._playback.next_frame(now), self.waits.next_frame(now)) if parts is not None]
        return min(due, default=None)

    # -- help, menu ----------------------------------------------------------------------------------------------------

    def menu(self) -> list[MenuItem]:
        def hide() -> None:
            self._view_key("h")

        return [
            MenuItem("Show own values" if self._hide else "Hide own values", "h", hide),
            MenuItem("Near view" if self._viewport.whole else "The whole field", "v", self._viewport.turn),
        ]

    def help(self) -> Help:
        return help_text.for_phase(self._form.phase if self._form else "")
