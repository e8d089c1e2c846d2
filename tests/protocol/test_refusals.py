"""What records, rosters, envelopes and closing stages are refused for, by the reason that people read."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

import pytest

from kimberley.games.table import Plain, Result
from kimberley.protocol import envelope as envelopes
from kimberley.protocol import record as records
from kimberley.protocol.attestation import MOST_ATTESTATIONS, Attestation
from kimberley.protocol.closing import SHOW, Closing
from kimberley.protocol.crypto import signatures
from kimberley.protocol.encoding import Malformed, pack
from kimberley.protocol.envelope import REVISION, STAGE, Envelope
from kimberley.protocol.events import OutdatedState
from kimberley.protocol.play import ProtocolViolation
from kimberley.protocol.record import Damaged, Record, sealed
from kimberley.protocol.roster import SignedRoster
from tests.support.cards import FEW_CARDS
from tests.support.cheats import forged
from tests.support.stones import STONES
from tests.support.tables import Wire, identity, played, seated, signed_roster

TABLE = signed_roster(STONES)


@cache
def whole() -> Wire:
    """Returns a game that has been played; nothing may change it."""
    return played(STONES)


# -- records -----------------------------------------------------------------------------------------------------------


def filed(*parts: Plain) -> bytes:
    """Returns a file with these parts after the revision, and the checksum that fits."""
    return sealed(pack((REVISION, *parts)))


def attested(seat: int, game: bytes = TABLE.game_id) -> Plain:
    blank = Attestation(signatures.public(identity(seat)), 3, 0, bytes(32), (1,))
    return blank.signed(game, partial(signatures.sign, identity(seat))).plain()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (filed(TABLE.plain()), "it is not a roster with envelopes"),
        (filed(TABLE.plain(), 7, ()), "it is not a roster with envelopes"),
        (filed((), (), ()), "its roster: not a signed roster"),
        (filed(TABLE.plain(), ("text",), ()), "envelope 1 is not bytes"),
        (filed(TABLE.plain(), (), (b"",)), "evidence 1: "),
        (filed(TABLE.plain(), (), (), (7,)), "attestation 1: not an attestation"),
        *(
            (filed(TABLE.plain(), (strange,), ()), "envelope 1: not one complete msgpack value\n")
            for strange in (b"", b"\xc1", b"\x81\xa1a\x01", b"\xa1\xff", b"\x91" * 2000, b"\x01\x01")
        ),
        (filed(TABLE.plain(), (), (), (attested(0), 7)), "attestation 2: not an attestation"),
        (
            filed(TABLE.plain(), (), (), (attested(0, bytes(32)),)),
            "attestation 1: its witness has not signed it for this table",
        ),
        (filed(TABLE.plain(), (), (), (attested(0), attested(0))), "one witness attests twice"),
        (
            filed(TABLE.plain(), (), (), (attested(0),) * (MOST_ATTESTATIONS + 1)),
            f"it has {MOST_ATTESTATIONS + 1} attestations; a record has {MOST_ATTESTATIONS} at most",
        ),
    ],
)
def test_a_record_says_what_is_damaged(data: bytes, reason: str) -> None:
    with pytest.raises(Damaged) as damage:
        Record.unpack(data)
    assert f"{damage.value}\n".startswith(reason)


def test_a_record_holds_attestations_of_different_witnesses() -> None:
    found = Record.unpack(filed(TABLE.plain(), (), (), (attested(0), attested(1))))
    assert [each.plain() for each in found.attestations] == [attested(0), attested(1)]


def test_a_file_of_more_bytes_than_a_record_may_have_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    data = whole().peers[0].record().pack()
    monkeypatch.setattr(records, "MOST_BYTES", len(data))
    assert Record.unpack(data).pack() == data
    monkeypatch.setattr(records, "MOST_BYTES", len(data) - 1)
    with pytest.raises(Damaged, match=rf"^it has {len(data)} bytes; a record has {len(data) - 1} at most$"):
        Record.unpack(data)


@pytest.mark.parametrize("plain", [None, (), (b"", ()), (b"", (), 7), ("", (), ()), (b"", (), (), ())], ids=repr)
def test_what_is_no_signed_roster_is_malformed(plain: Plain) -> None:
    with pytest.raises(Malformed, match=r"^not a signed roster$"):
        SignedRoster.read(plain)


@pytest.mark.parametrize(("signed", "nonces"), [((b"", 7), ()), ((), ("",))])
def test_signatures_and_nonces_of_a_roster_are_bytes(signed: Plain, nonces: Plain) -> None:
    with pytest.raises(Malformed, match=r"^not a signed roster: signatures and nonces are bytes$"):
        SignedRoster.read((TABLE.roster.packed, signed, nonces))


# -- envelopes ---------------------------------------------------------------------------------------------------------


def test_an_envelope_of_more_bytes_than_one_may_have_is_malformed(monkeypatch: pytest.MonkeyPatch) -> None:
    data = whole().peers[0].record().envelopes[0].pack()
    monkeypatch.setattr(envelopes, "MOST_BYTES", len(data))
    assert Envelope.unpack(data).pack() == data
    monkeypatch.setattr(envelopes, "MOST_BYTES", len(data) - 1)
    with pytest.raises(Malformed, match=rf"^an envelope of {len(data)} bytes; {len(data) - 1} at most$"):
        Envelope.unpack(data)


def test_an_envelope_of_its_own_that_a_seat_does_not_know_says_that_its_state_is_old() -> None:
    wire = seated(FEW_CARDS, 3)
    wire.run(lambda: len(wire.sent) > 8)
    peer = wire.peers[0]
    peer.take()
    unknown = forged(peer, 0, STAGE, ("hello",)).pack()
    assert peer.ends_with(unknown)
    assert peer.receive(unknown)
    assert [type(event) for event in peer.take()] == [OutdatedState]


def test_only_a_new_envelope_of_its_own_or_a_second_one_for_a_number_ends_what_a_seat_signs() -> None:
    wire = seated(FEW_CARDS, 3)
    wire.run(lambda: len(wire.sent) > 8)
    peer = wire.peers[0]
    known = peer.transcript[0]
    second = replace(known, kind=STAGE, body=("other",)).signed(partial(signatures.sign, identity(known.seat)))
    elsewhere = replace(known, game=bytes(32)).signed(partial(signatures.sign, identity(known.seat)))
    assert peer.ends_with(second.pack())
    assert not peer.ends_with(known.pack())
    assert not peer.ends_with(elsewhere.pack())
    assert not peer.ends_with(replace(second, signature=bytes(64)).pack())
    assert not peer.ends_with(replace(second, seat=5).pack())
    assert not peer.ends_with(forged(peer, 1, STAGE, ("hello",)).pack())
    assert not peer.ends_with(b"no envelope")


# -- the closing stages ------------------------------------------------------------------------------------------------


def test_a_body_of_each_closing_stage_is_refused_for_what_it_lacks() -> None:
    closing = Closing(TABLE, 9, Result((1, 2), ((7,), (4,)), "ana has more"), (0, 1))
    closing.check(0, ((1, 2), ((7,), (4,)), ()))
    for other in (((2, 1), ((7,), (4,)), ()), ((1, 2), ((7,), (5,)), ()), ((1, 2), ((7,), (4,)), (1,)), None):
        with pytest.raises(ProtocolViolation, match=r"^they signed a result that the game did not have$"):
            closing.check(0, other)
    closing.stage = SHOW
    with pytest.raises(ProtocolViolation, match=r"^the seed they showed is not the one whose hash they signed in the"):
        closing.check(0, (bytes(32), ()))
    malformed: tuple[Plain, ...] = (None, (bytes(31), ()), (bytes(32),), (bytes(32), b""))
    for strange in malformed:
        with pytest.raises(ProtocolViolation, match=r"^they did not show a seed and their choices$"):
            closing.check(0, strange)
