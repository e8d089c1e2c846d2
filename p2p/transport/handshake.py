"""The handshake, which SPEC.md calls the hello: two peers prove their identities to each other.

It runs inside TLS, in four frames. Revisions are those of the protocol that a side speaks; `software` is the version of
the program, for error messages only.

    m1  joiner  ("hello", revisions, software, identity, commitment)      commitment to the joiner's nonce
    m2  host    ("hello", revisions, software, identity, nonce)
    m3  joiner  ("prove", nonce, purpose, signature)                      opens the commitment
    m4  host    ("proven", signature)

Each signature, with the purpose "hello", is over the packing of (role, m1, m2, the joiner's nonce, the purpose of the
connection, SHA-256 of the host's certificate as the signer saw it). A man in the middle has to show its own
certificate, so the two sides sign different things, and both refuse. A side that refuses sends ("refused", sentence).
If the two have no revision in common, m2 ends after the software: the first three entries are the same in every
revision.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import metadata
from typing import Final, NoReturn

from kimberley.p2p.base.errors import NotRetryable, UserError
from kimberley.p2p.base.platform import random_bytes
from kimberley.p2p.base.text import clean
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.frames import Frame
from kimberley.protocol.crypto import signatures
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import REVISION

NONCE_SIZE: Final = 32
HELLO_SECONDS: Final = 8.0
"""Time for the whole handshake."""
MOST_REVISIONS: Final = 16  # SPEC: revisions that count
"""Revisions of a side that count."""
MOST_SENTENCE: Final = 300  # SPEC: characters shown of a sentence
MOST_NAME: Final = 40  # SPEC: characters shown of a name
"""Characters of the other side's sentences and names that are shown."""
REVISIONS: Final = (REVISION,)
"""The protocol revisions that this program speaks."""


class ConnectionRejected(UserError):
    """One side refuses this connection. Both sides show the same sentence."""


def someone_else(where: str) -> ConnectionRejected:
    """Returns the error to show when another identity answers than the one that was looked for."""
    return ConnectionRejected(f"Someone else is at {where} now. Search for the table again.")


class RefusedForGood(ConnectionRejected, NotRetryable):
    """The other side never lets this player in, or what it offers is gone."""


class VersionMismatch(ConnectionRejected, NotRetryable):
    """The two programs have no protocol revision in common, or other rules of the game. The sentence names both
    versions.
    """


@cache
def software() -> str:
    """Returns the version of this program."""
    try:
        return metadata.version("kimberley")
    except metadata.PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True, slots=True)
class PeerVersion:
    """The protocol revisions and the program version of one side."""

    revisions: tuple[int, ...] = REVISIONS
    software: str = ""

    @classmethod
    def own(cls) -> PeerVersion:
        return cls(REVISIONS, software())

    def __str__(self) -> str:
        revisions = ", ".join(map(str, self.revisions)) or "none"
        return f"Kimberley {self.software} (protocol revision {revisions})"


class JoinerHandshake:
    """The side that connects: send `hello()`, then the result of `on_hello`; then `on_proof` must not raise."""

    def __init__(
        self, identity: Identity, purpose: Frame, certificate: bytes, speaker: PeerVersion | None = None
    ) -> None:
        self._identity = identity
        self._purpose = purpose
        self._certificate = certificate
        self._speaker = speaker or PeerVersion.own()
        self.nonce = random_bytes(NONCE_SIZE)
        self._signed: Frame = ()
        self.peer = b""

    def hello(self) -> Frame:
        commitment = _commitment(self.nonce)
        return ("hello", self._speaker.revisions, self._speaker.software, self._identity.public, commitment)

    def on_hello(self, m2: Frame) -> Frame:
        """Accepts m2 and returns m3. Raises ConnectionRejected."""
        self.peer, _ = _read_hello(m2, self._speaker, "joiner")
        _refuse_own(self.peer, self._identity)
        self._signed = (self.hello(), m2, self.nonce, self._purpose, self._certificate)
        return "prove", self.nonce, self._purpose, _sign(self._identity, "joiner", self._signed)

    def on_proof(self, m4: Frame) -> None:
        """Accepts m4. Raises ConnectionRejected unless the host has proven its identity and both sides saw the same
        certificate.
        """
        match m4:
            case ("proven", bytes() as signature):
                if not _verify(self.peer, "host", self._signed, signature):
                    raise ConnectionRejected(
                        "The host could not prove its identity. Someone may be tampering with the connection: do not "
                        "play."
                    )
            case _:
                _raise_refusal(m4)


class HostHandshake:
    """The side that listens: give m1 to `on_hello`, then m3 to `on_proof`."""

    def __init__(self, identity: Identity, certificate: bytes, speaker: PeerVersion | None = None) -> None:
        self._identity = identity
        self._certificate = certificate
        self._speaker = speaker or PeerVersion.own()
        self._m1: Frame = ()
        self.m2: Frame = ()
        self._commitment = b""
        self.peer = b""
        self.purpose: Frame = ()

    def on_hello(self, m1: Frame) -> Frame:
        """Accepts m1 and returns m2. Raises ConnectionRejected."""
        self.peer, self._commitment = _read_hello(m1, self._speaker, "host")
        _refuse_own(self.peer, self._identity)
        nonce = random_bytes(NONCE_SIZE)
        self._m1 = m1
        self.m2 = ("hello", self._speaker.revisions, self._speaker.software, self._identity.public, nonce)
        return self.m2

    def version(self) -> Frame:
        """Returns the short m2 for a joiner of another version."""
        return "hello", self._speaker.revisions, self._speaker.software

    def on_proof(self, m3: Frame) -> Frame:
        """Accepts m3 and returns m4, once the joiner has proven its identity. Raises ConnectionRejected."""
        match m3:
            case ("prove", bytes() as nonce, tuple() as purpose, bytes() as signature):
                signed = (self._m1, self.m2, nonce, purpose, self._certificate)
                if _commitment(nonce) != self._commitment or not _verify(self.peer, "joiner", signed, signature):
                    raise ConnectionRejected(
                        "The guest could not prove its identity. Someone may be tampering with the connection: do "
                        "not play."
                    )
            case _:
                _raise_refusal(m3)
        self.purpose = purpose
        return "proven", _sign(self._identity, "host", signed)


def refusal_frame(reason: str) -> Frame:
    """Returns the frame with the reason of a refusal, for the other side."""
    return "refused", reason


def refusal_reason(frame: Frame) -> str | None:
    """Returns the other side's sentence, safe to show, if the frame is a refusal; else None."""
    match frame:
        case ("refused", str() as reason):
            return clean(reason, MOST_SENTENCE) or "The other side refused without a reason."
    return None


def _raise_refusal(frame: Frame) -> NoReturn:
    reason = refusal_reason(frame)
    raise ConnectionRejected("The other side is not a Kimberley table." if reason is None else reason)


def _read_hello(frame: Frame, own: PeerVersion, role: str) -> tuple[bytes, bytes]:
    """Returns the other side's identity, and its nonce or commitment. Entries added by a later revision do not hide its
    version.
    """
    match frame:
        case ("hello", tuple() as revisions, str() as version, *rest):
            pass
        case _:
            _raise_refusal(frame)
    spoken = tuple(number for number in revisions[:MOST_REVISIONS] if type(number) is int)
    if not set(spoken) & set(own.revisions):
        other = PeerVersion(spoken, clean(version, MOST_NAME) or "unknown")
        host, joiner = (own, other) if role == "host" else (other, own)
        raise VersionMismatch(f"The host has {host}, the guest {joiner}: update the older one.")
    match rest:
        case [bytes() as identity, bytes() as last] if len(last) == NONCE_SIZE and signatures.is_public_key(identity):
            return identity, last
    raise ConnectionRejected("The other side does not follow this game’s protocol.")


def _refuse_own(peer: bytes, identity: Identity) -> None:
    if peer == identity.public:
        raise ConnectionRejected(
            "Both sides have the same identity. To play yourself on one computer, start one side with --data and "
            "another folder."
        )


def _commitment(nonce: bytes) -> bytes:
    return digest("hello nonce", nonce)


def _sign(identity: Identity, role: str, signed: Frame) -> bytes:
    return identity.sign("hello", pack((role, *signed)))


def _verify(peer: bytes, role: str, signed: Frame, signature: bytes) -> bool:
    return signatures.verify(peer, "hello", pack((role, *signed)), signature)
