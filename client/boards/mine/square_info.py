"""What to say about a square, and about what a player could do with what lies there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from kimberley.client.boards.mine.stones import SIZE_NAMES, multiple, named, spans, stone, stones
from kimberley.client.ui.spans import Span, Spans, text_lines
from kimberley.games.mine.gems import CAPACITY, MEDIUM, SMALL
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import homes, name
from kimberley.games.phrases import count_of

LAST_VEIN: Final = "Emptying it ends the game."
"""Said of every vein if the game ends as soon as one more is exhausted."""


class SquareInfo(NamedTuple):
    """What is on a square: a heading, sentences, and the gems that everyone knows to be there."""

    heading: str
    sentences: list[str]
    gems: tuple[int, ...] = ()


def square_info(
    state: State, square: int, names: Sequence[str], you: int | None, *, playing: bool = True, over: bool = False
) -> SquareInfo:
    """Returns what is on a square. `you` is the seat that looks, None for a spectator. Without `playing`, says nothing
    about what the player could do there; if the game is `over`, nothing about what could follow.
    """
    mine, at = state.mine, name(square)
    whose = next((seat for seat, home in enumerate(homes(state.seats)) if home == square), None)
    pawn = next((seat for seat, place in enumerate(mine.pawns) if place == square), None)
    nest, loose = mine.vein_at(square), mine.loose_at(square)
    carries = (
        [] if pawn is None else [f"{_owner(names, pawn, you)} pawn carries {named(stones(state, mine.carried[pawn]))}."]
    )
    playing = playing and not state.ended and you is not None and (mine.pawns[you] is not None or not state.round)
    sentences: list[str] = []
    if whose is not None:
        heading = f"{at}: {_owner(names, whose, you, begins=False)} home"
        points = f", {count_of(state.score(whose), 'point')}" if mine.stored[whose] else ""
        return SquareInfo(heading, [f"It holds {named(stones(state, mine.stored[whose]))}{points}.", *carries])
    if nest is None and loose is None:
        return SquareInfo(f"{at}: {'a pawn' if pawn is not None else 'empty'}", carries)
    if nest is None:
        assert loose is not None
        pick = "To pick it up, leave and come back." if pawn == you else "Move onto it to pick it up."
        fits = playing and you is not None and pawn in (None, you) and state.size(loose) <= mine.room(you)
        return SquareInfo(
            f"{at}: a dropped {stone(state, loose).name}",
            [*([pick] if fits else []), *carries],
            (loose,),
        )
    gems = mine.inside[nest]
    if not gems:
        blocks = "It is empty and blocks the way." if over else "Empty. It blocks the way for the rest of the game."
        sentences.append(blocks if mine.blocks(square) else "It is empty. Next to a home it blocks nobody.")
        return SquareInfo(f"{at}: an exhausted vein", [*sentences, *carries])
    if not mine.opened[nest]:
        look = stones(state, gems)
        known = all(gem.color is not None for gem in look)
        sentences.append(
            f"It holds {named(look)}, but nobody knows that yet."
            if known
            else f"It holds a small and a medium gem.{' Land here to reveal them.' if playing else ''}"
            if state.round
            else f"It hides a small and a medium gem.{'' if over else ' Once all nests are placed, they become veins.'}"
        )
        last = [LAST_VEIN] if playing and state.round and state.ends_with_next_vein else []
        return SquareInfo(f"{at}: {'an unopened vein' if state.round else 'a nest'}", [*sentences, *last])
    if playing and you is not None and pawn in (None, you) and any(state.size(gem) <= mine.room(you) for gem in gems):
        sentences.append(
            "To take what you can carry, leave and come back."
            if pawn == you
            else "Land here to take what you can carry."
        )
    if playing and state.ends_with_next_vein:
        sentences.append(LAST_VEIN)
    return SquareInfo(f"{at}: an open vein", [*sentences, *carries], gems)


def describe_room(state: State, seat: int) -> str:
    """Says what a pawn still has room for."""
    fits = {
        0: "no room for another gem",
        SMALL: "room for a small gem",
        MEDIUM: "room for two small gems or a medium one",
        CAPACITY: "room for a small and a medium gem",
    }[state.mine.room(seat)]
    return f"You have {fits}."


def worths(state: State, gems: Sequence[int], seat: int) -> list[Spans]:
    """Returns a line for each gem, with what it is worth in a seat's home."""
    lines: list[Spans] = []
    for gem in gems:
        look, points = stone(state, gem), state.worth(gem, seat)
        why = multiple(state, gem, seat)
        lines.append((
            Span(look.mark, look.paint, True), Span(f" {SIZE_NAMES[look.size]}", "soft"),
            Span(f"  worth {points}", "text"), Span(f", {why}" if why else "", "soft"),
        ))  # fmt: skip
    return lines


def square_info_lines(
    state: State, square: int, names: Sequence[str], you: int | None, room: int, *, playing: bool, over: bool
) -> tuple[str, list[Spans]]:
    """Returns a heading and lines about a square, each of at most `room` cells."""
    heading, sentences, gems = square_info(state, square, names, you, playing=playing, over=over)
    lines = [spans(stones(state, gems))] if gems else []
    if you is not None and state.present[you] and not over:
        lines = worths(state, gems, you)
    lines += [line for text in sentences for line in text_lines(text, room)]
    nest = state.mine.vein_at(square)
    holds = nest is not None and bool(state.mine.inside[nest])
    if you is not None and holds and state.mine.pawns[you] is not None and square not in state.mine.pawns and not over:
        lines += text_lines(describe_room(state, you), room)
    return heading, lines


def _owner(names: Sequence[str], seat: int, you: int | None, begins: bool = True) -> str:
    if seat == you:
        return "Your" if begins else "your"
    return f"{names[seat]}’s"
