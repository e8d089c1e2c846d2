"""What is typed in the line mode: how to say each choice, and what was said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.boards.piecepack.desk_act import deeds_of
from client.boards.piecepack.suits import SUITS, tile_name
from client.boards.piecepack.words import known, listed, long_coin, long_tile, many, outcome, with_article
from games.piecepack.field import Place
from games.piecepack.rules import State
from games.piecepack.spaces import Actions, Hearts, Loot, Moves, Paths, Peeks, Places
from games.piecepack.suits import RANKS
from games.table import Plain, Space

VALUES: Final = {"null": 0, "0": 0, "ace": 1, "a": 1, "1": 1, "2": 2, "3": 3, "4": 4, "5": 5}
SUIT_WORDS: Final = {word: n for n, suit in enumerate(SUITS) for word in (suit.name, f"{suit.name}s")}
SPENDING: Final = {"travel": "sun", "sun": "sun", "rest": "moon", "moon": "moon", "mine": "spade", "spade": "spade",
                   "trade": "market", "market": "market"}  # fmt: skip
WORDS: Final = {"step": "step", "sun": "travel", "club": "beat", "spade": "mine", "dig": "dig", "moon": "rest",
                "market": "trade", "oasis": "oasis", "end": "end"}  # fmt: skip
"""How each deed is typed."""


class Misunderstood(ValueError):
    """What was typed is no choice; the text says how to say it."""


def coins_in(words: Sequence[str]) -> list[tuple[int, int]]:
    """Suits and values: "sun 3 sun ace". Raises Misunderstood."""
    useful = [word.strip(",.") for word in words if word not in ("and", "of", "the")]
    if len(useful) % 2 or not useful:
        raise Misunderstood("Say coins and tiles by suit and value, like: club 4 heart ace.")
    found = []
    for suit, value in zip(useful[::2], useful[1::2], strict=True):
        if suit not in SUIT_WORDS or value not in VALUES:
            raise Misunderstood(f"{suit} {value} is no coin and no tile. Say, like: club 4, heart ace, moon null.")
        found.append((SUIT_WORDS[suit], VALUES[value]))
    return found


def _own(state: State, seat: int, words: Sequence[str]) -> tuple[int, ...]:
    """The handles of own coins."""
    hand = {known(coin): coin.handle for coin in state.hands[seat]}
    handles = []
    for coin in coins_in(words):
        if coin not in hand:
            raise Misunderstood(f"You do not hold {long_coin(*coin)}.")
        handles.append(hand[coin])
    return tuple(sorted(set(handles)))


def _tile(state: State, words: Sequence[str]) -> int:
    """The index of a tile on the field."""
    coins = coins_in(words)
    found = [index for index, tile in enumerate(state.field) if [(tile.suit, tile.value)] == coins]
    if not found:
        raise Misunderstood("No such tile lies on the field. Say, like: step club 4.")
    return found[0]


def _seat(names: Sequence[str], word: str) -> int:
    found = [seat for seat, name in enumerate(names) if name.lower() == word or str(seat + 1) == word]
    found = found or [seat for seat, name in enumerate(names) if name.lower().split()[0] == word]
    if not found:
        raise Misunderstood(f"Nobody here is called {word}.")
    return found[0]


# -- what is asked -----------------------------------------------------------------------------------------------------


def described(state: State, seat: int, names: Sequence[str], space: Space) -> list[str]:
    """What must be chosen, what can be, and how to type it."""
    match space:
        case Places():
            suit, value = space.tile
            tile = f"{SUITS[suit].name} {RANKS[value]}, {with_article(tile_name(suit, value))}"
            lines = [f"You explore: lay {tile}. Type the number of a place."]
            return lines + [f"{n}: {where(state, seat, place)}." for n, place in enumerate(space.open(), start=1)]
        case Actions():
            return _deeds(state, seat, names, space)
        case Paths():
            ways = [f"{long_tile(state.field[to])}: {_outcome(state, seat, to)}" for to in space.steps]
            more = " You may jump over one tile: say jump, and where to." if space.jumps else ""
            return [f"You may go {many(state.steps, 'tile')} more: step, or stop.{more}", *ways]
        case Hearts():
            whence = "The war zone" if state.attacker is None else names[state.attacker]
            hearts = [long_coin(*known(coin)) for coin in state.hands[seat] if coin.handle in space.handles]
            bonus = " Each takes one more off, since you are the tough guy." if space.bonus else ""
            return [
                f"{whence} attacks you with {space.attack}. You hold {listed(hearts)}.{bonus}",
                "Type, like: defend heart 3. Or type none. What is left of the attack is lost.",
            ]
        case Loot():
            return [
                f"You have beaten {names[space.victim]}: steal up to {many(space.most, 'coin')}.",
                f"Their coins: {_numbered(state, space.victim)}. Type, like: steal 1 3. Or type none.",
            ]
        case Peeks():
            hands = [f"{names[s]}: {_numbered(state, s)}." for s in state.others(seat) if state.hands[s]]
            say = f"Type, like: peek {names[state.others(seat)[0]]} 1. Or type none."
            return [f"Peek at up to {many(space.most, 'coin')} of others. {say}", *hands]
    return []


def _deeds(state: State, seat: int, names: Sequence[str], space: Actions) -> list[str]:
    lines = ["What do you do?" if state.acted else "What do you do? At least one thing."]
    for deed in deeds_of(state, seat, space, tuple(names)):
        about = deed.about
        for suit in SUITS:
            about = about.replace(suit.sign, suit.name)
        word = WORDS[deed.kind]
        lines.append(f"{word}: {about}" if deed.why_not is None else f"Not {word}: {deed.why_not}.")
    if space.offers("step"):
        lines += [f"You can step to {long_tile(state.field[to])}: {_outcome(state, seat, to)}" for to in space.steps]
    return lines


def _outcome(state: State, seat: int, index: int) -> str:
    text = outcome(state, seat, index, False).text
    for suit in SUITS:
        text = text.replace(suit.sign, suit.name)
    return text


def _numbered(state: State, seat: int) -> str:
    return ", ".join(f"{n} {long_coin(*known(coin))}" for n, coin in enumerate(state.hands[seat], start=1))


def where(state: State, seat: int, place: Place) -> str:
    """A place beside the own tile, in words, with what it would touch."""
    here = state.tile(seat)
    x, y = place[0] - here.x, place[1] - here.y
    if abs(x) == 2:
        side, shift = ("right" if x > 0 else "left"), {-1: ", half up", 0: "", 1: ", half down"}[y]
    else:
        side, shift = ("below" if y > 0 else "above"), {-1: ", half to the left", 0: "", 1: ", half to the right"}[x]
    touched = [
        f"{SUITS[tile.suit].name} {RANKS[tile.value]}"
        for tile in state.field
        if (abs(tile.x - place[0]) == 2 and abs(tile.y - place[1]) <= 1)
        or (abs(tile.y - place[1]) == 2 and abs(tile.x - place[0]) <= 1)
    ]
    return f"{side}{shift}, beside {listed(touched)}"


# -- what was said -----------------------------------------------------------------------------------------------------


def understood(state: State, seat: int, names: Sequence[str], space: Space, words: Sequence[str]) -> Plain:
    """The choice that a person means. Raises Misunderstood."""
    if not words:
        raise Misunderstood("Say what you choose; repeat says what is asked.")
    first, rest = words[0], words[1:]
    match space:
        case Places():
            return _place(space, words)
        case Actions() | Paths():
            return _deed(state, seat, names, space, first, rest)
        case Hearts() | Loot() | Peeks() if words == ["none"]:
            return ()
        case Hearts():
            return _own(state, seat, rest if first == "defend" else words)
        case Loot():
            return _handles(state, space.victim, rest if first == "steal" else words)
        case Peeks():
            return _peeks(state, names, rest if first == "peek" else words)
    raise Misunderstood("Nothing is asked of you now.")


def _place(space: Places, words: Sequence[str]) -> Plain:
    number = words[-1]
    if not number.isascii() or not number.isdigit() or not 1 <= int(number) <= len(space.open()):
        raise Misunderstood(f"Type the number of a place, from 1 to {len(space.open())}.")
    return space.open()[int(number) - 1]


def _deed(state: State, seat: int, names: Sequence[str], space: Moves, first: str, rest: Sequence[str]) -> Plain:
    match first:
        case "stop" | "end" | "oasis" | "dig":
            return (first,)
        case "step":
            return "step", _tile(state, rest)
        case "jump":
            return _jump(state, space, rest)
        case "beat" | "club" if rest:
            return "club", _seat(names, rest[0]), _own(state, seat, rest[1:])
        case _ if first in SPENDING:
            return SPENDING[first], _own(state, seat, rest)
    raise Misunderstood("That is nothing I know here. Type can to hear what you can do, and help for all words.")


def _jump(state: State, space: Moves, rest: Sequence[str]) -> Plain:
    """A jump, as in "jump heart 2" or "jump heart 2 over club 4"."""
    cut = list(rest).index("over") if "over" in rest else len(rest)
    to = _tile(state, rest[:cut])
    ways = [over for over, there in space.jumps if there == to]
    if cut < len(rest):
        return "jump", _tile(state, rest[cut + 1 :]), to
    if not ways:
        raise Misunderstood(f"You cannot jump to {long_tile(state.field[to])}.")
    return "jump", ways[0], to


def _handles(state: State, seat: int, words: Sequence[str]) -> tuple[int, ...]:
    """Coins of a hand by their numbers."""
    hand, found = state.hands[seat], set()
    for word in (word.strip(",") for word in words if word != "and"):
        if not word.isascii() or not word.isdigit() or not 1 <= int(word) <= len(hand):
            raise Misunderstood(f"Say the numbers of coins, from 1 to {len(hand)}, or none.")
        found.add(hand[int(word) - 1].handle)
    if not found:
        raise Misunderstood("Say which coins, by their numbers, or none.")
    return tuple(sorted(found))


def _peeks(state: State, names: Sequence[str], words: Sequence[str]) -> tuple[int, ...]:
    """Coins of several hands, as in "ben 1 2 carla 3"."""
    found: set[int] = set()
    owner: int | None = None
    for word in (word.strip(",") for word in words if word != "and"):
        if owner is not None and word.isdigit() and word.isascii():
            found |= set(_handles(state, owner, [word]))
        else:
            owner = _seat(names, word)
    if not found:
        raise Misunderstood("Say whose coins and which, like: peek ben 1 2.")
    return tuple(sorted(found))
