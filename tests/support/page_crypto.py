"""Compares the cryptography of a page with the known vectors and with pure Python. Runs in the page's worker, too."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final

from kimberley.protocol.crypto import backend, portable
from kimberley.protocol.crypto.group import BadPoint
from kimberley.protocol.crypto.pure import PURE

DATA: Final = ("primitives.json", "ristretto255.json")
"""The files of tests/data that `faults` reads from its folder."""
SIZES: Final = (0, 1, 63, 64, 65, 5000)


def faults(folder: Path, seed: int, seconds: float) -> list[str]:
    """Returns what differs, with operands that are drawn for that many seconds. Never waits meanwhile."""
    return [*_against_vectors(folder), *_against_oracle(Random(seed), time.perf_counter() + seconds)]


def _against_vectors(folder: Path) -> Iterator[str]:
    group, library = backend.group(), backend.primitives()
    points: dict[str, Any] = json.loads((folder / "ristretto255.json").read_text())
    for number, encoding in enumerate(points["generator_multiples"]):
        if group.base(number).hex() != encoding:
            yield f"{number} times the generator"
    for encodings in points["bad_encodings"].values():
        yield from (f"point {encoding}" for encoding in encodings if group.is_point(bytes.fromhex(encoding)))
    for label, encoding in points["labels_hashed_to_the_group"]:
        if group.hash_to_group(label.encode()).hex() != encoding:
            yield f"hash of {label}"
    known: dict[str, Any] = json.loads((folder / "primitives.json").read_text())
    for case in known["ed25519"]["cases"]:
        secret, message, signature = (bytes.fromhex(case[name]) for name in ("secret", "message", "signature"))
        if library.sign(secret, message) != signature or not library.verify(library.public(secret), message, signature):
            yield f"signature {case['signature']}"
        if library.verify(library.public(secret), message + b"!", signature):
            yield f"forged signature {case['signature']}"


def _against_oracle(drawn: Random, until: float) -> Iterator[str]:
    group, library = backend.group(), backend.primitives()
    for number in count():
        if time.perf_counter() > until:
            return
        s = drawn.choice([drawn.randrange(group.order), 0, 1, -1, group.order, group.order - 1])
        p, q = (PURE.hash_to_group(drawn.randbytes(4)) for _ in range(2))
        points = group.mul(s, p), group.base(s), group.add(p, q), group.sub(p, q), group.sub(p, p)
        if points != (PURE.mul(s, p), PURE.base(s), PURE.add(p, q), PURE.sub(p, q), PURE.identity):
            yield f"arithmetic with {s} and {p.hex()}"
        noise = drawn.randbytes(32)
        if group.is_point(noise) != PURE.is_point(noise):
            yield f"point {noise.hex()}"
        try:
            group.add(p, bytes(31) + b"\x80")
            yield "a sum with what is no point"
        except BadPoint:
            pass
        key, nonce, text, beside = (drawn.randbytes(size) for size in (32, 12, SIZES[number % len(SIZES)], number % 40))
        sealed = library.encrypt(key, nonce, text, beside)
        if sealed != portable.encrypt(key, nonce, text, beside) or library.decrypt(key, nonce, sealed, beside) != text:
            yield f"encryption of {len(text)} bytes"
        if library.decrypt(key, nonce, sealed[:-1] + bytes([sealed[-1] ^ 1]), beside) is not None:
            yield f"forged text of {len(text)} bytes"
