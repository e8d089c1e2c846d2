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
Pair = tuple[bytes, bytes]
Item = tuple[Pair, ...]


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


def xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def weighed(weights: Sequence[int], points: Sequence[bytes]) -> bytes:
    total = PURE.identity
    for weight, point in zip(weights, points, strict=True):
        total = PURE.add(total, PURE.mul(weight, point))
    return total


def joined(items: Sequence[Item]) -> bytes:
    return b"".join(point for item in items for pair in item for point in pair)


def value_point(part: int, value: object) -> bytes:
    return PURE.hash_to_group(message("bag value", part, value))


def known_item(joint: bytes, values: Sequence[object]) -> Item:
    return tuple((PURE.base(1), PURE.add(value_point(part, value), joint)) for part, value in enumerate(values))


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

    def roll_point(self, step: int) -> bytes:
        return PURE.hash_to_group(message("coin point", self.game, step, 0))

    def share(self, step: int) -> tuple[bytes]:
        point = self.roll_point(step)
        y = self.secret("coin")
        return (PURE.mul(y, point) + self.dleq("coin share", self.context(step), 0, y, [point]),)

    def blinding(self, step: int, index: int, name: str, amount: int, bits: int = 8) -> int:
        return self.scalars("blinding", self.context(step), index, 1, name, bits, amount)[0]

    def seal(
        self, step: int, slots: Sequence[tuple[str, int]], limit: int, spent: tuple[int, int], bits: int = 8
    ) -> tuple[tuple[bytes, ...], tuple[bytes, ...], bytes]:
        """`slots` are (name, amount); `spent` is (total, blinding) of the tally of the limit before."""
        context = self.context(step)
        drawn = [self.blinding(step, index, name, amount, bits) for index, (name, amount) in enumerate(slots)]
        amounts = [amount for _, amount in slots]
        return (
            tuple(map(pedersen, amounts, drawn)),
            tuple(
                self.range_proof("amount", context, index, bits, amount, r)
                for index, (amount, r) in enumerate(zip(amounts, drawn, strict=True))
            ),
            self.range_proof("within", context, 0, bits, limit - spent[0] - sum(amounts), -spent[1] - sum(drawn)),
        )

    def commit(self, step: int, choice: object) -> tuple[bytes]:
        return (digest("choice", self.game, step, self.seat, self.choice_nonce(step, choice), choice),)

    def choice_nonce(self, step: int, choice: object) -> bytes:
        return self.derive("choice nonce", self.context(step), 0, choice)

    def tell(
        self,
        step: int,
        index: int,
        kind: str,
        size: int,
        more: bytes,
        than: tuple[int, int],
        says: object,
        bits: int = 8,
    ) -> tuple[bytes, bytes]:
        """Pads and payload of a tell; `than` is (total, blinding) of the owner's tally."""
        key = self.tell_key(step, index, more, than)
        return self.pads(step, index, more, than, key, bits), self.payload(step, index, kind, size, key, says)

    def tell_key(self, step: int, index: int, more: bytes, than: tuple[int, int]) -> bytes:
        return self.derive("tell key", self.context(step), index, more, pedersen(*than))

    def pads(self, step: int, index: int, more: bytes, than: tuple[int, int], key: bytes, bits: int) -> bytes:
        context, (s, blinding) = self.context(step), than
        S = pedersen(s, blinding)
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
            offer += xor(mask, below)
        return offer

    def payload(self, step: int, index: int, kind: str, size: int, key: bytes, says: object) -> bytes:
        context, payload = self.context(step), pack(says)
        associated = message(f"payload {kind}", *context, index, size)
        cipher = ChaCha20Poly1305(hmac.digest(key, associated, "sha256"))
        plain = len(payload).to_bytes(4, "big") + payload.ljust(size, b"\0")
        return cipher.encrypt(bytes(12), plain, associated)

    # -- bags ----------------------------------------------------------------------------------------------------------

    def shuffle(self, step: int, bag: str, joint: bytes, items: Sequence[Item]) -> tuple[bytes, bytes]:
        """The body of this seat's stage."""
        context, n, parts = self.context(step, self.seat), len(items), len(items[0])
        given = joined(items)
        tags = self.stream(f"shuffle order {bag}", context, 0, 32 * n, joint, n, parts, given)
        order = sorted(range(n), key=lambda j: (tags[32 * j : 32 * j + 32], j))
        flat = self.scalars(f"shuffle masks {bag}", context, 0, n * parts, joint, n, parts, given)
        masks = [flat[parts * i : parts * i + parts] for i in range(n)]
        outputs = [
            tuple(
                (PURE.add(a, PURE.base(m)), PURE.add(b, PURE.mul(m, joint)))
                for (a, b), m in zip(items[j], row, strict=True)
            )
            for j, row in zip(order, masks, strict=True)
        ]
        moved = joined(outputs)
        statement = joint, n, parts, given, moved, order, b"".join(scalar_bytes(m) for m in flat)
        drawn = self.scalars(f"shuffle proof {bag}", context, 0, 3 * n + parts, *statement)
        r = drawn[: n - 1]
        r.append(-sum(r))
        links = [0, *drawn[n - 1 : 2 * n - 2], 0]
        w = drawn[2 * n - 2 : 3 * n - 2]
        t, t_chain, *t_parts = drawn[3 * n - 2 :]
        h = [PURE.hash_to_group(message("shuffle generator", i)) for i in range(n + 1)]
        commitments = [PURE.add(PURE.base(r[j]), h[order.index(j) + 1]) for j in range(n - 1)]
        label, statement_label = f"shuffle proof {bag}", f"shuffle statement {bag}"
        bound = hashlib.sha512(
            message(statement_label, G, *context, joint, n, parts, given, moved, b"".join(commitments))
        ).digest()
        stream = hashlib.shake_256(message("shuffle weights", bound)).digest(64 * n)
        u = [int.from_bytes(stream[64 * j : 64 * j + 64], "little") % L for j in range(n)]
        v = [u[j] for j in order]
        products = [1]
        for weight in v:
            products.append(products[-1] * weight % L)
        k = [PURE.add(PURE.base(links[i]), PURE.mul(products[i], h[0])) for i in range(n)]
        e = challenge(f"shuffle links {bag}", context, bound, k[1:])
        firsts = [
            PURE.add(PURE.base(t), weighed(w, h[1:])),
            PURE.add(PURE.base(t_chain), weighed([w[i] * pow(e, i, L) for i in range(n)], k)),
        ]
        for part, nonce in enumerate(t_parts):
            for side, key in enumerate((PURE.base(1), joint)):
                points = [item[part][side] for item in outputs]
                firsts.append(PURE.sub(weighed(w, points), PURE.mul(nonce, key)))
        c = challenge(label, context, bound, k[1:], firsts)
        responses = [
            c,
            t + c * sum(a * b for a, b in zip(u, r, strict=True)),
            t_chain + c * sum(pow(e, i, L) * (links[i + 1] - v[i] * links[i]) for i in range(n)),
            *(t_parts[p] + c * sum(v[i] * masks[i][p] for i in range(n)) for p in range(parts)),
            *(w[i] + c * v[i] for i in range(n)),
        ]
        return moved, b"".join([*commitments, *k[1:], *map(scalar_bytes, responses)])

    def shown_to_all(self, step: int, pairs: Sequence[Pair]) -> bytes:
        x, bases = self.secret("bag"), [a for a, _ in pairs]
        return b"".join(PURE.mul(x, a) for a in bases) + self.dleq("bag share", self.context(step), 0, x, bases)

    def mail(self, step: int, mailbox: bytes, pairs: Sequence[Pair]) -> bytes:
        context, x, bases = self.context(step), self.secret("bag"), [a for a, _ in pairs]
        public, points = PURE.base(x), [PURE.mul(x, a) for a in bases]
        w, w_mask, *q = self.scalars(
            "mail", context, 0, 2 + len(pairs), scalar_bytes(x), public, mailbox, bases, points
        )
        sent = b"".join(
            PURE.base(mask) + PURE.add(point, PURE.mul(mask, mailbox)) for mask, point in zip(q, points, strict=True)
        )
        e = challenge("mail weight", context, public, mailbox, bases, sent)
        powers = [pow(e, j, L) for j in range(len(pairs))]
        whole = PURE.add(PURE.mul(w, weighed(powers, bases)), PURE.mul(w_mask, mailbox))
        c = challenge("mail", context, public, mailbox, bases, sent, [PURE.base(w), PURE.base(w_mask), whole])
        q_sum = sum(power * mask for power, mask in zip(powers, q, strict=True))
        return sent + scalar_bytes(c) + scalar_bytes(w + c * x) + scalar_bytes(w_mask + c * q_sum)

    def leave(self, step: int, stage: int, bags: Sequence[tuple[int, bytes]], choices: object) -> tuple[bytes, ...]:
        """The body of a leave; `bags` are the numbers and public bag keys of the seats that remain."""
        context, secret = self.context(step, stage), pack([self.seed, choices])
        (e,) = self.scalars("escrow", context, 0, 1, bags, secret)
        shares = [self.derive("escrow share", context, seat, bags, secret) for seat, _ in bags]
        R = PURE.base(e)
        boxes = [
            xor(share, digest("escrow pad", G, *context, R, seat, PURE.mul(e, public)))
            for share, (seat, public) in zip(shares, bags, strict=True)
        ]
        key = bytes(SIZE)
        for share in shares:
            key = xor(key, share)
        plain = len(secret).to_bytes(4, "big") + secret
        plain += bytes(-len(plain) % 4096)
        sealed = ChaCha20Poly1305(key).encrypt(bytes(12), plain, message("escrow secret", *context, R, boxes))
        keys = scalar_bytes(self.secret("coin")), scalar_bytes(self.secret("bag"))
        return (*keys, R + b"".join(boxes) + sealed)


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
