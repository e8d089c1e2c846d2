"""Seats that hold up the others at a host's table: they lose the seat, and wait before they get another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from kimberley.p2p.table.admission import Admission
from kimberley.p2p.transport.link import Link

HELD_SECONDS: Final = 2.0  # SPEC: holding
"""A connection that is lost in a round counts as a seat that held up the others if the round had waited for it this
long.
"""
READY_SECONDS: Final = 120.0  # SPEC: readiness
"""Time for a seat to become ready once it is taken and the host is ready."""


class HoldUps:
    """Measures how long seats hold up the others. Each lost seat counts once."""

    def __init__(self, admission: Admission) -> None:
        """Takes `admission`, which counts the seats that are lost."""
        self._admission = admission
        self._sat: dict[bytes, float] = {}
        """When each seat was taken."""
        self._counted: set[bytes] = set()
        """Those who are losing their seats and have been counted."""
        self._asked = 0.0
        """When a round last asked for something."""
        self._readiness: asyncio.TimerHandle | None = None

    def on_seat_taken(self, link: Link) -> None:
        self._counted.discard(link.identity)
        self._sat[link.identity] = asyncio.get_running_loop().time()

    def on_asked(self) -> None:
        """Called when a round asks all seats for something."""
        self._asked = asyncio.get_running_loop().time()

    def count(self, link: Link) -> None:
        """Counts a seat that is being lost for what its program does, or does not do."""
        if not link.local:
            self._counted.add(link.identity)
            self._admission.on_seat_lost(link.identity, link.address, asyncio.get_running_loop().time())

    def on_seat_free(self, link: Link, *, owed: bool) -> None:
        """Called when a seat is free again. `owed` is whether a round waits for its answer: if it has waited long, that
        counts.
        """
        held = asyncio.get_running_loop().time() - self._asked >= HELD_SECONDS
        if owed and held and link.identity not in self._counted:
            self.count(link)
        self._counted.discard(link.identity)
        self._sat.pop(link.identity, None)

    def await_ready(self, waits: bool, late: Callable[[], None]) -> None:
        """Says whether the table only waits for some seats to be ready. If that lasts, `late` is called."""
        if not waits:
            self.close()
        elif self._readiness is None:
            self._readiness = asyncio.get_running_loop().call_later(READY_SECONDS, self._on_late, late)

    def is_late(self, identity: bytes) -> bool:
        """Returns whether a seat has been taken for as long as it may stay unready."""
        now = asyncio.get_running_loop().time()
        return now - self._sat.get(identity, now - READY_SECONDS) >= READY_SECONDS

    def close(self) -> None:
        """Stops waiting for seats to be ready."""
        if self._readiness is not None:
            self._readiness.cancel()
            self._readiness = None

    def _on_late(self, late: Callable[[], None]) -> None:
        self._readiness = None
        late()
