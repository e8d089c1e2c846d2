"""A rematch in words: who wants one, and whom it waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kimberley.client.session.participants import is_called_bot
from kimberley.games.phrases import join_names
from kimberley.p2p.sentences.notices import SETTING_UP

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table


def is_asked(table: Table) -> bool:
    """Returns whether the player has asked for a rematch."""
    return table.occupants.seat in table.rematch.again_from


def can_rematch(table: Table) -> bool:
    """Returns whether those who are still at the table are enough for another game."""
    return len(table.rematch.partners) + 1 in table.occupants.numbers


def rematch_sentence(table: Table) -> str:
    """Returns who wants a rematch after a game, or whom it waits for once the player has asked."""
    if not can_rematch(table):
        return "Too few players are left for a rematch."
    return _awaited(table) if is_asked(table) else _offered(table)


def _awaited(table: Table) -> str:
    """Returns whom a rematch that the player has asked for is waiting for."""
    silent = table.rematch.partners - table.rematch.again_from
    if table.host_seat in silent:
        return f"Waiting for {_names(table, {table.host_seat})} to decide."
    if silent:
        return f"Waiting for {_names(table, silent)} to accept a rematch."
    away = table.rematch.partners & table.reconnection.away.keys()
    return f"Waiting for {_names(table, away)} to come back." if away else SETTING_UP


def _offered(table: Table) -> str:
    """Returns who wants a rematch that the player has not asked for."""
    people = {seat for seat in table.rematch.partners if not is_called_bot(table, seat)}
    wanting = people & table.rematch.again_from
    if not table.host:
        host = _names(table, {table.host_seat})
        if table.host_seat in wanting:
            return f"{host} wants a rematch."
        return f"Do you want a rematch? {host} can also choose another game."
    if not people:
        return "Do you want a rematch?"
    if not wanting:
        return "Choose a rematch or another game."
    if len(wanting) == 1:
        return f"{_names(table, wanting)} wants a rematch."
    who = "The others" if wanting == people else f"{len(wanting)} of the {len(people)} others"
    return f"{who} want a rematch."


def _names(table: Table, seats: set[int] | frozenset[int]) -> str:
    return join_names([table.occupants.names[seat] for seat in sorted(seats)])
