"""All that a board shows fits into usual terminals: no text is cut, and the last row has room for its keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from kimberley.client.boards.view import Strip
from kimberley.client.screens.app import App
from kimberley.client.screens.banner import draw_banner, draw_short, draw_upright
from kimberley.client.session.banners import Banner, Banners
from kimberley.client.ui.bars import MOST_HINTS, phase_strip, row_hints
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.keys import Hint
from kimberley.games import lookup
from tests.client.boards.test_portrait import scenario_of
from tests.support.asyncs import run
from tests.support.board_snapshots import Pictures, live_pictures, other_pictures
from tests.support.cut_text import SIZES, StripReader, Walker, cut_sentence, faults, noting_cuts
from tests.support.effort import OTHER_VALUE, first_is_quick, tries
from tests.support.pretend import PretendTable
from tests.support.whole_game_table import LAST_LOOK

CROWD = tuple(f"{name} the Magnificent"[:16] for name in ("Anastasia", "Benedict", "Carolina", "Dmitri", "Eva", "Finn"))
GAMES = tuple(lookup.ids())
ASKS = 40
"""How many steps of a game lead to each of its phases."""
SEEDS = range(tries(2, 12))
"""Games in which the strip is read."""
MORE_GAMES = tries(0, 10)
"""Games besides the one that is photographed, in which keys are pressed at random."""


def faults_of(app: App, size: tuple[int, int], *, depths: bool) -> str:
    del depths
    return "; ".join(faults(app, size))


@pytest.mark.parametrize("take", first_is_quick(live_pictures, other_pictures))
@pytest.mark.parametrize("size", first_is_quick(*SIZES))
@pytest.mark.parametrize("game", first_is_quick(*GAMES))
def test_nothing_that_is_photographed_is_cut(game: str, size: tuple[int, int], take: Pictures) -> None:
    async def look() -> dict[str, str]:
        return take(scenario_of(game), size, faults_of)

    assert {name: found for name, found in run(look()).items() if found} == {}


@pytest.mark.slow
@pytest.mark.parametrize("alone", [False, True], ids=["together", "alone"])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.nightly
def test_nothing_is_cut_whatever_is_pressed(game: str, alone: bool) -> None:
    async def play() -> dict[str, str]:
        found: dict[str, str] = {}
        for seed in (scenario_of(game).seed, *range(100, 100 + MORE_GAMES)):
            walker = Walker(replace(scenario_of(game), seed=seed), alone=alone)
            walker.play(ASKS)
            found |= walker.faults
        return found

    found = run(play())
    assert not found, "\n\n".join(f"{fault}\n{shown}" for fault, shown in found.items())


@pytest.mark.parametrize(
    ("game", "last_look"),
    [
        *(pytest.param(game, LAST_LOOK, marks=OTHER_VALUE if game != "diamond" else ()) for game in GAMES),
        pytest.param("diamond-trust", 0, marks=pytest.mark.slow),
    ],
    ids=[*GAMES, "diamond-trust without a limit"],
)
def test_no_sentence_in_the_strip_is_cut_however_a_game_goes(game: str, last_look: int) -> None:
    async def play() -> tuple[int, set[str]]:
        readers = [StripReader(scenario_of(game), seed, last_look=last_look) for seed in SEEDS]
        for reader in readers:
            reader.play(ASKS)
        return sum(each.read for each in readers), set().union(*(each.faults for each in readers))

    read, found = run(play())
    assert read > ASKS
    assert not found, "\n".join(sorted(found))


def test_a_sentence_has_the_room_of_what_is_waited_for_but_not_that_of_a_clock() -> None:
    said = "No agent of the other side revealed its sale: yours stands."
    assert not cut_sentence(Strip("ADJUST", said, "ben is choosing…"))
    assert cut_sentence(Strip("ADJUST", said, "you 12:34  ben 12:34", "money")).startswith("ADJUST: No agent of ")
    assert cut_sentence(Strip("ADJUST", f"{said[:-1]}, and that is all there is to it."))
    canvas = Canvas(*SIZES[0])
    phase_strip(canvas, 1, "ADJUST", f"{said} Then Done.", "ben is choosing…")
    assert canvas.lines()[1].rstrip() == f" ADJUST  {said} Then Done."


def requested(nicknames: tuple[str, ...], change: Mapping[str, Any]) -> Sequence[Banner]:
    """Returns what the last seat is told of a change."""
    peer: Any = SimpleNamespace(waiting=(1,), story=(), asked=None, result=None, state=None)
    seat = len(nicknames) - 1
    table = PretendTable(phase="playing", names=nicknames, seats=seat + 1, seat=seat, peer=peer)
    banners = Banners(table, lambda: 1000.0)
    table.subscribe(lambda _event: banners.refresh())
    table.change(None, **change)
    return banners.current(1000.0)


@pytest.mark.parametrize("draw", [draw_short, lambda canvas, banners, now: draw_banner(canvas, 1, banners, now)],
                         ids=["one row", "two rows"])  # fmt: skip
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("nicknames", [("ana", "Regent", "ben"), CROWD], ids=["three", "crowd"])
def test_no_request_is_cut_whoever_asks(
    nicknames: tuple[str, ...], size: tuple[int, int], draw: Callable[[Canvas, Sequence[Banner], float], None]
) -> None:
    last = len(nicknames) - 1
    everybody = frozenset(range(last))
    for asking in ({0}, {0, 1}, everybody):
        for change in (
            {"adjourn_from": frozenset(asking)},
            {"abandon_from": frozenset(asking - {1}), "absent": (1,), "away": {1: 0.0}},
            {"adjourn_from": frozenset({last})},
        ):
            banners = requested(nicknames, change)
            with noting_cuts() as cut:
                draw(Canvas(*size), banners, 1000.0)
            assert not cut, (cut, change)


def missed(away: Sequence[int], nicknames: tuple[str, ...], grace: int, waiting: tuple[int, ...]) -> Sequence[Banner]:
    """Returns what the first seat is told of lost connections, five seconds later."""
    peer: Any = SimpleNamespace(waiting=waiting, story=(), asked=None, result=None, state=None)
    table = PretendTable(phase="playing", names=nicknames, seats=len(nicknames), seat=0, peer=peer)
    banners = Banners(table, lambda: 1000.0)
    table.subscribe(lambda _event: banners.refresh())
    table.change(None, away=dict.fromkeys(away, 995.0), grace=grace, can_adjourn=len(away) == len(nicknames) - 1)
    return banners.current(1000.0)


@pytest.mark.parametrize("waiting", [(0, 1), (1,)], ids=["your turn", "their turn"])
@pytest.mark.parametrize(("grace", "left"), [(60, "0:55"), (900, "14:55"), (3605, "1:00:00"), (86400, "23:59:55")])
@pytest.mark.parametrize("nicknames", [("ana", "ben"), ("ana", "W" * 24), ("ana", "ben", "cleo"), CROWD])
def test_a_countdown_is_whole_and_says_what_it_counts_to(
    nicknames: tuple[str, ...], grace: int, left: str, waiting: tuple[int, ...]
) -> None:
    away = range(1, len(nicknames))
    for seats in {tuple(away), (1,)}:
        banners = missed(seats, nicknames, grace, waiting)
        upright = Canvas(40, 40)
        draw_upright(upright, banners, 1000.0)
        drawn = [upright]
        for size in SIZES:
            short, tall = Canvas(*size), Canvas(*size)
            with noting_cuts() as cut:
                draw_short(short, banners, 1000.0)
                draw_banner(tall, 1, banners, 1000.0)
            assert not cut, (cut, seats, size)
            assert re.search(rf"You can stop waiting .*in {left}( if you have chosen)?\.", short.lines()[0])
            drawn += [short, tall]
        for canvas in drawn:
            text = " ".join(" ".join(canvas.lines()).split())
            assert re.search(rf"(?<![\d:]){left}(?![\d:])", text), text
            assert "can stop waiting" in text


def test_a_key_row_has_six_keys_at_most_among_them_what_most_people_want() -> None:
    hints = [Hint(key, "key") for key in "abcdefg"]
    done = Hint("d", "done", primary=True)
    assert row_hints(hints, 80) == hints[:MOST_HINTS]
    assert row_hints([*hints, done], 80) == [*hints[: MOST_HINTS - 1], done]
    assert row_hints([*hints, done], 20) == [*hints[:2], done]
