"""`kimberley verify` of folders, tournament files or several files: many records at once, on all cores or on a Dask
cluster.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, TextIO, TypeVar

from kimberley.client.session.verdicts import is_bundle, read_record, verdict_as_plain
from kimberley.client.session.workers import as_done, cores, workers
from kimberley.games import lookup
from kimberley.games.phrases import count_of, join_names
from kimberley.p2p.base.extras import REFEREE, require
from kimberley.p2p.base.platform import monotonic
from kimberley.p2p.base.terminal import ChangingLine, fitted
from kimberley.p2p.base.text import clean
from kimberley.p2p.sentences.tournaments import describe_early_end, describe_format, table_place, team_lines
from kimberley.p2p.sentences.verdicts import EXIT, MOST_SHOWN, VERDICT_WORDS, heading, shown_names, verdict_reason
from kimberley.p2p.storage.archive import SUFFIX
from kimberley.p2p.storage.files import open_to_read
from kimberley.p2p.tournament import bundle, verification
from kimberley.p2p.tournament.bundle import Bundle
from kimberley.p2p.tournament.events import ORGANIZER, TableDecided
from kimberley.p2p.tournament.players import TournamentPlayer
from kimberley.p2p.tournament.points import points_in_words
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.p2p.tournament.verification import (
    HALF,
    ORDERS,
    Claim,
    Finding,
    ResultClaim,
    Unproven,
    VerificationFailed,
)
from kimberley.protocol.audit import DAMAGED, FAIR, INCOMPLETE, UNFAIR, UNKNOWN, Verdict, verify
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.envelope import OtherRevision

WORST_FIRST: Final = (UNFAIR, DAMAGED, INCOMPLETE, UNKNOWN, FAIR)
INDENT: Final = "    "
"""Before the further rows of a line that a terminal breaks."""
NOT_ENDED: Final = "the tournament has not ended"

T = TypeVar("T")


def worst(codes: Iterable[str]) -> str:
    """Returns the worst of many verdicts."""
    return min(codes, key=WORST_FIRST.index, default=FAIR)


# -- many records -----------------------------------------------------------------------------------------------------


def run_many(given: Sequence[Path], *, as_json: bool, dask: str | None) -> int:
    """Prints the verdicts on files, and on the records and the tournaments in folders. Returns the status of the worst
    one.

    Raises NoCluster.
    """
    paths, bundles = _files(given)
    # In one folder, a file is named as it is there; otherwise as typed.
    within = given[0] if len(given) == 1 and given[0].is_dir() else None
    names = {path: _shown(path if within is None else path.relative_to(within)) for path in (*paths, *bundles)}
    verdicts = _judge_records(paths, names, as_json=as_json, dask=dask)
    tournaments = [verify_bundle(path, dask) for path in bundles]
    counts = Counter(verdict.code for verdict in verdicts)
    codes = [*counts, *(judged.finding.code for judged in tournaments)]
    if as_json:
        summary = {
            "verdict": worst(codes),
            "counts": dict(counts),
            "records": [
                {"file": str(path), **verdict_as_plain(verdict)} for path, verdict in zip(paths, verdicts, strict=True)
            ],
            "tournaments": [
                {"file": str(path), **bundle_as_plain(judged)}
                for path, judged in zip(bundles, tournaments, strict=True)
            ],
        }
        print(json.dumps(summary, indent=1))
    else:
        for path, judged in zip(bundles, tournaments, strict=True):
            print(names[path], *(fitted(f"  {line}", INDENT) for line in bundle_in_words(judged)), sep="\n")
        print(fitted(_in_words(given, len(paths), len(bundles), counts)))
    return EXIT[worst(codes)] if codes else EXIT[DAMAGED]


def _files(given: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Returns the records and the tournament files that these paths name, each once. In a folder, names tell them
    apart. What cannot be read is among them, and its verdict says why.
    """
    records: dict[Path, None] = {}
    bundles: dict[Path, None] = {}
    for path in given:
        if path.is_dir():
            records |= dict.fromkeys(_named(path, SUFFIX))
            bundles |= dict.fromkeys(_named(path, bundle.SUFFIX))
        else:
            (bundles if is_bundle(path) else records)[path] = None
    return list(records), list(bundles)


def _named(folder: Path, suffix: str) -> list[Path]:
    """Returns all paths in a folder with names that end in `suffix`, except folders."""
    return sorted(path for path in folder.rglob(f"*{suffix}") if not path.is_dir())


def _in_words(given: Sequence[Path], records: int, bundles: int, counts: Counter[str]) -> str:
    """Returns how many files there are, and how often each verdict was given on a record."""
    if not records and not bundles:
        where = join_names([_shown(path) for path in given])
        return f"No records (*{SUFFIX}) and no tournaments (*{bundle.SUFFIX}) in {where}."
    kinds = ", ".join(f"{counts[code]} {VERDICT_WORDS[code]}" for code in reversed(WORST_FIRST) if counts[code])
    parts = [f"{count_of(records, 'record')}: {kinds}."] if records else []
    return " ".join([*parts, f"{count_of(bundles, 'tournament')}." if bundles else ""]).rstrip()


def _judge_records(
    paths: Sequence[Path], names: Mapping[Path, str], *, as_json: bool, dask: str | None
) -> list[Verdict]:
    """Judges these records and returns the verdicts, in order. Prints each as soon as possible, unless `as_json`."""
    verdicts: dict[int, Verdict] = {}
    lines = VerdictLines(len(paths))
    progress = VerifyProgress(sys.stderr, len(paths))
    for number, verdict in spread(
        verify_contents, ((number, *_loaded(path)) for number, path in enumerate(paths)), dask, len(paths)
    ):
        verdicts[number] = verdict
        progress.end()
        if not as_json:
            lines.add(number, f"{VERDICT_WORDS[verdict.code]:<11} {names[paths[number]]}{_why(verdict)}")
        progress.step(verdict.code)
    progress.end()
    return [verdicts[number] for number in range(len(paths))]


def verify_contents(number: int, data: bytes | None, reason: str) -> tuple[int, Verdict]:
    """Verifies the contents of a file. Returns its number and the verdict. Without contents, `reason` says why."""
    return number, Verdict(DAMAGED, reason) if data is None else verify(data, lookup.find)


def _loaded(path: Path) -> tuple[bytes | None, str]:
    """Returns the contents of a file, or the reason why it cannot be read."""
    try:
        return read_record(path), ""
    except OSError as error:
        return None, f"it cannot be read: {error.strerror or error}"


def _why(verdict: Verdict) -> str:
    return "" if verdict.code == FAIR else f": {verdict_reason(verdict, shown_names(verdict.names))}"


def _shown(path: Path) -> str:
    return clean(str(path), MOST_SHOWN)


# -- the bundle of a tournament ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class VerifiedBundle:
    """The judgment on a bundle. It has no tournament if the bundle could not be read."""

    finding: Finding
    tournament: Tournament | None = None
    records: int = 0
    unproven: tuple[Unproven, ...] = ()
    """What rests on the referee's word alone."""

    @property
    def sound(self) -> bool:
        """Returns whether nothing is wrong with it, as far as it goes."""
        finding = self.finding
        return finding.code == FAIR or (finding.code == INCOMPLETE and finding.reason.startswith(NOT_ENDED))


def run_bundle(path: Path, *, as_json: bool, dask: str | None) -> int:
    """Prints whether a tournament is in order, or its worst fault, and what only the referee says. Raises NoCluster."""
    judged = verify_bundle(path, dask)
    if as_json:
        print(json.dumps(bundle_as_plain(judged), indent=1))
    else:
        for line in bundle_in_words(judged):
            print(fitted(line, INDENT))
    return EXIT[judged.finding.code]


def verify_bundle(path: Path, dask: str | None = None) -> VerifiedBundle:
    """Checks everything that a bundle claims. Of several faults the worst one counts, and of equal ones the first.

    Raises NoCluster, MissingExtra.
    """
    require(REFEREE, "Re-pairing a tournament")
    try:
        with open_to_read(path, bundle.MOST_FILE) as file:
            contents = bundle.read_bundle(file)
            tournament, claims = verification.replay_bundle(contents)
            wrong = _worst_wrong(claims, _with_records(contents, claims, file), dask)
    except OtherRevision as error:
        return VerifiedBundle(Finding(UNKNOWN, str(error)))
    except Malformed as error:
        return VerifiedBundle(Finding(DAMAGED, f"the file was changed or cut after it was written ({error})"))
    except OSError as error:
        return VerifiedBundle(Finding(DAMAGED, f"{path} cannot be read: {error.strerror or error}"))
    except VerificationFailed as error:
        return VerifiedBundle(error.finding)
    finding = wrong or _in_order(contents, tournament)
    return VerifiedBundle(finding, tournament, len(contents.sizes), tuple(verification.unproven(contents, tournament)))


def _in_order(contents: Bundle, tournament: Tournament) -> Finding:
    """Returns the finding for a bundle with nothing wrong."""
    results = sum(1 for event in contents.events if isinstance(event, TableDecided))
    games = count_of(len(contents.sizes), "game")
    rounds = "" if tournament.format.rolling else f"{count_of(len(tournament.rounds), 'round')}, "
    reason = f"{rounds}{count_of(results, 'result')} and {games} check out"
    return Finding(FAIR, reason) if tournament.ended else Finding(INCOMPLETE, f"{NOT_ENDED}; so far {reason}")


def check_claim(number: int, claim: Claim, record: bytes | None) -> tuple[int, Finding | None]:
    """Checks one claim of a bundle. Returns its number, and what is wrong, if anything."""
    return number, verification.check_claim(claim, record, lookup.find)


def _with_records(
    contents: Bundle, claims: Sequence[Claim], file: BinaryIO
) -> Iterator[tuple[int, Claim, bytes | None]]:
    """Yields each claim with the record that it names, and reads that record only then. Raises Malformed, OSError."""
    records = bundle.read_records(contents, file)
    for number, claim in enumerate(claims):
        named = isinstance(claim, ResultClaim) and claim.event.record is not None
        yield number, claim, next(records) if named else None
    next(records, None)  # Raises Malformed if the file goes on after the last record.


def _worst_wrong(
    claims: Sequence[Claim], jobs: Iterator[tuple[int, Claim, bytes | None]], dask: str | None
) -> Finding | None:
    wrong: dict[int, Finding] = {}
    progress = VerifyProgress(sys.stderr, len(claims))
    for number, finding in spread(check_claim, jobs, dask, len(claims)):
        progress.step(FAIR if finding is None else finding.code)
        if finding is not None:
            wrong[number] = finding
    progress.end()
    return min((wrong[number] for number in sorted(wrong)), key=_badness, default=None)


def _badness(finding: Finding) -> int:
    return WORST_FIRST.index(finding.code)


def bundle_in_words(judged: VerifiedBundle) -> list[str]:
    """Returns the judgment on a bundle, as lines for a person."""
    lines = [f"{heading(judged.finding.code)}: {clean(judged.finding.reason, MOST_SHOWN)}."]
    if (tournament := judged.tournament) is None:
        return lines
    if judged.sound:
        lines += [f"  {line}" for line in checks_in_words(tournament, judged.records)]
    if judged.unproven:
        lines.append("Taken on the referee’s word:")
        lines += [f"  {_on_its_word(one, tournament)}" for one in judged.unproven]
    lines += describe_early_end(tournament) if tournament.ending or tournament.ended else []
    lines += team_lines(tournament)
    lines.append(f"{tournament.settings.name}: {count_of(len(tournament.players), 'player')}")
    lines += [
        f"{one.rank:>4}  {points_in_words(one.points):>6}  {_known_as(one.player)}" for one in tournament.standings()
    ]
    return lines


def checks_in_words(tournament: Tournament, records: int) -> list[str]:
    """Says what was checked of a tournament with nothing wrong, a sentence for each."""
    rounds = tournament.rounds
    tables = [table for one in rounds for table in one.tables]
    former = sum(len(table.former) for table in tables)
    results = former + sum(table.decided is not None for table in tables)
    why = "counts: its table was reopened" if former == 1 else "count: their tables were reopened"
    again = f" {former} of them no longer {why}."
    rolls = tournament.format.rolling
    paired, played = ("table was opened", "") if rolls else ("pairing was made", f", {count_of(len(rounds), 'round')}")
    lots = "The seed of the random draws is the one the referee committed to before anyone joined."
    return [
        *([lots] if tournament.seed is not None else []),
        f"Every {paired} by the rules: {describe_format(tournament.settings)}{played}.",
        f"{_signed(results)}{again if former else ''}",
        _replayed(records),
        "The standings match the results.",
    ]


def _signed(results: int) -> str:
    """Returns a sentence about the tables' results."""
    if results == 0:
        return "The referee signed no results."
    whom = "for the players at its table"
    return (
        f"The referee signed 1 result, {whom}."
        if results == 1
        else f"The referee signed {results} results, each {whom}."
    )


def _replayed(records: int) -> str:
    """Returns a sentence about the games whose records were checked."""
    if records == 0:
        return "No game was played out, so there is no record to check."
    if records == 1:
        return (
            "1 game, with the right rules and options and signed by its players for its table, was replayed from the "
            "published seeds; the result matches."
        )
    return (
        f"{records} games, each with the right rules and options and signed by its players for its table, were "
        "replayed from the published seeds; the results match."
    )


def bundle_as_plain(judged: VerifiedBundle) -> dict[str, Any]:
    """Returns the judgment on a bundle as plain data, for a program."""
    from kimberley.p2p.tournament.tournament_json import as_json

    tournament = judged.tournament
    return {
        "verdict": judged.finding.code,
        "reason": judged.finding.reason,
        "records": judged.records,
        "checked": checks_in_words(tournament, judged.records) if tournament is not None and judged.sound else [],
        "unproven": [] if tournament is None else [_unproven_as_plain(one, tournament) for one in judged.unproven],
        "tournament": None if tournament is None else as_json(tournament),
    }


def _on_its_word(one: Unproven, tournament: Tournament) -> str:
    """Returns a line about something for which there is only the referee's word."""
    who = join_names([_known_as(player) for player in map(tournament.player, one.players) if player is not None])
    basis = "The record shows whose move is missing, not why." if one.record else "There is no record."
    if one.how in ORDERS:
        basis = f"The organizer’s reason: {one.reason}" if one.reason else ""
    if one.table is None:
        return f"{_when(one, tournament)}: {who} {one.words}. {basis if one.how in ORDERS else ''}".rstrip()
    place = table_place(tournament, one.round, one.table)
    if one.how == ORGANIZER and one.reason:
        # The signed sentence says who decided and why.
        return f"{place}, {who}: {one.reason}"
    return f"{place}: {who} {one.words}. {basis}".rstrip()


def _when(one: Unproven, tournament: Tournament) -> str:
    """Returns when something happened that belongs to no table."""
    if tournament.format.rolling:
        return "During the arena" if one.round else "Before the arena"
    if one.how == HALF:
        return f"Round {one.round}"
    return f"In or after round {one.round}" if one.round else "Before round 1"


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


def _known_as(player: TournamentPlayer) -> str:
    """Returns a nickname, which the referee chose to show, with the start of the identity that signs the games."""
    return f"{player.nickname} ({player.identity.hex()[:16]})"


# -- parallel work -----------------------------------------------------------------------------------------------------


def spread(work: Callable[..., T], jobs: Iterable[tuple[Any, ...]], dask: str | None, count: int) -> Iterator[T]:
    """Yields `work(*job)` for each job as it finishes: on a cluster, on all cores, or here if one core is enough."""
    if dask is None and min(cores(), count) < 2:
        for job in jobs:
            yield work(*job)
        return
    with workers(None if count >= cores() else count, dask) as executor:
        yield from as_done(executor, work, jobs, 2 * cores())


class VerdictLines:
    """Prints lines in the order of their numbers, each as soon as possible. They may arrive in any order."""

    def __init__(self, count: int) -> None:
        self._waiting: list[str | None] = [None] * count
        self._next = 0

    def add(self, number: int, line: str) -> None:
        self._waiting[number] = line
        while self._next < len(self._waiting) and (ready := self._waiting[self._next]) is not None:
            print(fitted(ready, INDENT))
            self._next += 1


class VerifyProgress:
    """How many are checked, on a terminal; elsewhere nothing."""

    def __init__(self, stream: TextIO, count: int) -> None:
        self._line = ChangingLine(stream)
        self._count = count
        self._done = 0
        self._bad = 0
        self._start = monotonic()

    def step(self, code: str) -> None:
        """Counts one more file as done."""
        self._done += 1
        self._bad += code != FAIR
        if not self._line.here:
            return
        left = (monotonic() - self._start) / self._done * (self._count - self._done)
        bad = f", {self._bad} with problems" if self._bad else ""
        self._line.show(f"{self._done} of {self._count} checked{bad}, about {left:.0f} s left")

    def end(self) -> None:
        """Clears the line."""
        self._line.end()
