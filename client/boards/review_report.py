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
    Assessment,
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
from kimberley.games.phrases import count_of
from kimberley.games.table import Plain, Result
from kimberley.protocol.audit import AuditedGame

DEAREST: Final = 10
"""How many decisions are listed for each seat."""
NONE_FOUND: Final = "nothing clearly better"
"""A smaller difference is beyond what the judge can tell."""
MOST_LUCK: Final = 2
"""The most sentences about the luck that turned a game."""
FOREGONE: Final = 0.1
"""The smallest change of chances that is mentioned if nobody had a better choice."""
LONGEST: Final = 4
"""The most consecutive months, rounds or moves over which such a change is looked for."""
MOST_OF: Final = 0.9
"""A change over fewer of them is mentioned instead if it is at least this share of the largest one."""
LEAST_SHARE: Final = 1 / 5
"""A change by mistake or luck is no turning point if it is a smaller share of one that nothing explains."""


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """A decision in words. `chapter` is the number of its month, round or move; `chosen` is all of the choice, and
    `replaced` the part of it that the better choice changes. `better` and `in_truth` say what would have been better
    by what the seat knew and with everything known, and are empty if nothing would.
    """

    decision: ReviewedDecision
    chapter: int
    chosen: str
    replaced: str
    better: str
    in_truth: str

    @property
    def loss(self) -> float:
        """Returns the chance to win that it cost by what the seat knew, from 0 to 1; 0 if it was no mistake."""
        return self.decision.known.lost_chance if self.decision.mistake else 0.0

    @property
    def lost(self) -> int:
        """Returns the same in percent: the difference between both chances as they are printed."""
        return lost_percents(self.decision.known) if self.decision.mistake else 0

    @property
    def cost(self) -> str:
        """Returns the same in words: "8%"; empty for none."""
        return cost(self.lost) if self.decision.mistake else ""


@dataclass(frozen=True, slots=True)
class ChapterChance:
    """By seat, the chance to win at the end of a month, a round or a move. `step` is its first step."""

    chapter: int
    step: int
    chances: tuple[float, ...]

    @property
    def percents(self) -> tuple[int, ...]:
        """Returns the chances as whole percentages."""
        return in_percents(self.chances)


@dataclass(frozen=True, slots=True)
class TurnLine:
    """The turning point: where and why, and by seat the chance to win before and after, as the curve shows them.
    `swing` is the change that the winner or a loser had.
    """

    chapter: int
    swing: Swing
    cause: Cause
    before: tuple[float, ...]
    after: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Drift:
    """A lasting change in which nobody had a better choice: from the point `since` of the curve to the point `at`."""

    since: int
    at: int
    lasting: float


class ReviewReport:
    """A review in words. `names` and `marks`, each a sign and its color, are by seat; `chapter_unit` is what chapters
    count: "month".
    """

    def __init__(self, audited: AuditedGame, review: GameReview, *, whole: bool = True, aloud: bool = False) -> None:
        """Takes `whole`, which says that all is judged; before that there is no turning point. `aloud` says that nobody
        sees the board beside it: then choices have names in place of its badges and signs.
        """
        self._aloud = aloud
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
        """Returns the report of the same game with more of it judged."""
        report = copy(self)
        report._judge(review, whole=whole)
        return report

    def _judge(self, review: GameReview, *, whole: bool) -> None:
        known = {(line.decision.step, line.decision.seat): line for line in self.lines}
        self.review, self.whole = review, whole
        self.lines = tuple(known.get((one.step, one.seat)) or self._line(one) for one in review.decisions)
        self.chances = self._chances()
        self.turn, self._drift = self._turn() if whole else (None, None)

    @property
    def unjudged(self) -> str:
        """Says which chapters come before the first that is judged; empty if none does, or not all is judged yet."""
        before = self.chances[0].chapter - 1 if self.whole and self.chances else 0
        if not before:
            return ""
        if before == 1:
            return f"{self.chapter_unit.capitalize()} 1 is too early to judge."
        which = f"1 {'and' if before == 2 else 'to'} {before}"
        return f"{self.chapter_unit.capitalize()}s {which} are too early to judge."

    @property
    def none_judged(self) -> str:
        """Says why a list has no decisions."""
        if not self._points:
            return "No decisions to review."
        left_out = self._game.unjudged
        judged = f", and choices that cannot be judged ({left_out}), are skipped." if left_out else " are skipped."
        return f"No decisions to review: turns with only one choice{judged}"

    # -- the parts -----------------------------------------------------------------------------------------------------

    def lines_of(self, seat: int, by_cost: bool = True) -> list[ReviewLine]:
        """Returns the decisions of a seat, the dearest as printed first, or in their order."""
        own = [line for line in self.lines if line.decision.seat == seat]
        return sorted(own, key=lambda line: (-line.lost, -line.loss)) if by_cost else own

    def mistakes_of(self, seat: int) -> tuple[int, int]:
        """Returns for how many decisions of a seat something better was found by what it knew, and how many it made."""
        own = self.lines_of(seat)
        return sum(bool(line.better) for line in own), len(own)

    def point(self, line: ReviewLine) -> DecisionPoint:
        """Returns the decision of a line, with what its seat knew."""
        return self._points[line.decision.step, line.decision.seat]

    def words(self, line: ReviewLine, rated: RatedChoice, beside: Plain) -> str:
        """Returns a choice at a line's decision in words, as far as it differs from another one."""
        return self._words(line.decision, rated.choice, beside)

    def advice(self, line: ReviewLine) -> str:
        """Returns the better choice as advice to the player who decided, and why, in sentences; empty if nothing was
        better.
        """
        if not line.better:
            return ""
        state, seat = self.point(line).observation.state, line.decision.seat
        ask = state.ask()
        assert not isinstance(ask, Result)
        return self._signed(self._game.advise(state, ask, seat, line.decision.known.best.choice, self.names))

    def better(self, line: ReviewLine, advice: str = "") -> str:
        """Returns the better choice, or the sentences of the `advice` if given, with the chance that it would have kept
        by what was known then.
        """
        if not line.better:
            return NONE_FOUND
        more = f"{gain(line.lost)}{self._then}"
        # Advice has a colon of its own.
        return f"{more}. {advice}" if advice else f"{more}: {line.better}"

    @property
    def _then(self) -> str:
        """What follows a chance that goes by what was known then, where hindsight knows more."""
        return "" if self.open else " at the time"

    def in_hindsight(self, line: ReviewLine) -> str:
        """Returns the choice that was best with everything known, with the chance that it would have kept by that.
        Empty where nothing is hidden: then that is the better choice.
        """
        if self.open:
            return ""
        more = gain(lost_percents(line.decision.true))
        return f"{more} with everything known: {line.in_truth}" if line.in_truth else NONE_FOUND

    def _line(self, one: ReviewedDecision) -> ReviewLine:
        made, best, true = one.known.chosen.choice, one.known.best.choice, one.true.best.choice
        better = self._words(one, best, made) if one.mistake else ""
        in_truth = self._words(one, true, made) if one.true.lost_chance > LEAST else ""
        chosen, replaced = self._words(one, made, made), self._words(one, made, best)
        return ReviewLine(one, self._chapter(one.step), chosen, replaced, better, in_truth)

    def _words(self, one: ReviewedDecision, choice: Plain, beside: Plain) -> str:
        """Returns a choice in words, as far as it differs from the one `beside` it."""
        state = self._points[one.step, one.seat].observation.state
        if self._aloud:
            return self._game.choice_aloud(state, one.seat, choice, beside, self.names)
        return self._signed(self._game.choice_words(state, one.seat, choice, beside))

    def _signed(self, text: str) -> str:
        """Returns a text with the signs of the board, unless nobody sees the board."""
        return text if self._aloud else self._game.in_signs(text)

    def _position(self, step: int) -> int:
        """Returns the first position that shows what came of a step."""
        steps = self.timeline.steps
        return min(bisect_left(steps, step), len(steps) - 1) + 1

    def _chapter(self, step: int) -> int:
        number = self._game.chapter_number(self._truths[step])
        return self._chapters[self._position(step) - 1] if number is None else number

    def _numbered(self) -> list[int]:
        """Returns for each position after the start the number of its chapter, or its own where a game has none. What
        precedes the first chapter is part of it.
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
        by_chapter: dict[int, ChapterChance] = {}
        for point in self.review.chances:
            chapter = self._chapter(point.step)
            first = by_chapter[chapter].step if chapter in by_chapter else point.step
            by_chapter[chapter] = ChapterChance(chapter, first, point.chances)
        return tuple(by_chapter.values())

    def _turn(self) -> tuple[TurnLine | None, Drift | None]:
        """Returns the turning point, and a larger change that nothing explains."""
        result = self.audited.result
        if result is None or len(result.winners) != 1:
            return None, None
        points, draws = self.review.chances, luck_in(self.audited.story)
        drift = self._unexplained(result.winners[0], draws)
        least = 0.0 if drift is None else LEAST_SHARE * drift.lasting
        for swing in swings([one.chances for one in self.chances], result.winners[0]):
            if swing.lasting < least:
                break
            before, here = self.chances[swing.at - 1 : swing.at + 1]
            through = [at for at, point in enumerate(points) if self._chapter(point.step) == here.chapter]
            span = points[through[0] - 1 : through[-1] + 1]
            cause = cause_of(swing, span, self.review.decisions, draws)
            if cause is not None:
                turn = TurnLine(here.chapter, swing, cause, before.chances, here.chances)
                return turn, drift if drift is not None and drift.lasting > swing.lasting else None
        return None, drift

    def _unexplained(self, winner: int, draws: frozenset[int]) -> Drift | None:
        """Returns the winner's largest lasting rise in a few months, rounds or moves without a mistake: where nothing
        is hidden and nothing was drawn there, its cause lies further back than the judge looked ahead.
        """
        if not self.open:
            return None
        own = [one.chances[winner] for one in self.chances]
        wrong = {self._chapter(one.step) for one in self.review.decisions if one.mistake}
        last = {self._chapter(point.step): point.step for point in self.review.chances}
        drifts: list[Drift] = []
        for since, start in enumerate(self.chances):
            for at, end in enumerate(self.chances[since + 1 : since + 1 + LONGEST], since + 1):
                drawn = any(last[start.chapter] < step < last[end.chapter] for step in draws)
                if drawn or end.chapter in wrong:
                    break
                drifts.append(Drift(since, at, min(own[at:]) - own[since]))
        most = max((drift.lasting for drift in drifts), default=0.0)
        large = (drift for drift in drifts if drift.lasting >= MOST_OF * most)
        return min(large, key=lambda drift: (drift.at - drift.since, -drift.lasting)) if most >= FOREGONE else None

    @property
    def open(self) -> bool:
        """Returns whether nothing is hidden in the game: then hindsight knows no more."""
        return not self._game.hides

    def because(self, cause: Cause, whose: int) -> str:
        """Returns what turned the game, in sentences. Chances are those of `whose`, with hindsight, as on the curve."""
        if cause.decision is None:
            draws = {step for step in luck_in(self.audited.story) if cause.since < step < cause.step}
            events = [at for at, step in enumerate(self.timeline.steps, 1) if step in draws]
            sentences = [sentence for at in events for sentence in self.timeline.sentences(at)]
            return f"Luck: {self._signed(' '.join(sentences[:MOST_LUCK]))}" if sentences else "This was luck."
        line = next(line for line in self.lines if line.decision == cause.decision)
        made = f"{self.names[line.decision.seat]}: {line.chosen}."
        # The change from the chance before need not be the cost: what others chose meanwhile counts as well.
        kept = f"{in_percents(cause.decision.true.best.chances)[whose]}%"
        match cause.kind:
            case CauseKind.MISTAKE if self.open:
                return (
                    f"{made} That was a mistake: the better choice would have left {self.names[whose]} at {kept}. "
                    f"Better: {line.better}."
                )
            case CauseKind.MISTAKE:
                # The curve knows everything: a loss judged otherwise can be larger than the chance there.
                known, seat = line.decision.known, line.decision.seat
                had, left = percent(known.best.chances[seat]), percent(known.chosen.chances[seat])
                lost = f"it left a {left}% chance to win, not {had}%" if line.lost else "it cost less than 1%"
                return (
                    f"{made} That was a mistake: given what {self.names[seat]} knew then, {lost}. "
                    f"Better: {line.better}."
                )
            case CauseKind.HINDSIGHT:
                return (
                    f"{made} With everything known, the best choice would have left {self.names[whose]} at {kept}: "
                    f"{line.in_truth}."
                )
        raise AssertionError("only a mistake, hindsight or luck turns a game")

    # -- in words ------------------------------------------------------------------------------------------------------

    def where(self, chapter: int, kind: str) -> str:
        """Says in which month, round or move something was decided, and what: "Month 5, adjustment"."""
        what = f", {self.decided(kind)}" if kind not in ("", self.chapter_unit) else ""
        return f"{self.chapter_unit.capitalize()} {chapter}{what}"

    def decided(self, kind: str) -> str:
        """Returns what the game calls a kind of decision."""
        return self._game.decided(kind)

    def turning_point(self, whose: int = 0) -> str:
        """Returns the turning point in sentences; empty if there is none. Of two players, the chance is that of
        `whose`.
        """
        sentences = []
        if (turn := self.turn) is not None:
            seat = whose if len(self.names) == 2 else turn.swing.seat
            went = f"{_percents(turn.before, turn.after, seat)} for {self.names[seat]}"
            went += "" if self.open else ", with hindsight"
            kind = turn.cause.decision.kind if turn.cause.decision is not None else ""
            sentences.append(f"{self.where(turn.chapter, kind)}: {went}. {self.because(turn.cause, seat)}")
        if (drift := self._drift) is not None:
            sentences.append(self._drifted(drift, whose, more=bool(sentences)))
        return " ".join(sentences)

    def _drifted(self, drift: Drift, whose: int, *, more: bool) -> str:
        """Returns a change that nothing explains, in a sentence. `more` says that it follows the turning point."""
        before, first, here = (self.chances[at] for at in (drift.since, drift.since + 1, drift.at))
        went = _percents(before.chances, here.chances, whose)
        if first is here:
            where = f"{'even more' if more else 'most'} in {self.chapter_unit} {here.chapter}"
            return (
                f"{self.names[whose]}’s chances changed {where} ({went}), but nobody had a better choice there: "
                "the game was decided earlier, when the judge could not yet see it."
            )
        rose = "rose" if here.chances[whose] > before.chances[whose] else "fell"
        unit = self.chapter_unit
        return (
            f"{self.names[whose]}’s chances {rose} from {went} in {unit}s {first.chapter} to {here.chapter}; "
            "nobody had a clearly better choice there."
        )

    def sentence(self, line: ReviewLine) -> str:
        """Returns a decision in a sentence."""
        where = self.where(line.chapter, line.decision.kind)
        chose = f"{self.names[line.decision.seat]}: {line.chosen}."
        if not line.better:
            return f"{where}. {chose} Nothing was clearly better."
        return f"{where}. {chose} It cost {line.cost}{self._then}. Better: {line.better}."

    @property
    def sentences(self) -> list[str]:
        """The whole review in sentences: accuracy, turning point, chances, and what cost most."""
        if not self.lines:
            return [self.none_judged]
        sentences = []
        for seat, name in enumerate(self.names):
            if (accuracy := self.review.accuracy[seat]) is None:
                continue
            mistakes, every = self.mistakes_of(seat)
            made = count_of(mistakes, "mistake") if mistakes else "no mistakes"
            sentences.append(f"{name}: accuracy {accuracy_text(accuracy)}, {made} in {count_of(every, 'decision')}.")
        if turned := self.turning_point():
            sentences.append(f"The turning point. {turned}")
        # Of two players, the other one has the rest.
        for seat in range(len(self.names) if len(self.names) > 2 else 1) if self.chances else ():
            chances = ", ".join(str(one.percents[seat]) for one in self.chances)
            sentences.append(
                f"{self.names[seat]}’s chance to win after each {self.chapter_unit}, as a percentage: {chances}."
            )
        sentences += [self.unjudged] if self.unjudged else []
        for seat, name in enumerate(self.names):
            dear = [line for line in self.lines_of(seat) if line.better]
            if len(dear) > DEAREST:
                sentences.append(f"{name}: the {DEAREST} most costly of {len(dear)} mistakes.")
            sentences += [self.sentence(line) for line in dear[:DEAREST]]
        return sentences

    # -- for programs --------------------------------------------------------------------------------------------------

    def as_plain(self) -> dict[str, Any]:
        """Returns the review as data for a program. Seats and steps count from 0, as in `kimberley replay --json`."""
        return {
            "game": self.audited.record.table.roster.game,
            "names": list(self.names),
            "unit": self.review.unit,
            "chapter_unit": self.chapter_unit,
            "decisions": [self._decision_as_plain(line) for line in self.lines],
            "accuracy": [None if accuracy is None else round(accuracy, 1) for accuracy in self.review.accuracy],
            "chances": [
                {
                    "step": one.step,
                    "chapter": self._chapter(one.step),
                    "chances": [round(chance, 4) for chance in one.chances],
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
            "step": turn.cause.step,
            "chapter": turn.chapter,
            "before": round(turn.before[turn.swing.seat], 4),
            "after": round(turn.after[turn.swing.seat], 4),
            "sentence": self.turning_point(),
        }


def lost_percents(judged: Assessment) -> int:
    """Returns the chance that a choice cost, in percent: the difference between the chances as they are printed."""
    return max(0, percent(judged.best.chances[judged.seat]) - percent(judged.chosen.chances[judged.seat]))


def cost(lost: int) -> str:
    """Returns the chance that a mistake lost, in percent: "8%"."""
    return f"{lost}%" if lost else "<1%"


def gain(lost: int) -> str:
    """Returns the same as the advantage of the better choice: "+8%"."""
    return f"{'+' * bool(lost)}{cost(lost)}"


def percent(chance: float) -> int:
    """Returns a chance after a choice as a whole percentage."""
    return round(100 * chance)


def accuracy_text(accuracy: float | None) -> str:
    """Returns an accuracy as a percentage, 100 only if there was no mistake; a dash for a seat that decided nothing."""
    return "–" if accuracy is None else f"{round(accuracy) if accuracy == 100 else min(99, round(accuracy))}%"


def in_percents(chances: Sequence[float]) -> tuple[int, ...]:
    """Returns the chances of all seats as whole percentages. These add up to 100: what rounding down leaves is given to
    those that lost most by it.
    """
    exact = [100 * chance for chance in chances]
    percents = list(map(int, exact))
    by_loss = sorted(range(len(exact)), key=lambda seat: percents[seat] - exact[seat])
    for seat in by_loss[: round(sum(exact)) - sum(percents)]:
        percents[seat] += 1
    return tuple(percents)


def _percents(before: Sequence[float], after: Sequence[float], seat: int) -> str:
    return f"{in_percents(before)[seat]}% to {in_percents(after)[seat]}%"


def options(one: ReviewedDecision) -> list[RatedChoice]:
    """Returns the choices that were compared by what the seat knew, the best first, each once."""
    known = one.known
    different = {rated.choice: rated for rated in (*known.others, known.best, known.chosen)}
    return sorted(different.values(), key=lambda rated: -rated.worth)
