"""The form of a turn: a piece is placed, picked and moved, or a neutral one removed; by keys, clicks or typing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from kimberley.client.boards.diamond.events import example_move, parse_turn, proposal, won_square
from kimberley.client.boards.diamond.tiling import tiling
from kimberley.client.boards.form import Command, Form, FormContext, Reply
from kimberley.client.session.participants import short_name
from kimberley.client.ui.bars import first_fitting
from kimberley.client.ui.buttons import Button
from kimberley.client.ui.canvas import Action
from kimberley.client.ui.geometry import WAYS
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.screen import MenuItem
from kimberley.client.ui.text_field import TextField
from kimberley.games.diamond.board import NAMED, NAMES, POINTS, Bits, names, points
from kimberley.games.diamond.notation import TurnNotationError, format_turn
from kimberley.games.diamond.position import COLORS, Movement, Placement, Removal, Swap
from kimberley.games.diamond.rules import State
from kimberley.p2p.sentences.notices import not_possible

OnBoard: TypeAlias = Placement | Movement | Removal

TYPED: Final = tuple("abcdefghABCDEFGH12345678-()* ")
EDITING: Final = ("backspace", "delete", "home", "end")


@dataclass(slots=True)
class Cursor:
    """The point where the arrow keys are, on a board of `size` columns and rows, on a `portrait` screen or not; and
    whether it is shown: not while a turn is typed.
    """

    point: int = NAMED["d4"]
    shown: bool = True
    size: tuple[int, int] = (54, 21)
    portrait: bool = False

    def walk(self, way: str) -> None:
        """Goes to the next point in a direction. If the cursor is not shown, it only appears."""
        if self.shown:
            self.point = tiling(*self.size, self.portrait).towards(self.point, way)
        self.shown = True


class TurnForm(Form[State]):
    """A turn. `picked` is the piece that is about to move; `offers` says that the turn also offers a draw.

    A turn cannot be taken back, so a click that would end it only goes to its point, and a second one there ends it.
    So does a second `s` for the swap.
    """

    def __init__(self, context: FormContext[State], cursor: Cursor) -> None:
        super().__init__(context)
        self.cursor = cursor
        self.picked: int | None = None
        self.offers = False
        self.asked: OnBoard | Swap | None = None
        """The turn that Enter would end, or a second click on its point; for the swap, another `s`."""
        self._aimed = False
        """Whether the player has chosen the cursor's point in this turn: before that, Enter only asks."""
        cursor.shown = True
        self.field = TextField(limit=9)
        self._refused = False
        """Whether the text in the field was refused: the next letter begins another turn."""

    @property
    def phase(self) -> str:
        position = self.state.position
        if position.may_swap and not isinstance(self.asked, Placement):
            return "SWAP?"
        return "PLACE" if position.placing else "MOVE"

    @property
    def rival(self) -> str:
        return short_name(self.context.names, 1 - self.seat, 14)

    @property
    def example(self) -> str:
        """Says what could be typed: where pieces are placed, the name of the point at the cursor, or of the next open
        one if a piece stands there; with a piece picked, a point that it can move to.
        """
        position, point = self.state.position, self.cursor.point
        if self.targets:
            return NAMES[next(points(self.targets))]
        if not position.placing:
            return example_move(position)
        return NAMES[min(points(position.empty), key=lambda empty: (empty - point) % POINTS)]

    @property
    def targets(self) -> Bits:
        """The open points that the picked piece may move to."""
        return 0 if self.picked is None else self.state.position.targets(self.picked)

    def sentence(self, room: int) -> str:
        position = self.state.position
        move = self._aimed_at
        if self.asked is not None:
            key, place = ("Press s", "Swap") if isinstance(self.asked, Swap) else ("Click", "it")
            again = self.worded(f"{key} again, or Enter.", f"Tap {place} again, or Go.")
            return f"{self._told(self.asked)}{self._wins(self.asked)}? {again}"
        if self._asks:
            move = None
        if self.state.offered:
            offers = f"{self.rival} offers a draw"
            return first_fitting(
                room, self.worded(f"{offers}: = accepts.", f"{offers}. Accept it?"), "A draw is offered: = accepts."
            )
        if position.may_swap:
            place = f"place on {NAMES[move.to]}" if isinstance(move, Placement) else "place a piece"
            return self.worded(f"Swap with s, or {place}.", f"Swap, or {place}.")
        if position.placing:
            choice = (
                f"place on {NAMES[move.to]}{self._wins(move)}"
                if isinstance(move, Placement)
                else "choose an open point"
            )
            if self.state.swapped and sum(map(int.bit_count, position.pieces)) == 1 and not isinstance(move, Placement):
                return f"{self.rival} swapped and has your piece. You are White."
            return f"You are {COLORS[position.turn]}: {choice}."
        if isinstance(move, Movement | Removal):
            return f"{self._told(move)}{self._wins(move)}? {self.worded('Enter', 'Go')}."
        if self.picked is not None and not self.targets:
            return f"{NAMES[self.picked]} cannot move: choose another piece."
        if self.picked is not None:
            return f"{NAMES[self.picked]} selected: choose a point{self.worded(', or Esc', '')}."
        return f"You are {COLORS[position.turn]}: choose a piece to move."

    def menu(self) -> list[MenuItem]:
        label = "Accept the draw" if self.state.offered else "Cancel the offer" if self.offers else "Offer a draw"
        return [MenuItem(label, "=", self._draw)]

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def commands(self) -> Sequence[Command]:
        place = NAMES[self.cursor.point]
        go = f"choose {place}" if self._asks else f"select {place}" if self._picks else "go"
        offer = "accept draw" if self.state.offered else "cancel offer" if self.offers else "offer a draw"
        # A phone has little room for buttons; the menu offers a draw as well.
        shows_offer = self.context.has_keys or self.state.offered or self.offers
        commands = [
            Command(tuple(WAYS), self._walk, Hint("← → ↑ ↓", "point", "nothing")),
            Command(("enter",), self._enter, Hint("Enter", go, primary=True) if self._acts else None),
            Command(TYPED, self._type, Hint("a-h 1-8", "type", ("type",))),
            Command(EDITING, self._edit),
        ]
        if self.state.position.may_swap:
            commands.append(Command(("s",), self._swap, Hint("s", "swap"), Button("Swap sides", "s", True)))
        if self.asked is not None or self.picked is not None or self.field.text:
            commands.append(Command(("u", "esc"), self._undo, Hint("u", "clear" if self.field.text else "undo")))
        if not self.cursor.shown:
            commands.append(Command(("tab",), self._show))
        accept = Button("Accept draw", "=", fill="ok") if self.state.offered else None
        return [*commands, Command(("=",), self._draw_key, Hint("=", offer) if shows_offer else None, accept)]

    def _walk(self, way: str) -> None:
        self.cursor.walk(way)
        self.field.clear()
        self.asked, self._aimed = None, True

    def _enter(self, key: str) -> None:
        if isinstance(self.asked, Swap):
            self._swap(key)
            return
        self.asked = None
        if self.field.text.strip():
            self._enter_typed()
        elif not self.cursor.shown:
            self.cursor.shown = True
        elif self._asks:
            self.asked, self._aimed = self._aimed_at, True
        else:
            self._touch(self.cursor.point)

    def _swap(self, _key: str) -> None:
        if isinstance(self.asked, Swap):
            move, self.asked = self.asked, None
            self.context.send(format_turn(self.state.position, move, self.offers))
        else:
            self.asked = Swap()
            self.field.clear()

    def _undo(self, _key: str) -> None:
        """Withdraws the question, else the piece that is picked and what is typed."""
        if self.asked is not None:
            self.asked, self._aimed = None, False
        else:
            self.picked = None
            self.field.clear()

    def _type(self, key: str) -> None:
        self._go_to_field()
        self.field.key(key)

    def _go_to_field(self) -> None:
        """Withdraws the question and hides the cursor. A text that was refused gives way to another one."""
        if self._refused:
            self.field.clear()
        self.asked, self._refused, self.cursor.shown = None, False, False

    def _edit(self, key: str) -> None:
        self.asked, self._refused = None, False
        self.field.key(key)

    def _show(self, _key: str) -> None:
        self.asked, self._refused, self.cursor.shown = None, False, True

    def _draw_key(self, _key: str) -> None:
        self._refused = False
        self._draw()

    def click(self, action: Action) -> bool:
        match action:
            case ("point", int(point)):
                again = self.asked is not None and self.asked == self._move_to(point)
                self.cursor.point, self.cursor.shown = point, True
                self.asked = None if again else self._aimed_at
                self._aimed = self.asked is not None
                self.field.clear()
                if self.asked is None:
                    self._touch(point)
            case ("type",):
                self.asked, self.cursor.shown = None, False
            case _:
                return False
        return True

    def paste(self, text: str) -> bool:
        self._go_to_field()
        self.field.paste(text.strip())
        return True

    def _move_to(self, point: int) -> OnBoard | None:
        """Returns the turn that a point means; None if a piece is picked or put back there, or none has been picked."""
        position, bit = self.state.position, 1 << point
        if position.placing:
            return Placement(point)
        if position.pieces[position.turn] & bit:
            return None
        if position.neutral & bit:
            return Removal(point)
        return None if self.picked is None else Movement(self.picked, point)

    @property
    def _aimed_at(self) -> OnBoard | None:
        """The turn that Enter would end at the cursor; None if there is none, or the rules forbid it."""
        move = self._move_to(self.cursor.point) if self.cursor.shown else None
        return move if move is not None and not self.state.position.violation(move) else None

    @property
    def _asks(self) -> bool:
        """Whether Enter would only choose the cursor's point, since the player has not: it could still be meant for
        what was shown before.
        """
        aimed = self._aimed or self.asked is not None
        return not aimed and not self.field.text.strip() and self._aimed_at is not None

    @property
    def _acts(self) -> bool:
        """Whether Enter leads further: it enters what is typed, or at the cursor's point picks a piece or ends the
        turn.
        """
        typed = bool(self.field.text.strip())
        return self._picks or self.asked is not None or self._aimed_at is not None or typed

    @property
    def _picks(self) -> bool:
        """Whether Enter would only pick the piece at the cursor."""
        point, position = self.cursor.point, self.state.position
        free = self.cursor.shown and self.asked is None and not self.field.text.strip() and not position.placing
        return free and point != self.picked and bool(position.pieces[position.turn] >> point & 1)

    def _wins(self, move: OnBoard | Swap) -> str:
        """Returns " and win" for a turn that wins."""
        position = self.state.position
        legal = not isinstance(move, Swap) and not position.violation(move)
        return " and win" if legal and won_square(self.state.apply(format_turn(position, move))) else ""

    def _told(self, move: OnBoard | Swap) -> str:
        """Returns a turn in a few words: "Place on d4"."""
        match move:
            case Movement(start, to) if taken := names(self.state.position.captured(move)):
                return f"{NAMES[start]}-{NAMES[to]} captures {taken[0]}"
            case Removal(at):
                return f"Remove {NAMES[at]}"
            case Swap():
                return "Swap and play Black"
        return proposal(move)

    def _touch(self, point: int) -> None:
        """Places, picks, moves or removes, as the point allows."""
        position, move = self.state.position, self._move_to(point)
        if move is not None:
            self.refusal = position.violation(move) or ""
            if not self.refusal:
                self.context.send(format_turn(position, move, self.offers))
        elif position.pieces[position.turn] & 1 << point:
            self.picked = None if point == self.picked else point
        else:
            what = position.what(point)
            self.refusal = (
                f"the piece on {NAMES[point]} is not yours" if what else f"choose a piece first: {NAMES[point]} is open"
            )

    def _enter_typed(self) -> None:
        point = NAMED.get(self.field.text.strip().lower())
        if point is not None and not self.state.position.placing:
            # As with the mouse: a piece to pick, or where the picked one goes.
            self.field.clear()
            self.cursor.point = point
            self.cursor.shown = self._aimed = True
            self._touch(point)
            return
        self._refused = True
        try:
            turn = parse_turn(self.state, self.field.text, self.offers)
        except TurnNotationError as error:
            self.refusal = str(error)
        else:
            self.context.send(turn)

    def _draw(self) -> None:
        """Accepts the draw that is offered, after a question; else turns on or off an offer with the next move."""
        if self.state.offered:
            text = f"{self.rival} offers a draw. Accept?"
            self.context.confirm("Draw?", text, "Accept", "Play on", lambda: self.context.send("="))
        else:
            self.offers = not self.offers

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        position = self.state.position
        color = COLORS[position.turn]
        lines = []
        if self.state.offered:
            name = self.context.names[1 - self.seat]
            lines.append(f"{name} offers a draw: type = to accept, or play on.")
        if position.may_swap:
            lines.append("You are White: place a piece, or type swap to take over Black and its piece.")
        elif position.placing:
            lines.append(f"You are {color}: place a piece. Type a point, like {self.example}.")
        else:
            lines.append(f"You are {color}: type a move, like {self.example}.")
        return lines

    def type(self, text: str) -> Reply:
        try:
            turn = parse_turn(self.state, text)
        except TurnNotationError as error:
            return Reply((not_possible(error),))
        return Reply((), turn, True)
