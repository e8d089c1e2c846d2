"""Items that no seat can read alone: ElGamal under a key that all seats hold together.

Seat i holds a bag key x_i and has published X_i = x_i*G with a proof of possession; the joint key is X, the sum of all
X_i. A part of an item with the public value point M is the pair (a, b) = (r*G, M + r*X). A seat that knows the shares
x_i*a of all seats learns M = b - sum x_i*a and looks it up among the possible values of the part. As long as one seat
withholds its share, M stays hidden (ElGamal, CRYPTO '84; with a joint key: Pedersen, EUROCRYPT '91).

The proofs of possession keep a seat from choosing its key as a function of the others', and so from knowing the joint
secret. The key of a seat that left stays in the sum: that seat publishes x_i, and everyone can compute its shares.

A publicly known item enters a bag with r = 1: everybody computes the same pairs, and no point of them is the identity.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from kimberley.games.table import Plain
from kimberley.protocol.crypto.coin import prove_key
from kimberley.protocol.crypto.group import POINT_SIZE, BadPoint, BadScalar, Group, Point
from kimberley.protocol.crypto.hashing import Context, derive_scalar, message

BAG: Final = "bag"
MAILBOX: Final = "mailbox"
PAIR_SIZE: Final = 2 * POINT_SIZE

Pair: TypeAlias = tuple[Point, Point]
"""The ciphertext (a, b) of one part of an item."""

Item: TypeAlias = tuple[Pair, ...]
"""The parts of an item, each with its own mask."""


@dataclass(frozen=True, slots=True)
class SeatKey:
    """A seat's key for one purpose, `BAG` or `MAILBOX`: secret x, public x*G, and the 64-byte proof of possession."""

    secret: int
    public: Point
    proof: bytes

    @classmethod
    def derive(cls, g: Group, seed: bytes, ctx: Context, purpose: str) -> "SeatKey":
        """Returns the key of a seat with this seed in this game; `ctx` is the context in which the seat announces it.

        `coin.verify_key` checks the proof.
        """
        secret = derive_scalar(g, seed, "key " + purpose, ctx, 0)
        return cls(secret, g.base(secret), prove_key(g, seed, ctx, purpose, secret))


def joint_key(g: Group, publics: Iterable[Point]) -> Point:
    """Returns X, the sum of all seats' public bag keys, including those of seats that left."""
    total = g.identity
    for public in publics:
        total = g.add(total, public)
    return total


def published_key(g: Group, public: Point, data: bytes) -> int | None:
    """Returns the secret key in the 32 bytes that a leaving seat published; None if it does not fit the public key.
    Never raises.
    """
    try:
        secret = g.decode_scalar(data)
    except BadScalar:
        return None
    return secret if g.base(secret) == public else None


def value_point(g: Group, part: int, value: Plain) -> Point:
    """Returns M, the point that stands for a value of the part with this number: hashed to the group, so that no
    relation between the points of different values is known.
    """
    return g.fixed_point(message("bag value", part, value))


def value_table(g: Group, part: int, values: Iterable[Plain]) -> dict[Point, Plain]:
    """Returns the public table of the values that a part can have, by their points: `plaintext` is looked up in it."""
    return {value_point(g, part, value): value for value in values}


def known_item(g: Group, key: Point, values: Sequence[Plain]) -> Item:
    """Returns an item with these values, one for each part, in the form in which it enters a bag: (G, M + X) for
    each.
    """
    return tuple((g.base(1), g.add(value_point(g, part, value), key)) for part, value in enumerate(values))


def remask(g: Group, key: Point, pair: Pair, mask: int) -> Pair:
    """Returns the same part with another mask: (a + mask*G, b + mask*X)."""
    a, b = pair
    return g.add(a, g.base(mask)), g.add(b, g.mul(mask, key))


def plaintext(g: Group, pair: Pair, shares: Iterable[Point]) -> Point:
    """Returns M = b - the sum of all seats' shares x_i*a, in any order."""
    _, point = pair
    for share in shares:
        point = g.sub(point, share)
    return point


def encode_items(items: Iterable[Item]) -> bytes:
    """Encodes every part of every item in order, a || b, 64 bytes each."""
    return b"".join(point for item in items for pair in item for point in pair)


def decode_items(g: Group, data: bytes, count: int, parts: int) -> tuple[Item, ...]:
    """Reads `count` items of `parts` parts from the wire. Raises BadPoint unless all are points, none the identity, and
    the length is count*parts*64 bytes.
    """
    if len(data) != count * parts * PAIR_SIZE:
        raise BadPoint(f"{count} items of {parts} parts are {count * parts * PAIR_SIZE} bytes, not {len(data)}")
    points = decode_points(g, data)
    pairs = list(zip(points[::2], points[1::2], strict=True))
    return tuple(tuple(pairs[start : start + parts]) for start in range(0, len(pairs), parts))


def decode_points(g: Group, data: bytes) -> list[Point]:
    """Reads points from the wire, 32 bytes each. Raises BadPoint unless all are points and none the identity."""
    return [g.decode_point(data[start : start + POINT_SIZE]) for start in range(0, len(data), POINT_SIZE)]
