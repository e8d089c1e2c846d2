"""The one file and the wheel: what is in them, and that the same installation always gives the same bytes."""

from __future__ import annotations

import ast
import fnmatch
import hashlib
import io
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import distribution, requires
from pathlib import Path, PurePosixPath

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from kimberley.p2p.sharing.archive import (
    BEGINNING,
    BEGINNING_SIZE,
    LEFT_OUT,
    NEEDED,
    PARTS,
    SUFFIXES,
    SharedFile,
    build_archive,
    build_wheel,
)
from kimberley.protocol.words import WORDS
from tests.support.paths import ROOT

DIGITS = (
    "import sys; from kimberley.p2p.sharing.archive import build_archive, build_wheel; "
    "sys.stdout.write(build_archive().digits + build_wheel().digits)"
)
"""Prints the digits of what an installation shares."""

ONLY_COMPILED = frozenset({"cryptography", "numpy", "rbcl"})
"""What the program also asks pip for, and can do without."""


@pytest.fixture(scope="module")
def archive() -> SharedFile:
    return build_archive()


@pytest.fixture(scope="module")
def wheel() -> SharedFile:
    built = build_wheel()
    assert built is not None
    return built


@cache
def contents(file: SharedFile) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(file.data)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def own(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, data in files.items() if name.startswith("kimberley/")}


@pytest.mark.slow
@pytest.mark.nightly
def test_the_same_installation_gives_the_same_bytes(archive: SharedFile, wheel: SharedFile) -> None:
    again = subprocess.run([sys.executable, "-c", DIGITS], capture_output=True, text=True, check=True, cwd=ROOT)
    assert again.stdout == archive.digits + wheel.digits


@pytest.mark.e2e
@pytest.mark.nightly
def test_what_else_lies_in_its_folders_is_left_out(archive: SharedFile, wheel: SharedFile, tmp_path: Path) -> None:
    copy, elsewhere = tmp_path / "kimberley", tmp_path / "elsewhere.py"
    for part in PARTS:
        shutil.copytree(ROOT / part, copy / part)
    elsewhere.write_text("mine = 1")
    (copy / "client/elsewhere.py").symlink_to(elsewhere)
    (copy / "client/hosts.txt").symlink_to("/etc/hosts")
    for name in ("id_ed25519", "key.pem", "main.py~", "main.py.orig", "main.py.rej", ".env.json", "a.kdt", "#a.py#"):
        (copy / "games" / name).write_text("secret")
    environ = os.environ | {"PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-c", f"import kimberley; print(*kimberley.__path__)\n{DIGITS}"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path, env=environ)
    assert ran.stdout.splitlines()[0].startswith(str(copy))
    assert ran.stdout.splitlines()[1] == archive.digits + wheel.digits


@pytest.mark.slow
def test_it_holds_no_file_that_the_wheel_does_not(archive: SharedFile, wheel: SharedFile) -> None:
    whole, files = contents(wheel), contents(archive)
    assert {name: data for name, data in own(files).items() if whole.get(name) != data} == {}
    assert files["__main__.py"] == whole["kimberley/p2p/sharing/launcher.py"]
    others = {name.split("/")[0] for name in files} - {"kimberley", "__main__.py"}
    assert {name for name in others if not name.endswith(".dist-info")} == set(NEEDED.values())


@pytest.mark.slow
def test_the_wheel_is_the_one_that_pip_would_build(wheel: SharedFile, tmp_path: object) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(f"{tmp_path}/{wheel.name}") as opened:
        built = {name: opened.read(name) for name in opened.namelist() if name.startswith("kimberley/")}
    assert own(contents(wheel)) == built


@pytest.mark.slow
def test_what_is_left_out_is_all_that_is_missing(archive: SharedFile, wheel: SharedFile) -> None:
    missing = set(own(contents(wheel))) - set(contents(archive))
    assert missing
    for pattern in LEFT_OUT:
        assert fnmatch.filter(missing, f"kimberley/{pattern}"), pattern
    matched = {name for pattern in LEFT_OUT for name in fnmatch.filter(missing, f"kimberley/{pattern}")}
    assert missing - matched == set()


@pytest.mark.slow
def test_nothing_compiled_and_nothing_but_players_need_is_in_it(archive: SharedFile) -> None:
    names = contents(archive)
    described = [name for name in names if ".dist-info/" in name]
    assert {PurePosixPath(name).suffix for name in set(names) - set(described)} <= SUFFIXES
    assert [name for name in names if "__pycache__" in name] == []
    assert [name for name in names if name.split("/")[0] in ("numpy", "jinja2", "starlette", "_cffi_backend")] == []


def needed(package: str) -> Iterator[str]:
    """Yields all that pip installs with a package, here, without extras; but not what the compiled packages need."""
    for line in requires(package) or []:
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield canonicalize_name(requirement.name)
            if requirement.name not in ONLY_COMPILED:
                yield from needed(requirement.name)


def test_every_package_that_a_player_needs_is_in_it_or_done_without() -> None:
    assert set(needed("kimberley")) - ONLY_COMPILED == {canonicalize_name(name) for name in NEEDED}


@pytest.mark.parametrize("name", ["kimberley", *NEEDED])
def test_each_package_brings_its_version_and_its_license(archive: SharedFile, name: str) -> None:
    folder = f"{name.replace('-', '_')}-{distribution(name).version}.dist-info"
    files = contents(archive)
    assert files[f"{folder}/METADATA"]
    assert [text for path, text in files.items() if path.startswith(f"{folder}/licenses/") and text]


def imports(module: str, source: bytes) -> Iterator[str]:
    """Yields what a module of ours imports of ours when it is imported itself."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kimberley."):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.slow
def test_what_is_in_it_imports_nothing_that_was_left_out(archive: SharedFile, wheel: SharedFile) -> None:
    files = own(contents(archive))
    missing = set(own(contents(wheel))) - set(files)
    left_out = tuple(f"{name.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}." for name in missing)
    wrong = [
        (name, found)
        for name, data in files.items()
        if name.endswith(".py")
        for found in imports(name, data)
        if f"{found}.".startswith(left_out)
    ]
    assert wrong == []


def test_it_begins_with_python_that_finds_the_rest(archive: SharedFile) -> None:
    beginning = archive.data[:BEGINNING_SIZE]
    assert beginning.startswith(BEGINNING)
    assert ast.parse(beginning)
    assert archive.data[BEGINNING_SIZE:].startswith(b"PK")


def test_its_digits_and_its_words_say_the_same_bits() -> None:
    file = SharedFile("one", b"bytes")
    assert hashlib.sha256(b"bytes").hexdigest().startswith(file.digits)
    assert len(file.digits) * 4 == len(file.words) * 11 == 88
    bits = "".join(f"{WORDS.index(word):011b}" for word in file.words)
    assert f"{int(bits, 2):022x}" == file.digits
