"""The guide through a first game: its notes, who gets it, and when it goes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import Final

import pytest

from kimberley.client.boards.bubble import ROOMS, STOP
from kimberley.client.boards.diamond.board import DiamondUI
from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.guide import MORE, GuideStep
from kimberley.client.boards.line_mode import LineMode
from kimberley.client.boards.registry import find_board
from kimberley.client.ui.canvas import Canvas, HitArea
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.screen import Help
from kimberley.games.table import Result
from kimberley.p2p.table.common_options import FIXED, NO_LIMIT, UNTIL_DONE, AdjustTimes
from tests.support.asyncs import run
from tests.support.diamond_table import DiamondTable
from tests.support.effort import OTHER_VALUE, first_is_quick, one_is_quick
from tests.support.player import ScreenPlayer
from tests.support.pupil import GAMES, MOST_ASKS, SEATS, Pupil, do, lesson

ASKS_TO_COMPARE: Final = 12

WORD: Final = re.compile(r"[a-z]{5,}")

NUMBER: Final = re.compile(r"\d+")

KEY: Final = re.compile(r"\b(?:Enter|Esc|Space|Tab|F\d+)\b")

OWN_KEY: Final = re.compile(rf"({KEY.pattern}) (?:next|close|stop guide)\b")

TRIED: Final = ("right", "tab", "1", "down", "left", "esc")
"""What a newcomer tries while a note is open, none of it final."""


@pytest.mark.parametrize(
    ("size", "way"),
    [
        ("80x24", "keys"),
        pytest.param("80x24", "clicks", marks=pytest.mark.slow),
        *(pytest.param("120x40", way, marks=OTHER_VALUE) for way in ("keys", "clicks")),
    ],
)
@pytest.mark.parametrize("game", one_is_quick("piecepack", GAMES))
def test_all_notes_appear_in_their_order_and_go_when_the_player_does_what_they_say(
    game: str, size: str, way: str
) -> None:
    played = lesson(game, size, "full", way)
    assert [each.note.title for each in played.moments if each.stays] == []
    assert [each.note.title for each in played.moments] == [step.title for step in find_board(game).game.guide]
    assert "guide" not in played.last


def test_the_first_note_comes_before_what_the_others_do() -> None:
    """In the piecepack game two others may act, and rob the player, before the player's first turn."""

    async def main() -> None:
        pupil = Pupil("piecepack", begins=1)
        pupil.screen.start_guide()
        while pupil.table.arena_peer.asked is None:
            pupil.table.answer()
            pupil.table.offer()
        pupil.clock.time += 60
        assert pupil.note() is pupil.steps[0]
        assert pupil.screen.head.at < pupil.screen.head.last
        assert pupil.form is None
        pupil.press("f3")
        pupil.clock.time += 60
        assert pupil.note() is pupil.steps[1]
        assert pupil.screen.head.at == pupil.screen.head.last

    run(main())


@pytest.mark.parametrize("game", ["mine", "piecepack"])
def test_what_people_do_first_is_shown_and_no_note_stops_it(game: str) -> None:
    async def main() -> None:
        pupil = Pupil(game, begins=1)
        pupil.table.put(acquaintance=("you", *["met"] * (len(pupil.table.occupants.names) - 1)))
        pupil.screen.start_guide()
        while pupil.table.arena_peer.asked is None:
            pupil.table.answer()
            pupil.table.offer()
            pupil.clock.time += 60
            assert pupil.canvas is not None
        assert pupil.screen.head.at == pupil.screen.head.last > 0
        assert pupil.note() is pupil.steps[0]
        assert pupil.form is not None

    run(main())


@pytest.mark.parametrize("game", one_is_quick("piecepack", GAMES))
def test_a_key_a_click_or_the_menu_ends_the_guide_and_the_menu_starts_it_again(game: str) -> None:
    async def main() -> None:
        pupil = Pupil(game)
        turns = pupil.turns()
        pupil.screen.start_guide()
        first = next(turns)
        skips: list[Callable[[], None]] = [
            lambda: pupil.press("f4"), lambda: pupil.click(STOP), lambda: pupil.press("f10", "g"),
        ]  # fmt: skip
        for skip in skips:
            assert pupil.note() is first
            skip()
            assert pupil.note() is None
            pupil.press("f10", "g")
        assert pupil.note() is first
        assert pupil.screen.help().sections[-1].heading == "The guide"

    run(main())


@pytest.mark.parametrize("game", one_is_quick("piecepack", GAMES))
def test_the_guide_goes_on_with_what_has_not_been_read_and_begins_anew_after_all(game: str) -> None:
    async def main() -> None:
        pupil = Pupil(game)
        pupil.screen.start_guide()
        titles: list[str] = []
        for note in pupil.turns():
            if len(titles) == 2:
                pupil.press("f4")
                assert pupil.note() is None
                pupil.press("f10", "g")
            assert note is pupil.note()
            titles.append(note.title)
            do(pupil, note, "keys")
        assert titles == [step.title for step in pupil.steps]
        pupil.screen.start_guide()
        assert pupil.screen.guide.running
        assert pupil.screen.guide.at == 0

    run(main())


@pytest.mark.slow
@pytest.mark.parametrize("back", first_is_quick(1, 2, 3))
def test_a_note_comes_again_after_what_was_chosen_before_it_is_taken_back_and_then_the_next_one(back: int) -> None:
    async def main() -> None:
        pupil = Pupil("diamond-trust")
        pupil.screen.start_guide()
        for note in pupil.turns():
            if note.title == "A bribe":
                break
            pupil.press("f3")
        at, asks = pupil.screen.guide.at, len(pupil.table.arena_peer.story)
        again = Pupil("diamond-trust")
        while len(again.table.arena_peer.story) < asks - back:
            again.offer()
            again.table.answer()
        again.screen.start_guide(at)
        titles: list[str] = []
        for note in again.turns():
            titles.append(note.title)
            again.press("f3")
        assert titles == ["A bribe", "Adjusting"]

    run(main())


def around(canvas: Canvas, bubble: HitArea | None) -> list[str]:
    """Returns what is on the screen except for a bubble, its tail and the cells around it."""
    lines = [line.ljust(canvas.width) for line in canvas.lines()]
    if bubble is None:
        return lines
    left, right = bubble.x - 1, bubble.x + bubble.width + 1
    return [
        line[:left] + line[right:] if bubble.y - 1 <= y <= bubble.y + bubble.height else line
        for y, line in enumerate(lines)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("game", one_is_quick("piecepack", GAMES))
def test_each_key_of_a_board_means_the_same_whether_or_not_a_note_is_open(game: str) -> None:
    async def main() -> None:
        guided, alone = Pupil(game), Pupil(game)
        guided.screen.start_guide()
        seen: list[GuideStep] = []
        for _ in range(ASKS_TO_COMPARE):
            guided.offer()
            alone.offer()
            while (note := guided.note()) is not None and note not in seen:
                seen.append(note)
                for key in ("1", "enter", "esc"):
                    bubble = guided.bubble()
                    assert around(guided.canvas, bubble) == around(alone.canvas, bubble), f"{note.title}, before {key}"
                    guided.press(key)
                    alone.press(key)
                if guided.note() is note and not note.do:
                    guided.press("f3")
            guided.table.answer()
            alone.table.answer()
        assert any(note.do for note in seen)
        assert not all(note.do for note in seen)

    run(main())


def claims(canvas: Canvas, area: HitArea) -> tuple[set[str], set[str]]:
    """Returns the keys that a note names for itself, and those that the board, its buttons and the key row name, by
    reading.
    """
    lines = canvas.lines()
    said = " ".join(line[area.x : area.x + area.width] for line in lines[area.y : area.y + area.height])
    beside = "\n".join(around(canvas, area))
    clicked = {str(hit.action).removeprefix("key:") for hit in canvas.hits if str(hit.action).startswith("key:")}
    return {key.lower() for key in OWN_KEY.findall(said)}, {key.lower() for key in KEY.findall(beside)} | clicked


@pytest.mark.slow
@pytest.mark.parametrize("begins", first_is_quick(0, 1))
@pytest.mark.parametrize("game", one_is_quick("piecepack", GAMES))
def test_no_key_that_a_note_names_for_itself_means_anything_else_there(game: str, begins: int) -> None:
    """A move may be ready, or what others did may still be shown, while the player reads a note that says how to
    continue.
    """

    async def main() -> None:
        pupil = Pupil(game, begins=begins)
        pupil.screen.start_guide()
        pupil.table.offer()
        found = set[str]()
        read = set[str]()
        for note in chain(filter(None, [pupil.note()]), pupil.turns()):
            for key in TRIED:
                while pupil.app.stack[-1] is not pupil.screen or pupil.screen.view.modal:
                    pupil.press("esc")
                if pupil.bubble() is None:
                    # A note makes room while a number is typed.
                    pupil.press("esc")
                canvas, bubble = pupil.canvas, pupil.bubble()
                if bubble is None or pupil.note() is not note:
                    break
                of_note, of_board = claims(canvas, bubble)
                assert of_note == ({"f4"} if note.do else {"f3"} if note is pupil.steps[-1] else {"f3", "f4"}), (
                    pupil.text
                )
                assert of_note & of_board == set(), pupil.text
                found |= of_board
                read.add(note.title)
                pupil.press(key)
            if pupil.note() is note:
                do(pupil, note, "keys")
        assert len(read) >= (2 if game == "diamond" else 3)
        assert "enter" in found or game == "land"

    run(main())


def test_enter_plays_a_move_that_is_ready_while_a_note_is_open() -> None:
    async def main() -> None:
        pupil = Pupil("diamond")
        pupil.screen.start_guide()
        note = next(pupil.turns())
        assert not note.do
        pupil.press(*"d4", "enter")
        assert pupil.table.arena_peer.asked is None

    run(main())


def test_enter_goes_on_from_a_note_that_asks_for_nothing_if_the_board_has_no_use_for_it() -> None:
    async def main() -> None:
        pupil = Pupil("diamond-trust")
        pupil.screen.start_guide()
        goal = next(pupil.turns())
        assert not goal.do
        pupil.press("enter")
        agents = pupil.note()
        assert agents is not None
        assert agents is not goal
        assert agents.do
        assert pupil.form.refusal == ""
        pupil.press("enter")
        assert pupil.form.refusal, "this note asks for an agent: Enter is refused, as without a guide"

    run(main())


def test_the_guide_waits_while_the_player_looks_back() -> None:
    async def main() -> None:
        pupil = Pupil("mine")
        pupil.screen.start_guide()
        for note in pupil.turns():
            if note.title == "Cards":
                pupil.screen.head.go(0)
                assert pupil.note() is None
                pupil.press("end")
                assert pupil.note() is note
                return
            do(pupil, note, "keys")

    run(main())


@pytest.mark.parametrize("game", one_is_quick("piecepack", GAMES))
def test_the_guide_tells_nobody_else_at_the_table_anything(game: str) -> None:
    async def main() -> None:
        guided, alone = Pupil(game), Pupil(game)
        for pupil in (guided, alone):
            pupil.table.put(acquaintance=("you", "new", "new")[: SEATS[game]])
        guided.screen.start_guide()
        for _ in range(ASKS_TO_COMPARE):
            guided.offer()
            alone.offer()
            while (note := guided.note()) is not None and not note.do:
                guided.press("f3")
            guided.table.answer()
            alone.table.answer()
        assert guided.table.done == alone.table.done
        assert guided.table.story == alone.table.story

    run(main())


@pytest.mark.parametrize("game", GAMES)
def test_the_board_under_a_note_is_as_bright_as_without_it(game: str) -> None:
    async def main() -> None:
        guided, alone = Pupil(game), Pupil(game)
        guided.screen.start_guide()
        for pupil in (guided, alone):
            pupil.offer()
            while pupil.form is None:
                pupil.table.answer()
                pupil.offer()
        noted, bare, bubble = guided.canvas, alone.canvas, guided.bubble()
        assert bubble is not None
        for y in range(noted.height):
            for x in range(noted.width):
                beside = not (bubble.x - 1 <= x <= bubble.x + bubble.width)
                if beside or not bubble.y - 1 <= y <= bubble.y + bubble.height:
                    assert noted.cell(x, y).style == bare.cell(x, y).style, (x, y)

    run(main())


def test_enter_goes_on_from_the_note_that_the_board_waits_for() -> None:
    async def main() -> None:
        pupil = Pupil("diamond", begins=1)
        pupil.screen.start_guide()
        next(pupil.turns())
        assert pupil.screen.head.waits, "the bot has placed, which is not shown yet"
        assert "Enter continue" in pupil.canvas.lines()[-1]
        pupil.press("enter")
        assert pupil.screen.guide.at == 1
        assert "Enter continue" not in pupil.canvas.lines()[-1]

    run(main())


def test_who_may_swap_in_diamond_reads_of_the_swap_and_so_does_who_places_first() -> None:
    async def main() -> None:
        for begins in (0, 1):
            pupil = Pupil("diamond", begins=begins)
            pupil.screen.start_guide()
            notes = []
            for note in pupil.turns():
                notes.append(note.title)
                if note.do:
                    break
                pupil.press("f3")
            assert notes == ["The swap", "Placing pieces"]
            assert pupil.form.phase == "PLACE"
            assert not pupil.form.state.position.may_swap

    run(main())


def test_who_is_swapped_with_in_diamond_at_once_reads_of_the_swap() -> None:
    player = ScreenPlayer(lambda table, ui: GameScreen(DiamondUI(), table, ui), DiamondTable(0, replies="swap"))
    player.screen.start_guide()
    player.press("d 4 enter")
    assert "The swap" in player.text()


def test_who_has_resigned_is_offered_no_guide_and_nobody_is_at_the_end() -> None:
    states: tuple[dict[str, object], ...] = ({"resigning": True}, {"phase": "closing"})
    for gone in states:
        table = DiamondTable(0)
        screen = ScreenPlayer(lambda table, ui: GameScreen(DiamondUI(), table, ui), table).screen
        assert "Guide me" in [item.label for item in screen.menu()]
        assert LineMode(DiamondUI(), table).can_guide
        table.put(**gone)
        assert "Guide me" not in [item.label for item in screen.menu()]
        assert not LineMode(DiamondUI(), table).can_guide


def test_a_draw_that_is_offered_with_the_first_piece_comes_before_the_note_about_the_swap() -> None:
    for reply, noted in (("d4", True), ("d4~=", False)):
        table = DiamondTable(0, first=1, replies=reply)
        player = ScreenPlayer(lambda table, ui: GameScreen(DiamondUI(), table, ui), table)
        player.screen.start_guide()
        assert ("Right after Black’s" in player.text()) is noted
        assert noted or "Swap, and you play" in player.text(), "no note covers what the panel says"


@pytest.mark.parametrize("game", GAMES)
def test_the_line_mode_says_the_same_sentences_once_and_one_at_a_time(game: str) -> None:
    async def main() -> None:
        pupil = Pupil(game)
        seat = find_board(game).plain(pupil.table)
        seat.start_guide()
        said: list[str] = []
        for _ in range(MOST_ASKS):
            if isinstance(pupil.table.ask, Result):
                break
            pupil.table.offer()
            note = seat.guidance()
            while note:
                following = seat.next_note()
                assert note[1:] == ([MORE] if following else [])
                said.append(note[0])
                note = following
            pupil.table.answer()
        assert said == [f"{step.title}. {step.unobserved or step.text}" for step in pupil.steps], "only bots play"

    run(main())


def _text(help_: Help) -> str:
    return " ".join(" ".join((each.heading, each.text, *each.points)) for each in help_.sections)


@pytest.mark.parametrize(
    ("game", "title", "open_end"),
    [
        ("diamond-trust", "Your agents", "You can pay"),
        ("diamond-trust", "A salary", "No more to pay?"),
        ("diamond-trust", "An offer", "No more?"),
        ("land", "Buying", "To buy:"),
    ],
)
def test_no_note_demands_what_a_hint_may_advise_against(game: str, title: str, open_end: str) -> None:
    step = next(step for step in find_board(game).game.guide if step.title == title)
    for each in (step, step.for_fingers()):
        assert open_end in f"{each.text} {each.do}"


def test_the_notes_of_the_piecepack_game_lead_from_spades_to_points() -> None:
    notes = " ".join(step.text for step in find_board("piecepack").game.guide)
    for said in ("On a mine, spades mine", "a tile with 0", "product of their values", "with a 0, nothing"):
        assert said in notes
    assert "null" not in notes


@pytest.mark.parametrize("game", GAMES)
def test_the_notes_say_what_the_rules_say_in_the_same_words_and_numbers(game: str) -> None:
    rules, steps = find_board(game).rules, find_board(game).game.guide
    assert len(steps) == {"diamond-trust": 8, "diamond": 5}.get(game, 6)
    known = set(WORD.findall(_text(rules).lower()))
    for step in steps:
        sections = [each for each in rules.sections for rule in step.rule.split("|") if rule in each.heading]
        assert sections, f"{step.rule} is no section of the rules"
        taught = _text(Help("", tuple(sections)))
        assert len(step.title) <= 22
        for text in (step.text, step.unobserved):
            assert set(NUMBER.findall(text)) <= set(NUMBER.findall(taught)), step.title
            assert set(WORD.findall(text.lower())) <= known, step.title
            assert len(wrap(text, ROOMS[0] - 4)) <= 3


def test_a_note_about_a_number_says_what_to_do_once_it_is_set() -> None:
    steps = {"A salary": ("3 enter", "Choose Done."), "An offer": ("2 enter", "Choose Done.")}

    async def main() -> None:
        pupil = Pupil("diamond-trust", (120, 40))
        pupil.screen.start_guide()
        for note in pupil.turns():
            if note.title not in steps:
                do(pupil, note, "keys")
                continue
            keys, then = steps.pop(note.title)
            assert "Set " in pupil.text
            assert then not in pupil.text
            pupil.press(*keys.split())
            assert then in pupil.text
            assert "Set " not in pupil.text
            if not steps:
                return
            pupil.press("d", "y")

    run(main())
    assert not steps


def test_only_among_people_a_note_warns_that_a_long_wait_says_something() -> None:
    warning = "your opponent can guess"
    (step,) = (step for step in find_board("diamond-trust").game.guide if step.title == "Adjusting")
    shown = Pupil("diamond-trust").screen.shown_at(0)
    assert warning in step.possible(replace(shown, unobserved=False)).text
    assert warning not in step.possible(replace(shown, unobserved=True)).text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("times", "noted"),
    [
        (NO_LIMIT, True),
        pytest.param(UNTIL_DONE, True, marks=OTHER_VALUE),
        pytest.param(FIXED, False, marks=pytest.mark.slow),
    ],
)
def test_the_note_about_adjusting_comes_wherever_how_long_one_takes_says_something(
    times: AdjustTimes, noted: bool
) -> None:
    """Against a bot there is no limit."""

    async def main() -> None:
        pupil = Pupil("diamond-trust")
        pupil.table.put(options=times.options)
        pupil.screen.start_guide()
        titles: list[str] = []
        for note in pupil.turns():
            titles.append(note.title)
            do(pupil, note, "keys")
        assert titles == [step.title for step in pupil.steps if noted or step.title != "Adjusting"]

    run(main())
