"""Shares that open a part of an item: to everybody, or to one seat alone without a private channel.

Seat i's share of a pair (a, b) is D = x_i*a, fixed by its bag key X_i = x_i*G. `elgamal.plaintext` subtracts the shares
of all seats from b.

To all seats, a seat sends its shares in the clear with one proof that each share has the secret x_i (`dleq`).

To one seat, it sends each D encrypted under that seat's mailbox key Z = z*G: E = k*G, F = D + k*Z. One proof covers all
shares; everybody checks it immediately, so a wrong share is refused before anyone decrypts. With e = hash(context, X_i,
Z, all a, all E, F), the j-th share weighted by e^(j-1), and A, E', F' the weighted sums of the a, E and F, the seat
shows that it knows x_i and k' for which

    X_i = x_i*G,    E' = k'*G,    F' = x_i*A + k'*Z.

If this holds for as many different e as there are shares, every E_j = k_j*G and F_j = x_i*a_j + k_j*Z. The proof is
Schnorr's for these three: nonces w and w', T = w*G, T' = w'*G, T'' = w*A + w'*Z, challenge c over all of it, responses
s = w + c*x_i and s' = w' + c*k'. The receiver subtracts z*E from F, and adds its own share. (Verifiable encryption of a
discrete-logarithm image; compare Stadler, "Publicly Verifiable Secret Sharing", EUROCRYPT '96.)

The share of a seat that published its key needs no proof: everyone computes it.
"""

from collections.abc import Sequence
from typing import Final

from kimberley.protocol.crypto import dleq
from kimberley.protocol.crypto.elgamal import PAIR_SIZE, Pair, decode_points
from kimberley.protocol.crypto.group import POINT_SIZE, SCALAR_SIZE, BadPoint, BadScalar, Group, Point
from kimberley.protocol.crypto.hashing import Context, challenge, derive_scalars

SHARE: Final = "bag share"
MAIL: Final = "mail"
MAIL_PROOF_SIZE: Final = 3 * SCALAR_SIZE


def share_size(count: int) -> int:
    """Returns the size in bytes of the public shares of `count` pairs."""
    return count * POINT_SIZE + dleq.PROOF_SIZE


def mail_size(count: int) -> int:
    """Returns the size in bytes of the shares of `count` pairs for one seat."""
    return count * PAIR_SIZE + MAIL_PROOF_SIZE


def share(g: Group, seed: bytes, ctx: Context, x: int, pairs: Sequence[Pair]) -> bytes:
    """Returns a seat's public shares of these pairs: D for each, and one proof; `share_size` bytes."""
    points, proof = dleq.prove(g, seed, ctx, SHARE, 0, x, [a for a, _ in pairs])
    return b"".join(points) + proof


def verify_share(g: Group, ctx: Context, public: Point, pairs: Sequence[Pair], sent: bytes) -> tuple[Point, ...] | None:
    """Returns the shares of these pairs by the seat with this public bag key, or None for anything else. Never
    raises.
    """
    end = len(pairs) * POINT_SIZE
    points = tuple(sent[start : start + POINT_SIZE] for start in range(0, end, POINT_SIZE))
    return points if dleq.verify(g, ctx, SHARE, public, [a for a, _ in pairs], points, sent[end:]) else None


def open_share(g: Group, x: int, pairs: Sequence[Pair]) -> tuple[Point, ...]:
    """Returns the shares under a known secret bag key: the seat's own, or a published one."""
    return tuple(g.mul(x, a) for a, _ in pairs)


def mail(g: Group, seed: bytes, ctx: Context, x: int, mailbox: Point, pairs: Sequence[Pair]) -> bytes:
    """Returns a seat's shares of these pairs for the seat with this public mailbox key: E || F for each, and one proof,
    c || s || s'; `mail_size` bytes. Raises ValueError if there are no pairs.

    Args:
        g: The group.
        seed: The sender's secret seed, 32 bytes.
        ctx: The sender's context.
        x: The sender's secret bag key.
        mailbox: The receiver's public mailbox key Z.
        pairs: The pairs to share.

    """
    if not pairs:
        raise ValueError("there is nothing to mail: name at least one pair")
    public = g.base(x)
    bases = [a for a, _ in pairs]
    points = open_share(g, x, pairs)
    statement = (g.encode_scalar(x), public, mailbox, tuple(bases), points)
    w, w_mask, *masks = derive_scalars(g, seed, MAIL, ctx, 0, 2 + len(pairs), *statement)
    sent = [(g.base(k), g.add(point, g.mul(k, mailbox))) for k, point in zip(masks, points, strict=True)]
    envelope = b"".join(e + f for e, f in sent)

    weight = weight_of(g, ctx, public, mailbox, bases, envelope)
    joint_mask = 0
    for k in reversed(masks):
        joint_mask = (joint_mask * weight + k) % g.order
    firsts = (
        g.base(w),
        g.base(w_mask),
        g.add(g.mul(w, blended(g, weight, bases)), g.mul(w_mask, mailbox)),
    )
    c = challenge_of(g, ctx, public, mailbox, bases, envelope, firsts)
    return envelope + b"".join(map(g.encode_scalar, (c, w + c * x, w_mask + c * joint_mask)))


def verify_mail(
    g: Group, ctx: Context, public: Point, mailbox: Point, pairs: Sequence[Pair], sent: bytes
) -> tuple[Pair, ...] | None:
    """Returns the encrypted shares (E, F) of these pairs by the seat with this public bag key for this mailbox, or None
    if `sent` is anything else. Anyone can check them. Never raises on any bytes.

    Args:
        g: The group.
        ctx: The sender's context.
        public: The sender's public bag key X_i.
        mailbox: The receiver's public mailbox key Z.
        pairs: The shared pairs.
        sent: The shares from the wire, `mail_size` bytes.

    """
    if not pairs or len(sent) != mail_size(len(pairs)):
        return None
    envelope, proof = sent[:-MAIL_PROOF_SIZE], sent[-MAIL_PROOF_SIZE:]
    bases = [a for a, _ in pairs]
    try:
        points = decode_points(g, envelope)
        c, s, s_mask = (
            g.decode_scalar(proof[start : start + SCALAR_SIZE]) for start in range(0, len(proof), SCALAR_SIZE)
        )
        for point in (public, mailbox):
            g.decode_point(point)
        es, fs = points[::2], points[1::2]
        weight = weight_of(g, ctx, public, mailbox, bases, envelope)
        joint = g.add(g.mul(s, blended(g, weight, bases)), g.mul(s_mask, mailbox))
        firsts = (
            g.sub(g.base(s), g.mul(c, public)),
            g.sub(g.base(s_mask), g.mul(c, blended(g, weight, es))),
            g.sub(joint, g.mul(c, blended(g, weight, fs))),
        )
    except (BadPoint, BadScalar):
        return None
    if c != challenge_of(g, ctx, public, mailbox, bases, envelope, firsts):
        return None
    return tuple(zip(es, fs, strict=True))


def read_mail(g: Group, z: int, mailed: Sequence[Pair]) -> tuple[Point, ...]:
    """Returns the shares mailed to the seat with this secret mailbox key: F - z*E for each."""
    return tuple(g.sub(f, g.mul(z, e)) for e, f in mailed)


def blended(g: Group, weight: int, points: Sequence[Point]) -> Point:
    """Returns points[0] + weight*points[1] + weight^2*points[2]..."""
    *others, total = points
    for point in reversed(others):
        total = g.add(g.mul(weight, total), point)
    return total


def weight_of(g: Group, ctx: Context, public: Point, mailbox: Point, bases: Sequence[Point], envelope: bytes) -> int:
    """Returns the weight by which a proof of mail blends the pairs of all items into one."""
    return challenge(g, "mail weight", ctx, public, mailbox, tuple(bases), envelope)


def challenge_of(
    g: Group,
    ctx: Context,
    public: Point,
    mailbox: Point,
    bases: Sequence[Point],
    envelope: bytes,
    firsts: tuple[Point, Point, Point],
) -> int:
    """Returns the challenge of a proof of mail, from everything that the proof covers."""
    return challenge(g, MAIL, ctx, public, mailbox, tuple(bases), envelope, firsts)
