"""Taking gems from a vein."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.boards.form import FormContext
from kimberley.client.boards.mine.form import Cursor, MineForm, chip, shares, touch_chip
from kimberley.client.boards.mine.parsing import ParseError, read_gem
from kimberley.client.boards.mine.scene import Lights
from kimberley.client.boards.mine.square_info import describe_room, worths
from kimberley.client.boards.mine.stones import stones
from kimberley.client.boards.mine.words import describe_worth, leading
from kimberley.client.boards.subject import subjects
from kimberley.client.ui.bars import first_fitting
from kimberley.client.ui.buttons import right_button
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.palette import Color
from kimberley.client.ui.spans import Spans, text_lines
from kimberley.games.mine.rules import State
from kimberley.games.mine.spaces import TakeSpace
from kimberley.games.mine.squares import name
from kimberley.games.table import Plain


class TakeForm(MineForm):
    """What could be taken stands in a row; the dearest comes first, and is chosen unless it ends a game that the player
    does not win.
    """

    phase = "VEIN"

    def __init__(self, context: FormContext[State], cursor: Cursor) -> None:
        super().__init__(context, cursor)
        assert isinstance(context.space, TakeSpace)
        self.space = context.space
        self.offers = sorted(self.space.offers(), key=self._points, reverse=True)
        wins = leading(self.state) == (self.seat,)
        self.at = next(at for at in range(len(self.offers)) if wins or not self._ends(at))
        cursor.square = None

    def _ends(self, at: int) -> bool:
        """Returns whether the game ends if this is taken."""
        return self.state.ends_with_next_vein and set(self.offers[at]) == set(self.space.gems)

    @property
    def _all(self) -> str:
        return "both" if len(self.space.gems) > 1 else "it"

    @property
    def _end(self) -> str:
        """What comes of taking all that is in the last vein; empty if it is not the last, or that cannot be taken."""
        if not any(map(self._ends, range(len(self.offers)))):
            return ""
        winners = leading(self.state)
        who = subjects(self.context.names, winners, self.seat, begin=False)
        outcome = f"{who} would {'win' if len(winners) == 1 else 'tie'}"
        return f"Taking {self._all} ends the game at once: gems still carried do not count, and {outcome}."

    def _points(self, gems: Sequence[int]) -> int:
        return sum(worth for gem in gems if isinstance(worth := self.state.worth(gem, self.seat), int))

    @property
    def square(self) -> int:
        return self.state.mine.veins[self.state.nest]

    # -- what it shows -------------------------------------------------------------------------------------------------

    def sentence(self, room: int) -> str:
        if self._ends(self.at):
            won = leading(self.state) == (self.seat,)
            ends = f"ends the game, and you {'win' if won else 'do not win'}."
            return first_fitting(room, f"Taking {self._all} {ends}", f"That {ends}")
        return f"The vein on {name(self.square)}: take what you can carry."

    def lights(self) -> Lights:
        return Lights(open=frozenset({self.square}))

    def about(self, room: int) -> tuple[str, list[Spans]] | None:
        if self.cursor.square is not None:
            return None
        lines = worths(self.state, self.space.gems, self.seat)
        lines += text_lines(describe_room(self.state, self.seat), room)
        if self._end:
            lines += text_lines(self._end, room, "warning")
        elif set(self.offers[self.at]) == set(self.space.gems):
            lines += text_lines("Once empty, the vein is exhausted.", room)
        return f"In the vein on {name(self.square)}", lines

    def draw(self, canvas: Canvas) -> None:
        x = 4
        for index in range(len(self.offers)):
            x = chip(canvas, x, 1, *self._offer(index), index == self.at, ("offer", index))
        right_button(canvas, canvas.width, 1, "Take" if self.offers[self.at] else "Pass", "Enter", primary=True)

    def draw_touched(self, canvas: Canvas) -> None:
        for index, (x, columns) in enumerate(shares(canvas.width, len(self.offers))):
            touch_chip(canvas, x, columns, "", *self._offer(index), index == self.at, ("offer", index))

    def _offer(self, index: int) -> tuple[str, Color]:
        """Returns what could be taken, and its color."""
        held = stones(self.state, self.offers[index])
        return " ".join(look.mark for look in held) or "none", held[0].paint if len(held) == 1 else "text"

    def hints(self) -> list[Hint]:
        taken = "take it" if self.offers[self.at] else "take nothing"
        return [Hint("← →", "choose", "key:tab"), Hint("Enter", taken, primary=True)]

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        steps = {"right": 1, "left": -1, "tab": 1, "s-tab": -1, "down": 1, "up": -1}
        match name:
            case "enter":
                self.context.send(self.offers[self.at])
            case "0" | "1" | "2" | "3" if int(name) < len(self.offers):
                self.at = int(name)
            case "esc" | "u" if self.cursor.square is not None:
                self.cursor.square = None
            case _ if name in steps:
                self.at = (self.at + steps[name]) % len(self.offers)
            case _:
                return super().key(name)
        return True

    def click(self, action: Action) -> bool:
        match action:
            case ("offer", int(index)):
                self.at = index
                return True
        return super().click(action)

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        return [
            f"You are at the vein on {name(self.square)}.",
            *(describe_worth(self.state, gem, self.seat) for gem in self.space.gems),
            describe_room(self.state, self.seat),
            *([self._end] if self._end else []),
            "Type take mr, take all or take nothing.",
        ]

    def read(self, words: Sequence[str]) -> Plain:
        """Returns what is taken of the vein: "take mr sb", "all", "nothing"."""
        rest = list(words[1:] if words[:1] == ["take"] else words)
        if rest == ["nothing"]:
            return ()
        if rest == ["all"]:
            return tuple(self.space.gems)
        if not rest:
            raise ParseError("type take mr, take all or take nothing")
        taken: list[int] = []
        while rest:
            if rest[0] == "and":
                rest.pop(0)
                continue
            gem, count = read_gem(rest, self.state, [other for other in self.space.gems if other not in taken])
            taken.append(gem)
            rest = rest[count:]
        return tuple(sorted(taken))
