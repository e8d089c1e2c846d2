"""Exports a tournament: its signed bundle, JSON, tables for a spreadsheet, and what players of its game write down."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from kimberley.games.table import Game, SupportsText
from kimberley.p2p.storage.archive import slug
from kimberley.p2p.storage.files import make_folder, replace
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.tournament import trf
from kimberley.p2p.tournament.bundle import SUFFIX
from kimberley.p2p.tournament.bundle import write_bundle as write_bundle
from kimberley.p2p.tournament.players import TournamentRound, TournamentTable
from kimberley.p2p.tournament.rating import rating_histories
from kimberley.p2p.tournament.store import StoreReader
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.protocol.audit import CannotBeAudited, audit

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
            head = f"Round {round.number}, table {table.number + 1}: {table.decided.sentence}"
            try:
                audited = audit(packed, find)
            except CannotBeAudited:
                continue
            text = game.as_text(audited.start, audited.story, audited.result, names)
            written.append(f"{head}\n{text}")
    return "\n".join(written)


def as_json(tournament: Tournament) -> dict[str, Any]:
    """Returns everything public about a tournament, fit for `json.dumps`. Points are decimals; identities and digests
    are hexadecimal.
    """
    settings = tournament.settings
    ratings = rating_histories(tournament.players, tournament.rounds)
    return {
        "cup": {
            "id": settings.id.hex(),
            "name": settings.name,
            "referee": settings.referee.hex(),
            "game": settings.game,
            "rules": settings.rules,
            "options": {name: _shown(value) for name, value in settings.options},
            "format": settings.format,
            "rounds": tournament.planned,
            "minutes": settings.minutes,
            "boards": settings.boards,
            "seats": settings.seats,
            "clock": None
            if settings.clock is None
            else {"main": settings.clock.main, "increment": settings.clock.increment},
        },
        "phase": tournament.phase,
        "standings": [
            {
                "rank": one.rank,
                "identity": one.player.identity.hex(),
                "name": tournament.name(one.player.identity),
                "number": one.player.number,
                "bot": one.player.bot,
                "state": one.player.state,
                "points": float(one.points),
                "buchholz": float(one.buchholz),
                "sonneborn_berger": float(one.sonneborn),
                "direct_encounter": None if one.direct is None else float(one.direct),
                "wins": one.wins,
                "byes": one.byes,
                "reached": one.reached,
                "ratings": list(ratings[one.player.identity]),
            }
            for one in tournament.standings()
        ],
        "teams": [
            {
                "rank": one.row.rank,
                "name": one.team.name,
                "members": [member.hex() for member in one.team.members],
                "match_points": float(one.match_points),
                "game_points": float(one.game_points),
            }
            for one in tournament.team_standings()
        ],
        "rounds": [_round(one) for one in tournament.rounds],
    }


def standings_csv(tournament: Tournament) -> str:
    """Returns the standings: a line of headings, then a line for each player."""
    head = "rank", "name", "points", "buchholz", "sonneborn_berger", "wins", "byes", "rating", "state", "identity"
    return _csv(
        head,
        (
            (
                one.rank,
                tournament.name(one.player.identity),
                _decimal(one.points),
                _decimal(one.buchholz),
                _decimal(one.sonneborn),
                one.wins,
                one.byes,
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
        said = table.decided
        for seat, identity in enumerate(table.seats):
            name = tournament.name(identity)
            if said is None or table.points is None:
                yield one.number, table.number + 1, seat + 1, name, "", "", "", "", identity.hex(), ""
                continue
            record = "" if said.record is None else said.record.hex()
            points = _decimal(table.points[seat])
            what = said.places[seat], points, said.how, said.sentence, identity.hex(), record
            yield one.number, table.number + 1, seat + 1, name, *what
    for identity in one.byes:
        yield one.number, "", "", tournament.name(identity), "", "1", "bye", "", identity.hex(), ""


def _round(one: TournamentRound) -> dict[str, Any]:
    return {
        "round": one.number,
        "tables": [_table(table) for table in one.tables],
        "byes": [identity.hex() for identity in one.byes],
    }


def _table(table: TournamentTable) -> dict[str, Any]:
    said = table.decided
    found: dict[str, Any] = {
        "table": table.number + 1,
        "seats": [identity.hex() for identity in table.seats],
        "game": None if table.game is None else table.game.hex(),
        "result": None,
    }
    if said is not None:
        found["result"] = {
            "at": said.at,
            "places": list(said.places),
            "points": [float(one) for one in table.points or ()],
            "how": said.how,
            "sentence": said.sentence,
            "record": None if said.record is None else said.record.hex(),
            "signature": said.signature.hex(),
        }
    return found


def _shown(value: object) -> object:
    """Returns a plain value for JSON."""
    if isinstance(value, bytes):
        return value.hex()
    return [_shown(one) for one in value] if isinstance(value, tuple) else value


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
