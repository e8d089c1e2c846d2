"""Whether the cryptography that a user asks for is available."""

from __future__ import annotations

import os


def check_crypto() -> None:
    """Raises UserError if KIMBERLEY_CRYPTO asks for something that is not available here."""
    if "KIMBERLEY_CRYPTO" not in os.environ:
        return
    from kimberley.p2p.base.errors import UserError
    from kimberley.protocol.crypto import backend

    try:
        backend.check()
    except backend.CryptoUnavailable as error:
        raise UserError(str(error)) from error
