"""Verifiable shuffles: items get a secret order and new masks, and none is lost, duplicated or changed.

The seat picks an order and a mask for each part of each item: output i is input order[i], with a new mask for each
part. The proof is Terelius and Wikstroem's ("Proofs of Restricted Shuffles", AFRICACRYPT 2010; Wikstroem, "A
Commitment-Consistent Proof of a Shuffle", ACISP 2009), in the layout of Haenni, Locher, Koenig and Dubuis ("Pseudo-Code
Algorithms for Verifiable Re-Encryption Mix-Nets", FC 2017 workshops). Ours differs in three ways: items have several
parts; the commitments need no proof of their sum; and one relation covers all links of the chain, which saves a fifth
of the work. For n items, the joint key X, and generators h_0...h_n that are hashed to the group:

- The seat commits to the order by c_j = r_j*G + h_i for each input j that becomes output i. The r_j sum to zero, so the
  c_j sum to the h_i. c_n follows from the other c_j and does not travel. No separate proof is needed that the committed
  matrix maps ones to ones.
- bound = hash(label, context, statement, c_1...c_{n-1}) gives the weights u_1...u_n, and v_i = u_order[i].
- The chain k_i = R_i*G + v_1...v_i*h_0, for i = 1...n-1, shows that the v_i are the u_i in some order. It begins at
  k_0 = h_0 and ends at k_n = u_1...u_n*h_0 (R_0 = R_n = 0), which both sides compute.
- e = hash(label, context, bound, k_1...k_{n-1}) joins the n links k_i = (R_i - v_i*R_{i-1})*G + v_i*k_{i-1} into one
  relation, link i weighted by e^(i-1). The v_i are fixed by then, so if it holds for n different e, each link holds by
  itself.
- One Schnorr proof, with challenge c = hash(label, context, bound, k, T, T', T_p...), shows that the seat knows v_i and
  sums of masks for which, over j and i from 1 to n,

      sum u_j*c_j      = r*G + sum v_i*h_i
      sum e^(i-1)*k_i  = r'*G + sum v_i*e^(i-1)*k_{i-1}
      sum v_i*output_i = sum u_j*input_j + m_p*(G, X)

  the last for each part p, all with the same v_i: one order for all parts. With nonces t, t', t_p and w_i for r, r',
  m_p and v_i, the first messages are T = t*G + sum w_i*h_i, T' = t'*G + sum w_i*e^(i-1)*k_{i-1} and
  T_p = sum w_i*output_i - t_p*(G, X); the responses s, s', s_p and s_i are nonce + c*secret.

As in the paper: with enough different weights u the first relation opens every c_j to a column of a matrix, whose rows
sum to one. The second shows that the matrix keeps the product of any weights, so it is a permutation. The third then
shows that each output is its input with new masks. Commitments and chain are uniform points, whatever the order.

A proof is c_1...c_{n-1} || k_1...k_{n-1} || c || s || s' || s_p for each part || s_i for each item, 32 bytes each. The
verifier recovers T, T' and T_p and checks that they hash to c.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate, pairwise
from typing import Final

from kimberley.protocol.crypto.elgamal import (
    Item,
    decode_items,
    decode_points,
    encode_items,
    remask,
)
from kimberley.protocol.crypto.group import POINT_SIZE, SCALAR_SIZE, BadPoint, BadScalar, Group, Point
from kimberley.protocol.crypto.hashing import (
    WIDE_SIZE,
    Context,
    challenge,
    derive_scalars,
    derive_stream,
    message,
    wide,
)

MAX_ITEMS: Final = 256  # SPEC: items of a shuffle
MAX_PARTS: Final = 8  # SPEC: parts of an item
TAG_SIZE: Final = 32


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The items after a shuffle, and its secrets: `items[i]` is input `order[i]`, with `masks[i][p]` added to the mask
    of its part p.
    """

    items: tuple[Item, ...]
    order: tuple[int, ...]
    masks: tuple[tuple[int, ...], ...]


def proof_size(count: int, parts: int) -> int:
    """Returns the size in bytes of every proof for `count` items of `parts` parts."""
    return 2 * (count - 1) * POINT_SIZE + (3 + parts + count) * SCALAR_SIZE


def shuffle(g: Group, seed: bytes, ctx: Context, label: str, key: Point, items: Sequence[Item]) -> Shuffled:
    """Returns the items in an order and with masks that follow from the secret seed.

    The order sorts the places by secret tags of 32 bytes each. Every order is equally likely, except for equal tags,
    which will never occur, and uses the same number of bytes. Raises ValueError unless there are 1 to 256 items of 1 to
    8 parts, all of the same number.

    Args:
        g: The group.
        seed: The seat's secret seed, 32 bytes.
        ctx: The seat's context.
        label: The name of the bag.
        key: The joint key.
        items: The items before the shuffle.

    """
    count, parts = _shape(items)
    statement = (key, count, parts, encode_items(items))
    tags = derive_stream(seed, "shuffle order " + label, ctx, 0, count * TAG_SIZE, *statement)
    order = sorted(range(count), key=lambda place: tags[place * TAG_SIZE : (place + 1) * TAG_SIZE])
    flat = derive_scalars(g, seed, "shuffle masks " + label, ctx, 0, count * parts, *statement)
    masks = tuple(tuple(flat[start : start + parts]) for start in range(0, len(flat), parts))
    moved = tuple(
        tuple(remask(g, key, pair, mask) for pair, mask in zip(items[place], row, strict=True))
        for place, row in zip(order, masks, strict=True)
    )
    return Shuffled(moved, tuple(order), masks)


def prove(
    g: Group, seed: bytes, ctx: Context, label: str, key: Point, items: Sequence[Item], shuffled: Shuffled
) -> bytes:
    """Returns the proof that `shuffled.items` are `items` in another order with other masks; `proof_size` bytes.

    Raises ValueError as `shuffle` does.

    Args:
        g: The group.
        seed: The prover's secret seed, 32 bytes.
        ctx: The prover's context.
        label: The name of the bag.
        key: The joint key.
        items: The items before the shuffle.
        shuffled: The result of `shuffle` for the same arguments.

    """
    count, parts = _shape(items)
    given, moved = encode_items(items), encode_items(shuffled.items)
    witness = b"".join(g.encode_scalar(mask) for row in shuffled.masks for mask in row)
    statement = (key, count, parts, given, moved, shuffled.order, witness)
    secrets = iter(derive_scalars(g, seed, "shuffle proof " + label, ctx, 0, 3 * count + parts, *statement))
    blindings = [next(secrets) for _ in range(count - 1)]
    links = [0, *(next(secrets) for _ in range(count - 1)), 0]
    nonces = [next(secrets) for _ in range(count)]
    matrix_nonce, chain_nonce, *part_nonces = secrets

    root, *generators = _generators(g, count)
    leaves_as = sorted(range(count), key=shuffled.order.__getitem__)
    commitments = [g.add(g.base(r), generators[leaves_as[j]]) for j, r in enumerate(blindings)]
    bound = _bound(g, ctx, label, key, count, parts, given, moved, commitments)
    weights = _weights(g, bound, count)
    carried = [weights[j] for j in shuffled.order]

    products = list(accumulate(carried, lambda product, v: product * v % g.order, initial=1))
    chain = [g.add(g.base(links[i]), g.mul(products[i], root)) for i in range(1, count)]
    powers = _powers(g, _link_weight(g, ctx, label, bound, chain), count)

    joined = [w * power % g.order for w, power in zip(nonces, powers, strict=True)]
    chain_first = g.add(g.base(chain_nonce + _dot(joined, links[:-1])), g.mul(_dot(joined, products[:-1]), root))
    matrix_first = g.add(g.base(matrix_nonce), g.weighted_sum(nonces, generators))
    part_firsts = list[Point]()
    for part, nonce in enumerate(part_nonces):
        pairs = [item[part] for item in shuffled.items]
        part_firsts.append(g.sub(g.weighted_sum(nonces, (a for a, _ in pairs)), g.base(nonce)))
        part_firsts.append(g.sub(g.weighted_sum(nonces, (b for _, b in pairs)), g.mul(nonce, key)))

    c = _challenge(g, ctx, label, bound, chain, [matrix_first, chain_first, *part_firsts])
    blindings.append(-sum(blindings))
    steps = [after - v * before for (before, after), v in zip(pairwise(links), carried, strict=True)]
    proof = _Proof(
        commitments,
        chain,
        c,
        matrix_nonce + c * _dot(weights, blindings),
        chain_nonce + c * _dot(powers, steps),
        [nonce + c * _dot(carried, [row[part] for row in shuffled.masks]) for part, nonce in enumerate(part_nonces)],
        [w + c * v for w, v in zip(nonces, carried, strict=True)],
    )
    return proof.encode(g)


def verify(
    g: Group, ctx: Context, label: str, key: Point, items: Sequence[Item], sent: bytes, proof: bytes
) -> tuple[Item, ...] | None:
    """Returns the shuffled items that a seat sent, or None if the proof does not show that they are `items` in another
    order with other masks. Never raises on any bytes.

    Args:
        g: The group.
        ctx: The prover's context.
        label: The name of the bag.
        key: The joint key, already checked.
        items: The items before the shuffle, already checked.
        sent: The shuffled items from the wire, as `encode_items` writes them.
        proof: `proof_size` bytes from the wire.

    """
    try:
        count, parts = _shape(items)
    except ValueError:
        return None
    if len(proof) != proof_size(count, parts):
        return None
    try:
        moved, read = decode_items(g, sent, count, parts), _Proof.decode(g, proof, count, parts)
        bound = _bound(g, ctx, label, key, count, parts, encode_items(items), sent, read.commitments)
        weights = _weights(g, bound, count)
        powers = _powers(g, _link_weight(g, ctx, label, bound, read.chain), count)
        firsts = _first_messages(g, key, items, moved, weights, powers, read)
    except (BadPoint, BadScalar):
        return None
    return moved if read.c == _challenge(g, ctx, label, bound, read.chain, firsts) else None


@dataclass(frozen=True, slots=True)
class _Proof:
    """A proof's parts, in the order in which they travel."""

    commitments: list[Point]
    chain: list[Point]
    c: int
    matrix: int
    links: int
    parts: list[int]
    items: list[int]

    def encode(self, g: Group) -> bytes:
        scalars = (self.c, self.matrix, self.links, *self.parts, *self.items)
        return b"".join([*self.commitments, *self.chain, *map(g.encode_scalar, scalars)])

    @classmethod
    def decode(cls, g: Group, data: bytes, count: int, parts: int) -> "_Proof":
        """Reads the parts from `proof_size` bytes. Raises BadPoint or BadScalar."""
        end = 2 * (count - 1) * POINT_SIZE
        points = decode_points(g, data[:end])
        c, matrix, links, *others = (
            g.decode_scalar(data[start : start + SCALAR_SIZE]) for start in range(end, len(data), SCALAR_SIZE)
        )
        return cls(points[: count - 1], points[count - 1 :], c, matrix, links, others[:parts], others[parts:])


def _first_messages(
    g: Group,
    key: Point,
    items: Sequence[Item],
    moved: Sequence[Item],
    weights: list[int],
    powers: list[int],
    proof: _Proof,
) -> list[Point]:
    """Returns T, T' and T_p, recovered from the challenge and the responses."""
    c = proof.c
    root, *generators = _generators(g, len(items))

    # sum u_j*c_j, where c_n is the sum of all h_i minus the other c_j.
    last = weights[-1]
    factors = [s - c * last for s in proof.items] + [c * (last - u) for u in weights[:-1]]
    firsts = [g.add(g.base(proof.matrix), g.weighted_sum(factors, [*generators, *proof.commitments]))]

    # k_{i-1} has the factor s_i in the link to k_i, and -c in the link before; k_n is a multiple of h_0.
    product = reduce(lambda product, u: product * u % g.order, weights)
    factors = [s * power for s, power in zip(proof.items, powers, strict=True)]
    factors[0] -= c * powers[-1] * product
    for i in range(1, len(items)):
        factors[i] -= c * powers[i - 1]
    firsts.append(g.add(g.base(proof.links), g.weighted_sum(factors, [root, *proof.chain])))

    factors = proof.items + [-c * u for u in weights]
    for part, response in enumerate(proof.parts):
        pairs = [item[part] for item in (*moved, *items)]
        firsts.append(g.sub(g.weighted_sum(factors, [a for a, _ in pairs]), g.base(response)))
        firsts.append(g.sub(g.weighted_sum(factors, [b for _, b in pairs]), g.mul(response, key)))
    return firsts


def _shape(items: Sequence[Item]) -> tuple[int, int]:
    """Returns the number of items, and the number of parts of each."""
    if not 1 <= len(items) <= MAX_ITEMS:
        raise ValueError(f"a shuffle has 1 to {MAX_ITEMS} items, not {len(items)}")
    parts = {len(item) for item in items}
    if len(parts) != 1 or not 1 <= min(parts) <= MAX_PARTS:
        raise ValueError(f"the items of a shuffle all have the same 1 to {MAX_PARTS} parts, not {sorted(parts)}")
    return len(items), parts.pop()


def _bound(
    g: Group,
    ctx: Context,
    label: str,
    key: Point,
    count: int,
    parts: int,
    given: bytes,
    moved: bytes,
    commitments: Sequence[Point],
) -> bytes:
    """Returns the hash that everything after the commitments is bound to: the whole statement and the commitments."""
    return wide(
        "shuffle statement " + label, g.name, *ctx.parts(), key, count, parts, given, moved, b"".join(commitments)
    )


def _weights(g: Group, bound: bytes, count: int) -> list[int]:
    """Returns u_1...u_n, each from 64 bytes of one stream."""
    stream = hashlib.shake_256(message("shuffle weights", bound)).digest(count * WIDE_SIZE)
    return [
        int.from_bytes(stream[start : start + WIDE_SIZE], "little") % g.order
        for start in range(0, len(stream), WIDE_SIZE)
    ]


def _link_weight(g: Group, ctx: Context, label: str, bound: bytes, chain: Sequence[Point]) -> int:
    """Returns e, whose powers are the weights of the chain's links."""
    return challenge(g, "shuffle links " + label, ctx, bound, tuple(chain))


def _powers(g: Group, base: int, count: int) -> list[int]:
    """Returns 1, base, base^2..."""
    powers = [1]
    while len(powers) < count:
        powers.append(powers[-1] * base % g.order)
    return powers


def _challenge(
    g: Group, ctx: Context, label: str, bound: bytes, chain: Sequence[Point], firsts: Sequence[Point]
) -> int:
    return challenge(g, "shuffle proof " + label, ctx, bound, tuple(chain), tuple(firsts))


def _dot(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(x * y for x, y in zip(left, right, strict=True))


def _generators(g: Group, count: int) -> tuple[Point, ...]:
    """Returns h_0...h_n, whose logarithms nobody knows."""
    return tuple(g.fixed_point(message("shuffle generator", index)) for index in range(count + 1))
