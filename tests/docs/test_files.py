"""All that p2p/ and client/ read from a disk is read in one place (`p2p.storage.files`), within a limit that
tests/attacks/README.md lists.

The conformance suite reads its own files, so it is left out.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.docs.test_one_place import FOLDERS, full_name, imported, modules
from tests.support.paths import ROOT
from tests.tools.house import parsed

PLACE: Final = "p2p/storage/files.py"
UNITS: Final = {"bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
LIMITED: Final = {
    f"kimberley.p2p.storage.files.{name}": 1
    for name in ("check_file", "open_to_read", "read", "read_file", "read_handle")
}
"""What reads within a limit, and which argument that is."""
READERS: Final = {
    "builtins.open",
    "codecs.open",
    "fileinput.input",
    "gzip.open",
    "io.FileIO",
    "io.open",
    "io.open_code",
    "json.load",
    "linecache.getlines",
    "numpy.fromfile",
    "numpy.load",
    "numpy.loadtxt",
    "numpy.memmap",
    "os.open",
    "pickle.load",
    "shutil.copy",
    "shutil.copy2",
    "shutil.copyfile",
    "shutil.copytree",
    "soundfile.read",
    "sqlite3.connect",
    "starlette.responses.FileResponse",
    "starlette.staticfiles.StaticFiles",
    "tarfile.open",
    "tomllib.load",
    "wave.open",
    "zipfile.ZipFile",
}
"""By their full names: what opens a file that it is given by name, or reads one that is open."""
READING_METHODS: Final = {"read_bytes", "read_text"}
MODE: Final = re.compile("[rwxabt+]{1,4}")
WRITING: Final = re.compile("[wxa]b?")
OPENED: Final = {"_door", "_endpoint", "_listener", "_server", "audio", "listener", "page", "self", "space", "tables"}
"""What is opened without an argument and is no path."""

ALLOWED: Final = {
    PLACE: {"builtins.open", "os.open"},
    # The program's own files, beside its modules.
    "referee/pages/site.py": {"read_bytes", "starlette.responses.FileResponse"},
    "p2p/sharing/page_program.py": {"read_bytes"},
    # What is installed says of itself.
    "p2p/base/extras.py": {"read_text"},
    "p2p/sharing/archive.py": {"read_text", "zipfile.ZipFile"},  # The archive is written.
    # What npm has just fetched, compared with the hash that was pinned, and what is made of that.
    "client/cli/browser_runtime.py": {"read_bytes", "tarfile.open", "zipfile.ZipFile"},
    # A game that is written as text, and no file.
    "client/boards/game_board.py": {"read_text"},
    "client/cli/replay.py": {"read_text"},
    # Folders are synced, and nothing is read.
    "p2p/base/platform.py": {"os.open"},
    # Nothing is read from there.
    "client/cli/streams.py": {"builtins.open", "os.open"},
    "client/audio/output.py": {"os.open"},
    # With a handle from the one place.
    "p2p/storage/logfile.py": {"builtins.open"},
    # SQLite opens its files itself, after `check_file`; so does Starlette (site.py).
    "referee/store.py": {"sqlite3.connect"},
    # It runs before there is anything of ours to import. What it reads has the size that its archive states.
    "p2p/sharing/launcher.py": {"builtins.open", "zipfile.ZipFile"},
    # What the program itself says to its process for audio.
    "client/audio/commands.py": {"pickle.load"},
    # It is written into memory.
    "client/audio/audio_file.py": {"wave.open"},
    # What is written to the memory of a page.
    "client/browser/mirror.py": {".open"},
}


def _mode(node: ast.Call) -> str:
    """The mode with which a method opens a file; empty for what opens something else."""
    words = {word.arg: word.value for word in node.keywords}
    first = words.get("mode", node.args[0] if node.args else None)
    if isinstance(first, ast.IfExp):
        modes = [one.value if isinstance(one, ast.Constant) else None for one in (first.body, first.orelse)]
        return "r" if all(isinstance(mode, str) and MODE.fullmatch(mode) for mode in modes) else ""
    if isinstance(first, ast.Constant) and isinstance(first.value, str) and MODE.fullmatch(first.value):
        return first.value
    if first is not None or {"encoding", "errors", "buffering"}.isdisjoint(words):
        owner = node.func.value if isinstance(node.func, ast.Attribute) else node.func
        name = owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""
        return "" if first is not None or name in OPENED or name[:1].isupper() else "r"
    return "r"


def reads(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yields everything in a module that reads from a disk by itself, and the line."""
    names = imported(tree) | {"open": "builtins.open"}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = full_name(node.func, names)
        if name in READERS:
            yield name, node.lineno
        elif isinstance(node.func, ast.Attribute) and name.partition(".")[0] != "kimberley":
            called = node.func.attr
            packaged = any(
                isinstance(inner, ast.Call) and full_name(inner.func, names) == "importlib.resources.files"
                for inner in ast.walk(node.func.value)
            )
            if called in READING_METHODS and not packaged:
                yield called, node.lineno
            elif called == "open" and (mode := _mode(node)) and not WRITING.fullmatch(mode):
                yield ".open", node.lineno


def limits(path: Path) -> Iterator[tuple[str, int]]:
    """Yields the limit of each file that a module reads, as the full name of a constant, and the line."""
    tree = parsed(path)
    names = imported(tree)
    own = f"kimberley.{path.relative_to(ROOT).with_suffix('').as_posix().replace('/', '.')}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (at := LIMITED.get(full_name(node.func, names))) is not None:
            words = {word.arg: word.value for word in node.keywords}
            given = words.get("most", node.args[at] if len(node.args) > at else None)
            named = ast.unparse(given) if given is not None else "no limit"
            yield (full_name(given, names) if given is not None else "") or f"{own}.{named}", node.lineno


def listed() -> dict[str, int]:
    """Returns the limits that tests/attacks/README.md lists, in bytes, by the full name of their constant."""
    page = (ROOT / "tests" / "attacks" / "README.md").read_text()
    rows = re.findall(r"^\| [^|]+ \| (\d+) (\w+) \| `([\w.]+)` \|$", page, re.MULTILINE)
    return {f"kimberley.{name}": int(size) * UNITS[unit] for size, unit, name in rows}


@pytest.mark.slow
def test_every_file_is_read_in_one_place() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in modules(*FOLDERS)
        for name, line in reads(parsed(path))
        if name not in ALLOWED.get(str(path.relative_to(ROOT)), set())
    ]
    assert found == [], "use kimberley.p2p.storage.files: read, read_file, open_to_read, check_file"


@pytest.mark.slow
def test_every_limit_is_listed_and_no_other() -> None:
    used = {name for path in modules(*FOLDERS) if str(path.relative_to(ROOT)) != PLACE for name, _ in limits(path)}
    constants = {}
    for name in listed():
        module, _, constant = name.rpartition(".")
        constants[name] = getattr(importlib.import_module(module), constant)
    assert constants == listed()
    # A constant that was imported from elsewhere is listed where it is defined.
    assert {_home(name) for name in used} == set(listed())


def _home(name: str) -> str:
    """The full name of a constant where it is defined."""
    module, _, constant = name.rpartition(".")
    names = imported(parsed(ROOT / f"{module.removeprefix('kimberley.').replace('.', '/')}.py"))
    return _home(names[constant]) if constant in names else name


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("open(path)", "builtins.open"),
        ("path.read_text('utf-8')", "read_text"),
        ("(folder / FILE).read_bytes()", "read_bytes"),
        ("path.open()", ".open"),
        ("path.open('rb')", ".open"),
        ("path.open('r+b')", ".open"),
        ("path.open(encoding='utf-8')", ".open"),
        ("path.open('r+b' if offset else 'wb')", ".open"),
        ("import json\njson.load(file)", "json.load"),
        ("from json import load\nload(file)", "json.load"),
        ("import numpy as np\nnp.load(path)", "numpy.load"),
        ("import os\nos.open(path, os.O_RDONLY)", "os.open"),
        ("import sqlite3\nsqlite3.connect(path)", "sqlite3.connect"),
    ],
)
def test_the_search_finds_it(source: str, name: str) -> None:
    assert name in {found for found, _ in reads(ast.parse(source))}


@pytest.mark.parametrize(
    "source",
    [
        "path.open('wb')",
        "path.open('ab')",
        "self.audio.open()",
        "Table.open(port)",
        "from importlib.resources import files\nfiles('kimberley').joinpath('x').read_text('utf-8')",
    ],
)
def test_the_search_leaves_out(source: str) -> None:
    assert list(reads(ast.parse(source))) == []
