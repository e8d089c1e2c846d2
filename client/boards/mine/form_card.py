"""Choosing a card, face down, and whether one would end the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kimberley.client.boards.api import Span
from kimberley.client.boards.mine.form import Cursor, Lights, MineForm
from kimberley.client.boards.mine.square_info import Line
from kimberley.client.session.notices import join_names
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.palette import Color
from kimberley.client.ui.widgets import Hint, button, button_width
from kimberley.games.mine.moves import CARDS, reach
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import name
from kimberley.games.table import Plain

CARD_COLUMNS = 7


class CardForm(MineForm):
    """A card is raised, then played with Enter. With `hidden` the screen does not show which one is raised."""

    phase = "CARD"

    def __init__(
        self, state: State, seat: int, names: Sequence[str], cursor: Cursor, send: Callable[[Plain], None],
        hidden: bool,
    ) -> None:  # fmt: skip
        super().__init__(state, seat, names, cursor, send)
        self.hidden = hidden
        self.chosen: int | None = None
        self.ends = False
        self.reach = reach(state.mine, seat)
        cursor.square = None

    def sentence(self) -> str:
        if self.chosen is None:
            return "Choose how far you go. All show their cards at once."
        if self.hidden:
            return "Your card is chosen. Enter plays it face down."
        return f"Card {self.chosen}: Enter plays it face down."

    def lights(self) -> Lights:
        if self.hidden:
            return Lights()
        notes = {square: str(card) for card, squares in self.reach.items() for square in squares}
        if self.chosen is None:
            return Lights(notes=notes)
        lit = frozenset(self.reach[self.chosen])
        return Lights(open=lit, notes={square: note for square, note in notes.items() if square in lit})

    def about(self, room: int) -> tuple[str, list[Line]] | None:
        if self.cursor.square is not None:
            return None
        lines: list[Line] = []
        for card in CARDS:
            there = " ".join(sorted(name(square) for square in self.reach[card]))
            bold = card == self.chosen and not self.hidden
            rows = wrap(there or "nowhere: you would stay", room - 4)
            for number, row in enumerate(rows):
                mark = Span(f" {card} ", "ink", True, "paper") if number == 0 else Span("   ")
                lines.append([mark, Span(f" {row}", "text" if bold else "soft", bold)])
        if self.ends:
            lines.append([Span("You agree to end the game.", "money", True)])
        would = [self.names[seat] for seat, agrees in enumerate(self.state.willing) if agrees and seat != self.seat]
        if would:
            said = f"{join_names(would)} would end the game."
            lines += [[Span(line, "money")] for line in wrap(said, room)]
        return "Where each card leads", lines

    def draw(self, canvas: Canvas) -> None:
        x = 4
        for card in CARDS:
            raised = card == self.chosen and not self.hidden
            ground: Color = "ice" if raised else "paper"
            if canvas.palette.plain and not raised:
                canvas.put(x, 1, f"[  {card}  ]", "text")
            else:
                canvas.fill(x, 1, CARD_COLUMNS, 1, ground)
                if not canvas.ascii_only:
                    canvas.put(x, 0, "▄" * CARD_COLUMNS, ground)
                    canvas.put(x, 2, "▀" * CARD_COLUMNS, ground)
                canvas.center(x, 1, CARD_COLUMNS, f"▸{card}◂" if raised else str(card), "ink", bold=True)
            canvas.hit(x, 0, CARD_COLUMNS, 3, f"key:{card}")
            x += CARD_COLUMNS + 1
        if self.chosen is not None:
            button(canvas, canvas.width - button_width("Play it", "Enter"), 1, "Play it", "Enter", primary=True)

    def hints(self) -> list[Hint]:
        return [
            Hint("1 2 3", "card", "nothing"),
            *([Hint("Enter", "play it")] if self.chosen is not None else []),
            Hint("h", "show" if self.hidden else "hide"),
            Hint("e", "do not end" if self.ends else "agree to end"),
            Hint("← → ↑ ↓", "look", "nothing"),
            Hint("F1", "help"),
        ]

    def key(self, name: str) -> bool:
        match name:
            case "1" | "2" | "3":
                self.chosen = None if self.chosen == int(name) else int(name)
            case "h":
                self.hidden = not self.hidden
            case "e":
                self.agree()
            case "esc" | "u" if self.chosen is not None or self.cursor.square is not None:
                self.chosen = self.cursor.square = None
            case "enter" if self.chosen is not None:
                self.send((self.chosen, self.ends))
            case "enter":
                self.refusal = "choose a card first: 1, 2 or 3"
            case _:
                return False
        return True

    def agree(self) -> None:
        """Agrees to end the game with the card, or no more."""
        self.ends = not self.ends
