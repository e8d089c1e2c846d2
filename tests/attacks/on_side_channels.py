"""Attempts to find out from the wire what a seat of Diamond Trust was told, whether it bribes, and what it peeked at.

    .venv/bin/python -m tests.attacks.on_side_channels --games 500 --seed 1            # lengths and counts
    .venv/bin/python -m tests.attacks.on_side_channels --games 500 --seed 1 --times    # times: on a quiet machine
    .venv/bin/python -m tests.attacks.on_side_channels --games 100 --planted           # does it find planted leaks?

Whole games are played over real sockets between two tables, whose choices are drawn so that each secret is true about
half of the time. A proxy between them has what an eavesdropper has: the lengths and times of TLS records. Next to that
is what the peer has: each frame's kind, length and time. Every phase is compared by itself, with a secret true and not
true, and only among moments that are the same in all that everybody knows (`Moment.public`). Every comparison gets one
moment of each game, drawn at random, because moments of one game are not independent. The test is van Elteren's:
Wilcoxon's rank sum within each class of equal moments, and the classes summed (E. L. Lehmann, Nonparametrics, 1975,
section 3.3). Times are also compared within each game, with all of its moments (`_within_games`). All p-values of a run
are corrected together by Holm's method. Prints JSON, and ends with 1 if any of them stays below 0.01.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias, cast
from unittest.mock import patch

import numpy as np
from scipy import stats

from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import Orders
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import NOTHING, Amounts, Disclose, Plain, Seal, Tally, Tell
from kimberley.p2p.base.platform import set_platform
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.channel import FrameProtocol
from kimberley.p2p.transport.frames import Frame, encode
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.events import Answered
from tests.attacks.attack import Attack, Outcome
from tests.support.asyncs import run
from tests.support.seated import LOOPBACK, Pair
from tests.support.seeded import SEED_VARIABLE, SeededPlatform

LIMIT: Final = 0.01
"""A p-value below it, after Holm's correction, is a leak."""
GAME_SECONDS: Final = 600.0
"""How long a game may take, on a machine that is busy with other work. One that does nothing else needs one second."""
LEAST_GAMES: Final = 10
"""The fewest games in which a secret is both true and not true that are compared within games."""
AT_ONCE: Final = 2
MOST: Final = 3
"""The most that is paid or offered at once, so that money is never what decides."""
SALARY: Final = (1, 4)
"""The least and the most that is paid to an agent at home: so much that half of the bribes are too small."""
PLANTED_SECONDS: Final = 0.001
PLANTED_BYTES: Final = 1
RECORD_HEADER: Final = 5
"""Bytes of type, version and length before each TLS record (RFC 8446, section 5.1)."""
APPLICATION_DATA: Final = 23
RECORD_OVERHEAD: Final = 17
"""Bytes that TLS 1.3 adds to the content of a record: its type and the tag of AES-GCM or ChaCha20-Poly1305."""
TOLD: Final = {
    RoundStep.PAY_TOLD: "told of payments",
    RoundStep.PLAN_TOLD: "told of the plan",
    RoundStep.SALE_TOLD: "told of the sale",
}
SECRETS: Final = (*TOLD.values(), "briber", "peek used")
"""`briber`: paid a bribe in this month. `peek used`: was told of a plan or sale, and changed its own."""
LENGTHS: Final = ("frames", "bytes", "largest frame", "records", "record bytes", "largest record")
TIMES: Final = ("first frame", "last frame", "first record", "last record")


@dataclass(frozen=True, slots=True)
class Sent:
    """A frame that a seat has sent: when (monotonic, in seconds), its kind, its step if it is an envelope that was not
    sent before, its bytes on the wire, and how many of these its public numbers take.
    """

    at: float
    seat: int
    kind: str
    step: int
    size: int
    numbers: int


@dataclass(frozen=True, slots=True)
class Moment:
    """What one seat sent in one step. `secrets` are true or not; those that cannot be known yet are absent.

    `public` is all that everybody knows and that may change the lengths of what is sent, `work` what may change the
    time that it takes. `measured` has the `LENGTHS` and `TIMES`.
    """

    phase: str
    public: tuple[Any, ...]
    work: tuple[Any, ...]
    secrets: Mapping[str, bool]
    measured: Mapping[str, float]


class Tap:
    """Observes what both seats send, before and after encryption, in this process."""

    def __init__(self) -> None:
        self.port = 0
        self.frames: list[Sent] = []
        self.records: tuple[list[tuple[float, int]], list[tuple[float, int]]] = ([], [])
        """By seat: when each TLS record with content came, and its bytes."""
        self._seen: set[bytes] = set()

    def hear(self, channel: FrameProtocol, frame: Frame) -> None:
        """Notes a frame that is sent now."""
        seat = 0 if channel.transport.get_extra_info("sockname")[1] == self.port else 1
        step, numbers = -1, 0
        match frame:
            case ("envelope", bytes() as packed):
                envelope = Envelope.unpack(packed)
                numbers = len(pack(envelope.step)) + len(pack(envelope.number))
                # What is sent again (section 10 of SPEC.md) depends on when heartbeats cross, and belongs to no step.
                step = -1 if packed in self._seen else envelope.step
                self._seen.add(packed)
        self.frames.append(Sent(time.monotonic(), seat, str(frame[0]), step, len(encode(frame)), numbers))

    def follow(self, seat: int) -> Callable[[bytes], None]:
        """Returns the function to call with each encrypted piece of what a seat sends."""
        waiting = bytearray()

        def feed(data: bytes) -> None:
            waiting.extend(data)
            while len(waiting) >= RECORD_HEADER:
                size = int.from_bytes(waiting[3:5], "big")
                if len(waiting) < RECORD_HEADER + size:
                    return
                if waiting[0] == APPLICATION_DATA:
                    self.records[seat].append((time.monotonic(), size))
                del waiting[: RECORD_HEADER + size]

        return feed


class Wire:
    """A proxy before a port, at which a tap listens."""

    def __init__(self, target: int, tap: Tap) -> None:
        self._target, self._tap = target, tap
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> int:
        self._server = await asyncio.start_server(self._between, LOOPBACK, 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _between(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onward, back = await asyncio.open_connection(LOOPBACK, self._target)
        for source, target, seat in ((reader, back, 1), (onward, writer, 0)):
            task = asyncio.create_task(self._copy(source, target, self._tap.follow(seat)))
            self._tasks.add(task)

    @staticmethod
    async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter, feed: Callable[[bytes], None]) -> None:
        try:
            while data := await source.read(1 << 16):
                feed(data)
                target.write(data)
        except OSError:
            pass
        finally:
            target.close()


class Player:
    """One seat, whose choices are drawn; it chooses at once, and remembers its secrets at each step."""

    def __init__(self, table: Table, rng: Random, *, delays: bool) -> None:
        self.table, self._rng, self._delays = table, rng, delays
        self.steps: dict[int, tuple[str, tuple[Any, ...], tuple[Any, ...], dict[str, bool]]] = {}
        """By step: its phase, `Moment.public`, `Moment.work`, and the seat's secrets when it ended."""
        self._now: dict[str, bool] = {}
        self._chose = self._month = -1
        self._bribes = False
        """Whether the seat bribes in this month."""
        self._plan: Plain = None
        self._other_plan: Plain = None
        self._changes = False
        """Whether the seat changes its plan to the other one if it may."""
        self.done = asyncio.Event()
        """Set when the game has been judged, or has failed."""
        self._before = GAME.start(2, {})
        self._sealed = Counter[Tally]()
        """How often each tally was sealed."""
        self._padded: dict[tuple[Tally, Tally], tuple[int, int]] = {}
        """For each pair of tallies: how often they had been sealed when pads were made for them last."""
        table.subscribe(self._on_event)

    def _on_event(self, event: object) -> None:
        peer = self.table.peer
        if self.table.phase in ("done", "failed"):
            self.done.set()
        if peer is None:
            return
        if isinstance(event, Answered):
            self._note(event)
        if peer.asked is not None and peer.asked.step != self._chose and self.table.phase == "playing":
            self._chose = peer.asked.step
            if self._delays and any(self._now.get(name) for name in TOLD.values()):
                time.sleep(PLANTED_SECONDS)
            self.table.play.choose(self._choice(peer.state))

    def _choice(self, state: object) -> Plain:
        """Moves and payments at random. A plan is changed half of the time where that is allowed."""
        assert isinstance(state, State)
        peer, seat, rng = self.table.peer, self.table.occupants.seat, self._rng
        assert peer is not None
        assert peer.asked is not None
        space = peer.asked.space
        if state.step is RoundStep.PAY:
            slots = state.slots(seat)
            self._bribes = rng.random() < 0.5
            bribe = (1, MOST) if self._bribes else (0, 0)
            left = state.cash(seat)
            assert isinstance(left, int)
            amounts = []
            for slot in slots:
                amounts.append(min(left, rng.randint(*(bribe if slot.bribe else SALARY))))
                left -= amounts[-1]
            return tuple(amounts)
        if state.step in (RoundStep.MOVE, RoundStep.SALE):
            # Nothing is drawn now: it would take longer where there is a choice, and that would be a leak of this test.
            return self._other_plan if state.right[seat] is True and self._changes else self._plan
        self._plan, self._other_plan = _small(space.pick(rng)), _small(space.pick(rng))
        self._changes = rng.random() < 0.5
        return self._plan

    def _note(self, event: Answered) -> None:
        """Notes the step that has ended, with the secrets that the seat had in it."""
        before, after, seat = self._before, event.state, self.table.occupants.seat
        assert isinstance(after, State)
        assert type(before.ask()) is type(event.ask)
        self._before = after
        if before.months_left != self._month:
            self._month, self._now = before.months_left, {}
        match before.step:
            case RoundStep.PAY:
                bribes = [
                    amount
                    for slot, amount in zip(before.slots(seat), event.answer[seat] or (), strict=True)
                    if slot.bribe
                ]
                if bribes:
                    self._now["briber"] = any(bribes)
            case RoundStep.PAY_TOLD | RoundStep.PLAN_TOLD | RoundStep.SALE_TOLD:
                assert isinstance(event.ask, Disclose)
                told = zip(event.ask.tells, event.answer, strict=True)
                own = [payload for tell, payload in told if tell.receiver == seat]
                if own:
                    self._now[TOLD[before.step]] = any(payload is not NOTHING for payload in own)
            case RoundStep.MOVE if before.right[seat] is True:
                self._now["peek used"] = event.answer[seat] != before.plan[seat]
            case RoundStep.SALE if before.right[seat] is True:
                self._now["peek used"] = event.answer[seat] != before.sale_plan[seat]
        public = self._public(before, event)
        work = (*public, before.months_left, before.anyone_met(), before.sale_looks())
        self.steps[event.step] = before.step.value, public, work, dict(self._now)

    def _public(self, before: State, event: Answered) -> tuple[Any, ...]:
        """All that everybody knows of a step and that may change how much the seat sends in it."""
        seat, ask = self.table.occupants.seat, event.ask
        match ask:
            case Disclose():
                return seat, tuple(sorted((tell.owner == seat, self._pads(tell)) for tell in ask.tells))
            case Seal() if before.step is RoundStep.PAY:
                slots = [space.slots if isinstance(space, Amounts) else () for space in ask.spaces]
                for each in slots:
                    self._sealed.update(each)
                return seat, tuple(map(len, slots))
        return (seat,)

    def _pads(self, tell: Tell) -> bool:
        """Whether a tell carries pads: whether one of its tallies was sealed since the last time."""
        pair, count = (tell.more, tell.than), (self._sealed[tell.more], self._sealed[tell.than])
        fresh = self._padded.get(pair) != count
        self._padded[pair] = count
        return fresh


def _small(choice: Plain) -> Plain:
    """A choice whose offers are at most `MOST`."""
    if isinstance(choice, tuple) and choice and isinstance(choice[0], tuple):
        orders = cast(Orders, choice)
        return tuple((to, min(MOST, offer), bribe) for to, offer, bribe in orders)
    return choice


async def _game(seed: int, folder: Path, delays: bool) -> list[Moment]:
    tap = Tap()
    plain_send = FrameProtocol.send

    def send(channel: FrameProtocol, frame: Frame) -> int:
        tap.hear(channel, frame)
        return plain_send(channel, frame)

    with patch.object(FrameProtocol, "send", send):
        pair = Pair(folder, GAME)
        await pair.open(headless=True)
        tap.port = pair.host.port
        wire = Wire(pair.host.port, tap)
        await pair.join(await wire.open(), headless=True)
        players = [
            Player(table, Random(f"{seed} {seat}"), delays=delays) for seat, table in enumerate((pair.host, pair.guest))
        ]
        for player in players:
            await player.done.wait()
        verdict = pair.host.ending.verdict
        assert verdict is not None, pair.host.problem
        assert verdict.code == "fair", verdict
        await pair.close()
        await wire.close()
    return [moment for seat in range(2) for moment in _moments(tap, players[seat], seat)]


def _moments(tap: Tap, player: Player, seat: int) -> list[Moment]:
    """What a seat sent in each step, and what it kept secret there."""
    own = [sent for sent in tap.frames if sent.seat == seat]
    record_of = _records_of(own, tap.records[seat])
    by_step: dict[int, list[int]] = defaultdict(list)
    for index, sent in enumerate(own):
        if sent.step >= 0:
            by_step[sent.step].append(index)
    last_of: dict[int, float] = {}
    for sent in tap.frames:
        if sent.step >= 0:
            last_of[sent.step] = sent.at
    found = []
    for step, (phase, public, work, secrets) in player.steps.items():
        indexes = by_step.get(step)
        if not indexes or step - 1 not in last_of:
            continue
        frames = [own[index] for index in indexes]
        records = [record for index in indexes for record in record_of[index]]
        since = last_of[step - 1]
        measured: dict[str, float] = {
            "frames": len(frames),
            "bytes": sum(sent.size - sent.numbers for sent in frames),
            "largest frame": max(sent.size - sent.numbers for sent in frames),
            "records": len(records),
            "record bytes": sum(size for _, size in records) - sum(sent.numbers for sent in frames),
            "first frame": frames[0].at - since,
            "last frame": frames[-1].at - since,
            "first record": records[0][0] - since,
            "last record": records[-1][0] - since,
        }
        measured["largest record"] = max(
            sum(size for _, size in record_of[index]) - own[index].numbers for index in indexes
        )
        found.append(Moment(phase, public, work, secrets, measured))
    return found


def _records_of(frames: Sequence[Sent], records: Sequence[tuple[float, int]]) -> list[list[tuple[float, int]]]:
    """The TLS records of each frame, in order. Records before the first frame belong to the handshake."""
    found: list[list[tuple[float, int]]] = []
    at = 0
    for sent in frames:
        own: list[tuple[float, int]] = []
        while (content := sum(size - RECORD_OVERHEAD for _, size in own)) != sent.size:
            if content > sent.size:
                del own[0]
                continue
            assert at < len(records), f"no records for a frame of {sent.size} bytes"
            own.append(records[at])
            at += 1
        found.append(own)
    return found


def _played(seed: int, delays: bool) -> list[Moment]:
    """The moments of a game, in a process whose randomness and state belong to this game alone."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update({SEED_VARIABLE: str(seed), "XDG_STATE_HOME": folder})
        set_platform(SeededPlatform("side channels"))
        return run(_game(seed, Path(folder), delays), GAME_SECONDS)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One test: how many moments it has with and without the secret, and its p-value."""

    phase: str
    secret: str
    measure: str
    test: str
    true: int
    false: int
    p: float
    difference: float
    """The mean (within games: the median) with the secret minus that without it, within the classes."""


def compared(games: Sequence[Sequence[Moment]], measures: Sequence[str], seed: int) -> list[Comparison]:
    """Returns all comparisons of some measures."""
    found: list[Comparison] = []
    rng = Random(seed)
    phases = list(dict.fromkeys(moment.phase for game in games for moment in game))
    for phase in phases:
        for secret in SECRETS:
            candidates = [
                [moment for moment in game if moment.phase == phase and secret in moment.secrets] for game in games
            ]
            one_each = [[rng.choice(each)] for each in candidates if each]
            for measure in measures:
                if measure in TIMES:
                    every = _by_class(candidates, secret, lambda moment: moment.work)
                    found += _within_games(phase, secret, measure, every, len(games))
                    classes = _by_class(one_each, secret, lambda moment: moment.work)
                else:
                    classes = _by_class(one_each, secret, lambda moment: moment.public)
                if classes:
                    found.append(_between_games(phase, secret, measure, classes))
    return found


Classes: TypeAlias = Sequence[Sequence[tuple[int, Moment]]]
"""Moments with the number of their game, in classes: those of one class are the same to everybody, and the secret is
true in some of them and not in others.
"""


def _by_class(games: Sequence[Sequence[Moment]], secret: str, class_of: Callable[[Moment], Hashable]) -> Classes:
    classes: dict[Hashable, list[tuple[int, Moment]]] = defaultdict(list)
    for number, game in enumerate(games):
        for moment in game:
            classes[class_of(moment)].append((number, moment))
    return [each for each in classes.values() if len({moment.secrets[secret] for _, moment in each}) == 2]


def _between_games(phase: str, secret: str, measure: str, classes: Classes) -> Comparison:
    """Van Elteren's test of one moment of each game."""
    score = variance = 0.0
    rest: tuple[list[float], list[float]] = ([], [])
    for each in classes:
        values = np.array([moment.measured[measure] for _, moment in each])
        secrets = np.array([moment.secrets[secret] for _, moment in each])
        count, true = len(values), int(secrets.sum())
        ranks = stats.rankdata(values) - (count + 1) / 2
        # Weighted so that classes of all sizes count by what they can tell.
        score += float(ranks[secrets].sum()) / (count + 1)
        variance += true * (count - true) / (count * (count - 1)) * float((ranks**2).sum()) / (count + 1) ** 2
        values = values - np.median(values)
        rest[0].extend(values[~secrets])
        rest[1].extend(values[secrets])
    p = math.erfc(abs(score) / math.sqrt(2 * variance)) if variance else 1.0
    difference = float(np.mean(rest[1]) - np.mean(rest[0]))
    return Comparison(phase, secret, measure, "between games", len(rest[1]), len(rest[0]), p, difference)


def _within_games(phase: str, secret: str, measure: str, classes: Classes, games: int) -> Iterable[Comparison]:
    """Wilcoxon's signed rank test of the games: in each, the mean rank with the secret minus that without it.

    Ranks are of all moments of a class, from -1/2 to 1/2. So what is different from game to game, such as how busy the
    machine is, does not count.
    """
    ranks: tuple[list[list[float]], list[list[float]]] = ([[] for _ in range(games)], [[] for _ in range(games)])
    rest: tuple[list[float], list[float]] = ([], [])
    for each in classes:
        values = np.array([moment.measured[measure] for _, moment in each])
        middle = float(np.median(values))
        ranked = stats.rankdata(values) / (len(values) + 1) - 0.5
        for (game, moment), rank, value in zip(each, ranked, values, strict=True):
            ranks[moment.secrets[secret]][game].append(float(rank))
            rest[moment.secrets[secret]].append(float(value) - middle)
    differences = [
        float(np.mean(true)) - float(np.mean(false)) for false, true in zip(*ranks, strict=True) if false and true
    ]
    if len(differences) < LEAST_GAMES:
        return
    p = float(stats.wilcoxon(differences).pvalue) if any(differences) else 1.0
    difference = float(np.median(rest[1]) - np.median(rest[0]))
    yield Comparison(phase, secret, measure, "within games", len(rest[1]), len(rest[0]), p, difference)


def holm(values: Sequence[float]) -> list[float]:
    """P-values, corrected for their number by Holm's method."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found, largest = [0.0] * len(values), 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - rank) * values[index]))
        found[index] = largest
    return found


def varying(games: Sequence[Sequence[Moment]]) -> tuple[int, int]:
    """Returns how many classes of moments are the same to everybody, and in how many of them lengths or counts
    differ.
    """
    lengths: dict[tuple[object, ...], set[tuple[float, ...]]] = defaultdict(set)
    for moment in (moment for game in games for moment in game):
        lengths[moment.phase, moment.public].add(tuple(moment.measured[name] for name in LENGTHS))
    return len(lengths), sum(len(each) > 1 for each in lengths.values())


def with_planted_bytes(games: Sequence[Sequence[Moment]]) -> list[list[Moment]]:
    """Returns the games as if whoever was told something sent one byte more in each step."""

    def planted(moment: Moment) -> Moment:
        more = PLANTED_BYTES * any(moment.secrets.get(name) for name in TOLD.values())
        measured = {name: value + more * ("bytes" in name) for name, value in moment.measured.items()}
        return replace(moment, measured=measured)

    return [list(map(planted, game)) for game in games]


def play_games(count: int, seed: int, *, delays: bool = False) -> list[list[Moment]]:
    """Returns the moments of so many games."""
    with ProcessPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(_played, range(seed, seed + count), repeat(delays)))


def summary(found: Sequence[Comparison], most: int = 5) -> dict[str, Any]:
    """Returns the smallest p-values, after correction, and what was compared."""
    corrected = holm([each.p for each in found])
    order = sorted(range(len(found)), key=lambda index: (corrected[index], found[index].p))
    return {
        "comparisons": len(found),
        "least_with_and_without": min((min(each.true, each.false) for each in found), default=0),
        "equal_in_every_moment": sum(each.p == 1.0 and each.difference == 0.0 for each in found),
        "leaks": sum(p < LIMIT for p in corrected),
        "smallest": [
            {
                "phase": found[index].phase, "secret": found[index].secret, "measure": found[index].measure,
                "test": found[index].test, "with": found[index].true, "without": found[index].false,
                "difference": float(f"{found[index].difference:.3g}"), "p": float(f"{found[index].p:.2g}"),
                "p_holm": float(f"{corrected[index]:.2g}"),
            }
            for index in order[:most]
        ],
    }  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares what is on the wire with and without secrets.")
    parser.add_argument("--games", type=int, default=500, metavar="N", help="how many games (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the first game (default: %(default)s)")
    parser.add_argument("--times", action="store_true", help="compare times, not lengths and counts")
    parser.add_argument("--planted", action="store_true", help="plant a leak of 1 byte, or with --times of 1 ms")
    asked = parser.parse_args()
    began = time.monotonic()
    games = play_games(asked.games, asked.seed, delays=asked.planted and asked.times)
    if asked.planted and not asked.times:
        games = with_planted_bytes(games)
    found = summary(compared(games, TIMES if asked.times else LENGTHS, asked.seed), 10)
    what = {"games": asked.games, "seed": asked.seed, "planted": asked.planted, "times": asked.times}
    what |= dict(zip(("classes", "classes_with_several_lengths"), varying(games), strict=True))
    print(json.dumps({**what, "seconds": round(time.monotonic() - began), **found}, indent=1))
    return 1 if found["leaks"] else 0


def _lengths() -> Outcome:
    games = play_games(60, 1)
    found, (classes, several) = summary(compared(games, LENGTHS, 1)), varying(games)
    least = found["smallest"][0]
    return Outcome(
        not found["leaks"] and not several,
        f"lengths differ in {several} of {classes} moments that are the same to everybody; "
        f"{found['comparisons']} comparisons, smallest p = {least['p_holm']}",
    )


ATTACKS = (
    Attack(
        "side-channels",
        "An eavesdropper and a peer compare lengths and counts of what a seat sends with what it keeps secret",
        _lengths,
    ),
)


if __name__ == "__main__":
    sys.exit(main())
