"""Sections 4, 14 and 15 of SPEC.md, written from its text alone: hashes by hashlib, the group in pure Python.

Bodies made here must be those that Peers sign; so an error that the text and the code do not share shows.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass

import msgpack
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from protocol.crypto.pure import PURE

G = "ristretto255"
L = 2**252 + 27742317777372353535851937790883648493
SIZE = 32

Context = tuple[bytes, int, int, int]


def pack(value: object) -> bytes:
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return packed


def message(label: str, *parts: object) -> bytes:
    return pack([f"kimberley/1 {label}", *parts])


def digest(label: str, *parts: object) -> bytes:
    return hashlib.sha256(message(label, *parts)).digest()


def challenge(label: str, context: Context, *parts: object) -> int:
    return int.from_bytes(hashlib.sha512(message(label, G, *context, *parts)).digest(), "little") % L


def scalar_bytes(scalar: int) -> bytes:
    return (scalar % L).to_bytes(SIZE, "little")


def pedersen(value: int, blinding: int) -> bytes:
    return PURE.add(PURE.mul(value, H), PURE.base(blinding))


H = PURE.hash_to_group(b"kimberley/1 pedersen H")


@dataclass(frozen=True)
class Deriver:
    """What one seat derives at one table."""

    game: bytes
    seat: int
    seed: bytes

    def context(self, step: int, stage: int = 0) -> Context:
        return self.game, step, stage, self.seat

    def derive(self, label: str, context: Context, index: int, *statement: object) -> bytes:
        return hmac.digest(self.seed, message(label, *context, index, *statement), "sha256")

    def stream(self, label: str, context: Context, index: int, size: int, *statement: object) -> bytes:
        return hashlib.shake_256(self.derive(label, context, index, *statement)).digest(size)

    def scalars(self, label: str, context: Context, index: int, count: int, *statement: object) -> list[int]:
        stream = self.stream(label, context, index, 64 * count, *statement)
        return [1 + int.from_bytes(stream[64 * k : 64 * k + 64], "little") % (L - 1) for k in range(count)]

    def dleq(self, name: str, context: Context, index: int, x: int, bases: Sequence[bytes]) -> bytes:
        public, images = PURE.base(x), [PURE.mul(x, base) for base in bases]
        label = f"dleq {name}"
        (w,) = self.scalars(label, context, index, 1, scalar_bytes(x), public, bases, images)
        c = challenge(label, context, public, bases, images, PURE.base(w), [PURE.mul(w, base) for base in bases])
        return scalar_bytes(c) + scalar_bytes(w + c * x)

    def range_proof(self, name: str, context: Context, index: int, bits: int, value: int, blinding: int) -> bytes:
        label, whole = f"range {name}", pedersen(value, blinding)
        drawn = self.scalars(label, context, index, 4 * bits, bits, value, scalar_bytes(blinding), whole)
        rows = [drawn[4 * i : 4 * i + 4] for i in range(bits)]
        rows[0][0] = blinding - sum(row[0] for row in rows[1:])
        commitments, firsts = [], []
        for i, (r, w, other_c, other_z) in enumerate(rows):
            bit, weight = value >> i & 1, PURE.mul(1 << i, H)
            commitments.append(PURE.add(PURE.mul(bit, weight), PURE.base(r)))
            branches = commitments[i], PURE.sub(commitments[i], weight)
            pair = [PURE.base(w)] * 2
            pair[1 - bit] = PURE.sub(PURE.base(other_z), PURE.mul(other_c, branches[1 - bit]))
            firsts += pair
        c = challenge(label, context, bits, whole, commitments, firsts)
        proof = b"".join(commitments[1:]) + scalar_bytes(c)
        for i, (r, w, other_c, other_z) in enumerate(rows):
            bit = value >> i & 1
            true = c - other_c, w + (c - other_c) * r
            branches_of = (true, (other_c, other_z)) if bit == 0 else ((other_c, other_z), true)
            (c_0, z_0), (_, z_1) = branches_of
            proof += scalar_bytes(c_0) + scalar_bytes(z_0) + scalar_bytes(z_1)
        return proof

    # -- bodies --------------------------------------------------------------------------------------------------------

    def secret(self, purpose: str) -> int:
        return self.scalars(f"key {purpose}", self.context(0), 0, 1)[0]

    def keys(self) -> tuple[tuple[bytes, bytes], ...]:
        secrets = {purpose: self.secret(purpose) for purpose in ("coin", "bag", "mailbox")}
        return tuple(
            (PURE.base(x), self.dleq(f"key {purpose}", self.context(0), 0, x, [])) for purpose, x in secrets.items()
        )

    def share(self, step: int) -> tuple[bytes]:
        point = PURE.hash_to_group(message("coin point", self.game, step, 0))
        y = self.secret("coin")
        return (PURE.mul(y, point) + self.dleq("coin share", self.context(step), 0, y, [point]),)

    def blinding(self, step: int, index: int, name: str, amount: int) -> int:
        return self.scalars("blinding", self.context(step), index, 1, name, 8, amount)[0]

    def seal(
        self, step: int, slots: Sequence[tuple[str, int]], limit: int, spent: tuple[int, int]
    ) -> tuple[tuple[bytes, ...], tuple[bytes, ...], bytes]:
        """`slots` are (name, amount); `spent` is (total, blinding) of the tally of the limit before."""
        context = self.context(step)
        drawn = [self.blinding(step, index, name, amount) for index, (name, amount) in enumerate(slots)]
        amounts = [amount for _, amount in slots]
        return (
            tuple(map(pedersen, amounts, drawn)),
            tuple(
                self.range_proof("amount", context, index, 8, amount, r)
                for index, (amount, r) in enumerate(zip(amounts, drawn, strict=True))
            ),
            self.range_proof("within", context, 0, 8, limit - spent[0] - sum(amounts), -spent[1] - sum(drawn)),
        )

    def commit(self, step: int, choice: object) -> tuple[bytes]:
        return (digest("choice", self.game, step, self.seat, self.choice_nonce(step, choice), choice),)

    def choice_nonce(self, step: int, choice: object) -> bytes:
        return self.derive("choice nonce", self.context(step), 0, choice)

    def tell(
        self, step: int, index: int, kind: str, size: int, more: bytes, than: tuple[int, int], says: object
    ) -> tuple[bytes, bytes]:
        """Pads and payload of a tell; `than` is (total, blinding) of the owner's tally."""
        context, bits, (s, blinding) = self.context(step), 8, than
        S = pedersen(s, blinding)
        key = self.derive("tell key", context, index, more, S)
        statement = bits, more, S, s, key
        (a,) = self.scalars(f"disclosure exponent tell {index}", context, 0, 1, *statement)
        decoys = self.stream(f"disclosure decoys tell {index}", context, 0, SIZE << bits, *statement)
        A = PURE.base(a)
        bound = digest(f"disclosure tell {index}", G, *context, bits, more, S, A)
        offer = A
        for v in range(1 << bits):
            shared = PURE.mul(a, PURE.sub(more, PURE.mul(v, H)))
            mask = hashlib.sha256(b"kimberley/1 pad" + bound + v.to_bytes(4, "big") + shared).digest()
            below = decoys[SIZE * v : SIZE * v + SIZE] if v <= s else key
            offer += bytes(one ^ other for one, other in zip(mask, below, strict=True))
        payload = pack(says)
        associated = message(f"payload {kind}", *context, index, size)
        cipher = ChaCha20Poly1305(hmac.digest(key, associated, "sha256"))
        plain = len(payload).to_bytes(4, "big") + payload.ljust(size, b"\0")
        return offer, cipher.encrypt(bytes(12), plain, associated)


def dice(points: Sequence[bytes], sides: Sequence[int]) -> tuple[int, ...]:
    """The roll of these shares."""
    total = PURE.identity
    for point in points:
        total = PURE.add(total, point)
    material = digest("coin", G, total)
    words = [
        int.from_bytes(block[at : at + 8], "big")
        for counter in range(8)
        for block in (hashlib.sha256(message("dice", material, counter)).digest(),)
        for at in range(0, 32, 8)
    ]
    return tuple(next(w for w in iter(lambda: words.pop(0), None) if w < 2**64 - 2**64 % n) % n for n in sides)
