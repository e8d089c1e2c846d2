"""A small game to test bags: cards with a public suit and a hidden value, for 2 to 6 seats.

In turn, a seat draws (all see the suit, only the seat sees the value), passes a card unseen, steals one, peeks at one,
shows one for points, puts one back, or rolls for points. In each round, all seats first bid at once. A seat that leaves
puts its hand back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import cast

from kimberley.games.bots.base import Bot, Level
from kimberley.games.table import (
    Answer,
    Ask,
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
    evolve,
    space_for,
)
from kimberley.protocol.events import Asked

SUIT, VALUE = 0, 1
Action = tuple[str, int, int]
"""The action, its card, and the other seat; 0 where there is none."""


@dataclass(frozen=True)
class Among:
    """A space of a few listed choices."""

    choices: tuple[Plain, ...]

    def read(self, plain: Plain) -> Plain:
        if self.violation(plain):
            raise Unreadable("expected one of the choices that are offered")
        return plain

    def violation(self, choice: Plain) -> str | None:
        offered = any(choice == one and repr(choice) == repr(one) for one in self.choices)
        return None if offered else "that cannot be done now"

    def cost(self, choice: Plain) -> int:
        return 0

    def pick(self, rng: Random) -> Plain:
        return rng.choice(self.choices)


@dataclass(frozen=True)
class Cards:
    """A position. Items are given by handle. `bag` has handles in drawing order."""

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

    def apply(self, answer: Answer) -> State:
        match self.pending:
            case "shuffle":
                first = len(self.items)
                handles = tuple(range(first, first + len(answer)))
                again = evolve(self, items=(*self.items, *answer), bag=handles, loose=())
                return evolve(again, pending="draw" if self.items else "bid")
            case "bid":
                scores = tuple(score + (bid or 0) for score, bid in zip(self.scores, answer, strict=True))
                return evolve(self, scores=scores, pending="act")
            case "roll":
                return self._scored(sum(answer))._next()
            case "draw":
                drawn = self.bag[0]
                state = self._seen(drawn, answer[0], ((SUIT, None), (VALUE, self.turn)))
                return evolve(state._moved(drawn, self.turn), bag=self.bag[1:])._next()
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
                return evolve(self, pending="roll")
            case "draw":
                return evolve(self, pending="draw" if self.bag and not self.loose else "shuffle")
            case "show":
                return evolve(self, pending="reveal", shown=card)
            case "return":
                return evolve(self._moved(card, None), loose=(*self.loose, card))._next()
            case "pass":
                return self._moved(card, other)._next()
            case "steal":
                return evolve(self._moved(card, self.turn), pending="look", shown=card)
        return evolve(self, pending="look", shown=card)

    def leave(self, seat: int) -> State:
        alive = tuple(here and place != seat for place, here in enumerate(self.alive))
        hands = tuple(() if place == seat else hand for place, hand in enumerate(self.hands))
        state = evolve(self, alive=alive, hands=hands, loose=(*self.loose, *self.hands[seat]))
        if state.pending == "draw" and state.loose:
            state = evolve(state, pending="shuffle")
        return state._next() if seat == self.turn else state

    def _next(self) -> Cards:
        """Goes to the next seat's turn, or to the next round."""
        if not any(self.alive):
            return self
        seats = len(self.alive)
        order = [(self.first + place) % seats for place in range(seats)]
        after = next((seat for seat in order[order.index(self.turn) + 1 :] if self.alive[seat]), None)
        if after is not None:
            return evolve(self, turn=after, pending="bid" if self.pending == "bid" else "act")
        turn = next(seat for seat in order if self.alive[seat])
        return evolve(self, turn=turn, round=self.round + 1, pending="bid")

    def _moved(self, card: int, taker: int | None) -> Cards:
        """Removes the card from every hand but the taker's."""
        hands = [tuple(other for other in hand if other != card) for hand in self.hands]
        if taker is not None:
            hands[taker] = (*hands[taker], card)
        return evolve(self, hands=tuple(hands))

    def _seen(self, card: int, values: Sequence[Plain], parts: Sequence[tuple[int, int | None]]) -> Cards:
        items = list(self.items)
        items[card] = items[card].shown(values, parts, len(self.alive))
        return evolve(self, items=tuple(items))

    def _scored(self, points: int) -> Cards:
        scores = tuple(score + points * (seat == self.turn) for seat, score in enumerate(self.scores))
        return evolve(self, scores=scores)

    def _result(self) -> Result:
        order = sorted(range(len(self.alive)), key=lambda seat: (not self.alive[seat], -self.scores[seat], seat))
        places = tuple(order.index(seat) + 1 for seat in range(len(self.alive)))
        return Result(places, tuple((score,) for score in self.scores), "the cards are played")


class Anybody:
    """A bot that makes random legal choices."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def choose(self, observation: Observation) -> Plain:
        space = space_for(observation.state.ask(), observation.seat)
        assert space is not None
        return space.pick(Random(f"{self._seed} {observation.seat} {len(observation.story)}"))


def preferring(*acts: str) -> Callable[[object, Asked], Plain]:
    """Returns a chooser that makes each of these actions once, in order, when legal; otherwise it chooses at random."""
    rng = Random(str(acts))
    wanted = list(acts)

    def choose(_: object, space_for: Asked) -> Plain:
        if not isinstance(space_for.ask, Decide) or not wanted:
            return space_for.space.pick(rng)
        offered = [action for action in cast(Among, space_for.space).choices if cast(Action, action)[0] == wanted[0]]
        return rng.choice(offered) if offered and wanted.pop(0) else space_for.space.pick(rng)

    return choose


@dataclass(frozen=True)
class CardGame:
    """The game as the table finds it, with the given numbers of suits, values and rounds."""

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
    levels: tuple[Level, ...] = (Level("Any", "Chooses anything."), Level("Other", "Chooses anything else."))

    def start(self, seats: int, options: Mapping[str, Plain], begins: int | None = None) -> Cards:
        if seats not in self.seats:
            raise ValueError(f"cards are played by 2 to 6 players, not {seats}")
        deck = tuple((suit, value) for suit in range(self.suits) for value in range(self.values))
        first = begins or 0
        return Cards(deck, self.rounds, (True,) * seats, (0,) * seats, ((),) * seats, turn=first, first=first)

    def starting_seat(self, state: State) -> int | None:
        return cast(Cards, state).first

    def resignation_result(self, state: State, seats: Sequence[int]) -> Result:
        raise AssertionError("seats leave this game")

    def bot(self, level: int, seed: int) -> Bot:
        return Anybody(seed)


CARDS = CardGame(suits=3, values=4, rounds=4)
FEW_CARDS = CardGame(suits=2, values=3, rounds=2)
"""A shorter version of the same game."""
