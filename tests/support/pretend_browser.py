"""What a browser brings to a seat, without one: a database that outlives the page, and sockets to nobody or a test."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kimberley.client.browser.bridge import Part, RawSocket
from kimberley.protocol.crypto import libsodium
from kimberley.protocol.crypto.wasm_sodium import SodiumModule
from tests.support.pretend_page import PretendPage
from tests.support.wasm_sodium import PretendModule

SITE = ("192.168.1.7", 7480)


class PretendDatabase:
    """A database as `database.js` keeps it. The last tab to read it owns it."""

    def __init__(self) -> None:
        self.parts: dict[tuple[str, int], bytes] = {}
        self.writes: list[list[Part]] = []
        self.refuses = False
        self.failures: list[str] = []
        self._owner: object = None

    def opened(self) -> OpenDatabase:
        """Returns the database as one more tab opens it."""
        return OpenDatabase(self)


class OpenDatabase:
    """The database in one tab (`client.browser.bridge.Database`)."""

    def __init__(self, kept: PretendDatabase) -> None:
        self.kept = kept

    async def read(self) -> Sequence[tuple[str, int, bytes]]:
        self.kept._owner = self
        return [(path, offset, data) for (path, offset), data in sorted(self.kept.parts.items())]

    async def write(self, parts: Sequence[Part]) -> None:
        if self.kept.refuses or self.kept._owner is not self:
            raise OSError("This seat is already open in another tab.")
        self.kept.writes.append(list(parts))
        for path, offset, data in parts:
            for known in [key for key in self.kept.parts if key[0] == path and key[1] >= offset]:
                del self.kept.parts[known]
            if data is not None:
                self.kept.parts[path, offset] = data


class PretendRawSocket:
    """A WebSocket of the browser that keeps what is sent."""

    unsent = 0

    def __init__(self, on_close: Callable[[str], None]) -> None:
        self.sent: list[bytes] = []
        self.closed = False
        self._on_close = on_close

    def send(self, message: bytes) -> None:
        assert not self.closed
        self.sent.append(message)

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self._on_close("closed")


class PretendBrowser(PretendPage):
    """A page with all that it brings (`client.browser.bridge.Page`)."""

    site = SITE
    host_key = bytes([7]) * 32

    def __init__(self, kept: PretendDatabase | None = None) -> None:
        super().__init__()
        self.database = (kept or PretendDatabase()).opened()
        self.sodium: SodiumModule = PretendModule(libsodium.from_rbcl().library)
        self.sockets: list[PretendRawSocket] = []
        self.opened: list[str] = []

    def listen(self) -> None:
        self.send("start", name="guest")

    async def open_socket(
        self, address: str, on_message: Callable[[bytes], None], on_close: Callable[[str], None]
    ) -> RawSocket:
        self.opened.append(address)
        self.sockets.append(PretendRawSocket(on_close))
        return self.sockets[-1]
