"""What a finished game teaches: every decision of every seat, judged by what that seat knew, and again by the truth.

A game brings a judge of its own (`SupportsReview`). What is here is the same for all games: the walk through a story
with what each seat knew at every step, the accuracy of each seat, its chances after each decision, and the turning
point.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from statistics import fmean, stdev
from typing import Final, Protocol, runtime_checkable

from kimberley.games.table import Answer, Ask, Leave, Observation, Plain, Result, State, state_after

LEVELS: Final = range(1, 21)
"""How much a judge thinks about a decision, as the levels of bots."""
NORMAL_LEVEL: Final = 10

STEEPNESS: Final = 0.04354
OFFSET: Final = 3.1669
"""The curve by which lichess.org computes the accuracy of a move from the percents of winning chances that it lost:
100 if none, 0 from 80 on.
"""


class CannotReview(Exception):
    """A game cannot be reviewed here; the message is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class RatedChoice:
    """A choice, what it is worth in the judge's unit, and by seat the chance to win after it.

    Chances are from 0 to 1, and add up to 1: seats that would share the first place share the chance.
    """

    choice: Plain
    worth: float
    chances: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a seat's choice was worth beside the best one; these are equal where nothing is better for certain.

    `others` are further choices that were compared with both.
    """

    seat: int
    chosen: RatedChoice
    best: RatedChoice
    others: tuple[RatedChoice, ...] = ()

    @property
    def loss(self) -> float:
        """Returns what the choice cost, in the judge's unit."""
        return max(0.0, self.best.worth - self.chosen.worth)

    @property
    def lost_chance(self) -> float:
        """The chance to win that the choice cost its seat, from 0 to 1."""
        return max(0.0, self.best.chances[self.seat] - self.chosen.chances[self.seat])


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """A decision of a finished game: what its seat knew, the state with everything known, and what came of it.

    `step` is the number of its ask in the story. `answer` is the true answer to that ask, with the choices of all.
    `alternative` is another choice that a judge must compare, besides those that it finds.
    """

    step: int
    observation: Observation
    truth: State
    answer: Answer
    chosen: Plain
    alternative: Plain | None = None

    @property
    def seat(self) -> int:
        """The seat that decided."""
        return self.observation.seat

    @property
    def tried(self) -> tuple[Plain, ...]:
        """Returns what a judge must compare: the choice that was made, and the alternative."""
        return (self.chosen,) if self.alternative is None else (self.chosen, self.alternative)


class ChoiceJudge(Protocol):
    """Judges the choices of one game. The same `rng` gives the same assessment."""

    @property
    def unit(self) -> str:
        """Says what `RatedChoice.worth` counts, in the plural: "diamonds"."""

    @property
    def hidden(self) -> bool:
        """Returns whether the game hides anything. If not, all is known, and `by_truth` is never asked."""

    def by_knowledge(self, observation: Observation, chosen: Plain, rng: Random) -> Assessment | None:
        """Judges a choice by what its seat knew. None if there was nothing to decide, or nothing that can be judged."""

    def by_truth(self, point: DecisionPoint, rng: Random) -> Assessment:
        """Judges the same choice with everything known, the simultaneous choices of other seats included."""


@runtime_checkable
class SupportsReview(Protocol):
    """A game whose choices can be judged."""

    def judge(self, level: int) -> ChoiceJudge:
        """A judge that thinks as much as `level` says. Raises CannotReview if it lacks something."""


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """A decision with both judgments. `kind` is what was decided, in a word or two."""

    step: int
    seat: int
    kind: str
    known: Assessment
    true: Assessment

    @property
    def accuracy(self) -> float:
        """Returns how good the choice was by what the seat knew, from 0 to 100."""
        return accuracy(self.known.lost_chance)


@dataclass(frozen=True, slots=True)
class ChancePoint:
    """By seat, the chance to win after a step, with everything known: from 0 to 1."""

    step: int
    chances: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The step with which the winner gained most: the chance before it and after it."""

    step: int
    seat: int
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class GameReview:
    """The review of a whole game. `accuracy` by seat is from 0 to 100, None for a seat that decided nothing."""

    unit: str
    decisions: tuple[ReviewedDecision, ...]
    accuracy: tuple[float | None, ...]
    chances: tuple[ChancePoint, ...]
    turning_point: TurningPoint | None


def of_two(seat: int, chance: float) -> tuple[float, float]:
    """The chances of both seats of a game of two, by that of one of them."""
    return (chance, 1 - chance) if seat == 0 else (1 - chance, chance)


def accuracy(lost: float) -> float:
    """The accuracy of a choice, from 0 to 100, from the chance to win that it lost, from 0 to 1."""
    return min(100.0, max(0.0, (100 + OFFSET) * math.exp(-STEEPNESS * 100 * lost) - OFFSET))


def compared(
    seat: int, rated: Sequence[RatedChoice], reached: Sequence[Sequence[float]], certain: float, least: float = 0.0
) -> Assessment:
    """The first of the rated choices, which was made, beside the best of the others.

    Another choice is better only if it does not lower the seat's chance to win, and is ahead by more than `least` and
    by so many standard errors as `certain` says. `reached` has what each choice came to, in the judge's unit, in the
    same worlds.
    """
    made, *others = rated
    if not others:
        return Assessment(seat, made, made)
    at = max(range(1, len(rated)), key=lambda other: rated[other].worth)
    gains = [better - own for better, own in zip(reached[at], reached[0], strict=True)]
    ahead = fmean(gains) > max(least, certain * stdev(gains) / math.sqrt(len(gains)))
    best = rated[at] if ahead and rated[at].chances[seat] >= made.chances[seat] else made
    return Assessment(seat, made, best, tuple(other for other in others if other is not best))


def odds(worths: Mapping[int, float], scale: float, upset: float = 0.0) -> dict[int, float]:
    """The chances to win of seats by what they are worth: `scale` more makes a seat 2.7 times as likely to win as
    another, but for an upset, after which all are equal.
    """
    best = max(worths.values())
    weights = {seat: math.exp((worth - best) / scale) for seat, worth in worths.items()}
    whole = sum(weights.values())
    return {seat: (1 - upset) * weight / whole + upset / len(weights) for seat, weight in weights.items()}


def mean_chances(chances: Iterable[tuple[float, ...]]) -> tuple[float, ...]:
    """By seat, its chance on average over several worlds."""
    return tuple(map(fmean, zip(*chances, strict=True)))


def decision_points(start: State, story: Sequence[tuple[Ask, Answer]], seats: int) -> Iterator[DecisionPoint]:
    """Yields every decision of a story with everything known, in its order, with what each seat knew then."""
    truth: State = start
    views = [start] * seats
    known: list[list[tuple[Ask, Answer]]] = [[] for _ in range(seats)]
    for step, (ask, answer) in enumerate(story):
        for seat in ask.choosers:
            if (chosen := ask.choice_in(answer, seat)) is not None:
                yield DecisionPoint(step, Observation(seat, views[seat], tuple(known[seat])), truth, answer, chosen)
        for seat, view in enumerate(views):
            own = ask if isinstance(ask, Leave) else view.ask()
            assert not isinstance(own, Result)
            shown = ask.visible_answer(answer, seat)
            known[seat].append((own, shown))
            views[seat] = state_after(view, own, shown)
        truth = state_after(truth, ask, answer)


def review_decision(judge: ChoiceJudge, point: DecisionPoint, salt: str) -> ReviewedDecision | None:
    """Judges one decision; None if there is nothing to judge. The same `salt` gives the same judgment."""
    seed = f"{salt} {point.step} {point.seat}"
    known = judge.by_knowledge(point.observation, point.chosen, Random(f"{seed} known"))
    if known is None:
        return None
    informed = replace(point, alternative=known.best.choice)
    true = judge.by_truth(informed, Random(f"{seed} true")) if judge.hidden else known
    return ReviewedDecision(point.step, point.seat, kind_of(point), known, true)


def kind_of(point: DecisionPoint) -> str:
    """Says what is decided, in a word or two."""
    ask = point.observation.state.ask()
    assert not isinstance(ask, Result)
    return "adjustment" if ask.last_look else ask.subject


def conclude(unit: str, decisions: Sequence[ReviewedDecision], result: Result | None, seats: int) -> GameReview:
    """The review that the judged decisions of a game add up to."""
    ordered = tuple(sorted(decisions, key=lambda each: (each.step, each.seat)))
    chances = _chances(ordered)
    each = [[one.accuracy for one in ordered if one.seat == seat] for seat in range(seats)]
    means = tuple(sum(found) / len(found) if found else None for found in each)
    winner = result.winners[0] if result is not None and len(result.winners) == 1 else None
    return GameReview(unit, ordered, means, chances, None if winner is None else _turning_point(chances, winner))


def _chances(decisions: Sequence[ReviewedDecision]) -> tuple[ChancePoint, ...]:
    """The chances after each step: what the choices made there were worth with everything known."""
    found: dict[int, list[tuple[float, ...]]] = {}
    for one in decisions:
        found.setdefault(one.step, []).append(one.true.chosen.chances)
    return tuple(
        ChancePoint(step, tuple(sum(each) / len(each) for each in zip(*judged, strict=True)))
        for step, judged in found.items()
    )


def _turning_point(chances: Sequence[ChancePoint], winner: int) -> TurningPoint | None:
    """The step with the winner's greatest gain; None if the winner gained nowhere.

    The first step is none: what the chances were before it, with everything known, is not judged.
    """
    best = None
    for last, point in pairwise(chances):
        before, after = last.chances[winner], point.chances[winner]
        if after > before and (best is None or after - before > best.after - best.before):
            best = TurningPoint(point.step, winner, before, after)
    return best
