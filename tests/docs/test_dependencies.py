"""The page about dependencies has a row for each that pyproject.toml asks for, and is what the command makes."""

from __future__ import annotations

import tomllib
from importlib.metadata import version

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tests.support.paths import ROOT
from tests.tools.dependencies import OWN, PAGE, groups, license_of, page, releases, required


def test_every_package_that_is_asked_for_has_a_reason_and_nothing_else_has() -> None:
    wanted = required()
    listed = [name for group in groups() for name in group["names"]]
    assert sorted(listed) == sorted(wanted)
    for group in groups():
        assert set(group["packages"]) == {name for part in group["names"] for name in wanted[part]}, group["heading"]


def test_what_has_a_distribution_of_its_own_asks_for_the_same_versions_of_what_has_a_reason() -> None:
    wanted = {name: versions for packages in required().values() for name, versions in packages.items()}
    asked = {
        one.name: str(one.specifier)
        for path in ROOT.glob("*/pyproject.toml")
        for one in map(Requirement, tomllib.loads(path.read_text("utf-8"))["project"]["dependencies"])
    }
    assert asked.pop("kimberley").startswith("==")
    assert asked
    assert asked == {name: wanted[name] for name in asked}


def test_every_package_is_pinned_to_a_version_that_is_asked_for() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
    pinned: dict[str, list[Requirement]] = {}
    for one in map(Requirement, lines):
        pinned.setdefault(one.name, []).append(one)
    parts = ("core", "dask", "dev", "far", "music", "referee", "site")
    wanted = {name: versions for part in parts for name, versions in required()[part].items()}
    assert len(wanted) > 40
    for name, versions in wanted.items():
        for one in pinned[name]:
            (pin,) = one.specifier
            assert pin.operator == "=="
            assert SpecifierSet(versions).contains(pin.version), one


def test_what_players_install_has_a_keeper_and_a_word_on_its_end() -> None:
    for group in groups():
        for name, reason in group["packages"].items():
            assert reason["why"]
            assert group.get("tools") or (reason["keeper"] and reason["gone"]), name


def test_every_release_is_known_and_has_the_license_that_it_names_itself() -> None:
    known = releases()["packages"]
    by_hand = {
        name: reason["license"]
        for group in groups()
        for name, reason in group["packages"].items()
        if "license" in reason
    }
    assert set(known) == {name for group in groups() for name in group["packages"]} - OWN
    for name, release in known.items():
        told = license_of(name)
        if name in by_hand or told is None or version(name) != release["version"]:
            assert release["license"], name
        else:
            assert release["license"] == told, name


def test_the_page_is_what_the_command_writes() -> None:
    assert PAGE.read_text("utf-8") == page()
