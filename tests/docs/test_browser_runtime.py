"""The wheel that a seat in the browser runs on: what is in it, and what is refused."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import subprocess
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.tools import browser_runtime
from tests.tools.browser_runtime import LICENSE, NAME, VERSION, BuildFailed, NpmPackage, fetched, is_needed, wheel_of

FILES = {"pyodide.mjs": b"export {}", "python_stdlib.zip": bytes(1000), LICENSE: b"free"}


def npm_package(tmp_path: Path) -> bytes:
    """What npm would fetch."""
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
        assert fetched("npm", package, tmp_path) == {"b.mjs": b"abc"}
    else:
        with pytest.raises(BuildFailed, match="not the one that was pinned"):
            fetched("npm", package, tmp_path)


def test_the_same_files_give_the_same_wheel_and_each_can_be_checked() -> None:
    wheel = wheel_of(FILES)
    assert wheel == wheel_of(dict(reversed(FILES.items())))
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
    assert named in project["optional-dependencies"][browser_runtime.EXTRA]


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
