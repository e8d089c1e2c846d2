"""What the page has made, compressed, and kept until there is too much of it."""

from __future__ import annotations

import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import NamedTuple


class Packed(NamedTuple):
    """Bytes that were made for a `version`, compressed, with an ETag. Compressed, boards shrink to a tenth."""

    version: Hashable
    tag: str
    packed: bytes

    @classmethod
    def of(cls, version: Hashable, body: bytes) -> Packed:
        return cls(version, f'"{hashlib.sha256(body).hexdigest()[:32]}"', gzip.compress(body, 4, mtime=0))

    @property
    def body(self) -> bytes:
        return gzip.decompress(self.packed)


class PackedCache:
    """The latest version of each thing that was asked for, up to `most` compressed bytes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Packed] = OrderedDict()
        self._size = 0

    def has(self, key: Hashable, version: Hashable) -> bool:
        """Returns whether this version is there."""
        kept = self._kept.get(key)
        return kept is not None and kept.version == version

    def made(self, key: Hashable, version: Hashable, make: Callable[[], bytes | None]) -> Packed | None:
        """Returns this version of a thing, made now if it is not there yet; None if `make` returns None."""
        kept = self._kept.get(key)
        if kept is None or kept.version != version:
            body = make()
            if body is None:
                return None
            self._size -= 0 if kept is None else len(kept.packed)
            kept = self._kept[key] = Packed.of(version, body)
            self._size += len(kept.packed)
        self._kept.move_to_end(key)
        while self._size > self._most:
            _, old = self._kept.popitem(last=False)
            self._size -= len(old.packed)
        return kept
