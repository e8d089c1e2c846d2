"""`kimberley referee --status DIR`: how a tournament stands, on the screen of the referee's machine or in lines."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from client.cups import how, over, points, title, told
from client.settings import Settings
from p2p.referee import export
from p2p.referee.store import Reader


def run(folder: Path, settings: Settings, *, plain: bool = False, as_json: bool = False) -> int:
    """Shows the cup of a folder: on a terminal as it goes on, else, or `plain`, once. Raises Trouble."""
    reader = Reader(folder)
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


def _screen(reader: Reader, settings: Settings) -> None:
    from client.fullscreen import App
    from client.network import Network
    from client.screens.status import StatusScreen

    app = App(settings, Network(settings))
    asyncio.run(app.run(lambda: app.push(StatusScreen(app, reader))))


def lines(reader: Reader) -> list[str]:
    """The cup in sentences: what was played, what is played, and the standings."""
    cup = reader.tournament()
    said = [f"{cup.cup.name}: {title(cup.cup)}. {how(cup.cup)}", *told(cup, reader.events())]
    if cup.round is not None:
        for table in cup.round.open:
            names = " – ".join(map(cup.name, table.seats))
            said.append(f"Round {cup.round.number}, table {table.number + 1}: {names} play.")
    for row in cup.standings():
        said.append(f"{row.rank:3}  {cup.name(row.player.identity)}: {points(row.points)}, rating {row.rating}")
    return [*said, over(cup)] if cup.ended else said
