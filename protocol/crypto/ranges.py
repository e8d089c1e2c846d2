"""Range proofs: a Pedersen commitment C = value*H + blinding*G holds a value in 0..2^bits-1.

The value's bits b_i are committed one by one with their weight, C_i = b_i*2^i*H + r_i*G, so that C is the sum of all
C_i. For each bit the prover shows, without revealing which, that it knows the logarithm to G of P_0 = C_i (then
b_i = 0) or of P_1 = C_i - 2^i*H (then b_i = 1): the OR-proof of Cramer, Damgard and Schoenmakers ("Proofs of Partial
Knowledge", CRYPTO '94), all bits under one challenge c.

- C_1 ... C_{bits-1} travel. Both sides compute C_0 as C minus the other C_i, so the sum is right by construction.
- In the true branch the prover picks a nonce w, and T = w*G. In the other it picks challenge and response first, and
  T = z*G - c'*P; as P = r*G +- 2^i*H there, that is (z - c'*r)*G -+ c'*2^i*H.
- c = hash(label, context, bits, C, all C_i, all T), and the true branch gets the rest of c: c_0 + c_1 = c modulo the
  order, z = w + c_b*r.

A proof is C_1 || ... || C_{bits-1} || c || (c_0 || z_0 || z_1 for each bit), every part 32 bytes: 32 * 4*bits bytes,
1024 for 8 bits. The verifier recovers T = z*G - c_j*P_j for both branches of every bit and checks that they hash to c.
"""

from typing import Final

from kimberley.protocol.crypto.commitments import pedersen
from kimberley.protocol.crypto.group import DOUBLINGS, POINT_SIZE, SCALAR_SIZE, BadPoint, BadScalar, Group, Point
from kimberley.protocol.crypto.hashing import Context, challenge, derive_scalars

MAX_BITS: Final = DOUBLINGS  # SPEC: bits of a range proof


def proof_size(bits: int) -> int:
    """Returns the size in bytes of every proof for values of `bits` bits."""
    return (bits - 1) * POINT_SIZE + SCALAR_SIZE + bits * 3 * SCALAR_SIZE


def prove(g: Group, seed: bytes, ctx: Context, label: str, bits: int, value: int, blinding: int, index: int) -> bytes:
    """Returns the proof for pedersen(g, value, blinding); `proof_size(bits)` bytes.

    Raises ValueError if `value` or `bits` is out of its range.

    Args:
        g: The group.
        seed: The prover's secret seed, 32 bytes.
        ctx: The prover's context.
        label: The purpose of the proof.
        bits: The width of the range, 1 to 64.
        value: The committed value, 0 to 2^bits-1.
        blinding: The blinding of the commitment.
        index: Distinguishes proofs with the same label and context.

    """
    if not 1 <= bits <= MAX_BITS:
        raise ValueError(f"a range proof has 1 to {MAX_BITS} bits, not {bits}")
    if not 0 <= value < 1 << bits:
        raise ValueError(f"{value} does not fit {bits} bits, so it cannot be proven to")
    commitment = pedersen(g, value, blinding)
    witness = (bits, value, g.encode_scalar(blinding), commitment)
    scalars = derive_scalars(g, seed, "range " + label, ctx, index, 4 * bits, *witness)
    blindings, nonces, false_challenges, false_responses = (scalars[k::4] for k in range(4))
    blindings[0] = blinding - sum(blindings[1:])
    chosen = [value >> i & 1 for i in range(bits)]
    rows = list(zip(chosen, blindings, nonces, false_challenges, false_responses, strict=True))

    bit_commitments, first_messages = [], list[Point]()
    for weight, (b, r, w, c, z) in zip(g.doublings[:bits], rows, strict=True):
        bit_commitments.append(g.add((g.identity, weight)[b], g.base(r)))
        true, false = g.base(w), g.add(g.base(z - c * r), g.mul((c, -c)[b], weight))
        first_messages += ((true, false), (false, true))[b]

    c_all = _challenge(g, ctx, label, bits, commitment, bit_commitments, first_messages)
    responses = list[int]()
    for b, r, w, c, z in rows:
        true_c = c_all - c
        true_z = w + true_c * r
        responses += ((true_c, true_z, z), (c, z, true_z))[b]
    return b"".join([*bit_commitments[1:], *map(g.encode_scalar, (c_all, *responses))])


def verify(g: Group, ctx: Context, label: str, bits: int, commitment: Point, proof: bytes) -> bool:
    """Returns whether the proof shows that the commitment holds a value in 0..2^bits-1. Never raises on any bytes.

    The commitment may be the identity, since sums and remainders of commitments are proven too.

    Args:
        g: The group.
        ctx: The prover's context.
        label: The purpose of the proof.
        bits: The width of the range.
        commitment: The commitment to the value.
        proof: `proof_size(bits)` bytes from the wire.

    """
    if not 1 <= bits <= MAX_BITS or len(proof) != proof_size(bits) or not g.is_point(commitment):
        return False
    parts = [proof[start : start + POINT_SIZE] for start in range(0, len(proof), POINT_SIZE)]
    try:
        upper = [g.decode_point(part) for part in parts[: bits - 1]]
        c_all, *scalars = [g.decode_scalar(part) for part in parts[bits - 1 :]]
    except (BadPoint, BadScalar):
        return False
    lowest = commitment
    for point in upper:
        lowest = g.sub(lowest, point)
    bit_commitments = [lowest, *upper]
    first_messages = list[Point]()
    for i, (weight, point) in enumerate(zip(g.doublings[:bits], bit_commitments, strict=True)):
        c_0, z_0, z_1 = scalars[3 * i : 3 * i + 3]
        first_messages.append(g.sub(g.base(z_0), g.mul(c_0, point)))
        first_messages.append(g.sub(g.base(z_1), g.mul(c_all - c_0, g.sub(point, weight))))
    return c_all == _challenge(g, ctx, label, bits, commitment, bit_commitments, first_messages)


def _challenge(
    g: Group,
    ctx: Context,
    label: str,
    bits: int,
    commitment: Point,
    bit_commitments: list[Point],
    first_messages: list[Point],
) -> int:
    return challenge(g, "range " + label, ctx, bits, commitment, tuple(bit_commitments), tuple(first_messages))
