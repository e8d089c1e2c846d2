"""What a target says that it has: roles, games, and parts of the protocol that not every peer needs (section 29)."""

from __future__ import annotations

from typing import Final

from client.conformance.script import ScriptGame

ROLES: Final = ("host", "join", "resume", "watch", "verify")
GAMES: Final = (ScriptGame.id, "diamond", "diamond-trust", "land", "mine", "piecepack")
PARTS: Final = ("discovery", "person", "referee")
"""What a target has only where its profile names it."""
NAMES: Final = frozenset((*ROLES, *GAMES, *PARTS))
"""All that a profile can name, and that the suite asks for only where it does."""
WITHOUT_ANSWER: Final = frozenset((*ROLES, *GAMES))
"""What a target without a profile is taken to have."""


def read_profile(event: dict[str, object] | None) -> frozenset[str]:
    """What the event `profile` says that a target has; the game `script` always."""
    has = None if event is None else event.get("has")
    if not isinstance(has, list):
        return WITHOUT_ANSWER
    return frozenset((ScriptGame.id, *(name for name in has if isinstance(name, str))))
