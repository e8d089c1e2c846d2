"""What can be typed: the parser, its help, its refusals."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from kimberley.client.boards.registry import find_board
from kimberley.client.cli.bot import LINGER_SECONDS
from kimberley.client.cli.main import main
from kimberley.client.cli.parser import build_parser
from kimberley.conformance.runner import WORKERS
from kimberley.games import lookup
from kimberley.p2p.table.common_options import GRACE_SECONDS, TOURNAMENT_GRACE_SECONDS, AdjustTimes
from kimberley.p2p.transport.ports import DEFAULT_PORT, SHARE_PORT
from kimberley.referee.command import ARENA_MINUTES
from kimberley.referee.server import PAUSE_SECONDS
from kimberley.referee.table_referee import COME_SECONDS
from tests.support.effort import first_is_quick

LIGHT = ("base", "base.arguments", "table", "table.arguments", "table.common_options", "transport", "transport.ports")
"""The modules of p2p/ that the parser imports."""
COMMANDS = (
    (),
    ("host",),
    ("join",),
    ("list",),
    ("bot",),
    ("bot", "host"),
    ("bot", "join"),
    ("bot", "resume"),
    ("resume",),
    ("rules",),
    ("verify",),
    ("replay",),
    ("demo",),
)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main([*command, "--help"])
    assert exit_.value.code == 0
    text = capsys.readouterr().out
    assert " ".join(("usage: kimberley", *command)) in text
    assert len(text.splitlines()) > 8


OTHER_COMMANDS = (
    ("alone",), ("list",), ("watch",), ("share",), ("browser", "install"), ("review",), ("listen",), ("doctor",),
    ("referee",), ("conform",), ("peer",),
)  # fmt: skip


@pytest.mark.parametrize("command", [*COMMANDS, *OTHER_COMMANDS])
def test_help_fits_into_a_terminal_and_breaks_no_value(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        main([*command, "--help"])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if re.search(r"[a-z]-$", line)] == []


def test_help_begins_with_what_players_do(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    sections = dict(part.split(":\n", 1) for part in capsys.readouterr().out.split("\n\n") if ":\n" in part)
    assert next(iter(sections)) == "commands"
    assert [*sections][-1] == "commands for programmers"

    def names(title: str) -> list[str]:
        return [line.split()[0] for line in sections[title].splitlines() if line[:5].strip()]

    assert " ".join(names("commands")) == (
        "host alone join share browser watch resume list rules bot referee verify replay review listen demo doctor"
    )
    assert names("commands for programmers") == ["conform", "peer"]


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        (("hots",), " Did you mean host?"),
        (("Replya", "x.kdt"), " Did you mean replay?"),
        (("bot", "resme"), " Did you mean resume?"),
        (("dance",), ""),
    ],
)
def test_a_mistyped_command_is_answered_in_one_line(
    typed: tuple[str, ...], near: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(typed)
    assert exit_.value.code == 2
    command = typed[-1] if typed[0] == "bot" else typed[0]
    program = "kimberley bot" if typed[0] == "bot" else "kimberley"
    told = capsys.readouterr().err
    assert told == f'kimberley: no command "{command}".{near} All commands: {program} --help\n'


def test_a_mistyped_game_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "dimond"]) == 1
    assert "Did you mean diamond? Games: diamond, " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "depth"), [("16", "4-bit"), ("256", "8-bit"), ("24-bit", "24-bit"), ("none", "none"), ("auto", "auto")]
)
@pytest.mark.parametrize("option", ["--colors", "--colours"])
def test_colors_are_named_by_bits_or_by_number(option: str, typed: str, depth: str) -> None:
    assert build_parser().parse_args([option, typed]).colours == depth


def test_the_wait_for_those_away_has_the_name_that_the_screen_gives_it() -> None:
    assert build_parser().parse_args(["host", "--waiting", "300"]).grace == 300
    assert build_parser().parse_args(["host", "--grace", "300"]).grace == 300
    assert build_parser().parse_args(["host", "--last-look", "6"]).adjust == AdjustTimes(6, 6)


@pytest.mark.parametrize("game", ["diamond-trust", "diamond", "land", "mine", "piecepack"])
def test_the_rules_are_printed_in_lines_that_fit(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", game]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == lookup.find(game).title.upper()
    assert find_board(game).rules.sections[0].heading in lines
    assert sum(line.startswith("- ") for line in lines) > 5
    assert all(line.strip() or not line for line in lines)
    assert 60 < max(map(len, lines)) <= 78


@pytest.mark.parametrize(
    "typed",
    [
        ("rules", "land"),
        ("rules", "chess"),
        ("verify",),
        ("dance",),
        ("bot", "dance"),
        ("replay", "--plain", str(Path(__file__).parents[2] / "data" / "kept" / "1.0.0" / "diamond.kdt")),
    ],
)
def test_lines_fit_a_narrow_terminal(
    typed: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    with suppress(SystemExit):
        main(typed)
    printed = capsys.readouterr()
    lines = (printed.out + printed.err).splitlines()
    assert 30 < max(map(len, lines)) < 50


def test_rules_of_an_unknown_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "chess"]) == 1
    assert 'No game called "chess".' in capsys.readouterr().err


def test_help_of_verify_names_every_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["verify", "--help"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if line[:2] == "  " and line[2:3].isdigit()] == [
        *"01234", "64", "69", "70", "74", "130"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "typed",
    [
        ("--data", "here", "--nickname", "ana", "--plain", "--ascii", "--colours", "none", "--calm", "host"),
        ("host", "--data", "here", "--nickname", "ana", "--plain", "--ascii", "--colours", "none", "--calm"),
        ("--data", "here", "--ascii", "host", "--nickname", "ana", "--plain", "--colours", "none", "--calm"),
    ],
)
def test_options_may_stand_before_and_after_a_command(typed: tuple[str, ...]) -> None:
    found = build_parser().parse_args(typed)
    assert (found.data, found.nickname, found.colours) == (Path("here"), "ana", "none")
    assert found.plain
    assert found.ascii
    assert found.calm
    assert found.game == "diamond-trust"


def test_nothing_typed_is_the_title_screen_with_nothing_chosen() -> None:
    found = build_parser().parse_args([])
    assert (found.data, found.nickname, found.colours) == (None, None, None)
    assert (found.plain, found.ascii, found.calm) == (False, False, False)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("host", "--port", "70000"), "use 1 to 65535"),
        (("host", "--port", "many"), "not a whole number"),
        (("bot", "host", "--level", "0"), "levels start at 1"),
        (("review", "game.kdt", "--level", "21"), "a judge has levels 1 to 20"),
        (("bot", "host", "--adjust", "-1"), "neither 0 to 600 seconds nor a range"),
        (("bot", "host", "--adjust", "601"), "neither 0 to 600 seconds nor a range"),
        (("list", "--seconds", "0"), "not a positive number of seconds"),
        (("demo", "--seed", "x"), "not a whole number"),
        (("--colours", "many"), '"many" is not one of auto, 24-bit, 8-bit, 4-bit, none'),
        (("bot",), "required"),
        (("replay",), "required"),
        (("dance",), 'no command "dance"'),
        (("replay", ""), "argument FILE: the path is empty"),
        (("--data", "", "rules"), "argument --data: the path is empty"),
        (("referee", "--status", ""), "argument --status: the path is empty"),
        (("conform", "--html", ""), "argument --html: the path is empty"),
    ],
)
def test_a_slip_is_told_with_status_2(typed: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(typed)
    assert exit_.value.code == 2
    assert told in capsys.readouterr().err


def test_the_version_names_protocol_and_rules(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["--version"])
    assert exit_.value.code == 0
    out = capsys.readouterr().out
    assert out.startswith("kimberley ")
    assert "protocol 3" in out
    assert "diamond-trust 1" in out


@pytest.mark.e2e
@pytest.mark.parametrize(
    ("choice", "told"),
    [
        ("pure", "cryptography: pure Python\n      Pure Python is slower, and its timing can leak"),
        ("libsodium", "(rbcl)\n"),
    ],
)
def test_the_doctor_names_the_cryptography_that_is_asked_for(choice: str, told: str) -> None:
    assert told in with_crypto(choice).stdout


@pytest.mark.e2e
def test_a_cryptography_that_nobody_has_is_refused() -> None:
    ran = with_crypto("quick")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("kimberley: KIMBERLEY_CRYPTO is 'quick', but can only be 'libsodium' or 'pure'.")
    assert "Traceback" not in ran.stderr


def with_crypto(choice: str) -> subprocess.CompletedProcess[str]:
    """Runs the doctor with that choice of cryptography."""
    return subprocess.run(
        [sys.executable, "-m", "kimberley.client.cli.main", "doctor"],
        env=os.environ | {"KIMBERLEY_CRYPTO": choice},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("command", [("host",), ("bot", "host"), ("demo",)])
def test_an_unknown_game_is_answered_with_those_there_are(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main([*command, "chess", "--data", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert err.startswith('kimberley: No game called "chess".')
    assert "diamond-trust" in err


def test_a_game_is_not_hosted_for_a_number_it_is_not_played_by(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (("host",), ("bot", "host")):
        assert main([*command, "--seats", "3"]) == 1
        assert capsys.readouterr().err == "kimberley: Diamond Trust of London is for 2 players, not 3.\n"


@pytest.mark.slow
@pytest.mark.parametrize("command", first_is_quick((), ("host",), ("join", "ana")))
def test_a_screen_needs_a_terminal_and_says_what_does_not(command: tuple[str, ...], tmp_path: Path) -> None:
    typed = (sys.executable, "-m", "kimberley.client.cli.main", "--data", str(tmp_path), *command)
    ran = subprocess.run(typed, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert "terminal" in ran.stderr
    assert "--plain" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_output_that_nobody_reads_ends_quietly() -> None:
    typed = f"{sys.executable} -m kimberley.client.cli.main --help | true"
    ran = subprocess.run(["bash", "-c", typed], capture_output=True, text=True, check=False)
    assert ran.stderr == ""


def test_the_title_screen_imports_no_network_and_no_protocol_at_its_start() -> None:
    """The command's own module costs next to nothing: what a command needs it imports when it runs."""
    code = "import sys, kimberley.client.cli.main; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = set(ran.stdout.split())
    assert imported.isdisjoint({"prompt_toolkit", "asyncio", "cryptography", "zeroconf", "msgpack", "wcwidth"})
    assert imported.isdisjoint({"kimberley.protocol", "kimberley.games"})
    network = {name for name in imported if name.startswith("kimberley.p2p.")}
    arguments = {f"kimberley.p2p.{name}" for name in LIGHT}
    assert network == arguments


@pytest.mark.parametrize(
    ("command", "option", "default"),
    [
        ("bot host", "--waiting", GRACE_SECONDS),
        ("share", "--port", SHARE_PORT),
        ("referee", "--port", DEFAULT_PORT),
        ("bot join", "--linger", LINGER_SECONDS),
        ("referee", "--grace", TOURNAMENT_GRACE_SECONDS),
        ("referee", "--minutes", ARENA_MINUTES),
        ("referee", "--pause", PAUSE_SECONDS),
        ("referee", "--come", COME_SECONDS),
        ("conform", "--workers", WORKERS),
    ],
)
def test_the_help_names_the_usual_number_that_the_program_uses(
    command: str, option: str, default: float, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([*command.split(), "--help"])
    described = re.split(rf"^  .*{option} ", capsys.readouterr().out, flags=re.MULTILINE)[-1]
    named = re.search(r"\(default:\s+(\d+)", described)
    assert named is not None
    assert int(named[1]) == default


AFTER_A_START = """
import gc
usual = gc.get_threshold()
from kimberley.client.cli.main import OBJECTS, main
main(["rules", "diamond"])
assert gc.get_threshold() != usual
kept = [[] for _ in range(OBJECTS + 1)]
assert gc.get_threshold() == usual
assert gc.get_freeze_count() > 0
"""


@pytest.mark.slow
def test_after_its_start_a_program_looks_for_garbage_as_often_as_python_does_but_not_through_what_it_loaded() -> None:
    subprocess.run([sys.executable, "-c", AFTER_A_START], check=True, stdout=subprocess.DEVNULL)
