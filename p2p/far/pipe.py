"""Encrypted streams between two programs that share a key, through a transit relay of magic-wormhole.

Both sides connect to the relay and show the same token; the relay then passes on bytes. Inside, as in the engine's own
dilated connections, runs Noise (NNpsk0, ChaCha20-Poly1305, BLAKE2s) with the shared key, in messages of at most 64 KiB
behind two bytes of length. So the relay reads nothing, and cannot be one of the two.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from enum import Enum
from hashlib import blake2b
from typing import Any, Final, Self

from cryptography.exceptions import InvalidTag
from noise.connection import NoiseConnection
from noise.exceptions import NoiseInvalidMessage, NoiseValueError

from kimberley.p2p.base.errors import reason_of
from kimberley.p2p.base.tasks import task_scope
from kimberley.p2p.far.codes import FarKey, relay_address

NOISE: Final = b"Noise_NNpsk0_25519_ChaChaPoly_BLAKE2s"
CHUNK: Final = 16 << 10
"""Bytes of a stream in one message."""
MET: Final = b"ok\n"
"""What the relay says once both sides are there."""
CONNECT_SECONDS: Final = 10.0
MEET_SECONDS: Final = 8.0
"""How long a guest waits for the host, which is always waiting at the relay."""
GREET_SECONDS: Final = 8.0
ALIVE: Final = {"TCP_KEEPIDLE": 15, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}
"""The loss of a connection on which nothing is sent is noticed after half a minute."""


class Side(Enum):
    """The side of a stream. The relay is shown its value, and never connects a side with itself."""

    HOST = b"0" * 16
    GUEST = b"1" * 16


class PipeError(Exception):
    """The stream could not be set up."""


class NoRelay(PipeError):
    """The relay cannot be reached."""


class NobodyThere(PipeError):
    """The other side is not at the relay, or it does not have the key."""


class Pipe:
    """One stream. Use `meet`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, key: bytes, side: Side) -> None:
        self._reader, self._writer = reader, writer
        self._noise: Any = NoiseConnection.from_name(NOISE)
        self._noise.set_psks(key)
        self._noise.set_as_initiator() if side is Side.GUEST else self._noise.set_as_responder()
        self._speaks = side is Side.GUEST

    @classmethod
    async def meet(cls, at: FarKey, side: Side) -> Self:
        """Returns a stream to the other side, which is still to be greeted. The host waits as long as it takes, a guest
        only for a moment. Raises NoRelay, NobodyThere.
        """
        host, port = relay_address(at.relay)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                reader, writer = await asyncio.open_connection(host, port)
        except OSError as error:
            raise NoRelay(f"{at.relay} does not answer ({reason_of(error)})") from error
        pipe = cls(reader, writer, at.key, side)
        try:
            _keep_alive(writer.get_extra_info("socket"))
            writer.write(b"please relay %s for side %s\n" % (token_of(at.key), side.value))
            async with asyncio.timeout(MEET_SECONDS if side is Side.GUEST else None):
                if await reader.readexactly(len(MET)) != MET:
                    raise NoRelay(f"{at.relay} is not a relay")
        except TimeoutError:
            pipe.abort()
            raise NobodyThere(f"nobody is waiting at {at.relay}") from None
        except (OSError, EOFError) as error:
            pipe.abort()
            raise NoRelay(f"{at.relay} closed the connection ({reason_of(error)})") from error
        except BaseException:
            pipe.abort()
            raise
        return pipe

    async def greet(self) -> None:
        """Checks that the other side has the key. Raises NobodyThere."""
        try:
            async with asyncio.timeout(GREET_SECONDS):
                self._noise.start_handshake()
                while not self._noise.handshake_finished:
                    if self._speaks:
                        self._write(bytes(self._noise.write_message()))
                    else:
                        self._noise.read_message(await self._read())
                    self._speaks = not self._speaks
        except (OSError, EOFError, ValueError, InvalidTag, NoiseInvalidMessage, NoiseValueError) as error:
            self.abort()
            raise NobodyThere(f"the other side does not answer ({reason_of(error)})") from error
        except BaseException:
            self.abort()
            raise

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carries everything between this stream and another one, until one of them ends."""
        try:
            async with task_scope() as tasks:
                both = tasks.start(self._send_all(reader)), tasks.start(self._receive_all(writer))
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in (self._writer, writer):
                end.close()

    def abort(self) -> None:
        """Ends the stream at once."""
        self._writer.transport.abort()

    async def _send_all(self, reader: asyncio.StreamReader) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(CHUNK):
                self._write(self._noise.encrypt(data))
                await self._writer.drain()

    async def _receive_all(self, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, EOFError, NoiseInvalidMessage):
            while True:
                writer.write(self._noise.decrypt(await self._read()))
                await writer.drain()

    def _write(self, message: bytes) -> None:
        self._writer.write(struct.pack(">H", len(message)) + message)

    async def _read(self) -> bytes:
        (size,) = struct.unpack(">H", await self._reader.readexactly(2))
        return await self._reader.readexactly(size)


def token_of(key: bytes) -> bytes:
    """Returns what both sides show to the relay. It says nothing about the key."""
    return blake2b(b"kimberley far token", key=key, digest_size=32).hexdigest().encode()


def _keep_alive(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for name, seconds in ALIVE.items():
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), seconds)
