"""A table before its game: the referee seats its players, and knows at every moment whom the table waits for.

Each player comes: its program says where it listens. Once all have come, the referee leads the round in which they sign
the roster (`table.seating`), over their own channels. Then the words of the game are on all screens, and each player
signs that they are the same. The game begins when all have.

A player has some seconds to come, and then as many in which the table waits for that player. Time in which it waits
for one player is charged to no other, and a player who asks for a new round gives all others their time again. So
nobody is late because of an opponent, and a table whose players do nothing still ends.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from kimberley.p2p.base.rate_limited_log import RateLimitedLog
from kimberley.p2p.storage.identity import fingerprint
from kimberley.p2p.table.paired_lobby import AGAIN
from kimberley.p2p.table.seating import ANSWERING, ASKING, Person, SeatingCoordinator
from kimberley.p2p.table.terms import TableTerms
from kimberley.p2p.tournament.events import SAME
from kimberley.p2p.transport.frames import Frame
from kimberley.protocol.crypto import signatures
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.roster import BadRoster, SignedRoster
from kimberley.referee.table_wait import TableWait

log = logging.getLogger(__name__)

NOT_CONNECTED, ON_THE_WAY, SITTING_DOWN, COMPARING = "not connected", "joining", "getting ready", "comparing words"

MOST_AGAIN: Final = 2  # SPEC: rounds of seating that a player can ask for again
"""New rounds of seating that one player may ask for, because its program started again or the words differ."""


class Readiness:
    """The players of one table before its game."""

    def __init__(
        self,
        people: Sequence[Person],
        terms: TableTerms,
        is_connected: Callable[[bytes], bool],
        send: Callable[[bytes, Frame], None],
        now: float,
        come_seconds: float,
        *,
        begun: bool = False,
    ) -> None:
        """Begins with nobody there yet.

        Args:
            people: The players as enrolled, in seat order.
            terms: What they play.
            is_connected: Whether a player is connected to the referee.
            send: Sends a player the next frame of the round of seating.
            now: The loop's time.
            come_seconds: Seconds for a player to come, and then once more for what the table waits for.
            begun: The game has begun before: the players only come back to it.
        """
        self.signed: SignedRoster | None = None
        """The roster that all have signed in the current round."""
        self._people = tuple(people)
        self._keys = tuple(key for key, _ in people)
        self._terms = terms
        self._is_connected = is_connected
        self._send = send
        self._now = now
        self._come_seconds = come_seconds
        self._begun = begun
        self._came: set[bytes] = set()
        self._round = 0
        self._coordinator: SeatingCoordinator | None = None
        self._asked: Frame = ()
        """The latest frame to all of the current round."""
        self._confirmed: dict[bytes, bytes] = {}
        """The signature of each player whose words match in the current round."""
        self._coming = dict.fromkeys(self._keys, 0.0)
        """Seconds for which the table has waited for a player to come."""
        self._spent = dict.fromkeys(self._keys, 0.0)
        """Seconds for which it has waited for what a player owes since."""
        self._again = dict.fromkeys(self._keys, 0)
        """How often a player has asked for a new round."""
        self._strange = RateLimitedLog(log, logging.WARNING)
        self._unseen = 0.0
        """Seconds since all have come back to a game that nobody shows."""

    # -- what players do -----------------------------------------------------------------------------------------------

    def on_arrival(self, player: bytes) -> None:
        """Called when a player has come, or is back: it may lack the latest frame."""
        self._came.add(player)
        if self._asked:
            self._send(player, self._asked)
        elif not self._begun and len(self._came) == len(self._keys):
            self._begin_round()

    def on_answer(self, player: bytes, frame: Frame) -> None:
        """Handles a player's part in the round of seating. What does not belong there is ignored: the table keeps
        waiting for that player.
        """
        if frame[1:] == (self._round,) and frame[0] == AGAIN and self._asked:
            self._again[player] += 1
            if self._again[player] <= MOST_AGAIN:
                self._spent = {key: spent if key == player else 0.0 for key, spent in self._spent.items()}
                self._begin_round()
        elif self._coordinator is not None and frame[:1] and frame[0] in ANSWERING and player in self._owing_answers:
            try:
                following = self._coordinator.on_answer(player, frame)
            except (BadRoster, Malformed) as error:
                log.info("%s cannot be seated: %s", fingerprint(player), error)
                self._strange.log(f"{dict(self._people)[player]} cannot be seated: the program’s answer was wrong.")
                return
            if following is not None:
                self._ask(following)

    def on_words(self, player: bytes, game_id: bytes | None, signature: bytes | None) -> None:
        """Called when a player has the words of a game on the screen, or of none (None); with a signature, they are the
        same.
        """
        if self.signed is None or game_id != self.signed.game_id or signature is None:
            self._confirmed.pop(player, None)
        elif holds(player, game_id, signature):
            self._confirmed[player] = signature

    @property
    def signatures(self) -> tuple[bytes, ...] | None:
        """The signatures of all, in seat order; None while one is missing."""
        if len(self._confirmed) < len(self._keys):
            return None
        return tuple(self._confirmed[key] for key in self._keys)

    # -- the round of seating ------------------------------------------------------------------------------------------

    def _begin_round(self) -> None:
        self._round += 1
        self.signed = None
        self._confirmed.clear()
        self._coordinator = SeatingCoordinator(self._terms.signed, self._people, self._round)
        self._ask(self._coordinator.ask())

    def _ask(self, frame: Frame) -> None:
        self._asked = frame
        if frame[0] == ASKING[-1]:
            assert self._coordinator is not None
            self.signed, self._coordinator = self._coordinator.result(frame), None
        for player in self._keys:
            self._send(player, frame)

    @property
    def _owing_answers(self) -> tuple[bytes, ...]:
        return self._coordinator.missing if self._coordinator is not None else ()

    # -- whom the table waits for --------------------------------------------------------------------------------------

    def update(self, now: float, *, stopped: bool) -> None:
        """Charges the time since the last call to those for whom the table has waited, unless it was `stopped`."""
        passed, self._now = max(0.0, now - self._now), now
        if stopped:
            return
        charged = self._coming if self._absent else self._spent
        for player in self._absent or self._owing:
            charged[player] += passed
        if self._begun and not self._absent:
            self._unseen += passed

    @property
    def _absent(self) -> tuple[bytes, ...]:
        return tuple(key for key in self._keys if key not in self._came)

    @property
    def _owing(self) -> tuple[bytes, ...]:
        """Once all have come: the players whose answer is missing, or who have not said that the words are the same."""
        if self._begun or self._coordinator is not None:
            return self._owing_answers
        return tuple(key for key in self._keys if key not in self._confirmed)

    def absent(self) -> tuple[int, ...]:
        """Returns the seats whose players did not come in time."""
        return self._seats(key for key in self._absent if self._coming[key] >= self._come_seconds)

    def unready(self) -> tuple[int, ...]:
        """Returns the seats whose players came, and for whom the table has waited too long since. Nobody is late while
        the table waits for somebody who still has time: otherwise a player could win who was no more ready.
        """
        late = [key for key in self._keys if self._spent[key] >= self._come_seconds]
        return () if any(key not in late for key in self._owing) else self._seats(late)

    def restless(self) -> tuple[int, ...]:
        """Returns the seats whose players have asked for too many new rounds."""
        return self._seats(key for key in self._keys if self._again[key] > MOST_AGAIN)

    def unseen(self) -> bool:
        """Returns whether all have come back to a game for too long without anybody showing it."""
        return self._unseen >= self._come_seconds

    @property
    def comparing(self) -> bool:
        """Whether the words are on the screens."""
        return self.signed is not None

    def wait(self) -> TableWait:
        """Returns whom the table waits for."""
        if absent := self._absent:
            gone = tuple(key for key in absent if not self._is_connected(key))
            seats, doing, spent = gone or absent, NOT_CONNECTED if gone else ON_THE_WAY, self._coming
        else:
            seats, doing, spent = self._owing or self._keys, COMPARING if self.comparing else SITTING_DOWN, self._spent
        left = [self._come_seconds - spent[key] for key in seats if spent[key] < self._come_seconds]
        return TableWait(self._seats(seats), doing, self._now + min(left, default=0.0))

    def _seats(self, players: Iterable[bytes]) -> tuple[int, ...]:
        return tuple(sorted(self._keys.index(player) for player in players))


def holds(player: bytes, game_id: bytes, signature: bytes) -> bool:
    """Returns whether a player has signed that the words of a game match."""
    return signatures.verify(player, SAME, game_id, signature)
