"""`kimberley tune` and `kimberley train`: what is learned is the same wherever it runs; stopped, it goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kimberley.client.cli import main
from kimberley.client.cli.arena import contender
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.opponents import SearchContender
from kimberley.games.diamond_trust.parameters import NAMES, named, numbers, shipped, tuned
from kimberley.games.diamond_trust.response import Response, play_bout
from kimberley.games.diamond_trust.training import Population
from kimberley.games.diamond_trust.tuning import STYLES, Tuning, fitness, rates


@pytest.mark.slow
def test_tuning_learns_and_goes_on_where_it_stopped() -> None:
    whole = Tuning.begin(40, 3)
    for _ in range(25):
        whole.learn([fitness(job) for job in whole.jobs()])
    stopped = Tuning.of_plain(json.loads(json.dumps(whole.as_plain())))
    for tuning in (whole, stopped):
        while not tuning.done:
            tuning.learn([fitness(job) for job in tuning.jobs()])
    assert (stopped.now == whole.now).all()
    before, after = (rates(one, [numbers(STYLES["steady"])], 300, 1)[0] for one in (numbers({}), whole.now))
    assert after > before
    assert len(whole.found()["players"][0]) == len(NAMES)


@pytest.mark.parametrize("command", [("tune",), ("train",), ("train", "--against", "search:2")])
def test_the_state_of_something_else_is_refused(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    state = tmp_path / "state.json"
    state.write_text('{"now": [1, 2]}')
    assert main.main([*command, "--state", str(state), "--workers", "1"]) == 1
    assert f"{state} holds nothing that can be used here" in capsys.readouterr().err


def test_who_cannot_be_trained_against_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["train", "--against", "tuned", "--workers", "1"]) == 1
    assert "search:N" in capsys.readouterr().err


def test_the_tuning_writes_what_may_ship(tmp_path: Path) -> None:
    out = tmp_path / "tuned.json"
    assert main.main(["tune", "--generations", "2", "--workers", "1", "--out", str(out)]) == 0
    found = json.loads(out.read_text())
    assert found["generations"] == 2
    assert all(set(player) == set(NAMES) for player in found["players"])
    assert Population.of_plain(found).mix.shares == (1.0,)


def test_what_ships_beats_every_style() -> None:
    assert min(rates(tuned()[0], [numbers(style) for style in STYLES.values()], 200, 1)) > 0.6


def test_a_response_goes_on_where_it_stopped(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    response = Response.begin(SearchContender(2), 2, 4)
    response.bouts()
    response.learn([0.25, 0.75] * 8)
    again = Response.of_plain(json.loads(json.dumps(response.as_plain())), SearchContender(2))
    assert again.bouts() == response.bouts()
    assert (again.generation, again.done, again.target) == (1, False, response.target)
    state = tmp_path / "training.json"
    state.write_text(json.dumps(response.as_plain()))
    assert main.main(["train", "--against", "search:3", "--state", str(state), "--workers", "1"]) == 1
    assert "is of a training against search:2" in capsys.readouterr().err


@pytest.mark.slow
def test_a_response_is_trained_against_its_target() -> None:
    response = Response.begin(SearchContender(1), 1, 4)
    bouts = response.bouts()
    assert all(bout.target == SearchContender(1, solves=False) for bout in bouts)
    reached = play_bout(replace(bouts[0], seeds=bouts[0].seeds[:1]))
    assert 0 <= reached <= 1
    response.learn([reached] + [0.5] * (len(bouts) - 1))
    assert (response.now != tuned()[0]).any()
    assert response.trained().size == 1


def response_file(path: Path) -> str:
    found = {"against": "search:1", "generations": 3, "seed": 9, "numbers": numbers({"salary_size": 5.5}).tolist()}
    path.write_text(json.dumps(found))
    return str(path)


def lone_player() -> dict[str, Any]:
    """The population that ships, with only the first of its players in the mix."""
    found = shipped()
    players = [found["players"][0], *found["players"][len(found["shares"]) :]]
    return found | {"players": players, "shares": [1.0], "won": [[0.5]], "responses": []}


@pytest.mark.slow
def test_an_epoch_adds_a_player(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """It meets those who play already. What comes out can play, ship, and begin the next epoch."""
    before, path, out = lone_player(), response_file(tmp_path / "response.json"), tmp_path / "first.json"
    state, begin = tmp_path / "epoch.state", tmp_path / "begin.json"
    begin.write_text(json.dumps(before))
    epoch = ("train", "--add", path, "--begin", str(begin), "--pairs", "1", "--state", str(state))
    assert main.main([*epoch, "--workers", "2", "--out", str(out)]) == 0
    after = json.loads(out.read_text())
    members = len(before["shares"])
    assert after["players"][members] == named(numbers({"salary_size": 5.5}))
    assert [*after["players"][:members], *after["players"][members + 1 :]] == before["players"]
    assert len(after["shares"]) == len(after["won"]) == members + 1
    assert sum(after["shares"]) == pytest.approx(1, abs=1e-3)
    assert after["responses"][1:] == before["responses"]
    figures = after["responses"][0]
    assert (figures["generations"], figures["seed"], figures["games"]) == (3, 9, 2 * members)
    kept = {name for name in before if name not in ("players", "shares", "won", "responses")}
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}

    assert main.main([*epoch, "--workers", "1"]) == 0
    assert json.loads(capsys.readouterr().out) == after, "all was played before"
    assert main.main([*epoch, "--begin", str(out)]) == 1
    assert f"{state} is of another population" in capsys.readouterr().err
    assert contender(GAME, str(out)) == SearchContender(4, Population.of_plain(after).mix)


def test_a_population_is_no_response(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "population.json"
    path.write_text(json.dumps(shipped()))
    assert main.main(["train", "--add", str(path), "--workers", "1"]) == 1
    assert f"{path} holds nothing that can be used here" in capsys.readouterr().err
    assert contender(GAME, str(path)) == SearchContender(4)


def test_what_is_no_response_and_no_population_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    odd: dict[str, Any] = {"players": shipped()["players"], "shares": [0.5, 0.5], "won": [[0.5]]}
    path = tmp_path / "odd.json"
    path.write_text(json.dumps(odd))
    for option in ("--begin", "--add"):
        assert main.main(["train", option, str(path), "--workers", "1"]) == 1
        assert f"{path} holds nothing that can be used here" in capsys.readouterr().err
