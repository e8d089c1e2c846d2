import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kimberley.protocol.crypto import edwards
from kimberley.protocol.crypto.edwards import Recent
from kimberley.protocol.crypto.group import PEDERSEN_LABEL, BadPoint, BadScalar, Group
from kimberley.protocol.crypto.pure import BASE, PURE, SQRT_M1, Extended, P, add, multiply, one_way_map, sqrt_ratio
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.crypto.windowed import WindowedRistretto, encode_doubled
from tests.support.backends import RISTRETTOS
from tests.support.groups import GROUPS
from tests.support.paths import DATA, ROOT

VECTORS: dict[str, Any] = json.loads((DATA / "ristretto255.json").read_text())
BAD = [encoding for encodings in VECTORS["bad_encodings"].values() for encoding in encodings]
L = RISTRETTO.order
FAST = [g for g in RISTRETTOS.values() if g is not PURE]
OF_ORDER_FOUR: Extended = (SQRT_M1, 0, 1, 0)

SCALARS = st.integers(0, L - 1) | st.sampled_from([0, 1, 2, L - 1, L, L + 1, -1])
POINTS = st.binary(max_size=8).map(RISTRETTO.hash_to_group) | st.sampled_from([RISTRETTO.identity, RISTRETTO.base(1)])

each_ristretto = pytest.mark.parametrize("g", RISTRETTOS.values(), ids=RISTRETTOS.keys())
each_group = pytest.mark.parametrize("g", GROUPS.values(), ids=GROUPS.keys())


@contextmanager
def refused(point: bytes) -> Generator[None]:
    """Asserts that this is refused because it is no point."""
    try:
        yield
    except BadPoint:
        return
    pytest.fail(f"{point.hex()} was taken for a point")


@each_ristretto
def test_generator_multiples(g: Group) -> None:
    total = g.identity
    for n, encoding in enumerate(VECTORS["generator_multiples"]):
        expected = bytes.fromhex(encoding)
        assert g.base(n) == g.mul(n, g.base(1)) == total == expected
        assert g.is_point(expected)
        total = g.add(total, g.base(1))


@each_ristretto
def test_bad_encodings_are_no_points(g: Group) -> None:
    for bad in map(bytes.fromhex, BAD):
        assert not g.is_point(bad), bad.hex()
        with refused(bad):
            g.decode_point(bad)


@each_ristretto
def test_no_arithmetic_with_what_is_no_point(g: Group) -> None:
    good = g.base(3)
    for bad in map(bytes.fromhex, BAD):
        with refused(bad):
            g.mul(2, bad)
        for p, q in ((bad, good), (good, bad), (bad, bad)):
            for work in (g.add, g.sub):
                with refused(bad):
                    work(p, q)


@each_ristretto
def test_the_highest_bit_makes_no_second_spelling(g: Group) -> None:
    for encoding in map(bytes.fromhex, VECTORS["generator_multiples"]):
        point = encoding[:31] + bytes([encoding[31] | 0x80])
        assert not g.is_point(point), point.hex()
        with refused(point):
            g.mul(2, point)
        for work in (g.add, g.sub):
            with refused(point):
                work(point, g.base(1))
            with refused(point):
                work(g.base(1), point)


@each_ristretto
def test_labels_hashed_to_the_group(g: Group) -> None:
    for label, encoding in VECTORS["labels_hashed_to_the_group"]:
        assert g.hash_to_group(label.encode()).hex() == encoding, label


def test_one_way_map() -> None:
    for uniform, encoding in VECTORS["one_way_map"]:
        assert one_way_map(bytes.fromhex(uniform)).hex() == encoding, uniform


def test_square_roots_of_ratios() -> None:
    for case in VECTORS["sqrt_ratio"]:
        was_square, r = sqrt_ratio(case["u"], case["v"])
        assert (was_square, r.to_bytes(32, "little").hex()) == (case["was_square"], case["r"]), case


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(SCALARS, POINTS, POINTS, st.binary(max_size=40))
@example(0, RISTRETTO.identity, RISTRETTO.identity, b"")
def test_all_agree_with_the_rfc(s: int, p: bytes, q: bytes, data: bytes) -> None:
    def computed(g: Group) -> list[bytes]:
        return [g.base(s), g.mul(s, p), g.add(p, q), g.sub(p, q), g.hash_to_group(data)]

    expected = computed(PURE)
    assert all(computed(g) == expected for g in FAST)


@settings(deadline=None)
@given(st.binary(min_size=32, max_size=32) | st.integers(0, P + 40).map(lambda s: s.to_bytes(32, "little")))
@example(bytes(31) + b"\x80")
def test_all_accept_the_same_points_as_the_rfc(data: bytes) -> None:
    assert {g.is_point(data) for g in FAST} == {PURE.is_point(data)}


@settings(deadline=None, max_examples=10)
@given(POINTS, st.lists(SCALARS, min_size=1, max_size=9))
@example(RISTRETTO.base(1), [*range(-17, 17), 2**252, L - 2**251])
@example(RISTRETTO.identity, list(range(8)))
def test_a_point_may_be_multiplied_often(p: bytes, scalars: list[int]) -> None:
    """The windowed group makes a table of such a point, and goes on with what it computes."""
    windowed = WindowedRistretto()
    for s in scalars:
        product = windowed.mul(s, p)
        assert product == RISTRETTO.mul(s, p)
        assert windowed.sub(product, p) == RISTRETTO.mul(s - 1, p)
        assert windowed.add(product, windowed.base(s)) == RISTRETTO.mul(s, RISTRETTO.add(p, RISTRETTO.base(1)))


@settings(deadline=None, max_examples=15)
@given(st.lists(st.tuples(SCALARS, POINTS), max_size=5))
@example([])
def test_weighted_sums_are_the_same(terms: list[tuple[int, bytes]]) -> None:
    weights, points = [weight for weight, _ in terms], [point for _, point in terms]
    assert len({g.weighted_sum(weights, points) for g in FAST}) == 1


@each_group
def test_a_weighted_sum_has_a_point_for_each_weight(g: Group) -> None:
    with pytest.raises(ValueError, match="zip"):
        g.weighted_sum([1, 2], [g.base(1)])


@settings(deadline=None, max_examples=20)
@given(SCALARS, st.integers(0, 3))
def test_a_double_is_encoded_from_any_coordinates_of_its_half(s: int, turn: int) -> None:
    """Four points of the curve stand for one point of the group."""
    half = multiply(s % L, BASE)
    for _ in range(turn):
        half = add(half, OF_ORDER_FOUR)
    assert encode_doubled(half) == PURE.base(2 * s)


def test_multiples_stay_right_when_tables_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edwards, "fixed_tables", Recent(2))
    windowed = WindowedRistretto()
    points = [windowed.base(s) for s in range(2, 8)]
    for s in range(L - 8, L):
        for p in points:
            assert windowed.mul(s, p) == RISTRETTO.mul(s, p)


def test_recent_entries_are_kept_and_old_ones_forgotten() -> None:
    recent = Recent[int, str](3)
    for number in range(100):
        recent.store(number, str(number))
        assert recent.get(0) == "0"
        assert all(recent.get(last) for last in range(max(0, number - 1), number + 1))
    assert sum(recent.get(number) is not None for number in range(100)) <= 6


@each_group
def test_results_may_be_the_identity(g: Group) -> None:
    p = g.hash_to_group(b"p")
    assert g.base(0) == g.base(g.order) == g.identity
    assert g.mul(0, p) == g.mul(g.order, p) == g.identity
    assert g.mul(7, g.identity) == g.identity
    assert g.sub(p, p) == g.add(p, g.mul(-1, p)) == g.identity
    assert g.add(p, g.identity) == g.sub(p, g.identity) == p
    assert g.sub(g.identity, p) == g.mul(g.order - 1, p)


@each_group
def test_points_from_the_wire(g: Group) -> None:
    p = g.base(9)
    assert g.decode_point(p) == p
    assert g.is_point(g.identity)
    for bad in (g.identity, b"", p[:-1], p + b"\0", b"\xff" * 32):
        with pytest.raises(BadPoint):
            g.decode_point(bad)


@each_group
def test_scalars_from_the_wire(g: Group) -> None:
    for s in (0, 1, g.order - 1):
        assert g.decode_scalar(g.encode_scalar(s)) == s
    assert g.encode_scalar(g.order + 5) == g.encode_scalar(5) == b"\x05" + bytes(31)
    for bad in (g.order.to_bytes(32, "little"), b"\xff" * 32, bytes(31), bytes(33), b""):
        with pytest.raises(BadScalar):
            g.decode_scalar(bad)


@each_group
def test_the_second_generator_weighs_the_bits(g: Group) -> None:
    assert g.hash_to_group(PEDERSEN_LABEL) == g.H
    assert g.H not in (g.identity, g.base(1))
    assert len(g.doublings) == 64
    assert [g.doublings[i] for i in (0, 1, 8, 63)] == [g.mul(1 << i, g.H) for i in (0, 1, 8, 63)]


def test_importing_leaves_nothing_in_the_temporary_folder(tmp_path: Path) -> None:
    script = (
        "import sys, tempfile; tempfile.tempdir = sys.argv[1]; "
        "from kimberley.protocol.crypto.ristretto import RISTRETTO as g; "
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script + "print(g.base(1).hex())", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == VECTORS["generator_multiples"][1]
    assert list(tmp_path.iterdir()) == []


def test_hashing_alone_does_not_load_libsodium() -> None:
    script = (
        "import sys, kimberley.protocol.encoding, kimberley.protocol.crypto.hashing;"
        " sys.exit('kimberley.protocol.crypto.libsodium' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT).returncode == 0
