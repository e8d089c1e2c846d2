"""Where the notes of the guide stand: what they hide, and what they do not cut."""

from __future__ import annotations

import re
from typing import Final

import pytest

from kimberley.client.boards.bubble import HOLD, NEXT, STOP, draw_bubble, target_of
from kimberley.client.boards.registry import find_board
from kimberley.client.ui.canvas import Canvas, HitArea
from kimberley.client.ui.glyphs import to_ascii
from kimberley.client.ui.palette import Depth, Palette
from kimberley.games.diamond_trust.angola import REGIONS
from tests.support.asyncs import run
from tests.support.board_snapshots import PORTRAIT_SIZE, SIZES
from tests.support.effort import first_is_quick
from tests.support.pupil import GAMES, Pupil, bubble_on, do, lesson, on_board


def covered(canvas: Canvas, area: HitArea) -> list[bool]:
    """Which cells of an area a bubble covers."""
    cells = ((x, y) for x in range(area.x, area.x + area.width) for y in range(area.y, area.y + area.height))
    return [canvas.touched(x, y) in (NEXT, HOLD, STOP) for x, y in cells]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("size", "look"),
    [
        ("80x24", "full"),
        *(pytest.param("80x24", look, marks=pytest.mark.slow) for look in ("ascii", "no colors")),
        *(pytest.param("120x40", look, marks=pytest.mark.slow) for look in ("full", "ascii", "no colors")),
    ],
)
def test_a_bubble_hides_neither_what_it_points_at_nor_the_bars_and_says_all_of_its_sentence(
    game: str, size: str, look: str
) -> None:
    for moment in lesson(game, size, look, "keys").moments:
        note, canvas, bubble = moment.note, moment.canvas, moment.bubble
        assert bubble.x > 0
        assert bubble.y >= 1
        assert bubble.x + bubble.width <= canvas.width
        assert bubble.y + bubble.height <= canvas.height - 1
        strip = canvas.strip
        assert strip is None or not strip.full or not bubble.y <= strip.row < bubble.y + bubble.height
        assert moment.meant, f"{note.title} points at nothing"
        needed = [hit for hit in on_board(canvas) if hit.action in moment.choices]
        assert len(needed) >= len(moment.choices)
        assert not any(any(covered(canvas, hit)) for hit in (*moment.meant, *needed)), "\n".join(canvas.lines())
        done = [covered(canvas, hit) for hit in canvas.hits if hit.action == "key:d"]
        assert all(any(cells) == all(cells) for cells in done), "\n".join(canvas.lines())
        lines = [line[bubble.x + 2 : bubble.x + bubble.width - 2].strip() for line in canvas.lines()]
        read = " ".join(" ".join(lines[bubble.y : bubble.y + bubble.height]).split())
        for said in (note.title, note.text, note.do):
            assert (to_ascii(said) if look == "ascii" else said) in read


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", first_is_quick(*SIZES))
def test_no_edge_of_a_bubble_cuts_a_word_in_two(game: str, size: str) -> None:
    assert lesson(game, size, "full", "keys").cut == []


STEPS_OF_A_MONTH: Final = {
    "Your agents": ("1",),
    "A salary": ("right", "right", "enter", "2", "3", "enter", "3", "enter", "d", "y"),
    "A trip": ("1", "down", "enter"),
    "An offer": ("2", "enter", "2", "down", "down", "enter", "1", "enter", "3", "down", "enter", "enter", "d"),
    "The sale": ("1", "left", "d"),
}
"""What a newcomer presses at each note of Diamond Trust."""

NEEDED: Final = {
    "A salary": ("─ LONDON ─", "[1]", "[2]", "[3]", "Done d"),
    "A trip": (*REGIONS, "◆1", "✗1", "◆2", "Done d"),
    "An offer": (*REGIONS, "Done d"),
    "The sale": ("you get", "if ben sells", "Done d"),
}
"""What must be readable there, besides the player's own money and vault."""


@pytest.mark.parametrize("size", first_is_quick(*SIZES))
def test_a_bubble_of_diamond_trust_keeps_its_place_and_hides_nothing_that_is_asked_about(size: str) -> None:
    async def main() -> None:
        pupil = Pupil("diamond-trust", SIZES[size])
        pupil.screen.start_guide()
        for note in pupil.turns():
            place, amount = pupil.bubble(), None
            for key in STEPS_OF_A_MONTH.get(note.title, ("f3",)):
                canvas = pupil.canvas
                said = "\n".join(canvas.lines())
                missed = [word for word in NEEDED.get(note.title, ()) if word not in said]
                # The window of an offer stands beside its agent: on the smallest map it hides the name of a neighbor.
                assert missed == [] or (len(missed) == 1 and missed[0] in REGIONS and "─ Offer by" in said), said
                assert re.search(r"^ \$ \d+ +◆ 2 ", said, re.MULTILINE), said
                assert said.splitlines()[-1].count("Esc") <= 1
                # An amount is set beside its agent, and the note is about it.
                if amount != (amount := target_of(canvas, note, pupil.screen.shown_at(pupil.clock.time))):
                    place = bubble_on(canvas)
                assert bubble_on(canvas) == place, said
                pupil.press(key)
                if pupil.note() is not note:
                    break

    run(main())


HAND: Final = (("next", -1), ("next", 1))
"""What leafs through a hand on a narrow screen."""
AHEAD: Final = {"diamond": "right", "diamond-trust": "1", "land": "b", "mine": "right", "piecepack": "w"}
"""What a player presses who does not wait until a note has been read."""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [SIZES["80x24"], PORTRAIT_SIZE], ids=["80x24", "portrait"])
def test_a_note_hides_no_window_of_a_choice_that_is_begun_before_it_was_read(game: str, size: tuple[int, int]) -> None:
    async def main() -> None:
        pupil = Pupil(game, size)
        pupil.screen.start_guide()
        read = 0
        for note in pupil.turns():
            if note.do:
                do(pupil, note, "keys")
                continue
            before = {hit.action for hit in on_board(pupil.canvas)}
            pupil.press(AHEAD[game])
            canvas = pupil.canvas
            opened = [hit for hit in on_board(canvas) if hit.action not in {*before, HOLD, NEXT, STOP, *HAND}]
            assert not any(any(covered(canvas, hit)) for hit in opened), "\n".join(canvas.lines())
            if bubble_on(canvas) is not None and pupil.note_on(canvas) is note:
                pupil.press("f3")
            read += 1
        assert read

    run(main())


def test_who_cannot_pay_for_a_trip_is_not_sent_on_one() -> None:
    async def main() -> None:
        pupil = Pupil("diamond-trust")
        pupil.screen.start_guide()
        for note in pupil.turns():
            if note.title == "A salary":
                pupil.press(*"18", "enter", "d", "y")
            elif note.title == "A trip":
                assert "No money" in pupil.text
                assert "Select an agent, then a region." not in pupil.text
                assert "You cannot pay for a trip this month." in pupil.text
                return
            else:
                do(pupil, note, "keys")
        raise AssertionError("no note was about a trip")

    run(main())


def test_no_note_hides_why_a_choice_was_refused() -> None:
    async def main() -> None:
        pupil = Pupil("diamond")
        pupil.screen.start_guide()
        turns = pupil.turns()
        while not (note := next(turns)).do:
            pupil.press("f3")
        pupil.press(*"b1-b2", "enter")
        assert pupil.note() is None
        assert "Not possible" in pupil.text
        pupil.press("right")
        assert pupil.note() is note

    run(main())


def test_a_bubble_finds_a_place_where_everything_is_taken() -> None:
    step = find_board("land").game.guide[0]
    canvas = Canvas(80, 24, Palette(Depth.TRUE))
    canvas.hit(0, 1, 80, 22, "key:t")
    pupil_sees = type("Sees", (), {"you": 0})()
    target = target_of(canvas, step, pupil_sees)
    assert target is not None
    bubble = draw_bubble(canvas, step, target, 1, 6)
    assert bubble.y >= 1
    assert bubble.tail is None
