"""What the board of Diamond Mine says is true where it is said, however a game goes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Final

import pytest

from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.line_mode import LineMode
from kimberley.client.boards.mine.board import MineUI
from kimberley.client.boards.mine.events import GameEvent
from kimberley.client.boards.mine.panel import MOST_ROWS
from kimberley.client.boards.mine.square_info import LAST_VEIN, square_info
from kimberley.client.boards.mine.stones import named, stones
from kimberley.client.boards.mine.view import MineView
from kimberley.client.boards.mine.words import describe, respond
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.view import Shown
from kimberley.client.ui.canvas import Canvas
from kimberley.games import lookup
from kimberley.games.arena import Arena
from kimberley.games.mine.moves import CARDS
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import SQUARES
from kimberley.games.mine.squares import square as square_of
from kimberley.games.table import Result, evolve
from tests.support.asyncs import run
from tests.support.board_snapshots import QUIET, Clock, app_at
from tests.support.effort import first_is_quick
from tests.support.mine import BLUE, GREEN, PURPLE, medium, move, position, shown, small
from tests.support.mine_player import playing
from tests.support.mine_table import MineTable
from tests.support.whole_game_table import WholeGameTable, at_random

NAMES: Final = ("ana", "ben", "carla", "dmitri")
GOING: Final = re.compile(r"Land here|Move onto it|come back")
UI: Final = MineUI()


def states(seats: int, seed: int) -> Iterator[State]:
    """Yields every tenth state of a game that is played at random."""
    chance = Random(seed)
    arena = Arena(lookup.find("mine").start(seats, {}, seed % seats), chance)
    count = 0
    while not isinstance(ask := arena.truth.ask(), Result):
        count += 1
        if count % 10 == 0 and isinstance(arena.truth, State) and arena.truth.colors:
            yield arena.truth
        choices = {seat: space.pick(chance) for seat in ask.choosers if (space := ask.space_for(seat)) is not None}
        arena.apply(arena.answer(ask, choices))
    assert isinstance(arena.truth, State)
    yield arena.truth


@pytest.mark.parametrize("game", first_is_quick((2, 1), (4, 2), (2, 3), (4, 4)))
def test_a_square_says_what_to_do_there_only_to_who_can_do_it(game: tuple[int, int]) -> None:
    seats, seed = game
    told = 0
    for state in states(seats, seed):
        for square in SQUARES:
            pawn = next((seat for seat, at in enumerate(state.mine.pawns) if at == square), None)
            for you in (None, *range(seats)):
                heading, sentences, _ = square_info(state, square, NAMES, you)
                said = " ".join(sentences)
                told += bool(GOING.search(said))
                if you is None or state.ended or (pawn not in (None, you)):
                    assert not GOING.search(said), said
                if "Land here to take" in said or "Move onto it" in said:
                    assert pawn is None, said
                if "come back" in said:
                    assert pawn == you, said
                nest = state.mine.vein_at(square)
                if "take what" in said and you is not None and nest is not None:
                    assert any(state.size(gem) <= state.mine.room(you) for gem in state.mine.inside[nest]), said
                lying = state.mine.loose_at(square)
                if re.search("to pick it up|To pick it up", said) and you is not None and lying is not None:
                    assert state.size(lying) <= state.mine.room(you), said
                assert "nothing, 0" not in said
                assert not re.search(r"pawn carries [^.]*\. (It|Empty)", said), "of which of them is that true?"
                assert not (state.ended and LAST_VEIN in said)
                assert heading
                assert not GOING.search(" ".join(square_info(state, square, NAMES, you, playing=False)[1]))
    assert told


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_is_quick(1, 2, 3))
def test_the_strip_calls_the_reader_you_and_the_panel_begins_with_a_sentence(seed: int) -> None:
    async def main() -> None:
        clock = Clock()
        app = app_at(clock)
        table = WholeGameTable("mine", 2, seed, at_random(seed), clock.now, {}, begins=seed % 2)
        screen = GameScreen(find_board("mine").game, table, app)
        app.push(screen)
        waits, latest = 0, 0
        for _ in range(150):
            if isinstance(table.ask, Result):
                break
            table.offer()
            table.commit()
            clock.time += QUIET
            while screen.busy(clock.time):
                app.key("enter")
                clock.time += QUIET
            canvas = app.draw(80, 24)
            strip = canvas.lines()[1]
            assert not re.search(r"\bana (places|opens|moves|can)\b", strip), strip
            waits += bool(re.search(r"\b(You|ben) (place|open|move|can)", strip))
            rows = [line[48:].strip() for line in canvas.lines()]
            if "What happened" in rows:
                latest += 1
                at = rows.index("What happened") + 1
                said = " ".join(rows[at : at + MOST_ROWS])
                first = re.split(r"(?<=\.) ", said)[0]
                assert any(first == line or line.startswith(first) for line in history(table)), said
            table.answer()
        assert waits
        assert latest

    run(main())


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_is_quick(1, 2, 3))
def test_the_panel_of_four_players_cuts_no_sentence_off(seed: int) -> None:
    async def main() -> None:
        clock = Clock()
        app = app_at(clock)
        table = WholeGameTable("mine", 4, seed, at_random(seed), clock.now, {}, begins=seed % 4)
        app.push(GameScreen(find_board("mine").game, table, app))
        full = 0
        for _ in range(120):
            if isinstance(table.ask, Result):
                break
            table.offer()
            for key in ("", "right", "esc"):
                if key:
                    app.key(key)
                clock.time += QUIET
                rows = [line[48:].strip() for line in app.draw(80, 24).lines()]
                about = rows[: next(y for y, row in enumerate(rows) if row.startswith("▴ small 1"))]
                full += bool(about[-1])
                last = next(row for row in reversed(about) if row)
                assert last.endswith((".", "you stay put")) or not re.search(r"[a-z]{2} [a-z]{2}", last), about
            table.commit()
            table.answer()
        assert full

    run(main())


def history(table: WholeGameTable) -> list[str]:
    """Returns all that has happened, in sentences."""
    return LineMode(UI, table).submit("log 999").lines  # type: ignore[return-value]


def test_what_can_be_typed_at_a_vein_is_what_can_be_taken_there() -> None:
    for carried, typed in (
        ((), "Type take mb, take sg, take all or take nothing."),
        ((medium(PURPLE),), "Type take sg or take nothing."),
    ):
        state = position(
            2, veins="d6", inside={"d6": (small(GREEN), medium(BLUE))}, pawns="d6 g7", carried={0: carried}
        )
        at = evolve(state, phase="take", nest=0, turn=0, cards=(2, 1))
        line = LineMode(UI, MineTable(state=at))
        assert line.prompt()[-1] == typed, named(stones(state, carried))
        (refused,) = line.submit("take mr mg").lines
        assert refused == "Not possible: no gem 'mr' here, only mb (medium blue) and sg (small green)."


def test_nothing_is_said_of_what_could_follow_once_a_resignation_has_ended_the_game() -> None:
    state = position(2, veins="d6 c3", inside={"d6": (small(GREEN),)}, pawns="d4 g7")
    assert "The game ends when" in " ".join(describe(state, NAMES[:2], 0))
    assert "The game ends when" not in " ".join(describe(state, NAMES[:2], 0, over=True))
    assert "Land here" in " ".join(respond(["look", "d6"], state, NAMES[:2], 0) or [])
    assert "Land here" not in " ".join(respond(["look", "d6"], state, NAMES[:2], 0, over=True) or [])
    assert respond(["where"], state, NAMES[:2], 0, over=True) is None
    spent = position(2, veins="d6", inside={"d6": ()}, pawns="d4 g7")
    assert "for the rest of the game" in " ".join(respond(["look", "d6"], spent, NAMES[:2], 0) or [])
    assert respond(["look", "d6"], spent, NAMES[:2], 0, over=True) == [
        "d6: an exhausted vein.", "It is empty and blocks the way.",
    ]  # fmt: skip
    assert "Small gems not seen yet: " in (respond(["left"], state, NAMES[:2], 0) or [""])[0]
    assert "Small gems never seen: " in (respond(["left"], state, NAMES[:2], 0, over=True) or [""])[0]
    assert "The order of play" in describe(state, NAMES[:2], 0)[0]
    assert "The order of play" not in describe(state, NAMES[:2], 0, over=True)[0]
    assert "to you" in " ".join(respond(["look", "d6"], state, NAMES[:2], 0) or [])
    four = position(4, veins="d6", inside={"d6": (small(GREEN),)}, pawns="d4 b7 g7 f1").leave(0)
    for at, you, over in ((state, 0, True), (state, None, True), (state, None, False), (four, 0, False)):
        assert respond(["look", "d6"], at, NAMES, you, over=over) == [
            "d6: an open vein.", "It holds a small green gem.",
        ]  # fmt: skip


def test_before_there_are_cards_where_tells_where_the_nests_are() -> None:
    state = next(state for state in states(2, 1) if not state.round)
    assert respond(["where"], state, NAMES[:2], 0) == respond(["board"], state, NAMES[:2], 0)


def test_if_all_nests_were_opened_no_gem_that_nobody_has_seen_is_in_play() -> None:
    (*_, some), (*_, final) = (respond(["left"], state, NAMES, 0, over=True) or [""] for state in opened_states())
    assert re.fullmatch(r"Of these (\d+) gems, (\d+) are not in play\.", some)
    assert final == "None of these are in play."


def opened_states() -> tuple[State, State]:
    """Returns the first state of a game with some nests still closed, and one in which all were opened."""
    game = [state for seed in range(9) for state in states(4, seed) if state.items]
    return game[0], next(state for state in game if all(state.mine.opened))


def test_the_panel_says_nothing_of_what_could_follow_once_a_resignation_has_ended_the_game() -> None:
    state = position(2, veins="d6 c3", inside={"d6": (small(GREEN),), "c3": ()}, pawns="d4 g7")
    for square in ("d6", "c3"):
        told = []
        for result in (None, Result((2, 1), ((0,), (1,)), "ana resigned")):
            shown: Shown[State, GameEvent] = Shown(state, (), 0, NAMES[:2], 0, result=result, live=True)
            view = MineView(NAMES[:2], 0)
            view.cursor.square = square_of(square)
            canvas = Canvas(80, 34)
            view.draw(canvas, shown)
            told.append(" ".join(canvas.lines()))
        for said in ("rest of the", "You carry nothing", "Not seen yet", "ends at"):
            assert said not in told[1], told[1]
        assert "ends at" in told[0]


def test_who_plays_against_one_reads_that_this_one_sees_and_that_both_must_agree() -> None:
    two = playing(evolve(position(2), willing=(False, True)))
    (banner,) = two.screen.requests()
    assert banner.more == "You must both agree in the same round, each with your card."
    two.press("e")
    assert "ben sees it when the cards are revealed. If you both agree" in two.ui.questions[-1][0]
    four = playing(evolve(position(4), willing=(False, True, False, True)))
    assert four.screen.requests()[0].more == "All must agree in the same round, each with their card."
    prompt = " ".join(LineMode(UI, MineTable(state=evolve(position(2), willing=(False, True)))).prompt())
    assert "To agree, type for example 2 end. ben will see it with your card." in prompt


def test_where_a_card_leads_is_told_of_the_card_that_was_played_until_its_pawn_has_moved() -> None:
    chosen = shown(position(2, veins="d5", pawns="d4 g7"), 1, 2)
    for seat, card in ((0, 1), (1, 2)):
        (line,) = respond(["where"], chosen, NAMES[:2], seat) or []
        assert line.startswith(f"Card {card} can take you to ")
    opens = chosen.apply(move("d5"))
    assert len(respond(["where"], opens, NAMES[:2], 0) or []) == len(CARDS), "the card has been used"
    assert len(respond(["where"], opens, NAMES[:2], 1) or []) == 1
    gone = evolve(position(4), present=(False, True, True, True))
    assert respond(["where"], gone, NAMES, 0) is None


def test_who_resigned_is_not_said_to_have_agreed_to_end_the_game() -> None:
    for gone, you, told in (
        ((0,), 0, "All remaining players agreed to end the game. You resigned."),
        ((2,), 0, "All remaining players agreed to end the game. carla resigned."),
        ((0, 2), None, "Both remaining players agreed to end the game. ana and carla resigned."),
        ((), 0, "All players agreed to end the game."),
    ):
        here = tuple(seat not in gone for seat in range(4))
        state = evolve(position(4), present=here).apply(tuple((1, True) if present else None for present in here))
        result = state.ask()
        assert isinstance(result, Result)
        shown: Shown[State, GameEvent] = Shown(state, (), 0, NAMES, you, result=result, live=True)
        assert MineView(NAMES, you).strip(shown, 80) == ("THE END", told)


def test_while_nests_are_placed_none_is_called_a_vein() -> None:
    early = [state for state in states(2, 3) if not state.round]
    assert early
    for state in (evolve(early[0], mine=evolve(early[0].mine, veins=())), *early):
        told = respond(["board"], state, NAMES[:2], 0) or []
        assert told[0] == f"{len(state.mine.veins)} of 10 nests placed."
        assert "vein" not in " ".join(told)
        assert set(told) <= set(describe(state, NAMES[:2], 0))
        assert (len(told) > 1) == bool(state.mine.veins)
    start = lookup.find("mine").start(2, {}, None)
    assert isinstance(start, State)
    assert respond(["board"], start, NAMES[:2], 0) == ["Choosing the colors and the first player at random."]
