"""What a person is told about cryptography in pure Python: why it runs, and what to do."""

from __future__ import annotations

import tempfile

import pytest

from kimberley.client.session import crypto_notice
from kimberley.client.session.crypto_notice import pure_remedy
from kimberley.protocol.crypto.backend import PURE_PYTHON, VARIABLE

NO_PROGRAMS = "rbcl: libsodium.so: failed to map segment from shared object"


@pytest.fixture(autouse=True)
def pure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets pure Python make the proofs, since rbcl cannot load its library."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(crypto_notice, "in_use", lambda: (PURE_PYTHON, "cryptography 50"))
    monkeypatch.setattr(crypto_notice, "why_no_libsodium", lambda: (NO_PROGRAMS, "libsodium: the system has none"))


def test_a_temporary_folder_without_programs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crypto_notice, "is_installed", lambda _: True)
    said = pure_remedy()
    assert said.startswith(f"Not used: {NO_PROGRAMS}; libsodium: the system has none. ")
    assert tempfile.gettempdir() in said
    assert "set TMPDIR" in said


def test_what_is_not_installed_is_to_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crypto_notice, "is_installed", lambda _: False)
    assert pure_remedy().endswith("install libsodium, or the Python packages rbcl and cryptography.")


def test_who_asked_for_it_can_stop_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "pure")
    assert pure_remedy().startswith("KIMBERLEY_CRYPTO asks for it. Without that variable, ")
