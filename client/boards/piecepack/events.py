"""The events of a game, read from a table's story, and each of them in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kimberley.client.boards.piecepack.phrases import (
    in_words,
    known,
    long_coins,
    long_tile,
    marked_tile,
    short_coin,
    up_to,
)
from kimberley.client.boards.piecepack.suits import POWER_WORDS, SUITS
from kimberley.client.boards.subject import Subject, subject
from kimberley.games.phrases import count_of, join_names
from kimberley.games.piecepack.field import Tile
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.suits import CLUB, HEART, MOON, POWERS
from kimberley.games.table import Answer, Ask, Item, Leave, Show, Shuffle
from kimberley.p2p.sentences.notices import RESIGNS


@dataclass(frozen=True, slots=True)
class GameEvent:
    """One thing that happened: its number in the story, what it was, who did it, the states before and after it.

    `coins` are as the reader of the story knows them; `owners` says of each whose it is or was. `tile` is where it
    happened, `over` the tile jumped over, `amount` points, attack or steps.
    """

    step: int
    kind: str
    seat: int
    before: State
    after: State
    coins: tuple[Item, ...] = ()
    owners: tuple[int, ...] = ()
    other: int | None = None
    tile: Tile | None = None
    over: Tile | None = None
    amount: int = 0

    @property
    def turn(self) -> int:
        """The turn that it is part of, from 0."""
        return self.before.turns

    @property
    def in_turns(self) -> bool:
        """Returns whether it is part of a turn: lots and deal come before the first."""
        return self.kind not in ("lots", "deal")


def read_events(step: int, before: State, ask: Ask, answer: Answer, then: State) -> list[GameEvent]:
    """Returns what happened in one entry of a story, which led from the state `before` to `then`."""

    def happened(kind: str, seat: int | None = None, **more: Any) -> GameEvent:
        return GameEvent(step, kind, before.turn if seat is None else seat, before, then, **more)

    if isinstance(ask, Leave):
        return [happened("leave", ask.seat)]
    if isinstance(ask, Shuffle):
        return []
    events: list[GameEvent] = []
    match before.phase:
        case "lots":
            events = [happened("lots", then.begins)]
        case "deal" | "draw":
            events = [happened(before.phase, coins=then.hands[before.turn][len(before.hands[before.turn]) :])]
        case "explore" if then.ended:
            events = [happened("last")]
        case "place":
            events = [happened("lay", tile=then.field[-1])]
        case "act":
            events = _acted(before, answer, happened)
        case "path":
            events = _moved(before, answer, happened)
        case "reveal":
            # A beating that is worth nothing ends at once: what was revealed is in the answer.
            spent = _shown(before.spent, ask, answer, before.seats)
            bonus = len(spent) if before.deed == "club" and before.power(before.turn, CLUB) else 0
            worth = sum(known(coin)[1] or 0 for coin in spent) + bonus
            events = [happened(before.deed, coins=spent, other=before.attacked, amount=worth)]
        case "sale":
            sold = [coin for coin in before.hands[before.turn] if coin.handle in before.chosen]
            points = then.scores[before.turn] - before.scores[before.turn]
            events = [happened("sell", coins=_shown(sold, ask, answer, before.seats), amount=points)]
        case "defend" if not answer:
            events = [happened("bare", before.attacked)]
        case "shield":
            hearts = _shown(before.shield, ask, answer, before.seats)
            bonus = len(hearts) if before.attacker is not None and before.power(before.attacked or 0, HEART) else 0
            left = max(0, before.attack - bonus - sum(known(coin)[1] or 0 for coin in hearts))
            events = [happened("defend", before.attacked, coins=hearts, amount=left)]
        case "steal" if not answer:
            events = [happened("spare", other=before.attacked)]
        case "look":
            loot = [coin for coin in then.hands[before.turn] if coin.handle in before.chosen]
            events = [happened("steal", coins=tuple(loot), other=before.attacked)]
        case "glance":
            seen = [(c, seat) for seat, hand in enumerate(then.hands) for c in hand if c.handle in before.chosen]
            events = [happened("peek", coins=tuple(c for c, _ in seen), owners=tuple(seat for _, seat in seen))]
        case "heart":
            heart = [coin for coin in then.hands[before.turn] if coin.handle in before.chosen]
            events = [happened("heart", coins=tuple(heart))]
        case "mine":
            events = [happened("mine", coins=then.hands[before.turn][len(before.hands[before.turn]) :])]
    if before.phase in ("act", "path", "defend", "shield", "lost") and before.attacker is None:
        events += _lost(before, answer, then, happened)
    return events


def turn_ran_out(past: Sequence[GameEvent], seat: int) -> bool:
    """Returns whether the last turn of a seat ended because it could do nothing more, which means that its last event
    ended it.
    """
    own = next((event for event in reversed(past) if event.in_turns and event.before.turn == seat), None)
    return own is not None and own.kind != "leave" and own.after.turns > own.turn


def _acted(before: State, choice: Any, happened: Any) -> list[GameEvent]:
    match choice:
        case ("step" | "jump", *_):
            events: list[GameEvent] = _moved(before, choice, happened)
            return events
        case ("market", handles):
            traded = tuple(coin for coin in before.hands[before.turn] if coin.handle in handles)
            return [happened("trade", coins=traded)]
    return []


def _moved(before: State, choice: Any, happened: Any) -> list[GameEvent]:
    match choice:
        case ("step", int(to)):
            return [happened("step", tile=before.field[to])]
        case ("jump", int(over), int(to)):
            return [happened("jump", tile=before.field[to], over=before.field[over])]
    return []


def _lost(before: State, answer: Any, then: State, happened: Any) -> list[GameEvent]:
    """Returns the loss of coins to a war zone or a holy site, as events."""
    seat = before.turn
    chosen = answer if before.phase == "defend" else answer[-1] if before.phase == "act" else ()
    kept = {coin.handle for coin in (*then.hands[seat], *then.spent)}
    kept |= set(chosen) if isinstance(chosen, tuple) else set()
    gone = tuple(coin for coin in before.hands[seat] if coin.handle not in kept)
    if not gone:
        return []
    holy = before.phase in ("act", "path")
    index = then.pawns[seat]
    tile = then.field[index] if index is not None else None
    kind = "give" if holy and tile is not None and tile.suit == HEART else "lose"
    return [happened(kind, coins=gone, tile=tile)]


def _shown(coins: Iterable[Item], ask: Ask, answer: Answer, seats: int) -> tuple[Item, ...]:
    """Returns coins, with what the answer to a Show revealed of them."""
    assert isinstance(ask, Show)
    revealed = dict(zip(ask.items, answer, strict=True))
    return tuple(coin.shown(revealed[coin.handle], ask.parts, seats) for coin in coins)


# -- in words ----------------------------------------------------------------------------------------------------------


def _one_more(event: GameEvent) -> str:
    """Says that a coin was drawn by the scrounger's power."""
    if not event.before.power(event.seat, MOON) or len(event.coins) < event.before.amount:
        return ""
    power = f"as the {POWERS[MOON]}"
    return f" {power}" if event.before.amount == 1 else f", one of them {power}"


def coins_in_words(hands: Iterable[Iterable[Item]], handles: Iterable[int]) -> str:
    """Returns some coins of hands, in words; empty if there are none."""
    chosen = set(handles)
    return Narrator((), None, signs=False).coins(coin for hand in hands for coin in hand if coin.handle in chosen)


@dataclass(frozen=True, slots=True)
class Narrator:
    """Puts events into words. The seat `you` is addressed as "you". With `signs`, coins and tiles are written with the
    signs of their suits, else in words; if coins are `counted`, only their number is given.
    """

    names: Sequence[str]
    you: int | None
    signs: bool = True
    counted: bool = False

    def name(self, seat: int) -> str:
        return "you" if seat == self.you else self.names[seat]

    def describe_event(self, event: GameEvent) -> str:
        """Returns a whole sentence, with its full stop."""
        sentence = f"{self.name(event.seat)} {self.predicate(event)}"
        return f"{sentence[0].upper() if event.seat == self.you else sentence[0]}{sentence[1:]}."

    def describe_past(self, event: GameEvent) -> str:
        """Says in a sentence how coins were stolen or peeked at earlier."""
        if event.kind == "peek":
            return f"{self.names[event.seat]} peeked at {self._peeked(event)}."
        assert event.other is not None, event.kind
        return f"{self.names[event.seat]} stole {self.coins(event.coins)} from {self.name(event.other)}."

    def coins(self, coins: Iterable[Item]) -> str:
        """Returns coins, by suit and value, or counted."""
        if self.counted:
            return count_of(len(list(coins)), "coin")
        pairs = sorted(map(known, coins), key=lambda coin: (coin[0], -1 if coin[1] is None else coin[1]))
        if self.signs:
            return " ".join(short_coin(suit, value) for suit, value in pairs)
        return long_coins(pairs)

    def tile(self, tile: Tile | None) -> str:
        """Returns a tile, by suit and value."""
        if tile is None:
            return ""
        return marked_tile(tile) if self.signs else long_tile(tile)

    def predicate(self, event: GameEvent) -> str:
        """Says what the seat did, without its subject."""
        who = subject(self.names, event.seat, self.you)
        other = self.name(event.other) if event.other is not None else ""
        coins = self.coins(event.coins)
        match event.kind:
            case "lots":
                return f"{who.does('begins')}. {self._roles(event.after)}"
            case "deal" | "draw":
                return f"{who.does('draws')} {coins}{_one_more(event)}"
            case "lay":
                return f"{who.does('places')} {self.tile(event.tile)}"
            case "last":
                return f"{who.does('draws')} the last tile"
            case "step":
                return f"{who.does('goes')} to {self.tile(event.tile)}"
            case "jump":
                over = self.tile(event.over).partition(",")[0]
                return f"{who.does('jumps')} over {over} to {self.tile(event.tile)}"
            case "sun":
                spent = f"{who.does('spends')} {coins}"
                if not event.amount:
                    return f"{spent}, worth nothing, and {who.does('goes')} nowhere"
                return f"{spent} to travel {up_to(event.amount, 'tile')}"
            case "moon":
                return f"{who.does('spends')} {coins} to rest"
            case "spade":
                return f"{who.does('spends')} {coins} to mine"
            case "club":
                return f"{who.does('attacks')} {other} for {event.amount} with {coins}"
            case "defend":
                attack = event.before.attack
                return f"{who.does('blocks')} {attack - event.amount} of {attack} with {coins}"
            case "bare":
                return f"{who.does('does')} not defend"
            case "steal":
                return f"{who.does('steals')} {coins} from {other}"
            case "spare":
                return f"{who.does('steals')} nothing from {other}"
            case "lose":
                return f"{who.does('loses')} {coins} in the war zone"
            case "give":
                return f"{who.does('loses')} {coins} at the holy site"
            case "sell":
                why = (
                    ""
                    if event.amount
                    else " (the 0 ruins the sale)"
                    if len(event.coins) > 1
                    else " (a 0 is worth nothing)"
                )
                return f"{who.does('sells')} {coins} for {count_of(event.amount, 'point')}{why}"
            case "trade":
                return f"{who.does('trades')} {coins} away"
            case "heart":
                return f"{who.does('draws')} {coins} at the oasis"
            case "mine":
                return f"{who.does('mines')} {coins}"
            case "peek":
                return f"{who.does('peeks')} at {self._peeked(event)}"
            case "leave":
                return who.does(RESIGNS)
        raise AssertionError(event.kind)

    def _roles(self, state: State) -> str:
        """Returns a sentence for each seat, your own first, and one for your power; the last without its full stop."""
        roles = [
            f"{'You are' if seat == self.you else f'{self.names[seat]} is'} the {POWERS[suit]}"
            + (f" {SUITS[suit].sign}" if self.signs else f" ({SUITS[suit].name}s)")
            for seat, suit in sorted(enumerate(state.suits), key=lambda each: each[0] != self.you)
        ]
        if self.you is not None and state.suits:
            roles.append(self._power(state.suits[self.you]))
        return ". ".join(roles)

    def _power(self, suit: int) -> str:
        does, _, what = POWER_WORDS[suit].removesuffix(".").partition(" ")
        power = f"As the {POWERS[suit]}, you {Subject('', is_you=True).does(does)} {what}"
        return power if self.signs else in_words(power)

    def _peeked(self, event: GameEvent) -> str:
        parts = []
        for owner in sorted(set(event.owners)):
            coins = [coin for coin, of in zip(event.coins, event.owners, strict=True) if of == owner]
            whose = "your" if owner == self.you else f"{self.names[owner]}’s"
            unknown = any(known(coin)[1] is None for coin in coins)
            if unknown and not self.signs:
                parts.append(f"{self.coins(coins)} of {whose}")
            else:
                parts.append(f"{whose} {self.coins(coins)}")
        if self.signs or len(parts) == 1:
            return join_names(parts)
        return f"{', at '.join(parts[:-1])}, and at {parts[-1]}"
