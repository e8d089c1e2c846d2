"""What is installed beside the program: types, the man page, completions of shells, an entry for the desktop."""

from __future__ import annotations

import configparser
import contextlib
import io
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from kimberley.client.cli.parser import build_parser
from tests.support.effort import first_is_quick
from tests.support.paths import ROOT
from tests.tools.share import SHARE, WRITTEN, write


def help_of(*command: str) -> str:
    """Returns what the program says of itself, or of a command."""
    written = io.StringIO()
    with pytest.raises(SystemExit), contextlib.redirect_stdout(written):
        build_parser().parse_args([*command, "--help"])
    return written.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("place", first_is_quick(*(place for place in WRITTEN if not place.endswith(".svg"))))
def test_every_command_and_option_is_there(place: str) -> None:
    text = (SHARE / place).read_text("utf-8").replace("\\-", "-")
    commands = re.findall(r"^  ([a-z]+) ", help_of(), re.MULTILINE)
    assert {"host", "join", "verify", "referee", "doctor"} < set(commands)
    for name in commands:
        assert name in text
        options = {*re.findall(r"--[a-z][a-z-]*", help_of(name))}
        assert "--help" in options
        assert sorted(option for option in options if option not in text) == [], "python -m tests.tools.share"


def test_the_icon_is_the_gem_of_the_pages() -> None:
    place = next(place for place in WRITTEN if place.endswith(".svg"))
    assert (SHARE / place).read_text("utf-8") == WRITTEN[place]()


def test_the_tool_writes_all_of_it(tmp_path: Path) -> None:
    write(tmp_path)
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert written == set(WRITTEN)


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_a_command() -> None:
    script = f"source '{SHARE}/bash-completion/completions/kimberley'; complete -p kimberley"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("complete ")


def test_the_desktop_starts_it_in_a_terminal() -> None:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(SHARE / "applications/kimberley.desktop", "utf-8")
    entry = parser["Desktop Entry"]
    assert (entry["Type"], entry["Exec"], entry["Terminal"]) == ("Application", "kimberley", "true")
    assert entry["Categories"].endswith(";")


def test_the_types_of_every_part_are_for_others() -> None:
    assert [part for part in ("client", "games", "p2p", "protocol") if not (ROOT / part / "py.typed").exists()] == []
