"""The game in sentences: what a screen reader reads, and what is typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.form import Reply
from kimberley.client.boards.piecepack.events import Narrator, read_events, start_of
from kimberley.client.boards.piecepack.parsing import ParseError, describe_choice, parse_choice
from kimberley.client.boards.piecepack.phrases import (
    known,
    listed,
    long_coin,
    long_tile,
    many,
    outcome,
    sale,
    tile_rule,
)
from kimberley.client.boards.piecepack.suits import POWER_WORDS, SUITS
from kimberley.client.session.notices import HAS_LEFT, NOTHING_TO_DO, YOU_HAVE_LEFT, join_names
from kimberley.client.session.participants import spoken_names
from kimberley.client.session.ports import TableLike
from kimberley.games.piecepack.field import Tile, beside
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.suits import GOAL, RANKS
from kimberley.games.table import Space, space_for
from kimberley.protocol.events import Answered, Event

LATEST: Final = 12
_HELP: Final = (
    f"Be the first with {GOAL} points, or have most when the last tile is drawn. Diamonds bring points: at a black "
    "market all that you hold are sold together for the product of their values.",
    "In your turn a tile is drawn, and you lay it beside the one you stand on. Then do at least one thing, and as many "
    "as you can pay for with coins. Everybody knows the suits of your coins, but only you know their values.",
    "A tile or a coin is called by its suit and its value: club 4, heart ace, moon null.",
    "hand tells your coins, players who holds what, field all tiles, look club 4 a tile and what is beside it. can "
    "tells what you can do, and why not the rest; log tells what was done; powers tells what each warlord can do.",
    "step club 4. jump heart 2. travel sun 3 sun ace. rest moon 2. mine spade 4. dig. trade heart 2 club null. oasis. "
    "beat ben club 3. end. When you are attacked: defend heart 3, or none.",
)


class PlainGame:
    """`client.boards.api.PlainSeat` for the piecepack game."""

    def __init__(self, table: TableLike) -> None:
        self._table = table
        self._seat = table.seat
        self._names = spoken_names(table)
        self._narrator = Narrator(self._names, self._seat, signs=False)
        self._seen = 0
        peer, state = table.peer, self._state
        self._tail = start_of(peer.story, state) if peer is not None and state is not None else None
        self._lines: list[str] = []

    @property
    def _state(self) -> State | None:
        peer = self._table.peer
        return peer.state if peer is not None and isinstance(peer.state, State) else None

    def _space(self) -> Space | None:
        peer, state = self._table.peer, self._state
        if peer is None or peer.asked is None or state is None:
            return None
        return space_for(state.ask(), self._seat)

    # -- the position ------------------------------------------------------------------------------------------------

    def describe(self) -> list[str]:
        return position(self._state, self._names, self._seat)

    # -- news --------------------------------------------------------------------------------------------------------

    def on_event(self, event: Event) -> list[str]:
        return self._catch_up() if isinstance(event, Answered) else []

    def _catch_up(self) -> list[str]:
        """What the story has got since it was told last."""
        peer, state = self._table.peer, self._state
        if peer is None or state is None:
            return []
        if self._tail is None:
            self._tail = start_of(peer.story, state)
        found, self._tail = read_events(peer.story[self._seen :], self._tail, self._seen)
        self._seen = len(peer.story)
        lines = [self._narrator.describe_event(each) for each in found if each.kind not in ("end", "leave")]
        self._lines += lines
        return lines

    # -- asking ------------------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        state, space = self._state, self._space()
        return describe_choice(state, self._seat, self._names, space) if state is not None and space is not None else []

    def submit(self, text: str) -> Reply:
        words = text.lower().split()
        state = self._state
        if state is None or not state.suits:
            return Reply((NOTHING_TO_DO,))
        match words:
            case ["look", *rest] if rest:
                return Reply(tuple(self._look(state, rest)))
            case ["hand" | "look"]:
                return Reply(tuple(_own(state, self._seat)))
            case ["players"]:
                return Reply(tuple(_player(state, seat, self._names) for seat in state.others(self._seat)))
            case ["field"]:
                return Reply(tuple(self._describe_tile(state, index) for index in range(len(state.field))))
            case ["log"]:
                self._catch_up()
                return Reply(tuple(self._lines[-LATEST:]) or ("Nothing was done yet.",))
            case ["powers"]:
                return Reply(tuple(f"The {suit.power} {said}".replace("♣", "club").replace("♦", "diamond").replace("♥",
                             "heart") for suit, said in zip(SUITS, POWER_WORDS, strict=True)))  # fmt: skip
            case ["can"]:
                return Reply(tuple(self.prompt()) or (NOTHING_TO_DO,))
        space = self._space()
        if space is None:
            return Reply((NOTHING_TO_DO,))
        try:
            choice = parse_choice(state, self._seat, self._names, space, words)
        except ParseError as error:
            return Reply((str(error),))
        return Reply((), choice, True)

    # -- tiles -------------------------------------------------------------------------------------------------------

    def _there(self, state: State, index: int) -> str:
        seats = [seat for seat, at in enumerate(state.pawns) if at == index]
        there = ["you" if seat == self._seat else self._names[seat] for seat in seats]
        return f" with {join_names(there)}" if there else ""

    def _describe_tile(self, state: State, index: int) -> str:
        return f"{long_tile(state.field[index])}{self._there(state, index)}."

    def _look(self, state: State, words: list[str]) -> list[str]:
        index = next((n for n, tile in enumerate(state.field) if _called(tile, words)), None)
        if index is None:
            return ["No such tile lies on the field. Say, like: look club 4."]
        tile = state.field[index]
        lines = [f"{SUITS[tile.suit].name} {RANKS[tile.value]}: {tile_rule(tile)}"]
        near = [f"{long_tile(state.field[other])}{self._there(state, other)}" for other in beside(state.field, index)]
        lines.append(f"Beside it: {'; '.join(near)}.")
        if self._there(state, index):
            lines.append(f"It lies there{self._there(state, index)}.")
        if state.present[self._seat] and state.pawns[self._seat] != index:
            text = outcome(state, self._seat, index, False).text
            lines.append(f"For you: {_spelled(text)}")
        return lines

    def help(self) -> list[str]:
        return list(_HELP)


def _called(tile: Tile, words: list[str]) -> bool:
    from kimberley.client.boards.piecepack.parsing import coins_in

    try:
        return coins_in(words) == [(tile.suit, tile.value)]
    except ParseError:
        return False


def _spelled(text: str) -> str:
    """A text with the names of suits for their signs."""
    for suit in SUITS:
        text = text.replace(suit.sign, f"{suit.name}s")
    return text


# -- the position ------------------------------------------------------------------------------------------------------


def position(state: State | None, names: Sequence[str], you: int | None) -> list[str]:
    """The position in sentences. `you` is the seat that is called so, None for an onlooker."""
    if state is None or not state.suits:
        return ["Lots decide the suits, and who begins."]
    lines = [] if you is None else [f"You are {_power(state, you)}.", *_own(state, you)]
    others = range(state.seats) if you is None else state.others(you)
    lines += [_player(state, seat, names) for seat in others]
    lines.append(f"{many(len(state.stack), 'tile')} face down, {many(state.in_bag, 'coin')} in the bag, "
                 f"{many(state.in_pile, 'diamond')} left to mine.")  # fmt: skip
    if not state.ended:
        lines.append("It is your turn." if state.turn == you else f"It is {names[state.turn]}’s turn.")
    return lines


def _power(state: State, seat: int) -> str:
    suit = SUITS[state.suits[seat]]
    return f"the {suit.power}, with the {suit.name}s"


def _own(state: State, seat: int) -> list[str]:
    if not state.present[seat]:
        return [YOU_HAVE_LEFT]
    hand = sorted(map(known, state.hands[seat]), key=lambda coin: (coin[0], coin[1] or 0))
    lines = [f"You have {many(state.scores[seat], 'point')}, and stand on {long_tile(state.tile(seat))}."]
    lines.append(f"You hold {listed([long_coin(*coin) for coin in hand])}." if hand else "You hold no coins.")
    product, worth = sale(state, seat, False)
    if product:
        lines.append(f"Your diamonds would sell for {worth}.")
    return lines


def _player(state: State, seat: int, names: Sequence[str]) -> str:
    if not state.present[seat]:
        return f"{names[seat]} {HAS_LEFT} the game."
    coins = listed([long_coin(*known(coin)) for coin in state.hands[seat]]) or "nothing"
    return (
        f"{names[seat]}, {_power(state, seat)}, has {many(state.scores[seat], 'point')}, stands on "
        f"{long_tile(state.tile(seat))}, and holds {coins}."
    )
