from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.protocol.crypto import backend, disclosure
from kimberley.protocol.crypto.commitments import pedersen
from kimberley.protocol.crypto.group import Group, Point
from kimberley.protocol.crypto.hashing import Context
from kimberley.protocol.crypto.ristretto import RISTRETTO
from tests.support.groups import ADDITIVE, CONTEXT, ELSEWHERE, SEED, WITH_SLOW_ORACLE

G = RISTRETTO
KEY = b"k" * 32
b, r, s, t = 5, 2**99 + 1, 3, 2**101 + 7
R, S = pedersen(G, b, r), pedersen(G, s, t)
OFFER = disclosure.offer(G, SEED, CONTEXT, "turned", 3, R, S, s, KEY)
SEALED = disclosure.seal_payload(KEY, "destination", CONTEXT, 0, b"Luanda", 16)


def candidate(
    offered: bytes, ctx: Context = CONTEXT, label: str = "turned", R: Point = R, S: Point = S
) -> bytes | None:
    return disclosure.accept(G, ctx, label, 3, R, S, b, r, offered)


@pytest.mark.parametrize("g", WITH_SLOW_ORACLE)
def test_the_key_is_disclosed_exactly_to_the_greater_sum(g: Group) -> None:
    for owned in range(8):
        sealed_by_owner = pedersen(g, owned, t)
        for received in range(8):
            sealed_by_receiver = pedersen(g, received, r)
            offered = disclosure.offer(g, SEED, CONTEXT, "x", 3, sealed_by_receiver, sealed_by_owner, owned, KEY)
            found = disclosure.accept(g, CONTEXT, "x", 3, sealed_by_receiver, sealed_by_owner, received, r, offered)
            assert found is not None
            assert len(found) == 32
            assert (found == KEY) == (received > owned)


@settings(deadline=None)
@given(st.integers(0, 255), st.integers(0, 255), st.integers(0), st.binary(min_size=32, max_size=32))
def test_eight_bits(received: int, owned: int, blinding: int, key: bytes) -> None:
    g = ADDITIVE
    more, than = pedersen(g, received, blinding), pedersen(g, owned, 1)
    offered = disclosure.offer(g, SEED, CONTEXT, "x", 8, more, than, owned, key)
    assert len(offered) == disclosure.offer_size(8) == 32 + 256 * 32
    found = disclosure.accept(g, CONTEXT, "x", 8, more, than, received, blinding, offered)
    assert (found == key) == (received > owned)


@pytest.mark.parametrize("received", range(4))
def test_sums_may_be_the_identity(received: int) -> None:
    more, than = pedersen(G, received, 0), G.identity
    offered = disclosure.offer(G, SEED, CONTEXT, "x", 2, more, than, 0, KEY)
    assert (disclosure.accept(G, CONTEXT, "x", 2, more, than, received, 0, offered) == KEY) == (received > 0)


def test_a_receiver_that_lies_about_its_sum_finds_nothing() -> None:
    for claimed in range(8):
        found = disclosure.accept(G, CONTEXT, "turned", 3, R, S, claimed, r, OFFER)
        assert (found == KEY) == (claimed == b)
    assert disclosure.accept(G, CONTEXT, "turned", 3, R, S, b, r + 1, OFFER) != KEY


def test_an_offer_tells_nothing_by_its_pads() -> None:
    pads = [OFFER[start : start + 32] for start in range(0, len(OFFER), 32)]
    assert len(set(pads)) == len(pads) == 9
    assert KEY not in pads


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_an_offer_opens_nowhere_else(elsewhere: Context) -> None:
    assert candidate(OFFER) == KEY
    assert candidate(OFFER, ctx=elsewhere) != KEY


def test_an_offer_serves_one_statement() -> None:
    assert candidate(OFFER, label="loyal") != KEY
    assert candidate(OFFER, R=G.add(R, G.base(1))) != KEY
    assert candidate(OFFER, S=G.add(S, G.base(1))) != KEY
    assert disclosure.accept(G, CONTEXT, "turned", 2, R, S, 3, r, OFFER[:160]) != KEY


def test_offers_are_deterministic_and_share_no_randomness() -> None:
    assert disclosure.offer(G, SEED, CONTEXT, "turned", 3, R, S, s, KEY) == OFFER
    others = [
        disclosure.offer(G, bytes(32), CONTEXT, "turned", 3, R, S, s, KEY),
        disclosure.offer(G, SEED, replace(CONTEXT, step=9), "turned", 3, R, S, s, KEY),
        disclosure.offer(G, SEED, CONTEXT, "loyal", 3, R, S, s, KEY),
        disclosure.offer(G, SEED, CONTEXT, "turned", 3, S, R, s, KEY),
        disclosure.offer(G, SEED, CONTEXT, "turned", 3, R, S, s + 1, KEY),
        disclosure.offer(G, SEED, CONTEXT, "turned", 3, R, S, s, bytes(32)),
    ]
    parts = [offered[start : start + 32] for offered in (OFFER, *others) for start in range(0, len(OFFER), 32)]
    assert len(set(parts)) == len(parts)


@pytest.mark.parametrize(
    "garbage", [b"", OFFER[:-1], OFFER[:-32], OFFER + b"\0", OFFER + bytes(32), bytes(32) + OFFER[32:], b"\xff" * 288]
)
def test_an_offer_that_is_not_well_formed_is_seen_by_all(garbage: bytes) -> None:
    assert not disclosure.well_formed(G, 3, garbage)
    assert candidate(garbage) is None


@settings(deadline=None)
@given(st.binary(min_size=256, max_size=256))
def test_garbage_pads_give_some_bytes(pads: bytes) -> None:
    offered = OFFER[:32] + pads
    assert disclosure.well_formed(G, 3, offered)
    found = candidate(offered)
    assert found is not None
    assert len(found) == 32
    assert disclosure.open_payload(found, "destination", CONTEXT, 0, SEALED, 16) is None


@settings(deadline=None)
@given(st.binary(max_size=300), st.integers(-2, 20))
def test_accepting_never_raises(offered: bytes, bits: int) -> None:
    found = disclosure.accept(G, CONTEXT, "turned", bits, R, S, 0, r, offered)
    assert (found is not None) == disclosure.well_formed(G, bits, offered)


def test_what_an_owner_cannot_offer() -> None:
    for bits, owned, key in ((0, 0, KEY), (17, 0, KEY), (3, -1, KEY), (3, 8, KEY), (3, 0, KEY[1:])):
        with pytest.raises(ValueError, match=r"bits|key"):
            disclosure.offer(G, SEED, CONTEXT, "turned", bits, R, S, owned, key)


@given(st.binary(max_size=16))
def test_payloads_have_one_width(payload: bytes) -> None:
    sealed = disclosure.seal_payload(KEY, "destination", CONTEXT, 0, payload, 16)
    assert len(sealed) == disclosure.sealed_size(16) == 36
    assert disclosure.open_payload(KEY, "destination", CONTEXT, 0, sealed, 16) == payload


def test_a_payload_opens_in_its_place_alone() -> None:
    assert disclosure.open_payload(KEY, "destination", CONTEXT, 0, SEALED, 16) == b"Luanda"
    assert disclosure.open_payload(bytes(32), "destination", CONTEXT, 0, SEALED, 16) is None
    assert disclosure.open_payload(KEY, "purpose", CONTEXT, 0, SEALED, 16) is None
    assert disclosure.open_payload(KEY, "destination", CONTEXT, 1, SEALED, 16) is None
    assert disclosure.open_payload(KEY, "destination", CONTEXT, 0, SEALED, 15) is None
    for elsewhere in ELSEWHERE:
        assert disclosure.open_payload(KEY, "destination", elsewhere, 0, SEALED, 16) is None


def test_subkeys_differ_by_place() -> None:
    places = [(KEY, "a", CONTEXT, 0), (KEY, "b", CONTEXT, 0), (KEY, "a", CONTEXT, 1), (bytes(32), "a", CONTEXT, 0)]
    places += [(KEY, "a", elsewhere, 0) for elsewhere in ELSEWHERE]
    sealed = {disclosure.seal_payload(*place, b"", 16) for place in places}
    assert len(sealed) == len(places)


def test_a_payload_that_is_too_long_is_not_sealed() -> None:
    with pytest.raises(ValueError, match="fixed width of 16"):
        disclosure.seal_payload(KEY, "destination", CONTEXT, 0, bytes(17), 16)


@given(st.binary(max_size=80), st.binary(max_size=40))
def test_opening_never_raises(sealed: bytes, key: bytes) -> None:
    assert disclosure.open_payload(key, "destination", CONTEXT, 0, sealed, 16) is None
    assert disclosure.open_payload(KEY, "destination", CONTEXT, 0, sealed.ljust(36, b"\0")[:36], 16) is None


def test_a_spoiled_payload_does_not_open() -> None:
    for place in range(36):
        spoiled = bytearray(SEALED)
        spoiled[place] ^= 1
        assert disclosure.open_payload(KEY, "destination", CONTEXT, 0, bytes(spoiled), 16) is None, place


@pytest.mark.parametrize("plain", [b"\0\0\0\x11" + bytes(16), b"\xff" * 20, b"\0\0\0\x02ab" + bytes(13) + b"!"])
def test_a_payload_has_one_padding(plain: bytes) -> None:
    subkey, associated = disclosure.subkey_of(KEY, "destination", CONTEXT, 0, 16)
    sealed = backend.primitives().encrypt(subkey, disclosure.NONCE, plain, associated)
    assert disclosure.open_payload(KEY, "destination", CONTEXT, 0, sealed, 16) is None
