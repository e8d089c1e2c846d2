"""What a referee and its players say to each other: addresses, clocks, and which table is meant."""

from __future__ import annotations

import pytest

from kimberley.games.table import Plain
from kimberley.p2p.tournament.messages import (
    ClockReading,
    TableId,
    is_port,
    pack_addresses,
    read_addresses,
    read_clocks,
)
from kimberley.p2p.transport.mesh import HostPort
from kimberley.protocol.encoding import pack, unpack
from kimberley.protocol.roster import MOST_SEATS
from tests.support.tournaments import PEOPLE, settings_of

ANA, BEN, CLEO = sorted(PEOPLE[:3])
REFEREE = "fe80::5%eth1"


def test_addresses_travel_as_a_player_can_use_them() -> None:
    doors: dict[bytes, HostPort] = {
        CLEO: ("10.0.0.7", 7555),
        ANA: ("127.0.0.1", 7001),
        BEN: ("fe80::7%wlan0", 65535),
    }
    plain = pack_addresses(doors)
    assert plain == ((ANA, "", 7001), (BEN, "fe80::7", 65535), (CLEO, "10.0.0.7", 7555))
    found = read_addresses(unpack(pack(plain)), REFEREE)
    assert found == {ANA: (REFEREE, 7001), BEN: ("fe80::7%eth1", 65535), CLEO: ("10.0.0.7", 7555)}


@pytest.mark.parametrize(
    "entry",
    [
        None,
        (ANA, "10.0.0.7"),
        ("ana", "10.0.0.7", 7555),
        (ANA, b"", 7555),
        (ANA, "10.0.0.7", "7555"),
        (ANA, "10.0.0.7", 0),
        (ANA, "10.0.0.7", 65536),
        (ANA, "10.0.0.7", True),
        (ANA, "example.org", 7555),
    ],
)
def test_what_is_no_address_is_passed_over(entry: Plain) -> None:
    assert read_addresses((entry, (BEN, "10.0.0.8", 1)), REFEREE) == {BEN: ("10.0.0.8", 1)}


def test_only_as_many_are_read_as_sit_at_a_table() -> None:
    many = tuple((identity, "10.0.0.7", 7555) for identity in PEOPLE[: MOST_SEATS + 2])
    assert list(read_addresses(many, REFEREE)) == PEOPLE[:MOST_SEATS]
    assert len(read_clocks(((1000, True, False),) * (MOST_SEATS + 2), 5.0)) == MOST_SEATS
    for strange in (None, 5, "10.0.0.7", b"\0"):
        assert read_addresses(strange, REFEREE) == {}
        assert read_clocks(strange, 5.0) == ()


def test_clocks_are_read_in_milliseconds_and_run_on() -> None:
    shown = (
        (1500, True, False), (0, 1, False), (True, True, True), (-1, False, False), (9, True),
        (2000, False, True),
    )  # fmt: skip
    runs, stands = read_clocks(shown, 100.0)
    assert (runs, stands) == (ClockReading(1.5, True, 100.0), ClockReading(2.0, False, 100.0, away=True))
    assert [runs.left(now) for now in (100.0, 101.0, 102.0)] == [1.5, 0.5, 0.0]
    assert stands.left(200.0) == 2.0
    assert read_clocks(((0, True, False),), 1.0) == (ClockReading(0.0, True, 1.0),)


def test_a_port_is_a_number_that_fits() -> None:
    assert [port for port in (-1, 0, 1, 65535, 65536, True) if is_port(port)] == [1, 65535]


def test_each_table_of_each_round_has_a_mark_of_its_own() -> None:
    settings = settings_of(options={"map": "small"})
    marks = {TableId(round, table).mark(settings) for round in (1, 2) for table in (0, 1)}
    assert len(marks) == 4
    assert TableId(1, 0).mark(settings_of()) not in marks
    invitation = TableId(1, 0).invitation(settings, [ANA, BEN])
    assert (invitation.people, invitation.terms.game, invitation.terms.seats) == ((ANA, BEN), settings.game, 2)
    options = dict(invitation.terms.options)
    assert options.pop("map") == "small"
    assert list(options.values()) == [TableId(1, 0).mark(settings)]
    assert list(invitation.terms.options) == sorted(invitation.terms.options)
