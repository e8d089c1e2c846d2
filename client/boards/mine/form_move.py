"""Moving: where to, and what is dropped and picked up on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Final

from kimberley.client.boards.form import Clickable, Command, FormContext
from kimberley.client.boards.mine.form import Cursor, MineForm, draw_chips, draw_touch_chip, draw_touch_chips
from kimberley.client.boards.mine.parsing import ParseError, read_gem, read_square
from kimberley.client.boards.mine.scene import Lights
from kimberley.client.boards.mine.square_info import describe_room
from kimberley.client.boards.mine.stones import named, spans, stone, stones
from kimberley.client.boards.mine.words import describe_loose, name_with_use
from kimberley.client.ui.bars import first_fitting
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.spans import Span, Spans, text_lines
from kimberley.client.ui.touch import TOUCH_ROWS
from kimberley.games.mine.gems import CAPACITY
from kimberley.games.mine.rules import State
from kimberley.games.mine.spaces import PawnMoveSpace
from kimberley.games.mine.squares import name
from kimberley.games.phrases import count_of, join_names
from kimberley.games.table import Plain

TAP: Final = "Tap a lit square."
ON_ROOM: Final = 7
"""The columns for the name of the square in focus, on a portrait screen."""
PICK, DROP = "pick up", "drop"
BY_KEY: Final = {PICK: "g picks up", DROP: "x drops"}
COUNT: Final = {1: "one square", 2: "two squares", 3: "three squares"}


class MoveForm(MineForm):
    """The player looks at a target, then Enter or a second click goes there. On the way, gems are dropped and picked
    up.
    """

    phase = "MOVE"

    def __init__(self, context: FormContext[State], cursor: Cursor) -> None:
        super().__init__(context, cursor)
        assert isinstance(context.space, PawnMoveSpace)
        self.space = context.space
        self.targets = self.space.targets()
        self.picked: set[int] = set()
        self.dropped: dict[int, int] = {}
        self.focus: int | None = None
        cursor.square = None

    # -- the plan ------------------------------------------------------------------------------------------------------

    @property
    def to(self) -> int | None:
        """The target that is looked at."""
        return self.cursor.square if self.cursor.square in self.targets else None

    @property
    def way(self) -> tuple[int, ...]:
        return () if self.to is None else self.space.way(self.to)

    def carried(self, square: int | None = None) -> list[int]:
        """Returns what the pawn would carry on a square of the way before it drops something there; at the end by
        default.
        """
        held = list(self.state.mine.carried[self.seat])
        for step in self.way:
            if step in self.picked and (lying := self.state.mine.loose_at(step)) is not None:
                held.append(lying)
            if step == square:
                break
            if step in self.dropped:
                held.remove(self.dropped[step])
        return held

    def droppable(self, square: int) -> list[int]:
        """Returns what could be dropped on a square of the way."""
        assert self.to is not None
        taken = self.state.mine.loose_at(square) is not None and square not in self.picked
        return [] if taken or square not in self.space.droppable(self.to) else self.carried(square)

    def on_cursor_moved(self) -> None:
        self.picked.clear()
        self.dropped.clear()
        lying = [square for square in self.way if self.state.mine.loose_at(square) is not None]
        drops = [square for square in self.way if self.droppable(square)]
        self.focus = next(iter([*lying, *drops]), None)

    def _refresh(self) -> None:
        """Forgets what the plan no longer allows."""
        for square in self.way:
            if square in self.picked and sum(map(self.state.size, self.carried(square))) > CAPACITY:
                self.picked.discard(square)
            if square in self.dropped and self.dropped[square] not in self.droppable(square):
                del self.dropped[square]

    def choice(self) -> Plain:
        """Returns the plan in the form that the table takes."""
        drops = tuple((square, self.dropped[square]) for square in self.way if square in self.dropped)
        return self.to, tuple(square for square in self.way if square in self.picked), drops

    # -- what it shows -------------------------------------------------------------------------------------------------

    def sentence(self, room: int) -> str:
        if self.to is None:
            far = COUNT[self.space.card]
            return first_fitting(
                room, f"Card {self.space.card}: move {far} in a straight line.", f"Move {far} in a straight line."
            )
        ways = self.worded("Enter moves there, Esc goes back", "Go, or choose another square")
        return first_fitting(
            room, f"To {name(self.to)}: {ways}.", f"To {name(self.to)}: {self.worded('Enter goes there', 'Go')}."
        )

    def lights(self) -> Lights:
        return Lights(open=frozenset(self.targets), way=self.way, focus=self.focus)

    def about(self, room: int) -> tuple[str, list[Spans]] | None:
        if self.cursor.square is None:
            sentences = [f"You can land on any lit square.{self.worded(' Tab steps through them.', '')}"]
            if self.state.mine.pawns[self.seat] is not None:
                sentences.append(describe_room(self.state, self.seat))
            return f"Move {COUNT[self.space.card]}", [
                line for sentence in sentences for line in text_lines(sentence, room)
            ]
        held = self.carried()
        unloads = self._lands_home() and bool(held)
        if self.to is None or not (self.picked or self.dropped or unloads):
            return None
        lines: list[Spans] = []
        for square in self.way:
            lying = self.state.mine.loose_at(square)
            if square in self.picked and lying is not None:
                lines.append((Span(f"{name(square)} ", "text", True), Span("pick up ", "soft"), self._mark(lying)))
            if square in self.dropped:
                lines.append((Span(f"{name(square)} ", "text", True), Span("drop ", "soft"),
                              self._mark(self.dropped[square])))  # fmt: skip
        if unloads:
            points = sum(worth for gem in held if isinstance(worth := self.state.worth(gem, self.seat), int))
            told = f"At home you unload {named(stones(self.state, held))}: {count_of(points, 'point')}."
            lines += text_lines(told, room, "text")
        else:
            lines.append(
                (Span("you then carry ", "soft"), *(spans(stones(self.state, held)) or (Span("nothing", "soft"),)))
            )
        return f"To {name(self.to)}", lines

    def _lands_home(self) -> bool:
        return self.to == self.state.mine.home(self.seat)

    def _mark(self, gem: int) -> Span:
        look = stone(self.state, gem)
        return Span(look.mark, look.paint, True)

    def draw(self, canvas: Canvas) -> None:
        if self.to is None:
            canvas.put(4, 1, self.worded("Click a lit square, or press Tab.", TAP), "soft")
            return
        square = self.focus
        if square is None:
            canvas.put(4, 1, self._nothing_to_do, "soft")
            return
        x = canvas.put(4, 0, f"On {name(square)}", "text", bold=True) + 2
        draw_chips(canvas, x, 0, map(self._focus_option, self._others))
        for y, (caption, options) in enumerate(groupby(self._gem_options(), attrgetter("caption")), 1):
            x = canvas.put(4, y, self.worded(BY_KEY[caption], caption), "soft") + 1
            draw_chips(canvas, x, y, options)

    @property
    def touch_rows(self) -> int:
        return 0 if self.to is None else 1 if self.focus is None else super().touch_rows

    def draw_touched(self, canvas: Canvas) -> None:
        """Draws the square in focus at the left; a touch there goes on to the next one."""
        if self.to is None:
            return
        square = self.focus
        if square is None:
            canvas.put(1, 0, self._nothing_to_do, "soft")
            return
        at = self.way.index(square)
        onward = min(self._others, key=lambda other: (self.way.index(other) - at) % len(self.way), default=square)
        goes_on = onward != square
        here = self._focus_option(onward)._replace(text=f"{name(square)} ▸" if goes_on else name(square), caption="on")
        draw_touch_chip(canvas.region(0, 0, ON_ROOM, TOUCH_ROWS), here, button=goes_on)
        left = ON_ROOM + 1
        draw_touch_chips(canvas.region(left, 0, canvas.width - left, TOUCH_ROWS), self._gem_options())

    @property
    def _nothing_to_do(self) -> str:
        """What to say of a way on which nothing can be done."""
        stops = self.space.card == 1 and bool(self.state.mine.carried[self.seat])
        return "you cannot drop with card 1" if stops else "nothing to drop or pick up"

    @property
    def _others(self) -> list[int]:
        """The squares of the way, besides the one in focus, where something can be dropped or lies."""
        return [
            square for square in self.way if square != self.focus and (self.droppable(square) or self._lies(square))
        ]

    def _lies(self, square: int) -> bool:
        return self.state.mine.loose_at(square) is not None

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def commands(self) -> Sequence[Command]:
        aims = self.to is not None
        picks = any(map(self._lies, self.way))
        drops = self.focus is not None and bool(self.droppable(self.focus))
        # By touch, the gems themselves are dropped and picked up.
        handles = [
            Command(("x",), lambda _: self._drop_next(), Hint("x", DROP, "key:x") if drops else None),
            Command(("g",), lambda _: self._pick(), Hint("g", PICK, "key:g") if picks else None),
        ]
        undo = Command(("u", "esc"), lambda _: self._undo(), Hint("u", "undo") if aims else None)
        return [
            self.walking("square"),
            Command(("tab", "s-tab"), self._step, Hint("Tab", "next target")),
            self.enter_command(self._go, "go", "Go", named=aims),
            *(handles if aims else []),
            *([undo] if self.cursor.square is not None else []),
            self.typing(),
            Command(("1", "2", "3")[: len(self.way)], lambda number: self._focus(self.way[int(number) - 1])),
        ]

    def clickables(self) -> Sequence[Clickable]:
        return [*map(self._focus_option, self._others), *self._gem_options()]

    def _focus_option(self, square: int) -> Clickable:
        number, at = self.way.index(square) + 1, name(square)
        text = self.worded(f"{number} for {at}", f"on {at}")
        return Clickable(("focus", square), partial(self._focus, square), text)

    def _gem_options(self) -> list[Clickable]:
        """Returns the gems that can be picked up and dropped on the square in focus."""
        square = self.focus
        if self.to is None or square is None:
            return []
        options = []
        if (lying := self.state.mine.loose_at(square)) is not None:
            look = stone(self.state, lying)
            options.append(Clickable("key:g", self._pick, look.mark, look.paint, square in self.picked, PICK))
        for gem in self.droppable(square):
            look, active = stone(self.state, gem), self.dropped.get(square) == gem
            drop = partial(self._drop, None if active else gem)
            options.append(Clickable(("drop", gem), drop, look.mark, look.paint, active, DROP))
        return options

    def _step(self, key: str) -> None:
        """Looks at the next target, or at the one before."""
        way = 1 if key == "tab" else -1
        at = self.targets.index(self.to) if self.to is not None else -1 if way == 1 else 0
        self.look_at(self.targets[(at + way) % len(self.targets)])

    def _undo(self) -> None:
        """Takes back what is planned on the way, or else the target."""
        if self.picked or self.dropped:
            self.on_cursor_moved()
        else:
            self.look_at(None)

    def click_square(self, square: int) -> None:
        if square == self.cursor.square:
            self._go()
        elif square in self.way:
            self._focus(square)
        else:
            super().click_square(square)

    def _focus(self, square: int) -> None:
        self.focus = square
        if not (self._lies(square) or self.droppable(square)):
            self.refusal = self._why_never(square)

    def _why_never(self, square: int) -> str:
        """Says why nothing can be dropped on a square of the way where nothing lies."""
        if square == self.to:
            return "drop gems along the way, not where you land"
        if self.state.mine.vein_at(square) is not None:
            return f"you cannot drop on {name(square)}: there is a vein"
        return "you carry nothing to drop"

    def _why_not_now(self, square: int | None) -> str:
        """Says why nothing can be dropped on the square in focus as things are planned."""
        if square is not None and square != self.to and self._lies(square):
            if self._has_room(square):
                return "this square has a gem already: pick it up first"
            return f"you cannot drop on {name(square)}: there is a gem"
        if self.space.card == 1:
            return "with card 1 you cannot drop: you enter only one square"
        if square is None or not any(map(self.droppable, self.way)):
            return "you cannot drop anything on this path"
        return self._why_never(square)

    def _has_room(self, square: int) -> bool:
        """Returns whether the gem on a square of the way could be picked up there."""
        lying = self.state.mine.loose_at(square)
        gems = {*self.carried(square), *([] if lying is None else [lying])}
        return sum(map(self.state.size, gems)) <= CAPACITY

    def _drop_next(self) -> None:
        """Drops the next thing that can be dropped on the square in focus, and after the last one nothing."""
        if self.focus is None or not (gems := self.droppable(self.focus)):
            self.refusal = self._why_not_now(self.focus)
            return
        held: list[int | None] = [*gems, None]
        now = self.dropped.get(self.focus)
        self._drop(held[(held.index(now) + 1) % len(held)] if now is not None else held[0])

    def _drop(self, gem: int | None) -> None:
        assert self.focus is not None
        self.dropped.pop(self.focus, None)
        if gem is not None:
            self.dropped[self.focus] = gem
        self._refresh()

    def _pick(self) -> None:
        square = self.focus
        if square is None or not self._lies(square):
            square = next((other for other in self.way if self._lies(other)), None)
        if square is None:
            self.refusal = "no gem on this path"
            return
        self.focus = square
        if square in self.picked:
            self.picked.discard(square)
        elif self._has_room(square):
            self.picked.add(square)
        elif any(map(self.droppable, self.way[: self.way.index(square)])):
            self.refusal = f"you can carry {CAPACITY} pips: drop something first"
        else:
            self.refusal = "you have no room for this gem"
        self._refresh()

    def _go(self) -> None:
        square = self.cursor.square
        if square is None:
            self.refusal = "first choose where to go"
            return
        start = self.state.mine.pawns[self.seat]
        plan = self.choice() if self.to is not None else (square, (), ())
        reason = self.space.violation(plan)
        if reason is None:
            self.context.send(plan)
        elif start is not None and square == start:
            self.refusal = "your pawn is already there: choose a lit square"
        else:
            self.refusal = reason

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        there = sorted(name_with_use(self.state, square, self.seat) for square in self.targets)
        where = join_names(there, "or")
        return [
            f"Your card is {self.space.card}: move to {where}. {describe_room(self.state, self.seat)}",
            *describe_loose(self.state),
        ]

    def read(self, words: Sequence[str]) -> Plain:
        """Returns a move: "d6", "go d6 pick d5 drop mr d5"."""
        rest = list(words[1:] if words[:1] == ["go"] else words)
        if not rest:
            raise ParseError(f"type where to go, like {name(min(self.targets))}")
        to = read_square(rest.pop(0))
        way = self.space.way(to)
        if not way:
            raise ParseError(self.space.violation((to, (), ())) or "your pawn cannot go there")
        picked: set[int] = set()
        dropped: dict[int, int] = {}
        while rest:
            match rest.pop(0):
                case "pick" if rest:
                    if rest[0] == "up" and len(rest) > 1:
                        rest.pop(0)
                    picked.add(read_square(rest.pop(0)))
                case "drop":
                    square, gem = self._read_drop(rest, way, dropped)
                    dropped[square] = gem
                case word:
                    raise ParseError(
                        f"you cannot do {word!r} on the way: type pick and a square, or drop, a gem and a square"
                    )
        if any(square not in way for square in (*picked, *dropped)):
            raise ParseError("you can pick up and drop only along your path")
        drops = tuple((square, dropped[square]) for square in way if square in dropped)
        return to, tuple(square for square in way if square in picked), drops

    def _read_drop(self, rest: list[str], way: Sequence[int], dropped: Mapping[int, int]) -> tuple[int, int]:
        """Reads which gem is dropped and where: "mr d5", "mr on d5". Removes these words from `rest`."""
        mine, missing = self.state.mine, ParseError("type drop, the gem and a square on your path")
        if not rest:
            raise missing
        held = [*mine.carried[self.seat], *(gem for square, gem in mine.loose if square in way)]
        gem, count = read_gem(rest, self.state, [other for other in held if other not in dropped.values()])
        del rest[:count]
        if rest[:1] == ["on"]:
            rest.pop(0)
        if not rest:
            raise missing
        return read_square(rest.pop(0)), gem
