"""libsodium compiled to WebAssembly, called like a library of C.

Its functions work on a memory of their own. Each call copies what it reads into that memory, and what it wrote out of
it, so `protocol.crypto.libsodium` uses it as it uses any other copy.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final, Protocol

from kimberley.protocol.crypto.libsodium import Libsodium

SCRATCH: Final = 4096
"""Bytes of the memory that calls use, at first."""
ALIGNED: Final = 16
LONGEST_TEXT: Final = 64


class Bytes(Protocol):
    """A part of the memory: a Uint8Array."""

    def assign(self, data: bytes, /) -> None:
        """Writes over all of it."""

    def to_bytes(self) -> bytes: ...


class Memory(Protocol):
    """The memory of the module: a Uint8Array, too."""

    def subarray(self, start: int, end: int, /) -> Bytes: ...


class SodiumModule(Protocol):
    """The module that the npm package `libsodium-sumo` makes: pointers are numbers, and lengths two of 32 bits each."""

    @property
    def HEAPU8(self) -> Memory: ...
    def _malloc(self, size: int, /) -> int: ...
    def _free(self, place: int, /) -> None: ...
    def __getattr__(self, name: str, /) -> Callable[..., int]: ...


class WasmSodium:
    """The functions of the module by the names that they have in C."""

    def __init__(self, module: SodiumModule, pulse: Callable[[], None]) -> None:
        """Takes `pulse`, which is called after each call of a function."""
        self._module = module
        self.pulse = pulse
        self._size = SCRATCH
        self._scratch = module._malloc(SCRATCH)
        self._functions: dict[str, WasmFunction] = {}

    def __getattr__(self, name: str) -> WasmFunction:
        if name not in self._functions:
            self._functions[name] = WasmFunction(self, getattr(self._module, f"_{name}"))
        return self._functions[name]

    def put(self, data: bytes) -> int:
        """Writes these bytes to the memory for calls, and returns where they begin."""
        if len(data) > self._size:
            self._module._free(self._scratch)
            self._size = len(data)
            self._scratch = self._module._malloc(self._size)
        self._module.HEAPU8.subarray(self._scratch, self._scratch + len(data)).assign(data)
        return self._scratch

    def get(self, start: int, size: int) -> bytes:
        """Returns bytes of the module's memory."""
        return self._module.HEAPU8.subarray(start, start + size).to_bytes()


class WasmFunction:
    """One function. It reads arguments of bytes, and writes to arguments that are buffers of ctypes."""

    def __init__(self, library: WasmSodium, function: Callable[..., int]) -> None:
        self.argtypes: tuple[type, ...] = ()
        self.restype: type | None = None
        self._library = library
        self._function = function

    def __call__(self, *arguments: bytes | ctypes.Array[Any] | int | None) -> int | bytes:
        written = bytearray()
        passed: list[int | None] = []
        """The arguments as numbers, with None for those that point to `written`."""
        places: list[int] = []
        for number, argument in enumerate(arguments):
            if isinstance(argument, int):
                wide = number < len(self.argtypes) and self.argtypes[number] is ctypes.c_ulonglong
                passed += [argument, 0] if wide else [argument]
            elif argument is None:
                passed.append(0)
            else:
                places.append(len(written))
                passed.append(None)
                written += bytes(argument)
                written += bytes(-len(written) % ALIGNED)
        start = self._library.put(bytes(written))
        pointers = iter(places)
        result = self._function(*(start + next(pointers) if word is None else word for word in passed))
        pointers = iter(places)
        for argument in arguments:
            if not isinstance(argument, int | None):
                place = next(pointers)
                if isinstance(argument, ctypes.Array):
                    size = ctypes.sizeof(argument)
                    ctypes.memmove(argument, self._library.get(start + place, size), size)
        self._library.pulse()
        if self.restype is ctypes.c_char_p:
            return self._library.get(result, LONGEST_TEXT).partition(b"\0")[0]
        return result


def libsodium_of(module: SodiumModule, pulse: Callable[[], None]) -> Libsodium:
    """Returns the copy of libsodium in a module that is ready. Raises LibsodiumMissing if it does not start.

    `pulse` is called after each call of a function: a long computation calls these again and again.
    """
    return Libsodium(WasmSodium(module, pulse), "WebAssembly")
