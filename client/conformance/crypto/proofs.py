"""Proofs that several points have one discrete logarithm, and that an amount is in range (sections 14.4 and 14.5)."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.conformance.crypto.group import (
    BadElement,
    H,
    Point,
    add,
    base,
    cut,
    mul,
    pedersen,
    read_point,
    read_scalar,
    scalar_bytes,
    sub,
    total,
)
from kimberley.client.conformance.crypto.hashing import Context, Secrets, challenge


def prove_dleq(who: Secrets, name: str, context: Context, index: int, x: int, bases: Sequence[Point]) -> bytes:
    """A proof that x*G and x times each base have the same x: 64 bytes."""
    label, public, images = f"dleq {name}", base(x), tuple(mul(x, each) for each in bases)
    w = who.scalar(label, context, index, scalar_bytes(x), public, tuple(bases), images)
    c = challenge(label, context, public, tuple(bases), images, base(w), tuple(mul(w, each) for each in bases))
    return scalar_bytes(c) + scalar_bytes(w + c * x)


def check_dleq(
    name: str, context: Context, public: Point, bases: Sequence[Point], images: Sequence[Point], proof: bytes
) -> bool:
    try:
        c, z = map(read_scalar, cut(proof))
        for image in (public, *images):
            read_point(image)
    except ValueError:
        return False
    first = sub(base(z), mul(c, public))
    rest = tuple(sub(mul(z, each), mul(c, image)) for each, image in zip(bases, images, strict=True))
    return c == challenge(f"dleq {name}", context, public, tuple(bases), tuple(images), first, rest)


def prove_range(who: Secrets, name: str, context: Context, index: int, bits: int, value: int, blinding: int) -> bytes:
    """A proof that pedersen(value, blinding) commits to 0 <= value < 2^bits: 128 * bits bytes."""
    label, whole = f"range {name}", pedersen(value, blinding)
    drawn = who.scalars(label, context, index, 4 * bits, bits, value, scalar_bytes(blinding), whole)
    rows = [drawn[4 * i : 4 * i + 4] for i in range(bits)]
    rows[0][0] = blinding - sum(row[0] for row in rows[1:])
    commitments: list[Point] = []
    firsts: list[Point] = []
    for i, (r, w, c_other, z_other) in enumerate(rows):
        bit, weight = value >> i & 1, mul(1 << i, H)
        commitments.append(add(mul(bit, weight), base(r)))
        other = sub(commitments[i], weight) if bit == 0 else commitments[i]
        true, false = base(w), sub(base(z_other), mul(c_other, other))
        firsts += (true, false) if bit == 0 else (false, true)
    c = challenge(label, context, bits, whole, tuple(commitments), tuple(firsts))
    proof = b"".join(commitments[1:]) + scalar_bytes(c)
    for i, (r, w, c_other, z_other) in enumerate(rows):
        c_true = c - c_other
        z_true = w + c_true * r
        if value >> i & 1:
            proof += scalar_bytes(c_other) + scalar_bytes(z_other) + scalar_bytes(z_true)
        else:
            proof += scalar_bytes(c_true) + scalar_bytes(z_true) + scalar_bytes(z_other)
    return proof


def check_range(name: str, context: Context, bits: int, whole: Point, proof: bytes) -> bool:
    if len(proof) != 128 * bits:
        return False
    pieces = cut(proof)
    try:
        commitments = [read_point(piece) for piece in pieces[: bits - 1]]
        c, *rest = map(read_scalar, pieces[bits - 1 :])
    except BadElement:
        return False
    commitments.insert(0, sub(whole, total(commitments)))
    firsts = []
    for i, commitment in enumerate(commitments):
        c_0, z_0, z_1 = rest[3 * i : 3 * i + 3]
        firsts.append(sub(base(z_0), mul(c_0, commitment)))
        firsts.append(sub(base(z_1), mul(c - c_0, sub(commitment, mul(1 << i, H)))))
    return c == challenge(f"range {name}", context, bits, whole, tuple(commitments), tuple(firsts))
