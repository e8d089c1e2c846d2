"""The options that a table of any game may have beside the game's own: their names and bounds.

By themselves, for who has nothing to do with a table yet: the client asks for them before it loads the protocol.
"""

from __future__ import annotations

from typing import Final

LAST_LOOK: Final = "last_look"
"""Seconds of a last look, 0 for none, or where the game asks for none. Every table has it."""
LAST_LOOK_SECONDS: Final = 12
MOST_LOOK_SECONDS: Final = 600
GRACE: Final = "grace"
"""Seconds after which a seat that is away may be given up."""
GRACE_SECONDS: Final = 120
"""Where a table does not say it."""
GRACE_RANGE: Final = range(5, 86401)
CUP: Final = "cup"
"""The place of a table in its tournament (SPEC.md, "Referees")."""
CUP_BYTES: Final = 32
