"""What is installed: one package, the same from a checkout and from a source distribution."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from kimberley.p2p.sharing.archive import NEEDED
from tests.support.paths import ROOT

PARTS = ("client", "games", "p2p", "protocol")
ROOMS = ("conformance", "referee")
"""What has a distribution of its own."""


def built(kind: str, source: Path, target: Path) -> Path:
    """Returns a distribution of this kind, built as pip builds it."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(target)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    return next(target.iterdir())


def contents(wheel: Path) -> dict[str, int]:
    with zipfile.ZipFile(wheel) as archive:
        return {info.filename: info.CRC for info in archive.infolist() if not info.filename.endswith("RECORD")}


@pytest.mark.slow
def test_a_wheel_holds_one_package(tmp_path: Path) -> None:
    wheel = contents(built("wheel", ROOT, tmp_path))
    shared = {name.partition(".data/data/")[2] for name in wheel if ".data/data/" in name}
    assert shared == {str(path.relative_to(ROOT)) for path in (ROOT / "share").rglob("*") if path.is_file()}
    assert {f"kimberley/{part}/py.typed" for part in PARTS} <= set(wheel)
    code = [name for name in wheel if ".dist-info/" not in name and ".data/" not in name]
    assert {name.split("/")[0] for name in code} == {"kimberley"}
    assert {name.split("/")[1] for name in code} == set(PARTS)


@pytest.mark.slow
@pytest.mark.nightly
def test_a_wheel_is_the_same_from_a_source_distribution(tmp_path: Path) -> None:
    wheel = contents(built("wheel", ROOT, tmp_path / "wheel"))
    with tarfile.open(built("sdist", ROOT, tmp_path / "sdist")) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    source = next((tmp_path / "unpacked").iterdir())
    assert not (source / "src").exists()
    assert contents(built("wheel", source, tmp_path / "again")) == wheel


@pytest.mark.slow
@pytest.mark.nightly
def test_a_release_is_the_same_whenever_and_wherever_it_is_built(tmp_path: Path) -> None:
    for name, zone in (("one", "UTC"), ("two", "Asia/Tokyo")):
        environ = os.environ | {"SOURCE_DATE_EPOCH": "1700000000", "TZ": zone, "PYTHONHASHSEED": str(len(zone))}
        command = [sys.executable, "-m", "tests.tools.release", "--out", str(tmp_path / name)]
        subprocess.run(command, cwd=ROOT, env=environ, check=True, capture_output=True, umask=len(zone))
    one, two = ({file.name: file.read_bytes() for file in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert one == two
    sums = dict(line.split()[::-1] for line in one.pop("SHA256SUMS").decode().splitlines())
    assert sums == {name: hashlib.sha256(data).hexdigest() for name, data in one.items()}
    wheels = {name.partition("-")[0] for name in one if name.endswith(".whl")}
    assert wheels == {"kimberley", *(f"kimberley_{room}" for room in ROOMS)}
    assert wheels == {name.partition("-")[0] for name in one if name.endswith(".tar.gz")}
    listed = {component["name"] for component in json.loads(one["kimberley.cdx.json"])["components"]}
    assert set(NEEDED) <= listed
    assert not listed & {"pytest", "starlette"}
    environ = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = [sys.executable, str(tmp_path / "one" / "kimberley.pyz"), "--version"]
    ran = subprocess.run(command, cwd=tmp_path, env=environ, check=True, capture_output=True, text=True)
    assert "a shared copy" in ran.stdout


def test_every_entry_point_is_in_the_package() -> None:
    points = [point for group in ("kimberley.games", "kimberley.boards") for point in entry_points(group=group)]
    ours = [point.module for point in points if point.dist is not None and point.dist.name == "kimberley"]
    assert ours
    assert {module.split(".")[0] for module in ours} == {"kimberley"}


def test_the_links_of_a_checkout_lead_to_the_folders_at_the_top() -> None:
    links = {path.name: path.resolve() for path in (ROOT / "src" / "kimberley").iterdir()}
    assert links == {part: ROOT / part for part in (*PARTS, *ROOMS)}


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_a_room_adds_itself_to_the_package_and_nothing_else(room: str, tmp_path: Path) -> None:
    names = {name for name in contents(built("wheel", ROOT / room, tmp_path)) if ".dist-info/" not in name}
    there = [path for path in (ROOT / room).rglob("*") if path.is_file() and path.parent.name != "__pycache__"]
    assert names == {f"kimberley/{path.relative_to(ROOT)}" for path in there if path.name != "pyproject.toml"}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_of_the_version_of_the_whole_and_asks_for_it(room: str) -> None:
    project = tomllib.loads((ROOT / room / "pyproject.toml").read_text())["project"]
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == whole["version"]
    (asked,) = (one for one in map(Requirement, project["dependencies"]) if one.name == "kimberley")
    assert str(asked.specifier) == f"=={whole['version']}"
    assert project["requires-python"] == whole["requires-python"]


@pytest.mark.parametrize(
    ("system", "machine", "native"),
    [
        ("linux", "x86_64", {"cryptography>=44", "rbcl>=1.1"}),
        ("linux", "aarch64", {"cryptography>=44", "rbcl>=1.1"}),
        ("linux", "armv7l", {"cryptography>=44"}),
        ("linux", "riscv64", set()),
        ("android", "aarch64", set()),
        ("win32", "AMD64", {"cryptography>=44", "rbcl>=1.1"}),
        ("win32", "ARM64", set()),
        ("darwin", "arm64", {"cryptography>=44", "rbcl>=1.1"}),
        ("darwin", "x86_64", {"cryptography<49,>=44", "rbcl>=1.1"}),
        ("freebsd14", "amd64", set()),
    ],
)
def test_cryptography_is_asked_for_only_where_there_is_a_wheel(system: str, machine: str, native: set[str]) -> None:
    """Elsewhere pip would compile it, which takes a compiler that few machines have."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    wanted = [
        requirement
        for requirement in map(Requirement, listed)
        if requirement.name in ("cryptography", "rbcl")
        and (
            requirement.marker is None
            or requirement.marker.evaluate({"sys_platform": system, "platform_machine": machine})
        )
    ]
    assert {f"{requirement.name}{requirement.specifier}" for requirement in wanted} == native
    assert len(wanted) == len(native)


def test_every_file_that_the_tools_are_given_exists() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    named = re.findall(r'"src/kimberley/((?:[\w*]+/)*[\w*]+(?:\.py)?)"', text)
    assert named
    assert [name for name in named if not any(ROOT.glob(name))] == []
