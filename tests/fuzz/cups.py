"""Targets: what a referee says of its cup, and the bundles that it signs."""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence
from contextlib import suppress

from games import lookup
from p2p.referee import bundle, events, proof
from p2p.referee.bundle import MAGIC, PURPOSE, ranked, signed_head
from p2p.referee.clock import Clocks
from p2p.referee.cup import FORMATS, Clock, Cup
from p2p.referee.events import ABSENT
from p2p.text import clean
from protocol.encoding import Malformed, pack, unpack
from tests.fuzz.target import Target
from tests.support.cups import PEOPLE, REFEREE, Evening, by_number, cup_of


def evenings() -> Sequence[Evening]:
    """A cup of each format, and one whose first table nobody comes to."""
    found = [Evening.of(cup_of(format, seats=seats), PEOPLE[:5]) for format in FORMATS for seats in (2, 4)]
    for evening in found:
        evening.play(by_number)
    absent = Evening.of(cup_of(), PEOPLE[:2])
    absent.proceed()
    absent.absent(absent.tournament.rounds[0].tables[0], 0, 1)
    assert any(one.how == ABSENT for one in absent.events if isinstance(one, events.Decided))
    return [*found, absent]


def cup(data: bytes) -> None:
    with suppress(Malformed):
        read = Cup.read(unpack(data))
        assert pack(read.plain()) == data
        assert clean(read.name) == read.name


def cups() -> Sequence[bytes]:
    return [pack(evening.tournament.cup.plain()) for evening in evenings()]


def event(data: bytes) -> None:
    with suppress(Malformed):
        assert pack(events.plain(events.read(unpack(data)))) == data


def happened() -> Sequence[bytes]:
    return [pack(events.plain(event)) for evening in evenings() for event in evening.events]


def clocks(data: bytes) -> None:
    with suppress(Malformed):
        assert pack(Clocks.read(unpack(data)).plain(0.0)) == data


def stored_clocks() -> Sequence[bytes]:
    return [pack(Clocks.of(3, clock).turn(0.0, {1}).plain(5.5)) for clock in (Clock(60, 5), None)]


def head(data: bytes) -> None:
    """The head of a bundle, as a referee signs anything at all: it is followed, and what it claims is checked."""
    file = io.BytesIO(MAGIC + struct.pack(">I", len(data)) + data + REFEREE.sign(PURPOSE, data))
    with suppress(Malformed, proof.Wrong):
        _, claims = proof.follow(bundle.read(file))
        for claim in claims:
            proof.check(claim, None, lookup.find)


def heads() -> Sequence[bytes]:
    found = []
    for evening in evenings():
        sizes = tuple(0 for one in evening.events if isinstance(one, events.Decided) and one.record is not None)
        signed = signed_head(REFEREE, evening.tournament.cup, evening.events, sizes, ranked(evening.tournament))
        found.append(signed[len(MAGIC) + 4 : -64])
    return found


CUPS = (
    Target("cup", cup, cups),
    Target("cup-event", event, happened),
    Target("cup-clocks", clocks, stored_clocks),
    Target("cup-bundle", head, heads),
)
