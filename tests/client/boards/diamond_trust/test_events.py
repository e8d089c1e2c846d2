"""The events of whole games, as the truth, a seat and a spectator know them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import Final

import pytest

from kimberley.client.boards.diamond_trust.animation import frames_of
from kimberley.client.boards.diamond_trust.board import DiamondTrustUI
from kimberley.client.boards.diamond_trust.events import AgentTold, AgentTurned, GameEvent, MonthSummed, PlanChanged
from kimberley.client.boards.diamond_trust.month_card import RESULT_ROOM, draw_month, month_rows
from kimberley.client.boards.diamond_trust.narration import Narrator, card_lines
from kimberley.client.boards.diamond_trust.pacing import pace
from kimberley.client.boards.diamond_trust.phrases import LINE
from kimberley.client.boards.diamond_trust.view import hearts
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.palette import Depth, Palette
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import AGENTS
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Result, space_for
from tests.support.angola import LOOK, LUNDA, MALANJE, PLAN, TOLD, UIGE, PretendUi, Script, table
from tests.support.seated_arena import SeatedArena

NAMES = ("ana", "ben")


def public(state: State) -> tuple[object, ...]:
    """Returns what everybody sees of a state."""
    return state.agents, state.vault, state.limit, state.diamonds, state.inspector, state.months_left


def on_the_map(state: State) -> tuple[object, ...]:
    return state.agents, state.vault, state.diamonds, state.inspector


def timelines(seed: int) -> list[GameTimeline]:
    """Returns a whole game by random choices, as the truth, both seats and a spectator have it."""
    rng = Random(seed)
    seats = SeatedArena(GAME, 2, rng)
    stories: list[list[object]] = [[], [], [], []]
    while not isinstance(ask := seats.arena.truth.ask(), Result):
        spaces = {seat: space_for(ask, seat) for seat in ask.choosers}
        answer = seats.arena.answer(ask, {seat: space.pick(rng) for seat, space in spaces.items() if space})
        for story, viewer in zip(stories, ("truth", 0, 1, None), strict=True):
            story.append((ask, answer if viewer == "truth" else ask.visible_answer(answer, viewer)))  # type: ignore[arg-type]
        seats.apply(answer)
    found = [GameTimeline(DiamondTrustUI(), seats.start, NAMES, you) for you in (None, 0, 1, None)]
    for timeline, story in zip(found, stories, strict=True):
        timeline.refresh(story, ask)  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize("seed", range(4))
def test_one_event_leads_to_the_next(seed: int) -> None:
    for timeline in timelines(seed):
        events: list[GameEvent] = timeline.events
        assert [event.step for event in events] == sorted(event.step for event in events)
        for before, event in pairwise(events):
            if before.step == event.step:
                assert event.before == before.after
            else:
                assert before.after == before.played.after
                assert event.before == event.played.before
            assert public(event.before) == public(before.after)
        assert events[-1].after == timeline.latest


@pytest.mark.parametrize("seed", range(4))
def test_movements_lead_from_the_state_before_an_event_to_the_one_after(seed: int) -> None:
    for timeline in timelines(seed):
        for event in timeline.events:
            state = event.before
            for frame in frames_of(event):
                assert frame.seconds > 0
                assert on_the_map(frame.before) == on_the_map(state)
                state = frame.after
            if frames_of(event):
                assert on_the_map(state) == on_the_map(event.after)


@pytest.mark.parametrize("seed", range(4))
def test_every_event_is_a_sentence_for_the_ear_under_its_month(seed: int) -> None:
    for timeline in timelines(seed):
        months = []
        for at in range(1, len(timeline.steps) + 1):
            said = timeline.sentences(at)
            assert said
            for sentence in said:
                assert sentence.endswith(".")
                assert not set(sentence) & set("[]♥◆?")
            months.append(int(timeline.heading(at).removeprefix("Month ")))
            assert timeline.label(at)
        assert months == sorted(months)
        assert set(months) == set(range(1, 10))


def test_a_spectator_is_told_that_sides_chose_and_not_what() -> None:
    truth, _, _, spectator = timelines(1)
    told = " ".join(sentence for at in range(1, len(spectator.steps) + 1) for sentence in spectator.sentences(at))
    assert "Both sides have locked in payments." in told
    assert "salary" not in told
    assert "bribes London" not in told
    assert len(truth.steps) > len(spectator.steps)


def test_an_agent_that_turns_is_an_event_for_the_side_that_it_works_for() -> None:
    seat = table(LOOK, TOLD)
    timeline = GameTimeline(DiamondTrustUI(), seat.arena_peer.first_state, NAMES, 0)
    timeline.refresh(seat.arena_peer.story, None)
    (at,) = [at for at, event in enumerate(timeline.events, 1) if isinstance(event, AgentTurned)]
    assert timeline.seat_of(at) == 0
    assert timeline.sentences(at)[0] == "Enemy agent 1 now reports to you: bribes of $5 exceed its salary of $4."


@pytest.mark.parametrize("seat", [0, 1])
def test_who_wins_an_agent_over_sees_that_before_what_it_reveals_also_the_first_time(seat: int) -> None:
    both = {(2, RoundStep.PAY): LOOK[2, RoundStep.PAY]}
    peer = table(both, both, seat=seat).arena_peer
    timeline = GameTimeline(DiamondTrustUI(), peer.first_state, NAMES, seat)
    timeline.refresh(peer.story, None)
    told = [event for event in timeline.events if isinstance(event, AgentTold | AgentTurned)]
    assert [(type(event), event.owner) for event in told] == [
        (AgentTurned, 1 - seat), (AgentTold, 1 - seat), (AgentTurned, seat),
    ]  # fmt: skip


def test_a_bribe_that_does_not_win_an_agent_over_is_said_to_have_failed() -> None:
    seat = table({**LOOK, (2, RoundStep.PAY): (3, 1)}, TOLD)
    timeline = GameTimeline(DiamondTrustUI(), seat.arena_peer.first_state, NAMES, 0)
    timeline.refresh(seat.arena_peer.story, None)
    (at,) = [at for at, event in enumerate(timeline.events, 1) if isinstance(event, AgentTold)]
    assert timeline.sentences(at) == ["Enemy agent 1 reveals nothing: your bribes of $3 do not exceed its salary."]


ADJUSTED: Final = {(2, RoundStep.MOVE): ((UIGE, 4, 0), (MALANJE, 1, 0), (LUNDA, 2, 0))}


def adjusted(mine: Script, theirs: Script) -> list[str]:
    """Returns what the log of seat 0 says of changed plans, after ben has changed his in month 2."""
    seat = table(mine, theirs)
    seat.play.choose(PLAN)
    seat.end_look()
    timeline = GameTimeline(DiamondTrustUI(), seat.arena_peer.first_state, NAMES, 0)
    timeline.refresh(seat.arena_peer.story, None)
    return [
        sentence
        for at, event in enumerate(timeline.events, 1)
        if isinstance(event, PlanChanged)
        for sentence in timeline.sentences(at)
    ]


def test_who_was_told_a_plan_sees_that_it_was_changed_and_only_what_was_told() -> None:
    own = {(2, RoundStep.PAY): LOOK[2, RoundStep.PAY]}
    changed = {**TOLD, **own, **ADJUSTED}
    assert adjusted(own, changed) == ["ben adjusts: enemy agent 1 goes to Uige and offers $4."]
    assert adjusted(own, {**TOLD, **own}) == []
    assert adjusted({(2, RoundStep.PAY): (0, 1)}, changed) == []


@pytest.mark.parametrize("seed", range(4))
def test_a_changed_plan_is_shown_for_a_while_to_whoever_was_told_it(seed: int) -> None:
    truth, *seats, _ = timelines(seed)
    made = {(event.step, event.seat) for event in truth.events if isinstance(event, PlanChanged)}
    assert made
    for you, timeline in enumerate(seats):
        seen = [event for event in timeline.events if isinstance(event, PlanChanged)]
        assert {(event.step, event.seat) for event in seen} <= made
        assert {each for each in made if each[1] == you} <= {(event.step, event.seat) for event in seen}
        for event in seen:
            assert pace(event, you).lasting == (0 if event.seat == you else 2)


@pytest.mark.parametrize("seed", range(4))
def test_a_changed_plan_and_a_report_are_whole_on_a_small_screen(seed: int) -> None:
    told = [event for event in timelines(seed)[0].events if isinstance(event, PlanChanged | AgentTold)]
    assert {type(event) for event in told} == {PlanChanged, AgentTold}
    for event in told:
        narrator = Narrator(NAMES, None)
        small = ["".join(span.text for span in line) for line in card_lines([event], narrator)[:2]]
        assert " ".join(small).strip() == " ".join(narrator.sentences(event))
        assert max(map(cell_width, small)) <= LINE


@pytest.mark.parametrize("seed", range(4))
def test_a_heart_that_appears_stays_and_what_was_told_comes_before_it(seed: int) -> None:
    for you, timeline in zip((None, 0, 1), timelines(seed), strict=False):
        for number, event in enumerate(timeline.events):
            if not isinstance(event, AgentTurned):
                continue
            step = [each for each in timeline.events[number:] if each.step == event.step]
            one = (event.owner, event.agent)
            assert all((one in hearts(each.after)) == event.turned for each in step)
            if event.owner == you and event.turned and event.played.step is RoundStep.PAY_TOLD:
                before = [each for each in timeline.events[:number] if each.step == event.step]
                assert any(isinstance(each, AgentTold) and each.owner != you for each in before)


def test_the_card_of_the_month_has_room_for_what_becomes_of_all_diamonds() -> None:
    months = [event for event in timelines(2)[0].events if isinstance(event, MonthSummed)]
    results = ["".join(span.text for span in row.result) for event in months for row in month_rows(event)]
    assert any(result.strip().startswith("UN seizes") for result in results)
    assert any(result.strip().startswith("UN freezes") for result in results)
    assert [result for result in results if cell_width(result) > RESULT_ROOM] == []


def test_a_month_that_nothing_follows_does_not_offer_to_go_on() -> None:
    """A replay ends with a month if a player resigned after it."""
    timeline = timelines(2)[0]
    at = next(at for at, event in enumerate(timeline.events, 1) if isinstance(event, MonthSummed))
    for button in ("Map a", "Card a"):
        for events, offers in ((timeline.events, True), (timeline.events[:at], False)):
            canvas = Canvas(80, 24)
            timeline.view.draw(canvas, replace(timeline.shown(at), events=events))
            text = "\n".join(canvas.lines())
            assert button in text
            assert ("Continue Enter" in text) is offers
        assert timeline.view.key("a", timeline.shown(at), PretendUi())


def test_that_an_own_agent_is_loyal_again_is_a_guess_and_in_a_replay_a_fact() -> None:
    said = {
        (event.owner == you, timeline.view.strip(timeline.shown(at), 100)[1])
        for seed in range(4)
        for you, timeline in zip((None, 0, 1), timelines(seed), strict=False)
        for at, event in enumerate(timeline.events, 1)
        if isinstance(event, AgentTurned) and not event.turned and event.seat != you
    }
    assert said == {(True, "An agent seems to be loyal again."), (False, "An agent is loyal again.")}


MONTHS: Final = 6
"""How many games it takes until there are months in which six agents are at six places."""


@cache
def months() -> list[MonthSummed]:
    """Returns all months of those games."""
    return [event for seed in range(MONTHS) for event in timelines(seed)[0].events if isinstance(event, MonthSummed)]


@pytest.mark.slow
def test_no_button_covers_the_card_of_the_month() -> None:
    rows = []
    for month in months():
        canvas = Canvas(80, 17, Palette(Depth.TRUE))
        draw_month(canvas, month, ("ana", "ben"))
        lines = canvas.lines()
        bottom = next(line for line in reversed(lines) if "╰" in line)
        assert re.fullmatch(r" *╰─+╯ *", bottom), "\n".join(lines)
        assert all(any(word in line for line in lines) for word in (" Inspector ", "trips included", "Continue Enter"))
        rows.append(len(list(month_rows(month))))
    assert max(rows) >= 6


@pytest.mark.slow
def test_the_card_of_the_month_tells_what_was_frozen_where_the_inspector_seized_something() -> None:
    found = 0
    for month in months():
        results = ["".join(span.text for span in row.result).strip() for row in month_rows(month)]
        frozen = month.collected.regions[month.collected.inspector].diamonds
        for result, following in pairwise((*results, "")):
            if frozen and result.startswith("UN seizes"):
                found += 1
                assert re.fullmatch(f"UN freezes ◆ ?{frozen}", following)
    assert found > 0


@pytest.mark.parametrize("numbers", [(2, 3), (12, 10)])
def test_the_card_of_the_month_tells_into_which_vault_diamonds_go(numbers: tuple[int, int]) -> None:
    month = next(month for month in months() if any(row.place == "home" and None not in row.agents
                                                    for row in month_rows(month)))  # fmt: skip
    moved = replace(month.moved, deposits=tuple((number,) * AGENTS for number in numbers))
    month = replace(month, played=replace(month.played, after=replace(month.played.after, moved=moved)))
    row = next(row for row in month_rows(month) if row.place == "home" and None not in row.agents)
    said = "".join(span.text for span in row.result)
    assert said == f"◆ {sum(numbers)} to vaults", "its own column says what each side brought"
    assert cell_width(said) <= RESULT_ROOM
