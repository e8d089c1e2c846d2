"""What a target says that it has: roles, games and optional parts of the protocol (SPEC.md, section 29)."""

from __future__ import annotations

from typing import Final

from kimberley.conformance.script import ScriptGame

ROLES: Final = ("host", "join", "resume", "watch", "verify")
GAMES: Final = (ScriptGame.id, "diamond", "diamond-trust", "land", "mine", "piecepack")
RELAY: Final = "relay"
SPECTATORS: Final = "spectators"
WEB: Final = "web"
PARTS: Final = ("discovery", "person", "referee", RELAY, SPECTATORS, WEB)
"""What a target has only if its profile names it."""
NAMES: Final = frozenset((*ROLES, *GAMES, *PARTS))
"""Everything that a profile can name. The suite asks for it only if the profile does."""
WITHOUT_ANSWER: Final = frozenset((*ROLES, *GAMES))
"""What the suite assumes of a target without a profile."""


def read_profile(event: dict[str, object] | None) -> frozenset[str]:
    """Returns what the event `profile` says that a target has. Every target has the game `script`."""
    has = None if event is None else event.get("has")
    if not isinstance(has, list):
        return WITHOUT_ANSWER
    return frozenset((ScriptGame.id, *(name for name in has if isinstance(name, str))))
