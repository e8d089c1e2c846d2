"""Maps of the land game: those that come with it, those that are rolled, and those that are refused."""

from __future__ import annotations

import hashlib
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.games.land.maps import BASE, KIND_NAMES, Map, MapError, check, read_map, shipped
from kimberley.games.land.rolled import LIMIT, NUMBERS, Dice, rolled_map
from tests.support.land import STRIPES

numbers = st.tuples(*[st.integers(0, LIMIT - 1)] * NUMBERS)
sides = st.sampled_from((24, 12))


def text(rows: list[str]) -> str:
    return "title: Some\n" + "\n".join(rows)


ROWS = ["D C F P F R D F C P D D"] * 12


def without_river(row: str) -> str:
    return row.replace("R", "D")


# -- parcels and sectors -----------------------------------------------------------------------------------------------


def write_map(map: Map) -> str:
    """Returns a map as text that `read_map` reads."""
    rows = (map.kinds[start : start + map.side] for start in range(0, len(map.kinds), map.side))
    return "\n".join([f"title: {map.title}", *(" ".join(row) for row in rows)]) + "\n"


@pytest.mark.parametrize(("name", "side", "sectors"), [("kimberley", 24, 36), ("small", 12, 9)])
def test_the_maps_that_come_with_the_game_are_good_ones(name: str, side: int, sectors: int) -> None:
    map = shipped(name)
    assert (map.side, map.sectors**2, len(map.kinds)) == (side, sectors, side**2)
    assert check(map) == read_map(write_map(map)) == map
    share = {kind: map.kinds.count(kind) / len(map.kinds) for kind in KIND_NAMES}
    assert share["P"] < share["C"] < share["F"] < share["D"]
    assert 0.08 < share["R"] < 0.2
    inland = [parcel for parcel, kind in enumerate(map.kinds) if kind == "P" and parcel not in map.banks]
    assert inland, "no diamonds that a path must lead to"
    assert len(inland) < map.kinds.count("P"), "no diamonds beside the river"


def test_the_bases_are_those_of_the_rules() -> None:
    assert BASE == {"D": 1, "F": 5, "C": 20, "P": 100}
    assert [STRIPES.base(STRIPES.parcel(name)) for name in ("a1", "b1", "c1", "d1", "f1")] == [100, 2000, 500, 10000, 0]


def test_sectors_are_four_by_four_and_hold_no_river() -> None:
    assert [STRIPES.name(parcel) for parcel in STRIPES.parcels(1, 1)] == [
        f"{column}{row}" for row in (5, 6, 7, 8) for column in "egh"
    ]
    for map in (shipped("kimberley"), shipped("small")):
        everywhere = [
            parcel for row in range(map.sectors) for column in range(map.sectors) for parcel in map.parcels(row, column)
        ]
        assert sorted(everywhere) == [parcel for parcel, kind in enumerate(map.kinds) if kind != "R"]
        assert all(parcel in map.parcels(*map.sector_of(parcel)) for parcel in everywhere)


def test_every_sector_is_rolled_as_often() -> None:
    for map in (shipped("kimberley"), STRIPES):
        rolled = [map.rolled(black, white) for black in range(6) for white in range(6)]
        every = {(row, column) for row in range(map.sectors) for column in range(map.sectors)}
        assert {sector: rolled.count(sector) for sector in rolled} == dict.fromkeys(every, 36 // map.sectors**2)
    assert shipped("kimberley").rolled(2, 3) == (2, 3)
    assert STRIPES.rolled(1, 4) == (0, 2)


def test_names_say_column_and_row() -> None:
    map = shipped("kimberley")
    assert [map.name(parcel) for parcel in (0, 23, 24, 575)] == ["a1", "x1", "a2", "x24"]
    assert all(map.parcel(map.name(parcel)) == parcel for parcel in range(len(map.kinds)))
    for wrong in ("m13", "a0", "a01", "A1", "1a", "a1 ", "", "a٣"):
        with pytest.raises(ValueError, match="from a1 in the northwest to l12"):
            STRIPES.parcel(wrong)


def test_beside_is_edge_to_edge() -> None:
    assert {STRIPES.name(beside) for beside in STRIPES.neighbors[STRIPES.parcel("b2")]} == {"b1", "a2", "c2", "b3"}
    assert {STRIPES.name(beside) for beside in STRIPES.neighbors[STRIPES.parcel("l12")]} == {"l11", "k12"}
    assert {STRIPES.name(bank) for bank in STRIPES.banks} == {
        f"{column}{row + 1}" for column in "eg" for row in range(12)
    }


# -- reading -----------------------------------------------------------------------------------------------------------


def test_comments_gaps_and_spacing_do_not_matter() -> None:
    map = read_map("# a map\n\ntitle:  Two   words\n" + "\n\n".join(row.replace(" ", "") for row in ROWS))
    assert (map.title, map.kinds) == ("Two words", STRIPES.kinds)


BROKEN = {
    "": "no title",
    "\n".join(ROWS): "no title",
    "title: Some": "this one has no rows",
    text(ROWS[:11]): "11 rows of 12",
    text([*ROWS[:3], "D D D", *ROWS[4:]]): "line 5: 3 parcels, but the rows above have 12",
    text([*ROWS[:3], ROWS[3].replace("P", "X", 1), *ROWS[4:]]): "line 5: 'X' is not a kind of parcel",
    text([row + " D" for row in ROWS]): "12 rows of 13",
    text([without_river(row) for row in ROWS]): "there is no river",
    text([*ROWS[:11], without_river(ROWS[11])]): "does not cross the map",
    text([*ROWS[:5], without_river(ROWS[5]), *ROWS[6:]]): "the river is in pieces: f7",
    text([row.replace("P", "C") for row in ROWS]): "no diamond field",
    text(["D C F P R R R R C P D D"] * 4 + ROWS[4:]): "sector 1,2 has 0 parcels of land",
    text([*ROWS[:6], "D C F P F D R F C P D D", *["D C F P F D R F C P D D"] * 5]): "in pieces: g7",
}


@pytest.mark.parametrize(("broken", "message"), BROKEN.items(), ids=BROKEN.values())
def test_what_is_wrong_with_a_map_is_said(broken: str, message: str) -> None:
    with pytest.raises(MapError, match=message):
        read_map(broken)


def test_a_river_may_run_from_west_to_east() -> None:
    columns = [row.split() for row in ROWS]
    turned = [" ".join(column) for column in zip(*columns, strict=True)]
    assert read_map(text(turned)).kinds.count("R") == 12


def test_maps_that_do_not_come_with_the_game_are_refused() -> None:
    with pytest.raises(MapError, match="no map called"):
        shipped("antwerp")
    for strange in (Map("x", 5, "D" * 25), Map("x", 12, "D" * 100)):
        with pytest.raises(MapError, match=r"^a map has 24 rows of 24 parcels, or 12 rows of 12$"):
            check(strange)
    with pytest.raises(MapError, match=r"^'x' at a1 is not a kind of parcel: write D, F, C, P, R$"):
        check(Map("x", 12, "x" + STRIPES.kinds[1:]))


@given(st.text("DFCPR #:\ntitle", max_size=400))
def test_any_text_is_a_map_or_a_clear_error(anything: str) -> None:
    with pytest.raises(MapError, match=r"\w{2}"):
        read_map(anything)


# -- rolled maps -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(numbers, sides)
def test_every_rolled_map_is_a_good_one(rolled: tuple[int, ...], side: int) -> None:
    map = rolled_map(rolled, side)
    assert map.side == side
    assert check(map) is map
    assert read_map(write_map(map)) == map
    assert rolled_map(rolled, side) == map
    land = len(map.kinds) - map.kinds.count("R")
    for kind, percent in (("F", 32), ("C", 14), ("P", 5)):
        assert map.kinds.count(kind) == land * percent // 100


SAME = (
    "DDDDPPRRRFFD"
    "DDDDDDRRRFFF"
    "DDDDRRRFFFFF"
    "DDDDRCDFDFFD"
    "DRRRRCDDDDDD"
    "RRFFRCCCCDDP"
    "RDFFRCCPPCDD"
    "DFFFRCDDCCCD"
    "DDFFRDDFFCCD"
    "DDFDRRRFFCDD"
    "DDFFFFRRFFDD"
    "DDDFFFFRRDDD"
)
"""The small map of the numbers 1, 2, 3, 4."""
FIRST = 577


def test_rolled_maps_are_the_same_everywhere() -> None:
    map = rolled_map((1, 2, 3, 4), 12)
    assert map.kinds == SAME
    assert [Dice((1, 2, 3, 4)).below(1000) for _ in range(2)] == [FIRST, FIRST]


@pytest.mark.parametrize(
    ("side", "digest"),
    [
        (12, "f2df9941ef44d89b0feeb8d2f9c679e7cbbdba60741cd88d0e30bf520e147cbd"),
        (24, "7a6e64a3815d2b0e40e0726518587f70d58081f8592972157b32224b7e5b7dbb"),
    ],
)
def test_no_rolled_map_ever_changes(side: int, digest: str) -> None:
    """Records of games on rolled maps hold their numbers alone."""
    kinds = "".join(rolled_map((n, 0, 7, n * n), side).kinds for n in range(20))
    assert hashlib.sha256(kinds.encode()).hexdigest() == digest


@pytest.mark.slow
def test_other_numbers_give_other_maps_and_rivers_of_both_directions() -> None:
    rng = Random(5)
    rolls = [tuple(rng.randrange(LIMIT) for _ in range(NUMBERS)) for _ in range(60)]
    maps = [rolled_map(roll, 24) for roll in rolls]
    assert len({map.kinds for map in maps}) == len(maps)
    for place in range(NUMBERS):
        other = [*rolls[0]]
        other[place] ^= 1
        assert rolled_map(other, 24) != maps[0]
    ends = [{parcel // 24 for parcel, kind in enumerate(map.kinds) if kind == "R"} >= {0, 23} for map in maps]
    assert {*ends} == {True, False}
    edges = {
        sum(kind == "R" and (p % 24 in (0, 23) or p // 24 in (0, 23)) for p, kind in enumerate(m.kinds)) for m in maps
    }
    assert len(edges) > 2, "no map has a tributary"


def test_the_dice_of_maps_are_even() -> None:
    dice = Dice((9, 9, 9, 9))
    counts = [0] * 7
    for _ in range(7000):
        counts[dice.below(7)] += 1
    assert all(850 < count < 1150 for count in counts)
    assert {dice.between(-1, 1) for _ in range(60)} == {-1, 0, 1}
