"""`kimberley referee --status DIR`: shows a tournament on the referee's machine, on a screen or in lines."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from kimberley.client.session.settings import Settings
from kimberley.client.session.tournaments import (
    describe_events,
    describe_settings,
    final_sentence,
    points_text,
    team_lines,
    title,
)
from kimberley.p2p.base.platform import run_loop
from kimberley.p2p.tournament import export
from kimberley.p2p.tournament.store import StoreReader


def run(folder: Path, settings: Settings, *, plain: bool = False, as_json: bool = False) -> int:
    """Shows the tournament in a folder: live on a terminal; once if `plain`, or elsewhere. Raises UserError."""
    reader = StoreReader(folder)
    try:
        if as_json:
            print(json.dumps(export.as_json(reader.tournament()), indent=1))
        elif plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
            print("\n".join(lines(reader)))
        else:
            _screen(reader, settings)
    finally:
        reader.close()
    return 0


def _screen(reader: StoreReader, settings: Settings) -> None:
    from kimberley.client.screens.app import App
    from kimberley.client.screens.status import StatusScreen
    from kimberley.client.session.network import Network

    app = App(settings, Network(settings))
    run_loop(app.run(lambda: app.push(StatusScreen(app, reader))))


def lines(reader: StoreReader) -> list[str]:
    """The tournament in sentences: what has happened, which tables are playing, and the standings."""
    tournament = reader.tournament()
    said = [
        f"{tournament.settings.name}: {title(tournament.settings)}. {describe_settings(tournament.settings)}",
        *describe_events(tournament, reader.events()),
    ]
    if tournament.round is not None:
        for table in tournament.round.open:
            names = " – ".join(map(tournament.label, table.seats))
            said.append(f"Round {tournament.round.number}, table {table.number + 1}: {names} play.")
    said += team_lines(tournament)
    for row in tournament.standings():
        said.append(
            f"{row.rank:3}  {tournament.label(row.player.identity)}: {points_text(row.points)}, rating {row.rating}"
        )
    return [*said, final_sentence(tournament)] if tournament.ended else said
