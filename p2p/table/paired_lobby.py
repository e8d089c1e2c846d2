"""Before a game of a tournament: the seats that its referee has paired sit down through the referee.

The referee asks what the host of an ordinary table asks (`table.seating`), over each player's own channel. So it knows
at every moment whose answer is missing, and no seat depends on another one to sit down.

    referee to seat   ("prepare", round), ("roster", ...), ("signatures", ...), ("nonces", ...)
    seat to referee   ("place", ...), ("signature", ...), ("nonce", ...)
                      ("again", round)     it knows nothing of this round: its program has started since
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.lobby import Lobby, SeatStatus
from kimberley.p2p.table.seating import ASKING, Person
from kimberley.p2p.table.terms import TableTerms
from kimberley.p2p.transport.frames import Frame, are_integers
from kimberley.p2p.transport.link import Link
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.roster import BadRoster, SignedRoster

AGAIN: Final = "again"
"""The kind of the answer that asks for a new round."""
MOST_GUESSES: Final = 32  # SPEC: rounds broken off at the words of a tournament table
"""Rounds that may be broken off after this seat has opened its nonce in them: each is a guess at the words. A referee
lets each of the players start over a few times."""


def referee_untrusted(reason: object) -> str:
    """Says why a player must not play in a tournament."""
    return f"The referee cannot be trusted: {reason}. Do not play there."


class PairedLobby(Lobby):
    """One seat's side. `say` sends an answer to the referee, if it is connected; what is lost is asked for again.
    `failed` is called when the referee asks for something that must not be signed.
    """

    def __init__(
        self,
        identity: Identity,
        terms: TableTerms,
        people: Sequence[Person],
        signed: Callable[[SignedRoster, bytes], None],
        changed: Callable[[], None],
        failed: Callable[[str], None],
        say: Callable[[Frame], None],
    ) -> None:
        super().__init__(identity, terms, (len(people),), people, signed, changed)
        self.sitting = tuple(SeatStatus(ready=True) for _ in people)
        self._failed = failed
        self._say = say
        self._asked: Frame = ()
        """The latest frame of the referee that was answered."""
        self._answered: Frame | None = None
        self._counts_anew = False
        """Whether the next round may have any number. Until it begins, the previous round continues."""
        self._broken_off = 0

    def on_frame(self, link: Link, frame: Frame) -> bool:
        """Handles no frame: no seat has a say in who sits here."""
        del link, frame
        return False

    def on_reopened(self) -> None:
        super().on_reopened()
        self._broken_off += 1
        self._seating = None

    def on_referee(self) -> None:
        """Called when the referee is connected again, perhaps as another process, which starts to count its rounds."""
        self._counts_anew = True

    def ask(self, frame: Frame) -> None:
        """Answers a frame of the referee; a repeated one gets the same answer."""
        if frame == self._asked:
            if self._answered is not None:
                self._say(self._answered)
            return
        kind, number = frame[0] if frame else None, frame[1] if len(frame) > 1 else None
        if kind not in ASKING or not are_integers(number):
            self._failed("The referee cannot be trusted: it seats the players in an unknown way. Do not play there.")
            return
        if kind != ASKING[0] and (self._seating is None or number != self._number):
            self._say((AGAIN, number))
            return
        self._asked, self._answered = frame, None
        try:
            self.answer(frame)
        except (BadRoster, Malformed) as error:
            self._failed(referee_untrusted(error))
        except UserError as error:
            self._failed(str(error))

    def reply(self, frame: Frame) -> None:
        self._answered = frame
        self._say(frame)

    def _begin(self, number: int) -> None:
        if self._seating is not None and self._seating.opened and self._seating.signed is None:
            self._broken_off += 1
        if self._broken_off > MOST_GUESSES:
            raise BadRoster("it keeps starting over, as if trying to make the words match")
        if self._counts_anew:
            self._number, self._counts_anew = -1, False
        super()._begin(number)
