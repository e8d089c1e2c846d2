"""The form of a turn: what is marked, the price that is typed, and deals that can be taken back until Done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.land.events import money
from kimberley.games.land.deals import BUY, PRICE, SELL, Deal, DealDraft, Deals
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.maps import KIND_NAMES, Map
from kimberley.games.land.money import CENTS, HIGHEST, price, read_price
from kimberley.games.land.rules import DealSpace

STEPS: Final = tuple(
    CENTS * whole
    for whole in (
        0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 20, 25, 30, 35, 40, 50, 60, 70, 80, 90, 100, 120, 150, 180, 200, 250,
        300, 350, 400, 500, 600, 700, 800, 900, 999,
    )
)  # fmt: skip
"""Prices in cents that one step up or down leads to; digits reach the others."""
TYPED: Final = frozenset("0123456789.x")

_TIMES: Final = re.compile(r"x(\d{1,3}(?:\.\d{1,2})?)")


def priced(text: str, base: int) -> int:
    """The price in cents that is meant by "30", "30.5" or "x2", twice the base price. Raises ValueError."""
    if text.startswith("x"):
        found = _TIMES.fullmatch(text)
        if found is None:
            raise ValueError("x and a number means so many times the base price: x2 or x1.5")
        whole, _, part = found[1].partition(".")
        cents = base * (int(whole) * CENTS + int(part.ljust(2, "0") or 0)) // CENTS
        if cents > HIGHEST:
            raise ValueError(f"a price is at most {price(HIGHEST)}K, and {text} of {price(base)}K is {price(cents)}K")
        return cents
    return read_price(text)


def times(count: int, what: str = "parcel") -> str:
    """So many of something: "a parcel", "3 parcels"."""
    return f"a {what}" if count == 1 else f"{count} {what}s"


def compact(space: DealSpace, deals: Deals) -> Deals:
    """The same turn in as few deals: a price that is replaced in the same turn is left out."""
    kept: list[Deal] = []
    for deal in deals:
        verb, parcel = deal[0], deal[1]
        before = next((n for n in range(len(kept) - 1, -1, -1) if kept[n][1] == parcel), None)
        if before is not None and kept[before][0] == PRICE and verb in (PRICE, SELL):
            del kept[before]
        elif before is not None and kept[before][0] == BUY and verb == PRICE:
            kept[before] = (BUY, parcel, deal[-1])
            continue
        kept.append(deal)
    kept = [deal for deal in kept if deal[0] != PRICE or not _as_it_was(space, deal, kept)]
    shorter = tuple(kept)
    return shorter if space.violation(shorter) is None else deals


def _as_it_was(space: DealSpace, deal: Deal, deals: Sequence[Deal]) -> bool:
    """Whether pricing changes nothing."""
    alone = all(other is deal or other[1] != deal[1] for other in deals)
    return alone and space.land.price(deal[1]) == deal[-1]


class TurnForm:
    """The turn of this seat. A deal returns what to say, and whether it was refused."""

    def __init__(self, space: DealSpace) -> None:
        self.space = space
        self.draft: DealDraft = space.draft()
        self.marks: frozenset[int] = frozenset()
        self.typed = ""
        self._sizes: list[int] = []
        self._many = 0

    @property
    def map(self) -> Map:
        return self.space.map

    @property
    def begun(self) -> bool:
        """Whether there is anything to take back."""
        return bool(self._sizes)

    def deals(self) -> Deals:
        """What is to be sent."""
        return compact(self.space, self.draft.deals)

    def targets(self, cursor: int) -> tuple[int, ...]:
        """The parcels that the next deal is about: those that are marked, else the one under the cursor."""
        return tuple(sorted(self.marks)) or (cursor,)

    # -- marking -------------------------------------------------------------------------------------------------------

    def mark(self, parcel: int) -> str:
        """Marks a parcel, or takes the mark away. Returns the rule where that is no use."""
        if parcel not in self.space.parcels:
            return self.draft.violation((SELL, parcel)) or ""
        self.marks ^= {parcel}
        self._many = 0
        return ""

    def mark_many(self, cursor: int) -> str:
        """Marks the next useful group: all own, own of the kind under the cursor, all that can be bought, none."""
        own, kind = self.draft.own(), self.map.kind(cursor)
        same = tuple(parcel for parcel in own if self.map.kind(parcel) == kind)
        free = tuple(p for p in self.draft.buyable() if self.draft.land.owner(p) == GOVERNMENT)
        name = KIND_NAMES[kind]
        groups = [(own, "all of yours here"), (same, f"your {name} here"), (free, "all you can buy here"), ((), "")]
        for _ in groups:
            parcels, said = groups[self._many % len(groups)]
            self._many += 1
            if parcels and frozenset(parcels) != self.marks:
                self.marks = frozenset(parcels)
                return f"Marked: {said}, {len(parcels)}. m marks other groups."
            if not parcels and self.marks:
                self.marks = frozenset()
                return "Nothing is marked."
        self.marks = frozenset()
        return "There is nothing here to mark together."

    def forget(self) -> bool:
        """Clears what is typed, else the marks. False if there was neither."""
        if self.typed:
            self.typed = ""
        elif self.marks:
            self.marks, self._many = frozenset(), 0
        else:
            return False
        return True

    # -- deals ---------------------------------------------------------------------------------------------------------

    def buy(self, cursor: int) -> tuple[str, bool]:
        """Buys the targets, at the typed price if there is one, else at that which was paid."""
        deals, refused = [], ""
        draft = self.draft
        cost = 0
        for parcel in self.targets(cursor):
            try:
                cents = priced(self.typed, self.map.base(parcel)) if self.typed else draft.default(parcel)
            except ValueError as error:
                return str(error), True
            deal: Deal = (BUY, parcel, cents)
            reason = draft.violation(deal)
            if reason is None:
                cost += draft.cost(parcel)
                draft = draft.then(deal)
                deals.append(deal)
            else:
                refused = refused or reason
        return self._done(deals, f"Bought {times(len(deals))} for {money(cost)}.", refused)

    def sell(self, cursor: int) -> tuple[str, bool]:
        """Sells the targets to the government."""
        deals, refused = [], ""
        draft, gain = self.draft, 0
        for parcel in self.targets(cursor):
            deal: Deal = (SELL, parcel)
            reason = draft.violation(deal)
            if reason is None:
                gain += draft.gain(parcel)
                draft = draft.then(deal)
                deals.append(deal)
            else:
                refused = refused or reason
        return self._done(deals, f"Sold {times(len(deals))} for {money(gain)}.", refused)

    def price(self, cursor: int) -> tuple[str, bool]:
        """Sets the typed price on all targets."""
        deals, refused = [], ""
        draft = self.draft
        for parcel in self.targets(cursor):
            try:
                deal: Deal = (PRICE, parcel, priced(self.typed, self.map.base(parcel)))
            except ValueError as error:
                return str(error), True
            reason = draft.violation(deal)
            if reason is None:
                draft = draft.then(deal)
                deals.append(deal)
            else:
                refused = refused or reason
        said = f"Priced {times(len(deals))} at {self.typed}{'' if self.typed.startswith('x') else 'K'}."
        return self._done(deals, said, refused)

    def _done(self, deals: Sequence[Deal], said: str, refused: str) -> tuple[str, bool]:
        """Takes deals into the draft as one step that can be taken back."""
        if not deals:
            return refused, True
        self.draft = self.draft.all(tuple(deals))
        self._sizes.append(len(deals))
        self.typed = ""
        return (f"{said} {refused}", True) if refused else (said, False)

    def undo(self) -> bool:
        """Takes the last step back. False if there is none."""
        if not self._sizes:
            return False
        size = self._sizes.pop()
        self.draft = self.space.draft(self.draft.deals[:-size])
        return True

    def restart(self) -> None:
        """Takes everything back."""
        self.draft, self._sizes, self.typed, self.marks = self.space.draft(), [], "", frozenset()

    # -- the stepper ---------------------------------------------------------------------------------------------------

    def pending(self, cursor: int) -> int:
        """The price in cents that the stepper shows: what is typed, else that of the parcel or the first marked."""
        parcel = cursor if cursor in self.marks or not self.marks else min(self.marks)
        if self.typed:
            try:
                return priced(self.typed, self.map.base(parcel))
            except ValueError:
                return self.draft.land.price(parcel)
        return self.draft.land.price(parcel)

    def step(self, cursor: int, steps: int) -> None:
        """Goes to the next price of a ladder, up or down."""
        now = self.pending(cursor)
        for _ in range(abs(steps)):
            now = next((s for s in STEPS if s > now), HIGHEST) if steps > 0 else (
                next((s for s in reversed(STEPS) if s < now), 0)
            )  # fmt: skip
        self.typed = price(now)

    def turn_digit(self, cursor: int, place: int, steps: int) -> None:
        """Changes one digit of the price, `place` a power of ten in cents, within what is allowed."""
        now = self.pending(cursor)
        self.typed = price(min(HIGHEST, max(0, now + steps * 10**place)))

    def type(self, character: str) -> bool:
        """Takes a character of a price. False if it cannot stand there."""
        if character == "backspace":
            had = bool(self.typed)
            self.typed = self.typed[:-1]
            return had
        if character not in TYPED or len(self.typed) >= 6:
            return False
        if (character == "x" and self.typed) or (character == "." and "." in self.typed):
            return False
        self.typed += character
        return True
