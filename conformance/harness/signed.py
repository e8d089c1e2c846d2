"""A connection whose frames are signed one by one, because what carries them proves nothing (SPEC.md, section 10.1)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final

from kimberley.conformance.errors import Failed
from kimberley.conformance.harness.connection import Connection, Frame
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.plain import spelled
from kimberley.games.table import Plain
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.crypto.signatures import verify
from kimberley.protocol.encoding import pack, unpack

UNSIGNED: Final = ("hello", "prove", "proven", "refused")
"""The kinds of frames of a hello, which can come again while a channel is open."""


class SignedConnection(Connection, ABC):
    """The suite's end of a signed channel to the target."""

    own: SuiteIdentity
    target: bytes
    session: bytes | None
    sent: int
    received: int

    def start_signed(self, name: str, identity: SuiteIdentity, target: bytes, notify: Callable[[], None]) -> None:
        """Sets up what every signed channel begins with. `target` is empty if the hello will tell it."""
        self.start(name, notify)
        self.own = identity
        self.target = target
        self.session = None
        """The hash of the hello once it is complete. From then on frames are signed."""
        self.sent = 0
        self.received = 0

    @abstractmethod
    def pass_on(self, inner: bytes) -> None:
        """Sends packed bytes as they are."""

    def send_bytes(self, data: bytes) -> None:
        """Sends a frame, given with its length before it."""
        inner = data[4:]
        if self.session is not None:
            inner = self.signed(self.sent, inner)
            self.sent += 1
        self.pass_on(inner)

    def signed(self, number: int, inner: bytes) -> bytes:
        """Returns the packed frame that carries other packed bytes."""
        return pack(("signed", number, inner, self.own.sign("frame", pack((self.session, number, inner)))))

    def established(self, m1: Frame, m2: Frame) -> None:
        """Ends the hello: frames are signed from now on."""
        self.session = digest("session", pack(m1), pack(m2))

    def opened(self, plain: Plain) -> Frame:
        """Returns the frame inside. Raises Failed."""
        if not isinstance(plain, tuple):
            raise Failed(f"the target sends {spelled(plain)}")
        if self.session is None or plain[0] in UNSIGNED:
            return plain
        match plain:
            case ("signed", int() as number, bytes() as inner, bytes() as signature):
                if number != self.received:
                    raise Failed(f"the target numbers a signed frame {number} where {self.received} is due")
                if not verify(self.target, "frame", pack((self.session, number, inner)), signature):
                    raise Failed("the signature of a frame does not hold")
                self.received += 1
                frame = unpack(inner)
                if isinstance(frame, tuple):
                    return frame
        raise Failed(f"the target sends {spelled(plain)}")
