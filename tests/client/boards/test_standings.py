"""The result of a game in three rows, on every form of screen."""

from __future__ import annotations

import re

import pytest

from kimberley.client.boards.standings import departed, draw_standings, outcome, resigned
from kimberley.client.ui.canvas import Canvas
from kimberley.games.table import ReasonKind, Result
from kimberley.p2p.sentences.verdicts import result_sentence
from tests.support.cards import CARDS
from tests.support.cut_text import noting_cuts

NAMES = ("ana", "ben", "carla", "dmitri", "eva", "florian")


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_a_portrait_screen_has_all_places_and_cuts_nothing_off(seats: int) -> None:
    canvas = Canvas(40, 3, portrait=True)
    scores = tuple((100 + seat,) for seat in range(seats))
    result = Result(tuple(range(seats, 0, -1)), scores, "the last tile was drawn, and then some more")
    with noting_cuts() as cut:
        draw_standings(canvas, NAMES[:seats], result, 0)
    text = "\n".join(canvas.lines())
    assert not cut
    assert all(str(100 + seat) in text for seat in range(seats))
    assert f"{NAMES[seats - 1]} has won." in text
    assert seats > 4 or all(name in text for name in NAMES[:seats])


@pytest.mark.parametrize(
    ("places", "said", "numbers"),
    [
        ((1, 1, 1, 1), "It is a draw: nobody moves.", ("=1", "=1", "=1", "=1")),
        ((1, 3, 1, 4), "ana and carla tie for first: nobody moves.", ("=1", "=1", "3.", "4.")),
        ((2, 1, 3, 4), "ben has won: nobody moves.", ("1.", "2.", "3.", "4.")),
    ],
)
def test_a_place_that_several_have_is_marked_and_one_that_all_have_is_a_draw(
    places: tuple[int, ...], said: str, numbers: tuple[str, ...]
) -> None:
    canvas = Canvas(80, 3)
    draw_standings(canvas, NAMES[:4], Result(places, (), "nobody moves"), None)
    lines = canvas.lines()
    assert lines[0].strip() == said
    assert tuple(re.findall(r"=\d|\d\.", "".join(lines[1:]))) == numbers


def test_two_places_in_a_row_leave_room_for_names() -> None:
    names = ("Cullinan", "Koh-i-Noor", "ana", "Florentine")
    canvas = Canvas(80, 3)
    with noting_cuts() as cut:
        draw_standings(
            canvas, names, Result((1, 2, 3, 3), ((120,), (18,), (0,), (0,)), "why"), 0, gone=(2, 3), unit="point"
        )
    lines = canvas.lines()
    assert not cut
    assert all(name in line for line, pair in zip(lines[1:], (names[:2], names[2:]), strict=True) for name in pair)


def test_what_each_had_is_said_in_the_words_of_the_rules() -> None:
    canvas = Canvas(80, 3)
    result = Result((2, 1), ((2, 2500000), (2, 2600000)), "most cash after 25 turns each", ("500K", "520K"))
    draw_standings(canvas, NAMES[:2], result, None, gone=(0,))
    assert canvas.lines()[1].split() == ["1.", "■", "ben", "520K", "2.", "▲", "ana", "resigned"]


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ((2, 1, 3), ["ben has won with 9 points. The game ended when the last tile was drawn.",
                     "ben has won with 9 points. The last tile was drawn.", "ben has won with 9 points.",
                     "ben has won."]),
        ((1, 1, 3), ["You and ben tie for first with 9 points each. The game ended when the last tile was drawn.",
                     "You and ben tie for first with 9 points each. The last tile was drawn.",
                     "You and ben tie for first with 9 points each.", "You and ben tie for first."]),
        ((1, 1, 1), ["It is a draw with 9 points each. The game ended when the last tile was drawn.",
                     "It is a draw with 9 points each. The last tile was drawn.", "It is a draw with 9 points each.",
                     "It is a draw."]),
    ],
)  # fmt: skip
def test_what_ended_the_game_is_not_told_as_why_somebody_won(places: tuple[int, ...], said: list[str]) -> None:
    result = Result(places, ((9,),) * 3, "the last tile was drawn", ("9 points",) * 3, kind=ReasonKind.OVER)
    assert [outcome(NAMES[:3], result, 0, len(text)) for text in said] == said
    won = result_sentence(result, NAMES[:3])
    assert won.endswith(" (ana 9 points, ben 9 points, carla 9 points). The game ended when the last tile was drawn")


def test_who_resigned_while_others_played_on_is_told() -> None:
    canvas = Canvas(80, 3)
    draw_standings(canvas, NAMES[:3], Result((3, 1, 2), ((4,), (20,), (5,)), "the end"), 0, gone=(0,))
    assert "3. ▲ ana resigned" in "\n".join(canvas.lines())
    assert departed(NAMES, (0,), 0) == ("You resigned.",)
    assert departed(NAMES, (1, 0), 0) == ("You and ben resigned.",)
    assert departed(NAMES, (1,), 0) == ("ben resigned.",)
    assert departed(NAMES, (), 0) == ()
    assert departed(NAMES, (1,), 0, "You have won.") == ("ben resigned.",)
    assert departed(NAMES, (1,), 0, "You have won: ben resigned.") == ()


def test_who_ended_the_game_by_resigning_has_resigned_like_those_before() -> None:
    state, result = CARDS.start(3, {}), Result((2, 2, 1), ((0,),) * 3, "only one player is left")
    assert resigned(state, [1], result) == [0, 1]


@pytest.mark.parametrize("reason", ["only one player is left", "the others resigned"])
def test_of_a_game_that_resignations_ended_the_list_names_who_resigned(reason: str) -> None:
    counted = Result((2, 1), ((0,), (0,)), reason, ("0 points", "0 points"), (), ReasonKind.RESIGNED)
    assert result_sentence(counted, NAMES[:2]) == "ben won against ana: ana resigned (ana 0 points, ben 0 points)"
    assert result_sentence(Result((2, 1, 2), ((0,),) * 3, reason, kind=ReasonKind.RESIGNED), NAMES[:3]) == (
        "ben won against ana and carla: ana and carla resigned"
    )
    assert result_sentence(Result((1, 1), ((0,),) * 2, "both sides resigned"), NAMES[:2]) == (
        "a draw: both sides resigned"
    )
    agreed = Result((1, 1), ((0,),) * 2, "both sides agreed to a draw", kind=ReasonKind.AGREED)
    assert result_sentence(agreed, NAMES[:2]) == "both sides agreed to a draw"
