"""The shape of every body, from public facts alone: a second version of SPEC.md, section 15.

A shape is a body with every byte string replaced by its length and every number by None. What an honest seat signs must
have the shape that a spectator can predict; otherwise its size would leak information (M-HID-1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from kimberley.games.table import (
    Amounts,
    Ask,
    Decide,
    Disclose,
    Open,
    Plain,
    Roll,
    Seal,
    Show,
    Shuffle,
    Tally,
    Together,
)

Shape: TypeAlias = "int | tuple[Shape, ...] | None"

KEY: Final[Shape] = (32, 64)
KEYS: Final[Shape] = (KEY, KEY, KEY)
RANGE_PROOF: Final = 128
"""Bytes of a range proof for each bit."""


def shape(body: Plain) -> Shape:
    """Returns the shape of a body."""
    match body:
        case bytes():
            return len(body)
        case tuple():
            return tuple(map(shape, body))
        case _:
            return None


@dataclass
class Foreteller:
    """A spectator that predicts shapes, ask by ask. It counts seals, which decide when pads are due (15.4)."""

    seats: int
    seals: dict[Tally, int] = field(default_factory=dict)
    padded: dict[tuple[Tally, Tally], tuple[int, int]] = field(default_factory=dict)
    parts: dict[int, int] = field(default_factory=dict)
    """How many parts each item has, by handle."""

    def answered(self, ask: Ask, given: Sequence[int]) -> None:
        """Records an answered ask. `given` are the seats that gave a body to its last stage."""
        match ask:
            case Seal(spaces):
                for seat in given:
                    space = spaces[seat]
                    for slot in space.slots if isinstance(space, Amounts) else ():
                        self.seals[slot] = self.seals.get(slot, 0) + 1
            case Disclose(tells):
                told = [(tell.more, tell.than) for tell in tells if tell.owner in given]
                self.padded |= {pair: self._counts(*pair) for pair in told}
            case Shuffle(_, items):
                first = len(self.parts)
                self.parts |= {first + place: self._parts(items[0]) for place in range(len(items))}

    def shape(self, ask: Ask, stage: int, seat: int, body: Plain) -> Shape:
        """Returns the shape that a seat owes to a stage of an ask. An open choice in its `body` may have any shape."""
        match ask:
            case Decide():
                return shape(body)
            case Together() if stage == 0:
                return (32,)
            case Together(within=within):
                bound = within[seat] if within else None
                choice = body[1] if isinstance(body, tuple) and len(body) == 3 else None
                return 32, shape(choice), RANGE_PROOF * bound.tally.bits if bound else None
            case Seal(spaces):
                return self._seal(spaces[seat])
            case Disclose():
                return self._tells(ask, seat)
            case Open(tallies):
                return tuple((None, 32) for tally in tallies if tally.seat == seat)
            case Roll():
                return (96,)
            case Shuffle(_, items):
                count, parts = len(items), self._parts(items[0])
                return 64 * count * parts, 64 * (count - 1) + 32 * (3 + parts + count)
            case Show():
                return self._shares(ask, seat)
        raise TypeError(f"nothing is owed to {ask}")

    def _seal(self, space: object) -> Shape:
        if not isinstance(space, Amounts):
            return (32,)
        slots = space.slots
        proofs = tuple(RANGE_PROOF * slot.bits for slot in slots)
        return (32,) * len(slots), proofs, RANGE_PROOF * space.within.tally.bits

    def _tells(self, ask: Disclose, owner: int) -> Shape:
        padded = dict(self.padded)
        shapes: list[Shape] = []
        for tell in ask.tells:
            pair, counts = (tell.more, tell.than), self._counts(tell.more, tell.than)
            due = padded.get(pair) != counts
            padded[pair] = counts
            if tell.owner == owner:
                shapes.append((32 + 32 * 2**tell.more.bits if due else 0, tell.size + 20))
        return tuple(shapes)

    def _shares(self, ask: Show, seat: int) -> Shape:
        to_all = sum(to is None for _, to in ask.parts) * len(ask.items)
        receivers = sorted({to for _, to in ask.parts if to not in (None, seat)} if ask.items else ())
        mail: list[Shape] = []
        for receiver in receivers:
            pairs = sum(to == receiver for _, to in ask.parts) * len(ask.items)
            mail.append((None, 64 * pairs + 96))
        return 32 * to_all + 64 if to_all else 0, tuple(mail)

    def _counts(self, more: Tally, than: Tally) -> tuple[int, int]:
        return self.seals.get(more, 0), self.seals.get(than, 0)

    def _parts(self, item: int | tuple[Plain, ...]) -> int:
        return len(item) if isinstance(item, tuple) else self.parts[item]
