"""Shuffle: items are put into an order that nobody knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kimberley.games.asks.base import Ask, Dealer
from kimberley.games.values import HIDDEN, Answer, Hidden, Plain


@dataclass(frozen=True, slots=True)
class Item:
    """Something with an identity and hidden parts, such as a card (suit, value).

    The handle is public and never used again. `parts` are HIDDEN to those who may not know them; `seen[part]` is the
    public bit mask of the seats that have seen the part.
    """

    handle: int
    parts: tuple[Plain | Hidden, ...]
    seen: tuple[int, ...]

    def shown(self, values: Sequence[Plain | Hidden], parts: Sequence[tuple[int, int | None]], seats: int) -> Item:
        """Returns the item after a Show of `parts` gave `values`, at a table of `seats` seats."""
        known, masks = list(self.parts), list(self.seen)
        for value, (part, to) in zip(values, parts, strict=True):
            known[part] = known[part] if value is HIDDEN else value
            masks[part] |= (1 << seats) - 1 if to is None else 1 << to
        return Item(self.handle, tuple(known), tuple(masks))


@dataclass(frozen=True, slots=True)
class Shuffle(Ask):
    """Items are put into a bag, in an order that nobody knows.

    Each entry is the handle of an item at the table, or the public parts of a new item. All have the same number of
    parts. Answer: as many Items with new handles, of which nobody has seen any part.
    """

    bag: str
    items: tuple[int | tuple[Plain, ...], ...]

    @property
    def by_chance(self) -> bool:
        return True

    def visible_answer(self, answer: Answer, seat: int | None) -> Answer:
        del seat
        return tuple(Item(item.handle, (HIDDEN,) * len(item.parts), (0,) * len(item.parts)) for item in answer)

    def resolve(self, dealer: Dealer, choices: Mapping[int, Plain]) -> Answer:
        """See `Ask.resolve`. The new items get their handles."""
        del choices
        contents = [dealer.parts[item] if isinstance(item, int) else item for item in self.items]
        dealer.rng.shuffle(contents)
        first = len(dealer.parts)
        dealer.parts += contents
        return tuple(Item(first + place, parts, (0,) * len(parts)) for place, parts in enumerate(contents))
