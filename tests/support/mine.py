"""Positions of Diamond Mine for tests, by the names of squares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import cast

from games.arena import Arena, choosers
from games.mine import GAME
from games.mine.gems import ALIKE, bag
from games.mine.mine import Mine
from games.mine.rules import COLOUR, NESTS, State, opening
from games.mine.spaces import Moves, Places, Takes
from games.mine.squares import homes, square
from games.table import HIDDEN, Decide, Item, Plain, Result, Show, Shuffle, Together, asked, changed

SPARE = ("b8", "c8", "d8", "e8", "f8", "g8", "h2", "h3", "h4", "h5", "h6")
"""Where nests stand that a test does not speak of."""
EACH = 20
RED, BLUE, GREEN, PURPLE, WHITE = range(5)


def squares(text: str) -> tuple[int, ...]:
    return tuple(square(name) for name in text.split())


def small(colour: int, number: int = 0) -> int:
    """The handle of a small gem of a colour, in the order of `position`."""
    return colour * ALIKE + number


def medium(colour: int, number: int = 0) -> int:
    return EACH + small(colour, number)


def position(
    seats: int = 2,
    *,
    veins: str = "",
    pawns: str = "",
    inside: Mapping[str, Sequence[int]] | None = None,
    carried: Mapping[int, Sequence[int]] | None = None,
    stored: Mapping[int, Sequence[int]] | None = None,
    loose: Mapping[str, int] | None = None,
    first: int = 0,
    quiet: int = 0,
    flawless: int | None = PURPLE,
) -> State:
    """The truth when cards are to be chosen. The small gems 0 to 19 are 5 red, 5 blue, 5 green and 5 purple ones, the
    medium ones 20 to 39 likewise; seat 0 is red, 1 blue, 2 green, 3 purple.

    The nests stand on `veins` first; `inside` names those that are opened, with what is left in them.
    """
    named = veins.split()
    spare = [name for name in SPARE if name not in named and name not in pawns.split()]
    placed = squares(" ".join([*named, *spare][: NESTS[seats]]))
    held = {square(name): tuple(gems) for name, gems in (inside or {}).items()}
    shown = {gem for group in (*held.values(), *(carried or {}).values(), *(stored or {}).values()) for gem in group}
    shown |= set((loose or {}).values())
    for name in inside or {}:
        shown |= {placed.index(square(name)), EACH + placed.index(square(name))}
    items = [
        Item(gem, parts, ((1 << seats) - 1 if gem in shown else 0,)) for gem, parts in enumerate((*bag(4), *bag(4)))
    ]
    taken = {gem for group in (carried, stored) for gems in (group or {}).values() for gem in gems}
    taken |= set((loose or {}).values())
    mine = Mine(
        seats,
        EACH,
        inside=tuple(
            held.get(place, tuple(gem for gem in (nest, EACH + nest) if gem not in taken))
            for nest, place in enumerate(placed)
        ),
        opened=tuple(place in held for place in placed),
        pawns=squares(pawns) if pawns else homes(seats),
        carried=by_seat(seats, carried),
        stored=by_seat(seats, stored),
        veins=placed,
        loose=tuple(sorted((square(name), gem) for name, gem in (loose or {}).items())),
    )
    return changed(
        opening(seats, False, first),
        mine=mine,
        colours=tuple(range(seats)),
        flawless=flawless if seats == 2 else None,
        items=tuple(items),
        phase="cards",
        round=1,
        first=first,
        turn=first,
        quiet=quiet,
    )


def filled(seats: int, *, begins: int = 0, fifth: bool = False, lots: tuple[int, ...] = (0, 0, 0)) -> State:
    """After the lots and both shuffles, as an onlooker sees them."""
    state = GAME.start(seats, {"flawless": fifth}, begins).tell(lots)
    for size in (0, 1):
        ask = state.ask()
        assert isinstance(ask, Shuffle)
        count = len(ask.items)
        state = state.tell(tuple(Item(size * count + item, (HIDDEN,), (0,)) for item in range(count)))
    return state


def by_seat(seats: int, gems: Mapping[int, Sequence[int]] | None) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(sorted((gems or {}).get(seat, ()))) for seat in range(seats))


def shown(state: State, *cards: int) -> State:
    """After all have shown these cards, and nobody wants to end the game; seats that left are left out."""
    left = list(cards)
    return told(state, tuple((left.pop(0), False) if here else None for here in state.present))


def told(state: State, answer: object) -> State:
    """The state after an answer; what is shown then is shown as it is."""
    state = state.tell(answer)
    ask = state.ask()
    if isinstance(ask, Show):
        state = state.tell(tuple((state.items[gem].parts[COLOUR],) for gem in ask.items))
    return state


def moves(state: State) -> Moves:
    ask = state.ask()
    assert isinstance(ask, Decide), f"nobody is to move: {ask}"
    assert isinstance(ask.space, Moves), f"nobody is to move: {ask.topic}"
    return ask.space


def takes(state: State) -> Takes:
    ask = state.ask()
    assert isinstance(ask, Decide), f"nothing is to be taken: {ask}"
    assert isinstance(ask.space, Takes), f"nothing is to be taken: {ask.topic}"
    return ask.space


def places(state: State) -> Places:
    ask = state.ask()
    assert isinstance(ask, Decide), f"nothing is to be placed: {ask}"
    assert isinstance(ask.space, Places), f"nothing is to be placed: {ask.topic}"
    return ask.space


def move(to: str, picked: str = "", dropped: Mapping[str, int] | None = None) -> Plain:
    """A move as it is chosen."""
    drops = tuple((square(name), gem) for name, gem in (dropped or {}).items())
    return square(to), squares(picked), drops


def go(state: State, to: str, picked: str = "", dropped: Mapping[str, int] | None = None) -> State:
    """After the seat at turn has made a legal move."""
    choice = move(to, picked, dropped)
    reason = moves(state).why_not(choice)
    assert reason is None, reason
    return told(state, choice)


def refused(state: State, to: str, picked: str = "", dropped: Mapping[str, int] | None = None) -> str:
    """The rule that forbids a move."""
    reason = moves(state).why_not(move(to, picked, dropped))
    assert reason is not None, f"{to} is allowed"
    return reason


def result(state: State) -> Result:
    ask = state.ask()
    assert isinstance(ask, Result), f"the game goes on: {ask}"
    return ask


def played(seats: int, seed: int, *, fifth: bool = False, leaves: bool = False) -> Iterator[State]:
    """The true states of a game at random, the last one over. Where seats leave, some do so at random."""
    rng = Random(seed)
    arena = Arena(GAME.start(seats, {"flawless": fifth}), rng)
    while True:
        state = cast(State, arena.truth)
        yield state
        ask = state.ask()
        if isinstance(ask, Result):
            return
        going = rng.randrange(seats)
        if leaves and not isinstance(ask, Show) and state.present[going] and rng.random() < 0.02:
            arena.truth = state.leave(going)
            continue
        choices = {seat: space.pick(rng) for seat in choosers(ask) if (space := asked(ask, seat)) is not None}
        arena.advance(choices)


def together(state: State) -> Together:
    ask = state.ask()
    assert isinstance(ask, Together), f"no cards are chosen: {ask}"
    return ask
