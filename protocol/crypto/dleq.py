"""Proofs that several points have the same secret: x with Y = x*G and V_j = x*B_j for each base B_j.

Chaum and Pedersen, "Wallet Databases with Observers", CRYPTO '92, made non-interactive by hashing. The prover picks a
nonce w, and T = w*G, T_j = w*B_j; the challenge is c = hash(label, context, Y, bases, images, T, T_j...); the response
is z = w + c*x. The verifier recovers T = z*G - c*Y and T_j = z*B_j - c*V_j, and checks that they hash to c. Without
bases it is Schnorr's proof that the prover knows x.

A proof is c || z, 64 bytes, whatever the number of bases.
"""

from collections.abc import Sequence
from typing import Final

from kimberley.protocol.crypto.group import SCALAR_SIZE, BadPoint, BadScalar, Group, Point
from kimberley.protocol.crypto.hashing import Context, challenge, derive_scalar

PROOF_SIZE: Final = 2 * SCALAR_SIZE


def prove(
    g: Group, seed: bytes, ctx: Context, label: str, index: int, secret: int, bases: Sequence[Point]
) -> tuple[tuple[Point, ...], bytes]:
    """Returns the images secret*B_j of the bases, and the proof that they belong to the public key secret*G.

    Args:
        g: The group.
        seed: The prover's secret seed, 32 bytes.
        ctx: The prover's context.
        label: The purpose of the proof.
        index: Distinguishes proofs with the same label and context.
        secret: The discrete logarithm x.
        bases: The points B_j, any number.

    """
    bases = tuple(bases)
    public = g.base(secret)
    images = tuple(g.mul(secret, base) for base in bases)
    nonce = derive_scalar(g, seed, "dleq " + label, ctx, index, g.encode_scalar(secret), public, bases, images)
    c = challenge_of(g, ctx, label, public, bases, images, g.base(nonce), [g.mul(nonce, base) for base in bases])
    return images, g.encode_scalar(c) + g.encode_scalar(nonce + c * secret)


def verify(
    g: Group, ctx: Context, label: str, public: Point, bases: Sequence[Point], images: Sequence[Point], proof: bytes
) -> bool:
    """Returns whether the public key and every image have the same secret. Never raises on any bytes.

    Args:
        g: The group.
        ctx: The prover's context.
        label: The purpose of the proof.
        public: The public key x*G, from the wire; the identity is refused.
        bases: The points B_j.
        images: The points x*B_j, from the wire; the identity is refused.
        proof: 64 bytes.

    """
    bases, images = tuple(bases), tuple(images)
    if len(bases) != len(images) or len(proof) != PROOF_SIZE:
        return False
    try:
        c, z = g.decode_scalar(proof[:SCALAR_SIZE]), g.decode_scalar(proof[SCALAR_SIZE:])
        for point in (public, *images):
            g.decode_point(point)
        t = g.sub(g.base(z), g.mul(c, public))
        ts = [g.sub(g.mul(z, base), g.mul(c, image)) for base, image in zip(bases, images, strict=True)]
    except (BadPoint, BadScalar):
        return False
    return c == challenge_of(g, ctx, label, public, bases, images, t, ts)


def challenge_of(
    g: Group,
    ctx: Context,
    label: str,
    public: Point,
    bases: tuple[Point, ...],
    images: tuple[Point, ...],
    t: Point,
    ts: Sequence[Point],
) -> int:
    """Returns the challenge of a proof, from everything that the proof covers."""
    return challenge(g, "dleq " + label, ctx, public, bases, images, t, tuple(ts))
