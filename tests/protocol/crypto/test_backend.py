"""Which libraries do the work, and what is said where one is missing."""

from __future__ import annotations

import ctypes.util
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from kimberley.protocol.crypto import backend, libsodium, openssl, portable
from kimberley.protocol.crypto.backend import PURE_PYTHON, CryptoUnavailable
from kimberley.protocol.crypto.windowed import WINDOWED
from tests.support.backends import IN_PAGE, install_as_system_library, system_library
from tests.support.paths import ROOT

CHOICES: Final = (backend.group, backend.primitives, backend.libsodium_or_reasons, backend.openssl_or_reason)


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lets each test choose anew; no choice outlives it."""
    monkeypatch.delenv(backend.VARIABLE, raising=False)
    for choice in CHOICES:
        choice.cache_clear()
    yield
    for choice in CHOICES:
        choice.cache_clear()


def without_rbcl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rbcl", None)


def without_cryptography(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, openssl.__name__, None)
    monkeypatch.delattr(sys.modules["kimberley.protocol.crypto"], "openssl")


def test_libsodium_by_rbcl_and_openssl_come_first() -> None:
    assert isinstance(backend.primitives(), type(openssl))
    assert backend.group().mul(2, backend.group().base(3)) == WINDOWED.base(6)
    group, primitives = backend.in_use()
    assert group.startswith("libsodium 1.")
    assert group.endswith("(rbcl)")
    assert primitives.startswith("cryptography ")


@pytest.mark.parametrize(
    ("system", "place"),
    [
        ("linux", "libsodium.so.23"),  # Debian 12
        ("linux", "libsodium.so.26"),  # Debian 13, Alpine
        ("android", "libsodium.so"),  # Termux
        ("darwin", f"{sys.prefix}/lib/libsodium.dylib"),  # Conda
        ("darwin", "/opt/homebrew/lib/libsodium.dylib"),
        ("darwin", "/usr/local/lib/libsodium.dylib"),
        ("darwin", "/opt/local/lib/libsodium.dylib"),
        ("win32", r"C:\msys64\ucrt64\bin\libsodium-26.dll"),
    ],
)
def test_the_system_s_libsodium_comes_next(
    system: str, place: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    without_rbcl(monkeypatch)
    monkeypatch.setattr(sys, "platform", system)
    folder, _, name = place.rpartition("\\")
    # As on Windows: it looks for NAME.dll in the folders of PATH.
    monkeypatch.setattr(ctypes.util, "find_library", lambda asked: place if folder and name == f"{asked}.dll" else None)
    install_as_system_library(monkeypatch, system_library(tmp_path), place)
    assert backend.group().base(5) == WINDOWED.base(5)
    assert backend.in_use()[0].endswith(f"({place})")


@pytest.mark.parametrize(
    ("system", "found"), [("win32", "libsodium-26.dll"), ("win32", r".\libsodium.dll"), ("darwin", "")]
)
def test_a_library_in_the_current_folder_is_not_loaded(
    system: str, found: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    without_rbcl(monkeypatch)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(ctypes.util, "find_library", lambda _: found)
    install_as_system_library(monkeypatch, system_library(tmp_path), found or "libsodium.dylib")
    assert backend.in_use()[0] == PURE_PYTHON


class Panic(BaseException):
    """An error such as a broken extension in Rust raises."""


@pytest.mark.parametrize("error", [RuntimeError("OpenSSL 3's legacy provider"), SystemError("init"), Panic("panicked")])
def test_a_cryptography_that_cannot_be_loaded_is_passed_over(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def __getattr__(self, _name: str) -> object:
            raise error

    monkeypatch.setattr(sys.modules["kimberley.protocol.crypto"], "openssl", Broken())
    assert isinstance(backend.primitives(), libsodium.Libsodium)
    assert backend.passed_over() == str(error)
    assert "cryptography" not in backend.in_use()[1]


def test_an_old_cryptography_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def public(_secret: bytes) -> bytes:
        raise AttributeError("no attribute 'public_bytes_raw'")

    monkeypatch.setattr(openssl, "public", public)
    assert isinstance(backend.primitives(), libsodium.Libsodium)
    assert "public_bytes_raw" in str(backend.passed_over())


def test_a_cryptography_that_is_not_there_is_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    without_cryptography(monkeypatch)
    assert backend.passed_over() is None


def test_no_other_module_of_that_name_is_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_rbcl(monkeypatch)
    (tmp_path / "_sodium.py").write_text("raise SystemExit('a stranger was loaded')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(libsodium.LibsodiumMissing):
        libsodium.from_rbcl()


@pytest.mark.parametrize("text", [None, "", "_sodium = None", "raise OSError('no room')"])
def test_an_rbcl_that_loads_nothing_is_passed_over(
    text: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "rbcl").mkdir()
    (tmp_path / "rbcl" / "__init__.py").touch()
    if text is not None:
        (tmp_path / "rbcl" / "_sodium.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "rbcl", raising=False)
    install_as_system_library(monkeypatch, None)
    assert backend.group() is WINDOWED


def test_a_python_without_ctypes_computes_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, libsodium.__name__, None)
    monkeypatch.delattr(sys.modules["kimberley.protocol.crypto"], "libsodium")
    assert backend.group() is WINDOWED
    assert isinstance(backend.primitives(), type(openssl))


@pytest.mark.parametrize("usable", [None, "no library", "a library without the group"])
def test_pure_python_comes_last(usable: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_rbcl(monkeypatch)
    path = tmp_path / "libsodium.so"
    path.write_bytes(b"no library")
    if usable == "a library without the group":
        path = Path(sys.modules["_ctypes"].__file__ or "")
    install_as_system_library(monkeypatch, path if usable else None)
    assert backend.group() is WINDOWED
    assert backend.in_use()[0] == PURE_PYTHON
    assert isinstance(backend.primitives(), type(openssl))


def test_without_cryptography_libsodium_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    without_cryptography(monkeypatch)
    assert isinstance(backend.primitives(), libsodium.Libsodium)
    assert len(set(backend.in_use())) == 1


def test_without_any_of_them_pure_python_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    without_cryptography(monkeypatch)
    without_rbcl(monkeypatch)
    install_as_system_library(monkeypatch, None)
    assert backend.primitives() is portable
    assert backend.in_use() == (PURE_PYTHON, PURE_PYTHON)
    assert [reason.partition(":")[0] for reason in backend.why_no_libsodium()] == ["rbcl", "libsodium"]


def test_pure_python_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(backend.VARIABLE, "pure")
    backend.check()
    assert backend.group() is WINDOWED
    assert backend.primitives() is portable


def test_libsodium_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(backend.VARIABLE, "libsodium")
    backend.check()
    assert isinstance(backend.primitives(), libsodium.Libsodium)
    assert backend.group() is not WINDOWED


def test_an_empty_variable_asks_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(backend.VARIABLE, "")
    assert isinstance(backend.primitives(), type(openssl))


def test_what_is_unknown_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(backend.VARIABLE, "openssl")
    with pytest.raises(CryptoUnavailable, match="'openssl', but can only be 'libsodium' or 'pure'"):
        backend.check()


def test_what_is_unknown_cannot_change_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(backend.VARIABLE, "a\x1b[31mb")
    with pytest.raises(CryptoUnavailable, match=r"^KIMBERLEY_CRYPTO is 'a\?\[31mb'"):
        backend.check()


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(backend.VARIABLE, "libsodium")
    without_rbcl(monkeypatch)
    install_as_system_library(monkeypatch, None)
    with pytest.raises(CryptoUnavailable, match=r"rbcl: .*the system has none.* set KIMBERLEY_CRYPTO to 'pure'"):
        backend.check()


def test_a_temporary_folder_that_allows_no_programs_is_no_obstacle(tmp_path: Path) -> None:
    """Rbcl writes its library there, and loading it fails. Nothing of it stays."""
    script = """
import ctypes, sys, tempfile
tempfile.tempdir = sys.argv[1]
def refuse(path):
    raise OSError(f"{path}: failed to map segment from shared object")
ctypes.cdll.LoadLibrary = ctypes.CDLL = refuse
from kimberley.protocol.crypto.ristretto import RISTRETTO
print(RISTRETTO.base(0).hex())
"""
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, str(tmp_path)], cwd=ROOT, capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "00" * 32 + "\n", "")
    assert list(tmp_path.iterdir()) == []


def test_a_copy_that_a_platform_brings_does_everything_unless_pure_python_must(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "openssl_or_reason", cache(lambda: None))
    backend.bring(IN_PAGE)
    try:
        assert backend.group() is IN_PAGE.group
        assert backend.primitives() is IN_PAGE
        assert backend.in_use() == (f"libsodium {IN_PAGE.version} (WebAssembly)",) * 2
        monkeypatch.setenv(backend.VARIABLE, "pure")
        backend.bring(IN_PAGE)
        assert backend.group() is WINDOWED
    finally:
        backend.bring(None)
