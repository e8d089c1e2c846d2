"""The statuses with which a command ends if it did not do its work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.p2p.base.arguments import MISUSED

CANNOT_PRINT: Final = 74
"""EX_IOERR of sysexits.h: what the command printed is lost, so its own status would say too much."""
INTERRUPTED: Final = 130


@dataclass(frozen=True, slots=True)
class FailureStatuses:
    """What a command ends with if it was misused, could not do its work, or met a fault of this program."""

    misused: int
    failed: int
    crashed: int


_USUAL: Final = FailureStatuses(misused=MISUSED, failed=1, crashed=1)
_NO_VERDICTS: Final = FailureStatuses(misused=64, failed=69, crashed=70)
"""EX_USAGE, EX_UNAVAILABLE and EX_SOFTWARE of sysexits.h: `verify` says with 0 to 4 what it found in a record."""


def failure_statuses(typed: Sequence[str]) -> FailureStatuses:
    """Returns the statuses of what was typed, which may be wrong in front of the command already."""
    return _NO_VERDICTS if "verify" in typed else _USUAL
