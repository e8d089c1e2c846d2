"""The file starts on each Python, unpacks itself once, and repairs what was damaged."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kimberley.p2p.base.installation import MORE_THAN_SHARED
from kimberley.p2p.sharing.archive import SharedFile, build_archive
from kimberley.p2p.sharing.launcher import search_path, unpack

FOUND = sorted(
    {
        sys.executable,
        *(path for minor in range(5, 20) if (path := shutil.which(f"python3.{minor}")) is not None),
        *map(str, Path.home().glob(".pyenv/versions/3.*/bin/python3")),
    }
)
"""On the path, and beside it where pyenv is used, whose names on the path do not all lead to a Python."""


def pythons_here() -> dict[str, bool]:
    """Returns each Python that runs here, and whether it is new enough."""
    told: dict[str, bool] = {}
    for python in FOUND:
        asked = [python, "-c", "import sys; print(sys.version_info >= (3, 11))"]
        try:
            told[python] = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip() == "True"
        except (OSError, subprocess.CalledProcessError):
            continue
    return told


@pytest.fixture(scope="module")
def archive() -> SharedFile:
    return build_archive()


@pytest.fixture(scope="module")
def file(archive: SharedFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fetched") / archive.name
    path.write_bytes(archive.data)
    return path


def started(
    file: Path, home: Path, *arguments: str, python: str = sys.executable, flags: tuple[str, ...] = ("-I", "-S")
) -> subprocess.CompletedProcess[str]:
    environ = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    command = [python, *flags, str(file), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environ, timeout=120)


@pytest.mark.nightly
@pytest.mark.e2e
def test_every_python_here_starts_it_or_is_told_that_it_is_too_old(file: Path, tmp_path: Path) -> None:
    found = pythons_here()
    assert found[sys.executable]
    for python, is_new in found.items():
        ran = started(file, tmp_path, "--version", python=python)
        if is_new:
            assert (ran.returncode, ran.stdout.split()[0]) == (0, "kimberley"), (python, ran.stderr)
        else:
            assert ran.returncode == 1
            assert ran.stderr.startswith("Kimberley needs Python 3.11 or newer; this is 3."), python


@pytest.mark.e2e
def test_it_finds_its_games_and_says_what_is_not_in_it(file: Path, tmp_path: Path) -> None:
    versions = started(file, tmp_path, "--version").stdout
    assert "diamond-trust" in versions
    assert "a shared copy: " in versions
    for command in (
        ("referee", "Cup"),
        ("conform",),
        ("peer",),
    ):
        ran = started(file, tmp_path, *command)
        assert (ran.returncode, ran.stdout) == (1, ""), ran.stderr
        assert MORE_THAN_SHARED in ran.stderr


@pytest.mark.nightly
@pytest.mark.e2e
def test_it_plays_a_game_between_its_own_processes_and_verifies_it(file: Path, tmp_path: Path) -> None:
    played = started(file, tmp_path, "demo", "diamond", "--seed", "1", "--data", str(tmp_path / "games"))
    assert (played.returncode, played.stderr.count("Traceback")) == (0, 0), played.stderr
    record = played.stdout.rpartition("The record: ")[2].strip()
    assert started(file, tmp_path, "verify", record).returncode == 0


@pytest.mark.e2e
def test_it_shares_itself_on_as_it_is(file: Path, tmp_path: Path) -> None:
    script = "from kimberley.p2p.sharing.archive import *; print(build_archive().digits, build_wheel())"
    started(file, tmp_path, "--version")
    (unpacked,) = (tmp_path / ".cache" / "kimberley").iterdir()
    code = f"import sys;sys.path.insert(0,{str(unpacked)!r});{script}"
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [SharedFile("", file.read_bytes()).digits, "None"]


def packed(**files: bytes) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, data in files.items():
            archive.writestr(f"folder/{name}.py", data)
    return written.getvalue()


def test_it_is_unpacked_once_and_repaired_where_it_was_damaged(tmp_path: Path) -> None:
    data = packed(one=b"1", two=b"2")
    folder = Path(unpack(data, str(tmp_path)))
    first, second, whole = folder / "folder/one.py", folder / "folder/two.py", folder / "kimberley.pyz"
    assert (first.read_bytes(), second.read_bytes(), whole.read_bytes()) == (b"1", b"2", data)
    before = first.stat().st_ino
    second.write_bytes(b"3")
    whole.unlink()
    assert unpack(data, str(tmp_path)) == str(folder)
    assert (second.read_bytes(), whole.read_bytes(), first.stat().st_ino) == (b"2", data, before)
    assert Path(unpack(packed(one=b"other"), str(tmp_path))) != folder


def test_what_the_archive_does_not_name_is_removed(tmp_path: Path) -> None:
    data = packed(one=b"1", two=b"2")
    folder, elsewhere = Path(unpack(data, str(tmp_path / "cache"))), tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "two.py").write_bytes(b"2")
    compiled = folder / "folder/__pycache__/one.cpython-311.pyc"
    for added in (folder / "argparse.py", folder / "bad-1.dist-info/entry_points.txt", compiled):
        added.parent.mkdir(exist_ok=True)
        added.write_text("")
    (folder / "folder/two.py").unlink()
    (folder / "folder/two.py").symlink_to(elsewhere / "two.py")
    (folder / "linked").symlink_to(elsewhere)
    unpack(data, str(tmp_path / "cache"))
    assert {path for path in folder.rglob("*") if path.is_file()} == {
        folder / "kimberley.pyz", folder / "folder/one.py", folder / "folder/two.py", compiled
    }  # fmt: skip
    assert [path for path in folder.rglob("*") if path.is_symlink()] == []
    assert (elsewhere / "two.py").read_bytes() == b"2"


def test_the_standard_library_comes_first_and_other_packages_last() -> None:
    library = os.path.dirname(os.__file__)
    mine, packages = "/home/ben/lib", os.path.join(library, "site-packages")
    compiled = os.path.join(library, "lib-dynload")
    assert search_path("/found", [mine, library, compiled, packages]) == [library, compiled, "/found", mine, packages]


@pytest.mark.e2e
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_nobody_else_can_write_where_it_is_unpacked(file: Path, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        started(file, tmp_path, "--version")
    finally:
        os.umask(before)
    (folder,) = (tmp_path / ".cache/kimberley").iterdir()
    assert {path.stat().st_mode & 0o777 for path in (folder, folder.parent, folder.parent.parent)} == {0o700}
    assert {path.stat().st_mode & 0o777 for path in folder.rglob("*.py")} == {0o600}


def test_any_number_unpack_it_at_once(tmp_path: Path) -> None:
    data = packed(**{f"file{number}": bytes([number]) * 10_000 for number in range(50)})
    with ThreadPoolExecutor(8) as pool:
        (folder,) = {Path(found) for found in pool.map(lambda _: unpack(data, str(tmp_path)), range(8))}
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == sorted(
        ["kimberley.pyz", *(f"file{number}.py" for number in range(50))]
    )


@pytest.mark.e2e
@pytest.mark.parametrize("damage", ["full", "file"])
def test_a_cache_that_cannot_be_written_is_said(damage: str, file: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    if damage == "file":
        (home / ".cache").write_text("")
        ran = started(file, home, "--version")
    else:
        limited = ["sh", "-c", 'ulimit -f 1 && exec "$@"', "sh"]
        environ = {"HOME": str(home), "PATH": os.environ["PATH"]}
        command = [*limited, sys.executable, "-I", "-S", str(file), "--version"]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environ, timeout=60)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert f"Kimberley in {home}/.cache/kimberley: " in ran.stderr
    assert "Traceback" not in ran.stderr
    left = list(home.rglob("tmp*"))
    assert left == []
