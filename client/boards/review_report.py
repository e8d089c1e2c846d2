"""The review of a game in words: what the screen, the page, the line mode and programs say of it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Final

from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.live_context import names_of
from kimberley.client.boards.registry import timeline_of
from kimberley.client.ui.palette import Color
from kimberley.games.bots.review import (
    LEAST,
    Cause,
    CauseKind,
    DecisionPoint,
    GameReview,
    RatedChoice,
    ReviewedDecision,
    Swing,
    cause_of,
    decision_points,
    luck_in,
    swings,
)
from kimberley.games.table import Plain, Result
from kimberley.p2p.sentences.notices import count_of
from kimberley.protocol.audit import AuditedGame

DEAREST: Final = 10
"""How many decisions are told of each seat."""
NONE_FOUND: Final = "nothing better"
AS_CHOSEN: Final = "the same choice"
MOST_LUCK: Final = 2
"""Sentences that are told of the luck that turned a game."""


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """A decision in words. `chapter` is the number of its month, round or move; `better` and `in_truth` say what would
    have been better by what the seat knew and with everything known, and are empty if nothing would.
    """

    decision: ReviewedDecision
    chapter: int
    chosen: str
    better: str
    in_truth: str

    @property
    def loss(self) -> float:
        """Returns the chance to win that it cost by what the seat knew, from 0 to 1; 0 if it was no mistake."""
        return self.decision.known.lost_chance if self.decision.mistake else 0.0


@dataclass(frozen=True, slots=True)
class ChapterChance:
    """By seat, the chance to win at the end of a month, a round or a move. `step` is the first of it."""

    chapter: int
    step: int
    chances: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class TurnLine:
    """The turning point in words: where, what happened there, and by seat the chance to win before and after, as the
    curve shows them. `kind` is what was decided, empty for luck; `swing` is the change that the winner or a loser had.
    """

    chapter: int
    kind: str
    step: int
    swing: Swing
    said: str
    before: tuple[float, ...]
    after: tuple[float, ...]


class ReviewReport:
    """A review in words. `names` and `marks`, each a sign and its color, are by seat; `chapter_unit` is what chapters
    count: "month".
    """

    def __init__(self, audited: AuditedGame, review: GameReview, *, whole: bool = True) -> None:
        """`whole` says that all is judged; before that there is no turning point."""
        roster = audited.record.table.roster
        self.audited = audited
        self.names: Sequence[str] = names_of(roster)
        self.timeline: GameTimeline = timeline_of(roster.game, roster)
        self.timeline.refresh(audited.story, audited.result)
        self._game = self.timeline.game
        self.title = self._game.title
        self.chapter_unit = self._game.chapter_unit or self._game.unit
        self.marks: Sequence[tuple[str, Color]] = self._game.marks(self.timeline.latest)[: len(self.names)]
        self._points = {
            (point.step, point.seat): point for point in decision_points(audited.start, audited.story, len(self.names))
        }
        self._truths = {step: point.truth for (step, _), point in self._points.items()}
        self._chapters = self._numbered()
        self.lines: tuple[ReviewLine, ...] = ()
        self._judge(review, whole=whole)

    def judged(self, review: GameReview, *, whole: bool) -> ReviewReport:
        """The report of the same game with more of it judged."""
        report = copy(self)
        report._judge(review, whole=whole)
        return report

    def _judge(self, review: GameReview, *, whole: bool) -> None:
        known = {(line.decision.step, line.decision.seat): line for line in self.lines}
        self.review, self.whole = review, whole
        self.lines = tuple(known.get((one.step, one.seat)) or self._line(one) for one in review.decisions)
        self.chances = self._chances()
        self.turn = self._turn() if whole else None

    # -- the parts -----------------------------------------------------------------------------------------------------

    def lines_of(self, seat: int, by_cost: bool = True) -> list[ReviewLine]:
        """The decisions of a seat, the dearest first, or in their order."""
        own = [line for line in self.lines if line.decision.seat == seat]
        return sorted(own, key=lambda line: -line.loss) if by_cost else own

    def best_of(self, seat: int) -> tuple[int, int]:
        """Returns how many decisions of a seat were the best by what it knew, and how many it took."""
        own = self.lines_of(seat)
        return sum(not line.better for line in own), len(own)

    def point(self, line: ReviewLine) -> DecisionPoint:
        """The decision of a line, with what its seat knew."""
        return self._points[line.decision.step, line.decision.seat]

    def words(self, line: ReviewLine, rated: RatedChoice, beside: Plain) -> str:
        """A choice at a line's decision in words, as far as it differs from another one."""
        return self._words(line.decision, rated.choice, beside)

    def advice(self, line: ReviewLine) -> str:
        """The better choice as advice to the player who decided, and why, in sentences; empty if nothing was better."""
        if not line.better:
            return ""
        state, seat = self.point(line).observation.state, line.decision.seat
        ask = state.ask()
        assert not isinstance(ask, Result)
        return self._game.advise(state, ask, seat, line.decision.known.best.choice, self.names)

    def cost(self, loss: float) -> str:
        """A loss of chance in percent: "8%"; empty for none."""
        return f"{round(100 * loss)}%" if loss > LEAST else ""

    def better(self, line: ReviewLine, said: str = "") -> str:
        """The better choice, or what is said of it instead, with what it would have kept by what was known then."""
        return f"+{self.cost(line.loss)} by what was known: {said or line.better}" if line.better else NONE_FOUND

    def in_hindsight(self, line: ReviewLine) -> str:
        """The choice that was best with everything known, with what it would have kept."""
        return f"{line.in_truth} (+{self.cost(line.decision.true.lost_chance)})" if line.in_truth else AS_CHOSEN

    def _line(self, one: ReviewedDecision) -> ReviewLine:
        made, best, true = one.known.chosen.choice, one.known.best.choice, one.true.best.choice
        better = self._words(one, best, made) if one.mistake else ""
        in_truth = self._words(one, true, made) if one.true.lost_chance > LEAST else ""
        return ReviewLine(one, self._chapter(one.step), self._words(one, made, best), better, in_truth)

    def _words(self, one: ReviewedDecision, choice: Plain, beside: Plain) -> str:
        """A choice in words, as far as it differs from the one `beside` it."""
        point = self._points[one.step, one.seat]
        return self._game.choice_words(point.observation.state, one.seat, choice, beside)

    def _position(self, step: int) -> int:
        """The first position that shows what came of a step."""
        steps = self.timeline.steps
        return min(bisect_left(steps, step), len(steps) - 1) + 1

    def _chapter(self, step: int) -> int:
        number = self._game.chapter_number(self._truths[step])
        return self._chapters[self._position(step) - 1] if number is None else number

    def _numbered(self) -> list[int]:
        """For each position after the start the number of its chapter, or its own where a game has none. What precedes
        the first chapter is part of it.
        """
        positions = range(1, len(self.timeline.steps) + 1)
        if not self._game.chapter_unit:
            return list(positions)
        numbers: list[int] = []
        for at in reversed(positions):
            digits = "".join(filter(str.isdigit, self.timeline.heading(at)))
            numbers.append(int(digits) if digits else numbers[-1] if numbers else 1)
        return numbers[::-1]

    def _chances(self) -> tuple[ChapterChance, ...]:
        found: dict[int, ChapterChance] = {}
        for point in self.review.chances:
            chapter = self._chapter(point.step)
            first = found[chapter].step if chapter in found else point.step
            found[chapter] = ChapterChance(chapter, first, point.chances)
        return tuple(found.values())

    def _turn(self) -> TurnLine | None:
        result = self.audited.result
        if result is None or len(result.winners) != 1:
            return None
        points, draws = self.review.chances, luck_in(self.audited.story)
        for swing in swings([one.chances for one in self.chances], result.winners[0]):
            before, here = self.chances[swing.at - 1 : swing.at + 1]
            through = [at for at, point in enumerate(points) if self._chapter(point.step) == here.chapter]
            cause = cause_of(swing, points[through[0] - 1 : through[-1] + 1], self.review.decisions, draws)
            if cause is not None:
                kind = cause.decision.kind if cause.decision is not None else ""
                said = self._because(cause)
                return TurnLine(here.chapter, kind, cause.step, swing, said, before.chances, here.chances)
        return None

    def _because(self, cause: Cause) -> str:
        """What turned the game, in sentences."""
        if cause.decision is None:
            events = [at for at, step in enumerate(self.timeline.steps, 1) if cause.since < step < cause.step]
            told = [said for at in events for said in self.timeline.sentences(at)]
            return f"Luck: {' '.join(told[:MOST_LUCK])}" if told else "This was luck."
        line = next(line for line in self.lines if line.decision == cause.decision)
        choice = line.decision.known.chosen.choice
        made = f"{self.names[line.decision.seat]}: {self._words(line.decision, choice, choice)}."
        match cause.kind:
            case CauseKind.MISTAKE:
                known, hindsight = self.cost(line.loss), self.cost(cause.decision.true.lost_chance)
                apart = f" by what was known then, {hindsight} with hindsight" if hindsight != known else ""
                return f"{made} That was a mistake: it cost {known}{apart}. Better: {line.better}."
            case CauseKind.HINDSIGHT:
                return f"{made} With hindsight, this was better: {self.in_hindsight(line)}."
        return f"{made} That was the best choice."

    # -- in words ------------------------------------------------------------------------------------------------------

    def where(self, chapter: int, kind: str) -> str:
        """Says in which month, round or move something was decided, and what: "Month 5, adjustment"."""
        return f"{self.chapter_unit.capitalize()} {chapter}{f', {kind}' if kind not in ('', self.chapter_unit) else ''}"

    def turning_point(self, whose: int = 0) -> str:
        """The turning point in sentences; empty if there is none. Of two players, the chance is that of `whose`."""
        if (turn := self.turn) is None:
            return ""
        seat = whose if len(self.names) == 2 else turn.swing.seat
        before, after = (round(100 * chances[seat]) for chances in (turn.before, turn.after))
        went = f"{before}% to {after}% for {self.names[seat]}"
        return f"{self.where(turn.chapter, turn.kind)}: {went}. {turn.said}"

    def sentence(self, line: ReviewLine) -> str:
        """A decision in a sentence."""
        where = self.where(line.chapter, line.decision.kind)
        chose = f"{self.names[line.decision.seat]}: {line.chosen}."
        if not line.better:
            return f"{where}. {chose} That was the best choice."
        return f"{where}. {chose} It cost {self.cost(line.loss)} by what was known then. Better: {line.better}."

    @property
    def sentences(self) -> list[str]:
        """The whole review in sentences: accuracy, turning point, chances, and what cost most."""
        told = []
        for seat, name in enumerate(self.names):
            if (found := self.review.accuracy[seat]) is None:
                continue
            best, every = self.best_of(seat)
            told.append(f"{name}: accuracy {round(found)}%, best choice in {best} of {count_of(every, 'decision')}.")
        if self.turn is not None:
            told.append(f"The turning point. {self.turning_point()}")
        # The other one of two has the rest.
        for seat in range(len(self.names) if len(self.names) > 2 else 1) if self.chances else ():
            each = ", ".join(f"{round(100 * one.chances[seat])}" for one in self.chances)
            told.append(f"{self.names[seat]}’s chance to win after each {self.chapter_unit}, in percent: {each}.")
        for seat, name in enumerate(self.names):
            dear = [line for line in self.lines_of(seat) if line.better]
            if len(dear) > DEAREST:
                told.append(f"{name}: the {DEAREST} most costly of {len(dear)} mistakes.")
            told += [self.sentence(line) for line in dear[:DEAREST]]
        return told

    # -- for programs --------------------------------------------------------------------------------------------------

    def as_plain(self) -> dict[str, Any]:
        """The review as data for a program. Seats and steps count from 0, as in `kimberley replay --json`."""
        return {
            "game": self.audited.record.table.roster.game,
            "names": list(self.names),
            "unit": self.review.unit,
            "chapter_unit": self.chapter_unit,
            "decisions": [self._decision_as_plain(line) for line in self.lines],
            "accuracy": [None if found is None else round(found, 1) for found in self.review.accuracy],
            "chances": [
                {
                    "step": one.step,
                    "chapter": self._chapter(one.step),
                    "chances": [round(each, 4) for each in one.chances],
                }
                for one in self.review.chances
            ],
            "turning_point": self._turn_as_plain(),
        }

    def _decision_as_plain(self, line: ReviewLine) -> dict[str, Any]:
        one = line.decision
        return {
            "seat": one.seat,
            "step": one.step,
            "chapter": line.chapter,
            "kind": one.kind,
            "chosen": one.known.chosen.choice,
            "best": one.known.best.choice,
            "loss": round(one.known.loss, 3),
            "lost_chance": round(one.known.lost_chance, 4),
            "accuracy": round(one.accuracy, 1),
            "best_in_truth": one.true.best.choice,
            "loss_in_truth": round(one.true.loss, 3),
            "words": {"chosen": line.chosen, "best": line.better, "best_in_truth": line.in_truth},
            "options": [
                {"choice": rated.choice, "worth": round(rated.worth, 3), "chance": round(rated.chances[one.seat], 4)}
                for rated in options(one)
            ],
        }

    def _turn_as_plain(self) -> dict[str, Any] | None:
        if (turn := self.turn) is None:
            return None
        return {
            "seat": turn.swing.seat,
            "step": turn.step,
            "chapter": turn.chapter,
            "before": round(turn.before[turn.swing.seat], 4),
            "after": round(turn.after[turn.swing.seat], 4),
            "sentence": self.turning_point(),
        }


def options(one: ReviewedDecision) -> list[RatedChoice]:
    """The choices that were compared by what the seat knew, the best first, each once."""
    known = one.known
    different = {rated.choice: rated for rated in (*known.others, known.best, known.chosen)}
    return sorted(different.values(), key=lambda rated: -rated.worth)
