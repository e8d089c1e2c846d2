"""What the client tells of a game of the piecepack besides the board: accounts, dossier and replay."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.piecepack.board import PiecepackUI
from kimberley.client.boards.piecepack.events import GameEvent, Narrator
from kimberley.client.boards.piecepack.side_panel import LOG
from kimberley.client.boards.piecepack.suits import SUITS
from kimberley.client.boards.piecepack.view import PiecepackView
from kimberley.client.boards.report import Dossier
from kimberley.client.boards.stepping import ReplayScreen
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth, Palette
from kimberley.games.piecepack import GAME
from kimberley.games.piecepack.bots.guess import chance
from kimberley.games.piecepack.rules import State
from kimberley.games.table import HIDDEN, Answer, Ask, Decide, Leave, Plain, Result, Roll, Show
from tests.support.angola import PretendUi
from tests.support.piecepack import named, table
from tests.support.piecepack_table import NAMES, PiecepackTable, random_story, veiled

Story = Sequence[tuple[Ask, Answer]]
THREE = NAMES[:3]


def timeline_of(
    story: Story, start: State, result: Result | None = None, names: Sequence[str] = THREE, seat: int | None = None
) -> GameTimeline:
    """Returns what happened in a story, as a seat knows it."""
    timeline = GameTimeline(PiecepackUI(), start, names, seat)
    timeline.refresh(story, result)
    return timeline


def dossier_of(story: Story, result: Result | None, seat: int | None) -> Dossier:
    """Returns the dossier of a game of three."""
    start = GAME.start(3, {})
    assert isinstance(start, State)
    timeline = timeline_of(story, start, result, seat=seat)
    return timeline.game.report(timeline.shown(len(timeline.events)))


def told(state: State, *choices: Plain, seat: int = 0, hide: bool = False, signs: bool = True) -> list[str]:
    """Returns what a seat is told of the choices of seat 0 from a position on, and of what follows."""
    where = PiecepackTable(state, seat, slow=True)
    for choice in choices:
        where.answer(choice)
        while not isinstance(ask := where.truth.ask(), Result) and isinstance(ask, Roll | Show):
            where.answer(chance(where.truth, ask, where.rng))
    timeline = timeline_of(where.piecepack.story, veiled(state, seat), seat=seat)
    view = timeline.view
    assert isinstance(view, PiecepackView)
    view.display.hidden = hide
    narrator = Narrator(THREE, seat, signs=signs)
    return [narrator.describe_event(view.discreet(each)) for each in timeline.events]


# -- accounts ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_game_can_be_told_by_every_seat() -> None:
    kinds: set[str] = set()
    for seed in range(6):
        story, final, _ = random_story(3 + seed % 4, seed)
        names = NAMES[: final.seats]
        for seat in (None, 0, final.seats - 1):
            own = [(ask, ask.visible_answer(answer, seat)) for ask, answer in story]
            start = GAME.start(final.seats, {})
            assert isinstance(start, State)
            timeline = timeline_of(own, start, names=names, seat=seat)
            assert timeline.state(len(timeline.events)).scores == final.scores
            for signs in (True, False):
                narrator = Narrator(names, seat, signs=signs)
                assert all(narrator.describe_event(each).endswith(".") for each in timeline.events)
            kinds |= {each.kind for each in timeline.events}
    assert kinds >= {"lots", "deal", "lay", "step", "jump", "sun", "moon", "club", "spade", "defend", "bare", "steal",
                     "spare", "lose", "give", "sell", "trade", "heart", "mine", "peek", "draw"}  # fmt: skip


def test_in_words_a_hidden_coin_that_a_spy_sees_follows_what_is_known() -> None:
    state = table(["H1", "P3 P4", "H2"], "M0 P3", suits="MSC")
    seen = named(state, "P3", "P4", "H2")
    assert "ana peeks at your spade 3 and spade 4, and at a heart of carla’s." in told(
        state, ("step", 1), seen, seat=1, signs=False
    )
    assert "ana peeks at your ♠3 ♠4 and carla’s ♥." in told(state, ("step", 1), seen, seat=1)


def test_a_spectator_is_told_no_value_that_was_not_shown() -> None:
    state = table(["D3 D4 C2", "H1 P5", ""], "D1 C0")
    clubs = named(state, "C2")
    lines = told(state, ("club", 1, clubs), (), named(state, "H1", "P5"), seat=2)
    assert lines == [
        "ana attacks ben for 2 with ♣2.", "ben does not defend.", "ana steals ♥ ♠ from ben.",
    ]  # fmt: skip
    assert told(state, ("club", 1, clubs), (), named(state, "H1", "P5"), seat=1)[-1] == "ana steals ♥A ♠5 from you."
    own = told(state, ("club", 1, clubs), (), named(state, "H1", "P5"), hide=True)
    assert own[-1] == "You steal ♥ ♠ from ben."


def test_the_dossier_says_of_who_resigned_that_and_no_points() -> None:
    state = table(["S1", "M2", "H3"])
    story = [(Leave(seat), ()) for seat in (1, 2)]
    timeline = timeline_of(story, state, Result((1, 3, 2), ((0,), (12,), (0,)), "only one player is left"), seat=0)
    lines = timeline.game.report(timeline.shown(len(timeline.events))).lines
    assert lines[1:4] == (f"{NAMES[0]} has 0 points.", f"{NAMES[1]} resigned.", f"{NAMES[2]} resigned.")


def test_a_defence_and_what_it_leaves_is_told() -> None:
    state = table(["C4", "H3 H1 P5", ""], "D1 C0", suits="MHS")
    lines = told(state, ("club", 1, named(state, "C4")), named(state, "H1", "H3"))
    assert lines == [
        "You attack ben for 4 with ♣4.", "ben blocks 4 of 4 with ♥A ♥3.",
    ]  # fmt: skip


def test_suns_that_are_worth_nothing_lead_nowhere() -> None:
    state = table(["S0 H1", "", ""], "D1 C0")
    assert told(state, ("sun", named(state, "S0"))) == ["You spend ☼0, worth nothing, and go nowhere."]


def test_what_war_zones_and_holy_sites_take_is_told() -> None:
    assert told(table(["P1 D2", "", ""], "D1 C4"), ("step", 1)) == [
        "You go to ♣4, a war zone.", "You lose ♦2 ♠A in the war zone.",
    ]  # fmt: skip
    assert told(table(["C1 C3 D2", "", ""], "D1 H4"), ("step", 1)) == [
        "You go to ♥4, a holy site.", "You lose ♣A ♣3 at the holy site.",
    ]  # fmt: skip


def test_a_sale_and_a_jump_are_told_in_words() -> None:
    state = table(["D3 D4", "", ""], "D1 P2 C0")
    ask = state.ask()
    assert isinstance(ask, Decide)
    assert timeline_of([(ask, ("jump", 1, 2))], state).sentences(1) == (
        "ana jumps over spade 2 to club 0, a black market.",
    )
    assert told(state, ("jump", 1, 2))[-1] == "You sell ♦3 ♦4 for 12 points."


# -- the dossier -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def game() -> tuple[Story, State, Result]:
    return random_story(3, 4)


def cells(found: Dossier, width: int = 78) -> list[str]:
    table, rows = found.build(width)
    assert max(place.end for place in table.places.values()) <= width
    lines = []
    for row in rows:
        for number, spans in enumerate(row.cells):
            fits = sum(len(span.text) for span in spans) <= table.places[number].room
            assert fits or table.columns[number].heading == "Hand after"
        lines.append(" ".join("".join(span.text for span in spans) for spans in row.cells).strip())
    return lines


def test_the_dossier_tells_what_hands_held_and_who_stole_what(game: tuple[Story, State, Result]) -> None:
    story, _, result = game
    found = dossier_of(story, result, 0)
    lines = cells(found)
    assert any("places" in line for line in lines)
    stolen = [number for number, line in enumerate(lines) if " steals " in f" {line}"]
    assert stolen
    assert any("is left with" in line for number in stolen for line in lines[number + 1 : number + 3])
    held = [line for line in lines if "mines ♦" in line]
    assert held
    assert all(any(character.isdigit() or character == "A" for character in line) for line in held)
    _, rows = found.build(78)
    steps = [row.step for row in rows if row.step is not None]
    assert steps == sorted(steps)


def test_the_dossier_says_how_it_ended_in_words(game: tuple[Story, State, Result]) -> None:
    story, final, result = game
    lines = dossier_of(story, result, None).lines
    assert lines[0].endswith(f"{result.reason}.")
    assert f"ana has {final.scores[0]} points." in lines
    assert any(line.startswith("Turn 1: ") for line in lines)
    canvas = Canvas(80, 3)
    dossier_of(story, result, None).head(canvas)
    assert result.reason in canvas.lines()[0]
    places = "\n".join(canvas.lines())
    assert all(f"{SUITS[suit].sign}{letter}" in places for suit, letter in zip(final.suits, "ABC", strict=True))


def test_a_game_that_was_given_up_has_a_dossier() -> None:
    found = dossier_of((), None, 0)
    assert found.lines == ("The game ended before anyone had played.",)
    assert found.build(78)[1] == ()
    canvas = Canvas(80, 3)
    found.head(canvas)
    assert "Unfinished" in canvas.lines()[0]


# -- replay ------------------------------------------------------------------------------------------------------------


class Watcher:
    """Somebody who watches a replay."""

    def __init__(self, game: tuple[Story, State, Result], step: int | None = None) -> None:
        story, _, result = game
        self.ui = PretendUi()
        start = GAME.start(3, {})
        assert isinstance(start, State)
        self.timeline = GameTimeline(PiecepackUI(), start, THREE)
        self.screen = ReplayScreen(self.timeline, story, result, self.ui, step)

    def lines(self, size: tuple[int, int] = (80, 24), depth: Depth = Depth.TRUE) -> list[str]:
        canvas = Canvas(*size, Palette(depth))
        self.screen.draw(canvas, 0.0)
        return canvas.lines()

    @property
    def state(self) -> State:
        state = self.timeline.state(self.screen.at)
        assert isinstance(state, State)
        return state

    def last(self) -> GameEvent:
        found = self.timeline.events[self.screen.at - 1]
        assert isinstance(found, GameEvent)
        return found


@pytest.mark.slow
def test_a_replay_goes_through_every_deed_with_all_hands_open(game: tuple[Story, State, Result]) -> None:
    watcher = Watcher(game)
    assert "Choosing suits and the first player." in watcher.lines()[1]
    steps = 0
    while watcher.screen.key("right") and (watcher.state != game[1] or watcher.last().kind != "last"):
        steps += 1
        text = "\n".join(watcher.lines())
        assert HIDDEN not in [part for hand in watcher.state.hands for coin in hand for part in coin.parts]
        assert "?" not in text.replace("sells for ?", "")
    assert steps > 50
    assert "THE END" in watcher.lines()[1]
    for key in ("left", "home", "pagedown", "pagedown", "pageup", "end", "v", "tab"):
        assert watcher.screen.key(key)
        watcher.lines()
    watcher.screen.key("home")
    assert watcher.screen.wheel(None, 0, 0, 1)
    assert watcher.last().kind == "lots"


def test_the_title_of_a_replay_is_not_cut_near_the_end(game: tuple[Story, State, Result]) -> None:
    watcher = Watcher(game)
    watcher.screen.key("end")
    for _ in range(30):
        assert re.search(r"Piecepack · replay +\d+ tiles? left  ", watcher.lines()[0])
        watcher.screen.key("left")


def test_who_looks_at_tiles_in_a_replay_reads_the_keys_that_do_so(game: tuple[Story, State, Result]) -> None:
    watcher = Watcher(game, 40)
    at = watcher.screen.at
    assert "→ next" in watcher.lines()[-1]
    assert watcher.screen.key("i")
    assert "Esc back" in watcher.lines()[-1]
    assert "next" not in watcher.lines()[-1]
    assert watcher.screen.key("right")
    assert watcher.screen.at == at, "the arrows go from tile to tile"
    assert watcher.screen.key("esc")
    assert "→ next" in watcher.lines()[-1]


def test_a_replay_opens_at_a_step_and_closes(game: tuple[Story, State, Result]) -> None:
    watcher = Watcher(game, 40)
    assert watcher.last().step <= 40
    assert "TURN" in watcher.lines((120, 40))[1]
    assert watcher.screen.key("pagedown")
    turn = watcher.last().turn
    assert watcher.screen.key("pageup")
    assert watcher.last().turn < turn
    assert not watcher.screen.key("x")
    assert watcher.screen.key("esc")
    assert watcher.ui.popped == [watcher.screen]


def test_the_map_of_a_replay_can_be_touched(game: tuple[Story, State, Result]) -> None:
    watcher = Watcher(game)
    watcher.screen.key("end")
    canvas = Canvas(80, 24)
    watcher.screen.draw(canvas, 0.0)
    before = canvas.lines()
    touched = (canvas.touched(x, y) for x in range(57, 80) for y in range(8, 19))
    action = next(found for found in touched if isinstance(found, tuple) and found[0] == "go")
    assert watcher.screen.click(action, 0, 0, "left")
    assert watcher.lines() != before
    assert watcher.screen.click(("tab", LOG), 0, 0, "left")
    assert "places" in "\n".join(watcher.lines())
    assert watcher.screen.help().sections[0].heading == "Stepping"
