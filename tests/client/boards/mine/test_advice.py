"""Why the bot of Diamond Mine advises what it does."""

from __future__ import annotations

import re

import pytest

from kimberley.client.boards.mine.advice import advise, advise_next
from kimberley.client.boards.next_best import FORESEEN
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import square as square_of
from kimberley.games.table import Plain, Result, evolve
from tests.support.mine import RED, go, last_vein, medium, move, position, shown, small
from tests.support.mine_story import UI
from tests.support.mine_table import NAMES


def advised(state: State, choice: Plain) -> str:
    """Returns what seat 0 is told when it is advised to make this choice."""
    ask = state.ask()
    assert not isinstance(ask, Result)
    return UI.advise(state, ask, 0, choice, NAMES)


@pytest.mark.parametrize(
    ("state", "to", "said"),
    [
        # Both a2 and b2 are one turn from a1, so a2 is not said to be nearer.
        (position(pawns="b2 g7", carried={0: (small(RED), medium(RED))}), "a2",
         "your home is 1 turn from there; looking ahead, nothing else comes out better"),
        (position(pawns="b2 g7", carried={0: (small(RED), medium(RED))}), "a1",
         "you bring home a medium red gem and a small red one"),
        (position(pawns="f6 h8", carried={0: (small(RED), medium(RED))}), "d4",
         "you get closer to your home, 1 turn away"),
        # On an empty board d4 is one turn from home.
        (position(pawns="f6 h8", carried={0: (small(RED), medium(RED))}, veins="c3", inside={"c3": ()}), "d4",
         "you get closer to your home, 2 turns away"),
    ],
    ids=["as near as before", "home", "nearer", "nearer around what is in the way"],
)  # fmt: skip
def test_the_reason_for_a_move_holds_on_the_field_as_it_stands(state: State, to: str, said: str) -> None:
    card = {"a2": 1, "a1": 1, "d4": 2}[to]
    assert advised(shown(state, card, 1), move(to)) == f"Move to {to}: {said}."


def test_of_two_players_there_is_no_nearest_other_home() -> None:
    two, four = (evolve(position(seats), phase="place", turn=0, round=0) for seats in (2, 4))
    assert advised(two, square_of("e4")).endswith("and 2 from your opponent’s home.")
    assert advised(four, square_of("e4")).endswith("from the nearest other home.")


def test_a_card_is_said_to_lead_nearer_only_if_a_square_of_it_does() -> None:
    full = {0: (small(RED), medium(RED))}
    state = position(pawns="b2 g7", carried=full)
    told = [advised(state, (card, False)) for card in (1, 3)]
    assert told == [
        "Choose card 1: it can take you to a1 (your home).",
        f"Choose card 3: from b5, your home is 2 turns away; {FORESEEN}.",
    ]
    away = position(pawns="e4 h8", carried=full)
    assert advised(away, (1, False)) == "Choose card 1: it brings you closer to your home (via d4)."


def test_home_is_no_reason_for_a_card_while_nothing_is_carried() -> None:
    def told(*carried: int) -> list[str]:
        """Returns what is said of card 1, which leads home, as the best choice and as the next best one."""
        state = position(pawns="b2 g7", carried={0: carried})
        return [advised(state, (1, False)), advise_next(state, 0, (2, False), (1, False)).sentence()]

    assert all("a1 (your home)" in said for said in told(small(RED)))
    assert not any("home" in said for said in told())


def test_veins_that_a_card_can_lead_to_are_named_together() -> None:
    state = position(pawns="e4 h8", veins="f4 e5 d4", inside={"f4": (small(RED),), "d4": (medium(RED),)})
    assert advised(state, (1, False)) == (
        "Choose card 1: it can take you to d4 or f4 (open veins) or e5 (an unopened vein)."
    )


def test_a_full_pawn_is_not_sent_to_what_it_cannot_carry() -> None:
    def at(*carried: int) -> State:
        return position(pawns="e4 h8", veins="f4", carried={0: carried}, loose={"e5": small(RED, 2)})

    light = at(small(RED))
    assert advised(light, (1, False)) == (
        "Choose card 1: it can take you to f4 (an unopened vein) or a dropped gem on e5."
    )
    assert advised(shown(light, 1, 1), move("f4")) == "Move to f4: you open a vein."
    full = at(small(RED), medium(RED))
    assert advised(full, (1, False)) == "Choose card 1: it brings you closer to your home (via d4)."
    assert advised(shown(full, 1, 1), move("f4")) == f"Move to f4: your home is 2 turns from there; {FORESEEN}."


def test_an_end_is_advised_by_the_rounds_in_which_nothing_was_gained() -> None:
    state = position(pawns="b2 g7", quiet=6)
    assert advised(state, (1, True)).endswith("Agree to end the game: 6 rounds without a gem taken or brought home.")
    for quiet in (0, 1):
        leads = position(pawns="b2 g7", quiet=quiet, stored={0: (medium(RED),)})
        assert advised(leads, (1, True)).endswith("Agree to end the game: the gems left would not improve your rank.")


def test_what_is_dropped_on_the_way_is_not_brought_home() -> None:
    state = shown(position(pawns="b2 g7", carried={0: (small(RED), medium(RED))}), 1, 1)
    told = advised(state, move("a1", dropped={"b3": small(RED)}))
    assert told == "Move to a1 and drop a small red gem on b3: you bring home a medium red gem."


def test_a_pawn_with_little_room_is_not_said_to_come_nearer_to_a_vein_that_gives_it_nothing() -> None:
    state = position(pawns="e4 h8", veins="h4", inside={"h4": (medium(RED, 2),)}, carried={0: (medium(RED),)})
    assert state.mine.room(0) == 1
    assert "h4" not in advised(state, (1, False))


def test_advice_counts_turns_around_exhausted_veins() -> None:
    def advised(*shut: str) -> str:
        held = {"h3": (small(RED, 0),), **dict.fromkeys(("b4", "b6", "c7", "d5", "e2", "f7", *shut), ())}
        state = shown(position(4, veins=" ".join(held), inside=held, pawns="g6 a8 h8 h1"), 1, 1, 1, 1)
        return advise(state, 0, move("h6"))

    assert advised("a2") == "Move to h6: you get closer to h3, 1 turn away."
    assert advised("h4") == f"Move to h6: h3 is 2 turns from there; {FORESEEN}."


def test_advice_promises_nothing_where_no_way_leads_anywhere() -> None:
    held = dict.fromkeys(("a4", "b4", "c4", "c5", "c6", "b6", "a6"), ())
    state = shown(
        position(4, veins=" ".join(held), inside=held, pawns="a5 a8 h8 h1", carried={0: (small(RED),)}), 1, 1, 1, 1
    )
    assert advise(state, 0, move("b5")) == "Move to b5: nothing you could take is within reach."


def test_a_haul_that_is_worth_less_than_the_next_best_says_what_it_saves() -> None:
    inside = {"f4": (small(RED), medium(RED))}
    state = go(shown(position(pawns="e4 h8", veins="f4 c3", inside=inside), 1, 1), "f4")
    both, one = (small(RED), medium(RED)), (medium(RED),)
    assert advised(state, one) == "Take a medium red gem: it is worth 4 to you, and that leaves room for 1 small gem."
    said = advise_next(state, 0, one, both).sentence()
    assert said.endswith(
        "a medium red gem and a small red one: they are worth 6 to you, and the vein is then exhausted."
    )
    most = "the most you could take is worth 6 to you, but would leave no room and exhaust the vein"
    assert advised(state, ()) == f"Take nothing: {most}; {FORESEEN}."


def test_a_card_names_every_aim_that_its_squares_come_nearer_to() -> None:
    state = position(pawns="d4 h8", veins="a7 g1")
    told = advised(state, (1, False)).partition(": ")[2]
    ways = dict(re.findall(r"(\w\d) \(via ([^)]*)\)", told))
    assert len(ways) > 1
    for where, by in ways.items():
        for square in re.findall(r"\w\d", by):
            told = advised(shown(state, 1, 1), move(square))
            assert f"you get closer to {where}, " in told


@pytest.mark.parametrize(("mine", "said"), [(3, "that ends the game, and you win"), (0, "that ends the game")])
def test_the_last_gem_ends_the_game_and_is_worth_nothing(mine: int, said: str) -> None:
    state = last_vein(mine, 1)
    assert advised(state, (small(RED),)) == f"Take a small red gem: {said}."
    assert advised(state, ()) == "Take nothing: the last gem of this vein would end the game."


def test_who_makes_room_on_the_way_is_told_what_that_is_good_for() -> None:
    state = shown(position(pawns="b2 g7", carried={0: (small(RED), medium(RED))}), 1, 1)
    dropping = move("b3", dropped={"b3": small(RED)})
    assert advised(state, dropping) == "Move to b3 and drop a small red gem on b3: that leaves room for 1 small gem."
    assert advise_next(state, 0, dropping, move("b3")).action == "Move to b3 and drop nothing"
