"""A referee's console, with what this program lends it."""

from __future__ import annotations

from pathlib import Path

from kimberley.client.cli.lent import LentProgram, LentSounds
from kimberley.client.session.audio import Audio
from kimberley.p2p.storage.identity import Identity
from kimberley.referee.console import RefereeConsole
from kimberley.referee.server import TournamentServer


def console_of(
    server: TournamentServer, folder: Path, identity: Identity, audio: Audio | None = None, site: str = ""
) -> RefereeConsole:
    """Returns the console of a server, whose page is at `site`. Without audio, nothing is heard."""
    program = LentProgram()
    sounds = program.sounds(wanted=False) if audio is None else LentSounds(audio)
    return RefereeConsole(server, folder, identity, program, sounds, site)
