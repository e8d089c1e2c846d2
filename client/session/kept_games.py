"""The records of the user's finished games: with whom, when, how each ended, and what its audit found.

An audit takes up to some seconds, so its findings are kept in `<data>/findings.json`, by the hash of the record. They
are a note for lists. `kimberley verify`, and `v` on the screen, play every seat again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from kimberley.client.session.game_lists import title_of, written_when
from kimberley.client.session.services import KeptGame, RecordFinding
from kimberley.client.session.verdicts import read_record, verify_file
from kimberley.games.phrases import join_names
from kimberley.p2p.base.confusables import distinct_names
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.text import clean
from kimberley.p2p.sentences.notices import as_sentence
from kimberley.p2p.sentences.verdicts import result_sentence, shown_names, verdict_reason
from kimberley.p2p.storage import archive, files
from kimberley.protocol.audit import DAMAGED
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.record import Damaged, NotARecord, Record

FINDINGS: Final = "findings.json"
MOST_FINDINGS: Final = 5000
MOST_BYTES: Final = 4 << 20
"""The most bytes of all findings: a larger file of them is not read."""
MOST_REASON: Final = 400
PRACTICE: Final = " (practice)"
"""What follows the title of a game in which a choice was taken back."""


def list_kept(data: Path, identity: bytes) -> tuple[KeptGame, ...]:
    """Returns the records in a data folder, the latest first, with what earlier audits found. Raises UserError."""
    kept = _findings(data)
    games = []
    for one in archive.list_records(data):
        try:
            game = _opened(one, read_record(one.path), identity)
        except OSError as error:
            finding = RecordFinding(DAMAGED, f"it cannot be read: {files.reason(error)}")
            games.append(KeptGame(*one, "", title=clean(one.path.stem, 60), finding=finding))
        else:
            games.append(replace(game, finding=kept.get(game.digest)))
    return tuple(games)


def _opened(one: files.FoundFile, packed: bytes, identity: bytes) -> KeptGame:
    """Returns a record with what its roster says. If it cannot be opened, the audit says why."""
    digest = hashlib.sha256(packed).hexdigest()
    game = KeptGame(*one, digest)
    try:
        roster = Record.unpack(packed).table.roster
    except (NotARecord, Damaged, Malformed):
        return replace(game, title=clean(one.path.stem, 60))
    names = distinct_names([clean(seat.nickname) or f"seat {number}" for number, seat in enumerate(roster.seats, 1)])
    own = next((seat for seat, place in enumerate(roster.seats) if place.identity == identity), None)
    title = title_of(roster.game) + (PRACTICE if archive.is_practice(one.path) else "")
    return replace(game, game=roster.game, title=title, names=names, seat=own)


def verify_kept(data: Path, game: KeptGame) -> KeptGame:
    """Audits a record, and notes what it found. Takes up to some seconds."""
    verdict = verify_file(game.path)
    ended = verdict.result
    sentence = result_sentence(ended, verdict.names, verdict.gone) if ended is not None else ""
    places = ended.places if ended is not None else ()
    why = verdict_reason(verdict, shown_names(verdict.names))
    finding = RecordFinding(verdict.code, clean(why, MOST_REASON), sentence, places, verdict.left)
    if game.digest:
        _note(data, game.digest, finding)
    return replace(game, finding=finding)


# -- what earlier audits found -----------------------------------------------------------------------------------------


def _findings(data: Path) -> dict[str, RecordFinding]:
    """Returns the findings by the hash of their record. A file that makes no sense has none."""
    try:
        kept: Any = json.loads(files.read_file(data / FINDINGS, MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    findings = {}
    for digest, one in kept.items() if isinstance(kept, dict) else ():
        match one:
            case [str(code), str(reason), str(result), [*places], [*left]] if _are_places(places) and _are_left(left):
                gone = tuple((seat, when) for seat, when in left)
                findings[digest] = RecordFinding(code, reason, result, tuple(places), gone)
    return findings


def _are_places(plain: list[Any]) -> bool:
    return all(type(place) is int for place in plain)


def _are_left(plain: list[Any]) -> bool:
    return all(isinstance(one, list) and [type(value) for value in one] == [int, str] for one in plain)


def _note(data: Path, digest: str, finding: RecordFinding) -> None:
    """Keeps a finding. If the folder cannot be written to, the record is judged again next time."""
    noted = list(({digest: finding} | _findings(data) | {digest: finding}).items())[:MOST_FINDINGS]
    while len(packed := _packed(noted)) > MOST_BYTES:
        noted = noted[: len(noted) // 2]
    with contextlib.suppress(UserError):
        files.replace(data / FINDINGS, packed)


def _packed(noted: Sequence[tuple[str, RecordFinding]]) -> bytes:
    plain = {key: [one.verdict, one.reason, one.result, list(one.places), one.left] for key, one in noted}
    return json.dumps(plain, ensure_ascii=False).encode()


# -- in words ----------------------------------------------------------------------------------------------------------


def describe_kept(game: KeptGame) -> str:
    """Returns a record in sentences, for the line mode."""
    link = ", played by" if game.seat is None else " with"
    company = f"{link} {join_names(game.others)}" if game.others else ""
    sentences = [f"{game.title}{company}, {written_when(game.written)}."]
    if (finding := game.finding) is not None:
        sentences += [as_sentence(game.ending or game.reason, game.names), as_sentence(finding.label[2:])]
    return " ".join((*sentences, f"Record: {game.path}"))
