"""The last look: seats that may choose by what they were told in secret all answer when a fixed time is over.

Who answered at once, or late, or changed the answer, would tell others what it was told. So a choice stands from the
first moment, the one that changes nothing; as it stands at the end it counts, and nothing of it leaves before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from games.table import Plain


class LastLook:
    """One last look, of `seconds`, from `since`, the loop's time when its public cause arrived."""

    def __init__(self, seconds: float, since: float, stands: Plain, submit: Callable[[Plain], None]) -> None:
        """`stands` is the choice that changes nothing."""
        self.until = since + seconds
        self._stands = stands
        self._submit = submit
        self._timer = asyncio.get_running_loop().call_at(self.until, self._over)

    def choose(self, choice: Plain) -> None:
        """The choice as it stands now."""
        self._stands = choice

    def cancel(self) -> None:
        self._timer.cancel()

    def _over(self) -> None:
        self._submit(self._stands)
