"""The dossier and the replay of a game of Diamond Mine."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.mine.dossier import dossier
from kimberley.client.boards.mine.events import GameEvent
from kimberley.client.boards.stepping import ReplayScreen
from kimberley.client.boards.view import Shown
from kimberley.client.ui.canvas import Canvas
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import square
from kimberley.games.table import Result, evolve
from tests.support.angola import PretendUi
from tests.support.mine import GREEN, PURPLE, RED, medium, position, small
from tests.support.mine_story import FOLLOWED, UI, WholeGame, followed, random_story, steps
from tests.support.mine_table import NAMES

# -- the dossier -------------------------------------------------------------------------------------------------------


def rows(tale: WholeGame, seat: int | None = 0, width: int = 78) -> list[str]:
    table, made = tale.dossier(seat).build(width)
    assert all(place.end <= width for place in table.places.values())
    return [" | ".join("".join(span.text for span in cell) for cell in row.cells) for row in made]


def test_the_dossier_tells_what_lay_in_each_nest_and_what_each_did() -> None:
    tale = random_story(7, 2)
    final = tale.timeline.latest
    assert isinstance(final, State)
    found = rows(tale)
    nests = [row for row in found if "nest on" in row]
    assert len(nests) == 10
    assert not any("?" in row for row in found)
    assert sum("never opened" in row for row in nests) == final.mine.opened.count(False)
    moved = [row for row in found if "→" in row]
    assert len(moved) == sum(ask.topic == "move" for ask, _ in tale.story if hasattr(ask, "topic"))
    assert "not in play" in found[-1]


def test_what_lay_in_nests_is_told_of_veins_unless_the_game_ended_before() -> None:
    tale = random_story(7, 2)
    told = tale.dossier(0).lines
    assert sum(line.startswith("The vein on ") and " held " in line for line in told) == 10
    assert not any(line.startswith("The nest on ") for line in told)


def test_the_head_of_the_dossier_reckons_the_points() -> None:
    tale = random_story(11, 4, fifth=True)
    found = tale.dossier(2)
    for width in (80, 120):
        canvas = Canvas(width, 3)
        found.head(canvas)
        text = "\n".join(canvas.lines())
        assert all(each in text for each in NAMES)
        assert tale.result is not None
        assert tale.result.reason[1:20] in text


def test_how_points_are_made_up_is_not_cut_off_beside_a_long_name() -> None:
    gems = (medium(GREEN), medium(GREEN, 2), small(GREEN), medium(PURPLE), small(RED), small(RED, 2), small(RED, 3))
    names = ("ana", "ben", "Koh-i-Noor", "Dresden")
    state = evolve(position(4, pawns="d4 b7 g7 f1", stored={2: gems, 3: (small(RED, 4),)}), flawless=PURPLE)
    state = state.apply(((1, True),) * 4)
    result = state.ask()
    assert isinstance(result, Result)
    shown: Shown[State, GameEvent] = Shown(state, (), 0, names, 0, result=result, live=True)
    canvas = Canvas(80, 3)
    dossier(shown).head(canvas)
    text = "\n".join(canvas.lines())
    assert "Koh-i-Noor 19  g 5×2 p 2×3 other 3 " in text
    assert "Dresden 1 point  other 1" in text
    assert "…" not in text
    lines = dossier(shown).lines
    assert "Koh-i-Noor: 19 points, green 5×2, purple 2×3 and 3 in other colors." in lines
    assert "Dresden: 1 point, 1 in other colors." in lines


def test_the_points_of_whoever_resigned_are_not_told_as_if_they_counted() -> None:
    state = position(4, pawns="d4 b7 g7 f1", stored={0: (small(RED),), 1: (small(RED, 2),)})
    gone = state.leave(1).apply(((1, True), None, (1, True), (1, True)))
    result = gone.ask()
    assert isinstance(result, Result)
    shown: Shown[State, GameEvent] = Shown(gone, (), 0, NAMES, 0, result=result, live=True)
    assert {"ana: 2 points, red 1×2.", "ben: 1 point, resigned."} <= set(dossier(shown).lines)


def test_what_does_not_count_is_told_only_where_points_have_decided() -> None:
    state = position(4, pawns="d4 b7 g7 f1")
    agreed, left = state.apply(((1, True),) * 4), state.leave(1).leave(2).leave(3)
    for final, counted in ((agreed, True), (left, False)):
        result = final.ask()
        assert isinstance(result, Result)
        shown: Shown[State, GameEvent] = Shown(final, (), 0, NAMES, 0, result=result, live=True)
        canvas = Canvas(80, 24)
        UI.view(NAMES, 0).draw(canvas, shown)
        assert ("Gems still carried" in "\n".join(canvas.lines())) is counted


def test_the_dossier_names_who_had_found_or_dropped_what_another_took() -> None:
    events = steps(followed(), *FOLLOWED)
    tale = WholeGame(followed(), [(each.before.ask(), each.answer) for each in events], None)  # type: ignore[misc]
    found = rows(tale)
    assert any("e7 → d6, takes ▲r from the vein ana opened | ▲r" in row for row in found)
    assert any("d6 → d5, picks up ▴g that ana dropped | ▲r ▴g" in row for row in found)
    lines = tale.dossier().lines
    assert "In round 2, ben took the medium red gem from the vein ana had opened on d6." in lines
    assert "In round 3, ben picked up the small green gem that ana had dropped on d5." in lines


def test_a_game_that_was_given_up_early_is_told() -> None:
    tale = random_story(2)
    for length in (0, 1, 3, 5, 20):
        part = WholeGame(tale.start, tale.story[:length], None)
        found = part.dossier(0)
        assert found.lines[0] == "Unfinished."
        rows(part)
        found.head(Canvas(80, 3))


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([(2, False), (4, False), (4, True)]))
def test_every_game_can_be_told(seed: int, kind: tuple[int, bool]) -> None:
    tale = random_story(seed, kind[0], fifth=kind[1], leaves=kind[0] == 4)
    found = tale.dossier()
    assert len(found.lines) > len(tale.story) // 4
    for width in (78, 98):
        assert rows(tale, None, width)
    assert found.lines[-1].startswith("The end: ")


# -- the replay --------------------------------------------------------------------------------------------------------


def replayed(tale: WholeGame, ui: PretendUi, step: int | None = None) -> ReplayScreen:
    return ReplayScreen(tale.timeline, tale.story, tale.result, ui, step)


def text_of(screen: ReplayScreen, columns: int = 80, rows: int = 24) -> str:
    canvas = Canvas(columns, rows)
    screen.draw(canvas, screen.ui.now())
    return "\n".join(canvas.lines())


def test_a_game_is_stepped_through_by_keys_and_by_the_mouse() -> None:
    tale, ui = random_story(4, 4), PretendUi()
    screen = replayed(tale, ui)
    assert "An empty board." in text_of(screen)
    screen.key("right")
    assert " begins." in text_of(screen)
    screen.key("pagedown")
    assert "Cards: " in text_of(screen).splitlines()[1]
    screen.key("pageup")
    assert "0 of" in text_of(screen)
    screen.key("end")
    text = text_of(screen)
    assert "THE END" in text
    assert "1st" in text
    screen.wheel(None, 0, 0, -1)
    assert "THE END" not in text_of(screen)
    screen.click(("square", square("a1")), 0, 0, "left")
    assert "a1: ana’s home" in text_of(screen)
    screen.key("esc")
    assert ui.popped == []
    screen.key("esc")
    assert ui.popped == [screen]


def test_the_replay_knows_what_nobody_had_seen_yet() -> None:
    tale = random_story(4, 2)
    screen = replayed(tale, PretendUi())
    screen.key("pagedown")
    assert isinstance(screen.timeline, GameTimeline)
    nest = screen.timeline.state(screen.at).mine.veins[0]
    screen.click(("square", nest), 0, 0, "left")
    text = text_of(screen)
    assert "an unopened vein" in text
    assert "It holds" in text


@pytest.mark.slow
def test_it_begins_at_a_step_and_draws_a_whole_game() -> None:
    tale = random_story(6, 4, fifth=True)
    step = next(number for number, (ask, _) in enumerate(tale.story) if getattr(ask, "topic", "") == "move")
    assert "MOVE" in text_of(replayed(tale, PretendUi(), step))
    screen = replayed(tale, PretendUi())
    seen = set()
    for _ in range(len(tale.story)):
        seen.add(text_of(screen, 120, 40).splitlines()[1].split()[0])
        screen.key("right")
    assert {"START", "NESTS", "CARD", "MOVE", "VEIN", "THE"} <= seen | {"THE"}
    assert "THE END" in text_of(screen, 120, 40)
