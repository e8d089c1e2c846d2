"""How a turn goes on: what follows from each choice, and from each thing that is shown."""

from __future__ import annotations

from typing import Final, TypeVar

from games.piecepack import menu
from games.piecepack.coins import Coins, handles, of_suit, parted, suit, values
from games.piecepack.field import Place, Tile, places
from games.piecepack.position import QUIET_ROUNDS, Position
from games.piecepack.suits import CLUB, DIAMOND, GOAL, HEART, MOON, SPADE, payoff
from games.table import Plain, changed

P = TypeVar("P", bound=Position)

OUT_OF_TILES: Final = "the last tile was drawn"
OUT_OF_ROOM: Final = f"nobody could explore for {QUIET_ROUNDS} rounds"
ALONE: Final = "all others have left"


def put_back(p: P, coins: Coins) -> P:
    """Coins go back: diamonds to the pile, all others into the bag."""
    diamonds = tuple(coin for coin in coins if suit(coin) == DIAMOND)
    others = tuple(coin for coin in coins if suit(coin) != DIAMOND)
    return changed(p, sold=p.sold + diamonds, returned=p.returned + others)


def with_hand(p: P, seat: int, hand: Coins) -> P:
    """A seat holds these coins."""
    return changed(p, hands=(*p.hands[:seat], hand, *p.hands[seat + 1 :]))


def gives_up(p: P, seat: int, chosen: tuple[int, ...]) -> P:
    """A seat puts coins of its hand back."""
    gone, kept = parted(p.hands[seat], chosen)
    return put_back(with_hand(p, seat, kept), gone)


# -- turns -------------------------------------------------------------------------------------------------------------


def begin(p: P, seat: int) -> P:
    """The turn of a seat begins, by exploring if there is room."""
    fresh = changed(p, turn=seat, acted=0, stepped=False, used=(), **_IDLE)
    if places(p.field, p.at(seat)):
        return changed(fresh, phase="explore")
    return changed(fresh, phase="act", quiet=p.quiet + 1)


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


def finish(p: P) -> P:
    """An action is over: its coins go back, and the next one is chosen, if there is any."""
    done = changed(put_back(p, p.spent), spent=(), phase="act", **_IDLE)
    return pass_on(done) if menu.exhausted(done) else done


def pass_on(p: P) -> P:
    """The turn is over, and the next seat's begins."""
    done = changed(p, turns=p.turns + 1)
    if done.quiet >= QUIET_ROUNDS * sum(done.present):
        return over(done, OUT_OF_ROOM)
    return begin(done, done.others(done.turn)[0])


def over(p: P, reason: str) -> P:
    """The game is over."""
    return changed(p, phase="over", ended=reason)


def explored(p: P, drawn: int) -> P:
    """A tile was drawn: that many-th of those still face down."""
    stack = (*p.stack[:drawn], *p.stack[drawn + 1 :])
    found = changed(p, drawn=p.stack[drawn], stack=stack, quiet=0, phase="place")
    return found if stack else over(found, OUT_OF_TILES)


def placed(p: P, at: Place) -> P:
    """The tile was laid."""
    assert p.drawn is not None
    return changed(p, field=(*p.field, Tile(*p.drawn, *at)), drawn=None, phase="act")


# -- actions -----------------------------------------------------------------------------------------------------------


def act(p: P, choice: Plain) -> P:
    """An action was chosen."""
    begun = changed(p, acted=p.acted + 1)
    match choice:
        case ("end",):
            return pass_on(p)
        case ("step", int() as to):
            return land(changed(begun, deed="step", stepped=True), to)
        case ("jump", int(), int() as to):
            return land(changed(begun, deed="step", stepped=True), to)
        case ("club", int() as victim, tuple() as coins):
            return changed(_spent(begun, "club", coins), attacked=victim)
        case ("market", tuple() as coins):
            traded = gives_up(_uses(begun, "market"), p.turn, coins)
            return draw(traded, len(coins))
        case ("oasis",):
            return changed(_uses(begun, "oasis"), phase="scoop")
        case ("dig",):
            return changed(_uses(begun, "dig"), phase="mine", amount=1)
        case (str() as kind, tuple() as coins):
            return _spent(begun, kind, coins)
    raise AssertionError(f"{choice!r} is no action")


def _uses(p: P, deed: str) -> P:
    return changed(p, deed=deed, used=(*p.used, (deed, p.at(p.turn))))


def _spent(p: P, deed: str, coins: tuple[Plain, ...]) -> P:
    spent, kept = parted(p.hands[p.turn], coins)
    return changed(with_hand(p, p.turn, kept), deed=deed, spent=spent, phase="reveal")


def revealed(p: P) -> P:
    """The coins that were spent lie open."""
    total = sum(values(p.spent))
    match p.deed:
        case "sun":
            return walk(changed(p, steps=total, path=(p.at(p.turn),)))
        case "moon":
            return draw(p, total)
        case "spade":
            mined = min(total, p.tile(p.turn).value, p.in_pile)
            return changed(p, phase="mine", amount=mined) if mined else finish(p)
    bonus = len(p.spent) if p.power(p.turn, CLUB) else 0
    return assault(changed(p, attack=total + bonus))


def draw(p: P, amount: int) -> P:
    """So many coins are to be drawn from the bag, as far as it goes; by the scrounger one more, if any."""
    wanted = amount + int(amount > 0 and p.power(p.turn, MOON))
    return changed(p, phase="draw", amount=wanted) if wanted and p.in_bag else finish(p)


# -- moves -------------------------------------------------------------------------------------------------------------


def walk(p: P) -> P:
    """A sun move goes on, if it can."""
    open_ = menu.paths(p)
    return changed(p, phase="path") if p.steps and (open_.steps or open_.jumps) else finish(p)


def walked(p: P, choice: Plain) -> P:
    """The next tile of a sun move was chosen, or its end."""
    match choice:
        case ("step", int() as to):
            return land(changed(p, steps=p.steps - 1, path=(*p.path, to)), to)
        case ("jump", int() as over_, int() as to):
            return land(changed(p, steps=p.steps - 1, path=(*p.path, over_, to), jumped=True), to)
    return finish(p)


def land(p: P, to: int) -> P:
    """The pawn comes to a tile, and what that does is done."""
    seat = p.turn
    there = changed(p, pawns=(*p.pawns[:seat], to, *p.pawns[seat + 1 :]))
    tile, hand = p.field[to], p.hands[seat]
    if tile.market:
        diamonds = handles(of_suit(hand, DIAMOND))
        return changed(there, phase="sale", chosen=diamonds) if diamonds else landed(there)
    if tile.suit == CLUB and hand:
        return assault(changed(there, attack=tile.value, attacked=seat))
    if tile.suit == HEART:
        return landed(gives_up(there, seat, handles(of_suit(hand, CLUB))))
    if tile.suit == SPADE and any(p.hands[other] for other in p.others(seat)):
        return changed(there, phase="peek")
    return landed(there)


def landed(p: P) -> P:
    """What a tile does to who came there is done."""
    cleared = changed(p, attack=0, attacked=None, chosen=())
    return walk(cleared) if p.deed == "sun" else finish(cleared)


def sell(p: P) -> P:
    """The diamonds lie open, and are sold."""
    seat = p.turn
    sold, kept = parted(p.hands[seat], p.chosen)
    points = payoff(values(sold), p.power(seat, DIAMOND))
    scores = (*p.scores[:seat], p.scores[seat] + points, *p.scores[seat + 1 :])
    after = changed(put_back(with_hand(p, seat, kept), sold), scores=scores)
    return over(after, f"{GOAL} points are reached") if scores[seat] >= GOAL else landed(after)


# -- attacks -----------------------------------------------------------------------------------------------------------


def assault(p: P) -> P:
    """An attack begins; who holds a heart may defend."""
    assert p.attacked is not None
    return changed(p, phase="defend") if of_suit(p.hands[p.attacked], HEART) else strike(p)


def defend(p: P, chosen: tuple[int, ...]) -> P:
    """The defender has chosen hearts."""
    seat = p.attacked
    assert seat is not None
    if not chosen:
        return strike(p)
    shield, kept = parted(p.hands[seat], chosen)
    return changed(with_hand(p, seat, kept), shield=shield, phase="shield")


def shielded(p: P) -> P:
    """The hearts lie open."""
    bonus = menu.hearts(p).bonus
    defence = sum(values(p.shield)) + bonus * len(p.shield)
    return strike(changed(p, attack=max(0, p.attack - defence)))


def strike(p: P) -> P:
    """What is left of an attack takes coins: a thief's choice, or chance in a war zone."""
    assert p.attacked is not None
    hand = p.hands[p.attacked]
    if not p.attack or not hand:
        return fought(p)
    if p.deed == "club":
        return changed(p, phase="steal")
    return changed(p, phase="lost") if p.attack < len(hand) else fought(gives_up(p, p.attacked, handles(hand)))


def lose(p: P, lots: tuple[int, ...]) -> P:
    """A war zone takes coins: each lot is the place, in what is left of the hand, of the next to go."""
    left = list(p.hands[p.turn])
    gone = tuple(left.pop(lot).handle for lot in lots)
    return fought(gives_up(p, p.turn, gone))


def steal(p: P, chosen: tuple[int, ...]) -> P:
    """The attacker has chosen its loot, unseen."""
    victim = p.attacked
    assert victim is not None
    if not chosen:
        return fought(p)
    loot, kept = parted(p.hands[victim], chosen)
    robbed = with_hand(p, victim, kept)
    return changed(with_hand(robbed, p.turn, robbed.hands[p.turn] + loot), chosen=handles(loot), phase="look")


def fought(p: P) -> P:
    """An attack is over: the hearts played against it go back."""
    after = changed(put_back(p, p.shield), shield=())
    return finish(after) if p.deed == "club" else landed(after)
