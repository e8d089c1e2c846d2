"""What a page gets: a program that can start there, and files that one hash stands for; or the line to type."""

from __future__ import annotations

import ast
import gzip
import hashlib
import io
import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from kimberley.p2p.base.extras import MissingExtra, install_line
from kimberley.p2p.sharing import page_program
from kimberley.p2p.sharing.page_program import (
    LIST,
    NEEDED,
    PROGRAM,
    SERVICE_WORKER,
    PageProgram,
    build_page_program,
    own_page_files,
    with_runtime,
)
from tests.support.pretend_runtime import pretend_runtime

LATE = {
    "kimberley.p2p.sharing.launcher": "runs by itself",
    "kimberley.games.diamond_trust": "numpy is asked for by the bot, which does without",
    "kimberley.protocol.crypto.openssl": "the choice of a library tries it",
}
"""Modules that nobody imports where what they need is missing, and why."""


@pytest.fixture(scope="module")
def own() -> dict[str, bytes]:
    return own_page_files()


@pytest.fixture
def program(own: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PageProgram:
    """With a runtime of one file."""
    pretend_runtime(tmp_path, monkeypatch)
    return with_runtime(own)


def imported_at_once(tree: ast.AST) -> Iterator[str]:
    """The modules that importing this one imports."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str() as module, names=names):
                yield module
                yield from (f"{module}.{name.name}" for name in names)
            case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.FunctionDef() | ast.AsyncFunctionDef():
                pass
            case _:
                yield from imported_at_once(node)


@pytest.mark.slow
def test_nothing_in_it_needs_what_is_not_in_it(own: dict[str, bytes]) -> None:
    with zipfile.ZipFile(io.BytesIO(own[PROGRAM])) as archive:
        texts = {name: archive.read(name) for name in archive.namelist() if name.endswith(".py")}
    there = {".".join(PurePosixPath(name).with_suffix("").parts).removesuffix(".__init__") for name in texts}
    packages = {*NEEDED.values(), *sys.stdlib_module_names}
    missing = {}
    for name, text in texts.items():
        module = ".".join(PurePosixPath(name).with_suffix("").parts).removesuffix(".__init__")
        if not name.startswith("kimberley/") or any(module.startswith(late) for late in LATE):
            continue
        for wanted in imported_at_once(ast.parse(text)):
            own_name = wanted if wanted in there else wanted.rpartition(".")[0]
            if wanted.partition(".")[0] != "kimberley":
                if wanted.partition(".")[0] not in packages:
                    missing[module] = wanted
            elif own_name not in there:
                missing[module] = wanted
    assert missing == {}


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
def test_the_same_installation_gives_the_same_files(own: dict[str, bytes]) -> None:
    assert own_page_files() == own


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
    wanted = f"A seat in the browser needs more packages. Install them: {install_line('browser')}"
    assert str(missing.value) == wanted
