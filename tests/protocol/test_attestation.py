"""Attestations: what a witness signs, what is no attestation, and whose it is."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from kimberley.games.table import Plain
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.crypto import signatures
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.events import Caught
from tests.support.tables import identity, secret

GAME = secret("game")
WITNESS = signatures.public(identity(0))
BLANK = Attestation(WITNESS, 3, 1, bytes(32), (1, 2))
SIGNED = BLANK.signed(GAME, partial(signatures.sign, identity(0)))


def test_what_a_witness_signed_holds_for_its_table_alone() -> None:
    assert SIGNED.holds(GAME)
    assert not SIGNED.holds(secret("another game"))
    assert not BLANK.holds(GAME)
    assert SIGNED.slot == (3, 1)


@pytest.mark.parametrize(
    "other",
    [
        replace(SIGNED, witness=signatures.public(identity(1))),
        replace(SIGNED, step=4),
        replace(SIGNED, stage=0),
        replace(SIGNED, head=bytes([1] * 32)),
        replace(SIGNED, absent=(1,)),
    ],
)
def test_a_signature_is_of_all_that_is_said(other: Attestation) -> None:
    assert not other.holds(GAME)


def test_it_comes_back_as_it_was_from_its_witness() -> None:
    assert Attestation.read(SIGNED.plain()) == SIGNED
    assert Attestation.of_witness(WITNESS, GAME, SIGNED.plain()) == SIGNED


@pytest.mark.parametrize(
    ("witness", "game", "said"),
    [
        (signatures.public(identity(1)), GAME, SIGNED),
        (WITNESS, secret("another game"), SIGNED),
        (WITNESS, GAME, replace(SIGNED, step=4)),
    ],
    ids=["another's", "for another table", "not signed"],
)
def test_of_a_witness_only_its_own_for_this_table_is_taken(witness: bytes, game: bytes, said: Attestation) -> None:
    with pytest.raises(Malformed, match=r"^not an attestation of its own for this table$"):
        Attestation.of_witness(witness, game, said.plain())


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, bytes(31)), (0, None), (1, -1), (1, True), (1, "3"), (2, -1), (2, False), (3, bytes(33)), (3, 7),
        (4, ()), (4, (2, 1)), (4, (1, 1)), (4, (-1,)), (4, (1, "2")), (4, (True,)), (4, (1, 6)), (4, 1),
        (5, bytes(63)), (5, ""),
    ],
)  # fmt: skip
def test_anything_else_is_no_attestation(place: int, value: Plain) -> None:
    plain = list(BLANK.signed(GAME, lambda purpose, message: bytes(64)).plain())  # type: ignore[arg-type]
    assert Attestation.read(tuple(plain)).absent == (1, 2)
    plain[place] = value
    with pytest.raises(Malformed, match=r"^not an attestation: expected a witness, a step, a stage, a head, absent"):
        Attestation.read(tuple(plain))
    with pytest.raises(Malformed, match=r"^not an attestation: "):
        Attestation.read(tuple(plain[:5]))


def test_counts_begin_with_zero_and_seats_end_with_the_sixth() -> None:
    first = replace(SIGNED, step=0, stage=0, absent=(0, 5))
    assert Attestation.read(first.plain()) == first


def test_who_was_caught_is_told_by_the_number_that_people_count_with() -> None:
    assert str(Caught(1, 7, 2, "it signed two envelopes")) == "seat 2, step 7, stage 2: it signed two envelopes"
