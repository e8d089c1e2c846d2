"""TLS 1.3 (RFC 8446) between peers that have no certificates to trust.

The host makes a self-signed certificate for each run. Nobody checks its signature. Instead, the handshake binds it to
the host's identity key. This exposes a man in the middle, who must show another certificate.
"""

import hashlib
import os
import ssl
import tempfile
from pathlib import Path

from kimberley.p2p.storage.files import temporary_folder
from kimberley.p2p.transport.certificate import make_certificate


def server_context() -> tuple[ssl.SSLContext, bytes]:
    """Returns a context with a fresh certificate, and the SHA-256 of that certificate (DER). Raises StorageError."""
    certificate = make_certificate()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0
    # The ssl module loads certificates only from files.
    handle, path = tempfile.mkstemp(prefix="kimberley-", dir=temporary_folder())
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(certificate.pem)
        context.load_cert_chain(path)
    finally:
        Path(path).unlink()
    return context, hashlib.sha256(certificate.der).digest()


def client_context() -> ssl.SSLContext:
    """Returns a context that accepts any certificate: the handshake judges it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def peer_certificate_hash(connection: ssl.SSLObject) -> bytes:
    """Returns the SHA-256 of the server's certificate, as the client saw it on this connection."""
    return hashlib.sha256(connection.getpeercert(binary_form=True) or b"").digest()
