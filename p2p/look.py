"""The last look: seats that may choose by what they were told in secret all answer when a fixed time is over.

Who answered at once, or changed the answer late, would tell others what it was told. So the choice as it stands at the
end counts, and nothing of it leaves before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from games.table import Plain


class LastLook:
    """One last look, of `seconds`, from `since`, the loop's time when its public cause arrived."""

    def __init__(
        self, seconds: float, since: float, submit: Callable[[Plain], None], moved: Callable[[], None]
    ) -> None:
        self.until = since + seconds
        self._seconds = seconds
        self._submit = submit
        self._moved = moved
        self._standing: tuple[Plain, ...] = ()
        self._timer = asyncio.get_running_loop().call_at(self.until, self._over)

    def choose(self, choice: Plain) -> None:
        """The choice as it stands now."""
        self._standing = (choice,)

    def cancel(self) -> None:
        self._timer.cancel()

    def _over(self) -> None:
        if self._standing:
            self._submit(self._standing[0])
            return
        # Nobody has chosen anything: a whole further look, for the moment of a late choice would tell something.
        self.until += self._seconds
        self._timer = asyncio.get_running_loop().call_at(self.until, self._over)
        self._moved()
