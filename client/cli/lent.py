"""What this program lends to the commands of rooms that are installed apart: codes, sounds and a screen."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from kimberley.client.cli.arguments import DEFAULT_GAME

if TYPE_CHECKING:
    from kimberley.client.session.audio import Audio
    from kimberley.p2p.tournament.player_program import RefereeSound, TournamentReader
    from kimberley.p2p.tournament.tournament import Tournament


class LentSounds:
    """A `p2p.tournament.player_program.RefereeSounds`."""

    def __init__(self, audio: Audio) -> None:
        self._audio = audio

    def play(self, sound: RefereeSound) -> None:
        from kimberley.client.audio.sound import Sound

        self._audio.play(Sound(sound))

    def close(self) -> None:
        self._audio.close()


class LentProgram:
    """A `p2p.tournament.player_program.PlayerProgram`."""

    usual_game = DEFAULT_GAME
    page_games = "kimberley.client.web.drawn_games:DrawnGames"

    def printed_code(self, text: str) -> list[str]:
        from kimberley.client.ui.qr_code import printed_code

        return printed_code(text)

    def sounds(self, *, wanted: bool) -> LentSounds:
        from kimberley.client.session.audio import Audio
        from kimberley.client.session.settings import Settings

        audio = Audio(Settings(audio="on" if wanted else "off"), screens=False)
        audio.open()
        return LentSounds(audio)

    def show_status(
        self, arguments: argparse.Namespace, reader: TournamentReader, following: Callable[[Tournament], str | None]
    ) -> None:
        from kimberley.client.cli.given import given_settings
        from kimberley.client.screens.app import App
        from kimberley.client.screens.status import StatusScreen
        from kimberley.client.session.network import Network
        from kimberley.client.ui.terminal_window import TerminalWindow
        from kimberley.p2p.base.platform import run_loop

        settings = given_settings(arguments)

        async def run() -> None:
            app = App(settings, Network(settings), TerminalWindow)
            await app.run(lambda: app.push(StatusScreen(app, reader, following)))

        run_loop(run())
