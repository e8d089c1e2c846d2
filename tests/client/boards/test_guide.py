"""The guide through the first turns: played in every game by keys alone and by clicks alone, skipped, offered once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from kimberley.client.boards import game_screen
from kimberley.client.boards.bubble import HOLD, NEXT, ROOMS, STOP, Bubble, draw_bubble, target_of
from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.guide import GuideStep
from kimberley.client.boards.registry import find_board
from kimberley.client.screens.app import App
from kimberley.client.screens.setup import SetupScreen
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session import settings as saved
from kimberley.client.ui.canvas import Action, Canvas, HitArea
from kimberley.client.ui.glyphs import to_ascii, wrap
from kimberley.client.ui.palette import Depth, Palette
from kimberley.client.ui.screen import Help
from kimberley.games import lookup
from kimberley.games.diamond.board import NAMES, POINTS
from kimberley.games.diamond_trust.angola import REGIONS
from kimberley.games.table import Result
from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT
from tests.support.asyncs import run, until
from tests.support.board_snapshots import SIZES, Clock, Scenario
from tests.support.effort import first_is_quick
from tests.support.pretend import PretendServices, press, pretend_app, shown, touch
from tests.support.whole_game_table import WholeGameTable

SEATS: Final = {"diamond-trust": 2, "diamond": 2, "land": 2, "mine": 2, "piecepack": 3}
GAMES: Final = sorted(SEATS)
MOST_ASKS: Final = 80
ASKS_TO_COMPARE: Final = 12
ASKS_AFTERWARDS: Final = 6
"""After the last note no other one appears at so many asks."""
WORD: Final = re.compile(r"[a-z]{5,}")
NUMBER: Final = re.compile(r"\d+")


def bubble_on(canvas: Canvas) -> HitArea | None:
    return next((hit for hit in canvas.hits if hit.action in (NEXT, HOLD)), None)


class Pupil:
    """A person at a practice table with the guide on. The other seats, and what no note is about, choose by chance."""

    def __init__(self, game: str, size: tuple[int, int] = (80, 24), **settings: Any) -> None:
        self.clock = Clock()
        self.table: WholeGameTable = Scenario(game, SEATS[game], 1, {}).table(self.clock)
        self.table.acquaintance = ("you", *["bot"] * (SEATS[game] - 1))
        self.app, self.size = pretend_app(**settings), size
        self.app.now = self.clock.now  # type: ignore[method-assign]
        self.screen = GameScreen(find_board(game).game, self.table, self.app)
        self.app.push(self.screen)

    @property
    def canvas(self) -> Canvas:
        return self.app.draw(*self.size)

    @property
    def text(self) -> str:
        return "\n".join(self.canvas.lines())

    @property
    def form(self) -> Any:
        return self.screen.form(self.clock.time)

    def press(self, *keys: str) -> None:
        for key in keys:
            assert self.canvas is not None
            press(self.app, key)

    def click(self, action: Action) -> None:
        """Clicks on a cell that means `action`."""
        canvas = self.canvas
        meant = [hit for hit in canvas.hits if hit.action == action]
        cells = {
            (x, y) for hit in meant for y in range(hit.y, hit.y + hit.height) for x in range(hit.x, hit.x + hit.width)
        }
        seen = [(y, x) for x, y in cells if canvas.touched(x, y) == action]
        assert seen, f"{action} cannot be clicked in\n{self.text}"
        y, x = min(seen)
        self.app.touch(x, y, "left")

    def bubble(self) -> HitArea | None:
        """Where the bubble is."""
        return bubble_on(self.canvas)

    def note(self) -> GuideStep | None:
        """The note that can be read on the screen now."""
        return self.note_on(self.canvas)

    def note_on(self, canvas: Canvas) -> GuideStep | None:
        if (area := bubble_on(canvas)) is None:
            return None
        said = [line[area.x + 2 :] for line in canvas.lines()[area.y : area.y + 2]]
        return next(step for step in self.steps if any(line.startswith(step.title) for line in said))

    @property
    def steps(self) -> Sequence[GuideStep]:
        return self.screen.game.guide

    def offer(self) -> Canvas:
        """Asks all who have to choose now, and goes on to that. Returns what the screen shows then."""
        self.table.offer()
        self.clock.time += 10
        canvas = self.canvas
        while any("Enter go on" in line for line in canvas.lines()):
            self.press("enter")
            self.clock.time += 10
            canvas = self.canvas
        return canvas

    def turns(self) -> Iterator[GuideStep]:
        """All notes as they appear, while the game goes on."""
        before, afterwards = None, ASKS_AFTERWARDS
        for _ in range(MOST_ASKS):
            afterwards -= before is self.steps[-1]
            if isinstance(self.table.ask, Result) or not afterwards:
                return
            canvas = self.offer()
            for _ in range(12):
                note = self.note_on(canvas)
                if note is None or note is before:
                    break
                before = note
                yield note
                canvas = self.canvas
            self.table.answer()


Deed = Callable[[Pupil], None]


@dataclass(frozen=True)
class Ways:
    """What a person does for a note, by keys and by clicks."""

    keys: Deed
    clicks: Deed


def keys(text: str) -> Deed:
    return lambda pupil: pupil.press(*text.split())


def clicks(*actions: Action) -> Deed:
    def deed(pupil: Pupil) -> None:
        for action in actions:
            pupil.click(action)

    return deed


def _open_point(pupil: Pupil) -> int:
    position = pupil.form.state.position
    return next(point for point in range(POINTS) if not position.what(point))


def _movable(pupil: Pupil) -> int:
    position = pupil.form.state.position
    own = position.pieces[position.turn]
    return next(point for point in range(POINTS) if own >> point & 1 and position.targets(point))


def _target(pupil: Pupil, piece: int) -> int:
    return next(point for point in range(POINTS) if pupil.form.state.position.targets(piece) >> point & 1)


def _place(pupil: Pupil) -> None:
    pupil.press(*NAMES[_open_point(pupil)], "enter")


def _move(pupil: Pupil) -> None:
    piece = _movable(pupil)
    pupil.press(*f"{NAMES[piece]}-{NAMES[_target(pupil, piece)]}", "enter")


def _click_target(pupil: Pupil) -> None:
    piece = pupil.form.picked if pupil.form.picked is not None else _movable(pupil)
    if pupil.form.picked is None:
        pupil.click(("point", piece))
    target = ("point", _target(pupil, piece))
    clicks(target, target)(pupil)


def _click_square(pupil: Pupil) -> None:
    pupil.click(("square", min(pupil.form.targets)))


def _click_point(pupil: Pupil) -> None:
    """Places a piece on an open point that no bubble hides."""
    canvas, position = pupil.canvas, pupil.form.state.position
    seen = {canvas.touched(hit.x, hit.y) for hit in canvas.hits}
    point = next(("point", at) for at in range(POINTS) if ("point", at) in seen and not position.what(at))
    clicks(point, point)(pupil)


PLACES: Final = Ways(_place, _click_point)
DEEDS: Final[dict[str, dict[str, Ways]]] = {
    "diamond-trust": {
        "Your agents": Ways(keys("1"), clicks(("agent", 0, 0))),
        "A salary": Ways(keys("3 enter d y"), clicks(("more",), ("set",), "key:d", "key:y")),
        "A trip": Ways(keys("1 right enter"), clicks(("agent", 0, 0), ("region", 0))),
        "An offer": Ways(keys("2 enter d"), clicks(("more",), ("set",), "key:d")),
        "The sale": Ways(keys("1 d"), clicks(("more",), "key:d")),
    },
    "diamond": {
        "First phase: placing": PLACES,
        "Squares again": PLACES,
        "Second phase: moving": Ways(_move, lambda pupil: pupil.click(("point", _movable(pupil)))),
        "One, and no more": Ways(_move, _click_target),
    },
    "land": {
        "A deal": Ways(keys("right b"), lambda pupil: clicks(("parcel", pupil.form.space.parcels[1]), "key:b")(pupil)),
        "The end of your turn": Ways(keys("d"), clicks("key:d")),
    },
    "mine": {
        "Nests": Ways(keys("enter"), lambda pupil: pupil.click(("square", pupil.form.cursor.square))),
        "Cards": Ways(keys("1 enter"), clicks(("card", 1), ("card", 1))),
        "Moves": Ways(keys("tab"), _click_square),
        "On the way": Ways(keys("enter"), lambda pupil: pupil.click(("square", pupil.form.cursor.square))),
    },
    "piecepack": {
        "Exploring": Ways(keys("right enter"), clicks(("ghost", 0), ("ghost", 0))),
        "A step": Ways(keys("w"), clicks(("deed", 0))),
    },
}


def do(pupil: Pupil, note: GuideStep, way: str) -> None:
    """Does what a note asks for, or goes on."""
    deeds = DEEDS[pupil.table.game.id]
    if note.do:
        getattr(deeds[note.title], way)(pupil)
    elif way == "keys":
        pupil.press("f3")
    else:
        pupil.click(NEXT)


TO_CHOOSE_FROM: Final[dict[str, Callable[[Any], Sequence[Action]]]] = {
    "Cards": lambda form: [("square", square) for squares in form.reach.values() for square in squares],
    "Moves": lambda form: [("square", square) for square in form.targets],
    "On the way": lambda form: [*(("square", square) for square in form.targets), "key:enter"],
    "Exploring": lambda _: ["key:enter"],
}
"""What a bubble leaves free, by its title."""
LOOKS: Final = {"full": {}, "ascii": {"glyphs": "ascii"}, "no colors": {"colours": "none"}}


def on_board(canvas: Canvas) -> Sequence[HitArea]:
    """What can be clicked between the bars."""
    return [hit for hit in canvas.hits if 0 < hit.y < canvas.height - 1]


def covered(canvas: Canvas, area: HitArea) -> bool:
    """Whether a bubble covers a cell of an area."""
    cells = ((x, y) for x in range(area.x, area.x + area.width) for y in range(area.y, area.y + area.height))
    return any(canvas.touched(x, y) in (NEXT, HOLD, STOP) for x, y in cells)


@dataclass(frozen=True)
class Moment:
    """A note as it appears: the screen, the area of its bubble, everything on the board that it can point at, and what
    it must leave free to choose from.

    `stays` says whether the note is still there after the player did what it says.
    """

    note: GuideStep
    canvas: Canvas
    bubble: HitArea
    meant: Sequence[HitArea]
    choices: Sequence[Action]
    stays: bool


@dataclass(frozen=True)
class Lesson:
    """A guide from its first note to the last: what was seen, the words that edges of bubbles cut, the last screen."""

    moments: Sequence[Moment]
    cut: Sequence[str]
    last: str


@cache
def lesson(game: str, size: str, look: str, way: str) -> Lesson:
    """Plays the guide once; several tests look at what was seen."""
    moments: list[Moment] = []
    cut: list[str] = []

    def watched(canvas: Canvas, *args: Any) -> Bubble:
        below = [line.ljust(canvas.width) for line in canvas.lines()]
        bubble = draw_bubble(canvas, *args)
        for line in below[bubble.y : bubble.y + bubble.rows]:
            for edge in (bubble.x, bubble.x + bubble.room):
                if line[edge - 1 : edge].isalnum() and line[edge : edge + 1].isalnum():
                    cut.append(f"{args[0].title}: {line[:edge]}|{line[edge:]}")
        return bubble

    async def main() -> str:
        pupil = Pupil(game, SIZES[size], **LOOKS[look])
        pupil.screen.start_guide()
        for note in pupil.turns():
            canvas = pupil.canvas
            bubble, sight = bubble_on(canvas), pupil.screen.shown_at(pupil.clock.time)
            assert bubble is not None
            meant = [hit for hit in on_board(canvas) if note.at(hit.action, sight)]
            choices = TO_CHOOSE_FROM[note.title](pupil.form) if note.title in TO_CHOOSE_FROM else ()
            do(pupil, note, way)
            stays = pupil.note_on(pupil.canvas) is note
            moments.append(Moment(note, canvas, bubble, meant, choices, stays))
        return pupil.text

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game_screen, "draw_bubble", watched)
        return Lesson(moments, cut, run(main()))


@pytest.mark.parametrize(
    ("size", "way"),
    [
        ("80x24", "keys"),
        pytest.param("80x24", "clicks", marks=pytest.mark.slow),
        *(pytest.param("120x40", way, marks=pytest.mark.slow) for way in ("keys", "clicks")),
    ],
)
@pytest.mark.parametrize("game", GAMES)
def test_all_notes_appear_in_their_order_and_go_when_the_player_does_what_they_say(
    game: str, size: str, way: str
) -> None:
    played = lesson(game, size, "full", way)
    assert [each.note.title for each in played.moments if each.stays] == []
    assert [each.note.title for each in played.moments] == [step.title for step in find_board(game).game.guide]
    assert "guide" not in played.last


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
        assert not any(covered(canvas, hit) for hit in (*moment.meant, *needed)), "\n".join(canvas.lines())
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
            place = pupil.bubble()
            for key in STEPS_OF_A_MONTH.get(note.title, ("f3",)):
                canvas = pupil.canvas
                said = "\n".join(canvas.lines())
                assert [word for word in NEEDED.get(note.title, ()) if word not in said] == [], said
                assert re.search(r"^ \$ \d+ +◆ 2 ", said, re.MULTILINE), said
                assert said.splitlines()[-1].count("Esc") <= 1
                assert bubble_on(canvas) == place, said
                pupil.press(key)
                if pupil.note() is not note:
                    break

    run(main())


@pytest.mark.parametrize("game", GAMES)
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


def around(canvas: Canvas, bubble: HitArea | None) -> list[str]:
    """What stands on the screen but for a bubble, its tail and the cells around it."""
    lines = [line.ljust(canvas.width) for line in canvas.lines()]
    if bubble is None:
        return lines
    left, right = bubble.x - 1, bubble.x + bubble.width + 1
    return [
        line[:left] + line[right:] if bubble.y - 1 <= y <= bubble.y + bubble.height else line
        for y, line in enumerate(lines)
    ]


@pytest.mark.parametrize("game", first_is_quick(*GAMES))
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


def test_no_note_hides_why_a_choice_was_refused() -> None:
    async def main() -> None:
        pupil = Pupil("diamond")
        pupil.screen.start_guide()
        note = next(iter(pupil.turns()))
        pupil.press(*"b1-b2", "enter")
        assert pupil.note() is None
        assert "Not possible" in pupil.text
        pupil.press("right")
        assert pupil.note() is note

    run(main())


@pytest.mark.parametrize("game", GAMES)
def test_there_is_no_guide_in_games_with_people(game: str) -> None:
    async def main() -> None:
        pupil = Pupil(game)
        pupil.table.acquaintance = ("you", "bot", "known")[: SEATS[game]] if SEATS[game] > 2 else ("you", "known")
        assert all(item.label != "Guide me" for item in pupil.screen.menu())
        assert all(section.heading != "The guide" for section in pupil.screen.help().sections)
        assert not find_board(game).plain(pupil.table).can_guide

    run(main())


@pytest.mark.parametrize("game", GAMES)
def test_the_line_mode_says_the_same_sentences_once(game: str) -> None:
    async def main() -> None:
        pupil = Pupil(game)
        seat = find_board(game).plain(pupil.table)
        seat.start_guide()
        said: list[str] = []
        for _ in range(MOST_ASKS):
            if isinstance(pupil.table.ask, Result):
                break
            pupil.table.offer()
            said += seat.guidance()
            pupil.table.answer()
        assert said == [f"{step.title}: {step.text}" for step in pupil.steps]

    run(main())


# -- what it teaches ---------------------------------------------------------------------------------------------------


def _text(help_: Help) -> str:
    return " ".join(" ".join((each.heading, each.text, *each.points)) for each in help_.sections)


@pytest.mark.parametrize("game", GAMES)
def test_six_notes_say_what_the_rules_say_in_the_same_words_and_numbers(game: str) -> None:
    rules, steps = find_board(game).rules, find_board(game).game.guide
    assert len(steps) == 6
    known = set(WORD.findall(_text(rules).lower()))
    for step in steps:
        sections = [each for each in rules.sections for rule in step.rule.split("|") if rule in each.heading]
        assert sections, f"{step.rule} is no section of the rules"
        taught = _text(Help("", tuple(sections)))
        assert set(NUMBER.findall(step.text)) <= set(NUMBER.findall(taught)), step.title
        assert set(WORD.findall(step.text.lower())) <= known, step.title
        assert len(step.title) <= min(ROOMS) - 4
        assert len(wrap(step.text, ROOMS[0] - 4)) <= 3


def test_a_bubble_finds_a_place_where_everything_is_taken() -> None:
    step = find_board("land").game.guide[0]
    canvas = Canvas(80, 24, Palette(Depth.TRUE))
    canvas.hit(0, 1, 80, 22, ("seat", 0))
    pupil_sees = type("Sees", (), {"you": 0})()
    target = target_of(canvas, step, pupil_sees)
    assert target is not None
    bubble = draw_bubble(canvas, step, target, 1, 6)
    assert bubble.y >= 1
    assert bubble.tail is None


# -- the offer ---------------------------------------------------------------------------------------------------------


def newcomer(folder: Path, services: PretendServices) -> App:
    """The title screen as somebody sees it who has never played."""
    app = pretend_app(services, guided=[], path=folder / saved.FILE)
    app.push(TitleScreen(app))
    return app


def test_a_guided_game_is_offered_once_and_played_against_the_easiest_bot(tmp_path: Path) -> None:
    async def main() -> None:
        services = PretendServices()
        app = newcomer(tmp_path, services)
        press(app, "a")
        assert "Your first game?" in shown(app)
        press(app, "enter")
        await until(lambda: bool(services.asked))
        (asked,) = services.asked
        assert (asked[0], asked[1], asked[3], asked[4]) == ("alone", "diamond-trust", 2, 1)
        assert asked[2][FINAL_ADJUSTMENT] == 0, "a bot needs no last look"
        again = pretend_app(services, guided=saved.load(tmp_path).guided)
        again.push(TitleScreen(again))
        press(again, "a")
        assert isinstance(again.stack[-1], SetupScreen)

    run(main())


def test_an_offer_that_is_declined_is_not_made_again_but_the_menu_has_it(tmp_path: Path) -> None:
    async def main() -> None:
        services = PretendServices()
        app = newcomer(tmp_path, services)
        press(app, "a")
        touch(app, "Just play")
        assert isinstance(app.stack[-1], SetupScreen)
        press(app, "esc", "a")
        assert isinstance(app.stack[-1], SetupScreen)
        assert saved.load(tmp_path).guided == ["diamond-trust"]
        press(app, "esc", "down", "a")
        assert "Your first game?" in shown(app)
        press(app, "esc")
        assert "Your first game?" not in shown(app)
        press(app, "a")
        assert "Your first game?" in shown(app), "Esc goes back, and chooses nothing"
        press(app, "n", "f10", "g")
        await until(lambda: bool(services.asked))
        assert services.asked[0][-1] == 1

    run(main())


def test_hosting_offers_no_guide(tmp_path: Path) -> None:
    async def main() -> None:
        app = newcomer(tmp_path, PretendServices())
        press(app, "h")
        assert isinstance(app.stack[-1], SetupScreen)
        press(app, "f10")
        assert "guided" not in shown(app)

    run(main())


def test_every_game_of_this_program_has_a_guide() -> None:
    assert sorted(lookup.ids()) == GAMES
