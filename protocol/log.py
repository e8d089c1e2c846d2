"""The bodies of a game by stage, and the re-execution of seats from their published seeds and choices (SPEC.md,
"Audit").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kimberley.games.table import Answer, Ask, Game, Leave, Plain, Result, state_after
from kimberley.protocol.asks import MACHINES
from kimberley.protocol.crypto.group import RISTRETTO, Group
from kimberley.protocol.encoding import pack
from kimberley.protocol.play import NotAllowed, Play
from kimberley.protocol.roster import SignedRoster


@dataclass(frozen=True)
class StageLog:
    """The bodies that were signed in one stage, by seat, and the leave bodies of seats that left in it.

    Only the last stage of a log can be incomplete.
    """

    step: int
    stage: int
    bodies: Mapping[int, Plain]
    left: Mapping[int, Plain] = field(default_factory=dict)

    def lacks(self, owing: tuple[int, ...]) -> bool:
        """Whether a body that these seats owe is missing."""
        return any(seat not in self.bodies and seat not in self.left for seat in owing)


@dataclass(frozen=True, order=True)
class Deviation:
    """The first thing that a seat signed although it should not have."""

    step: int
    stage: int
    seat: int
    reason: str

    def __str__(self) -> str:
        return f"seat {self.seat + 1}, step {self.step}, stage {self.stage}: {self.reason}"


def reexecute(
    game: Game,
    table: SignedRoster,
    log: Sequence[StageLog],
    seat: int,
    seed: bytes,
    choices: Sequence[Plain],
    group: Group = RISTRETTO,
) -> Deviation | None:
    """Runs a seat again from its seed and choices against the log, whose bodies passed all public checks.

    Returns its first deviation, or None if every byte is what an honest seat signs.

    Args:
        game: The game that the roster names.
        table: The signed roster.
        log: The stages of the game, in order.
        seat: The seat to judge.
        seed: The seed that the seat published, 32 bytes.
        choices: The choices that the seat published, in order.
        group: The group of all commitments and proofs.

    """
    play = Play(game, table, seat, seed, group)
    left = list(choices)
    for entry in log:

        def deviation(reason: str, entry: StageLog = entry) -> Deviation:
            return Deviation(entry.step, entry.stage, seat, f"{reason} ({play.topic})")

        given = entry.bodies.get(seat)
        if seat in entry.bodies:
            if play.wants is not None:
                if not left:
                    return deviation("it showed no choice for this step at the audit")
                try:
                    play.choose(left.pop(0))
                except NotAllowed as error:
                    return deviation(f"it chose what it had no right to: {error}")
            due = play.body()
            if pack(given) != pack(due):
                return deviation(play.explain(given, due))
        if seat in entry.left:
            if pack(entry.left[seat]) != pack(play.leave_body()):
                return deviation("what it left behind is not what its seed gives")
            break
        if entry.lacks(play.owing):
            break
        play.complete(entry.bodies, entry.left)
    if left:
        step, stage = (log[-1].step, log[-1].stage) if log else (0, 0)
        return Deviation(step, stage, seat, "it showed more choices at the audit than the game asked for")
    return None


def true_story(
    game: Game,
    table: SignedRoster,
    log: Sequence[StageLog],
    shown: Mapping[int, tuple[bytes, tuple[Plain, ...]]],
    group: Group = RISTRETTO,
) -> tuple[tuple[Ask, Answer], ...]:
    """The story with everything known: every seat's part of each answer, as re-execution gives it.

    The seats' choices must have passed the audit, and every seat that did not leave must have shown its own. If no seat
    has shown its choices, there is no story. The asks come from the state with nothing hidden.
    """
    if not shown:
        return ()
    plays = [Play(game, table, seat, seed, group) for seat, (seed, _) in sorted(shown.items())]
    left = [list(choices) for _, (_, choices) in sorted(shown.items())]
    state = plays[0].public
    story: list[tuple[Ask, Answer]] = []
    for entry in log:
        if entry.lacks(plays[0].owing):
            break
        for play, choices in zip(plays, left, strict=True):
            if play.wants is not None and play.seat in entry.bodies:
                play.choose(choices.pop(0))
        for parts in zip(*(play.complete(entry.bodies, entry.left) for play in plays), strict=True):
            ask = parts[0][0]
            answer: Answer = None
            if not isinstance(ask, Leave):
                due = state.ask()
                assert not isinstance(due, Result)
                ask = due
                answer = MACHINES[type(ask)].true_answer([part[1] for part in parts], [play.crypto for play in plays])
            story.append((ask, answer))
            state = state_after(state, ask, answer)
    return tuple(story)
