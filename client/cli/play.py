"""Runs the client in full screen or in the line mode, from the title or from what the command line asked for."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kimberley.client.session.options import for_people, for_table
from kimberley.client.session.settings import Settings
from kimberley.client.session.start_requests import HostGame, JoinTable, PlayAlone, ResumeGame, StartRequest, WatchTable
from kimberley.games import lookup
from kimberley.p2p.base.errors import InternalError, UserError
from kimberley.p2p.base.platform import run_loop
from kimberley.p2p.base.terminal import fitted, is_dumb
from kimberley.p2p.sentences.notices import KEPT, RETURNING, SETTING_UP

if TYPE_CHECKING:
    from kimberley.client.screens.app import App
    from kimberley.client.session.network import Network
    from kimberley.client.ui.screen import Screen

log = logging.getLogger(__name__)

LOG: Final = "log.txt"


def run(settings: Settings, *, plain: bool = False, start: StartRequest | None = None) -> int:
    """Runs the client on this terminal until the user leaves it: in full screen, or in the line mode (`plain`).

    Returns the exit status. Raises UserError if the terminal or the data folder cannot be used.
    """
    from kimberley.client.session.network import Network

    services = Network(settings)
    keep_log(services.data)
    if plain:
        from kimberley.client.plain import main as lines

        return run_loop(lines.run(settings, services, start))
    return _on_screens(settings, services, lambda app: _open(app, start))


def show(settings: Settings, screen: Callable[[App], Screen], game: str) -> int:
    """Shows one screen, about the game with that id, until it is closed. Returns the exit status. Raises UserError as
    `run` does.
    """
    from kimberley.client.session.network import Network

    services = Network(settings)
    keep_log(services.data)
    return _on_screens(settings, services, lambda app: app.push(screen(app)), game)


def _on_screens(settings: Settings, services: Network, first: Callable[[App], None], game: str | None = None) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UserError("The full-screen program needs a terminal. Use --plain or kimberley bot.")
    if is_dumb():
        raise UserError(f"This terminal cannot show full screens (TERM is {os.environ['TERM']}). Use --plain.")
    from kimberley.client.screens.app import App
    from kimberley.client.session.audio import Audio
    from kimberley.client.ui.terminal_window import TerminalWindow

    async def run() -> None:
        app = App(settings, services, TerminalWindow, game=game, audio=Audio(settings))
        try:
            await app.run(lambda: first(app))
        except UserError:
            raise
        except Exception as error:
            log.exception("the program has failed")
            kept = " Your game is saved: resume it with kimberley resume." if app.left_resumable else ""
            raise InternalError(f"{InternalError.of(error)}{kept}") from error
        except asyncio.CancelledError:
            _tell_kept(app)
            raise
        _tell_kept(app)

    run_loop(run())
    return 0


def _tell_kept(app: App) -> None:
    if app.left_resumable:
        print(fitted(KEPT.format(command="kimberley resume")), flush=True)


def keep_log(folder: Path) -> None:
    """Writes the log to a file in the data folder: on the terminal, it would garble the screen."""
    from kimberley.p2p.storage.logfile import LogFile

    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handler = LogFile(folder / LOG)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.INFO)


def _open(app: App, start: StartRequest | None) -> None:
    """Opens the title screen, and on top of it what the command line asked for."""
    from kimberley.client.screens.title import TitleScreen

    app.push(TitleScreen(app))
    app.toast(" ".join(app.settings.renamed))
    if start is not None:
        open_above(app, start)


def open_above(app: App, start: StartRequest) -> None:
    """Opens what the command line asked for, on top of the title screen, which does not need these modules."""
    from kimberley.client.screens.guide_offer import GuidedTable, offer_guide
    from kimberley.client.screens.join import open_join
    from kimberley.client.screens.settings import ask_name

    match start:
        case HostGame(game_id, seats, port, bind, given, far):
            game = lookup.find(game_id)
            wanted, options = for_table(app.settings, game, seats, given)
            settled = for_people(app.settings, options)
            opening = partial(app.services.host, game_id, settled, wanted, port=port, bind=bind, far=far)
            ask_name(app, partial(app.sit, game.title, "Opening the table.", opening))
        case PlayAlone(game_id, seats, given, level):
            game = lookup.find(game_id)
            wanted, options = for_table(app.settings, game, seats, given, alone=True)

            def play_alone() -> None:
                opening = partial(app.services.alone, game_id, options, wanted, app.settings.level)
                app.sit(game.title, SETTING_UP, opening)

            offer_guide(app, GuidedTable(game, seats, given, level), play_alone)
        case JoinTable(None):
            ask_name(app, partial(open_join, app))
        case WatchTable(None):
            open_join(app)
        case JoinTable(str(where)):
            joining = partial(app.services.join, where, app.tell_connecting)
            ask_name(app, partial(app.sit, "Join a table", f"Joining {where}.", joining))
        case WatchTable(str(where)):
            from kimberley.client.screens.watch import open_watch

            open_watch(app, where)
        case ResumeGame(which):
            app.sit("Resume", RETURNING, partial(app.services.resume, which))
