"""Both sides of the hello. A case may change every frame of it (SPEC.md, section 8)."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from typing import Final

from kimberley.conformance.errors import Failed
from kimberley.conformance.harness.connection import Connection, Frame
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.plain import spelled
from kimberley.games.table import Plain
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.crypto.signatures import verify
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import REVISION

SOFTWARE: Final = "conformance suite"
THROUGH_RELAY: Final = bytes(32)
"""Stands for the certificate where a third seat relays the frames, or a WebSocket carries them."""

MutateHello = Callable[[str, Frame], Frame]
"""What a case makes of a frame, given its name in section 8, "m1" to "m4"."""

Receive = Callable[[], Awaitable[Frame]]


def unchanged(name: str, frame: Frame) -> Frame:
    """Changes nothing."""
    return frame


async def join(
    connection: Connection,
    receive: Receive,
    identity: SuiteIdentity,
    purpose: Plain,
    certificate: bytes,
    mutate: MutateHello = unchanged,
    nonce: bytes | None = None,
) -> tuple[Frame, Frame]:
    """Plays the joiner's side, up to m4. Returns m1 and m2. Raises Failed if the host's side is wrong."""
    own = nonce or os.urandom(32)
    m1 = mutate("m1", ("hello", (REVISION,), SOFTWARE, identity.public, digest("hello nonce", own)))
    connection.send(*m1)
    m2 = await receive()
    connection.identity = read_m2(m2)
    signed = (m1, m2, own, purpose, certificate)
    connection.send(*mutate("m3", ("prove", own, purpose, identity.sign("hello", pack(("joiner", *signed))))))
    match await receive():
        case ("proven", bytes() as signature):
            if not verify(connection.identity, "hello", pack(("host", *signed)), signature):
                raise Failed("the signature of m4 does not verify over what section 8 says")
        case other:
            raise Failed(f"m4 is {spelled(other)}")
    connection.forget_hello()
    return m1, m2


def read_m2(m2: Frame) -> bytes:
    """Returns the host's identity. Raises Failed if m2 is wrong."""
    match m2:
        case ("hello", tuple() as revisions, str(), bytes() as identity, bytes() as nonce) if len(nonce) == 32:
            if REVISION not in revisions:
                raise Failed(f"m2 does not offer revision {REVISION}")
            return identity
    raise Failed(f"m2 is {spelled(m2)}")


async def welcome(
    connection: Connection,
    receive: Receive,
    identity: SuiteIdentity,
    certificate: bytes,
    mutate: MutateHello = unchanged,
) -> tuple[Frame, Frame]:
    """Plays the host's side. Returns m1 and m2. Raises Failed if the joiner's side is wrong."""
    m1 = await receive()
    match m1:
        case ("hello", tuple() as revisions, str(), bytes() as peer, bytes() as commitment) if len(commitment) == 32:
            connection.identity = peer
            if REVISION not in revisions:
                raise Failed(f"m1 does not offer revision {REVISION}")
        case _:
            raise Failed(f"m1 is {spelled(m1)}")
    m2 = mutate("m2", ("hello", (REVISION,), SOFTWARE, identity.public, os.urandom(32)))
    connection.send(*m2)
    match await receive():
        case ("prove", bytes() as nonce, tuple() as purpose, bytes() as signature):
            connection.purpose = purpose
            signed = (m1, m2, nonce, purpose, certificate)
            if digest("hello nonce", nonce) != commitment:
                raise Failed("the nonce of m3 does not open the commitment of m1")
            if not verify(peer, "hello", pack(("joiner", *signed)), signature):
                raise Failed("the signature of m3 does not verify over what section 8 says")
        case other:
            raise Failed(f"m3 is {spelled(other)}")
    connection.send(*mutate("m4", ("proven", identity.sign("hello", pack(("host", *signed))))))
    connection.forget_hello()
    return m1, m2
