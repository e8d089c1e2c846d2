"""`kimberley verify DIR` and `kimberley verify BUNDLE`: many records at once, on all cores or on a Dask cluster."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, TextIO, TypeVar

from client.verify import EXIT, MOST_SHOWN, as_plain, read
from client.workers import as_done, cores, workers
from games import lookup
from p2p.archive import SUFFIX
from p2p.referee import bundle, proof
from p2p.referee.bundle import Bundle
from p2p.referee.events import Decided
from p2p.referee.field import Player
from p2p.referee.points import points_in_words
from p2p.referee.proof import Claim, Finding, ResultClaim, Unproven, Wrong
from p2p.referee.tournament import Tournament
from p2p.text import clean
from protocol.audit import DAMAGED, FAIR, INCOMPLETE, UNFAIR, UNKNOWN, Verdict, verify
from protocol.encoding import Malformed
from protocol.envelope import OtherRevision

WORST_FIRST: Final = (UNFAIR, DAMAGED, INCOMPLETE, UNKNOWN, FAIR)
BAR: Final = 30

_IN_ORDER: Final = {
    FAIR: "In order",
    UNFAIR: "Not in order, proven",
    DAMAGED: "Damaged, or not a bundle",
    INCOMPLETE: "Incomplete",
    UNKNOWN: "Cannot be judged",
}

T = TypeVar("T")


def worst(codes: Iterable[str]) -> str:
    """The verdict on many: the worst of theirs."""
    return min(codes, key=WORST_FIRST.index, default=FAIR)


# -- a folder of records -----------------------------------------------------------------------------------------------


def run_folder(folder: Path, *, as_json: bool, dask: str | None) -> int:
    """Prints the verdict on each record of a folder, and how many there are of each. Raises NoCluster."""
    paths = sorted(path for path in folder.rglob(f"*{SUFFIX}") if path.is_file())
    verdicts: dict[int, Verdict] = {}
    lines = Lines(len(paths))
    progress = Progress(sys.stderr, len(paths), "records")
    for number, verdict in spread(
        judge_file, ((number, *_loaded(path)) for number, path in enumerate(paths)), dask, len(paths)
    ):
        verdicts[number] = verdict
        progress.end()
        if not as_json:
            lines.add(number, f"{verdict.code:<10} {_shown(paths[number].relative_to(folder))}{_why(verdict)}")
        progress.step(verdict.code)
    progress.end()
    counts = Counter(verdict.code for verdict in verdicts.values())
    if as_json:
        ordered = [{"file": str(path), **as_plain(verdicts[number])} for number, path in enumerate(paths)]
        found = {"verdict": worst(counts), "counts": dict(counts), "records": ordered}
        print(json.dumps(found, indent=1))
    else:
        kinds = ", ".join(f"{counts[code]} {code}" for code in reversed(WORST_FIRST) if counts[code])
        print(f"{len(paths)} records: {kinds}." if paths else f"There is no record (*{SUFFIX}) in {_shown(folder)}.")
    return EXIT[worst(counts)] if paths else EXIT[DAMAGED]


def judge_file(number: int, data: bytes | None, reason: str) -> tuple[int, Verdict]:
    """The verdict on what was read of a file."""
    return number, Verdict(DAMAGED, reason) if data is None else verify(data, lookup.find)


def _loaded(path: Path) -> tuple[bytes | None, str]:
    """What is in a file, or why it cannot be read."""
    try:
        return read(path), ""
    except OSError as error:
        return None, f"it cannot be read: {error.strerror or error}"


def _why(verdict: Verdict) -> str:
    return "" if verdict.code == FAIR else f": {clean(verdict.reason, MOST_SHOWN)}"


def _shown(path: Path) -> str:
    return clean(str(path), MOST_SHOWN)


# -- the bundle of a cup -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judged:
    """What is said of a bundle; without a tournament where it could not even be read."""

    finding: Finding
    tournament: Tournament | None = None
    records: int = 0
    unproven: tuple[Unproven, ...] = ()
    """What rests on the referee's word."""


def run_bundle(path: Path, *, as_json: bool, dask: str | None) -> int:
    """Prints whether a cup is in order, or the worst thing that is not, and what the referee alone says. Raises
    NoCluster.
    """
    judged = judge_bundle(path, dask)
    if as_json:
        print(json.dumps(bundle_as_plain(judged), indent=1))
    else:
        print("\n".join(bundle_in_words(judged)))
    return EXIT[judged.finding.code]


def judge_bundle(path: Path, dask: str | None = None) -> Judged:
    """Checks all that a bundle claims; of several things that are wrong the worst counts, and of those the first.
    Raises NoCluster.
    """
    try:
        with path.open("rb") as file:
            found = bundle.read(file)
            tournament, claims = proof.follow(found)
            wrong = _worst_wrong(claims, _with_records(found, claims, file), dask)
    except OtherRevision as error:
        return Judged(Finding(UNKNOWN, str(error)))
    except Malformed as error:
        return Judged(Finding(DAMAGED, f"the bundle was changed or cut after it was written: {error}"))
    except OSError as error:
        return Judged(Finding(DAMAGED, f"{path} cannot be read: {error.strerror or error}"))
    except Wrong as error:
        return Judged(error.finding)
    finding = wrong or _in_order(found, tournament)
    return Judged(finding, tournament, len(found.sizes), tuple(proof.unproven(found, tournament)))


def _in_order(found: Bundle, tournament: Tournament) -> Finding:
    """What is said where nothing is wrong."""
    results = sum(1 for event in found.events if isinstance(event, Decided))
    reason = (
        f"the pairings of {len(tournament.rounds)} rounds were made again, the signatures of {results} results hold, "
        f"and their {len(found.sizes)} records were audited"
    )
    return Finding(FAIR, reason) if tournament.ended else Finding(INCOMPLETE, f"the cup has not ended; {reason}")


def check_claim(number: int, claim: Claim, record: bytes | None) -> tuple[int, Finding | None]:
    """What is wrong with one claim of a bundle."""
    return number, proof.check(claim, record, lookup.find)


def _with_records(found: Bundle, claims: Sequence[Claim], file: BinaryIO) -> Iterator[tuple[int, Claim, bytes | None]]:
    """Each claim with the record that it names, read when its turn comes. Raises Malformed, and OSError."""
    records = bundle.records(found, file)
    for number, claim in enumerate(claims):
        named = isinstance(claim, ResultClaim) and claim.event.record is not None
        yield number, claim, next(records) if named else None
    next(records, None)  # There may be more behind the last one.


def _worst_wrong(
    claims: Sequence[Claim], jobs: Iterator[tuple[int, Claim, bytes | None]], dask: str | None
) -> Finding | None:
    wrong: dict[int, Finding] = {}
    progress = Progress(sys.stderr, len(claims), "pairings and results")
    for number, finding in spread(check_claim, jobs, dask, len(claims)):
        progress.step(FAIR if finding is None else finding.code)
        if finding is not None:
            wrong[number] = finding
    progress.end()
    return min((wrong[number] for number in sorted(wrong)), key=_badness, default=None)


def _badness(finding: Finding) -> int:
    return WORST_FIRST.index(finding.code)


def bundle_in_words(judged: Judged) -> list[str]:
    """What is said of a bundle, in lines for a person."""
    lines = [f"{_IN_ORDER[judged.finding.code]}: {clean(judged.finding.reason, MOST_SHOWN)}."]
    if (tournament := judged.tournament) is None:
        return lines
    if judged.unproven:
        lines.append("This rests on the referee's word:")
        lines += [f"  {_on_its_word(one, tournament)}" for one in judged.unproven]
    lines.append(f"{tournament.cup.name}: {len(tournament.players)} players")
    lines += [
        f"{one.rank:>4}  {points_in_words(one.points):>6}  {_known_as(one.player)}" for one in tournament.standings()
    ]
    return lines


def bundle_as_plain(judged: Judged) -> dict[str, Any]:
    """What is said of a bundle, for a program."""
    from p2p.referee.export import as_json

    tournament = judged.tournament
    return {
        "verdict": judged.finding.code,
        "reason": judged.finding.reason,
        "records": judged.records,
        "unproven": [] if tournament is None else [_unproven_as_plain(one, tournament) for one in judged.unproven],
        "tournament": None if tournament is None else as_json(tournament),
    }


def _on_its_word(one: Unproven, tournament: Tournament) -> str:
    """A line about what only the referee says."""
    who = " and ".join(_known_as(player) for player in map(tournament.player, one.players) if player is not None)
    if one.table is None:
        return f"{f'In or after round {one.round}' if one.round else 'Before round 1'}: {who} {one.words}."
    shown = "The record shows whose step is missing, not why." if one.record else "There is no record."
    return f"Round {one.round}, table {one.table + 1}: {who} {one.words}. {shown}"


def _unproven_as_plain(one: Unproven, tournament: Tournament) -> dict[str, Any]:
    return {
        "round": one.round,
        "table": None if one.table is None else one.table + 1,
        "how": one.how,
        "players": [
            {"identity": player.identity.hex(), "name": player.nickname}
            for player in map(tournament.player, one.players)
            if player is not None
        ],
        "record": one.record,
        "reason": _on_its_word(one, tournament),
    }


def _known_as(player: Player) -> str:
    """A nickname, which the referee chose to show, with the beginning of the identity that signs the games."""
    return f"{player.nickname} ({player.identity.hex()[:16]})"


# -- work that is spread -----------------------------------------------------------------------------------------------


def spread(work: Callable[..., T], jobs: Iterable[tuple[Any, ...]], dask: str | None, count: int) -> Iterator[T]:
    """What `work(*job)` gives for each job, as it is done: on a cluster, on all cores, or here where one is enough."""
    if dask is None and min(cores(), count) < 2:
        for job in jobs:
            yield work(*job)
        return
    with workers(None if count >= cores() else count, dask) as executor:
        yield from as_done(executor, work, jobs, 2 * cores())


class Lines:
    """Lines that come in any order, printed in theirs as soon as they can be."""

    def __init__(self, count: int) -> None:
        self._waiting: list[str | None] = [None] * count
        self._next = 0

    def add(self, number: int, line: str) -> None:
        self._waiting[number] = line
        while self._next < len(self._waiting) and (ready := self._waiting[self._next]) is not None:
            print(ready)
            self._next += 1


class Progress:
    """A bar on a terminal; elsewhere nothing."""

    def __init__(self, stream: TextIO, count: int, what: str) -> None:
        self._stream = stream
        self._here = stream.isatty()
        self._count = count
        self._what = what
        self._done = 0
        self._bad = 0
        self._start = time.monotonic()

    def step(self, code: str) -> None:
        """One more is done."""
        self._done += 1
        self._bad += code != FAIR
        if not self._here:
            return
        filled = BAR * self._done // self._count
        left = (time.monotonic() - self._start) / self._done * (self._count - self._done)
        bad = f", {self._bad} not in order" if self._bad else ""
        bar = "#" * filled + "." * (BAR - filled)
        text = f"[{bar}] {self._done}/{self._count} {self._what}{bad}, {left:.0f} s left"
        print(f"\r\x1b[K{text}", end="", file=self._stream, flush=True)

    def end(self) -> None:
        """The line is free again."""
        if self._here:
            print("\r\x1b[K", end="", file=self._stream, flush=True)
