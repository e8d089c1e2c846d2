"""`kimberley referee --status DIR`: shows a tournament on the referee's machine, on a screen or in lines."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from pathlib import Path
from typing import Final

from kimberley.games.phrases import count_of
from kimberley.p2p.base.platform import wall_time
from kimberley.p2p.base.terminal import fitted, is_dumb
from kimberley.p2p.sentences.tournaments import (
    current_tables,
    describe_early_end,
    describe_events,
    describe_next_round,
    describe_settings,
    final_sentence,
    has_results,
    points_text,
    round_title,
    team_lines,
    title,
)
from kimberley.p2p.tournament.player_program import PlayerProgram
from kimberley.p2p.tournament.players import IN
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.p2p.tournament.tournament_json import as_json
from kimberley.referee import export
from kimberley.referee.command import read_run
from kimberley.referee.sentences import describe_table, table_line
from kimberley.referee.server import pause_ends
from kimberley.referee.store import StoreReader

INDENT: Final = "    "
"""Before the further rows of a line that a terminal breaks."""


def run(arguments: argparse.Namespace, program: PlayerProgram) -> int:
    """Shows the tournament in a folder: live on a terminal; once with --plain, or elsewhere. Raises UserError."""
    folder: Path = arguments.status
    reader = StoreReader(folder)
    try:
        if arguments.json:
            print(json.dumps(as_json(reader.tournament()), indent=1))
        elif arguments.plain or is_dumb() or not (sys.stdin.isatty() and sys.stdout.isatty()):
            print("\n".join(fitted(line, INDENT) for line in lines(folder, reader)))
        else:
            program.show_status(arguments, reader, partial(_following, folder))
    finally:
        reader.close()
    return 0


def lines(folder: Path, reader: StoreReader) -> list[str]:
    """Returns the tournament in sentences: what has happened, which tables are playing, and the standings."""
    tournament = reader.tournament()
    sentences = [
        f"{tournament.settings.name}. {title(tournament.settings)}. {describe_settings(tournament.settings)}",
        *describe_events(tournament, reader.events()),
    ]
    names = [tournament.label(player.identity) for player in tournament.players if player.state == IN]
    sentences.append(f"{count_of(len(names), 'player')}: {', '.join(names)}." if names else "No players yet.")
    if tournament.round is not None:
        sentences.append(f"{round_title(tournament)}:")
        for table in current_tables(tournament):
            sentences.append(f"  {table_line(tournament, table, describe_table(table))}")
    sentences += team_lines(tournament)
    for row in tournament.standings() if has_results(tournament) else ():
        name = tournament.label(row.player.identity)
        sentences.append(f"{row.rank:>3}  {name}: {points_text(row.points)}, rating {row.rating}")
    if tournament.ended:
        bundle = export.bundle_path(folder, tournament.settings.name)
        sentences += [final_sentence(tournament), *describe_early_end(tournament)]
        sentences += [f"The whole tournament in one signed file: {bundle}"] if bundle.exists() else []
    elif (following := _following(folder, tournament)) is not None:
        sentences.append(following)
    return sentences


def _following(folder: Path, tournament: Tournament) -> str | None:
    """Returns when the next round begins, as far as the folder says. A pause that is over does not count: no referee is
    running.
    """
    ends = pause_ends(tournament, read_run(folder).timing.pause)
    return describe_next_round(tournament, ends if ends is not None and ends >= wall_time() else None)
