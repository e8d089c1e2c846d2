"""What a forge, an editor and a commit read of this repository types what CONTRIBUTING.md and .ci/run do."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import pytest
import yaml

from tests.support.paths import ROOT

CONTRIBUTING: Final = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_a_commit_is_checked_as_ci_checks() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    entries = [hook["entry"] for repo in config["repos"] for hook in repo["hooks"]]
    ci = (ROOT / ".ci/run").read_text("utf-8")
    checks = set(re.findall(r"\.venv/bin/(?:ruff (?:check|format --check)|lint-imports|mypy)", ci))
    assert len(checks) == 4
    assert set(entries) == checks


def test_a_container_has_what_the_tests_need() -> None:
    config = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text("utf-8"))
    line = CONTRIBUTING.partition("```sh\n")[2].partition("\n")[0]
    assert config["onCreateCommand"].endswith(f"&& {line}")
    needed = re.findall(r"^(?:command.*\|\| )?need \w+(?:-\w+)* (.+)$", (ROOT / ".ci/run").read_text("utf-8"), re.M)
    packages = {package for line in needed for package in line.strip('"').split()}
    assert {"iproute2", "nftables", "tmux", "chromium-headless-shell"} <= packages
    assert packages <= set(config["onCreateCommand"].split())


@pytest.mark.parametrize("name", ["problem", "idea"])
def test_a_form_asks_for_something(name: str) -> None:
    form: dict[str, Any] = yaml.safe_load((ROOT / f".github/ISSUE_TEMPLATE/{name}.yml").read_text("utf-8"))
    assert form["name"]
    assert form["description"]
    assert any(part.get("validations", {}).get("required") for part in form["body"])


def test_newer_actions_and_packages_are_proposed() -> None:
    updates = yaml.safe_load((ROOT / ".github/dependabot.yml").read_text("utf-8"))["updates"]
    assert [one["package-ecosystem"] for one in updates] == ["github-actions", "pip"]
