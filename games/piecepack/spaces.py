"""What can be chosen. Everything in a space is public: handles and suits of coins, never their values."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Final, cast

from kimberley.games.phrases import count_of
from kimberley.games.piecepack.coins import Kind
from kimberley.games.piecepack.field import TilePlace
from kimberley.games.piecepack.suits import CLUB, DIAMOND, MOON, SPADE, SUN
from kimberley.games.table import BaseSpace, Plain, Unreadable

SPENDING: Final = {"sun": SUN, "moon": MOON, "club": CLUB, "spade": SPADE}
"""The suits that can be spent in one's turn, by the word for it."""


def read_whole(plain: Plain) -> int:
    """Returns a whole number. Raises Unreadable for anything else, including True."""
    if type(plain) is not int:
        raise Unreadable("expected a whole number")
    return plain


def read_words(plain: Plain) -> tuple[Plain, ...]:
    """Returns a choice that is a tuple, whose first entry is its word. Raises Unreadable."""
    if type(plain) is not tuple or not plain or type(plain[0]) is not str:
        raise Unreadable('a choice is a tuple that begins with its word: ("end",)')
    return plain


def read_handles(plain: Plain) -> tuple[int, ...]:
    """Returns the handles of coins, ascending. Raises Unreadable."""
    if type(plain) is not tuple:
        raise Unreadable("coins are named by their handles, in a tuple")
    coins = tuple(read_whole(one) for one in plain)
    if any(one >= two for one, two in pairwise(coins)):
        raise Unreadable("handles of coins ascend, each once")
    return coins


def pick_some(rng: Random, coins: tuple[int, ...], least: int, most: int) -> tuple[int, ...]:
    """Returns some of the coins at random, ascending."""
    return tuple(sorted(rng.sample(coins, rng.randint(least, min(most, len(coins))))))


@dataclass(frozen=True)
class TileSpace(BaseSpace):
    """Where the tile that was drawn can be laid: (x, y) in half tiles."""

    tile: Kind
    at: tuple[TilePlace, ...]

    def open(self) -> tuple[TilePlace, ...]:
        """Returns all places where the tile can be laid."""
        return self.at

    def read(self, plain: Plain) -> Plain:
        if type(plain) is not tuple or len(plain) != 2:
            raise Unreadable("a place is (x, y) in half tiles")
        return read_whole(plain[0]), read_whole(plain[1])

    def broken_rule(self, choice: Plain) -> str | None:
        if choice in self.at:
            return None
        return "a tile must touch your pawn’s tile along at least half an edge, and cover nothing"

    def pick(self, rng: Random) -> Plain:
        return rng.choice(self.at)


@dataclass(frozen=True)
class CoinSpace(BaseSpace):
    """Up to `most` coins of `handles`, none included."""

    handles: tuple[int, ...]
    most: int

    def read(self, plain: Plain) -> Plain:
        return read_handles(plain)

    def broken_rule(self, choice: Plain) -> str | None:
        chosen = cast("tuple[int, ...]", choice)
        if any(one not in self.handles for one in chosen):
            return self.foreign
        return f"choose at most {self.most}, not {len(chosen)}" if len(chosen) > self.most else None

    @property
    def foreign(self) -> str:
        """The sentence for coins that may not be chosen."""
        return "you cannot choose that coin"

    def pick(self, rng: Random) -> Plain:
        return pick_some(rng, self.handles, 0, self.most)


@dataclass(frozen=True)
class HeartSpace(CoinSpace):
    """The hearts with which an attacked seat can defend. Each is worth `bonus` more than its value."""

    attack: int
    bonus: int

    @property
    def foreign(self) -> str:
        return "only your own hearts defend you"


@dataclass(frozen=True)
class LootSpace(CoinSpace):
    """The coins of the beaten seat, of which the attacker takes some unseen."""

    victim: int

    @property
    def foreign(self) -> str:
        return "you can steal only from the player you beat"


@dataclass(frozen=True)
class PeekSpace(CoinSpace):
    """The other seats' coins at which a spy may peek; `known` are those whose value it has seen."""

    known: tuple[int, ...]

    @property
    def foreign(self) -> str:
        return "you can peek only at coins in other players’ hands"


@dataclass(frozen=True)
class StepSpace(BaseSpace):
    """Where a pawn can go: to a tile beside it, or over one (`jumps`: over, to)."""

    steps: tuple[int, ...]
    jumps: tuple[tuple[int, int], ...]

    def read_move(self, words: tuple[Plain, ...]) -> Plain | None:
        """Returns the move that the words spell, or None. Raises Unreadable."""
        match words:
            case ("step", to):
                return "step", read_whole(to)
            case ("jump", over, to):
                return "jump", read_whole(over), read_whole(to)
        return None

    def broken_move_rule(self, choice: Plain) -> str | None:
        """Returns the rule that forbids a move, or None."""
        match choice:
            case ("step", to) if to not in self.steps:
                return "you can step only to a tile that shares at least half an edge with yours"
            case ("jump", over, to) if (over, to) not in self.jumps:
                return "you can jump over an adjacent tile to one next to it"
        return None

    def pick_move(self, rng: Random) -> Plain:
        if self.jumps and (not self.steps or rng.random() < 0.5):
            return ("jump", *rng.choice(self.jumps))
        return "step", rng.choice(self.steps)


@dataclass(frozen=True)
class PathSpace(StepSpace):
    """The next tile of a sun move, with `left` steps left, or its end, ("stop",), where it `stops`: after a step."""

    left: int
    stops: bool

    def read(self, plain: Plain) -> Plain:
        words = read_words(plain)
        move = words if words == ("stop",) else self.read_move(words)
        if move is None:
            raise Unreadable('expected ("step", tile), ("jump", over, tile) or ("stop",)')
        return move

    def broken_rule(self, choice: Plain) -> str | None:
        if choice == ("stop",):
            return None if self.stops else "move at least one tile first"
        reason = self.broken_move_rule(choice)
        return reason and reason + ", and to no tile twice in one move"

    def pick(self, rng: Random) -> Plain:
        return ("stop",) if self.stops and rng.random() < 0.2 else self.pick_move(rng)


@dataclass(frozen=True)
class ActionSpace(StepSpace):
    """The actions of a turn. `hands` are the handles of the seat's coins by suit; `refused` has (kind, reason) for each
    kind of action that is not possible; `trade` is how many coins the market takes; `victims` are the seats that can be
    attacked.
    """

    hands: tuple[tuple[int, ...], ...]
    trade: int
    victims: tuple[int, ...]
    refused: tuple[tuple[str, str], ...]

    def refuses(self, kind: str) -> str | None:
        """Says why this kind of action is not possible, or None if it is."""
        return next((reason for word, reason in self.refused if word == kind), None)

    def offers(self, kind: str) -> bool:
        """Returns whether this kind of action, by its first word, is possible."""
        return kind in KINDS_OF_ACTION and self.refuses(kind) is None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of action that are possible."""
        return tuple(kind for kind in KINDS_OF_ACTION if self.refuses(kind) is None)

    def coins(self, kind: str) -> tuple[int, ...]:
        """Returns the coins of the seat that an action of this kind may use."""
        if kind == "market":
            return tuple(sorted(one for suit, own in enumerate(self.hands) if suit != DIAMOND for one in own))
        return self.hands[SPENDING[kind]]

    def most(self, kind: str) -> int:
        """Returns how many coins such an action may use."""
        return min(self.trade, len(self.coins(kind))) if kind == "market" else len(self.coins(kind))

    def read(self, plain: Plain) -> Plain:
        words = read_words(plain)
        match words:
            case (("oasis" | "dig" | "end") as kind,):
                return (kind,)
            case (("sun" | "moon" | "spade" | "market") as kind, coins):
                return kind, read_handles(coins)
            case ("club", victim, coins):
                return "club", read_whole(victim), read_handles(coins)
        move = self.read_move(words)
        if move is None:
            raise Unreadable("expected an action: " + ", ".join(KINDS_OF_ACTION))
        return move

    def broken_rule(self, choice: Plain) -> str | None:
        kind, *rest = cast("tuple[str, *tuple[Plain, ...]]", choice)
        if reason := self.refuses(kind):
            return reason
        if kind == "club" and rest[0] not in self.victims:
            return "you can attack only a player on your own tile"
        if kind == "market" or kind in SPENDING:
            return self._broken_coins_rule(kind, cast("tuple[int, ...]", rest[-1]))
        return self.broken_move_rule(choice)

    def _broken_coins_rule(self, kind: str, chosen: tuple[int, ...]) -> str | None:
        if not chosen:
            return "choose at least one coin"
        if any(one not in self.coins(kind) for one in chosen):
            market = "the market takes only your own coins, and no diamonds"
            return market if kind == "market" else f"only your own {kind}s can be spent this way"
        most = self.most(kind)
        coins = count_of(self.trade, "coin")
        return f"this market takes at most {coins}, not {len(chosen)}" if len(chosen) > most else None

    def pick(self, rng: Random) -> Plain:
        kind = rng.choice(self.kinds)
        if kind in ("step", "jump"):
            return self.pick_move(rng)
        if kind == "club":
            return "club", rng.choice(self.victims), pick_some(rng, self.coins("club"), 1, self.most("club"))
        if kind == "market" or kind in SPENDING:
            return kind, pick_some(rng, self.coins(kind), 1, self.most(kind))
        return (kind,)


KINDS_OF_ACTION: Final = ("step", "jump", "sun", "moon", "club", "spade", "dig", "market", "oasis", "end")
