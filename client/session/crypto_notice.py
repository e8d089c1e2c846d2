"""Which cryptography runs on this machine, for people."""

from __future__ import annotations

import os
from typing import Final

from kimberley.p2p.base.extras import is_installed
from kimberley.protocol.crypto.backend import PURE_PYTHON, VARIABLE, in_use, why_no_libsodium

PURE_NOTICE: Final = (
    "Pure Python is slower, and its timing can leak: someone who measures it may learn about your secrets."
)
INSTALL: Final = "To fix both, install libsodium, or the Python packages rbcl and cryptography."


def crypto_in_use() -> str:
    """Returns the libraries, such as "libsodium 1.0.18 (rbcl) for proofs, cryptography 50.0.2 for signatures"."""
    proofs, signatures = in_use()
    return proofs if proofs == signatures else f"{proofs} for proofs, {signatures} for signatures"


def runs_pure_python() -> bool:
    """Returns whether pure Python does some of the work."""
    return PURE_PYTHON in in_use()


def pure_remedy() -> str:
    """Returns why pure Python runs, and what to do about it."""
    if os.environ.get(VARIABLE):
        return f"{VARIABLE} asks for it. Without that variable, Kimberley uses the best available here."
    if in_use()[0] != PURE_PYTHON:
        return INSTALL
    reasons = f"Not used: {'; '.join(why_no_libsodium())}."
    if not is_installed("rbcl"):
        return f"{reasons} {INSTALL}"
    from kimberley.p2p.storage.files import StorageError, temporary_folder

    try:
        folder = temporary_folder()
    except StorageError as error:
        return f"{reasons} rbcl needs a temporary folder. {error}"
    return (
        f"{reasons} rbcl loads its library from the temporary folder, {folder}, which may not allow programs to run: "
        "set TMPDIR to a folder that does, or install libsodium."
    )
