"""The field, the panel and a hand of coins, for a player, a spectator and a replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from kimberley.client.boards.piecepack import help_text
from kimberley.client.boards.piecepack.events import GameEvent, Narrator, turn_ran_out
from kimberley.client.boards.piecepack.form import HandDisplay, PiecepackForm, Request, open_cards
from kimberley.client.boards.piecepack.info_boxes import tile_box, warlord_box
from kimberley.client.boards.piecepack.layout import HAND_ROWS, draw_hand, layout, pawns_of, players_of
from kimberley.client.boards.piecepack.panel import panel_width
from kimberley.client.boards.piecepack.payoffs import draw_payoffs
from kimberley.client.boards.piecepack.phrases import discreet, ending, gone
from kimberley.client.boards.piecepack.portrait import (
    draw_choice,
    draw_open_hand,
    draw_players_across,
    portrait_layout,
)
from kimberley.client.boards.piecepack.request_box import draw_request
from kimberley.client.boards.piecepack.scene import Scene, draw_field
from kimberley.client.boards.piecepack.side_panel import DO, LOG, TABLE, SidePanel, draw_side_panel
from kimberley.client.boards.piecepack.viewport import Viewport, field_box, standing, towards
from kimberley.client.boards.piecepack.window import FieldBox, box_of, place_of
from kimberley.client.boards.piecepack.words import LOTS
from kimberley.client.boards.standings import departed, outcome, resignation
from kimberley.client.boards.view import BoardView, Shown, Strip
from kimberley.client.ui.bars import first_fitting, phase_strip, sentence_room
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.geometry import WAYS
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import Help, MenuItem, Ui
from kimberley.client.ui.spans import Span, Spans
from kimberley.games.phrases import count_of
from kimberley.games.piecepack.rules import State
from kimberley.p2p.sentences.notices import NOTHING_TO_DO, as_sentence

PiecepackShown = Shown[State, GameEvent]
TELLING: Final = frozenset({"sell", "lose", "give", "draw", "heart", "mine", "steal", "peek", "deal"})
"""The events that a toast tells the player about, if they are the player's own."""
TURN_OVER: Final = "Your turn is over: you can do nothing more."
DIGITS: Final = "123456"
LOGGED: Final = 60
"""The most events that the panel lists."""


class PiecepackView(BoardView[State, GameEvent]):
    """The field at the left, the panel at the right, and below them the hand of the player or of the seat that acts.

    Over the field a tile (`_looked`), a warlord (`_who`) or all payoffs can be looked at.
    """

    def __init__(self, names: Sequence[str], you: int | None) -> None:
        super().__init__(names, you)
        self.display = HandDisplay()
        self._viewport = Viewport()
        self._form: PiecepackForm | None = None
        self._tab = self._idle_tab = TABLE
        self._looked: int | None = None
        self._who: int | None = None
        self._payoffs = False

    def _open_form(self, shown: PiecepackShown) -> PiecepackForm | None:
        """Returns the open form. When the form changes, the panel shows its part, and what was looked at is closed."""
        form = shown.form if isinstance(shown.form, PiecepackForm) and not shown.form.sealed else None
        if form is not self._form:
            self._form = form
            if form is None:
                self._tab = self._idle_tab
            else:
                self._tab = TABLE if form.request() is not None else DO
                self._close()
        return form

    def _close(self) -> None:
        self._looked, self._who, self._payoffs = None, None, False

    def tick(self, shown: PiecepackShown) -> None:
        self._open_form(shown)

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, shown: PiecepackShown) -> None:
        state, form = self.display.seen(shown.state), self._open_form(shown)
        if not state.field:
            canvas.center(0, canvas.height // 2, canvas.width, LOTS, "soft")
            return
        parts = layout(canvas, panel_width(canvas.width))
        seat = self._seat(shown)
        scene = self._scene(state, form)
        below = self._draw_field(parts.field, state, scene, shown)
        self._draw_box(parts.field, state, shown, below=below)
        panel = SidePanel(
            state, players_of(state, self.names, self.you), self._viewport.window, tuple(scene.ghosts),
            self._log(shown), form, self.you is None, TURN_OVER if _ran_out(shown) else NOTHING_TO_DO,
            self._looked is not None,
        )  # fmt: skip
        draw_side_panel(parts.panel, panel, self._tab)
        cards, cursor = form.cards() if form is not None else (open_cards(state, seat), None)
        if self.you is None:
            draw_hand(parts.hand, state, seat, cards, cursor, title=self.names[seat])
        else:
            hide = self.display.hidden if self._hides(shown) else None
            draw_hand(parts.hand, state, seat, cards, cursor, hide=hide, payoffs=True)

    portrait = True

    def draw_portrait(self, header: Canvas, body: Canvas, shown: PiecepackShown) -> None:
        state, form = self.display.seen(shown.state), self._open_form(shown)
        draw_players_across(header, players_of(state, self.names, self.you))
        if not state.field:
            body.center(0, body.height // 2, body.width, LOTS, "soft")
            return
        parts = portrait_layout(body, chooses=form is not None)
        seat = self._seat(shown)
        self._draw_field(parts.field, state, self._scene(state, form), shown)
        draw_choice(parts.card, form, self._log(shown))
        cards, cursor = form.cards() if form is not None else (open_cards(state, seat), None)
        title = "Your hand" if self.you is not None else self.names[seat]
        draw_open_hand(parts.hand, state, seat, cards, cursor, title, asks=self.you is not None)
        self._draw_box(parts.over, state, shown, below=True)

    tall_rows = 48

    def draw_tall(self, canvas: Canvas, shown: PiecepackShown) -> None:
        state, field = shown.state, 22
        if not state.field:
            canvas.center(0, field // 2, canvas.width, LOTS, "soft")
            return
        seat, scene, below = self._seat(shown), self._scene(state, None), field + HAND_ROWS
        top = canvas.region(0, 0, canvas.width, field)
        self._draw_box(top, state, shown, below=self._draw_field(top, state, scene, shown))
        hand = canvas.region(0, field, canvas.width, HAND_ROWS)
        draw_hand(hand, state, seat, open_cards(state, seat), None, title=self.names[seat])
        panel = SidePanel(
            state, players_of(state, self.names, None), self._viewport.window, (), self._log(shown), None, True
        )  # fmt: skip
        draw_side_panel(canvas.region(0, below, canvas.width, canvas.height - below), panel, TABLE)

    def _seat(self, shown: PiecepackShown) -> int:
        """Returns the seat whose hand is shown."""
        if self.you is not None:
            return self.you
        return shown.state.turn if shown.live or shown.last is None else shown.last.seat

    def _scene(self, state: State, form: PiecepackForm | None) -> Scene:
        laid = len(state.field) - 1 if len(state.field) > len(state.present) else None
        looked = self._looked_in(state)
        scene = Scene(state.field, pawns_of(state), fresh=laid, trail=state.path, looked=looked)
        return form.scene(scene) if form is not None and looked is None else scene

    def _looked_in(self, state: State) -> int | None:
        """Returns the tile that is looked at, if it is on the field already."""
        return self._looked if self._looked is not None and self._looked < len(state.field) else None

    def _draw_field(self, canvas: Canvas, state: State, scene: Scene, shown: PiecepackShown) -> bool:
        """Draws what is seen of the field. Returns whether a box belongs in its lower half."""
        every = field_box(state, tuple(scene.ghosts))
        window = self._viewport.seen(canvas.width, canvas.height, every, self._focus(state, shown))
        if scene.looked is not None:
            canvas.hit(0, 0, canvas.width, canvas.height, ("board",))
        draw_field(canvas, window, scene)
        seat = self._seat(shown)
        index = state.pawns[seat] if scene.looked is None else scene.looked
        middle = window.center(place_of(state.field[index]))[1] if index is not None else 0
        return middle < canvas.height // 2

    def _draw_box(self, canvas: Canvas, state: State, shown: PiecepackShown, *, below: bool) -> None:
        """Draws what is open over the field, at its lower edge or at the upper one."""
        if self._payoffs:
            draw_payoffs(canvas, state, self._seat(shown), below=below)
        elif (request := self._request(state)) is not None:
            draw_request(canvas, request, self.names, state.suits, below=below)

    def _focus(self, state: State, shown: PiecepackShown) -> FieldBox | None:
        """Returns where something happens."""
        if (looked := self._looked_in(state)) is not None:
            return box_of([place_of(state.field[looked])])
        if self._form is not None:
            return self._form.box() or standing(state, self._form.seat)
        return standing(state, shown.last.seat if shown.last is not None else self._seat(shown))

    def _request(self, state: State) -> Request | None:
        """Returns the box over the field, if there is one."""
        if (looked := self._looked_in(state)) is not None:
            return tile_box(state, looked, self.names, self.you)
        if self._who is not None:
            return warlord_box(state, self._who, self.names)
        return self._form.request() if self._form is not None else None

    def _log(self, shown: PiecepackShown) -> Spans:
        """Returns what has happened, a span for each event: bright if it is new to the player."""
        past = shown.past
        fresh, log = len(past) - self._fresh(past), []
        for number, event in list(enumerate(past))[-LOGGED:]:
            fg: Color = "text" if number >= fresh else "soft"
            if event.kind == "sell":
                fg = "money"
            elif self.you is not None and (event.other == self.you or (event.kind, event.seat) == ("lose", self.you)):
                fg = "warning"
            log.append(Span(self._sentence(event), fg))
        return tuple(log)

    def _fresh(self, events: Sequence[GameEvent]) -> int:
        """Returns how many of the last events are new: all since the player's last turn; for a spectator the last."""
        if self.you is None:
            return 1
        new = takewhile(lambda event: event.seat != self.you or event.turn == events[-1].turn, reversed(events))
        return sum(1 for _ in new)

    # -- in words ------------------------------------------------------------------------------------------------------

    def _sentence(self, event: GameEvent, *, counted: bool = False) -> str:
        return Narrator(self.names, self.you, counted=counted).describe_event(self.discreet(event))

    def discreet(self, event: GameEvent) -> GameEvent:
        if not self.display.hidden:
            return event
        return replace(event, coins=discreet(event.coins, event.after.seats))

    def strip(self, shown: PiecepackShown, room: int) -> tuple[str, str]:
        form, last = self._open_form(shown), shown.last
        if form is not None and form.refusal:
            return form.phase, as_sentence(form.refusal)
        if self._looked is not None:
            return "LOOK", "Choose another tile, or go back."
        if form is not None:
            return form.phase, self._asked(form, shown, sentence_room(room, form.phase))
        if shown.result is not None:
            sentence = resignation(shown.state, range(shown.state.seats), shown.result, self.names, self.you)
            why = outcome(self.names, shown.result, self.you, sentence_room(room, "THE END"))
            return "THE END", sentence or " ".join((why, *departed(self.names, gone(shown.state), self.you, why)))
        if last is None:
            return "START", LOTS
        phase, sentence = f"TURN {last.turn + 1}" if last.in_turns else "START", self._sentence(last)
        over = f"{sentence} {TURN_OVER}" if last.before.turn == self.you and _ran_out(shown) else sentence
        return phase, first_fitting(sentence_room(room, phase), over, self._sentence(last, counted=True))

    def _asked(self, form: PiecepackForm, shown: PiecepackShown, room: int) -> str:
        """Returns what the player is asked, followed, until they begin to choose, by what others took from them and
        looked at. The question is shortened where both fit only that way.
        """
        own, suffered = form.sentence(room), () if form.begun else self._suffered(shown)
        past = [Narrator(self.names, self.you).describe_past(self.discreet(event)) for event in suffered]
        if past:
            brief = form.sentence(max(0, room - 1 - cell_width(past[0])))
            own = next((each for each in (own, brief) if cell_width(f"{each} {past[0]}") <= room), own)
        return " ".join((own, *past))

    def _suffered(self, shown: PiecepackShown) -> Sequence[GameEvent]:
        """Returns what others took from the player, and then what they looked at, since the player's last turn; only as
        long as nothing has happened in the new turn.
        """
        past, state = shown.past, shown.state
        if state.turn != self.you or not past or past[-1].turn == state.turns:
            return ()
        others = list(takewhile(lambda event: event.before.turn != self.you, reversed(past)))[::-1]
        stolen = [event for event in others if event.kind == "steal" and event.other == self.you]
        return [*stolen, *(event for event in others if event.kind == "peek" and self.you in event.owners)]

    def draw_strip(self, canvas: Canvas, strip: Strip) -> None:
        fg: Color = "warning" if self._form is not None and self._form.refusal else "text"
        phase_strip(canvas, self.strip_row, strip.phase, strip.sentence, strip.aside, strip.aside_fg, fg=fg)

    def note(self, shown: PiecepackShown) -> str:
        state = shown.state
        if not state.field:
            return ""
        # The title of a replay leaves no room for more than the tiles.
        near = ending(state, brief=True) if self.you is not None and not state.ended else ""
        return near or f"{count_of(len(state.stack), 'tile')} left"

    def your_turn(self, shown: PiecepackShown) -> tuple[str, Color]:
        return "your turn" if shown.state.turn == self.you else "your turn to answer", "ok"

    def news(self, events: Sequence[GameEvent]) -> tuple[str, bool]:
        """Returns what the player got, what they lost, and how somebody blocked their attack."""
        telling = [
            event
            for event in events
            if event.kind == "lots"
            or (event.seat == self.you and event.kind in TELLING)
            or (event.other == self.you and event.kind == "steal")
            or (event.kind == "peek" and self.you in event.owners)
            or (event.kind == "defend" and event.before.attacker == self.you is not None)
        ]
        bad = any(event.kind == "lose" or event.other == self.you for event in telling)
        return " ".join(map(self._sentence, telling)), bad

    def hints(self, shown: PiecepackShown) -> Sequence[Hint]:
        if self._looked is not None:
            return [Hint("← → ↑ ↓", "tile", "nothing"), Hint("Esc", "back")]
        if self._boxed:
            return [Hint("Esc", "close", primary=True)]
        near = "near" if self._viewport.whole else "map"
        if self.you is None:
            return [Hint("v", near), Hint("Tab", "panel"), Hint("i", "look", "key:i")]
        hide = [Hint("h", "show" if self.display.hidden else "hide")] if self._hides(shown) else []
        hints = [Hint("Tab", "panel"), Hint("v", near), *hide, Hint("i", "look", "key:i")]
        return hints if shown.form is not None or shown.stepping else [Hint("← → ↑ ↓", "view", "nothing"), *hints]

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    @property
    def modal(self) -> bool:
        return self._looked is not None or self._boxed

    @property
    def _boxed(self) -> bool:
        """Whether a box is open that asks nothing."""
        return self._who is not None or self._payoffs

    def key(self, name: str, shown: PiecepackShown, ui: Ui) -> bool:
        self._open_form(shown)
        if self._looked is not None and self._look_key(name, shown.state):
            return True
        if self._boxed and name in ("esc", "enter", " "):
            self._close()
            return True
        match name:
            case "tab" | "s-tab":
                self._turn_tab(1 if name == "tab" else -1)
            case "v":
                self._viewport.turn()
            case "i" if shown.state.field:
                self._look(shown)
            case _ if self.you is not None:
                return self._player_key(name, shown)
            case _:
                return False
        return True

    def _player_key(self, name: str, shown: PiecepackShown) -> bool:
        """Handles keys that spectators do not have: in a replay they mean something else."""
        match name:
            case "h" if self._hides(shown):
                self.display.hidden = not self.display.hidden
            case "left" | "right" | "up" | "down" if not shown.stepping:
                return self._viewport.pan(*WAYS[name])
            case "p" if shown.state.field:
                opened = not self._payoffs
                self._close()
                self._payoffs = opened
            case _ if shown.state.field and name in DIGITS and int(name) <= len(self.names):
                seat = int(name) - 1
                opened = self._who != seat
                self._close()
                self._who = seat if opened else None
            case _:
                return False
        return True

    def _look(self, shown: PiecepackShown) -> None:
        """Looks at the tile of the seat that acts, or at the first one."""
        self._close()
        self._looked = shown.state.pawns[self._seat(shown)] or 0

    def _look_key(self, name: str, state: State) -> bool:
        looked = self._looked_in(state)
        match name:
            case "esc" | "i" | "enter" | "u":
                self._looked = None
            case "left" | "right" | "up" | "down" if looked is not None:
                self._looked = towards([place_of(tile) for tile in state.field], looked, name)
            case " " if looked is not None:
                self._looked = (looked + 1) % len(state.field)
            case _:
                return False
        return True

    def _turn_tab(self, by: int) -> None:
        """Shows the next of the panel's tabs."""
        order = [DO, TABLE, LOG] if self._form is not None else [TABLE, LOG]
        at = order.index(self._tab) if self._tab in order else 0
        self._to_tab(order[(at + by) % len(order)])

    def _to_tab(self, tab: int) -> None:
        self._tab = tab
        if tab != DO:
            self._idle_tab = tab

    def click(self, action: Action, x: int, y: int, shown: PiecepackShown) -> bool:
        self._open_form(shown)
        if self._boxed:
            self._close()
            return True
        match action:
            case ("tab", int(tab)):
                self._to_tab(tab)
            case ("tile", int(index)):
                self._looked = None if self._looked == index else index
            case ("board",):
                self._close()
            case ("player", int(seat)) if self.you is not None:
                self._who, self._looked = seat, None
            case _ if shown.state.field and self._viewport.click(action, shown.state):
                return True
            case _:
                self._looked = None
                return False
        return True

    def wheel(self, action: Action | None, steps: int, shown: PiecepackShown) -> bool:
        return self._viewport.pan(0, steps)

    # -- help, menu ----------------------------------------------------------------------------------------------------

    def menu(self, shown: PiecepackShown, ui: Ui) -> list[MenuItem]:
        def hide() -> None:
            self.display.hidden = not self.display.hidden

        look = [MenuItem("Look at tiles", "i", lambda: self._look(shown))] if shown.state.field else []
        own = [MenuItem("Show my values" if self.display.hidden else "Hide my values", "h", hide)]
        return [
            *(own if self._hides(shown) else []),
            MenuItem("Close-up" if self._viewport.whole else "Whole map", "v", self._viewport.turn),
            *look,
        ]

    def help(self, shown: PiecepackShown) -> Help:
        if self.you is not None and self.you in gone(shown.state):
            return help_text.OF_THE_OUT
        return help_text.for_phase(shown.form.phase if shown.form is not None else "")

    def _hides(self, shown: PiecepackShown) -> bool:
        """Returns whether there is anything that a key hides or shows: a player who resigned has no coins, but may have
        hidden values.
        """
        return self.you is not None and (self.display.hidden or self.you not in gone(shown.state))


def _ran_out(shown: PiecepackShown) -> bool:
    """Returns whether the player has been waiting since a turn that ended by itself."""
    waits = shown.result is None and shown.state.turn != shown.you
    return waits and shown.you is not None and turn_ran_out(shown.past, shown.you)
