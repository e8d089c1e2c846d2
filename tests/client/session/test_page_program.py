"""What a page gets: a program that can start there, and files that one hash stands for; or the line to type."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path, PurePosixPath

import pytest

from kimberley.p2p.base.extras import MissingExtra, install_line
from kimberley.p2p.sharing import page_program
from kimberley.p2p.sharing.page_program import (
    LIST,
    PLAYING,
    PROGRAM,
    SERVICE_WORKER,
    PageProgram,
    build_page_program,
    own_page_files,
    with_runtime,
)
from tests.support.pretend_runtime import pretend_runtime

LACKING = (
    *("cmd", "curses", "dbm", "doctest", "ensurepip", "fcntl", "grp", "msvcrt", "multiprocessing", "optparse", "pdb"),
    *("plistlib", "pty", "pwd", "pydoc", "readline", "resource", "sched", "shelve", "smtplib", "syslog", "termios"),
    *("tkinter", "tomllib", "turtle", "unittest", "venv", "wave", "webbrowser", "winreg", "wsgiref", "xmlrpc"),
)
"""What Python has elsewhere, and not in a page."""
LATE = {
    "kimberley.games.diamond_trust.": "numpy",
    "kimberley.protocol.crypto.openssl": "cryptography",
}
"""The beginnings of the names of modules that nobody imports where a package is missing, and the package: the bot does
without numpy, and the choice of a library tries cryptography.
"""
IMPORTS = """
import importlib, sys
sys.modules.update(dict.fromkeys(sys.argv[2].split(","))) # importing those fails
sys.path.insert(0, sys.argv[1])
for name in sys.stdin.read().split():
    try:
        importlib.import_module(name)
    except ImportError as error:
        print(name, error.name)
"""


@pytest.fixture(scope="module")
def own() -> dict[str, bytes]:
    return own_page_files()


@pytest.fixture
def program(own: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PageProgram:
    """Returns a program with a runtime of one file."""
    pretend_runtime(tmp_path, monkeypatch)
    return with_runtime(own)


@pytest.mark.slow
def test_all_of_it_can_be_imported_without_what_a_page_lacks(own: dict[str, bytes], tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(own[PROGRAM])) as archive:
        archive.extractall(tmp_path)
        files = [PurePosixPath(name) for name in archive.namelist() if name.startswith("kimberley/")]
    names = [".".join(file.with_suffix("").parts).removesuffix(".__init__") for file in files if file.suffix == ".py"]
    assert "kimberley.client.browser.start" in names
    done = subprocess.run(
        [sys.executable, "-ISB", "-c", IMPORTS, str(tmp_path), ",".join(LACKING)],
        input="\n".join(names), capture_output=True, text=True, check=True,
    )  # fmt: skip
    missing = [line.split() for line in done.stdout.splitlines()]
    assert [(name, lacks) for name, lacks in missing if not _is_late(name, lacks)] == []


def _is_late(name: str, lacks: str) -> bool:
    return any(name.startswith(start) and lacks == package for start, package in LATE.items())


@pytest.mark.slow
def test_the_hash_in_the_link_stands_for_all_files(program: PageProgram, own: dict[str, bytes]) -> None:
    served = program.served_by(bytes(range(32)))
    listed = gzip.decompress(served[f"/play/{LIST}"].data)
    assert hashlib.sha256(listed).digest() == program.sha256
    known = json.loads(listed)
    assert set(known) == {*own, "python.wasm"}
    for name, told in known.items():
        file = served[f"/play/{name}"]
        data = gzip.decompress(file.data) if ("Content-Encoding", "gzip") in file.headers else file.data
        assert told == {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
    assert served["/p"] == served["/play/index.html"]
    digits = hashlib.sha256(program.sha256 + bytes(range(32))).hexdigest()[:22]
    assert program.link("http://192.168.1.7:7480", bytes(range(32))) == f"http://192.168.1.7:7480/p#{digits}"
    assert served["/play/host"].data == bytes(range(32)).hex().encode()


@pytest.mark.slow
@pytest.mark.nightly
def test_the_same_installation_gives_the_same_files(own: dict[str, bytes]) -> None:
    assert own_page_files() == own


@pytest.mark.slow
def test_what_is_asked_for_by_its_hash_may_be_kept(program: PageProgram) -> None:
    def kept(name: str) -> bool:
        return page_program.FOREVER in program.files[f"/play/{name}"].headers

    assert kept("python.wasm")
    assert kept(PROGRAM)
    assert kept(SERVICE_WORKER)
    assert not kept(LIST)
    assert not kept("index.html")


def test_without_the_runtime_the_line_to_type_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kimberley_browser_runtime", None)
    with pytest.raises(MissingExtra) as missing:
        build_page_program()
    wanted = f"{PLAYING} needs more packages. Install them: {install_line('browser')}"
    assert str(missing.value) == wanted
