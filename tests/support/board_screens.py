"""The one place through which snapshots reach what a game's board shows and says.

Snapshots of screens know no module of `client/boards`. When the interface of the boards changes, this file changes with
it, and what is drawn should not.
"""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.boards.line_mode import LineMode
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.watching import GameProof
from kimberley.client.screens.app import App
from kimberley.client.screens.help_pager import HelpPager
from kimberley.client.screens.watch import WatchedDossierScreen, WatchScreen
from kimberley.client.session.interfaces import SpectatorLike
from kimberley.client.ui.screen import Screen
from kimberley.p2p.table.table import Table
from kimberley.protocol.audit import AuditedGame


def live_screen(table: Table, app: App) -> Screen:
    """Returns the screen that plays the game at a seat."""
    return find_board(table.game.id).view(table, app)


def replay_screen(game: AuditedGame, names: Sequence[str], app: App, at: int) -> Screen:
    """Returns the replay of a finished game, at a position."""
    screen = find_board(_game_of(game)).replay(game, names, app)
    for key in (*str(at), "enter"):
        screen.key(key)
    return screen


def watch_screen(watched: SpectatorLike, app: App) -> Screen:
    """Returns the screen of a spectator."""
    return WatchScreen(app, watched)


def dossier_screen(game: AuditedGame, names: Sequence[str], seat: int, app: App) -> Screen:
    """Returns the dossier of a finished game, as a seat reads it."""
    return WatchedDossierScreen(app, GameProof(game, find_board(_game_of(game)).dossier(game, names, seat)))


def about_screen(game: str, app: App) -> Screen:
    """Returns the game in short, as the title screen shows it."""
    return HelpPager(app, find_board(game).game.about)


def dossier_lines(game: AuditedGame, names: Sequence[str], seat: int) -> Sequence[str]:
    """Returns the dossier in sentences."""
    return find_board(_game_of(game)).dossier(game, names, seat).lines


def position_lines(game: AuditedGame, names: Sequence[str]) -> list[str]:
    """Returns what happened before each position of the replay, and the last position in sentences."""
    board = find_board(_game_of(game))
    timeline = board.timeline(game.start, names)
    timeline.refresh(game.story, game.result)
    positions = range(1, len(timeline.steps) + 1)
    return [*(f"{at} {timeline.describe_event(at)}" for at in positions), "", *timeline.describe()]


def plain_seat(table: Table) -> LineMode:
    """Returns the game in sentences, at a seat."""
    return find_board(table.game.id).plain(table)


def _game_of(game: AuditedGame) -> str:
    return game.record.table.roster.game
