"""How the board of the land game is drawn, at every size."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

import pytest

from kimberley.client.boards.bubble import NEXT
from kimberley.client.boards.land.help_text import TITLE
from kimberley.client.boards.land.layout import BUTTON_ROWS, CARD_ROWS, LEAST_SECTOR, TOP, layout
from kimberley.client.boards.land.overview import MODES, scale_for
from kimberley.client.boards.land.parcel_style import CLASS_WORDS, WORDS, Plot, short_price
from kimberley.client.boards.land.phrases import explain_changes
from kimberley.client.boards.land.sector import SectorView, about, draw_title
from kimberley.client.boards.land.words import bankruptcy
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.geometry import Area
from kimberley.client.ui.palette import Depth, contrast
from kimberley.games.bots.levels import make_bot
from kimberley.games.land import GAME
from kimberley.games.land.accounts import revenue_of, tax_of
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.maps import SECTOR
from kimberley.games.land.money import K
from kimberley.games.land.rules import State
from kimberley.games.table import Observation, Result, evolve
from tests.support.effort import each_once, first_is_quick, spread
from tests.support.land import STRIPES
from tests.support.land_player import SIZES, Player, playing, rich
from tests.support.land_table import LandTable
from tests.support.overwritten import noting_overwritten

EXTREMES = [SIZES[0], SIZES[-1]]


def test_a_parcel_tells_what_it_would_connect() -> None:
    owners, price = {"g1": 1, "h1": 0, "i1": 0, "k1": 0}, 400
    plots = [Plot(STRIPES.kind(parcel), GOVERNMENT, price) for parcel in range(len(STRIPES.kinds))]
    for name, owner in owners.items():
        plots[STRIPES.parcel(name)] = Plot(STRIPES.kind(STRIPES.parcel(name)), owner, price, owner == 1)
    view = SectorView(STRIPES, plots, (0, 1), ("ana", "ben"), 0)
    g, h, i = map(STRIPES.parcel, ("g1", "h1", "i1"))
    assert view.links(g) == {h, i}
    assert view.brings(g) == sum(revenue_of(STRIPES, parcel) for parcel in (g, h, i)) - tax_of(price)
    short, *full = about(view, g)
    assert short == "g1 connects 2 of your parcels"
    assert full[-1].startswith("It would earn ")
    assert " and connect 2 of your parcels: " in full[-1]
    assert not view.links(h)
    assert not view.links(STRIPES.parcel("g3"))
    assert not replace(view, you=1).links(g)


def test_a_parcel_promises_nothing_a_turn_where_no_turn_follows() -> None:
    player = playing(seats=2, size=(120, 40), options={"turns": 25})
    told = []
    while player.table.own.result is None:
        told.append(" tax a turn" in " ".join(" ".join(line[:68] for line in player.lines()).split()))
        player.table.play.choose(())
    player.press("right")
    assert ", government land. Price " in player.prose()
    assert "tax a turn" not in player.prose()
    assert told == [True] * 24 + [False], told


@pytest.mark.parametrize(
    ("play", "room", "said"),
    [
        (None, 60, "Sector 1,1"),
        ((2, 1), 36, "Sector 1,1 look only: 3,2 is in play"),
        ((2, 1), 35, "Sector 1,1 in play: 3,2"),
    ],
)
def test_a_sector_that_is_only_looked_at_says_which_one_is_in_play(
    play: tuple[int, int] | None, room: int, said: str
) -> None:
    view = SectorView(STRIPES, (), (0, 0), ("ana", "ben"), 0, play=play)
    canvas = Canvas(room, 1)
    draw_title(canvas, 0, 0, view, room)
    assert canvas.lines() == [said]
    canvas = Canvas(room, 1)
    draw_title(canvas, 0, 0, replace(view, over=True), room)
    assert canvas.lines() == ["Sector 1,1"]


@pytest.mark.parametrize("size", SIZES)
def test_nothing_overlaps_at_any_size(size: tuple[int, int]) -> None:
    for case in product([24, 12], [2, 3, 4, 6]):
        side, seats = case
        where = layout(*size, side, seats)
        sector = Area(1, TOP, where.cells.columns, where.cells.rows)
        buttons = Area(1, where.buttons, where.cells.columns, BUTTON_ROWS)
        log = [where.log] if where.log else []
        areas = [sector, where.card, buttons, where.heading, where.map, where.players, *log]
        cells = [(x, y) for x0, y0, wide, high in areas for x in range(x0, x0 + wide) for y in range(y0, y0 + high)]
        assert len(cells) == len(set(cells)), case
        assert all(0 <= x < size[0] and 2 <= y < size[1] - 1 for x, y in cells), case
        assert where.players.height == seats + 1, case
        assert where.card.height >= CARD_ROWS, case
        assert sector.width >= LEAST_SECTOR, case
        assert sector.width * sector.height > size[0] * size[1] * 0.25, case


@pytest.mark.parametrize("side", [24, 12])
def test_all_parcels_have_a_cell_of_the_map(side: int) -> None:
    scale = scale_for(side, 48, 12)
    assert (scale.columns, scale.rows) == (48, 12)
    for parcel in range(side * side):
        x, y = scale.place(parcel)
        assert scale.at(x, y) in (parcel, parcel - side * (parcel // side % 2))
        assert 0 <= x < 48
        assert 0 <= y < 12


@pytest.mark.parametrize("ascii_only", first_is_quick(False, True))
@pytest.mark.parametrize(("size", "depth"), each_once(EXTREMES, Depth))
def test_everything_is_there_at_every_size_and_depth(size: tuple[int, int], depth: Depth, ascii_only: bool) -> None:
    player = playing(size=size, seats=6)
    player.press("b")
    text = "\n".join(player.canvas(depth, ascii_only).lines())
    assert "Sector 5,4" in text
    assert len(re.findall(r"400\.0K", text)) == 1
    assert len(re.findall(r"500\.0K", text)) == 5
    assert "1 deal: 400K left" in text
    assert all(button in text for button in ("Buy b", "Sell s", "Set price p", "End turn d"))
    assert text.count("+8/turn") == 2
    assert text.isascii() or not ascii_only
    for mode in MODES:
        shown = "\n".join(player.overview(mode, depth, ascii_only=ascii_only)[0].lines())
        assert shown.isascii() or not ascii_only


@pytest.mark.parametrize("depth", [Depth.NONE, Depth.TRUE])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("owners", [1, 2, 6])
def test_the_legend_of_the_overview_is_cut_in_no_width(owners: int, mode: str, depth: Depth) -> None:
    state = rich(seats=6)
    assert state.map is not None
    land = state.land
    for seat in range(owners):
        land = land.priced(seat, seat, 10_000)
    player = playing(state=evolve(state, land=land), seats=6)
    for width in (40, 60, 80):
        player.size = (width, 30)
        legend = " ".join(player.overview(mode, depth)[0].lines()[3:5])
        assert "…" not in legend
        assert mode != "owner" or ("owners" if owners > 1 else "owner") in legend
        words = {"type": [*WORDS.values()], "price": [] if "prices in K" in legend else [*CLASS_WORDS]}.get(mode, [])
        assert not [word for word in words if f" {word} " not in legend], "each color has its word"


@pytest.mark.parametrize(("size", "depth"), spread(1, product(EXTREMES, [Depth.TRUE, Depth.INDEXED])))
def test_all_text_can_be_read_on_its_ground(size: tuple[int, int], depth: Depth) -> None:
    table = LandTable(6, level=3)
    player = Player(table, size)
    for _ in range(6):
        if table.own.asked is not None:
            table.play.choose(make_bot(GAME, 3, 5).choose(Observation(0, table.state, table.own.story)))
    player.press("a")
    pictures = [player.canvas(depth), *(player.overview(mode, depth)[0] for mode in MODES)]
    player.press("2")
    for canvas in (*pictures, player.canvas(depth)):
        assert faint(canvas) == []


def faint(canvas: Canvas) -> list[tuple[int, int, object]]:
    """Returns the cells of a canvas whose text is hard to read."""
    found: list[tuple[int, int, object]] = []
    for y in range(canvas.height):
        for x in range(canvas.width):
            cell = canvas.cell(x, y)
            if cell.char.strip() and cell.char not in "▀▄█":
                colors = dict(word.split(":") for word in canvas.palette.style(*cell.style).split() if ":" in word)
                fg, bg = (tuple(bytes.fromhex(colors[name][1:])) for name in ("fg", "bg"))
                if contrast(fg, bg) < 4.5:  # type: ignore[arg-type]
                    found.append((x, y, cell))
    return found


def test_without_colors_the_map_is_letters_and_the_sector_is_reversed() -> None:
    player = playing()
    canvas, area = player.overview("type", Depth.NONE)
    rows = canvas.lines()[area.y : area.y + 12]
    state = player.table.state
    assert state.map is not None
    signs = {"D": "·", "F": "F", "C": "C", "P": "P", "R": "~"}
    for parcel in range(24 * 24):
        row, column = divmod(parcel, 24)
        assert rows[row // 2][area.x + 2 * column + row % 2] == signs[state.map.kind(parcel)]
    top, left = 4 * SECTOR // 2 + area.y, 3 * SECTOR * 2 + area.x
    grounds = {canvas.cell(x, y).style.bg for x in range(left, left + 8) for y in range(top, top + 2)}
    assert grounds == {"paper", "ink"}


def test_the_frame_leaves_half_of_every_parcel_beside_the_sector() -> None:
    canvas, area = playing().overview("type")
    row, left = area.y + 4 * SECTOR // 2, area.x + 3 * SECTOR * 2
    assert canvas.cell(left - 1, row).style.fg == "paper"
    assert canvas.cell(left - 2, row).style.fg != "paper"
    assert canvas.cell(left + 8, row).style.fg == "paper"
    assert canvas.cell(left + 9, row).style.fg != "paper"


def test_the_frame_on_the_smallest_map_covers_nobodys_parcel() -> None:
    state = rich()
    assert state.map is not None
    land, beside = state.land, [f"{column}{row}" for column in "lq" for row in range(16, 22)]
    beside += [f"{column}{row}" for column in "mnop" for row in (16, 21)]
    beside = [name for name in beside if state.map.is_land(state.map.parcel(name))]
    for name in beside:
        land = land.priced(state.map.parcel(name), 0, K)
    player = playing(state=evolve(state, land=land))
    canvas, where = player.canvas(), layout(80, 24, 24, 3)
    assert len(beside) > 4
    for name in beside:
        x, y = where.scale.place(player.map_parcel(name))
        style = canvas.cell(where.map.left + x, where.map.top + y).style
        red, green, blue = canvas.palette.rgb(style.bg if player.map_parcel(name) // 24 % 2 else style.fg)
        assert red > 1.3 * max(green, blue), name


def test_all_prices_are_there_at_once_where_there_is_room() -> None:
    player = playing(size=(100, 34))
    canvas, area = player.overview("price")
    state = player.table.state
    assert state.map is not None
    rows = canvas.lines()[area.y : area.y + 24]
    for parcel in range(24 * 24):
        row, column = divmod(parcel, 24)
        shown = rows[row][area.x + 3 * column : area.x + 3 * column + 3].strip()
        assert shown == ("" if state.map.kind(parcel) == "R" else str(state.land.price(parcel) // 100))


@pytest.mark.parametrize("size", SIZES)
def test_land_is_in_its_owners_color_in_the_sector_and_on_the_map(size: tuple[int, int]) -> None:
    player = playing(size=size)
    player.press("b right")
    canvas, where = player.canvas(), layout(*size, 24, 3)
    deed = next(hit for hit in canvas.hits if hit.action == ("parcel", player.map_parcel("m17")))
    x, y = where.scale.place(player.map_parcel("m17"))
    assert "▲ you" in player.text()
    assert canvas.cell(deed.x + 2, deed.y + deed.height - 1).style.bg == "seat1"
    pixel = canvas.cell(where.map.left + x, where.map.top + y).style
    land = pixel.fg if where.scale.half == 1 else pixel.bg
    red, green, blue = canvas.palette.rgb(land)
    assert red > 1.3 * max(green, blue)


@pytest.mark.parametrize(
    ("price", "room", "text"),
    [(3000, 3, "30"), (250, 3, "2.5"), (231, 3, "2.3"), (231, 4, "2.31"), (99, 3, ".99"), (1050, 3, "10"),
     (99900, 3, "999"), (0, 3, "0"), (50, 2, ".5"), (231, 2, "2"), (12345, 6, "123.45"), (12345, 5, "123.5")],
)  # fmt: skip
def test_prices_are_shortened_to_their_room(price: int, room: int, text: str) -> None:
    assert short_price(price, room) == text


def test_the_smallest_terminal_has_all_buttons_and_a_word_on_the_parcel() -> None:
    player = playing(seats=4, dice=(2, 5))
    player.press("b right right right")
    assert "not connected, tax " in player.text()
    player.touch("End turn d")
    assert len(player.table.chosen) == 1


@pytest.mark.parametrize(
    ("columns", "other", "note"),
    [
        (140, "known", "ana and ben · round 1 "),
        (80, "known", "round 1 "),
        (140, "bot", "  against the computer · round 1 "),
    ],
)
def test_the_title_bar_names_the_turn_whole_whatever_else_has_room(columns: int, other: str, note: str) -> None:
    table = LandTable(2)
    table.put(acquaintance=("you", other))
    title = Player(table, (columns, 34)).lines()[0]
    assert f"{TITLE}  " in title
    assert note in title
    assert "…" not in title


def test_the_frame_of_a_sector_at_the_lower_edge_leaves_the_players_alone() -> None:
    row = next(row for row in playing(dice=(5, 0)).lines() if "cash" in row)
    assert row.split()[-2:] == ["cash", "/turn"]
    assert "▀" not in row[layout(80, 24, 24, 3).players.left :]


def test_long_names_have_room_beside_cash_in_whole_thousands() -> None:
    player = playing(seats=2)
    assert "500.0K" in player.text()
    player.screen.view.names = ("ana", "Florentine")
    text = player.text()
    assert "■B Florentine 500K" in " ".join(text.split())
    assert "500.0K" not in text


def test_a_name_without_room_gives_way_to_you() -> None:
    player = playing(seats=4)
    player.screen.view.names = ("Wilhelmina", "ben", "carla", "dmitri")
    assert "▲A you " in player.text()


def test_seats_that_are_out_stay_in_the_ledger() -> None:
    state = evolve(rich(seats=4), gone=((2, "bankrupt"), (3, "left")))
    player = playing(state=state, seats=4)
    text = player.text()
    assert "× bankrupt" in text
    assert "× resigned" in text


def test_who_resigns_reads_how_that_turn_began_and_nothing_of_a_first_turn() -> None:
    def resigned(player: Player) -> str:
        shown = player.screen.shown_at(player.ui.time)
        result = GAME.resignation_result(shown.state, (0,))
        canvas = Canvas(120, 40)
        player.screen.view.draw(canvas, replace(shown, form=None, live=False, waiting=(), result=result))
        return " ".join(" ".join(canvas.lines()).split())

    player = playing(seats=2)
    assert "your last turn" not in resigned(player)
    player.press("a b d")
    began = player.table.state.opening
    assert began is not None
    assert (began.seat, player.table.state.turn) == (0, 2)
    assert "revenue" in explain_changes(began)
    assert f"Before your last turn: {explain_changes(began)}." in resigned(player)


def test_each_resignation_is_told_once_at_the_end() -> None:
    state: State = evolve(rich(), gone=((1, "left"),)).leave(2)
    result = state.ask()
    assert isinstance(result, Result)
    shown = replace(playing().screen.shown_at(0.0), state=state, result=result, form=None, live=False)
    view = playing().screen.view
    said = "You have won: ben and carla resigned."
    assert view.strip(shown, 120) == ("THE END", said)
    assert view.strip(shown, 60) == ("THE END", said)


def test_whoever_is_bankrupt_is_told_so_and_who_has_won() -> None:
    names, ended = ("ana", "ben"), evolve(rich(seats=2), gone=((0, "bankrupt"),), over="B is the last player left")
    result = ended.ask()
    assert isinstance(result, Result)
    assert bankruptcy(ended, result, names, 0) == "You are bankrupt. ben has won."
    assert bankruptcy(ended, result, names, 1) == "ana is bankrupt. You have won."
    assert bankruptcy(evolve(ended, gone=((0, "left"),)), result, names, 0) == ""
    assert bankruptcy(evolve(ended, gone=()), result, names, 0) == ""


@pytest.mark.parametrize("size", spread(2, map(pytest.param, SIZES)))
def test_what_a_key_did_stands_below_what_is_said_of_the_parcel(size: tuple[int, int]) -> None:
    player = playing(size=size, state=rich())
    with noting_overwritten() as overwritten:
        for key in ("b", "5", "enter", "a", "a", "b"):
            player.press(key)
            player.canvas()
    assert not overwritten
    assert "! You already own m17." in player.text()


@pytest.mark.parametrize(("size", "seats"), spread(5, product(SIZES, [2, 6])))
def test_the_note_on_the_dice_leaves_the_cash_readable(size: tuple[int, int], seats: int) -> None:
    player = playing(size=size, seats=seats)
    player.screen.start_guide()
    player.canvas()
    player.click(NEXT)
    assert "The black die picks" in player.text()
    assert player.text().count("500.0K") == seats


def test_a_click_on_the_dice_leads_back_to_the_sector_in_play() -> None:
    player = playing(state=rich())
    player.press("up", "up", "up")
    assert "look only" in player.text() or "in play:" in player.text()
    player.click(("dice",))
    assert "black 5 white 4" in player.text()
