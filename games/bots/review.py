"""What a finished game teaches: every decision of every seat, judged by what that seat knew, and again by the truth.

The bots of a game provide a judge (`SupportsReview`). What is here is the same for all games: the walk through a story
with what each seat knew at every step, the accuracy of each seat, its chances after each decision, and what turned the
game.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise
from random import Random
from statistics import fmean, stdev
from typing import Final, Protocol, runtime_checkable

from kimberley.games.table import (
    Answer,
    Ask,
    Leave,
    Observation,
    Plain,
    Result,
    State,
    state_after,
)

STEEPNESS: Final = 0.04354
OFFSET: Final = 3.1669
"""The curve by which lichess.org computes the accuracy of a move from the percentage points of winning chance that it
lost: 100 if none, 0 from 80 on.
"""
LEAST: Final = 0.005
"""A smaller loss of chance is shown as 0 percent, and is no mistake."""
NEAR: Final = 0.12
"""The greatest loss of chance of a choice that a hint can have named: a hint draws other worlds than the judge, and may
look less far ahead. It is CERTAIN standard errors of a difference that a judge finds in about a hundred games played
out.
"""
LEAST_TURN: Final = 0.03
"""A smaller change of chance does not turn a game."""
CERTAIN: Final = 2.5
"""Standard errors by which a better choice must be ahead. It is the best of up to three, so two would be too few."""
EXPLAINS: Final = 1 / 3
"""The share of a change that a decision or a draw must account for to be named as its cause."""


class CannotReview(Exception):
    """A game cannot be reviewed here; the message is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class RatedChoice:
    """A choice, what it is worth in the judge's unit, and by seat the chance to win after it.

    Chances are from 0 to 1, and add up to 1: seats that would share first place share the chance.
    """

    choice: Plain
    worth: float
    chances: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a seat's choice was worth, and what the best one was: the same choice where none is certainly better.

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

    @property
    def mistake(self) -> bool:
        """Returns whether another choice was better, and the lost chance is large enough to be shown."""
        return self.lost_chance > LEAST


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
        """Returns whether the game hides anything. If not, all is known, and `by_truth` is never called."""

    def by_knowledge(self, observation: Observation, chosen: Plain, rng: Random) -> Assessment | None:
        """Judges a choice by what its seat knew. None if there was nothing to decide, or nothing that can be judged."""

    def by_truth(self, point: DecisionPoint, rng: Random) -> Assessment:
        """Judges the same choice with everything known, the simultaneous choices of other seats included."""

    def apart(self, observation: Observation, choice: Plain, other: Plain, rng: Random) -> float:
        """Returns the most by which the seat's chances to win after two choices may differ, as far as it can know.
        Infinite where that cannot be judged.
        """


@runtime_checkable
class SupportsReview(Protocol):
    """The bots of a game (`Bots`) with a judge of choices."""

    def judge(self, level: int) -> ChoiceJudge:
        """Returns a judge that thinks as much as `level` says. Raises CannotReview if it lacks something."""


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """A decision with both judgments. `kind` is what was decided, in a word or two."""

    step: int
    seat: int
    kind: str
    known: Assessment
    true: Assessment

    @property
    def mistake(self) -> bool:
        """Returns whether the seat could know that another choice was better."""
        return self.known.mistake

    @property
    def accuracy(self) -> float:
        """Returns how good the choice was by what the seat knew, from 0 to 100: always 100 unless it was a mistake."""
        return accuracy(self.known.lost_chance) if self.mistake else 100.0


@dataclass(frozen=True, slots=True)
class ChancePoint:
    """By seat, the chance to win after a step, with everything known: from 0 to 1."""

    step: int
    chances: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Swing:
    """A lasting change: the chance of `seat` rose, or fell, from the point before number `at` of a series, by
    `lasting`.
    """

    at: int
    seat: int
    rose: bool
    lasting: float


class CauseKind(Enum):
    """What changed the chances: a mistake, a choice that only hindsight finds wrong, or luck."""

    MISTAKE = auto()
    HINDSIGHT = auto()
    LUCK = auto()


@dataclass(frozen=True, slots=True)
class Cause:
    """Why the chances changed by `weight` in a step. `decision` is the one that did it; None for luck, which lies in
    the steps after `since` and before `step`.
    """

    kind: CauseKind
    since: int
    step: int
    weight: float
    decision: ReviewedDecision | None = None


@dataclass(frozen=True, slots=True)
class GameReview:
    """The review of a whole game. `accuracy` by seat is from 0 to 100, None for a seat that decided nothing."""

    unit: str
    decisions: tuple[ReviewedDecision, ...]
    accuracy: tuple[float | None, ...]
    chances: tuple[ChancePoint, ...]


def of_two(seat: int, chance: float) -> tuple[float, float]:
    """Returns the chances of both seats in a game of two, from the chance of one of them."""
    return (chance, 1 - chance) if seat == 0 else (1 - chance, chance)


def accuracy(lost: float) -> float:
    """Returns the accuracy of a choice, from 0 to 100, from the chance to win that it lost, from 0 to 1."""
    return min(100.0, max(0.0, (100 + OFFSET) * math.exp(-STEEPNESS * 100 * lost) - OFFSET))


def compared(
    seat: int, rated: Sequence[RatedChoice], reached: Sequence[Sequence[float]], least: float = 0.0
) -> Assessment:
    """Returns the first of the rated choices, the one that was made, compared with the best of the others.

    Another choice is better only if it does not lower the seat's chance to win, and is ahead by more than `least` and
    by CERTAIN standard errors. `reached` has what each choice came to, in the judge's unit, in the
    same worlds.
    """
    made, *others = rated
    if not others:
        return Assessment(seat, made, made)
    at = max(range(1, len(rated)), key=lambda other: rated[other].worth)
    gains = [better - own for better, own in zip(reached[at], reached[0], strict=True)]
    ahead = fmean(gains) > max(least, CERTAIN * stdev(gains) / math.sqrt(len(gains)))
    best = rated[at] if ahead and rated[at].chances[seat] >= made.chances[seat] else made
    return Assessment(seat, made, best, tuple(other for other in others if other is not best))


def most_apart(chances: Sequence[float], others: Sequence[float]) -> float:
    """Returns the most by which two chances to win may differ: by CERTAIN standard errors more than they do on average
    in the same worlds. Infinite where there are too few worlds to tell.
    """
    gains = [chance - other for chance, other in zip(chances, others, strict=True)]
    if len(gains) < 2:
        return math.inf
    return abs(fmean(gains)) + CERTAIN * stdev(gains) / math.sqrt(len(gains))


def odds(worths: Mapping[int, float], scale: float, upset: float = 0.0) -> dict[int, float]:
    """Returns the seats' chances to win from what they are worth: `scale` more makes a seat 2.7 times as likely to win
    as another. With the chance of `upset`, all are equally likely.
    """
    best = max(worths.values())
    weights = {seat: math.exp((worth - best) / scale) for seat, worth in worths.items()}
    whole = sum(weights.values())
    return {seat: (1 - upset) * weight / whole + upset / len(weights) for seat, weight in weights.items()}


def mean_chances(chances: Iterable[tuple[float, ...]]) -> tuple[float, ...]:
    """Returns, by seat, its chance on average over several worlds."""
    return tuple(map(fmean, zip(*chances, strict=True)))


def decision_points(start: State, story: Sequence[tuple[Ask, Answer]], seats: int) -> Iterator[DecisionPoint]:
    """Yields, in order, every decision of a story in which everything is known, with what its seat knew then."""
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
            visible = ask.visible_answer(answer, seat)
            known[seat].append((own, visible))
            views[seat] = state_after(view, own, visible)
        truth = state_after(truth, ask, answer)


def unhinted(observation: Observation, choice: Plain) -> bool:
    """Returns False: no hint names the choice."""
    del observation, choice
    return False


def review_decision(
    judge: ChoiceJudge, point: DecisionPoint, salt: str, hinted: Callable[[Observation, Plain], bool] = unhinted
) -> ReviewedDecision | None:
    """Judges one decision; None if there is nothing to judge. The same `salt` gives the same judgment.

    What seems to be a mistake is judged again in other worlds, and that judgment counts: among many choices, some are
    ahead by luck. `hinted` says whether a hint names a choice, which takes seconds, so it is asked only where the loss
    is at most NEAR. A choice that a hint names is no mistake.
    """
    seed = f"{salt} {point.step} {point.seat}"
    rng = Random(f"{seed} known")
    unused = rng.getstate()
    known = judge.by_knowledge(point.observation, point.chosen, rng)
    # A judge that draws nothing would only find the same again.
    if known is not None and known.mistake and rng.getstate() != unused:
        known = judge.by_knowledge(point.observation, point.chosen, Random(f"{seed} again"))
    if known is None:
        return None
    if LEAST < known.lost_chance <= NEAR and hinted(point.observation, point.chosen):
        known = replace(known, best=known.chosen, others=(known.best, *known.others))
    informed = replace(point, alternative=known.best.choice)
    true = judge.by_truth(informed, Random(f"{seed} true")) if judge.hidden else known
    return ReviewedDecision(point.step, point.seat, kind_of(point), known, true)


def equally_good(judge: ChoiceJudge, observation: Observation, choice: Plain, other: Plain, rng: Random) -> bool:
    """Returns whether it is certain that a review would call neither of two choices a mistake compared with the other.
    False where `choice` ends the game.
    """
    if not judge.hidden and isinstance(observation.state.apply(choice).ask(), Result):
        return False
    return judge.apart(observation, choice, other, rng) <= LEAST


def kind_of(point: DecisionPoint) -> str:
    """Says what is decided, in a word or two."""
    ask = point.observation.state.ask()
    assert not isinstance(ask, Result)
    return "adjustment" if ask.last_look else ask.subject


def conclude(unit: str, decisions: Sequence[ReviewedDecision], seats: int) -> GameReview:
    """Returns the review that the judged decisions of a game add up to."""
    ordered = tuple(sorted(decisions, key=lambda decision: (decision.step, decision.seat)))
    accuracies = [[one.accuracy for one in ordered if one.seat == seat] for seat in range(seats)]
    means = tuple(sum(own) / len(own) if own else None for own in accuracies)
    return GameReview(unit, ordered, means, _chances(ordered))


def _chances(decisions: Sequence[ReviewedDecision]) -> tuple[ChancePoint, ...]:
    """Returns the chances after each step: what the choices made there were worth with everything known."""
    by_step: dict[int, list[tuple[float, ...]]] = {}
    for one in decisions:
        by_step.setdefault(one.step, []).append(one.true.chosen.chances)
    return tuple(
        ChancePoint(step, tuple(sum(of_seat) / len(of_seat) for of_seat in zip(*judged, strict=True)))
        for step, judged in by_step.items()
    )


def swings(series: Sequence[Sequence[float]], winner: int) -> list[Swing]:
    """Returns the lasting rises of the winner and falls of the others in a series of chances, the largest first.

    A change that was reversed later did not last. The first point is no swing: the chances before it are not judged.
    """
    candidates = []
    for seat in range(len(series[0]) if series else 0):
        rose = seat == winner
        own = [chances[seat] if rose else -chances[seat] for chances in series]
        candidates += [Swing(at, seat, rose, min(own[at:]) - own[at - 1]) for at in range(1, len(own))]
    # With two seats, the winner's rise is as large as the other's fall, and comes first.
    large = (one for one in candidates if one.lasting >= LEAST_TURN)
    return sorted(large, key=lambda one: (-round(one.lasting, 6), not one.rose, one.at))


def luck_in(story: Sequence[tuple[Ask, Answer]]) -> frozenset[int]:
    """Returns the steps of a story in which something was drawn, rolled or dealt. It is no luck when all see what one
    player had seen before, such as a coin that is spent.
    """
    seen: set[int] = set()
    found = []
    for step, (ask, _) in enumerate(story):
        if ask.by_chance and not (ask.shown and seen.issuperset(ask.shown)):
            found.append(step)
        seen.update(ask.shown)
    return frozenset(found)


def cause_of(
    swing: Swing, points: Sequence[ChancePoint], decisions: Iterable[ReviewedDecision], draws: Collection[int]
) -> Cause | None:
    """Returns what explains a swing; None if nothing does. `points` are the one before it and all those that it passed
    through.

    A decision counts for what it lost or won compared with the best one, with everything known. The rest is luck, if
    something was drawn since the point before; if not, nothing explains it.
    """
    causes = []
    sign = 1 if swing.rose else -1
    made: dict[int, list[ReviewedDecision]] = {}
    for one in decisions:
        made.setdefault(one.step, []).append(one)
    for last, point in pairwise(points):
        rest = sign * (point.chances[swing.seat] - last.chances[swing.seat])
        for one in made.get(point.step, ()):
            effect = sign * (one.true.chosen.chances[swing.seat] - one.true.best.chances[swing.seat])
            rest -= effect
            if (one.seat == swing.seat) != swing.rose and one.true.lost_chance > LEAST:
                kind = CauseKind.MISTAKE if one.mistake else CauseKind.HINDSIGHT
                causes.append(Cause(kind, last.step, point.step, effect, one))
        if any(last.step < step < point.step for step in draws):
            causes.append(Cause(CauseKind.LUCK, last.step, point.step, rest))
    best = max(causes, key=lambda cause: cause.weight, default=None)
    moved = sign * (points[-1].chances[swing.seat] - points[0].chances[swing.seat])
    return best if best is not None and best.weight >= EXPLAINS * moved > 0 else None
