from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.games.table import Plain
from kimberley.protocol.crypto import coin, elgamal
from kimberley.protocol.crypto.elgamal import BAG, MAILBOX, SeatKey
from kimberley.protocol.crypto.group import BadPoint, Group
from kimberley.protocol.crypto.ristretto import RISTRETTO
from tests.support.groups import ADDITIVE, CONTEXT, ELSEWHERE, GROUPS, SEED
from tests.support.plain import PLAIN

G = RISTRETTO
KEYS = [SeatKey.derive(G, bytes([seat]) * 32, CONTEXT, BAG) for seat in range(3)]
X = elgamal.joint_key(G, [key.public for key in KEYS])
ITEM = elgamal.known_item(G, X, ("spade", 7))
ITEMS = (ITEM, elgamal.known_item(G, X, ("heart", 7)))
ENCODED = elgamal.encode_items(ITEMS)


@pytest.mark.parametrize("g", GROUPS.values(), ids=GROUPS.keys())
def test_all_seats_together_open_an_item(g: Group) -> None:
    keys = [SeatKey.derive(g, bytes([seat]) * 32, CONTEXT, BAG) for seat in range(3)]
    joint = elgamal.joint_key(g, [key.public for key in keys])
    item = elgamal.known_item(g, joint, ("spade", 7))
    tables = [elgamal.value_table(g, 0, ("spade", "heart")), elgamal.value_table(g, 1, range(10))]
    remasked = tuple(elgamal.remask(g, joint, pair, mask) for pair, mask in zip(item, (5, 6), strict=True))
    for opened in (item, remasked):
        for pair, table, value in zip(opened, tables, ("spade", 7), strict=True):
            shares = [g.mul(key.secret, pair[0]) for key in keys]
            assert {table[elgamal.plaintext(g, pair, order)] for order in permutations(shares)} == {value}
            assert elgamal.plaintext(g, pair, shares[:2]) not in table
    assert len({point for pair in (*item, *remasked) for point in pair}) == 7


def test_a_known_item_is_the_same_for_all() -> None:
    suit, value = elgamal.value_point(G, 0, "spade"), elgamal.value_point(G, 1, 7)
    assert ((G.base(1), G.add(suit, X)), (G.base(1), G.add(value, X))) == ITEM


def test_masks_add_up() -> None:
    twice = elgamal.remask(G, X, elgamal.remask(G, X, ITEM[0], 5), 6)
    assert twice == elgamal.remask(G, X, ITEM[0], 11)
    assert elgamal.remask(G, X, ITEM[0], -1) == (G.identity, elgamal.value_point(G, 0, "spade"))


def test_sums_of_keys_and_points_may_be_the_identity() -> None:
    negative = G.sub(G.identity, X)
    assert elgamal.joint_key(G, [X, negative]) == elgamal.joint_key(G, []) == G.identity
    assert elgamal.plaintext(G, (X, X), [X]) == G.identity
    assert G.weighted_sum([2, 2], [X, negative]) == G.identity


@given(st.lists(st.tuples(st.integers(), st.integers()), min_size=1, max_size=6))
def test_weighted_sums(terms: list[tuple[int, int]]) -> None:
    total = ADDITIVE.weighted_sum([w for w, _ in terms], [ADDITIVE.base(x) for _, x in terms])
    assert total == ADDITIVE.base(sum(w * x for w, x in terms))


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 3), PLAIN), max_size=8))
def test_every_value_of_every_part_has_its_own_point(named: list[tuple[int, Plain]]) -> None:
    points = {elgamal.value_point(G, part, value) for part, value in named}
    assert len(points) == len({repr(entry) for entry in named})


def test_a_table_of_values_tells_true_from_one() -> None:
    table = elgamal.value_table(G, 0, (1, True, "1", (1,), (True,)))
    assert [repr(value) for value in table.values()] == ["1", "True", "'1'", "(1,)", "(True,)"]


def test_keys_have_one_purpose_and_place() -> None:
    places = [(SEED, CONTEXT, BAG), (SEED, CONTEXT, MAILBOX), (bytes(32), CONTEXT, BAG)]
    places += [(SEED, elsewhere, BAG) for elsewhere in ELSEWHERE]
    keys = [SeatKey.derive(G, *place) for place in places]
    assert len({key.secret for key in keys}) == len(places)
    assert coin.CoinKey.derive(G, SEED, CONTEXT).secret not in {key.secret for key in keys}
    bag = keys[0]
    assert coin.verify_key(G, CONTEXT, BAG, bag.public, bag.proof)
    for purpose in (MAILBOX, coin.COIN):
        assert not coin.verify_key(G, CONTEXT, purpose, bag.public, bag.proof)
    for elsewhere in ELSEWHERE:
        assert not coin.verify_key(G, elsewhere, BAG, bag.public, bag.proof)


def test_a_published_key_is_checked() -> None:
    secret, public = KEYS[0].secret, KEYS[0].public
    data = G.encode_scalar(secret)
    assert elgamal.published_key(G, public, data) == secret
    assert elgamal.published_key(G, KEYS[1].public, data) is None
    for other in (b"", data[:-1], data + b"\0", bytes(32), (secret + G.order).to_bytes(32, "little"), b"\xff" * 32):
        assert elgamal.published_key(G, public, other) is None


def test_items_travel() -> None:
    assert len(ENCODED) == 2 * 2 * elgamal.PAIR_SIZE == 256
    assert elgamal.decode_items(G, ENCODED, 2, 2) == ITEMS
    assert elgamal.decode_items(G, ENCODED, 1, 4) == ((*ITEMS[0], *ITEMS[1]),)


@pytest.mark.parametrize("data", [b"", ENCODED[:-1], ENCODED[:-64], ENCODED + b"\0", ENCODED + ENCODED[:128]])
def test_items_have_one_length(data: bytes) -> None:
    with pytest.raises(BadPoint, match="2 items of 2 parts are 256 bytes"):
        elgamal.decode_items(G, data, 2, 2)


@pytest.mark.parametrize("start", range(0, 256, 32))
def test_every_point_of_an_item_is_checked(start: int) -> None:
    for bad in (bytes(32), b"\xff" * 32, b"\x01" + bytes(31), ENCODED[start : start + 31] + b"\x80"):
        with pytest.raises(BadPoint):
            elgamal.decode_items(G, ENCODED[:start] + bad + ENCODED[start + 32 :], 2, 2)


@settings(deadline=None)
@given(st.binary(max_size=300), st.integers(0, 3), st.integers(1, 3))
def test_decoding_raises_nothing_else(data: bytes, count: int, parts: int) -> None:
    for spelled in (data, data[: count * parts * 64].ljust(count * parts * 64, b"\0")):
        try:
            items = elgamal.decode_items(G, spelled, count, parts)
        except BadPoint:
            continue
        assert elgamal.encode_items(items) == spelled
