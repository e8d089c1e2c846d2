"""The wheel that a seat in the browser runs on: what is in it, and what is refused."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from kimberley.client.cli import browser_runtime
from kimberley.client.cli.browser_runtime import LICENSE, NAME, VERSION, NpmPackage, fetch, is_needed, pack_wheel
from kimberley.client.cli.main import main
from kimberley.p2p.base.errors import UserError
from tests.support.paths import ROOT

FILES = {"pyodide.mjs": b"export {}", "python_stdlib.zip": bytes(1000), LICENSE: b"free"}


def npm_package(tmp_path: Path) -> bytes:
    """Returns what npm would fetch."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:gz") as archive:
        info = tarfile.TarInfo("package/a.mjs")
        info.size = 3
        archive.addfile(info, io.BytesIO(b"abc"))
    (tmp_path / "gem-1.0.tgz").write_bytes(written.getvalue())
    return hashlib.sha512(written.getvalue()).digest()


@pytest.mark.parametrize("right", [True, False])
def test_a_package_with_another_hash_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: bool) -> None:

    digest = npm_package(tmp_path) if right else bytes(64)
    npm_package(tmp_path)
    monkeypatch.setattr(subprocess, "run", lambda *arguments, **options: None)
    package = NpmPackage("gem", "1.0", base64.b64encode(digest).decode(), {"a.mjs": "b.mjs"})
    if right:
        assert fetch("npm", package, tmp_path) == {"b.mjs": b"abc"}
    else:
        with pytest.raises(UserError, match="not the one that was pinned"):
            fetch("npm", package, tmp_path)


def test_the_same_files_give_the_same_wheel_and_each_can_be_checked() -> None:
    wheel = pack_wheel(FILES)
    assert wheel == pack_wheel(dict(reversed(FILES.items())))
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        known = json.loads(archive.read(f"{NAME}/files/files.json"))
        assert set(known) == {"pyodide.mjs", "python_stdlib.zip"}
        for name, told in known.items():
            data = gzip.decompress(archive.read(f"{NAME}/files/{name}.gz"))
            assert told == {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
        recorded = archive.read(f"{NAME}-{VERSION}.dist-info/RECORD").decode().splitlines()
        assert {line.partition(",")[0] for line in recorded} == set(archive.namelist())


def test_the_extra_names_the_wheel_that_is_built() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = f"{NAME.replace('_', '-')}=={VERSION}"
    assert named in project["optional-dependencies"]["browser"]


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("asyncio/events.py", True),
        ("encodings/utf_8.py", True),
        ("encodings/cp1252.py", False),
        ("unittest/mock.py", False),
        ("pdb.py", False),
        ("asyncio/", False),
    ],
)
def test_what_no_page_needs_is_left_out(name: str, needed: bool) -> None:
    assert is_needed(name) is needed


@pytest.mark.parametrize("installer", ["pip", "uv", ""])
def test_it_is_installed_by_what_this_environment_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], installer: str
) -> None:
    typed: list[list[str]] = []
    monkeypatch.setattr(browser_runtime, "build", lambda work, out: tmp_path / "a.whl")
    monkeypatch.setattr(browser_runtime, "is_installed", lambda name: name == installer)
    monkeypatch.setattr(shutil, "which", lambda name: name if name == installer else None)
    monkeypatch.setattr(subprocess, "run", lambda line, check: typed.append(list(map(str, line))))
    if not installer:
        assert main(["browser", "install"]) == 1
        assert "Neither pip nor uv is available" in capsys.readouterr().err
        return
    assert main(["browser", "install"]) == 0
    own, wanted = typed
    assert own[-1] == str(tmp_path / "a.whl")
    assert {"kimberley-browser-runtime==314.0.7", "websockets>=16"} <= set(wanted)
    assert all(installer in line and sys.executable in line for line in typed)


def test_what_fails_is_a_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(work: Path, out: Path) -> Path:
        raise subprocess.CalledProcessError(1, ["/usr/bin/npm", "pack"])

    monkeypatch.setattr(browser_runtime, "build", fail)
    assert main(["browser", "install"]) == 1
    assert "Browser play could not be installed: npm failed." in capsys.readouterr().err
