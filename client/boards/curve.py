"""How a game went: what all seats had by month, round or move, and the point at which the game turned.

A game names the quantities (`GameUI.measures`). The rest is the same for all games: the samples, the turning point and
its sentence. `curve_panel` draws it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from kimberley.client.boards.game_ui import AnyGameUI
from kimberley.client.boards.report import GameCurve, Measure, Sample
from kimberley.client.boards.subject import reason_told, subject
from kimberley.client.boards.view import Shown
from kimberley.games.phrases import join_names
from kimberley.p2p.sentences.notices import as_sentence

MOST_SAID: Final = 2
"""The most sentences about the event that made the difference."""


def curve_of(game: AnyGameUI, shown: Shown[Any, Any]) -> GameCurve | None:
    """Returns the curve of a game from its last position; None if nothing changed, or the game has no measures."""
    groups = _groups(game, shown.events)
    if not groups:
        return None
    start = game.measures(game.span(groups[0][0])[0])
    readings = [game.measures(game.span(group[-1])[1]) for group in groups]
    labels = [_label(game, group, number) for number, group in enumerate(groups, 1)]
    end = game.measures(shown.state)
    begun = _begun(game, shown, labels[-1]) if _amounts(end) != _amounts(readings[-1]) else None
    readings = [*(readings if begun is not None else readings[:-1]), end]
    if len(readings) < 2:
        return None
    # Quantities that are not always known are left out, such as those of a game that nobody could audit.
    known = [
        number
        for number in range(min(map(len, (start, *readings))))
        if all(isinstance(amount, int) for reading in (start, *readings) for amount in reading[number].amounts)
    ]
    if all(len({tuple(reading[number].amounts) for reading in (start, *readings)}) == 1 for number in known):
        return None
    measures = tuple(readings[-1][number] for number in known)
    amounts = tuple(tuple(tuple(reading[number].amounts) for reading in readings) for number in known)
    winner = shown.result.winners[0] if shown.result is not None and len(shown.result.winners) == 1 else None
    leads = None
    if winner is not None and len(shown.names) > 1:
        compared = [_lead(reading[known[0]], winner) for reading in (start, *readings)]
        # Players who are out do not return: the readings that follow have no lead.
        leads = [lead for lead in compared if lead is not None]
    turn, how = _turning_point(leads, measures[0].invested) if leads is not None else (None, "")
    samples = [
        _sample(game, shown, group, known[0], winner, label) for label, group in zip(labels, groups, strict=True)
    ]
    if begun is not None:
        samples.append(begun)
    sentence = ""
    if turn is not None and winner is not None:
        now = amounts[0][turn]
        who = subject(shown.names, winner, shown.you)
        first = readings[turn][known[0]]
        score = f"{now[winner]}{first.unit} to {best_of_others(first, winner, shown)}"
        score += f" ({first.note})" if first.note else ""
        verbs = {verb: who.does(verb) for verb in ("takes", "keeps", "pulls")}
        sentence = f"{how.format(who=who, whose=who.owner, name=first.name, **verbs)} {score}."
    marks = tuple(game.marks(shown.state))[: len(shown.names)]
    return GameCurve(
        _unit(game),
        tuple(samples),
        measures,
        amounts,
        marks,
        tuple(shown.names),
        shown.you,
        turn,
        sentence,
        game.in_signs,
    )


def _amounts(measures: Sequence[Measure]) -> list[tuple[Any, ...]]:
    return [tuple(measure.amounts) for measure in measures]


def _unit(game: AnyGameUI) -> str:
    return game.chapter_unit or game.unit


def _groups(game: AnyGameUI, events: Sequence[Any]) -> list[list[Any]]:
    """Returns the events by chapter, or each alone if the game has no chapters. What precedes the first joins it."""
    if not game.chapter_unit:
        return [[event] for event in events]
    groups: list[list[Any]] = []
    before = ""
    for event in events:
        name = game.chapter(event)
        new = any(map(str.isdigit, name)) and name != before
        if not groups or (new and before):
            groups.append([])
        groups[-1].append(event)
        before = name if new else before
    return groups


def _label(game: AnyGameUI, group: Sequence[Any], number: int) -> str:
    """Returns the number of a chapter, taken from its heading: "Round 3"."""
    if not game.chapter_unit:
        return str(number)
    digits = ["".join(filter(str.isdigit, game.chapter(event))) for event in group]
    return next(filter(None, digits), str(number))


def _begun(game: AnyGameUI, shown: Shown[Any, Any], label: str) -> Sample | None:
    """Returns the chapter at whose start the game ended, before any event in it; None if that is the chapter of the
    last event, whose `label` is given.
    """
    number = game.chapter_number(shown.state)
    if number is None or str(number) == label or shown.result is None:
        return None
    why = as_sentence(reason_told(shown.result, shown.names, shown.you), shown.names)
    return Sample(str(number), shown.events[-1].step, why)


def _others(measure: Measure, seat: int) -> list[tuple[int, int]]:
    """Returns the other seats with which a seat is compared, and what each of them has."""
    return [(other, has) for other, has in enumerate(measure.amounts) if other != seat and other not in measure.out]


def best_of_others(measure: Measure, seat: int, shown: Shown[Any, Any]) -> str:
    """Returns the most that another seat has and, at a table of more than two, whose it is: "6", "ben’s 6K"."""
    others = _others(measure, seat)
    most = max(amount for _, amount in others)
    amount = f"{most}{measure.unit}"
    if len(shown.names) == 2:
        return amount
    best = [subject(shown.names, other, shown.you) for other, has in others if has == most]
    if len(best) == len(shown.names) - 1:
        return f"everyone else’s {amount}"
    return f"{join_names([who.whose for who in sorted(best, key=lambda who: not who.is_you)])} {amount}"


def _lead(measure: Measure, seat: int) -> int | None:
    """Returns how much more a seat has than the best of the others; None if all others are out."""
    others = [amount for _, amount in _others(measure, seat)]
    return measure.amounts[seat] - max(others) if others else None


def _turning_point(leads: Sequence[int], invested: bool) -> tuple[int | None, str]:
    """Returns the sample from which the winner led to the end, else the one in which the lead grew most, and how to say
    it; None if the winner did not lead at the end, or the lead may have grown because another seat `invested`.

    `leads` begins with the start of the game.
    """
    if leads[-1] <= 0:
        return None, ""
    behind = [number for number, lead in enumerate(leads) if lead <= 0]
    if behind and behind[-1] > 0:
        return behind[-1], "{who} {takes} the lead in {name} and {keeps} it:"
    if invested:
        return None, ""
    gains = [after - before for before, after in pairwise(leads)]
    best = max(range(len(gains)), key=lambda number: gains[number])
    if gains[best] <= 0:
        return None, ""
    grows = "{whose} lead in {name} grows the most here and is now"
    return best, grows if leads[best] > 0 else "{who} {pulls} ahead in {name}:"


def _sample(
    game: AnyGameUI, shown: Shown[Any, Any], group: Sequence[Any], measure: int, winner: int | None, label: str
) -> Sample:
    """Returns the end of a chapter, with the event that changed the lead most, else one that brought something."""

    def weight(event: Any) -> tuple[int, bool, bool]:
        before, after = (game.measures(state)[measure] for state in game.span(event))
        seat = winner if winner is not None else 0
        known = all(isinstance(amount, int) for amount in (*before.amounts, *after.amounts))
        led, leads = (_lead(each, seat) if known else None for each in (before, after))
        change = abs(leads - led) if led is not None and leads is not None else 0
        gains = game.gain(event, shown.names, shown.you) is not None
        return change, gains, gains and event.seat == winner

    event = max(reversed(group), key=weight)
    sentence = " ".join(list(game.describe_change(event, shown.names, shown.you))[:MOST_SAID])
    return Sample(label, event.step, sentence)
