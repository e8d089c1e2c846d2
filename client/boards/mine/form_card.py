"""Choosing a card, face down, and whether one would end the game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from kimberley.client.boards.form import Clickable, Command, FormContext
from kimberley.client.boards.mine.form import Cursor, MineForm, shares
from kimberley.client.boards.mine.panel import QUIET_FROM
from kimberley.client.boards.mine.parsing import ParseError
from kimberley.client.boards.mine.scene import Lights
from kimberley.client.boards.mine.words import describe_reach
from kimberley.client.session.banners import Banner, BannerButton
from kimberley.client.ui.bars import first_fitting
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import MenuItem
from kimberley.client.ui.spans import Span, Spans
from kimberley.client.ui.touch import TOUCH_ROWS
from kimberley.games.mine.moves import CARDS, reach
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import name
from kimberley.games.phrases import join_names
from kimberley.games.table import Plain

CARD_COLUMNS: Final = 7
TOGETHER: Final = "All must agree in the same round, each with their card."
BOTH: Final = "You must both agree in the same round, each with your card."
ENDS: Final = (
    "Your next card also says that you agree; the others see it when the cards are revealed. If everyone agrees in the "
    "same round, the game ends at once: no more moves, and gems still carried do not count."
)


class CardForm(MineForm):
    """The player raises a card, then plays it with Enter or a second click. It stays on the screen until all cards are
    shown.
    """

    phase = "CARD"

    def __init__(self, context: FormContext[State], cursor: Cursor) -> None:
        super().__init__(context, cursor)
        self.chosen: int | None = None
        self.ends = False
        self.reach = reach(self.state.mine, self.seat)
        cursor.square = None

    def stays(self, state: State) -> bool:
        return state.phase == "cards" and state.round == self.state.round and not state.ended

    @property
    def face(self) -> str:
        """The chosen card, as the screen shows it to its player."""
        return "?" if self.cursor.hidden else str(self.chosen)

    # -- what it shows -------------------------------------------------------------------------------------------------

    def sentence(self, room: int) -> str:
        if self.chosen is None and self.state.quiet >= QUIET_FROM and not self.ends:
            quiet = f"{self.state.quiet} rounds without a gem"
            return first_fitting(
                room,
                f"{quiet}: {self.worded('to agree to end the game, press e', 'you can agree to end the game')}.",
                f"{quiet}: {self.worded('e agrees to end the game', 'you can agree to end it')}.",
            )
        if self.ends:
            card = "choose a card" if self.chosen is None else self.worded("Enter plays your card", "play your card")
            return f"You agree to end the game: {card}."
        if self.chosen is None:
            return "Choose how far to move. Cards are revealed together."
        if self.cursor.hidden:
            return f"Your card is chosen. {self.worded('Enter plays it', 'Play it,')} face down."
        return f"Card {self.chosen}: {self.worded('Enter plays it', 'play it,')} face down."

    def lights(self) -> Lights:
        if self.cursor.hidden or self.sealed:
            return Lights()
        notes = {square: str(card) for card, squares in self.reach.items() for square in squares}
        if self.chosen is None:
            return Lights(notes=notes)
        lit = frozenset(self.reach[self.chosen])
        return Lights(open=lit, notes={square: note for square, note in notes.items() if square in lit})

    def about(self, room: int) -> tuple[str, list[Spans]] | None:
        if self.cursor.square is not None:
            return None
        lines: list[Spans] = []
        for card in CARDS:
            there = " ".join(sorted(name(square) for square in self.reach[card]))
            bold = card == self.chosen and not self.cursor.hidden
            rows = wrap(there or "nowhere: you stay put", room - 4)
            for number, row in enumerate(rows):
                mark = Span(f" {card} ", "ink", True, "paper") if number == 0 else Span("   ")
                lines.append((mark, Span(f" {row}", "text" if bold else "soft", bold)))
        return "Where each card leads", lines

    def draw(self, canvas: Canvas) -> None:
        if self.sealed:
            canvas.put(4, 1, self._lies, "soft")
            return
        x = 4
        for option in self.clickables():
            _draw_card(canvas.region(x, 0, CARD_COLUMNS, TOUCH_ROWS), option)
            x += CARD_COLUMNS + 1

    @property
    def touch_rows(self) -> int:
        return 1 if self.sealed else super().touch_rows

    def draw_touched(self, canvas: Canvas) -> None:
        if self.sealed:
            canvas.put(1, 0, self._lies, "soft")
            return
        for option, (x, columns) in zip(self.clickables(), shares(canvas.width, len(CARDS)), strict=True):
            _draw_card(canvas.region(x, 0, columns, TOUCH_ROWS), option)

    @property
    def _lies(self) -> str:
        """What to say about the card that was played."""
        if self.cursor.hidden:
            return "Your card is face down."
        return f"Card {self.chosen} is face down{'; you agree to end' if self.ends else ''}."

    def requests(self) -> Sequence[Banner]:
        """Returns what the others ask for: to end the game."""
        if not self._others or self.ends:
            return ()
        text, agree = f"{join_names(self._others)} would like to end the game.", BannerButton("Agree", key="e")
        return (Banner("end", "ask", text, more=TOGETHER if self._only_opponent is None else BOTH, buttons=(agree,)),)

    @property
    def _others(self) -> list[str]:
        """The names of the others who would end the game."""
        return [name for seat, name in enumerate(self.context.names) if self.state.willing[seat] and seat != self.seat]

    @property
    def _only_opponent(self) -> str | None:
        """The name of the other player if there is only one."""
        others = [
            name for seat, name in enumerate(self.context.names) if self.state.present[seat] and seat != self.seat
        ]
        return others[0] if len(others) == 1 else None

    @property
    def _ends(self) -> str:
        """What it means to agree to end the game."""
        if (other := self._only_opponent) is None:
            return ENDS
        return (
            f"Your next card also says that you agree; {other} sees it when the cards are revealed. If you both agree "
            "in the same round, the game ends at once: no more moves, and gems still carried do not count."
        )

    def menu(self) -> list[MenuItem]:
        return [MenuItem("Keep playing" if self.ends else "Agree to end the game", "e", self._agree)]

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def commands(self) -> Sequence[Command]:
        chosen, hidden, looks = self.chosen is not None, self.cursor.hidden, self.cursor.square is not None
        hide = Hint("h", "show" if hidden else "hide") if chosen or hidden else None
        return [
            Command(("1", "2", "3"), lambda card: self._raise(int(card)), Hint("1 2 3", "card", "nothing")),
            self.enter_command(self._play, "play it", "Play it", named=chosen and not self.sealed),
            Command(("h",), lambda _: self.cursor.hide(), hide),
            Command(("e",), lambda _: self._agree(), Hint("e", "keep playing" if self.ends else "agree to end")),
            *([Command(("esc", "u"), lambda _: self._lower())] if chosen or looks else []),
            self.walking("look"),
        ]

    def clickables(self) -> Sequence[Clickable]:
        raised = None if self.cursor.hidden else self.chosen
        return [
            Clickable(("card", card), partial(self._click_card, card), str(card), active=card == raised)
            for card in CARDS
        ]

    def _raise(self, card: int) -> None:
        self.chosen = card

    def _lower(self) -> None:
        """Lowers the raised card, and looks at no square."""
        self.chosen = None
        self.look_at(None)

    def _click_card(self, card: int) -> None:
        if card == self.chosen:
            self._play()
        else:
            self.chosen = card

    def _agree(self) -> None:
        """Agrees to end the game with the card, once the player has confirmed it; or takes that back."""
        if self.ends:
            self.ends = False
        else:
            self.context.confirm("End the game?", self._ends, "Agree", "Not yet", self._agreed)

    def _agreed(self) -> None:
        self.ends = True

    def _play(self) -> None:
        """Plays the raised card."""
        if self.chosen is None:
            self.refusal = "choose a card first: 1, 2 or 3"
        else:
            self.context.send((self.chosen, self.ends))

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        lines = [f"Round {self.state.round}: choose a card.", *describe_reach(self.state, self.seat)]
        if self._others:
            lines.append(
                f"{join_names(self._others)} would like to end the game. To agree, type for example 2 end. "
                f"{self._only_opponent or 'The others'} will see it with your card."
            )
        return [*lines, "Type 1, 2 or 3."]

    def read(self, words: Sequence[str]) -> Plain:
        """Returns a card: "2", "card 2", "2 end"."""
        match words[1:] if words[:1] == ["card"] else words:
            case [("1" | "2" | "3") as card]:
                return int(card), False
            case [("1" | "2" | "3") as card, "end"]:
                return int(card), True
        raise ParseError("type 1, 2 or 3; to agree to end the game as well, type for example 2 end")


def _draw_card(canvas: Canvas, option: Clickable) -> None:
    """Draws a card over the whole canvas, in three rows."""
    columns = canvas.width
    ground: Color = "ice" if option.active else "paper"
    if canvas.palette.plain and not option.active:
        canvas.center(0, 1, columns, f"[  {option.text}  ]", "text")
    else:
        canvas.fill(0, 1, columns, 1, ground)
        if not canvas.ascii_only:
            canvas.put(0, 0, "▄" * columns, ground)
            canvas.put(0, 2, "▀" * columns, ground)
        canvas.center(0, 1, columns, f"▸{option.text}◂" if option.active else option.text, "ink", bold=True)
    canvas.hit(0, 0, columns, canvas.height, option.action)
