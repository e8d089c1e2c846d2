"""The steps of a turn: what follows from each choice, and from each thing that is shown."""

from __future__ import annotations

from typing import Final, TypeVar

from kimberley.games.piecepack import legal
from kimberley.games.piecepack.coins import Coins, handles, of_suit, parted, suit, values
from kimberley.games.piecepack.field import Tile, TilePlace, places
from kimberley.games.piecepack.position import QUIET_ROUNDS, PiecepackPosition
from kimberley.games.piecepack.suits import CLUB, DIAMOND, GOAL, HEART, MOON, SPADE, payoff
from kimberley.games.table import ONE_LEFT, Plain, ReasonKind, evolve

P = TypeVar("P", bound=PiecepackPosition)

OUT_OF_TILES: Final = "the last tile was drawn"
OUT_OF_ROOM: Final = f"nobody had room to explore for {QUIET_ROUNDS} rounds"
ENDINGS: Final = {OUT_OF_TILES: ReasonKind.OVER, OUT_OF_ROOM: ReasonKind.OVER, ONE_LEFT: ReasonKind.RESIGNED}
"""What these reasons say. Others say why somebody won."""


def put_back(p: P, coins: Coins) -> P:
    """Puts coins back: diamonds into the pile, all others into the bag."""
    diamonds = tuple(coin for coin in coins if suit(coin) == DIAMOND)
    others = tuple(coin for coin in coins if suit(coin) != DIAMOND)
    return evolve(p, sold=p.sold + diamonds, returned=p.returned + others)


def with_hand(p: P, seat: int, hand: Coins) -> P:
    """Gives a seat these coins as its hand."""
    return evolve(p, hands=(*p.hands[:seat], hand, *p.hands[seat + 1 :]))


def discard(p: P, seat: int, chosen: tuple[int, ...]) -> P:
    """Puts coins of a seat's hand back."""
    gone, kept = parted(p.hands[seat], chosen)
    return put_back(with_hand(p, seat, kept), gone)


# -- turns -------------------------------------------------------------------------------------------------------------


def begin_turn(p: P, seat: int) -> P:
    """Begins the turn of a seat, by exploring if there is room."""
    fresh = evolve(p, turn=seat, acted=0, stepped=False, used=(), **_IDLE)
    if places(p.field, p.at(seat)):
        return evolve(fresh, phase="explore")
    return evolve(fresh, phase="act", quiet=p.quiet + 1)


_IDLE: Final = {
    "deed": "",
    "steps": 0,
    "path": (),
    "jumped": False,
    "attack": 0,
    "attacked": None,
    "amount": 0,
    "chosen": (),
}


def finish_action(p: P) -> P:
    """Ends an action: its coins go back, and the next one is chosen, if there is any."""
    done = evolve(put_back(p, p.spent), spent=(), phase="act", **_IDLE)
    return end_turn(done) if legal.exhausted(done) else done


def end_turn(p: P) -> P:
    """Ends the turn, and begins the next seat's."""
    done = evolve(p, turns=p.turns + 1)
    if done.quiet >= QUIET_ROUNDS * sum(done.present):
        return end_game(done, OUT_OF_ROOM)
    return begin_turn(done, done.others(done.turn)[0])


def end_game(p: P, reason: str) -> P:
    """Ends the game."""
    return evolve(p, phase="over", ended=reason)


def apply_exploration(p: P, drawn: int) -> P:
    """Applies the draw of a tile: number `drawn` of those still face down."""
    stack = (*p.stack[:drawn], *p.stack[drawn + 1 :])
    explored = evolve(p, drawn=p.stack[drawn], stack=stack, quiet=0, phase="place")
    return explored if stack else end_game(explored, OUT_OF_TILES)


def apply_tile(p: P, at: TilePlace) -> P:
    """Applies the choice of a place for the tile."""
    assert p.drawn is not None
    return evolve(p, field=(*p.field, Tile(*p.drawn, *at)), drawn=None, phase="act")


# -- actions -----------------------------------------------------------------------------------------------------------


def apply_action(p: P, choice: Plain) -> P:
    """Applies the choice of an action."""
    begun = evolve(p, acted=p.acted + 1)
    match choice:
        case ("end",):
            return end_turn(p)
        case ("step", int() as to):
            return enter_tile(evolve(begun, deed="step", stepped=True), to)
        case ("jump", int(), int() as to):
            return enter_tile(evolve(begun, deed="step", stepped=True), to)
        case ("club", int() as victim, tuple() as coins):
            return evolve(_spent(begun, "club", coins), attacked=victim)
        case ("market", tuple() as coins):
            traded = discard(_uses(begun, "market"), p.turn, coins)
            return prepare_draw(traded, len(coins))
        case ("oasis",):
            return evolve(_uses(begun, "oasis"), phase="scoop")
        case ("dig",):
            return evolve(_uses(begun, "dig"), phase="mine", amount=1)
        case (str() as kind, tuple() as coins):
            return _spent(begun, kind, coins)
    raise AssertionError(f"{choice!r} is not an action")


def _uses(p: P, deed: str) -> P:
    return evolve(p, deed=deed, used=(*p.used, (deed, p.at(p.turn))))


def _spent(p: P, deed: str, coins: tuple[Plain, ...]) -> P:
    spent, kept = parted(p.hands[p.turn], coins)
    return evolve(with_hand(p, p.turn, kept), deed=deed, spent=spent, phase="reveal")


def apply_reveal(p: P) -> P:
    """Continues the action once the coins that were spent lie open."""
    total = sum(values(p.spent))
    match p.deed:
        case "sun":
            return continue_walk(evolve(p, steps=total, path=(p.at(p.turn),)))
        case "moon":
            return prepare_draw(p, total)
        case "spade":
            mined = min(total, p.tile(p.turn).value, p.in_pile)
            return evolve(p, phase="mine", amount=mined) if mined else finish_action(p)
    bonus = len(p.spent) if p.power(p.turn, CLUB) else 0
    return begin_attack(evolve(p, attack=total + bonus))


def prepare_draw(p: P, amount: int) -> P:
    """Prepares a draw of `amount` coins from the bag, or of all that it holds; the scrounger draws one more, if any."""
    wanted = amount + int(amount > 0 and p.power(p.turn, MOON))
    return evolve(p, phase="draw", amount=wanted) if wanted and p.in_bag else finish_action(p)


# -- moves -------------------------------------------------------------------------------------------------------------


def continue_walk(p: P) -> P:
    """Continues a sun move, if it can go on."""
    open_ = legal.paths(p)
    return evolve(p, phase="path") if p.steps and (open_.steps or open_.jumps) else finish_action(p)


def apply_step(p: P, choice: Plain) -> P:
    """Applies the choice of the next tile of a sun move, or of its end."""
    match choice:
        case ("step", int() as to):
            return enter_tile(evolve(p, steps=p.steps - 1, path=(*p.path, to)), to)
        case ("jump", int() as over_, int() as to):
            return enter_tile(evolve(p, steps=p.steps - 1, path=(*p.path, over_, to), jumped=True), to)
    return finish_action(p)


def enter_tile(p: P, to: int) -> P:
    """Moves the pawn onto a tile, which takes effect."""
    seat = p.turn
    there = evolve(p, pawns=(*p.pawns[:seat], to, *p.pawns[seat + 1 :]))
    tile, hand = p.field[to], p.hands[seat]
    if tile.market:
        diamonds = handles(of_suit(hand, DIAMOND))
        return evolve(there, phase="sale", chosen=diamonds) if diamonds else leave_tile_effect(there)
    if tile.suit == CLUB and hand:
        return begin_attack(evolve(there, attack=tile.value, attacked=seat))
    if tile.suit == HEART:
        return leave_tile_effect(discard(there, seat, handles(of_suit(hand, CLUB))))
    if tile.suit == SPADE and any(p.hands[other] for other in p.others(seat)):
        return evolve(there, phase="peek")
    return leave_tile_effect(there)


def leave_tile_effect(p: P) -> P:
    """Ends the effect of the tile."""
    cleared = evolve(p, attack=0, attacked=None, chosen=())
    return continue_walk(cleared) if p.deed == "sun" else finish_action(cleared)


def apply_sale(p: P) -> P:
    """Sells the diamonds, which lie open."""
    seat = p.turn
    sold, kept = parted(p.hands[seat], p.chosen)
    points = payoff(values(sold), p.power(seat, DIAMOND))
    scores = (*p.scores[:seat], p.scores[seat] + points, *p.scores[seat + 1 :])
    after = evolve(put_back(with_hand(p, seat, kept), sold), scores=scores)
    return end_game(after, f"{GOAL} points reached") if scores[seat] >= GOAL else leave_tile_effect(after)


# -- attacks -----------------------------------------------------------------------------------------------------------


def begin_attack(p: P) -> P:
    """Begins an attack. A seat that holds a heart may defend."""
    assert p.attacked is not None
    return evolve(p, phase="defend") if of_suit(p.hands[p.attacked], HEART) else resolve_attack(p)


def apply_defense(p: P, chosen: tuple[int, ...]) -> P:
    """Applies the defender's choice of hearts."""
    seat = p.attacked
    assert seat is not None
    if not chosen:
        return resolve_attack(p)
    shield, kept = parted(p.hands[seat], chosen)
    return evolve(with_hand(p, seat, kept), shield=shield, phase="shield")


def apply_shield(p: P) -> P:
    """Applies the defender's hearts once they lie open."""
    bonus = legal.hearts(p).bonus
    defence = sum(values(p.shield)) + bonus * len(p.shield)
    return resolve_attack(evolve(p, attack=max(0, p.attack - defence)))


def resolve_attack(p: P) -> P:
    """Takes coins by what is left of an attack: a thief's choice, or chance in a war zone."""
    assert p.attacked is not None
    hand = p.hands[p.attacked]
    if not p.attack or not hand:
        return finish_attack(p)
    if p.deed == "club":
        return evolve(p, phase="steal")
    return evolve(p, phase="lost") if p.attack < len(hand) else finish_attack(discard(p, p.attacked, handles(hand)))


def apply_loss(p: P, lots: tuple[int, ...]) -> P:
    """Takes coins for a war zone: each lot is the place, in what is left of the hand, of the next to go."""
    left = list(p.hands[p.turn])
    gone = tuple(left.pop(lot).handle for lot in lots)
    return finish_attack(discard(p, p.turn, gone))


def apply_theft(p: P, chosen: tuple[int, ...]) -> P:
    """Applies the attacker's choice of loot, unseen."""
    victim = p.attacked
    assert victim is not None
    if not chosen:
        return finish_attack(p)
    loot, kept = parted(p.hands[victim], chosen)
    robbed = with_hand(p, victim, kept)
    return evolve(with_hand(robbed, p.turn, robbed.hands[p.turn] + loot), chosen=handles(loot), phase="look")


def finish_attack(p: P) -> P:
    """Ends an attack: the hearts played against it go back."""
    after = evolve(put_back(p, p.shield), shield=())
    return finish_action(after) if p.deed == "club" else leave_tile_effect(after)
