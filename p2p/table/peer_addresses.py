"""Where the seats of a game can be reached, and what else a seat needs to return to its table.

The journal holds it as a separate entry, written again whenever it changes:

    ("places", host, seats, round, port, doors, bots)
    ("places", host, seats, round, port, doors, bots, page)     if seats came by a page that this seat served
    ("places", host, seats, round, port, doors, bots, page, far)     if somebody came to this seat from far away

`host` is the identity that opened the table, `seats` the most players, `round` the number of the seating round that led
to the game, `port` where this seat listens, 0 if it does not; `doors` are (identity, host, port) of the other seats, as
last known, `bots` the identities of this program's bots, `page` the port of that page or 0, `far` (code, key, relay) of
those who came from far away. All of these are hints: the handshake proves the identities.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kimberley.games.table import Plain
from kimberley.p2p.far.codes import FarKey
from kimberley.p2p.transport.address import is_ip
from kimberley.p2p.transport.mesh import HostPort
from kimberley.protocol.roster import MOST_SEATS, SignedRoster

KIND = "places"


@dataclass(frozen=True)
class PeerAddresses:
    """The addresses of a game's peers: the entry described above."""

    host: bytes
    seats: int
    round: int
    port: int
    doors: Mapping[bytes, HostPort]
    bots: frozenset[bytes] = frozenset()
    page: int = 0
    far: tuple[FarKey, ...] = ()

    def plain(self) -> tuple[Plain, ...]:
        """Returns the entry, without its kind."""
        doors = tuple((identity, *where) for identity, where in sorted(self.doors.items()))
        far = tuple((key.code, key.key, key.relay) for key in self.far)
        rest = (self.page, far) if far else (self.page,) if self.page else ()
        return self.host, self.seats, self.round, self.port, doors, tuple(sorted(self.bots)), *rest

    @classmethod
    def read(cls, entries: Iterable[tuple[Plain, ...]], table: SignedRoster) -> PeerAddresses:
        """Returns the latest valid entry of a journal. Without one, the first seat is the host, and no address is
        known.
        """
        people = [place.identity for place in table.roster.seats]
        addresses = cls(people[0], len(people), 0, 0, {})
        for entry in entries:
            match entry:
                case (
                    "places",
                    bytes() as host,
                    int() as seats,
                    int() as number,
                    int() as port,
                    tuple() as doors,
                    tuple() as bots,
                    *rest,
                ) if host in people and len(people) <= seats <= MOST_SEATS and number >= 0 and _is_port(port):
                    local = frozenset(bot for bot in bots if isinstance(bot, bytes))
                    page = next((one for one in rest[:1] if isinstance(one, int) and _is_port(one)), 0)
                    came = next((many for many in rest[1:2] if isinstance(many, tuple)), ())
                    addresses = cls(
                        host,
                        seats,
                        number,
                        port,
                        dict(filter(None, map(_door, doors))),
                        local,
                        page,
                        tuple(filter(None, map(_far, came))),
                    )
        return addresses


def _door(plain: Plain) -> tuple[bytes, HostPort] | None:
    match plain:
        case (bytes() as identity, str() as host, int() as port) if port and _is_port(port) and is_host(host):
            return identity, (host, port)
    return None


def _far(plain: Plain) -> FarKey | None:
    match plain:
        case (str() as code, bytes() as key, str() as relay):
            return FarKey.read({"code": code, "key": key.hex(), "relay": relay})
    return None


def is_host(text: str) -> bool:
    """Returns whether a text can be dialed: an address, or the name of a machine."""
    return is_ip(text) or (
        len(text) < 254
        and all(mark.isalnum() or mark in "-._" for mark in text)
        and all(0 < len(label) < 64 for label in text.split("."))
    )


def _is_port(port: int) -> bool:
    return type(port) is int and 0 <= port < 1 << 16
