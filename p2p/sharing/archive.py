"""Builds, from the running installation, what a friend without a copy gets: one file that Python runs, and a wheel.

The file is a zip archive that begins with a few bytes of Python. A line that fetches and checks the file runs these
bytes (`one_line`); Python itself runs the archive's `__main__.py`, which they run, too. It holds this package, without
what only its owner needs, and the packages that a player needs, in pure Python: compiled parts are left out, and the
packages work without them. The same installation always gives the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.installation import SHARED_FILE, shared_file
from kimberley.p2p.sharing.launcher import DIGITS
from kimberley.p2p.storage.files import read_file
from kimberley.protocol.words import spell

PACKAGE: Final = "kimberley"
PARTS: Final = ("client", "games", "p2p", "protocol")
NEEDED: Final[Mapping[str, str]] = {
    "confusable-homoglyphs": "confusable_homoglyphs",
    "ifaddr": "ifaddr",
    "msgpack": "msgpack",
    "platformdirs": "platformdirs",
    "prompt_toolkit": "prompt_toolkit",
    "segno": "segno",
    "wcwidth": "wcwidth",
    "zeroconf": "zeroconf",
}
"""The packages that every player needs: the name of each, and of its folder."""
LEFT_OUT: Final = (
    "client/browser/*",
    "client/web/*",
    "client/cli/compile_stdlib.mjs",
    *(f"client/cli/{name}.py" for name in ("browser_runtime", "listen")),
    *(
        f"client/audio/{name}.py"
        for name in ("__main__", "arranger", "audio_file", "audio_format", "block_queue", "effects")
    ),
    *(f"client/audio/{name}.py" for name in ("mixer", "output", "performance", "player", "players", "renderer")),
    *(f"client/audio/{name}.py" for name in ("reverb", "stream", "suite_piece", "synth", "title", "voices")),
    *(f"client/boards/*/{name}.py" for name in ("music", "suite")),
)
"""Patterns of the parts of this package for pages and for playing sound. Commands that need them say so, and a copy is
silent.
"""
SUFFIXES: Final = frozenset({".css", ".html", ".js", ".json", ".jsonl", ".mjs", ".py", ".svg", ".txt", ".typed"})
"""What belongs to a program. Whatever else lies in its folders, such as a key or the copy of an editor, is left out."""
BEGINNING: Final = (
    b"#!/usr/bin/env python3\nimport io,zipfile;archive=d;exec(zipfile.ZipFile(io.BytesIO(d)).read('__main__.py'))\n"
)
"""Finds the whole file in the variable `d`, checked."""
BEGINNING_SIZE: Final = 128
WORD_COUNT: Final = 8
MOST_BYTES: Final = 9**8
"""The most bytes of the file, and of each file in it: the line that fetches it accepts no more (`one_line`)."""
FIRST_DATE: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest date that a zip archive can hold. Nothing says when a file was built."""
REGULAR_FILE: Final = 0o100644
UNIX: Final = 3


@dataclass(frozen=True)
class SharedFile:
    """A file for a friend."""

    name: str
    data: bytes

    @cached_property
    def sha256(self) -> bytes:
        return hashlib.sha256(self.data).digest()

    @property
    def digits(self) -> str:
        """The first 88 bits of its SHA-256, in hexadecimal."""
        return self.sha256.hex()[:DIGITS]

    @property
    def words(self) -> tuple[str, ...]:
        """The same 88 bits as eight words, to be read aloud."""
        return spell(self.sha256, WORD_COUNT)


def build_archive() -> SharedFile:
    """Builds the one file that is the whole program. A program that runs from such a file passes that file on.

    Takes a second. Raises UserError if a package of this installation is not there as files.
    """
    if (own := shared_file()) is not None:
        return SharedFile(SHARED_FILE, read_file(own, MOST_BYTES))
    files = dict(own_files(LEFT_OUT))
    files["__main__.py"] = files[f"{PACKAGE}/p2p/sharing/launcher.py"]
    files |= own_metadata()
    for name, folder in NEEDED.items():
        files |= package_files(name, folder)
    return SharedFile(SHARED_FILE, zipped(files, BEGINNING.ljust(BEGINNING_SIZE - 1, b"#") + b"\n"))


def build_wheel() -> SharedFile | None:
    """Builds this package for pip. None if this program runs from a shared file, which does not hold all of it. Raises
    UserError.
    """
    if shared_file() is not None:
        return None
    version = distribution(PACKAGE).version
    info = f"{PACKAGE}-{version}.dist-info"
    files = dict(own_files()) | own_metadata()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: kimberley\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    lines = [f"{name},{_record_hash(data)},{len(data)}\n" for name, data in sorted(files.items())]
    files[f"{info}/RECORD"] = "".join([*lines, f"{info}/RECORD,,\n"]).encode()
    return SharedFile(f"{PACKAGE}-{version}-py3-none-any.whl", zipped(files))


def own_files(left_out: tuple[str, ...] = ()) -> Iterator[tuple[str, bytes]]:
    """Yields each file of this package by its name within an installation. Raises UserError."""
    root = Path(__file__).parents[2]
    for part in PARTS:
        for path, data in _files(root / part):
            inside = f"{part}/{path}"
            if not any(fnmatchcase(inside, pattern) for pattern in left_out):
                yield f"{PACKAGE}/{inside}", data


def own_metadata() -> dict[str, bytes]:
    """Returns what this package says about itself: its version, its games."""
    return _metadata(PACKAGE, ("METADATA", "entry_points.txt"))


def package_files(name: str, folder: str) -> dict[str, bytes]:
    """Returns the files of a package that this one needs, by their names within an installation. Raises UserError."""
    root = Path(str(distribution(name).locate_file(folder)))
    return {f"{folder}/{path}": data for path, data in _files(root)} | _metadata(name, ("METADATA",))


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yields each file of a program below a folder, by its path. Raises UserError if there is none.

    A link that leads out of the folder is left out.
    """
    has_files = False
    home = folder.resolve()
    for path in folder.rglob("*"):
        inside = path.relative_to(folder)
        if path.suffix not in SUFFIXES or any(part.startswith((".", "__pycache__")) for part in inside.parts):
            continue
        if path.is_file() and path.resolve().is_relative_to(home):
            has_files = True
            yield inside.as_posix(), read_file(path, MOST_BYTES)
    if not has_files:
        raise UserError(f"{folder} is empty, so this program cannot be shared. Reinstall it.")


def _metadata(name: str, wanted: Iterable[str]) -> dict[str, bytes]:
    """Returns what an installed package says about itself, and its licenses."""
    package = distribution(name)
    folder = f"{name.replace('-', '_')}-{package.version}.dist-info"
    licenses: list[str] = package.metadata.get_all("License-File") or []
    texts = {one: package.read_text(one) for one in wanted}
    for one in licenses:
        # Older packages have them next to the other files.
        texts[f"licenses/{one}"] = package.read_text(f"licenses/{one}") or package.read_text(one)
    return {f"{folder}/{path}": text.encode() for path, text in texts.items() if text is not None}


def _record_hash(data: bytes) -> str:
    return f"sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()}"


def zipped(files: Mapping[str, bytes], beginning: bytes = b"") -> bytes:
    """Returns a zip archive that depends on nothing else, after these bytes."""
    written = io.BytesIO()
    written.write(beginning)
    with zipfile.ZipFile(written, "a", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(name, FIRST_DATE)
            info.external_attr, info.create_system = REGULAR_FILE << 16, UNIX
            archive.writestr(info, data, zipfile.ZIP_DEFLATED, 9)
    return written.getvalue()
