"""The game in sentences: what a screen reader reads, and what is typed."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.api import Reply
from kimberley.client.boards.diamond.events import (
    captures_from,
    describe_event,
    effect,
    explain_capture,
    listed,
    parse_turn,
    read_events,
    side,
)
from kimberley.client.session.notices import NOTHING_TO_DO, not_possible
from kimberley.client.session.participants import spoken_names
from kimberley.client.session.ports import TableLike
from kimberley.games.diamond.board import NAMED, NAMES, NEXT, names, points
from kimberley.games.diamond.notation import TurnNotationError
from kimberley.games.diamond.position import COLORS, Movement
from kimberley.games.diamond.rules import QUIET, State
from kimberley.protocol.events import Answered, Event

_HELP: Final = (
    "Be the first to hold all four corners of a square with your pieces. Black begins. The players take turns to place "
    "twelve pieces each; then they move them along the lines.",
    "If you move onto a triangle whose other corners hold one piece of each side, you capture the enemy piece: it "
    "turns neutral. A move that would capture two pieces captures none.",
    "Placing: b2. Moving: b1-b2. Removing a neutral piece that stands alone: (b3). Right after Black’s first piece "
    "White may type swap.",
    "To offer a draw, type = after a move, as in b2 =. If a draw is offered to you, type = alone to accept it.",
    "look b2 tells what stands on b2 and beside it, and where a piece there may go. moves tells the last moves.",
)
LATEST: Final = 10


class PlainGame:
    """`client.boards.api.PlainSeat` for Diamond."""

    def __init__(self, table: TableLike) -> None:
        self._table = table
        self._seat = table.seat
        self._names = spoken_names(table)
        self._told = 0

    @property
    def _state(self) -> State:
        peer = self._table.peer
        return peer.state if peer is not None and isinstance(peer.state, State) else State()

    # -- the position ------------------------------------------------------------------------------------------------

    def describe(self) -> list[str]:
        state = self._state
        if state.first is None:
            return ["Lots decide who plays Black and begins."]
        position = state.position
        lines = [f"You play {side(state.color(self._seat))}."]
        if not any(position.pieces):
            lines.append(f"{self._names[state.first]} begins, as Black.")
        for color in (state.color(self._seat), state.color(1 - self._seat)):
            there = names(position.pieces[color])
            lines.append(f"{COLORS[color]} stands on {listed(there)}." if there else f"{COLORS[color]} has no piece.")
        if position.neutral:
            lines.append(f"Neutral pieces stand on {listed(names(position.neutral))}.")
        if position.placing:
            black, white = position.left // 2, (position.left + 1) // 2
            lines.append(f"Black has {black} pieces to place, White {white}.")
        else:
            lines.append(f"{state.quiet} quiet moves so far; {QUIET} are a draw.")
        return lines

    # -- news --------------------------------------------------------------------------------------------------------

    def on_event(self, event: Event) -> list[str]:
        match event:
            case Answered():
                return self._catch_up()
            case _:
                return []

    def _catch_up(self) -> list[str]:
        """What the story has got since it was told last."""
        peer = self._table.peer
        if peer is None:
            return []
        lines = []
        moves = read_events(peer.story)
        if not self._told and peer.story and not moves and self._state.first is not None:
            lines.append(f"{self._names[self._state.first]} begins, as Black.")
        for each in moves[self._told :]:
            mover = self._names[each.before.seat(each.before.position.turn)]
            lines.append(f"{mover} {describe_event(each)}.")
        self._told = len(moves)
        return lines

    # -- asking ------------------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        peer = self._table.peer
        if peer is None or peer.asked is None:
            return []
        state = self._state
        color = COLORS[state.position.turn]
        lines = []
        if state.offered:
            lines.append(f"{self._names[1 - self._seat]} offers a draw: type = to take it, or play on.")
        if state.position.may_swap:
            lines.append("Place a white piece, or type swap to go on as Black.")
        elif state.position.placing:
            lines.append(f"Place a piece: you are {color}. Type a point, like b2.")
        else:
            lines.append(f"Move: you are {color}. Type, say, b1-b2.")
        return lines

    def submit(self, text: str) -> Reply:
        words = text.lower().split()
        match words:
            case ["look", name]:
                return Reply(tuple(self._look(name)))
            case ["look"]:
                return Reply(tuple(self.describe()))
            case ["moves"]:
                return Reply(tuple(self._latest()))
        peer = self._table.peer
        if peer is None or peer.asked is None:
            return Reply((NOTHING_TO_DO,))
        try:
            turn = parse_turn(self._state, text)
        except TurnNotationError as error:
            return Reply((not_possible(error),))
        return Reply((), turn, True)

    def _look(self, name: str) -> list[str]:
        if name not in NAMED:
            return [f"The board has no point {name}."]
        point, position = NAMED[name], self._state.position
        what = position.what(point)
        lines = [f"On {name} stands a {what} piece." if what else f"{name} is open."]
        beside = [f"{NAMES[each]} {position.what(each) or 'open'}" for each in points(NEXT[point])]
        lines.append(f"Beside it: {', '.join(sorted(beside))}.")
        if not position.placing and what == side(position.turn):
            taking = captures_from(position, point)
            for to in points(position.targets(point)):
                step = Movement(point, to)
                did, reason = effect(position, step), explain_capture(position, step)
                if taking >> to & 1 or did:
                    lines.append(f"{name}-{NAMES[to]} {did}: {reason}.")
        return lines

    def _latest(self) -> list[str]:
        peer = self._table.peer
        moves = read_events(peer.story) if peer is not None else []
        if not moves:
            return ["Nobody has moved yet."]
        return [
            f"{number}: {self._names[each.before.seat(each.before.position.turn)]} {describe_event(each)}."
            for number, each in list(enumerate(moves, start=1))[-LATEST:]
        ]

    def help(self) -> list[str]:
        return list(_HELP)
