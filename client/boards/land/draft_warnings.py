"""Warns of deals that would make another player win: they pay so much that this player starts a turn with a million."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from kimberley.client.boards.land.phrases import money
from kimberley.client.boards.land.turn_draft import state_after
from kimberley.client.session.participants import short_name
from kimberley.client.ui.bars import first_fitting
from kimberley.games.land.deals import BUY, DealDraft
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.money import GOAL
from kimberley.games.land.rules import State
from kimberley.p2p.sentences.notices import as_sentence


class Enriched(NamedTuple):
    """A player by name, with the cash in units that this player would start the next turn with."""

    name: str
    cash: int

    @property
    def consequence(self) -> str:
        """What ending the turn leads to."""
        return f"{self.name} would start the next turn with {money(self.cash)}, and win"

    def warn_of_deals(self, room: int) -> str:
        """Warns once the deals are made, in at most `room` columns where possible."""
        return first_fitting(
            room,
            f"Your payments take {self.name} to a million: undo them, or {self.name} wins.",
            f"Your payments take {self.name} to a million.",
        )

    def warn_of_buying(self, room: int, chosen: str, *, one: bool) -> str:
        """Warns before what is `chosen` is bought, `one` parcel or more."""
        takes = f"buying {'it' if one else 'them'} takes {self.name} to a million."
        return first_fitting(room, f"{chosen} selected: {takes}", as_sentence(takes))


def enriched(state: State, draft: DealDraft, names: Sequence[str]) -> Enriched | None:
    """Returns who would start the next turn with a million only because of the deals of a draft; None if nobody."""
    if draft.verdict() == "wins":
        return None
    for seat in sorted({done.seller for done in draft.dealt if done.deal[0] == BUY} - {GOVERNMENT}):
        cash = state_after(state, draft).opening_of(seat).after
        more = not state.limit or state.played[seat] < state.limit
        if more and state.opening_of(seat).after < GOAL <= cash:
            return Enriched(short_name(names, seat, 14), cash)
    return None


def with_bought(draft: DealDraft, parcels: Collection[int]) -> DealDraft:
    """Returns a draft with these parcels bought, as far as that is allowed."""
    for parcel in parcels:
        if draft.violation(deal := (BUY, parcel, draft.default(parcel))) is None:
            draft = draft.then(deal)
    return draft
