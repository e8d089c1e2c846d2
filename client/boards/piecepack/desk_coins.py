"""Desks at which coins are chosen: to spend or trade one's own, to defend, to steal, and to peek."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from client.boards.piecepack.desk import Button, Desk, Request, Sitting, hand_cards, open_cards
from client.boards.piecepack.hand import Card
from client.boards.piecepack.suits import SUITS, face
from client.boards.piecepack.words import coins_of, known, many, total
from client.canvas import Action
from client.widgets import Hint
from games.piecepack.spaces import Actions, Hearts, Loot, Peeks
from games.piecepack.suits import CLUB, HEART, MOON, SPADE, SUN
from games.table import Item

SPENT = {"sun": SUN, "moon": MOON, "club": CLUB, "spade": SPADE}
VERBS = {"sun": "Travel", "moon": "Rest", "club": "Beat", "spade": "Mine", "market": "Trade"}


class CoinDesk(Desk):
    """Coins are lifted out of a row of cards. Subclasses say which cards, how many at most, and what they are for."""

    most: int

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting)
        self.chosen: set[int] = set()
        self._cursor = 0

    # -- which coins ---------------------------------------------------------------------------------------------------

    def all_cards(self) -> tuple[Card, ...]:
        """The cards to choose from, in the order in which they are shown; some of them may not be free."""
        raise NotImplementedError

    def done(self) -> None:
        """Hands the choice to the table."""
        raise NotImplementedError

    @property
    def handles(self) -> tuple[int, ...]:
        """What is chosen, as the rules spell it."""
        return tuple(sorted(self.chosen))

    @property
    def at(self) -> int:
        """The card that keys are at."""
        cards = self.all_cards()
        free = [number for number, card in enumerate(cards) if card.free]
        return min(free, key=lambda number: abs(number - self._cursor)) if free else 0

    # -- keys and clicks -----------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        match name:
            case "left" | "right":
                self._walk(1 if name == "right" else -1)
            case " ":
                self._toggle(self.at)
            case "up" | "down":
                if (self.all_cards()[self.at].handle in self.chosen) == (name == "down"):
                    self._toggle(self.at)
            case "a":
                self._all()
            case "enter":
                self.done()
            case _:
                return False
        return True

    def click(self, action: Action) -> bool:
        match action:
            case ("card", int(number)):
                self._cursor = number
                self._toggle(number)
                return True
        return False

    def _walk(self, by: int) -> None:
        free = [number for number, card in enumerate(self.all_cards()) if card.free]
        if free:
            self._cursor = free[(free.index(self.at) + by) % len(free)]

    def _toggle(self, number: int) -> None:
        card = self.all_cards()[number]
        if not card.free:
            self.sitting.refuse(self.why_fixed(card))
        elif card.handle in self.chosen:
            self.chosen.remove(card.handle)
        elif len(self.chosen) >= self.most:
            self.sitting.refuse(f"you may choose at most {many(self.most, 'coin')} here")
        else:
            self.chosen.add(card.handle)

    def _all(self) -> None:
        """Lifts as many as may be lifted; puts all down if they are."""
        free = [card.handle for card in self.all_cards() if card.free][: self.most]
        self.chosen = set() if self.chosen == set(free) else set(free)

    def why_fixed(self, card: Card) -> str:
        """Why a card cannot be chosen."""
        del card
        return "that coin is of no use here"

    def hints(self) -> list[Hint]:
        return [Hint("← →", "coin", "nothing"), Hint("Space", "lift it"), Hint("a", "all")]


class SpendDesk(CoinDesk):
    """Own coins for an action: they are spent, or traded at a market."""

    def __init__(self, sitting: Sitting, space: Actions, kind: str, back: Callable[[], None]) -> None:
        super().__init__(sitting)
        self._space, self._kind, self._back = space, kind, back
        self._victim = 0
        self.most = space.most(kind)
        self.phase = VERBS[kind].upper()
        free = space.coins(kind)
        if len(free) == 1:
            self.chosen = set(free)

    @property
    def _whom(self) -> int:
        return self._space.victims[self._victim % len(self._space.victims)]

    @property
    def _name(self) -> str:
        return self.sitting.names[self._whom]

    def all_cards(self) -> tuple[Card, ...]:
        return hand_cards(self.sitting, self._space.coins(self._kind), self.chosen)

    def cards(self) -> tuple[tuple[Card, ...], int | None]:
        return self.all_cards(), self.at

    def why_fixed(self, card: Card) -> str:
        if self._kind == "market":
            return "markets take no diamonds"
        return f"only {SUITS[SPENT[self._kind]].sign} coins can be spent for that"

    def sentence(self) -> str:
        match self._kind:
            case "market":
                return f"Choose up to {many(self.most, 'coin')} to trade; nobody sees them."
            case "club":
                return f"Choose the ♣ with which you beat {self._name}; all see them."
        return f"Choose the {SUITS[SPENT[self._kind]].sign} coins you spend; all see them."

    def about(self) -> str:
        """What the chosen coins do."""
        if not self.chosen:
            return "Lift at least one coin."
        coins = [coin for coin in self.state.hands[self.seat] if coin.handle in self.chosen]
        if self._kind == "market":
            drawn = min(len(coins) + self.state.power(self.seat, MOON), self.state.in_bag + len(coins))
            return f"{many(len(coins), 'coin')} into the bag, {drawn} drawn from it."
        worth = None if self.sitting.hide else total(coins)
        if worth is None:
            return "Their values decide; they are hidden now (h)."
        return f"{_sum(coins)}: {self._effect(coins, worth)}"

    def _effect(self, coins: Sequence[Item], worth: int) -> str:
        state, seat = self.state, self.seat
        match self._kind:
            case "sun":
                return f"you may go up to {many(worth, 'tile')}." if worth else "worth nothing: you go nowhere."
            case "moon":
                drawn = min(worth + state.power(seat, MOON), state.in_bag) if worth else 0
                return f"you draw {many(drawn, 'coin')} from the bag of {state.in_bag}."
            case "spade":
                most = min(worth, state.tile(seat).value, state.in_pile)
                return f"you mine {most} ♦ (this mine {state.tile(seat).value}, {state.in_pile} left)."
        attack = worth + (len(coins) if state.power(seat, CLUB) else 0)
        hand = state.hands[self._whom]
        hearts = len(coins_of(state, self._whom, HEART))
        shield = f", {hearts} of them ♥" if hearts else ""
        return f"attack {attack}. {self._name} has {many(len(hand), 'coin')}{shield}."

    def buttons(self) -> tuple[Button, ...]:
        return Button(f"{VERBS[self._kind]}", "Enter", True), Button("Back", "Esc")

    def hints(self) -> list[Hint]:
        more = [Hint("w", "whom")] if self._kind == "club" and len(self._space.victims) > 1 else []
        return [*super().hints(), *more, Hint("Enter", VERBS[self._kind].lower()), Hint("u", "undo")]

    def key(self, name: str) -> bool:
        match name:
            case "esc" | "u" | "backspace":
                self._back()
                return True
            case "w" if self._kind == "club":
                self._victim += 1
                return True
        return super().key(name)

    def done(self) -> None:
        choice = (self._kind, self._whom, self.handles) if self._kind == "club" else (self._kind, self.handles)
        if (reason := self._space.why_not(choice)) is not None:
            self.sitting.refuse(reason)
            return
        coins = [coin for coin in self.state.hands[self.seat] if coin.handle in self.chosen]
        bonus = self._kind == "club" and self.state.power(self.seat, CLUB)
        if self._kind != "market" and total(coins) == 0 and not bonus:
            text = "They are worth nothing together. Show and spend them all the same?"
            self.sitting.confirm("Worth nothing", text, "Spend", lambda: self.sitting.choose(choice))
        else:
            self.sitting.choose(choice)


class DefendDesk(CoinDesk):
    """Hearts against an attack, by the one who is attacked."""

    phase = "DEFEND!"

    def __init__(self, sitting: Sitting, space: Hearts) -> None:
        super().__init__(sitting)
        self._space = space
        self.most = space.most

    @property
    def _whence(self) -> str:
        attacker = self.state.attacker
        return "The war zone" if attacker is None else self.sitting.names[attacker]

    def all_cards(self) -> tuple[Card, ...]:
        return hand_cards(self.sitting, self._space.handles, self.chosen)

    def cards(self) -> tuple[tuple[Card, ...], int | None]:
        return self.all_cards(), self.at

    def why_fixed(self, card: Card) -> str:
        return "only hearts defend you"

    def sentence(self) -> str:
        return f"{self._whence} attacks you with {self._space.attack}: spend hearts against it?"

    def about(self) -> str:
        coins = [coin for coin in self.state.hands[self.seat] if coin.handle in self.chosen]
        worth = None if self.sitting.hide else total(coins)
        held = len(self.state.hands[self.seat]) - len(coins)
        if worth is None:
            return "Their values decide; they are hidden now (h)."
        left = max(0, self._space.attack - worth - self._space.bonus * len(coins))
        lost = min(left, held)
        return f"Leaves an attack of {left}: you lose {many(lost, 'coin') if lost else 'nothing'}."

    def request(self) -> Request:
        bonus = " As tough guy each takes one more." if self._space.bonus else ""
        if self.state.attacker is None:
            first = f"It attacks you with {self._space.attack}. What is left of that is lost at random."
        else:
            first = f"{self._whence} attacks with {self._space.attack}, and steals as many coins, unseen."
        hearts = f"You hold {many(len(self._space.handles), 'heart')}: each spent takes its value off.{bonus}"
        buttons = (Button("Defend", "Enter", bool(self.chosen)), Button("Spend none", "n", not self.chosen))
        title = "A war zone!" if self.state.attacker is None else f"{self._whence} beats you!"
        return Request(title, (first, hearts, self.about()), buttons=buttons, alarm=True)

    def hints(self) -> list[Hint]:
        return [*super().hints(), Hint("Enter", "defend"), Hint("n", "spend none")]

    def key(self, name: str) -> bool:
        if name == "n":
            self.sitting.choose(())
            return True
        return super().key(name)

    def done(self) -> None:
        if not self.chosen:
            self.sitting.refuse("lift a heart first, or press n to spend none")
        else:
            self.sitting.choose(self.handles)


class OthersDesk(CoinDesk):
    """Backs in others' hands: `rows` of seats, each with those of its coins that may be chosen."""

    title = ""
    verb = ""
    seats: tuple[int, ...] = ()
    space: Loot | Peeks

    def rows(self) -> tuple[tuple[int, tuple[Card, ...]], ...]:
        """The coins by owner."""
        return tuple((seat, self._row(seat)) for seat in self.seats)

    def _row(self, seat: int) -> tuple[Card, ...]:
        return tuple(
            card._replace(free=card.handle in self.space.handles, chosen=card.handle in self.chosen)
            for card in open_cards(self.state, seat, self.sitting.hide)
        )

    def all_cards(self) -> tuple[Card, ...]:
        return tuple(card for _, cards in self.rows() for card in cards)

    def line(self) -> str:
        """How many may be chosen, and are."""
        return f"{len(self.chosen)} of {self.most} chosen."

    def request(self) -> Request:
        buttons = (Button(self.verb, "Enter", bool(self.chosen)), Button("None", "n", not self.chosen))
        return Request(self.title, (self.sentence(), self.line()), self.rows(), self.at, buttons)

    def hints(self) -> list[Hint]:
        return [*super().hints(), Hint("Enter", self.verb.lower()), Hint("n", "none")]

    def key(self, name: str) -> bool:
        if name in ("up", "down") and len(self.seats) > 1:
            self._to_row(1 if name == "down" else -1)
            return True
        if name == "n":
            self.sitting.confirm(
                f"{self.verb} nothing?", f"You may choose up to {many(self.most, 'coin')}.", "None",
                lambda: self.sitting.choose(()),
            )  # fmt: skip
            return True
        return super().key(name)

    def _to_row(self, by: int) -> None:
        starts, count = [], 0
        for _, cards in self.rows():
            starts.append((count, len(cards)))
            count += len(cards)
        here = next(row for row, (start, size) in enumerate(starts) if start <= self.at < start + size)
        column = self.at - starts[here][0]
        start, size = starts[(here + by) % len(starts)]
        self._cursor = start + min(column, size - 1)

    def done(self) -> None:
        if not self.chosen:
            self.sitting.refuse("choose a coin first, or press n for none")
        else:
            self.sitting.choose(self.handles)


class TheftDesk(OthersDesk):
    """Which coins are stolen from who was beaten."""

    phase = "STEAL"
    verb = "Steal"

    def __init__(self, sitting: Sitting, space: Loot) -> None:
        super().__init__(sitting)
        self.space = space
        self.most = space.most
        self.seats = (space.victim,)
        self.title = f"Beaten: {sitting.names[space.victim]}"

    def sentence(self) -> str:
        name = self.sitting.names[self.space.victim] if isinstance(self.space, Loot) else ""
        return f"Steal up to {many(self.most, 'coin')} from {name}: you see their backs."

    def why_fixed(self, card: Card) -> str:
        return "that coin cannot be stolen"


class PeekDesk(OthersDesk):
    """Which coins of others a spy looks at."""

    phase = "PEEK"
    verb = "Peek"
    title = "The spy’s lair"

    def __init__(self, sitting: Sitting, space: Peeks) -> None:
        super().__init__(sitting)
        self.space = space
        self.most = space.most
        state = sitting.state
        self.seats = tuple(seat for seat in state.others(sitting.seat) if state.hands[seat])

    def sentence(self) -> str:
        return f"Peek at up to {many(self.most, 'coin')}; you alone see the values."


def _sum(coins: Sequence[Item]) -> str:
    """Coins added up: "♠ 3 + A = 4"."""
    values = sorted((known(coin)[1] or 0 for coin in coins), reverse=True)
    sign = SUITS[known(coins[0])[0]].sign
    if len(values) == 1:
        return f"{sign} {face(values[0])}"
    return f"{sign} {' + '.join(map(face, values))} = {sum(values)}"
