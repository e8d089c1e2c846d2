"""What the board of Diamond Trust says: cards, the strip, news, help."""

from __future__ import annotations

import dataclasses
import re
from itertools import groupby, pairwise, product
from random import Random
from types import SimpleNamespace
from typing import Any, Final

import pytest

from kimberley.client.boards.diamond_trust.agent_card import agent_card, inspector_card, region_card
from kimberley.client.boards.diamond_trust.board import DiamondTrustUI
from kimberley.client.boards.diamond_trust.events import (
    AgentMoved,
    AgentTold,
    AgentTurned,
    AuctionHeld,
    ChoicesSealed,
    MonthSummed,
)
from kimberley.client.boards.diamond_trust.form_last_look import LastLookForm
from kimberley.client.boards.diamond_trust.form_pay import PayForm
from kimberley.client.boards.diamond_trust.layout import layout
from kimberley.client.boards.diamond_trust.lower_screen import secret
from kimberley.client.boards.diamond_trust.month_card import draw_month, draw_month_upright
from kimberley.client.boards.diamond_trust.narration import Narrator, choosing
from kimberley.client.boards.diamond_trust.phrases import LINE, beside_names, soft
from kimberley.client.boards.diamond_trust.upper_screen import Header, draw_balances, draw_card
from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.live_context import LiveContext
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.view import STILL, Shown
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.spans import Spans
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import HOME, REGIONS
from kimberley.games.diamond_trust.knowledge import UNKNOWN, AtLeast, Estimate, Exact, Knowledge
from kimberley.games.diamond_trust.position import Agent, RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import HIDDEN, Result, evolve
from kimberley.p2p.table.common_options import AdjustTimes
from tests.support.angola import CUANDO, HUILA, LOOK, LUNDA, MOXICO, TOLD, UIGE, PretendUi, Script
from tests.support.asyncs import run
from tests.support.board_snapshots import Clock, Scenario, app_at
from tests.support.effort import first_is_quick, tries
from tests.support.seated_arena import SeatedArena
from tests.support.trust import ABROAD, Trust
from tests.support.trust_player import Player, meeting

TURNED_BACK: Script = {(2, RoundStep.PAY): (5, 0)}


def test_it_is_always_said_who_is_waited_for() -> None:
    player = meeting(slow=True)
    assert "your turn" in player.text()
    assert "is choosing" not in player.text(), "nobody knows that of a player who was not asked about this game"
    player.press("tab 1 enter tab 1 enter d")
    assert "Locked in" in player.text()
    assert "ben is choosing…" in player.text()
    player.table.go_on()
    assert "MOVE" in player.text()


@pytest.mark.slow
def test_the_other_side_moves_the_inspector() -> None:
    theirs: Script = {
        (1, RoundStep.PLAN): ((MOXICO, 1, 3), (HOME, 0, 0), (HOME, 0, 0)),
        (1, RoundStep.MOVE): ((MOXICO, 1, 3), (HOME, 0, 0), (HOME, 0, 0)),
        (1, RoundStep.INSPECT): HUILA,
    }
    player = Player({(1, RoundStep.PAY): (0, 0, 0)}, theirs, size=(140, 45))
    player.press("1 right right enter 2 enter d yes")
    assert player.table.state.inspector == HUILA
    player.rest()
    assert "ben sends the Inspector from" in player.text()


def test_who_waits_for_the_inspector_reads_what_he_does_where_he_is() -> None:
    table = Trust(HUILA).move({0: (HUILA, 1, 1)}, {0: (UIGE, 2, 0)})
    assert table.truth.step is RoundStep.INSPECT
    timeline = GameTimeline(DiamondTrustUI(), table.seats.start, ("ana", "ben"), 1)
    timeline.refresh(table.seats.stories[1], None)
    canvas = Canvas(80, 24, PretendUi().palette)
    timeline.draw(canvas, len(timeline.steps), STILL, LiveContext(live=True, waiting=(0,)))
    card = canvas.lines()[3:5]
    assert card[0].split("   ")[0].strip() == "UN  The Inspector stands in Huila"
    assert card[1].strip() == "freezes ◆ 2   offers there: ana $1"


def test_all_that_was_paid_this_month_is_on_the_card() -> None:
    player = Player(size=(120, 40))
    player.press("1 1 enter 2 1 enter 3 2 enter 1")
    rows = [row.rpartition("│")[2].strip() for row in player.canvas().lines()[4:8]]
    assert rows == ["Paid this month", "[1] salary $1", "[2] salary $1", "[3] salary $2"]


@pytest.mark.parametrize("names", [("ana", "Koh-i-Noor"), ("Koh-i-Noor Koh-i-Noor", "The Great Mogul 2")])
def test_what_both_sides_spent_on_a_move_fits_a_small_screen(names: tuple[str, str]) -> None:
    spent: dict[int, Spans] = {seat: (soft(" trips $3  offers $12  UN $10"),) for seat in (0, 1)}
    line = "".join(span.text for span in beside_names(spent, names))
    assert len(line) <= LINE
    assert line.count("UN $10") == 2
    assert ("…" in line) == (len(names[0]) > 3)
    assert beside_names({1: spent[1]}, names)[0].text == names[1]


def test_the_card_of_an_agent_tells_what_is_known_and_no_more() -> None:
    player = meeting()
    player.press("tab 3")
    rows = player.canvas().lines()
    assert "Enemy agent in Malanje" in rows[3]
    assert "trip home" not in rows[3]
    assert "carries" not in rows[3]
    assert "salary ≤ $10" in rows[4]
    assert "your bribes $0 + 3" in rows[4]
    assert "by [1]" in rows[4]
    assert "it could bribe [1]" in rows[4]
    player.press("esc 3 esc")
    player.screen.click(("agent", 0, 0), 0, 0, "left")
    assert player.canvas().lines()[4].rstrip() == "      salary $4   bribes $0"


def test_once_an_agent_was_met_nobody_says_that_it_is_loyal() -> None:
    player = meeting(mine={(2, RoundStep.PAY): (0, 0)})
    player.catch_up()
    player.screen.click(("agent", 0, 0), 0, 0, "left")
    rows = player.canvas().lines()
    assert "may be a double agent" in rows[3]
    assert "bribes unknown" in rows[4]


def test_an_agent_that_cannot_be_a_double_agent_is_loyal() -> None:
    """[1] has met (1) alone, who reports: it names every agent that it bribed last."""
    player = meeting(theirs={(2, RoundStep.PAY): (0, 0)})
    player.press("tab 5 enter d")
    player.catch_up()
    player.screen.click(("agent", 0, 0), 0, 0, "left")
    rows = player.canvas().lines()
    assert "may be a double agent" not in rows[3]
    assert rows[4].startswith("      salary $4   bribes $0 ")


@pytest.mark.parametrize(("salary", "bribe", "said"), [(3, 3, "salary ≥ $3"), (0, 0, "salary ≤ $14")])
def test_the_card_of_an_enemy_agent_says_what_follows_of_its_salary(salary: int, bribe: int, said: str) -> None:
    table = Trust().pay({}, {0: salary}).move({0: (UIGE, 0, 0)}, {0: (UIGE, 2, 0)}).sell().pay({0: bribe})
    card = agent_card(table.view(0), 0, ("ana", "ben"), 1, 0)
    assert said in "".join(span.text for span in card.narrow[1])


def test_whom_an_agent_could_bribe_it_is_not_said_to_have_bribed() -> None:
    trust = Trust().move({0: (UIGE, 0, 0), 1: (LUNDA, 0, 0)}, {0: (UIGE, 0, 0)}).sell()
    known = evolve(trust.known(0), bribes=(UNKNOWN, Exact(3), UNKNOWN), bribers=(None, 0, None))
    card = agent_card(evolve(trust.view(0), known=(known, HIDDEN)), 0, ("ana", "ben"), 1, 0)
    assert "it bribed [2] with $3   it could bribe [1]" in "".join(span.text for span in card.narrow[1])
    facts = {fact.label: "".join(span.text for span in fact.value) for column in card.wide for fact in column}
    assert (facts["bribed [2]"], facts["could bribe"]) == ("$3", "[1]")


@pytest.mark.parametrize("seed", first_is_quick(*range(8)))
def test_what_goes_on_is_told_of_the_step_that_goes_on(seed: int) -> None:
    """Before anybody could be bribed nothing is reported or adjusted; nor at the end."""
    chance, table = Random(seed), SeatedArena(GAME, 2, Random(seed))
    told = set()
    while not isinstance(ask := table.arena.truth.ask(), Result):
        for you, state in ((0, table.views[0]), (1, table.views[1]), (None, table.spectator)):
            assert isinstance(state, State)
            view = DiamondTrustUI().view(("ana", "ben"), you)
            for waiting in ((), ask.choosers):
                _, said = view.strip(Shown(state, (), 0, ("ana", "ben"), you, live=True, waiting=waiting), 80)
                told.add(said)
                if "report" in said:
                    assert state.step in (RoundStep.PAY_TOLD, RoundStep.PLAN_TOLD, RoundStep.SALE_TOLD)
                    assert state.anyone_met()
                if said.startswith("Both") and state.step in (RoundStep.PAY, RoundStep.SALE_PLAN):
                    assert len(choosing(state)) == 2
                    assert state.step is RoundStep.PAY or all(state.vault)
                if "adjust" in said:
                    assert state.sale_looks() if state.step is RoundStep.SALE else state.anyone_met()
        choices = {seat: space.pick(chance) for seat in ask.choosers if (space := ask.space_for(seat)) is not None}
        table.apply(table.arena.answer(ask, choices))
    assert {"Double agents report.", "Both sides reveal what they have left.", "All orders are revealed."} <= told


@pytest.mark.parametrize(
    ("step", "diamonds", "said"),
    [
        (RoundStep.PLAN, 1, "freezes ◆ 1: nobody gets it unless an agent there bribes him away"),
        (RoundStep.PLAN, 2, "freezes ◆ 2: nobody gets them unless an agent there bribes him away"),
        (RoundStep.INSPECT, 2, "freezes ◆ 2 there"),
        (RoundStep.OVER, 2, "freezes ◆ 2 there"),
    ],
)
def test_the_inspector_can_be_bribed_away_only_before_he_acts(step: RoundStep, diamonds: int, said: str) -> None:
    state = evolve(Trust(CUANDO).truth, step=step, diamonds=(1, 1, 1, 1, 2, diamonds))
    card = inspector_card(state, ("ana", "ben"), CUANDO, standing=True)
    assert "".join(span.text for span in card.narrow[1]).strip() == said


def test_a_trip_home_speaks_of_diamonds_only_where_some_are_carried() -> None:
    state = Trust().move({0: (UIGE, 0, 0)}).truth
    for carries, said in ((0, False), (2, True)):
        agents = ((Agent(UIGE, carries), *state.agents[0][1:]), state.agents[1])
        card = region_card(evolve(state, agents=agents), 0, 0, HOME)
        assert ("its diamonds are safe there" in "".join(span.text for span in card.narrow[1])) is said


ESTIMATES: Final[tuple[Estimate, ...]] = (UNKNOWN, Exact(12), AtLeast(12))


@pytest.mark.parametrize("bribed", range(4))
def test_the_card_of_an_agent_that_has_bribed_others_is_not_cut(bribed: int) -> None:
    """All amounts have two digits, and the agent is in the region with the longest name."""
    trust = Trust()
    trust.move(ABROAD, ABROAD).sell()
    agents = ((Agent(CUANDO, 3), Agent(UIGE, 3), Agent(LUNDA, 3)),) * 2
    by_first = tuple(0 if agent < bribed else None for agent in range(3))
    cut: list[str] = []
    for viewer, seat, bribes, salaries, own, most in product(
        (0, 1, None), (0, 1), ESTIMATES, ESTIMATES, (4, 14), (15, 99)
    ):
        view = trust.view(viewer) if viewer is not None else trust.seats.spectator
        assert isinstance(view, State)
        hidden = [side != viewer for side in (0, 1)]
        state = evolve(
            view, agents=agents, salary=tuple((HIDDEN if away else own,) * 3 for away in hidden),
            bribes=tuple((own if viewer is not None and away else HIDDEN,) * 3 for away in hidden),
            last_briber=tuple(by_first if away else (HIDDEN,) * 3 for away in hidden),
            known=tuple(
                HIDDEN if away else Knowledge(
                    (True,) * 3, (salaries,) * 3, (bribes,) * 3, by_first if bribed else (None,) * 3,
                    unseen=((0,) * (bribes != Exact(12)),) * 3,
                ) for away in hidden
            ),
            met=((True,) * 3,) * 2, most_salary=((most,) * 3,) * 2, most_bribes=((most,) * 3,) * 2,
        )  # fmt: skip
        for now, agent in product((0, 10), range(3)):
            card = agent_card(state, viewer, ("ana", "ben"), seat, agent, now)
            cut += ["".join(span.text for span in row) for row in card.narrow if width_of(row) > 80]
    assert not cut, "\n".join(sorted(set(cut)))


@pytest.mark.parametrize("name", ["ben", "Anastasia the Ma"])
def test_what_the_sale_says_of_secrets_has_room_beside_done(name: str) -> None:
    room, agents = 33, ((), (0,), (0, 1), (0, 1, 2))
    for seat, revealed, known, may, sealed in product((0, 1), (None, 0, 12), agents, agents, (False, True)):
        for last_look, informers in product((False, True), agents[1:]):
            form: Any = SimpleNamespace(
                seat=seat, revealed=revealed, sealed=sealed, last_look=last_look,
                tellers=lambda both=(known, may): both, informers=lambda agents=informers: agents,
            )  # fmt: skip
            lines = ["".join(span.text for span in line) for line in secret(form, (name, name), room)]
            assert max(map(cell_width, lines)) <= room, lines
            if revealed is not None:
                assert re.search(r"(plans to sell (12|nothing)|reported: (12|none))$", lines[0])


def width_of(spans: Spans) -> int:
    return sum(cell_width(span.text) for span in spans)


def test_a_turned_agent_has_a_heart_and_its_card_is_open() -> None:
    player = meeting(mine={(2, RoundStep.PAY): (5, 0)}, theirs={(2, RoundStep.PAY): (5, 0)})
    player.ui.time += 10
    text = player.text()
    assert "(1)♥" in text
    assert "[1]♥" in text
    player.screen.click(("agent", 1, 0), 0, 0, "left")
    rows = player.canvas().lines()
    assert "salary $4" in rows[4]
    assert "your bribes $5" in rows[4]
    assert "it bribed [1] with $5" in rows[4]
    player.screen.click(("agent", 0, 0), 0, 0, "left")
    assert "by (1)" in player.canvas().lines()[4]


def test_a_turned_agent_is_told_whole_on_a_small_screen_whatever_its_side_is_called() -> None:
    names = ("Maximilian von Habsburg", "The Great Mogul of Delhi")
    # (1) bribes [1] and is bribed itself, so that it reports what it paid.
    table = Trust().pay({0: 3}).move({0: (UIGE, 0, 0)}, {0: (UIGE, 0, 0)}).sell().pay({0: 10}, {0: 12})
    timeline = GameTimeline(DiamondTrustUI(), table.seats.start, names, 0)
    timeline.refresh(table.seats.stories[0], None)
    own = [at for at, event in enumerate(timeline.events, 1) if isinstance(event, AgentTurned) and event.owner == 0]
    canvas = Canvas(80, 24, PretendUi().palette)
    timeline.view.draw(canvas, timeline.shown(own[0]))
    assert [line[10:].strip() for line in canvas.lines()[3:5]] == [
        "[1] now reports to The Great…: bribes of $12 exceed its salary of $3.",
        "It reveals its orders until you pay it $9 more at home.",
    ]


def test_a_player_with_a_long_name_is_told_which_side_is_theirs() -> None:
    names, table = ("ana", "Maximilian von Habsburg"), Trust()
    timeline = GameTimeline(DiamondTrustUI(), table.seats.start, names, 1)
    timeline.refresh(table.seats.stories[1], None)
    canvas = Canvas(80, 24, PretendUi().palette)
    timeline.view.draw(canvas, timeline.shown(len(timeline.events)))
    assert canvas.lines()[1].rstrip().endswith("Maximilian, you ( )  ANTWERP")


def test_the_inspectors_card_tells_what_he_would_freeze_and_seize() -> None:
    moves = ((MOXICO, 4, 2), (HOME, 0, 0), (HUILA, 2, 0))
    player = meeting(mine={(2, RoundStep.PAY): (0, 0), (2, RoundStep.PLAN): moves, (2, RoundStep.MOVE): moves})
    assert player.table.state.step is RoundStep.INSPECT
    player.click(("region", LUNDA))
    rows = player.canvas().lines()
    assert "would go to Lunda" in rows[3]
    assert "seizes ◆ 1 from (3)" in rows[3]
    player.click(("region", HUILA))
    rows = player.canvas().lines()
    assert "seizes ◆ 2 from [3]" in rows[3]
    assert "offers there: ana $2" in rows[4]


def test_the_sale_shows_what_every_number_would_bring() -> None:
    player = Player()
    player.press("1 enter 2 enter 3 enter d d")
    for _, then in player.ui.questions:
        then()
    assert player.table.state.step is RoundStep.SALE_PLAN
    player.rest()
    player.press("right right")
    text = player.text()
    assert "2 sold, 0 kept" in text
    assert "$24   $16   $12" in text
    assert "$18    $8   $12" in text


def test_all_that_agents_told_is_on_the_card_of_a_small_screen() -> None:
    """Two agents told their plans, and one of them that [1] is turned."""
    both = {(2, RoundStep.PLAN): ((HOME, 0, 0), (UIGE, 1, 0), (HOME, 0, 0))}
    player = meeting(mine=LOOK, theirs={**TURNED_BACK, **both})
    form = player.screen.form(player.ui.time)
    assert isinstance(form, LastLookForm)
    told = {0: (HOME, 0, 0), 2: (HOME, 0, 0)}
    known = evolve(form.state.known[0], plans=tuple(told.get(agent) for agent in range(3)))
    form.context = dataclasses.replace(form.context, state=evolve(form.state, known=(known, *form.state.known[1:])))
    rows = player.canvas().lines()
    assert "(1)♥ to Antwerp  (3)♥ to Antwerp" in rows[3]
    assert "[1] reveals its orders to ben." in rows[4]
    inset = [row[65:80] for row in rows[6:12]]
    assert sum(row.count("→(1)♥") for row in inset) == sum(row.count("→(3)♥") for row in inset) == 1


def test_a_region_in_focus_says_what_lies_there_what_the_trip_costs_and_who_is_there() -> None:
    player = meeting(mine={(2, RoundStep.PAY): (0, 0)})
    player.press("1 right")
    rows = player.canvas().lines()
    assert "to Lunda   trip $1   carries ◆ 1" in rows[3]
    assert "◆ 1 there   now there: (3)" in rows[4]


def test_the_title_bar_shows_the_way_through_the_month() -> None:
    player = Player()
    assert "PAY > move > sale" in player.canvas().lines()[0]
    player = meeting(mine=LOOK, theirs=TOLD)
    assert "pay > move > ADJUST > sale" in player.canvas().lines()[0]


def test_the_way_names_a_last_look_at_a_sale_only_if_an_agent_that_was_met_is_at_home() -> None:
    """All that is public, and the same for both sides."""
    plan = ((MOXICO, 4, 0), (UIGE, 3, 0), (HUILA, 2, 0))
    abroad = {**LOOK, (2, RoundStep.PLAN): plan, (2, RoundStep.MOVE): plan}
    for home, way in ((False, "pay > move > SALE "), (True, "pay > move > SALE > adjust")):
        theirs = ((HOME if home else LUNDA, 0, 0), (HOME, 0, 0), (HUILA, 0, 0))
        player = meeting(mine=abroad, theirs={(2, RoundStep.PLAN): theirs, (2, RoundStep.MOVE): theirs})
        player.catch_up()
        assert player.table.state.step is RoundStep.SALE_PLAN
        assert way in player.canvas().lines()[0]


@pytest.mark.parametrize("bribe", [0, 5])
@pytest.mark.parametrize(("acquaintance", "last_look"), [("bot", 0), ("bot", 12), ("met", 0)])
def test_the_way_of_a_player_alone_without_a_clock_names_a_last_look_only_if_there_may_be_one(
    bribe: int, acquaintance: str, last_look: int
) -> None:
    player = meeting(times=AdjustTimes(last_look, last_look))
    player.table.put(acquaintance=("you", acquaintance))
    player.catch_up()
    player.table.play.choose((bribe, 0))
    player.catch_up()
    named = "> adjust" in player.canvas().lines()[0]
    assert named is (bool(bribe) or acquaintance != "bot" or last_look > 0)


STANDS: Final = {"INSPECTOR": "MOVE", "START": "", "NEW MONTH": "", "THE END": ""}
"""The place on the way through the month of each phase that is not named there."""


def test_the_way_through_the_month_and_the_strip_name_the_same_phase() -> None:
    table = Scenario("diamond-trust", 2, 11, {}).table(Clock())
    while not isinstance(table.ask, Result):
        table.answer()
    timeline = GameTimeline(DiamondTrustUI(), table.start, table.occupants.names, 0)
    timeline.refresh(table.arena_peer.story, table.arena_peer.result)
    timeline.view.draw(Canvas(80, 24, PretendUi().palette), timeline.shown(1))
    shown = [timeline.shown(at) for at in range(1, len(timeline.events))]
    pending = [
        timeline.shown(at, around=LiveContext(live=True, waiting=(1,)))
        for at, (one, following) in enumerate(pairwise(timeline.events), start=1)
        if one.step != following.step
    ]
    seen = set()
    for position in (*shown, *pending):
        phase, _ = timeline.view.strip(position, 80)
        seen.add((phase, position.live))
        named = re.findall(r"[A-Z][A-Z ]*[A-Z]", timeline.view.note(position))
        assert len(named) <= 1
        assert phase == "REVEAL" or " ".join(named) == STANDS.get(phase, phase), (position.at, phase)
    assert seen >= {(phase, live) for phase in ("PAY", "MOVE", "ADJUST", "SALE", "INSPECTOR") for live in (False, True)}


def test_the_card_names_every_trip_payment_and_diamond_of_the_month() -> None:
    mine = ((MOXICO, 4, 1), (UIGE, 3, 0), (HUILA, 2, 0))
    theirs = ((HUILA, 3, 0), (HOME, 0, 0), (MOXICO, 2, 2))
    steps = (RoundStep.PLAN, RoundStep.MOVE)
    player = meeting(
        mine={(2, RoundStep.PAY): (0, 0), **{(2, step): mine for step in steps}},
        theirs={**{(2, step): theirs for step in steps}, (2, RoundStep.INSPECT): CUANDO},
    )
    events = player.screen.timeline.events
    player.screen.head.go(max(at for at, event in enumerate(events, start=1) if isinstance(event, MonthSummed)))
    rows = [" ".join(row.replace("│", " ").split()) for row in player.canvas().lines()]
    for expected in (
        "Moxico [1] ← Malanje $4 (3) ← Lunda $2 [1] takes ◆ 2",
        "Uige [2] ← London $3 [2] takes ◆ 2",
        "Huila [3] stays $2 (1) ← Malanje $3 (1) takes ◆ 2",
        "Inspector bribe $1 higher bribe $2 Cuando Cubango",
        "total ◆ +4 $13 ◆ +2 $9 trips included",
    ):
        assert any(expected in row for row in rows), expected
    assert "…" not in player.text()


FAR: Final = ((CUANDO, 0, 0), (HOME, 0, 0), (HOME, 0, 0))
BACK: Final = ((MOXICO, 10, 2), (HOME, 0, 0), (HOME, 0, 0))


def test_a_long_trip_leaves_room_for_its_amounts() -> None:
    """On the card of the month, and in the line about the trip."""
    steps = (RoundStep.PLAN, RoundStep.MOVE)
    player = Player(
        {
            (1, RoundStep.PAY): (0, 0, 0), (2, RoundStep.PAY): (0, 0), (1, RoundStep.SALE_PLAN): 0,
            (1, RoundStep.SALE): 0, **{(1, step): FAR for step in steps}, **{(2, step): BACK for step in steps},
            (2, RoundStep.INSPECT): MOXICO,
        },
    )  # fmt: skip
    events, head = player.screen.timeline.events, player.screen.head
    head.go(max(at for at, event in enumerate(events, start=1) if isinstance(event, AgentMoved) and event.payment))
    assert "[1] flies to Moxico, offers $10 and bribes the Inspector with $2." in player.canvas().lines()[4]
    month = [event for event in events if isinstance(event, MonthSummed)][-1]
    wide, upright = Canvas(80, 17, player.ui.palette), Canvas(40, 30, player.ui.palette)
    draw_month(wide, month, ("ana", "ben"))
    draw_month_upright(upright, month, ("ana", "ben"))
    assert "[1] ← Cuando C. $10" in " ".join(" ".join(wide.lines()).split())
    assert "[1] ← Cuando $10" in " ".join(" ".join(upright.lines()).split())


@pytest.mark.parametrize("region", range(HOME))
def test_the_card_of_the_month_cuts_no_name_but_to_its_first_word(region: int) -> None:
    sent = ((region, 0, 0), (HOME, 0, 0), (HOME, 0, 0))
    back = ((HOME, 0, 0),) * 3
    player = Player({
        (1, RoundStep.PAY): (0, 0, 0), (2, RoundStep.PAY): (0, 0), (1, RoundStep.SALE_PLAN): 0, (1, RoundStep.SALE): 0,
        (1, RoundStep.PLAN): sent, (1, RoundStep.MOVE): sent, (2, RoundStep.PLAN): back, (2, RoundStep.MOVE): back,
    })  # fmt: skip
    for month in (event for event in player.screen.timeline.events if isinstance(event, MonthSummed)):
        for canvas, draw in ((Canvas(80, 17), draw_month), (Canvas(40, 30), draw_month_upright)):
            draw(canvas, month, ("ana", "ben"))
            words = "\n".join(canvas.lines())
            for name in REGIONS:
                assert not re.search(rf"{name[:3]}(?!{name.partition(' ')[0][3:]}\b)", words), words
                assert all(words.count(part) == words.count(name) for part in name.split()[1:]), words


def test_a_reported_bribe_of_an_agent_that_stays_loyal_is_shown() -> None:
    player = meeting(theirs={(2, RoundStep.PAY): (3, 0)})
    player.press("tab 5 enter tab 1 enter d")
    assert "(1) now reports to you" in player.canvas().lines()[3]
    player.ui.time += DiamondTrustUI.key_delay
    player.screen.key("enter")
    rows = player.canvas().lines()
    assert "(1) bribed [1] with $3 in total; its salary is $4, so it is loyal." in rows[3]
    assert "REVEAL" in rows[5]
    assert "(1) reports: it bribed [1]." in rows[5]
    player.ui.time += DiamondTrustUI.key_delay
    player.screen.key("enter")
    assert "MOVE" in player.canvas().lines()[5]


@pytest.mark.parametrize("seed", range(tries(3, 40)))
def test_the_log_speaks_of_one_diamond_of_who_can_choose_and_of_pay_that_can_still_come(seed: int) -> None:
    table, rng = SeatedArena(GAME, 2, Random(seed)), Random(seed)
    public: list[tuple[Any, Any]] = []
    while not isinstance(ask := table.arena.truth.ask(), Result):
        spaces = {seat: ask.space_for(seat) for seat in ask.choosers}
        answer = table.arena.answer(ask, {seat: space.pick(rng) for seat, space in spaces.items() if space})
        public.append((table.spectator.ask(), ask.visible_answer(answer, None)))
        table.apply(answer)
    seen = set[str]()
    for you, story in ((0, table.stories[0]), (1, table.stories[1]), (None, public)):
        timeline = GameTimeline(DiamondTrustUI(), table.start, ("ana", "ben"), you)
        timeline.refresh(story, None)
        for event in timeline.events:
            said = " ".join(Narrator(("ana", "ben"), you).sentences(event))
            match event:
                case AuctionHeld(auction=auction) if event.blocked or event.agent is None:
                    assert ("the diamond " in said) == (auction.diamonds == 1)
                    assert ("the diamonds" in said) == (auction.diamonds > 1)
                case AgentTurned(turned=True) if not event.after.months_left:
                    assert "until" not in said
                case ChoicesSealed() if event.played.step is RoundStep.SALE_PLAN:
                    assert said.startswith("Both sides have") == all(event.before.vault)
                    assert said.startswith("Neither") == (not any(event.before.vault))
                case _:
                    continue
            seen.add(type(event).__name__)
    assert {"AuctionHeld", "ChoicesSealed"} <= seen


@pytest.mark.parametrize("seed", range(tries(3, 40)))
def test_each_reported_bribe_is_shown_once(seed: int) -> None:
    """Either an agent is seen to be turned by it, or a page says it. What was known before is not shown again."""
    table, rng = SeatedArena(GAME, 2, Random(seed)), Random(seed)
    while not isinstance(ask := table.arena.truth.ask(), Result):
        spaces = {seat: ask.space_for(seat) for seat in ask.choosers}
        table.apply(table.arena.answer(ask, {seat: space.pick(rng) for seat, space in spaces.items() if space}))
    for you in (0, 1):
        timeline = GameTimeline(DiamondTrustUI(), table.start, ("ana", "ben"), you)
        timeline.refresh(table.stories[you], None)
        known: dict[int, int] = {}
        for step, events in groupby(timeline.events, lambda event: event.step):
            shown: dict[int, int] = {}
            told: dict[int, int] = {}
            for event in events:
                if isinstance(event, AgentTold) and event.seat == you and event.played.step is RoundStep.PAY_TOLD:
                    told |= {own: total for own, total in enumerate((*event.payload, (), ())[1]) if total is not None}
                    shown |= event.bribed if timeline.stops(timeline.events.index(event) + 1) else {}
                if isinstance(event, AgentTurned) and event.owner == you and event.agent in told:
                    shown[event.agent] = told[event.agent]
            assert {own: total for own, total in told.items() if known.get(own) != total}.keys() <= shown.keys(), step
            known |= told


def test_an_agent_that_turns_is_announced_with_the_reason() -> None:
    player = meeting(theirs={(2, RoundStep.PAY): (5, 0)})
    player.press("tab 5 enter tab 1 enter d")
    rows = player.canvas().lines()
    assert "(1) now reports to you: bribes of $5 exceed its salary of $4." in rows[3]
    assert "It reveals its orders to you until Antwerp pays it $1 more." in rows[4]
    assert "REVEAL" in rows[5]
    assert "yours" in "".join(rows[8:])
    player.ui.time += DiamondTrustUI.key_delay
    player.screen.key("enter")
    rows = player.canvas().lines()
    assert "[1] now reports to ben: bribes of $5 exceed its salary of $4." in rows[3]
    assert "It reveals its orders until you pay it $1 more at home." in rows[4]
    assert "(1) reports: [1] has been won over." in rows[5]
    assert "ben’s" in "".join(rows[8:])
    player.ui.time += DiamondTrustUI.key_delay
    player.screen.key("enter")
    assert "MOVE" in player.canvas().lines()[5]


def test_an_agent_that_stops_talking_is_announced_with_the_reason() -> None:
    home = ((HOME, 0, 0), (HOME, 0, 0), (HOME, 0, 0))
    steps = (RoundStep.PLAN, RoundStep.MOVE)
    mine = {(2, RoundStep.PAY): (5, 1), (2, RoundStep.SALE_PLAN): 0, (2, RoundStep.SALE): 0}
    player = meeting(
        mine={**mine, **{(2, step): home for step in steps}},
        theirs={**{(2, step): home for step in steps}, (3, RoundStep.PAY): (1, 0, 0)},
    )
    assert player.table.state.step is RoundStep.PAY
    player.press("d")
    for _, then in player.ui.questions:
        then()
    rows = player.canvas().lines()
    assert "(1) no longer reports to you: it revealed nothing this time." in rows[3]
    assert "Its salary now covers the $5 you paid." in rows[4]


def test_the_stepper_says_what_a_bribe_would_do() -> None:
    player = Player()
    player.press("1")
    assert "any bribe would" in player.text()
    assert "win it over" in player.text()
    player.press("1")
    assert "any bribe would" not in player.text()


def test_every_phase_has_help_in_words() -> None:
    player = meeting(mine=LOOK, theirs=TOLD)
    titles = [section.heading for section in player.screen.help().sections]
    assert titles == ["Adjust", "The guide"], "it is short: reading does not stop the clock"
    player = meeting()
    assert "Reading the map" in [section.heading for section in player.screen.help().sections]


def test_how_a_phase_goes_is_said_in_two_months_only() -> None:
    async def play() -> dict[int, str]:
        clock, said = Clock(), dict[int, str]()
        table = Scenario("diamond-trust", 2, 1, {}).table(clock)
        app = app_at(clock)
        screen = GameScreen(find_board("diamond-trust").game, table, app)
        app.push(screen)
        while not isinstance(table.ask, Result):
            table.offer()
            clock.time += 60
            while screen.busy(clock.time):
                screen.key("enter")
                clock.time += 60
            form = screen.form(clock.time)
            if isinstance(form, PayForm) and form.payable():
                said[form.state.round()] = form.sentence(200)
            table.answer()
        return said

    said = run(play())
    assert {month: "salary at home" in text for month, text in said.items()} == {month: month <= 2 for month in said}
    assert max(said) > 2


@pytest.mark.parametrize("size", [(100, 34), (111, 24), (120, 28), (120, 40)])
def test_no_card_is_cut_on_a_large_screen(size: tuple[int, int]) -> None:
    spent = Knowledge((True,) * 3, (AtLeast(12),) * 3, (AtLeast(12),) * 3, (0, None, None))
    table = Trust(CUANDO).move({0: (CUANDO, 3, 0), 1: (LUNDA, 0, 0)}, {0: (CUANDO, 2, 0)}).sell()
    met = evolve(
        table.view(0),
        known=(spent, HIDDEN),
        bribes=((HIDDEN,) * 3, (28, 0, 0)),
        agents=((Agent(CUANDO, 12), Agent(LUNDA, 0), Agent(HOME, 0)), table.view(0).agents[1]),
    )
    at = layout(*size)
    cards = [agent_card(met, 0, ("ana", "ben"), seat, agent, now) for seat in (0, 1) for agent in range(3)
             for now in (0, 10)]  # fmt: skip
    cards += [region_card(met, 0, 0, place) for place in range(HOME + 1)]
    for card in cards:
        canvas = Canvas(*size, PretendUi().palette)
        draw_card(canvas, at, card)
        text = "\n".join(canvas.lines())
        assert "…" not in text, text


def test_what_is_planned_is_left_out_beside_the_balance_where_it_would_be_cut() -> None:
    state = evolve(Trust().view(0), vault=(24, 14), agents=((Agent(HOME, 10),) * 3, (Agent(HOME, 0),) * 3))
    canvas = Canvas(80, 24, PretendUi().palette)
    draw_balances(canvas, layout(80, 24), Header(state, ("ana", "ben"), 0, ("$123 planned", ""), 3))
    row = canvas.lines()[2]
    assert "◆ 24 +30" in row
    assert "plan" not in row


def test_long_names_are_cut_rather_than_what_is_said_of_them() -> None:
    names = ("Maximilian von Habsburg", "The Great Mogul of Delhi")
    table = Trust(HUILA).move({0: (HUILA, 1, 1)}, {0: (HUILA, 12, 0)})
    card = inspector_card(table.view(1), names, HUILA, True, choosing=True)
    offers = "".join(span.text for span in card.narrow[1])
    assert cell_width(offers) <= LINE
    assert offers.endswith(" $12")
    table.inspect(UIGE)
    events = GameTimeline(DiamondTrustUI(), table.seats.start, names, None)
    events.refresh(table.seats.stories[0], None)
    summed = next(event for event in events.events if isinstance(event, MonthSummed))
    lines = Narrator(names, None).fitted(summed, 56)
    assert max(map(cell_width, Narrator(names, None).sentences(summed))) > 56 >= max(map(cell_width, lines))
    assert all(line.endswith("on the move.") for line in lines)
