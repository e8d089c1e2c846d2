"""Diamond on a phone that is held upright: a point is touched, made exact by arrows, and confirmed."""

from __future__ import annotations

import pytest

from kimberley.client.boards.diamond.board import DiamondUI
from kimberley.client.boards.diamond.dossier import draw_head
from kimberley.client.boards.diamond.events import GameEvent, explain_capture
from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.view import Shown
from kimberley.client.session.bots import play_alone
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.games.diamond.board import NAMED, NAMES, points
from kimberley.games.diamond.position import Movement
from kimberley.games.diamond.rules import State
from kimberley.games.table import Result
from tests.support.asyncs import run
from tests.support.board_snapshots import PORTRAIT_SIZE, Clock
from tests.support.cut_text import noting_cuts
from tests.support.diamond import at, moving
from tests.support.diamond_table import DiamondTable
from tests.support.player import ScreenPlayer
from tests.support.touching import ACROSS, drawn, phone_app, too_small

SIZES = [(40, 40), (45, 43), (60, 60), (79, 50)]
QUIETLY = "Black has no piece that can move"
MANY = moving("e2 c3 d1 e6 d7 g1", "c2 c1 d6 g5 c8 d4")
"""From e2 a piece can go to five points, and captures at two of them."""


class Player(ScreenPlayer[DiamondTable, GameScreen]):
    """A player on a phone."""

    def touch_point(self, name: str) -> None:
        """Touches the point where its area begins, beside the point itself."""
        self.click(("point", NAMED[name]))


class Phone:
    """The table's seat on a phone."""

    def __init__(self, table: DiamondTable, size: tuple[int, int] = PORTRAIT_SIZE) -> None:
        self.app, self.size = phone_app(Clock()), size
        self.app.push(GameScreen(DiamondUI(), table, self.app))

    def text(self) -> str:
        """Returns what is shown, with single spaces, after checking that nothing is wrong with it."""
        canvas, faults = drawn(self.app, self.size)
        assert faults == []
        return " ".join(" ".join(canvas.lines()).split())

    def touch_text(self, text: str) -> None:
        """Touches the end of a text that is shown only once."""
        rows = self.app.draw(*self.size).lines()
        (y,) = (row for row, line in enumerate(rows) if text in line)
        self.app.touch(rows[y].index(text) + len(text) - 1, y, "left")

    def touch(self, action: Action) -> None:
        """Touches the middle of the area that means `action`."""
        area = next(hit for hit in self.app.draw(*self.size).hits if hit.action == action)
        self.app.touch(area.x + area.width // 2, area.y + area.height // 2, "left")


def playing(size: tuple[int, int] = SIZES[0], *, state: State | None = None, replies: str = "") -> Player:
    table = DiamondTable(0, state=state, replies=replies)
    return Player(lambda table, ui: GameScreen(DiamondUI(), table, ui), table, size)


@pytest.mark.parametrize("size", SIZES)
def test_the_board_is_as_wide_as_the_screen_and_every_point_large_enough_for_a_finger(size: tuple[int, int]) -> None:
    player = playing(size)
    with noting_cuts() as cut:
        canvas = player.canvas()
    assert (cut, too_small(canvas)) == ([], [])
    points = [hit for hit in canvas.hits if isinstance(hit.action, tuple) and hit.action[0] == "point"]
    assert {hit.action for hit in points} == {("point", point) for point in range(len(NAMES))}
    wide = max(hit.x + hit.width for hit in points) - min(hit.x for hit in points)
    assert wide >= min(size[0], size[1] + 2) - 6


def test_a_touch_only_asks_and_the_large_button_places() -> None:
    player = playing()
    player.touch_point("c4")
    assert "Place on c4?" in player.text()
    assert player.table.chosen == []
    player.touch("Go")
    assert player.table.chosen == ["c4"]


def test_arrows_lead_to_the_point_that_was_meant() -> None:
    player = playing()
    player.touch_point("c4")
    player.click("key:right")
    assert "place on d4" in player.text()
    player.touch("Go")
    assert player.table.chosen == ["d4"]


@pytest.mark.parametrize("size", [PORTRAIT_SIZE, ACROSS])
def test_nothing_in_a_turn_on_a_phone_names_a_key_and_the_moves_stay_in_sight(size: tuple[int, int]) -> None:
    async def play() -> None:
        phone = Phone(DiamondTable(0, replies="e5"), size)
        assert "You are Black: choose an open point." in phone.text()
        phone.touch(("point", NAMED["c4"]))
        assert "Place on c4? Tap it again, or Go." in phone.text()
        phone.touch(("point", NAMED["c4"]))
        _, found, moves = phone.text().partition("Moves")
        assert found
        assert moves.index("c4") < moves.index("e5")

    run(play())


@pytest.mark.parametrize("size", [PORTRAIT_SIZE, ACROSS])
def test_on_a_taken_point_no_button_offers_to_go(size: tuple[int, int]) -> None:
    async def play() -> None:
        phone = Phone(DiamondTable(1, replies="d4"), size)
        actions = {hit.action for hit in phone.app.draw(*size).hits}
        assert "key:s" in actions
        assert "key:enter" not in actions
        phone.touch(("point", NAMED["e5"]))
        phone.touch("key:enter")
        assert "e5" in phone.text().partition("Moves")[2]

    run(play())


@pytest.mark.parametrize(("size", "words"), [(PORTRAIT_SIZE, "or Go."), (ACROSS, "Tap Swap again")])
def test_a_finger_on_the_sentence_chooses_no_point_near_it(size: tuple[int, int], words: str) -> None:
    async def play() -> None:
        phone = Phone(DiamondTable(1, replies="d4"), size)
        phone.touch("key:s")
        phone.touch_text(words)
        assert "Swap and play Black? Tap Swap again, or Go." in phone.text()

    run(play())


def test_the_menu_and_an_offered_draw_leave_the_question_as_it_is() -> None:
    async def play() -> None:
        table = DiamondTable(0, replies="e5")
        phone = Phone(table)
        phone.touch(("point", NAMED["c4"]))
        phone.touch("key:f10")
        phone.touch_text("Offer a draw")
        assert "Place on c4? Tap it again, or Go." in phone.text()
        phone.touch("key:=")
        assert "Place on c4? Tap it again, or Go." in phone.text()
        phone.touch("key:enter")
        assert table.chosen == ["c4"]

    run(play())


@pytest.mark.parametrize("size", [PORTRAIT_SIZE, ACROSS])
@pytest.mark.parametrize("second", ["key:s", "key:enter"])
def test_the_swap_is_asked_for_by_a_touch_and_made_by_a_second_one_or_go(size: tuple[int, int], second: str) -> None:
    async def play() -> None:
        table = DiamondTable(1, replies="d4")
        phone = Phone(table, size)
        assert "Swap, or place a piece." in phone.text()
        assert "Swap, and you play Black" in phone.text()
        phone.touch("key:s")
        assert "Swap and play Black? Tap Swap again, or Go." in phone.text()
        assert table.chosen == []
        phone.touch(second)
        assert table.chosen == ["swap"]

    run(play())


@pytest.mark.parametrize(("seat", "replies"), [(0, ""), (1, "d4")], ids=["Black", "White"])
def test_a_player_alone_finds_the_hint_in_the_first_turn_and_the_draw_in_the_menu(seat: int, replies: str) -> None:
    async def play() -> None:
        table = DiamondTable(seat, replies=replies)
        play_alone(table, 1)
        phone = Phone(table)
        assert "Hint" in phone.text()
        phone.touch("key:f10")
        assert "Offer a draw" in phone.text()

    run(play())


def test_all_targets_of_a_piece_and_why_it_captures_are_on_the_card() -> None:
    player = playing(state=at(moving("c6 a5 c5", "a6 h8 e5", "d3")))
    player.touch_point("c6")
    text = player.text()
    for said in ("From c6", "b6  captures a6", " b7", " c7", " d6", "a5 and b6 corner a6"):
        assert said in text
    player.touch_point("b6")
    player.touch("Go")
    assert player.table.chosen == ["c6-b6*"]


def test_targets_without_room_below_each_other_lie_side_by_side() -> None:
    player = playing(state=at(MANY))
    player.touch_point("e2")
    card = " ".join(line.strip("│ ") for line in player.lines())
    for target in points(MANY.targets(NAMED["e2"])):
        assert f" {NAMES[target]}" in card
        if reason := explain_capture(MANY, Movement(NAMED["e2"], target)):
            assert reason in card


@pytest.mark.parametrize("reason", ["Black completed the square g2 g3 h2 h3", QUIETLY])
def test_the_head_of_the_end_says_who_won_and_why(reason: str) -> None:
    canvas, state = Canvas(40, 3, portrait=True), at(MANY)
    event = GameEvent(0, state, "d4", state)
    shown = Shown(state, (event,), 1, ("ana", "ben"), 0, result=Result((1, 2), ((1,), (0,)), reason))
    with noting_cuts() as cut:
        draw_head(canvas, shown)
    assert cut == []
    text = " ".join(" ".join(canvas.lines()).split())
    assert "You win" in text
    assert reason in text


@pytest.mark.slow
def test_before_a_piece_is_picked_the_large_button_picks_the_one_at_the_cursor() -> None:
    player = playing(state=at(MANY))
    player.touch_point("e2")
    player.click("key:u")
    assert "Select e2" in player.text()
    player.touch("Select e2")
    assert "e2 selected: choose a point" in player.text()
    player.touch_point(NAMES[next(points(MANY.targets(NAMED["e2"])))])
    player.touch("Go")
    assert len(player.table.chosen) == 1


def test_lines_of_the_menu_have_their_label_in_the_middle() -> None:
    async def play() -> None:
        phone = Phone(DiamondTable(0, replies="e5"))
        phone.touch(("point", NAMED["c4"]))
        phone.touch(("point", NAMED["c4"]))
        phone.touch("key:f10")
        canvas, _ = drawn(phone.app, phone.size)
        lines = canvas.lines()
        stripes = [hit for hit in canvas.hits if isinstance(hit.action, int)]
        assert len(stripes) > 5
        for stripe in stripes:
            inside = [line[stripe.x : stripe.x + stripe.width].strip() for line in lines[stripe.y :][: stripe.height]]
            assert [bool(text) for text in inside] == [False, True, False]

    run(play())


def test_the_bar_of_own_turns_stands_beside_their_words_in_the_log() -> None:
    async def play() -> None:
        phone = Phone(DiamondTable(0, replies="e5"))
        phone.touch(("point", NAMED["c4"]))
        phone.touch(("point", NAMED["c4"]))
        phone.touch("key:l")
        canvas, _ = drawn(phone.app, phone.size)
        marked = [line for line in canvas.lines() if "▌" in line]
        assert marked
        assert all("You" in line for line in marked)

    run(play())
