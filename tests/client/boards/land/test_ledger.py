"""The ledger of the land game: its numbers below their headings, what gives way, and where it is clicked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kimberley.client.boards.land.ledger import (
    Ledger,
    LedgerEntry,
    cut_cash,
    draw_ledger,
    draw_players,
    draw_portrait_ledger,
)
from kimberley.client.ui.canvas import Canvas
from kimberley.games.land.money import CENT, K

NAMES = ("ana", "alexandra the great", "cem", "alexandra the greedy")
ENTRIES = (
    LedgerEntry(612_442 * K // 1000, 5 * K, 12, 7, 5 * K // 4, 5 * K // 2),
    LedgerEntry(-3 * K, 0, 0, 0, 0, 0, "bankrupt"),
    LedgerEntry(99 * K, 0, 3, 0, 51, 0),
    LedgerEntry(40 * K, 0, 1, 1, 20, 400),
)


def drawn(draw: Callable[[Canvas, Ledger], None], width: int, seats: int, *, rows: int | None = None) -> Canvas:
    canvas = Canvas(width, seats + 1 if rows is None else rows, portrait=rows is not None)
    draw(canvas, Ledger(ENTRIES[:seats], NAMES[:seats], 0, 2, 1))
    return canvas


@pytest.mark.parametrize(("width", "due"), [(56, False), (70, True), (72, True)])
def test_every_number_ends_below_the_end_of_its_heading(width: int, due: bool) -> None:
    lines = drawn(draw_ledger, width, 4).lines()
    headings = ["cash", "land", "river", "tax 2%", "revenue 10%" if due else "revenue", *(["due"] if due else [])]
    assert lines[0].split() == " ".join(headings).split()
    ends = [lines[0].index(heading) + len(heading) for heading in headings]
    numbers = ["612.442K", "12", "7", "-1.25", "+2.5", *(["+5"] if due else [])]
    assert [lines[1][:end].split()[-1] for end in ends] == numbers
    assert lines[2].rstrip().endswith("-3K   × bankrupt")
    assert lines[2][: ends[0]].endswith("-3K")
    assert [line[2:4] for line in lines[1:]] == ["▲A", "■B", "●C", "◆D"]


def test_a_line_of_the_ledger_is_clicked_where_it_is_drawn() -> None:
    canvas = drawn(draw_ledger, 72, 4)
    assert [canvas.touched(x, y) for y in range(5) for x in (0, 71)] == [
        None, None, *(("seat", seat) for seat in range(4) for _ in "ab"),
    ]  # fmt: skip


def test_whose_turn_it_is_and_who_is_explained_stand_out() -> None:
    canvas = drawn(draw_ledger, 72, 4)
    assert [canvas.cell(0, y).char for y in range(5)] == [" ", " ", " ", "▸", " "]
    assert [y for y in range(5) if canvas.cell(71, y).style.bg == "raised"] == [3]
    assert [y for y in range(5) if canvas.cell(5, y).style.underline] == [2]


@pytest.mark.parametrize(("width", "parcels"), [(44, False), (45, True), (60, True)])
def test_parcels_are_counted_only_where_there_is_room(width: int, parcels: bool) -> None:
    lines = drawn(draw_players, width, 4).lines()
    assert lines[0].split() == [*(["parcels"] if parcels else []), "cash", "/turn"]
    assert lines[1].split()[1:] == ["ana,", "you", *(["12"] if parcels else []), lines[1].split()[-2], "+1.2"]


def test_cash_loses_its_decimals_before_a_name_is_cut() -> None:
    for width, cash in ((36, "612K"), (40, "612.4K")):
        lines = drawn(draw_players, width, 2).lines()
        assert cash in lines[1].split()
        assert "alexandra the great" in lines[2]


@pytest.mark.parametrize(("width", "headings"), [(39, ["cash", "tax", "rev."]), (40, ["cash", "tax", "revenue"])])
def test_on_a_phone_two_seats_have_headings_and_four_their_cash_alone(width: int, headings: list[str]) -> None:
    two = drawn(draw_portrait_ledger, width, 2, rows=3).lines()
    assert two[0].split() == ["Ledger", *headings]
    ends = [two[0].index(heading) + len(heading) for heading in headings]
    assert [two[1][:end].split()[-1] for end in ends] == ["612.44K", "-1.25", "+2.50"]
    four = drawn(draw_portrait_ledger, width, 4, rows=3).lines()
    assert [line.count("K") for line in four] == [2, 1, 1]
    assert "×" in four[1]
    assert "40.00K" in four[0]


@pytest.mark.parametrize(
    ("cash", "texts"),
    [
        (-39.18, ("-39K", "-39.1K", "-39.18K")),
        (-39.1886, ("-39K", "-39.1K", "-39.18K")),
        (-0.04, ("-0.04K", "-0.04K", "-0.04K")),
        (0, ("0K", "0.0K", "0.00K")),
        (999.9998, ("999K", "999.9K", "999.99K")),
    ],
)
def test_cash_in_few_columns_is_cut_off_and_no_debt_seems_deeper(cash: float, texts: tuple[str, ...]) -> None:
    assert tuple(cut_cash(round(cash * K), step) for step in (K, K // 10, CENT)) == texts
