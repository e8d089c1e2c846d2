"""A connection to the target that a seat of the suite passes on (SPEC.md, section 10.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from client.conformance.case import Failed
from client.conformance.codec import Malformed, pack, unpack
from client.conformance.hashing import Identity, digest, verifies
from client.conformance.plain import Plain, spelled
from client.conformance.wire import Frame, Line

UNSIGNED: Final = ("hello", "prove", "proven", "refused")
"""Kinds of frames of a hello; another one may come while a channel is up."""


class RelayedLine(Line):
    """The far end of a relayed channel: a seat of the suite that the target reaches through `relay` only."""

    def __init__(self, name: str, relay: Line, identity: Identity, target: bytes, stir: Callable[[], None]) -> None:
        self.start(name, stir)
        self.own = identity
        self.target = target
        self.session: bytes | None = None
        """Once the hello is complete, its hash: frames are signed from then on."""
        self.hello: list[Frame] = []
        self.sent = 0
        self.come = 0
        self._relay = relay
        relay.taps.append(self._tapped)

    def send_bytes(self, data: bytes) -> None:
        """A frame, its length in front of it."""
        inner = data[4:]
        if self.session is not None:
            signature = self.own.sign("relay", pack((self.session, self.sent, inner)))
            inner = pack(("signed", self.sent, inner, signature))
            self.sent += 1
        self.pass_on(inner)

    def pass_on(self, inner: bytes) -> None:
        """Packed bytes, as if from the far end."""
        self._relay.send("passed", self.own.public, inner)

    def cut(self) -> None:
        self.closed = True
        if self.beating is not None:
            self.beating.cancel()

    def established(self, m1: Frame, m2: Frame) -> None:
        """The hello is complete."""
        self.session = digest("relay", pack(m1), pack(m2))

    def _tapped(self, frame: Frame) -> bool:
        match frame:
            case ("pass", self.own.public, bytes() as inner):
                try:
                    self.take_frame(self._opened(unpack(inner)))
                except (Failed, Malformed) as error:
                    self.problem, self.closed = str(error), True
                return True
        return False

    def _opened(self, plain: Plain) -> Frame:
        """The frame of the connection."""
        if not isinstance(plain, tuple):
            raise Failed(f"the target passes on {spelled(plain)}")
        if self.session is None or plain[0] in UNSIGNED:
            return plain
        match plain:
            case ("signed", int() as number, bytes() as inner, bytes() as signature):
                if number != self.come:
                    raise Failed(f"the target numbers a relayed frame {number} where {self.come} is due")
                if not verifies(self.target, "relay", pack((self.session, number, inner)), signature):
                    raise Failed("the signature of a relayed frame does not hold")
                self.come += 1
                frame = unpack(inner)
                if isinstance(frame, tuple):
                    return frame
        raise Failed(f"the target passes on {spelled(plain)}")
