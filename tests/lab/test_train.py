"""`python -m tests.lab tune` and `train`: what is learned is the same wherever it runs; stopped, it goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.bots.parameters import NAMES, named, numbers, shipped, tuned
from tests.lab import train
from tests.lab.__main__ import main
from tests.lab.arena import contender
from tests.lab.contest import ContestTable, Rotation
from tests.lab.diamond_trust.opponents import SearchContender
from tests.lab.diamond_trust.response import Response, ResponseBout, play_bout
from tests.lab.diamond_trust.training import PlayedPair, Population, ResponsePair
from tests.lab.diamond_trust.tuning import STYLES, Tuning, fitness, rates
from tests.lab.opponents import Contender
from tests.support.effort import one_is_quick


@pytest.mark.nightly
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
    assert main([*command, "--state", str(state), "--workers", "1"]) == 1
    assert f"Nothing usable in {state}: " in capsys.readouterr().err


def test_who_cannot_be_trained_against_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--against", "tuned", "--workers", "1"]) == 1
    assert "search:N" in capsys.readouterr().err


@pytest.mark.nightly
@pytest.mark.slow
def test_the_tuning_writes_what_may_ship(tmp_path: Path) -> None:
    out = tmp_path / "tuned.json"
    assert main(["tune", "--generations", "2", "--workers", "1", "--out", str(out)]) == 0
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
    assert main(["train", "--against", "search:3", "--state", str(state), "--workers", "1"]) == 1
    assert "is of a training against search:2" in capsys.readouterr().err


@pytest.mark.nightly
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
    """Returns the population that ships, with only the first of its players in the mix."""
    found = shipped()
    players = [found["players"][0], *found["players"][len(found["shares"]) :]]
    return found | {"players": players, "shares": [1.0], "won": [[0.5]], "responses": []}


@pytest.mark.nightly
@pytest.mark.slow
def test_an_epoch_adds_a_player(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It meets those who play already. What comes out can play, ship, and begin the next epoch."""
    # With less search, each game takes less.
    monkeypatch.setattr(train, "POPULATION_SIZE", 1)
    before, path, out = lone_player(), response_file(tmp_path / "response.json"), tmp_path / "first.json"
    state, begin = tmp_path / "epoch.state", tmp_path / "begin.json"
    begin.write_text(json.dumps(before))
    epoch = ("train", "--add", path, "--begin", str(begin), "--pairs", "1", "--state", str(state))
    assert main([*epoch, "--workers", "2", "--out", str(out)]) == 0
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

    assert main([*epoch, "--workers", "1"]) == 0
    assert json.loads(capsys.readouterr().out) == after, "all was played before"
    assert main([*epoch, "--begin", str(out)]) == 1
    assert f"{state} belongs to another population" in capsys.readouterr().err
    assert contender(GAME, str(out))[0] == SearchContender(4, Population.of_plain(after).mix)


def test_a_population_is_no_response(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "population.json"
    path.write_text(json.dumps(shipped()))
    assert main(["train", "--add", str(path), "--workers", "1"]) == 1
    assert f"Nothing usable in {path}: " in capsys.readouterr().err
    assert contender(GAME, str(path))[0] == SearchContender(4)


def test_what_is_no_response_and_no_population_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    odd: dict[str, Any] = {"players": shipped()["players"], "shares": [0.5, 0.5], "won": [[0.5]]}
    path = tmp_path / "odd.json"
    path.write_text(json.dumps(odd))
    for option in ("--begin", "--add"):
        assert main(["train", option, str(path), "--workers", "1"]) == 1
        assert f"Nothing usable in {path}: " in capsys.readouterr().err


def quick_bout(bout: ResponseBout) -> float:
    return sum(bout.numbers) % 1


def quick_pair(match: ResponsePair) -> PlayedPair:
    return PlayedPair(match.number, match.seed, (sum(match.response.mix.players[0]) + match.seed / 7) % 1)


def quick_rotation(table: ContestTable, first: Contender, second: Contender, seed: int) -> Rotation:
    return Rotation(seed, (1.0, 0.5), (1.0, 0.0), (1, 1), (0.1, 0.1))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaces the playing of games: the results follow from the numbers, so a wrong response shows."""
    for name, instead in (
        ("play_bout", quick_bout), ("play_response_pair", quick_pair), ("play_rotation", quick_rotation)
    ):  # fmt: skip
        monkeypatch.setattr(train, name, instead)


def learned(capsys: pytest.CaptureFixture[str], *typed: str) -> dict[str, Any]:
    assert main([*typed, "--workers", "1"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return {name: value for name, value in found.items() if name != "seconds"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    one_is_quick(("train", "--against", "search:1"), [("train", "--pairs", "3"), ("train", "--against", "search:1")]),
)
def test_what_is_trained_longer_is_as_if_it_were_trained_at_once(
    command: tuple[str, ...], quick: None, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    state = ("--state", str(tmp_path / "state"))
    first = learned(capsys, *command, *state, "--generations", "2")
    assert learned(capsys, *command, *state) == first, "all was done before"
    longer = learned(capsys, *command, *state, "--generations", "3")
    assert longer == learned(capsys, *command, "--generations", "3") != first
    assert main([*command, *state, "--generations", "2"]) == 1
    assert "3 generations are already done: use --generations 3 or more." in capsys.readouterr().err


@pytest.mark.nightly
@pytest.mark.slow
def test_more_pairs_are_played_after_those_that_were(
    quick: None, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command, state = ("train", "--generations", "1"), ("--state", str(tmp_path / "state"))
    for pairs in ("2", "4", "3"):
        assert learned(capsys, *command, *state, "--pairs", pairs) == learned(capsys, *command, "--pairs", pairs)


@pytest.mark.parametrize(
    "command",
    one_is_quick(("train", "--against", "search:1"), [("tune",), ("train",), ("train", "--against", "search:1")]),
)
def test_a_state_goes_on_with_its_own_seed_alone(
    command: tuple[str, ...], quick: None, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    state = tmp_path / "state"
    begun = (*command, "--generations", "1", "--state", str(state), "--workers", "1")
    assert main([*begun, "--seed", "7"]) == 0
    before = state.read_bytes()
    capsys.readouterr()
    assert main([*begun]) == 1
    told = f"lab: {state} belongs to another run: --seed 7, not --seed 0. Name another file.\n"
    assert capsys.readouterr().err == told
    assert state.read_bytes() == before


@pytest.mark.parametrize(
    "command", one_is_quick(("train", "--against", "search:1"), [("train",), ("train", "--against", "search:1")])
)
def test_a_state_goes_on_with_its_own_response_alone(
    command: tuple[str, ...], quick: None, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, state = response_file(tmp_path / "response.json"), tmp_path / "state"
    begun = (*command, "--seed", "9", "--state", str(state), "--workers", "1")
    assert main([*begun, "--add", path]) == 0
    assert main([*begun, "--add", path]) == 0
    capsys.readouterr()
    assert main([*begun]) == 1
    assert "belongs to another run: --add of the file with the SHA-256 " in capsys.readouterr().err
    (tmp_path / "response.json").write_text((tmp_path / "response.json").read_text().replace("5.5", "5.25"))
    assert main([*begun, "--add", path]) == 1
    assert "belongs to another run" in capsys.readouterr().err


@pytest.mark.nightly
@pytest.mark.slow
def test_a_tuning_goes_on_for_longer(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = ("tune", "--state", str(tmp_path / "state"))
    first = learned(capsys, *command, "--generations", "1")
    longer = learned(capsys, *command, "--generations", "2")
    assert (first["generations"], longer["generations"]) == (1, 2)
    assert longer == learned(capsys, *command)
    assert main([*command, "--generations", "1"]) == 1
    assert "2 generations are already done" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "it is not JSON"), ("[" * 100_000, "it is not JSON"), ("[]", "a value has the wrong type"),
        ("{}", "is missing"), ('{"now": 1, "size": 1}', ""), ('{"against": "search:1"}', ""),
        ('{"players": [1], "shares": [1]}', "is missing"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("option", ["--state", "--add"])
def test_what_is_wrong_with_a_file_is_said(
    content: str, told: str, option: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    assert main(["train", option, str(path), "--workers", "1"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"lab: Nothing usable in {path}: ")
    assert told in said
    assert said.endswith(". Name another file.\n")


@pytest.mark.parametrize("odd", ["NaN", "Infinity", "1e999", "1e39", "1" + "0" * 400, "null", '"x"', "[]"])
@pytest.mark.parametrize("kind", ["response", "population"])
def test_numbers_that_are_not_finite_are_refused(
    odd: str, kind: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "player.json"
    found = json.loads(Path(response_file(path)).read_text()) if kind == "response" else shipped()
    if kind == "response":
        found["numbers"][3] = "odd"
    else:
        found["players"][1]["salary_size"] = "odd"
    path.write_text(json.dumps(found).replace('"odd"', odd))
    assert main(["arena", str(path), "random"]) == 1
    assert main(["train", "--add" if kind == "response" else "--begin", str(path)]) == 1
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"lab: {path} cannot be used: a ")
    assert second.startswith(f"lab: Nothing usable in {path}: a ")
