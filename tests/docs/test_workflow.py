"""The workflows, which run elsewhere only: their form, and that the one for other systems types what README says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sysconfig
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from tests.conftest import FAKES, PROGRAMS
from tests.support.paths import ROOT

WORKFLOWS: Final = sorted((ROOT / ".github/workflows").iterdir())
WORKFLOW: Final = ROOT / ".github/workflows/tests.yml"
README: Final = (ROOT / "README.md").read_text("utf-8")
JOBS: Final[dict[str, Any]] = yaml.safe_load(WORKFLOW.read_text("utf-8"))["jobs"]


MISSING_ON_WINDOWS: Final = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}
IMPORTS: Final = re.compile(r"^(?:from ([\w.]+) )?import (.+)", re.MULTILINE)
"""Of a module when it is imported itself: those in functions and for type checkers are indented."""


def line_of(ending: str) -> str:
    """Returns the line of the README that sets up an environment of its own and ends with this."""
    found = re.search(rf"^python3 -m venv \.venv && .*{re.escape(ending)}$", README, re.MULTILINE)
    assert found is not None
    return found[0]


def on_windows(line: str, python: str) -> str:
    """Returns the same line for PowerShell."""
    return re.sub(r"\.venv/bin/", r".venv\\Scripts\\", line.replace("python3", python)).replace(" && ", "; ")


def steps(job: str) -> dict[str, str]:
    return {step["name"]: step["run"] for step in JOBS[job]["steps"] if "run" in step}


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_actionlint_finds_nothing(workflow: Path) -> None:
    # What it finds in shell scripts would depend on what else is installed here.
    actionlint = shutil.which("actionlint", path=sysconfig.get_path("scripts"))
    assert actionlint is not None
    ran = subprocess.run([actionlint, "-shellcheck=", "-pyflakes=", workflow], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def imported(path: Path) -> set[str]:
    """Returns the modules that a file imports, and names in them that may be modules, too."""
    found: set[str] = set()
    for module, names in IMPORTS.findall(path.read_text("utf-8")):
        taken = {name.split(" as ")[0].strip(" (") for name in names.split(",")}
        found |= {module, *(f"{module}.{name}" for name in taken)} if module else taken
    return found


def file_of(module: str) -> Path | None:
    """Returns the file of a module of ours."""
    path = ROOT.joinpath(*module.removeprefix("kimberley.").split("."))
    return next((one for one in (path.with_suffix(".py"), path / "__init__.py") if one.is_file()), None)


@pytest.mark.slow
def test_windows_can_import_what_its_tests_import() -> None:
    tests = ROOT / "tests"
    waiting = [
        path
        for path in (tests / "conftest.py", *tests.rglob("test_*.py"))
        if not path.is_relative_to(PROGRAMS) and not any(path.match(fake) for fake in FAKES)
    ]
    seen = set(waiting)
    while waiting:
        path = waiting.pop()
        modules = imported(path)
        assert not modules & MISSING_ON_WINDOWS, path
        found = {file for module in modules if (file := file_of(module)) is not None}
        waiting += found - seen
        seen |= found


def test_it_tries_all_systems_and_versions() -> None:
    versions = [f"3.{minor}" for minor in range(11, 15)]
    assert [job["strategy"]["matrix"]["python"] for job in JOBS.values()] == [versions, versions]
    assert JOBS["linux-and-macos"]["strategy"]["matrix"]["os"] == ["ubuntu-latest", "macos-latest"]
    assert JOBS["windows"]["runs-on"] == "windows-latest"


def test_the_wheel_is_tried_on_all_versions_and_with_the_oldest_packages_on_the_oldest_python() -> None:
    wheel = yaml.safe_load((ROOT / ".github/workflows/packages.yml").read_text("utf-8"))["jobs"]["wheel"]
    tried = wheel["strategy"]["matrix"]["include"]
    oldest = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    newest = [one["python"] for one in tried if "with" not in one]
    assert newest == JOBS["linux-and-macos"]["strategy"]["matrix"]["python"]
    assert f">={newest[0]}" == oldest
    assert [one for one in tried if "with" in one] == [{"python": newest[0], "with": "--oldest"}]


def test_it_types_the_lines_of_the_readme() -> None:
    line = line_of(".venv/bin/pytest -n auto")
    unix, windows = steps("linux-and-macos"), steps("windows")
    assert f"{unix['Set-up']} && {unix['Quick tests']}" == line
    assert f"{windows['Set-up']}; {windows['Quick tests']}" == on_windows(line, "python")
    assert windows["A game"] == on_windows(unix["A game"], "python")


def test_the_page_on_other_systems_has_the_same_line_for_powershell() -> None:
    page = (ROOT / "docs" / "systems.md").read_text("utf-8")
    assert on_windows(line_of(".venv/bin/kimberley"), "py") in page.splitlines()
