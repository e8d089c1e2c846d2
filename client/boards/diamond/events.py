"""The events of a game: its moves, read from a table's story, and each of them in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, Final, NamedTuple

from kimberley.client.boards.subject import Subject, subject
from kimberley.games.diamond.board import NAMES, NEXT, SQUARES, SQUARES_AT, Bits, names, points
from kimberley.games.diamond.notation import (
    OFFER,
    ParsedTurn,
    TurnNotationError,
    UnreadableTurnError,
    format_move,
    format_turn,
    read_turn,
)
from kimberley.games.diamond.position import (
    BLACK,
    COLORS,
    WHITE,
    DrawAgreement,
    Move,
    Movement,
    Placement,
    Position,
    Removal,
    Swap,
)
from kimberley.games.diamond.rules import State
from kimberley.games.phrases import join_names
from kimberley.games.table import Decide


@dataclass(frozen=True, slots=True)
class GameEvent:
    """One turn: its number in the table's story, the state before it, the turn in writing, the state after it."""

    step: int
    before: State
    turn: str
    after: State

    @property
    def seat(self) -> int:
        """The seat that made the turn."""
        return self.before.seat(self.before.position.turn)

    @property
    def written(self) -> ParsedTurn:
        return read_turn(self.turn)

    @property
    def declines(self) -> bool:
        """Returns whether it declined a draw that was offered, by playing on."""
        return self.before.offered and not isinstance(self.written.move, DrawAgreement)

    @property
    def captured(self) -> Bits:
        """The piece it captured, as a set."""
        move = self.written.move
        return self.before.position.captured(move) if isinstance(move, Movement) else 0

    @property
    def ends(self) -> tuple[int, int] | None:
        """Returns where it led from and to; equal where nothing went along a line."""
        match self.written.move:
            case Placement(to):
                return to, to
            case Movement(start, to):
                return start, to
            case Removal(at):
                return at, at
            case _:
                return None


def start_of(story: Sequence[tuple[Any, Any]]) -> State:
    """Returns the first state of a game: who begins is rolled in its story, or was settled by an earlier game."""
    match story:
        case [(Decide(seat=seat), _), *_]:
            return State(first=seat)
    return State()


def won_square(state: State) -> Bits:
    """Returns the square that was completed, as a set; empty where none was."""
    won = state.position.won()
    return won[1] if won else 0


def open_corners(position: Position, color: int) -> Bits:
    """Returns the open points that complete a square of a color: its three other corners are held."""
    missing = (square & ~position.pieces[color] for square in SQUARES)
    return reduce(or_, (point for point in missing if point.bit_count() == 1 and point & position.empty), 0)


def winning_corners(position: Position, color: int, placing: bool) -> Bits:
    """Returns the open points on which a color could complete a square if it were its turn, to place a piece or to move
    one.
    """
    pieces, open_points = position.pieces[color], open_corners(position, color)
    if placing:
        return open_points
    return sum(
        1 << point
        for point in points(open_points)
        if any(square & ~pieces == 1 << point and NEXT[point] & pieces & ~square for square in SQUARES_AT[point])
    )


class NearWin(NamedTuple):
    """What a side needs for a square, in a sentence, and after how many turns it can have that at the earliest."""

    text: str
    turns: int


def near_wins(position: Position, *, to_play: bool = False) -> list[NearWin]:
    """Says which corners the sides need, and which of these they can reach: "White needs only e2 or f3 for a square.".
    If the reader is `to_play`, the sentences say what follows for the turn.
    """
    # Before the last placement, the other side's next turn is a move.
    places = {color: position.placing and (color == position.turn or position.left > 1) for color in (BLACK, WHITE)}
    ready = {color: winning_corners(position, color, places[color]) for color in places}
    missing = {color: open_corners(position, color) for color in places}
    if all(missing.values()) and not any(ready.values()):
        needs = f"{_needs(BLACK, names(missing[BLACK]))} and White only {join_names(names(missing[WHITE]), 'or')}"
        return [NearWin(f"{needs} for a square, but neither can move there yet.", 2)]
    wins = []
    for color in places:
        own, reached = to_play and color == position.turn, names(ready[color])
        if reached and own:
            then = f": {'place' if position.placing else 'move'} there to win."
        elif to_play and not ready[position.turn] and len(reached) == 1:
            then = ": place there or you lose." if position.placing else ": stop that or you lose."
        else:
            then = "." if places[color] else " and can move there."
        wins += [NearWin(f"{_needs(color, reached)} for a square{then}", 0 if own else 1)] if reached else []
        if far := names(missing[color] & ~ready[color]):
            square = "another square" if reached else "a square"
            wins.append(NearWin(f"{_needs(color, far)} for {square}, but cannot move there yet.", 2))
    return wins


def most_urgent(wins: Sequence[NearWin]) -> Sequence[NearWin]:
    """Returns the near wins that can come first."""
    return [win for win in wins if win.turns == min(other.turns for other in wins)]


def _needs(color: int, corners: Sequence[str]) -> str:
    return f"{COLORS[color]} needs only {join_names(corners, 'or')}"


def swap_offer(state: State, players: Sequence[str], you: int | None) -> str:
    """Says what it means for both sides if White swaps, while White may."""
    white, black = (subject(players, state.seat(color), you) for color in (WHITE, BLACK))
    (stands,) = names(state.position.pieces[BLACK])
    if white.is_you:
        return f"Swap, and you play Black with the piece on {stands}; {black.whom} plays White and moves next."
    if black.is_you:
        return f"{white} can swap to Black and take over the piece on {stands}. Then you play White."
    return f"{white} can swap to Black and take over the piece on {stands}. Then {black} plays White."


# -- in words ----------------------------------------------------------------------------------------------------------


def corners(position: Position, step: Movement) -> list[str]:
    """Returns the mover's pieces that corner together with a step."""
    from kimberley.games.diamond.board import PAIRS

    own, enemy = position.pieces[position.turn] & ~(1 << step.start), position.pieces[1 - position.turn]
    pieces = 0
    for a, b in PAIRS[step.to]:
        if (own & a and enemy & b) or (own & b and enemy & a):
            pieces |= own & (a | b)
    return names(pieces)


def effect(position: Position, move: Move) -> str:
    """Says what a turn does besides moving, in a few words: "captures a2"; "" where it does nothing else."""
    if isinstance(move, Movement):
        taken = names(position.captured(move))
        if taken:
            return f"captures {taken[0]}"
        if position.cornered(move):
            return "captures none"
    return ""


def explain_capture(position: Position, step: Movement) -> str:
    """Says why a step captures, or does not although it corners: "a5 and b6 corner a6"."""
    taken, cornered = names(position.captured(step)), names(position.cornered(step))
    if taken:
        return f"{join_names(sorted([*corners(position, step), NAMES[step.to]]))} corner {taken[0]}"
    if cornered:
        all_, none = ("both", "neither") if len(cornered) == 2 else ("all", "none")
        return f"{join_names(cornered)} are {all_} cornered, so {none} is captured"
    return ""


def describe_event(event: GameEvent, who: Subject) -> str:
    """Returns a turn in a sentence: "You move b1 to b2 and capture a2."."""
    move, position, safe = event.written.move, event.before.position, ""
    if isinstance(move, Movement) and not position.captured(move) and position.cornered(move):
        safe = f" {explain_capture(position, move)}."
    return f"{who} {join_names(_done(event, who))}.{safe}"


def describe_briefly(event: GameEvent, who: Subject) -> str:
    """Returns what counts most of a turn: "You capture a2."."""
    return f"{who} {_done(event, who)[-1]}."


def remark(event: GameEvent) -> str:
    """Says what a turn did, in a few words, beside the turn in writing: "captures a2"."""
    return ", ".join(brief for _, brief in _clauses(event) if brief)


def _done(event: GameEvent, who: Subject) -> list[str]:
    """Returns what was done in a turn, in clauses without a subject."""
    done = (clause.partition(" ") for clause, _ in _clauses(event) if clause)
    return [f"{who.does(verb)} {rest}" for verb, _, rest in done]


def _clauses(event: GameEvent) -> Iterator[tuple[str, str]]:
    """Yields what was done in a turn: in a clause, and in a few words beside the turn in writing, which names its
    points. Either is empty where it goes without saying.
    """
    move, _, offers = event.written
    if event.declines:
        yield "declines the draw", "declines the draw"
    match move:
        case Placement(to):
            yield f"places a piece on {NAMES[to]}", "places a piece"
        case Movement(start, to):
            did = effect(event.before.position, move)
            yield f"moves {NAMES[start]} to {NAMES[to]}", did or "moves"
            yield did if event.captured else "", ""
        case Removal(at):
            yield f"removes the neutral piece on {NAMES[at]}", "removes a neutral piece"
        case Swap():
            yield "swaps sides", "swaps sides"
        case _:
            yield "accepts the draw", "accepts the draw"
    if square := " ".join(names(won_square(event.after))):
        yield f"completes the square {square}", f"completes the square {square}"
    if offers:
        yield "" if square else "offers a draw", "offers a draw"


def proposal(move: Move) -> str:
    """Returns a turn as something to do: "Place on d4"."""
    match move:
        case Placement(to):
            return f"Place on {NAMES[to]}"
        case Movement(start, to):
            return f"Move {NAMES[start]} to {NAMES[to]}"
        case Removal(at):
            return f"Remove the neutral piece on {NAMES[at]}"
        case Swap():
            return "Swap"
    return "Accept the draw"


def side(color: int) -> str:
    """Returns "Black" or "White"."""
    return COLORS[color].lower()


# -- what is typed -----------------------------------------------------------------------------------------------------

_LOOSE: Final = re.compile(r"([a-h][1-8])[-–x: ]?([a-h][1-8])\*?")


def example_move(position: Position) -> str:
    """Returns a turn that is possible now, as it is typed: "b2", "b1-b2", "(b3)"; "b1-b2" at the end, when none is."""
    possible = (move for move in position.moves() if not isinstance(move, Swap))
    return format_move(next(possible, Movement(NAMES.index("b1"), NAMES.index("b2"))))


def ways_to_type(state: State) -> str:
    """Says what can be typed in a position: "a point (such as b2) or swap"."""
    position = state.position
    example = example_move(position)
    ways = [f"a point (such as {example})"] if position.placing else [f"a move (such as {example})"]
    removable = next(points(position.removable()), None)
    ways += [f"({NAMES[removable]}) to remove a piece"] if removable is not None and not example.startswith("(") else []
    ways += ["swap"] if position.may_swap else []
    ways += [f"{OFFER} to accept the draw"] if state.offered else []
    return join_names(ways, "or")


def parse_turn(state: State, text: str, offers: bool = False) -> str:
    """Returns the turn that a person means, in its one spelling: capitals, spaces and the star do not matter.

    Raises TurnNotationError if the text is not a turn, and with the rule if the turn is forbidden.
    """
    typed = " ".join(text.lower().split())
    if typed != OFFER and typed.endswith(OFFER):
        typed, offers = typed.removesuffix(OFFER).strip(), True
    step = _LOOSE.fullmatch(typed)
    position = state.position
    try:
        move = read_turn(f"{step[1]}-{step[2]}" if step else typed).move
    except UnreadableTurnError:
        raise TurnNotationError(f"type {ways_to_type(state)}") from None
    turn = OFFER if isinstance(move, DrawAgreement) else format_move(move, offers=offers)
    if isinstance(move, Movement) and position.violation(move) is None:
        turn = format_turn(position, move, offers)
    ask = state.ask()
    reason = ask.space.violation(turn) if isinstance(ask, Decide) else "the game is over"
    if reason is not None:
        raise TurnNotationError(reason)
    return turn


def captures_from(position: Position, start: int) -> Bits:
    """Returns the open points on which a piece would capture."""
    return sum(1 << to for to in points(position.targets(start)) if position.captured(Movement(start, to)))
