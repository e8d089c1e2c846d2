"""Positions in sentences: what a screen reader reads, and the answers to what is typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from kimberley.client.boards.land.events import GameEvent, TurnPlayed
from kimberley.client.boards.land.phrases import each, has_more_turns, holdings, money, place, round_of, why_out
from kimberley.client.boards.standings import winners
from kimberley.client.boards.subject import Subject, subject
from kimberley.client.boards.view import Shown
from kimberley.games.land.accounts import account, explain
from kimberley.games.land.land import GOVERNMENT, Land
from kimberley.games.land.maps import KIND_NAMES, Map
from kimberley.games.land.money import price
from kimberley.games.land.rules import BANKRUPT, State
from kimberley.games.phrases import join_names
from kimberley.games.table import Result
from kimberley.p2p.sentences.notices import RESIGNED

ROLLING_MAP: Final = "Rolling for the map, and for who goes first."
DRAWING: Final = "Choosing the first player at random."

_SECTOR: Final = re.compile(r"(\d{1,2})[, ](\d{1,2})", re.ASCII)


class Perspective(NamedTuple):
    """The map and the land on it, as seat `you` sees them, or a spectator (None)."""

    map: Map
    land: Land
    names: Sequence[str]
    you: int | None

    def whose(self, owner: int) -> str:
        if owner == GOVERNMENT:
            return "the government’s"
        return "yours" if owner == self.you else f"{self.names[owner]}’s"


def describe(state: State, names: Sequence[str], you: int | None, *, over: bool = False) -> list[str]:
    """Describes a position in sentences, the most important first. `you` is the seat addressed as "you"; None for a
    spectator. If the game is `over`, says nothing about what could follow.
    """
    over = over or state.over is not None
    if state.map is None:
        return [ROLLING_MAP]
    lines = []
    if state.first is None:
        lines += [] if over else [DRAWING]
    elif not over:
        who = subject(names, state.seat, you)
        lines.append(f"{round_of(state.turn, state.limit).capitalize()}: {who.whose} turn.")
    for seat in sorted(range(state.seats), key=lambda each: each != you):
        lines.append(_describe_seat(state, state.map, seat, subject(names, seat, you), over=over))
    if state.sector is not None and not over and you in (None, state.seat):
        lines += _describe_sector(Perspective(state.map, state.land, names, you), state.sector)
    return lines


def bankruptcy(state: State, result: Result, names: Sequence[str], you: int | None) -> str:
    """Says who went bankrupt last and who has won, in sentences; empty if that did not end the game."""
    seat, why = state.gone[-1] if state.gone else (None, "")
    if seat is None or why != BANKRUPT or len(state.gone) != state.seats - 1:
        return ""
    who = subject(names, seat, you)
    return f"{who} {who.does('is')} bankrupt. {winners(names, result, you)}."


def _describe_seat(state: State, map: Map, seat: int, who: Subject, *, over: bool) -> str:
    if not state.alive(seat):
        why = why_out(state, seat)
        return f"{who} {why}." if why == RESIGNED else f"{who} {who.does('is')} {why}."
    known = account(map, state.land, seat)
    has = f"{who} {who.does('has')} {money(state.cash[seat])}"
    later = not over and has_more_turns(state, seat)
    due = f" {money(state.due[seat])} from sales is due." if state.due[seat] and later else ""
    joined = sum(len(group.parcels) for group in known.groups if group.river)
    each = f" Each turn: tax {money(known.tax)}, revenue {money(known.revenue)}."
    per_turn = each if known.lines and later else ""
    return f"{has} and {holdings(len(known.lines), joined)}.{per_turn}{due}"


def respond(words: Sequence[str], shown: Shown[State, GameEvent]) -> list[str] | None:
    """Returns the answer to "look", "look 3,4", "look m12", "land ben" or "account ben"; None for other words."""
    if words[:1] not in (["look"], ["land"], ["account"]):
        return None
    state = shown.state
    if state.map is None:
        return ["The game has not begun yet."]
    seen = Perspective(state.map, state.land, shown.names, shown.you)
    match words:
        case ["look"]:
            last = next((event.sector for event in reversed(shown.past) if isinstance(event, TurnPlayed)), (0, 0))
            return _describe_sector(seen, state.sector or last)
        case ["look", *rest] if match := _SECTOR.fullmatch(" ".join(rest)):
            sector = int(match[1]) - 1, int(match[2]) - 1
            if min(sector) < 0 or max(sector) >= state.map.sectors:
                return [f"The map has {state.map.sectors} rows and columns of sectors."]
            return _describe_sector(seen, sector)
        case ["look", name]:
            return _describe_parcel(seen, name)
        case ["land", *rest]:
            return _of(seen, rest, _describe_land)
        case ["account", *rest]:
            return _of(seen, rest, _describe_account)
    return None


def _describe_sector(seen: Perspective, sector: tuple[int, int]) -> list[str]:
    """Describes a sector's parcels, with those that are alike in one sentence."""
    map, land = seen.map, seen.land
    groups: dict[str, list[str]] = {}
    for parcel in map.parcels(*sector):
        what = f"{KIND_NAMES[map.kind(parcel)]}, {seen.whose(land.owner(parcel))}, at {price(land.price(parcel))}K"
        groups.setdefault(what, []).append(map.name(parcel))
    lines = [f"Sector {place(sector)}:"]
    return lines + [f"{join_names(parcels)}: {what}{each(parcels)}." for what, parcels in groups.items()]


def _describe_parcel(seen: Perspective, name: str) -> list[str]:
    """Describes a parcel and its neighbors, and what it costs and brings its owner."""
    map, land = seen.map, seen.land
    try:
        parcel = map.parcel(name)
    except ValueError as error:
        return [f"{error}."]
    parts = []
    for near in (parcel, *map.neighbors[parcel]):
        kind, at = KIND_NAMES[map.kind(near)], map.name(near)
        whose = f"{kind}, {seen.whose(land.owner(near))}, at {price(land.price(near))}K"
        parts.append(f"{at} {whose}" if map.is_land(near) else f"{at} river")
    lines = [f"{parts[0]}, in sector {place(map.sector_of(parcel))}.", f"Next to it: {'; '.join(parts[1:])}."]
    owner = land.owner(parcel)
    if owner != GOVERNMENT:
        lines += [explain(map, line) for line in account(map, land, owner).lines if line.parcel == parcel]
    return lines


def _of(seen: Perspective, rest: Sequence[str], tell: Callable[[Perspective, int], list[str]]) -> list[str]:
    """Returns what `tell` says of a seat that is named, or of the player's own if none is named."""
    name = " ".join(rest)
    if not name and seen.you is not None:
        return tell(seen, seen.you)
    seat = next((seat for seat, player in enumerate(seen.names) if player.lower() == name), None)
    if seat is None:
        return [f"No player called {name}. Players: {join_names(seen.names)}."]
    return tell(seen, seat)


def _describe_land(seen: Perspective, seat: int) -> list[str]:
    map, known = seen.map, account(seen.map, seen.land, seat)
    if not known.lines:
        return [_no_land(seen, seat)]
    lines = []
    for group in known.groups:
        where = "Connected to the river" if group.river else "Not connected to the river"
        parcels = ", ".join(f"{map.name(parcel)} {price(seen.land.price(parcel))}K" for parcel in group.parcels)
        lines.append(f"{where}: {parcels}.")
    return lines


def _no_land(seen: Perspective, seat: int) -> str:
    return "You own no land." if seat == seen.you else f"{seen.names[seat]} owns no land."


def _describe_account(seen: Perspective, seat: int) -> list[str]:
    known = account(seen.map, seen.land, seat)
    if not known.lines:
        return [_no_land(seen, seat)]
    return [
        *(explain(seen.map, line) for line in known.lines),
        f"Total each turn: tax {money(known.tax)}, revenue {money(known.revenue)}.",
    ]
