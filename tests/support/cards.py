"""A small game for the tests of bags: cards of a public suit and a hidden value, for 2 to 6 seats.

In turn, a seat draws (the suit for all to see, the value for itself), passes a card unseen, steals one, peeks at one,
shows one for points, puts one back, or rolls for points. Each round all bid at once. Who leaves puts its hand back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import cast

from games.table import (
    Answer,
    Ask,
    Bot,
    Decide,
    Item,
    Observation,
    Option,
    Plain,
    Result,
    Roll,
    Show,
    Shuffle,
    State,
    Together,
    Unreadable,
    asked,
    changed,
)
from protocol.events import Asked

SUIT, VALUE = 0, 1
Action = tuple[str, int, int]
"""What is done, to which card, to or from which seat; 0 where that says nothing."""


@dataclass(frozen=True)
class Among:
    """One of a few choices."""

    choices: tuple[Plain, ...]

    def read(self, plain: Plain) -> Plain:
        if self.why_not(plain):
            raise Unreadable("expected one of the choices that are offered")
        return plain

    def why_not(self, choice: Plain) -> str | None:
        offered = any(choice == one and repr(choice) == repr(one) for one in self.choices)
        return None if offered else "that cannot be done now"

    def cost(self, choice: Plain) -> int:
        return 0

    def pick(self, rng: Random) -> Plain:
        return rng.choice(self.choices)


@dataclass(frozen=True)
class Cards:
    """A position. Items stand by handle; `bag` are handles in the order in which they are drawn."""

    deck: tuple[tuple[int, int], ...]
    rounds: int
    alive: tuple[bool, ...]
    scores: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    items: tuple[Item, ...] = ()
    bag: tuple[int, ...] = ()
    loose: tuple[int, ...] = ()
    turn: int = 0
    round: int = 0
    first: int = 0
    pending: str = "shuffle"
    shown: int = 0

    def ask(self) -> Ask | Result:
        seats = len(self.alive)
        if sum(self.alive) < 2 or self.round == self.rounds:
            return self._result()
        match self.pending:
            case "shuffle":
                return Shuffle("deck", (*self.bag, *self.loose) or self.deck)
            case "bid":
                spaces = tuple(Among((0, 1, 2)) if alive else None for alive in self.alive)
                return Together(spaces, (None,) * seats, "bid")
            case "roll":
                return Roll((6, 4))
            case "draw":
                return Show((self.bag[0],), ((SUIT, None), (VALUE, self.turn)))
            case "look":
                return Show((self.shown,), ((VALUE, self.turn),))
            case "reveal":
                return Show((self.shown,), ((VALUE, None),))
        return Decide(self.turn, Among(self._actions()), "act")

    def _actions(self) -> tuple[Action, ...]:
        others = [seat for seat, alive in enumerate(self.alive) if alive and seat != self.turn]
        actions: list[Action] = [("roll", 0, 0)]
        if self.bag or self.loose:
            actions.append(("draw", 0, 0))
        for card in self.hands[self.turn]:
            actions += [("show", card, 0), ("return", card, 0), *(("pass", card, to) for to in others)]
        for other in others:
            actions += [(act, card, other) for card in self.hands[other] for act in ("steal", "peek")]
        return tuple(actions)

    def tell(self, answer: Answer) -> State:
        match self.pending:
            case "shuffle":
                first = len(self.items)
                handles = tuple(range(first, first + len(answer)))
                again = changed(self, items=(*self.items, *answer), bag=handles, loose=())
                return changed(again, pending="draw" if self.items else "bid")
            case "bid":
                scores = tuple(score + (bid or 0) for score, bid in zip(self.scores, answer, strict=True))
                return changed(self, scores=scores, pending="act")
            case "roll":
                return self._scored(sum(answer))._next()
            case "draw":
                drawn = self.bag[0]
                state = self._seen(drawn, answer[0], ((SUIT, None), (VALUE, self.turn)))
                return changed(state._moved(drawn, self.turn), bag=self.bag[1:])._next()
            case "look":
                return self._seen(self.shown, answer[0], ((VALUE, self.turn),))._next()
            case "reveal":
                value = answer[0][0]
                state = self._seen(self.shown, answer[0], ((VALUE, None),))._moved(self.shown, None)
                return state._scored(value)._next()
        return self._act(*answer)

    def _act(self, act: str, card: int, other: int) -> Cards:
        match act:
            case "roll":
                return changed(self, pending="roll")
            case "draw":
                return changed(self, pending="draw" if self.bag and not self.loose else "shuffle")
            case "show":
                return changed(self, pending="reveal", shown=card)
            case "return":
                return changed(self._moved(card, None), loose=(*self.loose, card))._next()
            case "pass":
                return self._moved(card, other)._next()
            case "steal":
                return changed(self._moved(card, self.turn), pending="look", shown=card)
        return changed(self, pending="look", shown=card)

    def leave(self, seat: int) -> State:
        alive = tuple(here and place != seat for place, here in enumerate(self.alive))
        hands = tuple(() if place == seat else hand for place, hand in enumerate(self.hands))
        state = changed(self, alive=alive, hands=hands, loose=(*self.loose, *self.hands[seat]))
        if state.pending == "draw" and state.loose:
            state = changed(state, pending="shuffle")
        return state._next() if seat == self.turn else state

    def _next(self) -> Cards:
        """The next seat's turn, or the next round."""
        if not any(self.alive):
            return self
        seats = len(self.alive)
        order = [(self.first + place) % seats for place in range(seats)]
        after = next((seat for seat in order[order.index(self.turn) + 1 :] if self.alive[seat]), None)
        if after is not None:
            return changed(self, turn=after, pending="bid" if self.pending == "bid" else "act")
        turn = next(seat for seat in order if self.alive[seat])
        return changed(self, turn=turn, round=self.round + 1, pending="bid")

    def _moved(self, card: int, taker: int | None) -> Cards:
        """The card leaves every hand but the taker's."""
        hands = [tuple(other for other in hand if other != card) for hand in self.hands]
        if taker is not None:
            hands[taker] = (*hands[taker], card)
        return changed(self, hands=tuple(hands))

    def _seen(self, card: int, values: Sequence[Plain], parts: Sequence[tuple[int, int | None]]) -> Cards:
        items = list(self.items)
        items[card] = items[card].shown(values, parts, len(self.alive))
        return changed(self, items=tuple(items))

    def _scored(self, points: int) -> Cards:
        scores = tuple(score + points * (seat == self.turn) for seat, score in enumerate(self.scores))
        return changed(self, scores=scores)

    def _result(self) -> Result:
        order = sorted(range(len(self.alive)), key=lambda seat: (not self.alive[seat], -self.scores[seat], seat))
        places = tuple(order.index(seat) + 1 for seat in range(len(self.alive)))
        return Result(places, tuple((score,) for score in self.scores), "the cards are played")


class Anybody:
    """A bot that does anything."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def choose(self, observation: Observation) -> Plain:
        space = asked(observation.state.ask(), observation.seat)
        assert space is not None
        return space.pick(Random(f"{self._seed} {observation.seat} {len(observation.story)}"))


def preferring(*acts: str) -> Callable[[object, Asked], Plain]:
    """A chooser of the first of these that can be done, as often as it is asked; of anything after them."""
    rng = Random(str(acts))
    wanted = list(acts)

    def choose(_: object, asked: Asked) -> Plain:
        if not isinstance(asked.ask, Decide) or not wanted:
            return asked.space.pick(rng)
        offered = [action for action in cast(Among, asked.space).choices if cast(Action, action)[0] == wanted[0]]
        return rng.choice(offered) if offered and wanted.pop(0) else asked.space.pick(rng)

    return choose


@dataclass(frozen=True)
class CardGame:
    """The game, as the table finds it, with that many cards and rounds."""

    suits: int
    values: int
    rounds: int
    id: str = "cards"
    title: str = "Cards"
    revision: int = 1
    seats: tuple[int, ...] = (2, 3, 4, 5, 6)
    options: tuple[Option, ...] = ()
    last_looks: bool = False
    quick: tuple[tuple[str, Plain], ...] = ()

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> Cards:
        if seats not in self.seats:
            raise ValueError(f"cards are played by 2 to 6 seats, not {seats}")
        deck = tuple((suit, value) for suit in range(self.suits) for value in range(self.values))
        first = begins or 0
        return Cards(deck, self.rounds, (True,) * seats, (0,) * seats, ((),) * seats, turn=first, first=first)

    def began(self, state: State) -> int | None:
        return cast(Cards, state).first

    def resigned(self, state: State, seats: Sequence[int]) -> Result:
        raise AssertionError("seats leave this game")

    def bot(self, level: int, seed: int) -> Bot:
        return Anybody(seed)


CARDS = CardGame(suits=3, values=4, rounds=4)
FEW_CARDS = CardGame(suits=2, values=3, rounds=2)
"""The same, over sooner."""
