"""What a referee forwards: to whom, how much at once, and after how long again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.transport.frames import Frame
from kimberley.referee.forwarding import FORWARD_SECONDS, LAG_SECONDS, MOST_FORWARDED, Forwarding
from kimberley.referee.table_observer import TableObserver

ANA, BEN = PEOPLE = b"ana", b"ben"


@dataclass
class ForwardingTable:
    """A referee that sees the doors of the players in `seen`, and envelopes by when it had them; it keeps what it
    sends.
    """

    envelopes: list[tuple[float, bytes]]
    seen: set[bytes] = field(default_factory=lambda: {ANA, BEN})
    connected: set[bytes] = field(default_factory=lambda: {ANA, BEN})
    sent: list[tuple[bytes, Frame]] = field(default_factory=list)

    def __post_init__(self) -> None:
        place = TableId(round=3, table=1)
        self.forwarding = Forwarding(place, PEOPLE, cast(TableObserver, self), self)

    def is_connected(self, player: bytes) -> bool:
        return player in self.connected

    def send(self, player: bytes, frame: Frame) -> None:
        self.sent.append((player, frame))

    def watched(self, player: bytes) -> bool:
        return player in self.seen

    def missing_envelopes(self, seat: int, until: float) -> list[tuple[bytes, bytes]]:
        return [(envelope[:4], envelope) for at, envelope in self.envelopes if at <= until]

    def forwarded(self, seat: int, now: float) -> list[bytes]:
        """Returns the envelopes that a seat is sent at this time, if it alone is connected."""
        self.sent.clear()
        self.connected = {PEOPLE[seat]}
        self.forwarding.forward(now)
        self.connected = {ANA, BEN}
        for player, frame in self.sent:
            assert (player, frame[:3]) == (PEOPLE[seat], ("envelope", 3, 1))
        return [cast(bytes, frame[3]) for _, frame in self.sent]


def test_an_envelope_is_forwarded_after_a_while_and_then_again_and_again() -> None:
    table = ForwardingTable([(100.0, b"envelope")])
    assert table.forwarded(0, 100.0 + LAG_SECONDS - 0.1) == []
    now = 100.0 + LAG_SECONDS
    assert table.forwarded(0, now) == [b"envelope"]
    assert table.forwarded(0, now + FORWARD_SECONDS - 0.1) == []
    assert table.forwarded(1, now) == [b"envelope"], "each seat is sent it"
    assert table.forwarded(0, now + FORWARD_SECONDS) == [b"envelope"]
    assert table.forwarded(0, now + FORWARD_SECONDS + 0.1) == []


def test_a_seat_that_the_referee_does_not_see_is_sent_everything_once() -> None:
    table = ForwardingTable([(0.0, b"envelope")], seen={ANA})
    assert table.forwarded(1, 10.0) == [b"envelope"]
    assert table.forwarded(1, 10_000.0) == []


def test_who_has_reconnected_is_sent_everything_anew_and_the_others_are_not() -> None:
    table = ForwardingTable([(0.0, b"envelope")], seen=set())
    assert table.forwarded(0, 10.0) == table.forwarded(1, 10.0) == [b"envelope"]
    table.forwarding.on_reconnect(1)
    assert table.forwarded(0, 11.0) == []
    assert table.forwarded(1, 11.0) == [b"envelope"]


def test_only_so_many_are_forwarded_at_once_and_the_rest_follow() -> None:
    every = [b"%04d" % number for number in range(MOST_FORWARDED + 3)]
    table = ForwardingTable([(0.0, envelope) for envelope in every])
    assert table.forwarded(0, 10.0) == every[:MOST_FORWARDED]
    assert table.forwarded(0, 10.5) == every[MOST_FORWARDED:]


def test_a_seat_lacks_what_it_has_not_shown_until_that_is_forwarded_to_it() -> None:
    table = ForwardingTable([(100.0, b"envelope")])
    assert table.forwarding.lacking(99.0) == []
    assert table.forwarding.lacking(100.0) == [0, 1]
    assert table.forwarded(0, 100.0 + LAG_SECONDS) == [b"envelope"]
    assert table.forwarding.lacking(100.0) == [1]
    table.connected = {ANA}
    assert table.forwarding.lacking(100.0) == []


def test_a_seat_whose_door_the_referee_does_not_see_is_sent_everything_at_once() -> None:
    table = ForwardingTable([(100.0, b"envelope")], seen={ANA})
    assert table.forwarded(1, 100.0) == [b"envelope"]
