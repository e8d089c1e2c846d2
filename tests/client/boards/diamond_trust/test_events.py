"""The events of whole games, as the truth, a seat and a spectator know them."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from kimberley.client.boards.diamond_trust.board import DiamondTrustUI
from kimberley.client.boards.diamond_trust.events import AgentTold, AgentTurned, GameEvent, MonthSummed
from kimberley.client.boards.diamond_trust.frames import frames_of
from kimberley.client.boards.diamond_trust.month_card import RESULT_ROOM, month_rows
from kimberley.client.boards.diamond_trust.view import hearts
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.ui.glyphs import cell_width
from kimberley.games.arena import SeatedArena
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Result, space_for
from tests.support.angola import LOOK, TOLD, table

NAMES = ("ana", "ben")


def public(state: State) -> tuple[object, ...]:
    """What everybody sees of a state."""
    return state.agents, state.vault, state.limit, state.diamonds, state.inspector, state.months_left


def on_the_map(state: State) -> tuple[object, ...]:
    return state.agents, state.vault, state.diamonds, state.inspector


def timelines(seed: int) -> list[GameTimeline]:
    """A whole game by random choices, as the truth, both seats and a spectator have it."""
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
    assert "Both sides have paid agents in secret." in told
    assert "salary" not in told
    assert "bribes London" not in told
    assert len(truth.steps) > len(spectator.steps)


def test_an_agent_that_turns_is_an_event_for_the_side_that_it_works_for() -> None:
    seat = table(LOOK, TOLD)
    timeline = GameTimeline(DiamondTrustUI(), seat.arena_peer.first_state, NAMES, 0)
    timeline.refresh(seat.arena_peer.story, None)
    (at,) = [at for at, event in enumerate(timeline.events, 1) if isinstance(event, AgentTurned)]
    assert timeline.seat_of(at) == 0
    assert timeline.sentences(at)[0] == "Antwerp’s agent 1 now reports to you: bribes of $5 exceed its salary of $4."


def test_a_bribe_that_does_not_win_an_agent_over_is_said_to_have_failed() -> None:
    seat = table({**LOOK, (2, RoundStep.PAY): (3, 1)}, TOLD)
    timeline = GameTimeline(DiamondTrustUI(), seat.arena_peer.first_state, NAMES, 0)
    timeline.refresh(seat.arena_peer.story, None)
    (at,) = [at for at, event in enumerate(timeline.events, 1) if isinstance(event, AgentTold)]
    assert timeline.sentences(at) == ["Antwerp’s agent 1 reveals nothing: your bribes of $3 do not exceed its salary."]


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
