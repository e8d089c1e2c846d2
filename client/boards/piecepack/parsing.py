"""What is typed in the line mode: how to type each choice, and the choice that was typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.piecepack.form_act import deeds_of
from kimberley.client.boards.piecepack.phrases import known, listed, long_coin, long_tile, many, outcome, with_article
from kimberley.client.boards.piecepack.suits import SUITS, tile_name
from kimberley.client.session.notices import NOTHING_TO_DO
from kimberley.games.piecepack.field import TilePlace
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.spaces import (
    ActionSpace,
    HeartSpace,
    LootSpace,
    PathSpace,
    PeekSpace,
    StepSpace,
    TileSpace,
)
from kimberley.games.piecepack.suits import RANKS
from kimberley.games.table import Plain, Space

VALUES: Final = {"null": 0, "0": 0, "ace": 1, "a": 1, "1": 1, "2": 2, "3": 3, "4": 4, "5": 5}
SUIT_WORDS: Final = {word: n for n, suit in enumerate(SUITS) for word in (suit.name, f"{suit.name}s")}
SPENDING: Final = {"travel": "sun", "sun": "sun", "rest": "moon", "moon": "moon", "mine": "spade", "spade": "spade",
                   "trade": "market", "market": "market"}  # fmt: skip
WORDS: Final = {"step": "step", "sun": "travel", "club": "beat", "spade": "mine", "dig": "dig", "moon": "rest",
                "market": "trade", "oasis": "oasis", "end": "end"}  # fmt: skip
"""How each action is typed."""


class ParseError(ValueError):
    """What was typed is no choice; the text says how to say it."""


def coins_in(words: Sequence[str]) -> list[tuple[int, int]]:
    """Suits and values: "sun 3 sun ace". Raises ParseError."""
    useful = [word.strip(",.") for word in words if word not in ("and", "of", "the")]
    if len(useful) % 2 or not useful:
        raise ParseError("Say coins and tiles by suit and value, like: club 4 heart ace.")
    found = []
    for suit, value in zip(useful[::2], useful[1::2], strict=True):
        if suit not in SUIT_WORDS or value not in VALUES:
            raise ParseError(f"{suit} {value} is no coin and no tile. Say, like: club 4, heart ace, moon null.")
        found.append((SUIT_WORDS[suit], VALUES[value]))
    return found


def _own(state: State, seat: int, words: Sequence[str]) -> tuple[int, ...]:
    """The handles of own coins."""
    hand = {known(coin): coin.handle for coin in state.hands[seat]}
    handles = []
    for coin in coins_in(words):
        if coin not in hand:
            raise ParseError(f"You do not hold {long_coin(*coin)}.")
        handles.append(hand[coin])
    return tuple(sorted(set(handles)))


def _tile(state: State, words: Sequence[str]) -> int:
    """The index of a tile on the field."""
    coins = coins_in(words)
    found = [index for index, tile in enumerate(state.field) if [(tile.suit, tile.value)] == coins]
    if not found:
        raise ParseError("No such tile lies on the field. Say, like: step club 4.")
    return found[0]


def _seat(names: Sequence[str], word: str) -> int:
    found = [seat for seat, name in enumerate(names) if name.lower() == word or str(seat + 1) == word]
    found = found or [seat for seat, name in enumerate(names) if name.lower().split()[0] == word]
    if not found:
        raise ParseError(f"Nobody here is called {word}.")
    return found[0]


# -- what is asked -----------------------------------------------------------------------------------------------------


def describe_choice(state: State, seat: int, names: Sequence[str], space: Space) -> list[str]:
    """What must be chosen, what can be, and how to type it."""
    match space:
        case TileSpace():
            suit, value = space.tile
            tile = f"{SUITS[suit].name} {RANKS[value]}, {with_article(tile_name(suit, value))}"
            lines = [f"You explore: lay {tile}. Type the number of a place."]
            return lines + [f"{n}: {where(state, seat, place)}." for n, place in enumerate(space.open(), start=1)]
        case ActionSpace():
            return _deeds(state, seat, names, space)
        case PathSpace():
            ways = [f"{long_tile(state.field[to])}: {_outcome(state, seat, to)}" for to in space.steps]
            more = " You may jump over one tile: say jump, and where to." if space.jumps else ""
            return [f"You may go {many(state.steps, 'tile')} more: step, or stop.{more}", *ways]
        case HeartSpace():
            whence = "The war zone" if state.attacker is None else names[state.attacker]
            hearts = [long_coin(*known(coin)) for coin in state.hands[seat] if coin.handle in space.handles]
            bonus = " You are the tough guy: each takes one more off." if space.bonus else ""
            return [
                f"{whence} attacks you with {space.attack}. You hold {listed(hearts)}.{bonus}",
                "Type, like: defend heart 3. Or type none. What is left of the attack is lost.",
            ]
        case LootSpace():
            return [
                f"You have beaten {names[space.victim]}: steal up to {many(space.most, 'coin')}.",
                f"Their coins: {_numbered(state, space.victim)}. Type, like: steal 1 3. Or type none.",
            ]
        case PeekSpace():
            hands = [f"{names[s]}: {_numbered(state, s)}." for s in state.others(seat) if state.hands[s]]
            say = f"Type, like: peek {names[state.others(seat)[0]]} 1. Or type none."
            return [f"Peek at up to {many(space.most, 'coin')} of others. {say}", *hands]
    return []


def _deeds(state: State, seat: int, names: Sequence[str], space: ActionSpace) -> list[str]:
    lines = ["What do you do?" if state.acted else "What do you do? You must do something."]
    for deed in deeds_of(state, seat, space, tuple(names)):
        about = deed.about
        for suit in SUITS:
            about = about.replace(suit.sign, suit.name)
        word = WORDS[deed.kind]
        lines.append(f"{word}: {about}" if deed.violation is None else f"Not {word}: {deed.violation}.")
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


def where(state: State, seat: int, place: TilePlace) -> str:
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


def parse_choice(state: State, seat: int, names: Sequence[str], space: Space, words: Sequence[str]) -> Plain:
    """The choice that a person means. Raises ParseError."""
    if not words:
        raise ParseError("Say what you choose. Type repeat to hear the question again.")
    first, rest = words[0], words[1:]
    match space:
        case TileSpace():
            return _place(space, words)
        case ActionSpace() | PathSpace():
            return _deed(state, seat, names, space, first, rest)
        case HeartSpace() | LootSpace() | PeekSpace() if words == ["none"]:
            return ()
        case HeartSpace():
            return _own(state, seat, rest if first == "defend" else words)
        case LootSpace():
            return _handles(state, space.victim, rest if first == "steal" else words)
        case PeekSpace():
            return _peeks(state, names, rest if first == "peek" else words)
    raise ParseError(NOTHING_TO_DO)


def _place(space: TileSpace, words: Sequence[str]) -> Plain:
    number = words[-1]
    if not number.isascii() or not number.isdigit() or not 1 <= int(number) <= len(space.open()):
        raise ParseError(f"Type the number of a place, from 1 to {len(space.open())}.")
    return space.open()[int(number) - 1]


def _deed(state: State, seat: int, names: Sequence[str], space: StepSpace, first: str, rest: Sequence[str]) -> Plain:
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
    raise ParseError("Type can to hear what you can do, or help for all that can be typed.")


def _jump(state: State, space: StepSpace, rest: Sequence[str]) -> Plain:
    """A jump, as in "jump heart 2" or "jump heart 2 over club 4"."""
    cut = list(rest).index("over") if "over" in rest else len(rest)
    to = _tile(state, rest[:cut])
    ways = [over for over, there in space.jumps if there == to]
    if cut < len(rest):
        return "jump", _tile(state, rest[cut + 1 :]), to
    if not ways:
        raise ParseError(f"You cannot jump to {long_tile(state.field[to])}.")
    return "jump", ways[0], to


def _handles(state: State, seat: int, words: Sequence[str]) -> tuple[int, ...]:
    """Coins of a hand by their numbers."""
    hand, found = state.hands[seat], set()
    for word in (word.strip(",") for word in words if word != "and"):
        if not word.isascii() or not word.isdigit() or not 1 <= int(word) <= len(hand):
            raise ParseError(f"Say the numbers of coins, from 1 to {len(hand)}, or none.")
        found.add(hand[int(word) - 1].handle)
    if not found:
        raise ParseError("Say which coins, by their numbers, or none.")
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
        raise ParseError("Say whose coins and which, like: peek ben 1 2.")
    return tuple(sorted(found))
