"""Positions in sentences: what a screen reader reads, and the answers to typed questions."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.boards.mine.help_text import TIMES, WAITING
from kimberley.client.boards.mine.square_info import square_info
from kimberley.client.boards.mine.stones import colors, multiple, named, stone, stones
from kimberley.client.boards.subject import Subject, subject
from kimberley.games.mine.gems import COLORS, FLAWLESS
from kimberley.games.mine.moves import reach
from kimberley.games.mine.rules import QUIET, State
from kimberley.games.mine.squares import name
from kimberley.games.mine.squares import square as square_of
from kimberley.games.phrases import count_of, join_names
from kimberley.p2p.sentences.notices import RESIGNED


def describe(state: State, names: Sequence[str], you: int | None, *, over: bool = False) -> list[str]:
    """Describes a position in sentences, the most important first. `you` is the seat addressed as "you"; None for a
    spectator. If the game is `over`, says nothing about who moves when, and when it ends.
    """
    if not state.colors:
        return [WAITING["lots"]]
    lines = describe_players(state, names, you)
    if not state.round:
        return [*lines, *describe_nests(state)]
    order = ", then ".join(subject(names, seat, you).whom for seat in state.order())
    left = state.veins_to_end - state.mine.exhausted
    over = over or bool(state.ended)
    turns = "" if over else f" The order of play: {order}."
    lines = [f"Round {state.round}.{turns}", *lines, *describe_field(state)]
    if not over:
        veins = count_of(left, "more vein" if state.mine.exhausted else "vein")
        lines.append(
            f"The game ends when {veins} {'is' if left == 1 else 'are'} exhausted, or after "
            f"{QUIET} rounds in a row with no gem taken or brought home ({state.quiet} so far)."
        )
    return lines


def leading(state: State) -> tuple[int, ...]:
    """Returns who would win if the game ended now."""
    most = max(map(state.score, state.order()))
    return tuple(seat for seat in state.order() if state.score(seat) == most)


def color_of(state: State, seat: int, who: Subject) -> str:
    """Says which gems are a player's, as the beginning of a sentence."""
    return f"{who.owner} color is {COLORS[state.colors[seat]]}"


def describe_players(state: State, names: Sequence[str], you: int | None) -> list[str]:
    """Says which color each player has, and what they carry and has at home."""
    lines = []
    for seat in range(len(names)):
        who = subject(names, seat, you)
        color = color_of(state, seat, who)
        at = state.mine.pawns[seat]
        home = name(state.mine.home(seat))
        has = f"{who.does('has')} {count_of(state.score(seat), 'point')} at home on {home}"
        if not state.present[seat]:
            lines.append(f"{who} {RESIGNED}, and {has}.")
            continue
        if at is None:
            lines.append(f"{color}; home is {home}.")
            continue
        held = named(stones(state, state.mine.carried[seat]))
        lines.append(f"{color}. {who} {who.does('is')} on {name(at)}, {who.does('carries')} {held}, and {has}.")
    if state.flawless is not None:
        lines.append(f"{COLORS[state.flawless].capitalize()} is flawless: worth {TIMES[FLAWLESS]}.")
    return lines


def describe_nests(state: State) -> list[str]:
    """Describes the nests while they are placed, before they become veins."""
    placed = [name(square) for square in state.mine.veins]
    lines = [f"{len(placed)} of {len(state.mine.inside)} nests placed."]
    return [*lines, f"Nests: {join_names(placed)}."] if placed else lines


def describe_field(state: State) -> list[str]:
    """Describes the veins, and the gems that lie about."""
    mine = state.mine
    unopened = [name(square) for nest, square in enumerate(mine.veins) if not mine.opened[nest]]
    lines = [f"Unopened veins: {join_names(unopened)}." if unopened else "No vein is left unopened."]
    for nest, square in enumerate(mine.veins):
        if mine.opened[nest] and mine.inside[nest]:
            lines.append(f"The open vein on {name(square)} holds {named(stones(state, mine.inside[nest]))}.")
    spent = [square for nest, square in enumerate(mine.veins) if mine.is_exhausted(nest)]
    if spent:
        free = [name(square) for square in spent if not mine.blocks(square)]
        tail = f"; {join_names(free)} {'block' if len(free) > 1 else 'blocks'} nobody (next to a home)" if free else ""
        lines.append(f"Exhausted: {join_names([name(square) for square in spent])}{tail}.")
    return lines + describe_loose(state)


def describe_loose(state: State) -> list[str]:
    """Describes the gems that lie about."""
    return [f"A {stone(state, gem).name} is on {name(square)}." for square, gem in state.mine.loose]


def describe_reach(state: State, seat: int) -> list[str]:
    """Says where each card leads a seat's pawn; once its card is revealed, and until it has moved, only where that one
    leads.
    """
    lines = []
    moves = state.phase == "move" or (state.phase in ("show", "take") and state.turn != seat)
    played = state.cards[seat] if moves and not state.acted[seat] else None
    for card, squares in reach(state.mine, seat).items():
        if played not in (None, card):
            continue
        there = join_names(sorted(name_with_use(state, square, seat) for square in squares), "or")
        lines.append(f"Card {card} can take you to {there}." if squares else f"Card {card} leads nowhere: you stay.")
    return lines


def name_with_use(state: State, square: int, seat: int) -> str:
    """Returns a square, and what makes it worth going to: "c3 (an unopened vein)"."""
    use = _use(state, square, seat)
    return f"{name(square)} ({use})" if use else name(square)


def together_with_use(state: State, squares: Sequence[int], seat: int) -> list[str]:
    """Returns squares that are all worth going to, with what makes them so, veins together: "g5 or d8 (open veins)"."""
    by_use: dict[str, list[str]] = {}
    for square in sorted(squares, key=name):
        by_use.setdefault(_use(state, square, seat), []).append(name(square))
    return [
        f"{join_names(names, 'or')} ({use if len(names) == 1 else f'{use.split(maxsplit=1)[1]}s'})"
        for use, names in by_use.items()
    ]


def _use(state: State, square: int, seat: int) -> str:
    """Returns what makes a square worth going to; empty if nothing does."""
    mine = state.mine
    nest = mine.vein_at(square)
    if square == mine.home(seat):
        return "your home"
    if nest is not None and mine.inside[nest]:
        return f"{'an open' if mine.opened[nest] else 'an unopened'} vein"
    return ""


def describe_worth(state: State, gem: int, seat: int) -> str:
    """Says what a gem is worth to a seat, and why."""
    why = "triple because it is flawless" if state.color(gem) == state.flawless else "double because it is your color"
    told = f", {why}" if multiple(state, gem, seat) else ""
    return f"A {stone(state, gem).name} is worth {state.worth(gem, seat)} to you{told}."


# -- typed questions ---------------------------------------------------------------------------------------------------


def respond(
    words: Sequence[str], state: State, names: Sequence[str], you: int | None, *, over: bool = False
) -> list[str] | None:
    """Returns the answer to a typed question; None if the words are not a question."""
    match words:
        case ["look"]:
            return describe(state, names, you, over=over)
        case ["look", where]:
            return _look(where, state, names, you, over=over)
        case ["board" | "field"]:
            if not state.colors:
                return [WAITING["lots"]]
            return describe_field(state) if state.round else describe_nests(state)
        case ["players"] if state.colors:
            return describe_players(state, names, you)
        case ["left"] if state.items:
            return _left(state, over=over)
        case ["where"] if state.colors and not state.round and not over:
            # Cards lead nowhere yet.
            return describe_nests(state)
        case ["where"] if state.round and you is not None and state.present[you] and not over:
            return describe_reach(state, you)
    return None


def _look(where: str, state: State, names: Sequence[str], you: int | None, *, over: bool) -> list[str]:
    """Describes what is on a square."""
    try:
        square = square_of(where)
    except ValueError:
        return [f"There is no square {where}."]
    if not state.colors:
        return describe(state, names, you)
    heading, sentences, gems = square_info(state, square, names, you, playing=not over, over=over)
    about: list[str] = []
    if you is not None and state.present[you] and not over:
        about = [describe_worth(state, gem, you) for gem in gems]
    elif gems and state.mine.vein_at(square) is not None:
        about = [f"It holds {named(stones(state, gems))}."]
    return [f"{heading}.", *about, *sentences]


def _left(state: State, *, over: bool) -> list[str]:
    """Says which gems nobody has seen."""
    unseen = "never seen" if over else "not seen yet"
    lines = []
    for size, counts in zip(("Small", "Medium"), state.unknown(), strict=True):
        parts = [f"{counts[color]} {COLORS[color]}" for color in colors(state)]
        lines.append(f"{size} gems {unseen}: {join_names(parts)}.")
    hidden, rest = sum(map(sum, state.unknown())), len(state.rest())
    return [
        *lines,
        f"Of these {hidden} gems, {rest} are not in play." if rest < hidden else "None of these are in play.",
    ]
