"""Who gets a free seat at a host's table, and when (SPEC.md, section 9.1). Sans-IO.

A person whom the host has removed gets none. One who has held a seat without doing what was due waits, longer each
time, and so do strangers from the same address: a new key would not help. People whose words were compared go first,
whatever others at their address did. All others take turns, first by address, then within an address.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from kimberley.p2p.transport.address import is_ip, origin

SHUT_OUT_SECONDS: Final = (10.0, 30.0, 90.0, 270.0, 600.0)  # SPEC: shut out
"""How long somebody who lost a seat by doing nothing gets no other seat: the first time, the second, and so on."""
FORGET_SECONDS: Final = 3600.0  # SPEC: forgotten
"""After this long without another one, lost seats no longer count."""
MOST_KEPT: Final = 1024
"""Identities and addresses that are kept. Beyond that, the one heard of longest ago is forgotten."""
REMOVED: Final = "The host has removed you from this table. You cannot join it again."
ADDRESS_REMOVED: Final = (
    "The host has removed a player at your address. Only players the host has verified can join from that address now."
)
CLOSED: Final = "The host has closed this table."


@dataclass(frozen=True, slots=True)
class Applicant:
    """Somebody who wants a seat. `address` is where the host sees the connection; `known` is whether the host's player
    has compared words with this identity; `since` orders those who came.
    """

    identity: bytes
    address: str
    known: bool
    since: float

    @property
    def origin(self) -> str | None:
        """The origin of the address; None if the host does not see where the connection comes from."""
        return address_key(self.address)


def address_key(address: str) -> str | None:
    """Returns the key under which an address counts here: its origin; None if it is not an address, as in a room."""
    return origin(address) if is_ip(address) else None


@dataclass(slots=True)
class _Losses:
    """How often a seat was lost, and when that last happened."""

    count: int
    at: float


class Admission:
    """What a host remembers of those who came to its table. Times are in seconds of one clock."""

    def __init__(self) -> None:
        self._losses: dict[bytes | str, _Losses] = {}
        """Lost seats by identity, and by origin."""
        self._removed: dict[bytes | str, None] = {}

    def on_seat_lost(self, identity: bytes, address: str, now: float) -> None:
        """Called when somebody has held a seat without doing what was due."""
        for key in (identity, address_key(address)):
            if key is not None:
                count = self._count(key, now) + 1
                self._losses.pop(key, None)
                self._losses[key] = _Losses(count, now)
        while len(self._losses) > MOST_KEPT:
            del self._losses[next(iter(self._losses))]

    def remove(self, identity: bytes, address: str | None) -> None:
        """Removes somebody for good: the identity, and strangers from the address, if that is given."""
        for key in (identity, None if address is None else address_key(address)):
            if key is not None:
                self._removed[key] = None
        while len(self._removed) > MOST_KEPT:
            del self._removed[next(iter(self._removed))]

    def refusal(self, one: Applicant) -> str | None:
        """Returns why somebody never gets a seat; None if they may."""
        if one.identity in self._removed:
            return REMOVED
        return ADDRESS_REMOVED if not one.known and one.origin in self._removed else None

    def free_at(self, one: Applicant, now: float) -> float:
        """Returns when somebody may take a free seat: a time in the past means now."""
        return max((self._until(key, now) for key in _keys(one)), default=now)

    def in_turn(self, waiting: Iterable[Applicant], now: float) -> list[Applicant]:
        """Returns those who wait, in the order in which they get seats."""
        before = Counter[str]()
        ranked: list[tuple[tuple[bool, int, int, float], Applicant]] = []
        for one in sorted(waiting, key=lambda one: one.since):
            rank = 0
            if one.origin is not None and not one.known:
                rank = before[one.origin]
                before[one.origin] += 1
            losses = max(self._count(key, now) for key in _keys(one))
            ranked.append(((not one.known, losses, rank, one.since), one))
        return [one for _, one in sorted(ranked, key=lambda pair: pair[0])]

    def _count(self, key: bytes | str, now: float) -> int:
        lost = self._losses.get(key)
        return lost.count if lost is not None and now - lost.at < FORGET_SECONDS else 0

    def _until(self, key: bytes | str, now: float) -> float:
        count = self._count(key, now)
        return self._losses[key].at + SHUT_OUT_SECONDS[min(count, len(SHUT_OUT_SECONDS)) - 1] if count else now


def _keys(one: Applicant) -> tuple[bytes | str, ...]:
    """Returns the keys under which lost seats count against somebody: that of the address only against strangers."""
    return (one.identity,) if one.known or one.origin is None else (one.identity, one.origin)
