"""The dossier: what lay in each nest, which card each seat played, what it did and carried, and who stole what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from client.board import Dossier, DossierRow, Span
from client.boards.mine.course import Happening, Passage, happened, thefts, told
from client.boards.mine.scoring import reckoned
from client.boards.mine.stones import named, player_mark, player_paint, spans, stone, stones
from client.boards.mine.truth import Tale
from client.canvas import Canvas
from client.glyphs import fitted
from client.people import short_name
from client.standings import winners
from client.widgets import Column
from games.mine.rules import State
from games.mine.squares import name

TITLE: Final = "Diamond Mine"
LOAD: Final = 9
"""Columns for what a pawn carries: three small gems, "▴r ▴b ▴g", and one to spare."""


@dataclass(slots=True)
class Act:
    """What one seat did in one round: its card, the way it went, and all that came of it."""

    step: int
    round: int
    seat: int
    card: int | None
    did: list[Span] = field(default_factory=list)
    after: State | None = None


def dossier(tale: Tale, names: Sequence[str], seat: int | None) -> Dossier:
    """The dossier of a game. `seat` is "you", None for an onlooker."""
    course = happened(tale.story, tale.start)
    final = course[-1].after if course else tale.start

    def head(canvas: Canvas) -> None:
        _draw_head(canvas, final, tale, names, seat)

    def build(width: int) -> tuple[tuple[Column, ...], tuple[DossierRow, ...]]:
        return _rows(course, final, names, width)

    return Dossier(TITLE, head, build, tuple(in_words(course, final, tale, names, seat)))


def _draw_head(canvas: Canvas, final: State, tale: Tale, names: Sequence[str], seat: int | None) -> None:
    """Rows 1 to 3: who has won and by what, and how the points of each come together."""
    canvas.fill(0, 0, canvas.width, 3, "panel")
    result = tale.result
    said = "Not finished." if result is None else f"{winners(names, result, seat)}: {result.reason}."
    canvas.put(1, 0, fitted(said, canvas.width - 2), "text", bold=True)
    if result is None or not final.colours:
        return
    order = sorted(range(final.seats), key=lambda each: (result.places[each], each))
    room = canvas.width // 2
    for number, each in enumerate(order):
        x, y = 1 + room * (number // 2 if final.seats == 4 else 0), 1 + number % 2
        part = canvas.region(x, y, room - 2 if final.seats == 4 else canvas.width - 2, 1)
        at = part.put(0, 0, player_mark(each), player_paint(final, each), bold=True) + 1
        at = part.put(at, 0, short_name(names, each, 10), "text", bold=each == seat) + 1
        at = part.put(at, 0, str(final.score(each)), "money", bold=True) + 2
        for span in reckoned(final, each):
            at = part.put(at, 0, fitted(span.text, part.width - at), span.fg)


# -- what happened -----------------------------------------------------------------------------------------------------


def acts(course: Sequence[Happening], names: Sequence[str]) -> list[Act]:
    """What each seat did in each round."""
    found: list[Act] = []
    stolen = {(gem, how.step): whom for gem, how, whom in thefts(course)}
    cards: tuple[int | None, ...] = ()
    round = 0
    for what in course:
        if what.kind == "cards":
            cards, round = what.cards, what.before.round
        if what.kind == "moved" and what.seat is not None:
            act = Act(what.step, round, what.seat, cards[what.seat], _moved(what, stolen, names), what.after)
            found.append(act)
        elif what.kind in ("opened", "took") and found:
            found[-1].did += _at_vein(what, stolen, names)
            found[-1].after = what.after
        elif what.kind == "left" and what.seat is not None:
            found.append(
                Act(what.step, what.before.round, what.seat, None, [Span("leaves the game", "warning")], what.after)
            )
        for seat in what.stays:
            found.append(
                Act(what.step, round, seat, cards[seat], [Span("can go nowhere, and stays", "soft")], what.after)
            )
    return found


def _gems(state: State, gems: Sequence[int]) -> list[Span]:
    return spans(stones(state, gems)) or [Span("nothing", "soft")]


def _stolen(gem: int, what: Happening, stolen: dict[tuple[int, int], int], names: Sequence[str]) -> list[Span]:
    """Whose gem it was."""
    whom = stolen.get((gem, what.step))
    return [] if whom is None else [Span(f" from {names[whom]}", "warning", True)]


def _moved(what: Happening, stolen: dict[tuple[int, int], int], names: Sequence[str]) -> list[Span]:
    assert what.seat is not None
    start = what.before.mine.pawns[what.seat]
    did = [Span(f"{'' if start is None else name(start)} → {name(what.answer[0])}", "text")]
    picks, drops = dict(what.picked), dict(what.dropped)
    for square in what.way:
        if square in picks:
            did += [Span(", picks up ", "soft"), *_gems(what.before, (picks[square],)),
                    *_stolen(picks[square], what, stolen, names)]  # fmt: skip
        if square in drops:
            did += [
                Span(", drops ", "soft"),
                *_gems(what.before, (drops[square],)),
                Span(f" on {name(square)}", "soft"),
            ]
    if what.unloaded:
        points = what.after.score(what.seat) - what.before.score(what.seat)
        did += [Span(", brings home ", "soft"), *_gems(what.after, what.unloaded), Span(f" +{points}", "money", True)]
    return did


def _at_vein(what: Happening, stolen: dict[tuple[int, int], int], names: Sequence[str]) -> list[Span]:
    if what.kind == "opened":
        return [Span(", opens ", "soft"), *_gems(what.after, what.before.mine.inside[what.before.nest])]
    did = [Span(", takes ", "soft"), *_gems(what.after, what.answer)]
    for gem in what.answer:
        did += _stolen(gem, what, stolen, names)
    return did


def _rows(
    course: Sequence[Happening], final: State, names: Sequence[str], width: int
) -> tuple[tuple[Column, ...], tuple[DossierRow, ...]]:
    """The nests first, then what each seat did, then the gems that nobody ever saw."""
    who = min(12, max((len(each) for each in names), default=4) + 3)
    columns = (
        Column("Rd", 0, 2, right=True),
        Column("Seat", 4, who),
        Column("Card", 5 + who, 4),
        Column("What it did", 10 + who, width - 11 - who - LOAD),
        Column("Carries", width - LOAD, LOAD),
    )

    def player(seat: int) -> tuple[Span, ...]:
        return (Span(f"{player_mark(seat)} ", player_paint(final, seat), True),
                Span(short_name(names, seat, who - 3), "text"))  # fmt: skip

    made: list[DossierRow] = []
    for what in course:
        if what.kind == "placed" and what.seat is not None:
            nest = len(what.before.mine.veins)
            inside = tuple(what.before.mine.inside[nest])
            tail = [] if final.mine.opened[nest] else [Span("  never opened", "soft")]
            did = (Span(f"nest on {name(what.answer)}: ", "soft"), *_gems(final, inside), *tail)
            made.append(DossierRow(((), player(what.seat), (), did, ()), what.step))
    for act in acts(course, names):
        card = () if act.card is None else (Span(f" {act.card} ", "text", True, "raised"),)
        load = tuple(spans(stones(act.after, act.after.mine.carried[act.seat]))) if act.after is not None else ()
        made.append(
            DossierRow(((Span(str(act.round), "soft"),), player(act.seat), card, tuple(act.did), load), act.step)
        )
    if final.items and (rest := final.rest()):
        did = (Span("in no nest: ", "soft"), *_gems(final, rest))
        made.append(DossierRow(((), (), (), did, ()), None))
    return columns, tuple(made)


# -- in words ----------------------------------------------------------------------------------------------------------


def in_words(
    course: Sequence[Happening], final: State, tale: Tale, names: Sequence[str], seat: int | None
) -> list[str]:
    """The game in sentences: how it ended, what lay where, who took what from whom, and how it went."""
    result = tale.result
    lines = ["Not finished."] if result is None else [f"{winners(names, result, seat)}: {result.reason}."]
    if not final.colours:
        return lines
    for each in range(final.seats):
        sum_said = "".join(span.text for span in reckoned(final, each)).strip()
        lines.append(f"{names[each]}: {final.score(each)} points; {sum_said}.")
    if not final.items:
        return lines
    for nest, square in enumerate(final.mine.veins):
        inside = (nest, final.mine.each + nest)
        tail = "" if final.mine.opened[nest] else " Nobody opened it."
        lines.append(f"In the nest on {name(square)} lay {named(stones(final, inside))}.{tail}")
    lines += [_theft_said(final, theft, names) for theft in thefts(course)]
    round = 0
    for what in course:
        if what.kind == "cards" and what.before.round != round:
            round = what.before.round
            lines.append(f"Round {round}.")
        lines += told(what, names)
    return lines


def _theft_said(final: State, theft: tuple[int, Passage, int], names: Sequence[str]) -> str:
    gem, how, whom = theft
    where = f"on {name(how.square)} in round {how.round}"
    verb = "picked up" if how.done == "picked" else "took"
    tail = "had dropped" if how.done == "picked" else "had opened the vein of"
    return f"{names[how.seat]} {verb} the {stone(final, gem).name} {where} that {names[whom]} {tail}."
