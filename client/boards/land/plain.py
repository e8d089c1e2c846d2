"""The game in sentences: what a screen reader reads, and what is typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from kimberley.client.boards.form import Reply
from kimberley.client.boards.land.events import (
    GameEvent,
    SeatLeft,
    TurnPlayed,
    describe_event,
    ended,
    money,
    opening_in_words,
    place,
    read_events,
    started,
)
from kimberley.client.boards.land.form_turn import compact, times
from kimberley.client.session.notices import NOTHING_TO_DO, join_names, not_possible
from kimberley.client.session.participants import spoken_names
from kimberley.client.session.ports import TableLike
from kimberley.games.land.accounts import account, explain
from kimberley.games.land.deals import DealDraft
from kimberley.games.land.land import GOVERNMENT, Land
from kimberley.games.land.maps import KIND_NAMES, Map
from kimberley.games.land.money import price
from kimberley.games.land.notation import DealNotationError, parse_deals
from kimberley.games.land.rules import DealSpace, State
from kimberley.games.table import Result
from kimberley.protocol.events import Answered, Event

_HELP: Final = (
    "Be the first to have 1000K, or the last one who is not out. Everybody begins with 500K.",
    "A turn begins with credits from sales to others, 2% tax on the prices of your parcels, and 10% of the base price "
    "of each parcel that a path of your own parcels joins to the river. Then two dice name the sector to deal in.",
    "Deals: buy m12, or buy m12 m13 7.50 to set their price at once; sell m12, to the government for half the base "
    "price; price m12 m13 30. Separate several deals with semicolons. undo reverses the last line.",
    "done ends your turn; pass ends it without deals. If you are below zero at its end, you are out.",
    "look: the sector in play. look 3,4: the sector in row 3, column 4. look m12: a parcel and what lies beside it.",
    "land, or land NAME: somebody’s parcels. account, or account NAME: why tax and revenue are what they are.",
    "turns: what happened lately. Parcels are named by column, a from the west, and row, 1 from the north.",
)
LATEST: Final = 10
_SECTOR: Final = re.compile(r"([1-6])[, ]([1-6])", re.ASCII)


class PlainGame:
    """`client.boards.api.PlainSeat` for the land game."""

    def __init__(self, table: TableLike) -> None:
        self._table = table
        self._seat = table.seat
        self._names = spoken_names(table)
        self._state: State | None = None
        self._events: list[GameEvent] = []
        self._seen = 0
        self._draft: DealDraft | None = None
        self._sizes: list[int] = []
        self._catch_up()

    # -- following the table -------------------------------------------------------------------------------------------

    def _catch_up(self) -> list[GameEvent]:
        """Takes up what the story has got since, and returns it."""
        peer = self._table.peer
        if peer is None or not isinstance(peer.state, State):
            return []
        if self._state is None:
            self._state = started(len(self._names), self._table.options, peer.state, peer.story)
        found, self._state = read_events(peer.story[self._seen :], self._state, self._seen)
        if len(peer.story) > self._seen:
            self._draft, self._sizes = None, []
        self._seen = len(peer.story)
        self._events += found
        return found

    def _turn(self) -> DealDraft | None:
        """The own turn as it is drafted, None where another seat has the turn."""
        peer = self._table.peer
        asked = peer.asked if peer is not None else None
        if asked is None or not isinstance(asked.space, DealSpace):
            return None
        if self._draft is None:
            self._draft = asked.space.draft()
        return self._draft

    # -- the position --------------------------------------------------------------------------------------------------

    def describe(self) -> list[str]:
        return describe_state(self._state, self._names, self._seat, self._turn())

    # -- news ----------------------------------------------------------------------------------------------------------

    def on_event(self, event: Event) -> list[str]:
        match event:
            case Answered():
                before = self._state
                lines = []
                for each in self._catch_up():
                    if isinstance(each, SeatLeft):
                        # The table tells that somebody has left.
                        if each.before.land.of(each.seat):
                            lines.append(f"The government takes the land of {self._names[each.seat]}.")
                    elif each.seat != self._seat:
                        lines.append(f"{self._names[each.seat]} {describe_event(each, self._names, self._seat)}.")
                    else:
                        lines.append(f"Your turn ends with {money(each.cash)}.")
                return lines + self._describe_start(before)
            case _:
                return []

    def _describe_start(self, before: State | None) -> list[str]:
        """Who begins, once that is settled; and how the game ended."""
        state = self._state
        if state is None or before is None:
            return []
        lines = []
        if before.first is None and state.first is not None:
            lines.append(f"{self._names[state.first]} begins." if state.first != self._seat else "You begin.")
        if before.over is None and state.over is not None:
            result = state.ask()
            lines += [f"{ended(result.reason, self._names)}."] if isinstance(result, Result) else []
        return lines

    # -- asking --------------------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        self._catch_up()
        state, draft = self._state, self._turn()
        if state is None or draft is None or state.opening is None or state.dice is None:
            return []
        black, white = (die + 1 for die in state.dice)
        row, column = (number + 1 for number in draft.sector)
        lines = [
            f"Your turn {state.turn} begins: {opening_in_words(state.opening)}.",
            f"Black {black}, white {white}: the sector in row {row}, column {column} is in play.",
        ]
        if draft.cash < 0:
            lines.append("You are below zero: sell to the government, or you are out when you type done.")
        lines.append("Type look to hear the sector, buy, sell or price with parcels, and done.")
        return lines

    def submit(self, text: str) -> Reply:
        self._catch_up()
        state = self._state
        if state is None or state.map is None:
            return Reply(("The game has not begun yet.",))
        words = text.lower().split()
        looked = self._looked(state, state.map, words)
        if looked is not None:
            return Reply(tuple(looked))
        draft = self._turn()
        if draft is None:
            return Reply((NOTHING_TO_DO,))
        match words:
            case ["undo"]:
                return Reply((self._undo(draft),))
            case ["done"] if draft.verdict() == "loses":
                return Reply((f"With {money(draft.cash)} you would be out. If you mean it, type done anyway.",))
            case ["done"] if not draft.dealt:
                return Reply(("You made no deals: type pass to end your turn anyway.",))
            case ["done"] | ["done", "anyway"]:
                return self._done(draft)
            case ["pass"] if draft.dealt:
                return Reply(("You made deals in this turn: type done, or undo them first.",))
            case ["pass"]:
                return Reply(("Type done anyway to be out.",)) if draft.verdict() == "loses" else self._done(draft)
        return self._deal(draft, " ".join(words))

    def _done(self, draft: DealDraft) -> Reply:
        peer = self._table.peer
        asked = peer.asked if peer is not None else None
        assert asked is not None
        assert isinstance(asked.space, DealSpace)
        return Reply((), compact(asked.space, draft.deals), True)

    def _deal(self, draft: DealDraft, text: str) -> Reply:
        """Deals that are typed, as one step to be taken back."""
        try:
            deals = parse_deals(draft, text)
        except DealNotationError as error:
            return Reply((not_possible(error),))
        self._draft = draft.all(deals)
        self._sizes.append(len(deals))
        verdict = self._draft.verdict()
        more = " Type done to win." if verdict == "wins" else ""
        return Reply((f"{times(len(deals), 'deal').capitalize()} done: {money(self._draft.cash)} left.{more}",))

    def _undo(self, draft: DealDraft) -> str:
        if not self._sizes:
            return "There is nothing to take back."
        peer = self._table.peer
        asked = peer.asked if peer is not None else None
        assert asked is not None
        assert isinstance(asked.space, DealSpace)
        self._draft = asked.space.draft(draft.deals[: -self._sizes.pop()])
        return f"Taken back: {money(self._draft.cash)} left."

    # -- looking -------------------------------------------------------------------------------------------------------

    def _looked(self, state: State, map: Map, words: Sequence[str]) -> list[str] | None:
        """What is to be heard, None where nothing was asked for."""
        draft = self._turn()
        land = draft.land if draft is not None else state.land
        match words:
            case ["look"]:
                sector = state.sector or (self._last_sector() or (0, 0))
                return _describe_sector(map, land, sector, self._names, self._seat)
            case ["look", *rest] if found := _SECTOR.fullmatch(" ".join(rest)):
                sector = int(found[1]) - 1, int(found[2]) - 1
                if max(sector) >= map.sectors:
                    return [f"The map has {map.sectors} rows and columns of sectors."]
                return _describe_sector(map, land, sector, self._names, self._seat)
            case ["look", name]:
                return self._describe_parcel(map, land, name)
            case ["land", *rest]:
                return self._of(rest, lambda seat: self._describe_land(map, land, seat))
            case ["account", *rest]:
                return self._of(rest, lambda seat: self._describe_account(map, land, seat))
            case ["turns"]:
                return self._latest()
        return None

    def _last_sector(self) -> tuple[int, int] | None:
        return next((each.sector for each in reversed(self._events) if isinstance(each, TurnPlayed)), None)

    def _of(self, rest: Sequence[str], tell: Callable[[int], list[str]]) -> list[str]:
        """What `tell` says of a seat that is named; the own one where none is."""
        name = " ".join(rest)
        if not name:
            return tell(self._seat)
        seat = next((seat for seat, each in enumerate(self._names) if each.lower() == name), None)
        if seat is None:
            return [f"Nobody here is called {name}: name {join_names(self._names)}."]
        return tell(seat)

    def _describe_parcel(self, map: Map, land: Land, name: str) -> list[str]:
        try:
            parcel = map.parcel(name)
        except ValueError as error:
            return [f"{error}."]
        said = []
        for each in (parcel, *map.neighbors[parcel]):
            kind, at = KIND_NAMES[map.kind(each)], map.name(each)
            if not map.is_land(each):
                said.append(f"{at} river")
            else:
                said.append(
                    f"{at} {kind}, {_whose(land.owner(each), self._names, self._seat)}, at {price(land.price(each))}K"
                )
        row, column = map.sector_of(parcel)
        lines = [f"{said[0]}, in sector {place((row, column))}.", f"Beside it: {'; '.join(said[1:])}."]
        owner = land.owner(parcel)
        if owner != GOVERNMENT:
            found = account(map, land, owner)
            lines += [explain(map, line) for line in found.lines if line.parcel == parcel]
        return lines

    def _describe_land(self, map: Map, land: Land, seat: int) -> list[str]:
        known = account(map, land, seat)
        if not known.lines:
            return [f"{self._names[seat]} owns no land." if seat != self._seat else "You own no land."]
        lines = []
        for group in known.groups:
            where = "Joined to the river" if group.river else "Cut off from the river"
            parcels = ", ".join(f"{map.name(parcel)} {price(land.price(parcel))}K" for parcel in group.parcels)
            lines.append(f"{where}: {parcels}.")
        return lines

    def _describe_account(self, map: Map, land: Land, seat: int) -> list[str]:
        known = account(map, land, seat)
        return [
            *(explain(map, line) for line in known.lines),
            f"Together: tax {money(known.tax)}, revenue {money(known.revenue)} at the start of each turn.",
        ]

    def _latest(self) -> list[str]:
        if not self._events:
            return ["Nobody has ended a turn yet."]
        return [
            f"{self._names[each.seat]} {describe_event(each, self._names, self._seat)}."
            for each in self._events[-LATEST:]
        ]

    def help(self) -> list[str]:
        return list(_HELP)


# -- the position ------------------------------------------------------------------------------------------------------


def describe_state(
    state: State | None, names: Sequence[str], you: int | None = None, draft: DealDraft | None = None
) -> list[str]:
    """The position in sentences. `you` is the seat that is called so, None for an onlooker; `draft` is its turn."""
    if state is None or state.map is None:
        return ["The dice decide the map and who begins."]
    lines = []
    if state.over is None:
        whose = "You have" if state.seat == you else f"{names[state.seat]} has"
        of = f" of {state.limit}" if state.limit else ""
        lines.append(f"{whose} turn {state.turn}{of}.")
    for seat in sorted(range(state.seats), key=lambda each: each != you):
        lines.append(_describe_seat(state, seat, names, you, draft))
    if draft is not None:
        lines += _describe_sector(draft.map, draft.land, draft.sector, names, you)
    elif you is None and state.sector is not None and state.over is None:
        lines += _describe_sector(state.map, state.land, state.sector, names, you)
    return lines


def _describe_seat(state: State, seat: int, names: Sequence[str], you: int | None, draft: DealDraft | None) -> str:
    assert state.map is not None
    name = "You" if seat == you else names[seat]
    if not state.alive(seat):
        return f"{name}: out, {dict(state.gone)[seat]}."
    land = draft.land if draft is not None else state.land
    cash = draft.cash if draft is not None and seat == you else state.cash[seat]
    known = account(state.map, land, seat)
    joined = sum(len(group.parcels) for group in known.groups if group.river)
    due = f" {money(state.due[seat])} credits are due." if state.due[seat] else ""
    return (
        f"{name}: {money(cash)}, {times(len(known.lines))}, {joined} joined to the river;"
        f" each turn {money(known.tax)} tax and {money(known.revenue)} revenue.{due}"
    )


def _describe_sector(map: Map, land: Land, sector: tuple[int, int], names: Sequence[str], you: int | None) -> list[str]:
    """A sector's parcels: those that are alike in one sentence."""
    groups: dict[str, list[str]] = {}
    for parcel in map.parcels(*sector):
        owner, cents = land.owner(parcel), land.price(parcel)
        what = f"{KIND_NAMES[map.kind(parcel)]}, {_whose(owner, names, you)}, at {price(cents)}K"
        groups.setdefault(what, []).append(map.name(parcel))
    row, column = sector
    lines = [f"Sector row {row + 1}, column {column + 1}:"]
    return lines + [f"{join_names(parcels)}: {what}." for what, parcels in groups.items()]


def _whose(owner: int, names: Sequence[str], you: int | None) -> str:
    if owner == GOVERNMENT:
        return "the government’s"
    return "yours" if owner == you else f"{names[owner]}’s"
