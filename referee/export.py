"""Exports a tournament: its signed bundle, JSON, tables for a spreadsheet, and what players of its game write down."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Final

from kimberley.games.table import Game, SupportsText
from kimberley.p2p.sentences.tournaments import table_place
from kimberley.p2p.storage.archive import slug
from kimberley.p2p.storage.files import StorageError, make_folder, replace, replace_by_parts
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.tournament.bundle import SUFFIX, ranked, signed_head
from kimberley.p2p.tournament.events import TableDecided, TournamentEvent
from kimberley.p2p.tournament.players import TournamentRound
from kimberley.p2p.tournament.settings import TournamentSettings
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.p2p.tournament.tournament_json import as_json
from kimberley.protocol.audit import CannotBeAudited, audit
from kimberley.referee import trf
from kimberley.referee.store import StoreReader

FOLDER: Final = "export"
FORMULA: Final = "=+-@\N{MINUS SIGN}\t\r\n"
"""Characters that can begin a formula in a spreadsheet."""
SEPARATORS: Final = ",;|\t\r\n"
"""Characters that separate cells, depending on the country."""


def export_tournament(folder: Path, identity: Identity, find: Callable[[str], Game]) -> list[Path]:
    """Writes the tournament in a folder to its subfolder, over earlier exports. Returns the paths, the bundle first.

    Takes seconds for a large tournament, and may run while the referee does. `find` returns the game of an id, or
    raises LookupError. Raises StorageError.
    """
    with StoreReader(folder) as reader:
        happened = reader.events()
        tournament = Tournament.fold(reader.settings, happened)
        stem = make_folder(folder / FOLDER) / slug(reader.settings.name)
        written = [bundle_path(folder, reader.settings.name)]
        write_bundle(written[0], identity, reader.settings, happened, reader.record)
        games = games_in_writing(tournament, reader.record, find) if tournament.ended else ""
    texts = {
        ".json": json.dumps(as_json(tournament), indent=1, ensure_ascii=False) + "\n",
        "-standings.csv": standings_csv(tournament),
        "-results.csv": results_csv(tournament),
        **({".trf": trf.report(tournament)} if trf.has_report(tournament.settings) else {}),
        **({"-games.txt": games} if games else {}),
    }
    for ending, text in texts.items():
        written.append(stem.with_name(stem.name + ending))
        replace(written[-1], text.encode(), 0o644)
    return written


def write_bundle(
    path: Path,
    identity: Identity,
    settings: TournamentSettings,
    happened: Sequence[TournamentEvent],
    record: Callable[[bytes], bytes | None],
) -> None:
    """Writes the bundle of a tournament; `record` returns the packed record with a SHA-256. Raises StorageError."""
    digests = [event.record for event in happened if isinstance(event, TableDecided) and event.record is not None]

    def fetch(digest: bytes) -> bytes:
        if (packed := record(digest)) is None:
            raise StorageError(f"The record {digest.hex()[:16]} of a game in {settings.name} is missing.")
        return packed

    sizes = tuple(len(fetch(digest)) for digest in digests)
    begin = signed_head(identity, settings, happened, sizes, ranked(Tournament.fold(settings, happened)))
    replace_by_parts(path, chain((begin,), map(fetch, digests)), 0o644)


def bundle_path(folder: Path, name: str) -> Path:
    """Returns where the bundle of the tournament in a folder is, once it has been exported."""
    return folder / FOLDER / (slug(name) + SUFFIX)


def games_in_writing(
    tournament: Tournament, record: Callable[[bytes], bytes | None], find: Callable[[str], Game]
) -> str:
    """Returns all games, as players of this game write them down; empty if they do not.

    Args:
        tournament: The tournament.
        record: Returns the packed record with a SHA-256, or None.
        find: Returns the game of an id, or raises LookupError.

    """
    game = find(tournament.settings.game)
    if not isinstance(game, SupportsText):
        return ""
    written = []
    for round in tournament.rounds:
        for table in round.tables:
            packed = record(table.decided.record) if table.decided is not None and table.decided.record else None
            if table.decided is None or packed is None:
                continue
            names = tuple(map(tournament.name, table.seats))
            head = f"{table_place(tournament, round.number, table.number)}. {table.decided.sentence}"
            try:
                audited = audit(packed, find)
            except CannotBeAudited:
                continue
            text = game.as_text(audited.start, audited.story, audited.result, names)
            written.append(f"{head}\n{text}")
    return "\n".join(written)


def standings_csv(tournament: Tournament) -> str:
    """Returns the standings: a line of headings, then a line for each player."""
    tie_breaks = "buchholz", "sonneborn_berger", "wins"
    return _csv(
        ("rank", "name", "points", *tie_breaks, "byes", "half_byes", "rating", "state", "identity"),
        (
            (
                one.rank,
                tournament.name(one.player.identity),
                _decimal(one.points),
                _decimal(one.buchholz),
                _decimal(one.sonneborn),
                one.wins,
                one.byes,
                one.half_byes,
                one.rating,
                one.player.state,
                one.player.identity.hex(),
            )
            for one in tournament.standings()
        ),
    )


def results_csv(tournament: Tournament) -> str:
    """Returns the results: a line for each seat of each table; a bye has a separate line."""
    head = "round", "table", "seat", "name", "place", "points", "how", "sentence", "identity", "record"
    return _csv(head, (line for one in tournament.rounds for line in _lines(tournament, one)))


def _lines(tournament: Tournament, one: TournamentRound) -> Iterable[tuple[object, ...]]:
    for table in one.tables:
        decided = table.decided
        for seat, identity in enumerate(table.seats):
            name = tournament.name(identity)
            if decided is None or table.points is None:
                yield one.number, table.number + 1, seat + 1, name, "", "", "", "", identity.hex(), ""
                continue
            record = "" if decided.record is None else decided.record.hex()
            points = _decimal(table.points[seat])
            what = decided.places[seat], points, decided.how, decided.sentence, identity.hex(), record
            yield one.number, table.number + 1, seat + 1, name, *what
    for identity in one.byes:
        yield one.number, "", "", tournament.name(identity), "", "1", "bye", "", identity.hex(), ""
    for identity in one.half_byes:
        yield one.number, "", "", tournament.name(identity), "", "0.5", "half-point bye", "", identity.hex(), ""


def _decimal(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.4f}".rstrip("0")


def _csv(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_cell(value) for value in line] for line in lines)
    return text.getvalue()


def _cell(value: object) -> object:
    """Returns a cell whose text cannot become a formula in a spreadsheet (OWASP, "CSV Injection"): an apostrophe
    precedes each character that can begin one, in any Unicode form, also after a separator.
    """
    if not isinstance(value, str):
        return value
    guarded, begins = "", True
    for char in value:
        folded = unicodedata.normalize("NFKC", char)
        guarded += "'" + char if begins and folded[0] in FORMULA else char
        begins = folded in SEPARATORS or (begins and folded.isspace())
    return guarded
