"""The rules of Diamond Mine as a state machine for two or four seats.

Only the colors of gems that lie in an unopened nest, or were never put into one, are hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from kimberley.games.mine.gems import ALIKE, COLORS, NESTED, WHITE, bag, times
from kimberley.games.mine.mine import Mine, empty, put
from kimberley.games.mine.moves import targets
from kimberley.games.mine.spaces import CardSpace, NestSpace, PawnMoveSpace, TakeSpace
from kimberley.games.phrases import count_of
from kimberley.games.table import (
    HIDDEN,
    ONE_LEFT,
    OTHERS_RESIGNED,
    Answer,
    Ask,
    Decide,
    Hidden,
    Item,
    Plain,
    ReasonKind,
    Result,
    Roll,
    Show,
    Shuffle,
    Together,
    evolve,
)

QUIET: Final = 30
"""Rounds in a row, without a gem taken from a vein or unloaded, that end the game."""
NESTS: Final = {2: 10, 4: 8}
"""Nests on the board, by the number of seats."""
LAST: Final = {2: 6, 4: 8}
"""Exhausted veins that end the game, by the number of seats."""
COLOR: Final = 0
"""The part of an item that is its gem's color."""

Phase = Literal["lots", "small", "medium", "place", "cards", "move", "show", "take"]


@dataclass(frozen=True)
class State:
    """A game so far, as the truth has it, as a seat knows it, or as a spectator does.

    `fifth`: white gems are in the bag. `begins` is the seat that begins, None before the lots; `colors` those of the
    seats, () before; `flawless` the color worth triple, if there is one. `items` are the gems by handle, () before
    they are shuffled, the small ones first.

    `turn` is the seat that places, moves or takes now, `nest` the vein on which it stands in "show" and "take". `first`
    acts first in this round; `cards` are those shown in it, `acted` who has acted or could not; `willing` who wanted to
    end the game when cards were last shown. `progress`: a gem was taken or unloaded in this round; before it, `quiet`
    rounds in a row went by without that. `ended` says why the game is over, and is empty before.
    """

    seats: int
    fifth: bool
    begins: int | None
    mine: Mine
    present: tuple[bool, ...]
    cards: tuple[int | None, ...]
    acted: tuple[bool, ...]
    willing: tuple[bool, ...]
    colors: tuple[int, ...] = ()
    flawless: int | None = None
    items: tuple[Item, ...] = ()
    phase: Phase = "lots"
    turn: int = 0
    nest: int = 0
    round: int = 0
    first: int = 0
    progress: bool = False
    quiet: int = 0
    ended: str = ""

    # -- what is known -----------------------------------------------------------------------------------------------

    def size(self, gem: int) -> int:
        """Returns the pips of a gem: 1 or 2."""
        return self.mine.size(gem)

    def color(self, gem: int) -> int | Hidden:
        """Returns the color of a gem, HIDDEN where it is not known."""
        color = self.items[gem].parts[COLOR]
        assert color is HIDDEN or type(color) is int
        return color

    def worth(self, gem: int, seat: int) -> int | Hidden:
        """Returns the points that a gem scores in a seat's home, HIDDEN where its color is not known."""
        color = self.color(gem)
        if isinstance(color, Hidden):
            return HIDDEN
        return self.size(gem) * times(color, self.colors[seat], self.flawless)

    def score(self, seat: int) -> int:
        """Returns the points in a seat's home. Only gems that all have seen get there."""
        return sum(worth for gem in self.mine.stored[seat] if isinstance(worth := self.worth(gem, seat), int))

    def unknown(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Returns how many small gems of each color nobody has seen yet, and how many medium ones."""
        return self._unseen(range(self.mine.each)), self._unseen(range(self.mine.each, 2 * self.mine.each))

    def _unseen(self, gems: Sequence[int]) -> tuple[int, ...]:
        left = [ALIKE] * (len(COLORS) if self.fifth else WHITE)
        for item in self.items[gems[0] : gems[-1] + 1]:
            color = item.parts[COLOR]
            if item.seen[COLOR] and isinstance(color, int):
                left[color] -= 1
        return tuple(left)

    def rest(self) -> tuple[int, ...]:
        """Returns the gems that are in no nest, and never come into play."""
        each, nested = self.mine.each, NESTED * len(self.mine.inside)
        return (*range(nested, each), *range(each + nested, 2 * each))

    def order(self) -> tuple[int, ...]:
        """Returns the seats in the order in which they act in this round."""
        turns = ((self.first + turn) % self.seats for turn in range(self.seats))
        return tuple(seat for seat in turns if self.present[seat])

    @property
    def veins_to_end(self) -> int:
        """The number of exhausted veins that ends the game."""
        return LAST[self.seats]

    @property
    def ends_with_next_vein(self) -> bool:
        """Returns whether the game ends as soon as one more vein is exhausted."""
        return self.veins_to_end - self.mine.exhausted <= 1

    # -- the table's next ask ----------------------------------------------------------------------------------------

    def period(self) -> str:
        """See `SupportsPeriod`."""
        return f"round {self.round}" if self.round else ""

    def ask(self) -> Ask | Result:
        """Returns what the table must do next, or how the game ended."""
        if self.ended:
            return self._result()
        mine, seat = self.mine, self.turn
        match self.phase:
            case "lots":
                return Roll((*((self.seats,) if self.begins is None else ()), WHITE, WHITE - 1, WHITE - 2))
            case "small" | "medium":
                return Shuffle(f"{self.phase} gems", bag(len(COLORS) if self.fifth else WHITE))
            case "place":
                return Decide(seat, NestSpace(mine, seat), "placing")
            case "cards":
                spaces = tuple(CardSpace(self.quiet) if here else None for here in self.present)
                return Together(spaces, (None,) * self.seats, "card")
            case "move":
                card = self.cards[seat]
                assert card is not None
                return Decide(seat, PawnMoveSpace(mine, seat, card), "move")
            case "show":
                return Show(mine.inside[self.nest], ((COLOR, None),))
            case "take":
                return Decide(seat, TakeSpace(mine.inside[self.nest], mine.room(seat), mine.each), "take")

    def _result(self) -> Result:
        points = tuple(self.score(seat) for seat in range(self.seats))
        ranks = [(self.present[seat], points[seat]) for seat in range(self.seats)]
        places = tuple(1 + sum(rank > own for rank in ranks) for own in ranks)
        kind = ReasonKind.RESIGNED if self.ended == ONE_LEFT else ReasonKind.OVER
        return Result(places, tuple((one,) for one in points), self.ended, _in_words(points), (), kind)

    def given_up(self, seats: Sequence[int]) -> Result:
        """Returns the result where seats resign, and those that remain share first place."""
        counted = tuple(self.score(seat) for seat in range(self.seats))
        points, counts = tuple((one,) for one in counted), _in_words(counted)
        who = [seat for seat in range(self.seats) if self.present[seat] and seat not in seats]
        if not who:
            places = tuple(1 if seat in seats else 1 + len(seats) for seat in range(self.seats))
            return Result(places, points, "all remaining players resigned", counts)
        places = tuple(1 if seat in who else 1 + len(who) for seat in range(self.seats))
        return Result(places, points, OTHERS_RESIGNED, counts, (), ReasonKind.RESIGNED)

    # -- the state after an answer -----------------------------------------------------------------------------------

    def apply(self, answer: Answer) -> State:
        """Returns the state after the pending ask is answered."""
        match self.phase:
            case "lots":
                return self._drawn(answer)
            case "small":
                return evolve(self, items=tuple(answer), phase="medium")
            case "medium":
                return evolve(self, items=(*self.items, *answer), phase="place", turn=self._here(self.turn))
            case "place":
                return self._placed(answer)
            case "cards":
                return self._shown(answer)
            case "move":
                return self._moved(*answer)
            case "show":
                return self._unveiled(answer)
            case "take":
                return self._taken(answer)

    def _drawn(self, lots: Sequence[int]) -> State:
        """Returns the state with who begins and the colors: each lot is a place among those that are left."""
        begins, lots = (lots[0], lots[1:]) if self.begins is None else (self.begins, lots)
        left = list(range(WHITE))
        drawn = [left.pop(lot) for lot in lots]
        state = evolve(self, begins=begins, phase="small", turn=self._here(begins), first=begins)
        if self.seats == 2:
            return evolve(state, colors=tuple(drawn[:2]), flawless=drawn[2])
        return evolve(state, colors=(*drawn, *left), flawless=WHITE if self.fifth else None)

    def _here(self, seat: int) -> int:
        """Returns the seat, or the next one clockwise that is still present."""
        turns = ((seat + turn) % self.seats for turn in range(self.seats))
        return next((other for other in turns if self.present[other]), seat)

    def _placed(self, square: int) -> State:
        mine = self.mine.placed(square)
        if len(mine.veins) < len(mine.inside):
            return evolve(self, mine=mine, turn=self._here(self.turn + 1))
        return evolve(self, mine=mine.set_out(self.present))._next_round(self.first)

    def _shown(self, choices: Sequence[Plain]) -> State:
        """Returns the state with the cards on the table. A seat that left while all chose has shown none."""
        cards = tuple(choice[0] if isinstance(choice, tuple) else None for choice in choices)
        willing = tuple(isinstance(choice, tuple) and choice[1] is True for choice in choices)
        state = evolve(self, cards=cards, willing=willing)
        if all(agrees for agrees, here in zip(willing, self.present, strict=True) if here):
            few, some = sum(self.present) == 2, "players" if all(self.present) else "remaining players"
            return evolve(state, ended=f"{'both' if few else 'all'} {some} agreed to end the game")
        return state._next_to_act()

    def _moved(self, to: int, picked: Sequence[int], dropped: Sequence[tuple[int, int]]) -> State:
        seat, before = self.turn, self.mine
        mine = before.moved(seat, to, picked, dropped)
        unloaded = mine.stored[seat] != before.stored[seat]
        nest = mine.vein_at(to)
        state = evolve(self, mine=mine, progress=self.progress or unloaded)
        if nest is None:
            return state._done()
        state = evolve(state, nest=nest)
        return state._offered() if mine.opened[nest] else evolve(state, phase="show")

    def _unveiled(self, answer: Sequence[Sequence[Plain | Hidden]]) -> State:
        items = list(self.items)
        for gem, values in zip(self.mine.inside[self.nest], answer, strict=True):
            items[gem] = items[gem].shown(values, ((COLOR, None),), self.seats)
        return evolve(self, items=tuple(items), mine=self.mine.unveiled(self.nest))._offered()

    def _offered(self) -> State:
        """Returns the state in which the pawn on an open vein may take what it can carry, if anything."""
        room = self.mine.room(self.turn)
        takes = self.present[self.turn] and any(self.size(gem) <= room for gem in self.mine.inside[self.nest])
        return evolve(self, phase="take") if takes else self._done()

    def _taken(self, gems: Sequence[int]) -> State:
        mine = self.mine.taken(self.turn, self.nest, gems)
        state = evolve(self, mine=mine, progress=self.progress or bool(gems))
        if mine.exhausted >= self.veins_to_end:
            return evolve(state, ended=f"{self.veins_to_end} veins were exhausted")
        return state._done()

    def _done(self) -> State:
        """Returns the state after the current seat has acted."""
        return evolve(self, acted=put(self.acted, self.turn, True))._next_to_act()

    def _next_to_act(self) -> State:
        """Returns the state at the next seat whose card lets it move; after the last seat, in the next round."""
        acted = self.acted
        for seat in self.order():
            if acted[seat]:
                continue
            card = self.cards[seat]
            if card is not None and targets(self.mine, seat, card):
                return evolve(self, acted=acted, phase="move", turn=seat)
            acted = put(acted, seat, True)
        state = evolve(self, acted=acted, quiet=0 if self.progress else self.quiet + 1)
        if state.quiet >= QUIET:
            return evolve(state, ended=f"no gem was taken or brought home for {QUIET} rounds")
        return state._next_round(self.first + 1)

    def _next_round(self, first: int) -> State:
        first = self._here(first % self.seats)
        return evolve(
            self,
            phase="cards",
            round=self.round + 1,
            first=first,
            turn=first,
            cards=(None,) * self.seats,
            acted=(False,) * self.seats,
            progress=False,
        )

    # -- a seat that leaves ------------------------------------------------------------------------------------------

    def leave(self, seat: int) -> State:
        """Returns the state after a seat has left for good: its pawn is gone, and what it carried is lost.

        Its home stays closed to others, and what is in it scores, behind all that stayed.
        """
        present = put(self.present, seat, False)
        state = evolve(self, present=present, mine=self.mine.left(seat), willing=put(self.willing, seat, False))
        if sum(present) < 2:
            return evolve(state, ended=ONE_LEFT)
        if seat != self.turn:
            return state
        match self.phase:
            case "place":
                return evolve(state, turn=state._here(seat))
            case "move" | "take":
                return state._done()
        return state


def opening(seats: int, fifth: bool, begins: int | None) -> State:
    """Returns the table before the lots are drawn."""
    each = ALIKE * (len(COLORS) if fifth else WHITE)
    nobody = (False,) * seats
    return State(
        seats,
        fifth,
        begins,
        empty(seats, each, NESTS[seats]),
        present=(True,) * seats,
        cards=(None,) * seats,
        acted=nobody,
        willing=nobody,
    )


def _in_words(points: Sequence[int]) -> tuple[str, ...]:
    return tuple(count_of(one, "point") for one in points)
