"""A player who is guided through a first game, and does what the notes say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import pytest

from kimberley.client.boards import board_guide
from kimberley.client.boards.bubble import HOLD, NEXT, Bubble, draw_bubble
from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.guide import GuideStep
from kimberley.client.boards.registry import find_board
from kimberley.client.ui.canvas import Action, Canvas, HitArea
from kimberley.client.ui.keys import NEXT_KEY
from kimberley.games.diamond.board import NAMES, POINTS
from kimberley.games.table import Result
from kimberley.p2p.table.common_options import QUIET_TIME
from tests.support.asyncs import run
from tests.support.board_snapshots import SIZES, Clock
from tests.support.pretend import press, pretend_app
from tests.support.whole_game_table import WholeGameTable, at_random

SEATS: Final = {"diamond-trust": 2, "diamond": 2, "land": 2, "mine": 2, "piecepack": 3}

GAMES: Final = sorted(SEATS)

MOST_ASKS: Final = 80

ASKS_AFTERWARDS: Final = 6
"""How many asks pass after the last note without another one."""


def bubble_on(canvas: Canvas) -> HitArea | None:
    return next((hit for hit in canvas.hits if hit.action in (NEXT, HOLD)), None)


class Pupil:
    """A person at a practice table with the guide on. The other seats choose at random, and so does the person where no
    note says what to do.
    """

    def __init__(
        self, game: str, size: tuple[int, int] = (80, 24), begins: int = 0, seed: int = 1, **settings: Any
    ) -> None:
        self.clock = Clock()
        choices = at_random(seed)
        self.table = WholeGameTable(game, SEATS[game], 1, choices, self.clock.now, {}, begins=begins)
        acquaintance = ("you", *["bot"] * (SEATS[game] - 1))
        self.table.put(acquaintance=acquaintance, options={**self.table.occupants.options, QUIET_TIME: 5})
        self.app, self.size = pretend_app(**settings), size
        self.app.now = self.clock.now  # type: ignore[method-assign]
        self.screen = GameScreen(find_board(game).game, self.table, self.app)
        self.app.push(self.screen)

    @property
    def canvas(self) -> Canvas:
        return self.app.draw(*self.size)

    @property
    def text(self) -> str:
        return "\n".join(self.canvas.lines())

    @property
    def form(self) -> Any:
        return self.screen.form(self.clock.time)

    def press(self, *keys: str) -> None:
        for key in keys:
            assert self.canvas is not None
            press(self.app, key)

    def click(self, action: Action) -> None:
        """Clicks on a cell that means `action`."""
        canvas = self.canvas
        meant = [hit for hit in canvas.hits if hit.action == action]
        cells = {
            (x, y) for hit in meant for y in range(hit.y, hit.y + hit.height) for x in range(hit.x, hit.x + hit.width)
        }
        seen = [(y, x) for x, y in cells if canvas.touched(x, y) == action]
        assert seen, f"{action} cannot be clicked in\n{self.text}"
        y, x = min(seen)
        self.app.touch(x, y, "left")

    def bubble(self) -> HitArea | None:
        """Returns where the bubble is."""
        return bubble_on(self.canvas)

    def note(self) -> GuideStep | None:
        """Returns the note that can be read on the screen now."""
        return self.note_on(self.canvas)

    def note_on(self, canvas: Canvas) -> GuideStep | None:
        if (area := bubble_on(canvas)) is None:
            return None
        said = [line[area.x + 2 :] for line in canvas.lines()[area.y : area.y + 2]]
        return next(step for step in self.steps if any(line.startswith(step.title) for line in said))

    @property
    def steps(self) -> Sequence[GuideStep]:
        return self.screen.game.guide

    def offer(self) -> Canvas:
        """Asks all who have to choose now, and goes on to that. Returns what the screen shows then."""
        self.table.offer()
        self.clock.time += 10
        canvas = self.canvas
        while self.screen.head.stopped(self.clock.time):
            self.press("enter")
            self.clock.time += 10
            canvas = self.canvas
        return canvas

    def turns(self) -> Iterator[GuideStep]:
        """Yields all notes as they appear, while the game goes on."""
        before, afterwards = None, ASKS_AFTERWARDS
        for _ in range(MOST_ASKS):
            afterwards -= before is self.steps[-1]
            if isinstance(self.table.ask, Result) or not afterwards:
                return
            canvas = self.offer()
            for _ in range(12):
                note = self.note_on(canvas)
                if note is None or note is before:
                    break
                before = note
                yield note
                canvas = self.canvas
            self.table.answer()


Deed = Callable[[Pupil], None]


@dataclass(frozen=True)
class Ways:
    """What a person does for a note, by keys and by clicks."""

    keys: Deed
    clicks: Deed


def keys(text: str) -> Deed:
    return lambda pupil: pupil.press(*text.split())


def clicks(*actions: Action) -> Deed:
    def deed(pupil: Pupil) -> None:
        for action in actions:
            pupil.click(action)

    return deed


def _open_point(pupil: Pupil) -> int:
    position = pupil.form.state.position
    return next(point for point in range(POINTS) if not position.what(point))


def _movable(pupil: Pupil) -> int:
    position = pupil.form.state.position
    own = position.pieces[position.turn]
    return next(point for point in range(POINTS) if own >> point & 1 and position.targets(point))


def _target(pupil: Pupil, piece: int) -> int:
    return next(point for point in range(POINTS) if pupil.form.state.position.targets(piece) >> point & 1)


def _place(pupil: Pupil) -> None:
    pupil.press(*NAMES[_open_point(pupil)], "enter")


def _move(pupil: Pupil) -> None:
    piece = _movable(pupil)
    pupil.press(*f"{NAMES[piece]}-{NAMES[_target(pupil, piece)]}", "enter")


def _click_target(pupil: Pupil) -> None:
    piece = pupil.form.picked if pupil.form.picked is not None else _movable(pupil)
    if pupil.form.picked is None:
        pupil.click(("point", piece))
    target = ("point", _target(pupil, piece))
    clicks(target, target)(pupil)


def _click_square(pupil: Pupil) -> None:
    pupil.click(("square", min(pupil.form.targets)))


def _click_point(pupil: Pupil) -> None:
    """Places a piece on an open point that no bubble hides."""
    canvas, position = pupil.canvas, pupil.form.state.position
    seen = {canvas.touched(hit.x, hit.y) for hit in canvas.hits}
    point = next(("point", at) for at in range(POINTS) if ("point", at) in seen and not position.what(at))
    clicks(point, point)(pupil)


def _bribe(pupil: Pupil) -> None:
    while pupil.form.stepper() is None or not pupil.form.stepper().title.startswith("Bribe"):
        pupil.press("tab")


PLACES: Final = Ways(_place, _click_point)

DEEDS: Final[dict[str, dict[str, Ways]]] = {
    "diamond-trust": {
        "Your agents": Ways(keys("1"), clicks(("agent", 0, 0))),
        "A salary": Ways(keys("3 enter d y"), clicks(("more",), ("set",), "key:d", "key:y")),
        "A trip": Ways(keys("1 right enter"), clicks(("agent", 0, 0), ("region", 0))),
        "An offer": Ways(keys("2 enter d y"), clicks(("more",), ("set",), "key:d", "key:y")),
        "The sale": Ways(keys("1 d"), clicks(("more",), "key:d")),
        "A bribe": Ways(_bribe, lambda pupil: pupil.click(("agent", *pupil.form.bribable()[0]))),
    },
    "diamond": {
        "Placing pieces": PLACES,
        "Moving pieces": Ways(_move, lambda pupil: pupil.click(("point", _movable(pupil)))),
        "Only one at a time": Ways(_move, _click_target),
    },
    "land": {
        "Buying": Ways(keys("b"), lambda pupil: clicks(("parcel", pupil.form.space.parcels[1]), "key:b")(pupil)),
        "The end of your turn": Ways(keys("d"), clicks("key:d")),
    },
    "mine": {
        "Nests": Ways(keys("enter"), lambda pupil: pupil.click(("square", pupil.form.cursor.square))),
        "Cards": Ways(keys("1 enter"), clicks(("card", 1), ("card", 1))),
        "Moves": Ways(keys("tab"), _click_square),
    },
    "piecepack": {
        "Exploring": Ways(keys("right enter"), clicks(("ghost", 0), ("ghost", 0))),
        "A step": Ways(keys("w"), clicks(("deed", 0))),
    },
}


def do(pupil: Pupil, note: GuideStep, way: str) -> None:
    """Does what a note asks for, or goes on."""
    deeds = DEEDS[pupil.table.game.id]
    if note.do:
        getattr(deeds[note.title], way)(pupil)
    elif way == "keys":
        pupil.press(NEXT_KEY.lower())
    else:
        pupil.click(NEXT)


SQUARES: Final = [("square", square) for square in range(64)]
"""All squares of the mine."""

TO_CHOOSE_FROM: Final[dict[str, Callable[[Any], Sequence[Action]]]] = {
    **dict.fromkeys(("Nests", "Cards", "Moves", "On the way", "Veins"), lambda _: SQUARES),
    "Exploring": lambda _: ["key:enter"],
}
"""What a bubble leaves free, by its title."""

LOOKS: Final[dict[str, dict[str, Any]]] = {"full": {}, "ascii": {"glyphs": "ascii"}, "no colors": {"colours": "none"}}


@contextmanager
def noting_under() -> Iterator[list[str]]:
    """Notes the lines of the screen on which a note is drawn last, without the note."""
    under: list[str] = []

    def noting(canvas: Canvas, *args: Any) -> Bubble:
        under[:] = [line.ljust(canvas.width) for line in canvas.lines()]
        return draw_bubble(canvas, *args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(board_guide, "draw_bubble", noting)
        yield under


def on_board(canvas: Canvas) -> Sequence[HitArea]:
    """Returns what can be clicked between the bars."""
    return [hit for hit in canvas.hits if 0 < hit.y < canvas.height - 1]


@dataclass(frozen=True)
class Moment:
    """A note as it appears: the screen, the area of its bubble, everything on the board that it can point at, and what
    it must leave free to choose from; `under` are the lines of the screen without its bubble.

    `stays` says whether the note is still there after the player did what it says.
    """

    note: GuideStep
    canvas: Canvas
    bubble: HitArea
    meant: Sequence[HitArea]
    choices: Sequence[Action]
    stays: bool
    under: Sequence[str]


@dataclass(frozen=True)
class Lesson:
    """A guide from its first note to the last: what was seen, the words that edges of bubbles cut, the last screen."""

    moments: Sequence[Moment]
    cut: Sequence[str]
    last: str


@cache
def lesson(game: str, size: str, look: str, way: str) -> Lesson:
    """Plays the guide once; several tests look at what was seen."""
    moments: list[Moment] = []
    cut: list[str] = []
    below: list[str] = []

    def watched(canvas: Canvas, *args: Any) -> Bubble:
        below[:] = [line.ljust(canvas.width) for line in canvas.lines()]
        bubble = draw_bubble(canvas, *args)
        for line in below[bubble.y : bubble.y + bubble.rows]:
            for edge in (bubble.x, bubble.x + bubble.room):
                if line[edge - 1 : edge].isalnum() and line[edge : edge + 1].isalnum():
                    cut.append(f"{args[0].title}: {line[:edge]}|{line[edge:]}")
        if bubble.tail is not None:
            x, y, wedge, _ = bubble.tail
            under = below[y][x - len(wedge) // 2 : x + len(wedge) // 2 + 1]
            cut.extend(f"{args[0].title}: {below[y]}" for _ in range(any(map(str.isalnum, under))))
        return bubble

    async def main() -> str:
        pupil = Pupil(game, SIZES[size], **LOOKS[look])
        pupil.screen.start_guide()
        for note in pupil.turns():
            canvas = pupil.canvas
            bubble, sight = bubble_on(canvas), pupil.screen.shown_at(pupil.clock.time)
            assert bubble is not None
            meant = [hit for hit in on_board(canvas) if note.at(hit.action, sight)]
            choices = TO_CHOOSE_FROM[note.title](pupil.form) if note.title in TO_CHOOSE_FROM else ()
            under = tuple(below)
            do(pupil, note, way)
            stays = pupil.note_on(pupil.canvas) is note
            moments.append(Moment(note, canvas, bubble, meant, choices, stays, under))
        return pupil.text

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(board_guide, "draw_bubble", watched)
        return Lesson(moments, cut, run(main()))
