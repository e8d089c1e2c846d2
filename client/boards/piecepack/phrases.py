"""What the game says to a player: tiles and coins by name, what a tile would do, what each action does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from kimberley.client.boards.piecepack.suits import SUITS, face, tile_name
from kimberley.games.phrases import count_of, join_names
from kimberley.games.piecepack.coins import suit as suit_of
from kimberley.games.piecepack.coins import value as value_of
from kimberley.games.piecepack.coins import values
from kimberley.games.piecepack.field import Tile, TilePlace, distances, places
from kimberley.games.piecepack.position import QUIET_ROUNDS
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.suits import CLUB, DIAMOND, HEART, MOON, RANKS, SPADE, SUN, payoff
from kimberley.games.table import HIDDEN, Item, evolve

NO_COINS: Final = "No coins in hand."
DONE: Final = {SUN: "you have already traded there this turn", MOON: "you have already drawn there this turn"}
"""Why a market and an oasis do nothing more in a turn."""
_NAMES: Final = {suit.sign: suit.name for suit in SUITS}
_SIGNS: Final = re.compile(
    r"((?i:\b(?:have only|your|their|no|in|with|for|many|there|spend|mine|steal|[02-9]|\d\d+|"
    rf"sell(?! . (?:[\dA]|\(\d\+\d\)) for)) )?)([{''.join(_NAMES)}])(0| A(?= for))?"
)
"""The sign of a suit, with the words before it that require the plural, unless a 0 follows or only one is sold; an ace
is sold alone.
"""

_SIGN_OF: Final = {suit.name: suit.sign for suit in SUITS}
_NAMED: Final = re.compile(rf"\b({'|'.join(_SIGN_OF)}) ({'|'.join(RANKS)})\b")


class TileOutcome(NamedTuple):
    """What going to a tile does: a sentence, whether something is lost by it, and the part that is `so_for_all`."""

    text: str
    harms: bool = False
    so_for_all: str = ""

    @property
    def effect(self) -> str:
        """The sentence without the kind of the tile, which it begins with."""
        return self.text.partition(": ")[2]

    @property
    def own(self) -> str:
        """The part that is only so for this seat, as part of a sentence; empty if there is none."""
        own = self.effect.removeprefix(self.so_for_all).lstrip()
        return f"{own[:1].lower()}{own[1:]}"


def with_article(noun: str) -> str:
    """Returns a noun with its article: "a mine", "an oasis"."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def known(coin: Item) -> tuple[int, int | None]:
    """Returns suit and value of a coin in a hand, None for a value that is hidden."""
    suit, value = suit_of(coin), value_of(coin)
    assert isinstance(suit, int)
    return suit, value if isinstance(value, int) else None


def is_public(coin: Item, seats: int) -> bool:
    """Returns whether everybody has seen the value of a coin."""
    return coin.seen[1] == (1 << seats) - 1


def discreet(coins: Iterable[Item], seats: int) -> tuple[Item, ...]:
    """Returns coins without the values that not everybody has seen."""
    return tuple(
        coin if is_public(coin, seats) else Item(coin.handle, (coin.parts[0], HIDDEN), coin.seen) for coin in coins
    )


def discreet_state(state: State) -> State:
    """Returns a position in which the values of coins are hidden unless everybody has seen them."""
    return evolve(state, hands=tuple(discreet(hand, state.seats) for hand in state.hands))


def in_words(text: str) -> str:
    """Returns a text with the names of suits in place of their signs: "Your 2 clubs go into the bag."."""

    def named(match: re.Match[str]) -> str:
        ending = f" {RANKS[match[3] != '0']}" if match[3] else "s" if match[1] else ""
        return f"{match[1]}{_NAMES[match[2]]}{ending}"

    return _SIGNS.sub(named, text)


def in_signs(text: str) -> str:
    """Returns a text with coins and tiles as the map writes them: "☾0" in place of "moon 0"."""
    return _NAMED.sub(lambda match: f"{_SIGN_OF[match[1]]}{face(RANKS.index(match[2]))}", text)


def values_hidden(key: str) -> str:
    """Says that the player has hidden the values of their coins; `key` shows them, and is empty on a touch screen."""
    return f"Your values are hidden{key}."


def short_coin(suit: int, value: int | None) -> str:
    """Returns a coin in signs: "♦3", "♦" where its value is hidden."""
    return SUITS[suit].sign + ("" if value is None else face(value))


def long_coin(suit: int, value: int | None) -> str:
    """Returns a coin in words: "heart ace", "a heart" where its value is hidden."""
    name = SUITS[suit].name
    return f"a {name}" if value is None else f"{name} {RANKS[value]}"


def long_coins(coins: Iterable[tuple[int, int | None]]) -> str:
    """Returns coins in words, those with hidden values counted: "2 hearts, a moon and club 3"; "" for none."""
    counted = Counter(coins)
    return join_names(
        [
            count_of(number, SUITS[suit].name) if number > 1 else long_coin(suit, value)
            for (suit, value), number in counted.items()
        ]
    )


def short_tile(tile: Tile) -> str:
    """Returns a tile in signs: "♣4 war zone", "☼0 black market"; a heading, or a place in a list."""
    return f"{SUITS[tile.suit].sign}{face(tile.value)} {tile_name(tile.suit, tile.value)}"


def marked_tile(tile: Tile) -> str:
    """Returns a tile in signs, within a sentence: "♣4, a war zone"."""
    return f"{SUITS[tile.suit].sign}{face(tile.value)}, {with_article(tile_name(tile.suit, tile.value))}"


def long_tile(tile: Tile) -> str:
    """Returns a tile in words: "club 4, a war zone"."""
    return f"{SUITS[tile.suit].name} {RANKS[tile.value]}, {with_article(tile_name(tile.suit, tile.value))}"


def touched_at(state: State, place: TilePlace) -> list[Tile]:
    """Returns the tiles that a new one would touch at a place."""
    x, y = place
    return [
        tile
        for tile in state.field
        if (abs(tile.x - x) == 2 and abs(tile.y - y) <= 1) or (abs(tile.y - y) == 2 and abs(tile.x - x) <= 1)
    ]


def place_in_words(state: State, seat: int, place: TilePlace) -> str:
    """Returns a place beside a seat's own tile, and what a new tile would touch there."""
    side, touched = beside_own(state, seat, place)
    return f"{'' if side.startswith(('above', 'below')) else 'to the '}{side}, {touched}"


def beside_own(state: State, seat: int, place: TilePlace) -> tuple[str, str]:
    """Returns on which side of a seat's own tile a place is, and what a new tile would touch there."""
    here = state.tile(seat)
    x, y = place[0] - here.x, place[1] - here.y
    if abs(x) == 2:
        shifts = {-1: ", half a tile up", 0: "", 1: ", half a tile down"}
        side, shift = ("right" if x > 0 else "left"), shifts[y]
    else:
        shifts = {-1: ", half a tile left", 0: "", 1: ", half a tile right"}
        side, shift = ("below" if y > 0 else "above"), shifts[x]
    touched = [f"{SUITS[tile.suit].name} {RANKS[tile.value]}" for tile in touched_at(state, place)]
    return f"{side}{shift}", f"next to {join_names(touched)}"


def coins_of(state: State, seat: int, suit: int) -> list[Item]:
    """Returns a hand's coins of a suit."""
    return [coin for coin in state.hands[seat] if suit_of(coin) == suit]


def useful(state: State, seat: int, suit: int) -> bool:
    """Returns whether a hand's coins of a suit are worth anything when spent; those whose value is hidden may be."""
    coins = coins_of(state, seat, suit)
    return total(coins) != 0 or (bool(coins) and suit == CLUB and state.power(seat, CLUB))


def in_bag(state: State, suit: int) -> bool:
    """Returns whether the bag may hold a coin of a suit that is worth something."""
    lying = values(coin for coin in (*state.bag, *state.returned) if suit_of(coin) == suit)
    return bool(state.left_in_bag(suit)) and any((*lying, *(value for of, value in state.unseen() if of == suit)))


def mined(state: State, seat: int, tile: Tile) -> tuple[int, int]:
    """Returns how many diamonds a hand's spades can mine at most: all together, and in one action. A hidden value may
    be the highest.
    """
    each = [tile.value if (value := known(coin)[1]) is None else value for coin in coins_of(state, seat, SPADE)]
    most = min(state.in_pile, sum(min(value, tile.value) for value in each))
    return most, min(most, tile.value)


class _Errand(NamedTuple):
    """What brings the next points: what to do, the nearest tile for it, and a sentence for when there is none."""

    text: str
    tile: int | None
    lacks: str


def _errand(state: State, seat: int) -> _Errand:
    """Returns what to do next: sell diamonds, or get rid of a 0 among them; mine with spades, or steal with clubs where
    nothing is left to mine; else trade or draw coins, which may bring these.
    """
    far = distances(state.field, state.at(seat))

    def nearest(*suits: int) -> int | None:
        open_ = (n for n, tile in enumerate(state.field) if tile.suit in suits and not tile.market)
        return min(open_, key=lambda index: far[index], default=None)

    if coins_of(state, seat, DIAMOND):
        # Diamonds are sold by entering a market, not by standing there.
        markets = (index for index, tile in enumerate(state.field) if tile.market and far[index])
        task = "get rid of ♦0" if sale(state, seat)[1] == 0 else "sell ♦"
        other = "other " if state.tile(seat).market else ""
        closest = min(markets, key=lambda index: far[index], default=None)
        return _Errand(task, closest, f"No {other}black market is on the map yet.")
    if state.in_pile and (useful(state, seat, SPADE) or state.power(seat, SPADE)):
        return _Errand("mine ♦", nearest(DIAMOND), "No mine is on the map yet.")
    if not state.in_pile and useful(state, seat, CLUB):
        rich = {state.at(other) for other in state.others(seat) if coins_of(state, other, DIAMOND)}
        open_ = (index for index in rich if state.field[index].market or state.field[index].suit != HEART)
        nearest_rich = min(open_, key=lambda index: (far[index], index), default=None)
        safe = "Everyone with ♦ stands on a holy site, safe from beatings."
        return _Errand("steal ♦ with ♣", nearest_rich, safe)
    if not state.hands[seat]:
        if state.hearts_in_bag:
            return _Errand("draw a ♥", nearest(MOON), "No oasis is on the map yet.")
        return _Errand("", None, "You have no coins, and the bag has no ♥ for an oasis.")
    wanted, sign = (SPADE, "♠") if state.in_pile else (CLUB, "♣")
    trade = f"try to trade for {sign}" if in_bag(state, wanted) else "trade coins"
    if not state.hearts_in_bag:
        return _Errand(trade, nearest(SUN), "There is no market on the map yet.")
    index = nearest(SUN, MOON)
    if index is None or state.field[index].suit == SUN:
        return _Errand(trade, index, "There is no oasis or market on the map yet.")
    return _Errand("draw a ♥", index, "")


def goal_tile(state: State, seat: int) -> int | None:
    """Returns the tile of `next_goal`; None if there is none yet."""
    return _errand(state, seat).tile


def next_goal(state: State, seat: int, called: Callable[[Tile], str] = marked_tile) -> str:
    """Says what may bring the next points, and how far it is: "You could sell ♦ at ♣0, a black market, 2 steps away.";
    or why nothing does. It is a rule of thumb, and a bot that looks ahead may advise something else. `called` names the
    tile.
    """
    errand = _errand(state, seat)
    if errand.tile is None:
        return errand.lacks
    steps = distances(state.field, state.at(seat))[errand.tile]
    if not steps:
        return f"You can {errand.text} here."
    return f"You could {errand.text} at {called(state.field[errand.tile])}, {count_of(steps, 'step')} away."


def total(coins: Iterable[Item]) -> int | None:
    """Returns the sum of values, None if one of them is hidden."""
    values = [known(coin)[1] for coin in coins]
    return sum(value for value in values if value is not None) if None not in values else None


def sale(state: State, seat: int) -> tuple[str, int | None]:
    """Returns what a hand's diamonds sell for, as a product and its result: ("3 × 4", 12); None if a value is
    hidden.
    """
    diamonds = coins_of(state, seat, DIAMOND)
    values = sorted(value for coin in diamonds if (value := known(coin)[1]) is not None)
    if len(values) < len(diamonds):
        return " × ".join("?" * len(diamonds)), None
    swindles = state.power(seat, DIAMOND)
    factors = [str(value) for value in values]
    if swindles and factors:
        factors[-1] = f"({values[-1]}+2)"
    elif len(values) == 1:
        factors = [face(values[0])]
    return " × ".join(factors), payoff(values, swindles)


def ruined(state: State, seat: int) -> str:
    """Says why two or more diamonds would sell for nothing; empty if they would not."""
    product, worth = sale(state, seat)
    return "♦0 ruins the sale" if worth == 0 and product not in ("", "0") else ""


def tradable(state: State, seat: int) -> int:
    """Returns how many coins a seat holds that markets take."""
    return len(state.hands[seat]) - len(coins_of(state, seat, DIAMOND))


def up_to(most: int, what: str) -> str:
    """Returns how many of something can be chosen: "up to 3 coins", "1 coin"."""
    return count_of(most, what) if most == 1 else f"up to {count_of(most, what)}"


def _peeking(most: int) -> str:
    """Says what a spy can do."""
    return "peek at 1 of the others’ coins, or none" if most == 1 else f"peek at up to {most} of the others’ coins"


def used(state: State, seat: int, index: int) -> bool:
    """Returns whether a seat has already done in this turn what a market, an oasis or a mine offers once a turn."""
    return state.turn == seat and any(at == index for _, at in state.used)


def outcome(state: State, seat: int, index: int) -> TileOutcome:
    """Returns what going to a tile would do to a seat, or let it do there."""
    tile = state.field[index]
    hand = state.hands[seat]
    if tile.market:
        return _sale_there(state, seat)
    match tile.suit:
        case s if s in DONE and used(state, seat, index):
            return TileOutcome(f"{tile_name(s, tile.value).capitalize()}: {DONE[s]}.")
        case s if s == SUN:
            traded = tradable(state, seat)
            if not traded:
                only = "Market: you have only ♦, which nobody can trade."
                return TileOutcome(only if hand else "Market: you have no coins to trade.")
            return TileOutcome(f"Market: an action there trades {up_to(min(tile.value, traded), 'coin')}.")
        case s if s == MOON:
            left = state.hearts_in_bag
            nothing = "you get nothing, as no ♥ is in the bag"
            return TileOutcome(f"Oasis: {'an action there draws a ♥' if left else nothing}.")
        case s if s == CLUB:
            attacks = f"War zone: it attacks for {tile.value}"
            if not hand:
                return TileOutcome(f"{attacks}, but you hold no coins.")
            if useful(state, seat, HEART):
                return TileOutcome(
                    f"{attacks}, less the hearts you spend; you lose a coin for each point not blocked.", True
                )
            return TileOutcome(f"{attacks}; you lose {count_of(min(tile.value, len(hand)), 'coin')}.", True)
        case s if s == DIAMOND:
            return TileOutcome(f"Mine: {_mining(state, seat, index)}.")
        case s if s == HEART:
            clubs = len(coins_of(state, seat, CLUB))
            safe = "nobody can be beaten there."
            lost = f" Your {f'{clubs} ♣ go' if clubs > 1 else 'only ♣ goes'} into the bag." if clubs else ""
            return TileOutcome(f"Holy site: {safe}{lost}", bool(clubs), safe)
        case s if s == SPADE:
            others = sum(len(state.hands[other]) for other in state.others(seat))
            if not others:
                return TileOutcome("Spy’s lair: nobody else has coins.")
            return TileOutcome(f"Spy’s lair: {_peeking(min(tile.value, others))}.")
    raise AssertionError(tile)


def _mining(state: State, seat: int, index: int) -> str:
    """Says what a hand's spades, or the digger, can mine on a tile."""
    if not state.in_pile:
        return "you get nothing, as no ♦ are left"
    digs = state.power(seat, SPADE) and not used(state, seat, index)
    held = len(coins_of(state, seat, SPADE))
    most, once = mined(state, seat, state.field[index])
    if not most and digs:
        return "an action there digs one ♦ for free"
    if not most:
        worthless = {0: "you have no ♠ to mine with", 1: "your only ♠ is worth 0"}
        return worthless.get(held, "your ♠ are worth 0")
    get = f"spend your {'only ' if held == 1 else ''}♠ there to get {'up to ' if most > 1 else ''}{most} ♦"
    each = f", at most {once} each time" if most > once else ""
    return f"{get}{each}{'; another action digs one for free' if digs and most < state.in_pile else ''}"


def _sale_there(state: State, seat: int) -> TileOutcome:
    product, worth = sale(state, seat)
    if not product:
        return TileOutcome("Black market: you have no ♦ to sell.")
    if worth is None:
        return TileOutcome("Black market: you sell all your ♦.")
    why = f"; {ruin}" if (ruin := ruined(state, seat)) else ""
    return TileOutcome(f"Black market: you sell ♦ {product} for {count_of(worth, 'point')}{why}.", worth == 0)


def gone(state: State) -> list[int]:
    """Returns the seats that resigned."""
    return [seat for seat in range(state.seats) if not state.present[seat]]


def ending(state: State, *, brief: bool = False) -> str:
    """Says how near the game is to its end, where no tiles are left or nobody can explore; "" if it is not near."""
    rounds = state.quiet // max(1, sum(state.present))
    if rounds >= QUIET_ROUNDS:
        return "the last turn"
    if rounds and brief:
        return f"no exploring: round {rounds} of {QUIET_ROUNDS}"
    if rounds:
        return f"nobody has explored for {count_of(rounds, 'round')}; after {QUIET_ROUNDS} the game ends"
    return "1 tile left, then the end" if len(state.stack) == 1 else ""


def after_turn(state: State) -> str:
    """Says how the game ends after the turn, whatever is done in it except a sale; "" if the game goes on."""
    if state.quiet >= QUIET_ROUNDS * sum(state.present):
        return "The game ends."
    if len(state.stack) == 1 and places(state.field, state.at(state.others(state.turn)[0])):
        return "The next player draws the last tile, and the game ends."
    return ""


def tile_rule(tile: Tile) -> str:
    """Says what a tile does to a player who goes there."""
    if tile.market:
        return "a black market: when you enter, you must sell all your diamonds, for the product of their values."
    v = tile.value
    return {
        SUN: f"a market: trade {up_to(v, 'coin')} here, no diamonds, once a turn.",
        MOON: "an oasis: draw coins until a heart comes up, once a turn.",
        CLUB: f"a war zone: everyone who enters is attacked for {v}. You lose a random coin for each point your "
        "hearts do not block.",
        DIAMOND: f"a mine: spend spades here to mine {up_to(v, 'diamond')}.",
        HEART: "a holy site: you lose your clubs when you enter. No beatings here.",
        SPADE: f"a spy’s lair: when you enter, {_peeking(v)}.",
    }[tile.suit]
