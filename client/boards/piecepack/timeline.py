"""A game on the field, deed by deed: in a replay, where all hands are open, and for onlookers."""

from __future__ import annotations

from collections.abc import Sequence

from client.boards.piecepack import helps
from client.boards.piecepack.course import Happening, Teller, happenings
from client.boards.piecepack.desk import open_cards
from client.boards.piecepack.frame import draw_hand, draw_table, laid_out, note, pawns_of, players_of
from client.boards.piecepack.panel import TALL, draw_log, panel_width
from client.boards.piecepack.picture import Scene, draw_field
from client.boards.piecepack.plain import position
from client.boards.piecepack.reel import ORDINARY, PACE
from client.boards.piecepack.sides import BELOW
from client.boards.piecepack.sight import Sight, field_box, standing
from client.boards.piecepack.suits import spelled
from client.canvas import Action, Canvas
from client.moments import Around, Moments
from client.screen import Help, Ui
from client.widgets import Hint, phase_strip, tabs
from games.piecepack.rules import State
from games.table import Answer, Ask

TABS = ("Table", "Log")
LOGGED = 40


class PiecepackMoments(Moments):
    """`client.moments.Moments` of the piecepack game. Values of coins are known where the story tells them."""

    title = helps.TITLE
    leaps = ("turn on", "turn back")

    def __init__(self, start: State, names: Sequence[str]) -> None:
        super().__init__(names)
        self._start = self._latest = start
        self._found: list[Happening] = []
        self._tab = 0
        self._sight = Sight()

    def add(self, story: Sequence[tuple[Ask, Answer]], first: int) -> None:
        new, self._latest = happenings(story, self._latest, first)
        self._found += [each for each in new if each.kind != "end"]

    @property
    def steps(self) -> Sequence[int]:
        return [each.step for each in self._found]

    def last(self, at: int) -> Happening | None:
        """What led to a moment; None at the start."""
        return self._found[at - 1] if at else None

    def state(self, at: int) -> State:
        """The state that a moment shows."""
        return self._latest if at == len(self._found) else self._found[at - 1].state if at else self._start

    def lasting(self, at: int) -> float:
        last = self.last(at)
        return PACE.get(last.kind, ORDINARY) if last is not None else ORDINARY

    def leap(self, at: int, way: int) -> int:
        """To the first deed of the next turn, or of this one and then of the one before."""
        turns = [each.turn for each in self._found]
        starts = [n + 1 for n in range(len(turns)) if n == 0 or turns[n] != turns[n - 1]]
        if way > 0:
            return next((start for start in starts if start > at), len(self._found))
        return next((start for start in reversed(starts) if start < at), 0)

    # -- in words ------------------------------------------------------------------------------------------------------

    def told(self, at: int) -> str:
        return Teller(self.names, None, signs=False).sentence(self._found[at - 1])

    def describe(self) -> list[str]:
        return position(self._latest, self.names, None)

    def note(self, at: int) -> str:
        state = self.state(at)
        return note(state) if state.field else ""

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, at: int, since: float, around: Around) -> None:
        del since
        state, last = self.state(at), self.last(at)
        phase, sentence = self._strip(at, around)
        phase_strip(canvas, 1, phase, spelled(canvas, sentence), around.aside, around.aside_fg)
        frame = laid_out(canvas, panel_width(canvas.width))
        seat = state.turn if around.live or last is None else last.seat
        if state.field:
            laid = len(state.field) - 1 if len(state.field) > len(state.present) else None
            scene = Scene(state.field, pawns_of(state), fresh=laid, trail=state.path)
            box = standing(state, last.seat if last is not None else seat)
            window = self._sight.seen(frame.field.width, frame.field.height, field_box(state), box)
            draw_field(frame.field, window, scene)
        self._draw_panel(frame.panel, state, at)
        if state.suits:
            draw_hand(frame.hand, state, seat, open_cards(state, seat), None, title=self.names[seat])

    def _strip(self, at: int, around: Around) -> tuple[str, str]:
        """The phase, and what happened in it."""
        last = self.last(at)
        if last is None:
            return "START", "Nothing has happened yet."
        if at == len(self._found) and self.result is not None:
            return "THE END", f"{self.result.reason[0].upper()}{self.result.reason[1:]}."
        turn = self._latest.turns if around.live else last.turn
        return f"TURN {turn + 1}", Teller(self.names, None).sentence(last)

    def _draw_panel(self, canvas: Canvas, state: State, at: int) -> None:
        canvas.fill(0, 0, canvas.width, canvas.height, "panel")
        players = players_of(state, self.names, None, False)
        if canvas.height >= TALL:
            below = BELOW
            if self._sight.window is not None:
                above = canvas.region(0, 1, canvas.width, canvas.height - below - 1)
                draw_table(above, state, players, self._sight.window)
            self._draw_log(canvas.region(0, canvas.height - below, canvas.width, below), at)
            return
        tabs(canvas, 1, 0, TABS, self._tab, lambda n: ("tab", n))
        inner = canvas.region(0, 1, canvas.width, canvas.height - 1)
        if self._tab == 1:
            self._draw_log(inner.region(0, 1, inner.width, inner.height - 1), at)
        elif self._sight.window is not None:
            draw_table(inner, state, players, self._sight.window)

    def _draw_log(self, canvas: Canvas, at: int) -> None:
        teller = Teller(self.names, None)
        shown = self._found[max(0, at - LOGGED) : at]
        draw_log(canvas, [(spelled(canvas, teller.sentence(each)), "soft") for each in shown[:-1]] + [
            (spelled(canvas, teller.sentence(each)), "text") for each in shown[-1:]
        ])  # fmt: skip

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def hints(self) -> Sequence[Hint]:
        return [Hint("v", "field"), Hint("Tab", "panel")]

    def key(self, name: str, at: int, ui: Ui) -> bool:
        del at, ui
        match name:
            case "v":
                self._sight.turn()
            case "tab" | "s-tab":
                self._tab = 1 - self._tab
            case _:
                return False
        return True

    def click(self, action: Action, at: int, x: int, y: int) -> bool:
        del x, y
        match action:
            case ("tab", int(tab)):
                self._tab = tab
                return True
        state = self.state(at)
        return bool(state.field) and self._sight.click(action, state)

    def help(self) -> Help:
        return helps.MOMENTS
