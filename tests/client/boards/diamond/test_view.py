"""The board of Diamond: the tiling, and games by keys, by clicks and by typing alone."""

from __future__ import annotations

from math import dist

import pytest

from kimberley.client.boards.diamond.board import DiamondUI
from kimberley.client.boards.diamond.events import parse_turn, ways_to_type
from kimberley.client.boards.diamond.panel import panel_width
from kimberley.client.boards.diamond.scene import EXAMPLE, Scene, draw_board
from kimberley.client.boards.diamond.tiling import Tiling, spot, tiling
from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.playback import LATE
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.hints import Hint
from kimberley.client.ui.palette import Depth, Palette
from kimberley.games.diamond.board import LINES, NAMED, NAMES, POINTS, SQUARES, names
from kimberley.games.diamond.notation import TurnNotationError
from kimberley.games.diamond.position import WHITE
from kimberley.games.diamond.rules import State
from kimberley.games.table import Result
from tests.support.diamond import at, moving, placing
from tests.support.diamond_table import DiamondTable
from tests.support.effort import each_once
from tests.support.player import ScreenPlayer

SIZES = [(80, 24), (100, 34), (120, 40), (140, 45), (120, 28), (200, 60), (81, 60)]
CAPTURE = moving("c6 a5 c5", "a6 h8 e5", "d3")


def board(size: tuple[int, int]) -> tuple[int, int]:
    """Columns and rows of the board on a terminal of this size."""
    columns, rows = size
    return columns - panel_width(columns), rows - 3


class Player(ScreenPlayer[DiamondTable, GameScreen]):
    """A player of Diamond."""

    def __init__(self, table: DiamondTable, size: tuple[int, int] = (80, 24), *, calm: bool = True) -> None:
        super().__init__(lambda table, ui: GameScreen(DiamondUI(), table, ui), table, size, calm=calm)

    def type(self, text: str) -> None:
        for character in text:
            assert self.screen.key(character)
        assert self.screen.key("enter")

    def click_points(self, *points: str) -> None:
        """Clicks in the middle of points."""
        for name in points:
            x, y = self.middle(name)
            self.click_at(x, y, expected=("point", NAMED[name]))

    def cell(self, name: str) -> tuple[str, object]:
        """What stands at a point, and its ground."""
        cell = self.canvas().cell(*self.middle(name))
        return cell.char, cell.style.bg

    def panel(self) -> str:
        """The text beside the board."""
        start = self.size[0] - panel_width(self.size[0])
        return " ".join(" ".join(line[start:].split()) for line in self.text().splitlines() if line[start:].strip())

    def middle(self, name: str) -> tuple[int, int]:
        """The cell in the middle of a point."""
        x, y = tiling(*board(self.size)).at[NAMED[name]]
        return x, y + 2


def playing(seat: int = 0, replies: str = "") -> Player:
    return Player(DiamondTable(seat, replies=replies))


def moved(state: State, replies: str = "", seat: int = 0) -> Player:
    return Player(DiamondTable(seat, state=state, replies=replies))


# -- the tiling --------------------------------------------------------------------------------------------------------


def test_all_lines_of_the_tiling_have_one_length() -> None:
    # The side of the tiling is 1 to three digits: 0.966 and 0.259 are the cosine and sine of 15 degrees.
    assert {round(dist(spot(a), spot(b)), 2) for a, b in LINES} == {1.0}


def meant(layout: Tiling, x: int, y: int) -> int | None:
    """The point that a click on a cell means."""
    return next((point for left, row, count, point in layout.areas if row == y and left <= x < left + count), None)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_every_point_has_a_place_of_its_own_at_every_size(columns: int, rows: int) -> None:
    layout = tiling(columns - 26, rows - 3)
    assert len(set(layout.at)) == POINTS
    for point, (x, y) in enumerate(layout.at):
        assert 2 <= x < layout.width - 2
        assert 0 <= y < layout.height - 1
        assert all(abs(x - other) > 4 or y != line for other, line in layout.at if (other, line) != (x, y))
        # A click on the point, or on a cell beside it, means the point.
        assert {meant(layout, x + dx, y + dy) for dx, dy in ((0, 0), (-2, 0), (2, 0), (0, 1), (0, -1))} <= {point, None}
        assert {meant(layout, x + dx, y) for dx in (-2, 0, 2)} == {point}


def runs_of(cells: set[tuple[int, int]]) -> int:
    """How many areas cells make that touch along an edge."""
    count = 0
    while cells:
        count += 1
        edge = [cells.pop()]
        while edge:
            x, y = edge.pop()
            beside = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & cells
            cells -= beside
            edge += beside
    return count


@pytest.mark.parametrize("depth", [Depth.TRUE, Depth.INDEXED, Depth.BASIC])
@pytest.mark.parametrize(("columns", "rows", "portrait"), [(*board(size), False) for size in SIZES] + [(40, 26, True)])
def test_no_two_squares_grow_together(columns: int, rows: int, portrait: bool, depth: Depth) -> None:
    canvas = Canvas(columns, rows, Palette(depth), portrait=portrait)
    draw_board(canvas, Scene())
    ink = canvas.palette.style("text", "ink")
    tinted = {
        (x, y)
        for x in range(columns)
        for y in range(rows)
        if canvas.palette.style("text", canvas.cell(x, y).style.bg) != ink
    }
    assert runs_of(tinted) == len(SQUARES)


def test_arrows_lead_to_every_point() -> None:
    layout = tiling(54, 21)
    reached, edge = {NAMED["d4"]}, [NAMED["d4"]]
    while edge:
        here = edge.pop()
        for way in ("up", "down", "left", "right"):
            there = layout.towards(here, way)
            if there not in reached:
                reached.add(there)
                edge.append(there)
    assert len(reached) == POINTS


# -- playing -----------------------------------------------------------------------------------------------------------


def test_pieces_are_placed_by_clicks_by_keys_and_by_typing() -> None:
    player = playing(replies="e5 e6 e7")
    assert "You are Black: choose an open point." in player.text()
    player.click_points("c4", "c4")
    player.press("enter up enter")
    player.type("G2")
    assert player.table.chosen[0] == "c4"
    assert player.table.chosen[2] == "g2"
    assert len(player.table.chosen) == 3


def test_a_click_that_would_end_the_turn_only_asks_and_a_second_one_ends_it() -> None:
    player = playing(replies="e5")
    player.click_points("c4")
    assert "Place on c4? Click again, or Enter." in player.text()
    assert player.cell("c4")[0] == "■"
    player.click_points("d4")
    assert "Place on d4?" in player.text()
    player.press("esc")
    assert "You are Black: choose an open point." in player.text()
    assert player.cell("d4")[0] == "•"
    assert player.table.chosen == []
    player.click_points("d4")
    player.press("enter")
    assert player.table.chosen == ["d4"]


def test_a_click_beside_a_point_means_the_point() -> None:
    player = playing()
    x, y = player.place(("point", NAMED["d4"]))
    assert (x, y + 1) != tiling(*board(player.size)).at[NAMED["d4"]]
    player.click_at(x, y)
    assert "Place on d4?" in player.text()


def test_the_keyboard_alone_reaches_and_places() -> None:
    player = playing()
    player.press("up down left right right enter")
    assert len(player.table.chosen) == 1


def test_white_is_offered_the_swap_and_goes_on_as_black() -> None:
    player = playing(seat=1, replies="d4 e5")
    assert "SWAP?" in player.text()
    player.touch("Swap sides s")
    assert "Swap and play Black? s again, or Enter." in player.text()
    assert player.table.chosen == []
    player.touch("Swap sides s")
    assert player.table.chosen == ["swap"]
    assert "You are Black" in player.text()


def test_the_swap_is_asked_for_by_one_key_and_made_by_the_next() -> None:
    for key in ("s", "enter"):
        player = playing(seat=1, replies="d4")
        player.press("s", key)
        assert player.table.chosen == ["swap"]


@pytest.mark.parametrize("instead", ["esc", "u", "up"])
def test_a_swap_that_is_only_asked_for_is_forgotten_by_another_key(instead: str) -> None:
    player = playing(seat=1, replies="d4")
    player.press("s", instead)
    assert "swap with s." in player.text()
    player.press("s")
    assert player.table.chosen == []


def test_a_click_on_a_point_after_the_question_of_the_swap_asks_for_that_point() -> None:
    player = playing(seat=1, replies="d4")
    player.press("s")
    player.click_points("e5")
    assert "Place on e5? Click again, or Enter." in player.text()
    player.click_points("e5")
    assert player.table.chosen == ["e5"]


def test_a_piece_is_picked_and_its_targets_and_captures_are_shown_and_explained() -> None:
    player = moved(at(CAPTURE))
    player.click_points("c6")
    text = player.text()
    assert "c6 selected: choose a point, or Esc." in text
    assert "b6  captures a6" in text
    assert "a5 and b6 corner a6" in text
    assert player.cell("c6")[1] == "ice"
    assert player.cell("b6") == ("×", "alarm")
    assert player.cell("c7")[1] == "ok"
    player.click_points("b6")
    assert "c6-b6 captures a6? Click again, or Enter." in player.text()
    player.click_points("b6")
    assert player.table.chosen == ["c6-b6*"]
    assert player.cell("a6") == ("◆", "alarm")


def test_two_cornered_at_once_are_said_to_be_safe() -> None:
    player = moved(at(moving("d5 f4", "d4 e5")))
    player.click_points("f4")
    assert "captures none" in player.text()
    assert "e4 corners d4 and e5" in player.panel()


def test_a_picked_piece_is_put_back_or_exchanged_for_another() -> None:
    player = moved(at(CAPTURE))
    for key in ("u", "esc"):
        player.click_points("c6")
        player.press(key)
        assert "choose a piece to move" in player.text()
    player.click_points("c6", "c6")
    assert "choose a piece to move" in player.text()
    player.click_points("c6", "a5")
    assert "a5 selected" in player.text()
    assert player.table.chosen == []


def test_a_neutral_piece_that_stands_alone_is_removed() -> None:
    player = moved(at(CAPTURE))
    assert player.cell("d3") == ("◆", "ok")
    player.click_points("d3")
    assert "Remove d3? Click again, or Enter." in player.text()
    player.click_points("d3")
    assert player.table.chosen == ["(d3)"]


@pytest.mark.parametrize(
    ("clicks", "said"),
    [
        (("e5",), "e5 is not your piece."),
        (("e4",), "Choose a piece first"),
        (("c6", "h2"), "No line joins c6 and h2"),
        (("c6", "c5"), "c5 selected"),
    ],
)
def test_what_is_not_possible_is_said_with_its_rule(clicks: tuple[str, ...], said: str) -> None:
    player = moved(at(CAPTURE))
    player.click_points(*clicks)
    assert said in player.text()
    assert player.table.chosen == []


def test_what_is_typed_is_refused_with_its_rule() -> None:
    player = moved(at(CAPTURE))
    player.type("c6-h2")
    assert "No line joins c6 and h2" in player.text()
    player.press("u")
    player.type("b6")
    assert "Not possible" in player.text()


def test_a_point_that_is_typed_is_one_that_is_clicked() -> None:
    player = moved(at(CAPTURE))
    player.type("c6")
    assert "c6 selected" in player.text()
    assert player.table.chosen == []
    player.type("B6")
    assert player.table.chosen == ["c6-b6*"]


def test_a_typed_point_where_nothing_can_be_done_is_refused_with_its_reason() -> None:
    player = moved(at(CAPTURE))
    player.type("e4")
    assert "Choose a piece first" in player.text()
    player.type("d3")
    assert player.table.chosen == ["(d3)"]


def test_after_a_refusal_the_next_letter_begins_another_turn() -> None:
    player = moved(at(CAPTURE))
    player.type("b6")
    assert "Not possible" in player.text()
    player.type("c6-b6*")
    assert player.table.chosen == ["c6-b6*"]


def test_pasted_text_takes_the_place_of_what_was_refused() -> None:
    player = moved(at(CAPTURE))
    player.type("b6")
    assert player.screen.paste("c6-b6")
    player.press("enter")
    assert player.table.chosen == ["c6-b6*"]


def test_a_refusal_leaves_the_warning_in_sight_and_names_what_this_phase_knows() -> None:
    player = moved(at(placing("e2 e3 f2", "a1 b5")), seat=1)
    player.type("aa")
    assert "Cannot read 'aa': type a point (such as b2)." in player.panel()
    assert "Black needs only f3 for a square: place there or you lose." in player.panel()
    player.type("e2")
    assert "e2 is occupied by a black piece. Black needs only f3" in player.panel()


@pytest.mark.parametrize(
    ("state", "typed"),
    [
        (State(first=0), "a point (such as b2)"),
        (at(CAPTURE), "a move (such as b1-b2) or (b3) to remove a piece"),
        (at(moving("c6 a5", "a6 h8")), "a move (such as b1-b2)"),
    ],
)
def test_what_could_be_typed_follows_the_phase(state: State, typed: str) -> None:
    assert ways_to_type(state) == typed


@pytest.mark.parametrize("typed", ["c6-b6", "c6b6", "C6 b6", "c6-b6*", "c6xb6"])
def test_a_move_may_be_typed_loosely(typed: str) -> None:
    assert parse_turn(at(CAPTURE), typed) == "c6-b6*"
    assert parse_turn(at(CAPTURE), f"{typed} =") == "c6-b6* ="


def test_what_cannot_be_understood_is_said() -> None:
    for typed in ("", "zz", "c6-", "(c6", "=", "swap"):
        with pytest.raises(TurnNotationError):
            parse_turn(at(CAPTURE), typed)


def test_a_draw_is_offered_along_with_a_move() -> None:
    player = playing(replies="e5 e6")
    player.press("=")
    assert "Your next move will" in player.text()
    player.click_points("d4", "d4")
    player.press("= =")
    player.click_points("d3", "d3")
    assert player.table.chosen == ["d4 =", "d3"]


def test_a_pending_draw_is_shown_and_its_refusal_told_to_the_one_who_offered() -> None:
    player = playing()
    player.press("= d 4 enter")
    (request,) = player.screen.requests()
    assert (request.head, request.buttons) == ("You offered a draw.", ())
    assert request.text == "ben can accept, or decline by playing on."
    player.table.apply("e5")
    assert player.ui.toasts == ["ben declines the draw and places a piece on e5."]
    assert "ben declines the draw" in player.text()
    assert player.screen.requests() == ()


def test_a_draw_that_is_offered_is_taken_after_asking_back() -> None:
    player = playing(replies="e5~=")
    player.press("d 4 enter")
    assert "ben offers a draw" in player.text()
    assert "Accept draw =" in player.text()
    (request,) = player.screen.requests()
    assert (request.head, [button.key for button in request.buttons]) == ("ben offers a draw.", ["="])
    player.press("=")
    ((question, take),) = player.ui.questions
    assert question == "ben offers a draw. Accept?"
    take()
    assert player.table.chosen == ["d4", "="]
    assert "You agreed to a draw." in player.text()
    assert player.screen.requests() == ()


def test_while_the_other_side_moves_nothing_can_be_done() -> None:
    player = playing(seat=1)
    assert "Black to place." in player.text()
    assert "ana" in player.text().splitlines()[1]
    shown = player.text()
    player.screen.key("d")
    assert player.text() == shown
    assert not player.screen.click(("point", 3), 0, 0, "left")


def test_the_end_is_shown_until_enter_and_the_square_with_it() -> None:
    player = Player(DiamondTable(0, state=at(placing("c4 c5 d4", "a1 a2 a3"))), calm=False)
    player.click_points("d5", "d5")
    assert isinstance(player.table.state.ask(), Result)
    assert "Black completed the square c4 c5 d4 d5." in player.text()
    assert player.cell("c4")[1] == "ice"
    assert player.screen.busy(player.ui.time)
    assert player.screen.next_frame(player.ui.time) == player.ui.time + LATE
    player.ui.time += LATE
    assert player.screen.key("enter")
    assert not player.screen.busy(player.ui.time)


def test_the_last_move_is_gold_from_where_it_came() -> None:
    player = moved(at(moving("d4 a1", "h8 g5", turn=WHITE)), seat=1)
    player.click_points("h8", "h7", "h7")
    canvas = player.canvas()
    x, y = tiling(*board(player.size)).at[NAMED["h8"]]
    assert canvas.cell(x, y + 2).char == "○"
    assert canvas.cell(x, y + 2).style.fg == "money"
    assert player.cell("h7")[1] == "piece_moved"


@pytest.mark.parametrize(("size", "depth"), each_once(SIZES, Depth))
def test_every_piece_and_point_is_told_apart_at_every_size_and_depth(size: tuple[int, int], depth: Depth) -> None:
    player = Player(DiamondTable(0, state=at(CAPTURE)), size)
    player.click_points("c6")
    for ascii_only in (False, True):
        canvas = player.canvas(depth, ascii_only)
        signs = {name: canvas.cell(x, y + 2).char for name, (x, y) in zip(NAMES, tiling(*board(player.size)).at,
                                                                           strict=True)}  # fmt: skip
        white, black, neutral, empty, capture = ("o", "#", "*", "*", "x") if ascii_only else ("○", "■", "◆", "•", "×")
        assert {signs[name] for name in ("a6", "h8", "e5")} == {white}
        assert {signs[name] for name in ("c6", "a5", "c5")} == {black}
        assert (signs["d3"], signs["h2"], signs["b6"]) == (neutral, empty, capture)
        text = "\n".join(canvas.lines())
        assert ("<*>" if ascii_only else "<◆>") in text
        assert text.isascii() == ascii_only


def test_help_follows_the_phase() -> None:
    placing_help = [section.heading for section in playing().screen.help().sections]
    assert placing_help[0] == "Placing"
    assert {"Moving", "Captures"} <= set(placing_help)
    assert moved(at(CAPTURE)).screen.help().sections[0].heading == "Moving"
    assert playing(seat=1, replies="d4").screen.help().sections[0].heading == "The swap"


def test_the_menu_has_the_draw() -> None:
    player = playing()
    item, log, *_ = player.screen.menu()
    assert log.key == "l"
    assert (item.label, item.key) == ("Offer a draw", "=")
    item.run()
    assert player.screen.menu()[0].label == "Cancel the offer"


def test_an_offered_draw_is_told_with_the_next_move_and_not_with_the_last_one() -> None:
    player = playing(replies="e5")
    player.type("c4")
    player.press("=")
    assert "ben places a piece on e5. Your next move will offer a draw." in player.panel()
    assert "= cancel offer" in player.text()
    player.press("=")
    assert "Your next move will offer a draw" not in player.panel()


def go(player: Player) -> Hint:
    """What Enter does, as the key bar says it."""
    form = player.screen.form(player.ui.now())
    assert form is not None
    return next(hint for hint in form.hints() if hint.key == "Enter")


def test_enter_is_what_most_people_want_only_where_it_leads_further() -> None:
    player = playing(replies="e5")
    assert go(player).primary
    player.click_points("c4", "c4", "e5")
    assert not go(player).primary
    player.click_points("d4")
    assert go(player).primary
    player = moved(at(CAPTURE))
    for point, leads in (("c6", False), ("a6", False), ("b6", True)):
        player.click_points(point)
        assert go(player).primary == leads, point


# -- squares that are nearly held --------------------------------------------------------------------------------------


def _lit(player: Player) -> list[str]:
    """The points that are drawn as corners of an example."""
    canvas = player.canvas()
    return sorted(name for name in NAMES if canvas.cell(*player.middle(name)).style.fg == "ice")


def test_the_board_says_at_its_start_what_the_aim_is() -> None:
    player = playing()
    assert "Goal" in player.text()
    assert "four corners of a tinted square" in player.panel()
    assert _lit(player) == names(EXAMPLE)
    player.type("a1")
    assert _lit(player) == []


def test_an_open_corner_says_what_to_do_to_the_side_that_places() -> None:
    threat = placing("e2 e3 f2", "a1 b5")
    assert "Black needs only f3 for a square: place there or you lose." in moved(at(threat), seat=1).panel()
    assert "Black needs only f3 for a square." in moved(at(threat), seat=0).panel()
    chance = moved(at(placing("e2 e3 f2", "a1 b5 h8")))
    assert "Black needs only f3 for a square: place there to win." in chance.panel()


def test_the_swap_is_explained_to_both_sides() -> None:
    white = playing(seat=1, replies="d4")
    assert "Place a piece, or swap with s." in white.text()
    assert "Swap, and you play Black with the piece on d4; ana plays White and moves next." in white.panel()
    black = playing()
    black.type("d4")
    said = "ben can swap to Black and take over the piece on d4. Then you play White."
    assert said in black.panel()


# -- the cursor --------------------------------------------------------------------------------------------------------


def test_the_example_of_what_to_type_is_a_point_that_is_open() -> None:
    player = playing(1, "d4")
    assert "e.g. d4" not in player.text()
    assert "e.g. c4" in player.text()


def test_the_cursor_is_seen_from_the_start_and_its_point_is_named() -> None:
    player = playing()
    assert "e.g. d4" in player.text()
    x, y = player.middle("d4")
    assert [player.canvas().cell(x + dx, y).char for dx in (-2, 2)] == ["▸", "◂"]


def test_a_point_chosen_by_an_arrow_is_named_and_one_enter_places_there() -> None:
    player = playing()
    player.press("right")
    assert "You are Black: place on e4." in player.text()
    assert "Enter go" in player.text()
    player.press("enter")
    assert player.table.chosen == ["e4"]


def test_enter_says_that_it_only_chooses_a_point_that_nobody_chose() -> None:
    player = playing()
    assert "You are Black: choose an open point." in player.text()
    assert "Enter choose d4" in player.text()
    assert "Enter go" not in player.text()
    player.press("enter")
    assert "Enter go" in player.text()
    assert "Place on d4? Click again, or Enter." in player.text()
    assert player.table.chosen == []
    player.press("enter")
    assert player.table.chosen == ["d4"]


def test_the_last_open_corner_of_a_square_is_marked_for_both_sides() -> None:
    for seat in (0, 1):
        player = moved(at(placing("e2 e3 f2", "a1 b5 h8")), seat=seat)
        assert player.cell("f3")[0] == "!"
        assert "Black needs only f3" in player.text()
    player = moved(at(placing("e2 e3 f2", "a1 b5 f3")))
    assert "needs only" not in player.text()
