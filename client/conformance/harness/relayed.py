"""A connection to the target through another seat of the suite, which relays it (SPEC.md, section 10.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kimberley.client.conformance.crypto.hashing import Identity, digest, verifies
from kimberley.client.conformance.encoding.codec import Malformed, pack, unpack
from kimberley.client.conformance.encoding.plain import Plain, spelled
from kimberley.client.conformance.errors import Failed
from kimberley.client.conformance.harness.connection import Connection, Frame

UNSIGNED: Final = ("hello", "prove", "proven", "refused")
"""The kinds of frames of a hello, which can come again while a channel is open."""


class RelayedConnection(Connection):
    """The far end of a relayed channel: a seat of the suite that the target can only reach through `relay`."""

    def __init__(
        self, name: str, relay: Connection, identity: Identity, target: bytes, notify: Callable[[], None]
    ) -> None:
        self.start(name, notify)
        self.own = identity
        self.target = target
        self.session: bytes | None = None
        """The hash of the hello once it is complete. From then on frames are signed."""
        self.hello: list[Frame] = []
        self.sent = 0
        self.received = 0
        self._relay = relay
        relay.taps.append(self._tapped)

    def send_bytes(self, data: bytes) -> None:
        """Sends a frame, given with its length before it."""
        inner = data[4:]
        if self.session is not None:
            signature = self.own.sign("relay", pack((self.session, self.sent, inner)))
            inner = pack(("signed", self.sent, inner, signature))
            self.sent += 1
        self.pass_on(inner)

    def pass_on(self, inner: bytes) -> None:
        """Sends packed bytes as if from the far end."""
        self._relay.send("passed", self.own.public, inner)

    def abort(self) -> None:
        self.closed = True
        if self.beating is not None:
            self.beating.cancel()

    def established(self, m1: Frame, m2: Frame) -> None:
        """The hello is complete: frames are signed from now on."""
        self.session = digest("relay", pack(m1), pack(m2))

    def _tapped(self, frame: Frame) -> bool:
        match frame:
            case ("pass", self.own.public, bytes() as inner):
                try:
                    self.on_frame(self._opened(unpack(inner)))
                except (Failed, Malformed) as error:
                    self.problem, self.closed = str(error), True
                return True
        return False

    def _opened(self, plain: Plain) -> Frame:
        """The frame inside. Raises Failed."""
        if not isinstance(plain, tuple):
            raise Failed(f"the target passes on {spelled(plain)}")
        if self.session is None or plain[0] in UNSIGNED:
            return plain
        match plain:
            case ("signed", int() as number, bytes() as inner, bytes() as signature):
                if number != self.received:
                    raise Failed(f"the target numbers a relayed frame {number} where {self.received} is due")
                if not verifies(self.target, "relay", pack((self.session, number, inner)), signature):
                    raise Failed("the signature of a relayed frame does not hold")
                self.received += 1
                frame = unpack(inner)
                if isinstance(frame, tuple):
                    return frame
        raise Failed(f"the target passes on {spelled(plain)}")
