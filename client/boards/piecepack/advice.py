"""Why a bot chooses what it does, in a sentence: what an action brings, or what a tile does to a player going there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from kimberley.client.boards.next_best import FORESEEN, NextBest, next_best
from kimberley.client.boards.piecepack.choice_words import owned_by, peeked
from kimberley.client.boards.piecepack.events import coins_in_words
from kimberley.client.boards.piecepack.phrases import (
    after_turn,
    coins_of,
    goal_tile,
    in_bag,
    in_words,
    long_tile,
    mined,
    next_goal,
    outcome,
    place_in_words,
    ruined,
    sale,
    total,
    up_to,
    used,
    useful,
)
from kimberley.games.phrases import count_of
from kimberley.games.piecepack.coins import values
from kimberley.games.piecepack.field import Tile, TilePlace, distances, places
from kimberley.games.piecepack.legal import hearts
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.suits import CLUB, DIAMOND, HEART, MOON, SPADE, SUITS, SUN, payoff
from kimberley.games.table import Item, evolve

ROOMY: Final = "there is room to explore next to it"
NO_LOSS: Final = "that brings nothing, but counts as an action"
"""Why coins are spent for nothing."""
MULTIPLY: Final = "diamonds multiply when sold together"
RUINS: Final = "diamond 0, which ruins every sale"
IDLE: Final = "no action is worth its coins now"
NO_COINS: Final = "you have no coins to spend"
"""Why a turn ends."""


class _Advice(NamedTuple):
    """What to do, and the fact that speaks for it; empty if only looking ahead shows it."""

    action: str
    fact: str


def advise(state: State, seat: int, choice: Any, names: Sequence[str]) -> str:
    """Returns a choice as advice, and why."""
    action, fact = _advice(state, seat, choice, names)
    match choice:
        case ("end",):
            later = "" if after_turn(state) else _goal(state, seat)
            fact = "; later ".join(filter(None, (IDLE if state.hands[seat] else NO_COINS, later)))
    return f"{action}: {fact or FORESEEN}.{_price(state, seat, choice)}"


def advise_next(state: State, seat: int, choice: Any, other: Any, names: Sequence[str]) -> NextBest:
    """Returns the second-best choice, and what it brings."""
    action, fact = _advice(state, seat, other, names)
    # The claim that nothing else comes out better is only true of the choice itself.
    return next_best(action, fact.removesuffix(f"; {FORESEEN}"), _advice(state, seat, choice, names).fact)


def _advice(state: State, seat: int, choice: Any, names: Sequence[str]) -> _Advice:
    match state.phase:
        case "place":
            return _Advice(f"Place the tile {place_in_words(state, seat, choice)}", _nearest(state, seat, choice))
        case "defend":
            return _defense(state, seat, choice)
        case "steal" | "peek":
            return _unseen(state, choice, names)
    return _Advice(*_action(state, seat, choice, names))


def _coins(state: State, handles: Iterable[int]) -> str:
    """Returns some coins in words, as the seat knows them."""
    return coins_in_words(state.hands, handles)


def _without(state: State, seat: int, handles: Iterable[int]) -> State:
    """Returns the position after a seat has spent or lost some coins."""
    gone = set(handles)
    kept = tuple(coin for coin in state.hands[seat] if coin.handle not in gone)
    return evolve(state, hands=(*state.hands[:seat], kept, *state.hands[seat + 1 :]))


def _own(state: State, seat: int, handles: Iterable[int]) -> list[Item]:
    chosen = set(handles)
    return [coin for coin in state.hands[seat] if coin.handle in chosen]


def _nearest(state: State, seat: int, place: TilePlace) -> str:
    """Returns how far a new tile is from the others."""
    assert state.drawn is not None
    far = distances((*state.field, Tile(*state.drawn, *place)), len(state.field))
    steps = min(far[state.at(other)] for other in state.others(seat))
    return f"it is 1 step from you and {count_of(steps, 'step')} from the nearest other player"


def _goal(state: State, seat: int) -> str:
    """Returns what may bring the next points; empty if nothing on the map does yet."""
    if goal_tile(state, seat) is None:
        return ""
    return _begun(in_words(next_goal(state, seat, long_tile)))


def _action(state: State, seat: int, choice: Any, names: Sequence[str]) -> tuple[str, str]:
    match choice:
        case ("step", int(to)) | ("jump", _, int(to)):
            return f"Go to {long_tile(state.field[to])}", _there(state, seat, to)
        case ("sun", handles):
            if not total(_own(state, seat, handles)):
                return f"Spend {_coins(state, handles)} to travel", _no_loss(len(handles))
            reach = up_to(total(_own(state, seat, handles)) or 0, "tile")
            spent = _without(state, seat, handles)
            arrived = goal_tile(spent, seat) == state.at(seat)
            why = "you can do more on another tile than on this one" if arrived else _goal(spent, seat)
            return f"Spend {_coins(state, handles)} to travel {reach}", why
        case ("moon", handles):
            drawn = _drawn(state, seat, total(_own(state, seat, handles)) or 0, state.in_bag)
            rests = f"Spend {_coins(state, handles)} to rest"
            return rests, f"you draw {drawn}" if total(_own(state, seat, handles)) else _no_loss(len(handles))
        case ("spade", handles):
            number = min(total(_own(state, seat, handles)) or 0, state.tile(seat).value, state.in_pile)
            why = _mined(state, seat, number) if number else _no_loss(len(handles))
            return f"Spend {_coins(state, handles)} to mine here", why
        case ("club", int(victim), handles):
            attack = (total(_own(state, seat, handles)) or 0) + len(handles) * state.power(seat, CLUB)
            holds = count_of(len(state.hands[victim]), "coin")
            why = f"it is an attack of {attack}, and {names[victim]} holds {holds}"
            steals = attack and state.hands[victim]
            return f"Attack {names[victim]} with {_coins(state, handles)}", why if steals else _no_loss(len(handles))
        case ("market", handles):
            drawn = _drawn(state, seat, len(handles), state.in_bag + len(handles))
            why = f"you draw {drawn} from the bag, perhaps {_hoped(state, seat)}"
            return f"Trade away {_coins(state, handles)}", why
        case ("dig",):
            return "Dig for one diamond", f"it is free{_risk(state, seat, 1)}"
        case ("oasis",):
            return "Draw a heart at the oasis", "that is free, and hearts block attacks"
        case ("stop",):
            return "Stop here", _goal(state, seat)
    held = len(state.hands[seat])
    return "End the turn", f"you keep {count_of(held, 'coin')}" if held else ""


def _no_loss(spent: int) -> str:
    """Says why `spent` coins are spent for nothing."""
    return f"{NO_LOSS}, and the {'coin is' if spent == 1 else 'coins are'} of little use now"


def _mined(state: State, seat: int, number: int) -> str:
    """Says what `number` diamonds from the pile are good for, and what they risk."""
    got, risk = f"you get {count_of(number, 'diamond')}", _risk(state, seat, number)
    held, best = values(coins_of(state, seat, DIAMOND)), sorted(_unseen_diamonds(state))[-number:]
    swindles = state.power(seat, DIAMOND)
    if 0 in (*held, *best):
        return f"{got}{risk}; {FORESEEN}"
    if held and payoff([*held, *best], swindles) == payoff(held, swindles):
        return f"{got}, which cannot raise the price of yours{risk}; {FORESEEN}"
    return f"{got}, and {MULTIPLY}{risk}"


def _risk(state: State, seat: int, number: int) -> str:
    """Says that ♦0 spoils `number` diamonds from the pile, or may; empty if it cannot."""
    if 0 in values(coins_of(state, seat, DIAMOND)):
        return f", but you hold {RUINS}"
    unseen, left = _unseen_diamonds(state), state.in_pile
    if 0 not in unseen:
        return ""
    if len(unseen) > left:
        return f", but {f'{RUINS}, may be among the {left} left' if left > 1 else f'the only one left may be {RUINS}'}"
    if number < left:
        return f", but 1 of the {left} left is {RUINS}"
    return f", but {'one of them' if left > 1 else 'it'} is {RUINS}"


def _unseen_diamonds(state: State) -> list[int]:
    """Returns the values of the diamonds that may be in the pile."""
    unseen = [value for suit, value in state.unseen() if suit == DIAMOND]
    return [*unseen, *values((*state.pile, *state.sold))]


def _hoped(state: State, seat: int) -> str:
    """Returns what to hope for from the bag: a coin that brings points and is not in the hand, if the bag has one."""
    suit, use = (SPADE, "to mine with") if state.in_pile else (CLUB, "to steal diamonds with")
    lacks = not useful(state, seat, suit) and not (suit == SPADE and state.power(seat, SPADE))
    return f"a {SUITS[suit]} {use}" if lacks and in_bag(state, suit) else "one of more use"


def _drawn(state: State, seat: int, number: int, bag: int) -> str:
    """Returns how many coins are drawn in place of `number` others, from a bag of `bag` coins."""
    return count_of(min(bag, number + (number > 0 and state.power(seat, MOON))), "coin")


def _begun(sentence: str) -> str:
    """Returns a sentence as part of another one."""
    return f"{sentence[0].lower()}{sentence[1:]}".rstrip(".")


def _there(state: State, seat: int, tile: int) -> str:
    """Returns what a tile does for a player who goes there; empty if it does nothing, or harm."""
    if not _serves(state, seat, tile):
        return _on_the_way(state, seat, tile) or (ROOMY if places(state.field, tile) else "")
    if state.field[tile].market and sale(state, seat)[1] == 0:
        with_others = "you sell all your diamonds for nothing, and with them ♦0, which ruins every sale"
        return in_words(with_others if ruined(state, seat) else "you get rid of ♦0, which ruins every sale")
    tile_outcome = outcome(state, seat, tile)
    if tile_outcome.harms:
        return _on_the_way(state, seat, tile)
    mine = state.field[tile].suit == DIAMOND and not state.field[tile].market
    most = mined(state, seat, state.field[tile])[0] + int(state.power(seat, SPADE))
    return f"{_begun(in_words(tile_outcome.effect))}{_risk(state, seat, most) if mine else ''}"


def _on_the_way(state: State, seat: int, tile: int) -> str:
    """Says what a tile that does nothing itself brings nearer; empty if that is nothing."""
    goal = goal_tile(state, seat)
    moved = _gone_to(state, seat, tile)
    if goal is None or goal == tile or goal != goal_tile(moved, seat):
        return ""
    far = distances(state.field, goal)
    return f"then {_begun(in_words(next_goal(moved, seat, long_tile)))}" if far[tile] < far[state.at(seat)] else ""


def _gone_to(state: State, seat: int, index: int) -> State:
    """Returns the position once a seat is on a tile, without the coins that it is sure to lose there."""
    tile, hand = state.field[index], state.hands[seat]
    lost: Sequence[Item] = ()
    if not tile.market and tile.suit == HEART:
        lost = coins_of(state, seat, CLUB)
    elif not tile.market and tile.suit == CLUB:
        saved = sum(max(0, heart - 1) for heart in values(coins_of(state, seat, HEART)))
        lost = hand if tile.value - saved >= len(hand) else ()
    moved = evolve(state, pawns=(*state.pawns[:seat], index, *state.pawns[seat + 1 :]))
    return _without(moved, seat, [coin.handle for coin in lost])


def _price(state: State, seat: int, choice: Any) -> str:
    """Returns what going to a tile costs, as a sentence to follow the advice; empty if nothing."""
    match choice:
        case ("step", int(to)) | ("jump", _, int(to)) if outcome(state, seat, to).harms and not state.field[to].market:
            tile = state.field[to]
        case _:
            return ""
    if tile.suit != CLUB:
        clubs = len(coins_of(state, seat, CLUB))
        return f" It costs you your {f'{clubs} clubs' if clubs > 1 else 'only club'}."
    blocked = total(coins_of(state, seat, HEART)) or 0
    if blocked >= tile.value:
        return f" It attacks for {tile.value}, which your hearts can block."
    if blocked:
        return f" It attacks for {tile.value}: your hearts block up to {blocked}; the rest costs you coins."
    return f" It attacks for {tile.value}: you lose {count_of(min(tile.value, len(state.hands[seat])), 'coin')}."


def _serves(state: State, seat: int, index: int) -> bool:
    """Returns whether a tile is of use to a player who goes there."""
    tile, fresh = state.field[index], not used(state, seat, index)
    if tile.market:
        return bool(coins_of(state, seat, DIAMOND))
    match tile.suit:
        case s if s == DIAMOND:
            return bool(state.in_pile and (useful(state, seat, SPADE) or (fresh and state.power(seat, SPADE))))
        case s if s == MOON:
            return bool(fresh and state.hearts_in_bag)
        case s if s == SUN:
            return fresh and len(state.hands[seat]) > len(coins_of(state, seat, DIAMOND))
        case s if s == SPADE:
            return any(state.hands[other] for other in state.others(seat))
    return tile.suit != CLUB


def _defense(state: State, seat: int, choice: tuple[int, ...]) -> _Advice:
    """Says which hearts to spend, and what is then lost."""
    held = len(state.hands[seat]) - len(choice)
    blocked = (total(_own(state, seat, choice)) or 0) + hearts(state).bonus * len(choice)
    lost = min(held, max(0, state.attack - blocked))
    if not choice:
        return _Advice("Spend no hearts", _lost(state, lost, held, "coin"))
    action = f"Spend {_coins(state, choice)}"
    if blocked >= state.attack:
        return _Advice(action, f"that blocks the whole attack of {state.attack}")
    rest = _lost(state, lost, held, "other coin")
    return _Advice(action, f"that takes {blocked} off an attack of {state.attack}, and {rest}")


def _lost(state: State, lost: int, held: int, what: str) -> str:
    """Says how many of the coins in a hand are lost. A player who beats another may steal fewer."""
    if not lost:
        return f"you lose no {what}s"
    lose = "lose" if state.attacker is None else "can lose"
    if held == 1:
        return f"you {lose} your only {what}"
    return f"you {lose} {lost} of your {held} {what}s" if lost < held else f"you {lose} all your {what}s"


def _unseen(state: State, choice: tuple[int, ...], names: Sequence[str]) -> _Advice:
    steals, one = state.phase == "steal", len(choice) == 1
    if not choice:
        return _Advice("Steal nothing" if steals else "Peek at nothing", "none of those coins helps you")
    if steals:
        return _Advice(f"Steal {_coins(state, choice)}", f"{'its suit helps' if one else 'their suits help'} you most")
    coins = peeked(state, choice, owned_by(names))
    return _Advice(f"Peek at {coins}", f"{'it' if one else 'they'} may be worth stealing later")
