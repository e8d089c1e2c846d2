"""Where the notes of the guide stand: what they hide, and what they do not cut."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import pytest

from kimberley.client.boards.bubble import HOLD, NEXT, SIGNS, STOP, buttons_on, draw_bubble, target_of
from kimberley.client.boards.diamond_trust.form import TrustForm
from kimberley.client.boards.diamond_trust.form_move import MoveForm
from kimberley.client.boards.diamond_trust.form_pay import PayForm
from kimberley.client.boards.registry import find_board
from kimberley.client.ui.canvas import Action, Canvas, HitArea
from kimberley.client.ui.glyphs import to_ascii
from kimberley.client.ui.palette import Depth, Palette
from kimberley.games.diamond_trust.angola import HOME, REGIONS
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.table import Result
from kimberley.p2p.table.common_options import UNTIL_DONE
from tests.support.angola import Script
from tests.support.asyncs import run
from tests.support.board_snapshots import PORTRAIT_SIZE, QUIET, SIZES, Scenario
from tests.support.effort import OTHER_VALUE, first_is_quick, one_is_quick, spread
from tests.support.meanings import meanings
from tests.support.pretend import press
from tests.support.pupil import GAMES, Pupil, bubble_on, do, lesson, noting_under, on_board
from tests.support.touching import Toucher
from tests.support.trust_player import Player as TrustPlayer


def covered(canvas: Canvas, area: HitArea) -> list[bool]:
    """Returns which cells of an area a bubble covers."""
    cells = ((x, y) for x in range(area.x, area.x + area.width) for y in range(area.y, area.y + area.height))
    return [canvas.touched(x, y) in (NEXT, HOLD, STOP) for x, y in cells]


def texts(lines: Sequence[str], area: HitArea) -> list[str]:
    """Returns what is to be read in each cell of an area, in the order of `covered`."""
    return [lines[y][x] for x in range(area.x, area.x + area.width) for y in range(area.y, area.y + area.height)]


@pytest.mark.parametrize("game", one_is_quick("piecepack", GAMES))
@pytest.mark.parametrize(
    ("size", "look"),
    [
        ("80x24", "full"),
        *(pytest.param("80x24", look, marks=OTHER_VALUE) for look in ("ascii", "no colors")),
        *(pytest.param("120x40", look, marks=OTHER_VALUE) for look in ("full", "ascii", "no colors")),
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
        # Lessons are played against bots.
        for one_of in ((note.title,), (note.unobserved or note.text,), (note.do, note.instead or note.do)):
            assert any((to_ascii(said) if look == "ascii" else said) in read for said in one_of)


@pytest.mark.parametrize(
    ("game", "size", "kept", "start"),
    [
        pytest.param("mine", "80x24", "about", "", marks=OTHER_VALUE),
        ("piecepack", "80x24", "deed", ""),
        pytest.param("diamond", "80x24", "about", "", marks=OTHER_VALUE),
        pytest.param("land", "80x24", "about", "Buying", marks=pytest.mark.slow),
        pytest.param("land", "120x40", "about", "Buying", marks=OTHER_VALUE),
    ],
)
def test_a_note_leaves_what_the_panel_says_readable(game: str, size: str, kept: str, start: str) -> None:
    moments = lesson(game, size, "full", "keys").moments
    notes = [moment.note.title for moment in moments]
    seen = 0
    for moment in moments[notes.index(start) if start else 0 :]:
        panel = [hit for hit in moment.canvas.hits if isinstance(hit.action, tuple) and hit.action[0] == kept]
        seen += len(panel)
        assert not any(any(covered(moment.canvas, hit)) for hit in panel), "\n".join(moment.canvas.lines())
    assert seen


@pytest.mark.slow
@pytest.mark.parametrize("game", ["diamond", "mine"])
@pytest.mark.parametrize("size", first_is_quick((80, 24), (100, 30), (120, 40)))
@pytest.mark.parametrize("seeds", first_is_quick(range(5, 8), *(range(at, at + 5) for at in range(10, 60, 5))))
def test_no_note_covers_a_sentence_of_the_panel_however_the_game_goes(
    game: str, size: tuple[int, int], seeds: range
) -> None:
    async def main(seed: int) -> int:
        pupil = Pupil(game, size, begins=seed % 2, seed=seed)
        pupil.screen.start_guide()
        seen = 0
        for note in pupil.turns():
            with noting_under() as under:
                canvas = pupil.canvas
            for hit in [hit for hit in canvas.hits if hit.action == ("about",)]:
                said = [text for text, hides in zip(texts(under, hit), covered(canvas, hit), strict=True) if hides]
                seen += hit.height
                assert not any(map(str.isalnum, said)), "\n".join([note.title, *canvas.lines()])
            assert torn_lists(under, canvas) == [], "\n".join([note.title, *canvas.lines()])
            do(pupil, note, "keys")
        return seen

    assert all(run(main(seed)) for seed in seeds)


HEADINGS: Final = re.compile(r"(?<=  )(Moves|Talk|Not seen yet|Never seen|Log|What happened)(?=  |$)")
"""The headings of the lists beside the boards."""


def torn_lists(under: Sequence[str], canvas: Canvas) -> list[str]:
    """Returns the headings left right above a note, and the rows of their lists that it hides in part."""
    torn = []
    for y, line in enumerate(under[:-1]):
        for heading in HEADINGS.finditer(line):
            x = heading.start()
            area = HitArea(x, y + 1, heading.end() - x, 1, None)
            if canvas.touched(x, y) not in (NEXT, HOLD, STOP) and any(covered(canvas, area)):
                torn.append(heading[0])
            for row in range(y, len(under) - 1):
                if not under[row][x:].strip():
                    break
                area = HitArea(x, row, canvas.width - x, 1, None)
                cells = zip(texts(under, area), covered(canvas, area), strict=True)
                if len({hides for text, hides in cells if text.isalnum()}) > 1:
                    torn.append(under[row][x:])
    return torn


@pytest.mark.parametrize("game", ["diamond", "mine", pytest.param("land", marks=OTHER_VALUE)])
@pytest.mark.parametrize("size", first_is_quick("80x24", "120x40"))
def test_a_note_leaves_no_heading_of_a_list_that_it_covers(game: str, size: str) -> None:
    for moment in lesson(game, size, "full", "keys").moments:
        assert torn_lists(moment.under, moment.canvas) == [], "\n".join(moment.canvas.lines())


@pytest.mark.parametrize("size", first_is_quick("80x24", "120x40"))
def test_a_note_seems_to_begin_with_no_number_of_the_map_beside_it(size: str) -> None:
    seen = 0
    for moment in lesson("land", size, "full", "keys").moments:
        for x, y, width, height, headed in moment.canvas.lists:
            rows = [HitArea(x, row, width, 1, None) for row in range(y, y + height)]
            for hides in () if headed else [covered(moment.canvas, row) for row in rows]:
                assert any(hides) == all(hides), "\n".join(moment.canvas.lines())
                seen += 1
    assert seen


BEGINNINGS: Final = ((), ("1", "right", "enter"), ("2", "down", "enter"), ("tab", "up"), ("b",), ("p",))
"""What a player who does not stop to read a note presses, key by key: it opens boxes and moves cursors."""
ENDS_A_CHOICE: Final = {("mine", "enter"), ("piecepack", "enter"), ("diamond", "enter"), ("land", "enter")}
"""What would end a choice there."""
IN_BOXES: Final = ("noop", "less", "more", "set", "sell", "step", "digit")


def hidden(pupil: Pupil, canvas: Canvas) -> list[object]:
    """Returns what a note hides on the screen that a player may want meanwhile: buttons, open boxes, the cursor, its
    topic.
    """
    if (note := pupil.note_on(canvas)) is None:
        return []
    sight = pupil.screen.shown_at(pupil.clock.time)
    boxes = [hit for hit in canvas.hits if isinstance(hit.action, tuple) and hit.action[0] in IN_BOXES]
    cursors = [hit for hit in canvas.hits if hit.action in at_cursor(pupil.form)]
    meant = [hit for hit in on_board(canvas) if note.at(hit.action, sight)]
    kept = [*buttons_on(canvas), *boxes, *cursors, *meant]
    return [hit.action for hit in kept if 0 < hit.y < canvas.height - 1 and any(covered(canvas, hit))]


def at_cursor(form: Any) -> list[Action]:
    """Returns where a form's cursor is, as an area that can be clicked."""
    if isinstance(form, TrustForm):
        return [("region", form.focus())]
    cursor = getattr(form, "cursor", None)
    return [(kind, getattr(cursor, kind)) for kind in ("point", "square", "parcel") if hasattr(cursor, kind)]


@pytest.mark.slow
@pytest.mark.parametrize("game", one_is_quick("piecepack", GAMES))
@pytest.mark.parametrize("begins", first_is_quick(0, 1))
@pytest.mark.parametrize("size", first_is_quick((80, 24), (100, 30), (120, 40)))
def test_no_note_hides_a_button_an_open_box_the_cursor_or_its_topic(
    game: str, begins: int, size: tuple[int, int]
) -> None:
    async def main() -> None:
        pupil = Pupil(game, size, begins)
        pupil.screen.start_guide()
        for note in pupil.turns():
            for keys in BEGINNINGS if not note.do and pupil.form is not None else ((),):
                for key in ("", *keys):
                    if (game, key) in ENDS_A_CHOICE or (pupil.form is None and key):
                        continue
                    press(pupil.app, *([key] if key else []))
                    # A frame depends on where the bubble was in the one before.
                    for canvas in (pupil.canvas, pupil.canvas):
                        assert hidden(pupil, canvas) == [], "\n".join([f"{note.title} after {keys}", *canvas.lines()])
                pupil.press(*(["esc"] * 3 if keys else []))
            if pupil.note() is note:
                do(pupil, note, "keys")

    run(main())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "live"), [("land", "parcel"), pytest.param("diamond", "point", marks=pytest.mark.slow)]
)
def test_no_note_hides_what_is_chosen_from(game: str, live: str) -> None:
    for moment in lesson(game, "80x24", "full", "keys").moments:
        areas = [hit for hit in moment.canvas.hits if isinstance(hit.action, tuple) and hit.action[0] == live]
        assert areas
        assert not any(any(covered(moment.canvas, hit)) for hit in areas), "\n".join(moment.canvas.lines())


READ: Final[dict[str, tuple[str, tuple[object, ...]]]] = {
    "diamond-trust": ("Your goal", (("region",), ("agent",), ("card",))), "land": ("The end of your turn", ("key:t",)),
    "piecepack": ("", (("card",), ("own",))),
}  # fmt: skip
"""By game: a note, or every note, and what a player may read while it is open: the map, one's own money, one's hand."""


@pytest.mark.parametrize("game", one_is_quick("piecepack", READ))
@pytest.mark.parametrize("size", first_is_quick("80x24", "120x40"))
def test_a_note_leaves_map_money_and_hand_readable(game: str, size: str) -> None:
    title, starts = READ[game]
    moments = [each for each in lesson(game, size, "full", "keys").moments if title in ("", each.note.title)]
    assert moments
    for moment in moments:
        area = moment.bubble
        for hit in moment.canvas.hits:
            if hit.action in starts or (isinstance(hit.action, tuple) and hit.action[:1] in starts):
                hidden = [
                    moment.under[y][max(hit.x, area.x) : min(hit.x + hit.width, area.x + area.width)]
                    for y in range(max(hit.y, area.y), min(hit.y + hit.height, area.y + area.height))
                ]
                assert not any(map(str.isalnum, "".join(hidden))), "\n".join(moment.canvas.lines())


def test_no_note_hides_the_price_that_is_being_set() -> None:
    async def main() -> None:
        pupil = Pupil("land")
        pupil.screen.start_guide()
        for note in pupil.turns():
            if note.title != "The end of your turn":
                do(pupil, note, "keys")
                continue
            pupil.press("p", "5")
            canvas = pupil.canvas
            price = [hit for hit in canvas.hits if isinstance(hit.action, tuple) and hit.action[0] in ("step", "digit")]
            assert price
            assert not any(any(covered(canvas, hit)) for hit in price), "\n".join(canvas.lines())
            return

    run(main())


@pytest.mark.parametrize("region", first_is_quick(*range(HOME)))
def test_a_note_about_an_offer_leaves_the_card_of_the_place_readable(region: int) -> None:
    async def main() -> None:
        pupil = Pupil("diamond-trust")
        pupil.screen.start_guide()
        for note in pupil.turns():
            if note.title != "A trip":
                do(pupil, note, "keys")
                continue
            pupil.press("3")
            pupil.click(("region", region))
            assert pupil.note() is pupil.steps[4]
            for _ in range(2):
                canvas = pupil.canvas
                (card,) = [hit for hit in canvas.hits if hit.action == ("card",)]
                assert not any(covered(canvas, card)), "\n".join(canvas.lines())
                pupil.press("esc")
            return

    run(main())


def test_a_note_about_markets_waits_while_coins_are_chosen() -> None:
    async def main() -> None:
        pupil = Pupil("piecepack")
        pupil.screen.start_guide()
        for note in pupil.turns():
            if note.title != "Your coins":
                do(pupil, note, "keys")
                continue
            pupil.press("r")
            assert pupil.form.phase == "REST"
            assert pupil.note() is None
            pupil.press("esc")
            assert pupil.note() is pupil.steps[3]
            return

    run(main())


@pytest.mark.parametrize("game", one_is_quick("piecepack", GAMES))
@pytest.mark.parametrize("size", first_is_quick(*SIZES))
def test_no_edge_of_a_bubble_cuts_a_word_in_two(game: str, size: str) -> None:
    assert lesson(game, size, "full", "keys").cut == []


STANDING: Final = ("agent", "inspector")


def second_month(
    meet: int, own: Sequence[int], theirs: Sequence[int], phase: str, size: tuple[int, int]
) -> TrustPlayer:
    """Returns a player in the second month, at its payments or orders: an agent of each side is in the region `meet`,
    the others are at those places.
    """
    orders = [tuple((place, int(place != HOME), 0) for place in (meet, *places)) for places in (own, theirs)]
    scripts: list[Script] = [
        {(1, RoundStep.PAY): (0, 0, 0), (1, RoundStep.PLAN): each, (1, RoundStep.MOVE): each, (1, RoundStep.SALE): 0}
        for each in orders
    ]
    player = TrustPlayer({**scripts[0], (1, RoundStep.SALE_PLAN): 0}, scripts[1], times=UNTIL_DONE, size=size)
    player.catch_up()
    if phase == "MOVE":
        player.press("d")
        player.catch_up()
    return player


@pytest.mark.parametrize("size", first_is_quick(*SIZES))
@pytest.mark.parametrize("about", first_is_quick("Adjusting MOVE", "A bribe PAY", "A trip MOVE"))
@pytest.mark.parametrize("meet", first_is_quick(*reversed(range(HOME))))
def test_no_note_hides_a_region_where_agents_are(meet: int, about: str, size: str) -> None:
    title, phase = about.rsplit(" ", 1)
    away = HOME, HOME
    places = [away, ((meet + 1) % HOME, (meet + 2) % HOME), ((meet + 3) % HOME, (meet + 4) % HOME)]
    for own, theirs in zip(places, (places[1], places[2], away), strict=True):
        player = second_month(meet, own, theirs, phase, SIZES[size])
        under = player.canvas()
        before = meanings(under)
        at = next(number for number, step in enumerate(player.screen.game.guide) if step.title == title)
        player.screen.start_guide(at)
        assert bubble_on(player.canvas()) is not None
        for _ in range(2):
            canvas = player.canvas()
            said, meant = "\n".join(canvas.lines()), meanings(canvas)
            standing = [hit for hit in canvas.hits if isinstance(hit.action, tuple) and hit.action[0] in STANDING]
            assert len(standing) >= 2
            assert not any(any(covered(canvas, hit)) for hit in standing), said
            for region in {meet, *own, *theirs} - {HOME}:
                cells = [cell for cell, action in before.items() if action == ("region", region)]
                left = [cell for cell in cells if meant.get(cell) == ("region", region)]
                assert len(left) >= len(cells) / 4, f"{REGIONS[region]} can be clicked\n{said}"
                read = [(x, y) for x, y in cells if under.row(y)[0][x].isalnum() or under.row(y)[0][x] in SIGNS]
                assert not any(meant.get(cell) in (NEXT, HOLD, STOP) for cell in read), said
            player.screen.key("tab")


SEEN_ON_A_PHONE: Final = [f"{title} {seed}" for title in ("A trip", "An offer") for seed in range(1, 9)]


@pytest.mark.parametrize("about", first_is_quick("A bribe 3", "A bribe 1", "A bribe 6", "A bribe 20", *SEEN_ON_A_PHONE))
def test_on_a_phone_a_note_leaves_the_names_of_all_regions_readable(about: str) -> None:
    title, seed = about.rsplit(" ", 1)

    def is_about(form: object) -> bool:
        return bool(isinstance(form, PayForm) and form.bribable()) if title == "A bribe" else isinstance(form, MoveForm)

    async def main() -> None:
        at = next(number for number, step in enumerate(find_board("diamond-trust").game.guide) if step.title == title)
        player = Toucher(Scenario("diamond-trust", 2, int(seed), {}))
        while (ask := player.table.ask) is not None and not is_about(player.screen.form(player.clock.time)):
            assert not isinstance(ask, Result)
            player.table.answer()
            player.clock.time += QUIET
            player.table.offer()
            player.app.draw(*PORTRAIT_SIZE)
            while player.screen.busy(player.clock.time):
                player.app.key("enter")
                player.clock.time += 1.0
        player.screen.start_guide(at)
        for _ in range(2):
            canvas = player.app.draw(*PORTRAIT_SIZE)
            text = "\n".join(canvas.lines())
            assert bubble_on(canvas) is not None
            assert title in text
            assert [region for region in REGIONS if region not in text] == [], text
            assert title != "A bribe" or "You can bribe" in text, text

    run(main())


@pytest.mark.parametrize("game", one_is_quick("piecepack", GAMES))
def test_the_last_note_is_closed_and_has_no_next_one(game: str) -> None:
    for moment in lesson(game, "80x24", "full", "keys").moments:
        last = moment.note.title == find_board(game).game.guide[-1].title
        text = "\n".join(moment.canvas.lines())
        assert ("F3 next" in text) == (not last and not moment.note.do)
        assert ("F3 close" in text) == (last and not moment.note.do)


@pytest.mark.slow
@pytest.mark.parametrize("size", first_is_quick("80x24", "120x40"))
def test_a_note_of_the_mine_leaves_the_players_readable_once_they_carry_gems(size: str) -> None:
    moments = lesson("mine", size, "full", "keys").moments
    titles = [moment.note.title for moment in moments]
    for moment in moments[titles.index("Moves") :]:
        players = [hit for hit in moment.canvas.hits if isinstance(hit.action, tuple) and hit.action[0] == "player"]
        assert len(players) == 2
        assert not any(any(covered(moment.canvas, hit)) for hit in players), "\n".join(moment.canvas.lines())


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


@pytest.mark.slow
@pytest.mark.parametrize("size", spread(1, SIZES))
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
                # The window of an offer is next to its agent: on the smallest map it hides the name of a neighbor.
                assert missed == [] or (len(missed) == 1 and missed[0] in REGIONS and "─ Offer by" in said), said
                assert re.search(r"^ \$ \d+ +◆ 2 ", said, re.MULTILINE), said
                if note.title == "An offer":
                    ordered = pupil.form.orders()
                    for agent, (to, _, _) in enumerate(ordered):
                        assert to == HOME or f"→[{agent + 1}] $" in said, said
                assert said.splitlines()[-1].count("Esc") <= 1
                # An amount is set beside its agent, and the note is about it. It makes way for the cursor.
                about = target_of(canvas, note, pupil.screen.shown_at(pupil.clock.time)), pupil.form.focus()
                if amount != (amount := about):
                    place = bubble_on(canvas)
                assert bubble_on(canvas) == place, said
                pupil.press(key)
                if pupil.note() is not note:
                    break

    run(main())


HAND: Final = (("next", -1), ("next", 1))
"""What pages through a hand on a narrow screen."""
AHEAD: Final = {"diamond": "right", "diamond-trust": "1", "land": "b", "mine": "right", "piecepack": "w"}
"""What a player who does not stop to read a note presses."""


@pytest.mark.parametrize("game", one_is_quick("piecepack", GAMES))
@pytest.mark.parametrize(
    "size", spread(1, [pytest.param(SIZES["80x24"], id="80x24"), pytest.param(PORTRAIT_SIZE, id="portrait")])
)
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
                assert "You have no money" in pupil.text
                assert "Select an agent, then a region." not in pupil.text
                area = pupil.bubble()
                assert area is not None
                lines = [line[area.x + 2 : area.x + area.width - 2] for line in pupil.canvas.lines()]
                read = " ".join(" ".join(lines[area.y : area.y + area.height]).split())
                assert "You cannot pay for a trip this month." in read
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
