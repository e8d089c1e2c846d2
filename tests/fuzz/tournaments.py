"""Targets: what a referee says of its cup, and the bundles that it signs."""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence
from contextlib import suppress

from kimberley.games import lookup
from kimberley.p2p.base.text import clean
from kimberley.p2p.tournament import bundle, events, verification
from kimberley.p2p.tournament.bundle import MAGIC, PURPOSE, ranked, signed_head
from kimberley.p2p.tournament.clock import TableClocks
from kimberley.p2p.tournament.events import ABSENT
from kimberley.p2p.tournament.settings import ARENA, FORMATS, TimeControl, TournamentSettings
from kimberley.protocol.encoding import Malformed, pack, unpack
from tests.fuzz.target import Target
from tests.support.tournaments import PEOPLE, REFEREE, Evening, by_number, settings_of


def evenings() -> Sequence[Evening]:
    """Returns a cup of each format, one with half-point byes, and one whose first table nobody comes to."""
    sizes = [(format, seats) for format in FORMATS for seats in (2, 4) if (format, seats) != (ARENA, 4)]
    found = [Evening.of(settings_of(format, seats=seats), PEOPLE[:5]) for format, seats in sizes]
    found.append(Evening.of(settings_of(boards=2), PEOPLE[:5]))
    found.append(Evening.of(settings_of(late=2), PEOPLE[:5]))
    found[-1].add(events.ByeGranted(found[-1].at, PEOPLE[0], 1, True))
    for evening in found:
        evening.play(by_number)
    early = Evening.of(settings_of(), PEOPLE[:4])
    early.round(by_number)
    early.add(events.EndCalled(early.at))
    early.proceed()
    found.append(early)
    absent = Evening.of(settings_of(), PEOPLE[:2])
    absent.proceed()
    absent.absent(absent.tournament.rounds[0].tables[0], 0, 1)
    assert any(one.how == ABSENT for one in absent.events if isinstance(one, events.TableDecided))
    return [*found, absent]


def settings(data: bytes) -> None:
    with suppress(Malformed):
        read = TournamentSettings.read(unpack(data))
        assert pack(read.plain()) == data
        assert clean(read.name) == read.name


def cups() -> Sequence[bytes]:
    return [pack(evening.tournament.settings.plain()) for evening in evenings()]


def event(data: bytes) -> None:
    with suppress(Malformed):
        value = unpack(data)
        written = pack(events.plain(events.read(value)))
        # An earlier version did not say who is a bot. What is read of it is written in full.
        assert written == data or (isinstance(value, tuple) and written == pack((*value, False)))


def happened() -> Sequence[bytes]:
    return [pack(events.plain(event)) for evening in evenings() for event in evening.events]


def clocks(data: bytes) -> None:
    with suppress(Malformed):
        assert pack(TableClocks.read(unpack(data)).plain(0.0)) == data


def stored_clocks() -> Sequence[bytes]:
    return [pack(TableClocks.of(3, clock).turn(0.0, {1}).plain(5.5)) for clock in (TimeControl(60, 5), None)]


def head(data: bytes) -> None:
    """Follows the head of a bundle, in which a referee may sign anything at all, and checks what it claims."""
    file = io.BytesIO(MAGIC + struct.pack(">I", len(data)) + data + REFEREE.sign(PURPOSE, data))
    with suppress(Malformed, verification.VerificationFailed):
        _, claims = verification.replay_bundle(bundle.read_bundle(file))
        for claim in claims:
            verification.check_claim(claim, None, lookup.find)


def heads() -> Sequence[bytes]:
    found = []
    for evening in evenings():
        sizes = tuple(0 for one in evening.events if isinstance(one, events.TableDecided) and one.record is not None)
        signed = signed_head(REFEREE, evening.tournament.settings, evening.events, sizes, ranked(evening.tournament))
        found.append(signed[len(MAGIC) + 4 : -64])
    return found


CUPS = (
    Target("cup", settings, cups),
    Target("cup-event", event, happened),
    Target("cup-clocks", clocks, stored_clocks),
    Target("cup-bundle", head, heads),
)
