"""The hello, both sides of it, every frame of which a case may bend (SPEC.md, section 8)."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from typing import Final

from client.conformance.case import Failed
from client.conformance.codec import pack
from client.conformance.hashing import Identity, digest, verifies
from client.conformance.plain import Plain, spelled
from client.conformance.roster import REVISION
from client.conformance.wire import Frame, Line

SOFTWARE: Final = "conformance suite"
THROUGH_RELAY: Final = bytes(32)
"""In place of a certificate, where a third seat passes the frames on."""

Bend = Callable[[str, Frame], Frame]
"""What a case makes of a frame, by its name in section 8: "m1" to "m4"."""

Receive = Callable[[], Awaitable[Frame]]


def straight(name: str, frame: Frame) -> Frame:
    """Bends nothing."""
    return frame


async def join(
    line: Line,
    receive: Receive,
    identity: Identity,
    purpose: Plain,
    certificate: bytes,
    bend: Bend = straight,
    nonce: bytes | None = None,
) -> None:
    """The joiner's side, up to m4. Raises Failed where the host's side is wrong."""
    own = nonce or os.urandom(32)
    m1 = bend("m1", ("hello", (REVISION,), SOFTWARE, identity.public, digest("hello nonce", own)))
    line.send(*m1)
    m2 = await receive()
    line.identity = read_m2(m2)
    signed = (m1, m2, own, purpose, certificate)
    line.send(*bend("m3", ("prove", own, purpose, identity.sign("hello", pack(("joiner", *signed))))))
    match await receive():
        case ("proven", bytes() as signature):
            if not verifies(line.identity, "hello", pack(("host", *signed)), signature):
                raise Failed("the signature of m4 does not hold over what section 8 says")
        case other:
            raise Failed(f"m4 is {spelled(other)}")
    line.greeted()


def read_m2(m2: Frame) -> bytes:
    """The host's identity. Raises Failed."""
    match m2:
        case ("hello", tuple() as revisions, str(), bytes() as identity, bytes() as nonce) if len(nonce) == 32:
            if REVISION not in revisions:
                raise Failed(f"m2 does not offer revision {REVISION}")
            return identity
    raise Failed(f"m2 is {spelled(m2)}")


async def welcome(
    line: Line, receive: Receive, identity: Identity, certificate: bytes, bend: Bend = straight
) -> tuple[Frame, Frame]:
    """The host's side. Returns m1 and m2. Raises Failed where the joiner's side is wrong."""
    m1 = await receive()
    match m1:
        case ("hello", tuple() as revisions, str(), bytes() as peer, bytes() as commitment) if len(commitment) == 32:
            line.identity = peer
            if REVISION not in revisions:
                raise Failed(f"m1 does not offer revision {REVISION}")
        case _:
            raise Failed(f"m1 is {spelled(m1)}")
    m2 = bend("m2", ("hello", (REVISION,), SOFTWARE, identity.public, os.urandom(32)))
    line.send(*m2)
    match await receive():
        case ("prove", bytes() as nonce, tuple() as purpose, bytes() as signature):
            line.purpose = purpose
            signed = (m1, m2, nonce, purpose, certificate)
            if digest("hello nonce", nonce) != commitment:
                raise Failed("the nonce of m3 does not open the commitment of m1")
            if not verifies(peer, "hello", pack(("joiner", *signed)), signature):
                raise Failed("the signature of m3 does not hold over what section 8 says")
        case other:
            raise Failed(f"m3 is {spelled(other)}")
    line.send(*bend("m4", ("proven", identity.sign("hello", pack(("host", *signed))))))
    line.greeted()
    return m1, m2
