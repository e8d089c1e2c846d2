"""Positions of Diamond Mine for tests, by the names of squares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import cast

from kimberley.games.arena import Arena
from kimberley.games.mine import GAME
from kimberley.games.mine.gems import ALIKE, bag
from kimberley.games.mine.mine import Mine
from kimberley.games.mine.rules import COLOR, NESTS, State, opening
from kimberley.games.mine.spaces import NestSpace, PawnMoveSpace, TakeSpace
from kimberley.games.mine.squares import homes, square
from kimberley.games.table import HIDDEN, Decide, Item, Plain, Result, Show, Shuffle, Together, evolve, space_for

SPARE = ("b8", "c8", "d8", "e8", "f8", "g8", "h2", "h3", "h4", "h5", "h6")
"""Squares for the nests that a test does not name."""
EACH = 20
RED, BLUE, GREEN, PURPLE, WHITE = range(5)


def squares(text: str) -> tuple[int, ...]:
    return tuple(square(name) for name in text.split())


def small(color: int, number: int = 0) -> int:
    """Returns the handle of a small gem of a color, in the order of `position`."""
    return color * ALIKE + number


def medium(color: int, number: int = 0) -> int:
    return EACH + small(color, number)


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
    """Returns the true state when the players choose cards.

    The small gems 0 to 19 are 5 red, 5 blue, 5 green and 5 purple ones, and so are the medium gems 20 to 39. Seat 0 is
    red, 1 blue, 2 green, 3 purple. The nests stand on `veins` first. `inside` names the opened ones, with the gems left
    in them.
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
    return evolve(
        opening(seats, False, first),
        mine=mine,
        colors=tuple(range(seats)),
        flawless=flawless if seats == 2 else None,
        items=tuple(items),
        phase="cards",
        round=1,
        first=first,
        turn=first,
        quiet=quiet,
    )


def walled_in() -> State:
    """Returns the true state when the players choose cards, and seat 0 can move with none."""
    shut = dict.fromkeys(("a4", "b4", "b5", "b6", "a6"), ())
    return position(2, veins=" ".join(shut), inside=shut, pawns="a5 g6")


def hidden(state: State) -> State:
    """Returns the state as a seat sees it."""
    items = (item if item.seen[COLOR] else Item(item.handle, (HIDDEN,), item.seen) for item in state.items)
    return evolve(state, items=tuple(items))


def with_other_colors(truth: State, rng: Random) -> State:
    """Returns another truth that looks the same to all: the gems that nobody has seen have changed their colors."""
    unseen = [item.parts for item in truth.items if not item.seen[COLOR]]
    rng.shuffle(unseen)
    items = (item if item.seen[COLOR] else Item(item.handle, unseen.pop(), item.seen) for item in truth.items)
    return evolve(truth, items=tuple(items))


def filled(seats: int, *, begins: int = 0, fifth: bool = False, lots: tuple[int, ...] = (0, 0, 0)) -> State:
    """Returns the state after the lots and both shuffles, as a spectator sees it."""
    state = GAME.start(seats, {"flawless": fifth}, begins).apply(lots)
    for size in (0, 1):
        ask = state.ask()
        assert isinstance(ask, Shuffle)
        count = len(ask.items)
        state = state.apply(tuple(Item(size * count + item, (HIDDEN,), (0,)) for item in range(count)))
    return state


def by_seat(seats: int, gems: Mapping[int, Sequence[int]] | None) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(sorted((gems or {}).get(seat, ()))) for seat in range(seats))


def shown(state: State, *cards: int) -> State:
    """Returns the state after those present showed these cards and nobody wants to end the game."""
    left = list(cards)
    return told(state, tuple((left.pop(0), False) if here else None for here in state.present))


def told(state: State, answer: object) -> State:
    """Returns the state after an answer. If gems are shown next, their real colors are shown."""
    state = state.apply(answer)
    ask = state.ask()
    if isinstance(ask, Show):
        state = state.apply(tuple((state.items[gem].parts[COLOR],) for gem in ask.items))
    return state


def moves(state: State) -> PawnMoveSpace:
    ask = state.ask()
    assert isinstance(ask, Decide), f"nobody is to move: {ask}"
    assert isinstance(ask.space, PawnMoveSpace), f"nobody is to move: {ask.topic}"
    return ask.space


def takes(state: State) -> TakeSpace:
    ask = state.ask()
    assert isinstance(ask, Decide), f"nothing is to be taken: {ask}"
    assert isinstance(ask.space, TakeSpace), f"nothing is to be taken: {ask.topic}"
    return ask.space


def places(state: State) -> NestSpace:
    ask = state.ask()
    assert isinstance(ask, Decide), f"nothing is to be placed: {ask}"
    assert isinstance(ask.space, NestSpace), f"nothing is to be placed: {ask.topic}"
    return ask.space


def move(to: str, picked: str = "", dropped: Mapping[str, int] | None = None) -> Plain:
    """Returns a move as a choice."""
    drops = tuple((square(name), gem) for name, gem in (dropped or {}).items())
    return square(to), squares(picked), drops


def go(state: State, to: str, picked: str = "", dropped: Mapping[str, int] | None = None) -> State:
    """Returns the state after the current seat has made a legal move."""
    choice = move(to, picked, dropped)
    reason = moves(state).violation(choice)
    assert reason is None, reason
    return told(state, choice)


def refused(state: State, to: str, picked: str = "", dropped: Mapping[str, int] | None = None) -> str:
    """Returns the reason why a move is not legal."""
    reason = moves(state).violation(move(to, picked, dropped))
    assert reason is not None, f"{to} is allowed"
    return reason


def last_vein(mine: int, others: int) -> State:
    """Returns the state in which seat 0 stands on a vein with one gem, the last that keeps the game going. Its home has
    `mine` small gems, and the other one `others` medium ones, none worth more than its pips.
    """
    veins = ["d5", "b4", "b6", "c7", "f6", "e2"]
    inside: dict[str, tuple[int, ...]] = dict.fromkeys(veins[1:], ())
    inside["d5"] = (0,)
    stored = {
        0: [small(GREEN, number) for number in range(mine)],
        1: [medium(GREEN, number) for number in range(others)],
    }
    state = position(2, veins=" ".join(veins), inside=inside, pawns="d4 g7", stored=stored)
    return go(shown(state, 1, 1), "d5")


def result(state: State) -> Result:
    ask = state.ask()
    assert isinstance(ask, Result), f"the game goes on: {ask}"
    return ask


def played(seats: int, seed: int, *, fifth: bool = False, leaves: bool = False) -> Iterator[State]:
    """Yields the true states of a random game, the last one over. With `leaves`, some seats leave at random."""
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
        choices = {seat: space.pick(rng) for seat in ask.choosers if (space := space_for(ask, seat)) is not None}
        arena.advance(choices)


def together(state: State) -> Together:
    ask = state.ask()
    assert isinstance(ask, Together), f"no cards are chosen: {ask}"
    return ask
