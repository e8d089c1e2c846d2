"""Keeps the clocks of one table: which of them run, and when the players see them (SPEC.md, "Referees")."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from kimberley.p2p.table.runner import PeerView
from kimberley.p2p.tournament.clock import TableClocks
from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.transport.frames import Frame
from kimberley.referee.attendance import Attendance

LOOK_SECONDS: Final = 2.0  # SPEC: delivery
"""Time after a final adjustment before the clocks of the seats that did not choose in it start to run."""
AWAY_SECONDS: Final = 10.0  # SPEC: away
"""Once a player has been out of reach for this long, the clocks of the others stand still."""
SHOW_SECONDS: Final = 5.0
"""Time until running clocks are shown again."""


class ClockAudience(Protocol):
    """The players who see the clocks, and the store that keeps them."""

    @property
    def cut_off(self) -> bool:
        """Whether nobody at all is connected: then it is the referee that is offline."""

    def send(self, player: bytes, frame: Frame) -> None:
        """Sends a frame to a player, if it is connected."""

    def store_clocks(self, place: TableId, clocks: TableClocks) -> None:
        """Stores the state of the clocks."""


@dataclass(frozen=True, slots=True)
class WaitState:
    """Whom a table waits for, and since when, as the loop's time."""

    slot: tuple[int, int]
    waiting: tuple[int, ...]
    since: float


class ClockKeeper:
    """The clocks of the table at `place`."""

    def __init__(
        self,
        place: TableId,
        people: Sequence[bytes],
        clocks: TableClocks,
        adjustment: int,
        attendance: Attendance,
        audience: ClockAudience,
    ) -> None:
        """Begins with no clock running.

        Args:
            place: The table's place in its tournament.
            people: The identities of the players, in seat order.
            clocks: The clocks so far.
            adjustment: Seconds of a final adjustment; 0 if there is none.
            attendance: Who is out of reach.
            audience: Whom the clocks are shown to.
        """
        self.clocks = clocks
        self.paused = False
        """Whether the organizer has stopped the clocks."""
        self._place = place
        self._people = tuple(people)
        self._look = adjustment + LOOK_SECONDS if adjustment else 0.0
        self._attendance = attendance
        self._audience = audience
        self._choosers: frozenset[int] = frozenset()
        """The seats whose clocks run, or will once they have what the choice depends on."""
        self._shown_at = -SHOW_SECONDS
        self._changed = True
        """Whether the clocks, or who is away, have changed since they were last shown."""

    @property
    def timed(self) -> bool:
        """Whether players can lose on time. Otherwise thinking time is only counted."""
        return self.clocks.given is not None

    def on_change(self) -> None:
        """Called when something that the clocks show has changed."""
        self._changed = True

    def on_order(self, added: tuple[int, ...], *, paused: bool) -> None:
        """Called when the organizer has added these seconds, by seat; `paused` says whether the clocks are stopped."""
        self.clocks, self.paused = self.clocks.extended(added), paused
        self._changed = True

    def on_standstill(self, seconds: float) -> None:
        """Called when the referee itself stood still for this many seconds until now: no clock counts them."""
        self.clocks = self.clocks.delayed(seconds)
        self._changed = True

    def on_chosen(self, before: WaitState, still: WaitState, at: float) -> None:
        """Called when the table waits for other seats than `before`: those that have chosen get their increment."""
        for seat in sorted(self._choosers):
            if before.slot != still.slot or seat not in still.waiting:
                # It may have chosen before the referee saw that it could.
                self.clocks = self.clocks.turn(at, self.clocks.running | {seat}).chosen(at, seat)
                self._changed = True

    def turn(self, view: PeerView | None, still: WaitState | None, now: float, lacking: Collection[int] = ()) -> None:
        """Runs the clocks of the seats that must choose, while the referee sees the table, except for those that are
        `lacking` an envelope that another seat may withhold. While a player is away, only the clocks of those who are
        away run.
        """
        sees = self._attendance.sees and not self._audience.cut_off and not self.paused
        running = frozenset(self._choosing(view, still, now)) if sees else frozenset[int]()
        if self._attendance.away(now, AWAY_SECONDS):
            running &= self._attendance.away(now)
        self._choosers, running = running, running - frozenset(lacking)
        if running != self.clocks.running:
            self.clocks = self.clocks.turn(now, running)
            self._changed = True

    def fallen(self, now: float) -> frozenset[int]:
        """Returns the seats that have lost on time. Nobody loses on time to a player who is away."""
        fallen = frozenset(self.clocks.fallen(now)) & self.clocks.running
        away = self._attendance.away(now)
        return fallen & away if away else fallen

    def show(self, now: float) -> None:
        """Shows and stores the clocks: at most once per second, when something has changed, and from time to time."""
        rested = now - self._shown_at
        if rested < 1 or not (self._changed or (self.clocks.running and rested >= SHOW_SECONDS)):
            return
        self._shown_at, self._changed = now, False
        self._tell(now)

    def end(self, now: float) -> None:
        """Stops all clocks for good, and shows and stores them: the table is over."""
        self.clocks = self.clocks.paused(now)
        self._tell(now)

    def store(self) -> None:
        """Stores the clocks as they are."""
        self._audience.store_clocks(self._place, self.clocks)

    def _tell(self, now: float) -> None:
        self.store()
        if not self.timed:
            return
        away = self._attendance.away(now)
        clocks = tuple(
            (round(1000 * self.clocks.left(seat, now)), seat in self.clocks.running, seat in away)
            for seat in range(len(self._people))
        )
        for player in self._people:
            self._audience.send(player, ("clocks", self._place.round, self._place.table, clocks))

    def _choosing(self, view: PeerView | None, still: WaitState | None, now: float) -> tuple[int, ...]:
        """Returns the seats whose choice the table waits for, except during a final adjustment."""
        if view is None or still is None or view.result is not None or not awaits_choice(view):
            return ()
        adjusting = view.ask is not None and view.ask.last_look and now < still.since + self._look
        return () if adjusting else still.waiting


def awaits_choice(view: PeerView) -> bool:
    """Returns whether a table waits for a player's choice."""
    return view.ask is not None and view.ask.awaits_choice(view.slot[1])
