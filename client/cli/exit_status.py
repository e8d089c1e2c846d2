"""The statuses with which a command ends if it did not do its work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.p2p.base.arguments import MISUSED

CANNOT_PRINT: Final = 74
"""EX_IOERR of sysexits.h: what the command printed is lost, so its own status would claim too much."""
INTERRUPTED: Final = 130


@dataclass(frozen=True, slots=True)
class FailureStatuses:
    """The statuses of a command that was misused, could not do its work, or met a fault of this program."""

    misused: int
    failed: int
    crashed: int


_USUAL: Final = FailureStatuses(misused=MISUSED, failed=1, crashed=1)
_NO_VERDICTS: Final = FailureStatuses(misused=64, failed=69, crashed=70)
"""EX_USAGE, EX_UNAVAILABLE and EX_SOFTWARE of sysexits.h: `verify` uses 0 to 4 for what it found in a record."""


def failure_statuses(typed: Sequence[str]) -> FailureStatuses:
    """Returns the statuses for what was typed, in which there may be an error even before the command."""
    return _NO_VERDICTS if "verify" in typed else _USUAL
