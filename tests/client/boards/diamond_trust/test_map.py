"""The map of Angola: its raster at every size, where names and agents stand, what can be touched."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import pytest

from kimberley.client.boards.diamond_trust.form import AgentAt, Stepper
from kimberley.client.boards.diamond_trust.layout import layout
from kimberley.client.boards.diamond_trust.lower_screen import draw_form_buttons, draw_map, stepper_box
from kimberley.client.boards.diamond_trust.map_background import REGION_COLORS, ground
from kimberley.client.boards.diamond_trust.map_geometry import LARGE, SMALL, WIDEST_UPRIGHT, CellSpot, angola, places
from kimberley.client.boards.diamond_trust.map_raster import SAMPLES, WILD, characters, dotted, raster
from kimberley.client.boards.diamond_trust.scene import LineStyle, Piece, Scene, Tag, Trip, Where, draw_scene, on_side
from kimberley.client.ui.buttons import Button
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.geometry import Area
from kimberley.client.ui.palette import Depth, Dimmed, Palette, Tint
from kimberley.client.ui.spans import Span
from kimberley.games.diamond_trust.angola import HOME, REGIONS
from tests.support.effort import first_is_quick, spread

SIZES = [
    SMALL, (100, 24), LARGE, (104, 35), (80, 26), (71, 22), (160, 50), (80, 40), (120, 17), (40, 18), (40, 17),
    (64, 26),
]  # fmt: skip
EMPTY = Scene(stocks=(1, 1, 1, 1, 2, 1), vaults=(2, 2), inspector=3)
EVERYBODY = replace(EMPTY, pieces=tuple(Piece(seat, agent, HOME) for seat in (0, 1) for agent in range(3)))


def drawn(scene: Scene, size: tuple[int, int] = SMALL, depth: Depth = Depth.TRUE, ascii_only: bool = False) -> Canvas:
    canvas = Canvas(*size, Palette(depth), ascii_only=ascii_only)
    draw_scene(canvas, scene)
    return canvas


def test_the_polygons_share_their_edges() -> None:
    drawing = angola()
    sides: dict[frozenset[tuple[float, float]], int] = {}
    for polygon in drawing.regions:
        assert polygon[0] == polygon[-1]
        for pair in pairwise(polygon):
            sides[frozenset(pair)] = sides.get(frozenset(pair), 0) + 1
    drawn_edges = {frozenset(pair) for edge in drawing.edges for pair in pairwise(edge)}
    assert set(sides) == drawn_edges
    assert set(sides.values()) == {1, 2}


@pytest.mark.parametrize("size", first_is_quick(*SIZES))
def test_every_region_has_its_share_of_the_map(size: tuple[int, int]) -> None:
    pixels = raster(*size)
    counts = [sum(row.count(region) for row in pixels.grounds) for region in range(len(REGIONS))]
    assert min(counts) > size[0] * size[1] * 2 // 60
    assert all(sum(samples for _, samples in mix) == SAMPLES**2 for row in pixels.mixes for mix in row)


@pytest.mark.parametrize("size", first_is_quick(*SIZES))
def test_badges_stand_in_their_own_region(size: tuple[int, int]) -> None:
    layout, pixels = places(*size), raster(*size)
    for region, where in enumerate(layout.regions):
        for slot in where.slots[:2]:
            hit = [pixels.region(slot.column + shift, slot.row) for shift in range(3)]
            assert hit.count(region) >= 2, (REGIONS[region], slot)
        assert pixels.region(where.name.column + 1, where.name.row) in (region, None)


@pytest.mark.parametrize("size", SIZES)
def test_names_stocks_and_badges_do_not_cover_each_other(size: tuple[int, int]) -> None:
    layout = places(*size)
    taken: dict[CellSpot, str] = {}

    def claim(spot: CellSpot, room: int, what: str) -> None:
        for column in range(spot.column, spot.column + room):
            cell = CellSpot(column, spot.row)
            assert cell not in taken, f"{what} covers {taken[cell]}"
            assert 0 <= column < size[0]
            assert 0 <= spot.row < size[1]
            taken[cell] = what

    for name, where in zip(REGIONS, layout.regions, strict=True):
        claim(where.name, len(name), name)
        claim(where.stock, 4, f"stock of {name}")
        for slot, room in zip(where.slots, (4, 4, 4), strict=True):
            claim(slot, room, f"badge in {name}")
            claim(CellSpot(slot.column, slot.row - 1), 3, f"head in {name}")
    for home in layout.homes:
        for spot in home:
            claim(spot, 3, "badge at home")


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("depth", list(Depth))
def test_everything_on_the_map_is_there_at_every_depth(depth: Depth, ascii_only: bool) -> None:
    scene = replace(
        EMPTY,
        pieces=(Piece(0, 0, 2, heart=True), Piece(1, 1, 2, waving=True), Piece(0, 1, HOME), Piece(1, 0, HOME)),
        tags=(Tag(0, 1, 0, (on_side(0, "→[2] $3"),), Where.SLOT),),
        trips=(Trip(LineStyle.LONDON, 0, 1, HOME, 0), Trip(LineStyle.TOLD, 1, 1, 2, 4)),
        dark=frozenset({4}),
    )
    canvas = drawn(scene, depth=depth, ascii_only=ascii_only)
    text = "\n".join(canvas.lines())
    heart, arrow, frozen = ("H", ">", "#") if ascii_only else ("♥", "→", "✗")
    for expected in (*REGIONS, "(Huila)", f"[1]{heart}", "(2)", "[2]", "(1)", f"{arrow}[2] $3", f"{frozen}1", "UN"):
        assert expected in text
    if ascii_only:
        assert text.isascii()


def test_without_color_the_regions_are_outlines() -> None:
    assert any(cell > "⠀" for row in dotted(*SMALL) for cell in row if cell != " ")
    assert set("".join(characters(*SMALL))) == set(" /\\|-~.")


def test_only_24_bit_mixes_its_borders() -> None:
    def colors(depth: Depth) -> set[object]:
        canvas = ground(*SMALL, Palette(depth), False, frozenset()).canvas
        return {canvas.cell(x, y).style.bg for x in range(60) for y in range(7, 17)}

    smooth = {color for color in colors(Depth.TRUE) if isinstance(color, Tint) and color.role == "border"}
    assert len(smooth) > 20
    assert not {color for color in colors(Depth.INDEXED) if isinstance(color, Tint) and color.role == "border"}


def test_text_stands_on_the_flat_color_of_its_region() -> None:
    canvas = drawn(EMPTY)
    for region, where in enumerate(places(*SMALL).regions):
        for shift in range(len(REGIONS[region])):
            cell = canvas.cell(where.name.column + shift, where.name.row)
            assert cell.style.bg == REGION_COLORS[region]


def test_in_sixteen_colors_names_stand_on_black() -> None:
    canvas = drawn(EMPTY, depth=Depth.BASIC)
    for where in places(*SMALL).regions:
        assert canvas.cell(where.name.column, where.name.row).style.bg == "ink"


def test_a_region_that_cannot_be_chosen_is_dark_and_in_parentheses() -> None:
    canvas = drawn(replace(EMPTY, dark=frozenset({0})))
    where = places(*SMALL).regions[0]
    assert "(Uige)" in canvas.lines()[where.name.row]
    assert isinstance(canvas.cell(where.slots[1].column + 1, where.slots[1].row).style.bg, Dimmed)


@pytest.mark.parametrize("size", first_is_quick(*SIZES))
def test_what_is_touched_is_what_is_seen(size: tuple[int, int]) -> None:
    canvas = drawn(EVERYBODY, size)
    layout, pixels = places(*size), raster(*size)
    for region, where in enumerate(layout.regions):
        at = next(
            (x, y)
            for y in range(where.slots[0].row, where.slots[0].row + 2)
            for x in range(where.slots[0].column, where.slots[0].column + 4)
            if pixels.region(x, y) == region
        )
        assert canvas.touched(*at) == ("region", region)
    spot = layout.homes[1][2]
    assert canvas.touched(spot.column + 1, spot.row) == ("agent", 1, 2)
    assert canvas.touched(spot.column + 1, spot.row - 1) == ("agent", 1, 2)
    assert canvas.touched(1, 1) == ("home", 0)
    inspector = layout.regions[3].slots[2]
    assert canvas.touched(inspector.column + 1, inspector.row) == ("inspector",)
    wild = next(x for x in range(size[0]) if pixels.grounds[2 * size[1] - 1][x] == WILD)
    assert canvas.touched(wild, size[1] - 1) is None


def test_a_tag_takes_the_free_slot_and_else_finds_room_beside() -> None:
    slot = places(*SMALL).regions[2].slots[0]
    tag = Tag(0, 1, 2, (on_side(0, "→[2] $3"),), Where.SLOT)
    free = drawn(replace(EMPTY, tags=(tag,)))
    assert free.lines()[slot.row][slot.column :].startswith("→[2] $3")
    taken = drawn(replace(EMPTY, tags=(tag,), pieces=(Piece(0, 0, 2),)))
    assert taken.lines()[slot.row][slot.column :].startswith("[1]")
    assert "→[2] $3" in "\n".join(taken.lines())


@pytest.mark.parametrize(("size", "region"), spread(7, product(SIZES, range(HOME))))
def test_a_cell_of_the_map_stays_between_the_inspector_and_all_that_stands_beside_him(
    size: tuple[int, int], region: int
) -> None:
    pieces = tuple(Piece(seat, seat, region, heart=True, carries=12) for seat in (0, 1))
    tags = (
        Tag(0, 0, region, (on_side(0, "stays $12"), on_side(0, " UN $3")), Where.BESIDE),
        Tag(1, 1, region, (on_side(1, "stays $2"),), Where.BESIDE),
        Tag(0, 2, region, (on_side(0, "→[3] $14"),), Where.SLOT),
    )
    canvas = drawn(replace(EMPTY, inspector=region, pieces=pieces, tags=tags), size)
    alone = drawn(replace(EMPTY, inspector=region), size)
    spot = places(*size).regions[region].slots[2]
    for column in range(spot.column - 1, spot.column + 5):
        assert canvas.cell(column, spot.row) == alone.cell(column, spot.row), canvas.lines()[spot.row]
    assert " UN" in alone.lines()[spot.row][spot.column :]


LANDSCAPE = [size for size in SIZES if size[0] > WIDEST_UPRIGHT]


@pytest.mark.parametrize("size", LANDSCAPE)
def test_nothing_is_hidden_behind_the_buttons(size: tuple[int, int]) -> None:
    canvas = Canvas(*size)
    draw_form_buttons(canvas, (Button("Done", "d"), Button("Undo", "u")))
    behind = {
        (column, row)
        for column in range(canvas.width)
        for row in range(canvas.height)
        if canvas.cell(column, row).style.bg != "ink" or canvas.cell(column, row).char != " "
    }
    for region in range(HOME):
        pieces = tuple(Piece(seat, seat, region, heart=True, carries=12) for seat in (0, 1))
        for parts in ((on_side(0, "→[3] $14"), on_side(0, " UN $13")), (on_side(0, "→[3] $1"),)):
            tags = (
                Tag(0, 2, region, parts, Where.SLOT),
                Tag(1, 1, region, (on_side(1, "stays $14"),), Where.BESIDE),
            )
            before = drawn(replace(EMPTY, inspector=region), size)
            after = drawn(replace(EMPTY, inspector=region, pieces=pieces, tags=tags), size)
            assert not [cell for cell in behind if before.cell(*cell) != after.cell(*cell)], REGIONS[region]
        assert all(REGIONS[each] in "\n".join(before.lines()) for each in range(HOME))
        assert not [cell for cell in behind if before.cell(*cell).char not in " ▀▄█▌▐"]


@pytest.mark.parametrize("size", LANDSCAPE)
def test_the_stepper_stands_beside_its_agent_and_hides_neither_it_nor_buttons(size: tuple[int, int]) -> None:
    at = places(*size)
    for case in product((0, 1), range(HOME + 1), (2, 3, 4)):
        seat, place, notes = case
        spot = at.slot(seat, 1, place)
        box = stepper_box(*size, Stepper("Offer", 3, 9, "$", ("note",) * notes, AgentAt(seat, 1, place)))
        assert 0 <= box.left < box.right <= size[0], case
        assert 0 <= box.top < box.bottom <= size[1], case
        assert not any(map(box.meets, at.buttons)), case
        assert not box.meets(Area(spot.column - 1, spot.row - 1, 5, 2 + at.legs)), case
        away = max(box.left - spot.column - 3, spot.column - box.right), max(box.top - spot.row, spot.row - box.bottom)
        assert away[0] <= 13, case
        assert away[1] <= 5, case


def test_trips_show_whose_they_are() -> None:
    """London's line has dashes of three, Antwerp's single dots."""

    def runs(line: LineStyle, seat: int, ascii_mark: str) -> list[int]:
        canvas = drawn(replace(EMPTY, trips=(Trip(line, seat, 0, 4, 3),)), ascii_only=True, depth=Depth.NONE)
        return [len(run) for row in canvas.lines() for run in row.replace("~", " ").split() if set(run) == {ascii_mark}]

    assert 3 in runs(LineStyle.LONDON, 0, "=")
    assert set(runs(LineStyle.ANTWERP, 1, ":")) == {1}


def test_an_agent_at_home_that_is_chosen_and_won_over_leaves_the_frame_of_its_home_whole() -> None:
    for seat in (0, 1):
        won = replace(EMPTY, pieces=(Piece(seat, 2, HOME, heart=True, chosen=True),))
        inset = places(*SMALL).insets[seat]
        edges = {line[column] for line in drawn(won).lines()[inset.top + 1 : inset.bottom - 1]
                 for column in (inset.left, inset.right - 1)}  # fmt: skip
        assert edges == {"│"}


def test_a_trip_is_drawn_as_far_as_it_has_got() -> None:
    def length(progress: float) -> int:
        trip = Trip(LineStyle.LONDON, 0, 0, HOME, 3, progress)
        text = "".join(drawn(replace(EMPTY, trips=(trip,)), ascii_only=True, depth=Depth.NONE).lines())
        return text.count("=")

    assert length(0.0) == 0
    assert 0 < length(0.5) < length(1.0)


def test_legs_appear_where_there_is_room() -> None:
    small, large = drawn(EVERYBODY, SMALL), drawn(EVERYBODY, LARGE)
    for canvas, legs in ((small, False), (large, True)):
        spot = places(canvas.width, canvas.height).homes[0][0]
        row = canvas.lines()[spot.row + 1]
        assert (row[spot.column : spot.column + 3] in ("▀ ▀", "▀▀▀")) is legs


LINES = ((LineStyle.LONDON, "your plan"), (LineStyle.TOLD, "revealed by ♥"))


@pytest.mark.parametrize("palette", [Palette(Depth.NONE), Palette(Depth.TRUE), None])
def test_a_sign_tells_lines_apart_with_and_without_color(palette: Palette | None) -> None:
    canvas = Canvas(120, 40, palette, ascii_only=True) if palette is None else Canvas(120, 40, palette)
    draw_map(canvas, EMPTY, ((LineStyle.ANTWERP, "your plan"), (LineStyle.TOLD, "revealed by ♥")))
    rows = canvas.lines()
    own, told = (next(row for row in rows if text in row).split(text)[0][-5:] for text in ("your plan", "revealed by"))
    assert own != told


@pytest.mark.parametrize("size", [size for size in SIZES if size[0] > WIDEST_UPRIGHT])
def test_no_plan_stands_behind_what_the_lines_mean(size: tuple[int, int]) -> None:
    reported = (on_side(1, "→(2)"), Span("♥", "heart", True, "border"), Span(" $9 UN $12", "money", True, "border"))
    for region in range(len(REGIONS)):
        scene = replace(
            EMPTY, inspector=region, pieces=(Piece(0, 1, region), Piece(1, 0, 5)),
            tags=(
                Tag(0, 1, region, (on_side(0, "stays $9"),), Where.BESIDE),
                Tag(1, 1, region, reported, Where.SLOT), Tag(1, 0, 5, (on_side(1, "stays $18"),), Where.BESIDE),
            )[: 2 if region == 5 else 3],
        )  # fmt: skip
        canvas = Canvas(*size, Palette(Depth.TRUE))
        draw_map(canvas, scene, LINES)
        rows = canvas.lines()
        assert any("→(2)♥ $9 UN $12" in row for row in rows), REGIONS[region]
        assert all(any(text in row for row in rows) for _, text in LINES)


def test_on_a_phone_a_reported_order_does_not_cover_the_own_one() -> None:
    reported = (on_side(1, "→(1)"), Span("♥", "heart", True, "border"), Span(" $3 UN $1", "money", True, "border"))
    for region, name in enumerate(REGIONS):
        own = Tag(0, 1, region, (on_side(0, "stays $9"),), Where.BESIDE)
        scene = replace(
            EMPTY,
            inspector=region,
            pieces=(Piece(0, 1, region), Piece(1, 0, (region + 1) % len(REGIONS))),
            tags=(own, Tag(1, 0, region, reported, Where.SLOT)),
        )
        canvas = Canvas(40, 18, Palette(Depth.TRUE))
        draw_map(canvas, scene)
        rows = canvas.lines()
        assert any("stays $9" in row for row in rows), name
        assert any("→(1)♥ $3 UN $1" in row for row in rows), name


@pytest.mark.parametrize(
    ("size", "side", "columns", "log"),
    [
        ((80, 24), False, False, False),
        ((99, 40), False, False, False),
        ((100, 34), False, True, False),
        ((120, 40), False, True, False),
        ((140, 45), False, True, True),
        ((120, 28), True, False, False),
        ((111, 24), True, False, False),
        ((110, 29), False, False, False),
    ],
)
def test_the_arrangement_follows_the_size(size: tuple[int, int], side: bool, columns: bool, log: bool) -> None:
    at = layout(*size)
    assert (at.side, at.columns, at.log is not None) == (side, columns, log)
    assert at.board.bottom == size[1] - 1
    assert at.board.width >= 71
    assert at.board.height >= 17
    assert at.board.right == (at.log.left if at.log else size[0])
