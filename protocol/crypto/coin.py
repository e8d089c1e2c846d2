"""The joint coin: all seats roll the dice together, in one round, and no seat can grind for an outcome.

Seat i holds a secret y_i and has published y_i*G with a proof of possession before the game. A roll uses the point
B = hash-to-group(game, step, index); each seat's share is y_i*B with a proof of the same y_i. The roll is the hash of
the sum of the shares. A seat's public key fixes its share, so the seat cannot choose it. No other seat can compute the
share from public values (that is the Diffie-Hellman problem). So nobody foresees the outcome before the last honest
seat has sent its share, even if all others collude.

The proof of possession keeps a seat from choosing its key as a function of the others'.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.protocol.crypto import dleq
from kimberley.protocol.crypto.group import POINT_SIZE, Group, Point
from kimberley.protocol.crypto.hashing import Context, derive_scalar, digest, message

COIN: Final = "coin"
SHARE_SIZE: Final = POINT_SIZE + dleq.PROOF_SIZE
MAX_SIDES: Final = 2**64  # SPEC: sides of a die
WORD_SIZE: Final = 8


@dataclass(frozen=True, slots=True)
class CoinKey:
    """A seat's coin key: secret y, public y*G, and the 64-byte proof of possession."""

    secret: int
    public: Point
    proof: bytes

    @classmethod
    def derive(cls, g: Group, seed: bytes, ctx: Context) -> "CoinKey":
        """Returns the coin key of a seat with this seed in this game; `ctx` is the context in which the seat announces
        it.
        """
        secret = derive_scalar(g, seed, "key " + COIN, ctx, 0)
        return cls(secret, g.base(secret), prove_key(g, seed, ctx, COIN, secret))


def prove_key(g: Group, seed: bytes, ctx: Context, purpose: str, secret: int) -> bytes:
    """Returns a proof, 64 bytes, that the seat knows the secret of its public key secret*G for this purpose."""
    return dleq.prove(g, seed, ctx, "key " + purpose, 0, secret, ())[1]


def verify_key(g: Group, ctx: Context, purpose: str, public: Point, proof: bytes) -> bool:
    """Returns whether the public key is a point, not the identity, and its secret is known. Never raises on any
    bytes.
    """
    return dleq.verify(g, ctx, "key " + purpose, public, (), (), proof)


def roll_point(g: Group, ctx: Context, index: int) -> Point:
    """Returns the point B of a game's step and index. All shares are multiples of it; seat and stage do not change
    it.
    """
    return g.hash_to_group(message("coin point", ctx.game, ctx.step, index))


def share(g: Group, seed: bytes, ctx: Context, y: int, index: int) -> bytes:
    """Returns a seat's share of a roll: y*B and its proof, `SHARE_SIZE` bytes."""
    (point,), proof = dleq.prove(g, seed, ctx, "coin share", index, y, (roll_point(g, ctx, index),))
    return point + proof


def open_share(g: Group, ctx: Context, y: int, index: int) -> Point:
    """Returns the share of a seat that published its key y. Anyone can compute it, so it needs no proof."""
    return g.mul(y, roll_point(g, ctx, index))


def verify_share(g: Group, ctx: Context, public: Point, index: int, share: bytes) -> Point | None:
    """Returns the point of a seat's share, or None if its public key fixes a different point. Never raises."""
    point, proof = share[:POINT_SIZE], share[POINT_SIZE:]
    bases = (roll_point(g, ctx, index),)
    return point if dleq.verify(g, ctx, "coin share", public, bases, (point,), proof) else None


def combine(g: Group, points: Sequence[Point]) -> bytes:
    """Returns the roll's material, 32 bytes: the hash of the sum of all seats' shares, in any order."""
    total = g.identity
    for point in points:
        total = g.add(total, point)
    return digest("coin", g.name, total)


def dice(material: bytes, sides: Sequence[int]) -> tuple[int, ...]:
    """Returns one unbiased integer in 0..n-1 for each n of `sides`; n is 1..2^64.

    The material is expanded to a stream of 64-bit big-endian words, SHA-256(message("dice", material, 0)), then 1, 2...
    Each die uses the next word w below the greatest multiple of n up to 2^64, and shows w mod n; other words are
    skipped.
    """
    for n in sides:
        if not 1 <= n <= MAX_SIDES:
            raise ValueError(f"a die has 1 to 2^64 sides, not {n}")
    words = _words(material)
    return tuple(next(w for w in words if w < MAX_SIDES - MAX_SIDES % n) % n for n in sides)


def _words(material: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = hashlib.sha256(message("dice", material, counter)).digest()
        for start in range(0, len(block), WORD_SIZE):
            yield int.from_bytes(block[start : start + WORD_SIZE], "big")
        counter += 1
