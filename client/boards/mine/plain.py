"""The game in sentences: what a screen reader reads, and what is typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.form import Reply
from kimberley.client.boards.mine.events import EventLog, describe_event
from kimberley.client.boards.mine.parsing import ParseError, card_of, gems_of, move_of, place_of
from kimberley.client.boards.mine.square_info import describe_room, square_info
from kimberley.client.boards.mine.stones import colors, multiple, named, stone, stones
from kimberley.client.session.notices import HAS_LEFT, NOTHING_TO_DO, join_names, not_possible
from kimberley.client.session.participants import spoken_names
from kimberley.client.session.ports import TableLike
from kimberley.games.mine.gems import COLORS
from kimberley.games.mine.moves import reach
from kimberley.games.mine.rules import QUIET, State, opening
from kimberley.games.mine.spaces import CardSpace, NestSpace, PawnMoveSpace, TakeSpace
from kimberley.games.mine.squares import name
from kimberley.games.mine.squares import square as square_of
from kimberley.games.table import Plain
from kimberley.protocol.events import Answered, Event, SeatDeparted

_HELP: Final = (
    "Bring gems home: small ones count 1, medium ones 2, those of your own color double, flawless ones triple.",
    "Take turns to put nests on the field; each holds a small and a medium gem that nobody knows. Then, each round, "
    "everybody chooses a card, 1, 2 or 3, and one after another goes exactly that many squares in a straight line.",
    "Placing: d5. A card: 2; 2 end, if you also agree to end the game. A move: d6.",
    "On the way: d6 pick d5 drop mr d5 goes to d6, picks up what lies on d5 and drops a medium red there. Gems are "
    "written sr for small red, mb for medium blue, and so on.",
    "In a vein: take mr, take mr sb, take all, take nothing.",
    "look d5 tells what is on a square, field all of it, players who carries and owns what. left tells which gems "
    "nobody has seen yet, where tells where each card leads, moves tells what happened last.",
)
LATEST: Final = 10


class PlainGame:
    """`client.boards.api.PlainSeat` for Diamond Mine."""

    def __init__(self, table: TableLike) -> None:
        self._table = table
        self._seat = table.seat
        self._names = spoken_names(table)
        self._event_log = EventLog()

    @property
    def _state(self) -> State:
        peer = self._table.peer
        if peer is not None and isinstance(peer.state, State):
            return peer.state
        return opening(len(self._names), fifth=False, begins=None)

    # -- the position ------------------------------------------------------------------------------------------------

    def describe(self) -> list[str]:
        return describe_state(self._state, self._names, self._seat)

    # -- news --------------------------------------------------------------------------------------------------------

    def on_event(self, event: Event) -> list[str]:
        match event:
            case Answered() | SeatDeparted():
                return self._catch_up()
            case _:
                return []

    def _catch_up(self) -> list[str]:
        """The events since they were last told."""
        new = self._event_log.follow(self._table.peer)
        return [line for event in new for line in describe_event(event, self._names, parting=False)]

    # -- asking ------------------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        peer = self._table.peer
        if peer is None or peer.asked is None:
            return []
        state = self._state
        match peer.asked.space:
            case NestSpace():
                number = len(state.mine.veins) + 1
                return [
                    f"Nest {number} of {len(state.mine.inside)}: place it outside your quarter. Type a square, like d5."
                ]
            case CardSpace():
                return [f"Round {state.round}: choose a card.", *self._where(), "Type 1, 2 or 3."]
            case PawnMoveSpace() as moves:
                there = sorted(map(self._seen_there, moves.targets()))
                return [
                    f"Your card is {moves.card}: go to {join_names(there)}. {describe_room(state, self._seat)}",
                    *(f"A {stone(state, gem).name} lies on {name(square)}." for square, gem in state.mine.loose),
                ]
            case TakeSpace() as takes:
                return [f"You are at the vein on {name(state.mine.veins[state.nest])}.",
                        *(self._worth(gem) for gem in takes.gems), describe_room(state, self._seat),
                        "Type take and what you want, like take mr; or take all, or take nothing."]  # fmt: skip
        return []

    def _worth(self, gem: int) -> str:
        state = self._state
        why = multiple(state, gem, self._seat)
        return f"A {stone(state, gem).name} is worth {state.worth(gem, self._seat)} to you{f', {why}' if why else ''}."

    def _where(self) -> list[str]:
        lines = []
        for card, squares in reach(self._state.mine, self._seat).items():
            there = join_names(sorted(map(self._seen_there, squares)))
            lines.append(f"{card} leads to {there}." if squares else f"{card} leads nowhere: you would stay.")
        return lines

    def _seen_there(self, square: int) -> str:
        """A square, and what makes it worth going to."""
        mine = self._state.mine
        nest = mine.vein_at(square)
        if square == mine.home(self._seat):
            return f"{name(square)} your home"
        if nest is not None and mine.inside[nest]:
            return f"{name(square)} {'an open' if mine.opened[nest] else 'an intact'} vein"
        return name(square)

    # -- what is typed -----------------------------------------------------------------------------------------------

    def submit(self, text: str) -> Reply:
        words = text.lower().replace(",", " ").split()
        told_now = self._describe_on_request(words)
        if told_now is not None:
            return Reply(tuple(told_now))
        peer = self._table.peer
        if peer is None or peer.asked is None:
            return Reply((NOTHING_TO_DO,))
        try:
            choice = self._read(words)
        except ParseError as error:
            return Reply((not_possible(error),))
        return Reply((), choice, True)

    def _describe_on_request(self, words: list[str]) -> list[str] | None:
        """What was asked for; None if the words are an order."""
        state = self._state
        match words:
            case ["look"]:
                return self.describe()
            case ["look", where]:
                return self._look(where)
            case ["field"]:
                return _field(self._state)
            case ["players"] if state.colors:
                return _players(self._state, self._names, self._seat)
            case ["left"] if state.items:
                return self._left()
            case ["where"] if state.round:
                return self._where()
            case ["moves"]:
                return self._latest()
        return None

    def _read(self, words: list[str]) -> Plain:
        """The choice that words spell. Raises ParseError."""
        peer, state = self._table.peer, self._state
        assert peer is not None
        assert peer.asked is not None
        match peer.asked.space:
            case NestSpace():
                return place_of(words)
            case CardSpace():
                return card_of(words)
            case PawnMoveSpace() as moves:
                return move_of(words, state, moves)
            case TakeSpace() as takes:
                return gems_of(words, state, takes)
        raise ParseError("that is not what you have to choose now")

    def _look(self, where: str) -> list[str]:
        try:
            square = square_of(where)
        except ValueError:
            return [f"The field has no square {where}."]
        if not self._state.colors:
            return self.describe()
        heading, said, gems = square_info(self._state, square, self._names, self._seat)
        return [f"{heading}.", *(self._worth(gem) for gem in gems), *said]

    def _left(self) -> list[str]:
        state = self._state
        lines = []
        for size, counts in zip(("Small", "Medium"), state.unknown(), strict=True):
            parts = [f"{counts[color]} {COLORS[color]}" for color in colors(state)]
            lines.append(f"{size} gems that nobody has seen: {join_names(parts)}.")
        return [*lines, f"{len(state.rest())} of them are in no nest."]

    def _latest(self) -> list[str]:
        lines = [line for event in self._event_log.past for line in describe_event(event, self._names)]
        return lines[-LATEST:] or ["Nothing has happened yet."]

    def help(self) -> list[str]:
        return list(_HELP)


# -- the position ------------------------------------------------------------------------------------------------------


def describe_state(state: State, names: Sequence[str], you: int | None) -> list[str]:
    """The position in sentences. `you` is the seat that is called so, None for an onlooker."""
    if not state.colors:
        return ["Lots decide who begins, and who collects which color."]
    lines = _players(state, names, you)
    if not state.round:
        return [*lines, f"{len(state.mine.veins)} of {len(state.mine.inside)} nests are placed."]
    order = join_names([names[seat] for seat in state.order()])
    left = state.veins_to_end - state.mine.exhausted
    return [
        f"Round {state.round}. This round {order} act in that order.",
        *lines,
        *_field(state),
        f"{left} more exhausted veins end the game. {state.quiet} quiet rounds so far; {QUIET} end it.",
    ]


def _players(state: State, names: Sequence[str], you: int | None) -> list[str]:
    lines = []
    for seat, who in enumerate(names):
        own = seat == you
        subject = "You" if own else who
        collects = f"{subject} collect{'' if own else 's'} {COLORS[state.colors[seat]]}"
        at = state.mine.pawns[seat]
        home = name(state.mine.home(seat))
        if at is None:
            lines.append(f"{collects}; home is {home}{'' if state.present[seat] else f', and {HAS_LEFT}'}.")
            continue
        held = named(stones(state, state.mine.carried[seat]))
        lines.append(f"{collects}, stand{'' if own else 's'} on {name(at)}, carr{'y' if own else 'ies'} {held}; "
                     f"{state.score(seat)} points at home on {home}.")  # fmt: skip
    if state.flawless is not None:
        lines.append(f"{COLORS[state.flawless].capitalize()} is flawless.")
    return lines


def _field(state: State) -> list[str]:
    mine = state.mine
    intact = [name(square) for nest, square in enumerate(mine.veins) if not mine.opened[nest]]
    lines = [f"Intact veins: {join_names(intact)}." if intact else "No vein is intact."]
    for nest, square in enumerate(mine.veins):
        if mine.opened[nest] and mine.inside[nest]:
            lines.append(f"The open vein on {name(square)} holds {named(stones(state, mine.inside[nest]))}.")
    spent = [square for nest, square in enumerate(mine.veins) if mine.is_exhausted(nest)]
    if spent:
        free = [name(square) for square in spent if not mine.blocks(square)]
        tail = f"; {join_names(free)} can be crossed, next to a home" if free else ""
        lines.append(f"Exhausted: {join_names([name(square) for square in spent])}{tail}.")
    lines += [f"A {stone(state, gem).name} lies on {name(square)}." for square, gem in mine.loose]
    return lines
