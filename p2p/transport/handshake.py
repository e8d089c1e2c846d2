"""The hello: two peers prove to each other who they are (SPEC.md, "The hello").

It runs inside TLS, in four frames. Revisions are those of the protocol that a side speaks; `software` is the version of
the program, for error messages only.

    m1  joiner  ("hello", revisions, software, identity, commitment)      commitment to the joiner's nonce
    m2  host    ("hello", revisions, software, identity, nonce)
    m3  joiner  ("prove", nonce, purpose, signature)                      opens the commitment
    m4  host    ("proven", signature)

Each signature, with the purpose "hello", is over the packing of (role, m1, m2, the joiner's nonce, the purpose of the
connection, SHA-256 of the host's certificate as the signer saw it). A man in the middle has to show a certificate of
his own, so what the two sides sign differs, and both refuse. A side that refuses says ("refused", sentence). Where the
two have no revision in common, m2 ends after the software: the first three entries are the same in every revision.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from typing import Final, NoReturn

from p2p.frames import Frame
from p2p.identity import Identity
from p2p.text import clean
from p2p.trouble import Trouble
from protocol.crypto import signatures
from protocol.crypto.hashing import digest
from protocol.encoding import pack
from protocol.envelope import REVISION

NONCE_SIZE: Final = 32
REVISIONS: Final = (REVISION,)
"""Of the protocol, that this program speaks."""


class Refused(Trouble):
    """One side does not want this connection; both are told the same sentence."""


class OtherVersion(Refused):
    """The two programs have no revision of the protocol in common; the sentence names both versions."""


@cache
def software() -> str:
    """The version of this program."""
    try:
        return metadata.version("kimberley")
    except metadata.PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True, slots=True)
class Speaker:
    """What a side speaks, and with which program."""

    revisions: tuple[int, ...] = REVISIONS
    software: str = ""

    @classmethod
    def own(cls) -> Speaker:
        return cls(REVISIONS, software())

    def __str__(self) -> str:
        revisions = ", ".join(map(str, self.revisions)) or "none"
        return f"Kimberley {self.software} (protocol revision {revisions})"


class Joiner:
    """The side that connects: send `first()`, then what `second` gives, then `done` must not raise."""

    def __init__(self, identity: Identity, purpose: Frame, certificate: bytes, speaker: Speaker | None = None) -> None:
        self._identity = identity
        self._purpose = purpose
        self._certificate = certificate
        self._speaker = speaker or Speaker.own()
        self._nonce = secrets.token_bytes(NONCE_SIZE)
        self._signed: Frame = ()
        self.peer = b""

    def first(self) -> Frame:
        commitment = _commitment(self._nonce)
        return ("hello", self._speaker.revisions, self._speaker.software, self._identity.public, commitment)

    def second(self, m2: Frame) -> Frame:
        """m3, once the host has answered. Raises Refused."""
        self.peer, _ = _read_hello(m2, self._speaker, "joiner")
        _refuse_own(self.peer, self._identity)
        self._signed = (self.first(), m2, self._nonce, self._purpose, self._certificate)
        return "prove", self._nonce, self._purpose, _sign(self._identity, "joiner", self._signed)

    def done(self, m4: Frame) -> None:
        """Raises Refused unless the host has proven itself, and sees the certificate that this side saw."""
        match m4:
            case ("proven", bytes() as signature):
                if not _verify(self.peer, "host", self._signed, signature):
                    raise Refused("The host could not prove who it is: somebody may be in the middle. Do not play.")
            case _:
                _raise_refusal(m4)


class Host:
    """The side that listens: feed it m1, then m3."""

    def __init__(self, identity: Identity, certificate: bytes, speaker: Speaker | None = None) -> None:
        self._identity = identity
        self._certificate = certificate
        self._speaker = speaker or Speaker.own()
        self._m1: Frame = ()
        self._m2: Frame = ()
        self._commitment = b""
        self.peer = b""
        self.purpose: Frame = ()

    def first(self, m1: Frame) -> Frame:
        """m2. Raises Refused."""
        self.peer, self._commitment = _read_hello(m1, self._speaker, "host")
        _refuse_own(self.peer, self._identity)
        nonce = secrets.token_bytes(NONCE_SIZE)
        self._m1 = m1
        self._m2 = ("hello", self._speaker.revisions, self._speaker.software, self._identity.public, nonce)
        return self._m2

    def introduction(self) -> Frame:
        """What a joiner of another version is told."""
        return "hello", self._speaker.revisions, self._speaker.software

    def second(self, m3: Frame) -> Frame:
        """m4, when the joiner has proven itself. Raises Refused."""
        match m3:
            case ("prove", bytes() as nonce, tuple() as purpose, bytes() as signature):
                signed = (self._m1, self._m2, nonce, purpose, self._certificate)
                if _commitment(nonce) != self._commitment or not _verify(self.peer, "joiner", signed, signature):
                    raise Refused("The joiner could not prove who it is: somebody may be in the middle. Do not play.")
            case _:
                _raise_refusal(m3)
        self.purpose = purpose
        return "proven", _sign(self._identity, "host", signed)


def refusal(reason: str) -> Frame:
    """The frame that tells the other side why."""
    return "refused", reason


def refused(frame: Frame) -> str | None:
    """The other side's sentence, safe to show, if the frame is a refusal."""
    match frame:
        case ("refused", str() as reason):
            return clean(reason, 300) or "The other side refuses, and does not say why."
    return None


def _raise_refusal(frame: Frame) -> NoReturn:
    reason = refused(frame)
    raise Refused("The other side did not answer as a peer of this game does." if reason is None else reason)


def _read_hello(frame: Frame, own: Speaker, role: str) -> tuple[bytes, bytes]:
    """The other side's identity and its nonce or commitment. What a later revision adds does not hide its version."""
    match frame:
        case ("hello", tuple() as revisions, str() as version, *rest):
            pass
        case _:
            _raise_refusal(frame)
    spoken = tuple(number for number in revisions[:16] if type(number) is int)
    if not set(spoken) & set(own.revisions):
        other = Speaker(spoken, clean(version, 40) or "unknown")
        host, joiner = (own, other) if role == "host" else (other, own)
        raise OtherVersion(f"The host has {host}, the joiner {joiner}: update the older one.")
    match rest:
        case [bytes() as identity, bytes() as last] if len(last) == NONCE_SIZE and signatures.is_public_key(identity):
            return identity, last
    raise Refused("The other side did not say hello as the protocol asks.")


def _refuse_own(peer: bytes, identity: Identity) -> None:
    if peer == identity.public:
        raise Refused(
            "Both sides have the same identity. To play with yourself on one machine, "
            "start one of them with --data and another folder."
        )


def _commitment(nonce: bytes) -> bytes:
    return digest("hello nonce", nonce)


def _sign(identity: Identity, role: str, signed: Frame) -> bytes:
    return identity.sign("hello", pack((role, *signed)))


def _verify(peer: bytes, role: str, signed: Frame, signature: bytes) -> bool:
    return signatures.verify(peer, "hello", pack((role, *signed)), signature)
