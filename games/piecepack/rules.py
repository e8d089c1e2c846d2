"""The rules of the piecepack game as a state machine: what the table is asked, and what follows from the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from kimberley.games.piecepack import legal, turns
from kimberley.games.piecepack.coins import (
    BAGGED,
    DIAMONDS,
    KINDS,
    SUIT_TO_ALL,
    VALUE_TO_ALL,
    Coins,
    Parts,
    as_diamonds,
    drawn_by,
    handles,
    of_suit,
    parted,
    shown,
    value_to,
)
from kimberley.games.piecepack.field import opening, places
from kimberley.games.piecepack.position import EACH, PiecepackPosition
from kimberley.games.piecepack.spaces import TileSpace
from kimberley.games.piecepack.suits import HEART, MOON, SUITS
from kimberley.games.table import ONE_LEFT, Answer, Ask, Decide, ReasonKind, Result, Roll, Show, Shuffle, evolve

BAG: Final = "coins"
PILE: Final = "diamonds"


@dataclass(frozen=True)
class State(PiecepackPosition):
    """A game so far; see `PiecepackPosition` for what is in it."""

    @classmethod
    def before(cls, seats: int, begins: int | None = None) -> State:
        """Returns the table before anything is rolled."""
        return cls((True,) * seats, (0,) * seats, (None,) * seats, ((),) * seats, begins)

    # -- the table's next ask ----------------------------------------------------------------------------------------

    def period(self) -> str:
        """See `SupportsPeriod`."""
        return f"turn {self.turns + 1}"

    def ask(self) -> Ask | Result:
        """Returns what the table must do next, or how the game ended."""
        if self.ended:
            return self.result(self.present, self.ended, turns.ENDINGS.get(self.ended, ReasonKind.DECIDED))
        if self.returned and self.phase in _DRAWING:
            return Shuffle(BAG, tuple(coin.handle for coin in (*self.bag, *self.returned)))
        if self.sold and self.phase == "mine":
            return Shuffle(PILE, tuple(coin.handle for coin in (*self.pile, *self.sold)))
        return _ASKS[self.phase](self)

    def apply(self, answer: Answer) -> State:
        """Returns the state after the pending ask is answered."""
        if self.returned and self.phase in _DRAWING:
            return evolve(self, bag=answer, returned=())
        if self.sold and self.phase == "mine":
            return evolve(self, pile=as_diamonds(answer, self.seats), sold=())
        return _TRANSITIONS[self.phase](self, answer)

    # -- shows -------------------------------------------------------------------------------------------------------

    @property
    def next_coins(self) -> Coins:
        """The coins that are drawn now."""
        return self.bag[: self.amount]

    def learn(self, coins: Coins, asked: tuple[int, ...], answer: Any, parts: Parts) -> Coins:
        """Returns the coins after a Show of some of them."""
        return shown(coins, asked, answer, parts, self.seats)

    def draws(self, answer: Any) -> State:
        """Returns the state after the current seat has drawn the next coins."""
        drawn = self.next_coins
        seen = self.learn(drawn, _in_order(drawn), answer, drawn_by(self.turn))
        hand = self.hands[self.turn] + seen
        return evolve(turns.with_hand(self, self.turn, hand), bag=self.bag[len(drawn) :], amount=0)

    def sees(self, answer: Any, parts: Parts) -> State:
        """Returns the state after the chosen coins, in whatever hands, were shown."""
        return evolve(self, hands=tuple(self.learn(hand, self.chosen, answer, parts) for hand in self.hands))

    # -- seats that leave --------------------------------------------------------------------------------------------

    def leave(self, seat: int) -> State:
        """Returns the state after a seat has left for good: its coins go back, its pawn is removed, and another seat
        continues.
        """
        here = tuple(present and other != seat for other, present in enumerate(self.present))
        gone = turns.put_back(turns.with_hand(self, seat, ()), self.hands[seat])
        gone = evolve(gone, present=here, pawns=tuple(pawn if here[s] else None for s, pawn in enumerate(self.pawns)))
        if sum(here) < 2:
            return turns.end_game(gone, ONE_LEFT)
        if self.phase in ("lots", "fill", "pile"):
            return gone
        if seat == self.turn:
            return _deal_on(gone) if self.phase == "deal" else _turn_lost(gone)
        return _robbed(gone, seat)


def _turn_lost(state: State) -> State:
    """Ends the turn of a seat that has left: what lay open goes back, and so does a tile that was not laid."""
    cleared = turns.put_back(state, state.spent + state.shield)
    stack = state.stack if state.drawn is None else tuple(sorted((*state.stack, state.drawn)))
    return turns.end_turn(evolve(cleared, spent=(), shield=(), drawn=None, stack=stack))


def _robbed(state: State, seat: int) -> State:
    """Ends what was done to a seat that has left in another one's turn, if it cannot continue."""
    if seat == state.attacked and state.phase in ("defend", "shield", "steal"):
        return turns.finish_attack(state)
    held = {coin.handle for hand in state.hands for coin in hand}
    if state.phase == "glance":
        chosen = tuple(one for one in state.chosen if one in held)
        return evolve(state, chosen=chosen) if chosen else turns.leave_tile_effect(state)
    if state.phase == "peek" and not legal.peeks(state).handles:
        return turns.leave_tile_effect(state)
    return turns.finish_action(state) if state.phase == "act" and legal.exhausted(state) else state


# -- what is asked in each phase ---------------------------------------------------------------------------------------


def _lots(state: State) -> Ask:
    suits = tuple(len(SUITS) - seat for seat in range(state.seats))
    return Roll(suits if state.begins is not None else (*suits, state.seats))


def _deal(state: State) -> Ask:
    return Show(_in_order(state.next_coins), drawn_by(state.turn))


def _place(state: State) -> Ask:
    assert state.drawn is not None
    return Decide(state.turn, TileSpace(state.drawn, places(state.field, state.at(state.turn))), "place")


def _lost(state: State) -> Ask:
    held = len(state.hands[state.turn])
    return Roll(tuple(held - taken for taken in range(state.attack)))


def _attacked(state: State) -> int:
    assert state.attacked is not None
    return state.attacked


def _in_order(coins: Coins) -> tuple[int, ...]:
    return tuple(coin.handle for coin in coins)


_DRAWING: Final = ("deal", "draw", "scoop")
_ASKS: Final[dict[str, Callable[[State], Ask]]] = {
    "lots": _lots,
    "fill": lambda state: Shuffle(BAG, BAGGED),
    "pile": lambda state: Shuffle(PILE, DIAMONDS),
    "deal": _deal,
    "explore": lambda state: Roll((len(state.stack),)),
    "place": _place,
    "act": lambda state: Decide(state.turn, legal.actions(state), "action"),
    "reveal": lambda state: Show(_in_order(state.spent), VALUE_TO_ALL),
    "path": lambda state: Decide(state.turn, legal.paths(state), "path"),
    "sale": lambda state: Show(state.chosen, VALUE_TO_ALL),
    "defend": lambda state: Decide(_attacked(state), legal.hearts(state), "defence"),
    "shield": lambda state: Show(_in_order(state.shield), VALUE_TO_ALL),
    "lost": _lost,
    "steal": lambda state: Decide(state.turn, legal.loot(state), "theft"),
    "look": lambda state: Show(state.chosen, value_to(state.turn)),
    "peek": lambda state: Decide(state.turn, legal.peeks(state), "peek"),
    "glance": lambda state: Show(state.chosen, value_to(state.turn)),
    "draw": _deal,
    "scoop": lambda state: Show(_in_order(state.bag), SUIT_TO_ALL),
    "heart": lambda state: Show(state.chosen, value_to(state.turn)),
    "mine": lambda state: Show(_in_order(state.pile[: state.amount]), value_to(state.turn)),
}


# -- what follows ------------------------------------------------------------------------------------------------------


def _lots_drawn(state: State, rolled: tuple[int, ...]) -> State:
    left = list(range(len(SUITS)))
    suits = tuple(left.pop(lot) for lot in rolled[: state.seats])
    nulls = {(suit, 0) for suit in suits}
    return evolve(
        state,
        suits=suits,
        begins=rolled[state.seats] if state.begins is None else state.begins,
        field=opening(suits),
        stack=tuple(kind for kind in KINDS if kind not in nulls),
        pawns=tuple(range(state.seats)),
        phase="fill",
    )


def _filled(state: State, coins: Coins) -> State:
    return evolve(state, bag=coins, phase="pile")


def _piled(state: State, coins: Coins) -> State:
    pawns = tuple(pawn if here else None for pawn, here in zip(state.pawns, state.present, strict=True))
    ready = evolve(state, pile=as_diamonds(coins, state.seats), pawns=pawns, phase="deal")
    return _deal_to(ready, state.present.index(True))


def _deal_to(state: State, seat: int) -> State:
    return evolve(state, turn=seat, amount=EACH + int(state.power(seat, MOON)))


def _deal_on(state: State) -> State:
    """Deals to the next seat, or begins the first turn."""
    after = next((seat for seat in range(state.turn + 1, state.seats) if state.present[seat]), None)
    if after is not None:
        return _deal_to(state, after)
    first = state.begins
    assert first is not None
    return turns.begin_turn(state, first if state.present[first] else state.others(first)[0])


def _revealed(state: State, answer: Any) -> State:
    return turns.apply_reveal(
        evolve(state, spent=state.learn(state.spent, _in_order(state.spent), answer, VALUE_TO_ALL))
    )


def _shielded(state: State, answer: Any) -> State:
    shield = state.learn(state.shield, _in_order(state.shield), answer, VALUE_TO_ALL)
    return turns.apply_shield(evolve(state, shield=shield))


def _peeked(state: State, chosen: tuple[int, ...]) -> State:
    return evolve(state, chosen=chosen, phase="glance") if chosen else turns.leave_tile_effect(state)


def _scooped(state: State, answer: Any) -> State:
    """Draws the first heart from the bag, in which all suits are now shown; the rest goes back."""
    seen = state.learn(state.bag, _in_order(state.bag), answer, SUIT_TO_ALL)
    hearts = of_suit(seen, HEART)[:1]
    rest = tuple(coin for coin in seen if coin not in hearts)
    emptied = evolve(state, bag=(), returned=rest, chosen=handles(hearts))
    hand = state.hands[state.turn] + hearts
    return evolve(turns.with_hand(emptied, state.turn, hand), phase="heart") if hearts else turns.finish_action(emptied)


def _heart_drawn(state: State, answer: Any) -> State:
    seen = state.sees(answer, value_to(state.turn))
    more = state.power(state.turn, MOON) and state.in_bag
    return evolve(seen, phase="draw", amount=1) if more else turns.finish_action(seen)


def _mined(state: State, answer: Any) -> State:
    mined, rest = parted(state.pile, _in_order(state.pile[: state.amount]))
    seen = state.learn(mined, _in_order(mined), answer, value_to(state.turn))
    return turns.finish_action(evolve(turns.with_hand(state, state.turn, state.hands[state.turn] + seen), pile=rest))


_TRANSITIONS: Final[dict[str, Callable[[State, Any], State]]] = {
    "lots": _lots_drawn,
    "fill": _filled,
    "pile": _piled,
    "deal": lambda state, answer: _deal_on(state.draws(answer)),
    "explore": lambda state, rolled: turns.apply_exploration(state, rolled[0]),
    "place": turns.apply_tile,
    "act": turns.apply_action,
    "reveal": _revealed,
    "path": turns.apply_step,
    "sale": lambda state, answer: turns.apply_sale(state.sees(answer, VALUE_TO_ALL)),
    "defend": turns.apply_defense,
    "shield": _shielded,
    "lost": turns.apply_loss,
    "steal": turns.apply_theft,
    "look": lambda state, answer: turns.finish_attack(state.sees(answer, value_to(state.turn))),
    "peek": _peeked,
    "glance": lambda state, answer: turns.leave_tile_effect(state.sees(answer, value_to(state.turn))),
    "draw": lambda state, answer: turns.finish_action(state.draws(answer)),
    "scoop": _scooped,
    "heart": _heart_drawn,
    "mine": _mined,
}


__all__ = ["BAG", "PILE", "State"]
