"""Who is on the way to a table, and who is ready: what a referee knows of a table before its game begins.

A player who has the words of the signed roster on the screen says so, and says it again with a signature once they are
the same. The signature is passed on to the others as if that player's seat had said it: so nobody can be ready for the
referee alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.protocol.crypto import signatures

PURPOSE: Final = "ready"

NOT_CONNECTED, ON_THE_WAY, SITTING_DOWN, COMPARING = "not connected", "on the way", "sitting down", "comparing words"


@dataclass(frozen=True, slots=True)
class TableWait:
    """Whom a table waits for before its game: the seats, what these players are doing, and the loop's time until when
    they may.

    `doing` is "not connected", "on the way", "sitting down" or "comparing words".
    """

    seats: tuple[int, ...]
    doing: str
    until: float


class Readiness:
    """The players of one table before its game. They have `come` seconds to come, and then as many to be ready."""

    def __init__(
        self,
        people: Sequence[bytes],
        is_connected: Callable[[bytes], bool],
        host_listens: Callable[[], bool],
        opened: float,
        come: float,
    ) -> None:
        """Nobody is there yet.

        Args:
            people: The identities of the players, in seat order.
            is_connected: Whether a player is connected to the referee.
            host_listens: Whether the first seat has opened the table.
            opened: The loop's time from which the seconds count.
            come: Seconds for all players to come.

        """
        self.opened = opened
        self._people = tuple(people)
        self._is_connected = is_connected
        self._host_listens = host_listens
        self._come = come
        self._arrived: set[bytes] = set()
        self._words: dict[bytes, bytes] = {}
        """The game whose words a player has on the screen."""
        self._signed: dict[bytes, tuple[bytes, bytes]] = {}
        """The game for which a player is ready, and the signature that says so."""

    def on_arrival(self, player: bytes) -> None:
        """A player is on the way to the table, or listens there."""
        self._arrived.add(player)

    def on_words(self, player: bytes, game_id: bytes | None, signature: bytes | None) -> bool:
        """A player has the words of a game on the screen, or none (None); with a signature, they are the same. Returns
        whether the others are to be told: the player is ready, which was not known.
        """
        self._words.pop(player, None)
        before = self._signed.pop(player, None)
        if game_id is None:
            return False
        self._words[player] = game_id
        if signature is None or not holds(player, game_id, signature):
            return False
        self._signed[player] = game_id, signature
        return self._signed[player] != before

    @property
    def signed(self) -> dict[bytes, tuple[bytes, bytes]]:
        """By player: the game for which it is ready, and its signature."""
        return dict(self._signed)

    def missing(self) -> tuple[int, ...]:
        """The seats whose players are not connected or not on the way. Until the first seat listens, the others cannot
        sit down.
        """
        there = {player for player in self._arrived if player != self._people[0] or self._host_listens()}
        return tuple(
            seat for seat, player in enumerate(self._people) if not self._is_connected(player) or player not in there
        )

    def unready(self) -> tuple[int, ...]:
        """The seats whose players have the words on the screen, and have not said that they are the same."""
        return tuple(
            seat for seat, player in enumerate(self._people) if player in self._words and player not in self._signed
        )

    def late(self, now: float) -> bool:
        """Whether the time to come is over."""
        return now - self.opened >= self._come

    def over(self, now: float) -> bool:
        """Whether the time to be ready is over."""
        return now - self.opened >= 2 * self._come

    def wait(self) -> TableWait:
        """Whom the table waits for."""
        if missing := self.missing():
            gone = tuple(seat for seat in missing if not self._is_connected(self._people[seat]))
            return TableWait(gone or missing, NOT_CONNECTED if gone else ON_THE_WAY, self.opened + self._come)
        end = self.opened + 2 * self._come
        if (unready := self.unready()) and len(self._words) == len(self._people):
            return TableWait(unready, COMPARING, end)
        wordless = tuple(seat for seat, player in enumerate(self._people) if player not in self._words)
        return TableWait(wordless or tuple(range(len(self._people))), SITTING_DOWN, end)


def holds(player: bytes, game_id: bytes, signature: bytes) -> bool:
    """Whether a player has signed that it is ready for a game."""
    return signatures.verify(player, PURPOSE, game_id, signature)
