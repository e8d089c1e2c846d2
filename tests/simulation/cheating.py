"""Seats that cheat, and the required outcome of each trick.

A trick alters one seat at one kind of place. Most alter a body that an honest seat would sign. Others alter the
envelopes sent to another seat, or which ones are signed at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeAlias

from kimberley.games.table import Game, Plain
from kimberley.p2p.storage.journal import Entry
from kimberley.protocol.closing import Closing
from kimberley.protocol.crypto.group import Group
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.events import Event
from kimberley.protocol.peer import Peer
from tests.simulation.network import Clock, Network
from tests.simulation.seat import Seat
from tests.support.cheats import Cheat

REFUSED: Final = "refused"
"""Every honest seat refuses it at once, and names the cheat."""
AUDITED: Final = "audited"
"""The game goes to its end, and then every honest seat's audit names the cheat."""
ACCUSED: Final = "accused"
"""The game goes to its end, honest seats sign that all was fair, and the record names the cheat."""
WAITED: Final = "waited for"
"""Nobody is blamed. The others wait for the cheat."""
NOTHING: Final = "nothing"
"""It changes nothing: the game goes to its end, and is fair."""
ANY: Final = "any"
"""Any outcome, if nobody but the cheat is named."""

Bent: TypeAlias = Any
"""An altered body, or a function that makes it if that changes the cheat's own state."""
BodyBend: TypeAlias = "Callable[[Cheater, Any], Bent]"
ClosingBend: TypeAlias = "Callable[[Cheater, Closing, Any], Bent]"
WireBend: TypeAlias = "Callable[[Cheater, int, Envelope], Sequence[bytes | Envelope]]"
Choice: TypeAlias = "Callable[[Cheater, Plain], Plain]"


@dataclass(frozen=True)
class Trick:
    """One thing that SPEC.md forbids, or something random.

    `rule` has the requirements or sections that it breaks. `outcome` is the required outcome, for `reason`. `games` are
    those in which the trick is possible, all if empty. A hook returns its input if there is nothing to alter.
    """

    name: str
    rule: str
    outcome: str
    reason: str = ""
    games: tuple[str, ...] = ()
    least_seats: int = 2
    body: BodyBend | None = None
    closing: ClosingBend | None = None
    wire: WireBend | None = None
    choose: Choice | None = None
    kind: type[Cheater] | None = None

    def possible(self, game: Game) -> bool:
        return (not self.games or game.id in self.games) and max(game.seats) >= self.least_seats


class Cheater(Cheat):
    """Plays honestly except for its trick. `done` has the slots at which it has cheated."""

    trick: Trick
    rng: Random
    eager: bool
    again: bool
    mute = staticmethod(lambda peer: peer.kept.get("mute", False))

    def equip(self, trick: Trick, rng: Random, eager: bool) -> None:
        """Sets the trick. `eager` seats cheat at the first opportunity, others at any. It may cheat once, or whenever
        it can.
        """
        self.trick, self.rng, self.eager = trick, rng, eager
        self.done: list[tuple[int, int]] = []
        self.kept: dict[str, Any] = {}
        """State of a trick. "mute" stops all signing by the seat."""
        self.again = rng.random() < 0.3
        self._skips = 0 if eager else rng.choice((0, 0, 1, 2, 5))

    @property
    def group(self) -> Group:
        return self._group

    def dares(self) -> bool:
        """Returns whether the seat takes an opportunity."""
        if self.done and not self.again:
            return False
        self._skips -= 1
        return self._skips < 0

    def did(self) -> None:
        self.done.append(self.slot)

    def game_body(self) -> Plain:
        body = super().game_body()
        if body is None or self.trick.body is None:
            return body
        bent = self.trick.body(self, body)
        return self._bent(body, bent)

    def closing_body(self, closing: Closing) -> Plain:
        body = super().closing_body(closing)
        if body is None or self.trick.closing is None:
            return body
        return self._bent(body, self.trick.closing(self, closing, body))

    def _bent(self, body: Plain, bent: Bent) -> Plain:
        if (not callable(bent) and pack(bent) == pack(body)) or not self.dares():
            return body
        made: Plain = bent() if callable(bent) else bent
        if pack(made) == pack(body):
            return body
        self.did()
        return made


class CheatingSeat(Seat):
    """The end of a cheating seat."""

    peer: Cheater

    def __init__(
        self,
        number: int,
        make: Callable[[], Peer],
        clock: Clock,
        network: Network,
        rng: Random,
        step: Callable[[Seat, Sequence[Event]], None],
        spy: Callable[[bytes], None],
    ) -> None:
        super().__init__(number, make, clock, network, rng, step)
        self._spy = spy

    def take_in(self, entry: Entry) -> bool:
        """Ignores errors: a cheat may fail on its own lies."""
        match entry:
            case ("chose", _, choice) if self.peer.trick.choose is not None and self.peer.asked is not None:
                forced = self.peer.trick.choose(self.peer, choice)
                if pack(forced) != pack(choice) and self.peer.dares():
                    self.peer.did()
                    self.peer.force(forced)
                    return True
        with suppress(Exception):
            super().take_in(entry)
        return True

    def stop(self) -> None:
        """Does nothing: a cheat does not stop after signing more than it knows."""

    def _lacks_own(self) -> None:
        """Does nothing: a cheat sends more than its machine has signed."""

    def joined(self, other: int) -> None:
        """Sends its lies again, too: what a cut has lost of them is in no chain."""
        super().joined(other)
        if other in self._wires:
            self._wires[other].send_all()

    def _show_convicting(self, other: int) -> None:
        """Does nothing: a cheat accuses nobody."""

    def outgoing(self, receiver: int, envelope: bytes) -> Sequence[bytes]:
        if self.peer.trick.wire is None:
            sent: list[bytes] = [envelope]
        else:
            bent = self.peer.trick.wire(self.peer, receiver, Envelope.unpack(envelope))
            sent = [one.pack() if isinstance(one, Envelope) else one for one in bent]
        for data in sent:
            self._spy(data)
        return sent
