"""What a referee and its players say to each other (SPEC.md, "Referees"), on a channel with the purpose ("enrol",).

    player to referee   ("enrol", nickname, count, bot)            it plays, and has this many of the events already
                        ("arrive", round, table, port)             it has come to its table, and listens there
                        ("seating", round, table, answer)          its part in the round of `p2p.table.seating`
                        ("words", round, table, game, signature)   the words of a game that it has on the screen (or
                                                                   None); signed: they are the same
                        ("shows", round, table, frames)            its game, as at its door, where the referee does not
                                                                   watch (`p2p.table.spectators`)
                        ("leave", round, table)                    it has left its table, and does not come back to it
                        ("pass", identity, bytes)                  to pass on to another player of its table, if one of
                                                                   the two listens nowhere (`p2p.transport.relay`)
                        ("withdraw",)                              it no longer plays
                        ("withdraw", round, table)                 the same, once this table has its result
    referee to player   ("cup", cup, count)                        what is played, and how many events there are
                        ("event", number, event)                   all that happens, in order, from number 0 on
                        ("doors", round, table, doors)             where the seats of the player's table are reached
                        ("seating", round, table, frame)           asks for its part in that round
                        ("clocks", round, table, clocks)           what they have left, and who is away
                        ("waits", round, table, seats, left)       whom its table waits for before its game
                        ("envelope", round, table, envelope)       somebody's envelope that the player's seat may lack
                        ("have", round, table, have)               what the referee has of the game (`p2p.table.sync`);
                                                                   after the player's own latest envelope
                        ("passed", identity, bytes)                from another player of its table
                        ("lost", identity)                         nothing can be passed on to that player
                        ("attest", round, table, attestation)      of a stage at which the referee ends a game
                        ("refused", sentence)                      and the channel ends

Rounds count from 1, tables from 0. `doors` lists (identity, address, port), `address` empty where the seat is reached
at the referee's own; `clocks` by seat (milliseconds, runs, away); `left` are the milliseconds that the first of
these seats has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.games.table import Plain
from kimberley.p2p.table.common_options import TOURNAMENT_MARK
from kimberley.p2p.table.invitation import Invitation
from kimberley.p2p.table.terms import TableTerms
from kimberley.p2p.tournament.settings import TournamentSettings, table_number
from kimberley.p2p.transport.address import is_ip, is_loopback, with_scope_of
from kimberley.p2p.transport.mesh import HostPort
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.encoding import pack
from kimberley.protocol.roster import MOST_SEATS

MOST_WAIT: Final = 24 * 60 * 60 * 1000
"""Milliseconds for which a referee can say that a table waits."""
ENROL: Final = "enrol"
"""Purpose of the channel between a player and the referee."""
AT_REFEREE: Final = b"\x01"
"""Follows the referee's key where a page is told which host to accept: it plays in that referee's tournament."""


@dataclass(frozen=True, slots=True, order=True)
class TableId:
    """A table of a tournament: its round, from 1, and its id in the round (`players.TournamentTable.id`)."""

    round: int
    table: int

    @property
    def number(self) -> int:
        """Its number in the round, from 0: the same if it is played again."""
        return table_number(self.table)

    def mark(self, settings: TournamentSettings) -> bytes:
        """Returns 32 bytes in the roster of this table, so that no game counts for another table."""
        return digest("table of a cup", settings.id, pack((self.round, self.table)))

    def invitation(
        self, settings: TournamentSettings, people: Sequence[bytes], bots: Iterable[bytes] = ()
    ) -> Invitation:
        """Returns what the referee announces about this table. `bots` are the identities of bots in the tournament."""
        options = tuple(sorted({**dict(settings.options), TOURNAMENT_MARK: self.mark(settings)}.items()))
        return Invitation(
            settings.referee,
            tuple(people),
            TableTerms(settings.game, settings.rules, options, len(people)),
            frozenset(bots).intersection(people),
        )


@dataclass(frozen=True, slots=True)
class ClockReading:
    """What a seat had left at the loop's time `at`, in seconds, and whether its clock runs. `away`: its player was out
    of the referee's reach.
    """

    seconds: float
    runs: bool
    at: float
    away: bool = False

    def left(self, now: float) -> float:
        """Returns seconds left at the loop's time `now`."""
        return max(0.0, self.seconds - (now - self.at)) if self.runs else self.seconds


@dataclass(frozen=True, slots=True)
class WaitReading:
    """The seats for which a table waits before its game, and the loop's time until which it waits for the first of
    them.
    """

    seats: tuple[int, ...]
    until: float


def pack_addresses(doors: Mapping[bytes, HostPort]) -> Plain:
    """Returns where the seats listen, as the referee reaches them."""
    return tuple(
        (seat, "" if is_loopback(host) else host.partition("%")[0], port)
        for seat, (host, port) in sorted(doors.items())
    )


def read_addresses(plain: Plain, referee: str) -> dict[bytes, HostPort]:
    """Returns the valid addresses, as seen by a player who reaches the referee at the host `referee`."""
    addresses: dict[bytes, HostPort] = {}
    for entry in plain[:MOST_SEATS] if isinstance(plain, tuple) else ():
        match entry:
            case (bytes() as seat, str() as address, int() as port) if is_port(port) and (
                not address or is_ip(address)
            ):
                addresses[seat] = (with_scope_of(address or referee, referee), port)
    return addresses


def read_clocks(plain: Plain, now: float) -> tuple[ClockReading, ...]:
    """Returns the valid clocks of a table."""
    clocks = []
    for entry in plain[:MOST_SEATS] if isinstance(plain, tuple) else ():
        match entry:
            case (int() as milliseconds, bool() as runs, bool() as away) if (
                type(milliseconds) is int and milliseconds >= 0
            ):
                clocks.append(ClockReading(milliseconds / 1000, runs, now, away))
    return tuple(clocks)


def read_wait(seats: Plain, left: Plain, people: int, now: float) -> WaitReading | None:
    """Returns whom a table of `people` players waits for; None if the frame makes no sense."""
    meant = seats if isinstance(seats, tuple) else ()
    waiting = tuple(seat for seat in meant[:MOST_SEATS] if type(seat) is int and 0 <= seat < people)
    if not waiting or type(left) is not int or not 0 <= left <= MOST_WAIT:
        return None
    return WaitReading(waiting, now + left / 1000)


def is_port(port: int) -> bool:
    return type(port) is int and 0 < port < 1 << 16
