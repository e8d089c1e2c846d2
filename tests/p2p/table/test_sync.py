"""One rule for catching up: what is sent for a `have`, how often, and in which order."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from kimberley.games.table import Plain
from kimberley.p2p.table.sync import MOST_AHEAD, RESEND_SECONDS, REWIND_SECONDS, Sync, convicting, have_of, read_have
from kimberley.p2p.transport.frames import Frame
from kimberley.protocol.crypto import signatures
from kimberley.protocol.envelope import START, Envelope
from kimberley.protocol.peer import Peer
from tests.support.cards import FEW_CARDS
from tests.support.cheats import cheat
from tests.support.tables import identity, peer_of, played, seated, signed_roster

OWN, THEIRS, THIRD = range(3)
NOTHING = ((0, START),) * 3


class Side:
    """What one side sends another, with a clock that only the test moves."""

    def __init__(self, peer: Peer, *, watches: bool = False) -> None:
        self.now, self.unsent = 100.0, 0
        self.envelopes: list[Envelope] = []
        live, signer = (range(3), None) if watches else ((OWN,), THEIRS)
        self.sync = Sync(peer, self, lambda: self.now, live=live, signer=signer)

    def send(self, frame: Frame) -> None:
        kind, data = frame
        assert kind == "envelope"
        assert isinstance(data, bytes)
        self.envelopes.append(Envelope.unpack(data))

    def sent(self, have: tuple[tuple[int, bytes], ...], seconds: float = 0.0) -> list[Envelope]:
        """Returns what is sent for this `have`, so many seconds after the last one."""
        self.now += seconds
        self.envelopes.clear()
        self.sync.on_have(have)
        return list(self.envelopes)


@pytest.fixture(scope="module")
def peer() -> Peer:
    return played(FEW_CARDS, 3).peers[OWN]


def but(peer: Peer, seat: int, row: tuple[int, bytes]) -> tuple[tuple[int, bytes], ...]:
    """Returns what this machine has, with another row for one seat."""
    return tuple(row if n == seat else one for n, one in enumerate(have_of(peer)))


def test_nothing_is_sent_before_the_first_have_and_then_the_own_envelopes(peer: Peer) -> None:
    side = Side(peer)
    side.sync.flush()
    assert side.envelopes == []
    assert not side.sync.lacks_nothing_of(OWN)
    assert side.sent(NOTHING)[:-1] == peer.chain(OWN, 0)
    assert side.envelopes[-1] == peer.chain(THEIRS, 0)[-1], "its own last one: it has forgotten what it signed"
    assert side.sync.lacks_nothing_of(OWN)
    assert Side(peer).sent(but(peer, OWN, (3, peer.chain(OWN, 2)[0].hash))) == peer.chain(OWN, 3)
    assert Side(peer).sent(have_of(peer)) == []


def test_what_others_owe_follows_when_two_in_a_row_lack_it_and_not_more_often_than_every_two_seconds(
    peer: Peer,
) -> None:
    side, lacks = Side(peer), but(peer, THIRD, (2, peer.chain(THIRD, 1)[0].hash))
    assert side.sent(lacks) == []
    assert side.sent(lacks, 0.5) == peer.chain(THIRD, 2)
    assert side.sent(lacks, RESEND_SECONDS / 2) == []
    assert side.sent(lacks, RESEND_SECONDS / 2) == peer.chain(THIRD, 2)
    further = but(peer, THIRD, (3, peer.chain(THIRD, 2)[0].hash))
    assert side.sent(further, RESEND_SECONDS) == [], "it is catching up"
    side.unsent = 1
    assert side.sent(further, RESEND_SECONDS) == [], "what it lacks may be under way"


def test_a_chain_that_differs_is_shown_from_its_beginning_once_a_minute_and_to_nobody_who_signed_it(peer: Peer) -> None:
    side, other = Side(peer), but(peer, THIRD, (4, bytes(32)))
    assert side.sent(other) == peer.chain(THIRD, 0)
    assert side.sent(other, REWIND_SECONDS - 1) == []
    assert side.sent(other, 1) == peer.chain(THIRD, 0)
    side.sync.reset()
    assert side.sent(other, RESEND_SECONDS) == peer.chain(THIRD, 0), "the first may be lost with its connection"
    for seat in (OWN, THEIRS):
        assert not Side(peer).sent(but(peer, seat, (peer.chains[seat].number, bytes(32))))


def test_a_spectator_gets_everything_in_the_order_of_the_transcript(peer: Peer) -> None:
    envelopes = Side(peer, watches=True).sent(NOTHING)
    assert set(envelopes) == set(peer.transcript)
    assert [envelope.slot for envelope in envelopes] == sorted(envelope.slot for envelope in peer.transcript)
    late = peer_of(FEW_CARDS, peer.table, None)
    late.start()
    for envelope in envelopes:
        assert sum(len(chain.queue) for chain in late.chains) < 2 * 3
        late.receive(envelope.pack())
    assert late.finished


def test_whoever_does_not_read_gets_nothing_more_and_then_the_rest(peer: Peer) -> None:
    side = Side(peer, watches=True)
    side.unsent = MOST_AHEAD + 1
    assert side.sent(NOTHING) == []
    side.unsent = 0
    assert len(side.sent(NOTHING)) == len(peer.transcript)


def found_by_one_who_comes_late(peer: Peer) -> int | None:
    """Returns the seat that a spectator finds guilty from what this machine shows it, if it does."""
    fresh = peer_of(FEW_CARDS, peer.table, None)
    fresh.start()
    for envelope in Side(peer, watches=True).sent(NOTHING):
        fresh.receive(envelope.pack())
    return fresh.caught.seat if fresh.caught is not None else None


def test_a_spectator_gets_what_proves_that_a_body_is_forbidden() -> None:
    def other(peer: Peer, body: Plain) -> Plain:
        return b"rubbish" if peer.play.step == 2 else body

    wire = seated(FEW_CARDS, 3, cheats={THIRD: cheat(other)})
    wire.run()
    caught = wire.peers[OWN]
    assert caught.caught is not None
    assert caught.caught.seat == THIRD
    assert convicting(caught) == caught.chain(THIRD, 0)
    assert found_by_one_who_comes_late(caught) == THIRD


def test_a_spectator_gets_what_proves_that_a_seat_signed_two_things(peer: Peer) -> None:
    first = peer.chain(THIRD, 0)[1]
    second = replace(first, body=(b"another",), signature=b"").signed(partial(signatures.sign, identity(THIRD)))
    watching = peer_of(FEW_CARDS, peer.table, None)
    watching.start()
    for envelope in (*peer.transcript[:9], second):
        watching.receive(envelope.pack())
    assert watching.evidence == [second]
    assert found_by_one_who_comes_late(watching) == THIRD


@pytest.mark.parametrize(
    "rows",
    [
        (),
        NOTHING[:2],
        (*NOTHING, NOTHING[0]),
        5,
        (((True, START)),) * 3,
        ((0, b""),) * 3,
        ((-1, START),) * 3,
        ((0,),) * 3,
    ],
    ids=str,
)
def test_a_malformed_have_is_none(rows: Plain) -> None:
    game_id = signed_roster(FEW_CARDS, 3).game_id
    assert read_have(("have", game_id, rows), game_id, 3) is None
    assert read_have(("have", bytes(32), NOTHING), game_id, 3) is None
    assert read_have(("have", game_id, NOTHING), game_id, 3) == NOTHING
