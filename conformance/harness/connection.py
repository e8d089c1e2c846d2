"""The suite's own connections: TCP, TLS 1.3 and frames. Every byte is recorded (SPEC.md, section 7)."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import hashlib
import ssl
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

from kimberley.conformance.harness.traffic import RECEIVED, SENT, Traffic
from kimberley.games.table import Plain
from kimberley.protocol.encoding import Malformed, pack, unpack

BEAT_SECONDS: Final = 2.0
BEGINNING: Final = 8
"""Frames of a connection that are kept in the order in which they came."""
MAX_FRAME: Final = 1 << 20

Frame = tuple[Plain, ...]


def frame(*entries: Plain) -> bytes:
    """Returns a frame as it is sent: its length, and an array."""
    body = pack(entries)
    return len(body).to_bytes(4, "big") + body


def kind_of(frame: Frame) -> str:
    """Returns the kind of a frame; of a vote, what it is about."""
    return str(frame[1] if frame[0] == "vote" and len(frame) > 1 else frame[0])


class Connection:
    """One connection to the target, with TLS or without. Received frames are in `frames`; each calls `notify`."""

    def __init__(
        self,
        name: str,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        traffic: Traffic,
        notify: Callable[[], None],
    ) -> None:
        self.start(name, notify)
        self._reader = reader
        self._writer = writer
        self._traffic = traffic
        self._reading = asyncio.create_task(self._read())

    def start(self, name: str, notify: Callable[[], None]) -> None:
        """Sets up what every connection begins with."""
        self.name = name
        self.frames: list[Frame] = []
        """All frames received, without heartbeats."""
        self.beats: list[tuple[float, Frame]] = []
        """(loop time, heartbeat): each `beat` and each `have`."""
        self.times: list[float] = []
        """The loop time at which each frame came, heartbeats included."""
        self._beginning: list[Frame] = []
        """The first frames, heartbeats included."""
        self.taken = 0
        """How many of `frames` `next` has returned."""
        self.closed = False
        self.problem = ""
        self.identity = b""
        """The identity at the other end, known after the hello."""
        self.purpose: Plain = ()
        self.heartbeat: Callable[[], Frame] = lambda: ("beat",)
        """Returns the heartbeat."""
        self.beating: asyncio.Task[None] | None = None
        self.taps: list[Callable[[Frame], bool]] = []
        """Each is called with every frame first, and returns true for frames that are not for this connection."""
        self._notify = notify

    # -- sending -------------------------------------------------------------------------------------------------------

    def send(self, *entries: Plain) -> None:
        """Sends a frame."""
        self.send_bytes(frame(*entries))

    def send_body(self, body: bytes) -> None:
        """Sends a frame with any body."""
        self.send_bytes(len(body).to_bytes(4, "big") + body)

    def send_bytes(self, data: bytes) -> None:
        """Sends any bytes."""
        self._traffic.keep(self.name, SENT, data)
        if not self._writer.is_closing():
            self._writer.write(data)

    def beat(self) -> None:
        """Starts to send heartbeats."""

        async def beating() -> None:
            while not self.closed:
                await asyncio.sleep(BEAT_SECONDS)
                self.send(*self.heartbeat())

        self.beating = asyncio.create_task(beating())

    # -- receiving -----------------------------------------------------------------------------------------------------

    def next(self) -> Frame | None:
        """Returns the next frame that has not been returned yet, if there is one."""
        if self.taken < len(self.frames):
            self.taken += 1
            return self.frames[self.taken - 1]
        return None

    @property
    def why_closed(self) -> str:
        """The reason, in parentheses, if it is known."""
        return f" ({self.problem})" if self.problem else ""

    def forget_hello(self) -> None:
        """Removes the frames of the hello, which is complete, from `frames`."""
        del self.frames[: self.taken]
        del self._beginning[: self.taken]
        self.taken = 0

    @property
    def first(self) -> Frame | None:
        """The first frame after the hello, heartbeats included."""
        return self._beginning[0] if self._beginning else None

    @property
    def haves(self) -> list[Frame]:
        """What the other side has said that it has."""
        return [beat for _, beat in self.beats if beat[0] == "have"]

    def count(self, kind: str) -> int:
        return sum(kind_of(one) == kind for one in self.frames)

    async def _read(self) -> None:
        try:
            while True:
                size = int.from_bytes(await self._reader.readexactly(4), "big")
                if size > MAX_FRAME:
                    raise Malformed(f"a frame of {size} bytes")
                body = await self._reader.readexactly(size)
                self._traffic.keep(self.name, RECEIVED, size.to_bytes(4, "big") + body)
                self.on_frame(unpack(body))
        except (OSError, EOFError, ssl.SSLError) as error:
            self.problem = str(error)
        except Malformed as error:
            self.problem = f"what came is not a frame: {error}"
        finally:
            self.closed = True
            self._notify()

    def on_frame(self, value: Plain) -> None:
        """Takes in a frame that has come. Raises Malformed if it is not one."""
        if not isinstance(value, tuple) or not value or not isinstance(value[0], str):
            raise Malformed("not an array that begins with text")
        now = asyncio.get_running_loop().time()
        self.times.append(now)
        if len(self._beginning) < BEGINNING:
            self._beginning.append(value)
        if value[0] in ("beat", "have"):
            self.beats.append((now, value))
        elif not any(tap(value) for tap in self.taps):
            self.frames.append(value)
        self._notify()

    def abort(self) -> None:
        """Ends the connection at once."""
        for task in (self._reading, self.beating):
            if task is not None:
                task.cancel()
        self._writer.transport.abort()
        self.closed = True

    async def close(self) -> None:
        """Ends the connection, and waits until its tasks have ended."""
        self.abort()
        for task in (self._reading, self.beating):
            if task is not None:
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    @property
    def certificate(self) -> bytes:
        """The SHA-256 of the certificate that the other side showed."""
        connection = self._writer.get_extra_info("ssl_object")
        return hashlib.sha256(connection.getpeercert(binary_form=True) or b"").digest()

    @property
    def has_ticket(self) -> bool:
        """Whether the other side has issued a session ticket."""
        session = self._writer.get_extra_info("ssl_object").session
        return session is not None and bool(session.has_ticket)

    @property
    def version(self) -> str:
        """The version of TLS."""
        return str(self._writer.get_extra_info("ssl_object").version())


def client_context() -> ssl.SSLContext:
    """Returns a context that accepts any certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


@cache
def server_context() -> tuple[ssl.SSLContext, bytes]:
    """Returns a context with a certificate made for this run, and the SHA-256 of that certificate."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "conformance")])
    now = datetime.datetime.now(datetime.UTC)
    day = datetime.timedelta(days=1)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(x509.random_serial_number()).not_valid_before(now - day).not_valid_after(now + 30 * day)
    certificate = made.sign(key, hashes.SHA256())
    encoding, no_password = serialization.Encoding.PEM, serialization.NoEncryption()
    secret = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, no_password)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.pem"
        path.write_bytes(secret + certificate.public_bytes(encoding))
        context.load_cert_chain(path)
    return context, hashlib.sha256(certificate.public_bytes(serialization.Encoding.DER)).digest()
