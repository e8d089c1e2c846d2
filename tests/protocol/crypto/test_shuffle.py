import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.games.table import Plain
from kimberley.protocol.crypto import elgamal, shuffle
from kimberley.protocol.crypto.elgamal import BAG, Item, SeatKey
from kimberley.protocol.crypto.group import Group
from kimberley.protocol.crypto.hashing import Context, message, wide
from kimberley.protocol.crypto.pure import PURE
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.crypto.shuffle import Shuffled
from tests.lab.counting_group import CountingGroup
from tests.support.groups import ADDITIVE, CONTEXT, ELSEWHERE, SEED, WITH_SLOW_ORACLE

G = RISTRETTO
KEYS = [SeatKey.derive(G, bytes([seat]) * 32, CONTEXT, BAG) for seat in range(3)]
X = elgamal.joint_key(G, [key.public for key in KEYS])
SECRET = sum(key.secret for key in KEYS)


def items_size(count: int, parts: int) -> int:
    """Returns the size in bytes of `count` items of `parts` parts."""
    return count * parts * elgamal.PAIR_SIZE


def fresh(g: Group, key: bytes, count: int, parts: int) -> tuple[Item, ...]:
    """Returns items whose part p holds 100*p + their number."""
    return tuple(elgamal.known_item(g, key, [100 * part + i for part in range(parts)]) for i in range(count))


def contents(g: Group, secret: int, items: Sequence[Item]) -> list[tuple[bytes, ...]]:
    return [tuple(elgamal.plaintext(g, pair, [g.mul(secret, pair[0])]) for pair in item) for item in items]


ITEMS = fresh(G, X, 3, 2)
SHUFFLED = shuffle.shuffle(G, SEED, CONTEXT, "deck", X, ITEMS)
SENT = elgamal.encode_items(SHUFFLED.items)
PROOF = shuffle.prove(G, SEED, CONTEXT, "deck", X, ITEMS, SHUFFLED)


def verified(
    sent: bytes = SENT,
    proof: bytes = PROOF,
    ctx: Context = CONTEXT,
    label: str = "deck",
    key: bytes = X,
    items: tuple[Item, ...] = ITEMS,
) -> tuple[Item, ...] | None:
    return shuffle.verify(G, ctx, label, key, items, sent, proof)


def proven(items: Sequence[Item], shuffled: Shuffled = SHUFFLED) -> tuple[Item, ...] | None:
    """Returns what becomes of other items, sent with an honest prover's proof for them."""
    proof = shuffle.prove(G, SEED, CONTEXT, "deck", X, ITEMS, replace(shuffled, items=tuple(items)))
    return verified(elgamal.encode_items(items), proof)


# -- what holds --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("g", WITH_SLOW_ORACLE)
def test_three_seats_shuffle_a_bag(g: Group) -> None:
    keys = [SeatKey.derive(g, bytes([seat]) * 32, CONTEXT, BAG) for seat in range(3)]
    joint, secret = elgamal.joint_key(g, [key.public for key in keys]), sum(key.secret for key in keys)
    items = start = fresh(g, joint, 2, 2)
    for seat in range(3):
        ctx, seed = replace(CONTEXT, stage=seat, seat=seat), bytes([seat]) * 32
        shuffled = shuffle.shuffle(g, seed, ctx, "deck", joint, items)
        proof = shuffle.prove(g, seed, ctx, "deck", joint, items, shuffled)
        taken = shuffle.verify(g, ctx, "deck", joint, items, elgamal.encode_items(shuffled.items), proof)
        assert taken == shuffled.items
        assert contents(g, secret, taken) == [contents(g, secret, items)[place] for place in shuffled.order]
        items = taken
    assert sorted(contents(g, secret, items)) == sorted(contents(g, secret, start))
    assert len({point for item in (*start, *items) for pair in item for point in pair}) == 4 + 4 + 1 + 4


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 12), st.integers(1, 3), st.binary(min_size=32, max_size=32))
def test_any_number_of_items_and_parts(count: int, parts: int, seed: bytes) -> None:
    g = ADDITIVE
    items = fresh(g, g.base(SECRET), count, parts)
    shuffled = shuffle.shuffle(g, seed, CONTEXT, "deck", g.base(SECRET), items)
    proof = shuffle.prove(g, seed, CONTEXT, "deck", g.base(SECRET), items, shuffled)
    sent = elgamal.encode_items(shuffled.items)
    assert len(sent) == items_size(count, parts)
    assert len(proof) == shuffle.proof_size(count, parts)
    assert shuffle.verify(g, CONTEXT, "deck", g.base(SECRET), items, sent, proof) == shuffled.items
    assert sorted(contents(g, SECRET, shuffled.items)) == sorted(contents(g, SECRET, items))


@pytest.mark.parametrize(
    ("count", "parts"), [(1, 1), (1, 3), (2, 1), (5, 3), (12, 2), pytest.param(256, 1, marks=pytest.mark.slow)]
)
def test_shuffles_of_every_size(count: int, parts: int) -> None:
    items = fresh(G, X, count, parts)
    shuffled = shuffle.shuffle(G, SEED, CONTEXT, "deck", X, items)
    proof = shuffle.prove(G, SEED, CONTEXT, "deck", X, items, shuffled)
    assert verified(elgamal.encode_items(shuffled.items), proof, items=items) == shuffled.items


@pytest.mark.slow
def test_the_oracle_gives_the_same_bytes() -> None:
    key = PURE.base(SECRET)
    items = fresh(PURE, key, 3, 2)
    shuffled = shuffle.shuffle(PURE, SEED, CONTEXT, "deck", key, items)
    assert (key, items, shuffled) == (X, ITEMS, SHUFFLED)
    assert shuffle.prove(PURE, SEED, CONTEXT, "deck", key, items, shuffled) == PROOF
    assert shuffle.verify(PURE, CONTEXT, "deck", key, items, SENT, PROOF) == SHUFFLED.items


def test_equal_items_and_points_that_cancel_are_no_error() -> None:
    item = ITEMS[0]
    negative = tuple((G.sub(G.identity, a), G.sub(G.identity, b)) for a, b in item)
    void = tuple((G.identity, G.identity) for _ in item)
    for items in ((item, item, item), (item, negative, item), (void, item, void)):
        shuffled = shuffle.shuffle(G, SEED, CONTEXT, "deck", X, items)
        proof = shuffle.prove(G, SEED, CONTEXT, "deck", X, items, shuffled)
        assert verified(elgamal.encode_items(shuffled.items), proof, items=items) == shuffled.items


@pytest.mark.slow
def test_orders_are_equally_likely() -> None:
    key = ADDITIVE.base(SECRET)
    items = fresh(ADDITIVE, key, 4, 1)
    orders = Counter(
        shuffle.shuffle(ADDITIVE, SEED, replace(CONTEXT, step=step), "deck", key, items).order for step in range(4800)
    )
    assert len(orders) == 24
    # Chi squared with 23 degrees of freedom stays below 49.7 in all but one case of a thousand; this one is fixed.
    assert sum((count - 200) ** 2 / 200 for count in orders.values()) < 49.7


@pytest.mark.parametrize(("count", "parts"), [(1, 1), (2, 1), (5, 1), (5, 2), (5, 3)])
def test_what_a_shuffle_costs(count: int, parts: int) -> None:
    g, n, p = CountingGroup(), count, parts
    items = fresh(g, X, n, p)
    shuffled = shuffle.shuffle(g, SEED, CONTEXT, "deck", X, items)
    proof = shuffle.prove(g, SEED, CONTEXT, "deck", X, items, shuffled)
    g.reset()
    shuffle.shuffle(g, SEED, CONTEXT, "deck", X, items)
    assert g.counts == {"mul": n * p, "base": n * p, "add": 2 * n * p}
    g.reset()
    shuffle.prove(g, SEED, CONTEXT, "deck", X, items, shuffled)
    assert g.counts == +Counter(mul=2 * n + p * (2 * n + 1), base=2 * n + p, add=3 * n - 1 + 2 * n * p)
    g.reset()
    shuffle.verify(g, CONTEXT, "deck", X, items, elgamal.encode_items(shuffled.items), proof)
    points = 2 * n * p + 2 * (n - 1)
    assert g.counts == Counter(mul=3 * n - 1 + p * (4 * n + 1), base=2 + p, add=3 * n - 1 + 4 * n * p, valid=points)


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_items_cannot_be_doubled_dropped_or_made_up() -> None:
    first, second, third = SHUFFLED.items
    stranger = tuple(elgamal.remask(G, X, pair, 77) for pair in elgamal.known_item(G, X, (50, 150)))
    again = tuple(elgamal.remask(G, X, pair, 78) for pair in first)
    assert proven(SHUFFLED.items) == SHUFFLED.items
    for items in ((first, first, third), (first, again, third), (first, second, stranger)):
        assert proven(items) is None
        assert verified(elgamal.encode_items(items)) is None
    assert verified(elgamal.encode_items((first, second))) is None
    assert verified(elgamal.encode_items((first, second, third, again))) is None


def test_items_cannot_be_swapped_after_the_proof() -> None:
    first, second, third = SHUFFLED.items
    for items in ((second, first, third), (third, first, second), ITEMS):
        assert verified(elgamal.encode_items(items)) is None
        assert proven(items) is None


def test_all_parts_move_under_one_order() -> None:
    first, second, third = SHUFFLED.items
    crossed = ((first[0], second[1]), (second[0], first[1]), third)
    turned = (first[::-1], *SHUFFLED.items[1:])
    for items in (crossed, turned, tuple(item[::-1] for item in SHUFFLED.items)):
        assert verified(elgamal.encode_items(items)) is None
        assert proven(items) is None


@pytest.mark.parametrize("place", range(12))
def test_one_point_of_one_part_cannot_be_changed(place: int) -> None:
    points = [point for item in SHUFFLED.items for pair in item for point in pair]
    points[place] = G.add(points[place], G.base(1))
    sent = b"".join(points)
    assert verified(sent) is None
    assert proven(elgamal.decode_items(G, sent, 3, 2)) is None


def test_a_part_cannot_be_remasked_under_another_key() -> None:
    for key in (KEYS[0].public, G.add(X, G.base(1))):
        pair = elgamal.remask(G, key, SHUFFLED.items[0][0], 5)
        assert proven(((pair, SHUFFLED.items[0][1]), *SHUFFLED.items[1:])) is None


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_a_proof_cannot_be_replayed_elsewhere(elsewhere: Context) -> None:
    assert verified() == SHUFFLED.items
    assert verified(ctx=elsewhere) is None


def test_a_proof_serves_one_bag_key_and_input() -> None:
    assert verified(label="discard") is None
    assert verified(key=KEYS[0].public) is None
    first, second, third = ITEMS
    for items in ((second, first, third), SHUFFLED.items, (first, second, second), fresh(G, X, 4, 2)[1:]):
        assert verified(items=items) is None


@pytest.mark.parametrize(("count", "parts"), [(2, 2), (4, 2), (3, 1), (3, 3), (2, 3), (6, 1), (1, 2), (1, 6)])
def test_a_proof_serves_one_number_of_items_and_parts(count: int, parts: int) -> None:
    items = fresh(G, X, count, parts)
    assert verified(items=items) is None
    sent = (SENT * 2)[: items_size(count, parts)]
    proof = PROOF[: shuffle.proof_size(count, parts)].ljust(shuffle.proof_size(count, parts), b"\0")
    assert len(sent) == items_size(count, parts)
    assert verified(sent, proof, items=items) is None


@pytest.mark.parametrize("sent", [b"", SENT[:-1], SENT[:-64], SENT[:-128], SENT + b"\0", SENT + SENT[-128:], SENT * 2])
def test_one_output_too_many_or_too_few_fails(sent: bytes) -> None:
    assert verified(sent) is None


@pytest.mark.parametrize("proof", [b"", PROOF[:-1], PROOF[:-32], PROOF + b"\0", PROOF + PROOF[-32:], PROOF * 2])
def test_a_proof_has_one_length(proof: bytes) -> None:
    assert verified(proof=proof) is None


@pytest.mark.parametrize("place", range(0, len(PROOF), 32))
def test_every_part_of_a_proof_counts(place: int) -> None:
    head, part, tail = PROOF[:place], PROOF[place : place + 32], PROOF[place + 32 :]
    value = int.from_bytes(part, "little")
    spoiled = [bytes(32), b"\xff" * 32, (value ^ 1).to_bytes(32, "little"), G.base(5), G.encode_scalar(5)]
    if place >= 4 * 32:
        spoiled.append((value + G.order).to_bytes(32, "little"))
    for other in spoiled:
        assert verified(proof=head + other + tail) is None


@pytest.mark.parametrize("place", range(0, len(SENT), 32))
def test_every_point_is_canonical_and_not_the_identity(place: int) -> None:
    for other in (bytes(32), b"\xff" * 32, b"\x01" + bytes(31), SENT[place : place + 31] + b"\x80"):
        assert verified(SENT[:place] + other + SENT[place + 32 :]) is None


def test_an_identity_among_the_outputs_fails_even_if_it_is_proven() -> None:
    shuffled = replace(SHUFFLED, masks=((-1, -1), *SHUFFLED.masks[1:]))
    first = tuple(elgamal.remask(G, X, pair, -1) for pair in ITEMS[shuffled.order[0]])
    assert first[0][0] == G.identity
    assert proven((first, *SHUFFLED.items[1:]), shuffled) is None


@settings(deadline=None)
@given(st.binary(max_size=400), st.binary(max_size=400))
def test_verification_never_raises(sent: bytes, proof: bytes) -> None:
    for moved in (sent, sent[: len(SENT)].ljust(len(SENT), b"\0"), SENT):
        for shown in (proof, proof[: len(PROOF)].ljust(len(PROOF), b"\0"), PROOF[:128] + proof[:256].ljust(256, b"\0")):
            assert verified(moved, shown) is None


@pytest.mark.parametrize(
    "items",
    [(), ((), ()), (ITEMS[0], ITEMS[1][:1]), (ITEMS[0] * 5,), ITEMS * 86, ((ITEMS[0] * 4)[:7], (ITEMS[0] * 5)[:9])],
)
def test_what_is_no_bag(items: tuple[Item, ...]) -> None:
    with pytest.raises(ValueError, match="shuffle"):
        shuffle.shuffle(G, SEED, CONTEXT, "deck", X, items)
    assert verified(items=items) is None


def test_inputs_that_are_no_points_are_refused() -> None:
    bad = ((b"\xff" * 32, b""), ITEMS[0][1])
    assert verified(items=(bad, *ITEMS[1:])) is None
    assert verified(key=b"\xff" * 32) is None


def test_shuffles_are_deterministic_and_share_no_randomness() -> None:
    assert shuffle.shuffle(G, SEED, CONTEXT, "deck", X, ITEMS) == SHUFFLED
    assert shuffle.prove(G, SEED, CONTEXT, "deck", X, ITEMS, SHUFFLED) == PROOF
    places: list[tuple[bytes, Context, str, bytes, tuple[Item, ...]]] = [
        (SEED, CONTEXT, "deck", X, ITEMS),
        (bytes(32), CONTEXT, "deck", X, ITEMS),
        (SEED, CONTEXT, "discard", X, ITEMS),
        (SEED, CONTEXT, "deck", KEYS[0].public, ITEMS),
        (SEED, CONTEXT, "deck", X, ITEMS[::-1]),
        *((SEED, elsewhere, "deck", X, ITEMS) for elsewhere in ELSEWHERE),
    ]
    masks, parts = list[int](), list[bytes]()
    for seed, ctx, label, key, items in places:
        shuffled = shuffle.shuffle(G, seed, ctx, label, key, items)
        proof = shuffle.prove(G, seed, ctx, label, key, items, shuffled)
        masks += [mask for row in shuffled.masks for mask in row]
        parts += [proof[start : start + 32] for start in range(0, len(proof), 32)]
    assert len(set(masks)) == len(masks) == 6 * len(places)
    assert len(set(parts)) == len(parts)


def test_every_place_has_its_own_order() -> None:
    g, key = ADDITIVE, ADDITIVE.base(SECRET)
    items = fresh(g, key, 20, 1)
    orders = [
        shuffle.shuffle(g, SEED, CONTEXT, "deck", key, items).order,
        shuffle.shuffle(g, bytes(32), CONTEXT, "deck", key, items).order,
        shuffle.shuffle(g, SEED, CONTEXT, "discard", key, items).order,
        shuffle.shuffle(g, SEED, CONTEXT, "deck", g.base(SECRET + 1), items).order,
        shuffle.shuffle(g, SEED, CONTEXT, "deck", key, items[::-1]).order,
        *(shuffle.shuffle(g, SEED, elsewhere, "deck", key, items).order for elsewhere in ELSEWHERE),
    ]
    assert len(set(orders)) == len(orders)


def test_another_witness_has_other_nonces() -> None:
    # The same items in both places: two orders prove the same statement.
    items = (ITEMS[0], ITEMS[0])
    shuffled = shuffle.shuffle(G, SEED, CONTEXT, "deck", X, items)
    given, sent = elgamal.encode_items(items), elgamal.encode_items(shuffled.items)
    nonces = set[int]()
    for order in (shuffled.order, shuffled.order[::-1]):
        proof = shuffle.prove(G, SEED, CONTEXT, "deck", X, items, replace(shuffled, order=order))
        assert verified(sent, proof, items=items) == shuffled.items
        weights = weights_of(G, hashed("statement", (*PLACE, X, 2, 2, given, sent, proof[:32])), 2)
        c, *_, first, second = (int.from_bytes(proof[start : start + 32], "little") for start in range(64, 288, 32))
        nonces |= {(s - c * weights[place]) % G.order for s, place in zip((first, second), order, strict=True)}
    assert len(nonces) == 4


# -- a prover of its own -----------------------------------------------------------------------------------------------

Matrix = list[list[int]]
PLACE = (G.name, *CONTEXT.parts())
LEFT_OUT = {"statement": 11, "links": 7, "proof": 8}
"""How many parts each hash of a proof has after its label."""


def hashed(kind: str, parts: Sequence[Plain]) -> bytes:
    return wide(f"shuffle {kind} deck", *parts)


def scalar(g: Group, data: bytes) -> int:
    return int.from_bytes(data, "little") % g.order


def weights_of(g: Group, bound: bytes, count: int) -> list[int]:
    stream = hashlib.shake_256(message("shuffle weights", bound)).digest(64 * count)
    return [scalar(g, stream[start : start + 64]) for start in range(0, len(stream), 64)]


def cheat(
    matrix: Matrix, parts: Sequence[Matrix] = (), hashed: Callable[[str, Sequence[Plain]], bytes] = hashed
) -> tuple[Item, ...] | None:
    """Returns what becomes of outputs that are sums of the inputs by the rows of a matrix, re-masked by 1, 2, 3..., and
    proven as well as can be by a prover that commits to that matrix, whatever it is.

    `parts` holds another matrix for each part, where they differ; `hashed` is what the prover hashes.
    """
    g, n = G, len(matrix)
    items = fresh(g, X, n, 2)
    rows = list(parts or (matrix, matrix))
    moved = tuple(
        tuple(
            elgamal.remask(
                g,
                X,
                (
                    g.weighted_sum(rows[p][i], [item[p][0] for item in items]),
                    g.weighted_sum(rows[p][i], [item[p][1] for item in items]),
                ),
                i + 1,
            )
            for p in range(2)
        )
        for i in range(n)
    )
    root, *generators = (g.fixed_point(message("shuffle generator", index)) for index in range(n + 1))
    blindings, links, nonces = [*range(31, 30 + n)], [0, *range(41, 40 + n), 0], [*range(51, 51 + n)]
    columns = [g.weighted_sum([row[j] for row in matrix], generators) for j in range(n - 1)]
    commitments = [g.add(g.base(r), column) for r, column in zip(blindings, columns, strict=True)]
    given, sent = elgamal.encode_items(items), elgamal.encode_items(moved)
    bound = hashed("statement", (*PLACE, X, n, 2, given, sent, b"".join(commitments)))
    weights = weights_of(g, bound, n)
    carried = [sum(m * u for m, u in zip(row, weights, strict=True)) for row in matrix]
    products = list(accumulate(carried, lambda product, v: product * v, initial=1))
    chain = [g.add(g.base(links[i]), g.mul(products[i], root)) for i in range(1, n)]
    link_weight = scalar(g, hashed("links", (*PLACE, bound, tuple(chain))))
    powers = [pow(link_weight, i, g.order) for i in range(n)]

    bases = [g.mul(power, link) for power, link in zip(powers, [root, *chain], strict=True)]
    firsts = [g.add(g.base(61), g.weighted_sum(nonces, generators))]
    firsts.append(g.add(g.base(62), g.weighted_sum(nonces, bases)))
    for p in range(2):
        firsts.append(g.sub(g.weighted_sum(nonces, [item[p][0] for item in moved]), g.base(71 + p)))
        firsts.append(g.sub(g.weighted_sum(nonces, [item[p][1] for item in moved]), g.mul(71 + p, X)))
    c = scalar(g, hashed("proof", (*PLACE, bound, tuple(chain), tuple(firsts))))
    steps = [links[i + 1] - v * links[i] for i, v in enumerate(carried)]
    joint_mask = sum((i + 1) * v for i, v in enumerate(carried))
    responses = [
        61 + c * sum(r * u for r, u in zip([*blindings, -sum(blindings)], weights, strict=True)),
        62 + c * sum(power * step for power, step in zip(powers, steps, strict=True)),
        *(71 + p + c * joint_mask for p in range(2)),
        *(w + c * v for w, v in zip(nonces, carried, strict=True)),
    ]
    proof = b"".join([*commitments, *chain, g.encode_scalar(c), *map(g.encode_scalar, responses)])
    return verified(sent, proof, items=items)


KEPT: Matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
TURNED: Matrix = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
HALF = pow(2, -1, G.order)


def test_a_prover_of_its_own_succeeds_with_a_permutation() -> None:
    assert cheat(KEPT) is not None
    assert cheat(TURNED) is not None
    assert cheat([[1]]) is not None


@pytest.mark.parametrize(
    "matrix",
    [
        [[1, 0, 0], [1, 0, 0], [0, 0, 1]],
        [[0, 1, 0], [0, 1, 0], [0, 1, 0]],
        [[1, 0, 0], [0, 2, -1], [0, 0, 1]],
        [[1, 0, 0], [0, 1, 0], [1, -1, 1]],
    ],
    ids=["double", "one alone", "difference", "blend"],
)
def test_rows_that_sum_to_one_are_not_enough(matrix: Matrix) -> None:
    assert cheat(matrix) is None


@pytest.mark.parametrize(
    "matrix",
    [[[2, 0, 0], [0, HALF, 0], [0, 0, 1]], [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]],
    ids=["scaled", "negated"],
)
def test_the_product_of_the_weights_is_not_enough(matrix: Matrix) -> None:
    assert cheat(matrix) is None


def test_an_order_for_each_part_fails_with_either_commitment() -> None:
    assert cheat(KEPT, [KEPT, TURNED]) is None
    assert cheat(TURNED, [KEPT, TURNED]) is None
    assert cheat(TURNED, [TURNED, TURNED]) is not None


def test_one_item_cannot_be_replaced_by_a_multiple() -> None:
    assert cheat([[2]]) is None


@pytest.mark.parametrize("kind", LEFT_OUT)
def test_every_challenge_hangs_on_all_that_went_before(kind: str) -> None:
    """A prover that could leave one part out of a hash could choose that part afterwards."""
    for left_out in range(LEFT_OUT[kind]):

        def without(other: str, parts: Sequence[Plain], place: int = left_out) -> bytes:
            left = [part for number, part in enumerate(parts) if (other, number) != (kind, place)]
            assert other != kind or len(parts) == LEFT_OUT[kind] == len(left) + 1
            return hashed(other, left)

        assert cheat(TURNED, hashed=without) is None
