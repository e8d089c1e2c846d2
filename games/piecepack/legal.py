"""The spaces that a position offers: what can be done in it, and why the rest cannot."""

from __future__ import annotations

from games.piecepack.coins import PART_SUIT, PART_VALUE, handles, of_suit
from games.piecepack.field import beside, jumps
from games.piecepack.position import MOST_ACTIONS, Position
from games.piecepack.spaces import KINDS_OF_ACTION, Actions, Hearts, Loot, Paths, Peeks
from games.piecepack.suits import CLUB, DIAMOND, HEART, MOON, SPADE, SUITS, SUN


def actions(p: Position) -> Actions:
    """The actions of whose turn it is."""
    seat = p.turn
    index, tile = p.at(seat), p.tile(seat)
    hand = p.hands[seat]
    hands = tuple(handles(of_suit(hand, suit)) for suit in range(len(SUITS)))
    jumpy = p.power(seat, SUN)
    trade = tile.value if tile.suit == SUN else 0
    return Actions(
        steps=beside(p.field, index),
        jumps=jumps(p.field, index) if jumpy else (),
        hands=hands,
        trade=trade,
        victims=p.victims(seat),
        refused=tuple((kind, reason) for kind in KINDS_OF_ACTION if (reason := refused(p, kind))),
    )


def refused(p: Position, kind: str) -> str | None:
    """Why whose turn it is cannot take an action of a kind, or None."""
    if kind == "end":
        return None if p.acted else "take at least one action first: there is always a step"
    if p.acted >= MOST_ACTIONS:
        return f"{MOST_ACTIONS} actions are enough for one turn"
    return _REFUSALS[kind](p)


def exhausted(p: Position) -> bool:
    """Whether nothing is left to whose turn it is but to end it."""
    return p.acted > 0 and all(refused(p, kind) for kind in KINDS_OF_ACTION if kind != "end")


def _holds(p: Position, suit: int) -> bool:
    return any(coin.parts[PART_SUIT] == suit for coin in p.hands[p.turn])


def _step(p: Position) -> str | None:
    return "one step move in a turn; suns carry you further" if p.stepped else None


def _jump(p: Position) -> str | None:
    if not p.power(p.turn, SUN):
        return "only jumpy, who has the suns, jumps"
    if not jumps(p.field, p.at(p.turn)):
        return "there is no tile to jump to"
    return _step(p)


def _sun(p: Position) -> str | None:
    return None if _holds(p, SUN) else "you hold no sun"


def _moon(p: Position) -> str | None:
    return None if _holds(p, MOON) else "you hold no moon"


def _club(p: Position) -> str | None:
    tile = p.tile(p.turn)
    if not _holds(p, CLUB):
        return "you hold no club"
    if tile.suit == HEART and not tile.market:
        return "nobody is beaten on a holy site"
    return None if p.with_(p.turn) else "nobody else stands on your tile"


def _mine(p: Position) -> str | None:
    tile = p.tile(p.turn)
    return "diamonds are mined on a mine" if tile.suit != DIAMOND or tile.market else None


def _spade(p: Position) -> str | None:
    return _mine(p) if _holds(p, SPADE) else "you hold no spade"


def _dig(p: Position) -> str | None:
    if not p.power(p.turn, SPADE):
        return "only the digger, who has the spades, digs with bare hands"
    if not p.in_pile:
        return _mine(p) or "no diamond is left to mine"
    return _mine(p) or _used(p, "dig", "you have dug on this mine in this turn")


def _market(p: Position) -> str | None:
    tile = p.tile(p.turn)
    if tile.suit != SUN or tile.market:
        return "coins are traded on a market"
    if all(coin.parts[PART_SUIT] == DIAMOND for coin in p.hands[p.turn]):
        return "you hold nothing that the market takes"
    return _used(p, "market", "you have traded on this market in this turn")


def _oasis(p: Position) -> str | None:
    tile = p.tile(p.turn)
    if tile.suit != MOON or tile.market:
        return "hearts are drawn on an oasis"
    if not p.hearts_in_bag:
        return "the bag holds no heart"
    return _used(p, "oasis", "you have drawn on this oasis in this turn")


def _used(p: Position, kind: str, reason: str) -> str | None:
    return reason if (kind, p.pawns[p.turn]) in p.used else None


_REFUSALS = {
    "step": _step,
    "jump": _jump,
    "sun": _sun,
    "moon": _moon,
    "club": _club,
    "spade": _spade,
    "dig": _dig,
    "market": _market,
    "oasis": _oasis,
}


def paths(p: Position) -> Paths:
    """Where a sun move can go on: to no tile twice, those jumped over included."""
    index = p.at(p.turn)
    steps = tuple(to for to in beside(p.field, index) if to not in p.path)
    if p.jumped or not p.power(p.turn, SUN):
        return Paths(steps, (), p.steps)
    return Paths(steps, tuple((over, to) for over, to in jumps(p.field, index) if not {over, to} & {*p.path}), p.steps)


def hearts(p: Position) -> Hearts:
    """What who is attacked can defend with."""
    seat = p.attacked
    assert seat is not None
    own = handles(of_suit(p.hands[seat], HEART))
    bonus = int(p.attacker is not None and p.power(seat, HEART))
    return Hearts(own, len(own), attack=p.attack, bonus=bonus)


def loot(p: Position) -> Loot:
    """What can be stolen from who was beaten."""
    victim = p.attacked
    assert victim is not None
    coins = handles(p.hands[victim])
    return Loot(coins, min(p.attack, len(coins)), victim)


def peeks(p: Position) -> Peeks:
    """What the spy can peek at."""
    coins = [coin for other in p.others(p.turn) for coin in p.hands[other]]
    known = handles(coin for coin in coins if coin.seen[PART_VALUE] >> p.turn & 1)
    return Peeks(handles(coins), min(p.tile(p.turn).value, len(coins)), known)
