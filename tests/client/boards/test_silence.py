"""No key that a board offers, and no click on what can be chosen, is refused without a word."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

import pytest

from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.registry import find_board
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.keys import key_name
from kimberley.games import lookup
from kimberley.games.table import Plain, Result
from tests.support.asyncs import run
from tests.support.board_snapshots import SIZES, Clock
from tests.support.effort import first_is_quick, one_is_quick
from tests.support.pretend import press, pretend_app
from tests.support.whole_game_table import WholeGameTable, at_random

BEGUN: Final = ((), ("1", "up", "enter"), ("tab", "enter"), ("enter",), ("down", "enter", "right"))
"""What is pressed in a form before the key or click that is looked at: nothing, or what leads into a choice."""
FORMS: Final = 1
"""How many forms of each phase are looked at."""
MOST_ASKS: Final = 120
CLICKS: Final = 24
"""The most areas that are clicked in a state, drawn at random."""
SEVERAL: Final = {
    "← →": ("left", "right"), "↑ ↓": ("up", "down"), "← ↑ ↓ →": ("left", "up", "down", "right"),
    "← → ↑ ↓": ("left", "up", "down", "right"), "Arrows": ("left", "up", "down", "right"),
    "0-9": ("0", "9"), "1-3": ("1", "2", "3"), "a-h 1-8": (), "a1-h8": (),
}  # fmt: skip
"""The keys that a hint of several stands for; none where several name one square."""
ARROWS: Final = ("left", "up", "down", "right")
"""Where nothing lies in that direction, an arrow leads nowhere, as everywhere."""
CHOSEN_FROM: Final = ("region", "agent", "point", "square", "parcel", "tile", "ghost", "deed", "coin", "card", "own")
"""The kinds of areas that a player chooses from on a board. Anything else that can be clicked only tells something."""
CARD: Final = ("card",)
"""The card of Diamond Trust, which only tells something."""
STANDS: Final = frozenset({("PAY", "0"), ("MOVE", "0"), ("ADJUST", "0"), ("SALE", "0")})
"""Digits that type the amount that is already there: at first none is set."""


class StillTable(WholeGameTable):
    """A table that takes a choice and goes on with nothing, so that the same can be asked again."""

    def on_choice(self, plain: Plain) -> None:
        del plain


class Begun:
    """A board at which a choice was begun by some keys."""

    def __init__(self, table: WholeGameTable, clock: Clock, size: tuple[int, int], keys: Sequence[str]) -> None:
        self.app, self.size = pretend_app(calm=True), size
        self.app.now = clock.now  # type: ignore[method-assign]
        self.screen = GameScreen(find_board(table.game.id).game, table, self.app)
        self.app.push(self.screen)
        for name in keys:
            self.canvas()
            press(self.app, name)

    def canvas(self) -> Canvas:
        return self.app.draw(*self.size)

    @property
    def form(self) -> Any:
        return self.screen.form(self.app.now())

    @property
    def open(self) -> bool:
        """Whether there is a choice to make, and nothing lies over the board."""
        return self.form is not None and not self.form.sealed and self.app.stack[-1] is self.screen

    def seen(self) -> list[Any]:
        """Returns all that a player sees."""
        canvas = self.canvas()
        return [*(canvas.row(y) for y in range(self.size[1])), len(self.app.stack)]

    def offered(self) -> list[str]:
        return [key for hint in self.form.hints() for key in SEVERAL.get(hint.key, (key_name(hint.key),))]

    def areas(self) -> dict[Action, tuple[int, int]]:
        """Returns what can be clicked on the board, and a cell of it."""
        canvas, found = self.canvas(), dict[Action, tuple[int, int]]()
        for hit in canvas.hits:
            cells = ((x, y) for y in range(hit.y, hit.y + hit.height) for x in range(hit.x, hit.x + hit.width))
            cell = next((cell for cell in cells if canvas.touched(*cell) == hit.action), None)
            if (
                0 < hit.y < self.size[1] - 1
                and cell is not None
                and isinstance(hit.action, tuple)
                and hit.action[0] in CHOSEN_FROM
                and hit.action != CARD
            ):
                found[hit.action] = cell
        return found


def refusals(game: str, size: tuple[int, int], begun: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yields what is refused without a word in a game that is played at random, after each of these series of keys."""
    clock, seen = Clock(), defaultdict[str, int](int)
    table = StillTable(game, min(lookup.find(game).seats), 1, at_random(1), clock.now, {})
    for _ in range(MOST_ASKS):
        if isinstance(table.ask, Result):
            return
        table.offer()
        clock.time += 60
        if table.arena_peer.asked is not None and (form := Begun(table, clock, size, ()).form) is not None:
            seen[form.phase] += 1
            if seen[form.phase] <= FORMS:
                for keys in begun:
                    yield from _refusals(table, clock, size, keys)
        # Nobody looks at these boards any more.
        table.listeners.clear()
        table.answer()


def _refusals(table: WholeGameTable, clock: Clock, size: tuple[int, int], keys: Sequence[str]) -> Iterator[str]:
    begun = Begun(table, clock, size, keys)
    if not begun.open:
        return
    before, phase, areas = begun.seen(), begun.form.phase, begun.areas()
    assert begun.seen() == before, "nothing moves by itself"
    clicked = Random(f"{phase} {keys}").sample(sorted(areas, key=str), min(CLICKS, len(areas)))
    keys_left = dict.fromkeys(key for key in begun.offered() if key not in ARROWS and (phase, key) not in STANDS)
    todo: list[str | tuple[int, int]] = [*keys_left, *(areas[action] for action in clicked)]
    for pressed in todo:
        again = Begun(table, clock, size, keys)
        assert again.seen() == before, "the same keys lead to the same board"
        if isinstance(pressed, tuple):
            again.app.touch(*pressed, "left")
        else:
            again.app.key(pressed)
        form = again.form
        if again.seen() == before and not (form is not None and form.refusal):
            what = next((each for each in clicked if areas[each] == pressed), pressed)
            yield f"{phase} after {' '.join(keys) or 'nothing'}: {what}"


@pytest.mark.slow
@pytest.mark.parametrize("begun", first_is_quick(BEGUN[:1], BEGUN[1:]), ids=["nothing", "a choice"])
@pytest.mark.parametrize("game", one_is_quick("land", lookup.ids()))
@pytest.mark.parametrize("size", first_is_quick(*SIZES))
def test_nothing_is_refused_without_a_word(game: str, size: str, begun: Sequence[Sequence[str]]) -> None:
    async def play() -> list[str]:
        return sorted(set(refusals(game, SIZES[size], begun)))

    assert run(play()) == []
