"""The dossier and the replay of a game, from the story of its truth."""

from __future__ import annotations

from random import Random

import pytest

from kimberley.client.boards.diamond_trust import BOARD
from kimberley.client.boards.diamond_trust.board import DiamondTrustUI
from kimberley.client.boards.diamond_trust.dossier import given_away, in_words
from kimberley.client.boards.diamond_trust.events import AgentMoved, played_steps
from kimberley.client.boards.diamond_trust.payments import Payment, months, payments
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.report import Dossier
from kimberley.client.boards.stepping import ReplayScreen
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth
from kimberley.games.arena import Arena
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Answer, Ask, Plain, Result
from kimberley.protocol.audit import audit
from tests.support.angola import HUILA, MALANJE, MOXICO, PretendUi, quiet
from tests.support.effort import first_is_quick
from tests.support.tables import played

NAMES = ("ana", "ben")
GO = ((MALANJE, 0, 0), (HOME, 0, 0), (HOME, 0, 0))
STAY_AND_PAY = ((MALANJE, 2, 0), (HOME, 0, 0), (HOME, 0, 0))
CHOICES: dict[tuple[int, int, RoundStep], Plain] = {
    (0, 1, RoundStep.PAY): (4, 0, 0),
    (1, 1, RoundStep.PAY): (4, 0, 0),
    (0, 1, RoundStep.PLAN): GO,
    (1, 1, RoundStep.PLAN): GO,
    # Month 2: ben turns [1]; ana's bribe on (1) only equals its salary.
    (0, 2, RoundStep.PAY): (4, 0, 0),
    (1, 2, RoundStep.PAY): (5, 0, 0),
    (0, 2, RoundStep.PLAN): STAY_AND_PAY,
    (1, 2, RoundStep.PLAN): GO,
    (1, 2, RoundStep.MOVE): ((MALANJE, 3, 0), (HOME, 0, 0), (HOME, 0, 0)),
    # Month 3: ana turns (1), and learns of [1]; then [1] flies home and is paid back.
    (0, 3, RoundStep.PAY): (1, 0, 0),
    (0, 3, RoundStep.PLAN): ((HOME, 0, 0), (HOME, 0, 0), (HOME, 0, 0)),
    (0, 4, RoundStep.PAY): (2, 0, 0),
}


def true_story(choices: dict[tuple[int, int, RoundStep], Plain]) -> list[tuple[Ask, Answer]]:
    """Returns a whole game with everything known; every other choice is a quiet one."""
    arena = Arena(State(), Random(3))
    arena.apply((MOXICO,))
    story: list[tuple[Ask, Answer]] = [(State().ask(), (MOXICO,))]  # type: ignore[list-item]
    while not isinstance(ask := arena.truth.ask(), Result):
        state = arena.truth
        assert isinstance(state, State)
        chosen = {seat: choices.get((seat, state.round(), state.step), quiet(state, seat)) for seat in ask.choosers}
        story.append((ask, arena.advance(chosen)))
    return story


def timeline(story: list[tuple[Ask, Answer]], seat: int | None = None, result: Result | None = None) -> GameTimeline:
    """Returns the timeline of a story, of which everything is known."""
    found = GameTimeline(DiamondTrustUI(), State(), NAMES, seat)
    found.refresh(story, result)
    end = found.latest.ask()
    found.refresh(story, result or (end if isinstance(end, Result) else None))
    return found


def dossier(story: list[tuple[Ask, Answer]], seat: int | None, result: Result | None = None) -> Dossier:
    found = timeline(story, seat, result)
    return DiamondTrustUI().report(found.shown(len(found.events)))


def test_who_bribed_whom_when_and_what_it_gave_away() -> None:
    found = payments(played_steps(timeline(true_story(CHOICES)).events))
    facts = [(one.month, one.payer, one.by, one.owner, one.agent, one.bribes, one.salary, one.turned) for one in found]
    assert facts == [
        (2, 0, 0, 1, 0, 4, 4, False),
        (2, 1, 0, 0, 0, 5, 4, True),
        (3, 0, 0, 1, 0, 5, 4, True),
        (4, 0, None, 0, 0, 5, 6, False),
    ]
    assert given_away(found[0], NAMES, 0) == ["nothing: bribes equal to its salary leave it loyal"]
    told = given_away(found[1], NAMES, 0)
    assert "its orders, months 2–3" in told
    assert "bribe to (1), $5" in told
    assert "ben changed Malanje $0 to $3" in told
    said = in_words(found[1], NAMES, 0)
    assert said.startswith("Month 2. Enemy agent 1 bribes your agent 1 with ")
    assert said.endswith(" ben then changed the offer in Malanje from $0 to $3.")
    assert "bribe to [1], $5" in given_away(found[2], NAMES, 0)
    assert given_away(found[3], NAMES, 0) == ["nothing: [1] is loyal"]


def test_what_was_changed_after_a_report_is_said_of_whoever_got_it() -> None:
    """Also where the agent’s own side paid it in vain."""
    bribed, salary = (
        Payment(
            5,
            3,
            payer,
            by,
            owner=0,
            agent=0,
            amount=1,
            bribes=5,
            salary=3,
            changes=["the sale from 1 to 2"],
            changes_in_words=["the sale from 1 to 2"],
        )
        for payer, by in ((1, 1), (0, None))
    )
    for payment in (bribed, salary):
        assert given_away(payment, NAMES, 0) == ["ben changed the sale from 1 to 2"]
        assert in_words(payment, NAMES, 0).endswith(" ben then changed the sale from 1 to 2.")
        assert in_words(payment, NAMES, 1).endswith(" You then changed the sale from 1 to 2.")


def test_the_rows_fit_the_width_and_name_the_step() -> None:
    story = true_story(CHOICES)
    told = dossier(story, 0)
    for width in (78, 98, 138):
        table, rows = told.build(width)
        assert all(place.end <= width for place in table.places.values())
        for row in rows:
            assert len(row.cells) == len(table.columns)
            for place, spans in zip(table.places.values(), row.cells, strict=True):
                assert sum(len(span.text) for span in spans) <= place.room
            assert row.step is not None
            assert isinstance(story[row.step][1], tuple)
    assert [row.cells[0][0].text for row in told.build(78)[1] if row.cells[0]] == ["2", "2", "3", "4"]


def test_the_head_says_who_won_and_by_what() -> None:
    def head(seat: int | None) -> str:
        canvas = Canvas(80, 3)
        dossier(true_story(CHOICES), seat).head(canvas)
        return "\n".join(canvas.lines())

    assert "spent $" in head(0)
    final = timeline(true_story(CHOICES)).result
    assert isinstance(final, Result)
    winner = final.winners[0]
    assert "You win" in head(winner)
    assert f"{NAMES[winner]} wins" in head(None)
    assert f"{NAMES[winner]} wins" in head(1 - winner)


def test_a_resignation_is_told_as_far_as_the_game_went() -> None:
    story = true_story(CHOICES)[:12]
    result = GAME.resignation_result(timeline(story).latest, (1,))
    told = dossier(story, 0, result)
    assert told.lines[0].startswith("You win: ")
    assert told.lines[0] == f"You win: {NAMES[1]} resigned."
    assert dossier(story, 1, result).lines[0] == f"{NAMES[0]} wins: you resigned."
    found = GameTimeline(DiamondTrustUI(), State(), ("ana", "Maximilian von Habsburg"), 0)
    found.refresh(story, result)
    head = _head(DiamondTrustUI().report(found.shown(len(found.events))).head)
    assert "Maximilian von… ( )  ANTWERP" in head[0]
    assert " Maximilian… resigned " in head[1]


def test_a_draw_is_told_whole_in_the_head() -> None:
    story = true_story(CHOICES)
    told = dossier(story, 0, Result((1, 1), ((2, 9), (2, 9)), ""))
    assert told.lines[0] == "A draw: equal diamonds and money."
    assert " equal ◆ and $ " in _head(told.head)[1]


def test_what_no_seat_published_is_left_out() -> None:
    """A spectator's story of the same game: its amounts are hidden, so nothing is claimed of them."""
    spectator = [(ask, ask.visible_answer(answer, None)) for ask, answer in true_story(CHOICES)]
    told = dossier(spectator, None)
    assert told.build(78)[1] == ()
    assert "wins" in told.lines[0]


@pytest.mark.parametrize(
    ("numbers", "words"), [((3,), "month 3"), ((3, 4, 5), "months 3–5"), ((3, 5, 7), "months 3, 5 and 7")]
)
def test_rounds_in_words(numbers: tuple[int, ...], words: str) -> None:
    assert months(numbers) == words


def test_the_lines_are_for_the_ear() -> None:
    for line in dossier(true_story(CHOICES), 0).lines:
        assert not set(line) & set("[]♥◆")


# -- the replay --------------------------------------------------------------------------------------------------------


def replayed(story: list[tuple[Ask, Answer]], ui: PretendUi, step: int | None = None) -> ReplayScreen:
    return ReplayScreen(GameTimeline(DiamondTrustUI(), State(), NAMES), story, None, ui, step)


def frame(screen: ReplayScreen, ui: PretendUi, size: tuple[int, int] = (80, 24)) -> str:
    canvas = Canvas(*size, ui.palette)
    screen.draw(canvas, ui.time)
    return "\n".join(canvas.lines())


def test_the_replay_shows_both_sides_step_by_step() -> None:
    ui = PretendUi(calm=True)
    screen = replayed(true_story(CHOICES), ui)
    assert "event 0 of" in frame(screen, ui)
    screen.key("pagedown")
    screen.key("pagedown")
    shown = set()
    for _ in range(30):
        shown.add(frame(screen, ui))
        screen.key("right")
    everything = "\n".join(shown)
    assert "ana bribes (1) in Malanje with $4." in everything
    assert "ben bribes [1] in Malanje with $5." in everything
    assert "[1] reveals its plan to ben: it stays in Malanje and offers $2." in everything
    assert "$ ?" not in everything


def test_a_long_plan_is_read_to_its_end_in_the_replay() -> None:
    plan: Plain = ((MOXICO, 6, 1), (HUILA, 2, 0), (HOME, 0, 0))
    early = {at: choice for at, choice in CHOICES.items() if at[1] < 3}
    ui = PretendUi(calm=True)
    screen = replayed(true_story({**early, (0, 2, RoundStep.PLAN): plan}), ui)
    shown = set()
    for _ in range(30):
        shown.add(" ".join(frame(screen, ui).split()))
        screen.key("right")
    said = "ana plans: [1] goes to Moxico, offers $6 and bribes the Inspector with $1; [2] goes to Huila and offers $2."
    assert any(said in text for text in shown)


def test_the_replay_begins_at_the_step_of_a_dossier_row_and_goes_both_ways() -> None:
    ui = PretendUi(calm=True)
    story = true_story(CHOICES)
    row = dossier(story, 0).build(78)[1][-1]
    screen = replayed(story, ui, row.step)
    assert "month 4 of 9" in frame(screen, ui)
    before = frame(screen, ui)
    assert screen.key("right")
    assert frame(screen, ui) != before
    assert screen.key("left")
    assert frame(screen, ui) == before
    screen.key("end")
    assert "THE END" in frame(screen, ui)
    screen.key("home")
    assert "month 1 of 9" in frame(screen, ui)
    assert screen.key("esc")
    assert ui.popped == [screen]


def test_the_replay_plays_only_the_next_step() -> None:
    ui = PretendUi()
    story = true_story(CHOICES)
    screen = replayed(story, ui)
    trip = next(at for at, event in enumerate(timeline(story).events, 1) if isinstance(event, AgentMoved))
    while screen.at < trip:
        screen.skip(ui.time)
        screen.key("right")
    assert screen.next_frame(ui.time) is not None
    assert screen.skip(ui.time)
    assert screen.next_frame(ui.time) is None
    screen.key("end")
    assert screen.next_frame(ui.time) is None


@pytest.mark.slow
@pytest.mark.parametrize("depth", first_is_quick(*Depth))
def test_every_step_can_be_drawn(depth: Depth) -> None:
    ui = PretendUi(depth, calm=True)
    story = true_story(CHOICES)
    screen = replayed(story, ui)
    for _ in timeline(story).events:
        assert "LONDON" in frame(screen, ui, (100, 34))
        screen.key("right")
        screen.key("tab")
    assert "THE END" in frame(screen, ui, (100, 34))


@pytest.mark.slow
def test_a_record_is_told_and_replayed() -> None:
    wire = played(GAME)
    audited = audit(wire.peers[0].record().pack(), lambda _: GAME)
    told = BOARD.dossier(audited, NAMES, 0)
    assert "◆" in "".join(cell for cell in _head(told.head))
    ui = PretendUi(calm=True)
    screen = BOARD.replay(audited, NAMES, ui)
    assert isinstance(screen, ReplayScreen)
    assert "LONDON" in frame(screen, ui)


def _head(draw: object) -> list[str]:
    canvas = Canvas(80, 3)
    assert callable(draw)
    draw(canvas)
    return canvas.lines()
