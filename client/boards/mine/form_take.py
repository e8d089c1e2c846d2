"""Taking gems from a vein."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from kimberley.client.boards.form import Clickable, Command, FormContext
from kimberley.client.boards.mine.form import Cursor, MineForm, draw_chips, draw_touch_chips
from kimberley.client.boards.mine.parsing import ParseError, read_gem
from kimberley.client.boards.mine.scene import Lights
from kimberley.client.boards.mine.square_info import describe_room, worths
from kimberley.client.boards.mine.stones import stone, stones
from kimberley.client.boards.mine.words import describe_worth, leading
from kimberley.client.boards.subject import subjects
from kimberley.client.ui.bars import first_fitting
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.spans import Spans, text_lines
from kimberley.games.mine.rules import State
from kimberley.games.mine.spaces import TakeSpace
from kimberley.games.mine.squares import name
from kimberley.games.phrases import join_names
from kimberley.games.table import Plain
from kimberley.p2p.sentences.notices import as_sentence


class TakeForm(MineForm):
    """The possible choices stand in a row. The most valuable one comes first, and is chosen unless it ends a game that
    the player does not win.
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
        """What follows from taking everything in the last vein; empty if it is not the last, or not all of it can be
        taken.
        """
        if not any(map(self._ends, range(len(self.offers)))):
            return ""
        winners = leading(self.state)
        who = subjects(self.context.names, winners, self.seat, begin=False)
        outcome = f"{who} would {'win' if len(winners) == 1 else 'tie'}"
        return f"Taking {self._all} ends the game: gems still carried do not count, and {outcome}."

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
        if self._end:
            lines += text_lines(self._end, room, "warning")
        else:
            lines += text_lines(describe_room(self.state, self.seat), room)
        return f"In the vein on {name(self.square)}", lines

    def draw(self, canvas: Canvas) -> None:
        draw_chips(canvas, 4, 1, self.clickables())

    def draw_touched(self, canvas: Canvas) -> None:
        draw_touch_chips(canvas, self.clickables())

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def commands(self) -> Sequence[Command]:
        label, button = ("take it", "Take") if self.offers[self.at] else ("take nothing", "Pass")
        return [
            Command(("right", "down", "tab"), lambda _: self._choose(self.at + 1), Hint("← →", "choose", "key:tab")),
            Command(("left", "up", "s-tab"), lambda _: self._choose(self.at - 1)),
            self.enter_command(lambda: self.context.send(self.offers[self.at]), label, button),
            Command(("0", "1", "2", "3")[: len(self.offers)], lambda number: self._choose(int(number))),
            *self.looking_away("esc", "u"),
        ]

    def clickables(self) -> Sequence[Clickable]:
        return [self._option(index) for index in range(len(self.offers))]

    def _option(self, index: int) -> Clickable:
        held = stones(self.state, self.offers[index])
        text, fg = " ".join(look.mark for look in held) or "none", held[0].paint if len(held) == 1 else "text"
        return Clickable(("offer", index), partial(self._choose, index), text, fg, index == self.at)

    def _choose(self, at: int) -> None:
        self.at = at % len(self.offers)

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        return [
            f"You are at the vein on {name(self.square)}.",
            *(describe_worth(self.state, gem, self.seat) for gem in self.space.gems),
            describe_room(self.state, self.seat),
            *([self._end] if self._end else []),
            as_sentence(self._ways_to_type),
        ]

    @property
    def _ways_to_type(self) -> str:
        """Says how to type what can be taken: "type take mr, take all or take nothing"."""
        ways = [f"take {stone(self.state, offer[0]).code}" for offer in self.offers if len(offer) == 1]
        every = len(self.space.gems) > 1 and tuple(self.space.gems) in self.offers
        return f"type {join_names([*ways, *(['take all'] if every else []), 'take nothing'], 'or')}"

    def read(self, words: Sequence[str]) -> Plain:
        """Returns what is taken of the vein: "take mr sb", "all", "nothing"."""
        rest = list(words[1:] if words[:1] == ["take"] else words)
        if rest == ["nothing"]:
            return ()
        if rest == ["all"]:
            return tuple(self.space.gems)
        if not rest:
            raise ParseError(self._ways_to_type)
        taken: list[int] = []
        while rest:
            if rest[0] == "and":
                rest.pop(0)
                continue
            gem, count = read_gem(rest, self.state, [other for other in self.space.gems if other not in taken])
            taken.append(gem)
            rest = rest[count:]
        return tuple(sorted(taken))
