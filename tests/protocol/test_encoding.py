import tracemalloc

import msgpack
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kimberley.games.table import Plain
from kimberley.protocol.encoding import MAX_DEPTH, MAX_ITEMS, Budget, Malformed, pack, unpack
from tests.support.effort import spread
from tests.support.plain import PLAIN


def nested(depth: int) -> tuple[Plain, ...]:
    value: tuple[Plain, ...] = ()
    for _ in range(depth - 1):
        value = (value,)
    return value


@pytest.mark.slow
@given(PLAIN)
def test_what_is_packed_is_unpacked(value: Plain) -> None:
    assert unpack(pack(value)) == value


@pytest.mark.slow
@given(PLAIN, PLAIN)
def test_equal_bytes_mean_equal_values_and_types(left: Plain, right: Plain) -> None:
    assert (repr(left) == repr(right)) == (pack(left) == pack(right))


@pytest.mark.slow
@given(PLAIN, st.data())
def test_other_bytes_are_refused_or_are_another_values_own(value: Plain, data: st.DataObject) -> None:
    packed = bytearray(pack(value))
    place = data.draw(st.integers(0, len(packed) - 1))
    packed[place] ^= data.draw(st.integers(1, 255))
    try:
        other = unpack(bytes(packed))
    except Malformed:
        return
    assert pack(other) == packed
    assert repr(other) != repr(value)


@given(st.binary(max_size=200))
@example(b"\xc1")
@example(b"\x91" * 3000)
@example(b"\xdd\xff\xff\xff\xff")
def test_any_bytes_are_read_or_malformed(data: bytes) -> None:
    try:
        value = unpack(data)
    except Malformed:
        return
    assert pack(value) == data


@pytest.mark.slow
@given(PLAIN, st.binary(min_size=1, max_size=3))
def test_trailing_and_missing_bytes_are_refused(value: Plain, more: bytes) -> None:
    packed = pack(value)
    with pytest.raises(Malformed):
        unpack(packed + more)
    with pytest.raises(Malformed):
        unpack(packed[:-1])


@pytest.mark.parametrize(
    ("value", "spelling"),
    [
        (None, "c0"),
        (False, "c2"),
        (True, "c3"),
        (0, "00"),
        (127, "7f"),
        (128, "cc80"),
        (-1, "ff"),
        (-33, "d0df"),
        (2**64 - 1, "cfffffffffffffffff"),
        (-(2**63), "d38000000000000000"),
        ("", "a0"),
        ("é", "a2c3a9"),
        (b"", "c400"),
        ((), "90"),
        ((1, (b"\x01", "a")), "920192c40101a161"),
    ],
)
def test_the_spelling_is_msgpacks_shortest(value: Plain, spelling: str) -> None:
    assert pack(value).hex() == spelling


@pytest.mark.parametrize(
    "spelling",
    [
        "cc7f",  # 127 in two bytes
        "cd00ff",  # 255 in three
        "d000",  # zero as a signed integer
        "d90161",  # one letter in str8
        "c50001ff",  # one byte in bin16
        "dc000100",  # one entry in array16
        "a1ff",  # not UTF-8
        "a3eda080",  # a surrogate in UTF-8
    ],
)
def test_longer_spellings_and_bad_text_are_refused(spelling: str) -> None:
    with pytest.raises(Malformed):
        unpack(bytes.fromhex(spelling))


@pytest.mark.parametrize("alien", [{}, {1: 2}, 1.5, float("nan"), msgpack.ExtType(1, b""), msgpack.Timestamp(1)])
def test_maps_floats_and_extensions_are_refused(alien: object) -> None:
    for value in (alien, (alien,)):
        with pytest.raises(Malformed):
            unpack(msgpack.packb(value))
        with pytest.raises(Malformed):
            pack(value)


@pytest.mark.parametrize("alien", [bytearray(b"a"), {1}, object(), range(3), 2**64, -(2**63) - 1, "\ud800"])
def test_what_is_not_plain_is_not_packed(alien: object) -> None:
    with pytest.raises(Malformed):
        pack((1, alien))


def test_lists_are_packed_as_tuples() -> None:
    assert pack([1, [2, ("x",)]]) == pack((1, (2, ("x",))))
    assert unpack(pack([1, [2]])) == (1, (2,))


def test_depth_is_bounded() -> None:
    assert unpack(pack(nested(MAX_DEPTH))) == nested(MAX_DEPTH)
    with pytest.raises(Malformed, match="deep"):
        pack(nested(MAX_DEPTH + 1))
    with pytest.raises(Malformed, match="deep"):
        unpack(msgpack.packb(nested(MAX_DEPTH + 1)))
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(Malformed, match="deep"):
        pack(endless)


def test_items_are_counted_over_the_whole_message() -> None:
    half = (0,) * (MAX_ITEMS // 2 - 1)
    assert unpack(pack((half, half[:-1]))) == (half, half[:-1])
    with pytest.raises(Malformed, match="more than"):
        pack((half, half))
    with pytest.raises(Malformed, match="more than"):
        unpack(msgpack.packb((half, half)))


def test_claims_without_entries_cost_no_memory() -> None:
    data = b"\xdc\x0f\xff" * 1000 + b"\x00" * 2000
    tracemalloc.start()
    try:
        with pytest.raises(Malformed):
            unpack(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1 << 20


def values_in(value: Plain) -> int:
    return 1 + (sum(map(values_in, value)) if isinstance(value, tuple) else 0)


@pytest.mark.slow
@given(PLAIN)
def test_a_budget_is_spent_by_the_value_and_not_exceeded(value: Plain) -> None:
    packed, due = pack(value), values_in(value)
    budget = Budget(due + 1)
    assert unpack(packed, budget) == value
    assert budget.values == 1
    with pytest.raises(Malformed, match="may hold"):
        unpack(packed, Budget(due - 1))


@pytest.mark.parametrize("entry", spread(2, [b"\xc0", b"\x91\x90", b"\xcc\xff", b"\xc4\x00", b"\xa1a", b"\xd9\x00"]))
def test_values_are_counted_before_any_is_built(entry: bytes) -> None:
    first, second = (b"\xdd" + count.to_bytes(4, "big") + entry * count for count in (10_000, 130_000))
    data = b"\x92" + first + second
    # Other threads of the test run allocate, too, now and then: one of a few tries has to be free of that.
    for _ in range(5):
        tracemalloc.start()
        try:
            with pytest.raises(Malformed, match="131072 values"):
                unpack(data)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        if peak < 10_000:
            return
    raise AssertionError(f"{peak} bytes were allocated")


def test_an_array_that_ends_too_early_is_malformed_where_values_are_counted() -> None:
    """With more bytes than values that may be built, and an entry that is announced and not there."""
    with pytest.raises(Malformed):
        unpack(b"\x92\xc4\x0a" + bytes(10), Budget(5))
