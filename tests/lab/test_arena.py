"""`python -m tests.lab arena`: paired games, the same wherever they run; stopped, they go on."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.bots.parameters import tuned
from tests.lab.__main__ import main
from tests.lab.arena import ArenaTrouble, contender, interval
from tests.lab.contest import NamedContender, NoContender
from tests.lab.diamond_trust.opponents import SearchContender


def arena(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["arena", *arguments, "--json"]) == 0
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    return {name: value for name, value in said.items() if name != "seconds_per_decision"}


@pytest.mark.nightly
@pytest.mark.slow
def test_the_better_player_wins_and_all_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "heuristic", "random", "--pairs", "3", "--workers", "2", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["win_rate"] == 1.0
    assert said["games"] == 6
    assert said["margin"] > 5
    low, high = said["interval"]
    assert 0.5 < low < high <= 1.0
    assert all(seconds > 0 for seconds in said["seconds_per_decision"])


@pytest.mark.nightly
@pytest.mark.slow
def test_any_game_is_played_with_every_seat_in_turn(capsys: pytest.CaptureFixture[str]) -> None:
    said = arena(capsys, "mine", "greedy", "random", "--seats", "4", "--pairs", "1", "--workers", "1")
    assert (said["game"], said["seats"], said["games"]) == ("mine", 4, 4)
    assert (said["fair_share"], said["win_rate"], said["above"]) == (0.25, 1.0, 1.0)
    assert said["interval"][0] < 1.0
    assert said["above_interval"][1] == pytest.approx(1.0)
    short = ("--option", "map=small", "--option", "turns=25", "--seats", "3", "--pairs", "1", "--workers", "1")
    assert main(["arena", "land", "greedy", "random", *short]) == 0
    sentence = capsys.readouterr().out
    assert sentence.startswith("greedy against 2 of random: 100.0% [")
    assert "of 3 games, 100.0% [" in sentence
    assert "of what is above 33.3%, +" in sentence


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("mime", "level:1", "random"), 'No game called "mime". Did you mean mine?'),
        (
            ("diamond", "recipe:1", "random"),
            "No player of Diamond is called 'recipe:1'. There are random, greedy, level:N",
        ),
        (("mine", "random"), "No player of Diamond Trust of London is called 'mine'"),
        (("diamond", "r.json", "random"), "r.json cannot play: players of Diamond are not trained into files."),
        (("land", "greedy", "random", "--seats", "7"), "is for 2 to 6 players, not 7."),
        (("land", "greedy", "random", "--option", "map=round"), 'Option "map" can be '),
        (("mine", "greedy", "random", "--option", "flawless=yes"), "A fifth color is only for four players"),
    ],
)
def test_what_cannot_be_played_is_said(typed: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", *typed]) == 1
    assert told in capsys.readouterr().err


def test_a_file_holds_one_contest_of_one_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A contest of Diamond Trust from when that was the only game continues: its file names no game."""
    state = tmp_path / "contest.jsonl"
    state.write_text(
        '{"a": "heuristic", "b": "random", "seed": 0}\n'
        '{"seed": 0, "points": [1, 0.5], "margins": [3, 0], "decisions": [9, 9], "seconds": [0.1, 0.1]}\n'
    )
    kept = ("--pairs", "1", "--workers", "1", "--state", str(state))
    assert arena(capsys, "heuristic", "random", *kept)["win_rate"] == 0.75
    assert arena(capsys, "diamond-trust", "heuristic", "random", *kept)["win_rate"] == 0.75
    assert main(["arena", "mine", "greedy", "random", *kept]) == 1
    assert "another contest" in capsys.readouterr().err


@pytest.mark.nightly
@pytest.mark.slow
def test_a_cluster_and_other_numbers_of_workers_give_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    contest = ("tuned", "heuristic", "--pairs", "3", "--seed", "5")
    alone = arena(capsys, *contest, "--workers", "1")
    assert arena(capsys, *contest, "--workers", "3") == alone
    distributed = import_module("distributed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        assert arena(capsys, *contest, "--dask", cluster.scheduler_address) == alone


@pytest.mark.nightly
@pytest.mark.slow
def test_a_contest_goes_on_from_its_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    state = tmp_path / "contest.jsonl"
    arena(capsys, "heuristic", "random", "--pairs", "2", "--workers", "1", "--state", str(state))
    kept = state.read_text().splitlines()
    assert len(kept) == 3
    whole = arena(capsys, "heuristic", "random", "--pairs", "4", "--workers", "1", "--state", str(state))
    assert state.read_text().splitlines()[:3] == kept
    assert whole == arena(capsys, "heuristic", "random", "--pairs", "4", "--workers", "1")
    assert main(["arena", "tuned", "random", "--state", str(state)]) == 1
    assert "another contest" in capsys.readouterr().err


@pytest.mark.nightly
@pytest.mark.slow
def test_ctrl_c_says_how_it_stands_and_what_was_played_is_kept(tmp_path: Path) -> None:
    state = tmp_path / "contest.jsonl"
    command = [sys.executable, "-m", "tests.lab", "arena", "tuned", "heuristic", "--pairs", "500"]
    with subprocess.Popen(
        [*command, "--workers", "1", "--state", str(state)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        # A shell's background jobs ignore Ctrl-C, and so does everything that they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:  # fmt: skip
        try:
            end = time.monotonic() + 300
            while not state.exists() or len(state.read_text().splitlines()) < 2:
                assert process.poll() is None
                assert time.monotonic() < end
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            said, problems = process.communicate(timeout=300)
        finally:
            process.kill()
    assert process.returncode == 0
    assert "tuned against heuristic" in said
    assert "continues from" in problems
    assert "Traceback" not in problems


@pytest.mark.nightly
@pytest.mark.slow
def test_a_picture_is_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plot = tmp_path / "contest.svg"
    arena(capsys, "heuristic", "random", "--pairs", "2", "--workers", "1", "--plot", str(plot))
    assert ET.parse(plot).getroot().tag.endswith("svg")
    assert "heuristic against random" in plot.read_text()


@pytest.mark.parametrize(
    "name", ["nobody", "level:0", "level:12", "level:x", "search:21", "recipe:0", "random:1", "level", ""]
)
def test_who_does_not_play_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(NoContender, match="No player of Diamond Trust of London is called"):
        NamedContender.of(GAME, name)
    assert main(["arena", name, "random"]) == 1
    assert "recipe:N, search:N, level:N (recipe from 1 to 100" in capsys.readouterr().err


@pytest.mark.nightly
@pytest.mark.slow
def test_no_cluster_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "random", "random", "--dask", "nonsense://nowhere"]) == 1
    assert "No Dask scheduler at nonsense://nowhere" in capsys.readouterr().err


def test_the_interval_is_that_of_wilson() -> None:
    """The figures of Newcombe (1998), table I: 81 of 263, and 0 of 20."""
    assert interval(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert interval(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)


def response_file(path: Path, **values: Any) -> str:
    path.write_text(json.dumps({"against": "search:1", "numbers": tuned()[0].tolist(), **values}))
    return str(path)


@pytest.mark.nightly
@pytest.mark.slow
def test_a_response_in_a_file_plays(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """It searches as its target does, and knows the target's policy besides its own."""
    path = response_file(tmp_path / "response.json")
    assert contender(GAME, path)[0] == SearchContender(1).answered(tuple(tuned()[0].tolist()))
    assert arena(capsys, path, "random", "--pairs", "1", "--workers", "1")["win_rate"] > 0.5


@pytest.mark.parametrize("values", [{"numbers": [1, 2]}, {"numbers": ["x"]}, {"against": "nobody"}, {"numbers": None}])
def test_what_is_no_response_is_refused(values: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(
        ArenaTrouble, match=r"cannot be used: .*\. To train one: python -m tests.lab train --against search:4"
    ):
        contender(GAME, response_file(tmp_path / "odd.json", **values))
    with pytest.raises(ArenaTrouble, match="cannot be used"):
        contender(GAME, str(tmp_path / "none.json"))


def test_a_contest_goes_on_only_with_what_its_files_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    state, player = tmp_path / "contest.jsonl", tmp_path / "response.json"
    command = ("arena", response_file(player), "random", "--pairs", "1", "--workers", "1", "--state", str(state))
    contest = {"sha256": {str(player): hashlib.sha256(player.read_bytes()).hexdigest()}, "a": str(player)}
    played = {"seed": 0, "points": [1, 0.5], "margins": [3, 0], "decisions": [9, 9], "seconds": [0.1, 0.1]}
    state.write_text(f"{json.dumps(contest | {'b': 'random', 'seed': 0})}\n{json.dumps(played)}\n")
    assert main(command) == 0
    capsys.readouterr()
    response_file(player, against="search:2")
    assert main(command) == 1
    told = f"lab: {state} was not played by what {player} means now. Name another file.\n"
    assert capsys.readouterr().err == told


@pytest.mark.parametrize(
    ("content", "why"),
    [("{}", "'against' is missing"), ('{"players": 1}', "a value has the wrong type"), ("{", "it is not JSON")],
)
def test_it_is_said_what_is_missing_in_a_response(content: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text(content)
    with pytest.raises(ArenaTrouble, match=rf"odd\.json cannot be used: {why}\. To train one: "):
        contender(GAME, str(path))
