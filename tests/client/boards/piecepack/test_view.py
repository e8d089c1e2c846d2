"""The board of the piecepack game: the field, and every deed by keys alone and by clicks alone."""

from __future__ import annotations

import pytest

from kimberley.client.boards.game_screen import LATE, GameScreen
from kimberley.client.boards.piecepack.board import ORDINARY, OWN_PACE, PiecepackUI
from kimberley.client.boards.piecepack.form import open_cards
from kimberley.client.boards.piecepack.phrases import discreet_state
from kimberley.client.boards.piecepack.words import describe
from kimberley.client.ui.palette import Depth
from kimberley.client.ui.widgets import StyledText
from kimberley.games.piecepack.rules import State
from kimberley.games.table import Plain, evolve
from tests.support.asyncs import run
from tests.support.board_snapshots import PORTRAIT_SIZE, Clock
from tests.support.piecepack import named, table
from tests.support.piecepack_table import PiecepackTable
from tests.support.player import ScreenPlayer
from tests.support.touching import ACROSS, drawn, noting_cuts, phone_app, too_small

PORTRAIT_SIZES = [PORTRAIT_SIZE, (45, 43), (60, 60), (79, 50)]
SIZES = [(80, 24), (100, 34), (120, 40), (140, 45), (120, 28), (200, 60), (81, 60)]
ROW = "C0 S1 M1 D3 P2"
"""A black market, a market, an oasis, a mine and a spy's lair."""


class Player(ScreenPlayer[PiecepackTable, GameScreen]):
    """A player of the piecepack game."""

    def __init__(self, where: PiecepackTable, size: tuple[int, int] = (80, 24), *, calm: bool = True) -> None:
        super().__init__(lambda table, ui: GameScreen(PiecepackUI(), table, ui), where, size, calm=calm)

    @property
    def panel(self) -> str:
        """What the panel at the right says, in one line."""
        return " ".join(" ".join(line[56:] for line in self.lines()[2:19]).split())

    @property
    def box(self) -> str:
        """What the box over the field says, in one line."""
        return " ".join(" ".join(line[1:55].strip("│") for line in self.lines()[2:19]).split())

    @property
    def strip(self) -> str:
        return self.lines()[1]

    def said(self) -> str:
        """What the last toast said."""
        return self.ui.toasts[-1] if self.ui.toasts else ""

    def answer(self) -> None:
        """Yes to what was asked back last."""
        self.ui.questions.pop()[1]()


def at(state: State, size: tuple[int, int] = (80, 24), seat: int = 0, **more: object) -> Player:
    return Player(PiecepackTable(state, seat, **more), size)  # type: ignore[arg-type]


def acting(hand: str = "S2 C3 H1 D2 D3", field: str = ROW, **more: object) -> Player:
    """A player who is to act on the first tile of a row."""
    return at(table([hand, "H2 P1 D4", "M2"], field, **more))  # type: ignore[arg-type]


def placing(size: tuple[int, int] = (80, 24)) -> Player:
    state = table(["H1", "", ""], "S0 M0 C0", (0, 1, 2))
    drawn = (2, 4)
    stack = tuple(kind for kind in state.stack if kind != drawn)
    return at(evolve(state, phase="place", drawn=drawn, stack=stack), size)


# -- exploring ---------------------------------------------------------------------------------------------------------


def test_the_tile_that_was_drawn_is_laid_by_keys() -> None:
    player = placing()
    assert "Lay ♣ 4, a war zone, beside your pawn." in player.strip
    assert player.text().count("+") >= 7
    assert "Lay it Enter" in player.panel
    assert "600 wins" in player.text()
    player.press("left", "enter")
    assert player.table.chosen == [(-1, -2)]
    assert "♣ 4" in player.text()


def test_every_place_is_reached_by_the_arrows_and_by_clicks() -> None:
    places = set(placing().table.space.open())  # type: ignore[attr-defined]
    by_click = set()
    for number in range(len(places)):
        player = placing()
        player.click(("ghost", number))
        player.click(("ghost", number))
        by_click.add(player.table.chosen[0])
    assert by_click == places
    reached: set[Plain] = set()
    edge: list[tuple[str, ...]] = [()]
    while edge:
        way = edge.pop()
        player = placing()
        player.press(*way, "enter")
        if player.table.chosen[0] not in reached:
            reached.add(player.table.chosen[0])
            edge += [(*way, key) for key in ("left", "right", "up", "down")]
    assert reached == places


def test_the_first_click_only_chooses_a_place() -> None:
    player = placing()
    player.click(("ghost", 1))
    assert player.table.chosen == []
    player.press("enter")
    assert len(player.table.chosen) == 1


# -- the menu ----------------------------------------------------------------------------------------------------------


def test_the_menu_says_what_can_be_done_and_why_not_the_rest() -> None:
    player = acting()
    text = player.text()
    assert "You must do something." in text
    for label in (" Step or jump", " Travel with ☼", " Beat with ♣", "(Mine with ♠)", "(Rest with ☾)", "(Trade coins)",
                  "(Draw a ♥)", "(End the turn)"):  # fmt: skip
        assert label in text, label
    player.press("k")
    assert "You hold no spade." in player.strip
    assert player.canvas().cell(player.strip.index("You hold"), 1).style.fg == "warning"
    assert "Not now: you hold no spade." in player.panel
    player.press("d")
    assert "Take at least one action first" in player.strip
    player.press("x")
    assert "market" in player.strip
    assert player.table.chosen == []


def test_the_strip_says_where_the_next_points_are() -> None:
    selling = at(table(["D2 C1"], "S1 D3 H0"))
    assert "Sell ♦ at ♥0 black market, 2 steps away." in selling.strip
    mining = at(table(["P2 C1"], "S1 D3 H0"))
    assert "Mine ♦ at ♦3 diamond mine, 1 step away." in mining.strip
    assert "Mine ♦ at ♦3 diamond mine, 1 step away." in at(table(["C2"], "S1 D3 H0", suits="PMC")).strip
    assert "No mine yet." in at(table(["P2"], "S1 H2")).strip


def test_without_spades_the_strip_leads_to_where_coins_are_drawn() -> None:
    trading = at(table(["C2 C1"], "D3 H2 S1"))
    assert "No ♠ to mine with: trade at ☼A market, 2 steps away." in trading.strip
    drawing = at(table(["C2"], "D3 M2 S1"))
    assert "To trade for a ♠ later, draw a ♥ at ☾2 oasis, 1 step away." in drawing.strip
    assert "No market or oasis yet." in at(table(["C2"], "D3 H2")).strip


def test_a_step_is_offered_to_where_the_strip_leads() -> None:
    selling = at(table(["D2"], "S3 M1 H2 C0", suits="MSC", pawns=(1, 0, 0)))
    assert "Sell ♦ at ♣0 black market, 2 steps away." in selling.strip
    selling.press("w")
    assert "Holy site" in selling.panel
    mining = at(table(["P2"], "D3 M1 H2 C0", suits="MSC", pawns=(1, 0, 0)))
    mining.press("w")
    assert "Mine: your ♠ mine up to 3 ♦ there." in mining.panel


def test_the_menu_opens_at_what_costs_nothing_and_then_at_the_end_of_the_turn() -> None:
    assert "▸ Step" in acting().text()
    player = acting(acted=1, stepped=True)
    assert "▸ End the turn" in player.text()
    player.press("d")
    assert player.table.chosen == [("end",)]


def test_the_digger_alone_is_offered_to_dig() -> None:
    assert "Dig for one ♦" not in acting().text()
    player = at(table(["H1", "", ""], "D3 C0", suits="PMC"))
    player.press("g")
    assert "As digger you mine one ♦ for nothing" in player.panel
    player.press("g")
    assert player.table.chosen == [("dig",)]
    assert "mined ♦" in player.said()


def test_the_turn_is_ended_by_asking_twice_while_something_costs_nothing() -> None:
    player = acting(acted=1)
    player.press("d")
    assert player.table.chosen == []
    assert "You could still" in player.panel
    player.touch("End the turn")
    assert player.table.chosen == [("end",)]


def test_deeds_are_chosen_by_arrows_and_by_clicks() -> None:
    player = acting()
    player.press("down", "enter")
    assert "TRAVEL" in player.strip
    player.press("u")
    player.touch("Travel with")
    assert "TRAVEL" in player.strip
    player.touch("Back Esc")
    assert " ACT " in player.strip


# -- steps and ways ----------------------------------------------------------------------------------------------------


def test_a_step_is_chosen_with_what_it_does_and_then_taken() -> None:
    player = acting("H1", "D1 S3 C0", pawns=(0, 1, 2))
    player.press("w")
    assert "Market: there you may trade up to 3 coins. ben there." in player.panel
    player.press("enter")
    assert player.table.chosen == [("step", 1)]


def test_a_click_on_a_tile_beside_ones_own_chooses_it_and_a_second_one_goes() -> None:
    player = acting("H1", "M0 S3 D1", suits="MSC")
    player.click(("tile", 1))
    assert "STEP" in player.strip
    assert player.table.chosen == []
    player.click(("tile", 1))
    assert player.table.chosen == [("step", 1)]


def test_the_jumper_is_offered_tiles_behind_others() -> None:
    player = acting("H1", "D1 C5 D3")
    player.press("w", "right", "right")
    assert "Over ♣5 war zone: Mine" in player.panel
    player.touch("Jump there Enter")
    assert player.table.chosen == [("jump", 1, 2)]


@pytest.mark.parametrize(
    ("hand", "field", "asks"),
    [
        ("H1 M2", "D1 C4", "you lose 2 coins"),
        ("C1 C2", "D1 H4", "Your 2 ♣ go into the bag"),
        ("D0 D5", "D1 C0", "for 0"),
    ],
)
def test_what_harms_is_asked_back(hand: str, field: str, asks: str) -> None:
    player = acting(hand, field, suits="MSC")
    player.press("w", "enter")
    assert player.table.chosen == []
    assert asks in player.ui.questions[0][0]
    player.answer()
    assert player.table.chosen == [("step", 1)]


def test_diamonds_are_sold_and_said_to_be() -> None:
    player = acting("D3 D4", "D1 C0", suits="MSC")
    assert "♦ 3 × 4 sells for 12" in player.text()
    player.press("w", "enter")
    assert "You sold ♦3 ♦4 for 12 points." in player.said()
    log = player.screen.timeline
    gains = [gain for at in range(1, len(log.events) + 1) if (gain := log.gain(at)) is not None]
    assert gains == [StyledText("+12", "money", True)]


def test_suns_carry_from_tile_to_tile_until_one_stops() -> None:
    player = acting("S3 H1", "M0 S2 D2 D3 D4", suits="MSC")
    player.press("t")
    assert "☼ 3: you may go up to 3 tiles" in player.panel
    player.press("enter")
    assert "3 tiles to go: choose one." in player.strip
    assert "Stop here" not in player.text()
    player.press("enter")
    assert "2 tiles left to go" in player.strip
    player.click(("tile", 2))
    player.click(("tile", 2))
    player.touch("Stop here d")
    assert player.table.chosen[1:] == [("step", 1), ("step", 2), ("stop",)]


@pytest.mark.parametrize(
    ("quiet", "stack", "said"),
    [
        (2, 5, "5 tiles left"),
        (3, 5, "nobody explored: 1 of 3"),
        (8, 5, "nobody explored: 2 of 3"),
        (9, 5, "the last turn"),
        (0, 1, "1 tile left, then the end"),
    ],
)
def test_the_end_is_counted_down(quiet: int, stack: int, said: str) -> None:
    state = table(["S3 H1", "", ""], "M0 S2 D2", suits="MSC")
    state = evolve(state, quiet=quiet, stack=state.stack[:stack])
    assert said in at(state).lines()[0]
    ends = "tiles" not in said
    assert any(said in line.lower() for line in describe(state, ("ana", "ben", "carla"), 0)) == ends
    assert (said in at(state).strip.lower()) == ends


# -- coins -------------------------------------------------------------------------------------------------------------


def test_coins_are_lifted_by_keys_and_put_down_again() -> None:
    state = table(["P2 P3 H1", "", ""], "D3 C0")
    player = at(state)
    player.press("k")
    assert "Choose a coin first: Space." in player.panel
    player.press("enter")
    assert "Choose at least one coin." in player.strip
    player.press("space", "right", "up")
    assert "♠ 3 + 2 = 5: you mine 3 ♦" in player.panel
    player.press("down", "enter")
    assert player.table.chosen == [("spade", named(state, "P2"))]


def test_coins_are_lifted_by_clicks_and_the_wrong_ones_refused() -> None:
    state = table(["P2 P3 H1", "", ""], "D3 C0")
    player = at(state)
    player.touch("Mine with")
    player.click(("card", 0))
    assert "Only ♠ coins can be spent for that." in player.strip
    player.click(("card", 2))
    player.touch("Mine Enter")
    assert player.table.chosen == [("spade", named(state, "P3"))]


def test_moons_draw_and_the_thug_is_stronger() -> None:
    player = at(table(["M3 C2", "H1 D1", ""], "D3 C0", suits="CMS"))
    player.press("r")
    assert "☾ 3: you draw 3 coins from the bag of" in player.panel
    player.press("esc", "b")
    assert "♣ 2: attack 3. ben has 2 coins, 1 of them ♥" in player.panel


def test_a_market_takes_no_diamonds_and_no_more_than_its_value() -> None:
    state = table(["D2 H1 H2 P3", "", ""], "S2 C0", suits="MSC")
    player = at(state)
    player.press("x", "a")
    assert "2 coins into the bag, 3 drawn" in player.panel
    player.click(("card", 0))
    assert "Markets take no diamonds." in player.strip
    player.click(("card", 3))
    assert "You may choose at most 2 coins here." in player.strip
    player.press("enter")
    assert player.table.chosen == [("market", named(state, "H1", "H2"))]


def test_the_oasis_gives_a_heart() -> None:
    player = acting("D1", "M2 C0")
    player.press("o", "enter")
    assert player.table.chosen == [("oasis",)]
    assert "♥" in player.said()


def test_coins_that_are_worth_nothing_are_asked_back() -> None:
    player = acting("S0 H1", "D1 C0")
    player.press("t", "enter")
    assert "worth nothing" in player.ui.questions[0][0]
    player.answer()
    assert player.table.chosen[0][0] == "sun"


# -- attacks -----------------------------------------------------------------------------------------------------------


def test_a_beating_ends_with_a_theft_of_backs() -> None:
    state = table(["C2", "D3 P1 M4", "M2 S1"], "D1 C0", suits="SMC")
    player = at(state)
    player.press("b", "o")
    assert "beat carla" in player.strip
    player.press("o", "enter")
    assert "Steal up to 2 coins from ben" in player.text()
    assert player.text().count("?") == 3
    player.press("enter")
    assert "Choose a coin first, or press n for none." in player.strip
    player.press("space")
    player.click(("card", 2))
    assert "2 of 2 chosen." in player.text()
    player.click(("card", 1))
    assert "You may choose at most 2 coins here." in player.strip
    player.touch("Steal Enter")
    assert player.table.chosen[-1] == named(state, "M4", "P1")
    assert "You stole ☾4 ♠A from ben." in player.said()


def test_stealing_nothing_is_asked_back() -> None:
    player = at(table(["C2", "D3", ""], "D1 C0"))
    player.press("b", "enter", "n")
    assert player.table.chosen[1:] == []
    player.answer()
    assert player.table.chosen[1:] == [()]


def beaten(hand: str = "H3 H1 D2", suits: str = "SMC") -> Player:
    """Seat 0, who is beaten by ben with a club of 4."""
    state = table([hand, "C4", ""], "D1 C0", suits=suits, turn=1, acted=1)
    player = at(state, replies=(("club", 0, named(state, "C4")),), slow=True)
    player.table.go_on()
    return player


def test_who_is_beaten_is_asked_for_hearts() -> None:
    player = beaten()
    text = player.box
    assert "DEFEND!" in player.strip
    assert "ben beats you!" in text
    assert "ben attacks with 4, and steals that many coins" in text
    assert "An attack of 4 remains: you lose 3 coins." in text
    player.press("space", "right", "space")
    assert "An attack of 0 remains: you lose nothing." in player.text()
    player.press("enter")
    assert len(player.table.chosen[0]) == 2


@pytest.mark.parametrize(
    ("name", "said"),
    [("ben", "ben attacks with 4: spend hearts?"), ("Bartholomew Cullinan", "An attack of 4: spend hearts?")],
)
def test_a_long_name_cuts_no_question(name: str, said: str) -> None:
    where = beaten().table
    where.names = ("ana", name, "carla")
    player = Player(where)
    assert said in player.strip
    assert "…" not in player.strip


def test_hearts_are_chosen_by_clicks() -> None:
    player = beaten()
    player.touch("Defend Enter")
    assert "Choose a heart first, or press n to spend none." in player.strip
    player.click(("card", 0))
    assert "Only hearts defend you." in player.strip
    player.click(("card", 2))
    player.touch("Defend Enter")
    assert len(player.table.chosen[0]) == 1


def test_no_heart_may_be_spent_and_the_loss_is_told() -> None:
    player = beaten()
    player.touch("Spend none n")
    assert player.table.chosen == [()]


def test_the_tough_guys_hearts_are_stronger_against_warlords() -> None:
    player = beaten(suits="HMC")
    assert "As tough guy you take one more off with each." in player.box
    player.press("space")
    assert "An attack of 2 remains" in player.text()


def test_a_war_zone_asks_for_hearts_too() -> None:
    player = acting("H2 D1 D2", "M0 C4", suits="MSC")
    player.press("w", "enter")
    player.answer()
    assert "A war zone!" in player.text()
    player.press("n")
    assert player.said().startswith("You lost ")


# -- spies -------------------------------------------------------------------------------------------------------------


def test_a_spy_sees_what_it_peeks_at_and_nobody_else_does() -> None:
    state = table(["H1", "D3 P1", "M2"], "M0 P2", suits="MSC", pawns=(0, 0, 0))
    player = at(state)
    player.press("w", "enter")
    assert "Peek at up to 2 coins; you alone see the values." in player.text()
    player.press("space", "down", "space")
    player.touch("Peek Enter")
    assert player.table.chosen[-1] == named(state, "D3", "M2")
    assert "You peeked at ben’s ♦3 and carla’s ☾2." in player.said()
    player.press("tab")
    assert "♦3" in player.text()
    player.press("h")
    assert "♦3" not in player.text()


def test_what_is_peeked_at_in_ones_own_hand_is_told() -> None:
    state = table(["H4", "D3", ""], "P2 C0", suits="MSC", turn=1, pawns=(1, 1, 1))
    handle = named(state, "H4")
    player = at(state, slow=True)
    player.table.replies = [("step", 0), handle]
    player.table.go_on()
    assert "ben peeked at your ♥4." in player.said()


def test_news_are_told_when_they_are_shown() -> None:
    state = table(["H4", "D3", ""], "P2 C0", suits="MSC", turn=1, pawns=(1, 1, 1))
    player = Player(PiecepackTable(state, slow=True), calm=False)
    player.table.replies = [("step", 0), named(state, "H4")]
    player.table.go_on()
    assert "ben went to ♠2" in player.strip
    assert player.said() == ""
    player.ui.time += ORDINARY
    assert "ben peeked at your ♥4." in player.strip
    assert player.said() == "ben peeked at your ♥4."


# -- what is hidden ----------------------------------------------------------------------------------------------------


def test_a_key_hides_ones_own_values() -> None:
    player = acting("D3 D4 H5 P1", "D1 C0")
    assert "sells for 12" in player.text()
    player.press("h")
    text = player.text()
    assert "sells for ?" in text
    assert "12" not in text.replace("20 tiles", "")
    hand = "\n".join(text.splitlines()[19:23])
    assert hand.count("?") == 7
    player.press("w")
    assert "you sell all your ♦" in player.panel
    player.press("u", "h")
    assert "sells for 12" in player.text()


def test_hidden_values_do_not_show_by_their_order() -> None:
    for names in ("H1 H5", "H5 H1"):
        state = table([names, "", ""], "D1 C0")
        cards = open_cards(discreet_state(state), 0)
        assert [card.handle for card in cards] == [coin.handle for coin in state.hands[0]]


def test_hidden_values_are_not_told() -> None:
    state = table(["C2 H1", "D3 P1 M4", ""], "D1 C0", suits="SMC", pawns=(0, 0, 1))
    player = at(state)
    player.press("h", "b", "enter", "space", "enter")
    assert player.said() == "You stole ☾ from ben."
    log = player.screen.timeline
    assert log.sentences(len(log.events)) == ("You stole a moon from ben.",)
    player.press("h")
    assert log.sentences(len(log.events)) == ("You stole moon 4 from ben.",)


def test_others_show_backs_alone() -> None:
    player = at(table(["H1", "D5 P4", ""], "D1 C0"))
    player.press("2")
    box = player.text()
    assert "ben, the scrounger ☾" in box
    assert "Holds 2 coins" in player.box
    assert "♦5" not in box
    player.press("esc")
    assert "the scrounger ☾" not in player.text()


# -- looking -----------------------------------------------------------------------------------------------------------


def test_tiles_are_looked_at_one_by_one() -> None:
    player = acting("D2 H1", "D1 C0 H3")
    player.press("i", "right")
    assert "♣0 black market" in player.text()
    assert "For you: you sell ♦ 2 for 2." in player.box
    player.press("right")
    assert "a holy site: whoever comes here puts all clubs into the bag" in player.box
    player.press("esc")
    assert "a holy site:" not in player.text()


def test_tiles_can_be_looked_at_while_a_player_goes_back() -> None:
    state = table(["", "", ""], ROW, turn=1, pawns=(0, 1, 2))
    player = Player(PiecepackTable(state, slow=True), calm=False)
    player.table.replies = [("step", 2)]
    player.table.go_on()
    player.press("space")
    assert "behind" in player.strip
    player.press("i", "right")
    assert "☼A market" in player.box
    player.press("esc")
    assert "☼A market" not in player.box
    assert "behind" in player.strip


def test_the_whole_field_and_the_small_map() -> None:
    state = table(["", "", ""], [*table([], "S0 M0 C0 S1 S2 S3 S4 S5 M1 M2 M3 M4").field])
    player = at(state)
    assert "M 4".replace("M", "☾") not in player.text()
    player.press("v")
    assert "☾4" in player.text()
    player.press("v", "tab")
    before = player.text()
    player.click(("pan", 1, 0))
    assert player.text() != before
    canvas = player.canvas()
    touched = (canvas.touched(x, y) for x in range(79, 56, -1) for y in range(8, 19))
    player.click(next(action for action in touched if isinstance(action, tuple) and action[0] == "go"))
    assert "☾ 4" in player.text()


def test_arrows_move_the_view_while_one_waits() -> None:
    player = at(table(["", "", ""], ROW, turn=1), slow=True)
    before = player.canvas().lines()
    player.press("left")
    assert player.canvas().lines() != before
    assert player.screen.wheel(None, 0, 0, 1)


def test_a_table_says_what_diamonds_sell_for() -> None:
    player = acting("D3 D4 H1", "D1 C0")
    player.press("p")
    assert "▸ ♦ 3 4 12 18" in player.box
    assert "♦ 2 3 4 5 120 168" in player.box
    player.press("h")
    assert "▸ ♦" not in player.box
    player.press("esc")
    player.touch("all payoffs")
    assert "What diamonds sell for" in player.text()
    player.touch("What diamonds")
    assert "What diamonds sell for" not in player.text()


def test_the_log_tells_what_was_done() -> None:
    player = acting("D3 D4", "D1 C0", suits="MSC")
    player.press("w", "enter", "tab", "tab")
    assert "You went to ♣0 black market. You sold ♦3 ♦4 for 12 points." in player.panel


# -- other seats, and time ---------------------------------------------------------------------------------------------


def test_what_others_do_is_shown_piece_by_piece_and_enter_shows_the_rest() -> None:
    state = table(["", "", ""], ROW, turn=1, pawns=(0, 1, 2))
    player = Player(PiecepackTable(state, slow=True), calm=False)
    player.table.replies = [("step", 2), ("end",)]
    player.table.go_on()
    assert "ben went to ☾A" in player.strip
    assert "more to see" in player.strip
    assert "EXPLORE" not in player.strip
    due = player.screen.next_frame(player.ui.time)
    assert due == player.ui.time + ORDINARY
    player.press("enter")
    assert "more to see" not in player.strip
    assert "went to ☾A" not in player.strip


def test_a_seat_that_leaves_is_told_and_its_pawn_is_gone() -> None:
    player = acting()
    player.table.leaves(2)
    player.press("tab")
    assert "has left" in player.text()
    assert "♣C" not in player.text().replace("♣C carla", "")


def test_who_has_left_looks_on() -> None:
    player = acting()
    player.table.leaves(0)
    player.press("tab")
    assert "Has left the game." in player.text()
    assert "You left the game." in player.panel
    for key in ("i", "right", "esc", "p", "esc", "1", "esc", "v", "h"):
        player.press(key)
        assert player.text()
    assert not player.screen.key("w")


def test_the_end_stays_until_enter() -> None:
    state = table(["D5 D4", "", ""], "D1 C0", suits="MSC", scores=(590, 0, 0))
    player = Player(PiecepackTable(state), calm=False)
    player.press("w", "enter")
    assert player.screen.busy(player.ui.time)
    assert "You sold" in player.strip
    player.ui.time += OWN_PACE["sell"]
    assert "600 points are reached." in player.strip
    assert player.screen.busy(player.ui.time)
    player.ui.time += LATE
    player.press("enter")
    assert not player.screen.busy(player.ui.time)


def test_while_others_choose_nothing_can_be_chosen() -> None:
    player = at(table(["S3", "", ""], ROW, turn=1), slow=True)
    assert "ben" in player.strip
    assert not player.screen.key("w")
    assert not player.screen.key("enter")
    player.click(("tile", 1))
    assert player.table.chosen == []


def test_before_the_lots_there_is_a_word() -> None:
    player = at(State.before(4), slow=True)
    assert "Lots decide the suits, and who begins." in player.text()
    player.table.go_on()
    assert " EXPLORE " in player.strip


# -- every size and depth ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("depth", Depth)
def test_everything_is_told_apart_at_every_size_and_depth(size: tuple[int, int], depth: Depth) -> None:
    player = acting("S2 C3 H1 D2 D3", ROW, pawns=(0, 1, 2))
    player.size = size
    player.press("w")
    for ascii_only in (False, True):
        canvas = player.canvas(depth, ascii_only)
        text = "\n".join(canvas.lines())
        assert text.isascii() == ascii_only
        signs = ("C 0", "S A", "M A", "D 3", "P 2") if ascii_only else ("♣ 0", "☼ A", "☾ A", "♦ 3", "♠ 2")
        assert all(sign in text for sign in signs)
        assert (">>" if ascii_only else "▸▸") in text
        assert (".." if ascii_only else "∙∙") in text
        assert ("SA" if ascii_only else "☼A") in text
        assert len(canvas.lines()) == size[1]


@pytest.mark.parametrize("depth", Depth)
def test_chosen_coins_are_lifted_at_every_depth(depth: Depth) -> None:
    player = acting("S2 S4 H1", "D1 C0")
    player.press("t", "space")
    assert "▴" in "\n".join(player.canvas(depth).lines()[19:23])


@pytest.mark.parametrize("size", [(80, 24), PORTRAIT_SIZE])
@pytest.mark.parametrize("count", [1, 5, 8, 10, 14, 30])
def test_every_coin_of_a_hand_can_be_seen_and_touched(count: int, size: tuple[int, int]) -> None:
    names = [f"{suit}{value}" for suit in "SMCHP" for value in range(6)][:count]
    player = at(table([" ".join(names), "", ""], "D1 C0"), size)
    player.press("t")
    canvas = player.canvas()
    touched = {canvas.touched(x, y) for x in range(canvas.width) for y in range(canvas.height)}
    assert {("card", number) for number in range(count)} <= touched


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_all_warlords_are_seen_even_on_one_tile(seats: int, size: tuple[int, int]) -> None:
    state = table([""] * seats, "S0 M0 C0 D0 H0 P0", suits="SMCDHP"[:seats])
    player = at(state, size)
    player.press("tab")
    text = player.text()
    for name in player.table.names:
        assert name in text
    lines = text.splitlines()
    first = next(y for y, line in enumerate(lines) if "☼0" in line)
    assert "☼0 ABC" in lines[first]
    assert "DEF"[: seats - 3] in lines[first + 1]


def test_help_follows_the_phase_and_the_menu_has_the_view() -> None:
    player = beaten()
    assert " DEFEND! " in player.strip
    assert player.screen.help().sections[0].heading == "Attacks"
    assert placing().screen.help().sections[0].heading == "A turn"
    items = {item.label: item for item in player.screen.menu()}
    assert items.keys() >= {"What happened", "Hide own values", "The whole field", "Look at tiles"}
    items["Hide own values"].run()
    assert "Show own values" in [item.label for item in player.screen.menu()]
    items["Look at tiles"].run()
    assert "Choose another tile, or go back." in player.strip


# -- on a phone --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", PORTRAIT_SIZES)
def test_on_phones_of_all_sizes_nothing_is_cut_off_or_too_small(size: tuple[int, int]) -> None:
    state = table(["S2 C3 H1 D2 D3", "H2 P1 D4", "M2"], f"{ROW} H3 C4 P5 S3 S5")
    for player in (placing(size), at(state, size)):
        for key in ("v", "v", "p", "esc"):
            player.press(key)
            with noting_cuts() as cut:
                canvas = player.canvas()
            assert not cut
            assert not too_small(canvas)


def test_on_a_phone_arrows_go_from_place_to_place() -> None:
    player = placing(PORTRAIT_SIZE)
    first = next(line for line in player.lines() if "place " in line)
    player.click(("next", 1))
    player.touch("Lay it")
    key_player = placing()
    key_player.press("space enter")
    assert player.table.chosen == key_player.table.chosen
    assert "place " in first


def test_on_a_phone_what_is_possible_is_a_button_and_a_touch_asks_why_the_rest_is_not() -> None:
    player = at(table(["S2", "H2", "M2"], ROW), PORTRAIT_SIZE)
    assert "Step or jump" in player.text()
    assert "Mine with ♠" not in player.text()
    refused = set()
    for _ in range(9):
        player.touch("Not now: ")
        refused.add(player.lines()[4].strip())
    assert "You hold no club." in refused
    assert len(refused) > 3


@pytest.mark.parametrize("count", [7, 8, 15])
def test_on_a_phone_every_coin_is_large_enough_for_a_finger(count: int) -> None:
    hand = " ".join(f"{'MCHPS'[number // 5]}{number % 5}" for number in range(count))
    player = at(table([hand, "H5", ""], ROW), PORTRAIT_SIZE)
    cards = {("card", number) for number in range(count)}
    sizes = [(hit.width, hit.height) for hit in player.canvas().hits if hit.action in cards]
    assert len(sizes) == count
    assert min(width for width, _ in sizes) >= 4
    assert min(height for _, height in sizes) >= 2


def test_on_a_phone_tiles_are_looked_at_from_the_menu_on() -> None:
    player = at(table(["S2", "", ""], "D2 H1 C0 H3"), PORTRAIT_SIZE)
    assert " ACT " in player.text()
    look = next(item for item in player.screen.menu() if item.label == "Look at tiles")
    look.run()
    player.click(("tile", 1))
    assert "It is a holy site" in player.text()
    player.touch("Back")
    assert "It is a holy site" not in player.text()


def test_on_a_phone_the_edges_move_the_field() -> None:
    player = at(table(["", "", ""], "S0 M1 C1 D1 H1 P1 S2 M2"), PORTRAIT_SIZE)
    before = player.text()
    player.click(("pan", 1, 0))
    assert player.text() != before


@pytest.mark.parametrize("size", [PORTRAIT_SIZE, ACROSS])
def test_on_a_phone_hidden_values_name_no_key(size: tuple[int, int]) -> None:
    async def play() -> None:
        app = phone_app(Clock())
        app.push(GameScreen(PiecepackUI(), PiecepackTable(table(["S2 S4 D2", "H2", ""], "D1 C0"), 0), app))
        for keys, said in ((("h", "p"), "Your values are hidden."), (("esc", "t", " "), "they are hidden now.")):
            for key in keys:
                app.draw(*size)
                app.key(key)
            canvas, faults = drawn(app, size)
            assert faults == []
            assert said in " ".join(" ".join(canvas.lines()).split())

    run(play())
