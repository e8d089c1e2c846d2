"""Writes docs/dependencies.md: the third-party packages that Kimberley needs, why, and what happens if one dies.

.venv/bin/python -m tests.tools.dependencies           # from dependencies.toml and tests/data/releases.json
.venv/bin/python -m tests.tools.dependencies --look    # looks for new releases first; needs uv and the network
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any, Final, NotRequired, TypedDict

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.support.paths import DATA, ROOT

PAGE: Final = ROOT / "docs" / "dependencies.md"
REASONS: Final = Path(__file__).with_suffix(".toml")
RELEASES: Final = DATA / "releases.json"
OWN: Final = frozenset({"kimberley", "kimberley-browser-runtime"})
"""What no index has: this package, and what we build ourselves."""
CORE: Final = "core"

SHORT: Final = {
    "MIT License": "MIT",
    "BSD License": "BSD",
    "GNU General Public License v3 or later (GPLv3+)": "GPL-3.0-or-later",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0",
}
"""Licenses as classifiers name them, with their short names."""

BEGINNING: Final = """\
# What Kimberley depends on

These are the third-party packages that Kimberley needs, and what we would do if nobody maintained one any longer.
[CONTRIBUTING.md](../CONTRIBUTING.md#which-files-to-change) says how to add one. The releases are those of {month}.

Every player installs the packages in the first table, and those that they need in turn. The others are extras, such as
`pip install '.[music]'`. Tools for developers are in `pyproject.toml`; `tests/tools/dependencies.toml` says why we need
them.
"""
PINS: Final = """
For developers, `constraints.txt` pins all packages. Players get the newest releases, so the tests run with these, and
once with the oldest that `pyproject.toml` allows.
"""


class Package(TypedDict):
    """Why a package is needed. Tools for developers have no `keeper`, and nothing about when they are `gone`."""

    why: str
    keeper: NotRequired[str]
    gone: NotRequired[str]
    license: NotRequired[str]


class Group(TypedDict):
    """The packages of one or more lists in pyproject.toml."""

    names: list[str]
    heading: str
    tools: NotRequired[bool]
    packages: dict[str, Package]


class Release(TypedDict):
    """The newest release of a package: its version, its month, such as "2026-11", and its license."""

    version: str
    month: str
    license: str


class Releases(TypedDict):
    """The newest releases, and the day on which they were looked up."""

    looked: str
    packages: dict[str, Release]


def groups() -> list[Group]:
    found: list[Group] = tomllib.loads(REASONS.read_text("utf-8"))["group"]
    return found


def releases() -> Releases:
    found: Releases = json.loads(RELEASES.read_text("utf-8"))
    return found


def required() -> dict[str, dict[str, str]]:
    """Returns what pyproject.toml asks for: the versions of each package, by list and name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lists: dict[str, list[str]] = {CORE: project["dependencies"], **project["optional-dependencies"]}
    found: dict[str, dict[str, str]] = {}
    for name, lines in lists.items():
        for one in map(Requirement, lines):
            if one.name != "kimberley":
                # A package may be listed several times, with other versions on some systems: the first is for most.
                found.setdefault(name, {}).setdefault(canonicalize_name(one.name), str(one.specifier))
    return found


def license_of(name: str) -> str | None:
    """Returns the license that an installed package names, by its short name if it has one. None if it is not
    installed.
    """
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return None
    classes = [line.rpartition(" :: ")[2] for line in told.get_all("Classifier") or [] if line.startswith("License ::")]
    long: str = next(iter([*(told.get_all("License-Expression") or classes), *(told.get_all("License") or [])]), "")
    return SHORT.get(long, long)


def look() -> Releases:
    """Asks the index for the newest releases, by way of uv, and installed packages for their licenses.

    Raises CalledProcessError if uv fails.
    """
    uv = shutil.which("uv")
    if uv is None:
        raise SystemExit("Install uv first.")
    with tempfile.TemporaryDirectory() as work:
        text = (ROOT / "pyproject.toml").read_text("utf-8")
        # No index has our own package. A version that is too new for only one system is the newest for the others.
        open_ended = re.sub(r"(?m)^ +\"kimberley-browser-runtime.*\n|(?<=\d),<\d+", "", text)
        Path(work, "pyproject.toml").write_text(open_ended, "utf-8")
        for name in ("README.md", "LICENSE"):
            shutil.copy(ROOT / name, work)
        subprocess.run([uv, "lock", "--quiet"], cwd=work, check=True)
        locked = tomllib.loads(Path(work, "uv.lock").read_text("utf-8"))["package"]
    newest: dict[str, dict[str, Any]] = {}
    for package in locked:
        known = newest.setdefault(package["name"], package)
        if Version(package["version"]) > Version(known["version"]):
            newest[package["name"]] = package
    found: dict[str, Release] = {}
    for group in groups():
        for name, reason in group["packages"].items():
            if name not in OWN:
                package = newest[name]
                files = [*package.get("wheels", []), *filter(None, [package.get("sdist")])]
                month = min(str(file["upload-time"]) for file in files)[:7]
                terms = reason.get("license") or license_of(name)
                if not terms:
                    raise SystemExit(f"{name} names no license here. Install it, or write one into {REASONS.name}.")
                found[name] = {"version": package["version"], "month": month, "license": terms}
    return {"looked": date.today().isoformat(), "packages": dict(sorted(found.items()))}


def page() -> str:
    """Returns the whole page."""
    known, wanted = releases(), required()
    month = date.fromisoformat(known["looked"])
    parts = [BEGINNING.format(month=f"{month:%B %Y}")]
    for group in groups():
        if not group.get("tools"):
            rows = reasons(group, wanted, known["packages"])
            parts.append("\n".join([f"\n## {group['heading']}\n", *rows, ""]))
    return "".join([*parts, PINS])


def reasons(group: Group, wanted: Mapping[str, Mapping[str, str]], known: Mapping[str, Release]) -> Iterator[str]:
    yield "| Package | What for | License | Newest release | Maintained by | If that ends |"
    yield "|---|---|---|---|---|---|"
    for name, reason in group["packages"].items():
        versions = wanted[group["names"][0]][name]
        cells = [f"{name} {versions}", reason["why"], *released(name, reason, known), reason["keeper"], reason["gone"]]
        yield f"| {' | '.join(cells)} |"


def released(name: str, reason: Package, known: Mapping[str, Release]) -> tuple[str, str]:
    """Returns the license of a package, and its newest release."""
    if name in OWN:
        return reason["license"], "our own"
    release = known[name]
    return release["license"], f"{release['version']}, {date.fromisoformat(release['month'] + '-01'):%b %Y}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--look", action="store_true", help="look for new releases first; needs uv and the network")
    if parser.parse_args().look:
        RELEASES.write_text(json.dumps(look(), indent=1) + "\n", "utf-8")
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
