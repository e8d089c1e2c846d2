"""The keys of all boards: keys that they share mean the same on each, and a key of one game alone begins a word of what
it does.
"""

from __future__ import annotations

import re
import string
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cache
from typing import Any, Final, TypeAlias, cast

import pytest

from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.piecepack.form_act import ActForm
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.view import Shown
from kimberley.client.screens.app import App
from kimberley.client.screens.dialogs import menu
from kimberley.games.table import Result
from tests.support.asyncs import run
from tests.support.board_snapshots import Clock, Scenario
from tests.support.effort import one_is_quick
from tests.support.pretend import pretend_app

SEATS: Final = {"diamond-trust": 2, "diamond": 2, "land": 2, "mine": 2, "piecepack": 3}
CONVENTION: Final = {
    "d": "done|end (the )?turn|stop here",
    "e": "keep playing|(do not|agree to) end( the game)?",
    "g": "pick up|dig for one ♦",
    "h": "(hide|show)( (my|own) values)?",
    "s": "sell .+|swap",
    "u": "undo|clear|back to first .+",
    "x": "drop|trade coins",
    "=": "(offer|accept) (a |the )?draw|cancel (the )?offer",
    "Esc": "back|cancel",
}
"""What a key means on every board that has it: done, the end by agreement, get, hide, sell or swap, undo, give away, a
draw, back.
"""
FRAME: Final = ("l", "m", *(f"f{number}" for number in range(1, 13)))
"""The keys of what is around each board."""
MOST_ASKS: Final = 150
PRESSED: Final = ((), ("1", "up", "enter"), ("tab", "tab"), ("t", " "), ("a", " "), ("x",), ("b",))
"""What to press in the first form of a phase, the second, and so on, again and again: it leads to further keys."""
LINE: Final = re.compile(r"(?:Not )?(\w+):")
"""The beginning of a line of a prompt that names what can be typed."""

Offers: TypeAlias = Mapping[str, Set[str]]
"""By key: what it does, as the board says it."""


def breaches(offers: Offers) -> list[str]:
    """Returns the keys of a board that mean something other than what the convention says."""
    return [
        f"{key} {label}"
        for key, meaning in CONVENTION.items()
        for label in offers.get(key, ())
        if not re.fullmatch(meaning, label)
    ]


def clashes(boards: Mapping[str, Offers], typed: Set[str]) -> list[str]:
    """Returns the letters that several boards have, outside of the convention, and that begin neither a word of what
    they do nor one that can be typed.
    """
    letters = {key for offers in boards.values() for key in offers if len(key) == 1 and key.isalpha()}
    shared = [key for key in letters - CONVENTION.keys() if sum(key in offers for offers in boards.values()) > 1]
    return [
        f"{key} {label}"
        for key in shared
        for offers in boards.values()
        for label in offers.get(key, ())
        if not any(word.startswith(key) for word in [*label.split(), *typed])
    ]


def _forms(game: str) -> Iterator[tuple[GameScreen, Any, float, Sequence[str]]]:
    """Some forms of each phase of a game that is played at random, and what to press there."""
    clock, seen = Clock(), defaultdict[str, int](int)
    table = Scenario(game, SEATS[game], 1, {}).table(clock)
    app = pretend_app()
    app.now = clock.now  # type: ignore[method-assign]
    screen = GameScreen(find_board(game).game, table, app)
    app.push(screen)
    for _ in range(MOST_ASKS):
        if isinstance(table.ask, Result):
            return
        table.offer()
        clock.time += 60
        while screen.form(clock.time) is None and table.arena_peer.asked is not None:
            screen.key("enter")
            clock.time += 60
        form = screen.form(clock.time)
        if form is not None:
            yield screen, form, clock.time, PRESSED[seen[form.phase] % len(PRESSED)]
            seen[form.phase] += 1
        table.answer()


def _offered(screen: GameScreen, form: Any, now: float) -> Iterator[tuple[str, str]]:
    """The keys of a form and its board, and what they do: in the key row, the menu, and the menu of actions."""
    last = screen.head.last
    shown = Shown(form.state, screen.timeline.events, last, screen.names, 0, now=now, live=True, form=form)
    idle = replace(shown, form=None)
    for hint in (*form.hints(), *screen.view.hints(shown), *screen.view.hints(idle)):
        yield hint.key, hint.label
    for item in (*form.menu(), *screen.view.menu(shown, screen.ui)):
        if not item.inside:
            yield item.key, item.label.lower()
    if isinstance(form, ActForm) and (deeds := form.deeds()) is not None:
        for deed in deeds[0]:
            yield deed.key, deed.label.lower()


@cache
def offered(game: str) -> tuple[Offers, Set[str]]:
    """Returns all keys that a board offers in a game, and the words that can be typed for a choice."""
    found, typed = defaultdict[str, set[str]](set), set[str]()

    async def play() -> None:
        for screen, form, now, pressed in _forms(game):
            typed.update(match[1] for line in form.prompt() if (match := LINE.match(line)))
            for key in (None, *pressed):
                if key is not None:
                    form.key(key)
                if form.sealed:
                    break
                for name, label in _offered(screen, form, now):
                    found[name].add(label)

    run(play())
    return found, typed


@pytest.mark.parametrize("game", SEATS)
def test_what_keys_share_between_boards_means_the_same_on_each(game: str) -> None:
    offers, _ = offered(game)
    assert len(offers) >= 5
    assert breaches(offers) == []


def test_every_other_letter_that_several_boards_have_begins_a_word_of_what_it_does() -> None:
    boards = {game: offered(game)[0] for game in SEATS}
    assert clashes(boards, {word for game in SEATS for word in offered(game)[1]}) == []
    assert {key for offers in boards.values() for key in offers} >= CONVENTION.keys() - {"g"}


def test_a_key_with_two_meanings_is_found() -> None:
    assert breaches({"d": {"done", "drop"}, "s": {"sell i5"}}) == ["d drop"]
    assert clashes({"one": {"w": {"step"}}, "two": {"w": {"walk"}}}, set()) == ["w step"]
    assert clashes({"one": {"w": {"step"}}, "two": {}}, set()) == []


@pytest.mark.parametrize("game", SEATS)
def test_no_board_takes_a_key_of_what_is_around_it(game: str) -> None:
    async def play() -> None:
        for _, form, _, _ in _forms(game):
            assert not any(form.key(key) for key in FRAME), form.phase

    run(play())


@pytest.mark.parametrize("game", one_is_quick("land", SEATS))
def test_all_characters_of_a_board_are_in_the_menu_and_capitals_are_left_to_them(game: str) -> None:
    """Not every keyboard types our letters; the menu is gone through with arrows. Caps Lock makes no other key."""
    capitals = set(string.ascii_uppercase) - (set("ABCDEFGHX") if game == "diamond" else set())

    async def play() -> None:
        for screen, form, _, _ in _forms(game):
            app = cast(App, screen.ui)
            app.draw(80, 24)
            typed = set(app.paint(80, 24, app.now()).left_out)
            assert typed >= {
                hint.key for hint in form.hints() if hint.key in string.ascii_lowercase + string.punctuation
            }
            keys = [item.key for item in menu(app, screen).items]
            assert typed <= set(keys)
            assert len(keys) == len(set(keys)), keys
            assert not any(screen.key(capital) for capital in capitals)

    run(play())
