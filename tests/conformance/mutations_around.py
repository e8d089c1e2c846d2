"""Mutants around the wire: discovery, who looks on, who comes and goes, and what a target says of itself."""

from __future__ import annotations

from typing import Any, Final

from client import peer
from tests.conformance.mutant import Mutant


def _nameless(right: Any) -> Any:
    """The profile names games, and no role."""

    async def profile(self: Any, data: Any) -> bool:
        self._emit({"event": "profile", "has": ["script"]})
        return True

    return profile


AROUND: Final[dict[str, Mutant]] = {
    "targets: a profile without a role": Mutant(peer.Job, "_profile", _nameless, "29-08"),
}
