"""Audits that the seats of one program share, as in a game alone, or a demo: each seat is run again once, not once by
each of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from weakref import WeakValueDictionary

from kimberley.p2p.base.platform import lock
from kimberley.protocol.log import Reexecution, Reexecutions
from kimberley.protocol.peer import Peer


class SharedReexecutions(Reexecutions):
    """Re-executions of seats that have published what they are run from. While one thread runs a seat, others wait."""

    def __init__(self, seats: frozenset[int]) -> None:
        super().__init__()
        self._seats = seats
        self._lock = lock()

    def of(self, seat: int, run: Callable[[], Reexecution]) -> Reexecution:
        if seat not in self._seats:
            return run()
        with self._lock:
            return super().of(seat, run)


_shared: Final[WeakValueDictionary[tuple[int, bytes], SharedReexecutions]] = WeakValueDictionary()
_lock: Final = lock()


def share_audit(peer: Peer) -> None:
    """Lets a Peer whose audit is due share it with all others in this program that know exactly the same."""
    with _lock:
        peer.reexecutions = _shared.setdefault(peer.audited, SharedReexecutions(frozenset(peer.shown)))
