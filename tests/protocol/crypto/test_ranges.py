from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.protocol.crypto import ranges
from kimberley.protocol.crypto.commitments import pedersen
from kimberley.protocol.crypto.group import Group
from kimberley.protocol.crypto.hashing import Context
from kimberley.protocol.crypto.ristretto import RISTRETTO
from tests.support.groups import ADDITIVE, CONTEXT, ELSEWHERE, GROUPS, SEED

G = RISTRETTO
BLINDING = 2**200 + 9
COMMITMENT = pedersen(G, 150, BLINDING)
PROOF = ranges.prove(G, SEED, CONTEXT, "pay", 8, 150, BLINDING, 0)


@pytest.mark.parametrize("g", GROUPS.values(), ids=GROUPS.keys())
@pytest.mark.parametrize(("bits", "value"), [(1, 0), (1, 1), (3, 0), (3, 5), (3, 7)])
def test_values_in_range_are_proven(g: Group, bits: int, value: int) -> None:
    proof = ranges.prove(g, SEED, CONTEXT, "pay", bits, value, BLINDING, 0)
    assert len(proof) == ranges.proof_size(bits)
    assert ranges.verify(g, CONTEXT, "pay", bits, pedersen(g, value, BLINDING), proof)


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 64), st.data())
def test_every_width(bits: int, data: st.DataObject) -> None:
    value = data.draw(st.integers(0, 2**bits - 1))
    blinding = data.draw(st.integers(0, ADDITIVE.order - 1))
    proof = ranges.prove(ADDITIVE, SEED, CONTEXT, "pay", bits, value, blinding, 3)
    assert ranges.verify(ADDITIVE, CONTEXT, "pay", bits, pedersen(ADDITIVE, value, blinding), proof)


def test_eight_bits_take_a_kilobyte_whatever_the_value() -> None:
    sizes = {len(ranges.prove(G, SEED, CONTEXT, "pay", 8, value, 1, 0)) for value in (0, 1, 128, 255)}
    assert sizes == {1024} == {ranges.proof_size(8)}


def test_the_commitment_may_be_the_identity() -> None:
    proof = ranges.prove(G, SEED, CONTEXT, "pay", 8, 0, 0, 0)
    assert ranges.verify(G, CONTEXT, "pay", 8, G.identity, proof)
    assert not ranges.verify(G, CONTEXT, "pay", 8, COMMITMENT, proof)


@pytest.mark.parametrize(("bits", "value"), [(8, 256), (8, -1), (1, 2), (0, 0), (65, 0), (-1, 0)])
def test_what_does_not_fit_is_not_proven(bits: int, value: int) -> None:
    with pytest.raises(ValueError, match="bits"):
        ranges.prove(G, SEED, CONTEXT, "pay", bits, value, 1, 0)


def test_a_value_out_of_range_cannot_borrow_a_proof() -> None:
    for value in (-1, 256, 150 + 256):
        assert not ranges.verify(G, CONTEXT, "pay", 8, pedersen(G, value, BLINDING), PROOF)


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_a_proof_cannot_be_replayed_elsewhere(elsewhere: Context) -> None:
    assert ranges.verify(G, CONTEXT, "pay", 8, COMMITMENT, PROOF)
    assert not ranges.verify(G, elsewhere, "pay", 8, COMMITMENT, PROOF)


def test_a_proof_serves_one_label_width_and_commitment() -> None:
    assert not ranges.verify(G, CONTEXT, "rest", 8, COMMITMENT, PROOF)
    assert not ranges.verify(G, CONTEXT, "pay", 7, COMMITMENT, PROOF)
    assert not ranges.verify(G, CONTEXT, "pay", 9, COMMITMENT, PROOF)
    assert not ranges.verify(G, CONTEXT, "pay", 8, G.add(COMMITMENT, G.base(1)), PROOF)


def test_every_part_counts() -> None:
    for place in range(0, 1024, 32):
        head, part, tail = PROOF[:place], PROOF[place : place + 32], PROOF[place + 32 :]
        value = int.from_bytes(part, "little")
        spoiled = [bytes(32), b"\xff" * 32, (value ^ 1).to_bytes(32, "little"), G.base(5), G.encode_scalar(5)]
        if place >= 7 * 32:
            spoiled.append((value + G.order).to_bytes(32, "little"))
        for other in spoiled:
            assert not ranges.verify(G, CONTEXT, "pay", 8, COMMITMENT, head + other + tail), (place, other)


@pytest.mark.parametrize("proof", [b"", PROOF[:-1], PROOF[:-32], PROOF + b"\0", PROOF + PROOF[-32:], PROOF * 2])
def test_lengths_are_checked(proof: bytes) -> None:
    assert not ranges.verify(G, CONTEXT, "pay", 8, COMMITMENT, proof)


@pytest.mark.parametrize("commitment", [b"", COMMITMENT[:-1], COMMITMENT + b"\0", b"\xff" * 32, b"\x01" + bytes(31)])
def test_a_commitment_that_is_no_point_is_refused(commitment: bytes) -> None:
    assert not ranges.verify(G, CONTEXT, "pay", 8, commitment, PROOF)


@pytest.mark.parametrize("bits", [-8, 0, 65, 10**6])
def test_absurd_widths_are_refused(bits: int) -> None:
    assert not ranges.verify(G, CONTEXT, "pay", bits, COMMITMENT, b"")


@settings(deadline=None)
@given(st.binary(max_size=40), st.binary(max_size=400), st.integers(-1, 3))
def test_verification_never_raises(commitment: bytes, proof: bytes, bits: int) -> None:
    padded = proof.ljust(ranges.proof_size(bits), b"\0") if bits > 0 else proof
    for data in (proof, padded):
        assert not ranges.verify(G, CONTEXT, "pay", bits, commitment, data)


def test_proofs_are_deterministic_and_share_no_randomness() -> None:
    assert ranges.prove(G, SEED, CONTEXT, "pay", 8, 150, BLINDING, 0) == PROOF
    others = [
        ranges.prove(G, bytes(32), CONTEXT, "pay", 8, 150, BLINDING, 0),
        ranges.prove(G, SEED, replace(CONTEXT, step=9), "pay", 8, 150, BLINDING, 0),
        ranges.prove(G, SEED, CONTEXT, "rest", 8, 150, BLINDING, 0),
        ranges.prove(G, SEED, CONTEXT, "pay", 8, 151, BLINDING, 0),
        ranges.prove(G, SEED, CONTEXT, "pay", 8, 150, BLINDING + 1, 0),
        ranges.prove(G, SEED, CONTEXT, "pay", 8, 150, BLINDING, 1),
    ]
    parts = [proof[start : start + 32] for proof in (PROOF, *others) for start in range(0, 1024, 32)]
    assert len(set(parts)) == len(parts)
