"""`bench`: what the cryptography costs on this machine, with libsodium and with the pure-Python group.

Both groups are ristretto255 and give the same bytes, so the one that games use here prepares the inputs for both.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TextIO

from kimberley.p2p.base.terminal import ChangingLine
from kimberley.protocol.crypto import coin, disclosure, elgamal, ranges, shares, shuffle
from kimberley.protocol.crypto.commitments import pedersen
from kimberley.protocol.crypto.elgamal import BAG, MAILBOX, SeatKey
from kimberley.protocol.crypto.group import Group
from kimberley.protocol.crypto.hashing import Context
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.crypto.windowed import WINDOWED
from tests.lab.counting_group import CountingGroup

SODIUM_NAME: Final = "libsodium"
PURE_NAME: Final = "pure"
SIZES: Final = (10, 30, 52, 120)
PURE_SIZES: Final = (10, 30)
"""Sizes of bags that the pure-Python group handles within seconds."""
PARTS: Final = (1, 2)
BITS: Final = 8
SECONDS: Final = 0.1
"""Length of one measurement: it makes as many runs as fit, and at least one."""

SEED: Final = bytes(range(32))
CONTEXT: Final = Context(game=bytes(32), step=5, stage=1, seat=0)
LABEL: Final = "deck"

Work = Callable[[Group], object]


@dataclass(frozen=True, slots=True)
class Task:
    """Something to measure: its name, and what it does with a group."""

    name: str
    work: Work


@dataclass(frozen=True, slots=True)
class Bag:
    """The tasks for a bag of `items` items with `parts` parts each."""

    items: int
    parts: int
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """How long one run takes, in seconds, and which group operations it needs.

    `counts` is the number of group operations by name, `in_group` the share of the time that is spent in them. Both are
    None if they were not measured.
    """

    median: float
    best: float
    runs: int
    counts: dict[str, int] | None = None
    in_group: float | None = None

    def as_plain(self) -> dict[str, Any]:
        plain: dict[str, Any] = {
            "median_ms": round(self.median * 1000, 4),
            "best_ms": round(self.best * 1000, 4),
            "runs": self.runs,
        }
        if self.in_group is not None:
            plain |= {"counts": self.counts, "in_group": round(self.in_group, 3)}
        return plain


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured with one group.

    The keys of `bags` are (items, parts). `left_out` lists the numbers of items of the bags that were not measured.
    """

    group: str
    operations: dict[str, Figure]
    proofs: dict[str, Figure]
    bags: dict[tuple[int, int], dict[str, Figure]]
    left_out: tuple[int, ...]

    def as_plain(self) -> dict[str, Any]:
        return {
            "group": self.group,
            "operations": {
                name: {"per_second": round(1 / figure.median), **figure.as_plain()}
                for name, figure in self.operations.items()
            },
            "proofs": {name: figure.as_plain() for name, figure in self.proofs.items()},
            "bags": [
                {"items": items, "parts": parts, **{name: figure.as_plain() for name, figure in bag.items()}}
                for (items, parts), bag in self.bags.items()
            ],
            "left_out": list(self.left_out),
        }


def run(
    *,
    as_json: bool,
    full: bool,
    sizes: Sequence[int] = SIZES,
    pure_sizes: Sequence[int] = PURE_SIZES,
    seconds: float = SECONDS,
) -> int:
    """Measures, prints the figures and returns 0. `full` measures all bags with the pure-Python group, too. Where games
    use that one, it is the only one that is measured.
    """
    progress = BenchProgress(sys.stderr)
    slow = [size for size in sizes if full or size in pure_sizes]
    found = []
    if RISTRETTO is not WINDOWED:
        found.append(measure(SODIUM_NAME, RISTRETTO, sizes, sizes, seconds, progress))
    found.append(measure(PURE_NAME, WINDOWED, sizes, slow, seconds, progress))
    progress.end()
    if as_json:
        plain = {"on": machine(), "date": time.strftime("%Y-%m-%d"), "bits": BITS}
        print(json.dumps(plain | {"groups": [figures.as_plain() for figures in found]}, indent=1))
    else:
        print("\n".join(in_columns(found)))
    return 0


def machine() -> dict[str, object]:
    """Describes the machine on which the figures are measured."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {"cores": cores, "machine": platform.machine(), "python": platform.python_version()}


# -- what is measured --------------------------------------------------------------------------------------------------


def operations() -> Iterator[Task]:
    """Yields the group's own operations, on points and scalars of full length."""
    P, Q, s = RISTRETTO.H, RISTRETTO.base(2**200), RISTRETTO.order - 3
    yield Task("multiplication", lambda g: g.mul(s, P))
    yield Task("multiplication of the generator", lambda g: g.base(s))
    yield Task("addition", lambda g: g.add(P, Q))
    yield Task("validation of a point", lambda g: g.is_point(P))
    yield Task("hash to the group", lambda g: g.hash_to_group(b"label"))


def proofs() -> Iterator[Task]:
    """Yields all proofs except those of bags, and the shares of a single part of an item."""
    g0 = RISTRETTO
    R, S = pedersen(g0, 77, 12345), pedersen(g0, 20, 54321)
    proof = ranges.prove(g0, SEED, CONTEXT, "pay", BITS, 77, 12345, 0)
    yield Task("commitment", lambda g: pedersen(g, 77, 12345))
    yield Task(
        f"range proof of {BITS} bits: prove", lambda g: ranges.prove(g, SEED, CONTEXT, "pay", BITS, 77, 12345, 0)
    )
    yield Task(f"range proof of {BITS} bits: verify", lambda g: ranges.verify(g, CONTEXT, "pay", BITS, R, proof))

    offered = disclosure.offer(g0, SEED, CONTEXT, "tell", BITS, R, S, 20, SEED)
    yield Task(
        f"disclosure over {BITS} bits: offer",
        lambda g: disclosure.offer(g, SEED, CONTEXT, "tell", BITS, R, S, 20, SEED),
    )
    yield Task(
        f"disclosure over {BITS} bits: accept",
        lambda g: disclosure.accept(g, CONTEXT, "tell", BITS, R, S, 77, 12345, offered),
    )

    key = coin.CoinKey.derive(g0, SEED, CONTEXT)
    rolled = coin.share(g0, SEED, CONTEXT, key.secret, 0)
    yield Task("share of a roll: make", lambda g: coin.share(g, SEED, CONTEXT, key.secret, 0))
    yield Task("share of a roll: check", lambda g: coin.verify_share(g, CONTEXT, key.public, 0, rolled))

    box = SeatKey.derive(g0, SEED, CONTEXT, MAILBOX)
    mailed = elgamal.remask(g0, box.public, (g0.base(1), R), 9)
    for task in share_tasks([mailed]):
        yield Task(f"one {task.name}", task.work)
    yield Task("one share to one seat: read", lambda g: shares.read_mail(g, box.secret, [mailed]))


def bag(count: int, parts: int) -> Bag:
    """Returns the tasks for a bag of `count` items with `parts` parts: one seat's shuffle, and its shares of
    all parts.
    """
    g0 = RISTRETTO
    key = SeatKey.derive(g0, SEED, CONTEXT, BAG).public
    items = [elgamal.known_item(g0, key, [(place, part) for part in range(parts)]) for place in range(count)]
    moved = shuffle.shuffle(g0, SEED, CONTEXT, LABEL, key, items)
    proof = shuffle.prove(g0, SEED, CONTEXT, LABEL, key, items, moved)
    sent = elgamal.encode_items(moved.items)
    tasks = (
        Task("shuffle", lambda g: shuffle.shuffle(g, SEED, CONTEXT, LABEL, key, items)),
        Task("prove", lambda g: shuffle.prove(g, SEED, CONTEXT, LABEL, key, items, moved)),
        Task("verify", lambda g: shuffle.verify(g, CONTEXT, LABEL, key, items, sent, proof)),
        *share_tasks([pair for item in moved.items for pair in item]),
    )
    return Bag(count, parts, tasks)


def share_tasks(pairs: Sequence[elgamal.Pair]) -> tuple[Task, ...]:
    """Returns one seat's shares of these parts of items under one proof, and another seat's check of them."""
    key, box = (SeatKey.derive(RISTRETTO, SEED, CONTEXT, purpose) for purpose in (BAG, MAILBOX))
    sent = shares.share(RISTRETTO, SEED, CONTEXT, key.secret, pairs)
    mailed = shares.mail(RISTRETTO, SEED, CONTEXT, key.secret, box.public, pairs)
    return (
        Task("share to all: make", lambda g: shares.share(g, SEED, CONTEXT, key.secret, pairs)),
        Task("share to all: check", lambda g: shares.verify_share(g, CONTEXT, key.public, pairs, sent)),
        Task("share to one seat: make", lambda g: shares.mail(g, SEED, CONTEXT, key.secret, box.public, pairs)),
        Task(
            "share to one seat: check", lambda g: shares.verify_mail(g, CONTEXT, key.public, box.public, pairs, mailed)
        ),
    )


# -- how it is measured ------------------------------------------------------------------------------------------------


class BenchProgress:
    """Shows what is being measured: on a terminal in one changing line, elsewhere in a line for each step."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._line = stream, ChangingLine(stream)

    def now(self, text: str) -> None:
        if self._line.here:
            self._line.show(text)
        else:
            print(text, file=self._stream, flush=True)

    def end(self) -> None:
        self._line.end()


def measure(
    name: str, group: Group, sizes: Sequence[int], measured: Sequence[int], seconds: float, progress: BenchProgress
) -> Figures:
    """Measures everything with one group. Of the `sizes` of bags, it measures only those in `measured`."""

    def figures(tasks: Iterator[Task] | Sequence[Task]) -> dict[str, Figure]:
        return {task.name: figure(task.work, group, seconds) for task in tasks}

    progress.now(f"{name}: group operations")
    own = figures(operations())
    progress.now(f"{name}: proofs")
    others = figures(proofs())
    bags: dict[tuple[int, int], dict[str, Figure]] = {}
    for size in measured:
        for parts in PARTS:
            progress.now(f"{name}: {size} items of {parts} part{'s'[: parts - 1]}")
            bags[size, parts] = figures(bag(size, parts).tasks)
    return Figures(name, own, others, bags, tuple(size for size in sizes if size not in measured))


def figure(work: Work, group: Group, seconds: float) -> Figure:
    """Measures what one run takes.

    The operations are counted in other runs, because counting itself takes time. They are counted only with the group
    that games use, because the other one uses the same ones.
    """
    times = timed(lambda: work(group), seconds)
    # In the first run the caches may be cold.
    warm = times[1:] or times
    if group is not RISTRETTO:
        return Figure(statistics.median(warm), min(warm), len(warm))
    counted = CountingGroup()
    work(counted)
    counted.reset()
    watched = timed(lambda: work(counted), seconds / 4)  # Enough: the share varies less than the time itself.
    counts = {name: count // len(watched) for name, count in sorted(counted.counts.items())}
    return Figure(statistics.median(warm), min(warm), len(warm), counts, counted.seconds / sum(watched))


def timed(work: Callable[[], object], seconds: float) -> list[float]:
    """Runs `work` again and again for `seconds`, at least once. Returns the duration of each run, in seconds."""
    times = list[float]()
    end = time.perf_counter() + seconds
    while not times or time.perf_counter() < end:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return times


# -- how it is shown ---------------------------------------------------------------------------------------------------

COLUMNS: Final = (
    ("shuffle", "shuffle"),
    ("prove", "prove"),
    ("verify", "verify"),
    ("share to all: make", "share"),
    ("share to all: check", "check"),
    ("share to one seat: make", "mail"),
    ("share to one seat: check", "check"),
)
GROUPS: Final = {SODIUM_NAME: "libsodium", PURE_NAME: "pure Python"}


def in_columns(found: Sequence[Figures]) -> list[str]:
    """Returns tables of at most 80 columns: first with a column for each group, then one of bags for each group."""
    on = machine()
    cores = f"{on['cores']} core{'s' * (on['cores'] != 1)}"
    lines = [f"{on['machine']}, {cores}, Python {on['python']}; ristretto255, one thread", ""]
    heads = "".join(f"{GROUPS[figures.group]:>20}" for figures in found)
    lines.append(f"{'Group operations per second':40}{heads}")
    for name in found[0].operations:
        lines.append(f"  {name:38}" + "".join(f"{1 / figures.operations[name].median:20,.0f}" for figures in found))
    lines += ["", f"{'Proofs, ms':40}{heads}"]
    for name in found[0].proofs:
        lines.append(f"  {name:38}" + "".join(f"{1000 * figures.proofs[name].median:20.3f}" for figures in found))
    for figures in found:
        lines += ["", *_bags_in_columns(figures)]
    return lines


def _bags_in_columns(figures: Figures) -> list[str]:
    lines = [
        f"Bags, ms: {GROUPS[figures.group]}",
        f"{'items':>7}{'parts':>6}" + "".join(f"{head:>9}" for _, head in COLUMNS),
    ]
    for (items, parts), bag in figures.bags.items():
        cells = (1000 * bag[name].median for name, _ in COLUMNS)
        lines.append(
            f"{items:7}{parts:6}" + "".join(f"{cell:9.2f}" if cell < 1000 else f"{cell:9.0f}" for cell in cells)
        )
    verified = [bag["verify"].in_group for bag in figures.bags.values()]
    spent = [share for share in verified if share is not None]
    if spent:
        lines.append(f"  {min(spent):.0%} to {max(spent):.0%} of the time to verify goes into group operations.")
    if figures.left_out:
        sizes = " and ".join(map(str, figures.left_out))
        lines.append(f"  Skipped because they are slow: {sizes} items. --full measures them, too.")
    return lines
