"""The legal choices of a position, and why the others are not."""

from __future__ import annotations

from kimberley.games.piecepack.coins import PART_SUIT, PART_VALUE, handles, of_suit
from kimberley.games.piecepack.field import beside, jumps
from kimberley.games.piecepack.position import MOST_ACTIONS, PiecepackPosition
from kimberley.games.piecepack.spaces import KINDS_OF_ACTION, ActionSpace, HeartSpace, LootSpace, PathSpace, PeekSpace
from kimberley.games.piecepack.suits import CLUB, DIAMOND, HEART, MOON, SPADE, SUITS, SUN


def actions(p: PiecepackPosition) -> ActionSpace:
    """Returns the actions of the current seat."""
    seat = p.turn
    index, tile = p.at(seat), p.tile(seat)
    hand = p.hands[seat]
    hands = tuple(handles(of_suit(hand, suit)) for suit in range(len(SUITS)))
    jumper = p.power(seat, SUN)
    trade = tile.value if tile.suit == SUN else 0
    return ActionSpace(
        steps=beside(p.field, index),
        jumps=jumps(p.field, index) if jumper else (),
        hands=hands,
        trade=trade,
        victims=p.victims(seat),
        refused=tuple((kind, reason) for kind in KINDS_OF_ACTION if (reason := refusal(p, kind))),
    )


def refusal(p: PiecepackPosition, kind: str) -> str | None:
    """Says why the current seat cannot take an action of this kind, or None."""
    if kind == "end":
        return None if p.acted else "take an action first; you can always step"
    if p.acted >= MOST_ACTIONS:
        return f"a turn has at most {MOST_ACTIONS} actions"
    return _REFUSALS[kind](p)


def exhausted(p: PiecepackPosition) -> bool:
    """Returns whether the current seat can only end its turn."""
    return p.acted > 0 and all(refusal(p, kind) for kind in KINDS_OF_ACTION if kind != "end")


def _holds(p: PiecepackPosition, suit: int) -> bool:
    return any(coin.parts[PART_SUIT] == suit for coin in p.hands[p.turn])


def _step(p: PiecepackPosition) -> str | None:
    return "you get one step each turn; spend suns to go further" if p.stepped else None


def _jump(p: PiecepackPosition) -> str | None:
    if not p.power(p.turn, SUN):
        return "only the jumper (suns) can jump"
    if not jumps(p.field, p.at(p.turn)):
        return "there is no tile to jump to"
    return _step(p)


def _sun(p: PiecepackPosition) -> str | None:
    return None if _holds(p, SUN) else "you hold no suns"


def _moon(p: PiecepackPosition) -> str | None:
    return None if _holds(p, MOON) else "you hold no moons"


def _club(p: PiecepackPosition) -> str | None:
    tile = p.tile(p.turn)
    if not _holds(p, CLUB):
        return "you hold no clubs"
    if tile.suit == HEART and not tile.market:
        return "nobody can be attacked on a holy site"
    return None if p.with_(p.turn) else "nobody else stands on your tile"


def _mine(p: PiecepackPosition) -> str | None:
    tile = p.tile(p.turn)
    return "you can mine only on a mine" if tile.suit != DIAMOND or tile.market else None


def _spade(p: PiecepackPosition) -> str | None:
    return _mine(p) if _holds(p, SPADE) else "you hold no spades"


def _dig(p: PiecepackPosition) -> str | None:
    if not p.power(p.turn, SPADE):
        return "only the digger (spades) can dig without a spade"
    if not p.in_pile:
        return _mine(p) or "there are no diamonds left to mine"
    return _mine(p) or _used(p, "dig", "you have already dug on this mine this turn")


def _market(p: PiecepackPosition) -> str | None:
    tile = p.tile(p.turn)
    if tile.suit != SUN or tile.market:
        return "you can trade only on a market"
    if all(coin.parts[PART_SUIT] == DIAMOND for coin in p.hands[p.turn]):
        return "you hold nothing to trade here"
    return _used(p, "market", "you have already traded on this market this turn")


def _oasis(p: PiecepackPosition) -> str | None:
    tile = p.tile(p.turn)
    if tile.suit != MOON or tile.market:
        return "you can draw hearts only on an oasis"
    if not p.hearts_in_bag:
        return "there is no heart in the bag"
    return _used(p, "oasis", "you have already drawn on this oasis this turn")


def _used(p: PiecepackPosition, kind: str, reason: str) -> str | None:
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


def paths(p: PiecepackPosition) -> PathSpace:
    """Returns how a sun move can continue: to no tile twice, those jumped over included. It may stop after its first
    step.
    """
    index = p.at(p.turn)
    steps = tuple(to for to in beside(p.field, index) if to not in p.path)
    over = () if p.jumped or not p.power(p.turn, SUN) else jumps(p.field, index)
    return PathSpace(steps, tuple(jump for jump in over if not {*jump} & {*p.path}), p.steps, stops=len(p.path) > 1)


def hearts(p: PiecepackPosition) -> HeartSpace:
    """Returns the hearts that the attacked seat can defend with."""
    seat = p.attacked
    assert seat is not None
    own = handles(of_suit(p.hands[seat], HEART))
    bonus = int(p.attacker is not None and p.power(seat, HEART))
    return HeartSpace(own, len(own), attack=p.attack, bonus=bonus)


def loot(p: PiecepackPosition) -> LootSpace:
    """Returns what can be stolen from the beaten seat."""
    victim = p.attacked
    assert victim is not None
    coins = handles(p.hands[victim])
    return LootSpace(coins, min(p.attack, len(coins)), victim)


def peeks(p: PiecepackPosition) -> PeekSpace:
    """Returns what the spy can peek at."""
    coins = [coin for other in p.others(p.turn) for coin in p.hands[other]]
    known = handles(coin for coin in coins if coin.seen[PART_VALUE] >> p.turn & 1)
    return PeekSpace(handles(coins), min(p.tile(p.turn).value, len(coins)), known)
