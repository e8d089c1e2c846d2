"""Multiples of points on edwards25519 (RFC 8032) in pure Python, several times faster than by double-and-add.

Points are in extended coordinates, as in `pure`. None of this takes constant time. The formulas are those of Hisil,
Wong, Carter and Dawson, "Twisted Edwards Curves Revisited" (ASIACRYPT 2008), for a = -1.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice, repeat
from typing import Final, Generic, TypeAlias, TypeVar

from kimberley.protocol.crypto.pure import BASE, NEUTRAL, D, Extended, P

K = TypeVar("K")
V = TypeVar("V")

Addend: TypeAlias = tuple[int, int, int, int]
"""A point prepared for additions: (Y + X, Y - X, 2Z, 2dT)."""

BITS: Final = 255
LOW: Final = 2**BITS - 1
SCALAR_BITS: Final = 254
"""Enough for the signed digits of a scalar below the order."""
WIDTH: Final = 5
"""The width of the windows of a point that is multiplied once. Its odd multiples up to 15 are prepared."""
FIXED_WIDTH: Final = 4
BASE_WIDTH: Final = 7
"""The widths for points that stay: a wider table takes longer to make, and makes the multiples faster."""
USES_BEFORE_TABLE: Final = 4
"""A table costs as much as about four multiplications without one."""
TABLES: Final = 128
"""The number of tables that are remembered, and at most as many again: 22 to 44 MB."""


def prepare(p: Extended) -> Addend:
    """Returns the point as an addend."""
    x, y, z, t = p
    return y + x, y - x, 2 * z, 2 * D * t % P


def negated(q: Addend) -> Addend:
    """Returns the addend -Q."""
    plus, minus, z, t = q
    return minus, plus, z, -t


def added(p: Extended, q: Addend) -> Extended:
    """Returns P + Q."""
    x, y, z, t = p
    plus, minus, z2, t2 = q
    a, b, c, d = (y - x) * minus, (y + x) * plus, t * t2, z * z2
    e, f, g, h = b - a, d - c, d + c, b + a
    # 2^255 = 19 modulo P. Folding once is enough before a further product, and takes half as long as the remainder.
    e, f = (e & LOW) + 19 * (e >> BITS), (f & LOW) + 19 * (f >> BITS)
    g, h = (g & LOW) + 19 * (g >> BITS), (h & LOW) + 19 * (h >> BITS)
    return e * f % P, g * h % P, f * g % P, e * h % P


def doubled(p: Extended, times: int = 1) -> Extended:
    """Returns 2^times * P. Only the last doubling computes T, which no doubling reads."""
    if not times:
        return p
    x, y, z, _ = p
    for _ in repeat(None, times):
        a, b = x * x, y * y
        e, g, h = 2 * x * y, b - a, -a - b
        f = g - 2 * z * z
        e, f = (e & LOW) + 19 * (e >> BITS), (f & LOW) + 19 * (f >> BITS)
        g, h = (g & LOW) + 19 * (g >> BITS), (h & LOW) + 19 * (h >> BITS)
        x, y, z = e * f % P, g * h % P, f * g % P
    return x, y, z, e * h % P


def combination(terms: Iterable[tuple[int, Extended]]) -> Extended:
    """Returns the sum of s*P over all terms, s >= 0. All share the doublings (Straus, 1964)."""
    at = defaultdict[int, list[Addend]](list)
    for s, p in terms:
        odd = list(islice(_odd_multiples(p), 1 << WIDTH - 2))
        for place, digit in _signed_digits(s):
            at[place].append(odd[digit >> 1] if digit > 0 else negated(odd[-digit >> 1]))
    total, last = NEUTRAL, 0
    for place in sorted(at, reverse=True):
        total, last = doubled(total, max(last - place, 0)), place
        for addend in at[place]:
            total = added(total, addend)
    return doubled(total, last)


def _odd_multiples(p: Extended) -> Iterator[Addend]:
    """Yields P, 3P, 5P..."""
    step = prepare(doubled(p))
    while True:
        yield prepare(p)
        p = added(p, step)


def _signed_digits(s: int) -> Iterator[tuple[int, int]]:
    """Yields the places and values of the odd digits of s between -2^(WIDTH-1) and 2^(WIDTH-1): its windowed
    non-adjacent form.
    """
    place = 0
    while s:
        zeros = (s & -s).bit_length() - 1
        place, s = place + zeros, s >> zeros
        digit = s & (1 << WIDTH) - 1
        digit -= digit >> WIDTH - 1 << WIDTH
        yield place, digit
        s -= digit


class MultiplesTable:
    """The multiples d*2^(width*i)*P of a point, for 1 <= d <= 2^(width-1) and each i, so that no multiple of P takes a
    doubling.
    """

    def __init__(self, p: Extended, width: int) -> None:
        self._width = width
        self._rows: list[list[Addend]] = []
        for _ in range(0, SCALAR_BITS, width):
            step, multiple, row = prepare(p), p, [prepare(p)]
            for _ in range((1 << width - 1) - 1):
                multiple = added(multiple, step)
                row.append(prepare(multiple))
            self._rows.append(row)
            p = doubled(multiple)

    def multiple(self, s: int) -> Extended:
        """Returns s*P, 0 <= s < 2^253."""
        width, middle, total = self._width, 1 << self._width - 1, NEUTRAL
        for row in self._rows:
            digit = s & (1 << width) - 1
            s >>= width
            if digit > middle:
                total, s = added(total, negated(row[(1 << width) - digit - 1])), s + 1
            elif digit:
                total = added(total, row[digit - 1])
        return total


class Recent(Generic[K, V]):
    """A cache that keeps at least the last `size` entries that were stored or found, and at most twice as many."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._young: dict[K, V] = {}
        self._old: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        """Returns what is stored under the key, if it is still there."""
        value = self._young.get(key)
        if value is None and (value := self._old.get(key)) is not None:
            self.store(key, value)
        return value

    def store(self, key: K, value: V) -> None:
        """Keeps a value, and forgets the oldest if there are too many."""
        if len(self._young) >= self._size:
            self._old, self._young = self._young, {}
        self._young[key] = value


class Multiplier:
    """A point that makes a table of itself once it has been multiplied a few times. Only recent tables are kept."""

    __slots__ = ("_uses", "point")

    def __init__(self, point: Extended) -> None:
        self.point = point
        self._uses = 0

    def multiple(self, s: int) -> Extended:
        """Returns s*P, 0 <= s < 2^253."""
        if (table := fixed_tables.get(self.point)) is not None:
            return table.multiple(s)
        self._uses += 1
        if self._uses > USES_BEFORE_TABLE:
            self._uses = 0
            fixed_tables.store(self.point, MultiplesTable(self.point, FIXED_WIDTH))
        return combination([(s, self.point)])


fixed_tables = Recent[Extended, MultiplesTable](TABLES)
_base: list[MultiplesTable] = []


def base_multiple(s: int) -> Extended:
    """Returns s*B, 0 <= s < 2^253, B being the generator of RFC 8032. The first call makes its table."""
    if not _base:
        _base.append(MultiplesTable(BASE, BASE_WIDTH))
    return _base[0].multiple(s)
