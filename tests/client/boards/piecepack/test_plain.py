"""The game of the piecepack in sentences, as the line mode plays it."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.client.boards.form import Form, FormContext, Reply
from kimberley.client.boards.line_mode import LineMode
from kimberley.client.boards.piecepack.board import PiecepackUI
from kimberley.client.boards.piecepack.parsing import NO_TILE
from kimberley.games.piecepack import GAME
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.spaces import HeartSpace, LootSpace, TileSpace
from kimberley.games.piecepack.suits import DIAMOND, MOON, RANKS, SUITS, SUN
from kimberley.games.table import Decide, Plain, Result, Space, evolve
from kimberley.p2p.sentences.notices import not_possible
from kimberley.protocol.events import Answered
from kimberley.protocol.play import NotAllowed
from tests.support.piecepack import named, table
from tests.support.piecepack_table import NAMES, PiecepackTable
from tests.support.seated_arena import SeatedArena

ROW = "C0 S1 M1 D3 P2"


def at(state: State, seat: int = 0, slow: bool = False, replies: tuple[Plain, ...] = ()) -> PiecepackTable:
    return PiecepackTable(state, seat, slow=slow, replies=replies)


def lines_of(where: PiecepackTable) -> LineMode:
    return LineMode(PiecepackUI(), where)


def typed(where: PiecepackTable, text: str) -> list[str]:
    """Returns what typing a line leads to: the choice is made, if it is one."""
    reply = lines_of(where).submit(text)
    if reply.done:
        try:
            where.play.choose(reply.choice)
        except NotAllowed as error:
            return [*reply.lines, not_possible(error)]
    return list(reply.lines)


def asked(where: PiecepackTable) -> str:
    return " ".join(lines_of(where).prompt())


def test_the_position_is_told() -> None:
    where = at(table(["D3 D4 H1", "P5", ""], ROW, pawns=(0, 1, 2), scores=(12, 0, 1)))
    lines = lines_of(where).describe()
    assert lines[0] == "You are the jumper (suns)."
    assert lines[1] == "You have 12 points and are on club 0, a black market."
    assert lines[2] == "You hold diamond 3, diamond 4 and heart ace."
    assert lines[3] == "Your diamonds would sell for 12 points."
    assert lines[4].startswith("ben, the scrounger (moons), has 0 points, stands on sun ace, a market,")
    assert lines[4].endswith("and holds a spade.")
    assert lines[5].endswith("and holds nothing.")
    assert lines[-1] == "It is your turn."


def test_who_resigned_has_no_power_any_more() -> None:
    where = at(table(["D3 D4 H1", "P5", ""], ROW))
    where.leaves(0)
    assert lines_of(where).describe()[0] == "You resigned."


def test_one_diamond_is_not_several() -> None:
    for hand, suits, own, sold in (
        ("D3 H1", "SMC", "Your diamond would sell for 3 points.", "you sell diamond 3 for 3 points."),
        ("D1 H1", "SMC", "Your diamond would sell for 1 point.", "you sell diamond ace for 1 point."),
        ("D0 H1", "SMC", "Your diamond would sell for 0 points.", "you sell diamond 0 for 0 points."),
        ("D3 H1", "DMC", "Your diamond would sell for 5 points.", "you sell diamond (3+2) for 5 points."),
        ("D2 D3", "SMC", "Your diamonds would sell for 6 points.", "you sell diamonds 2 × 3 for 6 points."),
    ):
        where = at(table([hand], "M1 S0 S2", suits=suits))
        assert own in lines_of(where).describe()
        assert f"sun 0, a black market: {sold}" in asked(where)
    only = at(table(["D2"], "D3 S1 H0"))
    assert "a market: you have only diamonds, which nobody can trade." in asked(only)


def test_before_the_lots_there_is_little_to_tell() -> None:
    where = at(State.before(3), slow=True)
    assert lines_of(where).describe() == ["Choosing suits and the first player."]
    assert typed(where, "hand") == ["Nothing for you to do now."]


def test_a_tile_is_laid_by_the_number_of_its_place() -> None:
    state = table(["", "", ""], "S0 M0 C0", (0, 1, 2))
    stack = tuple(kind for kind in state.stack if kind != (2, 4))
    where = at(evolve(state, phase="place", drawn=(2, 4), stack=stack))
    lines = lines_of(where).prompt()
    assert lines[0] == "Where do you place club 4, a war zone? Type a number."
    assert "above, next to sun 0." in " ".join(lines)
    assert "above, half a tile right, next to sun 0 and moon 0." in " ".join(lines)
    assert "to the left, half a tile up, next to " in " ".join(lines)
    for wrong in ("99", "1 2", "place"):
        assert typed(where, wrong)[0].startswith("Type the number of a place, from 1 to"), wrong
    assert typed(where, "place 1") == []
    assert where.chosen == [(-2, -1)]


def test_deeds_are_told_with_the_rule_that_forbids_them() -> None:
    text = asked(at(table(["S3", "H1", ""], ROW, pawns=(0, 1, 2))))
    assert "step: Once a turn, move one tile or jump over one." in text
    assert "travel: Spend suns to move up to their total." in text
    assert "You cannot beat anyone: you hold no clubs." in text
    assert "You cannot end the turn: take an action first" in text
    assert "You can step to sun ace, a market: an action there trades 1 coin." in text


@pytest.mark.parametrize(
    ("hand", "field", "order", "choice"),
    [
        ("H1", ROW, "step sun ace", ("step", 1)),
        ("H1", ROW, "jump moon 1", ("jump", 1, 2)),
        ("H1", ROW, "jump moon 1 over sun a", ("jump", 1, 2)),
        ("S3 S0 H1", ROW, "travel sun 3, sun null", ("sun", "S0 S3")),
        ("M3 H1", ROW, "rest moon 3", ("moon", "M3")),
        ("P3 H1", "D3 C0", "mine spade 3", ("spade", "P3")),
        ("H3 C1 D1", "S2 C0", "trade heart 3 and club ace", ("market", "C1 H3")),
        ("H1", "M2 C0", "oasis", ("oasis",)),
        ("C2 H1", "D3 C0", "beat ben club 2", ("club", 1, "C2")),
        ("C2 H1", "D3 C0", "beat 2 club 2", ("club", 1, "C2")),
    ],
)
def test_deeds_are_typed(hand: str, field: str, order: str, choice: tuple[Plain, ...]) -> None:
    state = table([hand, "D5 M1", ""], field)
    where = at(state)
    assert typed(where, order) == []
    *rest, last = choice
    assert where.chosen == [(*rest, named(state, *last.split())) if isinstance(last, str) and rest else choice]


def test_a_travel_goes_tile_by_tile_and_stops() -> None:
    where = at(table(["S3 H1", "", ""], "M0 S2 D2 D3", suits="MSC"))
    typed(where, "travel sun 3")
    assert "You may go up to 3 tiles: type step, then where." in asked(where)
    typed(where, "step sun 2")
    assert "You may go up to 2 more tiles: type step, then where, or stop." in asked(where)
    typed(where, "stop")
    assert where.chosen[1:] == [("step", 1), ("stop",)]
    typed(where, "end")
    assert where.chosen[-1] == ("end",)


def test_a_defence_is_asked_and_typed() -> None:
    state = table(["H3 H1 D2", "C4", ""], "D1 C0", turn=1, acted=1)
    for order, hearts in (("defend heart 3", ("H3",)), ("none", ()), ("heart 3 heart ace", ("H1", "H3"))):
        where = at(state, replies=(("club", 0, named(state, "C4")),))
        text = asked(where)
        assert "ben attacks you for 4. You hold heart 3 and heart ace." in text
        assert typed(where, order) == []
        assert where.chosen == [named(state, *hearts)]


def test_coins_are_stolen_and_peeked_at_by_their_numbers() -> None:
    state = table(["C2", "D3 P1 M4", ""], "D1 C0")
    where = at(state)
    typed(where, "beat ben club 2")
    text = asked(where)
    assert "steal up to 2 coins" in text
    assert "(1) a diamond, (2) a spade and (3) a moon" in text
    assert typed(where, "steal 9") == ["Type coin numbers, 1 to 3, or none."]
    assert typed(where, "steal 1 2 3") == ["Not possible: choose at most 2, not 3."]
    typed(where, "steal 1 3")
    assert where.chosen[-1] == named(state, "D3", "M4")
    state = table(["H1", "D3 P1", "M2"], "M0 P2", suits="MSC")
    where = at(state)
    typed(where, "step spade 2")
    assert "You can peek at up to 2 of the others’ coins." in asked(where)
    typed(where, "peek ben 1 carla 1")
    assert where.chosen[-1] == named(state, "D3", "M2")


def test_what_is_typed_for_example_can_be_typed() -> None:
    beaten = table(["H3 D2", "C4", ""], "D1 C0", turn=1, acted=1)
    where = at(beaten, replies=(("club", 0, named(beaten, "C4")),))
    assert "Type, for example, defend heart 3, or none." in asked(where)
    poor = at(table(["C2", "D3", ""], "D1 C0"))
    typed(poor, "beat ben club 2")
    assert "Type, for example, steal 1, or none." in asked(poor)
    spy = at(table(["H1", "", "M2 M3"], "M0 P2", suits="MSC"))
    typed(spy, "step spade 2")
    assert "You can peek at up to 2 of carla’s coins. Type, for example, peek carla 1, or none." in asked(spy)
    assert typed(spy, "peek carla") == ["Type whose coins and which: peek carla 1, or none."]


def test_nobody_is_beaten_where_nobody_else_stands_whatever_is_typed() -> None:
    alone = at(table(["C2", "D3", ""], "D1 C0", pawns=(0, 1, 1)))
    for order in ("beat", "beat ben", "beat ben club 2"):
        assert typed(alone, order) == ["Not possible: nobody else stands on your tile."]


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("step club 9", "No coin or tile is called club 9."),
        ("step heart 5", NO_TILE),
        ("step diamond 3", "Not possible: you can step only"),
        ("travel sun 5", "You do not hold sun 5."),
        ("mine spade 1", "You do not hold spade ace."),
        ("beat eve club 3", "No player called eve."),
        ("end", "Not possible: take an action first"),
        ("travel", "Type which coins, like: travel sun 3."),
        ("beat", "Type which coins, like: beat ben club 3."),
        ("beat ben", "Type which coins, like: beat ben club 3."),
        ("rest", "Not possible: "),
        ("fly", "To see what you can do now, type can"),
        ("jump sun ace", "You cannot jump to sun ace"),
        ("dig", "Not possible: only the digger"),
    ],
)
def test_what_cannot_be_done_is_said_with_its_rule(order: str, said: str) -> None:
    where = at(table(["S3 C3", "H1", ""], ROW))
    assert typed(where, order)[0].startswith(said)
    assert where.chosen == []


def test_hand_players_field_tiles_and_powers_are_told() -> None:
    where = at(table(["D3 H1", "P5", ""], ROW, pawns=(0, 1, 1)))
    assert typed(where, "hand")[1] == "You hold diamond 3 and heart ace."
    assert len(typed(where, "players")) == 2
    assert typed(where, "field")[1] == "Sun ace, a market, where ben and carla stand."
    told = typed(where, "look spade 2")
    assert told[0] == "Spade 2 is a spy’s lair: when you enter, peek at up to 2 of the others’ coins."
    assert told[1] == "Next to it: diamond 3, a mine."
    assert told[-1].startswith("For you: peek at 1 of the others’ coins, or none.")
    assert typed(where, "look heart 5") == [NO_TILE]
    assert "blocks one more for each heart in a beating." in " ".join(typed(where, "powers"))
    assert typed(where, "can") == lines_of(where).prompt()
    assert typed(where, "log") == ["Nothing has happened yet."]


def test_what_happens_is_told_once() -> None:
    state = table(["D3 D4", "", ""], "D1 C0", suits="MSC")
    where = at(state, slow=True)
    game = lines_of(where)
    where.play.choose(("step", 1))
    event = Answered(0, where.piecepack.story[0][0], ("step", 1), where.state)
    assert game.on_event(event) == ["You go to club 0, a black market."]
    assert game.on_event(event) == []
    where.go_on()
    assert "You sell diamond 3 and diamond 4 for 12 points." in game.on_event(event)
    assert game.help()


def test_while_others_choose_nothing_is_asked() -> None:
    where = at(table(["S3", "", ""], ROW, turn=1), slow=True)
    assert lines_of(where).prompt() == []
    assert typed(where, "step sun 1") == ["Nothing for you to do now."]
    assert "It is ben’s turn." in lines_of(where).describe()


def spelled(state: State, seat: int, space: Space, choice: Plain) -> str:
    """Returns a choice as a person would type it."""

    def tile(index: object) -> str:
        assert isinstance(index, int)
        return f"{SUITS[state.field[index].suit]} {RANKS[state.field[index].value]}"

    def coins(handles: object) -> str:
        assert isinstance(handles, tuple)
        held = [coin.parts for coin in state.hands[seat] if coin.handle in handles]
        return " ".join(f"{SUITS[suit]} {RANKS[value]}" for suit, value in held)  # type: ignore[index]

    def numbers(owner: int, handles: object) -> str:
        assert isinstance(handles, tuple)
        return " ".join(str(n) for n, coin in enumerate(state.hands[owner], start=1) if coin.handle in handles)

    words = {"sun": "travel", "moon": "rest", "spade": "mine", "market": "trade"}
    match space, choice:
        case TileSpace(), _:
            return f"{space.open().index(choice) + 1}"
        case _, ("step", to):
            return f"step {tile(to)}"
        case _, ("jump", over, to):
            return f"jump {tile(to)} over {tile(over)}"
        case _, ("club", int(victim), handles):
            return f"beat {NAMES[victim]} {coins(handles)}"
        case _, (str(kind), handles):
            return f"{words[kind]} {coins(handles)}"
        case _, (str(kind),):
            return kind
        case _, ():
            return "none"
        case HeartSpace(), _:
            return f"defend {coins(choice)}"
        case LootSpace(), _:
            return f"steal {numbers(space.victim, choice)}"
    parts = [f"{NAMES[owner]} {said}" for owner in state.others(seat) if (said := numbers(owner, choice))]
    return f"peek {' '.join(parts)}"


def form_of(state: State, ask: Decide) -> Form[State]:
    """Returns the form of what a seat is asked, as the line mode makes it."""

    def never(*_: object, **__: object) -> None:
        raise AssertionError("only keys and clicks lead here")

    game = PiecepackUI()
    context = FormContext(state, ask, ask.space, ask.seat, NAMES[: state.seats], {}, never, never, never, never)
    return game.form(context, game.view(NAMES, ask.seat))


@pytest.mark.slow
def test_every_choice_of_a_game_can_be_typed() -> None:
    kinds: set[str] = set()
    # The few games, of many tried, that have them all, at each number of seats.
    for seed in (0, 1, 2, 3, 8):
        table, rng = SeatedArena(GAME, 3 + seed % 4, Random(seed)), Random(seed)
        while not isinstance(ask := table.arena.truth.ask(), Result):
            chosen: dict[int, Plain] = {}
            if isinstance(ask, Decide):
                view = table.views[ask.seat]
                assert isinstance(view, State)
                choice = chosen[ask.seat] = ask.space.pick(rng)
                said = spelled(view, ask.seat, ask.space, choice)
                form = form_of(view, ask)
                assert form.type(" ") == Reply(tuple(form.prompt()))
                assert form.prompt()
                for example in re.findall("for example, (.+), or none", " ".join(form.prompt())):
                    typed_so = form.type(example)
                    assert typed_so.done, example
                    assert ask.space.violation(typed_so.choice) is None, example
                assert form.type(said) == Reply((), choice, True), said
                kinds.add(said.split()[0])
            table.apply(table.arena.answer(ask, chosen))
    assert kinds >= {"step", "jump", "travel", "rest", "mine", "trade", "beat", "oasis", "dig", "end", "stop", "none",
                     "defend", "steal", "peek"}  # fmt: skip


def test_what_diamonds_sell_for_is_told() -> None:
    own = lines_of(at(table(["D3 D4 H1", "P5", ""], ROW))).submit("payoffs").lines
    assert own[0] == "What diamonds sell for."
    assert {"0: 0.", "3 and 4: 12.", "2, 3, 4 and 5: 120."} <= set(own)
    state = evolve(table(["D3 D4 H1", "P5", ""], ROW), suits=(DIAMOND, MOON, SUN))
    swindled = lines_of(at(state)).submit("payoffs").lines
    assert {"0: 2.", "3 and 4: 18.", "2, 3, 4 and 5: 168."} <= set(swindled)


@pytest.mark.slow
@settings(deadline=None)
@given(st.text(max_size=20))
def test_nothing_that_is_typed_raises(text: str) -> None:
    where = at(table(["S3 C3 H1", "H1", ""], ROW))
    for said in (text, f"step {text}", f"travel {text}", f"beat {text}", f"look {text}", f"jump {text}"):
        reply = lines_of(where).submit(said)
        assert reply.done or reply.lines
    state = table(["H3 D2", "C4", ""], "D1 C0", turn=1, acted=1)
    attacked = at(state, replies=(("club", 0, named(state, "C4")),))
    for said in (text, f"defend {text}"):
        reply = lines_of(attacked).submit(said)
        assert reply.done or reply.lines
