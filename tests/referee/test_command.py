"""`kimberley referee`: what it tells, what can be typed, and what it refuses to begin."""

from __future__ import annotations

import argparse
import asyncio
import io
import logging
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from kimberley.client.audio.sound import Sound
from kimberley.client.cli.lent import LentProgram
from kimberley.client.cli.main import main
from kimberley.client.cli.parser import build_parser
from kimberley.client.session.settings import Settings
from kimberley.p2p.tournament.players import HAS_ENDED
from kimberley.referee import command as referee
from kimberley.referee.command import RefereeRun, obey, warnings_said
from kimberley.referee.console import COMMANDS, TIME
from kimberley.referee.organizer import NO_DECISION
from kimberley.referee.page_process import PageProcess
from kimberley.referee.server import PresenceChanged, RoundTiming
from kimberley.referee.store import Store
from tests.support.asyncs import run, until
from tests.support.evenings import evening
from tests.support.heard import PretendSender, audible
from tests.support.referee_console import console_of
from tests.support.seated import no_faults
from tests.support.stones import STONES

BEGIN = ("referee", "Friday Cup", "--bind", "127.0.0.1", "--linger", "0")


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("--clock", "twenty"), "is not a clock. Write it like 20m+10s"),
        (("--seats", "5"), "Diamond Trust of London is for 2 players, not 5"),
        (("--game", "chess"), 'No game called "chess"'),
        (("--format", "knockout", "--rounds", "3"), "A knockout has as many rounds as it needs"),
        (("--game", "diamond", "--adjust", "5"), "Plans cannot be adjusted in Diamond"),
        (("--option", "map=small"), 'has no option "map"'),
        (("--start", "soon"), "is not a time. Write it like --start 20:00"),
        (("--late-byes", "2", "--format", "knockout"), "Only a Swiss without teams has half-point byes"),
        (("--grace", "1"), "The wait for a player who is away must be 5 to 86400 seconds"),
        (("--web", "here"), "is not a place for the web page"),
        (("--team", "Reds: ana, ben, carla", "--game", "diamond"), "add --boards 3, or leave out --team"),
    ],
)
def test_what_cannot_be_begun_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: tuple[str, ...], said: str
) -> None:
    assert main([*BEGIN, "--data", str(tmp_path / "cup"), *typed]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        *(
            (("--rounds", text), "1 to 64 rounds; leave out --rounds to let the format decide")
            for text in ("0", "-1", "99999", "x")
        ),
        *((("--players", text), "starts with 2 to 1024 players") for text in ("1", "0", "1025")),
        (("--minutes", "-1"), '"-1" is not a whole number (1 or more)'),
    ],
)
def test_a_number_that_does_not_work_is_answered_with_those_that_do(
    capsys: pytest.CaptureFixture[str], typed: tuple[str, ...], said: str
) -> None:
    with pytest.raises(SystemExit):
        build_parser().parse_args([*BEGIN, *typed])
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("typed", [("x" * 300,), ("Friday Cup", "--start", "soon"), ("Friday Cup", "--boards", "1")])
def test_a_refused_tournament_leaves_nothing_behind(tmp_path: Path, typed: tuple[str, ...]) -> None:
    assert main(["referee", *typed, "--data", str(tmp_path / "cup")]) == 1
    assert not (tmp_path / "cup").exists()


@pytest.mark.slow
@pytest.mark.parametrize("orders", ["status\nbegin\nstop\n", "say \xff\nstop"])
def test_commands_come_through_a_pipe(tmp_path: Path, orders: str) -> None:
    command = [sys.executable, "-m", "kimberley.client.cli.main", *BEGIN, "--data", str(tmp_path)]
    done = subprocess.run(command, input=orders.encode("latin-1"), capture_output=True, timeout=60, check=False)
    said = done.stdout.decode()
    assert (done.returncode, done.stderr) == (1, b"")
    again = shlex.join(("kimberley", *BEGIN[:2], "--data", str(tmp_path)))
    assert f"Stopped. To continue this tournament, type: {again}" in said
    assert ("No players yet." in said) == orders.startswith("status")


@pytest.mark.slow
def test_a_cup_goes_on_by_its_name_alone_and_what_is_typed_otherwise_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # It stops where its page cannot be shown, and the cup is begun.
    stops = ("--data", str(tmp_path / "cup"), "--web", "here")
    diamond = ("--game", "diamond", "--rounds", "5", "--clock", "20m+10s")
    assert main([*BEGIN, *stops, *diamond]) == 1
    for typed, said in (
        ("--rounds 3", "settings: --rounds is 5, not 3. To continue it, type only its name."),
        ("--clock 10m --grace 90", "--clock is 20m+10s, not 10m; --grace is 60, not 90."),
        ("--game land", "--game is diamond, not land."),
        ("--format knockout", "--format is swiss, not knockout."),
        ("--clock soon", '"soon" is not a clock.'),
    ):
        capsys.readouterr()
        assert main([*BEGIN, *stops, *typed.split()]) == 1
        assert said in capsys.readouterr().err, typed
    for same in ("", " ".join(diamond), "--clock 20m+10s"):
        capsys.readouterr()
        assert main([*BEGIN, *stops, *same.split()]) == 1
        assert "is not a place for the web page" in capsys.readouterr().err, "it would go on"


def test_the_next_run_knows_what_else_was_typed_for_the_last_one(tmp_path: Path) -> None:
    def told(*typed: str) -> RefereeRun:
        found = build_parser().parse_args(["referee", "Friday Cup", *typed])
        return referee.run_of(found, referee.read_run(tmp_path))

    teams = {"Reds": ("ana", "ben")}
    assert told("--team", "Reds: ana, ben").timing.teams == teams
    referee.remember_run(tmp_path, told("--team", "Reds: ana, ben"))
    assert told().timing.teams == told("--pause", "5").timing.teams == teams
    assert told("--team", "Blues: cleo").timing.teams == {"Blues": ("cleo",)}
    (tmp_path / referee.RUN).unlink()
    begun = told("--players", "4", "--come", "60", "--web", "8080", "--bind", "127.0.0.1")
    referee.remember_run(tmp_path, begun)
    assert told() == begun == RefereeRun(RoundTiming(players=4, come=60), "8080", "127.0.0.1")
    assert told("--pause", "5").timing == RoundTiming(players=4, come=60, pause=5)
    assert told("--bind", "127.0.0.2").bind == "127.0.0.2"
    assert told("--bind", "all").bind is None
    (tmp_path / referee.RUN).write_text("nonsense")
    assert told() == RefereeRun(RoundTiming(), None, None)


def stopped_at_once(*typed: str) -> str:
    """Returns what `kimberley` prints if it is told to stop as soon as it has begun."""
    command = [sys.executable, "-m", "kimberley.client.cli.main", *typed]
    done = subprocess.run(command, input="stop\n", capture_output=True, text=True, timeout=60, check=False)
    return done.stdout + done.stderr


@pytest.mark.slow
def test_a_tournament_and_a_team_are_called_what_everybody_sees(tmp_path: Path) -> None:
    named = ("I \u2665\ufe0f Cup", "--team", "Re\u200bds \u2665\ufe0f: ana, ben", "--boards", "2")
    said = stopped_at_once("referee", *named, "--bind", "127.0.0.1", "--data", str(tmp_path))
    assert "Everybody sees the name as I \u2665 Cup. Names have 40 characters at most" in said
    assert '"Reds \u2665"' in (tmp_path / "run.json").read_text("ascii").encode().decode("unicode_escape")
    again = stopped_at_once("referee", named[0], "--bind", "127.0.0.1", "--data", str(tmp_path))
    assert "The tournament continues" in again


@pytest.mark.slow
def test_what_players_type_is_told_a_pipe_without_escape_sequences(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kimberley.client.cli.main", *BEGIN, "--data", str(tmp_path)]
    done = subprocess.run(command, input="y\nstop\n", capture_output=True, text=True, timeout=60, check=False)
    assert "Players type kimberley join 127.0.0.1" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert "Copied" not in done.stdout


@pytest.mark.parametrize("code", [["CODE"], []])
def test_phones_are_shown_the_page_and_computers_what_to_type(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, code: list[str]
) -> None:
    asked: list[str] = []

    def printed_code(_program: LentProgram, text: str) -> list[str]:
        asked.append(text)
        return code

    monkeypatch.setattr(LentProgram, "printed_code", printed_code)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)

    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(), rounds=1) as held:
            console = console_of(held.server, tmp_path, held.identity, site="http://192.0.2.7:8080")
            console.open(held.plan)
            await console.close()

    run(story(), 60)
    said = capsys.readouterr().out
    assert asked == ["http://192.0.2.7:8080"]
    assert ("CODE" in said and "To watch on a phone, scan the code." in said) == bool(code)
    assert ("To watch on a phone, open http://192.0.2.7:8080" in said) == (not code)
    assert 'To play on a computer, type kimberley join "Friday Cup" or kimberley join 127.0.0.1' in said
    assert "Type start to begin, or help to see all commands." in said


@pytest.mark.parametrize("columns", [80, 40, 1])
def test_a_terminal_gets_whole_words_in_each_row_and_a_pipe_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))

    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(), rounds=1) as held:
            console = console_of(held.server, tmp_path, held.identity)
            for terminal in (False, True):
                monkeypatch.setattr(sys.stdout, "isatty", lambda at=terminal: at)
                console.open(held.plan)
                await obey(held.server, console, held.identity, asyncio.Event(), "help")
                print("--")
            await console.close()

    run(story(), 60)
    piped, shown, _ = capsys.readouterr().out.split("--\n")
    lines = [line[TIME:] for line in piped.splitlines()]
    assert "  replay TABLE: REASON — have a table of this round play its game again" in lines
    assert max(map(len, lines)) > 80 - TIME
    rows = shown.splitlines()
    assert all(len(row) < columns or " " not in row[TIME:].strip() for row in rows)
    assert " ".join(" ".join(row[TIME:] for row in rows).split()) == " ".join(" ".join(lines).split())


@pytest.mark.parametrize("part", ["p2p.transport.channel", "referee.player_connections"])
def test_warnings_are_lines_like_the_others(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    said: list[str] = []
    logger = logging.getLogger(f"kimberley.{part}")
    with warnings_said(said.append):
        logger.warning("%s was turned away", "ben")
        try:
            raise ValueError("no such table")
        except ValueError:
            logger.warning("lost a table", exc_info=True)
    assert said == ["! ben was turned away", "! lost a table: no such table"]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("over", [False, True])
def test_nobody_is_told_to_play_once_the_tournament_is_over(over: bool) -> None:
    said: list[str] = []
    page = PageProcess("", None, "", 0)
    page.addresses = ("http://192.0.2.7:8080",)
    server = SimpleNamespace(over=over, seats=(7480, "0123456789"))
    referee.tell_seats(cast("Any", SimpleNamespace(say=said.append)), page, cast("Any", server))
    assert bool(said) != over


@pytest.mark.parametrize(
    ("address", "phones"),
    [("http://192.0.2.7:8080", True), ("http://127.0.0.1:8080", False), ("http://[::1]:8080", False)],
)
def test_phones_are_not_invited_where_only_this_computer_reaches_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], address: str, phones: bool
) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(), rounds=1) as held:
            console = console_of(held.server, tmp_path, held.identity)
            page = PageProcess("", None, "", 0)
            page.addresses = (address,)
            held.server.seats = 7480, "0123456789"
            referee.tell_page(console, page, held.server)
            await console.close()

    run(story(), 60)
    said = capsys.readouterr().out
    assert ("Phones can play." in said) == phones
    assert "0123456789" in said


@pytest.mark.slow
def test_data_before_the_command_names_the_data_folder_and_after_it_the_folder_of_the_cup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    data, folder = tmp_path / "data", tmp_path / "cup"
    said = stopped_at_once("--data", str(data), *BEGIN)
    assert f"A new tournament, in {data / 'cups' / 'friday-cup'}." in said
    assert Store.exists(data / "cups" / "friday-cup")
    stopped_at_once("--data", str(data), "referee", "Other", "--bind", "127.0.0.1", "--data", str(folder))
    assert Store.exists(folder)
    # Also where a tournament of that name goes on elsewhere.
    said = stopped_at_once("--data", str(data), "referee", "Other", "--bind", "127.0.0.1")
    assert f"A new tournament, in {data / 'cups' / 'other'}." in said
    assert f"kimberley referee Other --data {folder}" in said


@pytest.mark.slow
def test_a_cup_goes_on_by_its_name_wherever_it_is_and_another_one_of_that_name_is_not_begun_silently(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    first, second = tmp_path / "first", tmp_path / "second"
    stopped_at_once(*BEGIN, "--clock", "20m", "--data", str(first))
    said = stopped_at_once("referee", "Friday Cup")
    assert f"The tournament continues, in {first}." in said
    assert "20m each" in said
    said = stopped_at_once(*BEGIN, "--data", str(second))
    assert f"A new tournament, in {second}." in said
    assert "Another Friday Cup is unfinished. To continue it instead, stop this one and type: " in said
    assert f"kimberley referee 'Friday Cup' --data {first}" in said
    said = stopped_at_once("referee", "Friday Cup")
    assert f"Say which one: add --data {first} or --data {second}." in said
    assert not (tmp_path / "share" / "kimberley" / "cups" / "friday-cup").exists()


def test_no_command_undoes_an_option_that_comes_before_it() -> None:
    def undone(parser: argparse.ArgumentParser, common: set[str]) -> Iterator[str]:
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for name, command in action.choices.items():
                    yield from (f"{name}: {one}" for one in undone(command, common))
            elif action.dest in common and action.default is not argparse.SUPPRESS:
                yield action.dest

    top = build_parser()
    common = {"data", "nickname", "plain", "ascii", "colours", "theme", "calm", "quiet", "audio"}
    assert common <= {action.dest for action in top._actions}
    commands = next(action for action in top._actions if isinstance(action, argparse._SubParsersAction))
    assert [one for command in commands.choices.values() for one in undone(command, common)] == []


@pytest.mark.slow
def test_what_happens_is_told_in_lines_and_a_few_words_steer_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines: list[str] = []

    def told() -> list[str]:
        lines.extend(line[10:] for line in capsys.readouterr().out.splitlines())
        return lines

    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(pause=600.0), rounds=2) as held:
            server, stopped = held.server, asyncio.Event()
            sender = PretendSender()
            audio = audible(sender, Settings(audio="on"))
            console = console_of(server, tmp_path / "referee", held.identity, audio)

            async def type_in(line: str) -> None:
                await obey(server, console, held.identity, stopped, line)

            console.open(RoundTiming(players=4))
            await held.enter("ana")
            for name in ("ben", "cleo"):
                await held.enter(name)
            assert {
                "Friday Cup. Stones, 2 players at a table. Swiss system, 2 rounds, without clocks.",
                "The first round begins once 4 players have joined.",
                "ana has joined: 1 player now.",
                "cleo has joined: 3 players now.",
            } <= set(told())
            assert sender.sounds == [Sound.JOINED] * 3
            await type_in("status\n")
            assert "3 players: ana, ben, cleo." in told()
            await type_in("begin")
            assert f'No command "begin". Commands: {", ".join(COMMANDS)}.' in told()
            assert "  next [TIME] — start the next round after this one, but no sooner than TIME from now" in told()
            assert "  y — copy the join command to the clipboard" in told()
            await type_in("help")
            assert f"Commands: {', '.join(COMMANDS)}." in told()
            for line, answer in (
                ("say Pizza is here", "The organizer says: Pizza is here"),
                ("say", "Type a message."),
                ("next soon", '"soon" is not a time. Type it like 90s or 5m. (usage: next [TIME])'),
                ("add one 5m", 'No table "one". Type its number. (usage: add TABLE [NAME] TIME)'),
                ("add", "Type the number of the table. (usage: add TABLE [NAME] TIME)"),
                ("add 1", "Type a time like 90s or 5m. (usage: add TABLE [NAME] TIME)"),
                ("bye", "Type the number of the round. (usage: bye ROUND NAME)"),
                ("add 1 5m", "There is no table 1 yet."),
                ("pause", "No game is running."),
                ("resume 3", "There is no table 3 yet."),
                ("decide 1 ana", "There is no table 1 yet."),
                (
                    "decide 1: no",
                    "Who won? Type a name, draw or nobody. (usage: decide TABLE NAME[, NAME ...]|draw|nobody: REASON)",
                ),
                ("replay 1: no light", "There is no table 1 yet."),
                ("undo 1: the wrong name", "There is no table 1 yet."),
                ("undo: the wrong name", NO_DECISION),
                ("hold", "The first round begins when you type start."),
                ("close", "Entry is closed."),
            ):
                await type_in(line)
                assert answer in told(), line
            await type_in(" Start ")
            await until(lambda: held.results, 40)
            said = told()
            assert "Round 1 of 2:" in said
            assert any(line.startswith("  Table 1: ") for line in said)
            assert any(line.endswith(" has a bye.") for line in said)
            assert any(
                line.startswith("Table 1 is finished. ") and line.endswith("The game was fair.") for line in said
            )
            assert "Round 1 is over." in said
            ranks = [line for line in said if re.match(r" +\d  ", line)]
            assert ranks
            assert all("(Buchholz " in line for line in ranks), ranks
            for names, more in (("ana zoe", " Separate several names with commas."), ("zoe", "")):
                await type_in(f"decide 1 {names}: tied")
                unknown = f'No player "{names}" at table 1. Type the name as in the list of players.'
                assert told()[-1] == f"{unknown}{more}"
            await type_in("start")
            assert "It has already started." in told()
            await type_in("withdraw dan")
            await type_in("withdraw CLEO")
            await type_in("withdraw cleo")
            assert {
                'No player "dan" here. Type the name as in the list of players.',
                "cleo withdrew: 2 players now.",
                "cleo has already withdrawn.",
            } <= set(told())
            server.publish(PresenceChanged(held.clients["cleo"].identity, False))
            assert "cleo is offline." not in told(), "nobody misses whoever has withdrawn"
            await type_in("next")
            await held.end()
            await until(lambda: any(line.startswith("Anyone can check it:") for line in told()))
            assert any(line.startswith("Friday Cup is over.") for line in lines)
            assert (tmp_path / "referee" / "export" / "friday-cup.cup").exists()
            for line in ("start", "pause", "undo: the wrong name", "decide 1 ana"):
                await type_in(line)
                assert told()[-1] == HAS_ENDED, line
            await type_in("stop")
            assert stopped.is_set()

    run(story(), 120)


@pytest.mark.slow
def test_a_time_to_begin_is_kept(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(start=time.time() + 1, pause=0.0), rounds=1) as held:
            await held.enter("ana")
            await held.enter("ben")
            await held.end()

    run(story())


@pytest.mark.slow
def test_no_draw_fixes_teams_that_nobody_could_meet(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(start=time.time() - 1), rounds=1, boards=2) as held:
            for name in ("ana", "ben"):
                await held.enter(name, plays=False)
            assert not held.server.is_due(held.server.tournament)
            await held.enter("cleo", plays=False)
            assert held.server.is_due(held.server.tournament)

    run(story())


@pytest.mark.parametrize(
    ("start", "players", "said"),
    [
        (3600, None, "The first round begins at "),
        (-60, None, "The first round begins once two players are here."),
        (3600, 4, "The first round begins once 4 players have joined, or at "),
        (-60, 4, "The first round begins once 4 players have joined."),
    ],
)
def test_a_time_to_begin_that_is_past_is_not_said(
    tmp_path: Path, start: int, players: int | None, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story() -> None:
        plan = RoundTiming(players=players, start=time.time() + start)
        async with evening(tmp_path, STONES, plan, rounds=1) as held:
            console_of(held.server, tmp_path, held.identity).open(plan)
            told = capsys.readouterr().out
            assert said in told
            assert told.count("The first round begins") == 1

    run(story())
