"""The result of a game of any number of seats in three rows: the head of a dossier, for boards without their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.subject import reason_told, subjects
from kimberley.client.session.participants import short_name
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, truncate
from kimberley.client.ui.layout import SEAT_MARKS
from kimberley.client.ui.palette import Color
from kimberley.games.phrases import count_of, join_names
from kimberley.games.table import ReasonKind, Result, State
from kimberley.p2p.sentences.notices import (
    RESIGNED,
    as_sentence,
    ended_when,
    place_number,
)

SEATS: Final[Sequence[tuple[str, Color]]] = tuple(
    (mark, f"seat{number}") for number, mark in enumerate(SEAT_MARKS, start=1)
)


def winners(names: Sequence[str], result: Result, seat: int | None) -> str:
    """Says who has won, in a sentence without its full stop. `seat` is "you"; None for a spectator."""
    if len(result.winners) == len(names):
        return "It is a draw"
    won = ["You" if winner == seat else names[winner] for winner in sorted(result.winners, key=lambda w: w != seat)]
    if len(won) > 1:
        return f"{join_names(won)} tie for first"
    return f"{won[0]} {'have' if won == ['You'] else 'has'} won"


def outcome(names: Sequence[str], result: Result, seat: int | None, room: int) -> str:
    """Says as much as `room` columns have room for: who has won and why, else only who has won."""
    texts = outcomes(names, result, seat)
    return next((text for text in texts if cell_width(text) <= room), texts[-1])


def outcomes(names: Sequence[str], result: Result, seat: int | None) -> tuple[str, ...]:
    """Says who has won and why, or with how much and when the game ended, in sentences: in full, then ever shorter."""
    who, why = winners(names, result, seat), reason_told(result, names, seat)
    if result.kind is not ReasonKind.OVER:
        return f"{who}: {why}.", f"{who}."
    best = result.winners
    had = f" with {result.counts[best[0]]}{' each' if len(best) > 1 else ''}" if result.counts else ""
    return (
        f"{who}{had}. {ended_when(why, names)}",
        f"{who}{had}. {as_sentence(why, names)}",
        f"{who}{had}.",
        f"{who}.",
    )


def resignation(state: State, playing: Sequence[int], result: Result, names: Sequence[str], seat: int | None) -> str:
    """Says who has won and who resigned, in a sentence; empty if no resignation ended the game in the middle of a step,
    or nobody stayed. `playing` are the seats that did not leave the game in another way.
    """
    if isinstance(state.ask(), Result):
        return ""
    gone = [player for player in playing if player not in result.winners]
    if not gone:
        return ""
    crowd = len(gone) > 2 and len(gone) + len(result.winners) == len(names) and seat not in gone
    who = "the others" if crowd else subjects(names, gone, seat, begin=False)
    return f"{winners(names, result, seat)}: {who} resigned."


def resigned(state: State, gone: Sequence[int], result: Result) -> Sequence[int]:
    """Returns the seats that are `gone`, and those whose resignation ended the game in the middle of a step."""
    if isinstance(state.ask(), Result):
        return gone
    return [seat for seat in range(len(result.places)) if seat in gone or seat not in result.winners]


def departed(names: Sequence[str], gone: Sequence[int], seat: int | None, why: str = "") -> Sequence[str]:
    """Says who resigned while others played on, in a sentence; none if nobody did, or `why` the game ended says so."""
    return (f"{subjects(names, gone, seat)} {RESIGNED}.",) if gone and not why.endswith(f" {RESIGNED}.") else ()


def places_in_a_row(seats: int) -> int:
    """Returns how many places stand in each of the two rows that hold them all."""
    return 2 if seats <= 4 else 3


def draw_standings(
    canvas: Canvas,
    names: Sequence[str],
    result: Result,
    seat: int | None,
    marks: Sequence[tuple[str, Color]] = SEATS,
    gone: Sequence[int] = (),
    unit: str = "",
) -> None:
    """Draws the sentence in row 0, and in rows 1 and 2 the places with their scores, the first place first. Of those
    that are `gone` it says that they resigned.

    `marks` are the signs of the seats and their colors, if a board has its own. `unit` is what the first number of a
    score counts, in the singular; without it, what each had in the end is drawn as the rules put it into words, else
    all numbers of a score.
    """
    canvas.put(1, 0, truncate(outcome(names, result, seat, canvas.width - 2), canvas.width - 2), "text", bold=True)
    in_a_row = places_in_a_row(len(names))
    room = (canvas.width - 2) // in_a_row
    order = sorted(range(len(names)), key=lambda player: (result.places[player], player))
    for number, player in enumerate(order):
        x, y = 1 + room * (number % in_a_row), 1 + number // in_a_row
        numbers = result.scores[player] if player < len(result.scores) else ()
        score = result.counts[player] if result.counts else "/".join(map(str, numbers))
        score = RESIGNED if player in gone else count_of(numbers[0], unit) if numbers and unit else score
        at = canvas.put(x, y, place_number(result.places, player), "soft") + 1
        sign, fg = marks[player]
        at = canvas.put(at, y, sign, fg, bold=True) + 1
        space = x + room - 2 - at - cell_width(score) - 1
        # Where a portrait screen has no room for a name, the sentences below have it.
        if not canvas.portrait or cell_width(names[player]) <= space:
            at = canvas.put(at, y, short_name(names, player, max(1, space)), "text", bold=player == seat) + 1
        canvas.put(at, y, score, "money")
