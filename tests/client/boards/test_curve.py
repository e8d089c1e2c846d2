"""How a game went: the curve of every game, its turning point, the screens that show it, text, and the picture."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from kimberley.client.boards.curve import best_of_others
from kimberley.client.boards.curve_panel import CurvePanel
from kimberley.client.boards.curve_screen import MARK, graph_help
from kimberley.client.boards.end_picture import save_picture
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.land.board import LandUI
from kimberley.client.boards.land.events import TurnPlayed
from kimberley.client.boards.land.phrases import sentence
from kimberley.client.boards.line_chart import draw_labels
from kimberley.client.boards.piecepack.phrases import in_signs
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.report import Dossier, GameCurve, Measure, Sample
from kimberley.client.boards.stepping import ReplayScreen
from kimberley.client.boards.view import Shown
from kimberley.client.boards.watching import GameProof
from kimberley.client.screens.app import App
from kimberley.client.screens.watch import WatchedDossierScreen
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth, Palette
from kimberley.games.land.money import K
from kimberley.games.table import Answer, Ask, Decide, Leave, Result, State, evolve, state_after
from kimberley.p2p.base.errors import UserError
from kimberley.protocol.audit import AuditedGame
from tests.support.asyncs import run, until
from tests.support.board_snapshots import Clock, Scenario, finished_game
from tests.support.effort import first_is_quick, one_is_quick
from tests.support.land_player import ISLAND, rich
from tests.support.pretend import press, pretend_app, shown, touch

GAMES = {
    "diamond-trust": Scenario("diamond-trust", 2, 4, {}),
    "land": Scenario("land", 3, 1, {}, {"turns": 25}, bots=True),
    "mine": Scenario("mine", 4, 6, {}, bots=True),
}
MEASURES = {
    "diamond-trust": ["diamonds", "money"], "land": ["cash"], "mine": ["points"],
}  # fmt: skip
UNITS = {"diamond-trust": "month", "land": "round", "mine": "round"}
EVERY = pytest.mark.parametrize("name", GAMES)


@cache
def finished(name: str) -> AuditedGame:
    return finished_game(GAMES[name])


def names_at(name: str) -> tuple[str, ...]:
    return tuple(GAMES[name].table(Clock()).occupants.names)


@cache
def dossier(name: str, seat: int | None = None) -> Dossier:
    return find_board(name).dossier(finished(name), names_at(name), seat)


def curve(name: str, seat: int | None = None) -> GameCurve:
    found = dossier(name, seat).curve
    assert found is not None
    return found


@pytest.mark.parametrize("name", one_is_quick("land", GAMES))
def test_a_game_is_compared_in_its_quantities_by_its_own_unit(name: str) -> None:
    found = curve(name)
    assert [measure.name for measure in found.measures] == MEASURES[name]
    assert found.unit == UNITS[name]
    assert [sample.label for sample in found.samples] == [str(number + 1) for number in range(len(found.samples))]
    for measure, amounts in zip(found.measures, found.amounts, strict=True):
        assert len(amounts) == len(found.samples)
        assert amounts[-1] == tuple(measure.amounts)


@EVERY
def test_from_the_turning_point_on_the_winner_leads_and_before_it_did_not(name: str) -> None:
    found, result = curve(name), finished(name).result
    assert result is not None
    assert found.turn is not None
    winner = result.winners[0]
    leads = [
        amounts[winner] - max(amount for seat, amount in enumerate(amounts) if seat != winner)
        for amounts in found.amounts[0]
    ]
    assert all(lead > 0 for lead in leads[found.turn :])
    assert leads[found.turn - 1] <= 0


@EVERY
def test_the_line_mode_tells_the_turning_point_in_a_sentence(name: str) -> None:
    found, result = curve(name), finished(name).result
    assert found.turn is not None
    assert result is not None
    who, said = names_at(name)[result.winners[0]], dossier(name).lines
    unit = f"{found.unit.capitalize()} {found.turn + 1}"
    told = [line for line in said if line.startswith(f"The lead. {unit}. {who} takes the lead in ")]
    assert len(told) == 1
    assert any(f"{unit}. You take the lead in " in line for line in dossier(name, result.winners[0]).lines)


@EVERY
def test_a_winner_who_did_not_lead_at_the_end_never_took_the_lead(name: str) -> None:
    audited, result = finished(name), finished(name).result
    assert result is not None
    places = tuple(1 if place == max(result.places) else 2 for place in result.places)
    timeline = find_board(name).timeline(audited.start, names_at(name))
    timeline.refresh(audited.story, replace(result, places=places))
    found = timeline.curve()
    assert found is not None
    assert found.turn is None
    assert found.lines == ()


@pytest.mark.parametrize("name", one_is_quick("land", GAMES))
@pytest.mark.parametrize("seed", first_is_quick(1, 2, 3))
def test_a_point_is_the_end_of_its_chapter_without_what_the_next_one_gave(name: str, seed: int) -> None:
    audited = finished_game(replace(GAMES[name], seed=seed))
    timeline = find_board(name).timeline(audited.start, names_at(name))
    timeline.refresh(audited.story, audited.result)
    found = timeline.curve()
    assert found is not None
    for before, event in pairwise(timeline.events):
        if timeline.game.chapter(before) != timeline.game.chapter(event):
            spans = [timeline.game.measures(timeline.game.span(each)[at]) for at, each in ((1, before), (0, event))]
            assert spans[0] == spans[1], "nothing came between the two"
    told = [tuple(measure.amounts) for measure in timeline.game.measures(timeline.latest)]
    assert [amounts[-1] for amounts in found.amounts] == told


@pytest.mark.parametrize("seed", first_is_quick(1, 2, 3, 4))
def test_land_counts_everyone_at_the_end_of_a_round_as_its_table_does(seed: int) -> None:
    audited = finished_game(replace(GAMES["land"], seed=seed))
    timeline = find_board("land").timeline(audited.start, names_at("land"))
    timeline.refresh(audited.story, audited.result)
    found = timeline.curve()
    assert found is not None
    turns = [event for event in timeline.events if isinstance(event, TurnPlayed)]
    assert len(turns) == len(timeline.events)
    for turn in turns:
        assert found.amounts[0][turn.number - 1][turn.seat] == turn.cash // K
    for sample in found.samples:
        told = next(turn for turn in turns if turn.step == sample.step)
        assert sample.label == str(told.number)
        changed = (
            sentence(told, names_at("land"), left=False)
            if told.dealt
            else f"{names_at('land')[told.seat]}’s turn began with "
        )
        assert sample.said.startswith(changed)
        assert ", and has " not in sample.said, "the chart says so in whole numbers"


def test_a_million_at_the_start_of_a_round_is_a_point_of_its_own() -> None:
    state = rich()
    state = evolve(state, cash=(300 * K, 400 * K, 400 * K), due=(700 * K, 0, 0))
    timeline = GameTimeline(LandUI(), state, ("ana", "ben", "carla"))
    story: list[tuple[Ask, Answer]] = []
    while not isinstance(ask := timeline.latest.ask(), Result):
        story.append((ask, () if isinstance(ask, Decide) else ISLAND))
        timeline.refresh(story, None)
    timeline.refresh(story, ask)
    found = timeline.curve()
    assert found is not None
    assert [sample.label for sample in found.samples] == ["1", "2"]
    assert found.amounts == (((300, 400, 400), (1000, 400, 400)),)
    assert found.turn == 1
    took = "ana takes the lead in cash and keeps it: 1000K to everyone else’s 400K (not counting land)."
    assert found.sentence(1) == f"Round 2. {took} ana reached 1000K at the start of a turn."


def test_nobody_is_compared_with_a_player_who_is_out() -> None:
    state: State = evolve(rich(), cash=(300 * K, 600 * K, 400 * K), due=(200 * K, 0, 0))
    timeline = GameTimeline(LandUI(), state, ("ana", "ben", "carla"))
    story: list[tuple[Ask, Answer]] = []
    # ben resigns in the first round with the most cash, and carla in the third one.
    for leaver in (None, 1, *[None] * 6, 2):
        ask = state.ask() if leaver is None else Leave(leaver)
        assert not isinstance(ask, Result)
        answer = None if leaver is not None else () if isinstance(ask, Decide) else ISLAND
        story.append((ask, answer))
        state = state_after(state, ask, answer)
    result = state.ask()
    assert isinstance(result, Result)
    timeline.refresh(story, result)
    found = timeline.curve()
    assert found is not None
    assert found.how == "ana takes the lead in cash and keeps it: 500K to carla’s 400K (not counting land)."


@pytest.mark.parametrize(
    ("cash", "you", "whose"),
    [
        ((600, 300, 200, 300), None, "ben’s and dan’s 300K"),
        ((600, 300, 200, 300), 3, "your and ben’s 300K"),
        ((600, 300, 400, 200), None, "carla’s 400K"),
        ((600, 300, 300, 300), 1, "everyone else’s 300K"),
    ],
)
def test_where_more_than_two_play_the_lead_says_over_whom(cash: Sequence[int], you: int | None, whose: str) -> None:
    names = ("ana", "ben", "carla", "dan")
    shown: Shown[Any, Any] = Shown(rich(), (), 0, names, you)
    assert best_of_others(Measure("K", "cash", "money", cash, "K"), 0, shown) == whose


@pytest.mark.parametrize("seed", first_is_quick(26, *range(1, 26)))
def test_what_made_a_lead_the_largest_is_told_of_the_lead_and_not_of_what_the_winner_gained(seed: int) -> None:
    """The others may have lost more than the winner gained."""
    audited = finished_game(replace(GAMES["diamond-trust"], seed=seed))
    found = {}
    for seat in (0, 1):
        timeline = GameTimeline(find_board("diamond-trust").game, audited.start, names_at("diamond-trust"), seat)
        timeline.refresh(audited.story, audited.result)
        found[seat] = timeline.curve()
    curve, result = found[0], audited.result
    assert curve is not None
    assert result is not None
    told = {
        seat: each.sentence(each.turn) for seat, each in found.items() if each is not None and each.turn is not None
    }
    if " grows the most here" not in "".join(told.values()):
        assert seed != 26
        return
    assert curve.turn is not None
    winner = result.winners[0]
    owner = {winner: "Your", 1 - winner: f"{names_at('diamond-trust')[winner]}’s"}
    after = [amounts[winner] - amounts[1 - winner] for amounts in curve.amounts[0]]
    gains = [now - before for before, now in pairwise([0, *after])]
    assert gains[curve.turn] == max(gains)
    now = curve.amounts[0][curve.turn]
    for seat, said in told.items():
        score = f"{now[winner]} to {now[1 - winner]} (in the vault and with agents)"
        assert f". {owner[seat]} lead in diamonds grows the most here and is now {score}." in said


def test_a_lead_in_cash_that_grew_because_others_bought_land_is_no_merit() -> None:
    audited, result = finished("land"), finished("land").result
    assert result is not None
    timeline = find_board("land").timeline(audited.start, names_at("land"))
    timeline.refresh(audited.story, replace(result, places=(2, 2, 1)))
    found = timeline.curve()
    assert found is not None
    first = max(range(3), key=lambda seat: found.amounts[0][0][seat])
    leads = [now[first] - max(now[:first] + now[first + 1 :]) for now in found.amounts[0]]
    rounds = next(at for at, lead in enumerate(leads) if lead <= 0)
    assert rounds > 1, "somebody leads from the first round on"
    early = find_board("land").timeline(audited.start, names_at("land"))
    places = tuple(1 if seat == first else 2 for seat in range(3))
    early.refresh(audited.story[: found.samples[rounds - 1].step + 1], replace(result, places=places))
    led = early.curve()
    assert led is not None
    assert led.turn is None


@pytest.mark.parametrize(("last", "pitch", "step"), [(9, 4, 1), (30, 3, 2), (52, 2, 2), (99, 1, 5)])
def test_labels_below_a_chart_are_regular_and_none_covers_another(last: int, pitch: int, step: int) -> None:
    labels, columns = [str(number) for number in range(1, last + 1)], [1 + pitch * at for at in range(last)]
    for at in (None, *range(last)):
        canvas = Canvas(pitch * last + 4, 1)
        draw_labels(canvas, 0, labels, columns, at, 2)
        found = [(int(each[0]), each.start()) for each in re.finditer(r"\d+", canvas.lines()[0])]
        assert all(x in (columns[number - 1], columns[number - 1] - 1) for number, x in found)
        drawn = {number for number, _ in found}
        every = set(range(step, last + 1, step))
        assert drawn == every if at is None else at + 1 in drawn <= every | {at + 1}
        assert at is None or all(abs(number - at - 1) * pitch < 6 for number in every - drawn)


def test_a_game_in_which_nothing_changed_has_no_curve() -> None:
    name, audited = "mine", finished("mine")
    timeline = find_board(name).timeline(audited.start, names_at(name))
    timeline.refresh(audited.story[:60], audited.result)
    assert len({timeline.game.chapter(event) for event in timeline.events}) > 2
    assert timeline.curve() is None


@EVERY
@pytest.mark.parametrize("depth", list(Depth))
@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_seat_has_its_sign_and_last_amount_at_every_depth(name: str, depth: Depth, ascii_only: bool) -> None:
    from kimberley.client.ui.glyphs import to_ascii

    found = curve(name)
    canvas = Canvas(80, 15, Palette(depth), ascii_only=ascii_only)
    CurvePanel(found).draw(canvas)
    text = "\n".join(canvas.lines())
    for seat, (sign, _) in enumerate(found.marks):
        assert (to_ascii(sign) if ascii_only else sign) in text
        assert re.search(rf"\b{found.amounts[0][-1][seat]}", text)
    assert "THE LEAD" in text


def test_who_sees_the_board_reads_coins_as_it_writes_them() -> None:
    mined = (Sample("1", 0, "ana mines diamond 2."),)
    found = replace(curve("land"), samples=mined, turn=0, in_signs=in_signs)
    assert "diamond 2" in "".join(found.lines)
    canvas = Canvas(80, 15, Palette(Depth.TRUE))
    CurvePanel(found)._draw_sentence(canvas)
    assert "ana mines ♦2." in "\n".join(canvas.lines())


def test_amounts_of_three_digits_stand_apart() -> None:
    found = curve("diamond-trust")
    money = tuple((100 + at, 90 + at) for at in range(len(found.samples)))
    canvas = Canvas(80, 20, Palette(Depth.TRUE))
    CurvePanel(replace(found, amounts=(found.amounts[0], money))).draw(canvas)
    told = [tuple(map(int, re.findall(r"\d+", line))) for line in canvas.lines()]
    assert tuple(amount for pair in money for amount in pair) in told


def at_the_end(name: str) -> tuple[App, WatchedDossierScreen]:
    app = pretend_app()
    screen = WatchedDossierScreen(app, GameProof(finished(name), dossier(name)))
    app.push(screen)
    return app, screen


def test_the_help_tells_of_a_mark_only_where_there_is_one() -> None:
    found = curve("diamond-trust")
    for turn in (1, None):
        section = graph_help(replace(found, turn=turn))
        assert section.by_touch is not None
        assert (MARK in section.text, MARK in section.by_touch.text) == (turn is not None, turn is not None)


def test_the_help_at_the_end_names_the_dossier_only_where_the_graph_is_shown() -> None:
    async def test() -> None:
        app, screen = at_the_end("diamond-trust")
        graph, happened, *rest = screen.about
        assert screen.graph is not None
        assert graph == graph_help(screen.graph.curve)
        assert "d shows the dossier. Enter shows the selected month on the board" in happened.text
        press(app, "d")
        assert "What it revealed" in shown(app)
        happened, *same = screen.about
        assert same == rest, "no graph is to be seen"
        assert "d shows" not in happened.text
        assert "g shows the graph. Enter shows the selected line on the board" in happened.text

    run(test())


def test_a_sentence_that_names_its_month_has_no_heading() -> None:
    found = curve("diamond-trust")
    said = ("Month 1 of 9 begins.", "Month 10 of 9 begins.", "ana sells nothing.")
    samples = tuple(Sample("1", 0, text) for text in said)
    first = replace(found, samples=samples, turn=None)
    assert [first.sentence(at) for at in range(3)] == [said[0], f"Month 1. {said[1]}", f"Month 1. {said[2]}"]


def test_the_end_shows_the_turn_and_the_arrows_other_months() -> None:
    async def test() -> None:
        app, _ = at_the_end("diamond-trust")
        assert "Diamond Trust of London · the end" in shown(app)
        turn = curve("diamond-trust").turn
        assert turn is not None
        assert f"THE LEAD  Month {turn + 1}." in shown(app)
        press(app, "home")
        assert "Month 1." in shown(app)
        assert "THE LEAD" not in shown(app)
        press(app, "right")
        assert "Month 2." in shown(app)
        press(app, "d")
        assert "What it revealed" in shown(app)
        press(app, "g")
        assert "Month 2." in shown(app)
        press(app, "enter")
        await until(lambda: "· replay" in shown(app))
        assert "month 2 of 9" in shown(app)
        assert "Opening the board." not in shown(app), "it is open"

    run(test())


def test_upright_the_dossier_does_not_repeat_the_turn_that_the_graph_tells() -> None:
    async def test() -> None:
        app, _ = at_the_end("diamond-trust")
        assert "THE LEAD" in shown(app, 40, 60)
        press(app, "d")
        assert "Month 3." in shown(app, 40, 60)
        for _ in range(9):
            assert "The lead." not in shown(app, 40, 60)
            press(app, "pagedown")

    run(test())


def test_y_copies_the_dossier_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        app, _ = at_the_end("diamond-trust")
        copied: list[str] = []
        monkeypatch.setattr(app, "copy", copied.append)
        press(app, "y")
        assert len(copied) == 1
        assert list(dossier("diamond-trust").lines) == copied[0].splitlines()[1:-1]
        assert "signed messages match" in copied[0].splitlines()[-1]
        assert "Dossier copied" in shown(app)

    run(test())


@EVERY
def test_the_picture_is_written_beside_the_record(name: str, tmp_path: Path) -> None:
    path = save_picture(finished(name), names_at(name), tmp_path / "game.kdt")
    assert path == tmp_path / "game.svg"
    root = ElementTree.parse(path).getroot()
    said = "".join(root.itertext())
    assert "THELEAD" in "".join(said.split())
    assert all(player in said for player in names_at(name))


def test_a_picture_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="could not be saved"):
        save_picture(finished("mine"), names_at("mine"), tmp_path / "missing" / "game.kdt")


def test_g_in_a_replay_shows_the_graph_and_enter_the_board_there() -> None:
    async def test() -> None:
        app = pretend_app()
        replay = find_board("mine").replay(finished("mine"), names_at("mine"), app)
        assert isinstance(replay, ReplayScreen)
        app.push(replay)
        press(app, "end")
        assert "g graph" in shown(app)
        press(app, "g")
        assert "THE LEAD" in shown(app)
        touch(app, " 10 ")
        assert "Round 10." in shown(app)
        touch(app, " 10 ")
        assert "Diamond Mine · replay" in shown(app)
        assert "round 10" in shown(app).lower()

    run(test())


@EVERY
def test_the_graph_of_a_replay_says_who_won_by_what_as_the_dossier_does(name: str) -> None:
    async def test() -> None:
        app, (audited, names) = pretend_app(), (finished(name), names_at(name))
        app.push(find_board(name).replay(audited, names, app))
        press(app, "g")
        head = Canvas(80, 3)
        find_board(name).dossier(audited, names, None).head(head)
        for line in head.lines():
            assert line.rstrip() in shown(app)
        assert all("/" not in line for line in head.lines()), "no scores as the rules compare them"

    run(test())
