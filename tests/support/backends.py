"""Every implementation of the cryptography that can run on this machine, by name."""

from __future__ import annotations

import ctypes
import re
from contextlib import suppress
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

import pytest

from kimberley.protocol.crypto import libsodium, openssl, portable
from kimberley.protocol.crypto.backend import Primitives
from kimberley.protocol.crypto.group import Group
from kimberley.protocol.crypto.pure import PURE
from kimberley.protocol.crypto.wasm_sodium import libsodium_of
from kimberley.protocol.crypto.windowed import WINDOWED
from tests.support.wasm_sodium import PretendModule

RBCL: Final = libsodium.from_rbcl()
IN_PAGE: Final = libsodium_of(PretendModule(RBCL.library), lambda: None)
RISTRETTOS: Final[dict[str, Group]] = {
    "libsodium": RBCL.group,
    "in-page": IN_PAGE.group,
    "windowed": WINDOWED,
    "oracle": PURE,
}
PRIMITIVES: Final[dict[str, Primitives]] = {
    "openssl": openssl,
    "libsodium": RBCL,
    "in-page": IN_PAGE,
    "pure": portable,
}
with suppress(libsodium.LibsodiumMissing):
    SYSTEM: Final = libsodium.from_system()
    RISTRETTOS["system"], PRIMITIVES["system"] = SYSTEM.group, SYSTEM


def system_library(folder: Path) -> Path:
    """Returns a libsodium as a system has it: a file, here with the bytes that rbcl contains."""
    path = folder / "libsodium.so"
    # rbcl does not give its library to others, but has it there as text.
    source = Path(str(distribution("rbcl").locate_file("rbcl/_sodium.py"))).read_text("ascii")
    digits = re.search(r"fromhex\('([0-9a-f]+)'\)", source)
    assert digits is not None
    path.write_bytes(bytes.fromhex(digits[1]))
    return path


def install_as_system_library(monkeypatch: pytest.MonkeyPatch, path: Path | None, place: str = "") -> None:
    """Lets the loader find this libsodium when it is asked for `place`, by default anywhere; without a path, never."""
    load = ctypes.CDLL

    def find(asked: str) -> ctypes.CDLL:
        if path is None or place not in ("", asked):
            raise OSError(f"{asked}: cannot open shared object file: No such file or directory")
        return load(str(path))

    monkeypatch.setattr(ctypes, "CDLL", find)
