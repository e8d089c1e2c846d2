"""ristretto255 in pure Python, following RFC 9496: the oracle for tests of the fast group.

This code is neither constant-time nor fast; games use `protocol.crypto.ristretto.RISTRETTO`. Section numbers are those
of RFC 9496, coordinates are extended Edwards coordinates (X, Y, Z, T), XY = ZT.
"""

import hashlib
from typing import Final, TypeAlias

from kimberley.protocol.crypto.group import POINT_SIZE, BadPoint, Group, Point

Extended: TypeAlias = tuple[int, int, int, int]

P: Final = 2**255 - 19
D: Final = -121665 * pow(121666, -1, P) % P
SQRT_M1: Final = pow(2, (P - 1) // 4, P)

NEUTRAL: Final[Extended] = (0, 1, 1, 0)


def _is_negative(x: int) -> bool:
    return x % P % 2 == 1


def _absolute(x: int) -> int:
    return -x % P if _is_negative(x) else x % P


def sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    """Returns, as in section 4.2, whether u/v is square, and the nonnegative root of u/v, or else of SQRT_M1*u/v."""
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    correct = check == u % P
    flipped = check == -u % P
    flipped_i = check == -u * SQRT_M1 % P
    if flipped or flipped_i:
        r = r * SQRT_M1 % P
    return correct or flipped, _absolute(r)


INVSQRT_A_MINUS_D: Final = sqrt_ratio(1, -1 - D)[1]
SQRT_AD_MINUS_ONE: Final = P - sqrt_ratio(-D - 1, 1)[1]
ONE_MINUS_D_SQ: Final = (1 - D * D) % P
D_MINUS_ONE_SQ: Final = (D - 1) * (D - 1) % P


def _base_point() -> Extended:
    """Returns the generator of RFC 8032, y = 4/5 and x even, which section 4 uses too."""
    y = 4 * pow(5, -1, P) % P
    _, x = sqrt_ratio(y * y - 1, D * y * y + 1)
    return x, y, 1, x * y % P


def add(p: Extended, q: Extended) -> Extended:
    """Adds by the complete law of RFC 8032, section 5.1.4."""
    x1, y1, z1, t1 = p
    x2, y2, z2, t2 = q
    a = (y1 - x1) * (y2 - x2) % P
    b = (y1 + x1) * (y2 + x2) % P
    c = 2 * t1 * t2 * D % P
    d = 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def negate(p: Extended) -> Extended:
    """Returns -P."""
    x, y, z, t = p
    return -x % P, y, z, -t % P


def multiply(s: int, p: Extended) -> Extended:
    """Computes s*P by double-and-add, s >= 0."""
    total = NEUTRAL
    for bit in bin(s)[2:]:
        total = add(total, total)
        if bit == "1":
            total = add(total, p)
    return total


def decode(data: bytes) -> Extended:
    """Decodes a point as in section 4.3.1. Raises BadPoint."""
    s = int.from_bytes(data, "little")
    if len(data) != POINT_SIZE or s >= P or _is_negative(s):
        raise BadPoint("not a canonical, nonnegative field element")
    ss = s * s % P
    u1, u2 = (1 - ss) % P, (1 + ss) % P
    u2_sqr = u2 * u2 % P
    v = (-(D * u1 * u1) - u2_sqr) % P
    was_square, invsqrt = sqrt_ratio(1, v * u2_sqr)
    den_x = invsqrt * u2 % P
    den_y = invsqrt * den_x * v % P
    x = _absolute(2 * s * den_x)
    y = u1 * den_y % P
    t = x * y % P
    if not was_square or _is_negative(t) or y == 0:
        raise BadPoint("not the encoding of a point")
    return x, y, 1, t


def encode(p: Extended) -> Point:
    """Encodes a point as in section 4.3.2."""
    x0, y0, z0, t0 = p
    u1 = (z0 + y0) * (z0 - y0) % P
    u2 = x0 * y0 % P
    _, invsqrt = sqrt_ratio(1, u1 * u2 * u2)
    den1, den2 = invsqrt * u1 % P, invsqrt * u2 % P
    z_inv = den1 * den2 * t0 % P
    if _is_negative(t0 * z_inv):
        x, y, den_inv = y0 * SQRT_M1 % P, x0 * SQRT_M1 % P, den1 * INVSQRT_A_MINUS_D % P
    else:
        x, y, den_inv = x0, y0, den2
    if _is_negative(x * z_inv):
        y = -y
    return _absolute(den_inv * (z0 - y)).to_bytes(POINT_SIZE, "little")


def _map(t: int) -> Extended:
    """Applies MAP of section 4.3.4."""
    r = SQRT_M1 * t * t % P
    u = (r + 1) * ONE_MINUS_D_SQ % P
    v = (-1 - r * D) * (r + D) % P
    was_square, s = sqrt_ratio(u, v)
    c = P - 1
    if not was_square:
        s = -_absolute(s * t) % P
        c = r
    n = (c * (r - 1) * D_MINUS_ONE_SQ - v) % P
    w0 = 2 * s * v % P
    w1 = n * SQRT_AD_MINUS_ONE % P
    w2 = (1 - s * s) % P
    w3 = (1 + s * s) % P
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def one_way_map(uniform: bytes) -> Point:
    """Maps 64 uniform bytes to a point, as in section 4.3.4."""
    low, high = (int.from_bytes(half, "little") % 2**255 % P for half in (uniform[:32], uniform[32:64]))
    return encode(add(_map(low), _map(high)))


BASE: Final = _base_point()


class PureRistretto(Group):
    """ristretto255 by the formulas of RFC 9496."""

    name = "ristretto255"
    order = 2**252 + 27742317777372353535851937790883648493
    identity = bytes(POINT_SIZE)

    def base(self, s: int) -> Point:
        return encode(multiply(s % self.order, BASE))

    def mul(self, s: int, p: Point) -> Point:
        return encode(multiply(s % self.order, decode(p)))

    def add(self, p: Point, q: Point) -> Point:
        return encode(add(decode(p), decode(q)))

    def sub(self, p: Point, q: Point) -> Point:
        return encode(add(decode(p), negate(decode(q))))

    def hash_to_group(self, data: bytes) -> Point:
        return one_way_map(hashlib.sha512(data).digest())

    def is_point(self, data: bytes) -> bool:
        try:
            decode(data)
        except BadPoint:
            return False
        return True


PURE: Final[Group] = PureRistretto()
