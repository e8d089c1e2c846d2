"""Masked items, shuffles with their proofs, and shares that show items (SPEC.md, sections 14.8 to 14.10)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from kimberley.client.conformance.crypto.group import (
    L,
    Point,
    add,
    base,
    cut,
    hash_to_group,
    mul,
    read_point,
    read_scalar,
    scalar_bytes,
    sub,
    total,
    weighed,
)
from kimberley.client.conformance.crypto.hashing import GROUP, Context, Secrets, challenge, message, wide
from kimberley.client.conformance.crypto.proofs import check_dleq, prove_dleq
from kimberley.client.conformance.encoding.plain import Plain

MaskedPair = tuple[Point, Point]
MaskedItem = tuple[MaskedPair, ...]


def value_point(part: int, value: Plain) -> Point:
    """The point that stands for a value of a part."""
    return hash_to_group(message("bag value", part, value))


def known_item(joint: Point, values: Sequence[Plain]) -> MaskedItem:
    """An item that everybody knows, as it enters a bag."""
    return tuple((base(1), add(value_point(part, value), joint)) for part, value in enumerate(values))


def join_items(items: Sequence[MaskedItem]) -> bytes:
    return b"".join(point for item in items for pair in item for point in pair)


def split_items(data: bytes, parts: int) -> tuple[MaskedItem, ...]:
    """The items that bytes from the wire encode. Raises BadElement."""
    points = [read_point(piece) for piece in cut(data)]
    pairs = list(zip(points[::2], points[1::2], strict=True))
    return tuple(tuple(pairs[at : at + parts]) for at in range(0, len(pairs), parts))


def shuffle(
    who: Secrets,
    context: Context,
    bag: str,
    joint: Point,
    items: Sequence[MaskedItem],
    order: Sequence[int] | None = None,
    swap: bool = False,
) -> tuple[bytes, bytes]:
    """(items, proof) of a seat's stage. A cheat gives another `order` than the one due, or has the first two outputs
    `swap` their last parts.
    """
    n, parts, given = len(items), len(items[0]), join_items(items)
    tags = cut(who.stream(f"shuffle order {bag}", context, 0, 32 * n, joint, n, parts, given))
    chosen = sorted(range(n), key=lambda j: (tags[j], j)) if order is None else list(order)
    flat = who.scalars(f"shuffle masks {bag}", context, 0, n * parts, joint, n, parts, given)
    masks = [flat[parts * i : parts * i + parts] for i in range(n)]
    sources = [list(items[j]) for j in chosen]
    if swap:
        sources[0][-1], sources[1][-1] = sources[1][-1], sources[0][-1]
    outputs = [
        tuple((add(a, base(m)), add(b, mul(m, joint))) for (a, b), m in zip(source, row, strict=True))
        for source, row in zip(sources, masks, strict=True)
    ]
    moved = join_items(outputs)
    return moved, _prove(who, context, bag, joint, given, outputs, chosen, masks)


def _prove(
    who: Secrets,
    context: Context,
    bag: str,
    joint: Point,
    given: bytes,
    outputs: Sequence[MaskedItem],
    order: Sequence[int],
    masks: Sequence[Sequence[int]],
) -> bytes:
    n, parts, moved = len(outputs), len(outputs[0]), join_items(outputs)
    flat = b"".join(scalar_bytes(m) for row in masks for m in row)
    label = f"shuffle proof {bag}"
    drawn = who.scalars(label, context, 0, 3 * n + parts, joint, n, parts, given, moved, tuple(order), flat)
    r = [*drawn[: n - 1]]
    r.append(-sum(r))
    links = [0, *drawn[n - 1 : 2 * n - 2], 0]
    w = drawn[2 * n - 2 : 3 * n - 2]
    t, t_chain, *t_parts = drawn[3 * n - 2 :]
    h = [hash_to_group(message("shuffle generator", i)) for i in range(n + 1)]
    c_points = [add(base(r[j]), h[order.index(j) + 1]) for j in range(n - 1)]
    bound = _statement(bag, context, joint, n, parts, given, moved, c_points)
    u = _weights(bound, n)
    v = [u[j] for j in order]
    products = [1]
    for weight in v:
        products.append(products[-1] * weight % L)
    k = [add(base(links[i]), mul(products[i], h[0])) for i in range(n)]
    e = challenge(f"shuffle links {bag}", context, bound, tuple(k[1:]))
    powers = [pow(e, i, L) for i in range(n)]
    firsts = [
        add(base(t), weighed(w, h[1:])),
        add(base(t_chain), weighed([a * b % L for a, b in zip(w, powers, strict=True)], k)),
    ]
    for part, nonce in enumerate(t_parts):
        for side, key in enumerate((base(1), joint)):
            firsts.append(sub(weighed(w, [item[part][side] for item in outputs]), mul(nonce, key)))
    c = challenge(label, context, bound, tuple(k[1:]), tuple(firsts))
    responses = [
        c,
        t + c * sum(a * b for a, b in zip(u, r, strict=True)),
        t_chain + c * sum(powers[i] * (links[i + 1] - v[i] * links[i]) for i in range(n)),
        *(t_parts[p] + c * sum(v[i] * masks[i][p] for i in range(n)) for p in range(parts)),
        *(w[i] + c * v[i] for i in range(n)),
    ]
    return b"".join((*c_points, *k[1:], *map(scalar_bytes, responses)))


def check_shuffle(
    context: Context, bag: str, joint: Point, items: Sequence[MaskedItem], moved: bytes, proof: bytes
) -> tuple[MaskedItem, ...] | None:
    """The items as the seat left them, or None unless it proves that it changed nothing but their order and masks."""
    n, parts = len(items), len(items[0])
    if len(moved) != 64 * n * parts or len(proof) != 64 * (n - 1) + 32 * (3 + parts + n):
        return None
    pieces = cut(proof)
    try:
        outputs = split_items(moved, parts)
        c_points = [read_point(piece) for piece in pieces[: n - 1]]
        k_sent = [read_point(piece) for piece in pieces[n - 1 : 2 * n - 2]]
        c, s, s_chain, *rest = (read_scalar(piece) for piece in pieces[2 * n - 2 :])
    except ValueError:
        return None
    s_parts, s_items = rest[:parts], rest[parts:]
    h = [hash_to_group(message("shuffle generator", i)) for i in range(n + 1)]
    bound = _statement(bag, context, joint, n, parts, join_items(items), moved, c_points)
    c_points.append(sub(total(h[1:]), total(c_points)))
    u = _weights(bound, n)
    product = 1
    for weight in u:
        product = product * weight % L
    e = challenge(f"shuffle links {bag}", context, bound, tuple(k_sent))
    k = [h[0], *k_sent, mul(product, h[0])]
    powers = [pow(e, i, L) for i in range(n)]
    firsts = [
        sub(add(base(s), weighed(s_items, h[1:])), mul(c, weighed(u, c_points))),
        sub(
            add(base(s_chain), weighed([a * b % L for a, b in zip(s_items, powers, strict=True)], k[:-1])),
            mul(c, weighed(powers, k[1:])),
        ),
    ]
    for part in range(parts):
        for side, key in enumerate((base(1), joint)):
            after = weighed(s_items, [item[part][side] for item in outputs])
            before = weighed(u, [item[part][side] for item in items])
            firsts.append(sub(sub(after, mul(c, before)), mul(s_parts[part], key)))
    due = challenge(f"shuffle proof {bag}", context, bound, tuple(k_sent), tuple(firsts))
    return outputs if c == due else None


def _statement(
    bag: str, context: Context, joint: Point, n: int, parts: int, given: bytes, moved: bytes, c_points: Sequence[Point]
) -> bytes:
    points = b"".join(c_points)
    return wide(f"shuffle statement {bag}", GROUP, *context, joint, n, parts, given, moved, points)


def _weights(bound: bytes, n: int) -> list[int]:
    stream = hashlib.shake_256(message("shuffle weights", bound)).digest(64 * n)
    return [int.from_bytes(piece, "little") % L for piece in cut(stream, 64)]


# -- shares ------------------------------------------------------------------------------------------------------------


def share_to_all(who: Secrets, context: Context, x: int, pairs: Sequence[MaskedPair]) -> bytes:
    """Shares that everybody can read, with their proof: 32 * pairs + 64 bytes."""
    bases = [a for a, _ in pairs]
    return b"".join(mul(x, a) for a in bases) + prove_dleq(who, "bag share", context, 0, x, bases)


def check_shares(context: Context, public: Point, pairs: Sequence[MaskedPair], sent: bytes) -> bool:
    if len(sent) != 32 * len(pairs) + 64:
        return False
    points = cut(sent[: 32 * len(pairs)])
    return check_dleq("bag share", context, public, [a for a, _ in pairs], points, sent[32 * len(pairs) :])


def mail(who: Secrets, context: Context, x: int, mailbox: Point, pairs: Sequence[MaskedPair]) -> bytes:
    """Shares that only one seat can read, with their proof: 64 * pairs + 96 bytes."""
    bases = tuple(a for a, _ in pairs)
    public, points = base(x), tuple(mul(x, a) for a in bases)
    w, w_mask, *q = who.scalars("mail", context, 0, 2 + len(pairs), scalar_bytes(x), public, mailbox, bases, points)
    sent = b"".join(base(mask) + add(D, mul(mask, mailbox)) for mask, D in zip(q, points, strict=True))
    powers = _mail_powers(context, public, mailbox, bases, sent)
    whole = add(mul(w, weighed(powers, bases)), mul(w_mask, mailbox))
    c = challenge("mail", context, public, mailbox, bases, sent, (base(w), base(w_mask), whole))
    q_all = sum(power * mask for power, mask in zip(powers, q, strict=True))
    return sent + scalar_bytes(c) + scalar_bytes(w + c * x) + scalar_bytes(w_mask + c * q_all)


def check_mail(
    context: Context, public: Point, mailbox: Point, pairs: Sequence[MaskedPair], sent: bytes
) -> list[MaskedPair] | None:
    """(E_j, F_j) of each pair, or None unless the mail verifies."""
    size = 64 * len(pairs)
    if len(sent) != size + 96:
        return None
    try:
        points = [read_point(piece) for piece in cut(sent[:size])]
        c, s, s_mask = (read_scalar(piece) for piece in cut(sent[size:]))
    except ValueError:
        return None
    bases = tuple(a for a, _ in pairs)
    powers = _mail_powers(context, public, mailbox, bases, sent[:size])
    A, E, F = weighed(powers, bases), weighed(powers, points[::2]), weighed(powers, points[1::2])
    firsts = (
        sub(base(s), mul(c, public)),
        sub(base(s_mask), mul(c, E)),
        sub(add(mul(s, A), mul(s_mask, mailbox)), mul(c, F)),
    )
    if c != challenge("mail", context, public, mailbox, bases, sent[:size], firsts):
        return None
    return list(zip(points[::2], points[1::2], strict=True))


def read_mail(z: int, mailed: Sequence[MaskedPair]) -> list[Point]:
    """The shares that were mailed to the seat with the mailbox secret z."""
    return [sub(F, mul(z, E)) for E, F in mailed]


def _mail_powers(context: Context, public: Point, mailbox: Point, bases: tuple[Point, ...], sent: bytes) -> list[int]:
    e = challenge("mail weight", context, public, mailbox, bases, sent)
    return [pow(e, j, L) for j in range(len(bases))]
