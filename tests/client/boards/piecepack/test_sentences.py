"""What the board of the piecepack game says: what is possible, what happened, what nobody else may know."""

from __future__ import annotations

import pytest

from kimberley.client.boards.piecepack.board import ORDINARY, OWN_PACE
from kimberley.client.boards.piecepack.words import describe
from kimberley.client.boards.playback import LATE
from kimberley.client.ui.lists import StyledText
from kimberley.games.piecepack.rules import State
from kimberley.games.table import Item, evolve
from tests.support.piecepack import kind, named, table
from tests.support.piecepack_player import ROW, Player, acting, at, beaten, placing
from tests.support.piecepack_table import PiecepackTable


def test_the_menu_says_what_can_be_done_and_why_not_the_rest() -> None:
    player = acting()
    text = player.text()
    assert "You must take an action." in text
    for label in (" Step or jump", " Travel with ☼", " Beat with ♣", "(Mine with ♠)", "(Rest with ☾)", "(Trade coins)",
                  "(Draw a ♥)", "(End the turn)"):  # fmt: skip
        assert label in text, label
    player.press("k")
    assert "You hold no spades." in player.strip
    assert player.canvas().cell(player.strip.index("You hold"), 1).style.fg == "warning"
    assert "Not now: you hold no spades." in player.panel
    player.press("d")
    assert "Take an action first" in player.strip
    player.press("x")
    assert "market" in player.strip
    assert player.table.chosen == []


def test_the_strip_says_where_the_next_points_are() -> None:
    selling = at(table(["D2 C1"], "S1 D3 H0"))
    assert "Goal: sell ♦ at ♥0, a black market, 2 steps away." in selling.strip
    mining = at(table(["P2 C1"], "S1 D3 H0"))
    assert "Goal: mine ♦ at ♦3, a diamond mine, 1 step away." in mining.strip
    assert "Goal: mine ♦ at ♦3, a diamond mine, 1 step away." in at(table(["C2"], "S1 D3 H0", suits="PMC")).strip
    assert "Goal: find a mine." in at(table(["P2"], "S1 H2")).strip


def test_a_sale_that_brings_nothing_is_no_goal_and_says_why() -> None:
    spoilt = at(table(["D0 D1 D3"], "S1 D3 H0"))
    assert "Goal: get rid of ♦0 at ♥0, a black market, 2 steps away." in spoilt.strip
    assert "Worth 0: your ♦0 ruins it" in spoilt.text()
    step = at(table(["D0 D3"], "S1 H0"))
    step.press("w")
    assert "you sell ♦ 0 × 3 for 0; your ♦0 ruins it." in " ".join(step.panel.split())
    swindler = at(table(["D0"], "S1 H0", suits="DMC"))
    assert "Goal: sell ♦ at ♥0, a black market, 1 step away." in swindler.strip
    alone = at(table(["D0"], "S1 H0"))
    assert "Goal: get rid of ♦0 at ♥0" in alone.strip
    assert "ruins" not in alone.text()


def test_hidden_values_do_not_show_in_the_goal() -> None:
    hiding = at(table(["D0 D3"], "S1 H0"))
    hiding.press("h")
    assert "Goal: sell ♦ at ♥0" in hiding.strip
    assert "ruins" not in hiding.text()


def test_without_spades_the_strip_leads_to_where_coins_are_drawn() -> None:
    trading = at(table(["C2 C1"], "D3 H2 S1"))
    assert "Goal: trade for ♠ at ☼A, a market, 2 steps away." in trading.strip
    drawing = at(table(["C2"], "D3 M2 S1"))
    assert "Goal: draw a ♥ at ☾2, an oasis, 1 step away." in drawing.strip
    assert "Goal: find a market for coins or an oasis." in at(table(["C2"], "D3 H2")).strip


def test_a_step_is_offered_to_where_the_strip_leads() -> None:
    selling = at(table(["D2"], "S3 M1 H2 C0", suits="MSC", pawns=(1, 0, 0)))
    assert "Goal: sell ♦ at ♣0, a black market, 2 steps away." in selling.strip
    selling.press("w")
    assert "Holy site" in selling.panel
    mining = at(table(["P2"], "D3 M1 H2 C0", suits="MSC", pawns=(1, 0, 0)))
    mining.press("w")
    assert "Mine: spend your ♠ there to get up to 3 ♦." in mining.panel


def test_diamonds_are_sold_and_said_to_be() -> None:
    player = acting("D3 D4", "D1 C0", suits="MSC")
    assert "♦ 3 × 4 sells for 12" in player.text()
    player.press("w", "enter")
    assert "You sold ♦3 ♦4 for 12 points." in player.said()
    log = player.screen.timeline
    gains = [gain for at in range(1, len(log.events) + 1) if (gain := log.gain(at)) is not None]
    assert gains == [StyledText("+12", "money", True)]


@pytest.mark.parametrize(
    ("quiet", "stack", "note", "said"),
    [
        (3, 5, "nobody explored: 1 of 3", "Nobody explored for 1 round; after 3 the game ends."),
        (8, 5, "nobody explored: 2 of 3", "Nobody explored for 2 rounds; after 3 the game ends."),
        (9, 5, "the last turn", "The last turn."),
        (0, 1, "1 tile left, then the end", "1 tile left, then the end."),
    ],
)
def test_the_end_is_counted_down(quiet: int, stack: int, note: str, said: str) -> None:
    state = table(["S3 H1", "", ""], "M0 S2 D2", suits="MSC")
    calm = evolve(state, quiet=2, stack=state.stack[:5])
    assert "5 tiles left" in at(calm).lines()[0]
    assert said not in describe(calm, ("ana", "ben", "carla"), 0)
    state = evolve(state, quiet=quiet, stack=state.stack[:stack])
    assert note in at(state).lines()[0]
    assert said in describe(state, ("ana", "ben", "carla"), 0)
    assert said in at(state).strip


@pytest.mark.parametrize(
    ("name", "said"),
    [("ben", "ben attacks for 4: spend hearts?"), ("Bartholomew Cullinan", "An attack of 4: spend hearts?")],
)
def test_a_long_name_cuts_no_question(name: str, said: str) -> None:
    where = beaten().table
    where.names = ("ana", name, "carla")
    player = Player(where)
    assert said in player.strip
    assert "…" not in player.strip


def test_a_spy_sees_what_it_peeks_at_and_nobody_else_does() -> None:
    state = table(["H1", "D3 P1", "M2"], "M0 P2", suits="MSC", pawns=(0, 0, 0))
    player = at(state)
    player.press("w", "enter")
    assert "Peek at up to 2 coins; only you are shown their values." in player.text()
    player.press("space", "down", "space")
    player.touch("Peek Enter")
    assert player.table.chosen[-1] == named(state, "D3", "M2")
    assert "You peeked at ben’s ♦3 and carla’s ☾2." in player.said()
    player.press("tab")
    assert "♦3" in player.text()
    player.press("h")
    assert "♦3" not in player.text()


def test_a_spy_is_offered_what_it_does_not_know() -> None:
    state = table(["H1", "D3 P1", "M2"], "M0 P2", suits="MSC", pawns=(0, 0, 0))
    coins = [Item(coin.handle, coin.parts, (coin.seen[0], coin.seen[1] | 1)) if coin.parts == kind("P1") else coin
             for coin in state.hands[1]]  # fmt: skip
    player = at(evolve(state, hands=(state.hands[0], tuple(coins), state.hands[2])))
    player.press("w", "enter", "a")
    player.touch("Peek Enter")
    assert player.table.chosen[-1] == named(state, "D3", "M2")


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


def robbed(*loot: str) -> Player:
    """Seat 0, whose turn begins after ben has beaten it, and stolen some coins or none."""
    state = table(["S1 P5", "C2", ""], "D1 C0 M0", suits="SMP", turn=1, pawns=(0, 0, 2))
    player = at(state, slow=True)
    player.table.replies = [("club", 0, named(state, "C2")), named(state, *loot), ("end",)]
    player.table.go_on()
    return player


def test_what_others_took_since_the_last_turn_is_said_until_something_is_done() -> None:
    player = robbed("P5")
    assert "ben stole ♠5 from you." in player.strip
    player.press("h")
    assert "ben stole ♠ from you." in player.strip
    player.press("h", "enter")
    assert "stole" not in player.strip


def test_where_nothing_was_taken_the_turn_begins_with_what_to_do() -> None:
    assert "from you" not in robbed().strip


def test_hidden_values_are_not_told() -> None:
    state = table(["C2 H1", "D3 P1 M4", ""], "D1 C0", suits="SMC", pawns=(0, 0, 1))
    player = at(state)
    player.press("h", "b", "enter", "space", "enter")
    assert player.said() == "You stole ☾ from ben."
    log = player.screen.timeline
    assert log.sentences(len(log.events)) == ("You stole a moon from ben.",)
    player.press("h")
    assert log.sentences(len(log.events)) == ("You stole moon 4 from ben.",)


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
    assert "You went to ♣0, a black market. You sold ♦3 ♦4 for 12 points." in player.panel


def test_what_others_do_is_shown_piece_by_piece_and_enter_shows_the_rest() -> None:
    state = table(["", "", ""], ROW, turn=1, pawns=(0, 1, 2))
    player = Player(PiecepackTable(state, slow=True), calm=False)
    player.table.replies = [("step", 2), ("end",)]
    player.table.go_on()
    assert "ben went to ☾A" in player.strip
    assert " more" in player.strip
    assert "EXPLORE" not in player.strip
    due = player.screen.next_frame(player.ui.time)
    assert due == player.ui.time + ORDINARY
    player.press("enter")
    assert " more" not in player.strip
    assert "went to ☾A" not in player.strip


def test_a_seat_that_leaves_is_told_and_its_pawn_is_gone() -> None:
    player = acting()
    player.table.leaves(2)
    player.press("tab")
    assert "resigned" in player.text()
    assert "♣C" not in player.text().replace("♣C carla", "")


def test_who_has_left_looks_on() -> None:
    player = acting()
    player.table.leaves(0)
    player.press("tab")
    assert "Resigned." in player.text()
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
    assert "600 points reached." in player.strip
    assert player.screen.busy(player.ui.time)
    player.ui.time += LATE
    player.press("enter")
    assert not player.screen.busy(player.ui.time)


def test_before_the_lots_there_is_a_word() -> None:
    player = at(State.before(4), slow=True)
    assert "Drawing suits and who begins." in player.text()
    player.table.go_on()
    assert " EXPLORE " in player.strip


def test_help_follows_the_phase_and_the_menu_has_the_view() -> None:
    player = beaten()
    assert " DEFEND! " in player.strip
    assert player.screen.help().sections[0].heading == "Attacks"
    assert placing().screen.help().sections[0].heading == "A turn"
    items = {item.label: item for item in player.screen.menu()}
    assert items.keys() >= {"Log", "Hide my values", "Whole map", "Look at tiles"}
    items["Hide my values"].run()
    assert "Show my values" in [item.label for item in player.screen.menu()]
    items["Look at tiles"].run()
    assert "Choose another tile, or go back." in player.strip
