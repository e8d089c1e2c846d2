"""A connection to the target by a WebSocket at the port of its page (SPEC.md, section 10.9; RFC 6455)."""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable
from typing import Final

from kimberley.conformance.errors import Failed
from kimberley.conformance.harness.connection import MAX_FRAME, Frame
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.harness.signed import SignedConnection
from kimberley.conformance.harness.traffic import RECEIVED, SENT, Traffic
from kimberley.protocol.encoding import Malformed, unpack

PATH: Final = "/seat"
TEXT: Final = 1
BINARY: Final = 2
CLOSE: Final = 8
PING: Final = 9
FINAL: Final = 0x80
MASKED: Final = 0x80


class NoSocket(Exception):
    """The target does not open a WebSocket. The message is the first line of its answer."""


class WebConnection(SignedConnection):
    """A seat of the suite as a page would have it."""

    def __init__(
        self,
        name: str,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        identity: SuiteIdentity,
        traffic: Traffic,
        notify: Callable[[], None],
    ) -> None:
        self.start_signed(name, identity, b"", notify)
        self._reader = reader
        self._writer = writer
        self._traffic = traffic
        self._up = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    def established(self, m1: Frame, m2: Frame) -> None:
        super().established(m1, m2)
        self._up.set()

    def pass_on(self, inner: bytes) -> None:
        """Sends a message of bytes."""
        self._traffic.keep(self.name, SENT, len(inner).to_bytes(4, "big") + inner)
        self.say(BINARY, inner)

    def say(self, opcode: int, payload: bytes, *, announced: int | None = None, first: int = FINAL) -> None:
        """Sends a frame of RFC 6455, which may announce another length than it has."""
        size, mask = len(payload) if announced is None else announced, os.urandom(4)
        if size < 126:
            head = bytes([first | opcode, MASKED | size])
        elif size < 1 << 16:
            head = bytes([first | opcode, MASKED | 126]) + size.to_bytes(2, "big")
        else:
            head = bytes([first | opcode, MASKED | 127]) + size.to_bytes(8, "big")
        masks = (mask * (len(payload) // 4 + 1))[: len(payload)]
        masked = int.from_bytes(payload, "big") ^ int.from_bytes(masks, "big")
        if not self._writer.is_closing():
            self._writer.write(head + mask + masked.to_bytes(len(payload), "big"))

    async def _message(self) -> bytes | None:
        """Returns the next message of the target; None once it ends the socket. Raises OSError, EOFError, Malformed."""
        message = b""
        while True:
            first, second = await self._reader.readexactly(2)
            size = second
            if size in (126, 127):
                size = int.from_bytes(await self._reader.readexactly(2 if size == 126 else 8), "big")
            if size > MAX_FRAME or first & 0x70 or second & MASKED:
                raise Malformed("a frame of RFC 6455 that is masked, too long, or of an extension")
            payload = await self._reader.readexactly(size)
            match first & 0x0F:
                case opcode if opcode == CLOSE:
                    return None
                case opcode if opcode == PING or opcode > PING:
                    continue
                case opcode if opcode == TEXT:
                    raise Malformed("a message of text")
            message += payload
            if first & FINAL:
                return message

    async def _read(self) -> None:
        try:
            while (message := await self._message()) is not None:
                self._traffic.keep(self.name, RECEIVED, len(message).to_bytes(4, "big") + message)
                plain = unpack(message)
                if isinstance(plain, tuple) and plain[:1] == ("signed",):
                    # It can come before this side has looked at m4.
                    await self._up.wait()
                self.on_frame(self.opened(plain))
        except (OSError, EOFError) as error:
            self.problem = str(error)
        except (Failed, Malformed) as error:
            self.problem = f"what came is not a frame: {error}"
        finally:
            self.closed = True
            self._writer.transport.abort()
            self._notify()


async def upgrade(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str, origin: str | None, path: str = PATH
) -> None:
    """Asks for a WebSocket on a plain connection, with these headers. Raises NoSocket, OSError."""
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}",
        *([f"Origin: {origin}"] if origin is not None else []),
        "Connection: Upgrade",
        "Upgrade: websocket",
        f"Sec-WebSocket-Key: {key}",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Extensions: permessage-deflate",
    ]
    writer.write("".join(f"{line}\r\n" for line in [*lines, ""]).encode())
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except EOFError as error:
        raise NoSocket(f"nothing but {error}") from error
    status = head.partition("\r\n")[0]
    if status.split()[1:2] != ["101"]:
        raise NoSocket(status)
    if "sec-websocket-extensions" in head.lower():
        raise NoSocket(f"{status}, with an extension")
