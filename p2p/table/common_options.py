"""Options that a table of any game may have in addition to the game's own: names and limits.

They have a separate module because the client asks for them before it loads the protocol.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from kimberley.games.table import Plain

FINAL_ADJUSTMENT: Final = "last_look"
"""The most seconds of the final adjustment, which players know as adjusting; 0 for no limit. Every table has this
option (SPEC.md, section 20).
"""
QUIET_TIME: Final = "quiet_time"
"""The seconds after which a final adjustment ends once both sides are done; without it, it lasts its whole time."""
MOST_FINAL_ADJUSTMENT_SECONDS: Final = 600  # SPEC: most seconds of a last look
GRACE: Final = "grace"
"""Seconds that a seat may be away before the others may give it up."""
GRACE_SECONDS: Final = 120  # SPEC: seconds of grace
"""If the table does not say."""
TOURNAMENT_GRACE_SECONDS: Final = 60
"""At the tables of a tournament, if its organizer does not say."""
GRACE_RANGE: Final = range(5, 86401)
TOURNAMENT_MARK: Final = "cup"
"""The mark of a table in its tournament (SPEC.md, "Referees")."""
TOURNAMENT_MARK_BYTES: Final = 32


class AdjustTimes(NamedTuple):
    """How long a final adjustment lasts, in seconds: at least `quiet` and at most `most`; both are 0 without limit.

    Equal numbers are a fixed time. With different ones, a player who is done in the quiet time gives nothing away.
    """

    quiet: int
    most: int

    @property
    def fixed(self) -> bool:
        """Returns whether it takes the same time whatever the players do."""
        return self.quiet == self.most > 0

    @classmethod
    def read(cls, text: str) -> AdjustTimes:
        """Reads a time as a player types it: "20", "5-40", or "0" for no limit. Raises ValueError."""
        least, dash, most = text.partition("-")
        numbers = (least, most) if dash else (least, least)
        if not all(number.isascii() and number.isdecimal() and len(number) <= 3 for number in numbers):
            raise ValueError(text)
        times = cls(*map(int, numbers))
        if times.most > MOST_FINAL_ADJUSTMENT_SECONDS or (dash and not 0 < times.quiet < times.most):
            raise ValueError(text)
        return times

    @property
    def text(self) -> str:
        """Returns the time as a player types it."""
        return f"{self.quiet}-{self.most}" if self.quiet < self.most else str(self.most)

    @property
    def options(self) -> dict[str, Plain]:
        """Returns the table options that set these times."""
        options: dict[str, Plain] = {FINAL_ADJUSTMENT: self.most}
        return options | ({QUIET_TIME: self.quiet} if self.quiet < self.most else {})


UNTIL_DONE: Final = AdjustTimes(5, 40)
"""The usual times between people."""
FIXED: Final = AdjustTimes(20, 20)
"""The usual times in a tournament."""
NO_LIMIT: Final = AdjustTimes(0, 0)


def adjust_times(options: Mapping[str, Plain]) -> AdjustTimes:
    """Returns how long a final adjustment lasts at a table with these options."""
    most = options.get(FINAL_ADJUSTMENT, 0)
    quiet = options.get(QUIET_TIME, most)
    return AdjustTimes(quiet, most) if isinstance(quiet, int) and isinstance(most, int) else NO_LIMIT


def with_adjust_times(options: Mapping[str, Plain], given: Mapping[str, Plain]) -> dict[str, Plain]:
    """Returns options with those `given`, whose times of a final adjustment replace the former ones as a whole."""
    former = {name: value for name, value in options.items() if name != QUIET_TIME or FINAL_ADJUSTMENT not in given}
    return {**former, **given}
