"""The module of WebAssembly that a page has, pretended over the libsodium of this machine."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Final

from kimberley.protocol.crypto.libsodium import CLibrary

MEMORY: Final = 1 << 20
ARGUMENTS: Final[dict[str, str]] = {
    "crypto_aead_chacha20poly1305_ietf_decrypt": "ppppnpnpp",
    "crypto_aead_chacha20poly1305_ietf_encrypt": "pppnpnppp",
    "crypto_sign_detached": "pppnp",
    "crypto_sign_verify_detached": "ppnp",
}
"""For each function with lengths: `p` for a pointer, `n` for a length, which takes two numbers of 32 bits."""


class View:
    """A part of the memory."""

    def __init__(self, memory: bytearray, start: int, end: int) -> None:
        self._memory, self._start, self._end = memory, start, end

    def assign(self, data: bytes) -> None:
        assert len(data) == self._end - self._start
        self._memory[self._start : self._end] = data

    def to_bytes(self) -> bytes:
        return bytes(self._memory[self._start : self._end])


class PretendMemory:
    """All of the memory."""

    def __init__(self) -> None:
        self.content = bytearray(MEMORY)

    def subarray(self, start: int, end: int) -> View:
        assert 0 < start <= end <= MEMORY
        return View(self.content, start, end)


class PretendModule:
    """What the npm package makes, with the functions of another copy of libsodium."""

    def __init__(self, library: CLibrary) -> None:
        self.HEAPU8 = PretendMemory()
        self._library = library
        self._free_from = 1024

    def _malloc(self, size: int) -> int:
        place = self._free_from
        self._free_from += size
        return place

    def _free(self, place: int) -> None:
        assert 0 < place < self._free_from

    def _sodium_version_string(self) -> int:
        version: bytes = self._library.sodium_version_string()
        self.HEAPU8.content[8 : 9 + len(version)] = version + b"\0"
        return 8

    def __getattr__(self, name: str) -> Callable[..., int]:
        function = getattr(self._library, name.removeprefix("_"))
        kinds = ARGUMENTS.get(name.removeprefix("_"), "")
        start = ctypes.addressof(ctypes.c_char.from_buffer(self.HEAPU8.content))

        def call(*numbers: int) -> int:
            given = iter(numbers)
            passed: list[object] = []
            for kind in kinds or "p" * len(numbers):
                number = next(given)
                if kind == "n":
                    assert next(given) == 0, "no length has more than 32 bits"
                    passed.append(ctypes.c_ulonglong(number))
                else:
                    passed.append(ctypes.cast(start + number, ctypes.c_char_p) if number else None)
            assert next(given, None) is None
            status: int = function(*passed)
            return status

        return call
