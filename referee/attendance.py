"""Which players of a table are out of the referee's reach, and since when."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from kimberley.referee.table_observer import TableObserver


class Attendance:
    """Keeps track of who is within reach: a player who is connected to the referee, or whose door the referee sees. An
    envelope from a player, by any door, is a sign of life, too.
    """

    def __init__(self, people: Sequence[bytes], observer: TableObserver, is_connected: Callable[[bytes], bool]) -> None:
        """Begins with everybody within reach.

        Args:
            people: The identities of the players, in seat order.
            observer: What the referee sees of the table.
            is_connected: Whether a player is connected to the referee.
        """
        self._people = tuple(people)
        self._observer = observer
        self._is_connected = is_connected
        self._left: frozenset[int] = frozenset()
        self._since: dict[int, float] = {}
        self._unseen_since: float | None = None

    def update(self, now: float, left: Collection[int], *, stopped: bool) -> bool:
        """Checks who is within reach at the loop's time `now`. Returns whether other players are away now.

        Args:
            now: The loop's time.
            left: The seats that have left the game: they are not missed.
            stopped: Whether the referee itself is offline, or the table is paused. Then nobody is away.

        """
        before, self._left = self.away(now), frozenset(left)
        for seat, player in enumerate(self._people):
            if stopped or self._is_connected(player) or self._observer.watched(player):
                self._since.pop(seat, None)
            else:
                self._since[seat] = max(self._since.get(seat, now), self._observer.heard_at(seat))
        if stopped or self.sees:
            self._unseen_since = None
        elif self._unseen_since is None:
            self._unseen_since = now
        return self.away(now) != before

    @property
    def sees(self) -> bool:
        """Whether the referee sees the door of any player."""
        return any(map(self._observer.watched, self._people))

    def unseen(self, now: float, seconds: float) -> bool:
        """Returns whether the referee has seen nothing of the table for that many seconds."""
        return self._unseen_since is not None and now - self._unseen_since >= seconds

    def away(self, now: float, seconds: float = 0.0) -> frozenset[int]:
        """Returns the seats whose players have been out of reach for at least that many seconds."""
        since = {seat: at for seat, at in self._since.items() if seat not in self._left}
        return frozenset(seat for seat, at in since.items() if now - at >= seconds)

    def away_for(self, seat: int, now: float) -> float:
        """Returns for how many seconds the player of a seat has been out of reach."""
        return now - self._since.get(seat, now)
