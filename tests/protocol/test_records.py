"""Records: what a file proves, and what it does not when somebody has changed it."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.games.diamond_trust import GAME
from kimberley.games.table import Game
from kimberley.protocol.audit import verify
from kimberley.protocol.envelope import REVISION, Envelope
from kimberley.protocol.record import MAGIC, Record
from kimberley.protocol.roster import SignedRoster
from tests.support.cheats import signed_again
from tests.support.tables import played, signed_roster


@cache
def record_file() -> bytes:
    return played(GAME, salt="record").peers[0].record().pack()


def places(end: int = 0) -> st.SearchStrategy[int]:
    """Returns places of a byte in the file, without the last `end` ones."""
    return st.deferred(lambda: st.integers(0, len(record_file()) - 1 - end))


def find(game: str) -> Game:
    if game != GAME.id:
        raise LookupError(game)
    return GAME


def resummed(data: bytes) -> bytes:
    """Returns the file with the checksum that fits it, as somebody who changes records on purpose would leave it."""
    return data[:-32] + hashlib.sha256(data[:-32]).digest()


def test_a_record_comes_back_as_it_was() -> None:
    assert Record.unpack(record_file()).pack() == record_file()
    assert verify(record_file(), find).code == "fair"


@settings(max_examples=30, deadline=None)
@given(places(), st.integers(1, 255))
def test_a_change_of_any_byte_is_damage_and_blames_nobody(place: int, by: int) -> None:
    data = bytearray(record_file())
    data[place] ^= by
    verdict = verify(bytes(data), find)
    assert (verdict.code, verdict.seats) == ("damaged", ())


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(places(32), st.integers(1, 255))
def test_a_change_of_any_byte_with_a_fitting_sum_blames_nobody(place: int, by: int) -> None:
    data = bytearray(record_file())
    data[place] ^= by
    verdict = verify(resummed(bytes(data)), find)
    assert verdict.code in ("damaged", "unknown")
    assert verdict.seats == ()
    if verdict.code == "unknown":
        assert "revision" in verdict.reason


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=300))
def test_any_file_gets_a_verdict(data: bytes) -> None:
    for file in (data, MAGIC + data, resummed(MAGIC + data + bytes(32))):
        assert verify(file, find).code in ("damaged", "unknown")


@pytest.mark.parametrize(("kept", "step"), [(0, 0), (1, 0), (2, 1), (7, 3), (40, 17), (-1, 69)])
def test_a_record_that_was_cut_is_incomplete_and_names_who_is_absent(kept: int, step: int) -> None:
    whole = Record.unpack(record_file())
    verdict = verify(replace(whole, envelopes=whole.envelopes[:kept]).pack(), find)
    assert verdict.code == "incomplete"
    assert verdict.absent
    assert verdict.step == step
    assert all(f"seat {seat + 1} ({verdict.names[seat]})" in verdict.reason for seat in verdict.absent)
    assert (verdict.result is not None) == (kept == -1)


def test_envelopes_in_another_place_are_damage_or_nothing_new() -> None:
    whole = Record.unpack(record_file())
    swapped = (*whole.envelopes[:10], *whole.envelopes[12:14], *whole.envelopes[10:12], *whole.envelopes[14:])
    assert verify(replace(whole, envelopes=swapped).pack(), find).code in ("fair", "damaged")


@pytest.mark.parametrize("place", [0, 4, 10, 30, -2])
def test_an_envelope_left_out_is_damage_since_its_chain_goes_on(place: int) -> None:
    whole = Record.unpack(record_file())
    chained = whole.envelopes[place]
    assert any(later.seat == chained.seat and later.number > chained.number for later in whole.envelopes) or place == -2
    without = tuple(envelope for envelope in whole.envelopes if envelope is not chained)
    verdict = verify(replace(whole, envelopes=without).pack(), find)
    assert (verdict.code, verdict.seats) == (("incomplete", (chained.seat,)) if place == -2 else ("damaged", ()))


def test_a_seat_that_rewrites_its_own_past_blames_nobody_else() -> None:
    whole = Record.unpack(record_file())
    place = next(i for i, e in enumerate(whole.envelopes) if e.seat == 1 and e.step == 3)
    forged = signed_again(whole.envelopes[place], (bytes(32),))
    envelopes = (*whole.envelopes[:place], forged, *whole.envelopes[place + 1 :])
    verdict = verify(replace(whole, envelopes=envelopes).pack(), find)
    assert verdict.code == "damaged"
    assert verdict.seats == ()


def test_both_bodies_in_the_file_are_evidence() -> None:
    whole = Record.unpack(record_file())
    place = next(i for i, e in enumerate(whole.envelopes) if e.seat == 1 and e.step == 3)
    forged = signed_again(whole.envelopes[place], (bytes(32),))
    verdict = verify(replace(whole, evidence=(forged,)).pack(), find)
    assert (verdict.code, verdict.seats) == ("unfair", (1,))
    assert "two different messages" in verdict.reason


def test_a_roster_that_a_seat_did_not_sign_is_damage() -> None:
    whole = Record.unpack(record_file())
    other = signed_roster(GAME, salt="other")
    mixed = SignedRoster(whole.table.roster, other.signatures, whole.table.nonces)
    assert verify(replace(whole, table=mixed).pack(), find).code == "damaged"
    shuffled = SignedRoster(whole.table.roster, whole.table.signatures, whole.table.nonces[::-1])
    assert verify(replace(whole, table=shuffled).pack(), find).code == "damaged"


def test_what_cannot_be_judged_says_so() -> None:
    later = Record(signed_roster(GAME, revision=GAME.revision + 1), ())
    verdict = verify(later.pack(), find)
    assert verdict.code == "unknown"
    assert str(GAME.revision + 1) in verdict.reason

    def none_installed(game: str) -> Game:
        raise LookupError(game)

    verdict = verify(record_file(), none_installed)
    assert (verdict.code, "diamond-trust" in verdict.reason) == ("unknown", True)


def test_a_record_of_another_revision_of_the_protocol_cannot_be_judged() -> None:
    data = bytearray(record_file())
    assert data[len(MAGIC) + 1] == REVISION
    data[len(MAGIC) + 1] = REVISION + 1
    verdict = verify(resummed(bytes(data)), find)
    assert verdict.code == "unknown"
    assert f"revision {REVISION + 1}" in verdict.reason


def test_the_record_is_the_same_file_for_every_seat_and_holds_every_envelope_once() -> None:
    wire = played(GAME, salt="record")
    assert {peer.record().pack() for peer in wire.peers} == {record_file()}
    sent = {Envelope.unpack(data).hash for _, data in wire.sent}
    assert sorted(envelope.hash for envelope in Record.unpack(record_file()).envelopes) == sorted(sent)
