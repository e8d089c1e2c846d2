"""Options that a table of any game may have in addition to the game's own: names and limits.

They have a separate module because the client asks for them before it loads the protocol.
"""

from __future__ import annotations

from typing import Final

FINAL_ADJUSTMENT: Final = "last_look"
"""Seconds of the final adjustment, which players know as the last look; 0 for none. Every table has this option
(SPEC.md, section 20).
"""
FINAL_ADJUSTMENT_SECONDS: Final = 20
MOST_FINAL_ADJUSTMENT_SECONDS: Final = 600
GRACE: Final = "grace"
"""Seconds that a seat may be away before the others may give it up."""
GRACE_SECONDS: Final = 120
"""If the table does not say."""
GRACE_RANGE: Final = range(5, 86401)
TOURNAMENT_MARK: Final = "cup"
"""The mark of a table in its tournament (SPEC.md, "Referees")."""
TOURNAMENT_MARK_BYTES: Final = 32
