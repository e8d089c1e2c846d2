"""The inside of a table, for tests that make a seat misbehave or cut its connections; not for assertions."""

from __future__ import annotations

from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.guest_lobby import GuestLobby
from kimberley.p2p.table.lobby import HostLobby
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.paired_lobby import PairedLobby
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.channel import Channel, FrameProtocol, TLSChannel
from kimberley.p2p.transport.link import Link
from kimberley.protocol.peer import Peer


def identity_of(table: Table) -> Identity:
    """Returns the identity of the table's own seat, with its secret."""
    return table.identity


def links_of(table: Table) -> dict[bytes, Link]:
    """Returns the links to the other seats, by identity."""
    return table.links


def lobby_of(table: Table) -> HostLobby | GuestLobby | PairedLobby:
    return table.lobby


def match_of(table: Table) -> Match:
    """Returns the game at the table."""
    match = table.match
    assert isinstance(match, Match)
    return match


def machine_of(table: Table) -> Peer:
    """Returns the machine that plays the seat. It is in use on another thread while the game goes on."""
    return match_of(table).peer


def signed_by(table: Table) -> list[bytes]:
    """Returns the envelopes that the seat has signed in this game, in order."""
    return [envelope.pack() for envelope in machine_of(table).chain(match_of(table).seat, 0)]


def wire_of(link: Link) -> FrameProtocol:
    """Returns what carries the bytes of a link that is connected to another program."""
    channel = link.channel
    assert isinstance(channel, TLSChannel)
    return channel.protocol


def cut(table: Table) -> None:
    """Cuts all connections of this seat."""
    for link in links_of(table).values():
        if link.connected:
            wire_of(link).abort("cut")


def welcome(table: Table, channel: Channel) -> None:
    """Hands the table a channel that somebody has opened to it."""
    table.on_channel(channel)
