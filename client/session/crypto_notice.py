"""Which cryptography runs on this machine, for people."""

from __future__ import annotations

from typing import Final

from kimberley.protocol.crypto.backend import PURE_PYTHON, in_use

PURE_NOTICE: Final = (
    "Pure Python is slower, and not constant in time: somebody who measures how long it takes may learn about your "
    "secrets."
)
PURE_REMEDY: Final = "To avoid both, install libsodium, or the Python packages rbcl and cryptography."


def crypto_in_use() -> str:
    """The libraries, such as "libsodium 1.0.18 (rbcl) for proofs, cryptography 50.0.2 for signatures"."""
    proofs, signatures = in_use()
    return proofs if proofs == signatures else f"{proofs} for proofs, {signatures} for signatures"


def runs_pure_python() -> bool:
    """Whether pure Python does some of the work."""
    return PURE_PYTHON in in_use()
