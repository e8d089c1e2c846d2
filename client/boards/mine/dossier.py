"""The dossier: what lay in each nest, which card each seat played, what it did and carried, and who found the gems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from kimberley.client.boards.mine.events import GameEvent, GemEvent, describe_event, passed_on
from kimberley.client.boards.mine.scoring import reckoned, score_of, terms
from kimberley.client.boards.mine.stones import named, player_mark, player_paint, spans, stone, stones
from kimberley.client.boards.report import Dossier, DossierRow, name_room
from kimberley.client.boards.standings import outcome, outcomes, resigned
from kimberley.client.boards.view import Shown
from kimberley.client.session.participants import short_name
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.columns import Column, TableColumns
from kimberley.client.ui.glyphs import cell_width, truncate
from kimberley.client.ui.spans import Span, Spans, spans_width
from kimberley.games.mine.game import DiamondMine
from kimberley.games.mine.gems import nest_gems
from kimberley.games.mine.rules import State
from kimberley.games.mine.squares import name
from kimberley.games.phrases import count_of, join_names
from kimberley.p2p.sentences.notices import RESIGNED, RESIGNS

LOAD: Final = 9
"""Columns for what a pawn carries: three small gems, "▴r ▴b ▴g", and one to spare."""


@dataclass(slots=True)
class Act:
    """What one seat did in one round: its card, the way it went, and everything that followed."""

    step: int
    round: int
    seat: int
    card: int | None
    did: list[Span] = field(default_factory=list)
    after: State | None = None


def dossier(shown: Shown[State, GameEvent]) -> Dossier:
    """Returns the dossier of a game from its last position."""
    return Dossier(DiamondMine.title, partial(_draw_head, shown=shown), partial(_rows, shown), tuple(_in_words(shown)))


def _draw_head(canvas: Canvas, shown: Shown[State, GameEvent]) -> None:
    """Draws rows 1 to 3: who has won and how, and how the points of each player are made up."""
    final, result, names, seat = shown.state, shown.result, shown.names, shown.you
    canvas.fill(0, 0, canvas.width, 3, "panel")
    head = "Unfinished." if result is None else outcome(names, result, seat, canvas.width - 2)
    canvas.put(1, 0, truncate(head, canvas.width - 2), "text", bold=True)
    if result is None or not final.colors:
        return
    out = _out(shown)
    order = sorted(range(final.seats), key=lambda player: (result.places[player], player))
    room = canvas.width // 2
    for number, player in enumerate(order):
        x, y = 1 + room * (number // 2 if final.seats == 4 else 0), 1 + number % 2
        part = canvas.region(x, y, room - 2 if final.seats == 4 else canvas.width - 2, 1)
        at = part.put(0, 0, player_mark(player), player_paint(final, player), bold=True) + 1
        at = part.put(at, 0, short_name(names, player, 10), "text", bold=player == seat) + 1
        # A phone held upright has no room for it: the sentences below say it.
        parts = (Span(RESIGNED, "soft"),) if player in out else () if canvas.portrait else reckoned(final, player)
        points = count_of(final.score(player), "point")
        if at + cell_width(points) + 2 + spans_width(parts) > part.width:
            points = str(final.score(player))
        if parts and player not in out and at + cell_width(points) + 2 + spans_width(parts) > part.width:
            parts = reckoned(final, player, short=True)
        at = part.put(at, 0, points, "money", bold=True) + 2
        for span in parts:
            at = part.put(at, 0, truncate(span.text, part.width - at), span.fg)


def _out(shown: Shown[State, GameEvent]) -> Sequence[int]:
    """Returns the seats that have resigned."""
    if shown.result is None:
        return ()
    return resigned(shown.state, [seat for seat, here in enumerate(shown.state.present) if not here], shown.result)


# -- what happened -----------------------------------------------------------------------------------------------------


def acts(events: Sequence[GameEvent], names: Sequence[str]) -> list[Act]:
    """Returns what each seat did in each round."""
    acts: list[Act] = []
    others = {(gem, how.step): whom for gem, how, whom in passed_on(events)}
    cards: tuple[int | None, ...] = ()
    round = 0
    for event in events:
        if event.kind == "cards":
            cards, round = event.cards, event.before.round
        if event.kind == "moved" and event.seat is not None:
            act = Act(event.step, round, event.seat, cards[event.seat], _moved(event, others, names), event.after)
            acts.append(act)
        elif event.kind in ("opened", "took") and acts:
            acts[-1].did += _at_vein(event, others, names)
            acts[-1].after = event.after
        elif event.kind == "left" and event.seat is not None:
            acts.append(Act(event.step, event.before.round, event.seat, None, [Span(RESIGNS, "warning")], event.after))
        for seat in event.stays:
            acts.append(
                Act(event.step, round, seat, cards[seat], [Span("cannot move, and stays", "soft")], event.after)
            )
    return acts


def _gems(state: State, gems: Sequence[int]) -> Spans:
    return spans(stones(state, gems)) or (Span("nothing", "soft"),)


def _thanks_to(
    gems: Sequence[int], event: GameEvent, others: Mapping[tuple[int, int], int], names: Sequence[str]
) -> list[Span]:
    """Returns who opened the vein or dropped the gems, if that was another player: neither was robbed."""
    seats = sorted({others[gem, event.step] for gem in gems if (gem, event.step) in others})
    if event.kind == "moved":
        return [Span(f" that {names[seat]} dropped", "soft") for seat in seats]
    return [Span(f" from the vein {names[seat]} opened", "soft") for seat in seats]


def _moved(event: GameEvent, others: Mapping[tuple[int, int], int], names: Sequence[str]) -> list[Span]:
    assert event.seat is not None
    start = event.before.mine.pawns[event.seat]
    did = [Span(f"{'' if start is None else name(start)} → {name(event.answer[0])}", "text")]
    for done, gem, square in event.clauses:
        look = _gems(event.before, (gem,))
        if done == "picked":
            did += [Span(", picks up ", "soft"), *look, *_thanks_to((gem,), event, others, names)]
        elif done == "dropped":
            did += [Span(", drops ", "soft"), *look, Span(f" on {name(square)}", "soft")]
    if event.unloaded:
        gain = Span(f" +{event.points}", "money", True)
        did += [Span(", brings home ", "soft"), *_gems(event.after, event.unloaded), gain]
    return did


def _at_vein(event: GameEvent, others: Mapping[tuple[int, int], int], names: Sequence[str]) -> list[Span]:
    if event.kind == "opened":
        return [Span(", opens ", "soft"), *_gems(event.after, event.before.mine.inside[event.before.nest])]
    return [
        Span(", takes ", "soft"), *_gems(event.after, event.answer), *_thanks_to(event.answer, event, others, names)
    ]  # fmt: skip


def _rows(shown: Shown[State, GameEvent], width: int) -> tuple[TableColumns, tuple[DossierRow, ...]]:
    """Returns the nests first, then what each seat did, then the gems that nobody ever saw."""
    events, final, names = shown.events, shown.state, shown.names
    who = name_room(names, width) + 3
    columns = (
        Column("Rd", 2, right=True), Column("Seat", who, gap=2), Column("Card", 4), Column("What happened", fills=True),
        Column("Carries", LOAD),
    )  # fmt: skip
    table = TableColumns(columns, width)

    def player(seat: int) -> Spans:
        return (Span(f"{player_mark(seat)} ", player_paint(final, seat), True),
                Span(short_name(names, seat, who - 3), "text"))  # fmt: skip

    made: list[DossierRow] = []
    for event in events:
        if event.kind == "placed" and event.seat is not None:
            nest = len(event.before.mine.veins)
            inside = tuple(event.before.mine.inside[nest])
            tail = [] if final.mine.opened[nest] else [Span("  never opened", "soft")]
            did = (Span(f"nest on {name(event.answer)}: ", "soft"), *_gems(final, inside), *tail)
            made.append(DossierRow(((), player(event.seat), (), did, ()), event.step))
    for act in acts(events, names):
        card = () if act.card is None else (Span(f" {act.card} ", "text", True, "raised"),)
        load = spans(stones(act.after, act.after.mine.carried[act.seat])) if act.after is not None else ()
        made.append(
            DossierRow(((Span(str(act.round), "soft"),), player(act.seat), card, tuple(act.did), load), act.step)
        )
    if final.items and (rest := final.rest()):
        did = (Span("not in play: ", "soft"), *_gems(final, rest))
        made.append(DossierRow(((), (), (), did, ()), None))
    return table, tuple(made)


# -- in words ----------------------------------------------------------------------------------------------------------


def _in_words(shown: Shown[State, GameEvent]) -> list[str]:
    """Returns the game in sentences: how it ended, what lay where, who took what another had found, and how it went."""
    events, final, names, result = shown.events, shown.state, shown.names, shown.result
    you = shown.you
    lines = ["Unfinished." if result is None else outcomes(names, result, you)[0]]
    if not final.colors:
        return lines
    for seat in range(final.seats):
        lines.append(f"{names[seat]}: {count_of(final.score(seat), 'point')}, {_how_scored(shown, seat)}.")
    if not final.items:
        return lines
    for nest, square in enumerate(final.mine.veins):
        inside = nest_gems(nest, final.mine.each)
        tail = "" if final.mine.opened[nest] else " Nobody opened it."
        # A game that ends while nests are placed has no veins.
        where = f"The {'vein' if final.round else 'nest'} on {name(square)}"
        lines.append(f"{where} held {named(stones(final, inside))}.{tail}")
    lines += [_say_passed_on(final, passing, names) for passing in passed_on(events)]
    round = 0
    for event in events:
        if event.kind == "cards" and event.before.round != round:
            round = event.before.round
            lines.append(f"Round {round}.")
        lines += describe_event(event, names)
    return lines


def _how_scored(shown: Shown[State, GameEvent], seat: int) -> str:
    """Says how a seat's points are made up, or that they did not count for its place, since it resigned."""
    if seat in _out(shown):
        return RESIGNED
    parts = ["".join(span.text for span in term) for term in terms(shown.state, seat)]
    if other := score_of(shown.state, seat).other:
        parts[-1] = f"{other} in other colors"
    return join_names(parts)


def _say_passed_on(final: State, passed: tuple[int, GemEvent, int], names: Sequence[str]) -> str:
    gem, how, whom = passed
    who, what, where = names[how.seat], stone(final, gem).name, name(how.square)
    if how.done == "picked":
        return f"In round {how.round}, {who} picked up the {what} that {names[whom]} had dropped on {where}."
    return f"In round {how.round}, {who} took the {what} from the vein {names[whom]} had opened on {where}."
