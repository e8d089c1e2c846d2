"""Diamond Mine in sentences, as the line mode plays it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.client.boards.form import FormContext, Reply
from kimberley.client.boards.line_mode import LineMode
from kimberley.client.boards.mine.stones import stone
from kimberley.games.arena import Arena
from kimberley.games.mine import GAME
from kimberley.games.mine.rules import QUIET, State
from kimberley.games.mine.spaces import CardSpace, NestSpace, PawnMoveSpace, TakeSpace
from kimberley.games.mine.squares import name, square
from kimberley.games.table import Ask, Result, evolve, space_for
from kimberley.p2p.sentences.notices import not_possible
from kimberley.protocol.events import Answered, SeatDeparted
from kimberley.protocol.play import NotAllowed
from tests.support.arena_table import ArenaPeer
from tests.support.mine import BLUE, GREEN, PURPLE, RED, medium, move, position, shown, small
from tests.support.mine_story import UI
from tests.support.mine_table import NAMES, MineTable
from tests.support.seated_arena import SeatedArena


def typed(game: LineMode, table: MineTable, text: str) -> list[str]:
    """Types an order; a completed choice goes to the table."""
    reply = game.submit(text)
    if reply.done:
        try:
            table.play.choose(reply.choice)
        except NotAllowed as error:
            return [*reply.lines, not_possible(error)]
    return list(reply.lines)


def news(game: LineMode, table: MineTable) -> list[str]:
    return game.on_event(Answered(0, table.truth.ask(), None, table.state))  # type: ignore[arg-type]


def test_nests_are_placed_by_typing() -> None:
    table = MineTable()
    game = LineMode(UI, table)
    assert game.prompt()[0].startswith("Nest 1 of 10: place it outside your quarter.")
    assert typed(game, table, "b2") == ["Not possible: place your nests outside your own quarter of the board."]
    assert typed(game, table, "z9") == ["Not possible. 'z9' is not a square: squares go from a1 to h8."]
    assert typed(game, table, "place e5") == []
    assert table.chosen == [square("e5")]
    assert "You place a nest on e5." in news(game, table)


def test_the_square_of_the_example_is_open() -> None:
    table = MineTable()
    game = LineMode(UI, table)
    for _ in range(3):
        said = game.prompt()[0]
        example = said.rpartition("like ")[2].rstrip(".")
        assert said.endswith(f"Type a square, like {example}.")
        assert typed(game, table, "what now")[0].endswith(f"like {example}.")
        assert typed(game, table, example) == [], "it can be typed now"


def test_cards_are_played_by_typing() -> None:
    table = MineTable(state=position(2, veins="c3", pawns="b2 g7"), slow=True)
    game = LineMode(UI, table)
    lines = game.prompt()
    assert lines[0] == "Round 1: choose a card."
    assert lines[1].startswith("Card 1 can take you to a1 (your home), a2, a3")
    assert "c3 (an unopened vein)" in lines[1]
    assert typed(game, table, "4")[0].startswith("Not possible: type 1, 2 or 3")
    assert typed(game, table, "card 2 end") == []
    assert table.chosen == [(2, True)]


def test_the_prompt_says_who_would_end_the_game() -> None:
    state = evolve(position(4), willing=(True, True, False, True))
    lines = LineMode(UI, MineTable(state=state)).prompt()
    assert lines[-2].startswith(
        "ben and dmitri would like to end the game. To agree, type for example 2 end. The others will see it"
    )
    assert lines[-1] == "Type 1, 2 or 3."


def test_a_move_is_typed_with_what_is_done_on_the_way() -> None:
    state = shown(position(2, pawns="d4 g7", carried={0: (medium(GREEN),)}, loose={"d5": small(PURPLE)}), 3, 1)
    table = MineTable(state=state)
    game = LineMode(UI, table)
    assert "You have room for a small gem." in " ".join(game.prompt())
    for wrong, reason in (
        ("d6", "you must move 3 squares in a straight line"),
        ("d7 drop sr d5", "no gem 'sr' here"),
        ("d7 drop mg", "type drop, the gem and a square"),
        ("d7 drop", "type drop, the gem and a square"),
        ("d7 drop mg c4", "only along your path"),
        ("d7 fly", "You cannot do 'fly'"),
        ("d7 drop mg d5", "there is already a gem on d5"),
        ("e6", "you must move 3 squares in a straight line"),
    ):
        (line,) = typed(game, table, wrong)
        assert line.startswith("Not possible"), line
        assert reason in line, line
    assert typed(game, table, "go d7 pick up d5 drop medium green on d6") == []
    assert table.chosen == [move("d7", "d5", {"d6": medium(GREEN)})]


@pytest.mark.parametrize(
    ("text", "taken"), [("take all", (0, 20)), ("take mr", (20,)), ("sr", (0,)), ("take small red gem and mr", (0, 20)),
                        ("nothing", ())],
)  # fmt: skip
def test_gems_are_taken_by_typing(text: str, taken: tuple[int, ...]) -> None:
    table = MineTable(state=shown(position(2, veins="d5", pawns="d4 g7"), 1, 1))
    game = LineMode(UI, table)
    typed(game, table, "d5")
    lines = game.prompt()
    assert lines[0] == "You are at the vein on d5."
    assert "A medium red gem is worth 4 to you, double because it is your color." in lines
    assert typed(game, table, text) == []
    assert table.chosen[-1] == taken


def test_everything_can_be_asked_for() -> None:
    state = position(4, veins="d6 b2", inside={"b2": ()}, pawns="d4 b7 g7 f1", carried={0: (medium(GREEN),)},
                     loose={"c5": small(PURPLE)}, stored={1: (small(BLUE, 3),)})  # fmt: skip
    game = LineMode(UI, MineTable(state=state))
    lines = game.describe()
    assert lines[0] == "Round 1. The order of play: you, then ben, then carla, then dmitri."
    assert "Your color is red. You are on d4, carry a medium green gem, and have 0 points at home on a1." in lines
    assert "ben’s color is blue. ben is on b7, carries nothing, and has 2 points at home on a8." in lines
    assert "A small purple gem is on c5." in lines
    assert any("Exhausted: b2; b2 blocks nobody (next to a home)." in line for line in lines)
    assert lines[-1] == (
        f"The game ends when 7 more veins are exhausted, or after {QUIET} rounds in a row with no gem taken or brought "
        "home (0 so far)."
    )
    assert game.submit("look d6").lines[0] == "d6: an unopened vein."
    assert game.submit("look c5").lines[1] == "A small purple gem is worth 1 to you."
    assert game.submit("look q1").lines == ("There is no square q1.",)
    assert game.submit("left").lines[0].startswith("Small gems not seen yet: ")
    assert game.submit("players").lines[0] == lines[1]
    assert game.submit("board").lines[0].startswith("Unopened veins: d6")
    assert game.submit("where").lines[0].startswith("Card 1 can take you to ")
    assert game.submit("log").lines == ("Nothing has happened yet.",)
    assert game.submit("look").lines == tuple(lines)
    assert game.help()


def test_what_others_do_is_said() -> None:
    table = MineTable(0, state=position(4))
    game = LineMode(UI, table)
    assert news(game, table) == []
    table.leave_seat(2)
    # The table itself says that carla has left.
    assert game.on_event(SeatDeparted(1, 2, table.state)) == []
    assert game.submit("log").lines[-1] == "carla resigns."


def test_what_is_lost_with_a_seat_that_leaves_is_said() -> None:
    table = MineTable(0, state=position(4, pawns="a1 d6 h8 h1", carried={1: (small(RED, 1),)}))
    game = LineMode(UI, table)
    assert news(game, table) == []
    table.leave_seat(1)
    assert game.on_event(SeatDeparted(1, 1, table.state)) == ["What ben carried is lost: a small red gem."]


def test_before_the_lots_and_after_the_end_there_is_something_to_say() -> None:
    table = MineTable()
    table.put(peer=ArenaPeer(SeatedArena(GAME, 2, Random(1)), 0))
    game = LineMode(UI, table)
    assert game.describe() == ["Choosing the colors and the first player at random."]
    assert game.prompt() == []
    assert game.submit("d5").lines == ("Nothing for you to do now.",)
    assert game.submit("look d5").lines == tuple(game.describe())


def spelled(state: State, ask: Ask, seat: int, choice: Any) -> str:
    """Returns a choice as a player types it."""
    space = space_for(ask, seat)
    match space:
        case NestSpace():
            return name(choice)
        case CardSpace():
            return f"{choice[0]} end" if choice[1] else str(choice[0])
        case TakeSpace(gems=gems):
            return "take " + (" and ".join(spelled_gem(state, gem, gems) for gem in choice) or "nothing")
    assert isinstance(space, PawnMoveSpace)
    to, picked, dropped = choice
    held = [*state.mine.carried[seat], *(gem for at, gem in state.mine.loose if at in space.way(to))]
    text = f"go {name(to)}" + "".join(f" pick {name(at)}" for at in picked)
    for at, gem in dropped:
        text += f" drop {spelled_gem(state, gem, held)} on {name(at)}"
        held.remove(gem)
    return text


def spelled_gem(state: State, gem: int, among: Sequence[int]) -> str:
    """Returns a gem, and which one it is among those that look like it."""
    alike = [each for each in among if stone(state, each) == stone(state, gem)]
    return f"{stone(state, gem).kind}{alike.index(gem) + 1}"


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([2, 4]))
def test_whatever_keys_and_clicks_can_choose_can_be_typed(seed: int, seats: int) -> None:
    rng = Random(seed)
    arena = Arena(GAME.start(seats, {}, None), rng)
    while not isinstance(ask := arena.truth.ask(), Result):
        state, choices = arena.truth, {}
        assert isinstance(state, State)
        for seat in ask.choosers:
            space = space_for(ask, seat)
            assert space is not None
            choices[seat] = space.pick(rng)
            context = FormContext(state, ask, space, seat, NAMES, {}, unused, unused, unused, unused)
            reply = UI.form(context, UI.view(NAMES, seat)).type(spelled(state, ask, seat, choices[seat]))
            assert reply == Reply((), choices[seat], True)
        arena.advance(choices)


def unused(*_: object, **__: object) -> None:
    raise AssertionError("typing needs no screen")


def test_one_of_several_gems_that_look_alike_is_named_by_its_number() -> None:
    state = shown(position(2, pawns="d4 g7", carried={0: (small(GREEN), small(GREEN, 1))}), 3, 1)
    table = MineTable(state=state)
    game = LineMode(UI, table)
    assert "no gem 'sg3' here" in typed(game, table, "d7 drop sg3 d5")[0]
    assert typed(game, table, "d7 drop sg2 d5") == []
    assert table.chosen == [move("d7", dropped={"d5": small(GREEN, 1)})]


@given(st.text(max_size=20), st.sampled_from(["place", "card", "move", "take"]))
def test_nothing_that_is_typed_raises(text: str, kind: str) -> None:
    state = {"place": None, "card": position(2), "move": shown(position(2, veins="d5", pawns="d4 g7"), 1, 1),
             "take": None}[kind]  # fmt: skip
    table = MineTable(state=state)
    game = LineMode(UI, table)
    reply = game.submit(text)
    assert reply.done or reply.lines


@pytest.mark.slow
@given(
    st.lists(
        st.sampled_from(["go", "d5", "d6", "pick", "drop", "mg", "small", "green", "on", "up", "1", "end", "take"])
    )
)
def test_no_order_of_known_words_raises(words: list[str]) -> None:
    state = shown(position(2, pawns="d4 g7", carried={0: (medium(GREEN),)}, loose={"d5": small(RED, 3)}), 2, 1)
    reply = LineMode(UI, MineTable(state=state)).submit(" ".join(words))
    assert reply.done or reply.lines
