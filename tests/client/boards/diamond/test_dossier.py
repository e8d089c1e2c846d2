"""What the client tells of a game of Diamond besides the board: replay, dossier, and the game in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.client.boards.diamond.board import DiamondUI
from kimberley.client.boards.diamond.dossier import ending, outcome
from kimberley.client.boards.diamond.events import GameEvent, describe_event, explain_capture, remark, start_of
from kimberley.client.boards.diamond.view import DiamondView
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.line_mode import LineMode
from kimberley.client.boards.report import NOBODY_PLAYED, Dossier
from kimberley.client.boards.stepping import ReplayScreen
from kimberley.client.boards.subject import Subject, subject
from kimberley.client.boards.view import Shown
from kimberley.client.ui.canvas import Canvas
from kimberley.games.diamond import GAME
from kimberley.games.diamond.position import Movement
from kimberley.games.diamond.rules import AGREED, State
from kimberley.games.diamond.score_sheet import ScoreSheet, read_sheet
from kimberley.games.table import Answer, Ask, Decide, ReasonKind, Result
from kimberley.protocol.events import Answered
from tests.support.angola import PretendUi
from tests.support.diamond import at, moving
from tests.support.diamond_events import read_events
from tests.support.diamond_table import DiamondTable

NAMES = ("ana", "ben")
Story = list[tuple[Ask, Answer]]


def story(*turns: str, first: int = 0) -> Story:
    """Returns the story of a game, the roll included."""
    state, found = State(), Story()
    for answer in ((first,), *turns):
        ask = state.ask()
        assert not isinstance(ask, Result)
        found.append((ask, answer))
        state = state.apply(answer)
    return found


def random_story(seed: int) -> tuple[Story, Result]:
    """Returns a whole game by random turns."""
    rng = Random(seed)
    state, found = State(), Story()
    while not isinstance(ask := state.ask(), Result):
        answer = ask.space.pick(rng) if isinstance(ask, Decide) else (rng.randrange(2),)
        found.append((ask, answer))
        state = state.apply(answer)
    return found, ask


SWAPPED = story("c4", "swap", "a1", "c5", "a2 =", "d4", "a3", "d5")


def final(of: Story) -> Result | None:
    ask = read_events(of)[-1].after.ask()
    return ask if isinstance(ask, Result) else None


# -- the moves in words ------------------------------------------------------------------------------------------------


def test_moves_are_told_in_words() -> None:
    told = [describe_event(each, subject(NAMES, each.seat, 1)) for each in read_events(SWAPPED)]
    assert told[:2] == ["ana places a piece on c4.", "You swap sides."]
    assert told[4] == "ana places a piece on a2 and offers a draw."
    assert told[-1] == "You place a piece on d5 and complete the square c4 c5 d4 d5."
    taken = read_events(story("d4 =", "="))[-1]
    assert describe_event(taken, Subject("ben")) == "ben accepts the draw."


def test_captures_are_explained() -> None:
    state = at(moving("d4 f4 a1", "d5 h8", "e7"))
    moves = read_events([(state.ask(), "f4-e4*")], state, 4)
    assert describe_event(moves[0], Subject("ana", True)) == "You move f4 to e4 and capture d5."
    assert remark(moves[0]) == "captures d5"
    assert explain_capture(state.position, Movement(*moves[0].ends or (0, 0))) == "d4 and e4 corner d5"
    assert moves[0].step == 4
    state = at(moving("d5 f4", "d4 e5"))
    (move,) = read_events([(state.ask(), "f4-e4")], state)
    assert remark(move) == "captures none"
    safe = "d4 and e5 are both cornered, so neither is captured."
    assert describe_event(move, Subject("ana")) == f"ana moves f4 to e4. {safe}"
    state = at(moving("a1", "h8", "d5"))
    (removed,) = read_events([(state.ask(), "(d5)")], state)
    assert describe_event(removed, Subject("ana")) == "ana removes the neutral piece on d5."


@pytest.mark.parametrize("stepping", [False, True])
def test_only_who_steps_sees_moves_that_are_not_on_the_board_yet(stepping: bool) -> None:
    moves = read_events(story("d4", "e5"))
    shown = Shown(moves[0].before, moves, 0, NAMES, 1, playing=not stepping, stepping=stepping)
    canvas = Canvas(80, 24)
    DiamondView(NAMES, 1).draw(canvas, shown)
    assert ("d4" in "\n".join(line[54:] for line in canvas.lines())) is stepping


# -- the dossier -------------------------------------------------------------------------------------------------------


def dossier(moves: Sequence[GameEvent], seat: int | None, result: Result | None) -> Dossier:
    state = moves[-1].after if moves else State()
    return DiamondUI().report(Shown(state, moves, len(moves), NAMES, seat, result=result))


def test_the_dossier_lists_all_moves_and_who_won() -> None:
    found = dossier(read_events(SWAPPED), 1, final(SWAPPED))
    _, rows = found.build(78)
    said = [["".join(span.text for span in cell) for cell in row.cells] for row in rows]
    assert said[:3] == [
        ["1", "ana", "c4", "places a piece"],
        ["2", "ben", "swap", "swaps sides"],
        ["3", "ana", "a1", "places a piece"],
    ]
    assert said[5][-1] == "declines the draw, places a piece"
    assert said[-1] == ["8", "ben", "d5", "places a piece, completes the square c4 c5 d4 d5"]
    assert [row.step for row in rows] == [1, 2, 3, 4, 5, 6, 7, 8]
    canvas = Canvas(80, 3)
    found.head(canvas)
    text = "\n".join(canvas.lines())
    assert "You win" in text
    assert "ben, you" in text
    assert "Black completed the square c4 c5 d4 d5" in text
    assert "8 moves" in text
    assert found.lines[0] == "You win: Black completed the square c4 c5 d4 d5."
    assert found.lines[1] == "Black: ben. White: ana."
    assert found.lines[4:6] == ("In each line, ana’s move comes first.", "1  c4        swap")


def test_the_dossier_of_a_game_that_was_given_up() -> None:
    moves = read_events(story("d4", "e5"))
    told = dossier(moves, None, GAME.resignation_result(moves[-1].after, (1,))).lines
    assert told[0] == "ana wins: ben resigned."
    assert told[-1] == "2  white resigns"
    nobody = dossier([], 0, GAME.resignation_result(State(), (1,))).lines
    assert nobody == ("You win: ben resigned.", NOBODY_PLAYED)
    assert dossier(read_events(story("d4")), None, None).lines[0] == "Unfinished."


@pytest.mark.slow
@settings(max_examples=4, deadline=None)
@given(st.integers(0, 2**32))
def test_every_game_can_be_told_and_its_sheet_read_again(seed: int) -> None:
    course, result = random_story(seed)
    told = dossier(read_events(course), 0, result)
    sheet = "\n".join(told.lines[5:])
    assert read_sheet(sheet) == ScoreSheet(tuple(str(answer) for _, answer in course[1:]))
    for width in (78, 98):
        table, rows = told.build(width)
        assert len(rows) == len(course) - 1
        for row in rows:
            for place, cell in zip(table.places.values(), row.cells, strict=True):
                assert sum(len(span.text) for span in cell) <= place.room
        assert max(place.end for place in table.places.values()) <= width


# -- the replay --------------------------------------------------------------------------------------------------------


def replayed(story: Story, result: Result | None, ui: PretendUi, step: int | None = None) -> ReplayScreen:
    return ReplayScreen(GameTimeline(DiamondUI(), start_of(story), NAMES), story, result, ui, step)


def shown(screen: ReplayScreen, columns: int = 80, rows: int = 24) -> str:
    canvas = Canvas(columns, rows)
    screen.draw(canvas, 0.0)
    return "\n".join(canvas.lines())


def test_a_game_is_stepped_through_by_keys() -> None:
    ui = PretendUi()
    screen = replayed(SWAPPED, final(SWAPPED), ui)
    assert "move 0 of 8" in shown(screen)
    for key, place in (
        ("right", 1),
        ("right", 2),
        ("left", 1),
        ("end", 8),
        ("right", 8),
        ("pageup", 0),
        ("pagedown", 8),
    ):
        assert screen.key(key)
        assert f"move {place} of 8" in shown(screen)
    assert "Black completed the square" in shown(screen)
    assert screen.key("home")
    screen.wheel(None, 0, 0, 1)
    assert "ana places a piece on c4." in shown(screen)
    assert screen.click(("position", 2), 0, 0, "left")
    assert "ben swaps" in shown(screen)
    assert not screen.key("z")
    assert screen.key("esc")
    assert ui.popped == [screen]


@pytest.mark.parametrize(("step", "move"), [(0, 0), (1, 1), (5, 5), (99, 8)])
def test_it_begins_at_a_step(step: int, move: int) -> None:
    assert f"move {move} of 8" in shown(replayed(SWAPPED, None, PretendUi(), step))


@pytest.mark.slow
def test_a_whole_game_is_drawn_move_by_move() -> None:
    course, result = random_story(8)
    screen = replayed(course, result, PretendUi())
    for number in range(len(course)):
        assert f"move {number} of {len(course) - 1}" in shown(screen, 120, 40)
        screen.key("right")
    assert "THE END" in shown(screen, 120, 40)


# -- in sentences ------------------------------------------------------------------------------------------------------


def typed(game: LineMode, table: DiamondTable, text: str) -> list[str]:
    """Types an order; a completed turn goes to the table."""
    reply = game.submit(text)
    if reply.done:
        table.play.choose(reply.choice)
    return list(reply.lines)


def test_a_game_is_played_by_typing() -> None:
    table = DiamondTable(replies="swap e5 e6 =")
    game = LineMode(DiamondUI(), table)
    assert game.prompt() == ["You are Black: place a piece. Type a point, like d4."]
    assert typed(game, table, "d4") == []
    news = game.on_event(Answered(1, table.state.ask(), "d4", table.state))  # type: ignore[arg-type]
    assert news[0] == "You place a piece on d4."
    assert "swaps" in news[1]
    assert game.describe()[0] == "You play White."
    assert typed(game, table, "d4") == ["Not possible: d4 is occupied by a black piece."]
    assert typed(game, table, "what") == ["Not possible: type a point (such as g1)."]
    typed(game, table, "e3")
    typed(game, table, "f3 =")
    assert table.chosen == ["d4", "e3", "f3 ="]


def test_the_position_and_a_point_are_told() -> None:
    table = DiamondTable(state=at(moving("d4 f4 a1", "d5 h8", "c7")))
    game = LineMode(DiamondUI(), table)
    assert game.describe() == [
        "You play Black.",
        "Black: pieces on a1, d4 and f4.",
        "White: pieces on d5 and h8.",
        "Neutral piece: c7.",
    ]
    told = game.submit("look f4").lines
    assert told[0] == "f4: a black piece."
    assert "f4-e4 captures d5: d4 and e4 corner d5." in told
    assert game.submit("look z9").lines == ("There is no point z9.",)
    assert game.submit("look a1").lines[-1] == "a1 is not a corner of any square."
    assert game.submit("log").lines == ("Nothing has happened yet.",)
    assert typed(game, table, "f4-e4") == []
    assert table.chosen == ["f4-e4*"]


def test_offers_and_what_others_do_are_said() -> None:
    table = DiamondTable(1, replies="d4~=")
    game = LineMode(DiamondUI(), table)
    assert game.prompt()[0] == "ana offers a draw: type = to accept, or play on."
    assert "swap" in game.prompt()[1]
    assert typed(game, table, "=") == []
    assert isinstance(table.state.ask(), Result)
    assert game.submit("d4").lines == ("Nothing for you to do now.",)
    assert game.help()


@given(st.text(max_size=12))
def test_nothing_that_is_typed_raises(text: str) -> None:
    table = DiamondTable()
    reply = LineMode(DiamondUI(), table).submit(text)
    assert reply.done or reply.lines


def test_a_draw_by_agreement_is_called_a_draw_once() -> None:
    agreed = Result((1, 1), ((), ()), AGREED, kind=ReasonKind.AGREED)
    assert [ending(agreed, NAMES, seat) for seat in (0, None)] == [
        "You agreed to a draw.",
        "Both sides agreed to a draw.",
    ]
    assert outcome(agreed, NAMES, 0) == ("A draw", "by agreement")
    assert ending(Result((1, 1), ((), ()), "no piece can move"), NAMES, 0) == "A draw: no piece can move."
    assert ending(None, NAMES, 0) == "Unfinished."
    assert outcome(agreed, NAMES, 0) == ("A draw", "by agreement")


def test_a_review_says_in_words_that_a_draw_was_accepted() -> None:
    offered = State(first=0).apply("c4 =")
    words = [DiamondUI().choice_words(offered, 1, choice, choice) for choice in ("=", "swap", "d4", "d4 =")]
    assert words == ["accepts the draw", "swap", "d4", "d4 ="]
