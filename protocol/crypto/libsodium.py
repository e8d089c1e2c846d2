"""libsodium through ctypes: the copy that the package `rbcl` contains, or else the system's.

The functions are the same in both, and in a copy that somebody else brings. https://doc.libsodium.org/
"""

import ctypes
import ctypes.util
import hashlib
import importlib.util
import os
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import suppress
from ctypes import c_char_p, c_ulonglong, c_void_p
from importlib.machinery import PathFinder
from pathlib import PureWindowsPath
from types import ModuleType
from typing import Any, Final, Protocol

from kimberley.protocol.crypto import eddsa
from kimberley.protocol.crypto.group import POINT_SIZE, BadPoint, Group, Point

SECRET_SIZE: Final = 32
SIGNATURE_SIZE: Final = 64
TAG_SIZE: Final = 16
HIGHEST_BIT: Final = 0x80

_MACOS_FOLDERS: Final = (f"{sys.prefix}/lib/", "/opt/homebrew/lib/", "/usr/local/lib/", "/opt/local/lib/")
"""The folders of Python's environment (Conda), Homebrew (on ARM and Intel) and MacPorts. A bare name would be looked
for in the current folder, too, where anybody may have put a library.
"""

_Bytes32 = ctypes.c_char * POINT_SIZE


class LibsodiumMissing(Exception):
    """No usable libsodium was found. Its text says where, and why not."""


class CLibrary(Protocol):
    """A library of C: its functions by their names, as ctypes has them."""

    def __getattr__(self, name: str, /) -> Any:
        """Returns the function of that name. Raises AttributeError."""


class Libsodium:
    """One copy of libsodium: where it is from, and the functions for signatures and encryption."""

    def __init__(self, library: CLibrary, origin: str) -> None:
        """Starts libsodium. Raises AttributeError if it lacks a function, and LibsodiumMissing if it does not start."""
        self.library = library
        self.origin = origin
        sized = (c_char_p, c_ulonglong)
        library.crypto_sign_detached.argtypes = (c_char_p, c_void_p, *sized, c_char_p)
        library.crypto_sign_verify_detached.argtypes = (c_char_p, *sized, c_char_p)
        encrypt = library.crypto_aead_chacha20poly1305_ietf_encrypt
        encrypt.argtypes = (c_char_p, c_void_p, *sized, *sized, c_char_p, c_char_p, c_char_p)
        decrypt = library.crypto_aead_chacha20poly1305_ietf_decrypt
        decrypt.argtypes = (c_char_p, c_void_p, c_char_p, *sized, *sized, c_char_p, c_char_p)
        library.sodium_version_string.restype = c_char_p
        self.group: Group = Ristretto(library)
        if library.sodium_init() < 0:
            raise LibsodiumMissing(f"{origin}: it does not start")

    @property
    def version(self) -> str:
        """The version, such as 1.0.18."""
        version: bytes = self.library.sodium_version_string()
        return version.decode()

    def public(self, secret: bytes) -> bytes:
        """Returns the public key, 32 bytes, of a 32-byte secret key."""
        return self._pair(secret)[SECRET_SIZE:]

    def sign(self, secret: bytes, message: bytes) -> bytes:
        """Returns the signature, 64 bytes, of the message alone."""
        signature = ctypes.create_string_buffer(SIGNATURE_SIZE)
        self.library.crypto_sign_detached(signature, None, message, len(message), self._pair(secret))
        return signature.raw

    def verify(self, public: bytes, message: bytes, signature: bytes) -> bool:
        """Returns whether the key signed the message. Never raises.

        Versions of libsodium disagree about keys and R that are not in the subgroup of prime order, which only a forger
        makes. `eddsa` judges these.
        """
        in_subgroup = self.library.crypto_core_ed25519_is_valid_point
        if not in_subgroup(public) or not in_subgroup(signature[:SECRET_SIZE]):
            return eddsa.verify(public, message, signature)
        return not self.library.crypto_sign_verify_detached(signature, message, len(message), public)

    def encrypt(self, key: bytes, nonce: bytes, plain: bytes, associated: bytes) -> bytes:
        """Returns the ciphertext and its tag, 16 bytes more than the plain text."""
        sealed = ctypes.create_string_buffer(len(plain) + TAG_SIZE)
        self.library.crypto_aead_chacha20poly1305_ietf_encrypt(
            sealed, None, plain, len(plain), associated, len(associated), None, nonce, key
        )
        return sealed.raw

    def decrypt(self, key: bytes, nonce: bytes, sealed: bytes, associated: bytes) -> bytes | None:
        """Returns the plain text, or None if `sealed` was not encrypted with these arguments."""
        if len(sealed) < TAG_SIZE:
            return None
        plain = ctypes.create_string_buffer(len(sealed))  # 16 bytes too many: an empty buffer has no address.
        refused = self.library.crypto_aead_chacha20poly1305_ietf_decrypt(
            plain, None, None, sealed, len(sealed), associated, len(associated), nonce, key
        )
        return None if refused else plain.raw[:-TAG_SIZE]

    def _pair(self, secret: bytes) -> bytes:
        """Returns the secret key and the public key, as libsodium wants them."""
        public, pair = _Bytes32(), ctypes.create_string_buffer(2 * SECRET_SIZE)
        self.library.crypto_sign_seed_keypair(public, pair, secret)
        return pair.raw


class Ristretto(Group):
    """ristretto255 by libsodium.

    libsodium reports a product that is the identity as a failure, and reduces scalars silently. This class reduces
    scalars first, treats the identity like any other result, and raises BadPoint for operands that decode to no point.
    """

    name = "ristretto255"
    order = 2**252 + 27742317777372353535851937790883648493
    identity = bytes(POINT_SIZE)

    def __init__(self, library: CLibrary) -> None:
        self._base = library.crypto_scalarmult_ristretto255_base
        self._mul = library.crypto_scalarmult_ristretto255
        self._add = library.crypto_core_ristretto255_add
        self._sub = library.crypto_core_ristretto255_sub
        self._from_hash = library.crypto_core_ristretto255_from_hash
        self._is_valid = library.crypto_core_ristretto255_is_valid_point

    def base(self, s: int) -> Point:
        product = _Bytes32()
        self._base(product, self.encode_scalar(s))
        return product.raw

    def mul(self, s: int, p: Point) -> Point:
        product = _Bytes32()
        if not _fits(p) or (self._mul(product, self.encode_scalar(s), p) and not self._is_valid(p)):
            raise BadPoint("the operand is not the canonical encoding of a point")
        return product.raw

    def add(self, p: Point, q: Point) -> Point:
        total = _Bytes32()
        if not _fits(p) or not _fits(q) or self._add(total, p, q):
            raise BadPoint("an operand is not the canonical encoding of a point")
        return total.raw

    def sub(self, p: Point, q: Point) -> Point:
        difference = _Bytes32()
        if not _fits(p) or not _fits(q) or self._sub(difference, p, q):
            raise BadPoint("an operand is not the canonical encoding of a point")
        return difference.raw

    def hash_to_group(self, data: bytes) -> Point:
        point = _Bytes32()
        self._from_hash(point, hashlib.sha512(data).digest())
        return point.raw

    def is_point(self, data: bytes) -> bool:
        return _fits(data) and bool(self._is_valid(data))


def _fits(data: bytes) -> bool:
    """Returns whether libsodium may see these bytes as a point. It reads 32 bytes of whatever it is given, and version
    1.0.18 ignores the highest bit: each point would have a second encoding.
    """
    return len(data) == POINT_SIZE and data[-1] < HIGHEST_BIT


def from_rbcl() -> Libsodium:
    """Returns the copy in the package `rbcl`, which is written to the temporary folder to load it. Raises
    LibsodiumMissing.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            library: ctypes.CDLL = _copy_in_rbcl()._sodium
        _remove(library._name)
    except Exception as error:
        # The temporary folder may be full, or allow no programs.
        for frame, _ in traceback.walk_tb(error.__traceback__):
            _remove(frame.f_globals.get("lib_path"))
        raise LibsodiumMissing(f"rbcl: {error}") from error
    return _started(library, "rbcl")


def _copy_in_rbcl() -> ModuleType:
    """Runs only the module that loads the library: the package also imports `doctest`, which takes longer. Raises
    ImportError, and whatever that module raises.
    """
    package = importlib.util.find_spec("rbcl")
    # Without a folder the module would be looked for everywhere that Python imports from.
    folder = package and package.submodule_search_locations
    found = PathFinder.find_spec("rbcl._sodium", folder) if isinstance(folder, list) else None
    if found is None or found.loader is None:
        raise ImportError("it is not installed")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def from_system() -> Libsodium:
    """Returns the system's copy. Raises LibsodiumMissing."""
    missing = LibsodiumMissing("libsodium: the system has none")
    for place in _places():
        try:
            return _started(ctypes.CDLL(place), place)
        except OSError:
            continue
        except LibsodiumMissing as error:
            missing = error
    raise missing


def _places() -> Iterator[str]:
    """Yields what the loader is asked for: never anything in the current folder."""
    if sys.platform == "win32":
        paths = map(ctypes.util.find_library, ("libsodium", "libsodium-26", "libsodium-23"))
        # A relative folder in PATH, or an empty one, leads to the current folder.
        yield from (path for path in paths if path and PureWindowsPath(path).is_absolute())
    elif sys.platform == "darwin":
        yield from (f"{folder}libsodium.dylib" for folder in _MACOS_FOLDERS)
    else:
        # The loader searches the system's folders for them. Not by `find_library`, which asks a compiler or a list of
        # libraries: Alpine and Termux have neither.
        yield from ("libsodium.so.26", "libsodium.so.23", "libsodium.so")


def _started(library: ctypes.CDLL, origin: str) -> Libsodium:
    try:
        return Libsodium(library, origin)
    except AttributeError as error:
        raise LibsodiumMissing(f"{origin}: it is too old ({error})") from error


def _remove(path: object) -> None:
    """Deletes the copy that rbcl left in the temporary folder. Windows keeps it while it is loaded."""
    if isinstance(path, str):
        with suppress(OSError):
            os.unlink(path)
