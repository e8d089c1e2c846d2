"""Checks the facts in the hints of Blood Diamonds: Piecepack against the state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kimberley.client.boards.piecepack.advice import NO_LOSS
from kimberley.client.boards.piecepack.phrases import in_words, long_tile, next_goal, outcome
from kimberley.games.piecepack.field import distances, places
from kimberley.games.piecepack.suits import CLUB, DIAMOND, HEART, MOON, RANKS, SPADE, SUITS, SUN
from kimberley.games.table import HIDDEN
from tests.support.seated_arena import NAMES


def facts_of(state: Any, seat: int, choice: Any, why: str, other: Any = None, *, comes_next: bool = False) -> int:
    del other
    hand = {coin.handle: coin.parts[1] for coin in state.hands[seat]}
    if state.phase in ("act", "path"):
        for text in () if comes_next else (next_goal(state, seat, long_tile), *previews(state, seat)):
            could_be_done(state, seat, in_words(text), state.hands[seat])
        traveling = {*choice[-1]} if choice[0] == "sun" else set[int]()
        tile = f"{long_tile(state.field[choice[-1]])}: " if choice[0] in ("step", "jump") else ""
        could_be_done(state, seat, f"{tile}{why}", [coin for coin in state.hands[seat] if coin.handle not in traveling])
    diamonds = {value for suit, value in (coin.parts for coin in state.hands[seat]) if suit == DIAMOND}
    assert "get rid of diamond 0" not in why or 0 in diamonds
    left = [*state.unseen(), *(coin.parts for coin in (*state.pile, *state.sold) if coin.parts[1] is not HIDDEN)]
    unseen = [value for suit, value in left if suit == DIAMOND]
    mines = re.search(r"you get \d+ diamond|it is free\b(?! and)|there to get (up to )?\d+ diamond|digs one", why)
    assert bool(mines and 0 in diamonds.union(unseen)) == (
        re.search(r", but [^.]*diamond 0, which ruins every sale", why) is not None
    )
    assert ("you hold diamond 0" in why) == bool(mines and 0 in diamonds)
    if told := re.search(r"(1 of|among) the (\d+) left", why):
        assert int(told[2]) == state.in_pile
        hidden_elsewhere = len(unseen) > state.in_pile
        assert hidden_elsewhere == (told[1] == "among")
    if state.phase in ("steal", "peek") and choice:
        assert (len(choice) == 1) == ("its suit" in why or "it may" in why)
    if told := re.search(r"then you could [^.]*?\b(\w+ \w+), an? [^.]*, (\d+) steps? away", why):
        far = distances(state.field, choice[-1])
        assert any(
            (SUITS[tile.suit], RANKS[tile.value]) == tuple(told[1].split()) and far[at] == int(told[2])
            for at, tile in enumerate(state.field)
        )
        return 1 if comes_next else 1 + attack_facts(state, seat, choice, why)
    if told := re.search(r"blocks the (whole )?attack of (\d+)|takes (\d+) off an attack of (\d+)", why):
        assert state.attack == int(told[2] or told[4])
        blocked = sum(hand[coin] + (state.suits[seat] == HEART and state.attacker is not None) for coin in choice)
        assert blocked >= state.attack if told[1] else blocked == int(told[3] or 0)
        return 1 + loss_facts(state, hand, choice, blocked, why)
    if state.phase == "defend":
        assert not choice
        return loss_facts(state, hand, choice, 0, why)
    if told := re.search(r"1 step from you and (\d+) steps? from the nearest other", why):
        assert int(told[1]) == steps_from(state, choice, seat)
        return 1
    assert "no room" not in why, "that speaks against it"
    assert NO_LOSS not in why or not state.acted, "to end the turn costs nothing"
    if "there is room to explore next to it" in why:
        assert places(state.field, choice[-1])
        return 1 if comes_next else 1 + attack_facts(state, seat, choice, why)
    if told := re.search(r"you keep (\d+) coins?", why):
        assert int(told[1]) == len(hand) > 0
        return 1
    assert bool(hand) or "no action is worth its coins" not in why
    assert not hand or "no coins to spend" not in why
    spent = sum(hand[coin] for coin in choice[-1]) if choice and isinstance(choice[-1], tuple) else 0
    if told := re.search(r"you get (\d+) diamonds?, and", why):
        assert int(told[1]) == min(spent, state.tile(seat).value, state.in_pile)
        return 1
    if told := re.search(r"you draw (\d+) coins?", why):
        number = len(choice[1]) if choice[0] == "market" else spent
        bag = state.in_bag + (len(choice[1]) if choice[0] == "market" else 0)
        assert int(told[1]) == min(bag, number + (number > 0 and state.suits[seat] == MOON))
        if wanted := re.search(r"perhaps a (spade|club) to", why):
            assert not worth_spending(state, seat, SUITS.index(wanted[1]), state.hands[seat])
            assert left_to_draw(state, SUITS.index(wanted[1]))
            assert wanted[1] == ("spade" if state.in_pile else "club")
        return 1
    if told := re.search(r"an attack of (\d+), and (\w+) holds (\d+) coin", why):
        assert int(told[1]) == spent + len(choice[2]) * (state.suits[seat] == CLUB)
        assert (told[2], int(told[3])) == (NAMES[choice[1]], len(state.hands[choice[1]]))
        return 1
    return "it is free" in why


def previews(state: Any, seat: int) -> Iterator[str]:
    """Yields what the board says that each tile does for a player."""
    for at, tile in enumerate(state.field):
        yield f"{long_tile(tile)}: {outcome(state, seat, at).text}"


def worth_spending(state: Any, seat: int, suit: int, held: Any) -> bool:
    values = [coin.parts[1] for coin in held if coin.parts[0] == suit]
    return any(values) or bool(values and suit == CLUB == state.suits[seat])


def left_to_draw(state: Any, suit: int) -> bool:
    """Returns whether the bag may hold a coin of a suit that is worth something."""
    elsewhere = [coin for hand in state.hands for coin in hand if coin.parts[0] == suit]
    known = {coin.parts[1] for coin in elsewhere} - {HIDDEN}
    return len(elsewhere) < len(RANKS) and len(known | {0}) < len(RANKS)


def could_be_done(state: Any, seat: int, text: str, held: Any) -> None:
    """Checks that whatever is said to be possible can be done with the coins held, and as much of it."""
    digs, low = state.suits[seat] == SPADE, text.lower()
    if re.search(r"you (could|can) mine", low):
        assert state.in_pile
        assert digs or worth_spending(state, seat, SPADE, held)
    if re.search(r"you (could|can) steal", low):
        assert worth_spending(state, seat, CLUB, held)
        assert any(coin.parts[0] == DIAMOND for other in state.others(seat) for coin in state.hands[other])
    if "could sell" in low or "could get rid of" in low:
        assert any(coin.parts[0] == DIAMOND for coin in held)
    if wanted := re.search(r"(?:could|can) try to trade for (spade|club)s", low):
        assert held
        assert left_to_draw(state, SUITS.index(wanted[1]))
    if re.search(r"(could|can) trade coins", low):
        assert held
    if re.search(r"(could|can) draw", low):
        assert re.search(r"could draw a heart at|can draw a heart here", low)
        assert state.hearts_in_bag
    here, laid = state.tile(seat), {tile.suit for tile in state.field if not tile.market}
    if told := re.search(r"you can (mine|draw|try to trade|trade coins|steal)\b[^.]* here\b", low):
        assert told[1] == "steal" or here.suit == {"mine": DIAMOND, "draw": MOON}.get(told[1], SUN)
        assert told[1] == "steal" or not here.market
    if lacks := re.search(r"no ((mine|oasis|or|market|to trade coins| )+) is on the map yet", low):
        kinds = {suit for name, suit in (("mine", DIAMOND), ("oasis", MOON), ("market", SUN)) if name in lacks[1]}
        assert kinds
        assert not kinds & laid
    if "with diamonds stands on a holy site" in low:
        assert not state.in_pile
        others = [other for other in state.others(seat) if any(c.parts[0] == DIAMOND for c in state.hands[other])]
        assert others
        assert all(state.tile(other).suit == HEART and not state.tile(other).market for other in others)
    if "the bag has no hearts for an oasis" in low:
        assert not held
        assert not state.hearts_in_bag
    named = re.search(rf"({'|'.join(SUITS)}) ({'|'.join(RANKS)}), an? ", low)
    value = RANKS.index(named[2]) if named else 0
    if named and state.turn == seat:
        tile = SUITS.index(named[1]), value
        digs = digs and not any(tile == (state.field[at].suit, state.field[at].value) for _, at in state.used)
    if told := re.search(
        r"spend your (only spade|spades) there to get (up to )?(\d+) diamonds?(?:, at most (\d+) each time)?", low
    ):
        got = 0
        for coin in held:
            got += min(coin.parts[1], value, state.in_pile - got) if coin.parts[0] == SPADE else 0
        assert (told[1] == "only spade") == (sum(coin.parts[0] == SPADE for coin in held) == 1)
        assert int(told[3]) == got > 0
        assert (told[2] is not None) == (got > 1)
        assert int(told[4] or got) == min(value, got)
        assert ("another action digs one" in low) == (digs and got < state.in_pile)
    elif "digs one" in low:
        assert digs
        assert state.in_pile
    if told := re.search(r"trades (?:up to )?(\d+) coin", low):
        assert int(told[1]) == min(value, sum(coin.parts[0] != DIAMOND for coin in held)) > 0
    if told := re.search(r"peek at (?:up to )?(\d+) of", low):
        assert int(told[1]) == min(value, sum(len(state.hands[other]) for other in state.others(seat))) > 0
    if "less the hearts you spend" in low:
        assert worth_spending(state, seat, HEART, held)


def loss_facts(state: Any, hand: Any, spent: Any, blocked: int, why: str) -> int:
    """Checks what an attack is said to take after the hearts spent."""
    held = len(hand) - len(spent)
    lost = min(held, max(0, state.attack - blocked))
    lose = "you lose" if state.attacker is None else "you can lose"
    if told := re.search(rf"{lose} (\d+) of your (\d+) ", why):
        assert (int(told[1]), int(told[2])) == (lost, held)
    elif f"{lose} all your" in why:
        assert held == lost > 1
    elif f"{lose} your only" in why:
        assert held == lost == 1
    else:
        assert lost == 0
    return lose in why


def attack_facts(state: Any, seat: int, choice: Any, why: str) -> int:
    """Checks what a war zone that a hint leads to is said to take."""
    tile, hand = state.field[choice[-1]], [coin.parts for coin in state.hands[seat]]
    attacks = re.search(r"attacks for (\d+)", why)
    assert (attacks is not None) == (tile.suit == CLUB and not tile.market and bool(hand))
    if attacks is None:
        return 0
    hearts = sum(value for suit, value in hand if suit == HEART)
    assert int(attacks[1]) == tile.value
    assert ("which your hearts can block" in why) == (hearts >= tile.value)
    if lost := re.search(r"you lose (\d+) coins?\.", why):
        assert int(lost[1]) == min(tile.value, len(hand))
        assert not hearts
    return 1


def steps_from(state: Any, place: tuple[int, int], seat: int) -> int:
    """Returns how many steps lead from a new tile to the nearest other player, by the edges that tiles share."""
    at = {(tile.x, tile.y) for tile in state.field}
    others = {(tile.x, tile.y) for each in state.others(seat) for tile in [state.tile(each)]}
    reached, steps = {place}, 0
    while not reached & others:
        reached |= {
            (x, y) for x, y in at for u, v in reached if sorted((abs(x - u), abs(y - v))) in ([0, 2], [1, 2])
        }  # fmt: skip
        steps += 1
    return steps
