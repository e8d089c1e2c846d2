"""The workflow for other systems: its shape, and that it types what the README says. It runs elsewhere only."""

from __future__ import annotations

import re
import subprocess
import sysconfig
from pathlib import Path
from typing import Any, Final

import yaml

from tests.support.paths import ROOT

WORKFLOW: Final = ROOT / ".github/workflows/tests.yml"
README: Final = (ROOT / "README.md").read_text("utf-8")
JOBS: Final[dict[str, Any]] = yaml.safe_load(WORKFLOW.read_text("utf-8"))["jobs"]


def line_of(ending: str) -> str:
    """The line of the README that sets up an environment of its own and ends with this."""
    found = re.search(rf"^python3 -m venv \.venv && .*{re.escape(ending)}$", README, re.MULTILINE)
    assert found is not None
    return found[0]


def on_windows(line: str, python: str) -> str:
    """The same line for PowerShell."""
    return re.sub(r"\.venv/bin/", r".venv\\Scripts\\", line.replace("python3", python)).replace(" && ", "; ")


def steps(job: str) -> dict[str, str]:
    return {step["name"]: step["run"] for step in JOBS[job]["steps"] if "run" in step}


def test_actionlint_finds_nothing() -> None:
    # What it finds in shell scripts would depend on what else is installed here.
    actionlint = Path(sysconfig.get_path("scripts"), "actionlint")
    ran = subprocess.run([actionlint, "-shellcheck=", "-pyflakes=", WORKFLOW], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_it_tries_all_systems_and_versions() -> None:
    versions = [f"3.{minor}" for minor in range(11, 15)]
    assert [job["strategy"]["matrix"]["python"] for job in JOBS.values()] == [versions, versions]
    assert JOBS["linux-and-macos"]["strategy"]["matrix"]["os"] == ["ubuntu-latest", "macos-latest"]
    assert JOBS["windows"]["runs-on"] == "windows-latest"


def test_it_types_the_lines_of_the_readme() -> None:
    line = line_of(".venv/bin/pytest -n auto")
    unix, windows = steps("linux-and-macos"), steps("windows")
    assert f"{unix['Set-up']} && {unix['Quick tests']}" == line
    assert f"{windows['Set-up']}; {windows['Quick tests']}" == on_windows(line, "python")
    assert windows["A game"] == on_windows(unix["A game"], "python")


def test_the_readme_has_the_same_line_for_powershell() -> None:
    assert on_windows(line_of(".venv/bin/kimberley"), "py") in README.splitlines()
