"""Where the nests, gems and pawns are. All of it is public: the colors of gems are kept elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from kimberley.games.mine.gems import CAPACITY, nest_gems, size
from kimberley.games.mine.squares import BESIDE, SQUARES, homes, way
from kimberley.games.table import evolve

T = TypeVar("T")


@dataclass(frozen=True)
class Mine:
    """The board and what lies beside it, for 2 or 4 seats, with `each` small gems and as many medium ones.

    Gems are the handles of their items: the small ones first; `nest_gems` says which fill a nest. By nest: `inside` is
    what is left in it, `opened` whether all have seen that; `veins` are the squares of the nests that are placed. By
    seat: `pawns` are squares, None before they are set and after a seat has left; `carried` and `stored` gems, in
    ascending order. `loose` are (square, gem); `lost` is what seats that left had carried.
    """

    seats: int
    each: int
    inside: tuple[tuple[int, ...], ...]
    opened: tuple[bool, ...]
    pawns: tuple[int | None, ...]
    carried: tuple[tuple[int, ...], ...]
    stored: tuple[tuple[int, ...], ...]
    veins: tuple[int, ...] = ()
    loose: tuple[tuple[int, int], ...] = ()
    lost: tuple[int, ...] = ()

    # -- what stands where -------------------------------------------------------------------------------------------

    def size(self, gem: int) -> int:
        """Returns the pips of a gem: 1 or 2."""
        return size(gem, self.each)

    def load(self, seat: int) -> int:
        """Returns the pips that a pawn carries."""
        return sum(self.size(gem) for gem in self.carried[seat])

    def room(self, seat: int) -> int:
        """Returns how many more pips a pawn could carry."""
        return CAPACITY - self.load(seat)

    def home(self, seat: int) -> int:
        """Returns the home square of a seat."""
        return homes(self.seats)[seat]

    def vein_at(self, square: int) -> int | None:
        """Returns the nest on a square, exhausted or not."""
        return self.veins.index(square) if square in self.veins else None

    def loose_at(self, square: int) -> int | None:
        """Returns the gem that lies on a square."""
        return next((gem for place, gem in self.loose if place == square), None)

    def is_exhausted(self, nest: int) -> bool:
        """Returns whether a nest is empty."""
        return not self.inside[nest]

    @property
    def exhausted(self) -> int:
        """Returns how many veins are exhausted."""
        return self.inside.count(())

    def blocks(self, square: int) -> bool:
        """Returns whether an exhausted vein blocks a square. Next to a home it does not."""
        nest = self.vein_at(square)
        return nest is not None and not self.inside[nest] and BESIDE[square].isdisjoint(homes(self.seats))

    def barred(self, seat: int) -> bytes:
        """Returns 1 for each square that a seat's pawn can neither enter nor pass, wherever the other pawns are; else
        0.
        """
        others = {*homes(self.seats)} - {self.home(seat)}
        return bytes(square in others or self.blocks(square) for square in SQUARES)

    # -- what changes ------------------------------------------------------------------------------------------------

    def placed(self, square: int) -> Mine:
        """Returns the board with the next nest on its square."""
        return evolve(self, veins=(*self.veins, square))

    def set_out(self, present: Sequence[bool]) -> Mine:
        """Returns the board with the pawns of the present seats on their homes."""
        pawns = tuple(home if here else None for home, here in zip(homes(self.seats), present, strict=True))
        return evolve(self, pawns=pawns)

    def moved(self, seat: int, to: int, picked: Sequence[int], dropped: Sequence[tuple[int, int]]) -> Mine:
        """Returns the board after a legal move: on each square the gem there is picked up first, then one is dropped.
        What the pawn carries home is unloaded.
        """
        start = self.pawns[seat]
        assert start is not None
        loose, carried, drops = dict(self.loose), set(self.carried[seat]), dict(dropped)
        stored = self.stored[seat]
        for square in way(start, to):
            if square in picked:
                carried.add(loose.pop(square))
            if square in drops:
                loose[square] = drops[square]
                carried.remove(drops[square])
            if square == self.home(seat):
                stored, carried = ordered((*stored, *carried)), set()
        return evolve(
            self,
            pawns=put(self.pawns, seat, to),
            carried=put(self.carried, seat, ordered(carried)),
            stored=put(self.stored, seat, stored),
            loose=tuple(sorted(loose.items())),
        )

    def unveiled(self, nest: int) -> Mine:
        """Returns the board after all have seen what is in a nest."""
        return evolve(self, opened=put(self.opened, nest, True))

    def taken(self, seat: int, nest: int, gems: Sequence[int]) -> Mine:
        """Returns the board after a pawn took gems from a nest."""
        left = tuple(gem for gem in self.inside[nest] if gem not in gems)
        carried = ordered((*self.carried[seat], *gems))
        return evolve(self, inside=put(self.inside, nest, left), carried=put(self.carried, seat, carried))

    def left(self, seat: int) -> Mine:
        """Returns the board without the pawn of a seat that has left and what it carried. What is at home stays."""
        return evolve(
            self,
            pawns=put(self.pawns, seat, None),
            carried=put(self.carried, seat, ()),
            lost=ordered((*self.lost, *self.carried[seat])),
        )


def empty(seats: int, each: int, nests: int) -> Mine:
    """Returns the board before anything is placed; the nests are filled."""
    return Mine(
        seats,
        each,
        inside=tuple(nest_gems(nest, each) for nest in range(nests)),
        opened=(False,) * nests,
        pawns=(None,) * seats,
        carried=((),) * seats,
        stored=((),) * seats,
    )


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Returns the tuple with one of its values replaced."""
    return (*values[:index], value, *values[index + 1 :])


def ordered(gems: Iterable[int]) -> tuple[int, ...]:
    """Returns the gems in ascending order."""
    return tuple(sorted(gems))
