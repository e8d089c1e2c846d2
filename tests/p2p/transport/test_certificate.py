"""The certificate that a host makes for its run, read by a library of certificates and by TLS."""

from __future__ import annotations

import hashlib
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization

from kimberley.p2p.transport.certificate import make_certificate
from kimberley.p2p.transport.tls import client_context, peer_certificate_hash, server_context
from kimberley.protocol.crypto import backend
from kimberley.protocol.crypto.backend import Primitives
from tests.support.backends import PRIMITIVES

each_library = pytest.mark.parametrize("library", PRIMITIVES.values(), ids=PRIMITIVES.keys())


@each_library
def test_a_certificate_is_signed_by_its_own_key(library: Primitives, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "primitives", lambda: library)
    made = make_certificate()
    read = x509.load_der_x509_certificate(made.der)
    read.verify_directly_issued_by(read)
    assert x509.load_pem_x509_certificate(made.pem) == read
    key = serialization.load_pem_private_key(made.pem, None)
    assert key.public_key() == read.public_key()
    assert read.version == x509.Version.v3
    assert 0 < read.serial_number < 1 << 159
    assert (read.not_valid_before_utc.year, read.not_valid_after_utc.year) == (2000, 9999)


def test_no_two_certificates_are_alike() -> None:
    first, second = make_certificate(), make_certificate()
    assert first.der != second.der
    assert x509.load_der_x509_certificate(first.der).serial_number != (
        x509.load_der_x509_certificate(second.der).serial_number
    )


def test_a_client_that_trusts_the_certificate_accepts_it(tmp_path: Path) -> None:
    """It is valid by the rules of TLS, not only to those who check nothing."""
    context, _ = server_context()
    made = make_certificate()
    path = tmp_path / "certificate.pem"
    path.write_bytes(made.pem)
    context.load_cert_chain(path)
    client = client_context()
    client.verify_mode = ssl.CERT_REQUIRED
    client.load_verify_locations(cadata=ssl.DER_cert_to_PEM_cert(made.der))
    assert peer_certificate_hash(shaken(context, client)) == hashlib.sha256(made.der).digest()


def shaken(server: ssl.SSLContext, client: ssl.SSLContext) -> ssl.SSLObject:
    """Returns the client's side of a connection after the handshake, in memory."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = [client.wrap_bio(to_client, to_server), server.wrap_bio(to_server, to_client, server_side=True)]
    waiting = list(sides)
    while waiting:
        side = waiting.pop(0)
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            waiting.append(side)
    return sides[0]
