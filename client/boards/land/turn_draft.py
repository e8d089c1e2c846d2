"""The deals of a turn while it is being made, in steps that can be taken back."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.games.land.deals import BUY, PRICE, SELL, Deal, DealDraft, Deals
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.rules import DealSpace, State
from kimberley.games.table import evolve


class TurnDraft:
    """A turn so far. `now` is the land and the balance after its deals."""

    def __init__(self, space: DealSpace) -> None:
        self.space = space
        self.now: DealDraft = space.draft()
        self._before: list[DealDraft] = []
        """The turn before each step."""

    @property
    def begun(self) -> bool:
        """Returns whether there is anything to take back."""
        return bool(self._before)

    def add(self, deals: Deals) -> None:
        """Makes deals, as one step. They must be allowed."""
        self._before.append(self.now)
        self.now = self.now.all(deals)

    def undo(self) -> bool:
        """Takes the last step back. False if there is none."""
        if not self._before:
            return False
        self.now = self._before.pop()
        return True

    def restart(self) -> None:
        """Takes everything back."""
        self.now, self._before = self.space.draft(), []

    def choice(self) -> Deals:
        """Returns the turn as it is handed in."""
        return compact(self.space, self.now.deals)


def state_after(state: State, draft: DealDraft) -> State:
    """Returns the state with the deals of a draft."""
    cash, due = list(state.cash), list(state.due)
    cash[draft.seat] = draft.cash
    for done in draft.dealt:
        if done.deal[0] == BUY and done.seller != GOVERNMENT:
            due[done.seller] += done.paid
    return evolve(state, land=draft.land, cash=tuple(cash), due=tuple(due))


def compact(space: DealSpace, deals: Deals) -> Deals:
    """Returns the same turn in as few deals: a price that is replaced in the same turn is left out."""
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
    """Returns whether pricing changes nothing."""
    alone = all(other is deal or other[1] != deal[1] for other in deals)
    return alone and space.land.price(deal[1]) == deal[-1]
