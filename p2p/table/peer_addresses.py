"""Where the seats of a game can be reached, and what else of a table a seat needs to come back to it.

It stands in the journal as an entry of its own, anew whenever it changes:

    ("places", host, seats, round, port, doors, bots)

`host` is the identity of who opened the table, `seats` the most that may play there, `round` the number of the round
of seating that led to the game, `port` that of this seat's own door, 0 if it has none; `doors` are (identity, host,
port) of the doors of others, as last known, `bots` the identities of bots of this program. All of it are hints: who is
there proves who it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from games.table import Plain
from p2p.address import is_ip
from p2p.mesh import Where
from protocol.roster import MOST_SEATS, SignedRoster

KIND = "places"


@dataclass(frozen=True)
class Places:
    """See above."""

    host: bytes
    seats: int
    round: int
    port: int
    doors: Mapping[bytes, Where]
    bots: frozenset[bytes] = frozenset()

    def plain(self) -> tuple[Plain, ...]:
        """The entry, without its kind."""
        doors = tuple((identity, *where) for identity, where in sorted(self.doors.items()))
        return self.host, self.seats, self.round, self.port, doors, tuple(sorted(self.bots))

    @classmethod
    def read(cls, entries: Iterable[tuple[Plain, ...]], table: SignedRoster) -> Places:
        """The latest of a journal's entries; where there is none that makes sense, the first seat is the host, and
        nobody's door is known.
        """
        people = [place.identity for place in table.roster.seats]
        found = cls(people[0], len(people), 0, 0, {})
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
                ) if host in people and len(people) <= seats <= MOST_SEATS and number >= 0 and _is_port(port):
                    local = frozenset(bot for bot in bots if isinstance(bot, bytes))
                    found = cls(host, seats, number, port, dict(filter(None, map(_door, doors))), local)
        return found


def _door(plain: Plain) -> tuple[bytes, Where] | None:
    match plain:
        case (bytes() as identity, str() as host, int() as port) if port and _is_port(port) and is_host(host):
            return identity, (host, port)
    return None


def is_host(text: str) -> bool:
    """Whether a text can be dialled: an address, or the name of a machine."""
    return is_ip(text) or (0 < len(text) < 254 and all(mark.isalnum() or mark in "-._" for mark in text))


def _is_port(port: int) -> bool:
    return type(port) is int and 0 <= port < 1 << 16
