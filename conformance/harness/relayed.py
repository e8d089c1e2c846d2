"""A connection to the target through another seat of the suite, which relays it (SPEC.md, section 10.1)."""

from __future__ import annotations

from collections.abc import Callable

from kimberley.conformance.errors import Failed
from kimberley.conformance.harness.connection import Connection, Frame
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.harness.signed import SignedConnection
from kimberley.protocol.encoding import Malformed, unpack


class RelayedConnection(SignedConnection):
    """The far end of a relayed channel: a seat of the suite that the target can only reach through `relay`."""

    def __init__(
        self, name: str, relay: Connection, identity: SuiteIdentity, target: bytes, notify: Callable[[], None]
    ) -> None:
        self.start_signed(name, identity, target, notify)
        self._relay = relay
        relay.taps.append(self._tapped)

    def pass_on(self, inner: bytes) -> None:
        """Sends packed bytes as if from the far end."""
        self._relay.send("passed", self.own.public, inner)

    def abort(self) -> None:
        self.closed = True
        if self.beating is not None:
            self.beating.cancel()

    def _tapped(self, frame: Frame) -> bool:
        match frame:
            case ("pass", self.own.public, bytes() as inner):
                try:
                    self.on_frame(self.opened(unpack(inner)))
                except (Failed, Malformed) as error:
                    self.problem, self.closed = str(error), True
                return True
        return False
