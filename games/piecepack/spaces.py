"""What can be chosen. Everything in a space is public: handles and suits of coins, never their values."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Final, cast

from games.piecepack.coins import Kind
from games.piecepack.field import Place
from games.piecepack.suits import CLUB, DIAMOND, MOON, RANKS, SPADE, SUITS, SUN
from games.table import Free, Plain, Unreadable

SPENDING: Final = {"sun": SUN, "moon": MOON, "club": CLUB, "spade": SPADE}
"""The suits that can be spent in one's turn, by the word for it."""


def whole(plain: Plain) -> int:
    """A whole number. Raises Unreadable for anything else, True among it."""
    if type(plain) is not int:
        raise Unreadable("expected a whole number")
    return plain


def spoken(plain: Plain) -> tuple[Plain, ...]:
    """A choice that is a tuple, whose first entry is its word. Raises Unreadable."""
    if type(plain) is not tuple or not plain or type(plain[0]) is not str:
        raise Unreadable('a choice is a tuple that begins with its word: ("end",)')
    return plain


def handful(plain: Plain) -> tuple[int, ...]:
    """Handles of coins, ascending. Raises Unreadable."""
    if type(plain) is not tuple:
        raise Unreadable("coins are named by their handles, in a tuple")
    coins = tuple(whole(one) for one in plain)
    if any(one >= two for one, two in pairwise(coins)):
        raise Unreadable("handles of coins ascend, each once")
    return coins


def some(rng: Random, coins: tuple[int, ...], least: int, most: int) -> tuple[int, ...]:
    """Some of the coins, ascending."""
    return tuple(sorted(rng.sample(coins, rng.randint(least, min(most, len(coins))))))


@dataclass(frozen=True)
class Places(Free):
    """Where the tile that was drawn can be laid: (x, y) in half tiles."""

    tile: Kind
    at: tuple[Place, ...]

    def open(self) -> tuple[Place, ...]:
        """All of them."""
        return self.at

    def read(self, plain: Plain) -> Plain:
        if type(plain) is not tuple or len(plain) != 2:
            raise Unreadable("a place is (x, y) in half tiles")
        return whole(plain[0]), whole(plain[1])

    def forbids(self, choice: Plain) -> str | None:
        if choice in self.at:
            return None
        return "a tile covers no other, and shares half an edge or a whole one with the tile under your pawn"

    def pick(self, rng: Random) -> Plain:
        return rng.choice(self.at)


@dataclass(frozen=True)
class Coins(Free):
    """Up to `most` coins of `handles`, none included."""

    handles: tuple[int, ...]
    most: int

    def read(self, plain: Plain) -> Plain:
        return handful(plain)

    def forbids(self, choice: Plain) -> str | None:
        chosen = cast("tuple[int, ...]", choice)
        if any(one not in self.handles for one in chosen):
            return self.foreign
        return f"at most {self.most}, not {len(chosen)}" if len(chosen) > self.most else None

    @property
    def foreign(self) -> str:
        """What is said where coins are chosen that may not be."""
        return "only coins that are offered can be chosen"

    def pick(self, rng: Random) -> Plain:
        return some(rng, self.handles, 0, self.most)


@dataclass(frozen=True)
class Hearts(Coins):
    """The hearts with which one who is attacked can defend. Each is worth `bonus` more than its value."""

    attack: int
    bonus: int

    @property
    def foreign(self) -> str:
        return "only your own hearts defend you"


@dataclass(frozen=True)
class Loot(Coins):
    """The coins of who was beaten, of which the attacker takes some unseen."""

    victim: int

    @property
    def foreign(self) -> str:
        return "only coins of who was beaten can be stolen"


@dataclass(frozen=True)
class Peeks(Coins):
    """The coins of others at which a spy may peek; `known` are those whose value it has seen."""

    known: tuple[int, ...]

    @property
    def foreign(self) -> str:
        return "only coins in the hands of others can be peeked at"


@dataclass(frozen=True)
class Moves(Free):
    """Where a pawn can go: to a tile beside it, or over one (`jumps`: over, to)."""

    steps: tuple[int, ...]
    jumps: tuple[tuple[int, int], ...]

    def read_move(self, words: tuple[Plain, ...]) -> Plain | None:
        """A move that is spelled as it should be; None if it is none."""
        match words:
            case ("step", to):
                return "step", whole(to)
            case ("jump", over, to):
                return "jump", whole(over), whole(to)
        return None

    def forbids_move(self, choice: Plain) -> str | None:
        """The rule that forbids a move, or None."""
        match choice:
            case ("step", to) if to not in self.steps:
                return "a pawn steps only to a tile that shares at least half an edge with its own"
            case ("jump", over, to) if (over, to) not in self.jumps:
                return "a pawn jumps over a tile beside it to one beside that"
        return None

    def pick_move(self, rng: Random) -> Plain:
        if self.jumps and (not self.steps or rng.random() < 0.5):
            return ("jump", *rng.choice(self.jumps))
        return "step", rng.choice(self.steps)


@dataclass(frozen=True)
class Paths(Moves):
    """The next tile of a sun move, with `left` steps left, or its end: ("stop",)."""

    left: int

    def read(self, plain: Plain) -> Plain:
        words = spoken(plain)
        move = words if words == ("stop",) else self.read_move(words)
        if move is None:
            raise Unreadable('expected ("step", tile), ("jump", over, tile) or ("stop",)')
        return move

    def forbids(self, choice: Plain) -> str | None:
        reason = self.forbids_move(choice)
        return reason and reason + ", none twice in one move"

    def pick(self, rng: Random) -> Plain:
        return ("stop",) if rng.random() < 0.2 or not (self.steps or self.jumps) else self.pick_move(rng)


@dataclass(frozen=True)
class Actions(Moves):
    """The actions of a turn. `hands` are the handles of own coins by suit; `refused` says of each kind of action that
    is not possible why; `trade` is how many coins the market takes; `victims` are those who can be beaten.
    """

    hands: tuple[tuple[int, ...], ...]
    trade: int
    victims: tuple[int, ...]
    refused: tuple[tuple[str, str], ...]

    def refuses(self, kind: str) -> str | None:
        """Why this kind of action is not possible, or None if it is."""
        return next((reason for word, reason in self.refused if word == kind), None)

    def offers(self, kind: str) -> bool:
        """Whether this kind of action, by its first word, is possible."""
        return kind in KINDS_OF_ACTION and self.refuses(kind) is None

    @property
    def kinds(self) -> tuple[str, ...]:
        """All that are possible."""
        return tuple(kind for kind in KINDS_OF_ACTION if self.refuses(kind) is None)

    def coins(self, kind: str) -> tuple[int, ...]:
        """The own coins that an action of this kind may use."""
        if kind == "market":
            return tuple(sorted(one for suit, own in enumerate(self.hands) if suit != DIAMOND for one in own))
        return self.hands[SPENDING[kind]]

    def most(self, kind: str) -> int:
        """How many of them."""
        return min(self.trade, len(self.coins(kind))) if kind == "market" else len(self.coins(kind))

    def read(self, plain: Plain) -> Plain:
        words = spoken(plain)
        match words:
            case (("oasis" | "dig" | "end") as kind,):
                return (kind,)
            case (("sun" | "moon" | "spade" | "market") as kind, coins):
                return kind, handful(coins)
            case ("club", victim, coins):
                return "club", whole(victim), handful(coins)
        move = self.read_move(words)
        if move is None:
            raise Unreadable("expected an action: " + ", ".join(KINDS_OF_ACTION))
        return move

    def forbids(self, choice: Plain) -> str | None:
        kind, *rest = cast("tuple[str, *tuple[Plain, ...]]", choice)
        if reason := self.refuses(kind):
            return reason
        if kind == "club" and rest[0] not in self.victims:
            return "only who stands on the same tile can be beaten"
        if kind == "market" or kind in SPENDING:
            return self._forbids_coins(kind, cast("tuple[int, ...]", rest[-1]))
        return self.forbids_move(choice)

    def _forbids_coins(self, kind: str, chosen: tuple[int, ...]) -> str | None:
        if not chosen:
            return "choose at least one coin"
        if any(one not in self.coins(kind) for one in chosen):
            market = "the market takes only your own coins, and no diamonds"
            return market if kind == "market" else f"only your own {kind}s can be spent so"
        most = self.most(kind)
        return f"this market takes at most {self.trade} coins, not {len(chosen)}" if len(chosen) > most else None

    def pick(self, rng: Random) -> Plain:
        kind = rng.choice(self.kinds)
        if kind in ("step", "jump"):
            return self.pick_move(rng)
        if kind == "club":
            return "club", rng.choice(self.victims), some(rng, self.coins("club"), 1, self.most("club"))
        if kind == "market" or kind in SPENDING:
            return kind, some(rng, self.coins(kind), 1, self.most(kind))
        return (kind,)


KINDS_OF_ACTION: Final = ("step", "jump", "sun", "moon", "club", "spade", "dig", "market", "oasis", "end")


def named(kind: Kind) -> str:
    """A tile or a coin in words: 4 of spades, ace of suns."""
    return f"{RANKS[kind[1]]} of {SUITS[kind[0]]}s"
