"""The bodies of a game by stage, and the re-execution of seats from their published seeds and choices (SPEC.md,
"Audit and verdicts").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from kimberley.games.table import Answer, Ask, Game, Leave, Plain, Result, state_after
from kimberley.protocol.asks import MACHINES
from kimberley.protocol.crypto import backend
from kimberley.protocol.crypto.group import Group
from kimberley.protocol.crypto.ristretto import RISTRETTO
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
        """Returns whether a body that these seats owe is missing."""
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


@dataclass(frozen=True, slots=True)
class Reexecution:
    """A seat that was run again: its first deviation, or None, and its Play, which has seen what that seat saw."""

    play: Play
    deviation: Deviation | None


class Reexecutions:
    """What came of running the seats of a game again. Each seat is run once."""

    def __init__(self) -> None:
        self._known: dict[int, Reexecution] = {}

    def of(self, seat: int, run: Callable[[], Reexecution]) -> Reexecution:
        """Runs a seat again by `run`, and returns what came of it."""
        known = self._known.get(seat)
        if known is None:
            known = self._known[seat] = run()
        return known


def reexecute(
    game: Game,
    table: SignedRoster,
    log: Sequence[StageLog],
    seat: int,
    seed: bytes,
    choices: Sequence[Plain],
    group: Group = RISTRETTO,
) -> Reexecution:
    """Runs a seat again from its seed and choices against the log, whose bodies passed all public checks, up to its
    first deviation. There is none if every byte is what an honest seat signs.

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
        backend.pulse()
        if reason := _deviation(play, entry, left):
            return Reexecution(play, Deviation(entry.step, entry.stage, seat, f"{reason} ({play.topic})"))
        if entry.lacks(play.owing):
            break
        play.complete(entry.bodies, entry.left)
    if left:
        step, stage = (log[-1].step, log[-1].stage) if log else (0, 0)
        return Reexecution(
            play, Deviation(step, stage, seat, "they showed more choices at the audit than the game asked for")
        )
    return Reexecution(play, None)


def _deviation(play: Play, entry: StageLog, choices: list[Plain]) -> str | None:
    """Returns why the body that a seat signed in this stage is not the one that it had to sign. Takes its choice from
    `choices`.
    """
    assert play.seat is not None
    if play.seat in entry.bodies:
        if play.wants is not None:
            if not choices:
                return "they showed no choice for this step at the audit"
            try:
                play.choose(choices.pop(0))
            except NotAllowed as error:
                return f"they made a choice they had no right to make: {error}"
        given, due = entry.bodies[play.seat], play.body()
        if pack(given) != pack(due):
            return play.explain(given, due)
    if play.seat in entry.left and pack(entry.left[play.seat]) != pack(play.leave_body()):
        return "what they left behind is not what their seed gives"
    return None


def full_story(plays: Sequence[Play]) -> tuple[tuple[Ask, Answer], ...]:
    """Returns the story with everything known: of each answer the parts that any of these seats saw. The asks come from
    the state with nothing hidden.

    The seats have been run again to the end of the log, without a deviation. Parts of items stay hidden if a seat has
    not published its bag key.
    """
    state = plays[0].start
    story: list[tuple[Ask, Answer]] = []
    contexts = [play.crypto for play in plays]
    for parts in zip(*(play.story for play in plays), strict=True):
        backend.pulse()
        ask = parts[0][0]
        answer: Answer = None
        if not isinstance(ask, Leave):
            due = state.ask()
            assert not isinstance(due, Result)
            ask = due
            answer = MACHINES[type(ask)].true_answer([part[1] for part in parts], contexts)
        story.append((ask, answer))
        state = state_after(state, ask, answer)
    return tuple(story)
