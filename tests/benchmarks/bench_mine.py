"""What games of Diamond Mine cost: group operations and bytes by kind of step.

.venv/bin/python -m tests.benchmarks.bench_mine
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar, cast

from kimberley.games.mine import GAME
from kimberley.games.mine.rules import State
from kimberley.games.table import Ask
from kimberley.protocol.crypto import signatures
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.peer import Peer
from tests.benchmarks.common import report
from tests.lab.counting_group import CountingGroup
from tests.support.tables import Wire, by_bots, identity, peer_of, seed, signed_roster

P = ParamSpec("P")
T = TypeVar("T")


class CountedByStep(CountingGroup):
    """Counts the operations of one peer by what the step is about."""

    def __init__(self) -> None:
        super().__init__()
        self.peer: Peer | None = None
        self.by_step: dict[str, Counter[str]] = defaultdict(Counter)

    def counted(self, name: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        if self.peer is not None and hasattr(self.peer, "play"):
            topic = self.peer.play.topic if self.peer.closing is None else "the close and the audit"
            self.by_step[topic][name] += 1
        return super().counted(name, work, *args, **kwargs)


def counted(seats: int) -> dict[str, object]:
    """Plays one whole game between peers. Returns what it sends, and what one seat computes, including the audit of all
    seats.
    """
    table = signed_roster(GAME, seats, "count")
    group = CountedByStep()
    first = Peer(GAME, table, 0, seed(0, "count"), partial(signatures.sign, identity(0)), group)
    group.peer = first
    wire = Wire([first, *(peer_of(GAME, table, seat, "count") for seat in range(1, seats))], by_bots(GAME, seats, 1, 5))
    wire.start()
    wire.run()
    steps = Counter(named(ask) for ask, _ in first.story)
    size: Counter[str] = Counter()
    names = {step: named(ask) for step, (ask, _) in enumerate(first.story, 1)}
    for _, data in wire.sent:
        size[names.get(Envelope.unpack(data).step, "other")] += len(data)
    return {
        "rounds": cast(State, first.state).round,
        "envelopes": len(wire.sent),
        "bytes": sum(len(data) for _, data in wire.sent),
        "steps": dict(steps),
        "bytes_a_step": {name: round(size[name] / count) for name, count in steps.items()},
        "operations_a_step": {
            topic: {name: round(count / steps.get(topic, 1), 1) for name, count in counts.items()}
            for topic, counts in group.by_step.items()
        },
    }


def named(ask: Ask) -> str:
    return getattr(ask, "topic", type(ask).__name__.lower())


if __name__ == "__main__":
    report({f"a game of {seats}": counted(seats) for seats in GAME.seats})
