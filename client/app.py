"""Runs the client: in full screen, or in lines, from the title or from what the command line asked for."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from client.board import find_board
from client.options import for_people, for_table
from client.settings import Settings
from games import lookup
from games.table import Plain

if TYPE_CHECKING:
    from client.board import Written
    from client.fullscreen import App
    from protocol.record import Record

log = logging.getLogger(__name__)

LOG: Final = "log.txt"


@dataclass(frozen=True, slots=True)
class Host:
    """Start by hosting a game; `seats`, `options`, `port` and `bind` where the usual ones do not do."""

    game: str
    seats: int | None = None
    port: int | None = None
    bind: str | None = None
    options: Mapping[str, Plain] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Alone:
    """Start by playing against bots; `seats` and `options` where the usual ones do not do."""

    game: str
    seats: int | None = None
    options: Mapping[str, Plain] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Join:
    """Start by joining a host's name or address; with None, on the list of tables."""

    where: str | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """Start by watching a host's table, by name or address; with None, on the list of tables."""

    where: str | None = None


@dataclass(frozen=True, slots=True)
class Resume:
    """Start by going on with a game: of a journal's file, of a game's id, with somebody; with None the latest."""

    which: str | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """Start by stepping through a record on its board, and end with it."""

    record: Record
    names: tuple[str, ...]
    step: int | None = None


@dataclass(frozen=True, slots=True)
class ReplayWritten:
    """Start by stepping through a game that was written as text, and end with it."""

    written: Written
    step: int | None = None


Start: TypeAlias = Host | Alone | Join | Watch | Resume | Replay | ReplayWritten


def run(settings: Settings, *, plain: bool = False, start: Start | None = None) -> int:
    """Runs the client on this terminal until the user leaves it: in full screen, or as lines (`plain`).

    Returns the exit status. Raises Trouble where the terminal or the data folder cannot be used.
    """
    from client.network import Network

    services = Network(settings)
    keep_log(services.data)
    if plain:
        from client import plain as lines

        return asyncio.run(lines.run(settings, services, start))
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        from p2p.trouble import Trouble

        raise Trouble("The screens need a terminal. Without one, use --plain, or kimberley bot.")
    from client.fullscreen import App

    app = App(settings, services)
    try:
        asyncio.run(_run(app, start))
    except Exception as error:
        if services.is_trouble(error):
            raise
        from p2p.trouble import Fault

        log.exception("the program has failed")
        kept = " Your seat is kept: kimberley resume takes it again." if app.left_resumable else ""
        raise Fault(f"{Fault.of(error)}{kept}") from error
    return 0


def keep_log(folder: Path) -> None:
    """Sends what is logged into a file of the data folder: on the terminal it would tear the screen."""
    from client.logfile import LogFile

    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handler = LogFile(folder / LOG)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.INFO)


async def _run(app: App, start: Start | None) -> None:
    if isinstance(start, Replay):
        board = find_board(start.record.table.roster.game)
        await app.run(lambda: app.push(board.replay(start.record, start.names, app, start.step)))
        return
    if isinstance(start, ReplayWritten):
        written = start
        await app.run(lambda: app.push(written.written.replay(app, written.step)))
        return
    await app.run(lambda: _open(app, start))


def _open(app: App, start: Start | None) -> None:
    """Opens the title screen, and above it what the command line asked for."""
    from client.screens.title import TitleScreen

    app.push(TitleScreen(app))
    match start:
        case Host(game, seats, port, bind, given):
            found = lookup.find(game)
            wanted, options = for_table(app.settings, found, seats, given)
            opening = app.services.host(game, for_people(app.settings, options), wanted, port=port, bind=bind)
            app.sit(found.title, "The table is being opened.", opening)
        case Alone(game, seats, given):
            found = lookup.find(game)
            wanted, options = for_table(app.settings, found, seats, given)
            opening = app.services.alone(game, options, wanted, app.settings.level)
            app.sit(found.title, "The table is being set.", opening)
        case Join(None) | Watch(None):
            from client.screens.join import JoinScreen

            app.push(JoinScreen(app))
        case Join(str(where)):
            app.sit("Join a table", f"Joining {where}.", app.services.join(where))
        case Watch(str(where)):
            from client.screens.watch import watch

            watch(app, where)
        case Resume(which):
            app.sit("Go on", "Taking your seat again.", app.services.resume(which))
