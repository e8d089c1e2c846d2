"""The field and the panel, for a player, a spectator and a replay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.live_context import sealed
from kimberley.client.boards.mine import help_text
from kimberley.client.boards.mine.events import GameEvent, describe_event, describe_trip, describe_wish
from kimberley.client.boards.mine.form import ARROWS, Cursor, MineForm
from kimberley.client.boards.mine.form_card import CardForm
from kimberley.client.boards.mine.grid import FIGURES
from kimberley.client.boards.mine.pacing import on_the_way
from kimberley.client.boards.mine.panel import (
    DONE,
    MOST_ROWS,
    QUIET_FROM,
    PanelContent,
    draw_card,
    draw_panel,
    draw_players_across,
    panel_width,
)
from kimberley.client.boards.mine.scene import Lights, Scene, draw_field, scene_of
from kimberley.client.boards.mine.square_info import square_info_lines
from kimberley.client.boards.standings import departed, resignation, winners
from kimberley.client.boards.subject import reason_told, subject
from kimberley.client.boards.view import BoardView, Shown
from kimberley.client.session.banners import Banner
from kimberley.client.ui.bars import first_fitting, sentence_room
from kimberley.client.ui.buttons import draw_buttons
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import Help, Ui
from kimberley.client.ui.spans import Spans, text_lines
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import SQUARES
from kimberley.games.phrases import count_of
from kimberley.games.table import Plain, ReasonKind
from kimberley.p2p.base.text import ordinal
from kimberley.p2p.sentences.notices import RESIGNED, as_sentence

MineShown = Shown[State, GameEvent]
BELOW: Final = 3
"""Rows below the field, where a choice is made."""
CARD_ROWS: Final = 10
"""Rows below the field of a portrait screen, at least."""
LATEST: Final = 40
"""The most events that the panel lists."""
LETTERS: Final = dict(zip("wasd", ARROWS, strict=True))
"""The keys that look around while a person steps through the game, where the arrows go to other positions."""


class MineView(BoardView[State, GameEvent]):
    """The field at the left with the choice below it, the panel at the right."""

    def __init__(self, names: Sequence[str], you: int | None) -> None:
        super().__init__(names, you)
        self.cursor = Cursor()
        """Where the player looks, also in forms."""
        self._stepping = Cursor()
        """Where a person stepping through the game looks. The player finds the form as it was left."""

    # -- what is shown -------------------------------------------------------------------------------------------------

    def _present(self, shown: MineShown) -> bool:
        """Returns whether the player sees the present, and can act in it or wait for others."""
        return shown.live and self.you is not None

    def _cursor(self, shown: MineShown) -> Cursor:
        return self._stepping if shown.stepping else self.cursor

    def _square(self, shown: MineShown) -> int | None:
        """Returns the square that is looked at."""
        return None if shown.playing or not shown.state.colors else self._cursor(shown).square

    def _happening(self, shown: MineShown) -> GameEvent | None:
        """Returns the event that is shown; None where the player acts or waits, and at the end."""
        return None if self._present(shown) or shown.result is not None else shown.last

    @staticmethod
    def _open(shown: MineShown) -> MineForm | None:
        """Returns the form, unless its choice has been handed in."""
        form = shown.form
        return form if isinstance(form, MineForm) and not form.sealed else None

    @staticmethod
    def _acting(shown: MineShown) -> int | None:
        """Returns the seat that is to act alone, or the one that did."""
        state, last = shown.state, shown.last
        if shown.live:
            return state.turn if state.phase in ("place", "move", "show", "take") and not state.ended else None
        return last.seat if last is not None and shown.result is None else None

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, shown: MineShown) -> None:
        form = shown.form if isinstance(shown.form, MineForm) else None
        state, scene = self._seen(shown, form)
        room = panel_width(canvas.width)
        width, rows = canvas.width - room, canvas.height - 3
        grid = draw_field(canvas.region(0, 2, width, rows - BELOW), scene)
        if form is not None:
            left = grid.left - FIGURES
            below = canvas.region(left, 2 + rows - BELOW, min(grid.right + 1, width - 1) - left, BELOW)
            form.draw(below)
            draw_buttons(below, below.width, 1, form.buttons(), right=True)
        draw_panel(canvas.region(canvas.width - room, 2, room, rows), self._panel(shown, state, room - 2))

    def _seen(self, shown: MineShown, form: MineForm | None) -> tuple[State, Scene]:
        """Returns the state that is drawn, which is an earlier one while a pawn is on its way; and the scene of it."""
        event = self._happening(shown)
        state, flash = shown.state, event.square if event is not None else None
        walking = on_the_way(shown.last, shown.since) if shown.last is not None else None
        if walking is not None:
            state, flash = walking
        lights = form.lights() if form is not None else Lights()
        return state, scene_of(state, lights, self._acting(shown), self._square(shown), flash)

    portrait = True

    def draw_portrait(self, header: Canvas, body: Canvas, shown: MineShown) -> None:
        form = shown.form if isinstance(shown.form, MineForm) else None
        state, scene = self._seen(shown, form)
        grid = draw_field(body.region(0, 0, body.width, body.height - CARD_ROWS), scene)
        content = self._panel(shown, state, body.width - 4)
        draw_players_across(header, content)
        card, bottom = grid.bottom + 1, body.height
        if form is not None:
            bottom -= form.touch_rows
            form.draw_touched(body.region(0, bottom, body.width, form.touch_rows))
        draw_card(body.region(0, card, body.width, bottom - card), content, self.note(shown))

    tall_rows = 44

    def draw_tall(self, canvas: Canvas, shown: MineShown) -> None:
        field, event = 20, self._happening(shown)
        scene = scene_of(shown.state, Lights(), self._acting(shown), None, event.square if event is not None else None)
        draw_field(canvas.region(0, 0, canvas.width, field), scene)
        panel = self._panel(shown, shown.state, canvas.width - 2)
        draw_panel(canvas.region(0, field, canvas.width, canvas.height - field), panel)

    def _panel(self, shown: MineShown, state: State, room: int) -> PanelContent:
        heading, about = self._about(shown, room)
        wish = self._wish(shown, about)
        return PanelContent(
            state,
            self.names,
            self.you,
            self._cards(shown),
            self._notes(shown),
            heading,
            about,
            acts=self._acting(shown),
            log=[line for event in shown.past[-LATEST:] for line in self._sentences(event) if line != wish],
            talk=shown.talk[-12:],
            places=shown.result.places if shown.result is not None and state.colors else (),
            wish=wish,
        )

    def _wish(self, shown: MineShown, about: Sequence[Spans]) -> str:
        """Says during a round who would like to end the game, unless `about` does; after it, the next card asks."""
        state = shown.state
        if state.ended or shown.result is not None or state.phase not in ("move", "show", "take"):
            return ""
        players = [seat for seat in state.order() if state.cards[seat] is not None and state.present[seat]]
        wish = describe_wish(state, players, self.names, self.you)
        read = " ".join(span.text for line in about for span in line)
        return "" if wish in read else wish

    def _cards(self, shown: MineShown) -> list[str]:
        """Returns by seat the card that lies on the table."""
        state, event, form = shown.state, shown.last, shown.form
        if shown.live and state.phase == "cards":
            down = sealed(state, shown.waiting, state.seats)
            cards = ["?" if seat in down else "" for seat in range(state.seats)]
            if isinstance(form, CardForm) and form.sealed:
                cards[form.seat] = form.face
            return cards
        open_cards = state.cards if shown.live or event is None else event.cards
        return ["" if card is None or shown.result is not None else str(card) for card in open_cards]

    def _notes(self, shown: MineShown) -> list[str]:
        """Returns by seat what the player is doing in the round."""
        round = shown.state if shown.live or shown.last is None else shown.last.before
        order, acts = round.order(), self._acting(shown)
        notes = []
        for seat in range(round.seats):
            if not shown.state.present[seat]:
                notes.append(RESIGNED)
            elif not round.round:
                notes.append("places a nest" if seat == acts else "")
            else:
                later = f"{ordinal(order.index(seat) + 1)} to move"
                notes.append("moves" if seat == acts else DONE if round.acted[seat] else later)
        return notes

    def _about(self, shown: MineShown, room: int) -> tuple[str, list[Spans]]:
        """Returns what is looked at, what can be done, or what happened last."""
        form, square, last = self._open(shown), self._square(shown), shown.last
        if form is not None and form.refusal:
            return "Not possible", text_lines(as_sentence(form.refusal), room, "warning")
        if form is not None and (about := form.about(room)) is not None:
            return about
        if square is not None:
            return square_info_lines(
                shown.state, square, self.names, self.you, room,
                playing=shown.live and shown.result is None, over=shown.result is not None,
            )  # fmt: skip
        if shown.result is not None:
            counted = shown.state.ended and shown.result.kind is not ReasonKind.RESIGNED
            sentence = "Gems still carried or on the board do not count." if counted else ""
            return f"{winners(self.names, shown.result, self.you)}.", text_lines(sentence, room) if sentence else []
        if last is None:
            return "Start", text_lines(help_text.START, room)
        if (event := self._happening(shown)) is not None:
            return help_text.HEADINGS[event.kind], text_lines(
                " ".join(describe_event(event, self.names, self.you)), room, "text"
            )
        latest: list[Spans] = []
        # The panel may need a row more for the rounds without gems.
        most = MOST_ROWS - (shown.state.quiet >= QUIET_FROM)
        for sentence in reversed([sentence for happened in shown.past[-3:] for sentence in self._sentences(happened)]):
            lines = text_lines(sentence, room)
            if latest and len(lines) + len(latest) > most:
                break
            latest = lines + latest
        return "What happened", latest

    def _sentences(self, event: GameEvent) -> list[str]:
        return describe_event(event, self.names, self.you)

    # -- in words ------------------------------------------------------------------------------------------------------

    def strip(self, shown: MineShown, room: int) -> tuple[str, str]:
        state, form, last = shown.state, self._open(shown), shown.last
        if (result := shown.result) is not None:
            sentence = resignation(state, range(state.seats), result, self.names, self.you)
            why = as_sentence(reason_told(result, self.names, self.you))
            gone = [seat for seat in range(state.seats) if not state.present[seat]]
            return "THE END", sentence or " ".join((why, *departed(self.names, gone, self.you, why)))
        if form is not None:
            return form.phase, form.sentence(sentence_room(room, form.phase))
        if self._present(shown) and not state.ended:
            return help_text.PHASES[state.phase], self._awaited(shown)
        if last is None:
            return "START", help_text.NOTHING_YET
        phase = help_text.EVENTS[last.kind]
        shorter = describe_trip(last, self.names, self.you) if last.kind == "moved" else ()
        return phase, first_fitting(sentence_room(room, phase), " ".join(self._sentences(last)), *shorter)

    def _awaited(self, shown: MineShown) -> str:
        """Returns what the player waits for."""
        state, seat = shown.state, self._acting(shown)
        if seat is None:
            return help_text.WAITING[state.phase]
        who = subject(self.names, seat, self.you)
        does, _, rest = (
            help_text.DOING.get(state.phase) or f"moves {count_of(state.cards[seat] or 0, 'square')}"
        ).partition(" ")
        return f"{who} {who.does(does)} {rest}."

    def note(self, shown: MineShown) -> str:
        event = None if shown.live or shown.result is not None else shown.last
        round = event.before.round if event is not None else shown.state.round
        return f"round {round}" if round else ""

    def your_turn(self, shown: MineShown) -> tuple[str, Color]:
        state = shown.state
        if state.phase != "cards" or state.seats == 2 or self.you is None:
            return "your turn", "ok"
        order = state.order()
        return f"you move {ordinal(order.index(self.you) + 1)} of {len(order)}", "ok"

    def requests(self, shown: MineShown) -> Sequence[Banner]:
        form = self._open(shown)
        return form.requests() if isinstance(form, CardForm) else ()

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def hints(self, shown: MineShown) -> Sequence[Hint]:
        if shown.stepping:
            return [Hint("w a s d", "look", "nothing")]
        if self._open(shown) is not None:
            return []
        hide = [Hint("h", "show" if self.cursor.hidden else "hide")] if isinstance(shown.form, CardForm) else []
        return [Hint("← → ↑ ↓", "look at a square", "nothing"), *hide]

    @property
    def looks_at(self) -> Plain:
        return self.cursor.square, self.cursor.hidden

    @looks_at.setter
    def looks_at(self, place: Plain) -> None:
        match place:
            case (int() | None as square, bool(hidden)) if square is None or square in SQUARES:
                self.cursor.square, self.cursor.hidden = square, hidden

    def key(self, name: str, shown: MineShown, ui: Ui) -> bool:
        cursor = self._cursor(shown)
        match name:
            case _ if shown.playing:
                return False
            case "esc" if self._square(shown) is not None:
                cursor.square = None
            case "h" if self.you is not None:
                self.cursor.hide()
            case _ if (way := LETTERS.get(name) if shown.stepping else name) in ARROWS:
                cursor.walk(way, shown.state.mine.pawns[self.you] if self.you is not None else None)
            case _:
                return False
        return True

    def click(self, action: Action, x: int, y: int, shown: MineShown) -> bool:
        cursor = self._cursor(shown)
        match action:
            case _ if shown.playing:
                return False
            case ("square", int(square)):
                cursor.square = None if square == self._square(shown) else square
            case ("player", int(seat)):
                cursor.square = shown.state.mine.pawns[seat]
            case _:
                return False
        return True

    def help(self, shown: MineShown) -> Help:
        out = self.you is not None and not shown.state.present[self.you]
        return help_text.for_phase(shown.state.phase, out=out)
