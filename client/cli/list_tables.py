"""`kimberley list`: the tables and tournaments on the network."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from kimberley.games.options import format_value
from kimberley.games.phrases import count_of
from kimberley.p2p.base.platform import run_loop
from kimberley.p2p.base.terminal import fitted
from kimberley.p2p.discovery.mdns import DiscoveredTable, discover
from kimberley.p2p.sentences.tournaments import describe_progress
from kimberley.p2p.transport.table_card import TournamentCard

NOTHING_FOUND: Final = """\
No table was found on this network. If someone is hosting:
  - a firewall may block mDNS (UDP 5353) or the table’s port, on either computer;
  - you may be on different networks;
  - a guest network may keep its users apart (client isolation).
Joining by address works whenever the computers can reach each other. Type what the host’s screen shows, such as
  kimberley join 192.168.1.7
To find the problem, type
  kimberley doctor 192.168.1.7
A friend far away hosts with kimberley host --far, and gives you a code to join with."""

_HEADINGS: Final = ("HOST", "GAME", "SEATS", "ADDRESS", "KEY", "LATENCY")


def run(*, seconds: float, as_json: bool) -> int:
    """Listens for `seconds`, and prints what it has found. Finding nothing is not a failure."""
    tables, problem = run_loop(discover(seconds))
    if as_json:
        print(json.dumps([table_as_plain(table) for table in tables], indent=1))
    elif tables:
        print("\n".join(table_columns(tables)))
    if problem is not None:
        print(fitted(f"kimberley: {problem}", stream=sys.stderr), file=sys.stderr)
    elif not tables and not as_json:
        print(fitted(NOTHING_FOUND, stream=sys.stderr), file=sys.stderr)
    return 0


def table_columns(tables: Sequence[DiscoveredTable]) -> list[str]:
    """Returns a line for each table under headings. `KEY` is the fingerprint of the host's identity, `LATENCY` a round
    trip.
    """
    rows = [_HEADINGS, *map(_row, tables)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _row(table: DiscoveredTable) -> tuple[str, ...]:
    card = table.card
    latency = f"{table.round_trip * 1000:.0f} ms"
    seats = f"{card.taken}/{card.seats}" if card.tournament is None else _tournament(card.tournament)
    name = card.nickname if card.tournament is None else card.tournament.name
    return name, card.game, seats, table.address, card.fingerprint, latency


def _tournament(tournament: TournamentCard) -> str:
    """Returns how far along a tournament is, in a few words."""
    if tournament.over:
        return f"{tournament.format}, over"
    return f"{tournament.format}, {count_of(tournament.players, 'player')}, {describe_progress(tournament)}"


def table_as_plain(table: DiscoveredTable) -> dict[str, Any]:
    """Returns a table as plain data, for a program."""
    card = table.card
    return {
        "name": table.name,
        "host": card.nickname,
        "fingerprint": card.fingerprint,
        "identity": card.identity.hex(),
        "game": card.game,
        "rules": card.rules,
        "revisions": list(card.speaker.revisions),
        "seats_taken": card.taken,
        "seats_total": card.seats,
        "seated": list(card.names),
        "options": {name: format_value(value) for name, value in card.options},
        "address": table.host,
        "port": table.port,
        "milliseconds": round(table.round_trip * 1000, 1),
        "cup": asdict(card.tournament) if card.tournament is not None else None,
    }
